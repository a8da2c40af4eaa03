//! The table every benchmark fills, and the page it is written to.

use std::fmt::Write as _;

use anyhow::Context as _;

/// One workload: ours, a peer's, and what the hardware would allow.
#[derive(Debug, Clone, serde::Serialize)]
pub(crate) struct Row {
    /// What was computed, with its sizes.
    pub(crate) workload: String,
    /// Our best time, in seconds.
    pub(crate) ours_s: f64,
    /// What a user would run instead.
    pub(crate) peer: String,
    /// Its best time, in seconds; NaN when it was not run.
    pub(crate) peer_s: f64,
    /// How many times faster ours is.
    pub(crate) ratio: f64,
    /// The hardware's limit that binds.
    pub(crate) limit_name: String,
    /// The time at that limit over our time.
    pub(crate) fraction_of_limit: f64,
}

/// What a benchmark found.
#[derive(Debug, Clone, Default, serde::Serialize)]
pub(crate) struct Report {
    /// The table.
    pub(crate) rows: Vec<Row>,
    /// Sentences below it: limits measured, memory, agreement with the peers.
    pub(crate) notes: Vec<String>,
}

impl From<Vec<Row>> for Report {
    fn from(rows: Vec<Row>) -> Self {
        Self {
            rows,
            notes: Vec::new(),
        }
    }
}

/// The report as Markdown, with the machine, the threads and the command.
pub(crate) fn render(title: &str, report: &Report, command: &str) -> String {
    let mut page = format!("## {title}\n\n");
    let _ = writeln!(
        page,
        "{}, {} threads for ours, f64, minimum over repetitions; load average at the end {}. Command: `{command}`\n",
        machine(),
        rayon::current_num_threads(),
        load()
    );
    page.push_str(
        "| workload | ours | peer | its time | ours is faster by | limit | of the limit |\n",
    );
    page.push_str("|---|---|---|---|---|---|---|\n");
    for row in &report.rows {
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {} | {} | {} |",
            row.workload,
            seconds(row.ours_s),
            row.peer,
            seconds(row.peer_s),
            number(row.ratio, |r| format!("{r:.1}×")),
            row.limit_name,
            number(row.fraction_of_limit, |f| format!("{:.0} %", 100.0 * f)),
        );
    }
    for note in &report.notes {
        let _ = write!(page, "\n- {note}");
    }
    page.push('\n');
    page
}

