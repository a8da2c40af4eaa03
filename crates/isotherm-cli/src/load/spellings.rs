//! Classes that differ by their spelling only: merged, kept apart, or refused.

use std::io::{BufRead, IsTerminal};
use std::path::Path;

use isotherm::monitor::Monitor;
use isotherm::recipe::Task;
use isotherm_io::Source;
use isotherm_io::labels::spellings::{Renames, read_renames, rename, spellings};
use isotherm_io::profile::Alike;
use isotherm_io::provenance::quoted;
use serde_json::json;

use super::labels::{are_classes, class_counts, told_pair};
use super::listed;
use crate::args::{Data, MergeLabels};
use crate::console::{Console, count, say};
use crate::failure::{Failure, Outcome};
use crate::terminal;

/// What labels are called instead, as `--merge-labels` says; without it spellings of one class
/// are refused, because merging them changes the answer.
pub(crate) fn settle(
    cells: &[Option<String>],
    task: Task,
    data: &Data,
    grades: &[String],
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<Renames> {
    if !are_classes(task, data) {
        return match data.merge_labels {
            None => Ok(Renames::new()),
            Some(_) => Err(no_classes(task, data)),
        };
    }
    let counts = class_counts(cells);
    if let Some(MergeLabels::Map(path)) = &data.merge_labels {
        return by_map(path, cells, grades, data, console, monitor);
    }
    let pairs = spellings(&counts, grades);
    if pairs.is_empty() {
        return Ok(Renames::new());
    }
    let merge = match data.merge_labels {
        Some(MergeLabels::Auto) => true,
        Some(MergeLabels::Ask) => ask(&pairs, data, console)?,
        Some(MergeLabels::Never) => false,
        _ => {
            return Err(Failure::refused(
                "label-spellings",
                told(&pairs, data),
                "pass --merge-labels auto to merge them into the most frequent spelling, \
                 --merge-labels never to keep them apart, or --merge-labels map.csv, a file of \
                 two columns: a label, and what it is called instead",
            ));
        }
    };
    if !merge {
        return Ok(Renames::new());
    }
    tell(&pairs, console);
    let renames = pairs.into_iter().map(|pair| (pair.odd.0, pair.usual.0));
    Ok(renames.collect())
}

/// The renames of a file, after which no spelling may be left that it does not speak of.
fn by_map(
    path: &Path,
    cells: &[Option<String>],
    grades: &[String],
    data: &Data,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<Renames> {
    console.record().reads(path);
    let renames = read_renames(&Source::Path(path.to_owned()), monitor)?;
    let mut renamed = cells.to_vec();
    rename(&mut renamed, &renames);
    // A row such as Premium,Premium keeps a class as it is.
    let kept = |name: &String| renames.get(name) == Some(name);
    let mut left = spellings(&class_counts(&renamed), grades);
    left.retain(|pair| !kept(&pair.odd.0));
    if let Some(Alike { odd, usual, .. }) = left.first() {
        return Err(Failure::refused(
            "label-spellings",
            format!("{} leaves {}", path.display(), told(&left, data)),
            format!(
                "add a row such as {odd},{usual}, or {odd},{odd} to keep it apart",
                odd = quoted(&odd.0),
                usual = quoted(&usual.0)
            ),
        ));
    }
    let counts = class_counts(cells);
    let n = |name: &str| counts.iter().find(|(c, _)| c == name).map(|(_, n)| *n);
    let used = renames.iter().filter(|(from, to)| from != to);
    let pairs: Vec<Alike> = used
        .filter_map(|(from, to)| {
            Some(Alike {
                odd: (from.clone(), n(from)?),
                usual: (to.clone(), n(to).unwrap_or(0)),
                by: isotherm_io::profile::Difference::Spelling,
            })
        })
        .collect();
    if !pairs.is_empty() {
        tell(&pairs, console);
    }
    Ok(renames)
}

/// Which spellings there are.
fn told(pairs: &[Alike], data: &Data) -> String {
    let shown: Vec<String> = pairs.iter().map(told_pair).collect();
    format!(
        "{} in column \"{}\" but for the spelling: {}",
        count(
            pairs.len(),
            "pair of classes is one",
            "pairs of classes are one"
        ),
        data.label,
        listed(&shown)
    )
}

/// Says what is merged.
fn tell(pairs: &[Alike], console: &Console) {
    let one = |pair: &Alike| {
        let (odd, n) = &pair.odd;
        format!("\"{odd}\" ×{n} into \"{}\"", pair.usual.0)
    };
    let shown: Vec<String> = pairs.iter().map(one).collect();
    let list: Vec<_> = pairs
        .iter()
        .map(|pair| json!({"from": pair.odd.0, "to": pair.usual.0, "labels": pair.odd.1}))
        .collect();
    console.renamed(&format!("merged labels: {}", listed(&shown)), json!(list));
}

/// Asks at the terminal whether to merge; the record keeps the answer.
fn ask(pairs: &[Alike], data: &Data, console: &Console) -> Outcome<bool> {
    let stdin = std::io::stdin();
    if !(stdin.is_terminal() && std::io::stderr().is_terminal()) {
        return Err(Failure::refused(
            "label-spellings",
            format!("{}; there is no terminal to ask at", told(pairs, data)),
            "pass --merge-labels auto or --merge-labels never",
        ));
    }
    say(&crate::console::plain(&told(pairs, data)));
    loop {
        say("merge each into the second? [y/n]");
        let mut line = String::new();
        let read = terminal::awaiting(&Source::Stdin, || stdin.lock().read_line(&mut line));
        let read = read
            .map_err(|e| Failure::from(isotherm_io::Error::io(Path::new("-"), "read from", e)))?;
        let merge = match line.trim().to_lowercase().as_str() {
            "y" | "yes" => true,
            "n" | "no" => false,
            _ if read == 0 => return Err(Failure::cancelled()),
            _ => continue,
        };
        let answer = if merge { "auto" } else { "never" };
        console.record().answered("--merge-labels", "ask", answer);
        return Ok(merge);
    }
}

/// The refusal of the flag where labels are more than the name of a class.
fn no_classes(task: Task, data: &Data) -> Failure {
    let whom = if data.candidates {
        "--candidates".to_owned()
    } else {
        format!("the task {}", task.name())
    };
    Failure::refused(
        "unread-flag",
        format!("--merge-labels means nothing to {whom}"),
        "leave it out: it is for labels that are the name of one class",
    )
}
