//! The page, the tables and the rows they are made of.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use super::curves::{Curve, MODES, Plan, strategies};
use super::draw;
use crate::report::{head, line, save};
use crate::stats::Summary;

const RANDOM: &str = "random";

/// Writes the rows of one set.
pub(super) fn rows(folder: &Path, title: &str, plan: &Plan, curves: &[Curve]) -> Result<()> {
    let mut csv = csv::Writer::from_path(folder.join(format!("{}.csv", slug(title))))?;
    csv.write_record(["strategy", "seed", "labels", "rest", "all", "ledger"])?;
    for curve in curves {
        for (k, rest) in curve.rest.iter().enumerate() {
            csv.write_record([
                curve.strategy.clone(),
                curve.seed.to_string(),
                plan.points[k].to_string(),
                format!("{rest:.3}"),
                format!("{:.3}", curve.all[k]),
                format!("{:.3}", curve.ledger[k]),
            ])?;
        }
    }
    Ok(csv.flush()?)
}

/// The curves of one set, and the numbers of labels that they have points for.
pub(super) struct Set {
    title: String,
    points: Vec<usize>,
    curves: Vec<Curve>,
}

/// Reads the rows of one set, if it has any.
pub(super) fn read(folder: &Path, title: &str) -> Result<Option<Set>> {
    let path = folder.join(format!("{}.csv", slug(title)));
    if !path.exists() {
        return Ok(None);
    }
    let mut set = Set {
        title: title.to_owned(),
        points: Vec::new(),
        curves: Vec::new(),
    };
    for row in csv::Reader::from_path(&path)?.deserialize() {
        let (strategy, seed, labels, rest, all, ledger): (String, u64, usize, f64, f64, f64) =
            row.with_context(|| format!("reading {}", path.display()))?;
        let same = |c: &Curve| c.strategy == strategy && c.seed == seed;
        if !set.curves.last().is_some_and(same) {
            set.curves.push(Curve {
                strategy,
                seed,
                rest: Vec::new(),
                all: Vec::new(),
                ledger: Vec::new(),
            });
        }
        if set.curves.len() == 1 {
            set.points.push(labels);
        }
        if let Some(curve) = set.curves.last_mut() {
            curve.rest.push(rest);
            curve.all.push(all);
            curve.ledger.push(ledger);
        }
    }
    let whole = |c: &Curve| c.rest.len() == set.points.len();
    ensure!(
        !set.curves.is_empty() && set.curves.iter().all(whole),
        "{} is cut short; run the set again",
        path.display()
    );
    Ok(Some(set))
}

impl Set {
    fn seeds(&self) -> usize {
        let mut seeds: Vec<u64> = self.curves.iter().map(|c| c.seed).collect();
        seeds.sort_unstable();
        seeds.dedup();
        seeds.len()
    }
}

fn slug(title: &str) -> String {
    let letters = title
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '-' });
    letters
        .collect::<String>()
        .to_lowercase()
        .replace("--", "-")
}

/// The values of a strategy's curves at a point.
fn at(curves: &[Curve], strategy: &str, value: impl Fn(&Curve) -> f64) -> Option<Summary> {
    let values: Vec<f64> = (curves.iter())
        .filter(|c| c.strategy == strategy)
        .map(value)
        .collect();
    Summary::of(&values)
}

/// Mean over the points after the start, where curves differ.
fn mean(values: &[f64]) -> f64 {
    let later = &values[1.min(values.len() - 1)..];
    later.iter().sum::<f64>() / later.len() as f64
}

/// A strategy less random on the same seeds: mean over the curve, all rows.
fn beside_random(curves: &[Curve], strategy: &str) -> Option<Summary> {
    let of = |name: &str, seed: u64| curves.iter().find(|c| c.strategy == name && c.seed == seed);
    let mut seeds: Vec<u64> = curves.iter().map(|c| c.seed).collect();
    seeds.sort_unstable();
    seeds.dedup();
    let differences: Vec<f64> = (seeds.into_iter())
        .filter_map(|seed| {
            let (ours, random) = (of(strategy, seed)?, of(RANDOM, seed)?);
            Some(mean(&ours.all) - mean(&random.all))
        })
        .collect();
    Summary::of(&differences)
}

/// What a difference says: more or less than twice its standard error, or neither.
fn verdict(difference: &Summary) -> &'static str {
    match difference {
        d if d.mean > 2.0 * d.error() => "better",
        d if d.mean < -2.0 * d.error() => "worse",
        _ => "no different",
    }
}

