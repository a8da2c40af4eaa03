//! Numbers of pictures beside what follows from their definitions, the slow and obvious way.

use std::f64::consts::PI;

use crate::picture::{Picture, histograms, squared};

/// Numbers from 0 to 255 without order.
fn noise(count: usize, mut seed: u64) -> Vec<u8> {
    let next = |_| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 56) as u8
    };
    (0..count).map(next).collect()
}

/// Every pixel of the result as a weighted mean over all pixels of the picture.
fn slowly_squared(rgb: &[u8], (width, height): (usize, usize), side: usize) -> Vec<[f64; 3]> {
    let weight = |j: usize, i: usize, from: usize| {
        let ratio = from as f64 / side as f64;
        let apart = (j as f64 + 0.5 - (i as f64 + 0.5) * ratio).abs();
        (1.0 - apart / ratio.max(1.0)).max(0.0)
    };
    let mut out = Vec::new();
    for row in 0..side {
        for column in 0..side {
            let (mut sum, mut all) = ([0.0; 3], 0.0);
            for y in 0..height {
                for x in 0..width {
                    let w = weight(x, column, width) * weight(y, row, height);
                    all += w;
                    for (k, s) in sum.iter_mut().enumerate() {
                        *s += w * f64::from(rgb[3 * (y * width + x) + k]) / 255.0;
                    }
                }
            }
            out.push(sum.map(|s| s / all));
        }
    }
    out
}

/// Every block by itself: all pixels, all directions, the kernels of both written out.
fn slow_histograms(grey: &[f64], side: usize) -> Vec<f64> {
    let at = |x: i64, y: i64| {
        let end = side as i64 - 1;
        grey[(y.clamp(0, end) * side as i64 + x.clamp(0, end)) as usize]
    };
    // The share of a pixel in the cell that begins at pixel 8k, and of a direction in one of nine.
    let share = |pixel: i64, cell: usize| {
        let centre = 8.0 * cell as f64 + 4.0;
        (1.0 - (pixel as f64 + 0.5 - centre).abs() / 8.0).max(0.0)
    };
    let alike = |angle: f64, k: usize| {
        let apart = (angle - k as f64 * PI / 9.0).rem_euclid(PI);
        (1.0 - apart.min(PI - apart) / (PI / 9.0)).max(0.0)
    };
    let cell = |row: usize, column: usize, k: usize| {
        let mut sum = 0.0;
        for y in 0..side as i64 {
            for x in 0..side as i64 {
                let (gx, gy) = (at(x + 1, y) - at(x - 1, y), at(x, y + 1) - at(x, y - 1));
                sum += gx.hypot(gy) * alike(gy.atan2(gx), k) * share(y, row) * share(x, column);
            }
        }
        sum
    };
    let unit = |block: Vec<f64>| -> Vec<f64> {
        let length = (block.iter().map(|v| v * v).sum::<f64>() + 1e-4).sqrt();
        block.iter().map(|v| v / length).collect()
    };
    let blocks = side / 8 - 1;
    let mut out = Vec::new();
    for (row, column) in (0..blocks * blocks).map(|b| (b / blocks, b % blocks)) {
        let corners = [(0, 0), (0, 1), (1, 0), (1, 1)];
        let block = corners
            .iter()
            .flat_map(|(down, right)| (0..9).map(move |k| (row + down, column + right, k)));
        let block = unit(block.map(|(r, c, k)| cell(r, c, k)).collect());
        let cut = block.into_iter().map(|v| v.min(0.2)).collect();
        out.extend(unit(cut).into_iter().map(|v| v / blocks as f64));
    }
    out
}

fn assert_near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (k, (a, b)) in found.iter().zip(expected).enumerate() {
        // Both sum some thousand products of numbers up to one.
        assert!((a - b).abs() < 1e-12, "{k}: {a}, expected {b}");
    }
}

#[test]
fn a_picture_of_any_size_is_stretched_as_the_slow_sum_says() {
    for (width, height) in [(1, 1), (3, 2), (8, 8), (5, 40), (70, 33), (100, 1)] {
        let rgb = noise(3 * width * height, (width + 100 * height) as u64);
        let fast = squared(&rgb, (width, height), 16);
        let slow = slowly_squared(&rgb, (width, height), 16);
        assert_near(fast.as_flattened(), slow.as_flattened());
    }
}

#[test]
fn histograms_are_those_of_the_slow_sum() {
    for seed in 0..3 {
        let grey: Vec<f64> = noise(32 * 32, seed)
            .iter()
            .map(|v| f64::from(*v) / 255.0)
            .collect();
        assert_near(&histograms(&grey, 32), &slow_histograms(&grey, 32));
    }
}

#[test]
fn a_vertical_edge_has_gradients_across_and_no_others() {
    let grey: Vec<f64> = (0..32 * 32)
        .map(|at| if at % 32 < 16 { 0.0 } else { 1.0 })
        .collect();
    for (k, v) in histograms(&grey, 32).iter().enumerate() {
        let edge = k % 9 == 0;
        assert!(if edge { *v >= 0.0 } else { *v == 0.0 }, "{k}: {v}");
    }
    let all: f64 = histograms(&grey, 32).iter().map(|v| v * v).sum();
    assert!(all > 0.5 && all <= 1.0, "{all}");
}

#[test]
fn an_even_grey_picture_is_zero_and_colours_have_their_own_numbers() {
    // 127.5 is no byte: the patch of 127 is 2/8·(127/255 − ½) in each pixel.
    let grey = vec![127; 3 * 9 * 7];
    let found = Picture::new(9, 7, &grey).unwrap().features();
    assert_eq!(found.len(), Picture::FEATURES);
    assert!(found.iter().all(|v| v.abs() < 0.001), "{found:?}");
    let red: Vec<u8> = [255, 0, 0].repeat(12 * 12);
    let found = Picture::new(12, 12, &red).unwrap().features();
    let colours = &found[found.len() - 32..];
    // Red is 1 − 0.299 above brightness and blue 0.299 below, as far as 32 bits go.
    for (k, v) in colours.iter().enumerate() {
        let expected = if k < 16 { 0.701 } else { -0.299 };
        assert!((v - expected).abs() < 1e-6, "{k}: {v}");
    }
}

#[test]
fn pictures_without_pixels_and_with_others_than_said_are_refused() {
    assert!(Picture::new(0, 4, &[]).is_err());
    assert!(Picture::new(2, 2, &[0; 11]).is_err());
    assert!(Picture::new(usize::MAX, 3, &[0; 12]).is_err());
    let one = Picture::new(1, 1, &[9, 200, 31]).unwrap().features();
    assert!(one.iter().all(|v| v.is_finite()));
}
