//! Partial orders against all permutations.

use crate::monitor::Quiet;
use crate::partial::{Observations, Options, PartialCodec, PartialOrder, disambiguate};
use crate::task::{Codec, Ranking};
use crate::testing::random;

use super::{falls, heaps, penalty};
use crate::unit::task::rankings::permutations;

fn some_orders() -> Vec<PartialOrder> {
    vec![
        PartialOrder::new(5, vec![(3, 1)]),
        PartialOrder::sequence(5, &[4, 0, 2]),
        PartialOrder::positions(&[Some(2), None, Some(0), Some(2), Some(1)]),
        PartialOrder::sequence(5, &[1, 0, 4, 3, 2]),
        PartialOrder::new(5, vec![(0, 1), (2, 1), (1, 3), (1, 4)]),
    ]
}

#[test]
fn the_start_is_the_average_over_all_rankings_that_are_allowed() {
    let codec = Ranking::new(5).unwrap();
    for known in some_orders() {
        let kept = known.precedence();
        let all: Vec<Vec<usize>> = permutations(5)
            .into_iter()
            .filter(|o| kept.allows(o))
            .collect();
        let mut mean = [0.0; 10];
        let mut row = [0.0; 10];
        for order in &all {
            codec.encode(&Ranking::positions(order), &mut row);
            mean.iter_mut()
                .zip(&row)
                .for_each(|(m, v)| *m += v / all.len() as f64);
        }
        codec.start(&known, &mut row);
        for (a, b) in row.iter().zip(&mean) {
            assert!((a - b).abs() < 1e-12, "{row:?} {mean:?}");
        }
    }
}

#[test]
fn the_nearest_ranking_is_the_nearest_of_all_that_are_allowed() {
    let codec = Ranking::new(5).unwrap();
    let scores = random(20, 10, 3);
    for known in some_orders() {
        let kept = known.precedence();
        for i in 0..20 {
            let g: Vec<f64> = scores.row(i).iter().copied().collect();
            let mut row = [0.0; 10];
            let far = |row: &[f64]| {
                row.iter()
                    .zip(&g)
                    .map(|(a, b)| (a - b).powi(2))
                    .sum::<f64>()
            };
            let mut least = f64::INFINITY;
            for order in permutations(5).iter().filter(|o| kept.allows(o)) {
                codec.encode(&Ranking::positions(order), &mut row);
                least = least.min(far(&row));
            }
            codec.nearest(&g, &known, &mut row);
            assert!((far(&row) - least).abs() < 1e-12);
        }
    }
}

#[test]
fn neighbours_complete_each_others_orders() {
    // In one heap the order is 0 1 2 3, in the other 3 2 1 0; each sample says some of it.
    let codec = Ranking::new(4).unwrap();
    let m = penalty(&heaps(8, 1.0, 7), 0.02);
    let said = (0..16).map(|i| {
        let mut some: Vec<u32> = (0..4).filter(|item| *item != (i % 4) as u32).collect();
        if i >= 8 {
            some.reverse();
        }
        (i, PartialOrder::sequence(4, &some))
    });
    let known = Observations::gather(&codec, said, 16).unwrap();
    let found = disambiguate(&codec, m.as_ref(), &known, Options::default(), &mut Quiet).unwrap();
    falls(&found.objective);
    assert!(found.converged);
    for (i, label) in found.labels(&codec).into_iter().enumerate() {
        assert_eq!(label, if i < 8 { [0, 1, 2, 3] } else { [3, 2, 1, 0] });
    }
}

#[test]
fn many_items_keep_their_orders_too() {
    let codec = Ranking::new(16).unwrap();
    let known = PartialOrder::sequence(16, &[15, 3, 8, 0]);
    let mut row = vec![0.0; codec.width()];
    codec.start(&known, &mut row);
    assert!(row.iter().all(|v| v.is_finite()));
    let scores = random(1, codec.width(), 1);
    let g: Vec<f64> = scores.row(0).iter().copied().collect();
    codec.nearest(&g, &known, &mut row);
    let places = codec.decode(&row);
    assert!(places[15] < places[3] && places[3] < places[8] && places[8] < places[0]);
}
