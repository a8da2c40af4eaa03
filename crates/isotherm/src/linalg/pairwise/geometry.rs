//! What two rows are compared by.

/// What the one number of a pair of rows is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Geometry {
    /// t = ‖x − z‖²
    SquaredDistance,
    /// t = Σ|xᵢ − zᵢ|
    Manhattan,
    /// t = x·z
    InnerProduct,
    /// t = x·z / (‖x‖‖z‖), and 0 where a row is zero
    Cosine,
}

impl Geometry {
    /// Whether t is a distance: 0 between equal rows and without an upper bound.
    pub fn is_distance(self) -> bool {
        matches!(self, Self::SquaredDistance | Self::Manhattan)
    }
}
