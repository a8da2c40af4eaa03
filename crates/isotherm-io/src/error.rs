//! Every way a file can be refused.
//!
//! The message states what, where and the value; the way out is
//! [`Error::hint`], which an edge prints on its own line. Lower case, no full
//! stop: the edges put their own prefix in front.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The crate's result.
pub type Result<T> = std::result::Result<T, Error>;

/// Where in a file: text has lines, binary tables have rows. Both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A line of a text file, counted from 1; quoted line breaks count.
    Line(u64),
    /// A row of a binary table, counted from 1.
    Row(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(n) => write!(f, "line {n}"),
            Self::Row(n) => write!(f, "row {n}"),
        }
    }
}

/// What is wrong with a column's name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnProblem {
    /// No column has this name.
    Missing {
        /// The closest name there is, if one is close.
        near: Option<String>,
    },
    /// No column has this name, but one would have if the text were read otherwise.
    ReadOtherwise {
        /// How to read it.
        hint: String,
    },
    /// Two columns have this name; positions from 1.
    Duplicate {
        /// The first position.
        first: usize,
        /// The second position.
        second: usize,
    },
    /// Another file that belongs to the same table has this column.
    Lacking {
        /// The other file.
        other: PathBuf,
    },
    /// Another file that belongs to the same table has no such column.
    Extra {
        /// The other file.
        other: PathBuf,
    },
    /// The header has no name at this position, from 1.
    Unnamed {
        /// The position.
        position: usize,
    },
}

/// Every way a file can be refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A cell that cannot be what its column has to be.
    #[error("{} {place}, column \"{column}\": {problem}", shown(.path))]
    Cell {
        /// The file.
        path: PathBuf,
        /// Where in it.
        place: Place,
        /// The column's name.
        column: String,
        /// The cell as written.
        value: String,
        /// What is wrong, with the value.
        problem: Box<str>,
        /// The way out.
        hint: Box<str>,
    },
    /// A cell of an edge that cannot be a node or a weight.
    #[error("{} {place}, column \"{column}\": {problem}", shown(.path))]
    Edge {
        /// The file.
        path: PathBuf,
        /// Where in it.
        place: Place,
        /// What the cell should be: a node or the weight.
        column: &'static str,
        /// The cell as written.
        value: String,
        /// What is wrong, with the value.
        problem: Box<str>,
        /// The way out.
        hint: Box<str>,
    },
    /// A row with more or fewer cells than the first.
    #[error("{} line {line} has {}, expected {expected}", shown(.path), count(*.got, "cell"))]
    Ragged {
        /// The file.
        path: PathBuf,
        /// Where in it.
        line: u64,
        /// Cells in the first row.
        expected: usize,
        /// Cells in this row.
        got: usize,
    },
    /// A file with nothing in it.
    #[error("{} is empty", shown(.path))]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A table with column names and no rows.
    #[error("{} has a header with {} and no rows", shown(.path), count(*.columns, "column"))]
    HeaderOnly {
        /// The file.
        path: PathBuf,
        /// How many columns the header names.
        columns: usize,
    },
    /// A column name that is missing, doubled or blank.
    #[error("{}: {}", shown(.path), column_problem(.name, .problem))]
    Column {
        /// The file.
        path: PathBuf,
        /// The name in question.
        name: String,
        /// What is wrong with it.
        problem: ColumnProblem,
        /// The columns there are.
        columns: Vec<String>,
    },
    /// A file that is not what it should be.
    #[error("{}{}: {problem}", shown(.path), at(.place))]
    Format {
        /// Which refusal it is; a stable word.
        code: &'static str,
        /// The file.
        path: PathBuf,
        /// Where in it, if it is one place.
        place: Option<Place>,
        /// What is wrong.
        problem: String,
        /// The way out.
        hint: String,
    },
    /// A file that changed while it was read.
    #[error("{} changed while it was read", shown(.path))]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The destination exists and overwriting was not asked for.
    #[error("{} already exists", shown(.path))]
    Exists {
        /// The destination.
        path: PathBuf,
    },
    /// A file that tells nothing of the run that made it, or nothing to rely on.
    #[error("{}: {problem}", shown(.path))]
    Provenance {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
        /// The way out.
        hint: String,
    },
    /// The operating system refused.
    #[error("cannot {doing} {}: {source}", shown(.path))]
    Io {
        /// The file.
        path: PathBuf,
        /// What was being done, as the verb after "cannot".
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The reader at the other end of a pipe has gone.
    #[error("{}: the reading end of the pipe was closed", shown(.path))]
    BrokenPipe {
        /// The destination.
        path: PathBuf,
    },
    /// A model file that is damaged, foreign, or from the future.
    #[error("{}: {problem}", shown(.path))]
    Model {
        /// Which refusal it is; a stable word.
        code: &'static str,
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
        /// The way out.
        hint: String,
    },
    /// A size beyond what a reader accepts.
    #[error("{}{}: {what} is {got}, the limit is {limit}", shown(.path), at(.place))]
    Limit {
        /// The file.
        path: PathBuf,
        /// Where in it, if it is one place.
        place: Option<Place>,
        /// What was measured, with its unit.
        what: String,
        /// The size found or declared.
        got: u64,
        /// The largest accepted.
        limit: u64,
        /// The way out.
        hint: String,
    },
    /// A node that the graph does not have.
    #[error("{} {place}: node \"{node}\" is not in the graph", shown(.path))]
    Node {
        /// The file.
        path: PathBuf,
        /// Where in it.
        place: Place,
        /// The node as written.
        node: String,
        /// The closest node there is, if one is close.
        near: Option<String>,
    },
    /// One node with two labels.
    #[error(
        "{} {place}: node \"{node}\" is labelled \"{second}\", but \"{first}\" on {first_place}",
        shown(.path)
    )]
    Conflict {
        /// The file.
        path: PathBuf,
        /// Where the second label is.
        place: Place,
        /// The node.
        node: String,
        /// Where the first label is.
        first_place: Place,
        /// The first label.
        first: Box<str>,
        /// The second label.
        second: Box<str>,
    },
    /// The monitor asked to stop.
    #[error("cancelled during {phase}")]
    Cancelled {
        /// The phase that was interrupted.
        phase: &'static str,
    },
    /// The library refused what the file holds.
    #[error(transparent)]
    Core(isotherm::Error),
}

