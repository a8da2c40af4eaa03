//! The passes over memory of a refined solve: each of them in single precision,
//! but for the one that tells the truth.
//!
//! The direction p is kept as `g = R p`, which is what a product gathers, and
//! the solution as `z = R x`, so nothing is copied before a product. Sums run in
//! f32 over a few rows, then in f64, in the order of fixed runs of rows.

use std::ops::Range;

use rayon::prelude::*;

use crate::base::SparseParts;
use crate::data::Graph;
use crate::error::Result;
use crate::linalg::panel::Panel;
use crate::linalg::prefetch::prefetch;
use crate::linalg::{Block, tiles};
use crate::monitor::Monitor;

/// What a cancelled pass is called.
const PHASE: &str = "graph product";

/// Entries between a prefetch and its use.
const AHEAD: usize = 32;

/// Runs of rows, as in `operator::sparse`: constants, so that the work of a run
/// does not depend on the thread count.
const PARTS: usize = 64;
const PART_ENTRIES: usize = 1 << 17;

/// Rows in one parallel piece of a pass without gathers.
const CHUNK: usize = 1024;

/// Rows whose products are added in f32 before they go into an f64.
const BATCH: usize = 16;

/// Entries of a row added in f32 before they go into the row's sum, so that a
/// hub with 10⁵ neighbours loses no more digits than the others.
const PIECE: usize = 128;

/// Columns of the truth that are gathered together: a cache line of f64.
const DOUBLES: usize = 8;

/// Roots outside this range, or weights above its end when there are no roots,
/// do not go into single precision.
const SAFE: Range<f64> = 1e-15..1e15;

/// `A = a·I + b·R W R` with its diagonals in single precision.
pub(super) struct Single<'a> {
    graph: &'a Graph,
    exact: Option<&'a [f64]>,
    /// R, and 1 for nodes without an edge, whose products are empty sums.
    roots: Vec<f32>,
    /// 1/R.
    inverse: Vec<f32>,
    a: f64,
    b: f64,
    parts: Vec<Range<usize>>,
}

/// Calls `$call::<W>` for the padded width of a row of f32.
macro_rules! at_width {
    ($width:expr, $($call:ident).+ ( $($arg:expr),* )) => {
        match $width {
            2 => $($call).+::<2>($($arg),*),
            4 => $($call).+::<4>($($arg),*),
            8 => $($call).+::<8>($($arg),*),
            16 => $($call).+::<16>($($arg),*),
            32 => $($call).+::<32>($($arg),*),
            48 => $($call).+::<48>($($arg),*),
            _ => $($call).+::<64>($($arg),*),
        }
    };
}

impl<'a> Single<'a> {
    /// `None` when the numbers do not fit single precision, or a node that has
    /// edges has no root.
    pub(super) fn new(parts: SparseParts<'a>, a: f64, b: f64) -> Option<Self> {
        let graph = parts.graph;
        let n = graph.len();
        let roots: Vec<f32> = match parts.roots {
            Some(roots) if roots.len() == n => {
                let edgeless = |i: usize| graph.row(i).is_empty();
                let fits = |(i, r): (usize, &f64)| SAFE.contains(r) || (*r == 0.0 && edgeless(i));
                if !roots.iter().enumerate().all(fits) {
                    return None;
                }
                let one = |&r: &f64| if r == 0.0 { 1.0 } else { r as f32 };
                roots.iter().map(one).collect()
            }
            Some(_) => return None,
            None => {
                let weights = graph.all_weights().unwrap_or_default();
                if weights.iter().any(|w| *w >= SAFE.end) {
                    return None;
                }
                vec![1.0; n]
            }
        };
        Some(Self {
            graph,
            exact: parts.roots,
            inverse: roots.iter().map(|r| 1.0 / r).collect(),
            roots,
            a,
            b,
            parts: graph.row_parts(PARTS.max(graph.entries() / PART_ENTRIES)),
        })
    }

    /// Number of nodes.
    pub(super) fn len(&self) -> usize {
        self.graph.len()
    }

