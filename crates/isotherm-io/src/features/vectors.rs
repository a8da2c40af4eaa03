//! Cells that became vectors.

/// The vectors of the cells of a column; equal cells share one.
#[derive(Debug)]
pub(crate) struct Vectors {
    /// Numbers of a vector.
    pub(crate) dim: usize,
    /// Which vector each row has.
    pub(crate) of: Vec<Option<u32>>,
    pub(crate) values: Vec<f32>,
}

impl Vectors {
    /// The vector of a row; `None` where the cell has no value.
    pub(crate) fn row(&self, row: usize) -> Option<&[f32]> {
        let from = self.of.get(row).copied()?? as usize * self.dim;
        self.values.get(from..from + self.dim)
    }
}
