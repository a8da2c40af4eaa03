//! How help is laid out: commands by job, common flags first, the rest on request.
//!
//! `--help` has what most people need on about one screen; `--help-all` has everything.

use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory};
use isotherm::recipe::schema;

use super::Cli;
use crate::failure::spelled;

/// Commands by job. One that stands nowhere is listed at the end.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Look", &["demo", "check", "inspect", "explain"]),
    ("Label", &["label", "evaluate", "next", "merge", "tune"]),
    ("Keep", &["fit", "predict", "rerun"]),
    ("Show", &["plot", "report", "embed"]),
    ("Shell", &["completions", "man"]),
];

/// Headings whose flags only `--help-all` shows.
const RARE_HEADINGS: [&str; 4] = [
    "Reading",
    "Spectral transform and solver (stkr)",
    "Gradient penalty (laplacian)",
    "Details (stkr)",
];

/// Other flags that only `--help-all` shows.
const RARE: [&str; 57] = [
    "unlabelled",
    "text",
    "image",
    "categorical",
    "embedding",
    "embed_with",
    "output_format",
    "raw_csv",
    "no_sidecar",
    "strict",
    "along",
    "unmatched",
    "list",
    "isolated",
    "direction",
    "node_features",
    "candidates",
    "merge_labels",
    "label_weights",
    "kernel",
    "bandwidth",
    "smooth",
    "scaling",
    "self_loops",
    "lazy",
    "class_mass",
    "grades",
    "losses",
    "class_shares",
    "priors",
    "thresholds",
    "pool",
    "all_labels",
    "modes",
    "classes",
    "bandwidths",
    "shares",
    "filter",
    "strengths",
    "ranks",
    "times",
    "encoder",
    "norm_share",
    "landmarks",
    "choice",
    "derivatives",
    "smoothness",
    "no_progress",
    "color",
    "threads",
    "no_config",
    "print_config",
    "print_recipe",
    "memory",
    "level",
    "transform",
    "degrees",
];

/// Everything that can be typed, laid out.
pub(crate) fn command() -> Command {
    let bare = Cli::command();
    let groups = groups(&bare);
    let template = format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}\n\
         Options:\n{{options}}{{after-help}}"
    );
    let names: Vec<String> = bare
        .get_subcommands()
        .map(|c| c.get_name().into())
        .collect();
    let mut command = bare.help_template(template);
    for name in names {
        command = command.mut_subcommand(name, quiet);
    }
    // What is wrong with a table can be asked before it has labels.
    if command.find_subcommand("check").is_some() {
        command = command.mut_subcommand("check", |c| {
            c.mut_arg("label", |a| {
                let open = a.required(false).default_value("").hide_default_value(true);
                open.help("The column of labels, blank where unknown")
            })
        });
    }
    command.mut_args(quiet_if_rare)
}

/// What `isotherm` alone prints: it fits a screen of 80 × 24.
pub(crate) fn brief() -> String {
    let command = Cli::command();
    let about = command.get_about().map(ToString::to_string);
    let examples = command.get_before_help().map(ToString::to_string);
    let mut text = format!(
        "{}\n\n{}\n\nCommands:\n",
        about.unwrap_or_default(),
        examples.unwrap_or_default()
    );
    for (job, names) in listed(&command) {
        let names: Vec<&str> = names.iter().map(|c| c.get_name()).collect();
        let _ = writeln!(text, "  {job:<6} {}", names.join(", "));
    }
    text + "\nisotherm --help tells what each is for, isotherm COMMAND --help how to use it."
}

/// Each job with its commands, and at the end those that have none.
fn listed(command: &Command) -> Vec<(&'static str, Vec<&Command>)> {
    let find = |name: &&str| command.find_subcommand(name);
    let jobs = GROUPS
        .iter()
        .map(|(job, names)| (*job, names.iter().filter_map(find).collect()));
    let mut jobs: Vec<(&str, Vec<&Command>)> = jobs.collect();
    let known = |c: &&Command| {
        GROUPS
            .iter()
            .any(|(_, names)| names.contains(&c.get_name()))
    };
    let others: Vec<&Command> = command.get_subcommands().filter(|c| !known(c)).collect();
    jobs.push(("More", others));
    jobs.retain(|(_, commands)| !commands.is_empty());
    jobs
}

/// Each command with what it is for.
fn groups(command: &Command) -> String {
    let mut text = String::new();
    for (job, commands) in listed(command) {
        let _ = writeln!(text, "{job}:");
        for one in commands {
            let about = one.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {:<11} {about}", one.get_name());
        }
    }
    text
}

/// A command and its kinds with the schema's help, and without their rare flags.
fn quiet(command: Command) -> Command {
    let kinds: Vec<String> = (command.get_subcommands())
        .map(|c| c.get_name().into())
        .collect();
    let mut command = beside_recipe(command.mut_args(documented).mut_args(quiet_if_rare));
    for kind in kinds {
        command = command.mut_subcommand(kind, quiet);
    }
    command
}

