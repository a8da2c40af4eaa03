//! `isotherm fit`: a table or graph with some labels → a model file.

use isotherm::monitor::Monitor;
use isotherm::recipe;
use isotherm_io::write_model;

use super::{check_output, print_recipe};
use crate::args::Fit;
use crate::failure::{Failure, Outcome};
use crate::gather::gather;
use crate::talk::{Talk, print};
use crate::tell;

pub(crate) fn run(args: &Fit, memory: u64, talk: &Talk, monitor: &mut dyn Monitor) -> Outcome<()> {
    let Some(output) = args.output.as_ref().filter(|_| !args.how.print_recipe) else {
        let gathered = gather(&args.data, &args.how, memory, talk, monitor)?;
        return print_recipe(&gathered.recipe);
    };
    if output.as_os_str() == "-" {
        return Err(Failure::usage(
            "a model is not text, it cannot go to standard output",
            "give -o a file name such as model.iso",
        ));
    }
    let overwrite = check_output(output, args.force, talk.json())?;
    let gathered = gather(&args.data, &args.how, memory, talk, monitor)?;
    let (table, features) = (gathered.table, gathered.features);
    let mut model = recipe::fit(&gathered.recipe, gathered.input, &gathered.targets, monitor)
        .map_err(|e| Failure::at(e, &table, &features))?;
    model.features = features;
    model.nodes = gathered
        .nodes
        .map(|(names, _)| names.iter().map(str::to_owned).collect());
    tell::warnings(&model, &model.features, talk);
    write_model(output, &model.to_parts(), overwrite)?;
    tell::report(&model).iter().for_each(|line| talk.note(line));
    talk.note(&format!("wrote {}", output.display()));
    if talk.json() {
        let mut value = tell::value(&model);
        value["schema"] = 1.into();
        value["output"] = output.display().to_string().into();
        print(&value.to_string())?;
    }
    Ok(())
}
