//! Leading eigenpairs of a real graph's normalised adjacency beside ARPACK.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use isotherm::data::Graph;
use isotherm::data::graph::{EdgeRules, GraphBuilder};
use isotherm::monitor::Quiet;
use isotherm::operator::sparse::NormalisedAdjacency;
use isotherm::solve::eigenpairs::{LeadingOptions, leading};
use isotherm_io::npy::NpyArray;
use isotherm_io::npz::read_npz;
use isotherm_io::{Cells, Limits};

use crate::report::{Report, Row};

const NAME: &str = "pubmed";
const COUNT: usize = 512;

/// The tolerance the peer gets, and ours: ARPACK's is relative to each
/// eigenvalue, and its residuals end below it; ours is asked for the same
/// worst residual, and both are measured.
const TOLERANCE: f64 = 1e-6;

/// Top eigenpairs of PubMed's `S`.
///
/// # Errors
/// When the library refuses, the peer fails or the eigenvalues differ.
pub(crate) fn run() -> anyhow::Result<Report> {
    let mut report = Report::default();
    let data = std::env::var_os("ISOTHERM_DATA").unwrap_or_else(|| "../shared/data".into());
    let file = PathBuf::from(data).join(format!("{NAME}.npz"));
    if !file.exists() {
        report.notes.push(format!(
            "NOT RUN: {} does not exist; ISOTHERM_DATA names the folder of the real data.",
            file.display()
        ));
        return Ok(report);
    }
    let graph = load(&file)?;
    let s = NormalisedAdjacency::new(&graph);
    let peer = peer(&file)?;
    // No worse than the peer's worst residual, or its tolerance without a peer.
    let tolerance = peer.as_ref().map_or(TOLERANCE, |p| p.residual);
    let options = LeadingOptions {
        tolerance,
        ..LeadingOptions::default()
    };
    let mut ours = f64::INFINITY;
    let mut found = None;
    for _ in 0..3 {
        let from = Instant::now();
        found = Some(leading(&s, COUNT, &options, &mut Quiet)?);
        ours = ours.min(from.elapsed().as_secs_f64());
    }
    let found = found.context("no run")?;
    ensure!(found.converged, "ours did not converge");
    let worst = found.residuals.iter().fold(0.0_f64, |m, r| m.max(*r));
    report.notes.push(format!(
        "ours: {} columns multiplied, largest residual ‖Sv − λv‖ {worst:.1e}.",
        found.products
    ));
    let peer_s = peer.as_ref().map_or(f64::NAN, |p| p.seconds);
    if let Some(peer) = &peer {
        let differ =
            (found.values.iter().zip(&peer.values)).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        ensure!(
            differ <= 2.0 * peer.residual.max(1e-12),
            "the eigenvalues differ by {differ:.1e}"
        );
        report.notes.push(format!(
            "{}: largest residual {:.1e}; largest difference of the eigenvalues {differ:.1e}.",
            peer.name, peer.residual
        ));
    }
    report.rows.push(Row {
        workload: format!(
            "{COUNT} leading eigenpairs of PubMed's S, {} nodes, {} entries",
            graph.len(),
            graph.entries()
        ),
        ours_s: ours,
        peer: peer.map_or("–".into(), |p| p.name),
        peer_s,
        ratio: peer_s / ours,
        limit_name: "-".into(),
        fraction_of_limit: f64::NAN,
    });
    Ok(report)
}

pub(crate) fn load(file: &Path) -> anyhow::Result<Graph> {
    let arrays = read_npz(file, Limits::default(), &mut Quiet)?;
    let array = |name: &str| arrays.get(name).with_context(|| format!("no {name}"));
    let nodes = whole(array("labels")?)?.len();
    let mut edges = GraphBuilder::new(EdgeRules::default()).with_nodes(nodes);
    for edge in whole(array("edges")?)?.chunks_exact(2) {
        edges.push(u32::try_from(edge[0])?, u32::try_from(edge[1])?, None)?;
    }
    Ok(edges.finish(&mut Quiet)?.0)
}

pub(crate) fn whole(array: &NpyArray) -> anyhow::Result<&[i64]> {
    match &array.cells {
        Cells::Integer(values) => Ok(values.values()),
        _ => anyhow::bail!("an array of the graph does not hold whole numbers"),
    }
}

#[derive(serde::Deserialize)]
struct Peer {
    name: String,
    seconds: f64,
    residual: f64,
    /// Descending.
    values: Vec<f64>,
}

/// Runs `peers/eigen.py` on the same file.
fn peer(file: &Path) -> anyhow::Result<Option<Peer>> {
    let Some(python) = std::env::var_os("ISOTHERM_PEER_PYTHON") else {
        return Ok(None);
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/eigen.py");
    let answer = Command::new(python)
        .arg(script)
        .arg(file)
        .args([COUNT.to_string(), TOLERANCE.to_string()])
        .output()
        .context("the peer's python does not start")?;
    ensure!(
        answer.status.success(),
        "the peer failed: {}",
        String::from_utf8_lossy(&answer.stderr)
    );
    Ok(Some(serde_json::from_slice(&answer.stdout)?))
}
