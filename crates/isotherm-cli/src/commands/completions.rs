//! `isotherm completions`: from the same definition as the help.

use crate::args::{self, Completions};
use crate::failure::{Failure, Outcome};
use crate::talk::Talk;

pub(crate) fn run(args: &Completions, talk: &Talk) -> Outcome<()> {
    if talk.json() {
        return Err(Failure::usage(
            "completions are a script, and --json asks for an object",
            "leave --json out",
        ));
    }
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::command(), "isotherm", &mut script);
    crate::talk::print(String::from_utf8_lossy(&script).trim_end())
}
