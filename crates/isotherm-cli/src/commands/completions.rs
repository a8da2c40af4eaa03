//! `isotherm completions`: from the same definition as the help.

use crate::args::{self, Completions};
use crate::failure::Outcome;

pub(crate) fn run(args: &Completions) -> Outcome<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::command(), "isotherm", &mut script);
    crate::talk::print(String::from_utf8_lossy(&script).trim_end())
}
