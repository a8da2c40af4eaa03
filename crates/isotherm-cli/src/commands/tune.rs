//! `isotherm tune`: transform and ridge by leave-one-label-out.

use std::path::Path;

use isotherm::estimator::stkr::StkrParams;
use isotherm::labelling::WeightedTargets;
use isotherm::monitor::Monitor;
use isotherm::recipe::{Method, Recipe, Shape, Task};
use isotherm::select::Grid;
use isotherm::spectrum::Transform;
use isotherm::study::{EvaluateOptions, Input, Study};
use isotherm_io::atomic::Overwrite;
use serde_json::json;

use super::{check_output, draw, format_of, print_recipe, show_grid, tune_laplacian, write_recipe};
use crate::args::{GridArgs, Tune};
use crate::console::{Console, count};
use crate::failure::{Failure, Outcome};
use crate::figures::grid;
use crate::figures::heat::Heat;
use crate::load::load;
use crate::recipe_flags::{self, RecipeSource, Situation, Spelled};
use crate::{model_text, unused_flags};

impl RecipeSource for Tune {
    fn task(&self) -> Option<Task> {
        self.ground.task.0
    }

    fn file(&self) -> Option<&Path> {
        self.recipe.as_deref()
    }

    fn flags(&self, at: &Situation) -> Outcome<Spelled> {
        let spelled = |recipe| Spelled {
            recipe,
            reason: None,
        };
        if self.grid.method == "laplacian" {
            return tune_laplacian::recipe(self, at.task).map(spelled);
        }
        let mut params = StkrParams::default();
        recipe_flags::refine(&mut params, &self.fine);
        let shape = at.compared(&self.ground);
        unused_flags::by_shape(shape, &self.given)?;
        unused_flags::by_base(shape, &self.given)?;
        // What the memory is estimated for: the largest of the grid.
        if let Some(last) = said_grid(&self.grid)?.transforms.pop() {
            params.transform = last;
        }
        // A grid of diffusions comes from one Krylov space, which iterates.
        if !matches!(params.transform, Transform::Diffusion { .. }) {
            unused_flags::by_stopping(&params, &self.given)?;
        }
        let mut recipe = Recipe::of(Method::Stkr(params), at.task, self.ground.seed);
        recipe_flags::lay(&mut recipe, &self.ground)?;
        Ok(spelled(recipe))
    }
}

/// What the default of a table, and what labels alone, would give: each label predicted by the
/// others. Nothing where there is no table, or judging would cost more than tuning.
fn other_methods(
    recipe: &Recipe,
    input: &Input,
    known: WeightedTargets<'_>,
    monitor: &mut dyn Monitor,
) -> isotherm::Result<Vec<(String, f64)>> {
    if !matches!(input, Input::Table(_)) || !matches!(recipe.task, Task::Classify | Task::Regress) {
        return Ok(Vec::new());
    }
    let usual = Recipe {
        scaling: recipe.scaling,
        ..Recipe::automatic(Shape::Table, recipe.task, recipe.seed)
    };
    let mut study = Study::new(&usual, input.clone(), known)?;
    let found = match study.estimate(&EvaluateOptions::default(), monitor) {
        Ok(found) => found,
        Err(stopped @ isotherm::Error::Cancelled { .. }) => return Err(stopped),
        // What cannot be judged is not compared.
        Err(_) => None,
    };
    let Some(found) = found else {
        return Ok(Vec::new());
    };
    let first = found.measures.first().map(|m| m.estimate.value);
    let own = first.map(|value| ("blend (the default)".to_owned(), value));
    let baseline = found.baseline.map(|b| (b.name.to_owned(), b.value));
    let constant = found.constant.map(|c| (c.name.to_owned(), c.value));
    Ok(own.into_iter().chain(baseline).chain(constant).collect())
}

