//! A fitted model and what it answers.

use std::path::Path;

use isotherm::data::Targets;
use isotherm::labelling::Answer;
use isotherm::model::{Encoding, Model, Warning, Wording};
use isotherm::neighbours::Recall;
use isotherm::recipe::Shape;
use isotherm_io::{Overwrite, model_file};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;

use crate::arrays::{Rows, matrix, table};
use crate::dict::to_python;
use crate::encoder::PyEncoder;
use crate::errors::{Failure, number, wrong_type, wrong_value};
use crate::graphs::{PyGram, PyGraph, PyLinks, PyNewNodes, PyNodes};
use crate::thread_pool::run;

/// What a model says of some samples.
#[pyclass(name = "Answer", module = "isotherm._core", frozen, get_all)]
pub(crate) struct PyAnswer {
    scores: Py<PyArray2<f64>>,
    reached: Py<PyArray1<bool>>,
    labels: Option<Py<PyArray1<i64>>>,
    probabilities: Option<Py<PyArray2<f64>>>,
    values: Option<Py<PyArray2<f64>>>,
    flags: Option<Py<PyArray2<i8>>>,
    orders: Option<Py<PyArray2<i64>>>,
}

impl PyAnswer {
    /// As arrays; `names` are those of tags or items.
    pub(crate) fn new(py: Python<'_>, answer: Answer, names: usize) -> PyResult<Self> {
        let mut out = Self {
            scores: matrix(py, &answer.scores)?.unbind(),
            reached: PyArray1::from_slice(py, &answer.reached).unbind(),
            labels: None,
            probabilities: None,
            values: None,
            flags: None,
            orders: None,
        };
        if let Some(probabilities) = &answer.probabilities {
            out.probabilities = Some(matrix(py, probabilities)?.unbind());
        }
        match answer.labels {
            Targets::Classes { labels, .. } => {
                let code = |label: Option<u32>| label.map_or(-1, i64::from);
                let labels = labels.into_iter().map(code).collect();
                out.labels = Some(PyArray1::from_vec(py, labels).unbind());
            }
            Targets::Values(values) => {
                let values = values.into_iter().map(|v| v.unwrap_or(f64::NAN));
                out.values = Some(table(py, values.collect(), 1)?.unbind());
            }
            Targets::Numbers { labels, .. } => {
                let rows = labels.into_iter();
                let values = rows.flat_map(|row| row.unwrap_or_else(|| vec![f64::NAN; names]));
                out.values = Some(table(py, values.collect(), names)?.unbind());
            }
            Targets::Flags { labels, .. } => {
                let code = |flag: Option<bool>| flag.map_or(-1, i8::from);
                let rows = labels.into_iter().map(|row| match row {
                    Some(flags) => flags.into_iter().map(code).collect(),
                    None => vec![-1; names],
                });
                let flags = rows.flatten().collect();
                out.flags = Some(table(py, flags, names)?.unbind());
            }
            Targets::Orders { labels, .. } => {
                let rows = labels.into_iter().map(|row| match row {
                    Some(groups) => groups.into_iter().flatten().map(i64::from).collect(),
                    None => vec![-1; names],
                });
                let orders = rows.flatten().collect();
                out.orders = Some(table(py, orders, names)?.unbind());
            }
            _ => {
                return Err(wrong_value(
                    "this model's answers have no form in Python yet",
                ));
            }
        }
        Ok(out)
    }
}

/// A fitted recipe.
#[pyclass(name = "Model", module = "isotherm._core")]
pub(crate) struct PyModel {
    pub(crate) model: Model,
}

