//! Flags that nothing would read: refused, each with the way out.

use isotherm::estimator::stkr::{Solver, StkrParams};
use isotherm::recipe::{Method, Shape, Task};
use isotherm::spectrum::Transform;
use isotherm_io::Format;

use crate::args::{Data, Fine, Ground, How, Reading, Spectral};
use crate::failure::{Failure, Outcome};

const STKR: &[&str] = &["stkr"];
const SPREADING: &[&str] = &["stkr", "label-propagation"];
const STEPPING: &[&str] = &["stkr", "label-propagation", "laplacian"];
const RIDGE: &[&str] = &["stkr", "kernel-ridge"];
const COMPARING: &[&str] = &["stkr", "kernel-ridge", "laplacian"];
const RANKING: &[&str] = &["stkr", "laplacian"];
const LAPLACIAN: &[&str] = &["laplacian"];
const HARMONIC: &[&str] = &["harmonic"];
const ITERATING: &[&str] = &["stkr", "label-propagation", "harmonic", "kernel-ridge"];

/// Refuses a flag that the method does not read.
pub(crate) fn by_method(method: &Method, how: &How) -> Outcome<()> {
    let (ground, spectral, fine, gradient) = (&how.ground, &how.spectral, &how.fine, &how.gradient);
    let name = method.name();
    let flags: [(&str, bool, &[&str]); 35] = [
        ("--transform", spectral.transform.is_some(), STKR),
        ("--eta", spectral.eta.is_some(), SPREADING),
        ("--degree", spectral.degree.is_some(), STKR),
        ("--time", spectral.time.is_some(), STKR),
        ("--weights", spectral.weights.is_some(), STKR),
        ("--order", spectral.order.is_some(), STKR),
        ("--rank", spectral.rank.is_some(), RANKING),
        ("--encoder", spectral.encoder.is_some(), STKR),
        ("--solver", spectral.solver.is_some(), STKR),
        ("--steps", spectral.steps.is_some(), STEPPING),
        ("--step-size", spectral.step_size.is_some(), RANKING),
        ("--ridge", spectral.ridge.is_some(), RIDGE),
        ("--kernel", ground.kernel.is_some(), COMPARING),
        ("--bandwidth", ground.bandwidth.is_some(), COMPARING),
        ("--self-loops", ground.self_loops, STKR),
        ("--lazy", ground.lazy, STKR),
        ("--repair", fine.repair.is_some(), STKR),
        ("--centre-labels", fine.centre_labels.is_some(), SPREADING),
        ("--trivial-mode", fine.trivial_mode.is_some(), SPREADING),
        ("--centre-kernel", fine.centre_kernel, STKR),
        ("--class-mass", how.class_mass, HARMONIC),
        ("--filter", gradient.filter.is_some(), LAPLACIAN),
        ("--strength", gradient.strength.is_some(), LAPLACIAN),
        (
            "--norm-share",
            gradient.basis.norm_share.is_some(),
            LAPLACIAN,
        ),
        ("--landmarks", gradient.basis.landmarks.is_some(), LAPLACIAN),
        ("--choice", gradient.basis.choice.is_some(), LAPLACIAN),
        ("--derivatives", gradient.basis.derivatives, LAPLACIAN),
        ("--waves", gradient.waves.is_some(), LAPLACIAN),
        ("--exact", gradient.exact, LAPLACIAN),
        ("--covariance", gradient.covariance.is_some(), LAPLACIAN),
        (
            "--free-constant",
            gradient.free_constant.is_some(),
            LAPLACIAN,
        ),
        ("--route", gradient.route.is_some(), LAPLACIAN),
        ("--precision", gradient.precision.is_some(), LAPLACIAN),
        ("--tolerance", fine.tolerance.is_some(), ITERATING),
        ("--iterations", fine.iterations.is_some(), ITERATING),
    ];
    let unread = flags
        .iter()
        .find(|(_, given, readers)| *given && !readers.contains(&name));
    match unread {
        Some((flag, _, readers)) => refuse(
            flag,
            name,
            &format!("choose --method {}", readers.join(" or ")),
        ),
        None => Ok(()),
    }
}

