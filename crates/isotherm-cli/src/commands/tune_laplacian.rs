//! `isotherm tune --method laplacian`: bandwidth, norm share and strength by
//! leave-one-label-out.

use isotherm::estimator::laplacian::{BasisSpec, LaplacianParams};
use isotherm::labelling::WeightedTargets;
use isotherm::monitor::Monitor;
use isotherm::recipe::{Method, Recipe, Task};
use isotherm::select::laplacian::LaplacianGrid;
use isotherm::spectrum::{Filter, FilterFamily, FilterPath};
use isotherm::study::Study;
use isotherm_io::atomic::Overwrite;
use serde_json::json;

use super::{check_output, draw, format_of, print_recipe, show_grid, write_recipe};
use crate::args::{GridArgs, Tune};
use crate::console::{Console, count};
use crate::failure::{Failure, Outcome};
use crate::figures::filters;
use crate::figures::heat::Heat;
use crate::load::load;
use crate::{recipe_flags, unused_flags};

/// Refuses a flag that the method does not read.
pub(super) fn check(args: &Tune) -> Outcome<()> {
    let grid = &args.grid;
    let (other, flags) = match grid.method.as_str() {
        "stkr" => (
            "laplacian",
            vec![
                ("--bandwidths", grid.bandwidths.is_some()),
                ("--shares", grid.shares.is_some()),
                ("--filter", grid.filter.is_some()),
                ("--strengths", grid.strengths.is_some()),
                ("--landmarks", grid.landmarks.is_some()),
            ],
        ),
        _ => (
            "stkr",
            vec![
                ("--transform", grid.transform.is_some()),
                ("--etas", grid.etas.is_some()),
                ("--degrees", grid.degrees.is_some()),
                ("--ranks", grid.ranks.is_some()),
                ("--times", grid.times.is_some()),
                ("--encoder", grid.encoder.is_some()),
                ("--ridges", grid.ridges.is_some()),
            ],
        ),
    };
    match flags.iter().find(|(_, given)| *given) {
        Some((flag, _)) => Err(Failure::refused(
            "unread-flag",
            format!("{flag} means nothing to {}", grid.method),
            format!("leave it out, or choose --method {other}"),
        )),
        None => unused_flags::by_method(&grid.method, &args.given),
    }
}

/// The recipe to start from.
pub(super) fn recipe(args: &Tune, task: Task) -> Outcome<Recipe> {
    let mut recipe = Recipe::of(Method::laplacian(task), task, args.ground.seed);
    recipe_flags::lay(&mut recipe, &args.ground)?;
    if let Method::Laplacian(params) = &mut recipe.method {
        *params = LaplacianParams {
            kernel: recipe_flags::kernel_of(args.ground.kernel.as_deref(), args.ground.bandwidth)?,
            basis: BasisSpec::Landmarks {
                count: args.grid.landmarks,
                selection: Default::default(),
                derivatives: false,
            },
            ..params.clone()
        };
    }
    Ok(recipe)
}

