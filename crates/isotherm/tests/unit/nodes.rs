//! Rows of nodes beside their formulas in dense matrices.

use faer::linalg::solvers::Solve as _;

use crate::base::node_rows::NodeRowsSpec;
use crate::base::{Adjacency as _, GraphBase, NodeSamples};
use crate::data::graph::{EdgeRules, Relation};
use crate::data::{Graph, GraphBuilder, Links, NewNodes, Nodes, Points, Rescale};
use crate::linalg::Mat;
use crate::monitor::Quiet;
use crate::nodes::{RowFinder, Stopping, find_rows};
use crate::solve::Outcome;

const STOPPING: Stopping = Stopping {
    tolerance: 1e-8,
    iterations: 1_000,
};

/// Two parts with weights, and a node without edges.
const EDGES: [(u32, u32, f64); 9] = [
    (0, 1, 1.0),
    (1, 2, 2.0),
    (2, 0, 0.5),
    (2, 3, 1.0),
    (3, 4, 1.0),
    (4, 5, 3.0),
    (6, 7, 1.0),
    (7, 8, 1.0),
    (8, 6, 2.0),
];
const NODES: usize = 10;

fn graph(edges: &[(u32, u32, f64)], nodes: usize) -> Graph {
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(nodes);
    for &(a, b, w) in edges {
        builder.push(a, b, Some(w)).unwrap();
    }
    builder.finish(&mut Quiet).unwrap().0
}

/// Features; node 4 has none.
fn features(nodes: usize) -> Points {
    let cell = |i: usize, j: usize| match (i, (3 * i + 5 * j) % 4) {
        (4, _) => 0.0,
        (_, r) => r as f64 + f64::from(u8::from(i % 3 == j)),
    };
    let cells = (0..nodes * 3).map(|at| cell(at / 3, at % 3)).collect();
    Points::new(cells, nodes, 3).unwrap()
}

fn dense(edges: &[(u32, u32, f64)], nodes: usize) -> Mat<f64> {
    let mut w = Mat::zeros(nodes, nodes);
    for &(a, b, weight) in edges {
        w[(a as usize, b as usize)] = weight;
        w[(b as usize, a as usize)] = weight;
    }
    w
}

/// `D^-½ W D^-½`; rows without edges are zero.
fn normalised(w: &Mat<f64>) -> Mat<f64> {
    let n = w.nrows();
    let degree: Vec<f64> = (0..n).map(|i| (0..n).map(|j| w[(i, j)]).sum()).collect();
    Mat::from_fn(n, n, |i, j| match w[(i, j)] {
        0.0 => 0.0,
        weight => weight / (degree[i] * degree[j]).sqrt(),
    })
}

fn unit(points: &Points) -> Mat<f64> {
    Mat::from_fn(points.len(), points.dim(), |i, j| {
        let row = points.row(i);
        let length = row.iter().map(|v| v * v).sum::<f64>().sqrt();
        if length > 0.0 { row[j] / length } else { 0.0 }
    })
}

/// `(1 − η)(I − ηŜ)⁻¹X̂` by elimination.
fn averages(edges: &[(u32, u32, f64)], x: &Mat<f64>, eta: f64) -> Mat<f64> {
    let n = x.nrows();
    let looped = dense(edges, n) + Mat::<f64>::identity(n, n);
    let s = normalised(&looped);
    let system = Mat::from_fn(n, n, |i, j| f64::from(u8::from(i == j)) - eta * s[(i, j)]);
    let solved = system.partial_piv_lu().solve(x);
    Mat::from_fn(n, x.ncols(), |i, j| (1.0 - eta) * solved[(i, j)])
}

#[track_caller]
fn close(rows: &Points, expected: &Mat<f64>, tolerance: f64) {
    assert_eq!((rows.len(), rows.dim()), expected.shape());
    for i in 0..rows.len() {
        for (j, v) in rows.row(i).iter().enumerate() {
            let other = expected[(i, j)];
            assert!((v - other).abs() < tolerance, "({i}, {j}): {v}, {other}");
        }
    }
}