impl From<isotherm::Error> for Error {
    fn from(error: isotherm::Error) -> Self {
        match error {
            isotherm::Error::Cancelled { phase } => Self::Cancelled { phase },
            other => Self::Core(other),
        }
    }
}

impl Error {
    /// The stable word for this refusal: what a program matches on.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Cell { .. } => "cell",
            Self::Edge { .. } => "edge",
            Self::Ragged { .. } => "ragged",
            Self::Empty { .. } => "empty",
            Self::HeaderOnly { .. } => "header-only",
            Self::Column { problem, .. } => match problem {
                ColumnProblem::Missing { .. } | ColumnProblem::ReadOtherwise { .. } => {
                    "column-missing"
                }
                ColumnProblem::Duplicate { .. } => "column-twice",
                ColumnProblem::Unnamed { .. } => "column-unnamed",
                ColumnProblem::Lacking { .. } | ColumnProblem::Extra { .. } => "columns-differ",
            },
            Self::Format { code, .. } | Self::Model { code, .. } => code,
            Self::Exists { .. } => "exists",
            Self::Changed { .. } => "changed",
            Self::Provenance { .. } => "provenance",
            Self::Io { source, .. } => io_code(source),
            Self::BrokenPipe { .. } => "broken-pipe",
            Self::Limit { .. } => "limit",
            Self::Node { .. } => "node",
            Self::Conflict { .. } => "conflict",
            Self::Cancelled { .. } => "cancelled",
            Self::Core(error) => error.name(),
        }
    }

    /// The way out, if there is one that is not in the message already.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Cell { hint, .. } | Self::Edge { hint, .. } => Some(hint.to_string()),
            Self::Format { hint, .. } | Self::Model { hint, .. } | Self::Limit { hint, .. } => {
                (!hint.is_empty()).then(|| hint.clone())
            }
            Self::Ragged { expected, got, .. } if got > expected => {
                Some("quote the cell that holds the delimiter, or name the delimiter".into())
            }
            Self::Ragged { .. } => Some("add the missing cells, or name the delimiter".into()),
            Self::Empty { .. } => Some("give a file with a header and at least one row".into()),
            Self::HeaderOnly { .. } => {
                Some("add rows, or check that the file was written to its end".into())
            }
            Self::Column {
                name,
                problem,
                columns,
                ..
            } => Some(column_hint(name, problem, columns)),
            Self::Changed { .. } => {
                Some("wait until it is written, or give a copy of it, and start again".into())
            }
            Self::Exists { .. } => Some("choose another name, or pass --force".into()),
            Self::Provenance { hint, .. } => (!hint.is_empty()).then(|| hint.clone()),
            Self::Io { source, .. } => io_hint(source).map(str::to_owned),
            Self::Node {
                near: Some(near), ..
            } => Some(format!("did you mean \"{near}\"?")),
            Self::Node { near: None, .. } => {
                Some("remove the line, or add the node's edges to the graph".into())
            }
            Self::Conflict { .. } => Some("keep one of the two lines".into()),
            Self::BrokenPipe { .. } | Self::Cancelled { .. } | Self::Core(_) => None,
        }
    }

    /// The file, where one is concerned; `-` is standard input or output.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Cell { path, .. }
            | Self::Edge { path, .. }
            | Self::Ragged { path, .. }
            | Self::Empty { path }
            | Self::HeaderOnly { path, .. }
            | Self::Column { path, .. }
            | Self::Format { path, .. }
            | Self::Changed { path }
            | Self::Exists { path }
            | Self::Provenance { path, .. }
            | Self::Io { path, .. }
            | Self::BrokenPipe { path }
            | Self::Model { path, .. }
            | Self::Limit { path, .. }
            | Self::Node { path, .. }
            | Self::Conflict { path, .. } => Some(path),
            Self::Cancelled { .. } | Self::Core(_) => None,
        }
    }

    /// The line or row, where there is one.
    pub fn place(&self) -> Option<Place> {
        match self {
            Self::Cell { place, .. }
            | Self::Edge { place, .. }
            | Self::Node { place, .. }
            | Self::Conflict { place, .. } => Some(*place),
            Self::Ragged { line, .. } => Some(Place::Line(*line)),
            Self::Format { place, .. } | Self::Limit { place, .. } => *place,
            _ => None,
        }
    }

    /// The column's name, where there is one.
    pub fn column(&self) -> Option<&str> {
        match self {
            Self::Cell { column, .. } => Some(column),
            Self::Edge { column, .. } => Some(column),
            Self::Column { name, .. } => Some(name),
            _ => None,
        }
    }

    /// The offending text, where there is one.
    pub fn value(&self) -> Option<&str> {
        match self {
            Self::Cell { value, .. } | Self::Edge { value, .. } => Some(value),
            Self::Node { node, .. } | Self::Conflict { node, .. } => Some(node),
            _ => None,
        }
    }

    /// A system error; a closed pipe becomes [`Error::BrokenPipe`], and an error of
    /// ours that travelled through a reader is itself again.
    pub fn io(path: &Path, doing: &'static str, source: io::Error) -> Self {
        let source = match source.downcast::<Self>() {
            Ok(ours) => return ours,
            Err(source) => source,
        };
        let path = path.to_owned();
        let source = bare(source);
        match source.kind() {
            io::ErrorKind::BrokenPipe => Self::BrokenPipe { path },
            _ => Self::Io {
                path,
                doing,
                source,
            },
        }
    }

    /// A file that is not what it should be, where no other word says more.
    pub(crate) fn format(
        path: &Path,
        place: Option<Place>,
        problem: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self::format_as("format", path, place, problem, hint)
    }

    /// A file that is not what it should be; `code` is its stable word.
    pub(crate) fn format_as(
        code: &'static str,
        path: &Path,
        place: Option<Place>,
        problem: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self::Format {
            code,
            path: path.to_owned(),
            place,
            problem: problem.into(),
            hint: hint.into(),
        }
    }

    /// A size beyond what a reader accepts.
    pub(crate) fn limit(
        path: &Path,
        place: Option<Place>,
        what: impl Into<String>,
        (got, limit): (u64, u64),
        hint: impl Into<String>,
    ) -> Self {
        Self::Limit {
            path: path.to_owned(),
            place,
            what: what.into(),
            got,
            limit,
            hint: hint.into(),
        }
    }
}

