//! Partial labels on real sets, ten folds: candidate sets, missing flags, partial orders.
//!
//! Held-out rows are visible without anything known of them (transductive). Whatever is
//! chosen is chosen by leave-one-out on what is known of the training rows.

mod draw;
pub mod estimate;
mod report;
pub mod run;
pub mod sets;

use std::path::Path;

use anyhow::{Context as _, Result};

use self::run::Record;
use self::sets::Kind;

/// Sets by kind, in the order of the tables.
pub const SETS: [(&str, Kind); 10] = [
    ("pl_lost", Kind::Candidates),
    ("pl_msrcv2", Kind::Candidates),
    ("pl_birdsong", Kind::Candidates),
    ("ml_emotions", Kind::Flags),
    ("ml_scene", Kind::Flags),
    ("ml_yeast", Kind::Flags),
    ("lr_algae", Kind::Orders),
    ("lr_authorship", Kind::Orders),
    ("lr_sushi", Kind::Orders),
    ("lr_vowel", Kind::Orders),
];

/// Folds.
pub const FOLDS: usize = 10;

/// Runs some sets, all of them where none is named, and writes `experiments/partial`;
/// rows of sets that are not run again stay. With the rows of another results directory
/// in place of those it has, sets that have rows there are not run.
///
/// # Errors
/// When data are missing, a fit fails or a file cannot be written.
pub fn table(out: &Path, directory: &Path, chosen: &[String], from: Option<&Path>) -> Result<()> {
    let folder = out.join("partial");
    std::fs::create_dir_all(&folder)?;
    let wanted = |name: &str| chosen.is_empty() || chosen.iter().any(|c| c == name);
    let mut records: Vec<Record> = report::read(&folder)?;
    let taken = match from {
        Some(from) => report::read(&from.join("partial"))?,
        None => Vec::new(),
    };
    let is_taken = |name: &str| taken.iter().any(|r| r.set == name);
    records.retain(|r| !is_taken(&r.set));
    records.extend(taken.iter().cloned());
    let run = |name: &str| wanted(name) && !is_taken(name);
    for (name, kind) in SETS.iter().filter(|(name, _)| run(name)) {
        let found = (run::set(name, *kind, directory)).with_context(|| (*name).to_owned())?;
        records.retain(|r| r.set != *name);
        records.extend(found);
        report::write(&folder, &records)?;
    }
    report::write(&folder, &records)
}