    /// `q ← A p` and the columns' `⟨p, q⟩`.
    pub(super) fn product(
        &self,
        g: &Panel,
        q: &mut Panel,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<f64>> {
        let width = g.stride();
        let mut sums = vec![0.0; self.parts.len() * width];
        let work = self.split(q.as_slice_mut(), width, &mut sums, width);
        tiles::sweep(PHASE, work, monitor, |(rows, q, sums)| {
            let run = Run {
                system: self,
                g: g.as_slice(),
                rows,
                q,
                sums,
            };
            at_width!(width, run.product());
            Ok(())
        })?;
        Ok(in_order(&sums, width))
    }

    /// The runs of rows with their parts of two arrays.
    fn split<'s, T>(
        &self,
        mut rows_of: &'s mut [T],
        width: usize,
        sums: &'s mut [f64],
        each: usize,
    ) -> Vec<(Range<usize>, &'s mut [T], &'s mut [f64])> {
        let mut work = Vec::with_capacity(self.parts.len());
        for (rows, sums) in self.parts.iter().zip(sums.chunks_mut(each)) {
            let (mine, rest) = rows_of.split_at_mut(rows.len() * width);
            work.push((rows.clone(), mine, sums));
            rows_of = rest;
        }
        work
    }

    /// `z ← z + α g`, then `g ← R r + β g`.
    pub(super) fn turn(
        &self,
        z: &mut Panel,
        g: &mut Panel,
        r: &Panel,
        alpha: &[f32],
        beta: &[f32],
    ) {
        let width = g.stride();
        (z.as_slice_mut().par_chunks_mut(CHUNK * width))
            .zip(g.as_slice_mut().par_chunks_mut(CHUNK * width))
            .zip(r.as_slice().par_chunks(CHUNK * width))
            .zip(self.roots.par_chunks(CHUNK))
            .for_each(|(((z, g), r), roots)| {
                at_width!(width, turn_rows(z, g, r, roots, alpha, beta));
            });
    }

    /// `Y ← Y + scale · (z + α g)/R` in the given columns, then `z ← 0`.
    pub(super) fn settle(
        &self,
        solution: &mut Block,
        columns: &[usize],
        scale: &[f64],
        step: (&mut Panel, &Panel, &[f32]),
    ) {
        let (z, g, alpha) = step;
        let (width, stride) = (z.stride(), solution.stride());
        (solution.as_slice_mut().par_chunks_mut(CHUNK * stride))
            .zip(z.as_slice_mut().par_chunks_mut(CHUNK * width))
            .zip(g.as_slice().par_chunks(CHUNK * width))
            .zip(self.inverse.par_chunks(CHUNK))
            .for_each(|(((y, z), g), inverse)| {
                let rows = (y.chunks_mut(stride).zip(z.chunks_mut(width)))
                    .zip(g.chunks(width).zip(inverse));
                for ((y, z), (g, &inverse)) in rows {
                    for (slot, &column) in columns.iter().enumerate() {
                        let step = f64::from(z[slot]) + f64::from(alpha[slot] * g[slot]);
                        y[column] += scale[slot] * f64::from(inverse) * step;
                    }
                    z.fill(0.0);
                }
            });
    }

