//! The normalised adjacency in single precision, and its products with panels of columns.

use crate::data::Graph;
use crate::linalg::prefetch::prefetch;

/// Columns of a panel: a cache line in single precision.
pub(super) const WIDTH: usize = 16;

/// The numbers of one node in a panel.
pub(super) type Row = [f32; WIDTH];

/// Entries between a prefetch and its use.
const AHEAD: usize = 16;

/// `S = D^-½WD^-½`, or `Ŝ = D̃^-½(W + I)D̃^-½` with a loop of weight 1 at every node.
///
/// Rows of nodes without edges are zero. Memory: 8 bytes for each entry.
#[derive(Debug)]
pub(super) struct Walk {
    starts: Vec<usize>,
    columns: Vec<u32>,
    entries: Vec<f32>,
}

impl Walk {
    /// S.
    pub(super) fn new(graph: &Graph) -> Self {
        Self::with_own(graph, 0.0)
    }

    /// Ŝ.
    pub(super) fn with_loops(graph: &Graph) -> Self {
        Self::with_own(graph, 1.0)
    }

    fn with_own(graph: &Graph, own: f64) -> Self {
        let degrees = graph.degrees().into_iter();
        let root = |degree: f64| {
            if degree > 0.0 { degree.powf(-0.5) } else { 0.0 }
        };
        let roots: Vec<f64> = degrees.map(|degree| root(degree + own)).collect();
        let loops = if own > 0.0 { graph.len() } else { 0 };
        let count = graph.entries() + loops;
        let mut walk = Self {
            starts: Vec::with_capacity(graph.len() + 1),
            columns: Vec::with_capacity(count),
            entries: Vec::with_capacity(count),
        };
        for i in 0..graph.len() {
            walk.starts.push(walk.columns.len());
            if own > 0.0 {
                walk.columns.push(i as u32);
                walk.entries.push((own * roots[i] * roots[i]) as f32);
            }
            for entry in graph.row(i) {
                let j = graph.columns()[entry];
                let weight = graph.all_weights().map_or(1.0, |w| w[entry]);
                walk.columns.push(j);
                walk.entries
                    .push((weight * roots[i] * roots[j as usize]) as f32);
            }
        }
        walk.starts.push(walk.columns.len());
        walk
    }

    /// Hands row i of the product with a panel to `take`, for every i in order.
    ///
    /// Compiled for each level of vector instructions; products and sums are never contracted, so
    /// all give the same bits.
    pub(super) fn product(&self, panel: &[Row], take: impl FnMut(usize, Row)) {
        let sweep = Sweep {
            walk: self,
            panel,
            take,
        };
        pulp::Arch::new().dispatch(
            #[inline(always)]
            || sweep.run(),
        );
    }
}

/// One product.
struct Sweep<'s, F> {
    walk: &'s Walk,
    panel: &'s [Row],
    take: F,
}

impl<F: FnMut(usize, Row)> Sweep<'_, F> {
    #[inline(always)]
    fn run(mut self) {
        let (columns, entries) = (&self.walk.columns, &self.walk.entries);
        for (i, ends) in self.walk.starts.windows(2).enumerate() {
            let mut sum = [0.0_f32; WIDTH];
            for entry in ends[0]..ends[1] {
                if let Some(&soon) = columns.get(entry + AHEAD) {
                    prefetch(self.panel, soon as usize);
                }
                let (factor, row) = (entries[entry], &self.panel[columns[entry] as usize]);
                for (s, v) in sum.iter_mut().zip(row) {
                    *s += factor * v;
                }
            }
            (self.take)(i, sum);
        }
    }
}