fn find(spec: NodeRowsSpec) -> Points {
    let base = GraphBase::new(graph(&EDGES, NODES));
    let features = features(NODES);
    let mut finder = RowFinder::new(&base, Some(&features), STOPPING, 0);
    finder.find(&[spec], &mut Quiet).unwrap()[0].rows.clone()
}

#[test]
fn smoothed_features_are_the_resolvent_of_the_graph_with_loops() {
    let x = unit(&features(NODES));
    for eta in [0.0, 0.8, 0.95] {
        let rows = find(NodeRowsSpec::SmoothedFeatures { eta });
        close(&rows, &averages(&EDGES, &x, eta), 1e-6);
    }
}

#[test]
fn averages_say_whether_their_series_ended() {
    let base = GraphBase::new(graph(&EDGES, NODES));
    let features = features(NODES);
    let specs = [0.5, 0.95].map(|eta| NodeRowsSpec::SmoothedFeatures { eta });
    let solve = |iterations| {
        let stopping = Stopping {
            iterations,
            ..STOPPING
        };
        let mut finder = RowFinder::new(&base, Some(&features), stopping, 0);
        finder.find(&specs, &mut Quiet).unwrap();
        finder.report().cloned().unwrap()
    };
    let whole = solve(1_000);
    assert_eq!(whole.outcome, Outcome::Converged);
    assert!(whole.residual < 1e-4, "{}", whole.residual);
    let short = solve(6);
    assert_eq!((short.outcome, short.iterations), (Outcome::Exhausted, 6));
    assert!(short.residual > 1e-2, "{}", short.residual);
}

#[test]
fn surroundings_are_the_resolvent_itself() {
    let x = Mat::<f64>::identity(NODES, NODES);
    let rows = find(NodeRowsSpec::Surroundings { eta: 0.9 });
    close(&rows, &averages(&EDGES, &x, 0.9), 1e-6);
}

#[test]
fn two_steps_are_a_square() {
    let s = normalised(&dense(&EDGES, NODES));
    let square = &s * &s;
    let x = unit(&features(NODES));
    let rows = find(NodeRowsSpec::FeaturesTwoStepsAway {});
    close(&rows, &(&square * &x), 1e-6);
    close(&find(NodeRowsSpec::NodesTwoStepsAway {}), &square, 1e-6);
}

#[test]
fn eigenvectors_have_the_eigenvalues_of_largest_size() {
    // Of the component of six nodes: the others have three and one.
    let s = normalised(&dense(&EDGES[..6], NODES));
    let values = s.self_adjoint_eigenvalues(faer::Side::Lower).unwrap();
    let mut sizes: Vec<f64> = values.iter().map(|v| v.abs()).collect();
    sizes.sort_by(|a, b| b.total_cmp(a));
    let rows = find(NodeRowsSpec::Spectrum { rank: 4 });
    assert_eq!(rows.dim(), 4);
    for (j, size) in sizes.iter().take(4).enumerate() {
        // A column is √N·λu: its image is λ times it, its length √N·|λ|.
        let column = Mat::from_fn(NODES, 1, |i, _| rows.row(i)[j]);
        let image = &s * &column;
        let length = column.norm_l2() / (NODES as f64).sqrt();
        assert!((length - size).abs() < 1e-5, "{length}, {size}");
        assert!((image.norm_l2() - size * column.norm_l2()).abs() < 1e-4);
    }
    // Fewer are the first of more.
    let base = GraphBase::new(graph(&EDGES, NODES));
    let mut finder = RowFinder::new(&base, None, STOPPING, 0);
    let ranks = [2, 4].map(|rank| NodeRowsSpec::Spectrum { rank });
    let both = finder.find(&ranks, &mut Quiet).unwrap();
    for i in 0..NODES {
        assert_eq!(both[0].rows.row(i)[..], both[1].rows.row(i)[..2]);
    }
}

