//! A kernel Laplacian from a Parquet file that is never in memory, and its predictions:
//! time against linear growth, and memory, each size in a child of its own.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use isotherm::data::{Points, RowStream as _, Targets};
use isotherm::distributed;
use isotherm::estimator::laplacian::{BasisSpec, LaplacianParams, Route};
use isotherm::kernel::{Bandwidth, KernelSpec};
use isotherm::linalg::Precision;
use isotherm::model;
use isotherm::monitor::Quiet;
use isotherm::recipe::{Method, Recipe, Scaling, Task};
use isotherm::spectrum::Filter;
use isotherm_io::{
    Batches, Cells, Column, Destination, Error, Features, Format, Nullable, Origin, Overwrite,
    ReadOptions, Source, Table, write_parts,
};

use crate::graph::resident;
use crate::kernel::normal;
use crate::report::{Report, Row};

/// The sub-command under which this program measures one file.
pub(crate) const CHILD: &str = "stream-file";

const SIZES: [usize; 2] = [100_000, 1_000_000];
const DIM: usize = 50;
const LANDMARKS: usize = 1000;
const LABELS: usize = 100;

/// What the largest table may take.
const LIMIT: f64 = 1.5e9;

#[derive(serde::Serialize, serde::Deserialize)]
struct Found {
    read_s: f64,
    fit_s: f64,
    single_s: f64,
    predict_s: f64,
    /// Seconds a row for rows that are in memory already.
    in_memory_s: f64,
    peak: f64,
    error: String,
}

/// Both sizes, the smaller first.
pub(crate) fn run() -> anyhow::Result<Report> {
    let mut report = Report::default();
    let mut last: Option<Found> = None;
    for size in SIZES {
        let name = format!("isotherm-stream-{}-{size}.parquet", std::process::id());
        let file = std::env::temp_dir().join(name);
        write(&file, size)?;
        let answer = Command::new(std::env::current_exe()?)
            .args([CHILD.as_ref(), file.as_os_str()])
            .output();
        std::fs::remove_file(&file)?;
        let answer = answer?;
        ensure!(
            answer.status.success(),
            "the child failed: {}",
            String::from_utf8_lossy(&answer.stderr)
        );
        let found: Found = serde_json::from_slice(&answer.stdout)?;
        let growth = size as f64 / SIZES[0] as f64;
        let row = |workload: String, ours: f64, before: Option<f64>| Row {
            workload,
            ours_s: ours,
            peer: "linear from a tenth of the rows".into(),
            peer_s: before.map_or(f64::NAN, |s| s * growth),
            ratio: before.map_or(f64::NAN, |s| s * growth / ours),
            limit_name: String::new(),
            fraction_of_limit: f64::NAN,
        };
        let before = last.as_ref();
        let about = format!("{size} × {DIM}, {LANDMARKS} landmarks, from Parquet");
        report.rows.push(row(
            format!("kernel Laplacian fit, {about}"),
            found.fit_s,
            before.map(|b| b.fit_s),
        ));
        report.rows.push(row(
            format!("predicting, {about}"),
            found.predict_s,
            before.map(|b| b.predict_s),
        ));
        report.rows.push(Row {
            peer: "the same rows from memory".into(),
            peer_s: found.in_memory_s * size as f64,
            ratio: found.in_memory_s * size as f64 / found.predict_s,
            ..row(
                format!("predicting beside memory, {about}"),
                found.predict_s,
                None,
            )
        });
        report.rows.push(Row {
            peer: "double precision".into(),
            peer_s: found.fit_s,
            ratio: found.fit_s / found.single_s,
            ..row(
                format!("in single precision, kernel Laplacian fit, {about}"),
                found.single_s,
                None,
            )
        });
        report.notes.push(format!(
            "{size} rows: read alone {:.2} s, peak memory of all {:.2} GB{}. {}",
            found.read_s,
            found.peak / 1e9,
            if found.peak <= LIMIT {
                ""
            } else {
                ", MORE than the 1.5 GB allowed"
            },
            found.error,
        ));
        last = Some(found);
    }
    Ok(report)
}

