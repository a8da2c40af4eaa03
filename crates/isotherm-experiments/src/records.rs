//! What one method did on one split: the rows every table is made from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::clock::Spent;

/// One method on one split of one graph.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Record {
    /// The graph's key.
    pub graph: String,
    /// `t` for transductive, `i` for inductive.
    pub setting: String,
    /// The share of nodes tested, as the paper writes it.
    pub p_test: String,
    /// The method.
    pub method: String,
    /// What distinguishes a point of a figure: η, or the power.
    pub parameter: String,
    /// The split's seed.
    pub seed: u64,
    /// The parameters that were chosen.
    pub chosen: String,
    /// Accuracy on the validation nodes, per cent; empty where none is used.
    pub validation: Option<f64>,
    /// Accuracy on the test nodes, per cent; a node with no score is class 0.
    pub test: f64,
    /// Accuracy on all nodes that are neither labelled nor for validation, per
    /// cent, nodes of unknown class left out.
    pub rest: Option<f64>,
    /// Test nodes without any score, per cent.
    pub unreached: f64,
    /// Wall seconds of what this row needed first.
    pub seconds: f64,
    /// Processor seconds of the same.
    pub cpu: f64,
}

impl Record {
    /// With the time it took.
    #[must_use]
    pub fn timed(mut self, spent: Spent) -> Self {
        let round = |s: f64| (s * 1000.0).round() / 1000.0;
        (self.seconds, self.cpu) = (round(spent.wall), round(spent.cpu));
        self
    }

    fn key(&self) -> (String, String, String, String, String, u64) {
        let Self {
            graph,
            setting,
            p_test,
            method,
            parameter,
            seed,
            ..
        } = self.clone();
        (graph, setting, p_test, method, parameter, seed)
    }
}

/// The rows of one graph, kept in a file: a run replaces the rows it repeats
/// and leaves the others.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    rows: BTreeMap<(String, String, String, String, String, u64), Record>,
}

impl Store {
    /// Opens the file of a graph, or starts one.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
    pub fn open(directory: &Path, graph: &str) -> Result<Self> {
        let path = directory.join("runs").join(format!("{graph}.csv"));
        let rows = if path.exists() {
            read(&path)?
        } else {
            Vec::new()
        };
        let rows = rows.into_iter().map(|r| (r.key(), r)).collect();
        Ok(Self { path, rows })
    }

    /// Takes rows in and writes the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, rows: Vec<Record>) -> Result<()> {
        // Another run on this graph may have written meanwhile.
        if self.path.exists() {
            for row in read(&self.path)? {
                self.rows.entry(row.key()).or_insert(row);
            }
        }
        self.rows.extend(rows.into_iter().map(|r| (r.key(), r)));
        if let Some(parent) = self.path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        let mut writer = csv::Writer::from_path(&self.path)
            .with_context(|| format!("writing {}", self.path.display()))?;
        for row in self.rows.values() {
            writer.serialize(row)?;
        }
        writer.flush()?;
        Ok(())
    }

    /// Its rows, in order.
    pub fn rows(&self) -> impl Iterator<Item = &Record> {
        self.rows.values()
    }
}

/// The rows of every graph that has run.
///
/// # Errors
/// When a file is damaged.
pub fn all(directory: &Path) -> Result<Vec<Record>> {
    let mut rows = Vec::new();
    for graph in crate::graphs::GRAPHS {
        rows.extend(Store::open(directory, graph.key)?.rows().cloned());
    }
    Ok(rows)
}

/// Takes in the rows of another results directory.
///
/// # Errors
/// When a file of either is damaged or cannot be written.
pub fn merge(into: &Path, from: &Path) -> Result<()> {
    for graph in crate::graphs::GRAPHS {
        let rows: Vec<Record> = Store::open(from, graph.key)?.rows().cloned().collect();
        if !rows.is_empty() {
            Store::open(into, graph.key)?.add(rows)?;
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<Record>> {
    let mut reader = csv::Reader::from_path(path)?;
    let rows = reader.deserialize().collect::<Result<_, _>>();
    rows.with_context(|| format!("reading {}; delete it to start again", path.display()))
}