pub(crate) fn run(
    args: &Tune,
    memory: u64,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<()> {
    tune_laplacian::check(args)?;
    if args.grid.method == "laplacian" {
        return tune_laplacian::run(args, memory, console, monitor);
    }
    let overwrite = match &args.output {
        Some(path) => check_output(path, args.force, console.json())?,
        None => Overwrite::Refuse,
    };
    let drawn = match &args.plot {
        Some(path) => Some((
            path,
            format_of(path, "--plot")?,
            check_output(path, args.force, false)?,
        )),
        None => None,
    };
    let grid = said_grid(&args.grid)?;
    let loaded = load(&args.data, args, memory, console, monitor)?;
    if args.print_recipe {
        return print_recipe(&loaded.recipe, console);
    }
    let (table, features) = (loaded.table, loaded.features);
    let labels = loaded.targets.labelled().len();
    let task = loaded.recipe.task;
    let known = WeightedTargets {
        targets: &loaded.targets,
        weights: loaded.weights.as_deref(),
    };
    let others = other_methods(&loaded.recipe, &loaded.input, known, monitor)
        .map_err(|e| Failure::at(e, &table, &features))?;
    let tuned = Study::new(&loaded.recipe, loaded.input, known)
        .and_then(|mut study| study.tune(&grid, monitor))
        .map_err(|e| Failure::at(e, &table, &features))?;
    let search = &tuned.search;
    show_grid(&grid::table(search, task), args.output.as_deref(), console)?;
    let measure = match task {
        Task::Classify => "accuracy",
        _ => "squared error",
    };
    let equal = search
        .cells
        .iter()
        .filter(|c| c.score == Some(search.score()));
    let equal = equal.count();
    let unit = match task {
        Task::Classify => " %",
        _ => "",
    };
    let told = |score: f64| format!("{}{unit}", grid::cell(Some(score), task));
    console.note(&format!(
        "best: {}, ridge {:e}",
        model_text::transform(search.transform()),
        search.ridge(),
    ));
    console.note(&format!(
        "chosen by leave-one-label-out {}, and for being near the defaults: {equal} of {} cells \
         have its {measure}",
        match task {
            Task::Classify => "log loss",
            _ => "squared error",
        },
        search.cells.len()
    ));
    console.note(&match search.nested {
        Some((score, error)) => format!(
            "what to expect: {measure} {} (standard error {}), with every label predicted by what \
             the others choose",
            told(score),
            match task {
                Task::Classify => format!("{:.1} points", 100.0 * error),
                _ => format!("{error:.1e}"),
            }
        ),
        None => "what to expect is not worked out for so many or so few labels".to_owned(),
    });
    console.note(&format!(
        "the chosen cell's own leave-one-label-out {measure} on {labels} labels, {}, is optimistic: \
         it was chosen from {}",
        told(search.score()),
        count(search.cells.len(), "cell", "cells")
    ));
    if !others.is_empty() {
        let shown = |(name, value): &(String, f64)| match task {
            Task::Classify => format!("{name} {:.1} %", 100.0 * value),
            _ => format!("{name} {value:.4}"),
        };
        let shown: Vec<String> = others.iter().map(shown).collect();
        console.note(&format!(
            "other methods on the same labels, {measure}: {}",
            shown.join(", ")
        ));
    }
    if let Some((path, format, overwrite)) = drawn {
        let title = format!("leave-one-label-out {measure} on {labels} labels");
        let heat = Heat::of_transforms(search, task, title);
        draw(&heat, path, format, overwrite, console)?;
        console.note(&format!("drew {}", path.display()));
    }
    write_recipe(&tuned.recipe, args.output.as_deref(), overwrite, console)?;
    if console.json() {
        let cells = search.cells.iter().map(|c| {
            json!({
                "transform": search.grid.transforms[c.transform],
                "ridge": search.grid.ridges[c.ridge],
                "score": c.score,
                "error": c.error,
                "cost": c.cost,
            })
        });
        let value = json!({
            "recipe": tuned.recipe,
            "judged_by": "leave-one-label-out",
            "measure": match task {
                Task::Classify => "accuracy",
                _ => "minus the squared error",
            },
            "labelled": labels,
            "chosen_by": match task {
                Task::Classify => "log loss",
                _ => "squared error",
            },
            "score": search.score(),
            "nested": search.nested.map(|(score, error)| json!({"score": score, "error": error})),
            "other_methods": others.iter().map(|(name, value)| json!({
                "name": name, "value": value,
            })).collect::<Vec<_>>(),
            "best": search.best,
            "equal": equal,
            "close": search.close(),
            "cells": cells.collect::<Vec<_>>(),
            "report": search.report,
            "output": args.output.as_ref().map(|p| p.display().to_string()),
            "plot": args.plot.as_ref().map(|p| p.display().to_string()),
        });
        console.answer(value)?;
    }
    Ok(())
}

/// The grid the flags spell: the paper's, or the user's own values.
fn said_grid(said: &GridArgs) -> Outcome<Grid> {
    let implied = [
        (said.etas.is_some(), "inverse-laplacian"),
        (said.degrees.is_some(), "power"),
        (said.ranks.is_some(), "truncation"),
        (said.times.is_some(), "diffusion"),
        (said.encoder.is_some(), "truncation"),
    ];
    let given = implied.iter().find(|(given, _)| *given).map(|(_, t)| *t);
    let name = said.transform.as_deref().or(given);
    let name = name.unwrap_or("inverse-laplacian");
    let flags = ["--etas", "--degrees", "--ranks", "--times", "--encoder"];
    for ((given, reader), flag) in implied.iter().zip(flags) {
        if *given && *reader != name {
            return Err(Failure::refused(
                "unread-flag",
                format!("{flag} means nothing to the {name} grid"),
                format!("leave it out, or choose --transform {reader} and no values of another"),
            ));
        }
    }
    let own = |transforms: Vec<Transform>| Grid::with_ridges(transforms);
    let encoder = said.encoder.unwrap_or_default();
    let mut grid = match name {
        "inverse-laplacian" => match &said.etas {
            Some(etas) => own(etas
                .iter()
                .map(|&eta| Transform::InverseLaplacian { eta })
                .collect()),
            None => Grid::inverse_laplacian(),
        },
        "power" => match &said.degrees {
            Some(degrees) => own(degrees
                .iter()
                .map(|&degree| Transform::Power { degree })
                .collect()),
            None => Grid::powers(),
        },
        "truncation" => match &said.ranks {
            Some(ranks) => own(ranks
                .iter()
                .map(|&rank| Transform::Truncation { rank, encoder })
                .collect()),
            None => Grid::ranks(encoder),
        },
        _ => match &said.times {
            Some(times) => own(times
                .iter()
                .map(|&time| Transform::Diffusion { time })
                .collect()),
            None => {
                return Err(Failure::refused(
                    "missing-flag",
                    "the diffusion grid needs --times",
                    "give it, such as --times 1,3,10",
                ));
            }
        },
    };
    if let Some(ridges) = &said.ridges {
        grid.ridges.clone_from(ridges);
    }
    Ok(grid)
}
