//! Sparse Cholesky against the dense one.

use crate::Error;
use crate::data::Graph;
use crate::data::graph::{EdgeRules, GraphBuilder, Loops};
use crate::linalg::sparse_cholesky::Pattern;
use crate::linalg::{Mat, cholesky};
use crate::monitor::Quiet;
use crate::testing::operator::close;
use crate::testing::random;

fn graph(nodes: usize, pairs: impl IntoIterator<Item = (usize, usize)>) -> Graph {
    let rules = EdgeRules {
        loops: Loops::Keep,
        ..EdgeRules::default()
    };
    let mut edges = GraphBuilder::new(rules).with_nodes(nodes);
    for (i, j) in pairs {
        edges.push(i as u32, j as u32, None).unwrap();
    }
    edges.finish(&mut Quiet).unwrap().0
}

/// `I − ηS` as values beside the graph's columns, and as a dense matrix.
fn system(graph: &Graph, eta: f64) -> (Vec<f64>, Vec<f64>, Mat<f64>) {
    let n = graph.len();
    let roots: Vec<f64> = graph.degrees().iter().map(|d| d.sqrt()).collect();
    let mut dense = Mat::<f64>::identity(n, n);
    let mut values = Vec::new();
    for i in 0..n {
        for &j in graph.neighbours(i) {
            let value = -eta / (roots[i] * roots[j as usize]);
            values.push(value);
            dense[(i, j as usize)] += value;
        }
    }
    (values, vec![1.0; n], dense)
}

fn analyse(graph: &Graph) -> Pattern {
    Pattern::analyse(graph.len(), graph.starts(), graph.columns()).unwrap()
}

/// A grid with some loops and an isolated node: fill and supernodes.
fn grid(side: usize) -> Graph {
    let at = move |i: usize, j: usize| i * side + j;
    let pairs = (0..side).flat_map(move |i| {
        (0..side).flat_map(move |j| {
            let right = (j + 1 < side).then(|| (at(i, j), at(i, j + 1)));
            let down = (i + 1 < side).then(|| (at(i, j), at(i + 1, j)));
            let cross = (i + 1 < side && j + 1 < side).then(|| (at(i, j), at(i + 1, j + 1)));
            let own = (j == 2).then(|| (at(i, j), at(i, j)));
            [right, down, cross, own].into_iter().flatten()
        })
    });
    graph(side * side + 1, pairs)
}

#[test]
fn sparse_and_dense_solutions_agree_for_one_pattern_and_many_values() {
    // Small ones are factored column by column, large ones by supernodes.
    for side in [4, 9, 28] {
        let graph = grid(side);
        let pattern = analyse(&graph);
        let b = random(graph.len(), 40, 70);
        for eta in [0.3, 0.99] {
            let (values, diagonal, dense) = system(&graph, eta);
            let factor = pattern.factor(&values, &diagonal, "I − ηS", "").unwrap();
            let x = factor.solve(b.as_ref()).unwrap();
            let mut expected = b.clone();
            cholesky::factor(dense, "I − ηS", "", &mut Quiet)
                .unwrap()
                .solve_in_place(expected.as_mut());
            close("solutions", &x, &expected, 1e-12).unwrap();
        }
    }
}

#[test]
fn the_lower_triangle_is_enough() {
    let graph = grid(7);
    let (values, diagonal, _) = system(&graph, 0.8);
    let (mut starts, mut columns, mut lower) = (vec![0], Vec::new(), Vec::new());
    for i in 0..graph.len() {
        for e in graph.row(i) {
            if graph.columns()[e] as usize <= i {
                columns.push(graph.columns()[e]);
                lower.push(values[e]);
            }
        }
        starts.push(columns.len() as u64);
    }
    let half = Pattern::analyse(graph.len(), &starts, &columns).unwrap();
    let whole = analyse(&graph);
    assert_eq!(half.fill(), whole.fill());
    let b = random(graph.len(), 3, 71);
    let solve = |pattern: &Pattern, values: &[f64]| {
        let factor = pattern.factor(values, &diagonal, "a", "").unwrap();
        factor.solve(b.as_ref()).unwrap()
    };
    assert_eq!(solve(&half, &lower), solve(&whole, &values));
}

