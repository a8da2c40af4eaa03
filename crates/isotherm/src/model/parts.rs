//! A model laid out flat: named arrays and short texts, what a file can hold.
//!
//! The library takes models apart and puts them together; how the parts are
//! written is `isotherm-io`'s affair.

use std::collections::BTreeMap;

/// The numbers of one named array.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Array {
    /// 64-bit floats.
    F64(Vec<f64>),
    /// 64-bit unsigned integers.
    U64(Vec<u64>),
    /// 32-bit unsigned integers.
    U32(Vec<u32>),
    /// Bytes.
    U8(Vec<u8>),
}

impl Array {
    /// How many numbers it holds.
    pub fn len(&self) -> usize {
        match self {
            Self::F64(v) => v.len(),
            Self::U64(v) => v.len(),
            Self::U32(v) => v.len(),
            Self::U8(v) => v.len(),
        }
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// An array with its shape, row-major.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor {
    /// Lengths of its axes; their product is the array's length.
    pub shape: Vec<usize>,
    /// The numbers.
    pub array: Array,
}

/// A model laid out flat.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Parts {
    /// Short texts: the recipe, the label names.
    pub metadata: BTreeMap<String, String>,
    /// The arrays by name.
    pub tensors: BTreeMap<String, Tensor>,
}
