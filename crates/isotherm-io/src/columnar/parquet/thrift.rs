//! Just enough of Thrift's compact protocol to look before leaping.
//!
//! The Parquet crate trusts a few numbers in a file: how deep the schema is,
//! how long a page becomes, how many entries a dictionary has. Here they are
//! read without allocating, so that [`crate::parquet`] can refuse first.
//! `None` means malformed or cut short.

/// A cursor over encoded bytes.
pub(crate) struct Thrift<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// Nesting beyond this is refused; Parquet needs five.
const DEEPEST: u8 = 16;

const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
const STRUCT: u8 = 12;
const UUID: u8 = 13;

impl<'a> Thrift<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn integer(&mut self) -> Option<i64> {
        let n = self.varint()?;
        Some((n >> 1) as i64 ^ -((n & 1) as i64))
    }

    fn binary(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.varint()?).ok()?;
        let end = self.at.checked_add(length)?;
        let bytes = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(bytes)
    }

    /// The next field's number and type; `Some(None)` at the struct's end.
    fn field(&mut self, last: &mut i64) -> Option<Option<(i64, u8)>> {
        let byte = self.byte()?;
        if byte == 0 {
            return Some(None);
        }
        *last = match byte >> 4 {
            0 => self.integer()?,
            step => last.checked_add(i64::from(step))?,
        };
        Some(Some((*last, byte & 0x0F)))
    }

    fn list(&mut self) -> Option<(u8, u64)> {
        let byte = self.byte()?;
        let count = match byte >> 4 {
            15 => self.varint()?,
            few => u64::from(few),
        };
        // Every element takes at least a byte.
        (count <= (self.bytes.len() - self.at) as u64).then_some((byte & 0x0F, count))
    }

    fn skip(&mut self, kind: u8, depth: u8) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        match kind {
            TRUE | FALSE => {}
            BYTE => {
                self.byte()?;
            }
            4..=6 => {
                self.varint()?;
            }
            DOUBLE => self.advance(8)?,
            UUID => self.advance(16)?,
            BINARY => {
                self.binary()?;
            }
            LIST | SET => {
                let (kind, count) = self.list()?;
                for _ in 0..count {
                    self.skip_element(kind, depth + 1)?;
                }
            }
            MAP => {
                let count = self.varint()?;
                if count > 0 {
                    let kinds = self.byte()?;
                    for _ in 0..count {
                        self.skip_element(kinds >> 4, depth + 1)?;
                        self.skip_element(kinds & 0x0F, depth + 1)?;
                    }
                }
            }
            STRUCT => {
                let mut last = 0;
                while let Some((_, kind)) = self.field(&mut last)? {
                    self.skip(kind, depth + 1)?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// As a field, but truth values take a byte.
    fn skip_element(&mut self, kind: u8, depth: u8) -> Option<()> {
        match kind {
            TRUE | FALSE => self.byte().map(|_| ()),
            other => self.skip(other, depth),
        }
    }

    fn advance(&mut self, n: usize) -> Option<()> {
        self.at = self
            .at
            .checked_add(n)
            .filter(|at| *at <= self.bytes.len())?;
        Some(())
    }
}

/// One entry of a Parquet schema.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SchemaEntry {
    pub(crate) name: String,
    pub(crate) children: i64,
}

/// The schema in a Parquet footer, flattened as it is stored: the root first.
pub(crate) fn schema(footer: &[u8]) -> Option<Vec<SchemaEntry>> {
    let mut thrift = Thrift::new(footer);
    let mut last = 0;
    let mut entries = None;
    while let Some((id, kind)) = thrift.field(&mut last)? {
        if id != 2 || kind != LIST {
            thrift.skip(kind, 0)?;
            continue;
        }
        let (kind, count) = thrift.list()?;
        if kind != STRUCT {
            return None;
        }
        let mut found = Vec::new();
        for _ in 0..count {
            found.push(schema_entry(&mut thrift)?);
        }
        entries = Some(found);
    }
    entries
}

fn schema_entry(thrift: &mut Thrift<'_>) -> Option<SchemaEntry> {
    let mut entry = SchemaEntry {
        name: String::new(),
        children: 0,
    };
    let mut last = 0;
    while let Some((id, kind)) = thrift.field(&mut last)? {
        match (id, kind) {
            (4, BINARY) => entry.name = String::from_utf8_lossy(thrift.binary()?).into_owned(),
            (5, 4..=6) => entry.children = thrift.integer()?,
            _ => thrift.skip(kind, 0)?,
        }
    }
    Some(entry)
}

/// What a Parquet page says of itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct PageHeader {
    /// Bytes of the header itself.
    pub(crate) length: u64,
    /// 0 data, 1 index, 2 dictionary, 3 data (version 2).
    pub(crate) kind: i64,
    pub(crate) compressed: i64,
    pub(crate) uncompressed: i64,
    /// The most that any part of the header says: the decoder uses one of them.
    pub(crate) values: i64,
}

/// The page header at the beginning of `bytes`.
pub(crate) fn page_header(bytes: &[u8]) -> Option<PageHeader> {
    let mut thrift = Thrift::new(bytes);
    let mut page = PageHeader::default();
    let mut last = 0;
    while let Some((id, kind)) = thrift.field(&mut last)? {
        match (id, kind) {
            (1, 4..=6) => page.kind = thrift.integer()?,
            (2, 4..=6) => page.uncompressed = thrift.integer()?,
            (3, 4..=6) => page.compressed = thrift.integer()?,
            (5 | 7 | 8, STRUCT) => {
                let mut last = 0;
                while let Some((field, kind)) = thrift.field(&mut last)? {
                    match (field, kind) {
                        (1, 4..=6) => {
                            let values = thrift.integer()?;
                            // A negative number is refused, whatever the others are.
                            page.values = if page.values < 0 || values < 0 {
                                -1
                            } else {
                                page.values.max(values)
                            };
                        }
                        _ => thrift.skip(kind, 1)?,
                    }
                }
            }
            _ => thrift.skip(kind, 0)?,
        }
    }
    page.length = thrift.at as u64;
    Some(page)
}
