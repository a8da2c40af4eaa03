//! Landmarks against slow twins, and what every way of choosing them promises.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::data::Points;
use crate::kernel::{Cosine, Gaussian, Geometry, Kernel, Linear, Polynomial};
use crate::landmark::{Selection, choose, kmeans, leverage, pivoted, uniform};
use crate::linalg::{Mat, eigen};
use crate::monitor::{Event, Quiet};
use crate::operator::gram::Gram;
use crate::testing::random;
use crate::{Error, Result};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const ALL: [Selection; 4] = [
    Selection::Uniform,
    Selection::Leverage,
    Selection::Pivoted,
    Selection::KmeansPlusPlus,
];

fn points(rows: usize, dim: usize, seed: u64) -> Points {
    let m = random(rows, dim, seed);
    let values = (0..rows * dim).map(|k| m[(k / dim, k % dim)]).collect();
    Points::new(values, rows, dim).unwrap()
}

fn gaussian(bandwidth: f64) -> Gaussian {
    Gaussian::new(bandwidth).unwrap()
}

fn chosen(points: &Points, kernel: &dyn Kernel, count: usize, how: Selection) -> Vec<usize> {
    choose(points, kernel, count, how, 7, &mut Quiet).unwrap()
}

/// K, entry by entry.
fn dense(points: &Points, kernel: &dyn Kernel) -> Mat<f64> {
    let n = points.len();
    Mat::from_fn(n, n, |i, j| {
        let (x, z) = (points.row(i), points.row(j));
        let pair = || x.iter().zip(z.iter());
        let t = match kernel.geometry() {
            Geometry::SquaredDistance => pair().map(|(x, z)| (x - z).powi(2)).sum(),
            Geometry::Manhattan => pair().map(|(x, z)| (x - z).abs()).sum(),
            Geometry::InnerProduct => pair().map(|(x, z)| x * z).sum(),
            Geometry::Cosine => panic!("no test needs it"),
        };
        kernel.at(t)
    })
}

/// `tr(K − K_nJ K_JJ⁺ K_Jn)` from an eigendecomposition of K_JJ.
fn nystrom_error(k: &Mat<f64>, chosen: &[usize]) -> f64 {
    let p = chosen.len();
    let e = eigen::symmetric(Mat::from_fn(p, p, |a, b| k[(chosen[a], chosen[b])]).as_ref());
    let e = e.unwrap();
    let largest = e.values.iter().fold(0.0_f64, |m, v| m.max(*v));
    let cut = 1e-12 * largest;
    let mut left = 0.0;
    for i in 0..k.nrows() {
        left += k[(i, i)];
        for c in (0..p).filter(|&c| e.values[c] > cut) {
            let along: f64 = (0..p).map(|a| k[(i, chosen[a])] * e.vectors[(a, c)]).sum();
            left -= along * along / e.values[c];
        }
    }
    left
}

/// Two clusters of `big` rows and one of `tiny`, far apart.
fn clustered(big: usize, tiny: usize, seed: u64) -> Points {
    let noise = random(2 * big + tiny, 3, seed);
    let mut values = Vec::new();
    for i in 0..2 * big + tiny {
        let centre = if i >= 2 * big {
            [0.0, 40.0, 0.0]
        } else {
            [20.0 * (i % 2) as f64, 0.0, 0.0]
        };
        values.extend((0..3).map(|a| centre[a] + noise[(i, a)]));
    }
    Points::new(values, 2 * big + tiny, 3).unwrap()
}

// ---- twins

