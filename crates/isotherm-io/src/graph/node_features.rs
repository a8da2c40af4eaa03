//! Features of nodes in long form: one value per line, `node feature [value]`.
//!
//! For features of which most are zero, such as words: what is not listed is zero, and a line
//! without a third cell counts one. Text, Parquet or Arrow as for edges. Features are numbered in
//! the order in which they first appear.

use std::collections::VecDeque;
use std::path::Path;

use isotherm::data::Points;
use isotherm::monitor::Monitor;

use super::edges::{EdgeOptions, ReadAs, Sink, read_rows};
use super::node_names::NodeNames;
use crate::error::{Error, Place, Result, clean};
use crate::source::Source;
use crate::table::numbers::{self, NotANumber};
use crate::text::dialect::Decimal;
use crate::text::records::Record;

/// Features of nodes, those that are not zero.
#[derive(Debug)]
pub struct SparseFeatures {
    /// What the features are called.
    pub names: Vec<String>,
    nodes: usize,
    /// Node, feature and value, by node and feature.
    entries: Vec<(u32, u32, f64)>,
}

impl SparseFeatures {
    /// How many values are not zero.
    pub fn values(&self) -> usize {
        self.entries.len()
    }

    /// How many nodes have any.
    pub fn nodes(&self) -> usize {
        self.entries.chunk_by(|a, b| a.0 == b.0).count()
    }

    /// One row for each node; zeros for a node that no line names. 12 bytes a value, never a
    /// dense copy.
    ///
    /// # Errors
    /// As [`Points::sparse`].
    pub fn points(&self) -> Result<Points> {
        let mut starts = Vec::with_capacity(self.nodes + 1);
        let mut at = 0;
        for node in 0..=self.nodes {
            while self.entries.get(at).is_some_and(|e| (e.0 as usize) < node) {
                at += 1;
            }
            starts.push(at);
        }
        let columns = self.entries.iter().map(|e| e.1).collect();
        let values = self.entries.iter().map(|e| e.2).collect();
        Ok(Points::sparse(starts, columns, values, self.names.len())?)
    }
}

/// Reads features of the nodes of these names.
///
/// With the features that a model learned from, `known` are their names in order, and lines of
/// other features are counted and not kept; the second number says how many.
///
/// Memory: 40 bytes a line while it is read.
///
/// # Errors
/// [`Error::Node`] for a node that is not among them; [`Error::Format`] for a line without two or
/// three cells, a feature without a name, a value that is no finite number, and a feature that a
/// node has twice; otherwise as [`super::edges::read_edges`].
pub fn read_node_features(
    source: &Source,
    options: &EdgeOptions,
    nodes: &NodeNames,
    known: Option<&[String]>,
    monitor: &mut dyn Monitor,
) -> Result<(SparseFeatures, usize, ReadAs)> {
    let mut names = NodeNames::default();
    for (k, name) in known.unwrap_or_default().iter().enumerate() {
        // Twice the same name: the first is meant.
        if names.intern(name).is_none_or(|at| at as usize != k) {
            return Err(Error::format_as(
                "node-feature",
                source.path(),
                None,
                format!("two features of the model are called \"{name}\""),
                "fit the model on features of different names",
            ));
        }
    }
    let mut lines = Lines {
        path: source.path(),
        nodes,
        names,
        fixed: known.is_some(),
        unknown: 0,
        entries: Vec::new(),
        places: Vec::new(),
    };
    let read_as = read_rows(source, options, &mut lines, monitor)?;
    let entries = lines.sorted()?;
    let features = SparseFeatures {
        names: lines.names.iter().map(str::to_owned).collect(),
        nodes: nodes.len(),
        entries,
    };
    Ok((features, lines.unknown, read_as))
}

struct Lines<'a> {
    path: &'a Path,
    nodes: &'a NodeNames,
    names: NodeNames,
    /// Whether only features that are known already are kept.
    fixed: bool,
    unknown: usize,
    entries: Vec<(u32, u32, f64)>,
    /// The place of each entry: its line or row.
    places: Vec<Place>,
}

