//! Graphs, links to them and similarity matrices.

use isotherm::base::{Adjacency as _, NeighbourBase};
use isotherm::data::graph::{EdgeRules, GraphReport, Relation};
use isotherm::data::{Graph, GraphBuilder, Links, NewNodes, Nodes};
use isotherm::monitor::{Monitor, Quiet};
use isotherm::neighbours::Search;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arrays::{Rows, column, column_or_none};
use crate::dict::to_python;
use crate::errors::{Failure, wrong_value};
use crate::thread_pool::run;

/// Undirected weighted graph.
#[pyclass(name = "Graph", module = "isotherm._core", frozen)]
pub(crate) struct PyGraph {
    pub(crate) graph: Graph,
    report: Option<GraphReport>,
}

#[pymethods]
impl PyGraph {
    #[staticmethod]
    #[pyo3(signature = (starts, columns, weights=None))]
    fn from_csr(
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        columns: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let starts: Vec<i64> = column("starts", starts)?;
        let columns: Vec<i64> = column("columns", columns)?;
        let weights: Option<Vec<f64>> = column_or_none("weights", weights)?;
        let nodes = check_csr(&starts, &columns, weights.as_deref())?;
        run(py, None, None, move |monitor| {
            let rows = rows_of(&starts);
            let edges = rows.zip(&columns).map(|(i, j)| (i, *j));
            built(Some(nodes), edges, weights.as_deref(), monitor)
        })
    }

    #[staticmethod]
    #[pyo3(signature = (n_nodes, sources, targets, weights=None))]
    fn from_edges(
        py: Python<'_>,
        n_nodes: Option<usize>,
        sources: &Bound<'_, PyAny>,
        targets: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let sources: Vec<i64> = column("sources", sources)?;
        let targets: Vec<i64> = column("targets", targets)?;
        let weights: Option<Vec<f64>> = column_or_none("weights", weights)?;
        let lengths = [Some(targets.len()), weights.as_ref().map(Vec::len)];
        if let Some(other) = lengths.into_iter().flatten().find(|l| *l != sources.len()) {
            return Err(wrong_value(format!(
                "edges: {} sources but {other} targets or weights; give one of each an edge",
                sources.len()
            )));
        }
        run(py, None, None, move |monitor| {
            let edges = sources.into_iter().zip(targets);
            built(n_nodes, edges, weights.as_deref(), monitor)
        })
    }

    #[getter]
    fn n_nodes(&self) -> usize {
        self.graph.len()
    }

    fn to_csr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let starts: Vec<i64> = self.graph.starts().iter().map(|s| *s as i64).collect();
        let columns: Vec<i64> = self.graph.columns().iter().map(|c| i64::from(*c)).collect();
        let weights = self
            .graph
            .all_weights()
            .map(|w| PyArray1::from_slice(py, w));
        let starts = PyArray1::from_vec(py, starts);
        (starts, PyArray1::from_vec(py, columns), weights).into_pyobject(py)
    }

    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.report)
    }
}

/// Rows joined to their nearest neighbours.
#[pyfunction]
#[pyo3(signature = (x, n_neighbors, *, directions=false, seed=0, exact=false, threads=None, on_event=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn knn_graph(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    n_neighbors: usize,
    directions: bool,
    seed: u64,
    exact: bool,
    threads: Option<usize>,
    on_event: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyGraph> {
    let rows = Rows::new("x", x)?;
    let search = if exact { Search::Exact } else { Search::Auto };
    run(py, threads, on_event, move |monitor| {
        let points = rows.points()?;
        let points = if directions {
            points.of_unit_length()?
        } else {
            points
        };
        let base = NeighbourBase::weighted(points, n_neighbors, search, seed, monitor)?;
        Ok(PyGraph {
            graph: base.graph().clone(),
            report: None,
        })
    })
}