#[test]
fn scores_against_all_rows_are_the_exact_ridge_leverage_scores() {
    for (dim, kernel) in [
        (3, Box::new(gaussian(0.7)) as Box<dyn Kernel>),
        (12, Box::new(gaussian(2.0))),
        (4, Box::new(Linear)),
        (2, Box::new(Polynomial::new(3, 1.0, 1.0).unwrap())),
    ] {
        let x = points(150, dim, 3);
        let k = dense(&x, &*kernel);
        let e = eigen::symmetric(k.as_ref()).unwrap();
        // Any order of the pilot.
        let all: Vec<usize> = (0..150).map(|i| (i * 7) % 150).collect();
        for ridge in [1e-1, 1e-3, 1e-5] {
            let scores = leverage::scores(&x, &*kernel, &all, ridge, &mut Quiet).unwrap();
            let shift = ridge * 150.0;
            let largest = e.values.iter().fold(0.0_f64, |m, v| m.max(*v));
            // Cancelling k_ii against what is explained costs ‖K‖ε, divided by λn.
            let tolerance = 1e-15 + 10.0 * largest * f64::EPSILON / shift;
            for (i, score) in scores.iter().enumerate() {
                let exact: f64 = (0..150)
                    .map(|c| e.vectors[(i, c)].powi(2) * e.values[c] / (e.values[c] + shift))
                    .sum();
                let off = (score - exact).abs();
                assert!(
                    off <= tolerance,
                    "{kernel:?} {ridge} row {i}: {score} {exact}"
                );
            }
        }
    }
}

/// `[K S(SᵀKS + λnI)⁻¹SᵀK]` with S of weights √(n/q), as in the papers.
#[test]
fn scores_against_a_pilot_weigh_its_rows_by_n_over_q() {
    let (x, kernel, ridge) = (points(90, 2, 4), gaussian(0.5), 1e-3);
    let k = dense(&x, &kernel);
    let pilot = [5, 80, 3, 44, 17, 60, 61, 62, 9, 30];
    let weight = 90.0 / 10.0;
    let system = Mat::from_fn(10, 10, |a, b| {
        weight * k[(pilot[a], pilot[b])] + if a == b { ridge * 90.0 } else { 0.0 }
    });
    let e = eigen::symmetric(system.as_ref()).unwrap();
    let scores = leverage::scores(&x, &kernel, &pilot, ridge, &mut Quiet).unwrap();
    for i in 0..90 {
        let explained: f64 = (0..10)
            .map(|c| {
                let along = (0..10).map(|a| weight.sqrt() * k[(i, pilot[a])] * e.vectors[(a, c)]);
                along.sum::<f64>().powi(2) / e.values[c]
            })
            .sum();
        let twin = ((k[(i, i)] - explained) / (ridge * 90.0)).clamp(0.0, 1.0);
        assert!(
            (scores[i] - twin).abs() < 1e-11,
            "{i}: {} {twin}",
            scores[i]
        );
    }
    assert!(scores.iter().any(|s| *s < 0.9), "the cut hides the formula");
}

#[test]
fn the_ridge_makes_the_pilots_effective_dimension_at_most_the_count() {
    for bandwidth in [0.05, 0.3, 1.0, 3.0] {
        let (x, kernel) = (points(120, 2, 5), gaussian(bandwidth));
        let pilot: Vec<usize> = (0..60).map(|i| 2 * i).collect();
        let e = eigen::symmetric(dense(&x.select(&pilot).unwrap(), &kernel).as_ref()).unwrap();
        for count in [1, 4, 15, 30, 60] {
            let ridge = leverage::ridge(&x, &kernel, &pilot, count, &mut Quiet).unwrap();
            assert!(ridge >= f64::EPSILON.sqrt());
            let shift = 60.0 * ridge;
            let dimension: f64 = e.values.iter().map(|v| v / (v + shift)).sum();
            assert!(
                dimension <= count as f64 + 1e-9,
                "{bandwidth} {count}: {dimension}"
            );
        }
    }
}

