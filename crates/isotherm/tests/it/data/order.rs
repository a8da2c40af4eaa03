use std::ops::ControlFlow;

use isotherm::Error;
use isotherm::data::graph::{EdgeRules, Graph, GraphBuilder};
use isotherm::data::{Order, cuthill_mckee};
use isotherm::linalg::Mat;
use isotherm::monitor::{Event, Quiet};
use proptest::prelude::*;

fn graph(nodes: usize, edges: &[(u32, u32)]) -> Graph {
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(nodes);
    for &(u, v) in edges {
        builder.push(u, v, None).unwrap();
    }
    builder.finish(&mut Quiet).unwrap().0
}

fn bandwidth(graph: &Graph) -> usize {
    let rows = 0..graph.len();
    rows.flat_map(|i| {
        graph
            .neighbours(i)
            .iter()
            .map(move |&j| i.abs_diff(j as usize))
    })
    .max()
    .unwrap_or(0)
}

proptest! {
    #[test]
    fn an_order_holds_every_node_once(edges in prop::collection::vec((0_u32..30, 0_u32..30), 0..60)) {
        let graph = graph(30, &edges);
        let order = cuthill_mckee(&graph, &mut Quiet).unwrap();
        let mut sources = order.sources().to_vec();
        sources.sort_unstable();
        prop_assert!(sources.into_iter().eq(0..30));
        for i in 0..30 {
            prop_assert_eq!(order.new_of(order.old(i) as u32), i as u32);
        }
    }
}

#[test]
fn a_shuffled_path_gets_bandwidth_one_back() {
    // 1009 is prime: the names run through all residues.
    let name = |i: u32| i * 7 % 1009;
    let edges: Vec<(u32, u32)> = (0..1008).map(|i| (name(i), name(i + 1))).collect();
    let path = graph(1009, &edges);
    assert!(bandwidth(&path) > 1);
    let order = cuthill_mckee(&path, &mut Quiet).unwrap();
    assert_eq!(bandwidth(&path.permuted(&order, &mut Quiet).unwrap()), 1);
}

#[test]
fn what_is_not_a_permutation_is_refused() {
    assert!(Order::new(vec![1, 0, 2]).is_ok());
    for bad in [vec![0, 0], vec![0, 2], vec![u32::MAX]] {
        assert!(matches!(Order::new(bad), Err(Error::Refused { .. })));
    }
    let error = graph(3, &[(0, 1)])
        .permuted(&Order::identity(2), &mut Quiet)
        .unwrap_err();
    assert!(matches!(
        error,
        Error::Shape {
            expected: 3,
            got: 2,
            ..
        }
    ));
}

#[test]
fn rows_moved_there_and_back_are_where_they_were() {
    let order = Order::new(vec![2, 0, 3, 1]).unwrap();
    let source = Mat::from_fn(4, 3, |i, j| (10 * i + j) as f64);
    let (mut there, mut back) = (Mat::zeros(4, 3), Mat::zeros(4, 3));
    order.permute_rows(source.as_ref(), there.as_mut()).unwrap();
    assert_eq!(there[(0, 1)], source[(2, 1)]);
    order
        .inverse()
        .permute_rows(there.as_ref(), back.as_mut())
        .unwrap();
    assert_eq!(back, source);
    assert!(
        order
            .permute_rows(source.as_ref(), Mat::zeros(4, 2).as_mut())
            .is_err()
    );
}

#[test]
fn ordering_stops_when_the_monitor_breaks() {
    let edges: Vec<(u32, u32)> = (0..100_000).map(|i| (i, i + 1)).collect();
    let graph = graph(100_001, &edges);
    let mut seen = 0;
    let mut monitor = |_: Event| {
        seen += 1;
        if seen > 3 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let stopped = cuthill_mckee(&graph, &mut monitor);
    assert_eq!(
        stopped.unwrap_err(),
        Error::Cancelled {
            phase: "ordering the nodes"
        }
    );
}
