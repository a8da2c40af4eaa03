//! Candidate sets: the label is one of these classes.

use super::PartialCodec;
use crate::error::Reason;
use crate::task::{Checked, Codec, OneHot, Ordinal, check_class};

/// The classes a label may be, ascending.
///
/// ```
/// use isotherm::partial::{Candidates, PartialCodec};
/// use isotherm::task::OneHot;
/// let codec = OneHot::new(3);
/// let set = Candidates::new(vec![2, 1]);
/// let mut row = [0.0; 3];
/// codec.start(&set, &mut row);
/// assert_eq!(row, [0.0, 0.5, 0.5]);
/// codec.nearest(&[0.9, 0.2, 0.1], &set, &mut row); // class 0 is no candidate
/// assert_eq!(row, [0.0, 1.0, 0.0]);
/// assert!(codec.check_observation(&Candidates::new(vec![])).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidates {
    classes: Vec<u32>,
}

impl Candidates {
    /// These classes, in any order, each counted once.
    pub fn new(mut classes: Vec<u32>) -> Self {
        classes.sort_unstable();
        classes.dedup();
        Self { classes }
    }

    /// The classes, ascending.
    pub fn classes(&self) -> &[u32] {
        &self.classes
    }

    fn check(&self, classes: usize) -> Checked {
        if self.classes.is_empty() {
            return Err(Reason::new(
                "its candidate set is empty",
                "leave the sample unlabelled, or name the classes it may be",
            ));
        }
        (self.classes.iter()).try_for_each(|class| check_class(*class, classes))
    }

    fn and(&self, other: &Self) -> Result<Self, Reason> {
        let both = |class: &u32| other.classes.binary_search(class).is_ok();
        let classes: Vec<u32> = self.classes.iter().copied().filter(both).collect();
        if classes.is_empty() {
            return Err(Reason::new(
                format!(
                    "its candidate sets {:?} and {:?} have no class in common",
                    self.classes, other.classes
                ),
                "correct one of them",
            ));
        }
        Ok(Self { classes })
    }
}

/// For every codec of classes: the average of φ over the set, and its nearest member.
macro_rules! classes {
    ($codec:ty, $count:expr) => {
        impl PartialCodec for $codec {
            type Observation = Candidates;

            fn check_observation(&self, known: &Candidates) -> Checked {
                known.check($count(self))
            }

            fn informative(&self, known: &Candidates) -> bool {
                known.classes.len() < $count(self)
            }

            fn join(&self, one: &Candidates, other: &Candidates) -> Result<Candidates, Reason> {
                one.and(other)
            }

            fn start(&self, known: &Candidates, out: &mut [f64]) {
                let mut row = vec![0.0; out.len()];
                out.fill(0.0);
                for class in &known.classes {
                    self.encode(class, &mut row);
                    for (slot, v) in out.iter_mut().zip(&row) {
                        *slot += v / known.classes.len() as f64;
                    }
                }
            }

            fn nearest(&self, scores: &[f64], known: &Candidates, out: &mut [f64]) {
                let mut row = vec![0.0; out.len()];
                let mut least = f64::INFINITY;
                for class in &known.classes {
                    self.encode(class, &mut row);
                    // ‖φ(y) − g‖² − ‖g‖²
                    let far: f64 = (row.iter().zip(scores))
                        .map(|(v, g)| v * (v - 2.0 * g))
                        .sum();
                    if far < least {
                        least = far;
                        out.copy_from_slice(&row);
                    }
                }
            }
        }
    };
}

classes!(OneHot, OneHot::width);
classes!(Ordinal, Ordinal::levels);
