use std::ops::ControlFlow;

use crate::Error;
use crate::data::graph::{EdgeRules, Graph, GraphBuilder, Loops};
use crate::data::{Order, cuthill_mckee};
use crate::linalg::{Block, Mat, MatRef};
use crate::monitor::{Event, Quiet};
use crate::operator::sparse::{NormalisedAdjacency, Sparse};
use crate::operator::{Operator, SpectrumBounds, Symmetric};
use proptest::prelude::*;

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

/// Random edges with a hub, a loop, and isolated nodes at the end.
fn graph(nodes: u32, edges: usize, weighted: bool, seed: u64) -> Graph {
    let mut rng = Rng(seed);
    let rules = EdgeRules {
        loops: Loops::Keep,
        ..EdgeRules::default()
    };
    let mut builder = GraphBuilder::new(rules).with_nodes(nodes as usize);
    let linked = u64::from(nodes - nodes / 10);
    let weight = |rng: &mut Rng| weighted.then(|| 0.25 + rng.below(100) as f64 / 32.0);
    for e in 0..edges {
        let u = if e % 4 == 0 {
            3 % linked
        } else {
            rng.below(linked)
        };
        let w = weight(&mut rng);
        builder.push(u as u32, rng.below(linked) as u32, w).unwrap();
    }
    builder.finish(&mut Quiet).unwrap().0
}

fn block(rows: usize, cols: usize, seed: u64) -> Mat<f64> {
    let mut rng = Rng(seed);
    Mat::from_fn(rows, cols, |_, _| {
        rng.below(1 << 20) as f64 / f64::from(1 << 19) - 1.0
    })
}

/// The slow obvious twin: the matrix, entry by entry.
fn dense(graph: &Graph, left: impl Fn(f64) -> f64, right: impl Fn(f64) -> f64) -> Mat<f64> {
    let d = graph.degrees();
    let mut matrix = Mat::zeros(graph.len(), graph.len());
    for i in 0..graph.len() {
        for (e, &j) in graph.neighbours(i).iter().enumerate() {
            let w = graph.weights(i).map_or(1.0, |w| w[e]);
            matrix[(i, j as usize)] = left(d[i]) * w * right(d[j as usize]);
        }
    }
    matrix
}

fn apply(operator: &impl Operator, block: MatRef<'_, f64>) -> Mat<f64> {
    let mut out = Mat::full(operator.dim(), block.ncols(), f64::NAN);
    operator.apply(block, out.as_mut(), &mut Quiet).unwrap();
    out
}

/// Rows have at most a few hundred entries of order one: the error of a sum of
/// so many is far below this.
fn assert_close(a: MatRef<'_, f64>, b: MatRef<'_, f64>) {
    assert_eq!((a.nrows(), a.ncols()), (b.nrows(), b.ncols()));
    for j in 0..a.ncols() {
        for i in 0..a.nrows() {
            let (a, b) = (a[(i, j)], b[(i, j)]);
            assert!(
                (a - b).abs() <= 1e-12 * (1.0 + b.abs()),
                "({i}, {j}): {a} and {b}"
            );
        }
    }
}

fn root(d: f64) -> f64 {
    1.0 / d.sqrt()
}

#[test]
fn every_width_matches_the_dense_twin() {
    for weighted in [false, true] {
        let graph = graph(60, 300, weighted, 1);
        let twin = dense(&graph, root, root);
        let operator = NormalisedAdjacency::new(&graph);
        for cols in 0..=70 {
            let b = block(60, cols, cols as u64);
            assert_close(apply(&operator, b.as_ref()).as_ref(), (&twin * &b).as_ref());
        }
        for cols in [128, 129, 200] {
            let b = block(60, cols, cols as u64);
            assert_close(apply(&operator, b.as_ref()).as_ref(), (&twin * &b).as_ref());
        }
    }
}

