//! A file that is being decoded: its name, its limits, and its refusals.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use crate::error::{Error, Result, clean};
use crate::limits::READ_IN_PARTS;
use crate::source::{Format, ReadOptions};

/// A file that is being decoded.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    pub(super) path: &'a Path,
    pub(super) options: &'a ReadOptions,
    /// Bytes of the file.
    pub(super) length: u64,
    pub(super) format: Format,
}

impl Reading<'_> {
    pub(super) fn damaged(&self, how: impl Display) -> Error {
        let hint = "copy the file again, or write it again";
        if self.format == Format::Parquet {
            let problem = format!("the Parquet file is damaged: {how}");
            Error::format_as("parquet", self.path, None, problem, hint)
        } else {
            let problem = format!("the Arrow file is damaged: {how}");
            Error::format(self.path, None, problem, hint)
        }
    }

    /// Runs the decoder. Its errors become refusals, and so do its panics: it panics on some
    /// damaged files.
    pub(super) fn guard<T, E: Display>(
        &self,
        decode: impl FnOnce() -> std::result::Result<T, E>,
    ) -> Result<T> {
        let error = match catch_unwind(AssertUnwindSafe(decode)) {
            Ok(Ok(value)) => return Ok(value),
            Ok(Err(e)) => clean(&e.to_string(), 200),
            Err(_) => "the decoder gave up".to_owned(),
        };
        Err(match error.split_once("NYI: ") {
            Some((_, what)) => self.not_implemented(what),
            None => self.damaged(error),
        })
    }

    /// Refuses what the decoder does not implement.
    pub(super) fn not_implemented(&self, what: &str) -> Error {
        let hint = "write the file again without it, for instance with pyarrow's defaults";
        Error::format(self.path, None, what, hint)
    }

    /// Records a column that cannot be read and is not wanted; a wanted one is refused.
    pub(super) fn leave_out(&self, name: &str, why: Error, unread: &mut Vec<String>) -> Result<()> {
        let of_the_column = matches!(
            why,
            Error::Cell { .. }
                | Error::Format {
                    code: "column-type",
                    ..
                }
        );
        if !of_the_column || !self.options.unwanted(name) {
            return Err(why);
        }
        unread.push(name.to_owned());
        Ok(())
    }

    /// Refuses a schema with more columns than the limits allow.
    pub(super) fn check_width(&self, columns: usize) -> Result<()> {
        let most = self.options.limits.columns;
        if columns > most {
            return Err(Error::limit(
                self.path,
                None,
                "the number of columns",
                (columns as u64, most as u64),
                "keep the columns you need",
            ));
        }
        Ok(())
    }

    /// Refuses what would take more memory than the limits allow.
    pub(super) fn check_size(&self, what: &str, bytes: u64) -> Result<()> {
        let limit = self.options.limits.expanded(self.length);
        if bytes > limit {
            return Err(Error::limit(
                self.path,
                None,
                what,
                (bytes, limit),
                "raise the limit if you trust the file, or split it",
            ));
        }
        (self.options.limits).check_memory(self.path, bytes, READ_IN_PARTS)
    }
}
