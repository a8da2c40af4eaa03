//! `isotherm demo`: what isotherm does, on data it brings along.

use std::collections::BTreeSet;
use std::path::Path;

use isotherm::data::{Points, Targets, split, synthetic};
use isotherm::estimator::baseline::KernelRidgeParams;
use isotherm::monitor::Monitor;
use isotherm::recipe::{Method, Recipe, Shape, Task};
use isotherm::study::{Input, Study};
use isotherm_io::atomic::{Overwrite, check_destination};
use isotherm_io::{Features, Provenance, ReadOptions, Table, csv, embedded, merge};

use super::write_bytes;
use crate::args::Demo;
use crate::console::{Console, print};
use crate::failure::{Failure, Outcome};
use crate::figures::Picture;
use crate::figures::circles::{Panel, Scatter};

static DIGITS: &[u8] = include_bytes!("../../assets/digits.csv");

const CIRCLES: usize = 4;
const PER_CIRCLE: usize = 500;
const LABELS_PER_CIRCLE: usize = 10;

/// What one data set showed.
struct Shown {
    rows: usize,
    labels: usize,
    /// Right answers on the rows whose label was hidden, 0 to 1.
    supervised: f64,
    isotherm: f64,
    answers: [Vec<Option<u32>>; 2],
}

pub(crate) fn run(args: &Demo, console: &Console, monitor: &mut dyn Monitor) -> Outcome<()> {
    let dir = &args.out_dir;
    console.record().seed(args.seed);
    std::fs::create_dir_all(dir)
        .map_err(|e| Failure::from(isotherm_io::Error::io(dir, "create", e)))?;

    let (points, circle) = synthetic::circles(CIRCLES, PER_CIRCLE, args.seed)?;
    let truth = circle.clone();
    let (labelled, _) = split::per_class(&circle, CIRCLES, LABELS_PER_CIRCLE, args.seed)?;
    let circles = compare(&points, &truth, &labelled, args.seed, monitor)?;
    let provenance = console.record().provenance()?;
    let pictures = draw(&points, &truth, &labelled, &circles, &provenance)?;

    let table = digits(monitor)?;
    let truth = digit_classes(&table)?;
    let (_, pixels) = table.features(&Features::numeric().except("digit"))?;
    let (labelled, hidden) = split::per_class(&truth, 10, args.per_class, args.seed)?;
    let digits = compare(&pixels, &truth, &labelled, args.seed, monitor)?;
    let tables = [
        ("digits.csv", few_labels(&hidden).into_bytes()),
        ("digits-answers.csv", answers(&truth).into_bytes()),
    ];
    write(
        dir,
        &pictures.into_iter().chain(tables).collect::<Vec<_>>(),
        args.force,
    )?;

    if console.json() {
        let value = |s: &Shown| {
            serde_json::json!({
                "rows": s.rows, "labels": s.labels,
                "supervised_accuracy": s.supervised, "isotherm_accuracy": s.isotherm,
            })
        };
        let all = serde_json::json!({ "circles": value(&circles), "digits": value(&digits),
            "output": dir.display().to_string(),
        });
        return console.answer(all);
    }
    print(&screen(dir, &circles, &digits))
}

