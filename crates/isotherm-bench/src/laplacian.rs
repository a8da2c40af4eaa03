//! Kernel Laplacian fits beside numpy, Algorithm 1 as printed and the authors' package.

use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use isotherm::data::Points;
use isotherm::estimator::laplacian::{BasisSpec, Laplacian, LaplacianParams, NormShare, Route};
use isotherm::estimator::{Estimator as _, Prepared as _};
use isotherm::feature::moments::Wanted;
use isotherm::feature::{BasisMoments, Features, Landmarks};
use isotherm::kernel::{Bandwidth, Gaussian, KernelSpec};
use isotherm::linalg::{Mat, Precision};
use isotherm::monitor::Quiet;
use isotherm::spectrum::Filter;
use isotherm::task::Observed;

use crate::graph::npy;
use crate::kernel::{normal, product_rate};
use crate::report::{Report, Row};

/// Rows, columns, landmarks.
const SIZES: [(usize, usize, usize); 3] =
    [(10_000, 10, 500), (20_000, 50, 500), (10_000, 784, 500)];

const LABELS: usize = 100;
const RUNS: usize = 5;

/// Fits (moments and solve) of three sizes.
///
/// # Errors
/// When the library refuses, a peer fails or the two disagree.
pub(crate) fn run() -> anyhow::Result<Report> {
    let mut report = Report::default();
    let rate = product_rate();
    report.notes.push(format!(
        "The matrix product of this shape runs at {:.1} GFLOP/s on as many threads.",
        rate / 1e9
    ));
    for (n, d, p) in SIZES {
        let values = normal(n * d, 7);
        let points = Points::new(values.clone(), n, d)?;
        let sigma = (d as f64).sqrt();
        let (share, strength) = (1.0 / n as f64, 0.1);
        let params = LaplacianParams {
            kernel: KernelSpec::Gaussian {
                bandwidth: Bandwidth::Fixed(sigma),
            },
            basis: BasisSpec::Rows {
                index: (0..p).collect(),
                derivatives: false,
            },
            filter: Some(Filter::Tikhonov { strength }),
            norm_share: NormShare::Fixed(share),
            route: Route::Gram,
            ..LaplacianParams::default()
        };
        let y = Mat::from_fn(LABELS, 1, |i, _| if i % 2 == 0 { 1.0 } else { -1.0 });
        let seen = Observed::new((0..LABELS).collect(), y, n)?;
        let (mut fit, mut sums, mut single) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
        let mut rounding = 0.0;
        let mut found = None;
        for _ in 0..RUNS {
            let rows = points.clone();
            let from = Instant::now();
            let prepared = Laplacian::new(params.clone(), 0)?.prepare(rows, &mut Quiet)?;
            found = Some(prepared.solve(&seen, &mut Quiet)?);
            fit = fit.min(from.elapsed().as_secs_f64());
            let kernel = Arc::new(Gaussian::new(sigma)?);
            let landmarks = points.select(&(0..p).collect::<Vec<_>>())?;
            let features: Arc<dyn Features> = Arc::new(Landmarks::new(Arc::new(landmarks), kernel));
            let from = Instant::now();
            let mut moments = BasisMoments::new(features.clone(), Wanted::Energy);
            moments.add(&points, &mut Quiet)?;
            moments.finish()?;
            sums = sums.min(from.elapsed().as_secs_f64());
            let from = Instant::now();
            let (wanted, precision) = (Wanted::Energy, Precision::Single);
            let mut moments = BasisMoments::with_precision(features, wanted, precision);
            moments.add(&points, &mut Quiet)?;
            rounding = moments.finish()?.rounding;
            single = single.min(from.elapsed().as_secs_f64());
        }
        let found = found.context("no run")?;
        // One product and one symmetric product of p columns, and the distances.
        let flops = 3.0 * (n * p * p) as f64 + 2.0 * (n * p * d) as f64;
        let of_limit = flops / rate / sums;
        report.notes.push(format!(
            "({n}, {d}, {p}): moments alone {:.1} ms, {:.0} % of the product's rate on the \
             formula's {:.1} GFLOP.",
            1e3 * sums,
            100.0 * of_limit,
            flops / 1e9
        ));
        report.notes.push(format!(
            "({n}, {d}, {p}): T*LT in single precision is off by {rounding:.0e} of its size, \
             by its own estimate."
        ));
        report.rows.push(Row {
            workload: format!("moments in single precision, n = {n}, d = {d}, p = {p}"),
            ours_s: single,
            peer: "ours in double precision".into(),
            peer_s: sums,
            ratio: sums / single,
            limit_name: "the product's rate in double precision".into(),
            fraction_of_limit: flops / rate / single,
        });
        let Some(peers) = peers(&values, (n, d, p), sigma, share, strength)? else {
            continue;
        };
        let columns = found.expansion.columns();
        let worst = (0..p).fold(0.0_f64, |m, j| m.max((columns[(j, 0)] - peers.c[j]).abs()));
        let size = peers.c.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        report.notes.push(format!(
            "({n}, {d}, {p}): coefficients differ from numpy's by {:.1e} of the largest.",
            worst / size
        ));
        ensure!(
            worst <= 1e-4 * size,
            "the coefficients differ by {:.1e}",
            worst / size
        );
        for peer in peers.peers {
            report.rows.push(Row {
                workload: format!(
                    "kernel Laplacian fit, n = {n}, d = {d}, p = {p}, {}",
                    short(&peer.name)
                ),
                ours_s: fit,
                peer: peer.name,
                peer_s: peer.seconds,
                ratio: peer.seconds / fit,
                limit_name: "the product's rate (moments)".into(),
                fraction_of_limit: of_limit,
            });
        }
    }
    Ok(report)
}

fn short(name: &str) -> &'static str {
    match name {
        n if n.starts_with("klap") => "against klap",
        n if n.contains("explicit") => "against explicit columns",
        _ => "against the formula in numpy",
    }
}

#[derive(serde::Deserialize)]
struct Peers {
    peers: Vec<Peer>,
    c: Vec<f64>,
}

#[derive(serde::Deserialize)]
struct Peer {
    name: String,
    seconds: f64,
}

/// Runs `peers/laplacian.py` on the same rows.
fn peers(
    values: &[f64],
    (n, d, p): (usize, usize, usize),
    sigma: f64,
    share: f64,
    strength: f64,
) -> anyhow::Result<Option<Peers>> {
    let Some(python) = std::env::var_os("ISOTHERM_PEER_PYTHON") else {
        return Ok(None);
    };
    let name = format!("isotherm-laplacian-{}.npy", std::process::id());
    let file = std::env::temp_dir().join(name);
    npy(
        &file,
        "<f8",
        &[n, d],
        values.iter().map(|v| v.to_le_bytes()),
    )?;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/laplacian.py");
    let answer = Command::new(python)
        .arg(script)
        .arg(&file)
        .args([p.to_string(), sigma.to_string(), share.to_string()])
        .args([strength.to_string(), LABELS.to_string(), RUNS.to_string()])
        .output()
        .context("the peer's python does not start");
    std::fs::remove_file(&file)?;
    let answer = answer?;
    ensure!(
        answer.status.success(),
        "the peer failed, {}: {}",
        answer.status,
        String::from_utf8_lossy(&answer.stderr)
    );
    let text = String::from_utf8_lossy(&answer.stdout);
    let line = text.lines().last().context("the peer said nothing")?;
    Ok(Some(serde_json::from_str(line)?))
}
