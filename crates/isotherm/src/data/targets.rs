//! Targets: what is known of each sample. Missing is `None`, never a code.

use super::points::LARGEST;
use crate::error::{Error, Result};

/// One entry per sample; `None` is unlabelled.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Targets {
    /// Class numbers, indices into `names`.
    Classes {
        /// The class of each sample, or `None`.
        labels: Vec<Option<u32>>,
        /// The classes' names, each once.
        names: Vec<String>,
    },
    /// Real values.
    Values(Vec<Option<f64>>),
}

impl Targets {
    /// Classes from names: each distinct name becomes a class, in sorted order.
    ///
    /// Names that are all integers sort by value (`"2"` before `"10"`).
    pub fn from_names<S: AsRef<str>>(labels: &[Option<S>]) -> Self {
        let mut names: Vec<&str> = labels.iter().flatten().map(AsRef::as_ref).collect();
        names.sort_unstable();
        names.dedup();
        if names.iter().all(|n| n.parse::<i64>().is_ok()) {
            names.sort_by_key(|n| (n.parse::<i64>().unwrap_or(0), *n));
        }
        let at: std::collections::HashMap<&str, u32> =
            names.iter().zip(0..).map(|(n, i)| (*n, i)).collect();
        let labels = labels
            .iter()
            .map(|l| l.as_ref().and_then(|l| at.get(l.as_ref()).copied()))
            .collect();
        let names = names.into_iter().map(str::to_owned).collect();
        Self::Classes { labels, names }
    }

    /// Number of samples, labelled or not.
    pub fn len(&self) -> usize {
        match self {
            Self::Classes { labels, .. } => labels.len(),
            Self::Values(values) => values.len(),
        }
    }

    /// Whether there is no sample.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Indices of the labelled samples, ascending.
    pub fn labelled(&self) -> Vec<usize> {
        fn some<T>(values: &[Option<T>]) -> Vec<usize> {
            let known = values.iter().enumerate().filter(|(_, v)| v.is_some());
            known.map(|(i, _)| i).collect()
        }
        match self {
            Self::Classes { labels, .. } => some(labels),
            Self::Values(values) => some(values),
        }
    }

    /// Checks that something can be learned: at least one label; two classes
    /// among the labels; finite values; class numbers in range.
    ///
    /// # Errors
    /// [`Error::Data`] or [`Error::Label`] saying which rule was broken.
    pub fn check(&self) -> Result<()> {
        let labelled = self.labelled();
        if labelled.is_empty() {
            return Err(Error::data(
                format!("none of the {} samples has a label", self.len()),
                "label at least one sample of each class",
            ));
        }
        match self {
            Self::Classes { labels, names } => check_classes(labels, names),
            Self::Values(values) => match values
                .iter()
                .position(|v| v.is_some_and(|v| v.is_nan() || v.abs() >= LARGEST))
            {
                Some(sample) => Err(Error::Label {
                    sample,
                    reason: format!(
                        "the value {} is not a usable number; leave it blank or rescale it",
                        values[sample].unwrap_or(f64::NAN)
                    ),
                }),
                None => Ok(()),
            },
        }
    }
}

fn check_classes(labels: &[Option<u32>], names: &[String]) -> Result<()> {
    let mut seen = vec![false; names.len()];
    for (sample, label) in labels.iter().enumerate() {
        let Some(label) = label else { continue };
        match seen.get_mut(*label as usize) {
            Some(slot) => *slot = true,
            None => {
                return Err(Error::Label {
                    sample,
                    reason: format!("class {label} has no name among the {}", names.len()),
                });
            }
        }
    }
    let mut present = names.iter().zip(&seen).filter(|(_, s)| **s);
    match (present.next(), present.next()) {
        (Some((only, _)), None) => Err(Error::data(
            format!("every label is \"{only}\""),
            "label at least one sample of a second class",
        )),
        _ => Ok(()),
    }
}
