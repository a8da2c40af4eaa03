use isotherm::data::scaling::constant_columns;
use isotherm::data::{Points, Standardiser};
use isotherm::monitor::Quiet;
use isotherm::testing::random;

fn table(n: usize, shift: f64, scale: f64) -> Points {
    let m = random(n, 3, 5);
    let values = (0..3 * n).map(|k| shift + scale * m[(k / 3, k % 3)]);
    Points::new(values.collect(), n, 3).unwrap()
}

#[test]
fn standardised_columns_have_mean_zero_and_variance_one() {
    // More rows than one tile, and an offset that would cost a one-pass
    // variance all its digits.
    for (shift, scale) in [(0.0, 1.0), (1e9, 1.0), (-3.0, 1e-6)] {
        let points = table(10_000, shift, scale);
        let learned = Standardiser::learn(&points, &mut Quiet).unwrap();
        let scaled = learned.apply(points, &mut Quiet).unwrap();
        for j in 0..3 {
            let column: Vec<f64> = (0..10_000).map(|i| scaled.row(i)[j]).collect();
            let mean = column.iter().sum::<f64>() / 1e4;
            let variance = column.iter().map(|v| v * v).sum::<f64>() / 1e4;
            // A mean is a number near the offset, so it is off by half a unit in its last place.
            let allowed = 1e-12 + 1e-15 * (shift / scale).abs();
            assert!(
                mean.abs() < allowed && (variance - 1.0).abs() < 1e-6,
                "{mean} {variance}"
            );
        }
    }
}

#[test]
fn constant_columns_become_zero_not_infinite() {
    for value in [0.0, 0.1, 1e100] {
        let points = Points::new(vec![value, 1.0, value, 2.0, value, 4.0], 3, 2).unwrap();
        assert_eq!(constant_columns(&points), [0]);
        let learned = Standardiser::learn(&points, &mut Quiet).unwrap();
        let scaled = learned.apply(points, &mut Quiet).unwrap();
        for i in 0..3 {
            assert!(scaled.row(i)[0].abs() <= 1e-13 * value.max(1.0), "{value}");
        }
    }
}

#[test]
fn what_rounding_left_of_a_constant_column_is_not_blown_up() {
    for dust in [1e-31, 1e-17] {
        let centre = if dust < 1e-30 { 0.0 } else { 1.0 };
        let value = |i: usize| centre + dust * [0.0, 1.0, -1.0][i % 3];
        let values = (0..12).flat_map(|i| [value(i), i as f64]).collect();
        let points = Points::new(values, 12, 2).unwrap();
        assert_eq!(constant_columns(&points), [0]);
        let learned = Standardiser::learn(&points, &mut Quiet).unwrap();
        let scaled = learned.apply(points, &mut Quiet).unwrap();
        for i in 0..12 {
            assert!(scaled.row(i)[0].abs() <= 1e-15, "{dust}");
        }
    }
}

#[test]
fn the_thread_count_does_not_change_the_bits() {
    let points = table(30_000, 1.0, 2.0);
    let learn = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| Standardiser::learn(&points, &mut Quiet).unwrap())
    };
    assert!(learn(1) == learn(2) && learn(1) == learn(7));
}

#[test]
fn stored_scales_are_checked() {
    assert!(Standardiser::from_parts(vec![0.0], vec![1.0]).is_ok());
    for (mean, scale) in [
        (vec![0.0], vec![]),
        (vec![f64::NAN], vec![1.0]),
        (vec![0.0], vec![0.0]),
        (vec![0.0], vec![-1.0]),
    ] {
        assert!(Standardiser::from_parts(mean, scale).is_err());
    }
    let narrow = Standardiser::from_parts(vec![0.0], vec![1.0]).unwrap();
    assert!(narrow.apply(table(2, 0.0, 1.0), &mut Quiet).is_err());
}