/// What we set out to reach: a workload's beginning, and how many times the
/// peer's speed ours must be at least.
const GOALS: &[(&str, f64)] = &[
    ("512 leading eigenpairs of PubMed's S", 1.0),
    (
        "kernel Laplacian fit, n = 10000, d = 10, p = 500, against klap",
        20.0,
    ),
    (
        "kernel Laplacian fit, n = 10000, d = 10, p = 500, against the formula in numpy",
        1.3,
    ),
    (
        "kernel Laplacian fit, n = 20000, d = 50, p = 500, against klap",
        20.0,
    ),
    (
        "kernel Laplacian fit, n = 20000, d = 50, p = 500, against the formula in numpy",
        1.3,
    ),
    (
        "kernel Laplacian fit, n = 10000, d = 784, p = 500, against klap",
        20.0,
    ),
    (
        "kernel Laplacian fit, n = 10000, d = 784, p = 500, against the formula in numpy",
        1.3,
    ),
    (
        "kernel Laplacian fit, n = 10000, d = 784, p = 500, against explicit columns",
        100.0,
    ),
    (
        "moments in single precision, n = 10000, d = 10, p = 500",
        1.6,
    ),
    (
        "moments in single precision, n = 20000, d = 50, p = 500",
        1.6,
    ),
    (
        "moments in single precision, n = 10000, d = 784, p = 500",
        1.6,
    ),
    (
        "kernel Laplacian fit, 1000000 × 50, 1000 landmarks, from Parquet",
        0.667,
    ),
    (
        "predicting, 1000000 × 50, 1000 landmarks, from Parquet",
        0.667,
    ),
    ("the grid of 96 inverse Laplacians on PubMed", 0.333),
    ("the grid of 96 inverse Laplacians on Computers", 0.333),
    (
        "squared distances, 100000 rows × 500 anchors, d = 50 ",
        0.75,
    ),
    (
        "squared distances, 100000 rows × 500 anchors, d = 500",
        0.75,
    ),
    (
        "Gaussian prediction, 10000 queries × 20000 anchors, d = 10,",
        3.0,
    ),
    (
        "Gaussian prediction, 10000 queries × 20000 anchors, d = 50,",
        3.0,
    ),
    ("power law, as given, 10.4 M entries, 8 columns", 5.0),
    ("power law, as given, 10.4 M entries, 16 columns", 5.0),
    ("neighbours, as given, 2.5 M entries, 8 columns", 5.0),
    ("neighbours, as given, 2.5 M entries, 16 columns", 5.0),
    ("10 nearest neighbours, 20000 rows, d = 50", 3.0),
    ("10 nearest neighbours, 200000 clustered rows, d = 50", 1.0),
    ("10 nearest neighbours, 200000 normal rows, d = 50", 1.0),
    (
        "solve, neighbours of 20,000, 0.3 M entries, η = 0.99, against the best at equal residual ",
        5.0,
    ),
    (
        "solve, neighbours of 20,000, 0.3 M entries, η = 0.99, against scikit-learn LabelSpreading, to its own tolerance ",
        10.0,
    ),
    (
        "solve, neighbours of 20,000, 0.3 M entries, η = 0.99, against scikit-learn LabelSpreading, 30 iterations ",
        1.0,
    ),
    (
        "solve, neighbours of 20,000, 0.3 M entries, η = 0.999, against the best at equal residual ",
        5.0,
    ),
    (
        "solve, neighbours of 20,000, 0.3 M entries, η = 0.999, against scikit-learn LabelSpreading, to its own tolerance ",
        10.0,
    ),
    (
        "solve, neighbours of 20,000, 0.3 M entries, η = 0.999, against scikit-learn LabelSpreading, 30 iterations ",
        1.0,
    ),
    (
        "solve, neighbours of 200,000, 2.5 M entries, η = 0.99, against the best at equal residual ",
        5.0,
    ),
    (
        "solve, neighbours of 200,000, 2.5 M entries, η = 0.99, against scikit-learn LabelSpreading, to its own tolerance ",
        10.0,
    ),
    (
        "solve, neighbours of 200,000, 2.5 M entries, η = 0.99, against scikit-learn LabelSpreading, 30 iterations ",
        1.0,
    ),
    (
        "solve, neighbours of 200,000, 2.5 M entries, η = 0.999, against the best at equal residual ",
        5.0,
    ),
    (
        "solve, neighbours of 200,000, 2.5 M entries, η = 0.999, against scikit-learn LabelSpreading, to its own tolerance ",
        10.0,
    ),
    (
        "solve, neighbours of 200,000, 2.5 M entries, η = 0.999, against scikit-learn LabelSpreading, 30 iterations ",
        1.0,
    ),
    (
        "solve, power law, 10.4 M entries, η = 0.99, against the best at equal residual ",
        5.0,
    ),
    (
        "solve, power law, 10.4 M entries, η = 0.99, against scikit-learn LabelSpreading, to its own tolerance ",
        10.0,
    ),
    (
        "solve, power law, 10.4 M entries, η = 0.99, against scikit-learn LabelSpreading, 30 iterations ",
        1.0,
    ),
    (
        "solve, power law, 10.4 M entries, η = 0.999, against the best at equal residual ",
        5.0,
    ),
    (
        "solve, power law, 10.4 M entries, η = 0.999, against scikit-learn LabelSpreading, to its own tolerance ",
        10.0,
    ),
    (
        "solve, power law, 10.4 M entries, η = 0.999, against scikit-learn LabelSpreading, 30 iterations ",
        1.0,
    ),
    (
        "one more label, 1000000 rows × 64 modes × 10 classes, beside the budget",
        1.0,
    ),
    (
        "one more label, 1000000 rows × 64 modes × 10 classes, against numpy ",
        3.0,
    ),
    // Within twice the time of the fastest reader there is.
    (
        "CSV to rows of doubles, 500000 × 64 floats, against the fastest",
        0.5,
    ),
    (
        "CSV to a table, 1000000 rows, 8 columns of text with quotes and line breaks, against the fastest",
        0.5,
    ),
    // At least 1/1.3 of what linear scaling would give.
    ("an iteration, 1e8 entries", 0.77),
];

/// The goals beside what this run measured.
pub(crate) fn goals(reports: &[Report]) -> String {
    let rows: Vec<&Row> = reports.iter().flat_map(|r| &r.rows).collect();
    let mut page = String::from(
        "## Goals\n\nHow many times the peer's speed, in this run; the machine is shared, so runs differ.\n\n| workload | goal | measured | met |\n|---|---|---|---|\n",
    );
    for &(name, goal) in GOALS {
        let row = rows
            .iter()
            .find(|r| format!("{} ", r.workload).starts_with(name));
        if let Some(row) = row.filter(|r| r.ratio.is_finite()) {
            let met = if row.ratio >= goal { "yes" } else { "no" };
            let workload = &row.workload;
            let _ = writeln!(page, "| {workload} | {goal}× | {:.2}× | {met} |", row.ratio);
        }
    }
    page
}

/// Writes the sections to one page.
///
/// # Errors
/// When the file cannot be written.
pub(crate) fn write(path: &str, sections: &[String]) -> anyhow::Result<()> {
    if let Some(folder) = std::path::Path::new(path).parent() {
        std::fs::create_dir_all(folder)?;
    }
    let page = format!("# Benchmarks\n\n{}", sections.join("\n"));
    std::fs::write(path, page).with_context(|| format!("{path} cannot be written"))
}

fn seconds(s: f64) -> String {
    number(s, |s| {
        if s < 1.0 {
            format!("{:.3} ms", 1e3 * s)
        } else {
            format!("{s:.3} s")
        }
    })
}

fn number(value: f64, show: impl Fn(f64) -> String) -> String {
    if value.is_finite() {
        show(value)
    } else {
        "–".into()
    }
}

fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find(|l| l.starts_with("model name"));
    let name = model
        .and_then(|l| l.split_once(": "))
        .map_or("unknown processor", |p| p.1);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{name}, {cores} cores")
}

/// How busy the machine was: above the number of threads, distrust the table.
fn load() -> String {
    let averages = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    averages
        .split_whitespace()
        .next()
        .unwrap_or("unknown")
        .to_owned()
}