/// Refuses a flag that stkr's transform or solver does not read.
pub(crate) fn by_transform(params: &StkrParams, said: &Spectral, fine: &Fine) -> Outcome<()> {
    let name = params.transform.name();
    let flags: [(&str, bool, &[&str]); 7] = [
        ("--eta", said.eta.is_some(), &["inverse-laplacian"]),
        ("--degree", said.degree.is_some(), &["power"]),
        ("--time", said.time.is_some(), &["diffusion"]),
        ("--rank", said.rank.is_some(), &["truncation"]),
        ("--encoder", said.encoder.is_some(), &["truncation"]),
        ("--order", said.order.is_some(), &["reciprocal"]),
        (
            "--weights",
            said.weights.is_some(),
            &["polynomial", "reciprocal"],
        ),
    ];
    for (flag, given, readers) in flags {
        if given && !readers.contains(&name) {
            let way_out = format!("choose --transform {}", readers.join(" or "));
            return refuse(flag, &format!("the {name} transform"), &way_out);
        }
    }
    let solver = params.solver.name();
    let stepping = [
        ("--steps", said.steps.is_some()),
        ("--step-size", said.step_size.is_some()),
    ];
    for (flag, given) in stepping {
        if given && params.solver != Solver::Richardson {
            let whom = format!("the solver {solver}");
            return refuse(flag, &whom, "choose --solver richardson");
        }
    }
    by_stopping(params, fine)
}

/// Refuses a flag that says when to stop where nothing iterates.
pub(crate) fn by_stopping(params: &StkrParams, fine: &Fine) -> Outcome<()> {
    let (name, solver) = (params.transform.name(), params.solver.name());
    let stopping = [
        ("--tolerance", fine.tolerance.is_some()),
        ("--iterations", fine.iterations.is_some()),
    ];
    for (flag, given) in stopping {
        if !given {
            continue;
        }
        if params.steps.is_some() {
            return refuse(flag, "a number of steps", "leave out --steps");
        }
        if !stops(params, flag) {
            let whom = format!("the {name} transform with the solver {solver}");
            return match params.transform {
                Transform::Truncation { .. } => refuse(flag, &whom, "give --tolerance"),
                _ => refuse(flag, &whom, "choose --solver conjugate-gradients"),
            };
        }
    }
    Ok(())
}

/// Whether anything iterates until this flag says stop.
fn stops(params: &StkrParams, flag: &str) -> bool {
    match params.transform {
        // The eigensolver stops by its own count.
        Transform::Truncation { .. } => flag == "--tolerance",
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

/// Refuses a flag that what makes samples similar does not read, under stkr.
pub(crate) fn by_base(shape: Shape, ground: &Ground, fine: &Fine) -> Outcome<()> {
    let kernel = ground.kernel.is_some();
    if shape == Shape::Graph && (kernel || ground.bandwidth.is_some()) {
        let flag = if kernel { "--kernel" } else { "--bandwidth" };
        return refuse(flag, "a graph", "leave out --graph to compare rows");
    }
    if !kernel && ground.bandwidth.is_some() {
        return refuse("--bandwidth", "neighbours", "pass --kernel gaussian too");
    }
    let trivial = fine.trivial_mode.is_some();
    if trivial && fine.centre_kernel {
        return refuse(
            "--trivial-mode",
            "a centred kernel",
            "leave out --centre-kernel",
        );
    }
    let flags = [
        ("--neighbours", ground.neighbours.is_some()),
        ("--self-loops", ground.self_loops),
        ("--lazy", ground.lazy),
        ("--trivial-mode", trivial),
    ];
    match flags.iter().find(|(_, given)| *given && kernel) {
        Some((flag, _)) => refuse(flag, "a kernel between all rows", "leave out --kernel"),
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

/// Refuses flags that say how text is delimited where no input is delimited text; an input whose
/// format is not known yet may be.
pub(crate) fn by_format(reading: &Reading, formats: &[Option<Format>]) -> Outcome<()> {
    let flags = [
        ("--delimiter", reading.delimiter.is_some()),
        ("--header", reading.header.is_some()),
        ("--decimal", reading.decimal.is_some()),
        ("--encoding", reading.encoding.is_some()),
    ];
    let reads = |format: &Option<Format>| matches!(format, None | Some(Format::Csv | Format::Tsv));
    match flags.iter().find(|(_, given)| *given) {
        Some((flag, _)) if !formats.iter().any(reads) => Err(Failure::refused(
            "unread-flag",
            format!("{flag} means nothing to an input that is no delimited text"),
            "leave it out, or pass --format csv if the name tells the wrong format",
        )),
        _ => Ok(()),
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
