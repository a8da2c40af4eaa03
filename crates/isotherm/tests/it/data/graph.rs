use std::collections::BTreeMap;
use std::ops::ControlFlow;

use isotherm::Error;
use isotherm::data::graph::{Duplicates, EdgeRules, Graph, GraphBuilder, GraphReport, Loops};
use isotherm::data::order::Order;
use isotherm::monitor::{Event, Quiet};
use proptest::prelude::*;

type Edge = (u32, u32, Option<f64>);

fn build(edges: &[Edge], rules: EdgeRules) -> isotherm::Result<(Graph, GraphReport)> {
    let mut builder = GraphBuilder::new(rules);
    for &(u, v, w) in edges {
        builder.push(u, v, w)?;
    }
    builder.finish(&mut Quiet)
}

fn plain(edges: &[(u32, u32)]) -> Graph {
    let edges: Vec<Edge> = edges.iter().map(|&(u, v)| (u, v, None)).collect();
    build(&edges, EdgeRules::default()).unwrap().0
}

fn weighted(duplicates: Duplicates, edges: &[(u32, u32, f64)]) -> (Graph, GraphReport) {
    let edges: Vec<Edge> = edges.iter().map(|&(u, v, w)| (u, v, Some(w))).collect();
    let rules = EdgeRules {
        duplicates,
        loops: Loops::Keep,
    };
    build(&edges, rules).unwrap()
}

/// The slow obvious twin: all weights of each pair, in a sorted map.
fn twin(nodes: usize, edges: &[(u32, u32, f64)], rule: Duplicates) -> Vec<Vec<f64>> {
    let mut given: BTreeMap<(u32, u32), Vec<f64>> = BTreeMap::new();
    for &(u, v, w) in edges.iter().filter(|e| e.2 > 0.0) {
        given.entry((u.min(v), u.max(v))).or_default().push(w);
    }
    let mut dense = vec![vec![0.0; nodes]; nodes];
    for ((u, v), mut ws) in given {
        ws.sort_by(f64::total_cmp);
        let sum: f64 = ws.iter().sum();
        let w = match rule {
            Duplicates::Sum => sum,
            Duplicates::Mean => sum / ws.len() as f64,
            _ => ws[ws.len() - 1],
        };
        dense[u as usize][v as usize] = w;
        dense[v as usize][u as usize] = w;
    }
    dense
}

fn dense(graph: &Graph) -> Vec<Vec<f64>> {
    let mut dense = vec![vec![0.0; graph.len()]; graph.len()];
    for (i, row) in dense.iter_mut().enumerate() {
        for (e, &j) in graph.neighbours(i).iter().enumerate() {
            row[j as usize] = graph.weights(i).map_or(1.0, |w| w[e]);
        }
    }
    dense
}

fn edges() -> impl Strategy<Value = Vec<(u32, u32, f64)>> {
    // Quarters: sums are exact, and equal weights are common.
    let weight = (0_u8..8).prop_map(|w| f64::from(w) / 4.0);
    prop::collection::vec((0_u32..12, 0_u32..12, weight), 1..60)
}

