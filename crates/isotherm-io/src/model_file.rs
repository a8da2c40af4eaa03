//! One model, one file: a safetensors container with stricter rules.
//!
//! The layout, the limits and the version policy are in `docs/model-file.md`.
//! Two models with equal parts of the same provenance have equal bytes: keys are
//! sorted, and a file whose header is not exactly the one this module would write
//! is refused.

use std::collections::{BTreeMap, HashMap};
use std::io::{Read, Write};
use std::path::Path;

use isotherm::model::parts::{Array, Parts, Tensor};
use safetensors::tensor::{Dtype, Metadata, TensorInfo};

use crate::error::{Error, Result};
use crate::provenance::Provenance;
use crate::source::open;
use crate::write::atomic::{Overwrite, write_atomically};

/// The newest file version this build reads. It writes the oldest that has all parts of a model.
pub const VERSION: u32 = 2;
/// Parts that came with version 2: sparse rows, rows of length one, and ranks of values.
const SINCE_2: [&str; 3] = ["anchor_columns", "row_scaling", "anchor_blocks"];
/// Longest header, in bytes: 16 MiB. It holds the names of columns and classes;
/// names of nodes are a tensor.
pub const LONGEST_HEADER: u64 = 16 << 20;
/// Most tensors.
pub const MOST_TENSORS: usize = 256;

/// Keys of the metadata that belong to the container.
const RESERVED: [&str; 4] = ["checksum", "format", PROVENANCE, "version"];
/// Where the model came from, as JSON; no part of the model.
const PROVENANCE: &str = "provenance";
/// Stands for the checksum while the checksum is computed.
const BLANK: &str = "00000000";

/// Reads a model.
///
/// Memory: the tensors once, and never more than the file is long.
///
/// # Errors
/// [`Error::Model`] for a file that is foreign, newer, damaged, cut short or
/// continued; [`Error::Limit`]; [`Error::Io`].
pub fn read_model(path: impl AsRef<Path>) -> Result<Parts> {
    let path = path.as_ref();
    let (file, length) = open(path)?;
    read(
        std::io::BufReader::with_capacity(1 << 18, file),
        length,
        path,
    )
}

/// Reads a model from memory; `path` is what errors say.
///
/// # Errors
/// As [`read_model`].
pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Parts> {
    read(bytes, bytes.len() as u64, path)
}

/// Where a model came from, as the JSON of a [`Provenance`]; only the header is
/// read, so the tensors may be damaged.
///
/// # Errors
/// As [`read_model`].
pub fn read_provenance(path: impl AsRef<Path>) -> Result<Option<String>> {
    let path = path.as_ref();
    let (file, length) = open(path)?;
    let header = read_header(&mut std::io::BufReader::new(file), length, path)?;
    let (mut metadata, ..) = parse(&header, &Reading { path })?;
    Ok(metadata.remove(PROVENANCE))
}

/// Writes a model, whole or not at all.
///
/// # Errors
/// [`Error::Model`] when the parts break a rule of the format;
/// [`Error::Exists`]; [`Error::Io`].
pub fn write_model(path: impl AsRef<Path>, parts: &Parts, overwrite: Overwrite) -> Result<()> {
    write_model_of(path, parts, None, overwrite)
}

/// As [`write_model`], with where the model came from.
///
/// # Errors
/// As [`write_model`].
pub fn write_model_of(
    path: impl AsRef<Path>,
    parts: &Parts,
    provenance: Option<&Provenance>,
    overwrite: Overwrite,
) -> Result<()> {
    let path = path.as_ref();
    let order = ordered(parts);
    let header = sealed_header(parts, provenance, &order, path)?;
    write_atomically(path, overwrite, |out| {
        write(out, &header, &order).map_err(|e| Error::io(path, "write", e))
    })
}

/// The bytes of the file that [`write_model`] would write.
///
/// # Errors
/// [`Error::Model`] when the parts break a rule of the format.
pub fn to_bytes(parts: &Parts) -> Result<Vec<u8>> {
    let path = Path::new("model");
    let order = ordered(parts);
    let header = sealed_header(parts, None, &order, path)?;
    let mut out = Vec::new();
    write(&mut out, &header, &order).map_err(|e| Error::io(path, "write", e))?;
    Ok(out)
}

/// The tensors as they follow each other: widest numbers first, then by name,
/// so that every one is aligned.
fn ordered(parts: &Parts) -> Vec<(&str, &Tensor)> {
    let mut order: Vec<_> = parts.tensors.iter().map(|(n, t)| (n.as_str(), t)).collect();
    order.sort_by_key(|(_, t)| std::cmp::Reverse(width(&t.array)));
    order
}

