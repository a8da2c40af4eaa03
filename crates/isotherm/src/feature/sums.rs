//! Sums whose last digits do not depend on the order of what is summed.
//!
//! Each entry is a number and what rounding lost of it: T. J. Dekker's exact sum of two
//! numbers (1971) carries the loss along, so that sums of the same terms in any order or
//! grouping agree to about 10⁻³⁰ and, rounded, to the last bit but for rare accidents.

use super::cell::Cell;
use crate::linalg::{Mat, MatMut, MatRef};

/// The side of a block of the sums that one task adds to: a multiple of the 12 and 24
/// rows of the product's inner loops.
const BLOCK: usize = 144;

/// `high + low`, added to without losing digits.
#[inline]
pub(super) fn add(high: &mut f64, low: &mut f64, term: f64) {
    let sum = *high + term;
    let part = sum - *high;
    *low += (*high - (sum - part)) + (term - part);
    *high = sum;
}

/// A matrix of sums.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sums {
    pub(super) high: Mat<f64>,
    pub(super) low: Mat<f64>,
}

impl Sums {
    pub(super) fn zeros(rows: usize, cols: usize) -> Self {
        Self {
            high: Mat::zeros(rows, cols),
            low: Mat::zeros(rows, cols),
        }
    }

    /// The sum at a place.
    pub(super) fn at(&self, i: usize, j: usize) -> f64 {
        self.high[(i, j)] + self.low[(i, j)]
    }

    pub(super) fn add(&mut self, i: usize, j: usize, term: f64) {
        add(&mut self.high[(i, j)], &mut self.low[(i, j)], term);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for j in 0..self.high.ncols() {
            for i in 0..self.high.nrows() {
                self.add(i, j, other.high[(i, j)]);
                self.low[(i, j)] += other.low[(i, j)];
            }
        }
    }

    /// The blocks of a square matrix; of its lower triangle only, if so wanted.
    pub(super) fn blocks(&mut self, lower: bool) -> Vec<Place<'_>> {
        let high = blocks(self.high.as_mut(), lower);
        let low = blocks(self.low.as_mut(), lower);
        (high.zip(low))
            .map(|((row, col, high), (_, _, low))| Place {
                row,
                col,
                high,
                low,
            })
            .collect()
    }
}

/// A block of a sum and where it is.
pub(super) struct Place<'a> {
    row: usize,
    col: usize,
    high: MatMut<'a, f64>,
    low: MatMut<'a, f64>,
}

/// `block += αAᵀB` at its place.
pub(super) struct Task<'a, T> {
    at: Place<'a>,
    a: MatRef<'a, T>,
    b: MatRef<'a, T>,
    alpha: f64,
    /// Whether `A` is `B`, and only the lower triangle of the sum is read.
    square: bool,
}

impl<'a, T: Cell> Task<'a, T> {
    pub(super) fn new(at: Place<'a>, a: MatRef<'a, T>, b: MatRef<'a, T>, alpha: f64) -> Self {
        Self {
            at,
            a,
            b,
            alpha,
            square: false,
        }
    }

    pub(super) fn square(at: Place<'a>, a: MatRef<'a, T>, alpha: f64) -> Self {
        Self {
            square: true,
            ..Self::new(at, a, a, alpha)
        }
    }

    pub(super) fn run(self) {
        let Place {
            row,
            col,
            mut high,
            mut low,
        } = self.at;
        let (rows, cols) = (high.nrows(), high.ncols());
        let (a, b) = (self.a.subcols(row, rows), self.b.subcols(col, cols));
        let mut part = Mat::zeros(rows, cols);
        if self.square && row == col {
            T::add_square(part.as_mut(), a, self.alpha);
        } else {
            T::add_product(part.as_mut(), a, b, self.alpha);
        }
        for j in 0..cols {
            let high = high.as_mut().col_mut(j).iter_mut();
            let low = low.as_mut().col_mut(j).iter_mut();
            for ((high, low), term) in high.zip(low).zip(part.col(j).iter()) {
                add(high, low, *term);
            }
        }
    }
}

type Block<'a> = (usize, usize, MatMut<'a, f64>);

fn blocks<'a>(matrix: MatMut<'a, f64>, lower: bool) -> impl Iterator<Item = Block<'a>> {
    let mut found = Vec::new();
    let mut rest = matrix;
    let mut col = 0;
    while rest.ncols() > 0 {
        let width = BLOCK.min(rest.ncols());
        let (mut strip, after) = rest.split_at_col_mut(width);
        rest = after;
        let mut row = 0;
        while strip.nrows() > 0 {
            let height = BLOCK.min(strip.nrows());
            let (block, below) = strip.split_at_row_mut(height);
            if !lower || row >= col {
                found.push((row, col, block));
            }
            strip = below;
            row += height;
        }
        col += width;
    }
    found.into_iter()
}
