//! One more label among a million rows, beside the bytes it must touch and beside numpy;
//! one scoring pass of each strategy.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use isotherm::estimator::Prior;
use isotherm::linalg::Mat;
use isotherm::monitor::Quiet;
use isotherm::query::{Acquisition, Ledger};
use rayon::prelude::*;

use crate::graph::{Rng, best, triad};
use crate::kernel::product_rate;
use crate::report::{Report, Row};

const ROWS: usize = 1_000_000;
const MODES: usize = 64;
const CLASSES: usize = 10;

/// Labels there are when the next one is timed.
const LABELS: usize = 100;

/// Seconds one more label may take.
const BUDGET: f64 = 0.150;

/// What numpy took and found.
#[derive(serde::Deserialize)]
struct Peer {
    /// Scores and variances alone.
    update_s: f64,
    /// With the best class and its margin.
    whole_s: f64,
    /// Of the first rows, after the label.
    scores: Vec<f64>,
}

/// Runs everything.
pub(crate) fn run() -> anyhow::Result<Report> {
    let mut rng = Rng(7);
    let features = Mat::from_fn(ROWS, MODES, |_, j| {
        (rng.unit() - 0.5) / (1.0 + j as f64 / 8.0)
    });
    let prior = Prior::new(features, 1.0, 0.0)?;
    let mut ledger = Ledger::classes(&prior, CLASSES, 1.0)?;
    let class = |k: usize| (k % CLASSES) as u32;
    for k in 0..LABELS {
        ledger.add_class(k * (ROWS / LABELS), class(k))?;
    }
    let (read, triad) = (reading(), triad());
    let mut report = Report::default();
    // F once; scores, variances, best classes and margins in and out or out.
    let through = ROWS as f64 * (8.0 * MODES as f64) / read
        + ROWS as f64 * (8.0 * (2 * CLASSES + 2 + 1) as f64 + 4.0) / triad;
    report.notes.push(format!(
        "Reading alone {:.1} GB/s, STREAM-like triad {:.1} GB/s (24 bytes counted): F at the one and \
         scores, variances, classes and margins at the other make the limit of {:.1} ms.",
        read / 1e9,
        triad / 1e9,
        1e3 * through
    ));

    let mut next = 1;
    let mut failed = Ok(());
    let mut change = |ledger: &mut Ledger, add: bool| {
        let from = Instant::now();
        let outcome = if add {
            ledger.add_class(next, class(next))
        } else {
            ledger.remove(next)
        };
        if let Err(error) = outcome {
            failed = Err(error);
        }
        let spent = from.elapsed().as_secs_f64();
        if !add {
            next += 1;
        }
        spent
    };
    let (mut add, mut remove, mut worst) = (f64::INFINITY, f64::INFINITY, 0.0_f64);
    for k in 0..40 {
        let spent = change(&mut ledger, true);
        add = add.min(spent);
        if k > 0 {
            worst = worst.max(spent);
        }
        remove = remove.min(change(&mut ledger, false));
    }
    failed?;
    let about = format!("{ROWS} rows × {MODES} modes × {CLASSES} classes");
    let row = |workload: String, ours_s: f64, limit: (&str, f64)| Row {
        workload,
        ours_s,
        peer: "–".into(),
        peer_s: f64::NAN,
        ratio: f64::NAN,
        limit_name: limit.0.to_owned(),
        fraction_of_limit: limit.1 / ours_s,
    };
    let memory = ("memory", through);
    report.rows.push(Row {
        peer: "the budget of 150 ms".into(),
        peer_s: BUDGET,
        ratio: BUDGET / add,
        ..row(
            format!("one more label, {about}, beside the budget"),
            add,
            memory,
        )
    });
    let peer = peer(&prior, &ledger, class(ROWS - 1))?;
    if let Some(peer) = peer {
        report.rows.push(Row {
            peer: "numpy, one line a quantity".into(),
            peer_s: peer.whole_s,
            ratio: peer.whole_s / add,
            ..row(
                format!("one more label, {about}, against numpy"),
                add,
                memory,
            )
        });
        report.rows.push(Row {
            peer: "numpy, scores and variances alone".into(),
            peer_s: peer.update_s,
            ratio: peer.update_s / add,
            ..row(
                format!("one more label, {about}, against numpy without classes and margins"),
                add,
                memory,
            )
        });
        let mut one = ledger.clone();
        one.add_class(ROWS - 1, class(ROWS - 1))?;
        let off = (peer.scores.iter().enumerate())
            .map(|(k, s)| (s - one.scores(k / CLASSES)[k % CLASSES]).abs())
            .fold(0.0, f64::max);
        ensure!(off < 1e-10, "numpy's scores differ by {off:e}");
        report.notes.push(format!(
            "Scores after the label differ from numpy's by {off:.0e} at most."
        ));
    }
    report.rows.push(row(
        format!("one label taken back, {about}"),
        remove,
        memory,
    ));
    report.notes.push(format!(
        "The slowest of 40 labels took {:.1} ms; C and θ are solved anew among them.",
        1e3 * worst
    ));
    passes(&ledger, &about, read, &mut report, row)?;
    Ok(report)
}

