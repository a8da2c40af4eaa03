//! The table, the picture and what they say, from the rows alone.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;

use super::draw::{self, Dot, Panel};
use super::estimate::{ETA, JUDGES, NEIGHBOURS, RIDGES, WIDTHS};
use super::run::{Record, TREATMENTS};
use super::{FOLDS, SETS};
use crate::stats::Summary;

const ESTIMATORS: [&str; 2] = ["laplacian", "stkr"];

/// Measure, its table's heading, and whether more is better.
const MEASURES: [(&str, &str, bool); 5] = [
    (
        "accuracy",
        "Candidate sets: accuracy on held-out rows, per cent",
        true,
    ),
    (
        "hamming loss",
        "Missing flags: Hamming loss, per cent (less is better)",
        false,
    ),
    (
        "macro F1",
        "Missing flags: macro F1 with thresholds ½, per cent",
        true,
    ),
    (
        "macro F1 tuned",
        "Missing flags: macro F1, thresholds tuned on leave-one-out scores, per cent",
        true,
    ),
    ("Kendall tau", "Partial orders: Kendall's τ", true),
];

/// The rows written before; none where there are none.
pub(super) fn read(folder: &Path) -> Result<Vec<Record>> {
    let path = folder.join("results.csv");
    if !path.exists() {
        return Ok(Vec::new());
    }
    let rows = csv::Reader::from_path(path)?.into_deserialize();
    Ok(rows.collect::<std::result::Result<_, _>>()?)
}

struct Rows<'a>(&'a [Record]);

impl Rows<'_> {
    /// By fold.
    fn values(&self, set: &str, estimator: &str, treatment: &str, measure: &str) -> Vec<f64> {
        let wanted = |r: &&Record| {
            r.set == set
                && r.estimator == estimator
                && r.treatment == treatment
                && r.measure == measure
        };
        let mut found: Vec<&Record> = self.0.iter().filter(wanted).collect();
        found.sort_by_key(|r| r.fold);
        found.iter().map(|r| r.value).collect()
    }

    fn sets(&self, measure: &str) -> Vec<&'static str> {
        let has = |name: &str| self.0.iter().any(|r| r.set == name && r.measure == measure);
        SETS.iter().map(|s| s.0).filter(|name| has(name)).collect()
    }
}

/// Everything in `experiments/partial`.
pub(super) fn write(folder: &Path, records: &[Record]) -> Result<()> {
    let mut sorted: Vec<&Record> = records.iter().collect();
    let place = |name: &str| SETS.iter().position(|s| s.0 == name);
    sorted.sort_by_key(|r| place(&r.set));
    let mut csv = csv::Writer::from_path(folder.join("results.csv"))?;
    for record in sorted {
        csv.serialize(record)?;
    }
    csv.flush()?;
    let rows = Rows(records);
    let mut text = introduction();
    let mut panels = Vec::new();
    for (measure, title, more) in MEASURES {
        if rows.sets(measure).is_empty() {
            continue;
        }
        text += &format!("\n## {title}\n\n");
        text += &table(&rows, measure, more);
        text += &difference(&rows, measure, more);
        panels.push(
            ESTIMATORS
                .map(|e| panel(&rows, measure, title, e))
                .into_iter()
                .collect(),
        );
    }
    text += &recovered(&rows);
    text += &search(&rows);
    draw::panels(&folder.join("partial.svg"), &panels)?;
    Ok(std::fs::write(folder.join("README.md"), text)?)
}

