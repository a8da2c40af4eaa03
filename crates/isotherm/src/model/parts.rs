//! A model laid out flat: named arrays and short texts, what a file can hold.
//!
//! The library takes models apart and puts them together; how the parts are
//! written is `isotherm-io`'s affair.

use std::collections::BTreeMap;

use crate::data::Points;
use crate::error::{Error, Refusal, Result};
use crate::linalg::MatRef;
use crate::linalg::rows::sparse::SparseRows;

/// The numbers of one named array.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Array {
    /// 64-bit floats.
    F64(Vec<f64>),
    /// 32-bit floats.
    F32(Vec<f32>),
    /// 64-bit unsigned integers.
    U64(Vec<u64>),
    /// 32-bit unsigned integers.
    U32(Vec<u32>),
    /// Bytes.
    U8(Vec<u8>),
}

impl Array {
    /// How many numbers it holds.
    pub fn len(&self) -> usize {
        match self {
            Self::F64(v) => v.len(),
            Self::F32(v) => v.len(),
            Self::U64(v) => v.len(),
            Self::U32(v) => v.len(),
            Self::U8(v) => v.len(),
        }
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// An array with its shape, row-major.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor {
    /// Lengths of its axes; their product is the array's length.
    pub shape: Vec<usize>,
    /// The numbers.
    pub array: Array,
}

/// A model laid out flat.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Parts {
    /// Short texts: the recipe, the label names.
    pub metadata: BTreeMap<String, String>,
    /// The arrays by name.
    pub tensors: BTreeMap<String, Tensor>,
}

impl Parts {
    pub(crate) fn text(&mut self, name: &str, text: String) {
        self.metadata.insert(name.to_owned(), text);
    }

    pub(crate) fn put(&mut self, name: &str, shape: Vec<usize>, array: Array) {
        self.tensors
            .insert(name.to_owned(), Tensor { shape, array });
    }

    pub(crate) fn floats(&mut self, name: &str, shape: Vec<usize>, values: Vec<f64>) {
        self.put(name, shape, Array::F64(values));
    }

    pub(crate) fn take_text(&mut self, name: &str) -> Result<String> {
        let text = self.metadata.remove(name);
        text.ok_or_else(|| broken(name, "is missing"))
    }

    /// Takes a tensor whose axes have the given lengths, `None` for any.
    pub(crate) fn take(&mut self, name: &str, axes: &[Option<usize>]) -> Result<Tensor> {
        let tensor = self.tensors.remove(name);
        let tensor = tensor.ok_or_else(|| broken(name, "is missing"))?;
        let fits = tensor.shape.len() == axes.len()
            && (tensor.shape.iter().zip(axes)).all(|(s, a)| a.is_none_or(|a| a == *s));
        let count = tensor
            .shape
            .iter()
            .try_fold(1_usize, |c, s| c.checked_mul(*s));
        if !fits || count != Some(tensor.array.len()) {
            let shape = format!("has the shape {:?}, which does not fit", tensor.shape);
            return Err(broken(name, &shape));
        }
        Ok(tensor)
    }

    pub(crate) fn take_floats(
        &mut self,
        name: &str,
        axes: &[Option<usize>],
    ) -> Result<(Vec<usize>, Vec<f64>)> {
        match self.take(name, axes)? {
            Tensor {
                shape,
                array: Array::F64(values),
            } => Ok((shape, values)),
            _ => Err(broken(name, "must be 64-bit floats")),
        }
    }
}

pub(crate) fn put_points(parts: &mut Parts, points: &Points) {
    if let Some(rows) = points.as_sparse() {
        return ANCHORS.put(parts, rows);
    }
    let shape = vec![points.len(), points.dim()];
    parts.floats("anchors", shape, points.clone().into_values());
}

pub(crate) fn take_points(parts: &mut Parts) -> Result<Points> {
    if parts.metadata.contains_key(ANCHORS.columns) {
        return ANCHORS.take(parts, None);
    }
    let (shape, values) = parts.take_floats("anchors", &[None, None])?;
    Points::new(values, shape[0], shape[1])
}