proptest! {
    #[test]
    fn the_graph_is_the_one_of_the_dense_twin(edges in edges(), rule in 0..3) {
        let rule = [Duplicates::Max, Duplicates::Sum, Duplicates::Mean][rule as usize];
        let (graph, report) = weighted(rule, &edges);
        let twin = twin(graph.len(), &edges, rule);
        for (a, b) in dense(&graph).iter().flatten().zip(twin.iter().flatten()) {
            prop_assert!((a - b).abs() <= 1e-15 * b.abs());
        }
        let kept = (0..graph.len()).flat_map(|i| (0..=i).map(move |j| (i, j))).filter(|&(i, j)| twin[i][j] > 0.0).count();
        prop_assert_eq!(report.edges, kept);
        prop_assert_eq!(report.edges + report.duplicates + report.zero_weights, edges.len());
        prop_assert_eq!(report.isolated, graph.isolated());
    }

    #[test]
    fn the_order_of_edges_and_their_direction_do_not_matter(
        edges in edges(), flips in prop::collection::vec(any::<bool>(), 60), turn in 0_usize..60,
    ) {
        let mut other: Vec<_> = edges.iter().zip(flips).map(|(&(u, v, w), f)| if f { (v, u, w) } else { (u, v, w) }).collect();
        let turn = turn % other.len();
        other.rotate_left(turn);
        other.reverse();
        for rule in [Duplicates::Max, Duplicates::Sum, Duplicates::Mean] {
            prop_assert_eq!(weighted(rule, &edges), weighted(rule, &other));
        }
    }

    #[test]
    fn both_directions_given_is_once_given(edges in edges()) {
        let pairs: Vec<(u32, u32)> = edges.iter().map(|e| (e.0, e.1)).collect();
        let mut both = pairs.clone();
        both.extend(pairs.iter().map(|&(u, v)| (v, u)));
        prop_assert_eq!(plain(&pairs), plain(&both));
    }

    #[test]
    fn parts_of_a_graph_make_the_graph(edges in edges()) {
        let (graph, _) = weighted(Duplicates::Max, &edges);
        let again = Graph::from_parts(
            graph.starts().to_vec(), graph.columns().to_vec(), graph.all_weights().map(<[f64]>::to_vec),
        ).unwrap();
        prop_assert_eq!(again, graph);
    }

    #[test]
    fn arbitrary_parts_are_refused_or_symmetric(
        starts in prop::collection::vec(0_u64..6, 0..5), columns in prop::collection::vec(0_u32..5, 0..6),
    ) {
        if let Ok(graph) = Graph::from_parts(starts, columns, None) {
            for i in 0..graph.len() {
                for &j in graph.neighbours(i) {
                    prop_assert!(graph.neighbours(j as usize).binary_search(&(i as u32)).is_ok());
                }
            }
        }
    }

    #[test]
    fn reordering_moves_rows_and_columns_together(edges in edges(), seed in any::<u64>()) {
        let (graph, _) = weighted(Duplicates::Max, &edges);
        let mut sources: Vec<u32> = (0..graph.len() as u32).collect();
        sources.sort_by_key(|&i| (u64::from(i) + 1).wrapping_mul(seed | 1).rotate_left(17));
        let order = Order::new(sources).unwrap();
        let moved = graph.permuted(&order, &mut Quiet).unwrap();
        let (before, after) = (dense(&graph), dense(&moved));
        for i in 0..graph.len() {
            for j in 0..graph.len() {
                prop_assert_eq!(after[i][j], before[order.old(i)][order.old(j)]);
            }
        }
        prop_assert_eq!(moved.permuted(&order.inverse(), &mut Quiet).unwrap(), graph);
    }
}

/// A graph of many buckets, with duplicates and both directions.
fn large() -> Vec<(u32, u32, f64)> {
    let mut state = 1_u64;
    let mut next = |n: u64| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) % n
    };
    (0..400_000)
        .map(|_| {
            let u = next(1 + 100_000) as u32;
            (u, next(u64::from(u) + 1) as u32, 0.1 + next(7) as f64)
        })
        .collect()
}

#[test]
fn thread_count_does_not_change_the_graph() {
    let edges = large();
    let in_pool = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| weighted(Duplicates::Sum, &edges))
    };
    let one = in_pool(1);
    assert!(one.1.asymmetric > 0 && one.1.duplicates > one.1.asymmetric);
    assert_eq!(one, in_pool(2));
    assert_eq!(one, in_pool(7));
}

#[test]
fn a_graph_of_many_buckets_is_sound() {
    let edges = large();
    let pairs: Vec<(u32, u32)> = edges.iter().map(|e| (e.0, e.1)).collect();
    let graph = plain(&pairs);
    let parts = (graph.starts().to_vec(), graph.columns().to_vec());
    assert_eq!(Graph::from_parts(parts.0, parts.1, None).unwrap(), graph);
    let mut twin: Vec<(u32, u32)> = pairs.iter().flat_map(|&(u, v)| [(u, v), (v, u)]).collect();
    twin.retain(|(u, v)| u != v);
    twin.sort_unstable();
    twin.dedup();
    let ours =
        (0..graph.len()).flat_map(|i| graph.neighbours(i).iter().map(move |&j| (i as u32, j)));
    assert!(ours.eq(twin.iter().copied()));
}

#[test]
fn row_parts_cover_the_rows_once_and_share_the_entries() {
    let edges: Vec<(u32, u32)> = large().iter().map(|e| (e.0, e.1)).collect();
    let graph = plain(&edges);
    for count in [1, 7, 64, 1000] {
        let parts = graph.row_parts(count);
        assert_eq!(
            (parts.len(), parts[0].start, parts[count - 1].end),
            (count, 0, graph.len())
        );
        assert!(parts.windows(2).all(|p| p[0].end == p[1].start));
        let widest = (0..graph.len())
            .map(|i| graph.row(i).len() + 1)
            .max()
            .unwrap();
        for p in parts {
            let work: usize = p.map(|i| graph.row(i).len() + 1).sum();
            assert!(work <= (graph.entries() + graph.len()) / count + 1 + widest);
        }
    }
}

