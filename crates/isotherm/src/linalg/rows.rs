//! Rows of numbers that are looked at a tile at a time, wherever they are kept.

pub(crate) mod sparse;

use std::borrow::Cow;
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

use self::sparse::Compressed;

/// Rows that can be had as row-major `f64`, some at a time.
///
/// A tile is borrowed where the rows are kept that way, and read into memory of its own
/// where they are not: other numbers, another order, another scale. The numbers are the
/// same however rows are cut into tiles.
pub trait Rows: Send + Sync + Debug {
    /// Number of rows.
    fn count(&self) -> usize;

    /// Numbers in a row.
    fn width(&self) -> usize;

    /// Some rows, one after the other.
    ///
    /// # Panics
    /// When they are not all there: a bug in the caller.
    fn tile(&self, rows: Range<usize>) -> Cow<'_, [f64]>;

    /// Where only numbers that are not zero are kept: where each row begins and the last ends
    /// among these, their columns, ascending in a row, and the numbers.
    fn sparse(&self) -> Option<Compressed<'_>> {
        None
    }
}

/// Row-major numbers in memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flat<V> {
    values: V,
    width: usize,
}

impl<V: AsRef<[f64]>> Flat<V> {
    /// Rows of `width` numbers; what makes no whole row is left out.
    pub(crate) fn new(values: V, width: usize) -> Self {
        Self { values, width }
    }
}

impl<V: AsRef<[f64]> + Send + Sync + Debug> Rows for Flat<V> {
    fn count(&self) -> usize {
        let numbers = self.values.as_ref().len();
        numbers.checked_div(self.width).unwrap_or(0)
    }

    fn width(&self) -> usize {
        self.width
    }

    fn tile(&self, rows: Range<usize>) -> Cow<'_, [f64]> {
        let numbers = rows.start * self.width..rows.end * self.width;
        Cow::Borrowed(&self.values.as_ref()[numbers])
    }
}

impl<R: Rows + ?Sized> Rows for &R {
    fn count(&self) -> usize {
        (**self).count()
    }

    fn width(&self) -> usize {
        (**self).width()
    }

    fn tile(&self, rows: Range<usize>) -> Cow<'_, [f64]> {
        (**self).tile(rows)
    }

    fn sparse(&self) -> Option<Compressed<'_>> {
        (**self).sparse()
    }
}

impl<R: Rows + ?Sized> Rows for Arc<R> {
    fn count(&self) -> usize {
        (**self).count()
    }

    fn width(&self) -> usize {
        (**self).width()
    }

    fn tile(&self, rows: Range<usize>) -> Cow<'_, [f64]> {
        (**self).tile(rows)
    }

    fn sparse(&self) -> Option<Compressed<'_>> {
        (**self).sparse()
    }
}

/// `0..count` in runs of at most `each`.
pub(crate) fn runs(
    count: usize,
    each: usize,
) -> impl ExactSizeIterator<Item = Range<usize>> + Clone {
    let each = each.max(1);
    let starts = 0..count.div_ceil(each);
    starts.map(move |k| k * each..((k + 1) * each).min(count))
}
