//! One file, one command.

pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod embed;
pub(crate) mod fit;
pub(crate) mod inspect;
pub(crate) mod label;
pub(crate) mod predict;
pub(crate) mod tune;
mod tune_laplacian;

use std::path::Path;

use isotherm::recipe::{Model, Recipe};
use isotherm_io::atomic::{Overwrite, check_destination, write_atomically};
use isotherm_io::{Destination, read_model};

use crate::failure::{Failure, Outcome};
use crate::talk::Talk;

/// Finds out before any work whether a table could be written.
fn check_table_output(path: &Path, force: bool, json: bool) -> Outcome<Overwrite> {
    let destination = Destination::from(path);
    isotherm_io::write::format_of(&destination)?;
    check_output(path, force, json)
}

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

/// Reads a model file; every refusal names it.
fn open_model(path: &Path) -> Outcome<Model> {
    let parts = read_model(path)?;
    Model::from_parts(parts).map_err(|e| Failure::from(e).of_file(path))
}

/// A recipe as TOML.
fn toml_of(recipe: &Recipe) -> Outcome<String> {
    toml::to_string_pretty(recipe)
        .map_err(|e| Failure::refused("recipe", e.to_string(), "report this as a bug"))
}

/// Prints a recipe as TOML.
fn print_recipe(recipe: &Recipe) -> Outcome<()> {
    crate::talk::print(toml_of(recipe)?.trim_end())
}

/// Shows what a grid scored, beside a recipe that may want standard output.
fn show_grid(table: &str, recipe: Option<&Path>, talk: &Talk) -> Outcome<()> {
    match (talk.json(), recipe.is_some_and(|r| r.as_os_str() == "-")) {
        (true, _) => {}
        (false, true) => table.lines().for_each(|line| talk.note(line)),
        (false, false) => crate::talk::print(table)?,
    }
    Ok(())
}

/// Writes a tuned recipe where it was wanted.
fn write_recipe(
    recipe: &Recipe,
    output: Option<&Path>,
    overwrite: Overwrite,
    talk: &Talk,
) -> Outcome<()> {
    match output {
        Some(path) if path.as_os_str() == "-" => print_recipe(recipe)?,
        Some(path) => {
            write_bytes(path, toml_of(recipe)?.as_bytes(), overwrite)?;
            talk.note(&format!("wrote {}", path.display()));
        }
        None => {}
    }
    Ok(())
}

/// Writes bytes as a file that is there whole or not at all.
fn write_bytes(path: &Path, bytes: &[u8], overwrite: Overwrite) -> Outcome<()> {
    Ok(write_atomically(path, overwrite, |out| {
        out.write_all(bytes)
            .map_err(|e| isotherm_io::Error::io(path, "write", e))
    })?)
}
