//! The header of a numpy array: a Python dictionary with its type, order and shape.

use std::io::Read;
use std::path::Path;

use crate::error::{Error, Result};

/// Longest header, in bytes; numpy itself refuses beyond this.
const LONGEST_HEADER: usize = 10_000;

/// Magic, version, header: its text and where the numbers begin.
pub(super) fn header_text(
    input: &mut dyn Read,
    length: u64,
    path: &Path,
    what: &str,
) -> Result<(Vec<u8>, u64)> {
    let refuse = |problem: &str| {
        Error::format_as(
            "numpy",
            path,
            None,
            format!("{what} {problem}"),
            "save the array again with numpy.save",
        )
    };
    let mut read = |buffer: &mut [u8]| {
        input.read_exact(buffer).map_err(|e| match e.kind() {
            std::io::ErrorKind::UnexpectedEof => refuse("ends inside its header"),
            _ => Error::io(path, "read", e),
        })
    };
    if length == 0 {
        return Err(Error::Empty {
            path: path.to_owned(),
        });
    }
    let mut magic = [0; 8];
    read(&mut magic)?;
    if !magic.starts_with(b"\x93NUMPY") {
        return Err(refuse("does not begin like a numpy array"));
    }
    let (size, before) = match magic[6] {
        1 => {
            let mut size = [0; 2];
            read(&mut size)?;
            (u32::from(u16::from_le_bytes(size)), 10)
        }
        2 | 3 => {
            let mut size = [0; 4];
            read(&mut size)?;
            (u32::from_le_bytes(size), 12)
        }
        version => return Err(refuse(&format!("has the unknown version {version}"))),
    };
    if size as usize > LONGEST_HEADER {
        return Err(Error::limit(
            path,
            None,
            format!("the header of {what} in bytes"),
            (u64::from(size), LONGEST_HEADER as u64),
            "save the array again with numpy.save",
        ));
    }
    let mut text = vec![0; size as usize];
    read(&mut text)?;
    Ok((text, before + u64::from(size)))
}

/// What the header says; `descr` is `None` for a structured type.
#[derive(Debug, PartialEq)]
pub(super) struct Header {
    pub(super) descr: Option<String>,
    pub(super) fortran: bool,
    pub(super) shape: Vec<u64>,
}

impl Header {
    /// A Python dictionary literal with the three known keys, each once; no
    /// recursion, so no header is deep enough to matter.
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(text).ok()?.trim();
        let mut rest = text.strip_prefix('{')?.strip_suffix('}')?.trim();
        let (mut descr, mut fortran, mut shape) = (None, None, None);
        while !rest.is_empty() {
            let (key, after) = quoted(rest)?;
            rest = after.trim_start().strip_prefix(':')?.trim_start();
            match key {
                "descr" if descr.is_none() => {
                    if rest.starts_with('[') {
                        return Some(Self {
                            descr: None,
                            fortran: false,
                            shape: Vec::new(),
                        });
                    }
                    let (value, after) = quoted(rest)?;
                    descr = Some(value.to_owned());
                    rest = after;
                }
                "fortran_order" if fortran.is_none() => {
                    let (value, after) = match rest.strip_prefix("True") {
                        Some(after) => (true, after),
                        None => (false, rest.strip_prefix("False")?),
                    };
                    fortran = Some(value);
                    rest = after;
                }
                "shape" if shape.is_none() => {
                    let (inside, after) = rest.strip_prefix('(')?.split_once(')')?;
                    shape = Some(axes(inside)?);
                    rest = after;
                }
                _ => return None,
            }
            rest = rest.trim_start();
            match rest.strip_prefix(',') {
                Some(after) => rest = after.trim_start(),
                None if rest.is_empty() => {}
                None => return None,
            }
        }
        Some(Self {
            descr: Some(descr?),
            fortran: fortran?,
            shape: shape?,
        })
    }
}

fn quoted(text: &str) -> Option<(&str, &str)> {
    match text.strip_prefix('\'') {
        Some(rest) => rest.split_once('\''),
        None => text.strip_prefix('"')?.split_once('"'),
    }
}

fn axes(inside: &str) -> Option<Vec<u64>> {
    let inside = inside.trim();
    let inside = inside.strip_suffix(',').unwrap_or(inside);
    if inside.is_empty() {
        return Some(Vec::new());
    }
    let axis = |a: &str| {
        let a = a.trim();
        let a = a.strip_suffix('L').unwrap_or(a); // numpy under Python 2
        a.parse::<u64>().ok().filter(|_| !a.starts_with('+'))
    };
    inside.split(',').map(axis).collect()
}