#[test]
fn nodes_without_edges_are_kept() {
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(5);
    builder.push(1, 3, None).unwrap();
    let (graph, report) = builder.finish(&mut Quiet).unwrap();
    assert_eq!((graph.len(), graph.isolated(), report.isolated), (5, 3, 3));
    assert_eq!(graph.degrees(), [0.0, 1.0, 0.0, 1.0, 0.0]);
    let (graph, _) = GraphBuilder::new(EdgeRules::default())
        .with_nodes(2)
        .finish(&mut Quiet)
        .unwrap();
    assert_eq!((graph.len(), graph.entries()), (2, 0));
}

#[test]
fn components_are_numbered_by_their_smallest_node() {
    let graph = plain(&[(5, 0), (1, 2), (2, 4), (6, 6)]);
    assert_eq!(graph.components(&mut Quiet).unwrap(), [0, 1, 1, 2, 1, 0, 3]);
}

#[test]
fn a_long_path_does_not_overflow_the_stack() {
    let edges: Vec<(u32, u32)> = (0..1_000_000).map(|i| (i, i + 1)).collect();
    assert!(
        plain(&edges)
            .components(&mut Quiet)
            .unwrap()
            .iter()
            .all(|&c| c == 0)
    );
}

#[test]
fn loops_follow_their_rule() {
    let with = |loops| {
        let rules = EdgeRules {
            loops,
            ..EdgeRules::default()
        };
        build(&[(0, 1, Some(2.0)), (1, 1, Some(3.0))], rules)
    };
    let (graph, report) = with(Loops::Drop).unwrap();
    assert_eq!((graph.entries(), report.loops, report.edges), (2, 1, 1));
    let (graph, report) = with(Loops::Keep).unwrap();
    assert_eq!((graph.entries(), report.loops, report.edges), (3, 1, 2));
    assert_eq!(graph.degrees(), [2.0, 5.0]);
    assert_eq!(
        with(Loops::Refuse).unwrap_err().to_string(),
        "edge 1: it joins node 1 to itself; drop it or set loops to drop or keep"
    );
}

#[test]
fn duplicates_follow_their_rule() {
    let edges = [
        (0, 1, 1.0),
        (1, 0, 2.0),
        (0, 1, 6.0),
        (2, 1, 5.0),
        (1, 2, 5.0),
    ];
    for (rule, weight, equal) in [
        (Duplicates::Max, 6.0, 5.0),
        (Duplicates::Sum, 9.0, 10.0),
        (Duplicates::Mean, 3.0, 5.0),
    ] {
        let (graph, report) = weighted(rule, &edges);
        assert_eq!(graph.weights(1), Some([weight, equal].as_slice()));
        assert_eq!(
            (report.duplicates, report.asymmetric, report.edges),
            (3, 1, 2)
        );
    }
    let rules = EdgeRules {
        duplicates: Duplicates::Refuse,
        ..EdgeRules::default()
    };
    let refused = build(&[(3, 1, None), (0, 2, None), (1, 3, None)], rules);
    assert_eq!(
        refused.unwrap_err().to_string(),
        "nodes 1 and 3 are joined more than once; drop the repeated edges or set duplicates to max, sum or mean"
    );
}

#[test]
fn edges_of_weight_zero_are_dropped_and_counted() {
    let (graph, report) = weighted(
        Duplicates::Mean,
        &[(0, 1, 0.0), (1, 0, 3.0), (0, 2, -0.0), (0, 2, 1e-310)],
    );
    assert_eq!((graph.len(), graph.entries()), (3, 2));
    assert_eq!((report.zero_weights, report.isolated), (3, 1));
    assert_eq!(graph.weights(0), Some([3.0].as_slice()));
}

