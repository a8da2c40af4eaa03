//! What is said, and where: standard output is data, standard error is console.

use std::cell::RefCell;
use std::io::{IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use isotherm_codes::{self as table, Code};
use isotherm_io::Place;
pub(crate) use isotherm_io::steers;

use crate::args::{Colour, Common};
use crate::closed;
use crate::failure::{Failure, Outcome};
use crate::provenance::Record;
use crate::terminal;

/// Speaks to the user in the manner that was asked for.
pub(crate) struct Console {
    json: bool,
    quiet: bool,
    verbose: bool,
    colour: bool,
    /// Whether a person reads: then the way to a code's page is told.
    seen: bool,
    /// Every warning so far, said or not.
    warned: RefCell<Vec<Warned>>,
    record: Record,
    /// Where answers go instead of standard output.
    kept: Option<RefCell<Option<serde_json::Value>>>,
    /// What was chosen where nobody said, and why.
    chosen: RefCell<Option<String>>,
    /// Labels that were renamed.
    renamed: RefCell<Option<serde_json::Value>>,
}

/// A warning, as it was said.
#[derive(Debug, Clone, serde::Serialize)]
pub(crate) struct Warned {
    /// As users see it: `ISO350`.
    pub(crate) code: String,
    /// The stable word.
    pub(crate) name: &'static str,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl Console {
    pub(crate) fn new(common: &Common, record: Record) -> Self {
        Self {
            json: common.json,
            quiet: common.quiet,
            verbose: common.verbose > 0,
            colour: colour(common.color),
            seen: std::io::stderr().is_terminal(),
            warned: RefCell::default(),
            record,
            kept: None,
            chosen: RefCell::default(),
            renamed: RefCell::default(),
        }
    }

    /// Says nothing, and keeps the answer for whoever runs a command within another.
    pub(crate) fn within(record: Record) -> Self {
        Self {
            json: true,
            quiet: true,
            verbose: false,
            colour: false,
            seen: false,
            warned: RefCell::default(),
            record,
            kept: Some(RefCell::default()),
            chosen: RefCell::default(),
            renamed: RefCell::default(),
        }
    }

    /// What the run was told and has read.
    pub(crate) fn record(&self) -> &Record {
        &self.record
    }

    /// The answer that was kept, if there is one.
    pub(crate) fn kept(&self) -> Option<serde_json::Value> {
        self.kept.as_ref().and_then(RefCell::take)
    }

    /// Whether a machine listens.
    pub(crate) fn json(&self) -> bool {
        self.json
    }

    /// Whether nothing but errors is said.
    pub(crate) fn quiet(&self) -> bool {
        self.quiet
    }

    /// A plain sentence on standard error.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet && !self.json {
            say(&plain(text));
        }
    }

    /// A sentence that few need: only with `--verbose`.
    pub(crate) fn detail(&self, text: &str) {
        if self.verbose {
            self.note(text);
        }
    }

    /// The one JSON object a command answers with; its schema, its provenance and
    /// every warning are added.
    pub(crate) fn answer(&self, mut value: serde_json::Value) -> Outcome<()> {
        value["schema"] = 1.into();
        value["warnings"] = serde_json::json!(self.warned());
        if let Some(reason) = self.chosen() {
            value["auto"] = reason.into();
        }
        if let Some(list) = self.renamed.borrow().clone() {
            value["merged_labels"] = list;
        }
        value["provenance"] = serde_json::json!(self.record.provenance()?);
        match &self.kept {
            Some(kept) => {
                kept.replace(Some(value));
                Ok(())
            }
            None => print(&value.to_string()),
        }
    }

    /// Says which labels were renamed; JSON answers repeat it.
    pub(crate) fn renamed(&self, text: &str, list: serde_json::Value) {
        self.note(text);
        *self.renamed.borrow_mut() = Some(list);
    }

    /// Keeps what was chosen where nobody did, and why, for JSON answers; said with `--verbose`.
    pub(crate) fn chose(&self, reason: String) {
        self.detail(&format!("auto: {reason}"));
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

    /// A warning on standard error, with its way out; `name` is a stable word
    /// of [`isotherm_codes`].
    pub(crate) fn warn(&self, name: &'static str, text: &str, hint: Option<&str>) {
        self.count_warning(name, text, hint);
        if self.quiet || self.json {
            return;
        }
        let yellow = AnsiColor::Yellow.on_default().bold();
        say(&format!(
            "{} {}",
            self.paint(&format!("warning[{}]:", number(name)), yellow),
            plain(text)
        ));
        self.help(hint);
        self.more(name);
    }

    /// A warning that the answer itself tells: `--strict` and machines hear of it.
    pub(crate) fn count_warning(&self, name: &'static str, text: &str, hint: Option<&str>) {
        self.warned.borrow_mut().push(Warned {
            code: number(name),
            name,
            message: text.to_owned(),
            hint: hint.filter(|h| !h.is_empty()).map(str::to_owned),
        });
    }

    /// A failure: one JSON object on standard output, or sentences on standard error.
    pub(crate) fn failure(&self, failure: &Failure) {
        if failure.is_silent() {
            return;
        }
        // A closed standard output takes no JSON; standard error may still be read.
        if self.json && closed::check_stdout().is_ok() {
            return print_failure(failure);
        }
        let red = AnsiColor::Red.on_default().bold();
        say(&format!(
            "{} {}",
            self.paint(&format!("error[{}]:", number(failure.code)), red),
            plain(&failure.message)
        ));
        self.help(failure.hint.as_deref());
        if failure.code != "cancelled" {
            self.more(failure.code);
        }
    }

    /// Where to read on; said to people only, whose logs stay short.
    fn more(&self, name: &'static str) {
        if self.seen {
            let cyan = AnsiColor::Cyan.on_default();
            let more = self.paint("more:", cyan);
            say(&format!("  {more} isotherm explain {}", number(name)));
        }
    }

    fn help(&self, hint: Option<&str>) {
        if let Some(hint) = hint.filter(|h| !h.is_empty()) {
            let cyan = AnsiColor::Cyan.on_default();
            say(&format!("  {} {}", self.paint("help:", cyan), plain(hint)));
        }
    }

    fn paint(&self, text: &str, style: Style) -> String {
        if self.colour {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }
}

/// What is said when the process ends at once, from any thread.
pub(crate) fn farewell(json: bool) {
    let stopped = Failure::cancelled();
    if json {
        print_failure(&stopped);
    } else {
        say(&format!(
            "error[{}]: {}",
            number(stopped.code),
            stopped.message
        ));
    }
}

/// A failure before it is known how to console: plainly, or in JSON.
pub(crate) fn tell_failure(failure: &Failure, json: bool) {
    let plain = Console {
        json,
        quiet: false,
        verbose: false,
        colour: colour(Colour::Auto),
        seen: std::io::stderr().is_terminal(),
        warned: RefCell::default(),
        record: Record::of([]),
        kept: None,
        chosen: RefCell::default(),
        renamed: RefCell::default(),
    };
    plain.failure(failure);
}

/// A failure as one JSON object on standard output.
pub(crate) fn print_failure(failure: &Failure) {
    let mut error = serde_json::json!({
        "code": number(failure.code),
        "name": failure.code,
        "message": failure.message,
        "hint": failure.hint,
    });
    match failure.spot.place {
        Some(Place::Line(line)) => error["line"] = line.into(),
        Some(Place::Row(row)) => error["row"] = row.into(),
        None => {}
    }
    let texts = [
        ("file", &failure.spot.file),
        ("column", &failure.spot.column),
        ("value", &failure.spot.value),
    ];
    for (key, text) in texts {
        if let Some(text) = text {
            error[key] = text.as_str().into();
        }
    }
    let error = serde_json::json!({ "schema": 1, "error": error });
    // Nobody is left to tell when this fails.
    let _ = print(&error.to_string());
}

/// The number of a word, as users see it; the word itself if it has none.
pub(crate) fn number(name: &str) -> String {
    table::find(name).map_or_else(|| name.to_owned(), Code::id)
}

/// `1 row`, `2 rows`.
pub(crate) fn count(n: usize, one: &str, more: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { more })
}

/// Text that holds names from files, as a terminal may see it: one line of
/// bounded length, without characters that steer it.
pub(crate) fn plain(text: &str) -> String {
    const LONGEST: usize = 1000;
    let mut out = String::with_capacity(text.len().min(LONGEST));
    for (n, c) in text.chars().enumerate() {
        match c {
            _ if n == LONGEST => {
                out.push('…');
                break;
            }
            c if steers(c) => out.extend(c.escape_default()),
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
    closed::check_stdout()?;
    let done = terminal::printing(|| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "{text}").and_then(|()| out.flush())
    });
    done.map_err(|source| {
        let path = std::path::Path::new("<stdout>");
        isotherm_io::Error::io(path, "write", source).into()
    })
}

/// A line on standard error.
pub(crate) fn say(text: &str) {
    // A closed standard error is no reason to stop working.
    let _ = terminal::aside(|| writeln!(std::io::stderr().lock(), "{text}"));
}

/// Whether to colour what is said on standard error.
pub(crate) fn colour(choice: Colour) -> bool {
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