/// A flag of the schema with the schema's help, where it has none of its own.
fn documented(arg: Arg) -> Arg {
    let parameter = schema::find(arg.get_id().as_str());
    let Some(parameter) = parameter.filter(|_| arg.get_help().is_none()) else {
        return arg;
    };
    let doc = spelled(parameter.doc);
    // Clap tells the defaults that it knows.
    match parameter
        .default
        .filter(|_| arg.get_default_values().is_empty())
    {
        Some(default) => arg.help(format!("{doc} [default: {default}]")),
        None => arg.help(doc),
    }
}

/// Read beside a recipe too.
const BESIDE: &str = "grades";

/// A command whose recipe file contradicts every flag that spells a recipe. The flags of a
/// grid do not; its landmarks are those of the recipe it starts from.
fn beside_recipe(command: Command) -> Command {
    let spells = |arg: &&Arg| {
        let id = arg.get_id().as_str();
        schema::find(id).is_some()
            && id != BESIDE
            && (arg.get_help_heading() != Some("Grid") || id == "landmarks")
    };
    let flags = command.get_arguments().filter(spells);
    let flags: Vec<clap::Id> = flags.map(|arg| arg.get_id().clone()).collect();
    if command.get_arguments().all(|arg| arg.get_id() != "recipe") {
        return command;
    }
    command.mut_arg("recipe", |arg| arg.conflicts_with_all(flags))
}

fn quiet_if_rare(arg: Arg) -> Arg {
    let heading = arg.get_help_heading().unwrap_or_default();
    let rare = RARE_HEADINGS.contains(&heading) || RARE.contains(&arg.get_id().as_str());
    if rare { arg.hide_short_help(true) } else { arg }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use isotherm::recipe::schema;

    use super::command;
    use crate::args::flag;
    use crate::failure::spelled;

    /// Headings whose flags spell a recipe.
    const SPELLING: [&str; 4] = [
        "Method",
        "Spectral transform and solver (stkr)",
        "Gradient penalty (laplacian)",
        "Details (stkr)",
    ];

    /// What is read beside a recipe too, and the recipe itself.
    const BESIDE: [&str; 3] = ["recipe", "print_recipe", super::BESIDE];

    #[test]
    fn flags_and_the_schema_agree() {
        let mut command = command();
        command.build();
        let fit = command.find_subcommand("fit").unwrap();
        for parameter in schema::parameters() {
            let arg = fit.get_arguments().find(|a| a.get_id() == parameter.name);
            let arg = arg.unwrap_or_else(|| panic!("there is no flag for {}", parameter.name));
            assert_eq!(
                arg.get_long().map(|l| format!("--{l}")),
                Some(flag(parameter))
            );
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.starts_with(&spelled(parameter.doc)), "{help}");
            let values = arg.get_possible_values();
            let values: Vec<&str> = values
                .iter()
                .map(clap::builder::PossibleValue::get_name)
                .collect();
            if !arg.get_action().takes_values() {
                assert_eq!(
                    parameter.values,
                    schema::Values::Switch,
                    "{}",
                    parameter.name
                );
            } else {
                assert_eq!(values, parameter.values.names(), "{}", parameter.name);
            }
            let own = arg.get_default_values().first();
            if let Some(own) = own.filter(|_| arg.get_action().takes_values()) {
                assert_eq!(own.to_str(), parameter.default, "{}", parameter.name);
            }
        }
        // And there is no flag of a recipe that the schema does not know.
        for arg in fit.get_arguments() {
            let id = arg.get_id().as_str();
            if SPELLING.contains(&arg.get_help_heading().unwrap_or_default())
                && !["recipe", "print_recipe"].contains(&id)
            {
                assert!(schema::find(id).is_some(), "{id} is not in the schema");
            }
        }
    }

    #[test]
    fn every_flag_that_spells_a_recipe_contradicts_a_recipe() {
        let mut command = command();
        command.build();
        let mut looked = 0;
        let kinds = command
            .get_subcommands()
            .flat_map(clap::Command::get_subcommands);
        for one in command.get_subcommands().chain(kinds) {
            let Some(recipe) = one.get_arguments().find(|a| a.get_id() == "recipe") else {
                continue;
            };
            let against = one.get_arg_conflicts_with(recipe);
            for arg in one.get_arguments() {
                let id = arg.get_id().as_str();
                let spells = SPELLING.contains(&arg.get_help_heading().unwrap_or_default());
                // Landmarks of a grid are those of the recipe it starts from.
                if (spells && !BESIDE.contains(&id)) || id == "landmarks" {
                    let known = against.iter().any(|a| a.get_id() == id);
                    assert!(known, "{} --{id} beside --recipe", one.get_name());
                    looked += 1;
                }
            }
        }
        assert!(looked > 300, "only {looked} flags were looked at");
    }
}
