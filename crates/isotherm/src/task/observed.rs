//! Encoded labels and the samples they belong to; their order means nothing.

use super::Codec;
use crate::error::{Error, Reason, Refusal, Result};
use crate::linalg::{Block, Mat};

/// Encoded labels of some of the samples.
///
/// A weight says how much a label counts: `Σᵢ wᵢ‖g(xᵢ) − yᵢ‖²` in place of the plain
/// sum. Weights are brought to a mean of one, so a ridge means what it did.
#[derive(Debug, Clone)]
pub struct Observed {
    index: Vec<usize>,
    values: Mat<f64>,
    total: usize,
    weights: Option<Vec<f64>>,
}

impl Observed {
    /// Encodes every sample that has a label.
    ///
    /// # Errors
    /// [`Error::Refused`] when none has; [`Error::Label`] when one cannot be encoded.
    pub fn encode<C: Codec>(codec: &C, labels: &[Option<C::Label>]) -> Result<Self> {
        let known: Vec<(usize, &C::Label)> = labels
            .iter()
            .enumerate()
            .filter_map(|(i, l)| l.as_ref().map(|l| (i, l)))
            .collect();
        if known.is_empty() {
            return Err(Error::refused(
                Refusal::NoLabels,
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
            weights: None,
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
            let reason = reason.into();
            return Err(Error::Label { sample, reason });
        }
        Ok(Self {
            index,
            values,
            total,
            weights: None,
        })
    }

    /// The same labels, label k counting `weights[k]`. Equal weights are no weights.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one weight a label; [`Error::Label`] when a
    /// weight is zero, negative or not finite.
    pub fn weighted(mut self, weights: Vec<f64>) -> Result<Self> {
        if weights.len() != self.index.len() {
            return Err(Error::Shape {
                what: "weights, one for each label",
                expected: self.index.len(),
                got: weights.len(),
            });
        }
        let bad = |w: &f64| !(*w > 0.0 && w.is_finite());
        if let Some(k) = weights.iter().position(bad) {
            return Err(Error::Label {
                sample: self.index[k],
                reason: Reason::new(
                    format!("its weight {} is not a positive number", weights[k]),
                    "leave the label blank to leave it out",
                ),
            });
        }
        let largest = weights.iter().fold(0.0_f64, |m, w| m.max(*w));
        // Divided by the largest first: the sum cannot overflow.
        let mean = weights.iter().map(|w| w / largest).sum::<f64>() / weights.len().max(1) as f64;
        let weights: Vec<f64> = weights.iter().map(|w| w / largest / mean).collect();
        if let Some(k) = weights.iter().position(bad) {
            return Err(Error::Label {
                sample: self.index[k],
                reason: Reason::new(
                    "its weight is too small beside the largest to count",
                    "leave it out",
                ),
            });
        }
        let even = weights.iter().all(|w| *w == weights[0]);
        self.weights = (!even).then_some(weights);
        Ok(self)
    }

    /// Weights with a mean of one, in the order of [`Observed::index`]; `None` where
    /// every label counts the same.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// Refuses weights where a method cannot use them.
    pub(crate) fn refuse_weights(&self, method: &str, way_out: &str) -> Result<()> {
        match self.weights {
            None => Ok(()),
            Some(_) => Err(Error::refused(
                Refusal::Method,
                format!("{method} cannot weigh labels"),
                way_out.to_owned(),
            )),
        }
    }

    /// The mean of each column, weighted.
    pub fn means(&self) -> Vec<f64> {
        let n = self.values.nrows() as f64;
        let mean = |j: usize| {
            let column = self.values.col(j);
            match &self.weights {
                None => column.iter().sum::<f64>() / n,
                Some(w) => column.iter().zip(w).map(|(y, w)| w * y).sum::<f64>() / n,
            }
        };
        (0..self.width()).map(mean).collect()
    }

    /// Other values for the same samples, with the same weights.
    ///
    /// # Errors
    /// As [`Observed::new`].
    pub fn with_values(&self, values: Mat<f64>) -> Result<Self> {
        let weights = self.weights.clone();
        Ok(Self {
            weights,
            ..Self::new(self.index.clone(), values, self.total)?
        })
    }

    /// The same labels and weights for other samples of another table.
    ///
    /// # Errors
    /// As [`Observed::new`].
    pub(crate) fn moved(&self, index: Vec<usize>, total: usize) -> Result<Self> {
        let weights = self.weights.clone();
        Ok(Self {
            weights,
            ..Self::new(index, self.values.clone(), total)?
        })
    }

    /// The same labels with weights that were normalised before, taken as they are.
    ///
    /// # Errors
    /// As [`Observed::weighted`].
    pub(crate) fn with_normalised(self, weights: Vec<f64>) -> Result<Self> {
        let checked = self.clone().weighted(weights.clone())?;
        Ok(Self {
            weights: checked.weights.is_some().then_some(weights),
            ..self
        })
    }

    /// Unit labels: the scores of a fit to them are `βᵢ(x)`, what label i counts at x.
    ///
    /// # Errors
    /// As [`Observed::new`].
    pub fn units(&self) -> Result<Self> {
        self.with_values(Mat::identity(self.index.len(), self.index.len()))
    }

    /// The same labels with each column's mean, weighted, taken off.
    #[must_use]
    pub fn centred(&self) -> Self {
        let means = self.means();
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
