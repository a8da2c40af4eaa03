//! Methods against each other on the same splits and all unlabelled nodes.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;

use super::{Key, folder, head, line, results, save};
use crate::graphs::GRAPHS;
use crate::records::Record;
use crate::stats::Summary;

const METHODS: [&str; 10] = [
    "LP",
    "LP exact",
    "SP-Lap",
    "SP-Lap T≤32",
    "SP-poly",
    "SP-poly T≤32",
    "SP-topd",
    "KRR",
    "default",
    "leave-one-out",
];

/// What is subtracted from what.
const PAIRS: [(&str, &str); 7] = [
    ("SP-Lap", "LP"),
    ("LP exact", "LP"),
    ("SP-poly", "SP-Lap"),
    ("SP-topd", "SP-Lap"),
    ("default", "LP"),
    ("default", "SP-Lap"),
    ("leave-one-out", "SP-Lap"),
];

fn key<'k>(graph: &'k str, method: &'k str) -> Key<'k> {
    Key {
        graph,
        setting: "t",
        p_test: "0.01",
        method,
        parameter: "",
    }
}

/// Differences on the seeds that both have.
fn difference(rows: &[Record], graph: &str, a: &str, b: &str) -> Option<Summary> {
    let theirs = key(graph, b).rows(rows);
    let gaps: Vec<f64> = (key(graph, a).rows(rows).iter())
        .filter_map(|r| {
            let other = theirs.iter().find(|o| o.seed == r.seed)?;
            Some(r.rest? - other.rest?)
        })
        .collect();
    Summary::of(&gaps)
}

pub(super) fn write(out: &Path, rows: &[Record]) -> Result<()> {
    let folder = folder(out, "stkr-paired")?;
    let keys: Vec<Key<'_>> = (GRAPHS.iter())
        .flat_map(|g| METHODS.map(|m| key(g.key, m)))
        .collect();
    results(&folder, rows, &keys, &[])?;
    let mut text = "# Methods against each other, on all unlabelled nodes\n\nWritten by \
        `isotherm-experiments stkr paired`; not in the paper. Transductive; accuracy in per cent \
        on every node that is neither labelled nor for validation (CiteSeer's 15 nodes without a \
        label left out), mean ± standard deviation over seeds, [k] where they are not ten. \
        **default** is the library's own setting (centred labels, trivial mode removed, η = 0.99, \
        β = 10⁻³): it uses no validation label, nor does **leave-one-out**, which chooses η and β \
        by the closed-form leave-one-label-out error. All others choose on the validation nodes.\n\n"
        .to_owned();
    let mut names = vec![""];
    names.extend(METHODS);
    text += &head(&names);
    for graph in GRAPHS {
        let mut cells = vec![graph.title.to_owned()];
        for method in METHODS {
            cells.push(super::cell(key(graph.key, method).rest(rows), None));
        }
        text += &line(&cells);
    }
    text += "\n## Paired differences ± standard error\n\nThe same splits, so what a lucky split \
             gives both cancels; **bold** is more than two standard errors from zero.\n\n";
    let names: Vec<String> = PAIRS.map(|(a, b)| format!("{a} − {b}")).to_vec();
    let mut first = vec![""];
    first.extend(names.iter().map(String::as_str));
    text += &head(&first);
    let mut wins = [(0, 0, 0); PAIRS.len()];
    for graph in GRAPHS {
        let mut cells = vec![graph.title.to_owned()];
        for ((a, b), (up, down, all)) in PAIRS.into_iter().zip(&mut wins) {
            cells.push(match difference(rows, graph.key, a, b) {
                Some(gap) if gap.count > 1 => {
                    *all += 1;
                    let plain = format!("{:+.2} ± {:.2}", gap.mean, gap.error());
                    match gap.mean.abs() > 2.0 * gap.error() {
                        true if gap.mean > 0.0 => {
                            *up += 1;
                            format!("**{plain}**")
                        }
                        true => {
                            *down += 1;
                            format!("**{plain}**")
                        }
                        false => plain,
                    }
                }
                _ => "–".to_owned(),
            });
        }
        text += &line(&cells);
    }
    text += "\nIn short:\n\n";
    for ((a, b), (up, down, all)) in PAIRS.into_iter().zip(wins) {
        if all > 0 {
            let even = all - up - down;
            let _ = writeln!(
                text,
                "- {a} is above {b} on {up} graphs, below on {down}, and within two standard \
                 errors on {even}."
            );
        }
    }
    save(&folder, "README.md", &text)
}
