//! How help is laid out: commands by job, common flags first, the rest on request.
//!
//! `--help` has what most people need on about one screen; `--help-all` has everything.

use std::fmt::Write as _;

use clap::{Command, CommandFactory};

use super::Cli;

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
const RARE: [&str; 49] = [
    "unlabelled",
    "categorical",
    "embedding",
    "output_format",
    "raw_csv",
    "no_sidecar",
    "strict",
    "along",
    "unmatched",
    "list",
    "isolated",
    "candidates",
    "label_weights",
    "kernel",
    "bandwidth",
    "scaling",
    "self_loops",
    "lazy",
    "class_mass",
    "grades",
    "losses",
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

/// A command and its kinds without their rare flags.
fn quiet(command: Command) -> Command {
    let kinds: Vec<String> = (command.get_subcommands())
        .map(|c| c.get_name().into())
        .collect();
    let mut command = command.mut_args(quiet_if_rare);
    for kind in kinds {
        command = command.mut_subcommand(kind, quiet);
    }
    command
}

fn quiet_if_rare(arg: clap::Arg) -> clap::Arg {
    let heading = arg.get_help_heading().unwrap_or_default();
    let rare = RARE_HEADINGS.contains(&heading) || RARE.contains(&arg.get_id().as_str());
    match rare {
        true => arg.hide_short_help(true),
        false => arg,
    }
}

#[cfg(test)]
mod tests {
    use super::command;

    /// Headings whose flags spell a recipe.
    const SPELLING: [&str; 4] = [
        "Method",
        "Spectral transform and solver (stkr)",
        "Gradient penalty (laplacian)",
        "Details (stkr)",
    ];

    /// What is read beside a recipe too, and the recipe itself.
    const BESIDE: [&str; 3] = ["recipe", "print_recipe", "grades"];

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
