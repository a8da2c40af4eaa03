//! Distances, the exponential and kernel products beside their peers.
//!
//! The limit of a tile loop is the plain matrix product of the same shape on
//! the same threads, measured here, in the same run.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use faer::{Accum, Mat, Par};
use isotherm::data::Points;
use isotherm::kernel::{Gaussian, exp};
use isotherm::linalg::pairwise::{Anchors, Geometry, PANEL, ROWS};
use isotherm::monitor::Quiet;
use isotherm::operator::gram::Gram;
use rayon::prelude::*;

use crate::report::Row;

/// Every workload of this file; a line for each is also printed by the caller.
///
/// # Errors
/// When the library refuses, the peer's Python fails, or the two disagree.
pub(crate) fn run() -> anyhow::Result<Vec<Row>> {
    let mut rows = distances()?;
    rows.extend(exponential());
    rows.extend(predict()?);
    Ok(rows)
}

/// Squared distances of 100,000 rows to 500 anchors, tile by tile, against the
/// plain product of that shape.
///
/// # Errors
/// When the library refuses.
pub(crate) fn distances() -> anyhow::Result<Vec<Row>> {
    let (n, p) = (100_000, 500);
    let mut rows = Vec::new();
    for d in [50, 500] {
        let queries = normal(n * d, 1);
        let anchors = normal(p * d, 2);
        let points = Points::new(anchors.clone(), p, d)?;
        let prepared = Anchors::over(Geometry::SquaredDistance, points);
        let x = Mat::from_fn(n, d, |i, j| queries[i * d + j]);
        let z = Mat::from_fn(d, p, |i, j| anchors[j * d + i]);
        let mut product = Mat::<f64>::zeros(n, p);
        let (mut ours, mut plain) = (f64::INFINITY, f64::INFINITY);
        // Interleaved, so that a busy moment hits both.
        for _ in 0..7 {
            plain = plain.min(seconds(|| {
                let threads = Par::rayon(rayon::current_num_threads());
                let (out, x, z) = (product.as_mut(), x.as_ref(), z.as_ref());
                faer::linalg::matmul::matmul(out, Accum::Replace, x, z, 1.0, threads);
            }));
            ours = ours.min(seconds(|| {
                queries.par_chunks(ROWS * d).for_each(|block| {
                    let block = prepared.load(block);
                    let mut tile = vec![0.0; block.len() * PANEL];
                    for panel in 0..prepared.panels() {
                        std::hint::black_box(prepared.tile(&block, panel, &mut tile));
                    }
                });
            }));
        }
        rows.push(Row {
            workload: format!("squared distances, {n} rows × {p} anchors, d = {d}"),
            ours_s: ours,
            peer: "plain faer product, stored".into(),
            peer_s: plain,
            ratio: plain / ours,
            limit_name: "the matrix product alone".into(),
            fraction_of_limit: plain / ours,
        });
    }
    Ok(rows)
}

/// The exponential over a tile that stays in cache, on one thread.
pub(crate) fn exponential() -> Vec<Row> {
    let source: Vec<f64> = normal(ROWS * PANEL, 3)
        .iter()
        .map(|v| -v.abs() * 4.0)
        .collect();
    let mut work = source.clone();
    let (mut ours, mut std_s) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..200 {
        work.copy_from_slice(&source);
        ours = ours.min(seconds(|| exp::exp(std::hint::black_box(&mut work))));
        work.copy_from_slice(&source);
        std_s = std_s.min(seconds(|| {
            for v in std::hint::black_box(&mut work) {
                *v = v.exp();
            }
        }));
    }
    let elements = (ROWS * PANEL) as f64;
    vec![Row {
        workload: format!(
            "exp over a tile in cache, 1 thread ({:.2e} elements/s; std {:.2e})",
            elements / ours,
            elements / std_s
        ),
        ours_s: ours,
        peer: "std exp".into(),
        peer_s: std_s,
        ratio: std_s / ours,
        limit_name: "-".into(),
        fraction_of_limit: f64::NAN,
    }]
}

