//! `isotherm.toml`: `[all]` for every command that has the flag, `[label]` for one.

use std::path::Path;

use clap::{Arg, ArgAction, Command};
use isotherm_io::closest_name;
use toml::de::{DeTable, DeValue};

use super::{FILE, Origin, Setting, Value, innermost_of, open};
use crate::failure::{Failure, Outcome};

/// The section that every command reads.
const ALL: &str = "all";

/// The settings for the command `name`, or for `inner`, the kind of it that is run; its own
/// section first. A file that is not there sets nothing; every line of one that is there is
/// checked, whatever the command.
pub(super) fn read(
    path: &Path,
    command: &Command,
    name: &str,
    inner: &Command,
) -> Outcome<Vec<Setting>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(isotherm_io::Error::io(path, "read", e).into()),
    };
    let line = |at: usize| text.get(..at).map_or(1, |t| t.matches('\n').count() + 1);
    let refuse = |at: usize, what: String, hint: String| {
        Failure::refused("config", format!("{FILE} line {}: {what}", line(at)), hint)
    };
    let table = DeTable::parse(&text).map_err(|e| {
        let at = e.span().map_or(0, |s| s.start);
        let hint = "write [all] or a command in brackets, then flag = value".to_owned();
        refuse(at, e.message().trim().replace('\n', " "), hint)
    })?;
    let (mut own, mut all) = (Vec::new(), Vec::new());
    for (section, content) in table.get_ref() {
        let (title, at) = (section.get_ref().as_ref(), section.span().start);
        let DeValue::Table(entries) = content.get_ref() else {
            return Err(refuse(
                at,
                format!("\"{title}\" stands in no section"),
                "write [all] above it, or the command it is for, such as [label]".to_owned(),
            ));
        };
        let target = command.find_subcommand(title);
        if target.is_none() && title != ALL {
            let names = command.get_subcommands().map(Command::get_name);
            let hint = meant(
                title,
                names.chain([ALL]),
                "sections are all and the commands",
            );
            return Err(refuse(at, format!("there is no command \"{title}\""), hint));
        }
        for (key, value) in entries {
            let (word, at) = (key.get_ref().as_ref(), key.span().start);
            // A section is for every kind of its command.
            let readers = innermost_of(target.unwrap_or(command));
            let flag = format!("--{}", word.replace('_', "-"));
            let arg = |of: &&Command| open(of).find(|(_, f)| *f == flag).map(|(a, _)| a.clone());
            let Some(known) = readers.iter().find_map(arg) else {
                let flags = readers.iter().flat_map(|of| open(of));
                let names: Vec<String> = flags.map(|(_, f)| f[2..].to_owned()).collect();
                let whom = match target {
                    Some(_) => format!("isotherm {title}"),
                    None => "isotherm".to_owned(),
                };
                let words = names.iter().map(String::as_str);
                let hint = meant(word, words, &format!("{whom} --help-all lists the flags"));
                let what = format!("{whom} has no setting \"{word}\"");
                return Err(refuse(at, what, hint));
            };
            let value = spelled(&known, value.get_ref())
                .map_err(|(what, hint)| refuse(at, format!("{word} {what}"), hint))?;
            // Another command's section is checked, and not for this one.
            let mine = arg(&inner);
            let Some(mine) = mine.filter(|_| title == ALL || title == name) else {
                continue;
            };
            let setting = Setting {
                id: mine.get_id().to_string(),
                flag,
                value,
                from: Origin::Line(line(at)),
            };
            if title == ALL {
                all.push(setting);
            } else {
                own.push(setting);
            }
        }
    }
    // In the file's order, which a table of TOML does not keep.
    let line = |s: &Setting| match s.from {
        Origin::Line(line) => line,
        Origin::Variable(_) => 0,
    };
    own.sort_by_key(line);
    all.sort_by_key(line);
    own.extend(all);
    Ok(own)
}

fn meant<'a>(word: &str, names: impl Iterator<Item = &'a str>, otherwise: &str) -> String {
    match closest_name(&word.replace('_', "-"), names) {
        Some(like) => format!("did you mean \"{like}\"?"),
        None => otherwise.to_owned(),
    }
}

/// A value as the command line would spell it, or what is wrong and the way out.
fn spelled(arg: &Arg, value: &DeValue<'_>) -> Result<Value, (String, String)> {
    match (arg.get_action(), value) {
        (ArgAction::SetTrue, DeValue::Boolean(on)) => Ok(Value::Switch(*on)),
        (ArgAction::SetTrue, other) => Err((
            format!("is a switch, got {}", other.type_str()),
            "write true or false".to_owned(),
        )),
        (ArgAction::Count, other) => {
            let number = other.as_integer().and_then(|n| n.as_str().parse().ok());
            let problem = || ("is a count".to_owned(), "write 0, 1 or 2".to_owned());
            number.map(Value::Count).ok_or_else(problem)
        }
        (_, DeValue::Array(items)) => {
            let Some(mark) = arg.get_value_delimiter() else {
                let hint = "write one value, without brackets".to_owned();
                return Err(("takes one value, got several".to_owned(), hint));
            };
            let mut words = Vec::with_capacity(items.len());
            for item in items {
                let word = scalar(item.get_ref())?;
                if word.contains(mark) {
                    return Err((
                        format!("holds \"{word}\", and {mark:?} separates values"),
                        "choose it by a pattern, such as a*b".to_owned(),
                    ));
                }
                words.push(word);
            }
            Ok(Value::Text(words.join(&mark.to_string()).into()))
        }
        (_, value) => scalar(value).map(|word| Value::Text(word.into())),
    }
}

fn scalar(value: &DeValue<'_>) -> Result<String, (String, String)> {
    match value {
        DeValue::String(text) => Ok(text.as_ref().to_owned()),
        DeValue::Integer(n) if n.radix() == 10 => Ok(n.as_str().to_owned()),
        DeValue::Float(x) => Ok(x.as_str().to_owned()),
        other => Err((
            format!("is a text or a number, got {}", other.type_str()),
            "write it in quotes".to_owned(),
        )),
    }
}
