//! `isotherm fit`: a table or graph with some labels → a model file.

use isotherm::distributed;
use isotherm::labelling::WeightedTargets;
use isotherm::model::Model;
use isotherm::monitor::Monitor;
use isotherm::study::Study;
use isotherm_io::write_model_of;

use super::{check_output, print_recipe};
use crate::args::Fit;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::load::features::excludable;
use crate::load::{Loaded, load, stream};
use crate::model_text;

pub(crate) fn run(
    args: &Fit,
    memory: u64,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<()> {
    let Some(output) = args.output.as_ref().filter(|_| !args.how.print_recipe) else {
        if args.stream {
            let streamed = stream::load(&args.data, &args.how, memory, console, monitor)?;
            return print_recipe(&streamed.recipe, console);
        }
        let loaded = load(&args.data, &args.how, memory, console, monitor)?;
        return print_recipe(&loaded.recipe, console);
    };
    if output.as_os_str() == "-" {
        return Err(Failure::refused(
            "standard-stream",
            "a model is not text, it cannot go to standard output",
            "give -o a file name such as model.iso",
        ));
    }
    let overwrite = check_output(output, args.force, console.json())?;
    let model = if args.stream {
        fit_streamed(args, memory, console, monitor)?
    } else {
        fit_whole(args, memory, console, monitor)?
    };
    model_text::warnings(&model, &model.features, console);
    let provenance = console.record().provenance()?;
    write_model_of(output, &model.to_parts(), Some(&provenance), overwrite)?;
    model_text::tell(&model, console);
    console.note(&format!("wrote {}", output.display()));
    if console.json() {
        let mut value = model_text::value(&model);
        value["output"] = output.display().to_string().into();
        console.answer(value)?;
    }
    Ok(())
}

fn fit_whole(
    args: &Fit,
    memory: u64,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<Model> {
    let Loaded {
        table,
        input,
        cells: _,
        targets,
        weights,
        sizes: _,
        recipe,
        features,
        encoding,
        blank_rows: _,
        nodes,
    } = load(&args.data, &args.how, memory, console, monitor)?;
    let known = WeightedTargets {
        targets: &targets,
        weights: weights.as_deref(),
    };
    let mut model = Study::new(&recipe, input, known)
        .and_then(|mut study| study.fit(monitor))
        .map_err(|e| Failure::at(e, &table, &features))?;
    model.features = features;
    model.encoding = encoding;
    model.nodes = nodes.map(|(names, _)| names.iter().map(str::to_owned).collect());
    Ok(model)
}

fn fit_streamed(
    args: &Fit,
    memory: u64,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<Model> {
    let mut streamed = stream::load(&args.data, &args.how, memory, console, monitor)?;
    let fitted = distributed::fit_streamed(
        &streamed.recipe,
        &mut streamed.rows,
        &streamed.targets,
        monitor,
    );
    let header = streamed.rows.header();
    let names = streamed.rows.names();
    let mut model = fitted.map_err(|e| match e {
        isotherm_io::Error::Core(e) => Failure::at(e, header, names),
        other => excludable(other, header),
    })?;
    model.features = names.to_vec();
    model.encoding = streamed.rows.encoding();
    Ok(model)
}