/// Gaussian predictions against `KernelRidge.predict`, results compared.
///
/// # Errors
/// When the library refuses, the peer fails, or the two differ by 1e-10.
pub(crate) fn predict() -> anyhow::Result<Vec<Row>> {
    let (q, n, k) = (10_000, 20_000, 10);
    let mut rows = Vec::new();
    for d in [10, 50] {
        let queries = Points::new(normal(q * d, 4), q, d)?;
        let anchors = Points::new(normal(n * d, 5), n, d)?;
        let coefficients = normal(n * k, 6);
        let c = Mat::from_fn(n, k, |i, j| coefficients[i * k + j]);
        let bandwidth = (d as f64).sqrt();
        let gram = Gram::new(
            Arc::new(anchors.clone()),
            Box::new(Gaussian::new(bandwidth)?),
        );
        let mut ours = f64::INFINITY;
        let mut scores = Mat::zeros(0, 0);
        for _ in 0..5 {
            let start = Instant::now();
            scores = gram.expand(&queries, c.as_ref(), &mut Quiet)?;
            ours = ours.min(start.elapsed().as_secs_f64());
        }
        let folder = scratch("predict")?;
        write(&folder, "queries", &queries.tile(0..queries.len()))?;
        write(&folder, "anchors", &anchors.tile(0..anchors.len()))?;
        write(&folder, "coefficients", &coefficients)?;
        let folder_name = folder.display().to_string();
        let peer = peer("kernel.py", &["predict", &folder_name, &d.to_string()])?;
        if let Some(peer_s) = peer {
            let theirs = read(&folder, "scores")?;
            let largest = theirs.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            for (at, value) in theirs.iter().enumerate() {
                let ours = scores[(at / k, at % k)];
                anyhow::ensure!(
                    (ours - value).abs() <= 1e-10 * largest,
                    "query {}: {ours} against {value}",
                    at / k
                );
            }
            let flops = 2.0 * (q * n) as f64 * (d + k) as f64;
            rows.push(Row {
                workload: format!(
                    "Gaussian prediction, {q} queries × {n} anchors, d = {d}, {k} outputs"
                ),
                ours_s: ours,
                peer: "scikit-learn KernelRidge.predict".into(),
                peer_s,
                ratio: peer_s / ours,
                limit_name: "its two matrix products".into(),
                fraction_of_limit: flops / product_rate() / ours,
            });
        }
        std::fs::remove_dir_all(&folder)?;
    }
    Ok(rows)
}

/// Operations a second of a large square product on all threads.
pub(crate) fn product_rate() -> f64 {
    let n = 1536;
    let a = Mat::from_fn(n, n, |i, j| ((i * 7 + j) % 11) as f64);
    let mut c = Mat::<f64>::zeros(n, n);
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        best = best.min(seconds(|| {
            let threads = Par::rayon(rayon::current_num_threads());
            let out = c.as_mut();
            faer::linalg::matmul::matmul(out, Accum::Replace, a.as_ref(), a.as_ref(), 1.0, threads);
        }));
    }
    2.0 * (n * n * n) as f64 / best
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// Nearly normal numbers from a small generator of our own; the same everywhere.
pub(crate) fn normal(count: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut uniform = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    (0..count)
        .map(|_| (0..12).map(|_| uniform()).sum::<f64>() - 6.0)
        .collect()
}

/// Runs the peer and returns its best time, or `None` when there is no Python to ask.
pub(crate) fn peer(script: &str, arguments: &[&str]) -> anyhow::Result<Option<f64>> {
    let Ok(python) = std::env::var("ISOTHERM_PEER_PYTHON") else {
        return Ok(None);
    };
    let script = format!("{}/peers/{script}", env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(&python)
        .arg(script)
        .args(arguments)
        .output()
        .with_context(|| format!("{python} cannot be started"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    anyhow::ensure!(
        output.status.success(),
        "the peer failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(Some(text.trim().parse().context("the peer's time")?))
}

pub(crate) fn scratch(name: &str) -> anyhow::Result<PathBuf> {
    let folder = std::env::temp_dir().join(format!("isotherm-bench-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

pub(crate) fn write(folder: &std::path::Path, name: &str, values: &[f64]) -> anyhow::Result<()> {
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
    Ok(std::fs::write(folder.join(name), bytes)?)
}

pub(crate) fn read(folder: &std::path::Path, name: &str) -> anyhow::Result<Vec<f64>> {
    let bytes = std::fs::read(folder.join(name))?;
    let (words, _) = bytes.as_chunks::<8>();
    Ok(words.iter().map(|w| f64::from_le_bytes(*w)).collect())
}
