//! One JSON object per line: `.jsonl`, `.ndjson`.
//!
//! Keys are columns, in the order in which they first appear; a key that a line
//! lacks is a cell without a value, and so is `null`. Whole numbers of up to 63
//! bits stay integers unless the column has others, too. A column in which some
//! lines have numbers and others texts is text, and so is one of numbers that has a
//! whole number which is not exact as a float beside floats or beyond 63 bits. Arrays
//! of numbers are lists. Objects inside objects are refused by line and key, or left out
//! where the key is not wanted ([`ReadOptions::without`]).

use std::collections::HashMap;
use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use isotherm::monitor::Monitor;
use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use crate::error::{Error, Place, Result, clean, leave_out};
use crate::progress::Progress;
use crate::source::{Format, ReadOptions};
use crate::table::cells::{Cells, TextCells};
use crate::table::finish;
use crate::table::lines::Lines;
use crate::table::{Column, Origin, Table};
use crate::text::json_column::{JsonColumn, Value};
use crate::text::json_scan;

/// Reads a table of JSON lines from anything that can be read; blank lines are
/// skipped.
///
/// `path` is what errors say; `length` is the number of bytes, if known. Cost:
/// one pass, memory for one line and the table.
///
/// # Errors
/// [`Error::Format`] with the line for what is not such an object;
/// [`Error::Limit`] for a line that is too long and for a table that is much
/// larger than its text; [`Error::Empty`]; [`Error::Io`]; [`Error::Cancelled`].
pub fn read_json_lines(
    input: impl Read,
    path: &Path,
    length: Option<u64>,
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    let mut progress = Progress::begin(monitor, "reading the table", length)?;
    let mut input = BufReader::with_capacity(1 << 18, input);
    let longest = options.limits.record as u64;
    let mut columns = Columns::new(options);
    let (mut lines, mut text) = (Lines::default(), Vec::new());
    let (mut line, mut offset) = (0u64, 0u64);
    loop {
        text.clear();
        line += 1;
        let mut one = (&mut input).take(longest.saturating_add(1));
        let read = one.read_until(b'\n', &mut text);
        let read = read.map_err(|e| Error::io(path, "read", e))? as u64;
        if read == 0 {
            break;
        }
        offset += read;
        let place = Some(Place::Line(line));
        if read > longest {
            return Err(Error::limit(
                path,
                place,
                "the length of a line in bytes",
                (read, longest),
                "write one object per line, each ended by a line break",
            ));
        }
        let record = match line {
            1 => text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&text),
            _ => &text,
        };
        let record = record.trim_ascii_end();
        if record.is_empty() {
            continue;
        }
        let record = std::str::from_utf8(record).map_err(|e| {
            let byte = record.get(e.valid_up_to()).copied().unwrap_or_default();
            Error::format(
                path,
                place,
                format!("the text is not UTF-8 (byte 0x{byte:02X})"),
                "pass --encoding latin1 if it is Western European text, or save the file as UTF-8",
            )
        })?;
        columns.read(record).map_err(|(problem, hint)| {
            let hint = if columns.rows <= 1 && record.starts_with('[') {
                "write each element of the array on a line of its own, without the brackets".into()
            } else {
                hint
            };
            Error::format(path, place, clean(&problem, 300), hint)
        })?;
        lines.push(line);
        let limit = options
            .limits
            .expanded(length.unwrap_or(offset).max(offset));
        columns.check(path, place, options.limits.columns, limit)?;
        progress.step(offset)?;
    }
    progress.end(offset)?;
    if columns.list.is_empty() {
        return Err(match offset {
            0 => Error::Empty {
                path: path.to_owned(),
            },
            _ => Error::format(
                path,
                None,
                "no line has a key",
                "write one object per line, such as {\"x\": 1.5, \"y\": \"a\"}",
            ),
        });
    }
    let mut origin = Origin::new(path, Format::JsonLines);
    origin.lines = lines;
    let (columns, unread) = columns.finish();
    origin.unread = unread;
    finish(columns, origin, options)
}

/// What is wrong with a line, and the way out.
type Wrong = (String, String);

/// Columns under construction.
struct Columns<'o> {
    options: &'o ReadOptions,
    list: Vec<JsonColumn>,
    /// The position of each name.
    known: HashMap<String, usize>,
    /// Lines read, the one at hand included.
    rows: usize,
    /// The column whose value was read last.
    last: Option<usize>,
}

impl<'o> Columns<'o> {
    fn new(options: &'o ReadOptions) -> Self {
        Self {
            options,
            list: Vec::new(),
            known: HashMap::new(),
            rows: 0,
            last: None,
        }
    }