    /// `r ← (B − A Y)/scale` in the given columns, rounded once at the end, and
    /// the columns' `‖B − A Y‖²`; `scratch` is overwritten.
    pub(super) fn truth(
        &self,
        data: (&Block, &Block),
        columns: &[usize],
        scale: &[f64],
        r: &mut Panel,
        scratch: &mut Panel,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<f64>> {
        let (rhs, solution) = data;
        let width = r.stride();
        let each = DOUBLES.min(width / 2);
        let mut left = Vec::with_capacity(columns.len());
        for first in (0..columns.len()).step_by(each) {
            let columns = &columns[first..columns.len().min(first + each)];
            let panel = &mut scratch.as_doubles_mut()[..self.len() * each];
            self.fill(solution, columns, panel, each);
            let mut sums = vec![0.0; self.parts.len() * each];
            let work = self.split(r.as_slice_mut(), width, &mut sums, each);
            tiles::sweep(PHASE, work, monitor, |(rows, r, sums)| {
                let run = Truth {
                    system: self,
                    panel,
                    rhs,
                    solution,
                    columns,
                    scale: &scale[first..],
                    rows,
                    r,
                    width,
                    first,
                    sums,
                };
                match each {
                    1 => run.run::<1>(),
                    2 => run.run::<2>(),
                    4 => run.run::<4>(),
                    _ => run.run::<DOUBLES>(),
                }
                Ok(())
            })?;
            left.extend(&in_order(&sums, each)[..columns.len()]);
        }
        Ok(left)
    }

    /// `panel = R · solution` in the given columns.
    fn fill(&self, solution: &Block, columns: &[usize], panel: &mut [f64], each: usize) {
        let stride = solution.stride();
        (panel.par_chunks_mut(CHUNK * each).enumerate())
            .zip(solution.as_slice().par_chunks(CHUNK * stride))
            .for_each(|((chunk, panel), y)| {
                let rows = panel.chunks_mut(each).zip(y.chunks(stride));
                for (k, (panel, y)) in rows.enumerate() {
                    let root = self.exact.map_or(1.0, |r| r[chunk * CHUNK + k]);
                    for (slot, &column) in panel.iter_mut().zip(columns) {
                        *slot = root * y[column];
                    }
                }
            });
    }

    /// `g ← R r`.
    pub(super) fn aim(&self, g: &mut Panel, r: &Panel) {
        let width = g.stride();
        (g.as_slice_mut().par_chunks_mut(width))
            .zip(r.as_slice().par_chunks(width))
            .zip(&self.roots)
            .with_min_len(CHUNK)
            .for_each(|((g, r), root)| {
                for (g, r) in g.iter_mut().zip(r) {
                    *g = root * r;
                }
            });
    }
}

/// `r ← B/scale` in a range of columns, and the columns' `‖r‖²`.
pub(super) fn take(rhs: &Block, range: Range<usize>, scale: &[f64], r: &mut Panel) -> Vec<f64> {
    let (width, stride) = (r.stride(), rhs.stride());
    let sums: Vec<Vec<f64>> = (r.as_slice_mut().par_chunks_mut(CHUNK * width))
        .zip(rhs.as_slice().par_chunks(CHUNK * stride))
        .map(|(r, b)| {
            let mut sums = vec![0.0; range.len()];
            for (r, b) in r.chunks_mut(width).zip(b.chunks(stride)) {
                for (c, b) in b[range.clone()].iter().enumerate() {
                    let value = b / scale[c];
                    sums[c] += value * value;
                    r[c] = value as f32;
                }
            }
            sums
        })
        .collect();
    in_order(&sums.concat(), range.len())
}

/// `r ← r − α q` and the columns' `‖r‖²`.
pub(super) fn descend(r: &mut Panel, q: &Panel, alpha: &[f32]) -> Vec<f64> {
    let width = r.stride();
    let sums: Vec<Vec<f64>> = (r.as_slice_mut().par_chunks_mut(CHUNK * width))
        .zip(q.as_slice().par_chunks(CHUNK * width))
        .map(|(r, q)| at_width!(width, descend_rows(r, q, alpha)))
        .collect();
    in_order(&sums.concat(), width)
}

/// The sums of the runs, added in their order.
fn in_order(sums: &[f64], width: usize) -> Vec<f64> {
    let mut total = vec![0.0; width];
    for sums in sums.chunks(width) {
        for (t, s) in total.iter_mut().zip(sums) {
            *t += s;
        }
    }
    total
}

/// A row of step lengths as an array.
fn row<const W: usize>(values: &[f32]) -> [f32; W] {
    let mut row = [0.0; W];
    for (slot, v) in row.iter_mut().zip(values) {
        *slot = *v;
    }
    row
}

/// `f(c)` for every column; always inlined, so that it is compiled for the vector
/// instructions of its caller. Rows are values here: the compiler need not fear
/// that they overlap.
#[inline(always)]
fn each<const W: usize>(f: impl Fn(usize) -> f32) -> [f32; W] {
    let mut row = [0.0; W];
    for (c, slot) in row.iter_mut().enumerate() {
        *slot = f(c);
    }
    row
}

/// `total += sum`.
#[inline(always)]
fn flush<const W: usize>(total: &mut [f64; W], sum: &[f32; W]) {
    for (t, s) in total.iter_mut().zip(sum) {
        *t += f64::from(*s);
    }
}

/// Rows of `r ← r − α q`. What is dispatched on vector instructions is a struct
/// that its method consumes: a closure that could be called twice goes through a
/// shim that is compiled without them.
struct Descend<'r, const W: usize> {
    r: &'r mut [[f32; W]],
    q: &'r [[f32; W]],
    alpha: [f32; W],
}

