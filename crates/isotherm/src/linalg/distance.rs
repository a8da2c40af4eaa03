//! Distances: direct sums of squares or of absolute differences, and the passes that finish
//! a tile.
//!
//! Plain loops compiled for each instruction set and chosen at run time; sums
//! run in a fixed order, so a distance has the same bits wherever it stands.

use pulp::{Arch, Simd, WithSimd};

/// Below this fraction of its terms a distance is computed again, directly.
const NEAR: f64 = 1e-3;

/// `Σ(xᵢ − zᵢ)²`, summed in a fixed order: exact up to rounding wherever the
/// rows are, and 0 for equal rows.
pub fn squared_distance(x: &[f64], z: &[f64]) -> f64 {
    struct One<'a>(&'a [f64], &'a [f64]);
    impl WithSimd for One<'_> {
        type Output = f64;

        #[inline(always)]
        fn with_simd<S: Simd>(self, _: S) -> f64 {
            direct(self.0, self.1)
        }
    }
    Arch::new().dispatch(One(x, z))
}

/// The sum of [`squared_distance`], for callers that are dispatched already.
#[inline(always)]
pub(crate) fn direct(x: &[f64], z: &[f64]) -> f64 {
    const LANES: usize = 8;
    let mut sums = [0.0; LANES];
    let (xs, zs) = (x.chunks_exact(LANES), z.chunks_exact(LANES));
    let mut rest = 0.0;
    for (x, z) in xs.remainder().iter().zip(zs.remainder()) {
        rest += (x - z) * (x - z);
    }
    for (x, z) in xs.zip(zs) {
        for lane in 0..LANES {
            let difference = x[lane] - z[lane];
            sums[lane] += difference * difference;
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + e) + (b + f)) + ((c + g) + (d + h)) + rest
}

/// Turns products into squared distances, and repairs those that cancelled.
pub(super) struct Finish<'a> {
    pub(super) tile: &'a mut [f64],
    pub(super) squares: (&'a [f64], &'a [f64]),
    pub(super) rows: (&'a [f64], &'a [f64]),
    pub(super) dim: usize,
}

impl WithSimd for Finish<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let (queries, anchors) = self.rows;
        let (of_queries, of_anchors) = self.squares;
        let strips = self.tile.chunks_exact_mut(of_anchors.len());
        let queries = queries.chunks_exact(self.dim);
        for ((strip, query), &of_query) in strips.zip(queries).zip(of_queries) {
            let mut near = 0_u64;
            for (t, of_anchor) in strip.iter_mut().zip(of_anchors) {
                let terms = of_query + of_anchor;
                let r = terms - 2.0 * *t;
                near |= u64::from(r < NEAR * terms);
                *t = if r > 0.0 { r } else { 0.0 };
            }
            if near == 0 {
                continue;
            }
            let anchors = anchors.chunks_exact(self.dim);
            for ((t, of_anchor), anchor) in strip.iter_mut().zip(of_anchors).zip(anchors) {
                if *t < NEAR * (of_query + of_anchor) || *t == 0.0 {
                    *t = direct(query, anchor);
                }
            }
        }
    }
}

/// Squared distances straight from few columns; the panel is column-major.
pub(super) struct Direct<'a> {
    pub(super) tile: &'a mut [f64],
    pub(super) queries: &'a [f64],
    pub(super) panel: &'a [f64],
    pub(super) dim: usize,
}

impl WithSimd for Direct<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        match self.dim {
            1 => self.fill::<1>(),
            2 => self.fill::<2>(),
            3 => self.fill::<3>(),
            4 => self.fill::<4>(),
            5 => self.fill::<5>(),
            6 => self.fill::<6>(),
            7 => self.fill::<7>(),
            _ => self.fill::<8>(),
        }
    }
}

impl Direct<'_> {
    #[inline(always)]
    fn fill<const D: usize>(self) {
        let width = self.panel.len() / D;
        let columns: [&[f64]; D] = std::array::from_fn(|f| &self.panel[f * width..(f + 1) * width]);
        let strips = self.tile.chunks_exact_mut(width);
        for (strip, query) in strips.zip(self.queries.chunks_exact(D)) {
            for (j, t) in strip.iter_mut().enumerate() {
                let mut sum = 0.0;
                for f in 0..D {
                    let difference = query[f] - columns[f][j];
                    sum += difference * difference;
                }
                *t = sum;
            }
        }
    }
}

/// `Σ|xᵢ − zᵢ|`, summed in the order of the columns.
pub(crate) fn manhattan(x: &[f64], z: &[f64]) -> f64 {
    x.iter().zip(z).map(|(x, z)| (x - z).abs()).sum()
}

/// Sums of absolute differences; the panel is column-major.
pub(super) struct Absolute<'a> {
    pub(super) tile: &'a mut [f64],
    pub(super) queries: &'a [f64],
    pub(super) panel: &'a [f64],
    pub(super) dim: usize,
}

impl WithSimd for Absolute<'_> {
    type Output = ();

    /// Column by column, so that each sum runs in the order of [`manhattan`].
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let width = self.panel.len() / self.dim;
        let strips = self.tile.chunks_exact_mut(width);
        for (strip, query) in strips.zip(self.queries.chunks_exact(self.dim)) {
            strip.fill(0.0);
            for (value, column) in query.iter().zip(self.panel.chunks_exact(width)) {
                for (t, anchor) in strip.iter_mut().zip(column) {
                    *t += (value - anchor).abs();
                }
            }
        }
    }
}

/// Scales a row to length 1, by its largest entry first so that no square
/// underflows or overflows; a zero row stays.
pub(crate) fn normalise(row: &mut [f64]) {
    let largest = row.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    if largest == 0.0 {
        return;
    }
    for v in &mut *row {
        *v /= largest;
    }
    let length = row.iter().map(|v| v * v).sum::<f64>().sqrt();
    for v in row {
        *v /= length;
    }
}