/// Fits the supervised baseline and isotherm's default on the same few labels.
fn compare(
    points: &Points,
    truth: &[u32],
    labelled: &[usize],
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Outcome<Shown> {
    let mut known: Vec<Option<String>> = vec![None; truth.len()];
    for &i in labelled {
        known[i] = Some(truth[i].to_string());
    }
    let targets = Targets::from_names(&known);
    let ours = Recipe::automatic(Shape::Table, Task::Classify, seed);
    let supervised = Recipe {
        method: Method::KernelRidge(KernelRidgeParams::default()),
        ..ours.clone()
    };
    let mut answer = |recipe: &Recipe| -> Outcome<Vec<Option<u32>>> {
        let input = Input::Table(points.clone());
        let mut study = Study::new(recipe, input, &targets)?;
        let model = study.fit(monitor)?;
        let answer = study.training_answer(&model, monitor)?;
        let classes = answer.classes().map(<[Option<u32>]>::to_vec);
        Ok(classes.unwrap_or_else(|| vec![None; points.len()]))
    };
    let answers = [answer(&supervised)?, answer(&ours)?];
    let mut hidden = vec![true; truth.len()];
    labelled.iter().for_each(|&i| hidden[i] = false);
    let accuracy = |labels: &[Option<u32>]| {
        let rows = || (0..truth.len()).filter(|&i| hidden[i]);
        let right = rows().filter(|&i| labels[i] == Some(truth[i])).count();
        right as f64 / rows().count().max(1) as f64
    };
    Ok(Shown {
        rows: truth.len(),
        labels: labelled.len(),
        supervised: accuracy(&answers[0]),
        isotherm: accuracy(&answers[1]),
        answers,
    })
}

fn digits(monitor: &mut dyn Monitor) -> Outcome<Table> {
    let path = Path::new("digits.csv");
    let options = ReadOptions::default();
    Ok(csv::read_csv(
        DIGITS,
        path,
        Some(DIGITS.len() as u64),
        &options,
        monitor,
    )?)
}

fn digit_classes(table: &Table) -> Outcome<Vec<u32>> {
    match Targets::from_names(&table.labels("digit")?) {
        Targets::Classes { labels, .. } => Ok(labels.into_iter().flatten().collect()),
        _ => Ok(Vec::new()),
    }
}

/// The picture, as SVG and as PNG, each with the name of its file.
fn draw(
    points: &Points,
    truth: &[u32],
    labelled: &[usize],
    shown: &Shown,
    provenance: &Provenance,
) -> Outcome<[(&'static str, Vec<u8>); 2]> {
    let plane: Vec<(f64, f64)> = (0..points.len())
        .map(|i| (points.row(i)[0], points.row(i)[1]))
        .collect();
    let ringed: Vec<(usize, u32)> = labelled.iter().map(|&i| (i, truth[i])).collect();
    let [supervised, isotherm] = &shown.answers;
    let panel = |title: String, classes: Vec<Option<u32>>| Panel { title, classes };
    let panels = [
        panel(
            format!("{} rows, {} labels", shown.rows, shown.labels),
            vec![None; truth.len()],
        ),
        panel(
            format!("labelled rows only: {} right", percent(shown.supervised)),
            supervised.clone(),
        ),
        panel(
            format!("isotherm: {} right", percent(shown.isotherm)),
            isotherm.clone(),
        ),
    ];
    let scatter = Scatter {
        points: &plane,
        labelled: &ringed,
        panels: &panels,
    };
    let svg = embedded::into_svg(&scatter.svg()?, provenance);
    let png = embedded::into_png(scatter.png()?, provenance);
    Ok([("circles.svg", svg.into_bytes()), ("circles.png", png)])
}

/// The digits with all but a few labels blank: something to try the commands on.
fn few_labels(hidden: &[usize]) -> String {
    let blank: BTreeSet<usize> = hidden.iter().copied().collect();
    let text = String::from_utf8_lossy(DIGITS);
    let mut out = String::with_capacity(text.len());
    for (line, row) in text.lines().enumerate() {
        // Line 0 is the header, so row i stands on line i + 1.
        let hide = line > 0 && blank.contains(&(line - 1));
        match (hide, row.rsplit_once(',')) {
            (true, Some((pixels, _))) => {
                out.push_str(pixels);
                out.push(',');
            }
            _ => out.push_str(row),
        }
        out.push('\n');
    }
    out
}

/// Every digit by the number of its row: what a person would say who was asked.
fn answers(truth: &[u32]) -> String {
    let mut out = format!("{},digit\n", merge::ROW);
    for (row, digit) in truth.iter().enumerate() {
        out.push_str(&format!("{},{digit}\n", row + 1));
    }
    out
}

/// Writes the files, all of them or none: one that somebody else put there stays, unless told.
fn write(dir: &Path, files: &[(&str, Vec<u8>)], force: bool) -> Outcome<()> {
    let mut changed = Vec::new();
    for (name, bytes) in files {
        let path = dir.join(name);
        let same = std::fs::read(&path).is_ok_and(|there| there == *bytes);
        if same && !force {
            continue;
        }
        let overwrite = if force || is_ours(&path) {
            Overwrite::Replace
        } else {
            Overwrite::Refuse
        };
        check_destination(&path, overwrite)?;
        changed.push((path, bytes, overwrite));
    }
    for (path, bytes, overwrite) in changed {
        write_bytes(&path, bytes, overwrite)?;
    }
    Ok(())
}

/// Whether a picture tells that a demo drew it: its words may have been other ones.
fn is_ours(path: &Path) -> bool {
    let found = embedded::find(path);
    found.is_ok_and(|found| found.provenance.command.iter().any(|word| word == "demo"))
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn screen(dir: &Path, circles: &Shown, digits: &Shown) -> String {
    let row = |name: &str, s: &Shown| {
        format!(
            "  {name:<28} {:>5} {:>7} {:>15} {:>11}",
            s.rows,
            s.labels,
            percent(s.supervised),
            percent(s.isotherm)
        )
    };
    let dir = dir.display();
    [
        "You have many rows and labels for a few of them. Which labels do the others get?"
            .to_owned(),
        String::new(),
        format!(
            "  {:<28} {:>5} {:>7} {:>15} {:>11}",
            "right on the hidden labels", "rows", "labels", "labelled only", "isotherm"
        ),
        row("four circles (made)", circles),
        row("handwritten digits (real)", digits),
        String::new(),
        "\"labelled only\" is kernel ridge regression on the labelled rows. isotherm also used"
            .to_owned(),
        "the rows without labels: it blended several kernels and graphs of neighbours. Neither"
            .to_owned(),
        "fit saw a hidden label. The circles are an illustration and no evidence.".to_owned(),
        String::new(),
        format!("The picture:      {dir}/circles.svg (and .png)"),
        "Try it yourself:".to_owned(),
        format!("  isotherm label {dir}/digits.csv --label digit -o labelled.csv"),
        format!("  isotherm fit   {dir}/digits.csv --label digit -o digits.iso"),
        "  isotherm label your.csv --label your_column -o out.csv".to_owned(),
    ]
    .join("\n")
}
