//! Single or double precision within a tile.

/// In which numbers tiles are evaluated and multiplied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// `f64` throughout.
    #[default]
    Double,
    /// `f32` within tiles, `f64` across them: about twice as fast, about seven digits.
    Single,
}

impl Precision {
    /// The rounding unit of the tiles.
    pub fn epsilon(self) -> f64 {
        match self {
            Self::Double => f64::EPSILON,
            Self::Single => f64::from(f32::EPSILON),
        }
    }
}
