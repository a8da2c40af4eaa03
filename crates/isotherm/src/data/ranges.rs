//! Which rows of a table were seen, when they come in parts and in any order.

use crate::error::{Error, Refusal, Result};

/// Ranges of row numbers, ascending, with gaps between them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Ranges(Vec<(usize, usize)>);

impl Ranges {
    /// From ranges `(first, one past the last)`, perhaps out of a file.
    ///
    /// # Errors
    /// [`Error::Refused`] when one is empty or two overlap.
    pub(crate) fn new(ranges: &[(usize, usize)]) -> Result<Self> {
        let mut found = Self::default();
        for &(first, end) in ranges {
            let count = end.checked_sub(first).filter(|c| *c > 0).ok_or_else(|| {
                Error::refused(
                    Refusal::Parts,
                    format!("a range of rows goes from {first} to {end}"),
                    "give a first row and one past the last",
                )
            })?;
            found.insert(first, count)?;
        }
        Ok(found)
    }

    /// The ranges, as `(first, one past the last)`.
    pub(crate) fn as_slice(&self) -> &[(usize, usize)] {
        &self.0
    }

    /// Rows seen.
    pub(crate) fn count(&self) -> usize {
        self.0.iter().map(|(first, end)| end - first).sum()
    }

    /// One past the last row seen.
    pub(crate) fn end(&self) -> usize {
        self.0.last().map_or(0, |range| range.1)
    }

    /// Takes in the rows `first .. first + count`.
    ///
    /// # Errors
    /// [`Error::Refused`] when one of them was seen before.
    pub(crate) fn insert(&mut self, first: usize, count: usize) -> Result<()> {
        if count == 0 {
            return Ok(());
        }
        let end = first.checked_add(count).ok_or_else(|| {
            Error::refused(
                Refusal::Parts,
                format!("{count} rows from row {first} on are more than can be numbered"),
                "number the rows of the whole table from 0",
            )
        })?;
        let at = self.0.partition_point(|range| range.1 <= first);
        if let Some(&(from, to)) = self.0.get(at).filter(|range| range.0 < end) {
            return Err(Error::refused(
                Refusal::Parts,
                format!(
                    "rows {} to {} are in two parts",
                    first.max(from),
                    end.min(to) - 1
                ),
                "give each part the number of its first row in the whole table, and merge it once",
            ));
        }
        self.0.insert(at, (first, end));
        if self.0.get(at + 1).is_some_and(|next| next.0 == end) {
            self.0[at].1 = self.0.remove(at + 1).1;
        }
        if at > 0 && self.0[at - 1].1 == first {
            self.0[at - 1].1 = self.0.remove(at).1;
        }
        Ok(())
    }

    /// Both together.
    ///
    /// # Errors
    /// [`Error::Refused`] when a row is in both; then nothing has changed.
    pub(crate) fn joined(&self, other: &Self) -> Result<Self> {
        let mut both = self.clone();
        for &(first, end) in &other.0 {
            both.insert(first, end - first)?;
        }
        Ok(both)
    }

    /// Refuses a table of which rows are missing.
    ///
    /// # Errors
    /// [`Error::Refused`] naming the first rows that no part had.
    pub(crate) fn check_whole(&self) -> Result<()> {
        let (first, end) = match self.0.as_slice() {
            [] | [(0, _)] => return Ok(()),
            [(0, end), next, ..] => (*end, next.0),
            [next, ..] => (0, next.0),
        };
        Err(Error::refused(
            Refusal::Parts,
            format!("rows {first} to {} are in no part", end - 1),
            "merge every part of the table before going on",
        ))
    }
}
