//! The nine graphs and their splits.  [STKR App. D.1]

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use isotherm::data::graph::EdgeRules;
use isotherm::data::{Graph, GraphBuilder, split};
use isotherm::monitor::Quiet;
use isotherm_io::npy::NpyArray;
use isotherm_io::npz::read_npz;
use isotherm_io::{Cells, Limits};

/// One of the paper's graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Its name on the command line and in result files.
    pub key: &'static str,
    /// Its name in the paper's tables.
    pub title: &'static str,
    /// The data file, without `.npz`.
    pub file: &'static str,
    /// Classes.
    pub classes: usize,
    /// Labelled nodes.
    pub train: usize,
    /// Validation nodes.
    pub validation: usize,
}

const fn by_class(
    key: &'static str,
    title: &'static str,
    file: &'static str,
    classes: usize,
) -> Entry {
    Entry {
        key,
        title,
        file,
        classes,
        train: 20 * classes,
        validation: 20 * classes,
    }
}

const fn planetoid(key: &'static str, title: &'static str, classes: usize) -> Entry {
    Entry {
        validation: 500,
        ..by_class(key, title, key, classes)
    }
}

/// In the order of the paper's tables.
pub const GRAPHS: [Entry; 9] = [
    by_class("cs", "CS", "coauthor_cs", 15),
    planetoid("citeseer", "CiteSeer", 6),
    by_class("computers", "Computers", "amazon_computers", 10),
    planetoid("cora", "Cora", 7),
    by_class("corafull", "CoraFull", "cora_full", 70),
    by_class("dblp", "DBLP", "dblp", 4),
    by_class("photo", "Photo", "amazon_photo", 8),
    by_class("physics", "Physics", "coauthor_physics", 5),
    planetoid("pubmed", "PubMed", 3),
];

/// The graph of this name.
///
/// # Errors
/// When there is none.
pub fn find(key: &str) -> Result<Entry> {
    let names = || GRAPHS.map(|g| g.key).join(", ");
    (GRAPHS.into_iter().find(|g| g.key == key))
        .with_context(|| format!("there is no graph \"{key}\"; try {}", names()))
}

/// A graph with its labels.
#[derive(Debug)]
pub struct Network {
    /// Which.
    pub entry: Entry,
    /// Its edges, without loops, each once.
    pub graph: Graph,
    /// The class of each node.
    pub labels: Vec<u32>,
    /// Nodes whose class is not known and counts as 0, as PyG has it.
    pub unknown: Vec<usize>,
}

/// Where the data sets are: `ISOTHERM_DATA`, or `../shared/data`.
pub fn directory() -> PathBuf {
    std::env::var_os("ISOTHERM_DATA").map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from)
}

/// Reads a graph.
///
/// # Errors
/// When the file is missing or is not what the paper describes.
pub fn load(entry: Entry, directory: &Path) -> Result<Network> {
    let path = directory.join(format!("{}.npz", entry.file));
    let arrays = read_npz(&path, Limits::default(), &mut Quiet).with_context(|| {
        format!(
            "reading {}; ISOTHERM_DATA names the directory",
            path.display()
        )
    })?;
    let array = |name: &str| {
        let array = arrays.get(name);
        array.with_context(|| format!("{} has no array \"{name}\"", path.display()))
    };
    let labels = integers(array("labels")?)?;
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(labels.len());
    for edge in integers(array("edges")?)?.chunks_exact(2) {
        builder.push(edge[0], edge[1], None)?;
    }
    let (graph, _) = builder.finish(&mut Quiet)?;
    let unknown = match arrays.get("no_label") {
        Some(nodes) => integers(nodes)?.into_iter().map(|i| i as usize).collect(),
        None => Vec::new(),
    };
    let classes = labels.iter().max().map_or(0, |c| *c as usize + 1);
    ensure!(
        classes == entry.classes,
        "{} has {classes} classes, the paper says {}",
        entry.key,
        entry.classes
    );
    Ok(Network {
        entry,
        graph,
        labels,
        unknown,
    })
}

fn integers(array: &NpyArray) -> Result<Vec<u32>> {
    match &array.cells {
        Cells::Integer(v) => (v.values().iter())
            .map(|v| u32::try_from(*v).context("a negative or very large number"))
            .collect(),
        Cells::Float(v) => Ok(v.values().iter().map(|v| *v as u32).collect()),
        other => anyhow::bail!("an array of numbers was expected, got {other:?}"),
    }
}

/// Nodes of each role, one uniform permutation cut into four.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// Labelled.
    pub train: Vec<usize>,
    /// Parameters are chosen on them.
    pub validation: Vec<usize>,
    /// Reported on.
    pub test: Vec<usize>,
    /// Unlabelled, not reported on.
    pub other: Vec<usize>,
}

impl Split {
    /// The split of a seed. Training and validation nodes depend on the seed
    /// only, and a larger test set contains a smaller one.
    ///
    /// # Errors
    /// When the graph is too small for it.
    pub fn new(entry: &Entry, nodes: usize, share: f64, seed: u64) -> Result<Self> {
        let test = (share * nodes as f64) as usize;
        let parts = split::uniform(nodes, &[entry.train, entry.validation, test], seed)?;
        let [train, validation, test, other] = <[Vec<usize>; 4]>::try_from(parts)
            .map_err(|_| anyhow::anyhow!("a split has four parts"))?;
        Ok(Self {
            train,
            validation,
            test,
            other,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn splits_have_the_papers_sizes_and_hold_every_node_once() {
        // Fractions of Table 3, tests of Tables 4 and 5.
        for (key, nodes, train, validation, tests) in [
            ("cora", 2708, 140, 500, [(0.01, 27), (0.3, 812)]),
            ("citeseer", 3327, 120, 500, [(0.01, 33), (0.3, 998)]),
            ("pubmed", 19717, 60, 500, [(0.01, 197), (0.3, 5915)]),
            ("corafull", 19793, 1400, 1400, [(0.01, 197), (0.3, 5937)]),
            ("physics", 34493, 100, 100, [(0.01, 344), (0.3, 10347)]),
        ] {
            let entry = find(key).unwrap();
            for (share, test) in tests {
                let split = Split::new(&entry, nodes, share, 3).unwrap();
                assert_eq!(
                    [split.train.len(), split.validation.len(), split.test.len()],
                    [train, validation, test],
                    "{key}"
                );
                let parts = [&split.train, &split.validation, &split.test, &split.other];
                let mut all: Vec<usize> = parts.into_iter().flatten().copied().collect();
                all.sort_unstable();
                assert!(all.into_iter().eq(0..nodes));
            }
        }
    }

    #[test]
    fn the_test_share_changes_neither_training_nor_validation_nodes() {
        let entry = find("cora").unwrap();
        let small = Split::new(&entry, 2708, 0.01, 5).unwrap();
        let large = Split::new(&entry, 2708, 0.3, 5).unwrap();
        assert_eq!(small.train, large.train);
        assert_eq!(small.validation, large.validation);
        assert_eq!(small.test, large.test[..27]);
        assert_ne!(small, Split::new(&entry, 2708, 0.01, 6).unwrap());
    }
}
