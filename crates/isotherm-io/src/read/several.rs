//! Tables in several files: named one by one, by a pattern, or by their directory.

use std::path::{Path, PathBuf};

use isotherm::monitor::{Event, Monitor, Within};

use crate::error::{Error, Result};
use crate::provenance::sidecar;
use crate::read::read_table;
use crate::source::file_version::FileVersion;
use crate::source::{Format, NoRows, ReadOptions, Source};
use crate::table::Table;
use crate::table::concat::concat;

/// The files that names stand for, in the order given.
///
/// A name that no file has and that holds `*`, `?` or `[` is a pattern: its
/// files, sorted. A directory stands for the files in it, sorted, without those
/// whose name begins with a point or an underscore and those that tell of a run
/// (`.run.json`).
///
/// # Errors
/// [`Error::Io`] when a pattern matches nothing or a directory cannot be read;
/// [`Error::Format`] for a directory that holds something else than tables, and
/// for a file that is named twice.
pub fn sources(names: &[PathBuf]) -> Result<Vec<Source>> {
    let mut found: Vec<Source> = Vec::new();
    for name in names {
        let source = Source::from(name);
        let more = match &source {
            Source::Stdin => vec![source],
            Source::Path(path) if path.is_dir() => inside(path)?,
            Source::Path(path) if is_pattern(path) => matching(path)?,
            Source::Path(_) => vec![source],
        };
        for source in more {
            if found.contains(&source) {
                return Err(Error::format(
                    source.path(),
                    None,
                    "the file is given twice",
                    "name each file once",
                ));
            }
            found.push(source);
        }
    }
    Ok(found)
}

fn is_pattern(path: &Path) -> bool {
    let pattern = path.to_str().is_some_and(|p| p.contains(['*', '?', '[']));
    pattern && !path.exists()
}

fn matching(pattern: &Path) -> Result<Vec<Source>> {
    let refuse = |problem: String| {
        let source = std::io::Error::new(std::io::ErrorKind::NotFound, problem);
        Error::io(pattern, "open", source)
    };
    let text = pattern.to_str().unwrap_or_default();
    let paths = glob::glob(text).map_err(|e| refuse(format!("the pattern is wrong: {e}")))?;
    let mut found = Vec::new();
    for path in paths {
        let path = path.map_err(|e| {
            let path = e.path().to_owned();
            Error::io(&path, "open", e.into())
        })?;
        found.push(path);
    }
    if found.is_empty() {
        return Err(refuse("no file matches the pattern".into()));
    }
    found.sort();
    Ok(found.into_iter().map(Source::Path).collect())
}

fn inside(directory: &Path) -> Result<Vec<Source>> {
    let io = |e| Error::io(directory, "open", e);
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(io)? {
        let path = entry.map_err(io)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // Hidden, unfinished, or what a run left beside its table.
        if name.starts_with(['.', '_']) || name.ends_with(sidecar::ENDING) {
            continue;
        }
        if path.is_dir() {
            return Err(Error::format(
                &path,
                None,
                "a directory of parts holds a directory",
                "name the inner directories, or their files by a pattern",
            ));
        }
        Format::of_input(&path)?;
        found.push(path);
    }
    if found.is_empty() {
        return Err(Error::format_as(
            "directory",
            directory,
            None,
            "the directory holds no tables",
            "give a directory of .csv or .parquet files, or the name of a file",
        ));
    }
    found.sort();
    Ok(found.into_iter().map(Source::Path).collect())
}

/// Reads several files as one table: rows one file after the other, columns by
/// name in the order of the first file. Formats may differ. A file without rows adds
/// none, if another has some.
///
/// Where decimals are written with a comma, columns of such numbers become numbers
/// ([`Table::numbers_from_commas`]): what is written of them has a point.
///
/// # Errors
/// As [`read_table`]; [`Error::Column`] naming file and column where columns
/// differ; [`Error::Changed`] when a file changed before the last was read.
pub fn read_tables(
    sources: &[Source],
    options: &ReadOptions,
    monitor: &mut dyn Monitor,
) -> Result<Table> {
    if let [source] = sources {
        return Ok(read_table(source, options, monitor)?.numbers_from_commas());
    }
    const PHASE: &str = "reading the tables";
    let mut tables = Vec::with_capacity(sources.len());
    let stamps: Vec<FileVersion> = sources.iter().map(FileVersion::of).collect();
    let steps = Some(sources.len());
    let tell = |monitor: &mut dyn Monitor, event| {
        if monitor.on(event).is_break() {
            Err(Error::Cancelled { phase: PHASE })
        } else {
            Ok(())
        }
    };
    tell(monitor, Event::Phase { name: PHASE, steps })?;
    let mut one = options.clone();
    one.no_rows = NoRows::Allow;
    for source in sources {
        tables.push(read_table(source, &one, &mut Within(monitor))?);
        tell(monitor, Event::Step { done: tables.len() })?;
    }
    let table = concat(tables)?;
    stamps.iter().try_for_each(FileVersion::check)?;
    if table.rows() == 0 && options.no_rows == NoRows::Refuse {
        return Err(Error::HeaderOnly {
            path: table.origin().path.clone(),
            columns: table.columns().len(),
        });
    }
    Ok(table.numbers_from_commas())
}