#[test]
fn draws_without_replacement_have_the_probabilities_of_draws_one_by_one() {
    let weights = [0.5, 0.0, 2.0, 1.0, 0.25];
    let total: f64 = weights.iter().sum();
    let trials = 40_000_u32;
    let mut pairs = [[0_u32; 5]; 5];
    for seed in 0..u64::from(trials) {
        let drawn = leverage::without_replacement(&weights, 2, seed);
        pairs[drawn[0]][drawn[1]] += 1;
    }
    for (i, row) in pairs.iter().enumerate() {
        for (j, seen) in row.iter().enumerate() {
            let next = if i == j {
                0.0
            } else {
                weights[j] / (total - weights[i])
            };
            let p = weights[i] / total * next;
            // Five standard deviations.
            let spread = 5.0 * (f64::from(trials) * p * (1.0 - p)).sqrt();
            let off = (f64::from(*seen) - f64::from(trials) * p).abs();
            assert!(off <= spread, "{i}, {j}: {seen} of {trials} for {p}");
        }
    }
    let all = leverage::without_replacement(&weights, 5, 3);
    assert_eq!(all[4], 1, "weight 0 comes last");
}

/// Greedy by its definition: a fresh elimination of the whole matrix a step.
fn greedy(mut k: Mat<f64>, count: usize) -> (Vec<usize>, Vec<f64>) {
    let n = k.nrows();
    let trace = |k: &Mat<f64>| (0..n).map(|i| k[(i, i)]).sum::<f64>();
    let (mut index, mut left) = (Vec::new(), vec![trace(&k)]);
    for _ in 0..count {
        let at = (0..n).fold(0, |b, i| if k[(i, i)] > k[(b, b)] { i } else { b });
        index.push(at);
        k = Mat::from_fn(n, n, |i, j| {
            k[(i, j)] - k[(i, at)] * k[(at, j)] / k[(at, at)]
        });
        left.push(trace(&k));
    }
    (index, left)
}

#[test]
fn pivots_are_those_of_dense_elimination() {
    for (rows, dim, kernel) in [
        (300, 2, Box::new(gaussian(0.3)) as Box<dyn Kernel>),
        (270, 20, Box::new(gaussian(2.0))),
        (140, 1, Box::new(gaussian(0.02))),
        (200, 5, Box::new(Polynomial::new(2, 1.0, 0.5).unwrap())),
    ] {
        let x = points(rows, dim, 6);
        // 21 monomials of degree 2 in 5 variables; one fewer stays clear of rounding.
        let pivots = pivoted::pivots(&x, &*kernel, 20, &mut Quiet).unwrap();
        let (index, left) = greedy(dense(&x, &*kernel), 20);
        assert_eq!(pivots.index, index, "{kernel:?}");
        assert_eq!(pivots.left.len(), 21);
        for (a, b) in pivots.left.iter().zip(&left) {
            assert!((a - b).abs() <= 1e-11 * left[0], "{kernel:?}: {a} {b}");
        }
        assert_eq!(chosen(&x, &*kernel, 20, Selection::Pivoted), index);
    }
}

#[test]
fn what_pivots_leave_is_the_nystrom_error() {
    let (x, kernel) = (points(160, 3, 8), gaussian(0.6));
    let k = dense(&x, &kernel);
    let pivots = pivoted::pivots(&x, &kernel, 25, &mut Quiet).unwrap();
    for p in [1, 7, 25] {
        let error = nystrom_error(&k, &pivots.index[..p]);
        assert!((pivots.left[p] - error).abs() < 1e-10 * pivots.left[0]);
    }
}

/// k-means++ that measures every distance again at each draw.
fn slow_seeding(points: &Points, count: usize, seed: u64) -> Vec<usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut chosen = vec![rng.random_range(0..points.len())];
    while chosen.len() < count {
        let square = |i: usize, j: usize| -> f64 {
            let (x, z) = (points.row(i), points.row(j));
            let pair = x.iter().zip(z.iter());
            pair.map(|(x, z)| (x - z).powi(2)).sum()
        };
        let squares: Vec<f64> = (0..points.len())
            .map(|i| {
                chosen
                    .iter()
                    .map(|&z| square(i, z))
                    .fold(f64::INFINITY, f64::min)
            })
            .collect();
        let mut left = rng.random::<f64>() * squares.iter().sum::<f64>();
        let passed = squares.iter().position(|s| {
            left -= s;
            left < 0.0
        });
        chosen.push(passed.unwrap());
    }
    chosen
}

