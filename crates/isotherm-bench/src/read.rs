//! Reading text: ours beside the readers that people use, on the same file.
//!
//! Ours ends with what a fit needs: the table with its texts, and the feature
//! columns as rows of doubles.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use isotherm::monitor::Quiet;
use isotherm_io::{Features, ReadOptions, Source, read_table};

use crate::graph::{Rng, resident};
use crate::kernel::scratch;
use crate::report::{Report, Row};

/// The sub-command under which this program measures the memory of one read.
pub(crate) const CHILD: &str = "read-file";

const REPEAT: usize = 4;

/// One file and what is wanted of it.
struct Workload {
    name: &'static str,
    what: &'static str,
    file: PathBuf,
}

#[derive(serde::Deserialize)]
struct Peer {
    name: String,
    seconds: f64,
    sum: Option<f64>,
}

#[derive(serde::Serialize, serde::Deserialize)]
struct Memory {
    before: f64,
    table: f64,
    peak: f64,
}

/// Both files, ours and every peer.
pub(crate) fn run() -> anyhow::Result<Report> {
    let folder = scratch("read")?;
    let measured = measure(&folder);
    std::fs::remove_dir_all(&folder)?;
    measured
}

fn measure(folder: &Path) -> anyhow::Result<Report> {
    let workloads = [
        Workload {
            name: "CSV to rows of doubles, 500000 × 64 floats",
            what: "floats",
            file: floats(folder)?,
        },
        Workload {
            name: "CSV to a table, 1000000 rows, 8 columns of text with quotes and line breaks",
            what: "texts",
            file: texts(folder)?,
        },
    ];
    let mut report = Report::default();
    for workload in &workloads {
        let megabytes = std::fs::metadata(&workload.file)?.len() as f64 / 1e6;
        let (ours_s, sum) = ours(workload)?;
        let peers = peers(workload)?;
        let name = format!("{}, {megabytes:.0} MB", workload.name);
        for peer in &peers {
            if let (Some(a), Some(b)) = (sum, peer.sum) {
                ensure!(
                    (a - b).abs() <= 1e-6 * a.abs().max(1.0),
                    "{} sums to {b}, ours to {a}",
                    peer.name
                );
            }
            report
                .rows
                .push(row(&name, ours_s, &peer.name, peer.seconds));
        }
        if peers.is_empty() {
            report
                .rows
                .push(row(&name, ours_s, "none was run", f64::NAN));
        }
        let fastest = peers.iter().map(|p| p.seconds).fold(f64::NAN, f64::min);
        let fastest_name = format!("{}, against the fastest, {megabytes:.0} MB", workload.name);
        report
            .rows
            .push(row(&fastest_name, ours_s, "the fastest", fastest));
        let memory = memory(&workload.file)?;
        report.notes.push(format!(
            "{}: {:.0} MB/s. The table takes {:.2} times the file's length, the peak with the rows of doubles is {:.2} times.",
            workload.name,
            megabytes / ours_s,
            (memory.table - memory.before) / 1e6 / megabytes,
            (memory.peak - memory.before) / 1e6 / megabytes,
        ));
    }
    report.notes.push(
        "Every reader has two threads where it takes threads (pandas has one) and reads the file from the page cache; \
         for floats every peer ends with a row-major array of doubles, and the sums agree."
            .into(),
    );
    Ok(report)
}

fn row(workload: &str, ours_s: f64, peer: &str, peer_s: f64) -> Row {
    Row {
        workload: workload.to_owned(),
        ours_s,
        peer: peer.to_owned(),
        peer_s,
        ratio: peer_s / ours_s,
        limit_name: "-".into(),
        fraction_of_limit: f64::NAN,
    }
}

/// Our best time, and the sum of the features.
fn ours(workload: &Workload) -> anyhow::Result<(f64, Option<f64>)> {
    let source = Source::from(&workload.file);
    let mut best = f64::INFINITY;
    let mut sum = None;
    for _ in 0..REPEAT {
        let from = Instant::now();
        let table = read_table(&source, &ReadOptions::default(), &mut Quiet)?;
        let points = match workload.what {
            "floats" => Some(table.features(&Features::numeric())?.1),
            _ => None,
        };
        best = best.min(from.elapsed().as_secs_f64());
        sum = points.map(|p| (0..p.len()).map(|i| p.row(i).iter().sum::<f64>()).sum());
    }
    Ok((best, sum))
}

