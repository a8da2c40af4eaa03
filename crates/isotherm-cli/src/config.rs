//! Flags > `ISOTHERM_*` > `isotherm.toml`: one mechanism for every flag.
//!
//! What the command line leaves open is looked up, and spelled out as if it had been
//! typed: `label = "y"` becomes `--label=y`. So a setting means, and is refused, exactly
//! as its flag is, and a new flag can be set from the first day.

mod file;
mod show;

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use isotherm_io::closest_name;

use crate::args::{self, Cli};
use crate::failure::{Failure, Outcome};

/// The file that is looked for in the working directory.
pub(crate) const FILE: &str = "isotherm.toml";

/// Flags that have to be typed: they ask for something else, or protect from mistakes.
const TYPED: [&str; 7] = [
    "help",
    "help_all",
    "version",
    "force",
    "no_config",
    "print_config",
    "print_recipe",
];

/// Commands that answer beside a file that cannot be read.
const ALONE: [&str; 3] = ["explain", "completions", "man"];

/// Flags that change how a command goes about it, and nothing in its result.
const MANNER: [&str; 6] = [
    "threads",
    "quiet",
    "verbose",
    "strict",
    "no_progress",
    "color",
];

/// What was understood of the command line and everything that completes it.
pub(crate) struct Understood {
    pub(crate) cli: Cli,
    /// The words that would have had to be typed, without the program's name.
    pub(crate) words: Vec<OsString>,
    /// Settings that were used, in words.
    pub(crate) used: Vec<String>,
    /// Variables that look like a setting and are none, with what they may mean.
    pub(crate) strange: Vec<(String, String)>,
}

/// Why there is nothing to run.
pub(crate) enum Stop {
    /// Help, the version, or words that clap does not understand.
    Clap(clap::Error),
    /// A setting that cannot be used.
    Failure(Failure),
    /// The settings were asked for, and what is wrong with them if something is.
    Shown(Option<clap::Error>),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

/// One value that did not come from the command line.
#[derive(Debug)]
pub(crate) struct Setting {
    id: String,
    flag: String,
    value: Value,
    from: Origin,
}

#[derive(Debug)]
enum Value {
    /// A flag without a value, there or not.
    Switch(bool),
    /// A flag that counts.
    Count(u8),
    Text(OsString),
}

/// Where a value came from.
#[derive(Debug, Clone)]
enum Origin {
    Variable(String),
    Line(usize),
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Variable(name) => f.write_str(name),
            Self::Line(line) => write!(f, "{FILE} line {line}"),
        }
    }
}

/// What became of a setting.
#[derive(Debug)]
enum Fate {
    Used,
    /// The command line, or the environment, says it too.
    Overruled,
    /// It would contradict a flag that comes first.
    Contradicted(String),
}

impl Setting {
    /// The words that spell it.
    fn words(&self) -> Vec<OsString> {
        match &self.value {
            Value::Switch(true) => vec![self.flag.clone().into()],
            Value::Switch(false) => Vec::new(),
            Value::Count(n) => vec![self.flag.clone().into(); usize::from(*n)],
            Value::Text(text) => {
                let mut word = OsString::from(format!("{}=", self.flag));
                word.push(text);
                vec![word]
            }
        }
    }
}

