//! Where each kind of file keeps the provenance of its result.
//!
//! | file | place |
//! |---|---|
//! | Parquet, Arrow (files) | key-value metadata, key `isotherm` |
//! | model | header metadata, key `provenance` |
//! | SVG | a `<metadata id="isotherm">` element |
//! | PNG | an `iTXt` chunk, keyword `isotherm` |
//! | HTML | `<script type="application/json" id="provenance">` |
//! | recipe (TOML) | a comment line `# provenance {…}` before everything else |
//! | JSON answers | the field `provenance` |
//! | CSV, TSV, JSON lines, compressed or not, Arrow streams, `.npz` | the sidecar, [`crate::sidecar`] |
//!
//! [`find`] reads all of them. A file is looked at as data from a stranger: what
//! is read is bounded, and nothing in it is obeyed.

use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::columnar::arrow;
use crate::columnar::parquet;
use crate::error::{Error, Result};
use crate::model_file;
use crate::provenance::hashing::FileHash;
use crate::provenance::sidecar::{self, Sidecar};
use crate::provenance::{KEY, LONGEST, Provenance};
use crate::source::open;

/// Bytes of a text file that are looked through: 64 MiB.
const LOOKED_AT: u64 = 64 << 20;

/// A provenance, and what it is the provenance of.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Where the result came from.
    pub provenance: Provenance,
    /// The kind of result.
    pub kind: ResultKind,
}

/// What kind of result a provenance was found with.
#[derive(Debug, Clone, PartialEq)]
pub enum ResultKind {
    /// A table, a model, a recipe or a page: the file itself.
    File,
    /// A picture: the file itself, which may be a command's second output.
    Picture,
    /// A table beside its sidecar, which tells what was written.
    Beside {
        /// The table; it may have gone, or be another by now.
        table: PathBuf,
        /// What was written.
        output: FileHash,
    },
    /// What a command answered under `--json`.
    Answer(serde_json::Value),
}

/// Reads the provenance of any result.
///
/// # Errors
/// [`Error::Provenance`] when there is none or it is damaged; [`Error::Io`]; as
/// the readers of Parquet and of models.
pub fn find(path: &Path) -> Result<Found> {
    if sidecar::table_of(path).is_some() {
        return beside(path);
    }
    let (mut file, length) = match open(path) {
        // The table may have gone; its sidecar still tells how to make it.
        Err(_) if sidecar::path_of(path).is_file() => return beside(&sidecar::path_of(path)),
        opened => opened?,
    };
    let failed = |e| Error::io(path, "read", e);
    let mut first = Vec::new();
    file.by_ref()
        .take(64)
        .read_to_end(&mut first)
        .map_err(failed)?;
    file.seek(SeekFrom::Start(0)).map_err(failed)?;
    let found = |text: Option<String>, kind| match text {
        Some(text) => Ok(Found {
            provenance: parsed(path, &text)?,
            kind,
        }),
        None => Err(none(path)),
    };
    if first.starts_with(b"PAR1") {
        return found(parquet::key_value(path, KEY)?, ResultKind::File);
    }
    if first.starts_with(b"ARROW1") {
        return found(arrow::key_value(path, KEY)?, ResultKind::File);
    }
    if first.starts_with(PNG) {
        return found(in_png(file, length).map_err(failed)?, ResultKind::Picture);
    }
    // A header of up to 16 MiB, its length in eight bytes; no text has such.
    if first.get(4..9) == Some(b"\0\0\0\0{") {
        return found(model_file::read_provenance(path)?, ResultKind::File);
    }
    let aside = sidecar::path_of(path);
    if aside.is_file() {
        return beside(&aside);
    }
    let mut bytes = Vec::new();
    file.take(LOOKED_AT)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('{') {
        return match serde_json::from_str::<serde_json::Value>(text) {
            Ok(answer) if answer.get("provenance").is_some() => found(
                Some(answer["provenance"].to_string()),
                ResultKind::Answer(answer),
            ),
            _ => Err(none(path)),
        };
    }
    if text.starts_with('<') {
        // A page may hold pictures; a picture holds no page.
        return if text.contains(HTML.0) {
            found(in_html(text), ResultKind::File)
        } else {
            found(in_svg(text), ResultKind::Picture)
        };
    }
    found(in_toml(text), ResultKind::File)
}

fn none(path: &Path) -> Error {
    Error::Provenance {
        path: path.to_owned(),
        problem: "it does not tell which run made it".into(),
        hint: "give a result of isotherm, or the .run.json that was written beside it".into(),
    }
}

fn damaged(path: &Path, problem: String) -> Error {
    Error::Provenance {
        path: path.to_owned(),
        problem,
        hint: "type the command that made it again".into(),
    }
}

fn parsed(path: &Path, text: &str) -> Result<Provenance> {
    Provenance::from_json(text).map_err(|problem| damaged(path, problem))
}

