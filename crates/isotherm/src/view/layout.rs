//! Which samples are shown, and where those stand that no smooth function places.

use std::collections::BTreeSet;

use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use super::plane::{Plane, PlaneKind};
use crate::data::Points;
use crate::error::Result;
use crate::linalg::gemm::times;
use crate::linalg::{Mat, svd};

/// Rows that principal components are found from at most.
const PRINCIPAL_ROWS: usize = 1000;

/// The samples to show, ascending.
pub(super) fn shown(total: usize, keep: &[usize], most: usize, seed: u64) -> Vec<usize> {
    if total <= most {
        return (0..total).collect();
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut first: Vec<usize> = keep.iter().copied().filter(|i| *i < total).collect();
    first.shuffle(&mut random);
    // Labels may be so many that nothing else would be seen.
    first.truncate(most / 2);
    let mut chosen: BTreeSet<usize> = first.into_iter().collect();
    let mut order: Vec<usize> = (0..total).collect();
    let (drawn, _) = order.partial_shuffle(&mut random, most.min(total));
    for &i in drawn.iter() {
        if chosen.len() == most {
            break;
        }
        chosen.insert(i);
    }
    chosen.into_iter().collect()
}

/// Samples outside the map stand in rows below it.
pub(super) fn put_aside(positions: &mut [[f64; 2]], aside: &[bool], others: &[usize]) {
    if others.is_empty() {
        return;
    }
    let reach = |axis: usize| {
        let inside = (positions.iter().zip(aside)).filter(|(_, aside)| !**aside);
        let values = inside.map(|(p, _)| p[axis]);
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| {
            (l.min(v), h.max(v))
        })
    };
    let sound = |(low, high): (f64, f64)| {
        if low < high { (low, high) } else { (-1.0, 1.0) }
    };
    let ((left, right), (low, high)) = (sound(reach(0)), sound(reach(1)));
    let across = ((8 * others.len()) as f64).sqrt().ceil().max(8.0) as usize;
    let lines = others.len().div_ceil(across).max(1);
    let (wide, tall) = (right - left, high - low);
    let step = (0.2 * tall / lines as f64).min(0.04 * tall);
    for (place, &k) in others.iter().enumerate() {
        let (line, column) = (place / across, place % across);
        positions[k] = [
            left + wide * (column as f64 + 0.5) / across as f64,
            low - 0.08 * tall - step * line as f64,
        ];
    }
}

/// A graph without a component that could be drawn: nothing tells its nodes apart.
pub(super) fn scattered(samples: Vec<usize>, total: usize) -> Plane {
    let mut positions = vec![[0.0, 0.0]; samples.len()];
    let aside = vec![true; samples.len()];
    let all: Vec<usize> = (0..samples.len()).collect();
    put_aside(&mut positions, &aside, &all);
    Plane {
        samples,
        total,
        kind: PlaneKind::LargestComponent,
        how: "no component has three nodes: places mean nothing".to_owned(),
        axes: ["no meaning".to_owned(), "no meaning".to_owned()],
        positions,
        aside,
        modes: Vec::new(),
    }
}

/// The two leading principal components, found on a sample of the rows.
pub(super) fn principal(points: &Points, seed: u64) -> Result<(Vec<[f64; 2]>, [String; 2])> {
    let (n, d) = (points.len(), points.dim());
    let chosen = shown(n, &[], PRINCIPAL_ROWS, seed);
    let mut mean = vec![0.0; d];
    for &i in &chosen {
        for (m, v) in mean.iter_mut().zip(points.row(i).iter()) {
            *m += v / chosen.len() as f64;
        }
    }
    let mut rows = Mat::zeros(chosen.len(), d);
    for (k, &i) in chosen.iter().enumerate() {
        for (j, v) in points.row(i).iter().enumerate() {
            rows[(k, j)] = v - mean[j];
        }
    }
    let found = svd::thin(rows.as_ref())?;
    let square: f64 = found.values.iter().map(|v| v * v).sum();
    let count = found.v.ncols().min(2);
    let axes = Mat::from_fn(d, count, |i, j| found.v[(i, j)]);
    let mut positions = vec![[0.0; 2]; n];
    for (i, place) in positions.iter_mut().enumerate() {
        let row = points.row(i);
        let centred = Mat::from_fn(1, d, |_, j| row[j] - mean[j]);
        let along = times(centred.as_ref(), axes.as_ref());
        (0..count).for_each(|j| place[j] = along[(0, j)]);
    }
    for j in 0..count {
        let top = positions.iter().map(|p| p[j]);
        let top = top.fold(0.0_f64, |m, v| if v.abs() > m.abs() { v } else { m });
        if top < 0.0 {
            positions.iter_mut().for_each(|p| p[j] = -p[j]);
        }
    }
    let name = |j: usize, word: &str| {
        let own = found.values.get(j).map_or(0.0, |v| v * v);
        let share = if square > 0.0 { own / square } else { 0.0 };
        format!(
            "{word} principal component, {:.0} % of the variance",
            100.0 * share
        )
    };
    Ok((positions, [name(0, "first"), name(1, "second")]))
}
