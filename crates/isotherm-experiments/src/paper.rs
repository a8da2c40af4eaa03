//! The numbers the paper prints: Tables 1, 4 and 5, with their defects marked.

use anyhow::{Context, Result};

use crate::stats::Summary;

/// As printed; `read_mean` and `read_sd` where the print cannot be meant.
static PRINTED: &str = include_str!("../data/paper.csv");

/// Seeds behind every printed number.
pub const SEEDS: usize = 10;

/// One printed number.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct Printed {
    /// Its table.
    pub table: u8,
    /// LP, SP-Lap, SP-poly, SP-topd or KRR.
    pub method: String,
    /// `t` or `i`.
    pub setting: String,
    /// The share of nodes tested.
    pub p_test: String,
    /// The graph's key.
    pub graph: String,
    /// Mean accuracy, per cent.
    pub mean: f64,
    /// Standard deviation over seeds.
    pub sd: f64,
    /// What is wrong with the print.
    pub note: String,
    /// What it is read as instead.
    pub read_mean: Option<f64>,
    /// What it is read as instead.
    pub read_sd: Option<f64>,
}

impl Printed {
    /// The number as it is read here.
    pub fn summary(&self) -> Summary {
        Summary {
            count: SEEDS,
            mean: self.read_mean.unwrap_or(self.mean),
            sd: self.read_sd.unwrap_or(self.sd),
        }
    }
}

/// Every printed number of a table.
///
/// # Errors
/// When the file that comes with the crate is damaged.
pub fn table(number: u8) -> Result<Vec<Printed>> {
    let mut reader = csv::Reader::from_reader(PRINTED.as_bytes());
    let rows: Vec<Printed> = (reader.deserialize())
        .collect::<Result<_, _>>()
        .context("data/paper.csv")?;
    Ok(rows.into_iter().filter(|r| r.table == number).collect())
}

/// The printed number of a cell.
pub fn cell<'a>(
    table: &'a [Printed],
    graph: &str,
    method: &str,
    setting: &str,
    p_test: &str,
) -> Option<&'a Printed> {
    (table.iter()).find(|r| {
        r.graph == graph && r.method == method && r.setting == setting && r.p_test == p_test
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::graphs::GRAPHS;

    #[test]
    fn every_cell_of_the_tables_is_there_once() {
        assert_eq!(table(1).unwrap().len(), 3 * 8);
        let four = table(4).unwrap();
        let five = table(5).unwrap();
        assert_eq!((four.len(), five.len()), (9 * 8, 9 * 15));
        for graph in GRAPHS {
            for (method, setting) in [("LP", "t"), ("SP-Lap", "t"), ("KRR", "i")] {
                assert!(cell(&four, graph.key, method, setting, "0.01").is_some());
            }
            for p in ["0.01", "0.05", "0.1", "0.2", "0.3"] {
                assert!(cell(&five, graph.key, "SP-topd", "i", p).is_some());
            }
        }
        let cell = cell(&four, "cora", "SP-Lap", "t", "0.01").unwrap();
        assert_eq!((cell.mean, cell.sd), (77.04, 5.74));
    }

    #[test]
    fn citation_means_are_whole_numbers_of_test_nodes() {
        // Ten seeds of 27, 33 and 197 nodes; printed to two decimals.
        for (graph, nodes) in [("cora", 270.0), ("citeseer", 330.0), ("pubmed", 1970.0)] {
            for row in table(4).unwrap().iter().filter(|r| r.graph == graph) {
                let right = row.mean / 100.0 * nodes;
                assert!(
                    (right - right.round()).abs() <= 0.5e-4 * nodes + 1e-9,
                    "{row:?}"
                );
            }
        }
    }

    #[test]
    fn printed_defects_are_kept_and_read_otherwise() {
        let noted: Vec<Printed> = (table(4).unwrap().into_iter())
            .chain(table(5).unwrap())
            .filter(|r| !r.note.is_empty())
            .collect();
        assert_eq!(noted.len(), 2);
        assert_eq!((noted[0].sd, noted[0].summary().sd), (1.08, 10.8));
        assert_eq!((noted[1].mean, noted[1].summary().mean), (79.13, 79.02));
    }
}