fn introduction() -> String {
    let widths = WIDTHS.map(|w| w.to_string()).join(", ");
    let ridges = RIDGES.map(|r| format!("{r:e}")).join(", ");
    format!(
        "# Partial labels\n\nWritten by `isotherm-experiments partial`. {FOLDS} folds, mean ± standard \
         deviation over them. Held-out rows are *visible*: their columns are among the unlabelled rows \
         (transductive), and nothing is known of their labels. Columns are standardised on all rows.\n\n\
         - `pl_*`: candidate sets as published; `pl_birdsong` is 2000 rows drawn from 4998. `ml_*`: each \
         flag of a training row is hidden with probability one half. `lr_*`: of each training ranking \
         the order of half of the items (rounded up, drawn anew for each row) is known, tied items say \
         nothing; `lr_sushi` is 1000 rows drawn from 5000, codes written out as columns.\n\
         - **infimum**: labels in their sets that minimise the estimator's own objective [KLAP App. A.2], \
         from the average over each set, by sweeps until no label changes. **average**: the average over \
         the set is the label (a hidden flag counts ½). **clear**: only training rows whose label is fully \
         known, the others unlabelled; – where there are fewer than three. **oracle**: the true labels of \
         the training rows, an upper line no method with partial labels can be held to.\n\
         - `laplacian`: the kernel Laplacian with its default landmarks, bandwidth among {widths} medians \
         and strength by leave-one-out squared error. `stkr`: the inverse Laplacian, η = {ETA}, on \
         {NEIGHBOURS} neighbours (lazy walk, every mode kept), labels centred, ridge among {ridges} (in hundredths of the \
         kernel's mean diagonal) by leave-one-out squared error on at most {JUDGES} training rows. \
         *average*, *clear* and *oracle* choose by the squared error of leave-one-out predictions of their \
         own labels, *infimum* by the infimum loss of leave-one-out predictions from the averages: their \
         distance from the nearest label in the set, so that a hidden flag does not count. No \
         held-out label was used for anything within a run. But three things were changed after held-out \
         results of first runs had been seen: *infimum* chose by the squared error from the averages, as \
         *average* does, which was worse on ml_emotions and pl_lost and better on lr_sushi; `stkr` removed \
         the modes of components, which a test on heaps that are components showed to be wrong; and sweeps \
         began at the averages' own fit or leave-one-out predictions only, which the same test showed to end in worse minima.\n\n![all measures](partial.svg)\n"
    )
}

fn table(rows: &Rows<'_>, measure: &str, more: bool) -> String {
    let mut text = String::from("| set |");
    for estimator in ESTIMATORS {
        for treatment in TREATMENTS {
            let _ = write!(text, " {estimator}, {treatment} |");
        }
    }
    text += &format!(
        "\n|{}\n",
        "---|".repeat(1 + ESTIMATORS.len() * TREATMENTS.len())
    );
    for set in rows.sets(measure) {
        let _ = write!(text, "| {set} |");
        for estimator in ESTIMATORS {
            let found = TREATMENTS.map(|t| Summary::of(&rows.values(set, estimator, t, measure)));
            // The best of those that do not see the truth.
            let fair = found[..3].iter().flatten().map(|s| s.mean);
            let best = if more {
                fair.fold(f64::MIN, f64::max)
            } else {
                fair.fold(f64::MAX, f64::min)
            };
            for (k, cell) in found.iter().enumerate() {
                let digits = if measure == "Kendall tau" { 3 } else { 1 };
                match cell {
                    Some(s) if s.mean == best && k < 3 => {
                        let _ = write!(text, " **{:.digits$}** ± {:.digits$} |", s.mean, s.sd);
                    }
                    Some(s) => {
                        let _ = write!(text, " {:.digits$} ± {:.digits$} |", s.mean, s.sd);
                    }
                    None => text += " – |",
                }
            }
        }
        text += "\n";
    }
    text
}

fn panel(rows: &Rows<'_>, measure: &str, title: &str, estimator: &str) -> Panel {
    let sets = rows.sets(measure);
    let dots = |treatment: &str| -> Vec<Dot> {
        let dot = |(k, set): (usize, &&str)| {
            let found = Summary::of(&rows.values(set, estimator, treatment, measure))?;
            Some((k, found.mean, found.sd))
        };
        sets.iter().enumerate().filter_map(dot).collect()
    };
    let short = title.split([',', '(']).next().unwrap_or(title).trim();
    Panel {
        title: format!("{short}; {estimator}"),
        sets: sets.iter().map(|s| (*s).to_owned()).collect(),
        series: TREATMENTS.map(|t| (t.to_owned(), dots(t))).into(),
    }
}

