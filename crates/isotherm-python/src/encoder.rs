//! Columns of a data frame as numbers: the encoder of the command line, fed from arrays and lists.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use isotherm::data::columns::missing::Filling;
use isotherm::model::Encoding;
use isotherm_io::error::Place;
use isotherm_io::{
    Cells, Column, ColumnUse, Error, FeatureKind, FeaturePlan, Features, Format, Nullable, Origin,
    SentenceModel, Table, TextCells, model_file,
};
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};

use crate::arrays::{aligned, column, table as array};
use crate::errors::{Failure, wrong_type, wrong_value};
use crate::thread_pool::run;

/// What a data frame is called in messages.
const FRAME: &str = "X";

/// Names and cells.
type Given<'py> = Vec<(String, Bound<'py, PyAny>)>;

/// How the columns of a table become features.
#[pyclass(name = "Encoder", module = "isotherm._core", frozen)]
pub(crate) struct PyEncoder {
    #[pyo3(get)]
    pub(crate) names: Vec<String>,
    pub(crate) encoding: Encoding,
    /// The columns that are read.
    #[pyo3(get)]
    columns: Vec<String>,
    /// What each of them is, and how many features it gives without the one for missing numbers.
    #[pyo3(get)]
    kinds: Vec<(String, &'static str, usize)>,
    /// Columns with missing numbers, and how many.
    #[pyo3(get)]
    filled: Vec<(String, usize)>,
    /// Columns that are left out, why, and whether that is usual.
    #[pyo3(get)]
    left_out: Vec<(String, String, bool)>,
    /// What embeds texts; a pickle does not hold it.
    sentences: Option<Arc<SentenceModel>>,
}

impl PyEncoder {
    /// One whose columns are not known but by the names of their features.
    pub(crate) fn of(names: Vec<String>, encoding: Encoding) -> Self {
        Self {
            names,
            encoding,
            columns: Vec::new(),
            kinds: Vec::new(),
            filled: Vec::new(),
            left_out: Vec::new(),
            sentences: None,
        }
    }

    fn learned(plan: &FeaturePlan, sentences: Option<Arc<SentenceModel>>) -> Self {
        let told = |one: ColumnUse<'_>| (one.column.to_owned(), one.kind.name(), one.features);
        use isotherm_io::Unfit;
        let usual = |why: &Unfit| matches!(why, Unfit::RowNumbers | Unfit::Names);
        let left = plan.left_out().iter();
        Self {
            names: plan.names().to_vec(),
            encoding: plan.encoding(),
            kinds: plan.uses().map(told).collect(),
            columns: plan.columns(),
            filled: plan.filled(),
            left_out: left
                .map(|left| (left.column.clone(), left.why.to_string(), usual(&left.why)))
                .collect(),
            sentences,
        }
    }
}

/// Rows as numbers, and what was said of them.
#[pyclass(name = "Encoded", module = "isotherm._core", frozen, get_all)]
pub(crate) struct PyEncoded {
    values: Py<PyArray2<f64>>,
    /// Runs of features that are one thing together.
    blocks: Vec<(usize, usize)>,
    /// Columns with values that no feature stands for: rows and an example.
    unseen: Vec<(String, usize, String)>,
}

#[pymethods]
impl PyEncoder {
    /// Learns from all rows.
    #[staticmethod]
    #[pyo3(signature = (columns, kinds, *, embed_with=None, threads=None, on_event=None))]
    fn learn(
        py: Python<'_>,
        columns: Given<'_>,
        kinds: Vec<(String, String)>,
        embed_with: Option<PathBuf>,
        threads: Option<usize>,
        on_event: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let table = table(py, columns)?;
        let mut choice = Features::automatic();
        for (column, kind) in kinds {
            let kind: FeatureKind = kind.parse().map_err(wrong_value)?;
            choice = choice.read_as(column, kind);
        }
        run(py, threads, on_event, |monitor| {
            let sentences = match embed_with {
                Some(dir) => Some(Arc::new(SentenceModel::open(dir)?)),
                None => None,
            };
            if let Some(model) = &sentences {
                choice = choice.embedded_with(model.clone());
            }
            let plan = choice.plan_watched(&table, monitor).map_err(named)?;
            Ok(Self::learned(&plan, sentences))
        })
    }

    /// One of numbers only, each with what takes the place of a missing one.
    #[staticmethod]
    fn numbers(names: Vec<String>, fills: Vec<f64>) -> PyResult<Self> {
        if names.len() != fills.len() {
            return Err(wrong_value(format!(
                "{} names for {} columns; give one a column",
                names.len(),
                fills.len()
            )));
        }
        let encoding = Encoding {
            fills,
            ..Encoding::default()
        };
        let mut made = Self::of(names, encoding);
        made.columns.clone_from(&made.names);
        let kinds = made.names.iter();
        made.kinds = kinds.map(|name| (name.clone(), "number", 1)).collect();
        Ok(made)
    }

