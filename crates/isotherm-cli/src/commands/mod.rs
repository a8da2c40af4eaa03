//! One file, one command.

pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod fit;
pub(crate) mod inspect;
pub(crate) mod label;
pub(crate) mod predict;

use std::path::Path;

use isotherm::recipe::Recipe;
use isotherm_io::atomic::{Overwrite, check_destination};

use crate::failure::{Failure, Outcome};

/// Finds out before any work whether the output could be written.
fn check_output(path: &Path, force: bool, json: bool) -> Outcome<Overwrite> {
    let overwrite = if force {
        Overwrite::Replace
    } else {
        Overwrite::Refuse
    };
    if path.as_os_str() == "-" {
        if json {
            return Err(Failure::usage(
                "--json and -o - both want standard output",
                "write the table to a file",
            ));
        }
        return Ok(overwrite);
    }
    check_destination(path, overwrite)?;
    Ok(overwrite)
}

/// Prints a recipe as TOML.
fn print_recipe(recipe: &Recipe) -> Outcome<()> {
    let text = toml::to_string_pretty(recipe)
        .map_err(|e| Failure::refused("recipe", e.to_string(), "report this as a bug"))?;
    crate::talk::print(text.trim_end())
}
