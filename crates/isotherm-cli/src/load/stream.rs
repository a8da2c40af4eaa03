//! Tables that are read in parts: for `fit --stream` and `predict --stream`.

use isotherm::data::Targets;
use isotherm::monitor::Monitor;
use isotherm::recipe::{Recipe, Shape};
use isotherm::resources::Budget;
use isotherm::resources::cost::{self, SampleKind};
use isotherm_io::{Batches, FileRows, Source, sources};

use super::features::{feature_choice, tell_features};
use super::labels::{labels_and_task, targets_of};
use super::table::{check_formats, tell_unread};
use super::{sizes, spell};
use crate::args::{Data, Reading};
use crate::console::{Console, count};
use crate::failure::{Failure, Outcome};
use crate::memory;
use crate::recipe_flags::{RecipeSource, Situation};
use crate::{terminal, unused_flags};

/// Everything a streamed fit needs.
pub(crate) struct Streamed {
    pub(crate) rows: FileRows,
    pub(crate) targets: Targets,
    pub(crate) recipe: Recipe,
}

/// Opens a table whose rows stay in the file.
fn open(data: &Data, console: &Console, monitor: &mut dyn Monitor) -> Outcome<Batches> {
    let sources = sources(&data.data)?;
    (sources.iter()).for_each(|source| console.record().reads(source.path()));
    check_formats(&sources, &data.reading)?;
    let options = data.reading.options_without(&data.exclude);
    let batches =
        terminal::awaiting_any(&sources, || Batches::open_all(&sources, &options, monitor))?;
    tell(&batches, &sources, console);
    Ok(batches)
}

/// As [`open`], for one pass; text from standard input is read as it comes. `None` for
/// formats that are not read in parts, unless they `must` be.
pub(crate) fn open_once(
    sources: &[Source],
    reading: &Reading,
    without: &[String],
    must: bool,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<Option<Batches>> {
    (sources.iter()).for_each(|source| console.record().reads(source.path()));
    check_formats(sources, reading)?;
    let options = reading.options_without(without);
    let opened = terminal::awaiting_any(sources, || Batches::open_once(sources, &options, monitor));
    let batches = match opened {
        Err(refused) if refused.code() == "not-in-parts" && !must => return Ok(None),
        opened => opened?,
    };
    Ok(Some(batches))
}

/// Says that rows are read in parts, and how.
pub(crate) fn tell(batches: &Batches, sources: &[Source], console: &Console) {
    let header = batches.header();
    let columns = count(header.columns().len(), "column", "columns");
    let rows = batches
        .rows()
        .map(|n| usize::try_from(n).unwrap_or(usize::MAX));
    let mut said = match rows {
        Some(rows) => count(rows, "row", "rows"),
        None => columns.clone(),
    };
    if sources.len() > 1 {
        said += &format!(" in {} files", sources.len());
    }
    if rows.is_some() {
        said += &format!(", {columns}");
    }
    said += ", read in parts";
    if let Some(dialect) = &header.origin().dialect {
        said += &format!(": {dialect}");
    }
    console.note(&said);
    tell_unread(header, console);
}

/// Reads the labels, spells out the recipe and leaves the rows where they are.
pub(crate) fn load(
    data: &Data,
    how: &dyn RecipeSource,
    memory: u64,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<Streamed> {
    unused_flags::by_role(data)?;
    let mut batches = open(data, console, monitor)?;
    let given = batches.whole_column(&data.label, monitor)?;
    how.files().for_each(|file| console.record().reads(file));
    let written = how.written()?;
    let (labels, task) = labels_and_task(&given, data, how, written.as_ref(), console, monitor)?;
    let unread = [
        ("--label-weights", data.label_weights.is_some()),
        // Every pass would embed every text again.
        ("--embed-with", data.embed_with.is_some()),
    ];
    if let Some((flag, _)) = unread.iter().find(|(_, given)| *given) {
        return Err(Failure::refused(
            "unread-flag",
            format!("{flag} means nothing to --stream"),
            "leave one of them out",
        ));
    }
    let targets = targets_of(&given, &labels, data, task, how.grades())?;
    drop((labels, given));
    let plan = batches.plan(&feature_choice(data), monitor)?;
    tell_features(&plan, console);
    let rows = batches.into_planned_rows(plan)?;
    let kind = SampleKind::Table {
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
    let recipe = spell(written, how, &situation, console)?;
    recipe.check(Shape::Table)?;
    cost::check_streamed(&recipe, &sizes, memory::in_use(), memory)?;
    Ok(Streamed {
        rows,
        targets,
        recipe,
    })
}