    #[pyo3(signature = (columns, *, embed_with=None, threads=None, on_event=None))]
    fn transform(
        &self,
        py: Python<'_>,
        columns: Given<'_>,
        embed_with: Option<PathBuf>,
        threads: Option<usize>,
        on_event: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyEncoded> {
        let table = table(py, columns)?;
        let mut choice = Features::of_model(&self.names).encoded_by(&self.encoding);
        let width = self.names.len();
        let (values, blocks, unseen) = run(py, threads, on_event, |monitor| {
            let model = match (&self.sentences, embed_with) {
                (Some(model), _) => Some(model.clone()),
                (None, Some(dir)) if !self.encoding.sentences.is_empty() => {
                    Some(Arc::new(SentenceModel::open(dir)?))
                }
                _ => None,
            };
            if let Some(model) = model {
                choice = choice.embedded_with(model);
            }
            let plan = choice.plan(&table).map_err(named)?;
            let (points, unseen) = plan.points_watched(&table, monitor).map_err(named)?;
            Ok((points.into_values(), plan.blocks(), unseen))
        })?;
        let unseen = unseen.into_iter().map(|u| (u.column, u.rows, u.example));
        Ok(PyEncoded {
            values: array(py, values, width)?.unbind(),
            blocks: blocks.into_iter().map(|b| (b.start, b.end)).collect(),
            unseen: unseen.collect(),
        })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = run(py, None, None, |_| {
            Ok(model_file::to_bytes(&self.encoding.to_parts(&self.names))?)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        run(py, None, None, |_| {
            let parts = model_file::from_bytes(data, Path::new("encoder"))?;
            let (names, encoding) = Encoding::from_parts(parts)?;
            Ok(Self::of(names, encoding))
        })
    }
}

/// The median of the numbers that are there; `None` where there is none.
#[pyfunction]
pub(crate) fn median(values: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
    let all: Vec<f64> = column("values", values)?;
    let there: Vec<f64> = all.into_iter().filter(|v| !v.is_nan()).collect();
    Ok(Filling::learn(there, 0).map(|filling| filling.value))
}

/// A table of columns as Python holds them: arrays of floats, of integers or of truth values, or
/// lists of texts and `None`.
fn table(py: Python<'_>, columns: Given<'_>) -> PyResult<Table> {
    let columns: Vec<Column> = (columns.into_iter())
        .map(|(name, given)| {
            let cells = cells(&name, &given)?;
            Ok(Column { name, cells })
        })
        .collect::<PyResult<_>>()?;
    let table = Table::new(columns, Origin::new(FRAME, Format::Arrow));
    table.map_err(|error| Failure::Files(error).into_exception(py))
}

fn cells(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Cells> {
    if aligned::<f64, numpy::Ix1>(given).is_some() {
        let numbers: Vec<f64> = column(name, given)?;
        let some = |v: f64| (!v.is_nan()).then_some(v);
        return Ok(numbers
            .into_iter()
            .map(some)
            .collect::<Nullable<f64>>()
            .into());
    }
    if aligned::<i64, numpy::Ix1>(given).is_some() {
        return Ok(column::<i64>(name, given)?.into());
    }
    if aligned::<bool, numpy::Ix1>(given).is_some() {
        return Ok(column::<bool>(name, given)?.into());
    }
    let expected = "a one-dimensional array of float64, int64 or bool, or a list of texts";
    let Ok(list) = given.cast::<PyList>() else {
        return Err(wrong_type(name, expected, given));
    };
    let mut texts = TextCells::default();
    for cell in list {
        if cell.is_none() {
            texts.push_missing();
            continue;
        }
        let Ok(text) = cell.cast::<PyString>() else {
            return Err(wrong_type(name, expected, &cell));
        };
        if !texts.push(&text.to_cow()?) {
            return Err(wrong_value(format!(
                "column \"{name}\" holds more than 4 GiB of text; give its rows in parts"
            )));
        }
    }
    Ok(Cells::Text(texts))
}

/// A refusal with rows counted from 0, as Python does.
fn named(error: Error) -> Failure {
    match error {
        Error::Cell {
            place: Place::Row(row),
            column,
            problem,
            hint,
            ..
        } => Failure::Python(wrong_value(format!(
            "{FRAME} row {}, column \"{column}\": {problem}; {hint}",
            row.saturating_sub(1)
        ))),
        Error::Column { name, columns, .. } if !columns.contains(&name) => {
            Failure::Python(wrong_value(format!(
                "{FRAME} has no column \"{name}\", which the encoder was fitted with; its columns \
                 are {}",
                columns.join(", ")
            )))
        }
        other => Failure::Files(other),
    }
}
