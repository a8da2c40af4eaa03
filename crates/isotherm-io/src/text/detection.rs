//! Finding out how a text table is written; the rules are in [`super::dialect`].

use crate::limits::Limits;
use crate::table::numbers::{self, NotANumber};
use crate::text::dialect::{Decimal, Delimiter, Header};
use crate::text::records::{Record, Records};

/// Records looked at when guessing.
const SAMPLED: usize = 100;

/// The first bytes of a text file.
pub(crate) struct Sample<'a> {
    pub(crate) bytes: &'a [u8],
    /// Whether they are all there is.
    pub(crate) whole: bool,
    /// Lines that begin with one of these are skipped.
    pub(crate) comments: &'static [u8],
}

impl Sample<'_> {
    /// The delimiter, by the rule above; `fallback` where rows have one cell.
    ///
    /// Semicolons come before commas: a file with decimal commas is then read
    /// as it was meant.
    pub(crate) fn delimiter(&self, candidates: &[Delimiter], fallback: Delimiter) -> Delimiter {
        let mut best: Option<(usize, Delimiter)> = None;
        for &candidate in candidates {
            let counts = self.counts(candidate);
            let Some(&first) = counts.first() else {
                continue;
            };
            if first < 2 {
                continue;
            }
            let agree = counts.iter().filter(|c| **c == first).count();
            if agree == counts.len() {
                return candidate;
            }
            if best.is_none_or(|(b, _)| agree > b) {
                best = Some((agree, candidate));
            }
        }
        best.map_or(fallback, |(_, d)| d)
    }

    /// The decimal mark, by the rule above, if there is a sign of one.
    ///
    /// # Errors
    /// Line and text of the first cell, where commas may mark thousands as well.
    pub(crate) fn decimal(&self, delimiter: Delimiter) -> Result<Option<Decimal>, (u64, String)> {
        if delimiter == Delimiter::Comma {
            return Ok(None);
        }
        let (mut commas, mut points, mut groups) = (0, 0, 0);
        let mut first = None;
        let limits = Limits::default();
        let mut records = Records::from_sample(self.bytes, delimiter, self.comments, limits);
        let mut record = Record::default();
        for _ in 0..SAMPLED {
            if !records.next_quietly(&mut record).unwrap_or(false) {
                break;
            }
            for cell in record.iter() {
                let fits = |mark| numbers::parse(cell, mark).is_ok();
                if cell.contains(',') && numbers::is_grouped(cell) {
                    groups += 1;
                    first.get_or_insert_with(|| (record.line(), cell.trim().to_owned()));
                } else {
                    commas += usize::from(cell.contains(',') && fits(Decimal::Comma));
                }
                points += usize::from(cell.contains('.') && fits(Decimal::Point));
            }
        }
        match (commas, first) {
            (0, Some(cell)) if points == 0 => Err(cell),
            (0, _) if points == 0 => Ok(None),
            // What could be thousands is no sign by itself.
            (0, _) => Ok(Some(Decimal::Point)),
            _ if commas + groups > points => Ok(Some(Decimal::Comma)),
            _ => Ok(Some(Decimal::Point)),
        }
    }

    /// Cells in each of the first records; the last one, if the sample cuts it
    /// short, does not count unless it is alone.
    fn counts(&self, with: Delimiter) -> Vec<usize> {
        let limits = Limits::default();
        let mut records = Records::from_sample(self.bytes, with, self.comments, limits);
        let mut record = Record::default();
        let mut counts = Vec::new();
        while counts.len() <= SAMPLED {
            match records.next_quietly(&mut record) {
                Ok(true) => counts.push(record.len()),
                Ok(false) => break,
                Err(_) => return Vec::new(),
            }
        }
        if (!self.whole || counts.len() > SAMPLED) && counts.len() > 1 {
            counts.pop();
        }
        counts
    }
}

/// Whether a first record names columns: it does when at least one of its
/// cells has a value and none is a number.
pub(crate) fn header<'a>(cells: impl Iterator<Item = &'a str>, decimal: Decimal) -> Header {
    let mut named = false;
    for cell in cells {
        match numbers::parse(cell, decimal) {
            Ok(_) | Err(NotANumber::NotFinite) => return Header::Absent,
            Err(NotANumber::Text | NotANumber::Missing) => named = true,
            Err(NotANumber::Blank) => {}
        }
    }
    if named {
        Header::Present
    } else {
        Header::Absent
    }
}
