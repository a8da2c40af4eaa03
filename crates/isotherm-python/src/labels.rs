//! What is known of each sample, from arrays and lists.

use isotherm::data::Targets;
use numpy::{Ix2, PyArrayMethods as _};
use pyo3::prelude::*;

use crate::arrays::{aligned, column};
use crate::errors::{wrong_type, wrong_value};

/// What is known of each sample.
#[pyclass(name = "Labels", module = "isotherm._core", frozen)]
pub(crate) struct PyLabels {
    pub(crate) targets: Targets,
}

/// Rows of an array of exactly this type.
fn rows<T: numpy::Element + Copy>(
    what: &str,
    object: &Bound<'_, PyAny>,
    width: usize,
) -> PyResult<Vec<Vec<T>>> {
    let expected = format!("a two-dimensional array of {}", std::any::type_name::<T>());
    let array = aligned::<T, Ix2>(object).ok_or_else(|| wrong_type(what, &expected, object))?;
    let array = array.try_readonly()?;
    let array = array.as_array();
    if array.ncols() != width {
        return Err(wrong_value(format!(
            "{what} has {} columns but {width} names; give one name a column",
            array.ncols()
        )));
    }
    Ok(array.rows().into_iter().map(|row| row.to_vec()).collect())
}

/// A row of numbers, `None` when all are NaN.
fn whole(sample: usize, row: Vec<f64>) -> PyResult<Option<Vec<f64>>> {
    let missing = row.iter().filter(|v| v.is_nan()).count();
    match missing {
        0 => Ok(Some(row)),
        m if m == row.len() => Ok(None),
        m => Err(wrong_value(format!(
            "sample {sample}: {m} of its {} numbers are NaN; give all of them, or none",
            row.len()
        ))),
    }
}

/// Numbers of classes or items.
fn numbers(sample: usize, list: Vec<i64>, names: usize) -> PyResult<Vec<u32>> {
    let number = |i: i64| {
        let known = u32::try_from(i).ok().filter(|i| (*i as usize) < names);
        known.ok_or_else(|| {
            wrong_value(format!(
                "sample {sample}: number {i} is none of the {names} there are"
            ))
        })
    };
    list.into_iter().map(number).collect()
}

#[pymethods]
impl PyLabels {
    #[staticmethod]
    fn classes(codes: &Bound<'_, PyAny>, names: Vec<String>) -> PyResult<Self> {
        let codes: Vec<i64> = column("codes", codes)?;
        let label = |(sample, code): (usize, i64)| match code {
            -1 => Ok(None),
            code => Ok(numbers(sample, vec![code], names.len())?.pop()),
        };
        let labels = codes.into_iter().enumerate().map(label);
        Ok(Self {
            targets: Targets::Classes {
                labels: labels.collect::<PyResult<_>>()?,
                names,
            },
        })
    }

    #[staticmethod]
    fn values(values: &Bound<'_, PyAny>) -> PyResult<Self> {
        let values: Vec<f64> = column("values", values)?;
        let label = |v: f64| (!v.is_nan()).then_some(v);
        Ok(Self {
            targets: Targets::Values(values.into_iter().map(label).collect()),
        })
    }

    #[staticmethod]
    fn numbers(values: &Bound<'_, PyAny>, names: Vec<String>) -> PyResult<Self> {
        let rows = rows::<f64>("values", values, names.len())?;
        let labels = rows.into_iter().enumerate().map(|(i, row)| whole(i, row));
        Ok(Self {
            targets: Targets::Numbers {
                labels: labels.collect::<PyResult<_>>()?,
                names,
            },
        })
    }

    #[staticmethod]
    fn flags(values: &Bound<'_, PyAny>, names: Vec<String>) -> PyResult<Self> {
        let rows = rows::<i8>("values", values, names.len())?;
        let flag = |sample: usize, value: i8| match value {
            -1 => Ok(None),
            0 => Ok(Some(false)),
            1 => Ok(Some(true)),
            other => Err(wrong_value(format!(
                "sample {sample}: a flag must be 1, 0 or -1 for missing, got {other}"
            ))),
        };
        let label = |(sample, row): (usize, Vec<i8>)| {
            let flags: Vec<Option<bool>> =
                (row.into_iter().map(|v| flag(sample, v))).collect::<PyResult<_>>()?;
            Ok(flags.iter().any(Option::is_some).then_some(flags))
        };
        let labels = rows.into_iter().enumerate().map(label);
        Ok(Self {
            targets: Targets::Flags {
                labels: labels.collect::<PyResult<_>>()?,
                names,
            },
        })
    }

    #[staticmethod]
    fn orders(labels: Vec<Option<Vec<Vec<i64>>>>, names: Vec<String>) -> PyResult<Self> {
        let label = |(sample, groups): (usize, Option<Vec<Vec<i64>>>)| {
            let groups = groups.map(|groups| {
                let group = |group: Vec<i64>| numbers(sample, group, names.len());
                groups.into_iter().map(group).collect::<PyResult<Vec<_>>>()
            });
            groups.transpose()
        };
        let labels = labels.into_iter().enumerate().map(label);
        Ok(Self {
            targets: Targets::Orders {
                labels: labels.collect::<PyResult<_>>()?,
                names,
            },
        })
    }

    #[staticmethod]
    fn sets(labels: Vec<Option<Vec<i64>>>, names: Vec<String>) -> PyResult<Self> {
        let label = |(sample, set): (usize, Option<Vec<i64>>)| {
            set.map(|set| numbers(sample, set, names.len())).transpose()
        };
        let labels = labels.into_iter().enumerate().map(label);
        Ok(Self {
            targets: Targets::Sets {
                labels: labels.collect::<PyResult<_>>()?,
                names,
            },
        })
    }

    #[staticmethod]
    fn shares(values: &Bound<'_, PyAny>, names: Vec<String>) -> PyResult<Self> {
        let rows = rows::<f64>("values", values, names.len())?;
        let labels = rows.into_iter().enumerate().map(|(i, row)| whole(i, row));
        Ok(Self {
            targets: Targets::Shares {
                labels: labels.collect::<PyResult<_>>()?,
                names,
            },
        })
    }

    #[staticmethod]
    fn ranges(values: &Bound<'_, PyAny>) -> PyResult<Self> {
        let rows = rows::<f64>("values", values, 2)?;
        let labels = rows.into_iter().enumerate().map(|(i, row)| {
            let range = whole(i, row)?;
            Ok(range.map(|row| (row[0], row[1])))
        });
        Ok(Self {
            targets: Targets::Ranges(labels.collect::<PyResult<_>>()?),
        })
    }

    fn __len__(&self) -> usize {
        self.targets.len()
    }
}
