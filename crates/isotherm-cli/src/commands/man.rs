//! `isotherm man`: the manual, from the same definition as the help.

use std::path::Path;

use isotherm_io::atomic::{Overwrite, check_destination};
use isotherm_io::near::near;
use roff::{Roff, roman};

use super::write_bytes;
use crate::args::{self, Man};
use crate::failure::{Failure, Outcome};
use crate::talk::{Talk, count};

pub(crate) fn run(args: &Man, talk: &Talk) -> Outcome<()> {
    let mut command = args::command();
    command.build();
    if let Some(dir) = &args.out_dir {
        return write_all(&command, dir, args.force, talk);
    }
    let page = match &args.page {
        None => page(&command)?,
        Some(name) => {
            let found = command.find_subcommand(name);
            page(found.ok_or_else(|| unknown(name, &command))?)?
        }
    };
    let text = String::from_utf8_lossy(&page);
    if talk.json() {
        return talk.answer(serde_json::json!({ "page": text }));
    }
    crate::talk::print(text.trim_end())
}

fn unknown(name: &str, command: &clap::Command) -> Failure {
    let names: Vec<&str> = command
        .get_subcommands()
        .map(clap::Command::get_name)
        .collect();
    let hint = match near(name, names.iter().copied()) {
        Some(like) => format!("did you mean \"{like}\"?"),
        None => format!("there are {}", names.join(", ")),
    };
    Failure::usage(format!("there is no command \"{name}\""), hint)
}

/// Writes the page of the tool and one of each command.
fn write_all(command: &clap::Command, dir: &Path, force: bool, talk: &Talk) -> Outcome<()> {
    let overwrite = match force {
        true => Overwrite::Replace,
        false => Overwrite::Refuse,
    };
    std::fs::create_dir_all(dir)
        .map_err(|e| Failure::from(isotherm_io::Error::io(dir, "create", e)))?;
    let mut pages = Vec::new();
    for one in std::iter::once(command).chain(command.get_subcommands()) {
        let name = one.get_display_name().unwrap_or_else(|| one.get_name());
        let path = dir.join(format!("{name}.1"));
        check_destination(&path, overwrite)?;
        pages.push((path, page(one)?));
    }
    for (path, bytes) in &pages {
        write_bytes(path, bytes, overwrite)?;
    }
    talk.note(&format!(
        "wrote {} into {}",
        count(pages.len(), "page", "pages"),
        dir.display()
    ));
    if talk.json() {
        let paths = pages.iter().map(|(path, _)| path.display().to_string());
        talk.answer(serde_json::json!({ "pages": paths.collect::<Vec<_>>() }))?;
    }
    Ok(())
}

/// One page: what it does, examples, every flag.
fn page(command: &clap::Command) -> Outcome<Vec<u8>> {
    let man = clap_mangen::Man::new(command.clone());
    let mut bytes = Vec::new();
    let done = man
        .render_title(&mut bytes)
        .and_then(|()| man.render_name_section(&mut bytes))
        .and_then(|()| man.render_synopsis_section(&mut bytes))
        .and_then(|()| man.render_description_section(&mut bytes))
        .and_then(|()| examples(command).to_writer(&mut bytes))
        .and_then(|()| man.render_options_section(&mut bytes))
        .and_then(|()| match command.has_subcommands() {
            true => man.render_subcommands_section(&mut bytes),
            false => Ok(()),
        });
    done.map_err(|e| Failure::refused("bug", e.to_string(), "report this as a bug"))?;
    Ok(bytes)
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
