//! Targets: what is known of each sample. Missing is `None`, never a code.

use super::points::LARGEST;
use crate::error::{Error, Reason, Refusal, Result};

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
    /// Several real values a sample.
    Numbers {
        /// The values of each sample, or `None`.
        labels: Vec<Option<Vec<f64>>>,
        /// What each of them is.
        names: Vec<String>,
    },
    /// Yes or no to each of several tags; an entry may be missing.
    Flags {
        /// The flags of each sample, or `None`.
        labels: Vec<Option<Vec<Option<bool>>>>,
        /// The tags.
        names: Vec<String>,
    },
    /// Orders of items, the first the most preferred; items within a group are tied,
    /// items that are missing may stand anywhere.
    Orders {
        /// The groups of each sample, or `None`.
        labels: Vec<Option<Vec<Vec<u32>>>>,
        /// The items.
        names: Vec<String>,
    },
    /// Shares of classes, summing to one.
    Shares {
        /// The shares of each sample, or `None`.
        labels: Vec<Option<Vec<f64>>>,
        /// The classes.
        names: Vec<String>,
    },
    /// Classes of which one is right.
    Sets {
        /// The candidates of each sample, or `None`.
        labels: Vec<Option<Vec<u32>>>,
        /// The classes.
        names: Vec<String>,
    },
    /// Ranges that hold the value; an end may be infinite.
    Ranges(Vec<Option<(f64, f64)>>),
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
            Self::Numbers { labels, .. } | Self::Shares { labels, .. } => labels.len(),
            Self::Flags { labels, .. } => labels.len(),
            Self::Orders { labels, .. } => labels.len(),
            Self::Sets { labels, .. } => labels.len(),
            Self::Ranges(ranges) => ranges.len(),
        }
    }

    /// What they are, in a word: "classes", "numbers", …
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Classes { .. } => "classes",
            Self::Values(_) => "numbers",
            Self::Numbers { .. } => "several numbers a row",
            Self::Flags { .. } => "tags",
            Self::Orders { .. } => "rankings",
            Self::Shares { .. } => "shares of classes",
            Self::Sets { .. } => "sets of classes",
            Self::Ranges(_) => "ranges",
        }
    }

    /// Names of the score columns: classes, tags, items or values; none for numbers.
    pub fn names(&self) -> &[String] {
        match self {
            Self::Classes { names, .. }
            | Self::Numbers { names, .. }
            | Self::Flags { names, .. }
            | Self::Orders { names, .. }
            | Self::Shares { names, .. }
            | Self::Sets { names, .. } => names,
            Self::Values(_) | Self::Ranges(_) => &[],
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
            Self::Numbers { labels, .. } | Self::Shares { labels, .. } => some(labels),
            Self::Flags { labels, .. } => some(labels),
            Self::Orders { labels, .. } => some(labels),
            Self::Sets { labels, .. } => some(labels),
            Self::Ranges(ranges) => some(ranges),
        }
    }

    /// Checks that something can be learned: at least one label; two classes
    /// among the labels; finite values; class numbers in range.
    ///
    /// # Errors
    /// [`Error::Refused`] or [`Error::Label`] saying which rule was broken.
    pub fn check(&self) -> Result<()> {
        let labelled = self.labelled();
        if labelled.is_empty() {
            return Err(Error::refused(
                Refusal::NoLabels,
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
                    reason: Reason::new(
                        format!(
                            "the value {} is not a usable number",
                            values[sample].unwrap_or(f64::NAN)
                        ),
                        "leave it blank or rescale it",
                    ),
                }),
                None => Ok(()),
            },
            // Their codecs check each label: what is right depends on the task.
            _ => Ok(()),
        }
    }

    /// Replaces the label of sample `here` by that of sample `there` of labels of the same
    /// kind; labels of another kind change nothing.
    pub fn copy_from(&mut self, here: usize, other: &Self, there: usize) {
        match (self, other) {
            (Self::Classes { labels, .. }, Self::Classes { labels: from, .. }) => {
                labels[here] = from[there];
            }
            (Self::Values(values), Self::Values(from)) => values[here] = from[there],
            (
                Self::Numbers { labels, .. } | Self::Shares { labels, .. },
                Self::Numbers { labels: from, .. } | Self::Shares { labels: from, .. },
            ) => labels[here].clone_from(&from[there]),
            (Self::Flags { labels, .. }, Self::Flags { labels: from, .. }) => {
                labels[here].clone_from(&from[there]);
            }
            (Self::Orders { labels, .. }, Self::Orders { labels: from, .. }) => {
                labels[here].clone_from(&from[there]);
            }
            (Self::Sets { labels, .. }, Self::Sets { labels: from, .. }) => {
                labels[here].clone_from(&from[there]);
            }
            (Self::Ranges(ranges), Self::Ranges(from)) => ranges[here] = from[there],
            _ => {}
        }
    }

    /// The labels of other samples, each that of one of these samples or none.
    pub fn pick(&self, samples: &[Option<usize>]) -> Self {
        fn of<T: Clone>(labels: &[Option<T>], samples: &[Option<usize>]) -> Vec<Option<T>> {
            let one = |sample: &Option<usize>| labels.get((*sample)?).cloned().flatten();
            samples.iter().map(one).collect()
        }
        match self {
            Self::Classes { labels, names } => Self::Classes {
                labels: of(labels, samples),
                names: names.clone(),
            },
            Self::Values(values) => Self::Values(of(values, samples)),
            Self::Numbers { labels, names } => Self::Numbers {
                labels: of(labels, samples),
                names: names.clone(),
            },
            Self::Flags { labels, names } => Self::Flags {
                labels: of(labels, samples),
                names: names.clone(),
            },
            Self::Orders { labels, names } => Self::Orders {
                labels: of(labels, samples),
                names: names.clone(),
            },
            Self::Shares { labels, names } => Self::Shares {
                labels: of(labels, samples),
                names: names.clone(),
            },
            Self::Sets { labels, names } => Self::Sets {
                labels: of(labels, samples),
                names: names.clone(),
            },
            Self::Ranges(ranges) => Self::Ranges(of(ranges, samples)),
        }
    }

    /// Whether two samples have different labels.
    pub fn differ(&self, a: usize, b: usize) -> bool {
        match self {
            Self::Classes { labels, .. } => labels[a] != labels[b],
            Self::Values(values) => values[a] != values[b],
            Self::Numbers { labels, .. } | Self::Shares { labels, .. } => labels[a] != labels[b],
            Self::Flags { labels, .. } => labels[a] != labels[b],
            Self::Orders { labels, .. } => labels[a] != labels[b],
            Self::Sets { labels, .. } => {
                let common = |l: &Vec<u32>, m: &Vec<u32>| l.iter().any(|c| m.contains(c));
                matches!((&labels[a], &labels[b]), (Some(l), Some(m)) if !common(l, m))
            }
            Self::Ranges(ranges) => {
                matches!((ranges[a], ranges[b]), (Some(l), Some(m)) if l.1 < m.0 || m.1 < l.0)
            }
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
                    reason: format!("class {label} has no name among the {}", names.len()).into(),
                });
            }
        }
    }
    let mut present = names.iter().zip(&seen).filter(|(_, s)| **s);
    match (present.next(), present.next()) {
        (Some((only, _)), None) => Err(Error::refused(
            Refusal::OneClass,
            format!("every label is \"{only}\""),
            "label at least one sample of a second class",
        )),
        _ => Ok(()),
    }
}