#[test]
fn roles_count_degrees_and_triangles() {
    let base = GraphBase::new(graph(&EDGES, NODES));
    let counts = crate::base::role_counts::counts(base.graph());
    let row = |i: usize| &counts[i * 11..(i + 1) * 11];
    let log = |count: f64| (1.0 + count).ln();
    // Node 2: neighbours 0, 1, 3 of degrees 2, 2, 2; one triangle, counted once in each order.
    assert!((row(2)[0] - log(3.0)).abs() < 1e-12);
    assert!((row(2)[1] - log(2.0)).abs() < 1e-12);
    assert!((row(2)[5] - log(2.0 / 6.0 * 9.0)).abs() < 1e-12);
    assert!((row(2)[6] - 2.0 / 6.0).abs() < 1e-12);
    assert!((row(2)[7] - log(6.0)).abs() < 1e-12);
    // A node without edges has a row of its own: the constant.
    assert_eq!(row(9)[..10], [0.0; 10]);
    assert_eq!(row(9)[10], 1.0);
}

#[test]
fn a_new_node_solves_its_own_equation() {
    let known = graph(&EDGES, NODES);
    let base = GraphBase::new(known.clone());
    let all = features(NODES);
    let mut finder = RowFinder::new(&base, Some(&all), STOPPING, 0);
    let eta = 0.85;
    let specs = [
        NodeRowsSpec::SmoothedFeatures { eta },
        NodeRowsSpec::Spectrum { rank: 3 },
        NodeRowsSpec::Features {
            scaling: Rescale::AsGiven,
        },
    ];
    let found = finder.find(&specs, &mut Quiet).unwrap();
    let links = Links::new(3, NODES, &[(0, 1, 2.0), (0, 3, 1.0), (2, 5, 1.0)]).unwrap();
    // With both, without links, without features.
    let own = Points::new(vec![3.0, 0.0, 4.0, 0.0, 5.0, 0.0, 0.0, 0.0, 0.0], 3, 3).unwrap();
    let new = NewNodes::new(links, Some(own)).unwrap();
    let rows = found[0].of_new(&new, &known).unwrap();
    let degrees = known.degrees();
    let z = &found[0].rows;
    let share = |w: f64, own: f64, j: usize| w / (own * (1.0 + degrees[j])).sqrt();
    for c in 0..3 {
        let x = [0.6, 0.0, 0.8][c];
        let sum = share(2.0, 4.0, 1) * z.row(1)[c] + share(1.0, 4.0, 3) * z.row(3)[c];
        let expected = ((1.0 - eta) * x + eta * sum) / (1.0 - eta / 4.0);
        assert!((rows.row(0)[c] - expected).abs() < 1e-12);
        // Only its features.
        assert!((rows.row(1)[c] - [0.0, 1.0, 0.0][c]).abs() < 1e-12);
        // Only its links.
        let expected = eta * share(1.0, 2.0, 5) * z.row(5)[c] / (1.0 - eta / 2.0);
        assert!((rows.row(2)[c] - expected).abs() < 1e-12);
    }
    // A node that is there already, given again with its own edges, has its own eigenvector row.
    let links = Links::new(1, NODES, &[(0, 1, 1.0), (0, 2, 0.5)]).unwrap();
    let again = NewNodes::new(links, Some(Points::new(vec![0.0; 3], 1, 3).unwrap())).unwrap();
    let row = found[1].of_new(&again, &known).unwrap();
    for (new, old) in row.row(0).iter().zip(found[1].rows.row(0).iter()) {
        assert!((new - old).abs() < 1e-4, "{new}, {old}");
    }
    // Features have to have the same columns.
    let narrow = NewNodes::new(
        Links::new(1, NODES, &[]).unwrap(),
        Some(Points::new(vec![1.0], 1, 1).unwrap()),
    );
    assert!(found[2].of_new(&narrow.unwrap(), &known).is_err());
}