    /// Adds a line; says what is wrong with it.
    fn read(&mut self, line: &str) -> std::result::Result<(), Wrong> {
        self.rows += 1;
        self.last = None;
        let long = json_scan::long_integers(line);
        let mut json = serde_json::Deserializer::from_str(line);
        let read = json.deserialize_map(Line(self, &long));
        match read.and_then(|()| json.end()) {
            Ok(()) => Ok(()),
            Err(e) => Err(self.wrong(line, &e)),
        }
    }

    fn wrong(&self, line: &str, e: &serde_json::Error) -> Wrong {
        // The line is ours to tell; its own count is always 1.
        let text = e.to_string();
        let at = format!(" at line {} column {}", e.line(), e.column());
        let what = text.strip_suffix(&at).unwrap_or(&text);
        let usual = "correct the line, or remove it";
        let character = |byte: usize| {
            let before = line.as_bytes().get(..byte).unwrap_or(line.as_bytes());
            String::from_utf8_lossy(before).chars().count()
        };
        if e.is_data() {
            let hint = match self.last.and_then(|at| self.list.get(at)) {
                Some(column) => format!("correct the line; {}", leave_out(&column.name)),
                None => usual.into(),
            };
            return (what.to_owned(), hint);
        }
        if let Some((word, at)) = json_scan::bare_word(line) {
            let hint = match word {
                "True" => "write true",
                "False" => "write false",
                _ => {
                    "write null where there is no value, as pandas does with \
                     df.to_json(name, orient=\"records\", lines=True)"
                }
            };
            let place = character(at) + 1;
            let problem = format!("not JSON: the word {word} at character {place}");
            return (problem, hint.into());
        }
        if let Some(inside) = what.strip_prefix("EOF while parsing ") {
            let length = line.chars().count();
            return (
                format!("not JSON: the line ends inside {inside}, after {length} characters"),
                "write each object whole on one line; copy the file again if it was cut short"
                    .into(),
            );
        }
        let place = character(e.column());
        let problem = format!("not JSON: {what} at character {place}");
        (problem, usual.into())
    }

    /// The column of a key, which usually follows the last one.
    fn find(&mut self, key: &str, after: usize) -> std::result::Result<usize, String> {
        let at = match self.list.get(after) {
            Some(next) if next.name == key => after,
            _ => match self.known.get(key) {
                Some(at) => *at,
                None => {
                    self.known.insert(key.to_owned(), self.list.len());
                    self.list.push(JsonColumn {
                        name: key.to_owned(),
                        cells: None,
                        len: 0,
                        unwanted: self.options.unwanted(key),
                        left_out: false,
                    });
                    self.list.len() - 1
                }
            },
        };
        if self.list[at].len == self.rows {
            Err(format!("the key \"{}\" stands twice", clean(key, 60)))
        } else {
            Ok(at)
        }
    }

    fn check(&self, path: &Path, place: Option<Place>, most: usize, limit: u64) -> Result<()> {
        let width = self.list.len();
        if width > most {
            return Err(Error::limit(
                path,
                place,
                "the number of columns",
                (width as u64, most as u64),
                "give the same keys on every line",
            ));
        }
        let size = (self.rows as u64).saturating_mul(8 * width as u64);
        if size > limit {
            return Err(Error::limit(
                path,
                place,
                "the size of the table in bytes, with a cell for every key on every line,",
                (size, limit),
                "give the same keys on every line, or keep the keys you need",
            ));
        }
        Ok(())
    }

    /// The columns, and the names of those that were left out.
    fn finish(self) -> (Vec<Column>, Vec<String>) {
        let rows = self.rows;
        let (left_out, kept): (Vec<_>, Vec<_>) = self.list.into_iter().partition(|c| c.left_out);
        let columns = kept.into_iter().map(|mut column| {
            column.fill(rows);
            Column {
                name: column.name,
                cells: column.cells.unwrap_or_else(|| {
                    let mut texts = TextCells::default();
                    (0..rows).for_each(|_| texts.push_missing());
                    Cells::Text(texts)
                }),
            }
        });
        let unread = left_out.into_iter().map(|c| c.name);
        (columns.collect(), unread.collect())
    }
}

/// One line, an object; and the long integers among its values.
struct Line<'a, 'o>(&'a mut Columns<'o>, &'a [Option<&'a str>]);