#[test]
fn kmeans_seeds_are_those_of_distances_measured_again() {
    for (rows, dim, count) in [(2500, 3, 30), (1024, 1, 12), (70, 17, 70)] {
        let x = points(rows, dim, 9);
        for seed in 0..4 {
            let fast = kmeans::seed(&x, count, seed, &mut Quiet).unwrap();
            assert_eq!(
                fast,
                slow_seeding(&x, count, seed),
                "{rows} × {dim}, {seed}"
            );
        }
    }
}

#[test]
fn uniform_draws_every_row_alike() {
    let x = points(10, 2, 10);
    let trials = 20_000_u32;
    let mut seen = [0_u32; 10];
    for seed in 0..u64::from(trials) {
        for i in uniform::draw(&x, 3, seed, &mut Quiet).unwrap() {
            seen[i] += 1;
        }
    }
    let expected = 0.3 * f64::from(trials);
    for s in seen {
        // Five standard deviations of a binomial.
        assert!(
            (f64::from(s) - expected).abs() < 5.0 * (0.7 * expected).sqrt(),
            "{seen:?}"
        );
    }
}

// ---- properties

#[test]
fn every_way_gives_as_many_distinct_rows_as_asked() {
    for (rows, dim) in [(1, 1), (2, 3), (40, 1), (129, 2), (260, 11)] {
        let x = points(rows, dim, 11);
        // Narrow enough that no residual is rounding.
        let kernel = gaussian(1e-3);
        for how in ALL {
            for count in [1, rows / 2, rows].into_iter().filter(|c| *c > 0) {
                let mut rows = chosen(&x, &kernel, count, how);
                if how != Selection::Pivoted {
                    assert!(rows.is_sorted());
                }
                rows.sort_unstable();
                rows.dedup();
                assert_eq!(rows.len(), count, "{how:?}");
                assert!(rows.iter().all(|i| *i < x.len()));
            }
        }
    }
}

#[test]
fn the_seed_decides_and_pivots_need_none() {
    let (x, kernel) = (points(400, 2, 12), gaussian(0.5));
    for how in ALL {
        let run = |seed| choose(&x, &kernel, 20, how, seed, &mut Quiet).unwrap();
        assert_eq!(run(1), run(1));
        assert_eq!(run(1) == run(2), how == Selection::Pivoted, "{how:?}");
    }
}

#[test]
fn pivots_follow_the_rows_when_these_change_places() {
    let n = 331;
    let x = points(n, 3, 13);
    // Row 0 stays: under a Gaussian all k_ii are equal and the first row is taken.
    let order: Vec<usize> = (0..n).map(|i| (i * 50) % n).collect();
    let moved = x.select(&order).unwrap();
    let kernel = gaussian(0.8);
    let back = |rows: Vec<usize>| rows.iter().map(|&i| order[i]).collect::<Vec<_>>();
    let how = Selection::Pivoted;
    assert_eq!(
        back(chosen(&moved, &kernel, 30, how)),
        chosen(&x, &kernel, 30, how)
    );
    // Inner products have one largest k_ii, so any order will do.
    let order: Vec<usize> = (0..n).map(|i| (i * 50 + 17) % n).collect();
    let moved = x.select(&order).unwrap();
    let kernel = Polynomial::new(3, 1.0, 1.0).unwrap();
    let back = |rows: Vec<usize>| rows.iter().map(|&i| order[i]).collect::<Vec<_>>();
    assert_eq!(
        back(chosen(&moved, &kernel, 15, how)),
        chosen(&x, &kernel, 15, how)
    );
}