pub(super) fn run(
    args: &Tune,
    memory: u64,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<()> {
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
    let mut grid = LaplacianGrid::default();
    let said = &args.grid;
    if let Some(bandwidths) = &said.bandwidths {
        grid.bandwidths.clone_from(bandwidths);
    }
    if let Some(shares) = &said.shares {
        grid.shares.clone_from(shares);
    }
    if let Some(filters) = said_filters(said)? {
        grid.filters = filters;
    }
    let loaded = load(&args.data, args, memory, console, monitor)?;
    if args.print_recipe {
        return print_recipe(&loaded.recipe, console);
    }
    let (table, features) = (loaded.table, loaded.features);
    let labels = loaded.targets.labelled().len();
    let known = WeightedTargets {
        targets: &loaded.targets,
        weights: loaded.weights.as_deref(),
    };
    let tuned = Study::new(&loaded.recipe, loaded.input, known)
        .and_then(|mut study| study.tune_laplacian(&grid, monitor))
        .map_err(|e| Failure::at(e, &table, &features))?;
    let search = &tuned.search;
    let shown = filters::table(&search.cells, &grid.filters);
    show_grid(&shown, args.output.as_deref(), console)?;
    if matches!(
        grid.filters,
        FilterPath::Relative(
            FilterFamily::CutOff | FilterFamily::GradientFlow | FilterFamily::Heat
        )
    ) {
        console.note("strengths at the top are parts of each line's largest eigenvalue");
    }
    let best = search.cell();
    console.note(&format!(
        "best: {}, norm share {:.1e}, {}: leave-one-label-out squared error {:.4}",
        best.bandwidth
            .map_or("no bandwidth".to_owned(), |b| format!("bandwidth {b:.4}")),
        best.share,
        told(&best.filter),
        -best.score.unwrap_or(f64::NAN)
    ));
    console.note(&format!(
        "each of the {labels} labels was predicted from the others; the best of {} is optimistic, \
         so test the recipe on labels that were kept away from tuning",
        count(search.cells.len(), "score", "scores")
    ));
    if let Some((path, format, overwrite)) = drawn {
        let title = format!("leave-one-label-out squared error on {labels} labels");
        draw(
            &Heat::of_filters(search, &grid.filters, title),
            path,
            format,
            overwrite,
            console,
        )?;
        console.note(&format!("drew {}", path.display()));
    }
    write_recipe(&tuned.recipe, args.output.as_deref(), overwrite, console)?;
    if console.json() {
        let cells = search.cells.iter().map(|c| {
            json!({
                "bandwidth": c.bandwidth,
                "norm_share": c.share,
                "filter": c.filter,
                "score": c.score,
                "error": c.error,
            })
        });
        let value = json!({
            "recipe": tuned.recipe,
            "judged_by": "leave-one-label-out",
            "measure": "minus the squared error",
            "labelled": labels,
            "score": best.score,
            "best": search.best,
            "cells": cells.collect::<Vec<_>>(),
            "close": search.close(),
            "output": args.output.as_ref().map(|p| p.display().to_string()),
            "plot": args.plot.as_ref().map(|p| p.display().to_string()),
        });
        console.answer(value)?;
    }
    Ok(())
}

/// The filters the flags spell, if they spell some.
fn said_filters(said: &GridArgs) -> Outcome<Option<FilterPath>> {
    let name = said.filter.as_deref().unwrap_or("tikhonov");
    if let Some(strengths) = &said.strengths {
        let filters = strengths
            .iter()
            .map(|s| recipe_flags::of_strength(name, *s));
        return match filters.collect() {
            Some(filters) => Ok(Some(FilterPath::Given(filters))),
            None => Err(Failure::refused(
                "unread-flag",
                format!("--strengths means nothing to the filter {name}"),
                "leave it out, or choose another --filter",
            )),
        };
    }
    let family = match name {
        "cut-off" => FilterFamily::CutOff,
        "leading" => FilterFamily::Leading,
        "flow" => FilterFamily::GradientFlow,
        "landweber" => FilterFamily::Landweber,
        "heat" => FilterFamily::Heat,
        // The usual grid.
        _ => return Ok(None),
    };
    Ok(Some(FilterPath::Relative(family)))
}

/// A filter's strength in words.
pub(crate) fn told(filter: &Filter) -> String {
    match filter {
        Filter::Tikhonov { strength } => format!("strength {strength:.2e}"),
        Filter::CutOff { threshold } => format!("cut-off at {threshold:.2e}"),
        Filter::GradientFlow { time } => format!("flow of strength {:.2e}", time.recip()),
        Filter::Heat { time } => format!("heat of strength {time:.2e}"),
        Filter::Leading { rank } => count(*rank, "leading mode", "leading modes"),
        Filter::Landweber { steps, .. } => count(*steps as usize, "step", "steps"),
    }
}