/// A path as people read it: `-` is a stream, control characters are escaped.
pub(crate) fn shown(path: &Path) -> String {
    if path.as_os_str() == "-" {
        return "standard input".into();
    }
    if path.as_os_str() == "<stdout>" {
        return "standard output".into();
    }
    clean(&path.display().to_string(), 4096)
}

/// Text from a file as it may stand in a message: short, one line, printable.
pub(crate) fn clean(text: &str, longest: usize) -> String {
    let mut out = String::new();
    for (n, c) in text.chars().enumerate() {
        if n == longest {
            out.push('…');
            break;
        }
        if steers(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// The way out where a column cannot be read.
pub(crate) fn leave_out(name: &str) -> String {
    let name = clean(name, 60);
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    if name.chars().all(plain) {
        format!("--exclude {name} leaves it out")
    } else {
        format!("--exclude '{name}' leaves it out")
    }
}

/// Whether a character steers what stands beside it instead of standing there: controls, ends of
/// lines and paragraphs, and those that turn the direction of writing. Nothing from a file is
/// shown with one of them in it.
pub fn steers(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{061c}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}'
                | '\u{feff}'
        )
}

fn at(place: &Option<Place>) -> String {
    place.map(|p| format!(" {p}")).unwrap_or_default()
}

fn count(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

fn column_problem(name: &str, problem: &ColumnProblem) -> String {
    let name = clean(name, 60);
    match problem {
        ColumnProblem::Missing { .. } | ColumnProblem::ReadOtherwise { .. } => {
            format!("there is no column \"{name}\"")
        }
        ColumnProblem::Duplicate { first, second } => {
            format!("columns {first} and {second} are both named \"{name}\"")
        }
        ColumnProblem::Unnamed { position } => format!("column {position} has no name"),
        ColumnProblem::Lacking { other } => {
            format!("there is no column \"{name}\", which {} has", shown(other))
        }
        ColumnProblem::Extra { other } => {
            format!(
                "there is a column \"{name}\", which {} has not",
                shown(other)
            )
        }
    }
}

fn column_hint(name: &str, problem: &ColumnProblem, columns: &[String]) -> String {
    match problem {
        ColumnProblem::ReadOtherwise { hint } => hint.clone(),
        ColumnProblem::Missing { near: Some(near) } => format!("did you mean \"{near}\"?"),
        ColumnProblem::Missing { near: None } => format!("the columns are {}", listed(columns)),
        ColumnProblem::Lacking { .. } | ColumnProblem::Extra { .. } => format!(
            "files that are read together have the same columns; here they are {}",
            listed(columns)
        ),
        ColumnProblem::Duplicate { .. } => {
            format!("rename one of the columns \"{}\"", clean(name, 60))
        }
        ColumnProblem::Unnamed { .. } => {
            "write a name in the header; a row index saved with the table has none: save without it"
                .into()
        }
    }
}

/// The first dozen names, and how many more.
fn listed(columns: &[String]) -> String {
    let shown: Vec<String> = columns.iter().take(12).map(|c| clean(c, 40)).collect();
    match columns.len().saturating_sub(12) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// What the system said, where a library put the name of a temporary file behind
/// it: a name that nobody chose helps nobody.
fn bare(error: io::Error) -> io::Error {
    let text = error.to_string();
    match (error.get_ref().is_some(), text.split_once(" at path \"")) {
        (true, Some((said, _))) => io::Error::new(error.kind(), said.to_owned()),
        _ => error,
    }
}

fn io_code(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => "not-found",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => "no-permission",
        io::ErrorKind::IsADirectory => "directory",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "disk-full",
        _ => "io",
    }
}

fn io_hint(source: &io::Error) -> Option<&'static str> {
    Some(match source.kind() {
        io::ErrorKind::NotFound => "check the name and the directory",
        io::ErrorKind::PermissionDenied => "check the permissions of the file and its directory",
        io::ErrorKind::StorageFull => "free some space, or write to another disk",
        io::ErrorKind::QuotaExceeded => "free some of the quota, or write to another disk",
        io::ErrorKind::ReadOnlyFilesystem => "write to another disk",
        io::ErrorKind::IsADirectory => "give the name of a file",
        io::ErrorKind::InvalidFilename => "choose another name",
        io::ErrorKind::NotADirectory => "check the name and the directory",
        _ => return None,
    })
}
