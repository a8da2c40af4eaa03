//! The sets, and what is hidden of their labels.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use isotherm::data::scaling::Standardiser;
use isotherm::data::{Points, split};
use isotherm::monitor::Quiet;
use isotherm::partial::{Candidates, Flags, PartialOrder};
use isotherm_io::npy::NpyArray;
use isotherm_io::npz::read_npz;
use isotherm_io::{Cells, Limits};
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// Rows kept of the sets that have more; the draw's seed is 0.
const MOST_ROWS: [(&str, usize); 2] = [("pl_birdsong", 2000), ("lr_sushi", 1000)];

/// What is known of a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A set of classes, as published.
    Candidates,
    /// Half of the flags, drawn.
    Flags,
    /// The order of half of the items, drawn.
    Orders,
}

/// Rows with the truth and what is known of it.
#[derive(Debug)]
pub struct Set<L, O> {
    /// Standardised columns.
    pub points: Points,
    /// Classes, flags or items.
    pub width: usize,
    /// True labels; nothing but reporting and the oracle sees them.
    pub truths: Vec<L>,
    /// What the methods see.
    pub known: Vec<O>,
    /// Whether that leaves one label only.
    pub clear: Vec<bool>,
}

struct Raw {
    points: Points,
    arrays: BTreeMap<String, NpyArray>,
    rows: Vec<usize>,
}

fn numbers(array: &NpyArray) -> Result<Vec<f64>> {
    Ok(match &array.cells {
        Cells::Float(values) => values.values().to_vec(),
        Cells::Integer(values) => values.values().iter().map(|v| *v as f64).collect(),
        _ => bail!("an array that holds no numbers"),
    })
}

impl Raw {
    fn read(name: &str, directory: &Path) -> Result<Self> {
        let path = directory.join(format!("{name}.npz"));
        let arrays = read_npz(&path, Limits::default(), &mut Quiet)?;
        let x = numbers(arrays.get("X").context("no X")?)?;
        let y = arrays.get("y").context("no y")?;
        let total = y.shape.first().copied().context("y has no rows")?;
        let dim = x.len() / total;
        let most = MOST_ROWS.iter().find(|(set, _)| *set == name);
        let rows = match most {
            Some((_, most)) => {
                let mut rows = split::uniform(total, &[*most], 0)?.swap_remove(0);
                rows.sort_unstable();
                rows
            }
            None => (0..total).collect(),
        };
        let some: Vec<f64> = (rows.iter())
            .flat_map(|i| x[i * dim..(i + 1) * dim].iter().copied())
            .collect();
        let (some, dim) = match name {
            "lr_sushi" => written_out(&some, dim, 3),
            _ => (some, dim),
        };
        let points = Points::new(some, rows.len(), dim)?;
        let points = Standardiser::learn(&points, &mut Quiet)?.apply(points, &mut Quiet)?;
        Ok(Self {
            points,
            arrays: arrays.into_iter().collect(),
            rows,
        })
    }

    /// The rows kept of an array with so many columns.
    fn table(&self, name: &str) -> Result<Vec<Vec<f64>>> {
        let array = self
            .arrays
            .get(name)
            .with_context(|| format!("no {name}"))?;
        let all = numbers(array)?;
        let columns = array.shape.get(1).copied().unwrap_or(1);
        let row = |i: &usize| all[i * columns..(i + 1) * columns].to_vec();
        Ok(self.rows.iter().map(row).collect())
    }
}

/// Columns from `first` on hold codes: one column a code in place of each.
fn written_out(x: &[f64], dim: usize, first: usize) -> (Vec<f64>, usize) {
    let codes: Vec<Vec<i64>> = (first..dim)
        .map(|j| {
            let all: BTreeSet<i64> = x.iter().skip(j).step_by(dim).map(|v| *v as i64).collect();
            all.into_iter().collect()
        })
        .collect();
    let mut out = Vec::new();
    for row in x.chunks_exact(dim) {
        out.extend_from_slice(&row[..first]);
        for (value, codes) in row[first..].iter().zip(&codes) {
            out.extend(
                codes
                    .iter()
                    .map(|c| f64::from(u8::from(*c == *value as i64))),
            );
        }
    }
    let dim = first + codes.iter().map(Vec::len).sum::<usize>();
    (out, dim)
}

/// Published candidate sets.
///
/// # Errors
/// When the file is missing or not as described.
pub fn candidates(name: &str, directory: &Path) -> Result<Set<u32, Candidates>> {
    let raw = Raw::read(name, directory)?;
    let truths: Vec<u32> = raw.table("y")?.iter().map(|y| y[0] as u32).collect();
    let sets = raw.table("candidates")?;
    let known: Vec<Candidates> = (sets.iter())
        .map(|set| Candidates::new((0..).zip(set).filter(|c| *c.1 > 0.0).map(|c| c.0).collect()))
        .collect();
    Ok(Set {
        width: sets.first().map_or(0, Vec::len),
        clear: known.iter().map(|k| k.classes().len() == 1).collect(),
        points: raw.points,
        truths,
        known,
    })
}

/// Flags of which each is known with probability one half.
///
/// # Errors
/// As [`candidates`].
pub fn flags(name: &str, directory: &Path) -> Result<Set<Vec<bool>, Flags>> {
    let raw = Raw::read(name, directory)?;
    let flags = raw.table("y")?;
    let truths: Vec<Vec<bool>> = (flags.iter())
        .map(|row| row.iter().map(|v| *v > 0.0).collect())
        .collect();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let known: Vec<Flags> = (truths.iter())
        .map(|row| {
            row.iter()
                .map(|f| rng.random_bool(0.5).then_some(*f))
                .collect()
        })
        .collect();
    Ok(Set {
        width: flags.first().map_or(0, Vec::len),
        clear: known
            .iter()
            .map(|k| k.iter().all(Option::is_some))
            .collect(),
        points: raw.points,
        truths,
        known,
    })
}

/// Rankings of which the order of half of the items, rounded up, is known.
///
/// # Errors
/// As [`candidates`].
pub fn orders(name: &str, directory: &Path) -> Result<Set<Vec<u32>, PartialOrder>> {
    let raw = Raw::read(name, directory)?;
    let places = raw.table("y")?;
    let truths: Vec<Vec<u32>> = (places.iter())
        .map(|row| row.iter().map(|v| *v as u32).collect())
        .collect();
    let width = places.first().map_or(0, Vec::len);
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let known = truths.iter().map(|row| {
        let mut items: Vec<usize> = (0..width).collect();
        items.shuffle(&mut rng);
        let kept = &items[..width.div_ceil(2)];
        let place = |j: usize| kept.contains(&j).then_some(row[j]);
        PartialOrder::positions(&(0..width).map(place).collect::<Vec<_>>())
    });
    Ok(Set {
        width,
        known: known.collect(),
        clear: vec![false; truths.len()],
        points: raw.points,
        truths,
    })
}