#[test]
fn unusable_edges_are_refused_by_number() {
    for bad in [f64::NAN, f64::INFINITY, -1.0, 1e150] {
        let mut builder = GraphBuilder::new(EdgeRules::default());
        builder.push(0, 1, Some(1.0)).unwrap();
        let error = builder.push(1, 2, Some(bad)).unwrap_err();
        assert!(matches!(error, Error::Edge { edge: 1, .. }), "{error}");
        assert!(error.to_string().contains(&format!("got {bad:e}")));
        // The refused edge left nothing behind.
        assert_eq!(builder.finish(&mut Quiet).unwrap().0.len(), 2);
    }
    let mixed = build(&[(0, 1, Some(1.0)), (0, 1, None)], EdgeRules::default());
    assert!(
        mixed
            .unwrap_err()
            .to_string()
            .starts_with("edge 1: it has no weight")
    );
    let mixed = build(&[(0, 1, None), (0, 1, Some(1.0))], EdgeRules::default());
    assert!(
        mixed
            .unwrap_err()
            .to_string()
            .starts_with("edge 1: it has a weight")
    );
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(3);
    let error = builder.push(0, 3, None).unwrap_err().to_string();
    assert_eq!(
        error,
        "edge 0: node 3 is not among the 3 nodes, 0 to 2; raise their number or drop the edge"
    );
    let mut builder = GraphBuilder::new(EdgeRules::default());
    assert!(matches!(
        builder.push(0, u32::MAX, None),
        Err(Error::Edge { .. })
    ));
}

#[test]
fn a_graph_without_nodes_or_with_too_many_is_refused() {
    let empty = GraphBuilder::new(EdgeRules::default()).finish(&mut Quiet);
    assert!(matches!(empty, Err(Error::Refused { .. })));
    let huge = GraphBuilder::new(EdgeRules::default())
        .with_nodes(1 << 32)
        .finish(&mut Quiet);
    assert!(matches!(huge, Err(Error::Parameter { .. })));
}

#[test]
fn damaged_parts_are_refused() {
    let path = || (vec![0, 1, 3, 4], vec![1, 0, 2, 1]);
    let (starts, columns) = path();
    assert!(Graph::from_parts(starts, columns, None).is_ok());
    type Damage = (&'static str, fn(&mut Vec<u64>, &mut Vec<u32>));
    let damages: [Damage; 9] = [
        ("1 to", |s, _| s.clear()),
        ("not 0", |s, _| s[0] = 1),
        ("before it", |s, _| s[1] = 9),
        ("rows end at", |s, _| s[3] = u64::MAX),
        ("rows end at", |_, c| c.truncate(3)),
        ("ascend below 3", |_, c| c[0] = 3),
        ("ascend below 3", |_, c| c.swap(1, 2)),
        ("ascend below 3", |_, c| c[2] = 0),
        ("not symmetric", |_, c| c[0] = 2),
    ];
    for (says, damage) in damages {
        let (mut starts, mut columns) = path();
        damage(&mut starts, &mut columns);
        let error = Graph::from_parts(starts, columns, None)
            .unwrap_err()
            .to_string();
        assert!(error.contains(says), "{error}");
    }
    for bad in [f64::NAN, 0.0, -1.0, f64::INFINITY, 2.0] {
        let (starts, columns) = path();
        assert!(Graph::from_parts(starts, columns, Some(vec![1.0, bad, 1.0, 1.0])).is_err());
    }
    let (starts, columns) = path();
    assert!(matches!(
        Graph::from_parts(starts, columns, Some(vec![1.0])),
        Err(Error::Shape { .. })
    ));
}

#[test]
fn building_stops_when_the_monitor_breaks() {
    let edges = large();
    let events = std::cell::Cell::new(0);
    let count = |limit: usize| {
        let mut seen = 0;
        let mut builder = GraphBuilder::new(EdgeRules::default());
        for &(u, v, _) in &edges {
            builder.push(u, v, None).unwrap();
        }
        let outcome = builder.finish(&mut |_: Event| {
            seen += 1;
            if seen > limit {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        events.set(seen);
        outcome
    };
    assert!(count(usize::MAX).is_ok());
    let all = events.get();
    // Every stage looks: dealing, sorting, mirroring.
    for limit in [0, all / 4, all / 2, all - 1] {
        assert_eq!(
            count(limit).unwrap_err(),
            Error::Cancelled {
                phase: "building the graph"
            }
        );
    }
}

#[test]
fn rules_are_said_in_kebab_case() {
    let rules: EdgeRules = serde_json::from_str(r#"{"loops":"keep","duplicates":"mean"}"#).unwrap();
    assert_eq!(
        rules,
        EdgeRules {
            loops: Loops::Keep,
            duplicates: Duplicates::Mean
        }
    );
    assert_eq!(
        serde_json::from_str::<EdgeRules>("{}").unwrap(),
        EdgeRules::default()
    );
    assert!(serde_json::from_str::<EdgeRules>(r#"{"loop":"keep"}"#).is_err());
}