/// What the parts of sparse rows are called: the numbers that are not zero, row by row.
pub(super) struct SparseNames {
    /// How many columns there are, zeros included.
    pub(super) columns: &'static str,
    /// Where each row ends.
    pub(super) ends: &'static str,
    /// The column of each number.
    pub(super) column: &'static str,
    /// The numbers.
    pub(super) value: &'static str,
}

const ANCHORS: SparseNames = SparseNames {
    columns: "anchor_columns",
    ends: "anchor_ends",
    column: "anchor_column",
    value: "anchors",
};

impl SparseNames {
    pub(super) fn put(&self, parts: &mut Parts, rows: &SparseRows) {
        let ends: Vec<u64> = rows.starts()[1..].iter().map(|end| *end as u64).collect();
        let (columns, values) = (rows.columns().to_vec(), rows.values().to_vec());
        parts.text(self.columns, rows.dim().to_string());
        parts.put(self.ends, vec![ends.len()], Array::U64(ends));
        parts.put(self.column, vec![columns.len()], Array::U32(columns));
        parts.floats(self.value, vec![values.len()], values);
    }

    /// Takes so many rows, `None` for any number.
    pub(super) fn take(&self, parts: &mut Parts, rows: Option<usize>) -> Result<Points> {
        let dim = number(&parts.take_text(self.columns)?, self.columns)?;
        let Array::U64(ends) = parts.take(self.ends, &[rows])?.array else {
            return Err(broken(self.ends, "must be 64-bit unsigned integers"));
        };
        let Array::U32(columns) = parts.take(self.column, &[None])?.array else {
            return Err(broken(self.column, "must be 32-bit unsigned integers"));
        };
        let (_, values) = parts.take_floats(self.value, &[Some(columns.len())])?;
        let end = |end: &u64| usize::try_from(*end).unwrap_or(usize::MAX);
        let starts = std::iter::once(0).chain(ends.iter().map(end)).collect();
        Points::of_sparse(SparseRows::new(starts, columns, values, dim)?)
    }
}

pub(crate) fn row_major(m: MatRef<'_, f64>) -> Vec<f64> {
    let rows = m.row_iter();
    rows.flat_map(|row| row.iter().copied().collect::<Vec<_>>())
        .collect()
}

pub(crate) fn json<T: serde::Serialize>(value: &T) -> String {
    // Plain structs of numbers and texts: nothing in them can fail to serialise.
    serde_json::to_string(value).unwrap_or_default()
}

pub(crate) fn from_json<T: serde::de::DeserializeOwned>(text: &str, name: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|e| broken(name, &format!("cannot be read: {e}")))
}

pub(crate) fn number(text: &str, name: &str) -> Result<usize> {
    text.parse().map_err(|_| broken(name, "is not a number"))
}

pub(crate) fn broken(name: &str, why: &str) -> Error {
    Error::refused(
        Refusal::ModelDamaged,
        format!("the part \"{name}\" {why}"),
        "the file or message is damaged, or was not written by isotherm: make it again",
    )
}

/// The layout this build writes and reads.
const LAYOUT: &str = "1";

/// Begins a message.
pub(crate) fn message(kind: &str) -> Parts {
    let mut parts = Parts::default();
    parts.text("message", kind.to_owned());
    parts.text("layout", LAYOUT.to_owned());
    parts
}

/// Checks what a message says it is.
pub(crate) fn open(parts: &mut Parts, kind: &str) -> Result<()> {
    let found = parts.take_text("message")?;
    if found != kind {
        return Err(broken("message", &format!("is a {found}, not a {kind}")));
    }
    let layout = parts.take_text("layout")?;
    if layout == LAYOUT {
        Ok(())
    } else {
        Err(broken(
            "layout",
            &format!("is {layout}, and this isotherm reads {LAYOUT}; use one version everywhere"),
        ))
    }
}

/// Refuses what is left over.
pub(crate) fn close(parts: &Parts) -> Result<()> {
    match parts.tensors.keys().chain(parts.metadata.keys()).next() {
        Some(name) => Err(broken(name, "is not a part of this message")),
        None => Ok(()),
    }
}
