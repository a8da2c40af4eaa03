//! What is known of which samples.

use std::collections::BTreeMap;

use super::PartialCodec;
use crate::error::{Error, Reason, Refusal, Result};

/// Sets of labels of some of the samples, none twice and none without information.
#[derive(Debug, Clone, PartialEq)]
pub struct Observations<O> {
    index: Vec<usize>,
    known: Vec<O>,
    total: usize,
}

impl<O> Observations<O> {
    /// Gathers statements about samples out of `total`. Several about one sample hold
    /// together; those that exclude no label are dropped, as an unlabelled sample is.
    ///
    /// ```
    /// use isotherm::partial::{Candidates, Observations};
    /// use isotherm::task::OneHot;
    /// let said = [(4, vec![0, 1]), (2, vec![0, 1, 2]), (4, vec![1, 2])];
    /// let said = said.map(|(sample, classes)| (sample, Candidates::new(classes)));
    /// let known = Observations::gather(&OneHot::new(3), said, 5)?;
    /// assert_eq!(known.index(), [4]);
    /// assert_eq!(known.known(), [Candidates::new(vec![1])]);
    /// # Ok::<(), isotherm::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Label`] naming the sample that does not exist, whose set cannot be
    /// used or whose statements contradict each other; [`Error::Refused`] when nothing is
    /// known of any sample.
    pub fn gather<C: PartialCodec<Observation = O>>(
        codec: &C,
        said: impl IntoIterator<Item = (usize, O)>,
        total: usize,
    ) -> Result<Self> {
        let mut all: BTreeMap<usize, O> = BTreeMap::new();
        for (sample, known) in said {
            let refuse = |reason| Error::Label { sample, reason };
            if sample >= total {
                return Err(refuse(Reason::new(
                    format!("there are only {total} samples"),
                    "they count from 0",
                )));
            }
            codec.check_observation(&known).map_err(refuse)?;
            let known = match all.remove(&sample) {
                Some(before) => codec.join(&before, &known).map_err(refuse)?,
                None => known,
            };
            all.insert(sample, known);
        }
        all.retain(|_, known| codec.informative(known));
        if all.is_empty() {
            return Err(Error::refused(
                Refusal::NoLabels,
                format!("nothing is known of any of the {total} samples"),
                "give at least one sample a set that leaves out some label",
            ));
        }
        let (index, known) = all.into_iter().unzip();
        Ok(Self {
            index,
            known,
            total,
        })
    }

    /// The samples, ascending.
    pub fn index(&self) -> &[usize] {
        &self.index
    }

    /// What is known of each of them.
    pub fn known(&self) -> &[O] {
        &self.known
    }

    /// All samples, whether anything is known of them or not.
    pub fn total(&self) -> usize {
        self.total
    }
}