/// Runs `peers/read.py` on the file.
fn peers(workload: &Workload) -> anyhow::Result<Vec<Peer>> {
    let Some(python) = std::env::var_os("ISOTHERM_PEER_PYTHON") else {
        return Ok(Vec::new());
    };
    let script: PathBuf = [env!("CARGO_MANIFEST_DIR"), "peers", "read.py"]
        .iter()
        .collect();
    let answer = Command::new(python)
        .arg(script)
        .arg(&workload.file)
        .args([workload.what, &rayon::current_num_threads().to_string()])
        .output()
        .context("the peers' python does not start")?;
    ensure!(
        answer.status.success(),
        "the peers failed, {}: {}",
        answer.status,
        String::from_utf8_lossy(&answer.stderr)
    );
    Ok(serde_json::from_slice(&answer.stdout)?)
}

fn memory(file: &Path) -> anyhow::Result<Memory> {
    let answer = Command::new(std::env::current_exe()?)
        .args([CHILD.as_ref(), file.as_os_str()])
        .output()?;
    ensure!(
        answer.status.success(),
        "the child failed: {}",
        String::from_utf8_lossy(&answer.stderr)
    );
    Ok(serde_json::from_slice(&answer.stdout)?)
}

/// Reads once, and prints what it took.
pub(crate) fn child(file: &str) -> anyhow::Result<()> {
    let before = resident("VmRSS:")?;
    let source = Source::from(file);
    let table = read_table(&source, &ReadOptions::default(), &mut Quiet)?;
    let held = resident("VmRSS:")?;
    let choice = Features::numeric();
    if !choice.plan(&table)?.is_empty() {
        table.features(&choice)?;
    }
    let found = Memory {
        before,
        table: held,
        peak: resident("VmHWM:")?,
    };
    println!("{}", serde_json::to_string(&found)?);
    Ok(())
}

fn floats(folder: &Path) -> anyhow::Result<PathBuf> {
    let mut rng = Rng(1);
    write(folder.join("floats.csv"), 500_000, 64, |_, _, text| {
        let _ = write!(text, "{}", 20.0 * (rng.unit() - 0.5));
    })
}

fn texts(folder: &Path) -> anyhow::Result<PathBuf> {
    const WORDS: [&str; 8] = [
        "isotherm",
        "fog",
        "a colder front",
        "Böen",
        "rain, then sun",
        "clear",
        "nimbus",
        "wind",
    ];
    let mut rng = Rng(2);
    write(folder.join("texts.csv"), 1_000_000, 8, |_, column, text| {
        let words = 1 + rng.below(6);
        let phrase: Vec<&str> = (0..words).map(|_| WORDS[rng.below(8)]).collect();
        let _ = match column {
            0 => write!(text, "row {}", rng.below(1 << 30)),
            1 => write!(text, "{}", WORDS[rng.below(2)]),
            2 => write!(text, "\"{}\nsecond \"\"line\"\"\"", phrase.join(" ")),
            _ => write!(text, "\"{}\"", phrase.join(" ")),
        };
    })
}

fn write(
    file: PathBuf,
    rows: usize,
    columns: usize,
    mut cell: impl FnMut(usize, usize, &mut String),
) -> anyhow::Result<PathBuf> {
    let mut out = std::io::BufWriter::new(std::fs::File::create(&file)?);
    let mut line: String = (0..columns).map(|j| format!("c{j},")).collect();
    for row in 0..=rows {
        line.pop();
        line.push('\n');
        out.write_all(line.as_bytes())?;
        line.clear();
        if row < rows {
            for column in 0..columns {
                cell(row, column, &mut line);
                line.push(',');
            }
        }
    }
    out.flush()?;
    Ok(file)
}
