//! Label propagation with 10 classes on graphs of 10⁵ to 10⁸ stored entries: time
//! an iteration, and memory, each in a child of its own.
//!
//! A power law (Chung–Lu, exponent 2.5) of mean degree 20, names shuffled: no
//! locality to be found, so gathers of large graphs miss every cache.

use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use isotherm::base::GraphBase;
use isotherm::data::Graph;
use isotherm::data::graph::{EdgeRules, GraphBuilder};
use isotherm::estimator::Estimator as _;
use isotherm::estimator::baseline::{LabelPropagation, LabelPropagationParams};
use isotherm::linalg::Mat;
use isotherm::monitor::{Event, Quiet};
use isotherm::recipe::{Method, Recipe, Task};
use isotherm::resources::cost::{SampleKind, Sizes, memory};
use isotherm::task::Observed;

use crate::graph::{Rng, power_law, resident};
use crate::report::{Report, Row};

/// The sub-command under which this program measures one size.
pub(crate) const CHILD: &str = "scale-size";

const SIZES: [usize; 4] = [100_000, 1_000_000, 10_000_000, 100_000_000];
const DEGREE: usize = 20;
const CLASSES: usize = 10;
const LABELS: usize = 10;

/// What the largest graph may take.
const LIMIT: f64 = 4e9;

/// How much more an entry may cost than in a graph a tenth as large.
const LINEAR: f64 = 1.3;

#[derive(serde::Serialize, serde::Deserialize)]
struct Found {
    nodes: usize,
    entries: usize,
    build_s: f64,
    fit_s: f64,
    iteration_s: f64,
    iterations: usize,
    residual: f64,
    /// While the graph was built, and while it was fitted.
    peaks: [f64; 2],
    estimate: u64,
}

/// Runs all sizes, smallest first.
pub(crate) fn run() -> anyhow::Result<Report> {
    let mut report = Report::default();
    let mut last: Option<f64> = None;
    for size in SIZES {
        let answer = Command::new(std::env::current_exe()?)
            .arg(CHILD)
            .arg(size.to_string())
            .output()?;
        ensure!(
            answer.status.success(),
            "the child failed: {}",
            String::from_utf8_lossy(&answer.stderr)
        );
        let found: Found = serde_json::from_slice(&answer.stdout)?;
        let entry = found.iteration_s / found.entries as f64;
        let peak = found.peaks[0].max(found.peaks[1]);
        report.rows.push(Row {
            workload: format!(
                "an iteration, {:.0e} entries, {} nodes",
                size as f64, found.nodes
            ),
            ours_s: found.iteration_s,
            peer: "linear from a tenth of the entries".into(),
            peer_s: last.map_or(f64::NAN, |last| last * found.entries as f64),
            ratio: last.map_or(f64::NAN, |last| last / entry),
            limit_name: String::new(),
            fraction_of_limit: f64::NAN,
        });
        let linear = match last {
            Some(last) if entry <= LINEAR * last => {
                format!("{:.2}× a tenth, within {LINEAR}", entry / last)
            }
            Some(last) => format!("{:.2}× a tenth, NOT within {LINEAR}", entry / last),
            None => "the first".into(),
        };
        report.notes.push(format!(
            "{:.0e} entries: {:.2} ns an entry and iteration ({linear}); built in {:.2} s, fitted in {:.2} s, {} iterations to {:.1e}; peak {:.2} GB building, {:.2} GB fitting ({:.0} bytes a node beside 4 an entry), {:.2} GB estimated before{}.",
            size as f64,
            1e9 * entry,
            found.build_s,
            found.fit_s,
            found.iterations,
            found.residual,
            found.peaks[0] / 1e9,
            found.peaks[1] / 1e9,
            (found.peaks[1] - 4.0 * found.entries as f64) / found.nodes as f64,
            found.estimate as f64 / 1e9,
            if peak <= LIMIT { "" } else { ", MORE than the 4 GB allowed" },
        ));
        last = Some(entry);
    }
    Ok(report)
}

/// Builds one graph, fits, and prints what it took.
pub(crate) fn child(entries: &str) -> anyhow::Result<()> {
    let entries: usize = entries.parse()?;
    let from = Instant::now();
    let graph = synthetic(entries)?;
    let build_s = from.elapsed().as_secs_f64();
    let building = resident("VmHWM:")?;
    // The peak from here on.
    std::fs::write("/proc/self/clear_refs", "5")?;
    let (nodes, entries) = (graph.len(), graph.entries());
    let seen = labels(&graph)?;
    let params = LabelPropagationParams {
        eta: 0.99,
        tolerance: 1e-6,
        ..Default::default()
    };
    let method = LabelPropagation::new(params)?;
    let mut times = Vec::new();
    let mut clock = |event: Event| {
        if matches!(event, Event::Residual { .. }) {
            times.push(Instant::now());
        }
        std::ops::ControlFlow::Continue(())
    };
    let from = Instant::now();
    let fitted = method.fit(GraphBase::new(graph), &seen, &mut clock)?;
    let fit_s = from.elapsed().as_secs_f64();
    let mut steps: Vec<f64> = (times.windows(2))
        .map(|w| (w[1] - w[0]).as_secs_f64())
        .collect();
    steps.sort_by(f64::total_cmp);
    let sizes = Sizes {
        samples: nodes,
        labelled: CLASSES * LABELS,
        width: CLASSES,
        kind: SampleKind::Graph {
            edges: entries / 2,
            weighted: false,
            features: 0,
            values: 0,
            relations: 0,
        },
    };
    let recipe = Recipe::of(
        Method::LabelPropagation(Default::default()),
        Task::Classify,
        0,
    );
    let found = Found {
        nodes,
        entries,
        build_s,
        fit_s,
        // Residuals are recomputed in a few steps only: the median leaves them out,
        // the fit's time has them.
        iteration_s: *steps.get(steps.len() / 2).context("too few iterations")?,
        iterations: fitted.report.iterations,
        residual: fitted.report.residual,
        peaks: [building, resident("VmHWM:")?],
        estimate: memory(&recipe, &sizes),
    };
    println!("{}", serde_json::to_string(&found)?);
    Ok(())
}

/// A power law with about so many entries, streamed into its builder.
fn synthetic(entries: usize) -> anyhow::Result<Graph> {
    // Some edges are drawn twice and count once.
    let (nodes, edges) = (entries / DEGREE, entries / 2 + entries / 50);
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(nodes);
    for [u, v] in power_law(nodes, edges) {
        builder.push(u, v, None)?;
    }
    Ok(builder.finish(&mut Quiet)?.0)
}

fn labels(graph: &Graph) -> anyhow::Result<Observed> {
    let mut rng = Rng(5);
    let mut index = Vec::new();
    while index.len() < CLASSES * LABELS {
        let node = rng.below(graph.len());
        if !graph.neighbours(node).is_empty() && !index.contains(&node) {
            index.push(node);
        }
    }
    let value = |k: usize, j: usize| f64::from(u8::from(k / LABELS == j));
    let values = Mat::from_fn(index.len(), CLASSES, value);
    Ok(Observed::new(index, values, graph.len())?)
}
