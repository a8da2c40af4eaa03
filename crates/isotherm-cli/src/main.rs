//! The isotherm command line: parse, translate, show. No mathematics.

mod args;
mod columns;
mod commands;
mod failure;
mod figures;
mod gather;
mod given;
mod memory;
mod passing;
mod record;
mod redirect;
mod report;
mod say_recipe;
mod still;
mod talk;
mod tell;
mod terminal;
mod unread;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Cli, Command};
use crate::failure::{Failure, Outcome};
use crate::record::Record;
use crate::talk::Talk;
use crate::terminal::Terminal;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return not_understood(&error),
    };
    let record = Record::of(std::env::args_os().skip(1));
    let talk = Talk::new(&cli.manner, record);
    terminal::listen_for_interrupts();
    let visible = !cli.manner.quiet && !cli.manner.no_progress && !cli.manner.json;
    let mut terminal = Terminal::new(visible);
    let outcome = run(&cli, &talk, &mut terminal);
    terminal.clear();
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            talk.failure(&failure);
            failure.exit_code()
        }
    }
}

/// Help, the version, and words that are not understood: clap tells them, but
/// an error in JSON when that was asked for.
fn not_understood(error: &clap::Error) -> ExitCode {
    let json = std::env::args_os()
        .take_while(|a| a != "--")
        .any(|a| a == "--json");
    if json && error.use_stderr() {
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
        Command::Label(args) => commands::label::run(args, memory, talk, terminal),
        Command::Fit(args) => commands::fit::run(args, memory, talk, terminal),
        Command::Evaluate(args) => commands::evaluate::run(args, memory, talk, terminal),
        Command::Next(args) => commands::next::run(args, memory, talk, terminal),
        Command::Report(args) => commands::report::run(args, memory, talk, terminal),
        Command::Tune(args) => commands::tune::run(args, memory, talk, terminal),
        Command::Embed(args) => commands::embed::run(args, memory, talk, terminal),
        Command::Predict(args) => commands::predict::run(args, memory, talk, terminal),
        Command::Inspect(args) => commands::inspect::run(args, talk, terminal),
        Command::Completions(args) => commands::completions::run(args),
        Command::Rerun(_) => Err(Failure::refused(
            "rerun-command",
            "a run that ran another again is not run again itself",
            "give the result that it compared",
        )),
    }
}
