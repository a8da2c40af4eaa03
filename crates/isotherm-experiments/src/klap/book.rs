//! Error rates with 10 and 100 labels on the sets of the semi-supervised book and on
//! digits: every method as it comes, nothing tuned on a label that is tested.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};
use isotherm::data::{Points, Targets, split};
use isotherm::estimator::baseline::KernelRidgeParams;
use isotherm::monitor::Quiet;
use isotherm::recipe::{Method, Recipe, Task};
use isotherm::study::{Input, Study};
use isotherm_io::npy::NpyArray;
use isotherm_io::npz::read_npz;
use isotherm_io::{Cells, Limits};

use super::{folder, head, line};

/// Published splits a set has, or as many draws.
pub const SPLITS: usize = 12;

/// Name, file, and whether its splits are published.
const SETS: [(&str, &str, bool); 8] = [
    ("Digit1", "ssl_digit1", true),
    ("USPS (book)", "ssl_usps", true),
    ("BCI", "ssl_bci", true),
    ("COIL", "ssl_coil", true),
    ("Text", "ssl_text", true),
    ("digits", "digits", false),
    ("usps", "usps", false),
    ("mnist (test part)", "mnist", false),
];

const LABELS: [usize; 2] = [10, 100];

struct Set {
    points: Points,
    classes: Vec<u32>,
    /// By the number of labels.
    splits: BTreeMap<usize, Vec<Vec<usize>>>,
}

fn numbers(array: &NpyArray) -> Result<Vec<f64>> {
    Ok(match &array.cells {
        Cells::Float(values) => values.values().to_vec(),
        Cells::Integer(values) => values.values().iter().map(|v| *v as f64).collect(),
        _ => bail!("an array that holds no numbers"),
    })
}

fn load(file: &str, published: bool, directory: &Path) -> Result<Set> {
    let path = directory.join(format!("{file}.npz"));
    let arrays = read_npz(&path, Limits::default(), &mut Quiet)?;
    let array = |name: &str| {
        arrays
            .get(name)
            .with_context(|| format!("{file}: no {name}"))
    };
    let labels = numbers(array("y")?)?;
    let total = labels.len();
    let (mut values, dim) = if arrays.contains_key("X") {
        let x = numbers(array("X")?)?;
        let dim = x.len() / total;
        (x, dim)
    } else {
        sparse(
            &numbers(array("feat_indptr")?)?,
            &numbers(array("feat_indices")?)?,
            &numbers(array("feat_data")?)?,
            numbers(array("feat_shape")?)?[1] as usize,
        )
    };
    let mut classes: Vec<u32> = labels.iter().map(|l| *l as u32).collect();
    if file == "mnist" {
        // The published test part: 10,000 rows.
        let start = numbers(array("test_start")?)?[0] as usize;
        values.drain(..start * dim);
        classes.drain(..start);
    }
    let mut splits = BTreeMap::new();
    for count in LABELS {
        let rows = if published {
            (numbers(array(&format!("labelled_{count}"))?)?.chunks_exact(count))
                .map(|rows| rows.iter().map(|r| *r as usize).collect())
                .collect()
        } else {
            draws(&classes, count)?
        };
        splits.insert(count, rows);
    }
    let total = classes.len();
    Ok(Set {
        points: Points::new(values, total, dim)?,
        classes,
        splits,
    })
}

/// A CSR table written out.
fn sparse(starts: &[f64], columns: &[f64], data: &[f64], dim: usize) -> (Vec<f64>, usize) {
    let mut values = vec![0.0; (starts.len() - 1) * dim];
    for (row, range) in starts.windows(2).enumerate() {
        for k in range[0] as usize..range[1] as usize {
            values[row * dim + columns[k] as usize] = data[k];
        }
    }
    (values, dim)
}

/// Uniform draws in which every class has a label, as in the book's.
fn draws(classes: &[u32], count: usize) -> Result<Vec<Vec<usize>>> {
    let kinds = classes.iter().max().map_or(0, |c| *c as usize + 1);
    let mut found = Vec::new();
    for seed in 0.. {
        let rows = split::uniform(classes.len(), &[count], seed)?.swap_remove(0);
        let mut met = vec![false; kinds];
        rows.iter().for_each(|&i| met[classes[i] as usize] = true);
        if met.iter().filter(|m| **m).count() == kinds.min(count) {
            found.push(rows);
        }
        if found.len() == SPLITS {
            break;
        }
    }
    Ok(found)
}

