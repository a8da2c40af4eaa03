//! How often each class was given, and how often it is predicted.

use crate::data::Targets;
use crate::error::{Error, Result};
use crate::monitor::Monitor;
use crate::study::{LabelSampling, Study};

/// Classes among labels and among predictions.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Balance {
    /// One entry a class, in the order of the classes.
    pub classes: Vec<ClassCount>,
    /// Labels there are.
    pub labels: usize,
    /// Samples without a label.
    pub unlabelled: usize,
    /// Samples without a label that no label reaches.
    pub unreached: usize,
}

/// How often a class occurs.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ClassCount {
    /// Its name.
    pub name: String,
    /// Labels that give it.
    pub given: usize,
    /// Labels that give it on rows drawn at random, where it is known which those are; the
    /// others were suggested.
    pub audit: Option<usize>,
    /// Samples without a label that it is predicted for.
    pub predicted: usize,
}

impl Balance {
    /// Samples without a label that one is predicted for: what shares of predictions are of.
    pub fn filled(&self) -> usize {
        self.unlabelled - self.unreached
    }

    /// Counts. One entry a sample: the class given and predicted, and whether the sample was
    /// drawn at random.
    ///
    /// # Errors
    /// [`Error::Shape`] when there is not one of each a sample.
    pub fn count(
        classes: &[String],
        given: &[Option<u32>],
        predicted: &[Option<u32>],
        audit: Option<&[bool]>,
    ) -> Result<Self> {
        for got in [Some(predicted.len()), audit.map(<[bool]>::len)] {
            if let Some(got) = got.filter(|got| *got != given.len()) {
                return Err(Error::Shape {
                    what: "predictions and audit marks, one for each sample",
                    expected: given.len(),
                    got,
                });
            }
        }
        let mut out = Self {
            classes: (classes.iter())
                .map(|name| ClassCount {
                    name: name.clone(),
                    given: 0,
                    audit: audit.map(|_| 0),
                    predicted: 0,
                })
                .collect(),
            labels: 0,
            unlabelled: 0,
            unreached: 0,
        };
        for (i, (given, predicted)) in given.iter().zip(predicted).enumerate() {
            let class = given.or(*predicted);
            let entry = class.and_then(|c| out.classes.get_mut(c as usize));
            match (given, entry) {
                (Some(_), entry) => {
                    out.labels += 1;
                    if let Some(entry) = entry {
                        entry.given += 1;
                        let drawn = audit.is_some_and(|audit| audit[i]);
                        entry.audit = entry.audit.map(|n| n + usize::from(drawn));
                    }
                }
                (None, Some(entry)) => {
                    out.unlabelled += 1;
                    entry.predicted += 1;
                }
                (None, None) => {
                    out.unlabelled += 1;
                    out.unreached += 1;
                }
            }
        }
        Ok(out)
    }
}

impl Study {
    /// Fits, and counts the classes among the labels and among the predictions for the samples
    /// without one.
    ///
    /// # Errors
    /// As [`Study::fit`]; [`Error::Refused`] when labels are no classes.
    pub fn balance(
        &mut self,
        sampling: &LabelSampling,
        monitor: &mut dyn Monitor,
    ) -> Result<Balance> {
        let refused = || {
            Error::data(
                format!(
                    "the labels of the task {} are no classes",
                    self.recipe.task.name()
                ),
                "use the task classify",
            )
        };
        let Targets::Classes { labels, .. } = self.targets() else {
            return Err(refused());
        };
        let given = labels.clone();
        let model = self.fit(monitor)?;
        let answer = self.training_answer(&model, monitor)?;
        let Some(predicted) = answer.classes() else {
            return Err(Error::data(
                "the answers are no classes",
                "use the task classify",
            ));
        };
        let audit = match sampling {
            LabelSampling::Random => None,
            LabelSampling::Active { audit, .. } => Some(audit.as_slice()),
        };
        Balance::count(model.names(), &given, predicted, audit)
    }
}