impl Lines<'_> {
    fn bad(&self, place: Place, problem: String, hint: &str) -> Error {
        Error::format_as("node-feature", self.path, Some(place), problem, hint)
    }

    fn value(&self, place: Place, text: &str, decimal: Decimal) -> Result<f64> {
        let short = clean(text.trim(), 60);
        let problem = match numbers::parse(text, decimal) {
            Ok(value) => return Ok(value),
            Err(NotANumber::Blank) => "the value is blank".to_owned(),
            Err(NotANumber::Missing | NotANumber::NotFinite) => {
                format!("the value {short} is not a finite number")
            }
            Err(NotANumber::Text) => format!("the value \"{short}\" is not a number"),
        };
        let hint = "correct the value, or drop the line: what is not listed is zero";
        Err(self.bad(place, problem, hint))
    }

    /// By node and feature, zeros left out; refuses one that is there twice.
    fn sorted(&mut self) -> Result<Vec<(u32, u32, f64)>> {
        let mut order: Vec<usize> = (0..self.entries.len()).collect();
        // Stable: of two lines the later one is named.
        order.sort_by_key(|&at| (self.entries[at].0, self.entries[at].1));
        for pair in order.windows(2) {
            let (first, second) = (self.entries[pair[0]], self.entries[pair[1]]);
            if (first.0, first.1) == (second.0, second.1) {
                let problem = format!(
                    "node \"{}\" has the feature \"{}\" already, at {}",
                    clean(self.nodes.name(first.0).unwrap_or_default(), 60),
                    clean(self.names.name(first.1).unwrap_or_default(), 60),
                    self.places[pair[0]],
                );
                return Err(self.bad(self.places[pair[1]], problem, "keep one of the two lines"));
            }
        }
        self.places = Vec::new();
        let entries = order.into_iter().map(|at| self.entries[at]);
        Ok(entries.filter(|e| e.2 != 0.0).collect())
    }
}

impl Sink for Lines<'_> {
    /// A node that is none, with a feature that no line has.
    fn may_be_header(&self, cells: [&str; 2], others: &VecDeque<Record>) -> bool {
        let mut others = others.iter().skip(1);
        self.nodes.find(cells[0].trim()).is_none()
            && others.all(|other| other.get(1).trim() != cells[1].trim())
    }

    fn is_header(&self, cells: [&str; 2]) -> bool {
        !self.entries.is_empty() && self.names.find(cells[1].trim()).is_none()
    }

    fn take(
        &mut self,
        (place, _): (Place, u64),
        [node, feature]: [&str; 2],
        value: Option<(&str, Decimal)>,
    ) -> Result<()> {
        let value = value
            .map(|(text, decimal)| self.value(place, text, decimal))
            .transpose()?;
        let (node, feature) = (node.trim(), feature.trim());
        let Some(number) = self.nodes.find(node) else {
            return Err(Error::Node {
                path: self.path.to_owned(),
                place,
                node: clean(node, 1000),
                near: self.nodes.near(node),
            });
        };
        if feature.is_empty() {
            let problem = "the feature is blank".to_owned();
            return Err(self.bad(place, problem, "name the feature"));
        }
        let column = if self.fixed {
            self.names.find(feature)
        } else {
            self.names.intern(feature)
        };
        match column {
            Some(column) => {
                self.entries.push((number, column, value.unwrap_or(1.0)));
                self.places.push(place);
            }
            None => self.unknown += 1,
        }
        Ok(())
    }

    fn check_width(&self, width: usize, place: Place) -> Result<()> {
        if matches!(width, 2 | 3) {
            return Ok(());
        }
        Err(self.bad(
            place,
            format!("a line has {width} of the two or three cells of a feature"),
            "write a node, a feature and, if it is not one, a value; or name the delimiter",
        ))
    }

    fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.unknown == 0
    }
}