/// Normal numbers in columns, a class in the first rows.
fn write(file: &Path, rows: usize) -> anyhow::Result<()> {
    const PART: usize = 50_000;
    let mut done = 0;
    let next = || -> Result<Option<Table>, Error> {
        if done == rows {
            return Ok(None);
        }
        let here = PART.min(rows - done);
        let values = normal(here * DIM, 1 + done as u64);
        let column = |j: usize| -> Nullable<f64> {
            let cells = values.iter().skip(j).step_by(DIM);
            cells.map(|v| Some(*v)).collect()
        };
        let mut columns: Vec<Column> = (0..DIM)
            .map(|j| Column {
                name: format!("x{j}"),
                cells: Cells::Float(column(j)),
            })
            .collect();
        let labels = (done..done + here).map(|i| (i < LABELS).then_some((i % 2) as i64));
        columns.push(Column {
            name: "y".into(),
            cells: Cells::Integer(labels.collect()),
        });
        done += here;
        Table::new(columns, Origin::new(file, Format::Parquet)).map(Some)
    };
    Ok(write_parts(
        &Destination::from(file),
        Overwrite::Replace,
        next,
    )?)
}

fn open(file: &Path) -> anyhow::Result<Batches> {
    let source = Source::from(file);
    Ok(Batches::open(&source, &ReadOptions::default(), &mut Quiet)?)
}

/// Fits twice, predicts, and prints what it took.
pub(crate) fn child(file: &str) -> anyhow::Result<()> {
    let file = Path::new(file);
    let features = Features::numeric().except("y");
    let mut labels = Vec::new();
    let mut batches = open(file)?;
    batches.choose(&["y".to_owned()])?;
    while let Some(part) = batches.next_part(&mut Quiet)? {
        labels.extend(part.labels("y")?);
    }
    let targets = Targets::from_names(&labels);
    let mut rows = open(file)?.into_rows(&features)?;
    let from = Instant::now();
    let mut kept: Option<Points> = None;
    while let Some(part) = rows.next(&mut Quiet)? {
        kept.get_or_insert(part);
    }
    let read_s = from.elapsed().as_secs_f64();
    let mut fit = |precision: Precision| -> anyhow::Result<_> {
        let mut recipe = Recipe::on_graph(Task::Classify, 0);
        recipe.scaling = Some(Scaling::Standardise);
        recipe.method = Method::Laplacian(LaplacianParams {
            kernel: KernelSpec::Gaussian {
                bandwidth: Bandwidth::Fixed((DIM as f64).sqrt()),
            },
            basis: BasisSpec::Landmarks {
                count: Some(LANDMARKS),
                selection: Default::default(),
                derivatives: false,
            },
            filter: Some(Filter::Tikhonov { strength: 0.1 }),
            route: Route::Gram,
            precision,
            ..LaplacianParams::default()
        });
        let from = Instant::now();
        let model = distributed::fit_streamed(&recipe, &mut rows, &targets, &mut Quiet)?;
        Ok((model, from.elapsed().as_secs_f64()))
    };
    let (model, fit_s) = fit(Precision::Double)?;
    let (single, single_s) = fit(Precision::Single)?;
    let part = kept.context("no rows")?;
    let (a, b) = (
        model.predict_rows(&part, &mut Quiet)?,
        single.predict_rows(&part, &mut Quiet)?,
    );
    let off = (&a.scores - &b.scores).norm_l2() / a.scores.norm_l2();
    let estimate = single.report().error_estimate;
    let from = Instant::now();
    model.predict_rows(&part, &mut Quiet)?;
    let in_memory_s = from.elapsed().as_secs_f64() / part.len() as f64;
    drop((part, a, b, single));
    let predict_s = predict(file, &model, &features)?;
    let found = Found {
        read_s,
        fit_s,
        single_s,
        predict_s,
        in_memory_s,
        peak: resident("VmHWM:")?,
        error: format!(
            "Scores in single precision differ by {off:.1e} of their size, and {} was estimated.",
            estimate.map_or("nothing".into(), |e| format!("{e:.0e}"))
        ),
    };
    println!("{}", serde_json::to_string(&found)?);
    Ok(())
}

/// Reads, answers and writes part after part, as `predict --stream` does.
fn predict(file: &Path, model: &model::Model, features: &Features) -> anyhow::Result<f64> {
    let from = Instant::now();
    let mut batches = open(file)?;
    let next = || -> Result<Option<Table>, Error> {
        let Some(part) = batches.next_part(&mut Quiet)? else {
            return Ok(None);
        };
        let (_, points) = part.features(features)?;
        let answer = model.predict_rows(&points, &mut Quiet)?;
        let scores: Nullable<f64> = (0..points.len())
            .map(|i| Some(answer.scores[(i, 0)]))
            .collect();
        let column = Column {
            name: "score".into(),
            cells: Cells::Float(scores),
        };
        Table::new(vec![column], part.origin().clone()).map(Some)
    };
    let out = file.with_extension("answer.parquet");
    let written = write_parts(&Destination::from(&out), Overwrite::Replace, next);
    std::fs::remove_file(&out).ok();
    written?;
    Ok(from.elapsed().as_secs_f64())
}
