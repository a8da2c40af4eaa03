//! The sentence model of `--embed-with`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use isotherm_io::{FeaturePlan, Features, SentenceModel, Source, sources};

use crate::console::Console;
use crate::failure::Outcome;
use crate::memory;

/// The same choice of features, texts embedded by the model in a folder, if one was given. Its
/// vectors are kept beside the first of the tables, unless rows are read in parts.
pub(crate) fn embedded(
    choice: Features,
    dir: Option<&Path>,
    tables: Option<&[PathBuf]>,
    console: &Console,
) -> Outcome<Features> {
    let Some(dir) = dir else {
        return Ok(choice);
    };
    let model = SentenceModel::open(dir)?;
    (model.files().into_iter()).for_each(|file| console.record().reads(file));
    if let Some(Source::Path(table)) = tables
        .map(sources)
        .transpose()?
        .and_then(|s| s.into_iter().next())
    {
        model.keep_beside(&table);
    }
    let choice = choice.embedded_with(Arc::new(model));
    tell_kept(&choice, console);
    Ok(choice)
}

/// Says what there is to say of the files that embeddings are kept in.
pub(crate) fn tell_kept(choice: &Features, console: &Console) {
    if let Some(model) = choice.sentences() {
        model
            .take_notes()
            .iter()
            .for_each(|note| console.note(note));
    }
}

/// Refuses embeddings and pictures that do not fit into memory beside the points made of them.
pub(crate) fn check_room(plan: &FeaturePlan, rows: usize, memory: u64) -> Outcome<()> {
    let beside = plan.beside_points(rows);
    if beside == 0 {
        return Ok(());
    }
    let points = 8_u64
        .saturating_mul(rows as u64)
        .saturating_mul(plan.len() as u64);
    let needed = memory::in_use()
        .saturating_add(points)
        .saturating_add(beside);
    if needed <= memory {
        return Ok(());
    }
    Err(isotherm::Error::Memory {
        what: "embedding texts or reading pictures".to_owned(),
        needed,
        limit: Some(memory),
        hint: "free some memory, raise `memory`, or leave such columns out".to_owned(),
    }
    .into())
}
