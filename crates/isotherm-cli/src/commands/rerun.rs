//! `isotherm rerun`: the command that made a file, once more.
//!
//! A provenance is somebody else's word. Its command goes through our own
//! parser; only commands that compute a result are run; every output they were
//! told to write is moved to a temporary directory before they run, whatever
//! its name was.

use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use clap::FromArgMatches;
use isotherm_io::atomic::{Overwrite, write_atomically};
use isotherm_io::embedded::{self, ResultKind};
use isotherm_io::{Error, FileHash, Provenance, sidecar};
use serde_json::{Value, json};

use super::check_output;
use crate::args::{Cli, Common, Rerun};
use crate::console::{Console, print};
use crate::failure::{Failure, Outcome};
use crate::provenance::Record;
use crate::rerun_inputs;
use crate::rerun_outputs::{Redirected, redirect};
use crate::terminal::Terminal;

pub(crate) fn run(
    args: &Rerun,
    common: &Common,
    console: &Console,
    terminal: &mut Terminal,
) -> Outcome<()> {
    // The run may have to happen in another directory.
    let file = absolute(&args.file)?;
    let new = args.output.as_deref().map(absolute).transpose()?;
    let found = embedded::find(&args.file)?;
    let provenance = &found.provenance;
    if args.print {
        return tell_command(provenance, console);
    }
    if let Some(new) = &new {
        check_output(new, args.force, false)?;
    }
    check_version(provenance, args)?;
    let mut cli = parsed(provenance, args)?;
    let room = tempfile::tempdir().map_err(|e| {
        let place = std::env::temp_dir();
        Failure::from(Error::io(&place, "make a temporary directory in", e))
    })?;
    let redirected = redirect(&mut cli.command, room.path(), &file)?;
    let result = match &found.kind {
        ResultKind::Beside { table, .. } => absolute(table)?,
        _ => file.clone(),
    };
    let places =
        rerun_inputs::places(&result, redirected.main.as_ref().map(|m| m.given.as_path()))?;
    let place = rerun_inputs::choose(provenance, &places, args.anyway)?;
    for line in &place.notes {
        console.warn("rerun-other-input", line, None);
    }
    std::env::set_current_dir(&place.directory)
        .map_err(|e| Failure::from(Error::io(&place.directory, "work in", e)))?;
    let words = provenance.command.iter().map(Into::into);
    let inner = Console::within(Record::of(words));
    let memory = common.memory.or(cli.common.memory);
    let outcome = crate::dispatch(&cli.command, memory, &inner, terminal);
    let strangers = rerun_inputs::strangers(provenance, &inner.record().inputs(), outcome.is_ok());
    match strangers.first() {
        Some(first) if !args.anyway => {
            return Err(Failure::refused(
                "rerun-input",
                first.told(),
                first.way_out(),
            ));
        }
        _ => (strangers.iter())
            .for_each(|stranger| console.warn("rerun-other-input", &stranger.told(), None)),
    }
    match outcome {
        // What is wrong with a table is an answer like any other.
        Err(failure) if failure.is_told() => {}
        other => other?,
    }
    let answer = inner.kept().map(|answer| redirected.restored(answer));
    let again = compare(&found.kind, &redirected, answer, &result)?;
    if let Some(new) = &new {
        keep(&again, new, args.force)?;
        let shown = args.output.as_deref().unwrap_or(new);
        console.note(&format!("wrote {}", shown.display()));
    }
    tell(args, provenance, &again, console)
}

/// A result made again.
struct Again {
    /// What the first result and this one are called.
    what: String,
    made: Made,
    /// Where they differ, if they do.
    difference: Option<String>,
}

enum Made {
    File(PathBuf),
    Answer(Value),
}

fn absolute(path: &Path) -> Outcome<PathBuf> {
    std::path::absolute(path).map_err(|e| Error::io(path, "find", e).into())
}

fn tell_command(provenance: &Provenance, console: &Console) -> Outcome<()> {
    let line = provenance.shell_line();
    if console.json() {
        console.answer(json!({ "command": provenance.command, "shell": line }))
    } else {
        print(&line)
    }
}

fn check_version(provenance: &Provenance, args: &Rerun) -> Outcome<()> {
    let ours = env!("CARGO_PKG_VERSION");
    if provenance.version == ours || args.anyway {
        return Ok(());
    }
    Err(Failure::refused(
        "rerun-version",
        format!(
            "{} was made by isotherm {}, this is {ours}",
            args.file.display(),
            provenance.version
        ),
        "install that version, or pass --anyway to run with this one",
    ))
}

/// The command, if this isotherm understands it.
fn parsed(provenance: &Provenance, args: &Rerun) -> Outcome<Cli> {
    let file = args.file.display();
    if provenance.inexact {
        return Err(Failure::refused(
            "rerun-command",
            format!("{file}: a word of its command is not UTF-8 and was not kept exactly"),
            "type the command, which --print shows nearly",
        ));
    }
    let words = std::iter::once("isotherm").chain(provenance.command.iter().map(String::as_str));
    let understood = crate::args::command().try_get_matches_from(words);
    let understood = understood.and_then(|matches| Cli::from_arg_matches(&matches));
    understood.map_err(|e| {
        let why = Failure::not_understood(&e).message;
        Failure::refused(
            "rerun-command",
            format!("{file}: its command is not understood: {why}"),
            "look at it with --print",
        )
    })
}

