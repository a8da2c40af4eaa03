//! Which line each row of a text file stands on.

/// Rows and their lines. Rows follow each other line by line except after a
/// quoted line break, a blank line or a comment: only those are stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lines {
    /// `(row, line)` where a run of consecutive lines begins, ascending.
    runs: Vec<(u64, u64)>,
    rows: u64,
}

impl Lines {
    /// Adds the next row.
    pub(crate) fn push(&mut self, line: u64) {
        let expected = self.runs.last().map(|(r, l)| l + (self.rows - r));
        if expected != Some(line) {
            self.runs.push((self.rows, line));
        }
        self.rows += 1;
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        usize::try_from(self.rows).unwrap_or(usize::MAX)
    }

    /// Adds the rows of another, whose lines are counted from `line`.
    pub(crate) fn append(&mut self, other: &Self, line: u64) {
        let rows = self.rows;
        for &(row, at) in &other.runs {
            let (row, at) = (rows + row, line + at);
            let expected = self.runs.last().map(|(r, l)| l + (row - r));
            if expected != Some(at) {
                self.runs.push((row, at));
            }
        }
        self.rows += other.rows;
    }

    /// The lines of `rows` rows from `first` on.
    pub(crate) fn slice(&self, first: usize, rows: usize) -> Self {
        let mut out = Self::default();
        if first == 0 && rows == self.len() {
            return self.clone();
        }
        let (begin, end) = (first as u64, (first as u64).saturating_add(rows as u64));
        let after = self.runs.partition_point(|(row, _)| *row <= begin);
        for &(row, line) in self.runs.get(after.saturating_sub(1)..).unwrap_or_default() {
            if row >= end {
                break;
            }
            let skipped = begin.saturating_sub(row);
            out.runs.push((row.max(begin) - begin, line + skipped));
        }
        out.rows = end.min(self.rows).saturating_sub(begin);
        out
    }

    /// The line of a row (rows from 0, lines from 1), if the row exists.
    pub fn line(&self, row: usize) -> Option<u64> {
        let row = u64::try_from(row).ok().filter(|r| *r < self.rows)?;
        let after = self.runs.partition_point(|(r, _)| *r <= row);
        let (first, line) = self.runs.get(after.checked_sub(1)?)?;
        Some(line + (row - first))
    }
}