/// Understands the words after the program's name, and completes them.
pub(crate) fn understand(words: &[OsString]) -> Result<Understood, Stop> {
    let mut command = args::command();
    command.build();
    let parse = |words: &[OsString], loose: bool| {
        if loose {
            // Kinds of a command learn what they may ignore while they are built.
            (args::command().ignore_errors(true)).try_get_matches_from(words)
        } else {
            command.clone().try_get_matches_from(words)
        }
    };
    // What is missing may be set elsewhere; anything else is wrong as it stands.
    let typed = match parse(words, false) {
        Ok(matches) => matches,
        Err(e) if e.kind() == ErrorKind::MissingRequiredArgument => {
            parse(words, true).map_err(Stop::Clap)?
        }
        Err(e) => return Err(Stop::Clap(e)),
    };
    let (names, own) = innermost(&typed);
    let Some(name) = names.first() else {
        return match parse(words, false) {
            Ok(_) => Err(Failure::usage("there is no command", "see isotherm --help").into()),
            Err(e) => Err(Stop::Clap(e)),
        };
    };
    let mut sub = Some(&command);
    for name in &names {
        sub = sub.and_then(|of| of.find_subcommand(name));
    }
    let sub = sub.ok_or_else(|| Failure::usage("there is no such command", "see --help"))?;
    let (mut settings, mut strange) = (Vec::new(), Vec::new());
    if !own.get_flag("no_config") {
        settings.extend(variables(sub)?);
        strange = unknown_variables(&command);
        match file::read(Path::new(FILE), &command, name, sub) {
            // They help whoever is mending the file.
            Err(_) if ALONE.contains(name) => {}
            read => settings.extend(read?),
        }
    }
    let fates = decide(sub, own, &settings);
    let completed = complete(words, &settings, &fates);
    let show = own.get_flag("print_config");
    let (matches, error) = match parse(&completed, false) {
        Ok(matches) => (matches, None),
        Err(e) if show => (parse(&completed, true).map_err(Stop::Clap)?, Some(e)),
        Err(e) => return Err(blamed(e, &settings, &fates)),
    };
    if show {
        let title = names.join(" ");
        show::print(sub, &title, innermost(&matches).1, &settings, &fates)?;
        return Err(Stop::Shown(error));
    }
    // What changes no result is no part of where a result came from.
    let counting: Vec<Fate> = (settings.iter().zip(&fates))
        .map(|(s, fate)| match fate {
            Fate::Used if !MANNER.contains(&s.id.as_str()) => Fate::Used,
            _ => Fate::Overruled,
        })
        .collect();
    let used = settings.iter().zip(&fates);
    let used = used.filter(|(_, fate)| matches!(fate, Fate::Used));
    Ok(Understood {
        cli: Cli::from_arg_matches(&matches).map_err(Stop::Clap)?,
        used: used
            .map(|(s, _)| format!("{} ({})", s.flag, s.from))
            .collect(),
        words: complete(words, &settings, &counting).split_off(1),
        strange,
    })
}

/// The command that was given, within the one it is a kind of (`plot map`), and its own words.
fn innermost(matches: &ArgMatches) -> (Vec<&str>, &ArgMatches) {
    let (mut names, mut own) = (Vec::new(), matches);
    while let Some((name, inner)) = own.subcommand() {
        names.push(name);
        own = inner;
    }
    (names, own)
}

/// The commands that are run: those without kinds, and the kinds of the others.
fn innermost_of(command: &Command) -> Vec<&Command> {
    if command.has_subcommands() {
        command.get_subcommands().flat_map(innermost_of).collect()
    } else {
        vec![command]
    }
}

/// The name that a flag has in the environment.
fn variable(flag: &str) -> String {
    let name = flag.trim_start_matches('-').replace('-', "_");
    format!("ISOTHERM_{}", name.to_uppercase())
}

/// The flags of a command that can be set elsewhere.
fn open(command: &Command) -> impl Iterator<Item = (&Arg, String)> {
    let arguments = command.get_arguments();
    arguments.filter_map(|arg| {
        let id = arg.get_id().as_str();
        let long = arg.get_long().filter(|_| !TYPED.contains(&id))?;
        Some((arg, format!("--{long}")))
    })
}

fn variables(command: &Command) -> Outcome<Vec<Setting>> {
    let mut found = Vec::new();
    for (arg, flag) in open(command) {
        let name = variable(&flag);
        let Some(text) = std::env::var_os(&name).filter(|t| !t.is_empty()) else {
            continue;
        };
        let value = match arg.get_action() {
            ArgAction::SetTrue => Value::Switch(switch(&text).ok_or_else(|| {
                let said = text.to_string_lossy();
                let what = format!("{name} is \"{said}\", which is neither yes nor no");
                Failure::usage(what, "set it to 1 or 0, or unset it")
            })?),
            ArgAction::Count => {
                let count = text.to_str().and_then(|t| t.trim().parse().ok());
                Value::Count(count.ok_or_else(|| {
                    let said = text.to_string_lossy();
                    let what = format!("{name} is \"{said}\", which is no small number");
                    Failure::usage(what, "set it to 0, 1 or 2, or unset it")
                })?)
            }
            _ => Value::Text(text),
        };
        found.push(Setting {
            id: arg.get_id().to_string(),
            flag,
            value,
            from: Origin::Variable(name),
        });
    }
    Ok(found)
}

