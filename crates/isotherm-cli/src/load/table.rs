//! Reading tables, and what is said of how they were read.

use std::path::{Path, PathBuf};

use isotherm::monitor::Monitor;
use isotherm_io::footprint::{SMALL, check_room};
use isotherm_io::{Format, Source, Table, read_tables, sources};

use super::listed;
use crate::args::{EdgeFile, Reading};
use crate::console::{Console, count};
use crate::failure::{Failure, Outcome};
use crate::memory;
use crate::{terminal, unused_flags};

/// A table, or the files that are its parts, and how to read it.
#[derive(Clone, Copy)]
pub(crate) struct TableFiles<'a> {
    pub(crate) paths: &'a [PathBuf],
    pub(crate) reading: &'a Reading,
    /// Columns that need not be read.
    pub(crate) without: &'a [String],
    /// Bytes that may be used.
    pub(crate) memory: u64,
}

/// Reads a table, or the files that are its parts, and says how it was read; refused
/// before, or on the way, where that takes more than `memory` bytes.
pub(crate) fn read(
    files: TableFiles<'_>,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<Table> {
    check_formats(&sources(files.paths)?, files.reading)?;
    let table = read_among(files, console, monitor)?;
    // Of a stream the format is known now.
    let origin = table.origin();
    let formats: Vec<Option<Format>> = if origin.parts.is_empty() {
        vec![Some(origin.format)]
    } else {
        origin.parts.iter().map(|(_, o)| Some(o.format)).collect()
    };
    unused_flags::by_format(files.reading, &formats)?;
    Ok(table)
}

/// Refuses flags that none of these inputs would read, as far as names tell.
pub(crate) fn check_formats(sources: &[Source], reading: &Reading) -> Outcome<()> {
    let told = reading.options().format;
    let named = |source: &Source| match source {
        Source::Path(path) => told.or_else(|| Format::of_input(path).ok()),
        Source::Stdin => told,
    };
    let formats: Vec<Option<Format>> = sources.iter().map(named).collect();
    unused_flags::by_format(reading, &formats)
}

/// As [`read`], where other tables may read the flags that this one does not.
pub(crate) fn read_among(
    files: TableFiles<'_>,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<Table> {
    let sources = sources(files.paths)?;
    (sources.iter()).for_each(|source| console.record().reads(source.path()));
    let mut options = files.reading.options_without(files.without);
    check_room(&sources, &options, memory::in_use(), files.memory)?;
    options.limits.memory = files.memory.saturating_sub(memory::in_use()).max(SMALL);
    let table = terminal::awaiting_any(&sources, || read_tables(&sources, &options, monitor))?;
    let mut rows = count(table.rows(), "row", "rows");
    if sources.len() > 1 {
        rows += &format!(" from {}", count(sources.len(), "file", "files"));
    }
    let columns = count(table.columns().len(), "column", "columns");
    console.note(&match &table.origin().dialect {
        Some(dialect) => format!("read {rows}: {dialect}"),
        None => format!("read {rows}, {columns}"),
    });
    tell_unread(&table, console);
    Ok(table)
}

/// Says which columns the table lacks because they cannot be read.
pub(crate) fn tell_unread(table: &Table, console: &Console) {
    let unread = &table.origin().unread;
    if unread.is_empty() {
        return;
    }
    let names: Vec<String> = unread.iter().map(|name| format!("\"{name}\"")).collect();
    console.warn(
        "not-in-output",
        &format!(
            "{} cannot be read and {} not in the output: {}",
            count(unread.len(), "excluded column", "excluded columns"),
            if unread.len() == 1 { "is" } else { "are" },
            listed(&names)
        ),
        None,
    );
}

/// Standard input can be read once.
pub(crate) fn check_one_stdin(
    data: &[PathBuf],
    graph: &[EdgeFile],
    node_features: Option<&Path>,
) -> Outcome<()> {
    let files = (data.iter().map(|path| ("DATA", path.as_path())))
        .chain(graph.iter().map(|file| ("--graph", file.path.as_path())))
        .chain(node_features.map(|path| ("--node-features", path)));
    let mut streams = files.filter(|(_, path)| Source::from(*path) == Source::Stdin);
    // Two tables are told apart where they are read.
    if let (Some((first, _)), Some((second, _))) = (streams.next(), streams.next())
        && second != "DATA"
    {
        return Err(Failure::refused(
            "standard-stream",
            format!("{first} and {second} are both standard input, which can be read once"),
            "give one of them as a file",
        ));
    }
    Ok(())
}

/// Refuses, before any work, a table whose columns would collide with ours.
pub(crate) fn check_names(table: &Table, probabilities: bool) -> Outcome<()> {
    let ours = [
        "iso_label",
        "iso_confidence",
        "iso_reached",
        "iso_set",
        "iso_low",
        "iso_high",
    ];
    let taken = table
        .names()
        .into_iter()
        .find(|n| ours.contains(&n.as_str()) || probabilities && n.starts_with("iso_p_"));
    match taken {
        Some(name) => Err(Failure::refused(
            "column-taken",
            format!(
                "{}: there is a column \"{name}\" already, as in a table that was labelled before",
                table.origin().path.display()
            ),
            "start from the table without the iso_ columns, or rename them",
        )),
        None => Ok(()),
    }
}
