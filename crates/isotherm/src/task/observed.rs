//! Encoded labels and the samples they belong to; their order means nothing.

use super::Codec;
use crate::error::{Error, Result};
use crate::linalg::{Block, Mat};

/// Encoded labels of some of the samples.
#[derive(Debug, Clone)]
pub struct Observed {
    index: Vec<usize>,
    values: Mat<f64>,
    total: usize,
}

impl Observed {
    /// Encodes every sample that has a label.
    ///
    /// # Errors
    /// [`Error::Data`] when none has; [`Error::Label`] when one cannot be encoded.
    pub fn encode<C: Codec>(codec: &C, labels: &[Option<C::Label>]) -> Result<Self> {
        let known: Vec<(usize, &C::Label)> = labels
            .iter()
            .enumerate()
            .filter_map(|(i, l)| l.as_ref().map(|l| (i, l)))
            .collect();
        if known.is_empty() {
            return Err(Error::data(
                format!("none of the {} samples has a label", labels.len()),
                "label at least one sample of each class",
            ));
        }
        let mut values = Mat::zeros(known.len(), codec.width());
        let mut row = vec![0.0; codec.width()];
        for (k, (sample, label)) in known.iter().enumerate() {
            codec.check(label).map_err(|reason| Error::Label {
                sample: *sample,
                reason,
            })?;
            codec.encode(label, &mut row);
            for (j, v) in row.iter().enumerate() {
                values[(k, j)] = *v;
            }
        }
        Ok(Self {
            index: known.iter().map(|(i, _)| *i).collect(),
            values,
            total: labels.len(),
        })
    }

    /// Encoded labels given directly.
    ///
    /// # Errors
    /// [`Error::Shape`] when there is not one row per index; [`Error::Label`]
    /// when an index is out of range or stands twice, or a value is not finite.
    pub fn new(index: Vec<usize>, values: Mat<f64>, total: usize) -> Result<Self> {
        if index.len() != values.nrows() {
            return Err(Error::Shape {
                what: "rows of label values",
                expected: index.len(),
                got: values.nrows(),
            });
        }
        let mut seen = vec![false; total];
        for (k, &sample) in index.iter().enumerate() {
            let reason = match seen.get_mut(sample) {
                None => format!("there are only {total} samples"),
                Some(true) => "labelled twice".to_owned(),
                Some(_) if (0..values.ncols()).any(|j| !values[(k, j)].is_finite()) => {
                    "its label value is not finite".to_owned()
                }
                Some(slot) => {
                    *slot = true;
                    continue;
                }
            };
            return Err(Error::Label { sample, reason });
        }
        Ok(Self {
            index,
            values,
            total,
        })
    }

    /// The same labels with each column's mean taken off.
    #[must_use]
    pub fn centred(&self) -> Self {
        let n = self.values.nrows() as f64;
        let mean = |j: usize| self.values.col(j).iter().sum::<f64>() / n;
        let means: Vec<f64> = (0..self.width()).map(mean).collect();
        Self {
            values: Mat::from_fn(self.values.nrows(), self.width(), |i, j| {
                self.values[(i, j)] - means[j]
            }),
            ..self.clone()
        }
    }

    /// The labelled samples.
    pub fn index(&self) -> &[usize] {
        &self.index
    }

    /// Row `k` belongs to sample `index()[k]`.
    pub fn values(&self) -> &Mat<f64> {
        &self.values
    }

    /// Numbers per label.
    pub fn width(&self) -> usize {
        self.values.ncols()
    }

    /// All samples, labelled or not.
    pub fn total(&self) -> usize {
        self.total
    }

    /// The labels in their places, zero rows elsewhere: `ỹ` of STKR.
    ///
    /// # Errors
    /// [`Error::Memory`] when the block cannot be had.
    pub fn lifted(&self) -> Result<Block> {
        let mut block = Block::zeros(self.total, self.width())?;
        for (k, &i) in self.index.iter().enumerate() {
            for (j, slot) in block.row_mut(i).iter_mut().enumerate() {
                *slot = self.values[(k, j)];
            }
        }
        Ok(block)
    }
}
