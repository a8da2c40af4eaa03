//! Labels, and how much each counts.

use crate::data::Targets;
use crate::error::{Error, Result};

/// Labels, and how much each counts.
#[derive(Debug, Clone, Copy)]
pub struct WeightedTargets<'a> {
    /// What is known of each sample.
    pub targets: &'a Targets,
    /// One weight per sample, read where it has a label; absent means that all count alike.
    pub weights: Option<&'a [f64]>,
}

impl WeightedTargets<'_> {
    /// Checks that there is one entry per sample.
    ///
    /// # Errors
    /// [`Error::Shape`].
    pub(crate) fn check_length(&self, samples: usize) -> Result<()> {
        let lengths = [
            (
                "labels, one for each sample, blank or not",
                Some(self.targets.len()),
            ),
            (
                "weights, one for each sample",
                self.weights.map(<[f64]>::len),
            ),
        ];
        for (what, got) in lengths {
            if let Some(got) = got.filter(|got| *got != samples) {
                return Err(Error::Shape {
                    what,
                    expected: samples,
                    got,
                });
            }
        }
        Ok(())
    }
}

impl<'a> From<&'a Targets> for WeightedTargets<'a> {
    fn from(targets: &'a Targets) -> Self {
        Self {
            targets,
            weights: None,
        }
    }
}
