//! Footer, schema, column chunks and pages against the file's length and the limits.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use parquet::basic::{Compression, Encoding, Type as Physical};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};

use crate::columnar::parquet::thrift::{self, SchemaEntry};
use crate::columnar::reading::Reading;
use crate::error::{Error, Result, clean, leave_out};

/// Longest footer, in bytes.
const LONGEST_FOOTER: u64 = 64 << 20;
/// Longest page header, in bytes; statistics make them long.
const LONGEST_PAGE_HEADER: u64 = 1 << 20;
/// Groups around the numbers of a list: the list, and its repeated entries.
const DEEPEST_LIST: usize = 2;
/// Groups inside each other in a column that is left out.
const DEEPEST: usize = 64;
/// Bytes that any page may take, whatever its compressed size.
const PAGE_FLOOR: u64 = 64 << 20;

impl Reading<'_> {
    /// Magic, footer length, schema. Returns where the data end, and the positions of the
    /// columns that are nested and not wanted.
    pub(super) fn check_footer(&self, mut file: &File) -> Result<(u64, Vec<usize>)> {
        let io = |e| Error::io(self.path, "read", e);
        let not = |how: &str| {
            Error::format_as(
                "parquet",
                self.path,
                None,
                how,
                "give a file that ends in PAR1, or pass --format",
            )
        };
        if self.length == 0 {
            return Err(Error::Empty {
                path: self.path.to_owned(),
            });
        }
        if self.length < 12 {
            return Err(not("the file is not Parquet: it is too short"));
        }
        let mut tail = [0; 8];
        let mut head = [0; 4];
        file.read_exact(&mut head).map_err(io)?;
        file.seek(SeekFrom::End(-8)).map_err(io)?;
        file.read_exact(&mut tail).map_err(io)?;
        if head == *b"PARE" || tail[4..] == *b"PARE" {
            return Err(not("the file is encrypted Parquet, which is not read"));
        }
        if head != *b"PAR1" {
            return Err(not("the file is not Parquet: it does not begin with PAR1"));
        }
        if tail[4..] != *b"PAR1" {
            return Err(self.damaged("it does not end with PAR1, so it was cut short"));
        }
        let footer = u64::from(u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]));
        if footer > self.length - 12 {
            return Err(self.damaged(format_args!(
                "its footer is {footer} bytes, the file {}",
                self.length
            )));
        }
        if footer > LONGEST_FOOTER {
            return Err(Error::limit(
                self.path,
                None,
                "the length of the footer in bytes",
                (footer, LONGEST_FOOTER),
                "write the file with fewer row groups",
            ));
        }
        let start = self.length - 8 - footer;
        file.seek(SeekFrom::Start(start)).map_err(io)?;
        let mut bytes = vec![0; footer as usize];
        file.read_exact(&mut bytes).map_err(io)?;
        let nested = self.check_schema(&bytes)?;
        Ok((start, nested))
    }

    /// Columns or lists of one column each, and not too many. Returns the positions of
    /// others, which are not wanted.
    fn check_schema(&self, footer: &[u8]) -> Result<Vec<usize>> {
        let Some(entries) = thrift::schema(footer) else {
            return Err(self.damaged("its footer does not parse"));
        };
        let columns = entries.get(1..).unwrap_or_default();
        if columns.is_empty() {
            return Err(self.damaged("it has no columns"));
        }
        // A list is a chain of groups with one child each; the decoder refuses
        // chains that are no lists.
        let (mut count, mut rest, mut nested) = (0, columns, Vec::new());
        while let Some(top) = rest.first() {
            let chain = rest.iter().take_while(|c| c.children == 1).count();
            let length = match rest.get(chain) {
                Some(leaf) if leaf.children == 0 && chain <= DEEPEST_LIST => Some(chain + 1),
                Some(_) if self.options.unwanted(&top.name) => {
                    nested.push(count);
                    entries_of_first(rest)
                }
                Some(_) => return Err(self.nested(&top.name)),
                None => None,
            };
            let after = length.and_then(|length| rest.get(length..));
            rest = after.ok_or_else(|| self.damaged("its schema ends too early"))?;
            count += 1;
        }
        self.check_width(count)?;
        Ok(nested)
    }

    pub(super) fn nested(&self, name: &str) -> Error {
        let name = clean(name, 60);
        Error::format_as(
            "column-type",
            self.path,
            None,
            format!("column \"{name}\" is nested, and no list of numbers"),
            format!(
                "write each part of it as a column of its own; {}",
                leave_out(&name)
            ),
        )
    }

    /// Every column chunk and every page lies in the file and stays within the
    /// limits. Returns the number of rows.
    pub(super) fn check_chunks(
        &self,
        reader: &SerializedFileReader<File>,
        file: &File,
        data_end: u64,
    ) -> Result<u64> {
        let metadata = reader.metadata();
        let width = metadata.file_metadata().schema_descr().num_columns();
        let limit = self.options.limits.expanded(self.length);
        let (mut rows, mut expanded, mut entries) = (0u64, 0u64, 0u64);
        for group in metadata.row_groups() {
            let here = u64::try_from(group.num_rows())
                .map_err(|_| self.damaged("a row group has a negative number of rows"))?;
            rows = rows.saturating_add(here);
            if group.num_columns() != width {
                return Err(self.damaged("a row group lacks columns"));
            }
            // Such a group has no pages; where they would be is not always said.
            if here == 0 {
                continue;
            }
            for chunk in group.columns() {
                if chunk.file_path().is_some_and(|p| !p.is_empty()) {
                    return Err(Error::format_as(
                        "parquet",
                        self.path,
                        None,
                        "the Parquet file refers to another file",
                        "write the table as one file",
                    ));
                }
                self.check_codec(chunk)?;
                let data = u64::try_from(chunk.data_page_offset());
                let first = match chunk.dictionary_page_offset() {
                    Some(offset) => u64::try_from(offset).and_then(|o| data.map(|d| o.min(d))),
                    None => data,
                };
                let size = u64::try_from(chunk.compressed_size());
                let (Ok(start), Ok(size)) = (first, size) else {
                    return Err(self.damaged("a column has a negative offset"));
                };
                match start.checked_add(size) {
                    Some(end) if start >= 4 && end <= data_end => {
                        let (bytes, values) =
                            self.check_pages(file, (start, end), smallest(chunk))?;
                        expanded = expanded.saturating_add(bytes);
                        if chunk.column_descr().max_rep_level() > 0 {
                            entries = entries.saturating_add(values);
                        }
                    }
                    _ => return Err(self.damaged("a column lies outside the file")),
                }
            }
        }
        let cells = rows.saturating_mul(width as u64).saturating_add(entries);
        let table = cells.saturating_mul(8);
        for (what, got) in [
            ("the decompressed size in bytes", expanded),
            ("the size of the table in bytes", table),
        ] {
            if got > limit {
                return Err(Error::limit(
                    self.path,
                    None,
                    what,
                    (got, limit),
                    "raise the limit if you trust the file, or split it",
                ));
            }
        }
        Ok(rows)
    }

    /// Refuses what the decoder has no decompressor for.
    fn check_codec(&self, chunk: &ColumnChunkMetaData) -> Result<()> {
        let name = match chunk.compression() {
            Compression::BROTLI(_) => "Brotli",
            Compression::LZO => "LZO",
            _ => return Ok(()),
        };
        Err(Error::format_as(
            "parquet",
            self.path,
            None,
            format!("the Parquet file is compressed with {name}, which is not read"),
            "write it again with zstd, snappy, gzip or lz4, \
             in pandas with df.to_parquet(name, compression=\"zstd\")",
        ))
    }

    /// Walks the page headers from `at` to `end`; returns the sums of the
    /// pages' sizes once decompressed and of their values. An entry of a dictionary
    /// takes at least `smallest` bytes.
    fn check_pages(
        &self,
        mut file: &File,
        (mut at, end): (u64, u64),
        smallest: u64,
    ) -> Result<(u64, u64)> {
        let io = |e| Error::io(self.path, "read", e);
        let mut buffer = Vec::new();
        let (mut expanded, mut entries) = (0u64, 0u64);
        while at < end {
            let mut page = None;
            for window in [512, LONGEST_PAGE_HEADER] {
                buffer.clear();
                file.seek(SeekFrom::Start(at)).map_err(io)?;
                let window = window.min(end - at);
                file.take(window).read_to_end(&mut buffer).map_err(io)?;
                page = thrift::page_header(&buffer);
                if page.is_some() || window == end - at {
                    break;
                }
            }
            let Some(page) = page else {
                return Err(self.damaged("a page header does not parse"));
            };
            let sizes = (
                u64::try_from(page.compressed),
                u64::try_from(page.uncompressed),
                u64::try_from(page.values),
            );
            let (Ok(compressed), Ok(uncompressed), Ok(values)) = sizes else {
                return Err(self.damaged("a page has a negative size"));
            };
            let ratio = self.options.limits.ratio;
            let most = compressed.saturating_mul(ratio).saturating_add(PAGE_FLOOR);
            if uncompressed > most.min(self.options.limits.expanded(self.length)) {
                return Err(Error::limit(
                    self.path,
                    None,
                    "the decompressed size of a page in bytes",
                    (uncompressed, most),
                    "raise the limit if you trust the file, or write smaller pages",
                ));
            }
            // The decoder reserves room for all entries of a dictionary.
            if page.kind == 2 && values > uncompressed / smallest {
                return Err(self.damaged("a dictionary has more entries than bytes"));
            }
            expanded = expanded.saturating_add(uncompressed);
            entries = entries.saturating_add(values);
            at = at.saturating_add(page.length).saturating_add(compressed);
        }
        if at == end {
            Ok((expanded, entries))
        } else {
            Err(self.damaged("a page reaches beyond its column"))
        }
    }
}