#[test]
fn the_fill_is_known_before_any_number_and_a_path_has_none() {
    let path = graph(500, (1..500).map(|i| (i - 1, i)));
    let pattern = analyse(&path);
    assert_eq!(pattern.fill(), 500 + 499);
    // A complete graph is all fill, a star none if its hub comes last.
    let complete = graph(30, (0..30).flat_map(|i| (0..i).map(move |j| (i, j))));
    assert_eq!(analyse(&complete).fill(), 30 * 31 / 2);
    let star = graph(100, (1..100).map(|i| (0, i)));
    assert_eq!(analyse(&star).fill(), 100 + 99);
    // A ring of n has n − 3 entries more than it had.
    let ring = graph(60, (0..60).map(|i| (i, (i + 1) % 60)));
    assert_eq!(analyse(&ring).fill(), 60 + 60 + 57);
}

#[test]
fn an_indefinite_matrix_is_refused_with_its_pivot() {
    for side in [4, 28] {
        let graph = grid(side);
        let pattern = analyse(&graph);
        let (values, mut diagonal, _) = system(&graph, 0.9);
        diagonal[5] = -0.25;
        let error = pattern
            .factor(&values, &diagonal, "the system", "raise the ridge")
            .unwrap_err();
        match error {
            Error::Indefinite {
                operator,
                curvature,
                hint,
            } => {
                assert!(curvature <= -0.25, "{curvature}");
                assert_eq!((operator, hint.as_str()), ("the system", "raise the ridge"));
            }
            other => panic!("{other}"),
        }
    }
    // A singular one is not definite either: I − S has D^½1 in its kernel.
    let pair = graph(2, [(0, 1)]);
    let (values, diagonal, _) = system(&pair, 1.0);
    let error = analyse(&pair)
        .factor(&values, &diagonal, "a", "")
        .unwrap_err();
    assert!(matches!(error, Error::Indefinite { .. }), "{error}");
}

#[test]
fn damaged_patterns_and_values_are_refused() {
    assert!(Pattern::analyse(2, &[0, 1], &[0]).is_err());
    assert!(Pattern::analyse(2, &[0, 2, 1], &[0]).is_err());
    assert!(Pattern::analyse(2, &[0, 1, 2], &[1, 2]).is_err());
    assert!(Pattern::analyse(2, &[0, 2, 2], &[1, 0]).is_err());
    let pattern = Pattern::analyse(2, &[0, 1, 2], &[1, 0]).unwrap();
    assert!(pattern.factor(&[0.1], &[1.0; 2], "a", "").is_err());
    assert!(pattern.factor(&[0.1; 2], &[1.0], "a", "").is_err());
    let error = pattern
        .factor(&[f64::NAN; 2], &[1.0; 2], "a", "")
        .unwrap_err();
    assert!(matches!(error, Error::NotFinite { .. }));
    let factor = pattern.factor(&[0.1; 2], &[1.0; 2], "a", "").unwrap();
    assert!(factor.solve(random(3, 1, 72).as_ref()).is_err());
    assert_eq!(Pattern::analyse(0, &[0], &[]).unwrap().fill(), 0);
}

#[test]
fn the_thread_count_changes_no_bit_of_a_sparse_solve() {
    let graph = grid(25);
    let (values, diagonal, _) = system(&graph, 0.95);
    let b = random(graph.len(), 100, 73);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let factor = analyse(&graph).factor(&values, &diagonal, "a", "").unwrap();
            factor.solve(b.as_ref()).unwrap()
        })
    };
    assert!(run(1) == run(2));
}
