//! Tables, figures and what is to be said of them, written from the rows.

mod figures;
mod paired;
mod tables;

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result};

use crate::paper::Printed;
use crate::records::{self, Record};
use crate::stats::{Summary, z};

/// Writes every folder.
///
/// # Errors
/// When a file cannot be read or written.
pub fn write(out: &Path, data: &Path) -> Result<()> {
    let rows = records::all(out)?;
    tables::write(out, data, &rows)?;
    figures::write(out, &rows)?;
    paired::write(out, &rows)
}

/// Which rows make one number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key<'k> {
    pub(crate) graph: &'k str,
    pub(crate) setting: &'k str,
    pub(crate) p_test: &'k str,
    pub(crate) method: &'k str,
    pub(crate) parameter: &'k str,
}

impl Key<'_> {
    pub(crate) fn rows<'r>(&self, rows: &'r [Record]) -> Vec<&'r Record> {
        let fits = |r: &&Record| {
            r.graph == self.graph
                && r.setting == self.setting
                && r.p_test == self.p_test
                && r.method == self.method
                && r.parameter == self.parameter
        };
        rows.iter().filter(fits).collect()
    }

    pub(crate) fn test(&self, rows: &[Record]) -> Option<Summary> {
        let values: Vec<f64> = self.rows(rows).iter().map(|r| r.test).collect();
        Summary::of(&values)
    }

    pub(crate) fn rest(&self, rows: &[Record]) -> Option<Summary> {
        let values: Vec<f64> = self.rows(rows).iter().filter_map(|r| r.rest).collect();
        Summary::of(&values)
    }

    pub(crate) fn unreached(&self, rows: &[Record]) -> Option<Summary> {
        let values: Vec<f64> = self.rows(rows).iter().map(|r| r.unreached).collect();
        Summary::of(&values)
    }
}

/// The folder of a table or figure, made.
pub(crate) fn folder(out: &Path, name: &str) -> Result<std::path::PathBuf> {
    let folder = out.join(name);
    std::fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    Ok(folder)
}

/// Rows of single seeds, then one summary a number, beside the paper's where it
/// prints one.
pub(crate) fn results(
    folder: &Path,
    rows: &[Record],
    keys: &[Key<'_>],
    printed: &[Printed],
) -> Result<()> {
    let path = folder.join("results.csv");
    let mut csv =
        csv::Writer::from_path(&path).with_context(|| format!("writing {}", path.display()))?;
    csv.write_record([
        "kind",
        "graph",
        "setting",
        "p_test",
        "method",
        "parameter",
        "seed",
        "chosen",
        "validation",
        "test",
        "rest",
        "unreached",
        "seeds",
        "sd",
        "rest_sd",
        "paper",
        "paper_sd",
        "z",
    ])?;
    let text = |v: Option<f64>| v.map_or_else(String::new, |v| format!("{v:.4}"));
    for key in keys {
        for r in key.rows(rows) {
            let head = [
                "seed",
                key.graph,
                key.setting,
                key.p_test,
                key.method,
                key.parameter,
            ];
            let mut line: Vec<String> = head.map(str::to_owned).to_vec();
            line.extend([r.seed.to_string(), r.chosen.clone(), text(r.validation)]);
            line.extend([text(Some(r.test)), text(r.rest), text(Some(r.unreached))]);
            line.extend(std::iter::repeat_n(String::new(), 6));
            csv.write_record(&line)?;
        }
    }
    for key in keys {
        let Some(ours) = key.test(rows) else { continue };
        let rest = key.rest(rows);
        let theirs = find(printed, key).map(Printed::summary);
        let head = [
            "summary",
            key.graph,
            key.setting,
            key.p_test,
            key.method,
            key.parameter,
        ];
        let mut line: Vec<String> = head.map(str::to_owned).to_vec();
        line.extend([String::new(), String::new(), String::new()]);
        line.extend([text(Some(ours.mean)), text(rest.map(|r| r.mean))]);
        line.push(text(key.unreached(rows).map(|u| u.mean)));
        line.extend([
            ours.count.to_string(),
            text(Some(ours.sd)),
            text(rest.map(|r| r.sd)),
        ]);
        line.extend([text(theirs.map(|t| t.mean)), text(theirs.map(|t| t.sd))]);
        line.push(text(theirs.map(|t| z(&ours, &t))));
        csv.write_record(&line)?;
    }
    csv.flush()?;
    Ok(())
}

pub(crate) fn find<'p>(printed: &'p [Printed], key: &Key<'_>) -> Option<&'p Printed> {
    match key.parameter {
        "" => crate::paper::cell(printed, key.graph, key.method, key.setting, key.p_test),
        _ => None,
    }
}

/// A row of a Markdown table.
pub(crate) fn line(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// The first two lines of a Markdown table.
pub(crate) fn head(cells: &[&str]) -> String {
    let names: Vec<String> = cells.iter().map(|c| (*c).to_owned()).collect();
    let rule = vec!["---".to_owned(); cells.len()];
    line(&names) + &format!("|{}|\n", rule.join("|"))
}

/// `ours ± sd / theirs (z)`, with the number of seeds where it is not ten.
pub(crate) fn cell(ours: Option<Summary>, theirs: Option<&Printed>) -> String {
    let Some(ours) = ours else {
        return theirs.map_or("–".into(), |t| format!("– / {:.2}", t.mean));
    };
    let mut text = format!("{:.2}±{:.2}", ours.mean, ours.sd);
    if ours.count != crate::paper::SEEDS {
        let _ = write!(text, " [{}]", ours.count);
    }
    if let Some(theirs) = theirs {
        let distance = z(&ours, &theirs.summary());
        let mark = if theirs.note.is_empty() { "" } else { "*" };
        let _ = write!(text, " / {:.2}{mark} ({distance:+.1})", theirs.mean);
    }
    text
}

pub(crate) fn save(folder: &Path, name: &str, text: &str) -> Result<()> {
    let path = folder.join(name);
    std::fs::write(&path, text).with_context(|| format!("writing {}", path.display()))
}
