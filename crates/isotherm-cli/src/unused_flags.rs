//! Flags that nothing would read: refused, each with the way out.

use isotherm::estimator::stkr::{Solver, StkrParams};
use isotherm::recipe::{Shape, Task};
use isotherm::spectrum::Transform;
use isotherm_io::Format;

use crate::args::{Data, GivenFlags, Reading, flag};
use crate::failure::{Failure, Outcome};

/// Refuses a flag that the method does not read.
pub(crate) fn by_method(method: &str, given: &GivenFlags) -> Outcome<()> {
    match given.iter().find(|p| !p.is_read_by(method)) {
        Some(unread) => {
            let way_out = format!("choose --method {}", unread.methods().join(" or "));
            refuse(&flag(unread), method, &way_out)
        }
        None => Ok(()),
    }
}

/// Refuses a flag that the method reads only under another `value` of the parameter `by`.
pub(crate) fn by_choice(method: &str, by: &str, value: &str, given: &GivenFlags) -> Outcome<()> {
    for parameter in given.iter() {
        let Some(choice) = parameter.choice_of(method).filter(|c| c.parameter == by) else {
            continue;
        };
        if !choice.values.contains(&value) {
            let whom = match by {
                "transform" => format!("the {value} transform"),
                _ => format!("the {by} {value}"),
            };
            let way_out = format!("choose --{by} {}", choice.values.join(" or "));
            return refuse(&flag(parameter), &whom, &way_out);
        }
    }
    Ok(())
}

/// Refuses a flag that says when to stop where nothing iterates.
pub(crate) fn by_stopping(params: &StkrParams, given: &GivenFlags) -> Outcome<()> {
    let (name, solver) = (params.transform.name(), params.solver.name());
    for stopping in ["tolerance", "iterations"] {
        if !given.has(stopping) {
            continue;
        }
        let flag = format!("--{stopping}");
        if params.steps.is_some() {
            return refuse(&flag, "a number of steps", "leave out --steps");
        }
        if !stops(params, stopping) {
            let whom = format!("the {name} transform with the solver {solver}");
            let way_out = match params.transform {
                Transform::Truncation { .. } => "give --tolerance",
                _ => "choose --solver conjugate-gradients",
            };
            return refuse(&flag, &whom, way_out);
        }
    }
    Ok(())
}

/// Whether anything iterates until this parameter says stop.
fn stops(params: &StkrParams, name: &str) -> bool {
    match params.transform {
        // The eigensolver stops by its own count.
        Transform::Truncation { .. } => name == "tolerance",
        // So many products, whatever they leave.
        Transform::Power { .. } | Transform::Polynomial { .. } | Transform::Diffusion { .. } => {
            !matches!(
                params.solver,
                Solver::Auto | Solver::LabelBlock | Solver::Direct
            )
        }
        // A factor is exact.
        _ => params.solver != Solver::Direct,
    }
}

/// Refuses a flag of rows where nodes are joined by edges.
pub(crate) fn by_shape(shape: Shape, given: &GivenFlags) -> Outcome<()> {
    let of_rows = ["neighbours", "scaling"];
    match given.iter().find(|p| of_rows.contains(&p.name)) {
        Some(unread) if shape == Shape::Graph => refuse(
            &flag(unread),
            "edges of a graph",
            "pass --smooth auto to compare features of nodes",
        ),
        _ => Ok(()),
    }
}

/// Refuses a flag that what makes samples similar does not read, under stkr.
pub(crate) fn by_base(shape: Shape, given: &GivenFlags) -> Outcome<()> {
    let kernel = given.has("kernel");
    if shape == Shape::Graph && (kernel || given.has("bandwidth")) {
        let flag = if kernel { "--kernel" } else { "--bandwidth" };
        return refuse(flag, "a graph", "leave out --graph to compare rows");
    }
    if !kernel && given.has("bandwidth") {
        return refuse("--bandwidth", "neighbours", "pass --kernel gaussian too");
    }
    if given.has("trivial_mode") && given.has("centre_kernel") {
        return refuse(
            "--trivial-mode",
            "a centred kernel",
            "leave out --centre-kernel",
        );
    }
    let joining = ["neighbours", "self_loops", "lazy", "trivial_mode"];
    match given.iter().find(|p| kernel && joining.contains(&p.name)) {
        Some(unread) => refuse(
            &flag(unread),
            "a kernel between all rows",
            "leave out --kernel",
        ),
        None => Ok(()),
    }
}

