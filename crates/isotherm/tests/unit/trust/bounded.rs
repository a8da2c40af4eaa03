//! Intervals of losses that have a bound.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::trust::bounded::of_bounded_mean;
use crate::trust::clopper_pearson;

/// Shares of wrong tags and Kendall distances: coarse, fine, skewed and nearly constant.
#[test]
fn intervals_of_bounded_losses_cover_and_are_not_the_whole_range() {
    const DRAWS: usize = 500;
    type Loss = fn(&mut ChaCha8Rng) -> f64;
    fn share(random: &mut ChaCha8Rng, tags: u32, p: f64) -> f64 {
        let wrong = (0..tags).filter(|_| random.random::<f64>() < p).count();
        wrong as f64 / f64::from(tags)
    }
    let losses: [(&str, f64, Loss); 4] = [
        ("four tags, one in ten wrong", 0.1, |r| share(r, 4, 0.1)),
        ("one tag, one in twenty wrong", 0.05, |r| share(r, 1, 0.05)),
        ("even", 0.5, |r| r.random::<f64>()),
        ("hardly differing", 0.3, |r| 0.25 + 0.1 * r.random::<f64>()),
    ];
    for (name, truth, loss) in losses {
        for n in [8, 30, 100] {
            let (mut covered, mut width) = (0, 0.0);
            for run in 0..DRAWS {
                let mut random = ChaCha8Rng::seed_from_u64((n * 1000 + run) as u64);
                let drawn: Vec<f64> = (0..n).map(|_| loss(&mut random)).collect();
                let found = of_bounded_mean(&drawn, 1.0, 0.95, 1.0, run as u64).unwrap();
                covered += usize::from(found.low <= truth && truth <= found.high);
                width += (found.high - found.low) / DRAWS as f64;
            }
            assert!(covered >= 475, "{name}, {n}: {covered} of {DRAWS}");
            if n == 100 {
                // Hoeffding's, for any spread, is 0.27 wide.
                assert!(width < 0.25, "{name}: {width}");
            }
        }
    }
}

#[test]
fn a_bounded_interval_holds_its_mean_and_scales_with_its_bound() {
    let values = [0.0, 0.5, 0.25, 0.0, 1.0, 0.0, 0.75];
    let one = of_bounded_mean(&values, 1.0, 0.9, 1.0, 3).unwrap();
    let four: Vec<f64> = values.iter().map(|v| 4.0 * v).collect();
    let wide = of_bounded_mean(&four, 4.0, 0.9, 1.0, 3).unwrap();
    // Powers of two scale without rounding.
    assert_eq!((4.0 * one.low, 4.0 * one.high), (wide.low, wide.high));
    let mean = values.iter().sum::<f64>() / 7.0;
    assert!(0.0 < one.low && one.low < mean && mean < one.high && one.high < 1.0);
    let zero = of_bounded_mean(&[0.0; 8], 1.0, 0.95, 1.0, 0).unwrap();
    let exact = clopper_pearson(0, 8, 0.95).unwrap();
    // No interval that holds for all bounded losses is shorter than the exact one of shares.
    assert!(zero.low == 0.0 && zero.high >= exact.high && zero.high < 0.45);
    assert!(of_bounded_mean(&[1.1], 1.0, 0.9, 1.0, 0).is_err());
    assert!(of_bounded_mean(&[], 1.0, 0.9, 1.0, 0).is_err());
}

#[test]
fn eight_losses_of_zero_leave_room_above() {
    let found = of_bounded_mean(&[0.0; 8], 1.0, 0.95, 1.0, 0).unwrap();
    assert!(found.low == 0.0 && found.high > 0.3 && found.high < 0.5);
}
