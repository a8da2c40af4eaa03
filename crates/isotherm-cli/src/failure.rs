//! Every way a command can end badly, and how it is told.

use std::path::Path;
use std::process::ExitCode;

use isotherm::recipe::schema;
use isotherm_codes::{self as table, CodeKind};
use isotherm_io::{Place, Table};

/// Why a command did not do what was asked.
#[derive(Debug)]
pub(crate) struct Failure {
    /// A stable word of [`isotherm_codes`].
    pub(crate) code: &'static str,
    /// What, where, the value.
    pub(crate) message: String,
    /// The way out.
    pub(crate) hint: Option<String>,
    /// Where, for programs; the message says it to people.
    pub(crate) spot: Box<Spot>,
}

/// The file, the line or row, the column and the text, as far as there is one.
#[derive(Debug, Default)]
pub(crate) struct Spot {
    pub(crate) file: Option<String>,
    pub(crate) place: Option<Place>,
    pub(crate) column: Option<String>,
    pub(crate) value: Option<String>,
}

/// A command's result.
pub(crate) type Outcome<T> = Result<T, Failure>;

impl Failure {
    /// What was asked cannot be done; how the command ends follows from the code.
    pub(crate) fn refused(
        code: &'static str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self {
            code,
            message: message.into(),
            hint: Some(hint.into()),
            spot: Box::default(),
        }
    }

    /// The words on the command line do not fit together: exit code 2.
    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::refused("usage", message, hint)
    }

    /// The same failure, of a row of a table: programs are told where.
    pub(crate) fn in_row(mut self, table: &Table, row: usize) -> Self {
        self.spot.file = Some(table.origin().file(row).display().to_string());
        self.spot.place = Some(table.origin().place(row));
        self
    }

    /// The same failure, of a column, and of the text in it.
    pub(crate) fn in_column(mut self, column: &str, value: Option<&str>) -> Self {
        self.spot.column = Some(column.to_owned());
        self.spot.value = value.map(str::to_owned);
        self
    }

    /// What is wrong was told already, as the answer: exit code 1.
    pub(crate) fn told() -> Self {
        Self::refused("check-failed", "", "")
    }

    /// Whether what is wrong is the answer that was given.
    pub(crate) fn is_told(&self) -> bool {
        self.code == "check-failed"
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
                refused.in_row(table, row).in_column(name, None)
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
                refused.in_row(table, sample)
            }
            other => other.into(),
        }
    }

    /// The same failure, said of a file.
    pub(crate) fn of_file(mut self, path: &Path) -> Self {
        self.message = format!("{}: {}", path.display(), self.message);
        self.spot.file = Some(path.display().to_string());
        self
    }

    /// How the command ends; a closed pipe is no failure.
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.kind().exit_code())
    }

    /// Whether there is nobody left to tell, or nothing.
    pub(crate) fn is_silent(&self) -> bool {
        self.kind() == CodeKind::Silent || self.is_told()
    }

    fn kind(&self) -> CodeKind {
        table::find(self.code).map_or(CodeKind::Error, |code| code.kind)
    }

    /// Somebody stopped the work.
    pub(crate) fn cancelled() -> Self {
        let message = match isotherm_io::temporary_files::finished() {
            0 => "stopped; nothing was written",
            _ => "stopped; the files that were written before are whole",
        };
        Self {
            hint: None,
            ..Self::refused("cancelled", message, "")
        }
    }
}

/// The library's words for its parameters as flags: `` `memory` `` is `--memory`.
pub(crate) fn spelled(text: &str) -> String {
    isotherm::error::spelled(text, |name, value| {
        let known = schema::find(name).is_some() || FLAGS.contains(&name);
        let flag = known.then(|| name.replace('_', "-"))?;
        Some(match value {
            Some(value) => format!("--{flag} {value}"),
            None => format!("--{flag}"),
        })
    })
}

/// What messages of the library name beside the parameters of the schema.
const FLAGS: [&str; 3] = ["all_labels", "memory", "stream"];

/// The way out where no label was drawn at random, which a command can show.
const NO_AUDIT: &str = "label some rows drawn at random (isotherm next marks them as audit rows), \
     or take all labels as drawn at random (--all-labels)";

impl From<isotherm::Error> for Failure {
    fn from(error: isotherm::Error) -> Self {
        match error {
            isotherm::Error::Cancelled { .. } => Self::cancelled(),
            isotherm::Error::Refused {
                reason: reason @ isotherm::Refusal::NoAudit,
                what,
                ..
            } => Self::refused(reason.name(), what, NO_AUDIT),
            other => Self {
                hint: other.hint().map(spelled),
                ..Self::refused(other.name(), spelled(&other.what()), "")
            },
        }
    }
}

impl From<isotherm_io::Error> for Failure {
    fn from(error: isotherm_io::Error) -> Self {
        match error {
            isotherm_io::Error::Cancelled { .. } => Self::cancelled(),
            isotherm_io::Error::Core(error) => error.into(),
            other => Self {
                hint: other.hint(),
                spot: Box::new(Spot {
                    file: other.path().map(|p| p.display().to_string()),
                    place: other.place(),
                    column: other.column().map(str::to_owned),
                    value: other.value().map(str::to_owned),
                }),
                ..Self::refused(other.code(), other.to_string(), "")
            },
        }
    }
}