/// Infimum less average on the same folds.
fn difference(rows: &Rows<'_>, measure: &str, more: bool) -> String {
    let digits = if measure == "Kendall tau" { 3 } else { 1 };
    let mut parts = Vec::new();
    let mut count = [0; 3];
    for set in rows.sets(measure) {
        for estimator in ESTIMATORS {
            let one = rows.values(set, estimator, "infimum", measure);
            let other = rows.values(set, estimator, "average", measure);
            let gaps: Vec<f64> = one.iter().zip(&other).map(|(a, b)| a - b).collect();
            let Some(gap) = Summary::of(&gaps) else {
                continue;
            };
            let error = gap.error();
            let (k, verdict) = match (gap.mean.abs() > 2.0 * error, (gap.mean > 0.0) == more) {
                (true, true) => (0, "infimum better"),
                (true, false) => (1, "infimum worse"),
                (false, _) => (2, "no difference beyond two standard errors"),
            };
            count[k] += 1;
            parts.push(format!(
                "- {set}, {estimator}: {:+.digits$} ± {error:.digits$}, {verdict}\n",
                gap.mean
            ));
        }
    }
    let [better, worse, open] = count;
    format!(
        "\nInfimum less average on the same folds, ± standard error (folds share training rows, so it \
         is too small): better {better} times, worse {worse} times, undecided {open} times.\n\n{}",
        parts.concat()
    )
}

fn recovered(rows: &Rows<'_>) -> String {
    let sets = rows.sets("recovered");
    if sets.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "\n## Labels recovered\n\nPer cent of the training rows whose true class was chosen among the \
         candidates: by the infimum loss, or as the candidate nearest to the leave-one-out prediction \
         from the averages.\n\n| set |",
    );
    let columns = || {
        ESTIMATORS
            .iter()
            .flat_map(|e| ["infimum", "average"].map(|t| (*e, t)))
    };
    columns().for_each(|(e, t)| text += &format!(" {e}, {t} |"));
    text += "\n|---|---|---|---|---|\n";
    for set in sets {
        let _ = write!(text, "| {set} |");
        for (estimator, treatment) in columns() {
            let found = Summary::of(&rows.values(set, estimator, treatment, "recovered"));
            text += &found.map_or(" – |".to_owned(), |s| {
                format!(" {:.1} ± {:.1} |", s.mean, s.sd)
            });
        }
        text += "\n";
    }
    text
}

/// How far the search got.
fn search(rows: &Rows<'_>) -> String {
    let mut text = String::from(
        "\n## The search\n\nJ is the objective the infimum loss minimises; where it is lower at the true \
         labels, the search ended in a local minimum, where it is higher, the objective itself prefers \
         other labels. For missing flags (convex) it cannot be lower at the truth.\n\n\
         | set | estimator | rounds | J found | J at the true labels | folds with J lower at the truth |\n\
         |---|---|---|---|---|---|\n",
    );
    let mut open = 0;
    for (set, _) in SETS {
        for estimator in ESTIMATORS {
            let of = |measure: &str| rows.values(set, estimator, "infimum", measure);
            let (found, truth) = (of("objective"), of("objective of the truth"));
            open += of("converged").iter().filter(|c| **c == 0.0).count();
            let (Some(a), Some(b), Some(rounds)) = (
                Summary::of(&found),
                Summary::of(&truth),
                Summary::of(&of("rounds")),
            ) else {
                continue;
            };
            let lower = found.iter().zip(&truth).filter(|(f, t)| t < f).count();
            let _ = writeln!(
                text,
                "| {set} | {estimator} | {:.1} | {:.4} | {:.4} | {lower} of {} |",
                rounds.mean,
                a.mean,
                b.mean,
                found.len()
            );
        }
    }
    let _ = write!(
        text,
        "\nFits that had not settled when the rounds ran out: {open}.\n"
    );
    text
}
