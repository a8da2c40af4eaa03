//! The isotherm command line: parse, translate, show. No mathematics.

mod args;
mod columns;
mod commands;
mod config;
mod confusion;
mod failure;
mod gather;
mod given;
mod grid;
mod heat;
mod memory;
mod passing;
mod picture;
mod say_recipe;
mod talk;
mod tell;
mod terminal;
mod unread;

use std::process::ExitCode;

use crate::args::{Cli, Command};
use crate::config::{Stop, Understood};
use crate::failure::{Failure, Outcome};
use crate::talk::Talk;
use crate::terminal::Terminal;

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args_os().collect();
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
    let talk = Talk::new(&cli.manner);
    tell_settings(&understood, &talk);
    terminal::listen_for_interrupts();
    let mut terminal = Terminal::new(&cli.manner);
    let outcome = run(cli, &talk, &mut terminal);
    terminal.clear();
    match outcome {
        Ok(()) => {
            terminal.times().iter().for_each(|line| talk.note(line));
            ExitCode::SUCCESS
        }
        Err(failure) => {
            talk.failure(&failure);
            failure.exit_code()
        }
    }
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
    let _ = error.print();
    match error.use_stderr() {
        true => ExitCode::from(2),
        false => ExitCode::SUCCESS,
    }
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
    let memory = memory::allowed(cli.manner.memory);
    match &cli.command {
        Command::Demo(args) => commands::demo::run(args, talk, terminal),
        Command::Check(args) => commands::check::run(args, memory, talk, terminal),
        Command::Label(args) => commands::label::run(args, memory, talk, terminal),
        Command::Fit(args) => commands::fit::run(args, memory, talk, terminal),
        Command::Evaluate(args) => commands::evaluate::run(args, memory, talk, terminal),
        Command::Next(args) => commands::next::run(args, memory, talk, terminal),
        Command::Tune(args) => commands::tune::run(args, memory, talk, terminal),
        Command::Embed(args) => commands::embed::run(args, memory, talk, terminal),
        Command::Predict(args) => commands::predict::run(args, memory, talk, terminal),
        Command::Inspect(args) => commands::inspect::run(args, talk, terminal),
        Command::Completions(args) => commands::completions::run(args),
        Command::Man(args) => commands::man::run(args, talk),
    }
}
