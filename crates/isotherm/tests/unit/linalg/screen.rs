use crate::linalg::distance::squared_distance;
use crate::linalg::screen::Screen;

use crate::testing::random_points;

/// Whether the comparison of the search lets every pair pass at its own distance.
fn passes(rows: &[f64], dim: usize) -> bool {
    let n = rows.len() / dim;
    let screen = Screen::new(rows, dim, vec![0, n / 3, n], &[]);
    let rounded = screen.load(rows);
    let mut tile = vec![0.0; n * n];
    (0..screen.panels()).all(|p| {
        let (panel, halves) = (screen.panel(p), screen.halves(p));
        let tile = screen.tile(&rounded.rows, p, &mut tile);
        (0..n).all(|i| {
            panel.clone().enumerate().all(|(j, other)| {
                let (x, z) = (
                    &rows[i * dim..(i + 1) * dim],
                    &rows[other * dim..(other + 1) * dim],
                );
                let wall = screen.half(squared_distance(x, z)) - rounded.halves[i];
                tile[i * panel.len() + j] >= halves[j] - wall
            })
        })
    })
}

#[test]
fn no_pair_is_excluded_at_its_own_distance() {
    for dim in [1, 2, 7, 50, 300] {
        let points = random_points(90, dim, 1);
        for scale in [1.0, 1e140, 1e-140, 1e-165, 1e-300] {
            let rows: Vec<f64> = points
                .contiguous()
                .unwrap()
                .iter()
                .map(|v| v * scale)
                .collect();
            assert!(passes(&rows, dim), "{dim} columns at {scale}");
            let far: Vec<f64> = rows.iter().map(|v| v + 1e7 * scale).collect();
            assert!(passes(&far, dim), "{dim} columns about {}", 1e7 * scale);
        }
        // Sizes from 1 to 1e-45 in one table, and every row twice.
        let mut rows: Vec<f64> = points.contiguous().unwrap().to_vec();
        for (i, row) in rows.chunks_mut(dim).enumerate() {
            row.iter_mut()
                .for_each(|v| *v *= 10_f64.powi(-(i as i32) / 2));
        }
        assert!(passes(&rows.repeat(2), dim), "{dim} columns of many sizes");
    }
    assert!(passes(&[0.0; 30], 3), "all rows equal");
}

#[test]
fn pairs_clearly_beyond_a_threshold_are_excluded() {
    let points = random_points(60, 50, 2);
    let screen = Screen::new(points.contiguous().unwrap(), 50, vec![0, 60], &[]);
    let rounded = screen.load(points.contiguous().unwrap());
    let mut tile = vec![0.0; 60 * 60];
    let tile = screen.tile(&rounded.rows, 0, &mut tile);
    for i in 0..60 {
        for j in (0..60).filter(|j| *j != i) {
            let squared = squared_distance(&points.row(i), &points.row(j));
            // The bound is within about 2(d + 32)u of the terms: 1e-5.
            let wall = screen.half(squared * (1.0 - 5e-5)) - rounded.halves[i];
            assert!(tile[i * 60 + j] < screen.halves(0)[j] - wall);
        }
    }
}
