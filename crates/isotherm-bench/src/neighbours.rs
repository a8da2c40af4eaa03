//! Nearest neighbours beside scikit-learn's brute force and pynndescent.

use std::time::Instant;

use isotherm::data::{Points, split};
use isotherm::linalg::distance::squared_distance;
use isotherm::monitor::Quiet;
use isotherm::neighbours::{self, Recall, Search};

use crate::kernel::{normal, peer, product_rate, read, scratch, write};
use crate::report::{Report, Row};

/// Neighbours of each row.
const K: usize = 10;

/// Rows on which the recall of both sides is measured.
const SAMPLE: usize = 1000;

/// Every workload of this file.
///
/// # Errors
/// When the library refuses, the peer's Python fails, or exact searches disagree.
pub(crate) fn run() -> anyhow::Result<Report> {
    let mut report = Report::default();
    exact(&mut report)?;
    let (n, d) = (200_000, 50);
    let noise = normal(n * d, 8);
    let centres = normal(100 * d, 9);
    let clustered = noise.iter().enumerate().map(|(at, v)| {
        // A hundred centres three times as far apart as their rows.
        let (row, feature) = (at / d, at % d);
        3.0 * centres[(row * 7919 % 100) * d + feature] + v
    });
    let clustered = Points::new(clustered.collect(), n, d)?;
    large(&mut report, "clustered", &clustered, 3)?;
    drop(clustered);
    large(&mut report, "normal", &Points::new(noise, n, d)?, 1)?;
    Ok(report)
}

/// Ten neighbours of 20,000 rows against scikit-learn's brute force.
fn exact(report: &mut Report) -> anyhow::Result<()> {
    let (n, d) = (20_000, 50);
    let points = Points::new(normal(n * d, 7), n, d)?;
    let mut ours = f64::INFINITY;
    let mut found = Vec::new();
    for _ in 0..5 {
        let start = Instant::now();
        found = neighbours::neighbours(&points, K, &mut Quiet)?.index;
        ours = ours.min(start.elapsed().as_secs_f64());
    }
    let (peer_s, theirs) = ask("brute", &points)?;
    if let Some(theirs) = theirs {
        anyhow::ensure!(theirs == found, "scikit-learn finds other neighbours");
    }
    report.rows.push(Row {
        workload: format!("{K} nearest neighbours, {n} rows, d = {d}"),
        ours_s: ours,
        peer: "scikit-learn NearestNeighbors, brute".into(),
        peer_s,
        ratio: peer_s / ours,
        limit_name: "its matrix product in f64".into(),
        fraction_of_limit: 2.0 * (n * n * d) as f64 / product_rate() / ours,
    });
    Ok(())
}

/// Ten neighbours of a large table, sought automatically, against pynndescent.
fn large(report: &mut Report, name: &str, points: &Points, runs: usize) -> anyhow::Result<()> {
    let (n, d) = (points.len(), points.dim());
    let mut ours = f64::INFINITY;
    let mut last = None;
    for _ in 0..runs {
        let start = Instant::now();
        last = Some(neighbours::find(points, K, Search::Auto, 1, &mut Quiet)?);
        ours = ours.min(start.elapsed().as_secs_f64());
    }
    let Some(found) = last else { return Ok(()) };
    let sample = split::uniform(n, &[SAMPLE], 2)?.swap_remove(0);
    // A query finds itself too: the ten others end at the eleventh.
    let truth = neighbours::search(points, &points.select(&sample)?, K + 1, &mut Quiet)?;
    let recall = |index: &[u32]| {
        let hits = sample.iter().enumerate().flat_map(|(s, &i)| {
            let worst = truth.squared[s * (K + 1) + K];
            let near = index[i * K..(i + 1) * K].iter();
            near.filter(move |j| {
                // Theirs are found in f32: equal distances up to its rounding.
                let r = squared_distance(&points.row(i), &points.row(**j as usize));
                r <= worst * (1.0 + 1e-6)
            })
        });
        hits.count() as f64 / (SAMPLE * K) as f64
    };
    let (peer_s, theirs) = ask("descent", points)?;
    let workload = format!("{K} nearest neighbours, {n} {name} rows, d = {d}");
    let stated = match found.recall {
        Recall::Exact => "stated as exact".to_owned(),
        Recall::Estimated { value, error } => format!("stated as {value:.3} ± {error:.3}"),
    };
    report.notes.push(format!(
        "{workload}: recall of ours {:.3}, {stated}; of pynndescent {}, on {SAMPLE} rows.",
        recall(&found.neighbours.index),
        theirs.map_or("–".to_owned(), |index| format!("{:.3}", recall(&index))),
    ));
    report.rows.push(Row {
        workload,
        ours_s: ours,
        peer: "pynndescent NNDescent, second call".into(),
        peer_s,
        ratio: peer_s / ours,
        limit_name: "-".into(),
        fraction_of_limit: f64::NAN,
    });
    Ok(())
}

/// The peer's best time and what it found; NaN and nothing without a Python.
fn ask(what: &str, points: &Points) -> anyhow::Result<(f64, Option<Vec<u32>>)> {
    let folder = scratch(what)?;
    write(&folder, "points", &points.tile(0..points.len()))?;
    let (name, dim) = (folder.display().to_string(), points.dim().to_string());
    let seconds = peer("neighbours.py", &[what, &name, &dim])?;
    let found = match seconds {
        Some(_) => Some(read(&folder, "index")?.iter().map(|v| *v as u32).collect()),
        None => None,
    };
    std::fs::remove_dir_all(&folder)?;
    Ok((seconds.unwrap_or(f64::NAN), found))
}