#[pymethods]
impl PyModel {
    #[pyo3(signature = (data, *, threads=None, on_event=None))]
    fn predict(
        &self,
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        threads: Option<usize>,
        on_event: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyAnswer> {
        let model = &self.model;
        let answer = if let Ok(links) = data.cast::<PyLinks>() {
            let links = &links.get().links;
            run(py, threads, on_event, |monitor| {
                Ok(model.predict_nodes(links, monitor)?)
            })?
        } else if let Ok(nodes) = data.cast::<PyNewNodes>() {
            let nodes = nodes.get();
            run(py, threads, on_event, |monitor| {
                Ok(model.predict_nodes(nodes.nodes()?, monitor)?)
            })?
        } else if let Ok(gram) = data.cast::<PyGram>() {
            let rows = &gram.get().rows;
            run(py, threads, on_event, |monitor| {
                Ok(model.predict_gram(&rows.points()?, monitor)?)
            })?
        } else {
            let rows = Rows::new("data", data)?;
            run(py, threads, on_event, |monitor| {
                Ok(model.predict_rows(&rows.points()?, monitor)?)
            })?
        };
        PyAnswer::new(py, answer, model.names().len())
    }

    fn visible(&self, py: Python<'_>) -> PyResult<Option<PyAnswer>> {
        let answer = run(py, None, None, |_| Ok(self.model.training_answer()))?;
        let names = self.model.names().len();
        answer.map(|a| PyAnswer::new(py, a, names)).transpose()
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = run(py, None, None, |_| {
            Ok(model_file::to_bytes(&self.model.to_parts())?)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        run(py, None, None, |_| {
            let parts = model_file::from_bytes(data, Path::new("model"))?;
            Ok(Self {
                model: Model::from_parts(parts)?,
            })
        })
    }

    #[pyo3(signature = (path, *, overwrite=true))]
    fn save(&self, py: Python<'_>, path: &str, overwrite: bool) -> PyResult<()> {
        let rule = if overwrite {
            Overwrite::Replace
        } else {
            Overwrite::Refuse
        };
        run(py, None, None, |_| {
            Ok(model_file::write_model(path, &self.model.to_parts(), rule)?)
        })
    }

    #[staticmethod]
    fn load(py: Python<'_>, path: &str) -> PyResult<Self> {
        run(py, None, None, |_| {
            let parts = model_file::read_model(path)?;
            Ok(Self {
                model: Model::from_parts(parts)?,
            })
        })
    }

    fn set_features(&mut self, names: Vec<String>) -> PyResult<()> {
        match self.model.dim() {
            Some(dim) if dim == names.len() => {
                self.model.features = names;
                Ok(())
            }
            dim => Err(wrong_value(format!(
                "{} feature names for a model of {} columns; give one a column",
                names.len(),
                dim.unwrap_or(0)
            ))),
        }
    }

    /// Without names only what takes the place of missing numbers is kept, column by column.
    #[pyo3(signature = (encoder, *, named))]
    fn set_encoder(&mut self, encoder: &Bound<'_, PyEncoder>, named: bool) -> PyResult<()> {
        let encoder = encoder.get();
        self.set_features(encoder.names.clone())?;
        if !named {
            self.model.features.clear();
        }
        self.model.encoding = encoder.encoding.clone();
        Ok(())
    }

    /// How new rows become features; `None` if nothing is known but the features' names.
    /// Columns without names are `x0`, `x1`, … there.
    fn encoder(&self) -> Option<PyEncoder> {
        let encoding = &self.model.encoding;
        let numbered = || (0..encoding.fills.len()).map(|k| format!("x{k}")).collect();
        let names = match self.model.features.as_slice() {
            [] => numbered(),
            names => names.to_vec(),
        };
        (*encoding != Encoding::default()).then(|| PyEncoder::of(names, encoding.clone()))
    }

    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let model = &self.model;
        let recall = match model.neighbour_recall() {
            Some(Recall::Estimated { value, error }) => Some([value, error]),
            _ => None,
        };
        let table = model.shape() == Shape::Table;
        let warnings = model.warnings().iter().map(|w| warning(w, table));
        let relations = model
            .relations()
            .map(|(name, [out, into])| (name, out, into));
        let info = json!({
            "recipe": model.recipe(),
            "task": model.recipe().task.name(),
            "method": model.recipe().method.name(),
            "shape": match model.shape() {
                Shape::Table => "table",
                Shape::Graph => "graph",
                Shape::Gram => "gram",
            },
            "classes": model.classes(),
            "names": model.names(),
            "features": model.features,
            "anchors": model.anchors(),
            "labelled": model.labelled(),
            "dim": model.dim(),
            "relations": relations.collect::<Vec<_>>(),
            "kernel": model.kernel(),
            "report": model.report(),
            "warnings": warnings.collect::<Vec<_>>(),
            "calibrated_on": model.calibrated_on(),
            "settled": model.settled(),
            "class_shares": model.class_shares(),
            "recall": recall,
        });
        to_python(py, &info)
    }

    /// What a blend is made of: names and shares, the largest first.
    #[getter]
    fn blend(&self) -> Vec<(String, f64)> {
        let parts = self.model.blend().into_iter();
        parts
            .map(|(name, share)| (name.to_owned(), share))
            .collect()
    }

    #[getter]
    fn dual<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        self.model.dual().map(|dual| matrix(py, dual)).transpose()
    }
}

/// Parameters as the Python classes spell them.
struct Parameters {
    table: bool,
}

impl Wording for Parameters {
    fn parameter(&self, name: &'static str) -> Option<String> {
        let spelled = match name {
            "iterations" => "max_iter",
            "tolerance" => "tol",
            "neighbours" if !self.table => return None,
            "neighbours" => "n_neighbors",
            // Columns are left out before they come here.
            "exclude" => return None,
            // The strength is a parameter of the filter.
            "strength" => "filter",
            "priors" => "class_shares",
            other => other,
        };
        Some(spelled.to_owned())
    }

    fn unreached(&self) -> &'static str {
        "reached_ is False there and probabilities are uniform"
    }
}

/// A warning with its code, its numbers and its sentence.
fn warning(warning: &Warning, table: bool) -> serde_json::Value {
    let words = Parameters { table };
    let text = format!("{}; {}", warning.what(&words), warning.hint(&words));
    let mut value = serde_json::to_value(warning).unwrap_or_default();
    if let Some(fields) = value.as_object_mut() {
        fields.insert("text".to_owned(), text.into());
        fields.insert("code".to_owned(), number(warning.code()).into());
    }
    value
}

/// What is learned from.
pub(crate) enum Source {
    Rows(Rows),
    Graph(isotherm::data::Graph),
    Nodes(Py<PyNodes>),
    Gram(Rows),
}

impl Source {
    /// Rows, a graph, its nodes with features, or a similarity matrix.
    pub(crate) fn new(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(graph) = data.cast::<PyGraph>() {
            return Ok(Self::Graph(graph.get().graph.clone()));
        }
        if let Ok(nodes) = data.cast::<PyNodes>() {
            return Ok(Self::Nodes(nodes.clone().unbind()));
        }
        if let Ok(gram) = data.cast::<PyGram>() {
            return Ok(Self::Gram(gram.get().rows.clone()));
        }
        Rows::new("data", data).map(Self::Rows).map_err(|_| {
            let expected =
                "a two-dimensional array of float32 or float64, a Graph, Nodes or a Gram";
            wrong_type("data", expected, data)
        })
    }

    pub(crate) fn input(self) -> Result<isotherm::study::Input, Failure> {
        Ok(match self {
            Self::Rows(rows) => isotherm::study::Input::Table(rows.points()?),
            Self::Graph(graph) => isotherm::study::Input::Graph(graph),
            Self::Nodes(nodes) => isotherm::study::Input::Nodes(nodes.get().nodes()?),
            Self::Gram(rows) => isotherm::study::Input::Gram(rows.points()?),
        })
    }
}