fn beside(path: &Path) -> Result<Found> {
    let (file, _) = open(path)?;
    let mut text = String::new();
    file.take(2 * LONGEST as u64)
        .read_to_string(&mut text)
        .map_err(|e| Error::io(path, "read", e))?;
    let value: serde_json::Value = serde_json::from_str(&text)
        .map_err(|e| damaged(path, format!("its provenance cannot be read ({e})")))?;
    // Newer layouts are named as such before the strict parser calls them damaged.
    parsed(path, &value["provenance"].to_string())?;
    let Sidecar {
        output, provenance, ..
    } = serde_json::from_value(value)
        .map_err(|e| damaged(path, format!("its provenance cannot be read ({e})")))?;
    let table = sidecar::table_of(path).unwrap_or_else(|| path.to_owned());
    let kind = ResultKind::Beside { table, output };
    Ok(Found { provenance, kind })
}

/// What a PNG file begins with.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Adds the provenance to a PNG file, before its end.
pub fn into_png(mut png: Vec<u8>, provenance: &Provenance) -> Vec<u8> {
    // The last chunk is IEND: a length, a name, a checksum, four bytes each.
    let Some(end) = png.len().checked_sub(12).filter(|_| png.starts_with(PNG)) else {
        return png;
    };
    let tail = png.split_off(end);
    let mut chunk = b"iTXt".to_vec();
    chunk.extend(KEY.as_bytes());
    // Keyword ends; not compressed; no language; no translated keyword.
    chunk.extend([0, 0, 0, 0, 0]);
    chunk.extend(provenance.to_json().as_bytes());
    let mut crc = flate2::Crc::new();
    crc.update(&chunk);
    let length = (chunk.len() - 4) as u32;
    png.extend(length.to_be_bytes());
    png.extend(chunk);
    png.extend(crc.sum().to_be_bytes());
    png.extend(tail);
    png
}

fn in_png(mut file: std::fs::File, length: u64) -> std::io::Result<Option<String>> {
    let mut at = PNG.len() as u64;
    let head: Vec<u8> = [KEY.as_bytes(), &[0; 5]].concat();
    while at + 12 <= length {
        file.seek(SeekFrom::Start(at))?;
        let mut start = [0; 8];
        file.read_exact(&mut start)?;
        let size = u64::from(u32::from_be_bytes([start[0], start[1], start[2], start[3]]));
        if &start[4..] == b"iTXt" && size <= (LONGEST + head.len()) as u64 {
            let mut text = Vec::new();
            file.by_ref().take(size).read_to_end(&mut text)?;
            if let Some(text) = text.strip_prefix(head.as_slice()) {
                return Ok(Some(String::from_utf8_lossy(text).into_owned()));
            }
        }
        at += 12 + size;
    }
    Ok(None)
}

const SVG: (&str, &str) = ("<metadata id=\"isotherm\">", "</metadata>");

/// Adds the provenance to an SVG file, as the first child of its root.
pub fn into_svg(svg: &str, provenance: &Provenance) -> String {
    let root = svg
        .find("<svg")
        .and_then(|at| Some(at + svg[at..].find('>')? + 1));
    let Some(at) = root.filter(|at| !svg[..*at].ends_with("/>")) else {
        return svg.to_owned();
    };
    let json = provenance.to_json();
    let json = json
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let (before, after) = svg.split_at(at);
    format!("{before}\n{}{json}{}{after}", SVG.0, SVG.1)
}

fn in_svg(text: &str) -> Option<String> {
    let text = between(text, SVG)?;
    Some(
        text.replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&"),
    )
}

const HTML: (&str, &str) = (
    "<script type=\"application/json\" id=\"provenance\">",
    "</script>",
);

/// The provenance as a data block of an HTML page: nothing in it ends the block.
pub fn html_block(provenance: &Provenance) -> String {
    let json = provenance.to_json();
    // JSON has these characters inside strings only, where an escape means the same.
    let json = json
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026");
    format!("{}{json}{}", HTML.0, HTML.1)
}

fn in_html(text: &str) -> Option<String> {
    between(text, HTML).map(str::to_owned)
}

const TOML: &str = "# provenance ";

/// A TOML file with the provenance before it, in comments.
pub fn into_toml(toml: &str, provenance: &Provenance) -> String {
    let json = provenance.to_json();
    format!(
        "# made by isotherm {}\n{TOML}{json}\n\n{toml}",
        provenance.version
    )
}

fn in_toml(text: &str) -> Option<String> {
    let mut comments = text.lines().take_while(|line| line.starts_with('#'));
    comments.find_map(|line| line.strip_prefix(TOML).map(str::to_owned))
}

/// What stands between the first opening and the next closing.
fn between<'a>(text: &'a str, (open, close): (&str, &str)) -> Option<&'a str> {
    let start = text.find(open)? + open.len();
    let inside = &text[start..];
    Some(&inside[..inside.find(close)?])
}
