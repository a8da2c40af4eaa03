use crate::data::Points;
use crate::linalg::distance::squared_distance;
use crate::linalg::pairwise::{Anchors, Geometry, PANEL, ROWS};
use crate::linalg::rows::Flat;
use proptest::prelude::*;

use super::super::squared;
use crate::testing::random_points;

/// Every tile put together, queries × anchors.
fn whole(geometry: Geometry, queries: &[f64], anchors: &[f64], d: usize) -> Vec<Vec<f64>> {
    let prepared = Anchors::over(geometry, Flat::new(anchors, d));
    let mut scratch = vec![f64::NAN; ROWS * PANEL];
    let mut rows = Vec::new();
    for block in queries.chunks(ROWS * d) {
        let block = prepared.load(block);
        let mut part = vec![Vec::new(); block.len()];
        for p in 0..prepared.panels() {
            let tile = prepared.tile(&block, p, &mut scratch);
            for (row, strip) in part.iter_mut().zip(tile.chunks(prepared.panel(p).len())) {
                row.extend_from_slice(strip);
            }
        }
        rows.extend(part);
    }
    rows
}

fn dot(x: &[f64], z: &[f64]) -> f64 {
    x.iter().zip(z).map(|(x, z)| x * z).sum()
}

#[test]
fn tiles_equal_the_naive_double_loop() {
    // More than one block and one panel, not multiples of either.
    for d in [1, 2, 5, 8, 9, 23, 64] {
        let (x, z) = (
            random_points(ROWS + 37, d, 1),
            random_points(2 * PANEL + 19, d, 2),
        );
        let r = whole(
            Geometry::SquaredDistance,
            x.contiguous().unwrap(),
            z.contiguous().unwrap(),
            d,
        );
        let p = whole(
            Geometry::InnerProduct,
            x.contiguous().unwrap(),
            z.contiguous().unwrap(),
            d,
        );
        let c = whole(
            Geometry::Cosine,
            x.contiguous().unwrap(),
            z.contiguous().unwrap(),
            d,
        );
        for i in 0..x.len() {
            for j in 0..z.len() {
                let (x, z) = (&*x.row(i), &*z.row(j));
                let naive = squared(x, z);
                // 10³ rounding units for what the product cancels at worst.
                assert!(
                    (r[i][j] - naive).abs() <= 1e-12 * naive,
                    "d = {d}, ({i}, {j})"
                );
                assert!((p[i][j] - dot(x, z)).abs() <= 1e-14 * d as f64);
                let cosine = dot(x, z) / (dot(x, x) * dot(z, z)).sqrt();
                assert!((c[i][j] - cosine).abs() <= 1e-14);
            }
        }
    }
}

#[test]
fn far_from_the_origin_matches_the_direct_distance() {
    for d in [3, 12, 50] {
        let near = random_points(150, d, 3);
        let far: Vec<f64> = near.contiguous().unwrap().iter().map(|v| v + 1e6).collect();
        let r = whole(Geometry::SquaredDistance, &far, &far, d);
        for i in 0..150 {
            for j in 0..150 {
                let direct = squared(&far[i * d..(i + 1) * d], &far[j * d..(j + 1) * d]);
                assert!(
                    (r[i][j] - direct).abs() <= 1e-12 * direct,
                    "d = {d}, ({i}, {j})"
                );
            }
        }
    }
}

#[test]
fn equal_rows_are_at_distance_exactly_zero_wherever_they_are() {
    for d in [2, 9, 40] {
        for shift in [0.0, 1.0, 1e6, 1e12] {
            let mut rows: Vec<f64> = random_points(40, d, 4)
                .contiguous()
                .unwrap()
                .iter()
                .map(|v| v + shift)
                .collect();
            let again = rows.clone();
            rows.extend(&again);
            let r = whole(Geometry::SquaredDistance, &rows, &rows, d);
            for i in 0..80 {
                assert_eq!(r[i][i].to_bits(), 0, "d = {d}, shift {shift}");
                assert_eq!(r[i][(i + 40) % 80].to_bits(), 0);
            }
        }
    }
}

#[test]
fn near_duplicates_are_as_exact_as_the_direct_sum() {
    let d = 20;
    let x = random_points(30, d, 5);
    for step in [1e-2, 1e-5, 1e-9, 1e-14] {
        let moved: Vec<f64> = x.contiguous().unwrap().iter().map(|v| v + step).collect();
        let r = whole(
            Geometry::SquaredDistance,
            x.contiguous().unwrap(),
            &moved,
            d,
        );
        for i in 0..30 {
            let direct = squared(&x.row(i), &moved[i * d..(i + 1) * d]);
            assert!((r[i][i] - direct).abs() <= 1e-14 * direct, "step {step}");
        }
    }
}

#[test]
fn translation_changes_distances_by_rounding_only() {
    let d = 16;
    let (x, z) = (random_points(50, d, 6), random_points(60, d, 7));
    // A power of two is added exactly to multiples of 2⁻³⁰.
    let grid = |v: &f64| (v * f64::from(1 << 30)).round() / f64::from(1 << 30);
    let (x, z): (Vec<f64>, Vec<f64>) = (
        x.contiguous().unwrap().iter().map(grid).collect(),
        z.contiguous().unwrap().iter().map(grid).collect(),
    );
    let move_all = |v: &[f64]| v.iter().map(|v| v + 4096.0).collect::<Vec<f64>>();
    let here = whole(Geometry::SquaredDistance, &x, &z, d);
    let there = whole(Geometry::SquaredDistance, &move_all(&x), &move_all(&z), d);
    for (a, b) in here.iter().flatten().zip(there.iter().flatten()) {
        assert!((a - b).abs() <= 1e-12 * a);
    }
}