fn width(array: &Array) -> usize {
    match array {
        Array::U32(_) | Array::F32(_) => 4,
        Array::U8(_) => 1,
        _ => 8,
    }
}

fn write(out: &mut dyn Write, header: &[u8], order: &[(&str, &Tensor)]) -> std::io::Result<()> {
    out.write_all(&(header.len() as u64).to_le_bytes())?;
    out.write_all(header)?;
    for (_, tensor) in order {
        each_chunk(&tensor.array, |bytes| out.write_all(bytes))?;
    }
    Ok(())
}

/// The array's bytes, little endian, in pieces.
fn each_chunk<E>(
    array: &Array,
    mut take: impl FnMut(&[u8]) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    const PIECE: usize = 8192;
    macro_rules! pieces {
        ($values:expr) => {
            for piece in $values.chunks(PIECE) {
                let bytes: Vec<u8> = piece.iter().flat_map(|v| v.to_le_bytes()).collect();
                take(&bytes)?;
            }
        };
    }
    match array {
        Array::F64(v) => pieces!(v),
        Array::F32(v) => pieces!(v),
        Array::U64(v) => pieces!(v),
        Array::U32(v) => pieces!(v),
        Array::U8(v) => pieces!(v),
        _ => {}
    }
    Ok(())
}

/// The header with its checksum in place.
fn sealed_header(
    parts: &Parts,
    provenance: Option<&Provenance>,
    order: &[(&str, &Tensor)],
    path: &Path,
) -> Result<Vec<u8>> {
    let refuse = |problem: String| Error::Model {
        code: "bug",
        path: path.to_owned(),
        problem,
        hint: "this is a bug in the program that made the model".into(),
    };
    if let Some(key) = RESERVED.iter().find(|k| parts.metadata.contains_key(**k)) {
        return Err(refuse(format!("the metadata key \"{key}\" is reserved")));
    }
    let mut infos = Vec::new();
    let mut start = 0usize;
    for (name, tensor) in order {
        let (dtype, length) = match &tensor.array {
            Array::F64(v) => (Dtype::F64, v.len()),
            Array::F32(v) => (Dtype::F32, v.len()),
            Array::U64(v) => (Dtype::U64, v.len()),
            Array::U32(v) => (Dtype::U32, v.len()),
            Array::U8(v) => (Dtype::U8, v.len()),
            _ => return Err(refuse(format!("tensor \"{name}\" has an unknown type"))),
        };
        if elements(&tensor.shape) != Some(length) {
            return Err(refuse(format!(
                "tensor \"{name}\" has shape {:?} and {length} numbers",
                tensor.shape
            )));
        }
        let end = length
            .checked_mul(width(&tensor.array))
            .and_then(|bytes| start.checked_add(bytes))
            .ok_or_else(|| refuse("the tensors are too long".into()))?;
        let info = TensorInfo {
            dtype,
            shape: tensor.shape.clone(),
            data_offsets: (start, end),
        };
        infos.push(((*name).to_owned(), info));
        start = end;
    }
    let mut metadata = parts.metadata.clone();
    metadata.insert("format".into(), "isotherm".into());
    let version = if SINCE_2.iter().any(|part| metadata.contains_key(*part)) {
        VERSION
    } else {
        1
    };
    metadata.insert("version".into(), version.to_string());
    metadata.extend(provenance.map(|p| (PROVENANCE.to_owned(), p.to_json())));
    let blank = header_bytes(&metadata, BLANK, &infos).map_err(&refuse)?;
    check_sizes(path, blank.len() as u64, infos.len())?;
    let mut crc = flate2::Crc::new();
    crc.update(&blank);
    for (_, tensor) in order {
        let done: std::result::Result<(), Error> = each_chunk(&tensor.array, |bytes| {
            crc.update(bytes);
            Ok(())
        });
        done?;
    }
    header_bytes(&metadata, &format!("{:08x}", crc.sum()), &infos).map_err(refuse)
}

