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

#[test]
fn a_block_keeps_its_shape_and_counts_as_much_as_the_rest() {
    let values: Vec<f64> = (0..40)
        .flat_map(|i| {
            let t = f64::from(i);
            [
                100.0 * t,
                (0.7 * t).sin(),
                3.0 * t.cos(),
                0.1 * (1.3 * t).sin(),
            ]
        })
        .collect();
    let plain = Points::new(values, 40, 4).unwrap();
    let scaled = |points: &Points| {
        let scaling = Standardiser::learn(points, &mut Quiet).unwrap();
        scaling.scale().to_vec()
    };
    let with_block =
        |block: std::ops::Range<usize>| scaled(&plain.clone().with_blocks(vec![block]));
    let before = scaled(&plain);
    let after = with_block(2..4);
    assert_eq!(after[..2], before[..2]);
    assert_eq!(after[2], after[3]);
    // Two columns of variance one stand beside the block.
    let variance = before[2].powi(2) + before[3].powi(2);
    assert!((variance / after[2].powi(2) - 2.0).abs() < 1e-12);
    // A block alone has the variance one, and one beyond the columns is none.
    let alone = with_block(0..4);
    let total: f64 = before.iter().map(|s| s * s).sum();
    assert!((total / alone[0].powi(2) - 1.0).abs() < 1e-12);
    assert_eq!(with_block(2..5), before);
}
