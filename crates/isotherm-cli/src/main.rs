//! The isotherm command line: parse, translate, show. No mathematics.

mod answer_columns;
mod args;
mod closed;
mod codes;
mod commands;
mod config;
mod console;
mod failure;
mod figures;
mod load;
mod memory;
mod model_text;
mod provenance;
mod recipe_flags;
mod report;
mod rerun_inputs;
mod rerun_outputs;
mod short_names;
mod terminal;
mod unused_flags;
mod verdict;

use std::ffi::OsString;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::error::ErrorKind;

use crate::args::{Cli, Colour, Command};
use crate::config::{Stop, Understood};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::provenance::Record;
use crate::terminal::Terminal;

fn main() -> ExitCode {
    let words = helped(std::env::args_os().collect());
    if words.len() < 2 {
        console::say(&args::brief());
        return ExitCode::from(2);
    }
    let understood = match config::understand(&words) {
        Ok(understood) => understood,
        Err(Stop::Shown(None)) => return ExitCode::SUCCESS,
        Err(Stop::Shown(Some(error))) => {
            // Standard output has the settings.
            let _ = error.print();
            return ExitCode::from(2);
        }
        Err(Stop::Clap(error)) => return not_understood(&error),
        Err(Stop::Failure(failure)) => {
            console::tell_failure(&failure, wants_json());
            return failure.exit_code();
        }
    };
    let cli = &understood.cli;
    let record = Record::of(understood.words.iter().cloned());
    let console = Console::new(&cli.common, record);
    tell_settings(&understood, &console);
    let json = cli.common.json;
    terminal::listen_for_interrupts(console::farewell, json);
    let mut terminal = Terminal::new(&cli.common);
    let work = AssertUnwindSafe(|| run(cli, &console, &mut terminal));
    let outcome = catch_unwind(work).unwrap_or_else(|_| Err(bug()));
    terminal.clear();
    match outcome {
        Ok(()) => {
            terminal.times().iter().for_each(|line| console.note(line));
            finished(cli, &console)
        }
        Err(failure) => {
            console.failure(&failure);
            failure.exit_code()
        }
    }
}

/// `isotherm help label` is `isotherm label --help`.
fn helped(mut words: Vec<OsString>) -> Vec<OsString> {
    if words.get(1).is_some_and(|w| w == "help") {
        words.remove(1);
        words.push("--help".into());
    }
    words
}

/// All went well; with `--strict`, only if nothing was warned of.
fn finished(cli: &Cli, console: &Console) -> ExitCode {
    let warned = console.warned().len();
    if !cli.common.strict || warned == 0 {
        return ExitCode::SUCCESS;
    }
    let warnings = console::count(warned, "warning", "warnings");
    console.note(&format!("strict: {warnings}, so the exit code is 3"));
    ExitCode::from(3)
}

/// What is said after a panic, which has told where it happened by itself.
fn bug() -> Failure {
    Failure::refused(
        "bug",
        "isotherm made a mistake and stopped",
        "please report the command, the lines above and, if you can, a small file that shows it",
    )
}

/// Says what was not typed: it changes what a command line means.
fn tell_settings(understood: &Understood, console: &Console) {
    if !understood.used.is_empty() {
        console.note(&format!("set elsewhere: {}", understood.used.join(", ")));
    }
    for (name, like) in &understood.strange {
        console.warn(
            "unknown-variable",
            &format!("the variable {name} sets nothing"),
            Some(&format!("did you mean {like}?")),
        );
    }
}

/// Whether a machine listens, where the words were not understood.
fn wants_json() -> bool {
    let mut words = std::env::args_os().take_while(|a| a != "--");
    words.any(|a| a == "--json")
}

/// Help, the version, and words that are not understood: clap tells them, but
/// an error in JSON when that was asked for.
fn not_understood(error: &clap::Error) -> ExitCode {
    if wants_json() && error.use_stderr() {
        let failure = Failure::not_understood(error);
        console::print_failure(&failure);
        return failure.exit_code();
    }
    // A closed pipe is no reason to fail.
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let printed = error.print().and_then(|()| std::io::stdout().flush());
        return match (error.use_stderr(), printed) {
            (true, _) => ExitCode::from(2),
            (false, Err(e)) if e.kind() != std::io::ErrorKind::BrokenPipe => {
                console::say(&format!("error: cannot write to standard output: {e}"));
                ExitCode::FAILURE
            }
            (false, _) => ExitCode::SUCCESS,
        };
    }
    let text = if console::colour(Colour::Auto) {
        error.render().ansi().to_string()
    } else {
        error.render().to_string()
    };
    let coded = format!("error[{}]:", console::number("usage"));
    console::say(text.replacen("error:", &coded, 1).trim_end());
    ExitCode::from(2)
}

fn run(cli: &Cli, console: &Console, terminal: &mut Terminal) -> Outcome<()> {
    if let Some(threads) = cli.common.threads {
        if threads == 0 {
            return Err(Failure::usage(
                "--threads must be at least 1, got 0",
                "leave it out to use all",
            ));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build_global().map_err(|e| {
            Failure::refused(
                "threads",
                format!("cannot start {threads} threads: {e}"),
                "ask for fewer",
            )
        })?;
    }
    match &cli.command {
        Command::Rerun(args) => commands::rerun::run(args, &cli.common, console, terminal),
        command => dispatch(command, cli.common.memory, console, terminal),
    }
}

/// Runs any command but `rerun`, which runs the others.
fn dispatch(
    command: &Command,
    memory: Option<u64>,
    console: &Console,
    terminal: &mut Terminal,
) -> Outcome<()> {
    let memory = memory::allowed(memory);
    match command {
        Command::Demo(args) => commands::demo::run(args, console, terminal),
        Command::Check(args) => commands::check::run(args, memory, console, terminal),
        Command::Label(args) => commands::label::run(args, memory, console, terminal),
        Command::Fit(args) => commands::fit::run(args, memory, console, terminal),
        Command::Evaluate(args) => commands::evaluate::run(args, memory, console, terminal),
        Command::Next(args) => commands::next::run(args, memory, console, terminal),
        Command::Merge(args) => commands::merge::run(args, memory, console, terminal),
        Command::Report(args) => commands::report::run(args, memory, console, terminal),
        Command::Tune(args) => commands::tune::run(args, memory, console, terminal),
        Command::Plot(args) => commands::plot::run(args, memory, console, terminal),
        Command::Embed(args) => commands::embed::run(args, memory, console, terminal),
        Command::Predict(args) => commands::predict::run(args, memory, console, terminal),
        Command::Inspect(args) => commands::inspect::run(args, console, terminal),
        Command::Explain(args) => commands::explain::run(args, console),
        Command::Completions(args) => commands::completions::run(args, console),
        Command::Rerun(_) => Err(Failure::refused(
            "rerun-command",
            "a run that ran another again is not run again itself",
            "give the result that it compared",
        )),
        Command::Man(args) => commands::man::run(args, console),
    }
}
