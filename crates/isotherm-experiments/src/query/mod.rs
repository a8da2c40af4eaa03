//! Which row next: accuracy against the number of labels, for every strategy.

mod curves;
mod draw;
mod page;

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use isotherm::base::{Base, GraphBase, NeighbourBase};
use isotherm::data::Points;
use isotherm::data::scaling::Standardiser;
use isotherm::estimator::laplacian::{Laplacian, LaplacianParams};
use isotherm::estimator::stkr::{Stkr, StkrParams};
use isotherm::estimator::{Estimator as _, Prepared as _, Spectral as _};
use isotherm::monitor::Quiet;
use isotherm_io::npy::NpyArray;
use isotherm_io::npz::read_npz;
use isotherm_io::{Cells, Limits};

pub use curves::{Curve, MODES, Plan, run};

use crate::graphs;

/// Neighbours a row of a table is joined to.
const NEIGHBOURS: usize = 10;

/// What is drawn: name, file, and the method that predicts.
const CURVES: [(&str, &str, Method); 5] = [
    ("digits", "digits", Method::Neighbours),
    ("usps", "usps", Method::Neighbours),
    ("cora", "cora", Method::Graph),
    ("pubmed", "pubmed", Method::Graph),
    ("digits, kernel Laplacian", "digits", Method::Laplacian),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    Neighbours,
    Graph,
    Laplacian,
}

/// Runs the curves of these sets, all unless named, and writes their rows to `query/`.
///
/// # Errors
/// When there is no such set, a data file is missing or a file cannot be written.
pub fn run_sets(out: &Path, directory: &Path, plan: &Plan, only: &[String]) -> Result<()> {
    let folder = out.join("query");
    std::fs::create_dir_all(&folder)?;
    let titles = CURVES.map(|c| c.0);
    if let Some(name) = only.iter().find(|name| !titles.contains(&name.as_str())) {
        bail!("there is no set \"{name}\"; try {}", titles.join(" | "));
    }
    for (title, file, method) in CURVES {
        if !only.is_empty() && !only.iter().any(|name| name == title) {
            continue;
        }
        let mut clock = crate::clock::Clock::new();
        let curves = of_set(file, method, directory, plan).with_context(|| title.to_owned())?;
        page::rows(&folder, title, plan, &curves)?;
        tell(title, &clock.lap());
    }
    Ok(())
}

/// Writes page and picture of `query/` from the rows of all sets that have any.
///
/// # Errors
/// When a file cannot be read or written.
pub fn report(out: &Path) -> Result<()> {
    let folder = out.join("query");
    let mut all = Vec::new();
    for (title, ..) in CURVES {
        all.extend(page::read(&folder, title)?);
    }
    page::write(&folder, &all)
}

#[allow(clippy::print_stdout)]
fn tell(title: &str, spent: &crate::clock::Spent) {
    println!(
        "{title}: {:.0} s, {:.0} s on all cores",
        spent.wall, spent.cpu
    );
}

fn of_set(file: &str, method: Method, directory: &Path, plan: &Plan) -> Result<Vec<Curve>> {
    match method {
        Method::Graph => {
            let network = graphs::load(graphs::find(file)?, directory)?;
            stkr(GraphBase::new(network.graph), &network.labels, plan)
        }
        Method::Neighbours => {
            let (points, classes) = table(file, directory)?;
            let base = NeighbourBase::new(points, NEIGHBOURS, &mut Quiet)?;
            stkr(base, &classes, plan)
        }
        Method::Laplacian => {
            let (points, classes) = table(file, directory)?;
            laplacian(points, &classes, plan)
        }
    }
}

/// STKR as it comes predicts; its own leading modes choose.
pub(crate) fn stkr<B: Base>(base: B, classes: &[u32], plan: &Plan) -> Result<Vec<Curve>> {
    let prepared = Stkr::new(StkrParams::default())?.prepare(base, &mut Quiet)?;
    let prior = prepared.spectral(MODES, &mut Quiet)?;
    run(&prior, classes, plan, |seen| {
        let fitted = prepared.solve(seen, &mut Quiet)?;
        fitted.visible.context("stkr solves for its samples")
    })
}

/// The kernel Laplacian as it comes predicts; its own coordinates choose.
fn laplacian(points: Points, classes: &[u32], plan: &Plan) -> Result<Vec<Curve>> {
    let method = Laplacian::new(LaplacianParams::default(), 0)?;
    let prepared = method.prepare(points.clone(), &mut Quiet)?;
    let prior = prepared.spectral(MODES, &mut Quiet)?;
    run(&prior, classes, plan, |seen| {
        let fitted = prepared.solve(seen, &mut Quiet)?;
        Ok(fitted.scores(&points, &mut Quiet)?)
    })
}

/// Rows, standardised, and their classes.
fn table(file: &str, directory: &Path) -> Result<(Points, Vec<u32>)> {
    let path = directory.join(format!("{file}.npz"));
    let arrays = read_npz(&path, Limits::default(), &mut Quiet).with_context(|| {
        format!(
            "reading {}; ISOTHERM_DATA names the directory",
            path.display()
        )
    })?;
    let array = |name: &str| {
        let array = arrays.get(name);
        numbers(array.with_context(|| format!("{file}: no {name}"))?)
    };
    let (values, classes) = (array("X")?, array("y")?);
    let total = classes.len();
    let dim = values.len() / total;
    let points = Points::new(values, total, dim)?;
    let scaling = Standardiser::learn(&points, &mut Quiet)?;
    let classes = classes.iter().map(|c| *c as u32).collect();
    Ok((scaling.apply(points, &mut Quiet)?, classes))
}

fn numbers(array: &NpyArray) -> Result<Vec<f64>> {
    Ok(match &array.cells {
        Cells::Float(values) => values.values().to_vec(),
        Cells::Integer(values) => values.values().iter().map(|v| *v as f64).collect(),
        _ => bail!("an array that holds no numbers"),
    })
}

/// Two rings of points, told apart by few labels: a small version without data files.
///
/// # Errors
/// Whatever the library refuses.
pub fn small(plan: &Plan) -> Result<Vec<Curve>> {
    let count = 120;
    let values = (0..count).flat_map(|i| {
        let (ring, angle) = (i % 2, (i / 2) as f64 * 0.1047 + 0.3 * (i % 2) as f64);
        let radius = 1.0 + ring as f64 + 0.05 * (7.0 * i as f64).sin();
        [radius * angle.cos(), radius * angle.sin()]
    });
    let points = Points::new(values.collect(), count, 2)?;
    let classes: Vec<u32> = (0..count as u32).map(|i| i % 2).collect();
    let base = NeighbourBase::new(points, 4, &mut Quiet)?;
    stkr(base, &classes, plan)
}