/// Writes page and picture anew from all rows so far.
pub(super) fn write(folder: &Path, all: &[Set]) -> Result<()> {
    let names: Vec<String> = strategies().into_iter().map(|s| s.0).collect();
    let mut text = format!(
        "# Accuracy against the number of labels\n\nWritten by `isotherm-experiments query`. Each seed draws \
         the first labelled rows at random, the same for every strategy, which then asks for one row after \
         the other. Strategies choose by a ledger over {MODES} modes of the method that predicts; \
         predictions are that method's own fit to the labels so far: STKR as it comes, on the graph or on \
         ten neighbours of standardised rows, and for the last set the kernel Laplacian as it comes. All \
         rows of every set are used. *rest* is the per cent right of the rows without a label, *all* that \
         of all rows, where the labelled ones are known; a row that no label reaches counts as wrong. No \
         label that was not asked for was used for anything. Three things were settled with a first look at two \
         seeds of these curves in view: that sigma-optimal is the default; that maximin, margin and entropy \
         leave components alone that are too small for a label; that the constant of a small component \
         weighs as a row does, not as a mode of the whole graph.\n\n\
         ![accuracy against labels](curves.svg)\n"
    );
    text += "\n## Beside random\n\nThe mean difference to random on the same seeds, averaged over the points \
             after the start, in per cent of all rows, ± its standard error; **bold** where it is more than \
             twice that.\n\n";
    let titles: Vec<&str> = all.iter().map(|set| set.title.as_str()).collect();
    let mut heads = vec!["strategy"];
    heads.extend(&titles);
    text += &head(&heads);
    let mut sentences = String::new();
    for name in names.iter().filter(|n| *n != RANDOM) {
        let mut cells = vec![name.clone()];
        let mut kinds: [(&str, Vec<&str>); 3] = [
            ("better", vec![]),
            ("no different", vec![]),
            ("worse", vec![]),
        ];
        for Set { title, curves, .. } in all {
            let Some(difference) = beside_random(curves, name) else {
                cells.push("–".into());
                continue;
            };
            let said = verdict(&difference);
            kinds
                .iter_mut()
                .filter(|k| k.0 == said)
                .for_each(|k| k.1.push(title));
            let number = format!("{:+.2} ± {:.2}", difference.mean, difference.error());
            cells.push(match said {
                "no different" => number,
                _ => format!("**{number}**"),
            });
        }
        text += &line(&cells);
        let parts: Vec<String> = (kinds.iter())
            .filter(|k| !k.1.is_empty())
            .map(|k| format!("{} on {}", k.0, k.1.join("; ")))
            .collect();
        let none = if kinds[0].1.is_empty() {
            " **It does not beat random on any of these sets.**"
        } else {
            ""
        };
        let _ = writeln!(
            sentences,
            "- {name}: {} than random.{none}",
            parts.join(", ")
        );
    }
    text += "\nIn words, by twice the standard error:\n\n";
    text += &sentences.replace("no different on", "no better and no worse on");
    for set in all {
        let Set {
            title,
            points,
            curves,
        } = set;
        let (seeds, last) = (set.seeds(), points[points.len() - 1]);
        let _ = write!(
            text,
            "\n## {title}\n\n{seeds} seeds, {} to {last} labels.\n\n",
            points[0]
        );
        let chosen: Vec<usize> = (0..points.len())
            .filter(|k| [0, 1, points.len() / 2, points.len() - 1].contains(k))
            .collect();
        let mut heads = vec!["strategy".to_owned()];
        for &k in &chosen {
            heads.push(format!("rest, {} labels", points[k]));
        }
        for &k in &chosen {
            heads.push(format!("all, {} labels", points[k]));
        }
        heads.push(format!("ledger's own, {} labels", points[points.len() - 1]));
        text += &head(&heads.iter().map(String::as_str).collect::<Vec<_>>());
        for name in &names {
            let show = |s: Option<Summary>| {
                s.map_or("–".into(), |s| format!("{:.1} ± {:.1}", s.mean, s.sd))
            };
            let mut cells = vec![name.clone()];
            cells.extend(
                chosen
                    .iter()
                    .map(|&k| show(at(curves, name, |c| c.rest[k]))),
            );
            cells.extend(chosen.iter().map(|&k| show(at(curves, name, |c| c.all[k]))));
            let last = points.len() - 1;
            cells.push(show(at(curves, name, |c| c.ledger[last])));
            text += &line(&cells);
        }
    }
    text += "\n± is the standard deviation over seeds.\n";
    let panels: Vec<draw::Panel> = (all.iter())
        .map(
            |Set {
                 title,
                 points,
                 curves,
             }| draw::Panel {
                title: title.clone(),
                curves: (names.iter())
                    .map(|name| {
                        let means = (points.iter().enumerate()).filter_map(|(k, n)| {
                            Some((*n as f64, at(curves, name, |c| c.all[k])?.mean))
                        });
                        (name.clone(), means.collect())
                    })
                    .collect(),
            },
        )
        .collect();
    save(folder, "curves.svg", &draw::curves(&panels)?)?;
    save(folder, "README.md", &text)
}
