//! `isotherm label`: fill every blank label of a table or a graph.

use isotherm::labelling::WeightedTargets;
use isotherm::monitor::Monitor;
use isotherm::recipe::Task;
use isotherm::resources::cost;
use isotherm::study::{EvaluateOptions, Study};

use isotherm_io::provenance::quoted;

use super::evaluate::Marked;
use super::{check_table_output, print_recipe, put_table};
use crate::answer_columns::{columns, set_columns};
use crate::args::Label;
use crate::console::{Console, count};
use crate::failure::{Failure, Outcome};
use crate::load::graph::list_all_nodes;
use crate::load::labels::nothing_to_fill;
use crate::load::table::check_names;
use crate::load::{Loaded, load};
use crate::memory;
use crate::{model_text, unused_flags, verdict};

pub(crate) fn run(
    args: &Label,
    memory: u64,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<()> {
    let Some(output) = args.output.as_ref().filter(|_| !args.how.print_recipe) else {
        let loaded = load(&args.data, &args.how, memory, console, monitor)?;
        return print_recipe(&loaded.recipe, console);
    };
    let options = check_table_output(output, &args.writing.table, console.json())?;
    let Loaded {
        mut table,
        input,
        mut cells,
        targets,
        weights,
        sizes,
        recipe,
        features,
        encoding,
        blank_rows,
        nodes,
    } = load(&args.data, &args.how, memory, console, monitor)?;
    unused_flags::by_task(args.writing.probabilities, recipe.task)?;
    // Shares always have a column for each class.
    let shares = args.writing.probabilities || recipe.task == Task::Shares;
    check_names(&table, shares)?;
    let listed = table.rows();
    let samples: Vec<usize> = match &nodes {
        Some((names, rows)) => list_all_nodes(&mut table, &args.data, names, rows)?,
        None => (0..table.rows()).collect(),
    };
    if table.rows() > listed {
        console.note(&format!(
            "added {} at the end, for nodes that only the edges name",
            count(table.rows() - listed, "row", "rows")
        ));
    }
    cells.resize(table.rows(), None);
    let mut given = cells;
    if args.data.candidates {
        // A set is not a label yet.
        for cell in given.iter_mut().filter(|c| is_open(c.as_deref())) {
            *cell = None;
        }
    }
    if given.iter().all(Option::is_some) {
        return Err(Failure::refused(
            "all-labelled",
            format!(
                "every label is given already (of {}): there is nothing to fill",
                count(given.len(), "row", "rows")
            ),
            nothing_to_fill(&given),
        ));
    }
    if args.sets.is_some() {
        cost::check_units(&recipe, &sizes, true, memory::in_use(), memory)?;
    }
    let known = WeightedTargets {
        targets: &targets,
        weights: weights.as_deref(),
    };
    let refused = |e| Failure::at(e, &table, &features);
    let mut study = Study::new(&recipe, input, known).map_err(refused)?;
    let sets = match args.sets {
        Some(level) => Some(study.sets(level, monitor).map_err(refused)?),
        None => None,
    };
    let mut model = study.fit(monitor).map_err(refused)?;
    let mut answer = study.training_answer(&model, monitor)?;
    model.withhold(&mut answer, &blank_rows);
    let rows = nodes.as_ref().map(|(_, rows)| rows.as_slice());
    let sampling = Marked::default().chosen(&table, rows, answer.reached.len(), console)?;
    let judging = EvaluateOptions {
        sampling,
        ..EvaluateOptions::default()
    };
    let estimated = match study.estimate(&judging, monitor) {
        Ok(estimated) => estimated,
        Err(stopped @ isotherm::Error::Cancelled { .. }) => return Err(refused(stopped)),
        // Not every setting can be judged by leave-one-out; the labels are filled all the same.
        Err(why) => {
            console.note(&format!("the accuracy is not estimated: {why}"));
            None
        }
    };
    model.features = features;
    model.encoding = encoding;
    let filled = given.iter().filter(|g| g.is_none()).count();
    let unreached = (samples.iter().zip(&given))
        .filter(|(i, g)| g.is_none() && !answer.reached[**i])
        .count();
    // Where decisions have costs, a class that is known still needs one.
    let stay = recipe.losses.is_none().then_some(given.as_slice());
    let mut added = columns(&model, &answer, &samples, stay, shares);
    if let Some(sets) = &sets {
        added.extend(set_columns(sets, &samples, model.names()));
    }
    for column in added {
        table.push_column(column)?;
    }
    model_text::warnings(&model, &model.features, console);
    model_text::blank_rows(blank_rows.len(), console);
    if unreached > blank_rows.len() && model.training_answer().is_none() {
        model_text::unreached(
            unreached,
            filled,
            "they lie far from every label; label one of them",
            console,
        );
    }
    put_table(&table, output, options, console, monitor)?;
    model_text::tell(&model, console);
    if let Some(level) = args.sets {
        console.note(&format!(
            "sets: the truth is among them about {:.0} % of the time, at least {:.0} %, if labels \
             were drawn at random",
            100.0 * level,
            (100.0 * (2.0 * level - 1.0)).max(0.0)
        ));
    }
    console.note(&format!(
        "filled {} of {filled} blank labels from {} given",
        filled - unreached,
        given.len() - filled
    ));
    if let Some(found) = &estimated {
        let files = args.data.data.iter().map(|f| quoted(&f.to_string_lossy()));
        let files: Vec<String> = files.collect();
        let same = format!("{} --label {}", files.join(" "), quoted(&args.data.label));
        verdict::tell(found, &same, console);
    }
    if console.json() {
        let mut value = model_text::value(&model);
        value["output"] = output.display().to_string().into();
        value["filled"] = (filled - unreached).into();
        value["unreached"] = unreached.into();
        if let Some(found) = &estimated {
            value["evaluation"] = serde_json::to_value(found).unwrap_or_default();
            value["worth"] = serde_json::to_value(found.worth()).unwrap_or_default();
        }
        console.answer(value)?;
    }
    Ok(())
}

/// Whether a cell holds a set or a range, not a label.
fn is_open(cell: Option<&str>) -> bool {
    cell.is_some_and(|text| text.contains('|') || text.contains(".."))
}
