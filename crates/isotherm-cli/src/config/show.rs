//! `--print-config`: every value, and where it came from.

use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use serde_json::{Value as Json, json};

use super::{Fate, Setting};
use crate::console::{plain, print as say};
use crate::failure::Outcome;

/// Three columns, aligned.
fn print_rows(rows: &[[String; 3]]) -> Outcome<()> {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0).min(40)
    };
    let (first, second) = (width(0), width(1));
    let lines = rows.iter().map(|[flag, value, from]| {
        let line = format!("{flag:<first$}  {value:<second$}  {from}");
        plain(line.trim_end())
    });
    say(&lines.collect::<Vec<_>>().join("\n"))
}

/// Prints every value of the command, which is called `title`, and where it came from.
pub(super) fn print(
    command: &Command,
    title: &str,
    matches: &ArgMatches,
    settings: &[Setting],
    fates: &[Fate],
) -> Outcome<()> {
    let mut rows = Vec::new();
    for arg in command.get_arguments() {
        let id = arg.get_id().as_str();
        if matches!(id, "help" | "help_all" | "version" | "print_config") {
            continue;
        }
        let Ok(Some(raw)) = matches.try_get_raw(id) else {
            continue;
        };
        let values: Vec<String> = raw.map(|v| v.to_string_lossy().into_owned()).collect();
        let used = settings.iter().zip(fates);
        let mut used = used.filter(|(s, fate)| s.id == id && matches!(fate, Fate::Used));
        let from = match (used.next(), matches.value_source(id)) {
            (Some((setting, _)), _) => setting.from.to_string(),
            (None, Some(ValueSource::CommandLine)) => "command line".to_owned(),
            _ => "default".to_owned(),
        };
        let value = match matches.value_source(id) {
            // Of a count, clap keeps no words but the default.
            _ if matches!(arg.get_action(), clap::ArgAction::Count) => {
                matches.get_count(id).to_string()
            }
            _ => values.join(","),
        };
        let name = match arg.get_long() {
            Some(long) => format!("--{long}"),
            None => id.to_uppercase(),
        };
        if !value.is_empty() {
            rows.push([name, value, from]);
        }
    }
    let idle = settings.iter().zip(fates).filter_map(|(setting, fate)| {
        let why = match fate {
            Fate::Used => return None,
            Fate::Overruled => "not used: said before".to_owned(),
            Fate::Contradicted(other) => format!("not used: {other} comes first"),
        };
        Some((setting, why))
    });
    let idle: Vec<(&Setting, String)> = idle.collect();
    if matches.get_flag("json") {
        let value = |[name, value, from]: &[String; 3]| {
            (
                name.trim_start_matches('-').to_lowercase(),
                json!({ "value": value, "from": from }),
            )
        };
        let unused = idle.iter().map(
            |(s, why)| json!({ "setting": s.flag[2..], "from": s.from.to_string(), "why": why }),
        );
        let all = json!({
            "schema": 1,
            "command": title,
            "settings": rows.iter().map(value).collect::<serde_json::Map<String, Json>>(),
            "unused": unused.collect::<Vec<_>>(),
        });
        return say(&all.to_string());
    }
    for (setting, why) in idle {
        let from = format!("{} ({why})", setting.from);
        rows.push([setting.flag.clone(), "–".to_owned(), from]);
    }
    print_rows(&rows)
}