/// The length of a CSR matrix, if it is one.
fn check_csr(starts: &[i64], columns: &[i64], weights: Option<&[f64]>) -> PyResult<usize> {
    let sound = starts.first() == Some(&0)
        && starts.windows(2).all(|w| w[0] <= w[1])
        && starts.last() == Some(&(columns.len() as i64))
        && weights.is_none_or(|w| w.len() == columns.len());
    if !sound {
        return Err(wrong_value(
            "starts, columns and weights are not those of one CSR matrix; pass a scipy.sparse \
             matrix's indptr, indices and data",
        ));
    }
    Ok(starts.len() - 1)
}

/// The row of each entry.
fn rows_of(starts: &[i64]) -> impl Iterator<Item = i64> + '_ {
    let rows = starts.windows(2).zip(0_i64..);
    rows.flat_map(|(w, i)| std::iter::repeat_n(i, usize::try_from(w[1] - w[0]).unwrap_or(0)))
}

fn built(
    nodes: Option<usize>,
    edges: impl Iterator<Item = (i64, i64)>,
    weights: Option<&[f64]>,
    monitor: &mut dyn Monitor,
) -> Result<PyGraph, Failure> {
    let mut builder = GraphBuilder::new(EdgeRules::default());
    if let Some(nodes) = nodes {
        builder = builder.with_nodes(nodes);
    }
    for (edge, (i, j)) in edges.enumerate() {
        let node = |i: i64| {
            u32::try_from(i).map_err(|_| isotherm::Error::Edge {
                edge,
                reason: isotherm::error::Reason::new(
                    format!("node {i} cannot be"),
                    "number nodes from 0",
                ),
            })
        };
        builder.push(node(i)?, node(j)?, weights.map(|w| w[edge]))?;
    }
    let (graph, report) = builder.finish(monitor)?;
    if report.asymmetric > 0 {
        return Err(isotherm::Error::refused(
            isotherm::error::Refusal::Edge,
            format!(
                "the graph is not symmetric: {} pairs of nodes have another weight one way than \
                 the other",
                report.asymmetric
            ),
            "edges have no direction here; pass A.maximum(A.T) or (A + A.T) / 2",
        )
        .into());
    }
    Ok(PyGraph {
        graph,
        report: Some(report),
    })
}

/// New nodes by their links to the nodes of a graph.
#[pyclass(name = "Links", module = "isotherm._core", frozen)]
pub(crate) struct PyLinks {
    pub(crate) links: Links,
}

#[pymethods]
impl PyLinks {
    #[new]
    fn new(
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        columns: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        n_known: usize,
    ) -> PyResult<Self> {
        let starts: Vec<i64> = column("starts", starts)?;
        let columns: Vec<i64> = column("columns", columns)?;
        let weights: Option<Vec<f64>> = column_or_none("weights", weights)?;
        let rows = check_csr(&starts, &columns, weights.as_deref())?;
        run(py, None, None, move |_| {
            let mut links = Vec::with_capacity(columns.len());
            for (edge, (i, j)) in rows_of(&starts).zip(&columns).enumerate() {
                let number = |i: i64| {
                    u32::try_from(i).map_err(|_| isotherm::Error::Edge {
                        edge,
                        reason: isotherm::error::Reason::new(
                            format!("node {i} does not exist"),
                            "number nodes from 0",
                        ),
                    })
                };
                let weight = weights.as_ref().map_or(1.0, |w| w[edge]);
                links.push((number(i)?, number(*j)?, weight));
            }
            let links = Links::new(rows, n_known, &links)?;
            Ok(Self { links })
        })
    }
}

/// Name, edges, links that lead away and links that come in.
type RelationArrays<'py, E> = (
    String,
    Bound<'py, E>,
    Option<Bound<'py, PyLinks>>,
    Option<Bound<'py, PyLinks>>,
);

