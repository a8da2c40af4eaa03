//! `isotherm completions`: from the same definition as the help.

use crate::args::{self, Completions};
use crate::console::Console;
use crate::failure::{Failure, Outcome};

pub(crate) fn run(args: &Completions, console: &Console) -> Outcome<()> {
    if console.json() {
        return Err(Failure::usage(
            "completions are a script, and --json asks for an object",
            "leave --json out",
        ));
    }
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::command(), "isotherm", &mut script);
    crate::console::print(String::from_utf8_lossy(&script).trim_end())
}