#[test]
fn affine_images_and_other_scalings_match_the_dense_twin() {
    for weighted in [false, true] {
        let graph = graph(50, 200, weighted, 2);
        let b = block(50, 5, 3);
        let (s, w) = (dense(&graph, root, root), dense(&graph, |_| 1.0, |_| 1.0));
        let twin = |a: f64, m: &Mat<f64>, c: f64| faer_affine(a, &b, c, &(m * &b));
        let image = NormalisedAdjacency::new(&graph).affine(2.0, -0.5);
        assert_close(
            apply(&image, b.as_ref()).as_ref(),
            twin(2.0, &s, -0.5).as_ref(),
        );
        let image = image.affine(1.0, 3.0);
        assert_close(
            apply(&image, b.as_ref()).as_ref(),
            twin(7.0, &s, -1.5).as_ref(),
        );
        assert_eq!(
            image.spectrum(),
            SpectrumBounds {
                low: 5.5,
                high: 8.5
            }
        );
        assert_close(
            apply(&Sparse::adjacency(&graph), b.as_ref()).as_ref(),
            (&w * &b).as_ref(),
        );
        let walk = dense(&graph, |d| 1.0 / d, |_| 1.0);
        assert_close(
            apply(&Sparse::random_walk(&graph), b.as_ref()).as_ref(),
            (&walk * &b).as_ref(),
        );
        let d = graph.degrees();
        let both = Sparse::with_diagonals(&graph, &d, &d).unwrap();
        let scaled = dense(&graph, |d| d, |d| d);
        let (ours, theirs) = (apply(&both, b.as_ref()), &scaled * &b);
        // The entries are as large as the hub's degree squared.
        for (a, b) in ours.col(0).iter().zip(theirs.col(0).iter()) {
            assert!((a - b).abs() <= 1e-9 * (1.0 + b.abs()));
        }
    }
}

fn faer_affine(a: f64, x: &Mat<f64>, c: f64, y: &Mat<f64>) -> Mat<f64> {
    Mat::from_fn(x.nrows(), x.ncols(), |i, j| a * x[(i, j)] + c * y[(i, j)])
}

#[test]
fn strides_do_not_change_the_bits() {
    for weighted in [false, true] {
        let graph = graph(500, 3000, weighted, 4);
        for cols in [1, 3, 8, 13, 70] {
            for (a, b) in [(0.0, 1.0), (1.0, -0.9)] {
                let operator = NormalisedAdjacency::new(&graph).affine(a, b);
                let columns = block(500, cols, 5);
                let rows = Block::copy_of(columns.as_ref()).unwrap();
                let by_columns = apply(&operator, columns.as_ref());
                assert_eq!(apply(&operator, rows.as_mat()), by_columns);
                let mut out = Block::zeros(500, cols).unwrap();
                for input in [columns.as_ref(), rows.as_mat()] {
                    operator.apply(input, out.as_mat_mut(), &mut Quiet).unwrap();
                    assert_eq!(out.as_mat().to_owned(), by_columns);
                }
                // Neither rows nor columns adjacent, and backwards.
                let mut wide = Mat::full(1000, 2 * cols, f64::NAN);
                for j in 0..cols {
                    for i in 0..500 {
                        wide[(i, j)] = columns[(499 - i, j)];
                    }
                }
                let backwards = wide.as_ref().get(..500, ..cols).reverse_rows();
                assert_eq!(apply(&operator, backwards), by_columns);
            }
        }
    }
}

#[test]
fn isolated_nodes_have_zero_rows() {
    let graph = graph(40, 100, false, 6);
    assert!(graph.isolated() >= 4);
    let b = Mat::full(40, 3, 1.0);
    let (s, shifted) = (
        NormalisedAdjacency::new(&graph),
        NormalisedAdjacency::new(&graph).affine(2.0, 1.0),
    );
    let walk = Sparse::random_walk(&graph);
    for i in (0..40).filter(|&i| graph.neighbours(i).is_empty()) {
        assert_eq!(apply(&s, b.as_ref())[(i, 0)], 0.0);
        assert_eq!(apply(&walk, b.as_ref())[(i, 0)], 0.0);
        assert_eq!(apply(&shifted, b.as_ref())[(i, 0)], 2.0);
    }
}