#[test]
fn many_columns_are_replaced_by_directions_that_keep_inner_products() {
    // 700 columns of which each node has a few; neighbours on a ring share them.
    let (nodes, dim) = (600, 700);
    let edges: Vec<(u32, u32, f64)> = (0..nodes as u32)
        .flat_map(|i| [1, 2].map(|step| (i, (i + step) % nodes as u32, 1.0)))
        .collect();
    let cell =
        |i: usize, j: usize| f64::from(u8::from((i / 20 * 31 + i * 7 + j * 13).is_multiple_of(29)));
    let cells = (0..nodes * dim)
        .map(|at| cell(at / dim, at % dim))
        .collect();
    let points = Points::new(cells, nodes, dim).unwrap();
    let base = GraphBase::new(graph(&edges, nodes));
    let mut finder = RowFinder::new(&base, Some(&points), STOPPING, 0);
    let eta = 0.9;
    let specs = [NodeRowsSpec::SmoothedFeatures { eta }];
    let found = finder.find(&specs, &mut Quiet).unwrap();
    let rows = &found[0].rows;
    assert_eq!(rows.dim(), 512);
    let exact = averages(&edges, &unit(&points), eta);
    let product =
        |i: usize, j: usize| -> f64 { (0..dim).map(|c| exact[(i, c)] * exact[(j, c)]).sum() };
    let kept = |i: usize, j: usize| -> f64 {
        let (a, b) = (rows.row(i), rows.row(j));
        a.iter().zip(b.iter()).map(|(a, b)| a * b).sum()
    };
    for (i, j) in [(0, 0), (0, 1), (0, 300), (17, 520), (599, 599)] {
        let size = (product(i, i) * product(j, j)).sqrt();
        assert!((kept(i, j) - product(i, j)).abs() < 1e-3 * size);
    }
    // A new node's features take the same directions.
    let links = Links::new(1, nodes, &[]).unwrap();
    let own = points.select(&[5]).unwrap();
    let row = found[0]
        .of_new(&NewNodes::new(links, Some(own)).unwrap(), base.graph())
        .unwrap();
    assert_eq!(row.dim(), 512);
}

#[test]
fn rows_do_not_depend_on_the_number_of_threads() {
    let at = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            [
                NodeRowsSpec::SmoothedFeatures { eta: 0.9 },
                NodeRowsSpec::Surroundings { eta: 0.9 },
                NodeRowsSpec::Roles {},
                NodeRowsSpec::FeaturesTwoStepsAway {},
            ]
            .map(|spec| find(spec).into_values())
        })
    };
    assert_eq!(at(1), at(2));
}

/// Directed edges with weights; node 3 links to nothing, nothing links to node 0.
const ARROWS: [(u32, u32, f64); 6] = [
    (0, 1, 1.0),
    (0, 2, 3.0),
    (1, 2, 1.0),
    (2, 3, 2.0),
    (4, 3, 1.0),
    (4, 1, 1.0),
];

fn directed(arrows: &[(u32, u32, f64)], nodes: usize, features: Option<Points>) -> NodeSamples {
    let out = Links::new(nodes, nodes, arrows).unwrap();
    let into = out.reversed();
    let relation = Relation::new("links", graph(arrows, nodes)).directed(Some(out), Some(into));
    let nodes = Nodes::of_relations(vec![relation], features, &mut Quiet).unwrap();
    NodeSamples::new(nodes, &mut Quiet).unwrap()
}

/// Rows of `D⁻¹AT`.
fn means(a: &Mat<f64>, t: &Mat<f64>) -> Mat<f64> {
    let n = a.nrows();
    let degree: Vec<f64> = (0..n).map(|i| (0..n).map(|j| a[(i, j)]).sum()).collect();
    let image = a * t;
    Mat::from_fn(n, t.ncols(), |i, c| match degree[i] {
        0.0 => 0.0,
        d => image[(i, c)] / d,
    })
}