/// The header's JSON, padded with spaces to a multiple of eight: checksum and
/// metadata first, tensors in the order of their bytes.
fn header_bytes(
    metadata: &BTreeMap<String, String>,
    checksum: &str,
    infos: &[(String, TensorInfo)],
) -> std::result::Result<Vec<u8>, String> {
    let mut metadata = metadata.clone();
    metadata.insert("checksum".into(), checksum.into());
    let text = |e: serde_json::Error| e.to_string();
    let mut out = b"{\"__metadata__\":".to_vec();
    out.extend(serde_json::to_vec(&metadata).map_err(text)?);
    for (name, info) in infos {
        out.push(b',');
        out.extend(serde_json::to_vec(name).map_err(text)?);
        out.push(b':');
        out.extend(serde_json::to_vec(info).map_err(text)?);
    }
    out.push(b'}');
    while !out.len().is_multiple_of(8) {
        out.push(b' ');
    }
    Ok(out)
}

fn elements(shape: &[usize]) -> Option<usize> {
    shape.iter().try_fold(1usize, |n, s| n.checked_mul(*s))
}

fn check_sizes(path: &Path, header: u64, tensors: usize) -> Result<()> {
    let hint =
        "a model has shorter names of columns and classes than that: rename or leave out some";
    if header > LONGEST_HEADER {
        return Err(Error::limit(
            path,
            None,
            "the length of the model's header in bytes",
            (header, LONGEST_HEADER),
            hint,
        ));
    }
    if tensors > MOST_TENSORS {
        return Err(Error::limit(
            path,
            None,
            "the number of tensors",
            (tensors as u64, MOST_TENSORS as u64),
            hint,
        ));
    }
    Ok(())
}

/// A file being read, and its refusals.
struct Reading<'a> {
    path: &'a Path,
}

impl Reading<'_> {
    fn foreign(&self) -> Error {
        Error::Model {
            code: "not-a-model",
            path: self.path.to_owned(),
            problem: "the file is not an isotherm model".into(),
            hint: "give a file written by `isotherm fit`".into(),
        }
    }

    fn damaged(&self, how: impl std::fmt::Display) -> Error {
        Error::Model {
            code: "model-damaged",
            path: self.path.to_owned(),
            problem: format!("the model is damaged: {how}"),
            hint: "copy the file again, or fit the model again".into(),
        }
    }

    fn fill(&self, input: &mut impl Read, buffer: &mut [u8]) -> Result<()> {
        input.read_exact(buffer).map_err(|e| match e.kind() {
            std::io::ErrorKind::UnexpectedEof => self.damaged("it ends too early"),
            _ => Error::io(self.path, "read", e),
        })
    }
}

/// The bytes of the header, no longer than the limit and the file.
fn read_header(input: &mut impl Read, length: u64, path: &Path) -> Result<Vec<u8>> {
    let reading = Reading { path };
    if length == 0 {
        return Err(Error::Empty {
            path: path.to_owned(),
        });
    }
    if length < 10 {
        return Err(reading.foreign());
    }
    let mut size = [0; 8];
    reading.fill(input, &mut size)?;
    let header_length = u64::from_le_bytes(size);
    let mut first = [0];
    reading.fill(input, &mut first)?;
    if first != *b"{" {
        return Err(reading.foreign());
    }
    check_sizes(path, header_length, 0)?;
    if header_length < 2 || header_length > length - 8 {
        return Err(reading.damaged(format_args!(
            "its header is {header_length} bytes, the file {length}"
        )));
    }
    let mut header = vec![0; header_length as usize];
    header[0] = b'{';
    reading.fill(input, &mut header[1..])?;
    Ok(header)
}

fn read(mut input: impl Read, length: u64, path: &Path) -> Result<Parts> {
    let reading = Reading { path };
    let header = read_header(&mut input, length, path)?;
    let header_length = header.len() as u64;
    let (metadata, infos, checksum) = parse(&header, &reading)?;
    let data = infos.last().map_or(0, |(_, i)| i.data_offsets.1 as u64);
    let expected = data.checked_add(8 + header_length);
    if expected != Some(length) {
        return Err(reading.damaged(format_args!(
            "its header asks for {data} bytes of numbers, the file has {}",
            length - 8 - header_length
        )));
    }
    let mut crc = flate2::Crc::new();
    crc.update(&header_bytes(&metadata, BLANK, &infos).map_err(|e| reading.damaged(e))?);
    let mut parts = Parts::default();
    for (name, info) in infos {
        let array = read_array(&mut input, &info, &mut crc, &reading)?;
        let shape = info.shape;
        parts.tensors.insert(name, Tensor { shape, array });
    }
    if input
        .read(&mut [0])
        .map_err(|e| Error::io(path, "read", e))?
        != 0
    {
        return Err(reading.damaged("bytes follow its end"));
    }
    if format!("{:08x}", crc.sum()) != checksum {
        return Err(reading.damaged("its checksum does not match its contents"));
    }
    parts.metadata = metadata;
    for key in RESERVED {
        parts.metadata.remove(key);
    }
    Ok(parts)
}

