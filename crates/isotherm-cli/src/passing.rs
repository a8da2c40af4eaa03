//! Tables that are read in parts: for `fit --stream` and `predict --stream`.

use std::path::PathBuf;

use isotherm::data::Targets;
use isotherm::monitor::Monitor;
use isotherm::recipe::cost::{self, Kind};
use isotherm::recipe::{Recipe, Shape};
use isotherm_io::{Batches, FileRows, sources};

use crate::args::{Data, Reading};
use crate::failure::{Failure, Outcome};
use crate::gather::{feature_choice, sizes, tell_features};
use crate::given::{decide_task, targets_of};
use crate::memory;
use crate::say_recipe::Spelling;
use crate::talk::{Talk, count};
use crate::terminal;

/// Everything a streamed fit needs.
pub(crate) struct Passing {
    pub(crate) rows: FileRows,
    pub(crate) targets: Targets,
    pub(crate) recipe: Recipe,
}

/// Opens a table whose rows stay in the file.
pub(crate) fn open(
    paths: &[PathBuf],
    reading: &Reading,
    talk: &Talk,
    monitor: &mut dyn Monitor,
) -> Outcome<Batches> {
    let sources = sources(paths)?;
    let options = reading.options();
    let batches =
        terminal::awaiting_any(&sources, || Batches::open_all(&sources, &options, monitor))?;
    let rows = usize::try_from(batches.rows()).unwrap_or(usize::MAX);
    let files = match sources.len() {
        1 => String::new(),
        n => format!(" in {n} files"),
    };
    talk.note(&format!(
        "{}{files}, {}, read in parts",
        count(rows, "row", "rows"),
        count(batches.header().columns().len(), "column", "columns")
    ));
    Ok(batches)
}

/// Reads the labels, spells out the recipe and leaves the rows where they are.
pub(crate) fn gather(
    data: &Data,
    how: &dyn Spelling,
    memory: u64,
    talk: &Talk,
    monitor: &mut dyn Monitor,
) -> Outcome<Passing> {
    let mut batches = open(&data.data, &data.reading, talk, monitor)?;
    batches.choose(std::slice::from_ref(&data.label))?;
    let mut labels = Vec::new();
    while let Some(part) = batches.next_part(monitor)? {
        labels.extend(part.labels(&data.label)?);
    }
    let recipe = how.recipe(decide_task(&labels, data, how, talk), Shape::Table)?;
    recipe.check(Shape::Table)?;
    if data.label_weights.is_some() {
        return Err(Failure::usage(
            "--label-weights means nothing to --stream",
            "leave one of them out",
        ));
    }
    let targets = targets_of(batches.header(), &labels, data, recipe.task, how.grades())?;
    drop(labels);
    let header = batches.header().clone();
    let rows = batches.into_rows(&feature_choice(data))?;
    let kind = Kind::Table {
        dim: rows.names().len(),
    };
    let sizes = sizes(targets.len(), &targets, kind);
    cost::check_streamed(&recipe, &sizes, memory::in_use(), memory)?;
    tell_features(&header, rows.names(), data, talk);
    Ok(Passing {
        rows,
        targets,
        recipe,
    })
}