#[test]
fn a_gaussian_chooses_the_same_rows_wherever_the_table_is() {
    for dim in [1, 3, 10] {
        // On a grid, so that moving is exact.
        let grid = |v: f64| (v * 4096.0).round() / 4096.0;
        let values: Vec<f64> = points(300, dim, 14)
            .contiguous()
            .unwrap()
            .iter()
            .map(|v| grid(*v))
            .collect();
        let moved = values.iter().map(|v| v + 37.0).collect();
        let x = Points::new(values, 300, dim).unwrap();
        let moved = Points::new(moved, 300, dim).unwrap();
        let kernel = gaussian(0.5);
        for how in ALL {
            assert_eq!(
                chosen(&x, &kernel, 25, how),
                chosen(&moved, &kernel, 25, how)
            );
        }
    }
}

#[test]
fn the_thread_count_changes_no_bit() {
    let (x, kernel) = (points(3000, 9, 15), gaussian(1.0));
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let pilot: Vec<usize> = (0..300).collect();
            let rows: Vec<_> = ALL
                .iter()
                .map(|how| chosen(&x, &kernel, 60, *how))
                .collect();
            let ridge = leverage::ridge(&x, &kernel, &pilot, 150, &mut Quiet).unwrap();
            let scores = leverage::scores(&x, &kernel, &pilot, ridge, &mut Quiet).unwrap();
            let bits: Vec<u64> = scores.iter().map(|s| s.to_bits()).collect();
            let pivots = pivoted::pivots(&x, &kernel, 60, &mut Quiet).unwrap();
            (rows, ridge.to_bits(), bits, pivots)
        })
    };
    let one = run(1);
    assert!(one == run(2));
    assert!(one == run(7));
}

// ---- equal rows, degenerate kernels

#[test]
fn of_equal_rows_only_the_first_is_chosen() {
    for dim in [1, 3, 12] {
        let distinct = points(30, dim, 16);
        // Every row three times, in a mixed order.
        let order: Vec<usize> = (0..90).map(|i| (i * 7) % 30).collect();
        let x = distinct.select(&order).unwrap();
        let first: Vec<usize> = (0..30).collect();
        let kernel = gaussian(0.01);
        for how in ALL {
            for count in [1, 10, 29] {
                let rows = chosen(&x, &kernel, count, how);
                assert_eq!(rows.len(), count, "{how:?}");
                assert!(rows.iter().all(|i| *i < 30), "{how:?} {rows:?}");
            }
            for count in [30, 31, 90] {
                let mut rows = chosen(&x, &kernel, count, how);
                rows.sort_unstable();
                assert_eq!(rows, first, "{how:?}: fewer distinct rows than asked");
            }
        }
    }
}

/// 60 single rows and 40 copies of one, all far apart. The pilot has about 4 copies and
/// λ ≈ 0.3, so the copies sum to 40/(40 + λn) ≈ 0.57, a single row has 1/(1 + λn) ≈ 0.03,
/// and five draws meet the copies about 7 times in 10; by one copy's score, 1 in 30.
#[test]
fn scores_of_copies_add_up() {
    let values = (0..100)
        .map(|i| f64::from(if i % 5 < 2 { 0 } else { i }))
        .collect();
    let x = Points::new(values, 100, 1).unwrap();
    let kernel = gaussian(0.05);
    let met = (0..200)
        .filter(|&seed| {
            leverage::draw(&x, &kernel, 5, seed, &mut Quiet)
                .unwrap()
                .contains(&0)
        })
        .count();
    assert!((100..190).contains(&met), "{met} of 200");
}

#[test]
fn zero_and_minus_zero_are_one_value() {
    let x = Points::new(vec![1.0, 0.0, 2.0, -0.0, 0.0], 5, 1).unwrap();
    for how in ALL {
        let mut rows = chosen(&x, &gaussian(0.1), 5, how);
        rows.sort_unstable();
        assert_eq!(rows, [0, 1, 2], "{how:?}");
    }
}