#[test]
fn directed_rows_are_means_over_what_edges_lead_to() {
    let nodes = 5;
    // Most of these are zero, so they stay as they are.
    let cells = vec![
        0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 4.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0,
    ];
    let points = Points::new(cells, nodes, 3).unwrap();
    let samples = directed(&ARROWS, nodes, Some(points.clone()));
    let mut out = Mat::<f64>::zeros(nodes, nodes);
    for &(a, b, w) in &ARROWS {
        out[(a as usize, b as usize)] = w;
    }
    let into = out.transpose().to_owned();
    for (outgoing, a) in [(true, &out), (false, &into)] {
        let wanted = [
            (NodeRowsSpec::LinkedFeatures { outgoing }, Some(0)),
            (NodeRowsSpec::LinkedNodes { outgoing }, Some(0)),
        ];
        let (rows, _) = find_rows(&samples, &wanted, (STOPPING, 0), &mut Quiet).unwrap();
        close(&rows[0].rows, &means(a, &unit(&points)), 1e-6);
        let rarity = |j: usize| (0..nodes).map(|i| a[(i, j)]).sum::<f64>();
        let t = Mat::from_fn(nodes, nodes, |i, j| match rarity(j) {
            d if i == j && d > 0.0 => d.powf(-0.5),
            _ => 0.0,
        });
        close(&rows[1].rows, &means(a, &t), 1e-6);
        // A new node with the links of a known one has its row.
        let own = (0..nodes as u32).filter(|j| a[(4, *j as usize)] > 0.0);
        let own: Vec<(u32, u32, f64)> = own.map(|j| (0, j, a[(4, j as usize)])).collect();
        let new = NewNodes::from(Links::new(1, nodes, &own).unwrap());
        for rows in &rows {
            let again = rows.of_new(&new, samples.graph.graph()).unwrap();
            for (new, old) in again.row(0).iter().zip(rows.rows.row(4).iter()) {
                assert!((new - old).abs() < 1e-6, "{new}, {old}");
            }
        }
    }
    // Edges without a direction have no such rows.
    let plain = Nodes::new(graph(&ARROWS, nodes), None).unwrap();
    let plain = NodeSamples::new(plain, &mut Quiet).unwrap();
    let wanted = [(NodeRowsSpec::LinkedNodes { outgoing: true }, None)];
    let refused = find_rows(&plain, &wanted, (STOPPING, 0), &mut Quiet).unwrap_err();
    assert!(refused.to_string().contains("need edges with a direction"));
}

#[test]
fn many_nodes_that_are_linked_to_become_directions_that_keep_inner_products() {
    // Thirty groups of nodes, each of which links to three nodes of its own.
    let nodes = 1200;
    let arrows: Vec<(u32, u32, f64)> = (0..nodes as u32)
        .flat_map(|i| [0, 1, 2].map(|k| (i, (i % 30) * 40 + k, 1.0 + f64::from(k))))
        .filter(|(a, b, _)| a != b)
        .collect();
    let samples = directed(&arrows, nodes, None);
    let wanted = [(NodeRowsSpec::LinkedNodes { outgoing: true }, Some(0))];
    let (rows, _) = find_rows(&samples, &wanted, (STOPPING, 0), &mut Quiet).unwrap();
    let rows = &rows[0].rows;
    assert_eq!(rows.dim(), 512);
    let mut a = vec![vec![0.0; nodes]; nodes];
    let mut into = vec![0.0_f64; nodes];
    for &(from, to, weight) in &arrows {
        a[from as usize][to as usize] = weight;
        into[to as usize] += weight;
    }
    let exact = |i: usize, j: usize| -> f64 {
        let sums = [i, j].map(|i| a[i].iter().sum::<f64>());
        let both = (0..nodes).filter(|&k| into[k] > 0.0);
        let sum: f64 = both.map(|k| a[i][k] * a[j][k] / into[k]).sum();
        sum / (sums[0] * sums[1])
    };
    let kept = |i: usize, j: usize| -> f64 {
        let (a, b) = (rows.row(i), rows.row(j));
        a.iter().zip(b.iter()).map(|(a, b)| a * b).sum()
    };
    for (i, j) in [(0, 0), (0, 30), (0, 1), (17, 47), (1199, 1199), (80, 2)] {
        let size = (exact(i, i) * exact(j, j)).sqrt();
        assert!((kept(i, j) - exact(i, j)).abs() < 1e-3 * size, "{i} {j}");
    }
}