/// The fewest bytes that an entry of a column's dictionary takes.
fn smallest(chunk: &ColumnChunkMetaData) -> u64 {
    match chunk.column_type() {
        Physical::FIXED_LEN_BYTE_ARRAY => {
            u64::try_from(chunk.column_descr().type_length()).map_or(1, |n| n.max(1))
        }
        Physical::BOOLEAN => 1,
        // A text begins with its length.
        _ => 4,
    }
}

/// How many entries of a flattened schema the first column takes, whatever it is.
fn entries_of_first(entries: &[SchemaEntry]) -> Option<usize> {
    // Children that are still to come, of each group that is open.
    let mut open: Vec<i64> = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        if entry.children < 0 || open.len() > DEEPEST {
            return None;
        }
        if entry.children > 0 {
            open.push(entry.children);
            continue;
        }
        loop {
            match open.last_mut() {
                None => return Some(at + 1),
                Some(left) => *left -= 1,
            }
            if open.last().is_some_and(|left| *left > 0) {
                break;
            }
            open.pop();
        }
    }
    None
}

/// Pages in encodings whose memory is known from outside.
///
/// The decoder sizes its buffers by a count inside a delta-encoded text page,
/// which nothing bounds. Such pages are rare, and are refused by name.
pub(super) struct CheckedPages(pub(super) Box<dyn PageReader>);

impl CheckedPages {
    fn check(page: Page) -> std::result::Result<Page, ParquetError> {
        match page.encoding() {
            encoding @ (Encoding::DELTA_LENGTH_BYTE_ARRAY | Encoding::DELTA_BYTE_ARRAY) => Err(
                ParquetError::NYI(format!("texts in the encoding {encoding} are not read")),
            ),
            _ => Ok(page),
        }
    }
}

impl Iterator for CheckedPages {
    type Item = std::result::Result<Page, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> std::result::Result<Option<Page>, ParquetError> {
        self.0.get_next_page()?.map(Self::check).transpose()
    }

    fn peek_next_page(&mut self) -> std::result::Result<Option<PageMetadata>, ParquetError> {
        self.0.peek_next_page()
    }

    fn skip_next_page(&mut self) -> std::result::Result<(), ParquetError> {
        self.0.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> std::result::Result<bool, ParquetError> {
        self.0.at_record_boundary()
    }
}