fn methods() -> Vec<(&'static str, Recipe)> {
    let of = |method| Recipe::of(method, Task::Classify, 0);
    vec![
        (
            "kernel ridge",
            of(Method::KernelRidge(KernelRidgeParams::default())),
        ),
        ("isotherm laplacian", of(Method::laplacian(Task::Classify))),
        ("isotherm stkr", Recipe::on_graph(Task::Classify, 0)),
    ]
}

/// Per cent wrong on the rows without a label.
fn wrong(set: &Set, recipe: &Recipe, labelled: &[usize]) -> Result<f64> {
    let mut names: Vec<Option<String>> = vec![None; set.classes.len()];
    for &i in labelled {
        names[i] = Some(format!("{:03}", set.classes[i]));
    }
    let targets = Targets::from_names(&names);
    let mut study = Study::new(recipe, Input::Table(set.points.clone()), &targets)?;
    let model = study.fit(&mut Quiet)?;
    let answer = study.training_answer(&model, &mut Quiet)?;
    ensure!(answer.classes().is_some(), "classes were asked for");
    let found = answer.names();
    let mut known = vec![false; found.len()];
    labelled.iter().for_each(|&i| known[i] = true);
    let rest: Vec<usize> = (0..found.len()).filter(|&i| !known[i]).collect();
    let miss = rest.iter().filter(|&&i| {
        let truth = format!("{:03}", set.classes[i]);
        found[i] != Some(truth.as_str())
    });
    Ok(100.0 * miss.count() as f64 / rest.len() as f64)
}

