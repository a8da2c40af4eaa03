//! What is said, and where: standard output is data, standard error is talk.

use std::io::{IsTerminal, Write};

use anstyle::{AnsiColor, Style};

use crate::args::{Colour, Manner};
use crate::failure::{Failure, Outcome};

/// Speaks to the user in the manner that was asked for.
pub(crate) struct Talk {
    json: bool,
    quiet: bool,
    colour: bool,
}

impl Talk {
    pub(crate) fn new(manner: &Manner) -> Self {
        Self {
            json: manner.json,
            quiet: manner.quiet,
            colour: colour(manner.color),
        }
    }

    /// Whether a machine listens.
    pub(crate) fn json(&self) -> bool {
        self.json
    }

    /// A plain sentence on standard error.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet && !self.json {
            say(text);
        }
    }

    /// A warning on standard error, with its way out.
    pub(crate) fn warn(&self, text: &str, hint: Option<&str>) {
        if self.quiet || self.json {
            return;
        }
        let yellow = AnsiColor::Yellow.on_default().bold();
        say(&format!("{} {text}", self.paint("warning:", yellow)));
        self.help(hint);
    }

    /// A failure: one JSON object on standard output, or sentences on standard error.
    pub(crate) fn failure(&self, failure: &Failure) {
        if failure.is_silent() {
            return;
        }
        if self.json {
            let error = serde_json::json!({
                "schema": 1,
                "error": {
                    "code": failure.code,
                    "message": failure.message,
                    "hint": failure.hint,
                },
            });
            // Nobody is left to tell when this fails.
            let _ = print(&error.to_string());
            return;
        }
        let red = AnsiColor::Red.on_default().bold();
        say(&format!(
            "{} {}",
            self.paint("error:", red),
            failure.message
        ));
        self.help(failure.hint.as_deref());
    }

    fn help(&self, hint: Option<&str>) {
        if let Some(hint) = hint.filter(|h| !h.is_empty()) {
            let cyan = AnsiColor::Cyan.on_default();
            say(&format!("  {} {hint}", self.paint("help:", cyan)));
        }
    }

    fn paint(&self, text: &str, style: Style) -> String {
        match self.colour {
            true => format!("{style}{text}{style:#}"),
            false => text.to_owned(),
        }
    }
}

/// Writes a line to standard output.
///
/// # Errors
/// A closed pipe ends the command quietly; anything else is told.
pub(crate) fn print(text: &str) -> Outcome<()> {
    let mut out = std::io::stdout().lock();
    let done = writeln!(out, "{text}").and_then(|()| out.flush());
    done.map_err(|source| {
        let path = std::path::Path::new("<stdout>");
        isotherm_io::Error::io(path, "write", source).into()
    })
}

fn say(text: &str) {
    // A closed standard error is no reason to stop working.
    let _ = writeln!(std::io::stderr().lock(), "{text}");
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
