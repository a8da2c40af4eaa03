//! `isotherm tune --method laplacian`: bandwidth, norm share and strength by
//! leave-one-label-out.

use isotherm::estimator::laplacian::{BasisSpec, LaplacianParams};
use isotherm::monitor::Monitor;
use isotherm::recipe::{self, Method, Recipe, Task};
use isotherm::select::laplacian::{LaplacianCell, LaplacianGrid};
use isotherm::spectrum::Filter;
use isotherm_io::atomic::Overwrite;
use serde_json::json;

use super::{check_output, print_recipe, toml_of, write_bytes};
use crate::args::{Tune, TunedMethod};
use crate::failure::{Failure, Outcome};
use crate::gather::gather;
use crate::say_recipe;
use crate::talk::{Talk, count, print};

/// Refuses a flag that the method does not read.
pub(super) fn check(args: &Tune) -> Outcome<()> {
    let (grid, fine) = (&args.grid, &args.fine);
    let (own, other, flags) = match grid.method {
        TunedMethod::Stkr => (
            "stkr",
            "laplacian",
            vec![
                ("--bandwidths", grid.bandwidths.is_some()),
                ("--shares", grid.shares.is_some()),
                ("--strengths", grid.strengths.is_some()),
                ("--landmarks", grid.landmarks.is_some()),
            ],
        ),
        TunedMethod::Laplacian => (
            "laplacian",
            "stkr",
            vec![
                ("--transform", grid.transform.is_some()),
                ("--etas", grid.etas.is_some()),
                ("--degrees", grid.degrees.is_some()),
                ("--ranks", grid.ranks.is_some()),
                ("--times", grid.times.is_some()),
                ("--encoder", grid.encoder.is_some()),
                ("--ridges", grid.ridges.is_some()),
                ("--plot", args.plot.is_some()),
                ("--self-loops", args.ground.self_loops),
                ("--lazy", args.ground.lazy),
                ("--repair", fine.repair.is_some()),
                ("--centre-labels", fine.centre_labels.is_some()),
                ("--trivial-mode", fine.trivial_mode.is_some()),
                ("--centre-kernel", fine.centre_kernel),
                ("--tolerance", fine.tolerance.is_some()),
                ("--iterations", fine.iterations.is_some()),
            ],
        ),
    };
    match flags.iter().find(|(_, given)| *given) {
        Some((flag, _)) => Err(Failure::usage(
            format!("{flag} means nothing to {own}"),
            format!("leave it out, or choose --method {other}"),
        )),
        None => Ok(()),
    }
}

/// The recipe to start from.
pub(super) fn recipe(args: &Tune, task: Task) -> Outcome<Recipe> {
    let mut recipe = Recipe::of(Method::laplacian(task), task, args.ground.seed);
    say_recipe::lay(&mut recipe, &args.ground)?;
    if let Method::Laplacian(params) = &mut recipe.method {
        *params = LaplacianParams {
            kernel: say_recipe::kernel_of(args.ground.kernel, args.ground.bandwidth)?,
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

pub(super) fn run(args: &Tune, memory: u64, talk: &Talk, monitor: &mut dyn Monitor) -> Outcome<()> {
    let overwrite = match &args.output {
        Some(path) => check_output(path, args.force, talk.json())?,
        None => Overwrite::Refuse,
    };
    let mut grid = LaplacianGrid::default();
    let said = &args.grid;
    if let Some(bandwidths) = &said.bandwidths {
        grid.bandwidths.clone_from(bandwidths);
    }
    if let Some(shares) = &said.shares {
        grid.shares.clone_from(shares);
    }
    if let Some(strengths) = &said.strengths {
        let filters = strengths
            .iter()
            .map(|&strength| Filter::Tikhonov { strength });
        grid.filters = filters.collect();
    }
    let gathered = gather(&args.data, args, memory, talk, monitor)?;
    let (table, features) = (gathered.table, gathered.features);
    let labels = gathered.targets.labelled().len();
    let tuned = recipe::tune_laplacian(
        &gathered.recipe,
        gathered.input,
        &gathered.targets,
        &grid,
        monitor,
    )
    .map_err(|e| Failure::at(e, &table, &features))?;
    let search = &tuned.search;
    let stdout = args.output.as_ref().is_some_and(|o| o.as_os_str() == "-");
    let shown = shown(&search.cells);
    match (talk.json(), stdout) {
        (true, _) => {}
        (false, true) => shown.lines().for_each(|line| talk.note(line)),
        (false, false) => print(shown.trim_end())?,
    }
    let best = search.cell();
    talk.note(&format!(
        "best: {}, norm share {:.1e}, strength {}: leave-one-label-out squared error {:.4}",
        best.bandwidth
            .map_or("no bandwidth".to_owned(), |b| format!("bandwidth {b:.4}")),
        best.share,
        strength(best),
        -best.score.unwrap_or(f64::NAN)
    ));
    talk.note(&format!(
        "each of the {labels} labels was predicted from the others; the best of {} is optimistic, \
         so test the recipe on labels that were kept away from tuning",
        count(search.cells.len(), "score", "scores")
    ));
    match &args.output {
        Some(_) if stdout => print_recipe(&tuned.recipe)?,
        Some(path) => {
            write_bytes(path, toml_of(&tuned.recipe)?.as_bytes(), overwrite)?;
            talk.note(&format!("wrote {}", path.display()));
        }
        None => {}
    }
    if talk.json() {
        let cells = search.cells.iter().map(|c| {
            json!({
                "bandwidth": c.bandwidth,
                "norm_share": c.share,
                "filter": c.filter,
                "score": c.score,
            })
        });
        let value = json!({
            "schema": 1,
            "recipe": tuned.recipe,
            "judged_by": "leave-one-label-out",
            "measure": "minus the squared error",
            "labelled": labels,
            "score": best.score,
            "best": search.best,
            "cells": cells.collect::<Vec<_>>(),
            "output": args.output.as_ref().map(|p| p.display().to_string()),
        });
        print(&value.to_string())?;
    }
    Ok(())
}

fn strength(cell: &LaplacianCell) -> String {
    match &cell.filter {
        Filter::Tikhonov { strength } => format!("{strength:e}"),
        other => format!("{other:?}"),
    }
}

/// Squared errors, a line a bandwidth and norm share, a column a strength.
fn shown(cells: &[LaplacianCell]) -> String {
    let mut heads: Vec<String> = Vec::new();
    let mut lines: Vec<(Option<f64>, f64, Vec<String>)> = Vec::new();
    for cell in cells {
        let head = strength(cell);
        if !heads.contains(&head) {
            heads.push(head);
        }
        let score = cell.score.map_or("–".to_owned(), |s| format!("{:.4}", -s));
        match lines.last_mut() {
            Some((b, s, row)) if *b == cell.bandwidth && *s == cell.share => row.push(score),
            _ => lines.push((cell.bandwidth, cell.share, vec![score])),
        }
    }
    let mut text = format!("{:>10} {:>11}", "bandwidth", "norm share");
    heads.iter().for_each(|h| text += &format!(" {h:>8}"));
    text += "\n";
    for (bandwidth, share, row) in lines {
        let bandwidth = bandwidth.map_or("–".to_owned(), |b| format!("{b:.4}"));
        text += &format!("{bandwidth:>10} {share:>11.1e}");
        row.iter().for_each(|score| text += &format!(" {score:>8}"));
        text += "\n";
    }
    text
}
