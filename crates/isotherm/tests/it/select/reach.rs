//! Grids of powers on a graph: what lies beyond a power's reach is exactly zero.

use std::sync::Arc;

use isotherm::base::{Base, GraphBase};
use isotherm::data::Links;
use isotherm::data::graph::{EdgeRules, GraphBuilder};
use isotherm::estimator::EvaluationPoints;
use isotherm::estimator::stkr::{Stkr, StkrParams};
use isotherm::monitor::Quiet;
use isotherm::select;
use isotherm::spectrum::Transform;
use isotherm::task::{Observed, OneHot};

/// A path 0 − 1 − … − 11 with a chord, labels at 0 and 4.
fn path() -> (Arc<GraphBase>, Observed) {
    let mut edges = GraphBuilder::new(EdgeRules::default());
    for i in 0..11 {
        edges.push(i, i + 1, None).unwrap();
    }
    edges.push(1, 3, None).unwrap();
    let (graph, _) = edges.finish(&mut Quiet).unwrap();
    let mut labels = vec![None; 12];
    (labels[0], labels[4]) = (Some(0), Some(1));
    let seen = Observed::encode(&OneHot::new(2), &labels).unwrap();
    (Arc::new(GraphBase::new(graph)), seen)
}

#[test]
fn a_power_does_not_reach_beyond_its_hops_beside_an_inverse_laplacian() {
    let (base, seen) = path();
    let transforms = [
        Transform::InverseLaplacian { eta: 0.99 },
        Transform::Power { degree: 1 },
        Transform::Power { degree: 4 },
    ];
    let params = StkrParams::as_printed(transforms[0].clone(), 1e-3);
    let all: Vec<usize> = (0..12).collect();
    let watch = EvaluationPoints::Visible(&all);
    let found = select::blocks(&params, &base, &seen, &transforms, watch, &mut Quiet).unwrap();
    let reach = |block: usize, node: usize| -> bool {
        (0..2).any(|c| found.blocks[block].cross[(node, c)] != 0.0)
    };
    // A walk of one step from 0 or 4; of four; of any number.
    let one: Vec<usize> = all.iter().copied().filter(|&i| reach(1, i)).collect();
    assert_eq!(one, [1, 3, 5]);
    assert!([4, 6, 8].into_iter().all(|i| reach(2, i)) && (9..12).all(|i| !reach(2, i)));
    assert!(all.iter().all(|&i| reach(0, i)));

    // The same numbers as the estimator's own label block.
    for (k, transform) in transforms.iter().enumerate() {
        let params = StkrParams::as_printed(transform.clone(), 1e-3);
        let own = Stkr::new(params)
            .unwrap()
            .prepare_shared(base.clone(), &mut Quiet)
            .unwrap()
            .label_block(&seen, &all, &mut Quiet)
            .unwrap();
        let scale = own.gram[(0, 0)].abs().max(own.gram[(1, 1)].abs()).max(12.0);
        for c in 0..2 {
            for i in 0..12 {
                let gap = (own.cross[(i, c)] - found.blocks[k].cross[(i, c)]).abs();
                // Both are solved to 1e-10; condition 200.
                assert!(gap <= 2e-8 * scale, "{transform:?} at {i}: {gap:e}");
            }
        }
    }
}

#[test]
fn a_new_node_beyond_a_powers_reach_scores_exactly_zero() {
    let (base, seen) = path();
    // One new node beside 5, one beside 11: two hops and eight from label 4.
    let links = Links::new(2, 12, &[(0, 5, 1.0), (1, 11, 1.0)]).unwrap();
    let transforms = [
        Transform::Power { degree: 2 },
        Transform::InverseLaplacian { eta: 0.9 },
    ];
    let params = StkrParams::as_printed(transforms[0].clone(), 1e-3);
    let watch = EvaluationPoints::New(&links);
    let found = select::blocks(&params, &base, &seen, &transforms, watch, &mut Quiet).unwrap();
    let cross = &found.blocks[0].cross;
    assert!(cross[(0, 1)] > 0.0);
    assert_eq!([cross[(1, 0)], cross[(1, 1)]], [0.0, 0.0]);
    assert!(found.blocks[1].cross[(1, 1)] > 0.0);
}

#[test]
fn an_inverse_laplacian_by_tridiagonal_solves_equals_the_one_by_eigenproblems() {
    let (base, _) = path();
    let gram = base.gram();
    for eta in [0.5, 0.99, 0.999999] {
        let transform = Transform::InverseLaplacian { eta };
        // A closure says nothing of its form, so it is taken by eigenproblems.
        let plain = move |x: f64| x / (1.0 - eta * x);
        let mut rhs = isotherm::linalg::Block::zeros(12, 2).unwrap();
        (rhs.row_mut(0)[0], rhs.row_mut(7)[1]) = (1.0, -3.0);
        let all: Vec<usize> = (0..12).collect();
        let (found, report) = isotherm::solve::lanczos::functions(
            isotherm::solve::lanczos::Target::new(&*gram),
            rhs,
            &[&transform, &plain],
            &all,
            1e-12,
            100,
            &mut Quiet,
        )
        .unwrap();
        assert!(report.error <= 1e-8);
        let scale = found[1].norm_l2();
        let gap = (&found[0] - &found[1]).norm_l2();
        // Both lose 1/(1 − η) of the arithmetic's digits.
        assert!(
            gap <= 1e-14 / (1.0 - eta) * scale,
            "η = {eta}: {gap:e} of {scale:e}"
        );
    }
}

/// A ring of 80 cliques of six: many eigenvalues next to 1, so Lanczos needs
/// hundreds of steps and a mode that is taken out has time to come back.
#[test]
fn a_grid_near_one_on_a_slow_graph_converges_and_stops() {
    let mut edges = GraphBuilder::new(EdgeRules::default());
    for c in 0..80_u32 {
        for a in 0..6 {
            for b in 0..a {
                edges.push(6 * c + a, 6 * c + b, None).unwrap();
            }
        }
        edges.push(6 * c, (6 * c + 9) % 480, None).unwrap();
    }
    let (graph, _) = edges.finish(&mut Quiet).unwrap();
    let mut labels = vec![None; 480];
    for k in 0..12 {
        labels[37 * k + 5] = Some((k % 3) as u32);
    }
    let seen = Observed::encode(&OneHot::new(3), &labels).unwrap();
    let base = Arc::new(GraphBase::new(graph));
    let transforms = isotherm::select::grid::ETAS.map(|eta| Transform::InverseLaplacian { eta });
    let params = StkrParams::as_printed(transforms[0].clone(), 1.0);
    let rows: Vec<usize> = (0..480).collect();
    let watch = EvaluationPoints::Visible(&rows);
    let found = select::blocks(&params, &base, &seen, &transforms, watch, &mut Quiet).unwrap();
    let report = &found.blocks[0].report;
    // A Krylov space of 480 dimensions at most, a few times over for rounding.
    assert!(report.iterations < 4 * 480, "{report:?}");
    assert!(report.residual <= 1e-8, "{report:?}");
}