/// Refuses a column that is asked to be two things, of which it would be one.
pub(crate) fn by_role(data: &Data) -> Outcome<()> {
    let single = [
        ("--label", Some(&data.label)),
        ("--id", data.id.as_ref()),
        ("--label-weights", data.label_weights.as_ref()),
    ];
    let single: Vec<(&str, &String)> = (single.into_iter())
        .filter_map(|(flag, column)| Some((flag, column.filter(|c| !c.is_empty())?)))
        .collect();
    let lists = [
        ("--features", &data.features),
        ("--categorical", &data.categorical),
        ("--text", &data.text),
        ("--image", &data.image),
        ("--embedding", &data.embedding),
    ];
    let many = lists
        .iter()
        .flat_map(|(flag, columns)| columns.iter().map(|c| (*flag, c)));
    let asked: Vec<(&str, &String)> = single.iter().copied().chain(many).collect();
    for (at, (flag, column)) in single.iter().enumerate() {
        let others = asked.iter().skip(at + 1);
        if let Some((other, _)) = others.clone().find(|(_, c)| c == column) {
            return Err(Failure::refused(
                "unread-flag",
                format!("{other} means nothing to \"{column}\", which {flag} names already"),
                format!("leave \"{column}\" out of {other}, or name another column"),
            ));
        }
    }
    Ok(())
}

/// Refuses flags that say how text is delimited where no input is delimited text, and the name of
/// a sheet or table where none is a workbook or a database; an input whose format is not known yet may be either.
pub(crate) fn by_format(reading: &Reading, formats: &[Option<Format>]) -> Outcome<()> {
    let flags = [
        ("--delimiter", reading.delimiter.is_some()),
        ("--header", reading.header.is_some()),
        ("--decimal", reading.decimal.is_some()),
        ("--encoding", reading.encoding.is_some()),
    ];
    let has_tables = |format: &Option<Format>| format.is_none_or(Format::has_tables);
    if reading.sheet.is_some() && !formats.iter().any(has_tables) {
        return Err(Failure::refused(
            "unread-flag",
            "--sheet means nothing to an input that is no workbook and no database",
            "leave it out, or pass --format xlsx if the name tells the wrong format",
        ));
    }
    let reads = |format: &Option<Format>, flag: &str| match format {
        None | Some(Format::Csv | Format::Tsv) => true,
        // The first row of a sheet is a header or not, as in text.
        Some(format) => flag == "--header" && format.is_workbook(),
    };
    let unread = |(flag, given): &&(&str, bool)| *given && !formats.iter().any(|f| reads(f, flag));
    match flags.iter().find(unread) {
        Some((flag, _)) => Err(Failure::refused(
            "unread-flag",
            format!("{flag} means nothing to an input that is no delimited text"),
            "leave it out, or pass --format csv if the name tells the wrong format",
        )),
        None => Ok(()),
    }
}

/// Refuses probabilities of classes where the labels are none.
pub(crate) fn by_task(probabilities: bool, task: Task) -> Outcome<()> {
    match task {
        Task::Classify | Task::Ordinal | Task::Shares => Ok(()),
        _ if !probabilities => Ok(()),
        _ => Err(Failure::refused(
            "unread-flag",
            format!("--probabilities means nothing to the task {}", task.name()),
            "leave it out: only classes have probabilities",
        )),
    }
}

fn refuse(flag: &str, whom: &str, way_out: &str) -> Outcome<()> {
    Err(Failure::refused(
        "unread-flag",
        format!("{flag} means nothing to {whom}"),
        format!("leave it out, or {way_out}"),
    ))
}
