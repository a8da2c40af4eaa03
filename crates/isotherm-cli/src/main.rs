//! The isotherm command line: parse, translate, show. No mathematics.

mod args;
mod codes;
mod columns;
mod commands;
mod config;
mod failure;
mod figures;
mod load;
mod memory;
mod names;
mod record;
mod redirect;
mod report;
mod say_recipe;
mod still;
mod talk;
mod tell;
mod terminal;
mod unread;

use std::ffi::OsString;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::error::ErrorKind;

use crate::args::{Cli, Colour, Command};
use crate::config::{Stop, Understood};
use crate::failure::{Failure, Outcome};
use crate::record::Record;
use crate::talk::Talk;
use crate::terminal::Terminal;

fn main() -> ExitCode {
    let words = helped(std::env::args_os().collect());
    if words.len() < 2 {
        talk::say(&args::brief());
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
            talk::tell_failure(&failure, wants_json());
            return failure.exit_code();
        }
    };
    let cli = &understood.cli;
    let record = Record::of(understood.words.iter().cloned());
    let talk = Talk::new(&cli.manner, record);
    tell_settings(&understood, &talk);
    let json = cli.manner.json;
    terminal::listen_for_interrupts(talk::farewell, json);
    let mut terminal = Terminal::new(&cli.manner);
    let work = AssertUnwindSafe(|| run(cli, &talk, &mut terminal));
    let outcome = catch_unwind(work).unwrap_or_else(|_| Err(bug()));
    terminal.clear();
    match outcome {
        Ok(()) => {
            terminal.times().iter().for_each(|line| talk.note(line));
            finished(cli, &talk)
        }
        Err(failure) => {
            talk.failure(&failure);
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
fn finished(cli: &Cli, talk: &Talk) -> ExitCode {
    let warned = talk.warned().len();
    if !cli.manner.strict || warned == 0 {
        return ExitCode::SUCCESS;
    }
    let warnings = talk::count(warned, "warning", "warnings");
    talk.note(&format!("strict: {warnings}, so the exit code is 3"));
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
fn tell_settings(understood: &Understood, talk: &Talk) {
    if !understood.used.is_empty() {
        talk.note(&format!("set elsewhere: {}", understood.used.join(", ")));
    }
    for (name, like) in &understood.strange {
        talk.warn(
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
        talk::print_failure(&failure);
        return failure.exit_code();
    }
    // A closed pipe is no reason to fail.
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let printed = error.print().and_then(|()| std::io::stdout().flush());
        return match (error.use_stderr(), printed) {
            (true, _) => ExitCode::from(2),
            (false, Err(e)) if e.kind() != std::io::ErrorKind::BrokenPipe => {
                talk::say(&format!("error: cannot write to standard output: {e}"));
                ExitCode::FAILURE
            }
            (false, _) => ExitCode::SUCCESS,
        };
    }
    let text = match talk::colour(Colour::Auto) {
        true => error.render().ansi().to_string(),
        false => error.render().to_string(),
    };
    let coded = format!("error[{}]:", talk::number("usage"));
    talk::say(text.replacen("error:", &coded, 1).trim_end());
    ExitCode::from(2)
}

fn run(cli: &Cli, talk: &Talk, terminal: &mut Terminal) -> Outcome<()> {
    if let Some(threads) = cli.manner.threads {
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
        Command::Rerun(args) => commands::rerun::run(args, &cli.manner, talk, terminal),
        command => dispatch(command, cli.manner.memory, talk, terminal),
    }
}

/// Runs any command but `rerun`, which runs the others.
fn dispatch(
    command: &Command,
    memory: Option<u64>,
    talk: &Talk,
    terminal: &mut Terminal,
) -> Outcome<()> {
    let memory = memory::allowed(memory);
    match command {
        Command::Demo(args) => commands::demo::run(args, talk, terminal),
        Command::Check(args) => commands::check::run(args, memory, talk, terminal),
        Command::Label(args) => commands::label::run(args, memory, talk, terminal),
        Command::Fit(args) => commands::fit::run(args, memory, talk, terminal),
        Command::Evaluate(args) => commands::evaluate::run(args, memory, talk, terminal),
        Command::Next(args) => commands::next::run(args, memory, talk, terminal),
        Command::Merge(args) => commands::merge::run(args, memory, talk, terminal),
        Command::Report(args) => commands::report::run(args, memory, talk, terminal),
        Command::Tune(args) => commands::tune::run(args, memory, talk, terminal),
        Command::Plot(args) => commands::plot::run(args, memory, talk, terminal),
        Command::Embed(args) => commands::embed::run(args, memory, talk, terminal),
        Command::Predict(args) => commands::predict::run(args, memory, talk, terminal),
        Command::Inspect(args) => commands::inspect::run(args, talk, terminal),
        Command::Explain(args) => commands::explain::run(args, talk),
        Command::Completions(args) => commands::completions::run(args, talk),
        Command::Rerun(_) => Err(Failure::refused(
            "rerun-command",
            "a run that ran another again is not run again itself",
            "give the result that it compared",
        )),
        Command::Man(args) => commands::man::run(args, talk),
    }
}
