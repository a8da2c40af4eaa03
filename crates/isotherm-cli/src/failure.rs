//! Every way a command can end badly, and how it is told.

use std::path::Path;
use std::process::ExitCode;

use isotherm_io::{Place, Table};

/// Why a command did not do what was asked.
#[derive(Debug)]
pub(crate) struct Failure {
    /// A stable short word a program can match on.
    pub(crate) code: &'static str,
    /// What, where, the value.
    pub(crate) message: String,
    /// The way out.
    pub(crate) hint: Option<String>,
    /// The line or row, and the column, where there is one.
    pub(crate) place: Option<Place>,
    pub(crate) column: Option<String>,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Refused,
    Usage,
    Cancelled,
    Silent,
}

/// A command's result.
pub(crate) type Outcome<T> = Result<T, Failure>;

impl Failure {
    /// The data or the run failed: exit code 1.
    pub(crate) fn refused(
        code: &'static str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self {
            code,
            message: message.into(),
            hint: Some(hint.into()),
            place: None,
            column: None,
            kind: Kind::Refused,
        }
    }

    /// The words on the command line do not fit together: exit code 2.
    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            kind: Kind::Usage,
            ..Self::refused("usage", message, hint)
        }
    }

    /// Words that clap did not understand: its first sentence, and its tip.
    pub(crate) fn not_understood(error: &clap::Error) -> Self {
        let text = error.to_string();
        let mut parts = text.split("\n\n").map(|part| {
            let words: Vec<&str> = part.split_whitespace().collect();
            words.join(" ")
        });
        let first = parts.next().unwrap_or_default();
        let message = first.strip_prefix("error: ").unwrap_or(&first).to_owned();
        let tip = parts.find_map(|p| p.strip_prefix("tip: ").map(str::to_owned));
        Self::usage(message, tip.unwrap_or_else(|| "see --help".to_owned()))
    }

    /// The library's refusal of a table's rows, told with line and column.
    pub(crate) fn at(error: isotherm::Error, table: &Table, features: &[String]) -> Self {
        match error {
            isotherm::Error::Value { row, column, value } => {
                let name = features.get(column).map_or("?", String::as_str);
                let file = table.origin().file(row).display();
                let place = table.origin().place(row);
                let refused = Self::refused(
                    "value",
                    format!(
                        "{file} {place}, column \"{name}\": the number is {value:e} once it is scaled like the model's rows, which is too large"
                    ),
                    "correct the cell or remove the row",
                );
                Self {
                    place: Some(place),
                    column: Some(name.to_owned()),
                    ..refused
                }
            }
            // Samples of a table are its rows; those of a graph are nodes.
            isotherm::Error::Label { sample, reason }
                if !features.is_empty() && sample < table.rows() =>
            {
                let place = table.origin().place(sample);
                let file = table.origin().file(sample).display();
                let refused = Self::refused(
                    "label",
                    format!("{file} {place}: {reason}"),
                    "correct the label, or leave it blank",
                );
                Self {
                    place: Some(place),
                    ..refused
                }
            }
            other => other.into(),
        }
    }

    /// The same failure, said of a file.
    pub(crate) fn of_file(self, path: &Path) -> Self {
        Self {
            message: format!("{}: {}", path.display(), self.message),
            ..self
        }
    }

    /// 1 refused, 2 usage, 130 cancelled; a closed pipe is no failure.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self.kind {
            Kind::Refused => ExitCode::from(1),
            Kind::Usage => ExitCode::from(2),
            Kind::Cancelled => ExitCode::from(130),
            Kind::Silent => ExitCode::SUCCESS,
        }
    }

    /// Whether there is nobody left to tell.
    pub(crate) fn is_silent(&self) -> bool {
        self.kind == Kind::Silent
    }

    fn cancelled() -> Self {
        Self {
            hint: None,
            kind: Kind::Cancelled,
            ..Self::refused("cancelled", "stopped; nothing was written", "")
        }
    }
}

impl From<isotherm::Error> for Failure {
    fn from(error: isotherm::Error) -> Self {
        use isotherm::Error as E;
        let code = match &error {
            E::Cancelled { .. } => return Self::cancelled(),
            E::Parameter { .. } => "parameter",
            E::Shape { .. } => "shape",
            E::Data { .. } => "data",
            E::Value { .. } => "value",
            E::Label { .. } => "label",
            E::Edge { .. } => "edge",
            E::Indefinite { .. } => "indefinite",
            E::NotFinite { .. } => "not-finite",
            E::Memory { .. } => "memory",
            _ => "refused",
        };
        Self {
            hint: error.hint(),
            ..Self::refused(code, error.what(), "")
        }
    }
}

impl From<isotherm_io::Error> for Failure {
    fn from(error: isotherm_io::Error) -> Self {
        match error {
            isotherm_io::Error::Cancelled { .. } => Self::cancelled(),
            isotherm_io::Error::BrokenPipe { .. } => Self {
                kind: Kind::Silent,
                ..Self::refused("broken-pipe", "", "")
            },
            isotherm_io::Error::Core(error) => error.into(),
            other => Self {
                hint: other.hint(),
                place: other.place(),
                column: other.column().map(str::to_owned),
                ..Self::refused(other.code(), other.to_string(), "")
            },
        }
    }
}
