//! A panel in single precision: half the bytes a graph product gathers.

use super::block::{self, Block};
use crate::error::Result;

/// An n × k panel of f32, row-major; rows are padded with zeros to 2, 4, 8, 16
/// or a multiple of 16 columns, so 9 to 16 columns are one cache line.
///
/// Memory: `4·n·`[`padded`]`(k)` bytes, on huge pages when it is large.
pub(crate) struct Panel {
    store: Block,
}

/// The padded width of a row of `cols` single-precision numbers.
pub(crate) fn padded(cols: usize) -> usize {
    2 * block::padded(cols.div_ceil(2))
}

impl Panel {
    /// An n × k panel of zeros.
    ///
    /// # Errors
    /// [`crate::Error::Memory`] when the system refuses the allocation.
    pub(crate) fn zeros(rows: usize, cols: usize) -> Result<Self> {
        let store = Block::zeros(rows, cols.div_ceil(2))?;
        Ok(Self { store })
    }

    /// Distance between the starts of two rows, in numbers.
    pub(crate) fn stride(&self) -> usize {
        2 * self.store.stride()
    }

    /// All rows with their padding, one after the other.
    pub(crate) fn as_slice(&self) -> &[f32] {
        bytemuck::cast_slice(self.store.as_slice())
    }

    /// All rows with their padding, one after the other.
    pub(crate) fn as_slice_mut(&mut self) -> &mut [f32] {
        bytemuck::cast_slice_mut(self.store.as_slice_mut())
    }

    /// The same memory as half as many columns in double precision; what was
    /// there is lost.
    pub(crate) fn as_doubles_mut(&mut self) -> &mut [f64] {
        self.store.as_slice_mut()
    }
}
