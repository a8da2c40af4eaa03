//! How good the answers are, and whether to use them, in a few lines.

use isotherm::study::evaluate::{Constant, Measured, MemberMeasured};
use isotherm::study::{Evaluation, Worth};
use isotherm::trust::Estimand;

use crate::console::Console;

/// Says the first measure on the rows still unlabelled, what simpler answers would give, and the
/// verdict; `data` are the arguments that name the data in a command to type next.
pub(crate) fn tell(found: &Evaluation, data: &str, console: &Console) {
    if found.worth() == Some(Worth::TooFew) {
        console.note(&format!("verdict: {}", Worth::TooFew.describe()));
        return;
    }
    let higher = found.measures.first().is_some_and(|m| m.higher_is_better);
    // Of accuracies the second is about the rows still unlabelled.
    let quoted = found.measures.get(usize::from(higher));
    if let Some(measured) = quoted {
        let assumed = if found.audits_only {
            "from labels drawn at random"
        } else {
            "if the labels were drawn at random"
        };
        let line = measure(measured, 100.0 * found.level);
        console.note(&format!("{line}, {assumed}"));
    }
    if let Some(line) = beside(found, higher) {
        console.note(&line);
    }
    match found.worth() {
        Some(worth @ Worth::NoBetterThanConstant) => {
            let next = format!("label more rows: isotherm next {data} -n 20 -o todo.csv");
            console.warn("not-worth-using", worth.describe(), Some(&next));
        }
        Some(worth @ Worth::WorseThanLabelsAlone) => {
            let next = format!("isotherm label {data} --method kernel-ridge -o labelled.csv");
            console.warn("not-worth-using", worth.describe(), Some(&next));
        }
        Some(worth) => console.note(&format!("verdict: {}", worth.describe())),
        None => {}
    }
}

/// What simpler answers would give on the same labels.
fn beside(found: &Evaluation, higher: bool) -> Option<String> {
    let constant = found.constant.as_ref();
    let baseline = found.baseline.as_ref();
    let mut parts: Vec<String> = Vec::new();
    if let Some(b) = baseline.filter(|b| constant.is_none_or(|c| c.name != b.name)) {
        parts.push(format!("{} {}", b.name, value(b.value, higher)));
    }
    if let Some(Constant { name, value: v }) = constant {
        parts.push(format!("{name} {}", value(*v, higher)));
    }
    (!parts.is_empty()).then(|| format!("for comparison: {}", parts.join(", ")))
}

/// The members of a blend, a line each.
pub(crate) fn members(found: &Evaluation) -> Vec<String> {
    let higher = found.measures.first().is_some_and(|m| m.higher_is_better);
    let line = |m: &MemberMeasured| {
        format!(
            "    {:>3.0} %  {} (alone: {})",
            100.0 * m.share,
            m.name,
            value(m.value, higher)
        )
    };
    let lines = found.members.iter().map(line);
    let head = (!found.members.is_empty()).then(|| "  members of the blend:".to_owned());
    head.into_iter().chain(lines).collect()
}

/// A share in percent, or a loss.
pub(crate) fn value(value: f64, higher: bool) -> String {
    if higher {
        format!("{:.1} %", 100.0 * value)
    } else {
        format!("{value:.4}")
    }
}

/// One measure with its interval, in one line.
pub(crate) fn measure(measured: &Measured, percent: f64) -> String {
    let estimate = &measured.estimate;
    let about = match (measured.name, estimate.estimand) {
        ("accuracy", estimand) => format!(" {}", estimand.describe()),
        (_, Estimand::Unlabelled | Estimand::NewRow) => String::new(),
    };
    let shown = |v: f64| {
        if measured.higher_is_better {
            format!("{:.1}", 100.0 * v)
        } else {
            format!("{v:.4}")
        }
    };
    let unit = if measured.higher_is_better { " %" } else { "" };
    let start = format!("{}{about}: {}{unit}", measured.name, shown(estimate.value));
    match &estimate.interval {
        Some(interval) => format!(
            "{start}, between {} and {} ({percent:.0} %)",
            shown(interval.low),
            shown(interval.high)
        ),
        None => format!(
            "{start}, no interval: {}",
            estimate.no_interval.unwrap_or("it cannot be told")
        ),
    }
}