fn relation<E: pyo3::PyClass, T>(
    (name, edges, out, into): &RelationArrays<'_, E>,
    of: impl Fn(&Bound<'_, E>) -> T,
) -> Relation<T> {
    let links = |links: &Option<Bound<'_, PyLinks>>| links.as_ref().map(|l| l.get().links.clone());
    Relation::new(name.clone(), of(edges)).directed(links(out), links(into))
}

/// A graph whose nodes may have features, one row each, and edges of several kinds.
#[pyclass(name = "Nodes", module = "isotherm._core", frozen)]
pub(crate) struct PyNodes {
    relations: Vec<Relation>,
    features: Option<Rows>,
    nodes: usize,
}

#[pymethods]
impl PyNodes {
    #[new]
    fn new(graph: &Bound<'_, PyGraph>, features: &Bound<'_, PyAny>) -> PyResult<Self> {
        let graph = graph.get().graph.clone();
        Ok(Self {
            nodes: graph.len(),
            relations: vec![Relation::new("graph", graph)],
            features: Some(Rows::new("features", features)?),
        })
    }

    #[staticmethod]
    #[pyo3(signature = (relations, features=None))]
    fn of_relations(
        relations: Vec<RelationArrays<'_, PyGraph>>,
        features: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let features = features
            .map(|rows| Rows::new("features", rows))
            .transpose()?;
        let nodes = (relations.first()).map_or(0, |(_, graph, ..)| graph.get().graph.len());
        let of = |graph: &Bound<'_, PyGraph>| graph.get().graph.clone();
        Ok(Self {
            nodes,
            relations: relations.iter().map(|kind| relation(kind, of)).collect(),
            features,
        })
    }

    #[getter]
    fn n_nodes(&self) -> usize {
        self.nodes
    }

    #[getter]
    fn has_features(&self) -> bool {
        self.features.is_some()
    }
}

impl PyNodes {
    /// Checked: one row for each node.
    pub(crate) fn nodes(&self) -> Result<Nodes, Failure> {
        let features = self.features.as_ref().map(Rows::points).transpose()?;
        Ok(Nodes::of_relations(
            self.relations.clone(),
            features,
            &mut Quiet,
        )?)
    }
}

/// New nodes by their links to the nodes of a graph, and their features, one row each.
#[pyclass(name = "NewNodes", module = "isotherm._core", frozen)]
pub(crate) struct PyNewNodes {
    links: Vec<Relation<Links>>,
    features: Option<Rows>,
    plain: bool,
}

#[pymethods]
impl PyNewNodes {
    #[new]
    fn new(links: &Bound<'_, PyLinks>, features: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self {
            links: vec![Relation::new("graph", links.get().links.clone())],
            features: Some(Rows::new("features", features)?),
            plain: true,
        })
    }

    #[staticmethod]
    #[pyo3(signature = (relations, features=None))]
    fn of_relations(
        relations: Vec<RelationArrays<'_, PyLinks>>,
        features: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let of = |links: &Bound<'_, PyLinks>| links.get().links.clone();
        Ok(Self {
            links: relations.iter().map(|kind| relation(kind, of)).collect(),
            features: features
                .map(|rows| Rows::new("features", rows))
                .transpose()?,
            plain: false,
        })
    }
}

impl PyNewNodes {
    /// Checked: one row for each new node.
    pub(crate) fn nodes(&self) -> Result<NewNodes, Failure> {
        let features = self.features.as_ref().map(Rows::points).transpose()?;
        let all = NewNodes::of_relations(self.links.clone(), features.clone())?;
        // Of no relation in particular.
        Ok(if self.plain {
            NewNodes::new(all.links().clone(), features)?
        } else {
            all
        })
    }
}

/// A similarity matrix.
#[pyclass(name = "Gram", module = "isotherm._core", frozen)]
pub(crate) struct PyGram {
    pub(crate) rows: Rows,
}

#[pymethods]
impl PyGram {
    #[new]
    fn new(values: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self {
            rows: Rows::new("values", values)?,
        })
    }
}