/// scikit-learn's LabelSpreading on the same splits, where there is a Python for it.
fn spreading(set: &Set, splits: &[Vec<usize>]) -> Result<Option<Vec<f64>>> {
    let Some(python) = std::env::var_os("ISOTHERM_PEER_PYTHON") else {
        return Ok(None);
    };
    let folder = std::env::temp_dir().join(format!("isotherm-book-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let file = |name: &str| -> PathBuf { folder.join(name) };
    let (n, d) = (set.points.len(), set.points.dim());
    npy(
        &file("x.npy"),
        "<f8",
        &format!("{n}, {d}"),
        set.points.tile(0..n).iter().map(|v| v.to_le_bytes()),
    )?;
    npy(
        &file("y.npy"),
        "<u4",
        &format!("{n},"),
        set.classes.iter().map(|v| v.to_le_bytes()),
    )?;
    let rows: Vec<String> = splits.iter().map(|s| format!("{s:?}")).collect();
    std::fs::write(file("splits.json"), format!("[{}]", rows.join(",")))?;
    let answer = Command::new(python)
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/peers/spread.py"))
        .args([file("x.npy"), file("y.npy"), file("splits.json")])
        .output();
    std::fs::remove_dir_all(&folder)?;
    let answer = answer?;
    ensure!(
        answer.status.success(),
        "LabelSpreading failed: {}",
        String::from_utf8_lossy(&answer.stderr)
    );
    let text = String::from_utf8(answer.stdout)?;
    let list = text.trim().trim_start_matches('[').trim_end_matches(']');
    let parsed: std::result::Result<Vec<f64>, _> =
        list.split(',').map(|v| v.trim().parse()).collect();
    Ok(Some(parsed?))
}

/// An array the way numpy reads it.
fn npy<const N: usize>(
    path: &Path,
    kind: &str,
    shape: &str,
    values: impl Iterator<Item = [u8; N]>,
) -> Result<()> {
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(header.len())?.to_le_bytes());
    bytes.extend(header.as_bytes());
    values.for_each(|v| bytes.extend(v));
    Ok(std::fs::write(path, bytes)?)
}

/// The table, written anew after every set, so that a stop loses one set at most.
///
/// # Errors
/// When data are missing, a fit fails or a file cannot be written.
pub fn table(out: &Path, directory: &Path, splits: usize) -> Result<()> {
    let folder = folder(out, "klap-book")?;
    let mut rows: Vec<(String, usize, String, Vec<f64>)> = Vec::new();
    for (title, file, published) in SETS {
        let set = load(file, published, directory)?;
        for count in LABELS {
            let chosen = &set.splits[&count][..splits.min(SPLITS)];
            for (name, recipe) in methods() {
                let errors = (chosen.iter())
                    .map(|labelled| wrong(&set, &recipe, labelled))
                    .collect::<Result<Vec<f64>>>()
                    .with_context(|| format!("{title}, {count} labels, {name}"))?;
                rows.push((title.to_owned(), count, name.to_owned(), errors));
            }
            if let Some(errors) = spreading(&set, chosen)? {
                let name = "scikit-learn LabelSpreading".to_owned();
                rows.push((title.to_owned(), count, name, errors));
            }
        }
        write(&folder, &rows, splits)?;
    }
    Ok(())
}

fn write(folder: &Path, rows: &[(String, usize, String, Vec<f64>)], splits: usize) -> Result<()> {
    let mut text = format!(
        "# Error rates with 10 and 100 labels\n\nWritten by `isotherm-experiments klap book`. Per cent of \
         the rows without a label that are wrong, mean ± standard deviation over {} splits: the published \
         ones of the book's sets, uniform draws with a label of every class for the others. Every method \
         as it comes, columns standardised for all: kernel ridge on the labelled rows alone (median \
         bandwidth, ridge 10⁻³); `laplacian` with bandwidth, norm share and strength by leave-one-out on \
         the labels; `stkr` on ten neighbours, η = 0.99; LabelSpreading with `kernel='knn'`. No label that \
         is tested was used for anything. **Bold** is the lowest mean of a line.\n",
        splits.min(SPLITS)
    );
    let mut names: Vec<&str> = Vec::new();
    for (_, _, name, _) in rows {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let mut csv = csv::Writer::from_path(folder.join("results.csv"))?;
    csv.write_record(["set", "labels", "method", "split", "wrong"])?;
    let mut best = vec![0_usize; names.len()];
    let mut lines = 0;
    for count in LABELS {
        text += &format!("\n## {count} labels\n\n");
        let mut heads = vec!["set"];
        heads.extend(&names);
        text += &head(&heads);
        for (title, ..) in SETS {
            let found: Vec<Option<(f64, f64)>> = (names.iter())
                .map(|name| {
                    let row = rows
                        .iter()
                        .find(|r| r.0 == title && r.1 == count && r.2 == *name)?;
                    let n = row.3.len() as f64;
                    let mean = row.3.iter().sum::<f64>() / n;
                    let square = row.3.iter().map(|v| (v - mean).powi(2)).sum::<f64>();
                    Some((mean, (square / (n - 1.0).max(1.0)).sqrt()))
                })
                .collect();
            if found.iter().all(Option::is_none) {
                continue;
            }
            let least = found.iter().flatten().map(|f| f.0).fold(f64::MAX, f64::min);
            lines += 1;
            let mut cells = vec![title.to_owned()];
            for (k, cell) in found.iter().enumerate() {
                cells.push(match cell {
                    Some((mean, deviation)) if *mean == least => {
                        best[k] += 1;
                        format!("**{mean:.1}** ± {deviation:.1}")
                    }
                    Some((mean, deviation)) => format!("{mean:.1} ± {deviation:.1}"),
                    None => "–".to_owned(),
                });
            }
            text += &line(&cells);
        }
    }
    for (title, count, name, errors) in rows {
        for (k, error) in errors.iter().enumerate() {
            csv.write_record([
                title,
                &count.to_string(),
                name,
                &k.to_string(),
                &error.to_string(),
            ])?;
        }
    }
    csv.flush()?;
    text += "\n";
    for (name, best) in names.iter().zip(best) {
        text += &format!("- {name} has the lowest mean on {best} of {lines} lines.\n");
    }
    Ok(std::fs::write(folder.join("README.md"), text)?)
}