/// One pass of each strategy.
fn passes(
    ledger: &Ledger,
    about: &str,
    read: f64,
    report: &mut Report,
    row: impl Fn(String, f64, (&str, f64)) -> Row,
) -> anyhow::Result<()> {
    let numbers = |count: usize| 8.0 * (ROWS * count) as f64 / read;
    let features = 8.0 * (ROWS * MODES) as f64 / read;
    let products = 2.0 * (ROWS * MODES * MODES) as f64 / product_rate();
    let from = Instant::now();
    Acquisition::VOptimal.scores(ledger, &mut Quiet)?;
    let first = from.elapsed().as_secs_f64();
    for strategy in Acquisition::ALL {
        let limit = match strategy {
            Acquisition::Random => continue,
            Acquisition::Margin => ("memory (margins)", numbers(2)),
            Acquisition::Maximin => ("memory (scores)", numbers(CLASSES + 3)),
            Acquisition::Entropy => ("memory (scores)", numbers(CLASSES + 1)),
            Acquisition::SigmaOptimal => ("memory (F)", features),
            Acquisition::VOptimal => ("the product's rate", products),
            Acquisition::Cover => (
                "the product's rate",
                2.0 * (ROWS * MODES * LABELS) as f64 / product_rate(),
            ),
        };
        let mut failed = Ok(Vec::new());
        let spent = best(|| failed = strategy.scores(ledger, &mut Quiet));
        failed?;
        let name = strategy.name();
        report.rows.push(row(
            format!("{name}, one pass over {about}, {LABELS} labels"),
            spent,
            limit,
        ));
        if strategy == Acquisition::VOptimal {
            report.notes.push(format!(
                "The sums `Σ f fᵀ` that v-optimal and sigma-optimal need are made once: the first \
                 pass took {:.0} ms more.",
                1e3 * (first - spent).max(0.0)
            ));
        }
    }
    Ok(())
}

/// Bytes a second of summing an array much larger than any cache.
fn reading() -> f64 {
    const LEN: usize = 1 << 26;
    let a = vec![1.0_f64; LEN];
    let mut total = 0.0;
    let time = best(|| {
        let parts = a.par_chunks(1 << 16).map(|part| {
            let mut sums = [0.0; 8];
            for eight in part.chunks_exact(8) {
                for k in 0..8 {
                    sums[k] += eight[k];
                }
            }
            sums.iter().sum::<f64>()
        });
        total = std::hint::black_box(parts.sum());
    });
    (8 * LEN) as f64 / time
}

/// Runs `peers/query.py` on the same features, state and label.
fn peer(prior: &Prior, ledger: &Ledger, class: u32) -> anyhow::Result<Option<Peer>> {
    let Some(python) = std::env::var_os("ISOTHERM_PEER_PYTHON") else {
        return Ok(None);
    };
    let folder = crate::kernel::scratch("query")?;
    let outcome = ask(python.as_ref(), &folder, prior, ledger, class);
    std::fs::remove_dir_all(&folder)?;
    outcome.map(Some)
}

fn ask(
    python: &Path,
    folder: &Path,
    prior: &Prior,
    ledger: &Ledger,
    class: u32,
) -> anyhow::Result<Peer> {
    // The labels' rows say C and θ; numpy solves for them itself, untimed.
    let write = |name: &str, values: &mut dyn Iterator<Item = f64>| -> anyhow::Result<()> {
        let mut file = std::io::BufWriter::new(std::fs::File::create(folder.join(name))?);
        for v in values {
            file.write_all(&v.to_le_bytes())?;
        }
        Ok(file.flush()?)
    };
    let f = prior.features();
    write(
        "features",
        &mut (0..ROWS).flat_map(|i| (0..MODES).map(move |j| f[(i, j)])),
    )?;
    write("labelled", &mut ledger.labelled().map(|i| i as f64))?;
    let classes = (0..LABELS).map(|k| (k % CLASSES) as f64);
    write("classes", &mut classes.into_iter())?;
    let script: PathBuf = [env!("CARGO_MANIFEST_DIR"), "peers", "query.py"]
        .iter()
        .collect();
    let answer = Command::new(python)
        .arg(script)
        .arg(folder)
        .args([MODES, CLASSES, ROWS - 1, class as usize].map(|n| n.to_string()))
        .output()
        .context("the peer's python does not start")?;
    ensure!(
        answer.status.success(),
        "the peer failed: {}",
        String::from_utf8_lossy(&answer.stderr)
    );
    Ok(serde_json::from_slice(&answer.stdout)?)
}