/// Compares a result with the one it should be.
fn compare(
    kind: &ResultKind,
    redirected: &Redirected,
    answer: Option<Value>,
    old: &Path,
) -> Outcome<Again> {
    let what = old.file_name().unwrap_or_default().to_string_lossy();
    let again = |made, difference| Again {
        what: what.clone().into_owned(),
        made,
        difference,
    };
    if let ResultKind::Answer(before) = kind {
        let Some(now) = answer else {
            return Err(nothing());
        };
        let difference = (*before != now).then(|| first_difference(before, &now));
        return Ok(again(Made::Answer(now), difference));
    }
    let output = match kind {
        ResultKind::Picture => redirected.picture.as_ref().or(redirected.main.as_ref()),
        _ => redirected.main.as_ref().or(redirected.picture.as_ref()),
    };
    let Some(output) = output.filter(|o| o.instead.is_file()) else {
        return Err(nothing());
    };
    let new = &output.instead;
    let now = FileHash::of(new)?;
    let recorded = match kind {
        ResultKind::Beside { output, .. } => Some(output),
        _ => None,
    };
    let before = match recorded {
        // The table has gone, and is known by what its sidecar says.
        Some(recorded) if !old.exists() => recorded.clone(),
        _ => FileHash::of(old)?,
    };
    let size = |hash: &FileHash| hash.bytes.unwrap_or(0);
    let difference = (before.sha256 != now.sha256).then(|| {
        if recorded.is_some_and(|recorded| recorded.sha256 == now.sha256) {
            "the one that is there was changed since it was written".to_owned()
        } else {
            let from = first_byte(old, new).map(|at| format!(", other from byte {at} on"));
            let from = from.unwrap_or_default();
            format!("{} bytes then, {} now{from}", size(&before), size(&now))
        }
    });
    Ok(again(Made::File(new.clone()), difference))
}

/// The first byte, counted from 1, in which two files differ; none where one of them
/// is the beginning of the other, or cannot be read.
fn first_byte(old: &Path, new: &Path) -> Option<u64> {
    let open = |path| std::fs::File::open(path).ok().map(BufReader::new);
    let pairs = open(old)?.bytes().zip(open(new)?.bytes());
    let mut pairs = pairs.zip(1..);
    pairs.find_map(|((a, b), at)| match (a, b) {
        (Ok(a), Ok(b)) => (a != b).then_some(Some(at)),
        _ => Some(None),
    })?
}

fn nothing() -> Failure {
    Failure::refused(
        "rerun-command",
        "its command writes no such result",
        "look at it with --print",
    )
}

/// The first field in which two answers differ.
fn first_difference(before: &Value, now: &Value) -> String {
    let fields = |v: &Value| v.as_object().map(|o| o.keys().cloned().collect::<Vec<_>>());
    let names = fields(before).unwrap_or_default();
    let more = fields(now).unwrap_or_default();
    let differs = |name: &&String| before.get(name.as_str()) != now.get(name.as_str());
    match names.iter().chain(&more).find(differs) {
        Some(name) => format!("the field \"{name}\" is another"),
        None => "the answers are of another kind".to_owned(),
    }
}

/// Keeps a result, and what was written beside it.
fn keep(again: &Again, new: &Path, force: bool) -> Outcome<()> {
    let overwrite = if force {
        Overwrite::Replace
    } else {
        Overwrite::Refuse
    };
    match &again.made {
        Made::Answer(answer) => {
            super::write_bytes(new, format!("{answer}\n").as_bytes(), overwrite)
        }
        Made::File(made) => {
            copy(made, new, overwrite)?;
            let aside = sidecar::path_of(made);
            if aside.is_file() {
                copy(&aside, &sidecar::path_of(new), overwrite)
            } else {
                Ok(())
            }
        }
    }
}

fn copy(from: &Path, to: &Path, overwrite: Overwrite) -> Outcome<()> {
    let mut source = std::fs::File::open(from).map_err(|e| Error::io(from, "open", e))?;
    Ok(write_atomically(to, overwrite, |out| {
        let copied = std::io::copy(&mut source, out);
        copied.map(|_| ()).map_err(|e| Error::io(to, "write", e))
    })?)
}

fn tell(args: &Rerun, provenance: &Provenance, again: &Again, console: &Console) -> Outcome<()> {
    let what = &again.what;
    let same = again.difference.is_none();
    if let (Some(difference), false) = (&again.difference, args.anyway) {
        return Err(Failure::refused(
            "rerun-differs",
            format!("the same command gives another {what}: {difference}"),
            match args.output {
                Some(_) => "compare it with the new one; was it changed since it was written?",
                None => {
                    "keep the new one with -o and compare; was it changed since it was written?"
                }
            },
        ));
    }
    match &again.difference {
        None => console.note(&format!("the same: {what} comes out byte for byte")),
        Some(difference) => console.note(&format!("not the same {what}: {difference}")),
    }
    if console.json() {
        console.answer(json!({
            "file": args.file.display().to_string(),
            "same": same,
            "difference": again.difference,
            "command": provenance.command,
            "output": args.output.as_ref().map(|p| p.display().to_string()),
        }))?;
    }
    Ok(())
}
