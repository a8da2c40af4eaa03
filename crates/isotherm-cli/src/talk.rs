//! What is said, and where: standard output is data, standard error is talk.

use std::cell::RefCell;
use std::io::{IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use isotherm_io::Place;

use crate::args::{Colour, Manner};
use crate::failure::{Failure, Outcome};
use crate::terminal;

/// Speaks to the user in the manner that was asked for.
pub(crate) struct Talk {
    json: bool,
    quiet: bool,
    colour: bool,
    /// Every warning so far, said or not.
    warned: RefCell<Vec<Warned>>,
    /// What was chosen where nobody said, and why.
    chosen: RefCell<Option<String>>,
}

/// A warning, as it was said.
#[derive(Debug, Clone, serde::Serialize)]
pub(crate) struct Warned {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl Talk {
    pub(crate) fn new(manner: &Manner) -> Self {
        Self {
            json: manner.json,
            quiet: manner.quiet,
            colour: colour(manner.color),
            warned: RefCell::default(),
            chosen: RefCell::default(),
        }
    }

    /// Whether a machine listens.
    pub(crate) fn json(&self) -> bool {
        self.json
    }

    /// A plain sentence on standard error.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet && !self.json {
            say(&plain(text));
        }
    }

    /// The one JSON object a command answers with, its schema and every warning added.
    pub(crate) fn answer(&self, mut value: serde_json::Value) -> Outcome<()> {
        value["schema"] = 1.into();
        value["warnings"] = serde_json::json!(self.warned());
        if let Some(reason) = self.chosen() {
            value["auto"] = reason.into();
        }
        print(&value.to_string())
    }

    /// Says what was chosen where nobody did, and why; JSON answers repeat it.
    pub(crate) fn chose(&self, reason: String) {
        self.note(&format!("auto: {reason}"));
        *self.chosen.borrow_mut() = Some(reason);
    }

    /// What was chosen where nobody said, and why.
    pub(crate) fn chosen(&self) -> Option<String> {
        self.chosen.borrow().clone()
    }

    /// Every warning so far, for JSON and for reports.
    pub(crate) fn warned(&self) -> Vec<Warned> {
        self.warned.borrow().clone()
    }

    /// A warning on standard error, with its way out; `code` is a stable short word.
    pub(crate) fn warn(&self, code: &'static str, text: &str, hint: Option<&str>) {
        self.warned.borrow_mut().push(Warned {
            code,
            message: text.to_owned(),
            hint: hint.filter(|h| !h.is_empty()).map(str::to_owned),
        });
        if self.quiet || self.json {
            return;
        }
        let yellow = AnsiColor::Yellow.on_default().bold();
        say(&format!(
            "{} {}",
            self.paint("warning:", yellow),
            plain(text)
        ));
        self.help(hint);
    }

    /// A failure: one JSON object on standard output, or sentences on standard error.
    pub(crate) fn failure(&self, failure: &Failure) {
        if failure.is_silent() {
            return;
        }
        if self.json {
            return print_failure(failure);
        }
        let red = AnsiColor::Red.on_default().bold();
        say(&format!(
            "{} {}",
            self.paint("error:", red),
            plain(&failure.message)
        ));
        self.help(failure.hint.as_deref());
    }

    fn help(&self, hint: Option<&str>) {
        if let Some(hint) = hint.filter(|h| !h.is_empty()) {
            let cyan = AnsiColor::Cyan.on_default();
            say(&format!("  {} {}", self.paint("help:", cyan), plain(hint)));
        }
    }

    fn paint(&self, text: &str, style: Style) -> String {
        match self.colour {
            true => format!("{style}{text}{style:#}"),
            false => text.to_owned(),
        }
    }
}

/// A failure before it is known how to talk: plainly, or in JSON.
pub(crate) fn tell_failure(failure: &Failure, json: bool) {
    let plain = Talk {
        json,
        quiet: false,
        colour: colour(Colour::Auto),
        warned: RefCell::default(),
        chosen: RefCell::default(),
    };
    plain.failure(failure);
}

/// A failure as one JSON object on standard output.
pub(crate) fn print_failure(failure: &Failure) {
    let mut error = serde_json::json!({
        "code": failure.code,
        "message": failure.message,
        "hint": failure.hint,
    });
    match failure.place {
        Some(Place::Line(line)) => error["line"] = line.into(),
        Some(Place::Row(row)) => error["row"] = row.into(),
        None => {}
    }
    if let Some(column) = &failure.column {
        error["column"] = column.as_str().into();
    }
    let error = serde_json::json!({ "schema": 1, "error": error });
    // Nobody is left to tell when this fails.
    let _ = print(&error.to_string());
}

/// `1 row`, `2 rows`.
pub(crate) fn count(n: usize, one: &str, more: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { more })
}

/// Text that holds names from files, as a terminal may see it: one line of
/// bounded length, without control characters.
pub(crate) fn plain(text: &str) -> String {
    const LONGEST: usize = 1000;
    let mut out = String::with_capacity(text.len().min(LONGEST));
    for (n, c) in text.chars().enumerate() {
        match c {
            _ if n == LONGEST => {
                out.push('…');
                break;
            }
            c if c.is_control() => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}

/// Writes a line to standard output.
///
/// # Errors
/// A closed pipe ends the command quietly; anything else is told.
pub(crate) fn print(text: &str) -> Outcome<()> {
    let done = terminal::aside(|| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "{text}").and_then(|()| out.flush())
    });
    done.map_err(|source| {
        let path = std::path::Path::new("<stdout>");
        isotherm_io::Error::io(path, "write", source).into()
    })
}

/// Writes a line to standard error.
pub(crate) fn say(text: &str) {
    // A closed standard error is no reason to stop working.
    let _ = terminal::aside(|| writeln!(std::io::stderr().lock(), "{text}"));
}

fn colour(choice: Colour) -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    match choice {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto if set("NO_COLOR") => false,
        Colour::Auto if set("CLICOLOR_FORCE") => true,
        Colour::Auto if std::env::var_os("TERM").is_some_and(|t| t == "dumb") => false,
        Colour::Auto => std::io::stderr().is_terminal(),
    }
}
