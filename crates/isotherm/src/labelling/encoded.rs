//! Encoded labels, and the sets that those not known exactly lie in.

use crate::error::{Error, Refusal, Result};
use crate::estimator::Smoother;
use crate::linalg::{Mat, MatRef};
use crate::monitor::Monitor;
use crate::partial::{Disambiguated, Observations, Options, PartialCodec, disambiguate};
use crate::task::Observed;

/// How labels that were known in part were settled.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Settled {
    /// Samples of which something was known.
    pub samples: usize,
    /// The objective after each round; it does not rise.
    pub objective: Vec<f64>,
    /// Whether the last round changed nothing.
    pub converged: bool,
}

/// Encoded labels; where a label is known only in part, the average over its candidate set.
pub(crate) struct Encoded {
    pub(crate) seen: Observed,
    /// Which labels are known exactly.
    pub(crate) certain: Vec<bool>,
    candidates: Option<Box<dyn CandidateSets>>,
}

impl Encoded {
    /// Labels that are all known exactly.
    pub(crate) fn exact(seen: Observed) -> Self {
        Self {
            certain: vec![true; seen.index().len()],
            seen,
            candidates: None,
        }
    }

    /// Labels known by the sets they lie in; `certain` says which sets hold one label only.
    pub(crate) fn in_sets<C>(
        codec: C,
        sets: Observations<C::Observation>,
        certain: impl Fn(&C::Observation) -> bool,
    ) -> Result<Self>
    where
        C: PartialCodec + 'static,
        C::Observation: Send + Sync + 'static,
    {
        let mut values = Mat::zeros(sets.index().len(), codec.width());
        let mut row = vec![0.0; codec.width()];
        for (i, set) in sets.known().iter().enumerate() {
            codec.start(set, &mut row);
            for (j, v) in row.iter().enumerate() {
                values[(i, j)] = *v;
            }
        }
        Ok(Self {
            seen: Observed::new(sets.index().to_vec(), values, sets.total())?,
            certain: sets.known().iter().map(certain).collect(),
            candidates: Some(Box::new(KnownSets { codec, sets })),
        })
    }

    /// Whether every label is known exactly.
    pub(crate) fn is_exact(&self) -> bool {
        self.candidates.is_none()
    }

    /// The labels, if every one is known exactly; `who` needs them.
    pub(crate) fn into_exact(self, who: &str) -> Result<Observed> {
        if self.is_exact() {
            return Ok(self.seen);
        }
        Err(Error::refused(
            Refusal::UnsureLabels,
            format!("{who} needs labels that are sure, not sets they lie in"),
            "leave the labels that are not sure blank",
        ))
    }

    /// The same labels, weighted; one weight per sample.
    pub(crate) fn weighted(self, weights: &[f64]) -> Result<Self> {
        if !self.is_exact() {
            return Err(Error::refused(
                Refusal::UnsureLabels,
                "labels known in part cannot be weighed",
                "leave the weights out, or the labels that are not sure",
            ));
        }
        let own = self.seen.index().iter().map(|&i| weights[i]).collect();
        Ok(Self::exact(self.seen.weighted(own)?))
    }

    /// The labels in their sets that the method fits best; `None` where all are known exactly.
    /// [KLAP App. A.2]
    pub(crate) fn settle(
        &self,
        smoother: &Smoother,
        monitor: &mut dyn Monitor,
    ) -> Result<Option<(Observed, Settled)>> {
        let Some(candidates) = &self.candidates else {
            return Ok(None);
        };
        let Some(penalty) = smoother.penalty()? else {
            return Err(Error::refused(
                Refusal::Method,
                "this method minimises nothing that labels could be chosen by",
                "use stkr, kernel-ridge, laplacian with tikhonov over the labels, or harmonic",
            ));
        };
        let found = candidates.choose(penalty.as_ref(), monitor)?;
        let settled = Settled {
            samples: self.seen.index().len(),
            objective: found.objective,
            converged: found.converged,
        };
        Ok(Some((self.seen.with_values(found.values)?, settled)))
    }
}

/// Candidate sets of any codec.
trait CandidateSets: Send + Sync {
    fn choose(&self, penalty: MatRef<'_, f64>, monitor: &mut dyn Monitor) -> Result<Disambiguated>;
}

struct KnownSets<C: PartialCodec> {
    codec: C,
    sets: Observations<C::Observation>,
}

impl<C> CandidateSets for KnownSets<C>
where
    C: PartialCodec,
    C::Observation: Send + Sync,
{
    fn choose(&self, penalty: MatRef<'_, f64>, monitor: &mut dyn Monitor) -> Result<Disambiguated> {
        disambiguate(
            &self.codec,
            penalty,
            &self.sets,
            Options::default(),
            monitor,
        )
    }
}

/// The samples that have a label, with it.
pub(super) fn given<T: Clone>(labels: &[Option<T>]) -> impl Iterator<Item = (usize, T)> + '_ {
    let entries = labels.iter().enumerate();
    entries.filter_map(|(sample, label)| label.clone().map(|label| (sample, label)))
}