#[test]
fn pivots_stop_at_the_rank() {
    let x = points(200, 4, 17);
    assert_eq!(chosen(&x, &Linear, 50, Selection::Pivoted).len(), 4);
    assert_eq!(chosen(&x, &Linear, 3, Selection::Pivoted).len(), 3);
    // Proportional rows are one direction.
    let values: Vec<f64> = (1..=60)
        .flat_map(|i| [f64::from(i), 2.0 * f64::from(i)])
        .collect();
    let line = Points::new(values, 60, 2).unwrap();
    assert_eq!(chosen(&line, &Cosine, 9, Selection::Pivoted).len(), 1);
    // The others go on: the rank is not theirs to judge.
    for how in [
        Selection::Uniform,
        Selection::Leverage,
        Selection::KmeansPlusPlus,
    ] {
        assert_eq!(chosen(&x, &Linear, 50, how).len(), 50);
    }
}

#[test]
fn a_kernel_of_zeros_is_refused_where_it_is_looked_at() {
    let x = Points::new(vec![0.0; 12], 6, 2).unwrap();
    let error = choose(&x, &Linear, 2, Selection::Pivoted, 0, &mut Quiet).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the kernel is 0 on every row; choose another kernel, or features that are not all zero"
    );
    assert_eq!(chosen(&x, &Linear, 2, Selection::Uniform), [0]);
    let error = leverage::ridge(&x, &Linear, &[0, 1], 1, &mut Quiet).unwrap_err();
    assert!(matches!(error, Error::Refused { .. }));
    // A pilot may see zeros only, as long as the table holds more.
    let mut values = vec![0.0; 400];
    (0..4).for_each(|k| values[7 * k + 1] = 1.0 + k as f64);
    let x = Points::new(values, 400, 1).unwrap();
    assert_eq!(chosen(&x, &Linear, 2, Selection::Leverage).len(), 2);
}

/// `1 − t` on distances: symmetric, and not positive.
#[derive(Debug)]
struct Tent;

impl Kernel for Tent {
    fn geometry(&self) -> Geometry {
        Geometry::SquaredDistance
    }

    fn value(&self, tile: &mut [f64]) {
        tile.iter_mut().for_each(|t| *t = 1.0 - *t);
    }
}

#[test]
fn kernels_that_are_not_positive_or_overflow_are_refused() {
    let x = points(50, 2, 18);
    for how in [Selection::Pivoted, Selection::Leverage] {
        let error = choose(&x, &Tent, 10, how, 0, &mut Quiet).unwrap_err();
        assert!(
            matches!(error, Error::Indefinite { .. }),
            "{how:?}: {error}"
        );
        let large: Vec<f64> = x.contiguous().unwrap().iter().map(|v| v * 1e140).collect();
        let large = Points::new(large, 50, 2).unwrap();
        let kernel = Polynomial::new(3, 1.0, 1.0).unwrap();
        let error = choose(&large, &kernel, 10, how, 0, &mut Quiet).unwrap_err();
        assert!(matches!(error, Error::NotFinite { .. }), "{how:?}: {error}");
    }
    assert_eq!(chosen(&x, &Tent, 10, Selection::Uniform).len(), 10);
}

// ---- refusals, cancelling

