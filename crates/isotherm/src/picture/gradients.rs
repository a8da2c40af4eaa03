//! Histograms of oriented gradients.
//!
//! N. Dalal and B. Triggs, *Histograms of oriented gradients for human detection* (2005).

use std::f64::consts::PI;

/// Pixels on a side of a cell.
pub(crate) const CELL: usize = 8;

/// Directions of gradients, a gradient and its opposite being one.
pub(crate) const DIRECTIONS: usize = 9;

/// No part of a block of length one is larger, before it is brought to length one again.
const CUT: f64 = 0.2;

/// Added to squared lengths: what a picture without edges has in its histograms stays small.
const FLAT: f64 = 1e-4;

/// For each block of two by two cells the histograms of the directions of its gradients, all
/// blocks together of length at most one; zero for an even picture.
///
/// A pixel's gradient is the difference of its neighbours, the border repeated. Its length is
/// shared between the two nearest directions and the up to four nearest cells. Every block is
/// brought to length one, its entries cut at 0.2, and brought to length one again.
pub(crate) fn histograms(grey: &[f64], side: usize) -> Vec<f64> {
    let cells = side / CELL;
    let mut sums = vec![[0.0; DIRECTIONS]; cells * cells];
    let at = |x: usize, y: usize| grey[y.min(side - 1) * side + x.min(side - 1)];
    for y in 0..side {
        for x in 0..side {
            let across = at(x + 1, y) - at(x.saturating_sub(1), y);
            let down = at(x, y + 1) - at(x, y.saturating_sub(1));
            let length = across.hypot(down);
            if length == 0.0 {
                continue;
            }
            let direction = down.atan2(across).rem_euclid(PI) / PI * DIRECTIONS as f64;
            let nearest = direction.floor();
            let part = direction - nearest;
            let first = nearest as usize % DIRECTIONS;
            for (row, high) in near(y, cells) {
                for (column, wide) in near(x, cells) {
                    let sum = &mut sums[row * cells + column];
                    sum[first] += length * high * wide * (1.0 - part);
                    sum[(first + 1) % DIRECTIONS] += length * high * wide * part;
                }
            }
        }
    }
    let mut out = Vec::new();
    for row in 1..cells {
        for column in 1..cells {
            let start = out.len();
            for cell in [
                (row - 1, column - 1),
                (row - 1, column),
                (row, column - 1),
                (row, column),
            ] {
                out.extend_from_slice(&sums[cell.0 * cells + cell.1]);
            }
            let block = &mut out[start..];
            to_unit(block);
            block.iter_mut().for_each(|v| *v = v.min(CUT));
            to_unit(block);
        }
    }
    let blocks = ((cells - 1) * (cells - 1)) as f64;
    out.iter_mut().for_each(|v| *v /= blocks.sqrt());
    out
}

/// The cells whose centres are nearest to a pixel along one side, and its share in each.
fn near(pixel: usize, cells: usize) -> impl Iterator<Item = (usize, f64)> + Clone {
    let place = (pixel as f64 + 0.5) / CELL as f64 - 0.5;
    let below = place.floor();
    let part = place - below;
    [(below, 1.0 - part), (below + 1.0, part)]
        .into_iter()
        .filter(move |(cell, _)| *cell >= 0.0 && *cell < cells as f64)
        .map(|(cell, share)| (cell as usize, share))
}

fn to_unit(block: &mut [f64]) {
    let length = (block.iter().map(|v| v * v).sum::<f64>() + FLAT).sqrt();
    block.iter_mut().for_each(|v| *v /= length);
}