#[test]
fn permuting_rows_permutes_the_tiles() {
    let d = 24;
    let (x, z) = (random_points(200, d, 8), random_points(300, d, 9));
    let order: Vec<usize> = (0..300).map(|i| (i * 77) % 300).collect();
    let shuffled = z.select(&order).unwrap();
    let a = whole(
        Geometry::InnerProduct,
        x.contiguous().unwrap(),
        z.contiguous().unwrap(),
        d,
    );
    let b = whole(
        Geometry::InnerProduct,
        x.contiguous().unwrap(),
        shuffled.contiguous().unwrap(),
        d,
    );
    for (a, b) in a.iter().zip(&b) {
        for (j, &from) in order.iter().enumerate() {
            assert!((b[j] - a[from]).abs() <= 1e-14);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn direct_distance_equals_the_sum(
        pairs in prop::collection::vec((-1e3..1e3_f64, -1e3..1e3_f64), 0..70)
    ) {
        let (x, z): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let sum = squared(&x, &z);
        prop_assert!((squared_distance(&x, &z) - sum).abs() <= 1e-14 * sum);
        prop_assert_eq!(squared_distance(&x, &z).to_bits(), squared_distance(&z, &x).to_bits());
        prop_assert_eq!(squared_distance(&x, &x), 0.0);
    }

    #[test]
    fn no_distance_is_negative_whatever_the_scale(
        values in prop::collection::vec(-1.0..1.0_f64, 30 * 10),
        scale in -140..140_i32,
        shift in -1e9..1e9_f64,
    ) {
        let scale = 10f64.powi(scale);
        let rows: Vec<f64> = values.iter().map(|v| (v + shift) * scale).collect();
        let rows: Vec<f64> = rows.iter().map(|v| v.clamp(-9e149, 9e149)).collect();
        for t in whole(Geometry::SquaredDistance, &rows, &rows, 10).iter().flatten() {
            prop_assert!(*t >= 0.0 && t.is_finite());
        }
    }
}

/// Rows of which most numbers are zero: every third equals one before it, every fourth is near.
fn mostly_zeros(n: usize, d: usize, seed: u64) -> Vec<f64> {
    let draw = random_points(n, d, seed);
    let mut rows: Vec<f64> = draw.contiguous().unwrap().to_vec();
    for (i, v) in rows.iter_mut().enumerate() {
        if (i * 7919 + i / d) % 11 > 1 {
            *v = 0.0;
        }
    }
    for i in (3..n).step_by(3) {
        rows.copy_within((i - 3) * d..(i - 2) * d, i * d);
    }
    for i in (4..n).step_by(4) {
        rows.copy_within((i - 4) * d..(i - 3) * d, i * d);
        rows[i * d..(i + 1) * d]
            .iter_mut()
            .for_each(|v| *v *= 1.0 + 1e-7);
    }
    rows
}

#[test]
fn tiles_of_sparse_rows_equal_those_of_the_same_rows_with_their_zeros() {
    let d = 40;
    let (x, z) = (
        mostly_zeros(ROWS + 37, d, 1),
        mostly_zeros(2 * PANEL + 19, d, 2),
    );
    // So that pairs of near and of equal rows are among them.
    let x: Vec<f64> = [&x[..], &z[..60 * d]].concat();
    let sparse = |rows: &[f64]| {
        let points = Points::new(rows.to_vec(), rows.len() / d, d).unwrap();
        points.made_sparse().unwrap()
    };
    let (queries, anchors) = (sparse(&x), sparse(&z));
    for geometry in [
        Geometry::SquaredDistance,
        Geometry::Manhattan,
        Geometry::InnerProduct,
        Geometry::Cosine,
    ] {
        let expected = whole(geometry, &x, &z, d);
        let prepared = Anchors::over(geometry, &anchors);
        assert!(prepared.numbers_compared() < d / 4);
        let mut scratch = vec![f64::NAN; ROWS * PANEL];
        for (first, rows) in (0..queries.len())
            .step_by(ROWS)
            .map(|first| (first, first..(first + ROWS).min(queries.len())))
        {
            let loaded = prepared.load_from(&queries, rows.clone());
            let dense = queries.tile(rows.clone());
            for p in 0..prepared.panels() {
                let panel = prepared.panel(p);
                let tile = prepared.tile(&loaded, p, &mut scratch).to_vec();
                // Dense queries of sparse anchors are the same to the bit.
                assert_eq!(tile, prepared.tile(&prepared.load(&dense), p, &mut scratch));
                for (i, strip) in tile.chunks(panel.len()).enumerate() {
                    for (j, found) in panel.clone().zip(strip) {
                        let expected = expected[first + i][j];
                        let scale = if geometry.is_distance() {
                            expected
                        } else {
                            1.0 + expected.abs()
                        };
                        // Near rows are summed directly on both sides, others cancel to at least
                        // a thousandth of their terms.
                        assert!(
                            (found - expected).abs() <= 1e-11 * scale,
                            "{geometry:?} {found} {expected}"
                        );
                    }
                }
            }
        }
    }
}
