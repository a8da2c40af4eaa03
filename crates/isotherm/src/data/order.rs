//! Order: a permutation of the nodes.

use crate::error::{Error, Refusal, Result};
use crate::linalg::{MatMut, MatRef};

/// A permutation with its inverse: position `i` of the new order holds the old
/// node [`Order::old`]`(i)`. 8 bytes a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    sources: Vec<u32>,
    positions: Vec<u32>,
}

impl Order {
    /// Takes the old nodes in their new order. `O(n)`.
    ///
    /// # Errors
    /// [`Error::Refused`] when one is missing, twice there or out of range.
    pub fn new(sources: Vec<u32>) -> Result<Self> {
        let mut positions = vec![u32::MAX; sources.len()];
        for (i, &old) in sources.iter().enumerate() {
            match positions.get_mut(old as usize) {
                Some(slot) if *slot == u32::MAX && i < u32::MAX as usize => *slot = i as u32,
                _ => {
                    return Err(Error::refused(
                        Refusal::Arrays,
                        format!(
                            "position {i} of the order holds {old}, which is out of range or there twice"
                        ),
                        format!("give each of 0 to {} once", sources.len().saturating_sub(1)),
                    ));
                }
            }
        }
        Ok(Self { sources, positions })
    }

    /// The order that moves nothing.
    pub fn identity(len: u32) -> Self {
        let sources: Vec<u32> = (0..len).collect();
        Self {
            positions: sources.clone(),
            sources,
        }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// The old node at new position `i`.
    ///
    /// # Panics
    /// When `i` is out of range.
    #[inline]
    pub fn old(&self, i: usize) -> usize {
        self.sources[i] as usize
    }

    /// The new position of an old node.
    ///
    /// # Panics
    /// When `old` is out of range.
    #[inline]
    pub fn new_of(&self, old: u32) -> u32 {
        self.positions[old as usize]
    }

    /// The old nodes in their new order.
    pub fn sources(&self) -> &[u32] {
        &self.sources
    }

    /// The new position of each old node.
    pub fn positions(&self) -> &[u32] {
        &self.positions
    }

    /// The order that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self {
            sources: self.positions.clone(),
            positions: self.sources.clone(),
        }
    }

    /// Rows of `source` into their new places: row `i` of `out` is row
    /// [`Order::old`]`(i)` of `source`. The [`Order::inverse`] takes them back.
    ///
    /// # Errors
    /// [`Error::Shape`] when the matrices do not fit the order or each other.
    pub fn permute_rows(&self, source: MatRef<'_, f64>, mut out: MatMut<'_, f64>) -> Result<()> {
        for (what, expected, got) in [
            ("rows to reorder", self.len(), source.nrows()),
            ("rows of the reordered matrix", self.len(), out.nrows()),
            (
                "columns of the reordered matrix",
                source.ncols(),
                out.ncols(),
            ),
        ] {
            if expected != got {
                return Err(Error::Shape {
                    what,
                    expected,
                    got,
                });
            }
        }
        for (i, &old) in self.sources.iter().enumerate() {
            out.as_mut().row_mut(i).copy_from(source.row(old as usize));
        }
        Ok(())
    }
}
