//! Commands made to write elsewhere than they were told.

use std::path::{Path, PathBuf};

use crate::args::{Command, How};
use crate::failure::{Failure, Outcome};

/// What a command would have written, and where it writes instead.
#[derive(Default)]
pub(crate) struct Redirected {
    /// The table, model or recipe.
    pub(crate) main: Option<Moved>,
    /// The picture beside it.
    pub(crate) picture: Option<Moved>,
}

pub(crate) struct Moved {
    pub(crate) given: PathBuf,
    pub(crate) instead: PathBuf,
}

impl Redirected {
    /// The answer of a command that was redirected, as it would have been.
    pub(crate) fn restored(&self, mut answer: serde_json::Value) -> serde_json::Value {
        for (field, moved) in [("output", &self.main), ("plot", &self.picture)] {
            if let (Some(moved), Some(value)) = (moved, answer.get_mut(field)) {
                *value = moved.given.display().to_string().into();
            }
        }
        answer
    }
}

/// Moves every output of a command into `room`, which is empty. `result` is the
/// file whose provenance the command is.
///
/// # Errors
/// Commands that make no result, and runs that only printed, are refused: what is
/// not in this list is not run again.
pub(crate) fn redirect(command: &mut Command, room: &Path, result: &Path) -> Outcome<Redirected> {
    let mut all = Redirected::default();
    match command {
        Command::Label(args) => {
            printed(&args.how)?;
            all.main = args.output.as_mut().map(|o| moved(o, room, "csv"));
        }
        Command::Fit(args) => {
            printed(&args.how)?;
            all.main = args.output.as_mut().map(|o| moved(o, room, "iso"));
        }
        Command::Report(args) => {
            printed(&args.how)?;
            all.main = args.output.as_mut().map(|o| moved(o, room, "html"));
        }
        Command::Predict(args) => all.main = Some(moved(&mut args.output, room, "csv")),
        Command::Embed(args) => all.main = Some(moved(&mut args.output, room, "csv")),
        Command::Merge(args) => all.main = Some(moved(&mut args.output, room, "csv")),
        Command::Plot(args) => {
            let (picture, how) = args.kind.picture();
            how.map_or(Ok(()), printed)?;
            all.picture = picture.output.as_mut().map(|o| moved(o, room, "svg"));
        }
        Command::Next(args) => {
            printed(&args.how)?;
            all.main = args.output.as_mut().map(|o| moved(o, room, "csv"));
        }
        Command::Tune(args) => {
            all.main = args.output.as_mut().map(|o| moved(o, room, "toml"));
            let room = room.join("plot");
            all.picture = args.plot.as_mut().map(|o| moved(o, &room, "svg"));
        }
        Command::Evaluate(args) => {
            printed(&args.how)?;
            all.picture = args.plot.as_mut().map(|o| moved(o, room, "svg"));
        }
        Command::Demo(args) => {
            // A directory of pictures: the one of this name is meant.
            let name = result.file_name().unwrap_or_default();
            all.picture = Some(Moved {
                given: args.out_dir.join(name),
                instead: room.join(name),
            });
            args.out_dir = room.to_owned();
        }
        Command::Inspect(_) | Command::Check(_) => {}
        Command::Completions(_) | Command::Explain(_) | Command::Man(_) | Command::Rerun(_) => {
            return Err(Failure::refused(
                "rerun-command",
                "its command makes no result that could be made again",
                "look at it with --print",
            ));
        }
    }
    for moved in all.main.iter().chain(&all.picture) {
        let directory = moved.instead.parent().unwrap_or(room);
        std::fs::create_dir_all(directory)
            .map_err(|e| Failure::from(isotherm_io::Error::io(directory, "create", e)))?;
    }
    Ok(all)
}

/// Puts a path in place of an output; its name stays, because it tells the format.
fn moved(output: &mut PathBuf, room: &Path, stdout: &str) -> Moved {
    let given = output.clone();
    let name = match given.file_name() {
        Some(name) if given.as_os_str() != "-" => name.to_owned(),
        _ => format!("stdout.{stdout}").into(),
    };
    let instead = room.join(name);
    output.clone_from(&instead);
    Moved { given, instead }
}

/// Refuses a run that only printed its recipe.
fn printed(how: &How) -> Outcome<()> {
    if how.print_recipe {
        Err(Failure::refused(
            "rerun-command",
            "its command only prints a recipe",
            "look at it with --print",
        ))
    } else {
        Ok(())
    }
}