#[test]
fn counts_without_rows_to_match_are_refused() {
    let x = points(40, 2, 19);
    for how in ALL {
        for count in [0, 41] {
            let error = choose(&x, &gaussian(1.0), count, how, 0, &mut Quiet).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!(
                    "the number of landmarks must be at least 1 and at most the number of \
                     rows, 40, got {count}"
                )
            );
        }
    }
    let kernel = gaussian(1.0);
    for ridge in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = leverage::scores(&x, &kernel, &[0], ridge, &mut Quiet).unwrap_err();
        assert!(matches!(error, Error::Parameter { .. }));
    }
    let error = leverage::scores(&x, &kernel, &[40], 1.0, &mut Quiet).unwrap_err();
    assert!(matches!(error, Error::Shape { .. }));
    let error = leverage::scores(&x, &kernel, &[], 1.0, &mut Quiet).unwrap_err();
    assert!(matches!(error, Error::Refused { .. }));
    let error = leverage::ridge(&x, &kernel, &[1], 0, &mut Quiet).unwrap_err();
    assert!(matches!(error, Error::Parameter { .. }));
}

#[test]
fn every_way_can_be_stopped_at_every_look() {
    let (x, kernel) = (points(300, 2, 20), gaussian(0.5));
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    for how in ALL {
        let run = |stop_at: usize| -> (Result<Vec<usize>>, usize) {
            let mut looks = 0;
            let mut monitor = |_: Event| {
                looks += 1;
                if looks > stop_at {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            let rows = choose(&x, &kernel, 12, how, 0, &mut monitor);
            (rows, looks)
        };
        pool.install(|| {
            let (whole, looks) = run(usize::MAX);
            whole.unwrap();
            assert!(
                looks >= if how == Selection::Uniform { 2 } else { 12 },
                "{how:?}: {looks}"
            );
            for stop_at in 0..looks {
                let (rows, _) = run(stop_at);
                assert!(
                    matches!(rows, Err(Error::Cancelled { .. })),
                    "{how:?} {stop_at}"
                );
            }
        });
    }
}

#[test]
fn selections_are_named_in_files() {
    let names = [
        "\"uniform\"",
        "\"leverage\"",
        "\"pivoted\"",
        "\"kmeans-plus-plus\"",
    ];
    for (how, name) in ALL.iter().zip(names) {
        assert_eq!(serde_json::to_string(how).unwrap(), name);
        assert_eq!(serde_json::from_str::<Selection>(name).unwrap(), *how);
    }
    assert_eq!(Selection::default(), Selection::Uniform);
}

// ---- what it is for

/// The mean Nyström error of each way over seeds, 2 × `big` + `tiny` rows.
fn errors(big: usize, tiny: usize, bandwidth: f64, count: usize) -> [f64; 4] {
    const SEEDS: u64 = 30;
    let mut means = [0.0; 4];
    for seed in 0..SEEDS {
        let x = clustered(big, tiny, 100 + seed);
        let gram = Gram::new(Arc::new(x.clone()), Box::new(gaussian(bandwidth)));
        let k = gram.matrix(&x, &mut Quiet).unwrap();
        for (mean, how) in means.iter_mut().zip(ALL) {
            let rows = choose(&x, &gaussian(bandwidth), count, how, seed, &mut Quiet).unwrap();
            *mean += nystrom_error(&k, &rows) / SEEDS as f64;
        }
    }
    means
}

/// The kernel is wide within a cluster, so missing the tiny one is most of the error.
#[test]
fn with_a_tiny_cluster_uniform_landmarks_miss_most() {
    let [uniform, leverage, pivoted, kmeans] = errors(300, 6, 3.0, 20);
    let told = format!("{uniform:.3} {leverage:.3} {pivoted:.3} {kmeans:.3}");
    assert!(leverage < uniform, "{told}");
    assert!(pivoted < leverage, "{told}");
    assert!(kmeans < uniform, "{told}");
}

/// The kernel is narrow within a cluster; nothing is claimed for leverage scores.
#[test]
fn greed_and_distance_beat_uniform_landmarks_inside_clusters_too() {
    let [uniform, leverage, pivoted, kmeans] = errors(250, 4, 1.0, 30);
    let told = format!("{uniform:.3} {leverage:.3} {pivoted:.3} {kmeans:.3}");
    assert!(pivoted < uniform, "{told}");
    assert!(kmeans < uniform, "{told}");
}