#[test]
fn thread_count_does_not_change_the_bits() {
    for weighted in [false, true] {
        let graph = graph(5000, 60_000, weighted, 7);
        let operator = NormalisedAdjacency::new(&graph).affine(1.0, -0.99);
        for cols in [1, 8, 20] {
            let b = block(5000, cols, 8);
            let in_pool = |threads| {
                let pool = rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .unwrap();
                pool.install(|| apply(&operator, b.as_ref()))
            };
            let one = in_pool(1);
            assert_eq!(one, in_pool(2));
            assert_eq!(one, in_pool(7));
        }
    }
}

proptest! {
    #[test]
    fn reordering_the_nodes_reorders_the_result(seed in any::<u64>(), weighted in any::<bool>()) {
        let graph = graph(40, 120, weighted, seed);
        let b = block(40, 3, seed);
        let mut sources: Vec<u32> = (0..40).collect();
        sources.sort_by_key(|&i| Rng(seed ^ u64::from(i)).below(1 << 30));
        for order in [Order::new(sources).unwrap(), cuthill_mckee(&graph, &mut Quiet).unwrap()] {
            let moved = graph.permuted(&order, &mut Quiet).unwrap();
            let permute = |m: &Mat<f64>| {
                let mut out = Mat::zeros(m.nrows(), m.ncols());
                order.permute_rows(m.as_ref(), out.as_mut()).unwrap();
                out
            };
            let expected = permute(&apply(&NormalisedAdjacency::new(&graph), b.as_ref()));
            let got = apply(&NormalisedAdjacency::new(&moved), permute(&b).as_ref());
            assert_close(got.as_ref(), expected.as_ref());
        }
    }

    #[test]
    fn the_operator_equals_its_transpose_and_keeps_its_spectrum(seed in any::<u64>(), weighted in any::<bool>()) {
        let graph = graph(30, 80, weighted, seed);
        let s = NormalisedAdjacency::new(&graph);
        let (x, y) = (block(30, 1, seed), block(30, 1, !seed));
        let dot = |a: &Mat<f64>, b: &Mat<f64>| (0..30).map(|i| a[(i, 0)] * b[(i, 0)]).sum::<f64>();
        let (sx, sy) = (apply(&s, x.as_ref()), apply(&s, y.as_ref()));
        prop_assert!((dot(&sx, &y) - dot(&x, &sy)).abs() <= 1e-12);
        prop_assert_eq!(s.spectrum(), SpectrumBounds { low: -1.0, high: 1.0 });
        prop_assert!(dot(&sx, &x).abs() <= dot(&x, &x) * (1.0 + 1e-12));
    }
}

#[test]
fn blocks_that_do_not_fit_are_refused() {
    let graph = graph(20, 30, false, 9);
    let operator = NormalisedAdjacency::new(&graph);
    for (rows, out) in [(19, (20, 2)), (20, (21, 2)), (20, (20, 3))] {
        let refused = operator.apply(
            block(rows, 2, 1).as_ref(),
            Mat::zeros(out.0, out.1).as_mut(),
            &mut Quiet,
        );
        assert!(matches!(refused, Err(Error::Shape { .. })));
    }
    assert!(matches!(
        Sparse::with_diagonals(&graph, &[1.0], &[1.0]),
        Err(Error::Shape { .. })
    ));
}

#[test]
fn a_product_stops_when_the_monitor_breaks_and_works_again_after() {
    let graph = graph(5000, 20_000, false, 10);
    let operator = NormalisedAdjacency::new(&graph);
    let b = block(5000, 8, 11);
    let before = apply(&operator, b.as_ref());
    for limit in [0, 1, 10] {
        let mut seen = 0;
        let mut monitor = |_: Event| {
            seen += 1;
            if seen > limit {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let mut out = Mat::zeros(5000, 8);
        let stopped = operator.apply(b.as_ref(), out.as_mut(), &mut monitor);
        assert_eq!(
            stopped,
            Err(Error::Cancelled {
                phase: "graph product"
            })
        );
    }
    assert_eq!(apply(&operator, b.as_ref()), before);
}