fn descend_rows<const W: usize>(r: &mut [f32], q: &[f32], alpha: &[f32]) -> Vec<f64> {
    let rows = Descend {
        r: r.as_chunks_mut::<W>().0,
        q: q.as_chunks::<W>().0,
        alpha: row::<W>(alpha),
    };
    let total = pulp::Arch::new().dispatch(
        #[inline(always)]
        || rows.run(),
    );
    total.to_vec()
}

impl<const W: usize> Descend<'_, W> {
    #[inline(always)]
    fn run(self) -> [f64; W] {
        let mut total = [0.0; W];
        for (r, q) in self.r.chunks_mut(BATCH).zip(self.q.chunks(BATCH)) {
            let mut sum = [0.0; W];
            for (r, q) in r.iter_mut().zip(q) {
                let new = each::<W>(|c| r[c] - self.alpha[c] * q[c]);
                sum = each::<W>(|c| sum[c] + new[c] * new[c]);
                *r = new;
            }
            flush(&mut total, &sum);
        }
        total
    }
}

/// Rows of `z ← z + α g`, `g ← R r + β g`.
struct Turn<'r, const W: usize> {
    z: &'r mut [[f32; W]],
    g: &'r mut [[f32; W]],
    r: &'r [[f32; W]],
    roots: &'r [f32],
    alpha: [f32; W],
    beta: [f32; W],
}

fn turn_rows<const W: usize>(
    z: &mut [f32],
    g: &mut [f32],
    r: &[f32],
    roots: &[f32],
    alpha: &[f32],
    beta: &[f32],
) {
    let rows = Turn {
        z: z.as_chunks_mut::<W>().0,
        g: g.as_chunks_mut::<W>().0,
        r: r.as_chunks::<W>().0,
        roots,
        alpha: row::<W>(alpha),
        beta: row::<W>(beta),
    };
    pulp::Arch::new().dispatch(
        #[inline(always)]
        || rows.run(),
    );
}

impl<const W: usize> Turn<'_, W> {
    #[inline(always)]
    fn run(self) {
        let rows = self.z.iter_mut().zip(self.g).zip(self.r).zip(self.roots);
        for (((z, g), r), &root) in rows {
            let old = *g;
            *z = each::<W>(|c| z[c] + self.alpha[c] * old[c]);
            *g = each::<W>(|c| root * r[c] + self.beta[c] * old[c]);
        }
    }
}

/// A run of rows of one product.
struct Run<'r> {
    system: &'r Single<'r>,
    g: &'r [f32],
    rows: Range<usize>,
    /// These rows of the product.
    q: &'r mut [f32],
    sums: &'r mut [f64],
}

impl Run<'_> {
    /// Compiled for each width of a row and each level of vector instructions;
    /// products and sums are never contracted, so all give the same bits.
    fn product<const W: usize>(self) {
        let simd = pulp::Arch::new();
        match self.system.graph.all_weights() {
            None => simd.dispatch(
                #[inline(always)]
                || self.run::<W>(|_, x| x),
            ),
            Some(w) => simd.dispatch(
                #[inline(always)]
                || self.run::<W>(|e, x| w[e] as f32 * x),
            ),
        }
    }

    #[inline(always)]
    fn run<const W: usize>(self, weigh: impl Fn(usize, f32) -> f32) {
        let system = self.system;
        let (a, b) = (system.a as f32, system.b as f32);
        let g = self.g.as_chunks::<W>().0;
        let mut total = [0.0; W];
        let mut i = self.rows.start;
        for q in self.q.as_chunks_mut::<W>().0.chunks_mut(BATCH) {
            let mut near = [0.0; W];
            for q in q {
                let sum = gather(system.graph, i, g, &weigh);
                let (own, inverse, factor) = (&g[i], system.inverse[i], b * system.roots[i]);
                let p = each::<W>(|c| inverse * own[c]);
                let new = each::<W>(|c| a * p[c] + factor * sum[c]);
                near = each::<W>(|c| near[c] + p[c] * new[c]);
                *q = new;
                i += 1;
            }
            flush(&mut total, &near);
        }
        self.sums.copy_from_slice(&total);
    }
}

