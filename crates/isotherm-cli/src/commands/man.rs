//! `isotherm man`: the manual, from the same definition as the help.

use std::path::Path;

use isotherm_io::atomic::{Overwrite, check_destination};
use isotherm_io::closest_name;
use roff::{Roff, roman};

use super::write_bytes;
use crate::args::{self, Man};
use crate::console::{Console, count};
use crate::failure::{Failure, Outcome};

pub(crate) fn run(args: &Man, console: &Console) -> Outcome<()> {
    let mut command = args::command();
    command.build();
    if let Some(dir) = &args.out_dir {
        return write_all(&command, dir, args.force, console);
    }
    let page = match &args.page {
        None => page(&command)?,
        Some(name) => {
            let found = pages(&command)
                .into_iter()
                .find(|one| called(one) == format!("isotherm-{name}"));
            page(found.ok_or_else(|| unknown(name, &command))?)?
        }
    };
    let text = String::from_utf8_lossy(&page);
    if console.json() {
        return console.answer(serde_json::json!({ "page": text }));
    }
    crate::console::print(text.trim_end())
}

fn unknown(name: &str, command: &clap::Command) -> Failure {
    let names: Vec<&str> = command
        .get_subcommands()
        .map(clap::Command::get_name)
        .collect();
    let hint = match closest_name(name, names.iter().copied()) {
        Some(like) => format!("did you mean \"{like}\"?"),
        None => format!("there are {}", names.join(", ")),
    };
    Failure::usage(format!("there is no command \"{name}\""), hint)
}

/// What has a page: the tool, its commands and the kinds of `plot`.
fn pages(command: &clap::Command) -> Vec<&clap::Command> {
    let mut found = vec![command];
    for one in command.get_subcommands() {
        found.push(one);
        found.extend(one.get_subcommands());
    }
    found
}

/// `isotherm-plot-map`.
fn called(command: &clap::Command) -> &str {
    let name = command.get_display_name();
    name.unwrap_or_else(|| command.get_name())
}

/// Writes the page of the tool and one of each command.
fn write_all(command: &clap::Command, dir: &Path, force: bool, console: &Console) -> Outcome<()> {
    let overwrite = if force {
        Overwrite::Replace
    } else {
        Overwrite::Refuse
    };
    std::fs::create_dir_all(dir)
        .map_err(|e| Failure::from(isotherm_io::Error::io(dir, "create", e)))?;
    let all = self::pages(command);
    let mut pages = Vec::new();
    for one in all {
        let path = dir.join(format!("{}.1", called(one)));
        check_destination(&path, overwrite)?;
        pages.push((path, page(one)?));
    }
    for (path, bytes) in &pages {
        write_bytes(path, bytes, overwrite)?;
    }
    console.note(&format!(
        "wrote {} into {}",
        count(pages.len(), "page", "pages"),
        dir.display()
    ));
    if console.json() {
        let paths = pages.iter().map(|(path, _)| path.display().to_string());
        console.answer(serde_json::json!({ "pages": paths.collect::<Vec<_>>() }))?;
    }
    Ok(())
}

/// One page: what it does, examples, every flag.
fn page(command: &clap::Command) -> Outcome<Vec<u8>> {
    // What the short help leaves out is told here.
    let command = &command.clone().mut_args(|arg| arg.hide_short_help(false));
    let man = clap_mangen::Man::new(command.clone());
    let mut bytes = Vec::new();
    let done = man
        .render_title(&mut bytes)
        .and_then(|()| man.render_name_section(&mut bytes))
        .and_then(|()| man.render_synopsis_section(&mut bytes))
        .and_then(|()| man.render_description_section(&mut bytes))
        .and_then(|()| examples(command).to_writer(&mut bytes))
        .and_then(|()| man.render_options_section(&mut bytes))
        .and_then(|()| {
            if command.has_subcommands() {
                man.render_subcommands_section(&mut bytes)
            } else {
                Ok(())
            }
        })
        .and_then(|()| match command.get_name() {
            "isotherm" => surroundings().to_writer(&mut bytes),
            _ => Ok(()),
        });
    done.map_err(|e| Failure::refused("bug", e.to_string(), "report this as a bug"))?;
    Ok(bytes)
}

/// What the tool answers with, and what it reads beside its words.
fn surroundings() -> Roff {
    let mut section = Roff::new();
    section.control("SH", ["EXIT STATUS"]);
    for (code, meaning) in [
        ("0", "All went well."),
        ("1", "The data or the run: nothing was written."),
        ("2", "The command line was not understood."),
        ("3", "All went well with warnings, under --strict."),
        ("130", "Interrupted: nothing was written."),
    ] {
        section
            .control("TP", [])
            .text([roman(code)])
            .text([roman(meaning)]);
    }
    section.control("SH", ["ENVIRONMENT"]);
    section.control("TP", []).text([roman("ISOTHERM_*")]).text([roman(
        "A flag that was not typed: ISOTHERM_LABEL=y is --label y. Typed flags come first, isotherm.toml comes last.",
    )]);
    section
        .control("TP", [])
        .text([roman("NO_COLOR")])
        .text([roman("No colours, if set.")]);
    section.control("SH", ["FILES"]);
    section.control("TP", []).text([roman("isotherm.toml")]).text([roman(
        "Settings of the working directory, a flag a line: label = \"y\". --no-config leaves it out, --print-config tells what is set and from where.",
    )]);
    section
}

/// The examples of the help as a section, each on a line of its own.
fn examples(command: &clap::Command) -> Roff {
    let text = command.get_before_help().map(ToString::to_string);
    let text = text.unwrap_or_default();
    let mut section = Roff::new();
    section.control("SH", ["EXAMPLES"]).control("nf", []);
    for line in text.lines().skip(1) {
        section.text([roman(line.trim())]);
    }
    section.control("fi", []);
    section
}
