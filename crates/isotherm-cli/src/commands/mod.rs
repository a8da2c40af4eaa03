//! One file, one command.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod embed;
pub(crate) mod evaluate;
pub(crate) mod explain;
pub(crate) mod fit;
pub(crate) mod inspect;
pub(crate) mod label;
pub(crate) mod man;
pub(crate) mod merge;
pub(crate) mod next;
pub(crate) mod plot;
pub(crate) mod predict;
pub(crate) mod report;
pub(crate) mod rerun;
pub(crate) mod tune;
mod tune_laplacian;

pub(crate) use tune_laplacian::told as filter_told;

use std::path::Path;

use isotherm::model::Model;
use isotherm::monitor::Monitor;
use isotherm::recipe::Recipe;
use isotherm_io::atomic::{Overwrite, check_destination, write_atomically};
use isotherm_io::{Destination, Table, WriteOptions, embedded, read_model, write_table_with};

use crate::args::TableOutput;
use crate::closed;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::figures::Picture;
use crate::terminal;

/// Finds out before any work whether a table could be written, and how.
fn check_table_output(path: &Path, writing: &TableOutput, json: bool) -> Outcome<WriteOptions> {
    let options = writing.options();
    if path.as_os_str() == "-" && json {
        return Err(two_outputs());
    }
    let destination = Destination::from(path);
    if let Destination::Stdout = destination {
        closed::check_stdout()?;
    }
    options.check(&destination)?;
    Ok(options)
}

/// Writes a table where it was wanted, and where it came from.
fn put_table(
    table: &Table,
    path: &Path,
    options: WriteOptions,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<()> {
    let destination = Destination::from(path);
    let options = WriteOptions {
        provenance: Some(console.record().provenance()?),
        ..options
    };
    terminal::make_way(&destination);
    Ok(write_table_with(table, &destination, &options, monitor)?)
}

fn two_outputs() -> Failure {
    Failure::refused(
        "standard-stream",
        "--json and -o - both want standard output",
        "write the table to a file",
    )
}

/// Finds out before any work whether the output could be written.
fn check_output(path: &Path, force: bool, json: bool) -> Outcome<Overwrite> {
    let overwrite = if force {
        Overwrite::Replace
    } else {
        Overwrite::Refuse
    };
    if path.as_os_str() == "-" {
        return if json {
            Err(two_outputs())
        } else {
            Ok(overwrite)
        };
    }
    check_destination(path, overwrite)?;
    Ok(overwrite)
}

/// Reads a model file; every refusal names it.
fn open_model(path: &Path, console: &Console) -> Outcome<Model> {
    console.record().reads(path);
    let parts = read_model(path)?;
    Model::from_parts(parts).map_err(|e| Failure::from(e).of_file(path))
}

/// A recipe as TOML.
fn toml_of(recipe: &Recipe) -> Outcome<String> {
    toml::to_string_pretty(recipe)
        .map_err(|e| Failure::refused("bug", e.to_string(), "report this as a bug"))
}

/// Prints a recipe as TOML; why it was chosen is a comment, or a field of the JSON.
fn print_recipe(recipe: &Recipe, console: &Console) -> Outcome<()> {
    if console.json() {
        return console.answer(serde_json::json!({ "recipe": recipe }));
    }
    let reason = console.chosen().map(|why| format!("# auto: {why}\n"));
    let text = toml_of(recipe)?;
    crate::console::print(&format!(
        "{}{}",
        reason.unwrap_or_default(),
        text.trim_end()
    ))
}

/// Shows what a grid scored, beside a recipe that may want standard output.
fn show_grid(table: &str, recipe: Option<&Path>, console: &Console) -> Outcome<()> {
    match (
        console.json() || console.quiet(),
        recipe.is_some_and(|r| r.as_os_str() == "-"),
    ) {
        (true, _) => {}
        (false, true) => table.lines().for_each(|line| console.note(line)),
        (false, false) => crate::console::print(table)?,
    }
    Ok(())
}

/// Writes a tuned recipe where it was wanted.
fn write_recipe(
    recipe: &Recipe,
    output: Option<&Path>,
    overwrite: Overwrite,
    console: &Console,
) -> Outcome<()> {
    let Some(path) = output else {
        return Ok(());
    };
    let provenance = console.record().provenance()?;
    let text = embedded::into_toml(&toml_of(recipe)?, &provenance);
    if path.as_os_str() == "-" {
        return crate::console::print(text.trim_end());
    }
    write_bytes(path, text.as_bytes(), overwrite)?;
    console.note(&format!("wrote {}", path.display()));
    Ok(())
}

/// Writes bytes as a file that is there whole or not at all.
fn write_bytes(path: &Path, bytes: &[u8], overwrite: Overwrite) -> Outcome<()> {
    Ok(write_atomically(path, overwrite, |out| {
        out.write_all(bytes)
            .map_err(|e| isotherm_io::Error::io(path, "write", e))
    })?)
}

/// A picture's format.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Drawing {
    Svg,
    Png,
}

/// The format that a picture's name tells; `flag` gave it.
fn format_of(path: &Path, flag: &str) -> Outcome<Drawing> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("svg") => Ok(Drawing::Svg),
        Some("png") => Ok(Drawing::Png),
        _ => Err(Failure::refused(
            "plot-format",
            format!(
                "{flag} {}: the name does not tell the format",
                path.display()
            ),
            "let it end in .svg or .png",
        )),
    }
}

/// Writes a picture in the format its name tells, and in it where it came from.
fn draw<P: Picture>(
    picture: &P,
    path: &Path,
    format: Drawing,
    overwrite: Overwrite,
    console: &Console,
) -> Outcome<()> {
    let provenance = console.record().provenance()?;
    let bytes = match format {
        Drawing::Svg => embedded::into_svg(&picture.svg()?, &provenance).into_bytes(),
        Drawing::Png => embedded::into_png(picture.png()?, &provenance),
    };
    if let Drawing::Png = format {
        warn_of_letters(&picture.lacking()?, path, console);
    }
    write_bytes(path, &bytes, overwrite)
}

/// Says which letters a PNG shows as boxes.
fn warn_of_letters(lacking: &[char], path: &Path, console: &Console) {
    if lacking.is_empty() {
        return;
    }
    let few: Vec<String> = lacking.iter().take(5).map(char::to_string).collect();
    console.warn(
        "letters-missing",
        &format!(
            "{}: the font of PNG pictures lacks {} of the letters in names ({}{}); they are boxes",
            path.display(),
            lacking.len(),
            few.join(" "),
            if few.len() < lacking.len() {
                " …"
            } else {
                ""
            }
        ),
        Some("let the name after -o end in .svg: an SVG holds text as text"),
    );
}
