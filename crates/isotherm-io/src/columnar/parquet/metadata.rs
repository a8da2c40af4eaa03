//! What a file says of itself, beside its columns.

use std::path::Path;

use parquet::file::reader::FileReader;

use super::ParquetFile;
use crate::error::Result;
use crate::source::{ReadOptions, open};

/// The value under this key, if the file has one.
///
/// # Errors
/// As [`super::read_parquet`]; no value of a column is read.
pub(crate) fn key_value(path: &Path, key: &str) -> Result<Option<String>> {
    let file = ParquetFile::of_file(open(path)?, path, &ReadOptions::default())?;
    let about = file.reader().metadata().file_metadata();
    let pairs = about.key_value_metadata().into_iter().flatten();
    let mut values = pairs.filter(|pair| pair.key == key);
    Ok(values.next().and_then(|pair| pair.value.clone()))
}
