//! `isotherm report`: one page that a person can send.

use std::path::{Path, PathBuf};

use isotherm::monitor::Monitor;
use isotherm::select::Grid;
use isotherm::spectrum::Transform;
use isotherm_io::Destination;
use serde_json::json;

use super::evaluate::{Marked, without_marks};
use super::{check_output, print_recipe, toml_of, write_bytes};
use crate::args::{EdgeFile, Report};
use crate::console::{Console, print};
use crate::failure::{Failure, Outcome};
use crate::load::load;
use crate::report::{Findings, Wishes, page, study};
use crate::terminal;

pub(crate) fn run(
    args: &Report,
    memory: u64,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<()> {
    let data = without_marks(&args.data, args.audit.as_ref(), args.pool.as_ref());
    let Some(output) = args.output.as_ref().filter(|_| !args.how.print_recipe) else {
        let loaded = load(&data, &args.how, memory, console, monitor)?;
        return print_recipe(&loaded.recipe, console);
    };
    check_name(output)?;
    let overwrite = check_output(output, args.force, console.json())?;
    let loaded = load(&data, &args.how, memory, console, monitor)?;
    let rows = loaded.nodes.as_ref().map(|(_, rows)| rows.as_slice());
    let sampling = Marked {
        audit: args.audit.as_ref(),
        pool: args.pool.as_ref(),
        all: args.all_labels,
    }
    .chosen(&loaded.table, rows, loaded.input.len(), console)?;
    let file = args.data.named();
    let wishes = Wishes {
        title: args
            .title
            .clone()
            .unwrap_or_else(|| title_of(&args.data.data)),
        graph: named(&args.data.graph),
        label: args.data.label.clone(),
        id: args.data.id.clone(),
        level: args.level,
        list: args.list,
        tune: args.tune,
        toml: toml_of(&loaded.recipe)?,
        file,
        sampling,
        memory,
    };
    let findings = study(wishes, loaded, console, monitor)?;
    let text = page(&findings)?;
    let destination = Destination::from(output);
    terminal::make_way(&destination);
    match destination {
        Destination::Stdout => print(&text)?,
        _ => write_bytes(output, text.as_bytes(), overwrite)?,
    }
    console.note(&format!("wrote {}, {}", output.display(), size(text.len())));
    if console.json() {
        console.answer(told(&findings, output, text.len()))
    } else {
        Ok(())
    }
}

/// A page has a page's name, so that whoever gets it can open it.
fn check_name(path: &Path) -> Outcome<()> {
    let known = path.extension().and_then(|e| e.to_str());
    match known.map(str::to_lowercase).as_deref() {
        Some("html" | "htm") => Ok(()),
        _ if path.as_os_str() == "-" => Ok(()),
        _ => Err(Failure::usage(
            format!("-o {}: a report is a page", path.display()),
            "let the name end in .html",
        )),
    }
}

fn title_of(data: &[PathBuf]) -> String {
    let first = data.first().and_then(|d| d.file_name());
    let name = match first {
        Some(name) if name != "-" => name.to_string_lossy().into_owned(),
        _ => "standard input".to_owned(),
    };
    match data.len() {
        0 | 1 => name,
        n => format!("{name} and {} more", n - 1),
    }
}

/// The grid that is tried around a transform: others of its kind.
pub(crate) fn grid_of(transform: &Transform) -> Grid {
    match transform {
        Transform::Power { .. } => Grid::powers(),
        Transform::Truncation { encoder, .. } => Grid::ranks(*encoder),
        Transform::InverseLaplacian { .. } => Grid::inverse_laplacian(),
        other => Grid::with_ridges(vec![other.clone()]),
    }
}

fn size(bytes: usize) -> String {
    match bytes {
        b if b < 1_000_000 => format!("{} kB", b.div_ceil(1000)),
        b => format!("{:.1} MB", b as f64 / 1e6),
    }
}

/// The same for programs.
fn told(found: &Findings, output: &Path, bytes: usize) -> serde_json::Value {
    let mut next = json!(found.next.as_ref().ok());
    for (k, listed) in found.next_rows.iter().enumerate() {
        next["rows"][k]["row"] = listed.row.into();
    }
    json!({
        "output": output.display().to_string(),
        "bytes": bytes,
        "samples": found.samples,
        "labelled": found.labelled,
        "unreached": found.unreached,
        "recipe": found.recipe,
        "evaluation": found.evaluation.as_ref().ok(),
        "reliability": found.reliability.as_ref().ok(),
        "learning_curve": found.curve.as_ref().ok(),
        "spectrum": found.spectrum.as_ref().ok(),
        "balance": found.balance.as_ref().ok(),
        "next": next,
    })
}

/// The files of edges, where there are some.
fn named(graph: &[EdgeFile]) -> Option<String> {
    let files: Vec<String> = graph.iter().map(EdgeFile::to_string).collect();
    (!files.is_empty()).then(|| files.join(", "))
}