impl<'de> Visitor<'de> for Line<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with a key for every column")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        let mut after = 0;
        let mut long = self.1.iter().copied();
        while let Some(at) = map.next_key_seed(Key(self.0, after))? {
            let row = self.0.rows - 1;
            let long = long.next().flatten();
            self.0.last = Some(at);
            let column = &mut self.0.list[at];
            match (column.unwanted, column.left_out) {
                (false, _) => map.next_value_seed(Cell { column, row, long })?,
                (true, false) => {
                    let value: serde_json::Value = map.next_value()?;
                    column.push_unwanted(row, &value, long);
                }
                (true, true) => {
                    let _: IgnoredAny = map.next_value()?;
                    column.len = row + 1;
                }
            }
            self.0.last = None;
            after = at + 1;
        }
        Ok(())
    }
}

/// A key, as the position of its column.
struct Key<'a, 'o>(&'a mut Columns<'o>, usize);

impl<'de> DeserializeSeed<'de> for Key<'_, '_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, d: D) -> std::result::Result<usize, D::Error> {
        d.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_, '_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: serde::de::Error>(self, key: &str) -> std::result::Result<usize, E> {
        self.0.find(key, self.1).map_err(E::custom)
    }
}

/// A value, put into its column.
struct Cell<'a> {
    column: &'a mut JsonColumn,
    row: usize,
    /// Its text, where it is a long integer.
    long: Option<&'a str>,
}

impl Cell<'_> {
    fn push<E: serde::de::Error>(self, value: Value<'_>) -> std::result::Result<(), E> {
        let value = self.long.map_or(value, Value::Digits);
        self.column.push(self.row, value).map_err(E::custom)
    }
}

impl<'de> DeserializeSeed<'de> for Cell<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, d: D) -> std::result::Result<(), D::Error> {
        d.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Cell<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, a text, a truth value, null or an array of numbers")
    }

    fn visit_unit<E: serde::de::Error>(self) -> std::result::Result<(), E> {
        self.push(Value::Null)
    }

    fn visit_bool<E: serde::de::Error>(self, v: bool) -> std::result::Result<(), E> {
        self.push(Value::Bool(v))
    }

    fn visit_i64<E: serde::de::Error>(self, v: i64) -> std::result::Result<(), E> {
        self.push(Value::Integer(v))
    }

    fn visit_u64<E: serde::de::Error>(self, v: u64) -> std::result::Result<(), E> {
        let value = i64::try_from(v).map_or(Value::Float(v as f64), Value::Integer);
        self.push(value)
    }

    fn visit_f64<E: serde::de::Error>(self, v: f64) -> std::result::Result<(), E> {
        self.push(Value::Float(v))
    }

    fn visit_str<E: serde::de::Error>(self, v: &str) -> std::result::Result<(), E> {
        self.push(Value::Text(v))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<(), A::Error> {
        let mut items: Vec<f64> = Vec::new();
        while let Some(item) = seq.next_element_seed(Item(&self.column.name))? {
            items.push(item);
        }
        let pushed = self.column.push_list(self.row, &items);
        pushed.map_err(A::Error::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, _: A) -> std::result::Result<(), A::Error> {
        let what = self.column.said("holds an object, and columns hold none");
        Err(A::Error::custom(what))
    }
}

/// An entry of an array; `null` is NaN.
struct Item<'a>(&'a str);

impl Item<'_> {
    fn refuse<E: serde::de::Error>(&self, what: &str) -> E {
        let key = clean(self.0, 60);
        E::custom(format!(
            "the key \"{key}\" holds an array with {what}, and lists hold numbers"
        ))
    }
}

impl<'de> DeserializeSeed<'de> for Item<'_> {
    type Value = f64;

    fn deserialize<D: Deserializer<'de>>(self, d: D) -> std::result::Result<f64, D::Error> {
        d.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Item<'_> {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_unit<E: serde::de::Error>(self) -> std::result::Result<f64, E> {
        Ok(f64::NAN)
    }

    fn visit_f64<E: serde::de::Error>(self, v: f64) -> std::result::Result<f64, E> {
        Ok(v)
    }

    fn visit_i64<E: serde::de::Error>(self, v: i64) -> std::result::Result<f64, E> {
        Ok(v as f64)
    }

    fn visit_u64<E: serde::de::Error>(self, v: u64) -> std::result::Result<f64, E> {
        Ok(v as f64)
    }

    fn visit_bool<E: serde::de::Error>(self, _: bool) -> std::result::Result<f64, E> {
        Err(self.refuse("a truth value"))
    }

    fn visit_str<E: serde::de::Error>(self, v: &str) -> std::result::Result<f64, E> {
        Err(self.refuse(&format!("the text \"{}\"", clean(v, 20))))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> std::result::Result<f64, A::Error> {
        Err(self.refuse("another array"))
    }

    fn visit_map<A: MapAccess<'de>>(self, _: A) -> std::result::Result<f64, A::Error> {
        Err(self.refuse("an object"))
    }
}
