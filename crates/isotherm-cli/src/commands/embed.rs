//! `isotherm embed`: a table → the table with coordinates.

use isotherm::embedding::{Embedding, EmbeddingParams};
use isotherm::estimator::laplacian::LaplacianParams;
use isotherm::monitor::Monitor;
use isotherm::study::Input;
use isotherm_io::{Cells, Column, Features, Nullable};
use serde_json::json;

use super::{check_table_output, put_table};
use crate::args::Embed;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::load::features::choose_features;
use crate::load::listed;
use crate::load::table::{TableFiles, read};
use crate::{memory as process, recipe_flags};

pub(crate) fn run(
    args: &Embed,
    memory: u64,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<()> {
    let options = check_table_output(&args.output, &args.writing, console.json())?;
    console.record().seed(args.seed);
    let mut table = read(
        TableFiles {
            paths: &args.data,
            reading: &args.reading,
            without: &args.exclude,
            memory,
        },
        console,
        monitor,
    )?;
    if let Some(taken) = table.names().into_iter().find(|n| n.starts_with("iso_e")) {
        return Err(Failure::refused(
            "column-taken",
            format!(
                "{}: there is a column \"{taken}\" already",
                table.origin().path.display()
            ),
            "start from the table without the iso_ columns, or rename them",
        ));
    }
    let mut chosen = if args.features.is_empty() {
        Features::numeric()
    } else {
        Features::named(&args.features)
    };
    for name in &args.exclude {
        chosen = chosen.except(name);
    }
    let (features, points) = choose_features(&table, &chosen)?;
    console.note(&format!("features: {}", listed(&features)));
    let params = LaplacianParams {
        kernel: recipe_flags::kernel_of(args.kernel.as_deref(), args.bandwidth)?,
        basis: recipe_flags::landmarks(&args.basis),
        norm_share: recipe_flags::share(&args.basis),
        ..LaplacianParams::default()
    };
    isotherm::resources::check_embedding(
        &params,
        points.len(),
        points.dim(),
        process::in_use(),
        memory,
    )?;
    let found = Embedding::fit(
        &EmbeddingParams::Laplacian(params),
        Input::Table(points),
        args.scaling.unwrap_or_default(),
        args.dimensions,
        args.seed,
        monitor,
    )
    .map_err(|e| Failure::at(e, &table, &features))?;
    for j in 0..found.eigenvalues().len() {
        let values = found.visible().col(j).iter().copied().collect();
        table.push_column(Column {
            name: format!("iso_e{}", j + 1),
            cells: Cells::Float(Nullable::full(values)),
        })?;
    }
    put_table(&table, &args.output, options, console, monitor)?;
    if let Some(choice) = &found.report().choice {
        console.note(&format!("chosen: {choice}"));
    }
    let shown: Vec<String> = found
        .eigenvalues()
        .iter()
        .map(|v| format!("{v:.3e}"))
        .collect();
    console.note(&format!(
        "eigenvalues, large is smooth: {}",
        shown.join(", ")
    ));
    console.note(&format!("wrote {}", args.output.display()));
    if console.json() {
        let value = json!({
            "eigenvalues": found.eigenvalues(),
            "kernel": found.kernel(),
            "report": found.report(),
            "output": args.output.display().to_string(),
        });
        console.answer(value)?;
    }
    Ok(())
}