type Header = (BTreeMap<String, String>, Vec<(String, TensorInfo)>, String);

/// The header's contents, once it is known to be ours, of a version we read,
/// and written exactly as we write it.
fn parse(header: &[u8], reading: &Reading<'_>) -> Result<Header> {
    let parsed: Metadata = serde_json::from_slice(header).map_err(|e| {
        if contains(header, b"\"isotherm\"") {
            reading.damaged(format_args!("its header does not parse ({e})"))
        } else {
            reading.foreign()
        }
    })?;
    let found: &HashMap<String, String> = match parsed.metadata() {
        Some(found) if found.get("format").is_some_and(|f| f == "isotherm") => found,
        _ => return Err(reading.foreign()),
    };
    let mut metadata: BTreeMap<String, String> =
        found.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
    let version = metadata.get("version").and_then(|v| v.parse::<u32>().ok());
    match version {
        Some(1..=VERSION) => {}
        Some(newer) if newer > VERSION => {
            return Err(Error::Model {
                code: "model-newer",
                path: reading.path.to_owned(),
                problem: format!(
                    "the model has file version {newer}, this isotherm reads up to {VERSION}"
                ),
                hint: "upgrade isotherm, or fit the model again with this one".into(),
            });
        }
        _ => return Err(reading.damaged("its file version is not a known number")),
    }
    let Some(checksum) = metadata.remove("checksum") else {
        return Err(reading.damaged("it has no checksum"));
    };
    let names = parsed.offset_keys();
    check_sizes(reading.path, header.len() as u64, names.len())?;
    let mut infos = Vec::with_capacity(names.len());
    for name in names {
        let Some(info) = parsed.info(&name) else {
            return Err(reading.damaged(format_args!("tensor \"{name}\" is not described")));
        };
        if !matches!(
            info.dtype,
            Dtype::F64 | Dtype::F32 | Dtype::U64 | Dtype::U32 | Dtype::U8
        ) {
            return Err(reading.damaged(format_args!(
                "tensor \"{name}\" has the unknown type {:?}",
                info.dtype
            )));
        }
        infos.push((name, info.clone()));
    }
    // The order of `ordered`, from the header alone.
    infos.sort_by(|(a, x), (b, y)| {
        let width = |i: &TensorInfo| std::cmp::Reverse(i.dtype.bitsize());
        (width(x), a).cmp(&(width(y), b))
    });
    let mut start = 0;
    for (name, info) in &infos {
        if info.data_offsets.0 != start {
            return Err(reading.damaged(format_args!("tensor \"{name}\" is out of place")));
        }
        start = info.data_offsets.1;
    }
    match header_bytes(&metadata, &checksum, &infos) {
        Ok(ours) if ours == header => Ok((metadata, infos, checksum)),
        _ => Err(reading.damaged("its header is not written as isotherm writes it")),
    }
}

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|w| w == needle)
}

/// One tensor. Its length was checked against the file's, so the allocation
/// is at most the file's length.
fn read_array(
    input: &mut impl Read,
    info: &TensorInfo,
    crc: &mut flate2::Crc,
    reading: &Reading<'_>,
) -> Result<Array> {
    let Some(n) = elements(&info.shape) else {
        return Err(reading.damaged("a tensor's shape overflows"));
    };
    macro_rules! numbers {
        ($variant:ident, $type:ty) => {{
            let mut values: Vec<$type> = vec![Default::default(); n];
            for piece in values.chunks_mut(1 << 16) {
                let bytes: &mut [u8] = bytemuck::cast_slice_mut(piece);
                reading.fill(input, bytes)?;
                crc.update(bytes);
                if cfg!(target_endian = "big") {
                    let swapped = |v: &mut $type| *v = <$type>::from_le_bytes(v.to_ne_bytes());
                    piece.iter_mut().for_each(swapped);
                }
            }
            Ok(Array::$variant(values))
        }};
    }
    match info.dtype {
        Dtype::F64 => numbers!(F64, f64),
        Dtype::F32 => numbers!(F32, f32),
        Dtype::U64 => numbers!(U64, u64),
        Dtype::U32 => numbers!(U32, u32),
        Dtype::U8 => numbers!(U8, u8),
        other => Err(reading.damaged(format_args!("it has a tensor of type {other:?}"))),
    }
}