fn switch(text: &OsStr) -> Option<bool> {
    match text.to_str()?.trim().to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Some(true),
        "0" | "false" | "no" | "off" => Some(false),
        _ => None,
    }
}

/// Variables that are a mistyped setting. Others of our prefix are somebody else's.
fn unknown_variables(command: &Command) -> Vec<(String, String)> {
    let flags = innermost_of(command).into_iter().flat_map(open);
    let known: Vec<String> = flags.map(|(_, flag)| variable(&flag)).collect();
    let set = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let mut strange: Vec<(String, String)> = set
        .filter(|name| name.starts_with("ISOTHERM_") && !known.contains(name))
        .filter_map(|name| {
            // The prefix is no part of the likeness.
            let (own, names) = (&name[9..], known.iter().map(|k| &k[9..]));
            closest_name(own, names).map(|like| (name.clone(), format!("ISOTHERM_{like}")))
        })
        .collect();
    strange.sort();
    strange
}

/// Which settings count: what comes first wins, and so it does where two contradict.
fn decide(command: &Command, typed: &ArgMatches, settings: &[Setting]) -> Vec<Fate> {
    let said = |id: &str| typed.value_source(id) == Some(ValueSource::CommandLine);
    let given = command
        .get_arguments()
        .filter(|a| said(a.get_id().as_str()));
    let mut present: Vec<&Arg> = given.collect();
    let mut settled: Vec<&str> = present.iter().map(|a| a.get_id().as_str()).collect();
    let mut fates = Vec::with_capacity(settings.len());
    for setting in settings {
        if settled.contains(&setting.id.as_str()) {
            fates.push(Fate::Overruled);
            continue;
        }
        settled.push(&setting.id);
        let own = command
            .get_arguments()
            .find(|a| a.get_id() == setting.id.as_str());
        let Some(own) = own.filter(|_| !setting.words().is_empty()) else {
            fates.push(Fate::Used);
            continue;
        };
        let contradicted = present.iter().find(|other| {
            let of = |a: &Arg, b: &Arg| {
                let against = command.get_arg_conflicts_with(a);
                against.iter().any(|c| c.get_id() == b.get_id())
            };
            of(own, other) || of(other, own)
        });
        fates.push(match contradicted {
            Some(other) => {
                let name = other.get_long().unwrap_or(other.get_id().as_str());
                Fate::Contradicted(format!("--{name}"))
            }
            None => {
                present.push(own);
                Fate::Used
            }
        });
    }
    fates
}

/// The words with what was set elsewhere among them, before anything that follows `--`.
fn complete(words: &[OsString], settings: &[Setting], fates: &[Fate]) -> Vec<OsString> {
    let end = words.iter().position(|w| w == "--").unwrap_or(words.len());
    let (before, after) = words.split_at(end);
    let mut all = before.to_vec();
    for (setting, fate) in settings.iter().zip(fates) {
        if matches!(fate, Fate::Used) {
            all.extend(setting.words());
        }
    }
    all.extend_from_slice(after);
    all
}

/// A refusal of the completed words, told with the place of the setting it is about.
fn blamed(error: clap::Error, settings: &[Setting], fates: &[Fate]) -> Stop {
    let used = || {
        settings
            .iter()
            .zip(fates)
            .filter(|(_, f)| matches!(f, Fate::Used))
    };
    let about = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let is = |flag: &str, text: &str| {
        let rest = text.strip_prefix(flag);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'))
    };
    let found = about.and_then(|text| used().find(|(s, _)| is(&s.flag, &text)));
    match found {
        Some((setting, _)) => {
            let said = Failure::not_understood(&error);
            let hint = said.hint.unwrap_or_default();
            Stop::Failure(Failure::usage(
                format!("{}: {}", setting.from, said.message),
                hint,
            ))
        }
        None if used().next().is_some() => {
            let said = Failure::not_understood(&error);
            let hint = format!(
                "{}; --print-config shows what is set elsewhere, --no-config leaves it out",
                said.hint.unwrap_or_default()
            );
            Stop::Failure(Failure::usage(said.message, hint))
        }
        None => Stop::Clap(error),
    }
}