/// `Σⱼ weigh(e, gⱼ)` over the entries e of row i.
#[inline(always)]
fn gather<const W: usize>(
    graph: &Graph,
    i: usize,
    g: &[[f32; W]],
    weigh: impl Fn(usize, f32) -> f32,
) -> [f32; W] {
    let columns = graph.columns();
    let row = graph.row(i);
    let mut sum = [0.0; W];
    let mut from = row.start;
    while from < row.end {
        let to = row.end.min(from + PIECE);
        let mut part = [0.0; W];
        let add = |part: &mut [f32; W], e: usize, j: u32| {
            for (s, &x) in part.iter_mut().zip(&g[j as usize]) {
                *s += weigh(e, x);
            }
        };
        if let Some(ahead) = columns.get(from + AHEAD..to + AHEAD) {
            for ((e, &j), &soon) in (from..to).zip(&columns[from..to]).zip(ahead) {
                for line in (0..W).step_by(16) {
                    prefetch(g.as_flattened(), soon as usize * W + line);
                }
                add(&mut part, e, j);
            }
        } else {
            for (e, &j) in (from..to).zip(&columns[from..to]) {
                add(&mut part, e, j);
            }
        }
        for (s, p) in sum.iter_mut().zip(part) {
            *s += p;
        }
        from = to;
    }
    sum
}

/// A run of rows of the true residual.
struct Truth<'r> {
    system: &'r Single<'r>,
    /// R times the solution, a few columns.
    panel: &'r [f64],
    rhs: &'r Block,
    solution: &'r Block,
    columns: &'r [usize],
    scale: &'r [f64],
    rows: Range<usize>,
    /// These rows of the residual, `width` numbers each, written from `first` on.
    r: &'r mut [f32],
    width: usize,
    first: usize,
    sums: &'r mut [f64],
}

impl Truth<'_> {
    fn run<const H: usize>(self) {
        let simd = pulp::Arch::new();
        match self.system.graph.all_weights() {
            None => simd.dispatch(
                #[inline(always)]
                || self.rows_of::<H>(|_, x| x),
            ),
            Some(w) => simd.dispatch(
                #[inline(always)]
                || self.rows_of::<H>(|e, x| w[e] * x),
            ),
        }
    }

    #[inline(always)]
    fn rows_of<const H: usize>(self, weigh: impl Fn(usize, f64) -> f64) {
        let system = self.system;
        let columns = system.graph.columns();
        let panel = self.panel.as_chunks::<H>().0;
        let mut total = [0.0; H];
        for (i, r) in self.rows.clone().zip(self.r.chunks_mut(self.width)) {
            let mut sum = [0.0; H];
            for e in system.graph.row(i) {
                if let Some(&soon) = columns.get(e + AHEAD) {
                    prefetch(self.panel, soon as usize * H);
                }
                for (s, &x) in sum.iter_mut().zip(&panel[columns[e] as usize]) {
                    *s += weigh(e, x);
                }
            }
            let factor = system.b * system.exact.map_or(1.0, |r| r[i]);
            let (b, y) = (self.rhs.row(i), self.solution.row(i));
            for (k, &column) in self.columns.iter().enumerate() {
                let left = b[column] - (system.a * y[column] + factor * sum[k]);
                total[k] += left * left;
                r[self.first + k] = (left / self.scale[k]) as f32;
            }
        }
        self.sums.copy_from_slice(&total);
    }
}
