//! Learning curves on a small set, without data files.
#![allow(clippy::unwrap_used)]

use isotherm_experiments::query::{Plan, small};

#[test]
fn curves_start_alike_and_choosing_beats_random_on_two_rings() {
    let plan = Plan {
        seeds: 4,
        points: vec![3, 6, 9, 12],
    };
    let curves = small(&plan).unwrap();
    assert_eq!(curves.len(), 4 * 8);
    let mut means = std::collections::BTreeMap::new();
    for curve in &curves {
        let first = curves.iter().find(|c| c.seed == curve.seed).unwrap();
        assert_eq!(curve.all[0], first.all[0], "{}", curve.strategy);
        for k in 0..4 {
            // Right among the rest, plus the labelled rows, is right among all.
            let labels = (3 + 3 * k) as f64;
            let rest = curve.rest[k] * (120.0 - labels) / 100.0;
            assert!((curve.all[k] - (rest + labels) / 1.2).abs() < 1e-9);
            assert!((0.0..=100.0).contains(&curve.ledger[k]));
        }
        *means.entry(curve.strategy.clone()).or_insert(0.0) += curve.all[3] / 4.0;
    }
    // Rings are one component each or two: twelve chosen labels tell every row, and
    // no strategy is below the coin that both rings would be without labels.
    assert!(means["cover"] >= means["random"], "{means:?}");
    assert!(means.values().all(|m| *m > 50.0), "{means:?}");
}
