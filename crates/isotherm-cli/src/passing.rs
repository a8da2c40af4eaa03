//! Tables that are read in parts: for `fit --stream` and `predict --stream`.

use std::path::PathBuf;

use isotherm::data::Targets;
use isotherm::monitor::Monitor;
use isotherm::recipe::cost::{self, Kind};
use isotherm::recipe::{Budget, Recipe, Shape};
use isotherm_io::{Batches, FileRows, sources};

use crate::args::{Data, Reading};
use crate::failure::{Failure, Outcome};
use crate::gather::{feature_choice, sizes, spell, tell_features};
use crate::given::{decide_task, targets_of};
use crate::memory;
use crate::say_recipe::{Situation, Spelling};
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
    (sources.iter()).for_each(|source| talk.record().reads(source.path()));
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
    how.files().for_each(|file| talk.record().reads(file));
    let written = how.written()?;
    let task = match &written {
        Some(recipe) => recipe.task,
        None => decide_task(&labels, data, how, talk),
    };
    if data.label_weights.is_some() {
        return Err(Failure::refused(
            "unread-flag",
            "--label-weights means nothing to --stream",
            "leave one of them out",
        ));
    }
    let targets = targets_of(batches.header(), &labels, data, task, how.grades())?;
    drop(labels);
    let plan = batches.plan(&feature_choice(data), monitor)?;
    tell_features(&plan, data, talk);
    let rows = batches.into_planned_rows(plan)?;
    let kind = Kind::Table {
        dim: rows.names().len(),
    };
    let sizes = sizes(targets.len(), &targets, kind);
    let situation = Situation {
        task,
        sizes,
        budget: Budget {
            used: memory::in_use(),
            memory,
            passing: true,
        },
    };
    let recipe = spell(written, how, &situation, talk)?;
    recipe.check(Shape::Table)?;
    cost::check_streamed(&recipe, &sizes, memory::in_use(), memory)?;
    Ok(Passing {
        rows,
        targets,
        recipe,
    })
}
