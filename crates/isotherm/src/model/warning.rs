//! What a fit warns of: once for every edge, in the words of each.

use crate::solve::{Outcome, SolveReport};

/// Something the user should know although the fit went through.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Warning {
    /// The solver stopped at its iteration limit.
    NotConverged {
        /// Iterations done.
        iterations: usize,
        /// Where the residual stood.
        residual: f64,
    },
    /// The solver ran out of digits before it reached its goal.
    Stagnated {
        /// Where the residual stood.
        residual: f64,
    },
    /// The system leaves few digits in its solution.
    IllConditioned {
        /// Estimated condition number.
        condition: f64,
    },
    /// Samples that no label can reach.
    Unreached {
        /// How many.
        rows: usize,
        /// Of how many.
        of: usize,
    },
    /// Feature columns with one value only.
    ConstantColumns {
        /// Their positions.
        columns: Vec<usize>,
    },
    /// Equal rows with different labels.
    Conflicts {
        /// How many pairs.
        pairs: usize,
    },
    /// Labels known in part had not settled when the rounds were over.
    NotSettled {
        /// Rounds done.
        rounds: usize,
    },
    /// No class has two labels, so leave-one-out could choose nothing: predicted
    /// without its only label, no class is ever right.
    NothingToLeaveOut {
        /// How many classes.
        classes: usize,
        /// The strength that was taken instead.
        strength: f64,
        /// Whether the bandwidth, too, is its default, the median distance.
        bandwidth: bool,
    },
    /// Class shares of the unlabelled samples that rest on little.
    UnsureShares {
        /// Classes with one label.
        once: Vec<String>,
        /// Steps after which the shares still moved.
        moving: Option<usize>,
    },
    /// Labelled samples that the fit answers with another class than the given one.
    Overruled {
        /// How many.
        rows: usize,
        /// Of how many with a sure label.
        of: usize,
    },
}

/// How an edge spells what a warning speaks of: a flag of the command line, a
/// parameter of a Python class.
pub trait Wording {
    /// What a parameter is called here; `None` where there is no such one.
    fn parameter(&self, name: &'static str) -> Option<String> {
        Some(name.to_owned())
    }

    /// What samples are: `samples`, `rows`, `nodes`.
    fn samples(&self) -> &'static str {
        "samples"
    }

    /// What a feature column is called.
    fn column(&self, position: usize) -> String {
        position.to_string()
    }

    /// How samples that no label reaches can be told, as a sentence.
    fn unreached(&self) -> &'static str {
        "nothing is predicted for them"
    }
}

/// The library's own names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neutral;

impl Wording for Neutral {}

/// Columns that a warning names before it only counts.
const NAMED: usize = 8;

impl Warning {
    /// What to say of a solve that did not reach its goal.
    pub(crate) fn of_solve(report: &SolveReport) -> Option<Self> {
        match report.outcome {
            Outcome::Exhausted => Some(Self::NotConverged {
                iterations: report.iterations,
                residual: report.residual,
            }),
            Outcome::Stagnated => Some(Self::Stagnated {
                residual: report.residual,
            }),
            _ => None,
        }
    }

    /// The stable word: what a program matches on.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotConverged { .. } => "not-converged",
            Self::Stagnated { .. } => "stagnated",
            Self::IllConditioned { .. } => "ill-conditioned",
            Self::Unreached { .. } => "unreached",
            Self::ConstantColumns { .. } => "constant-columns",
            Self::Conflicts { .. } => "conflicts",
            Self::NotSettled { .. } => "not-settled",
            Self::NothingToLeaveOut { .. } => "nothing-to-leave-out",
            Self::UnsureShares { .. } => "unsure-shares",
            Self::Overruled { .. } => "overruled",
        }
    }

    /// What was found, with the values; lower case, no full stop.
    pub fn what(&self, words: &dyn Wording) -> String {
        match self {
            Self::NotConverged {
                iterations,
                residual,
            } => {
                let times = if *iterations == 1 {
                    "iteration"
                } else {
                    "iterations"
                };
                format!("the solver stopped after {iterations} {times} at residual {residual:.1e}")
            }
            Self::Stagnated { residual } => {
                format!("the solver ran out of digits at residual {residual:.1e}")
            }
            Self::IllConditioned { condition } => format!(
                "the system's condition number is about {condition:.0e}: few digits are left"
            ),
            Self::Unreached { rows, of } => format!(
                "{rows} of {of} {} ({:.1} %) cannot be reached from any label; {}",
                words.samples(),
                100.0 * *rows as f64 / *of as f64,
                words.unreached()
            ),
            Self::ConstantColumns { columns } => {
                let named = columns.iter().take(NAMED).map(|&c| words.column(c));
                let named = named.collect::<Vec<_>>().join(", ");
                match columns.len().saturating_sub(NAMED) {
                    0 => format!("columns with one value only: {named}"),
                    more => format!("columns with one value only: {named} and {more} more"),
                }
            }
            Self::Conflicts { pairs } => format!(
                "{pairs} {} of equal rows with different labels",
                if *pairs == 1 { "pair" } else { "pairs" }
            ),
            Self::NotSettled { rounds } => {
                format!("labels known in part had not settled after {rounds} rounds")
            }
            Self::NothingToLeaveOut {
                classes,
                strength,
                bandwidth,
            } => format!(
                "each of the {classes} classes has one label, and without it cannot be predicted: \
                 leave-one-out has nothing to choose by; the strength is {strength}{}",
                if *bandwidth {
                    ", the bandwidth the median distance"
                } else {
                    ""
                }
            ),
            Self::UnsureShares { once, moving } => {
                let mut parts = Vec::new();
                if !once.is_empty() {
                    let have = if once.len() == 1 { "has" } else { "have" };
                    parts.push(format!("{} {have} one label", once.join(", ")));
                }
                if let Some(steps) = moving {
                    parts.push(format!("they still moved after {steps} steps"));
                }
                format!(
                    "the class shares of the unlabelled {} are unsure: {}",
                    words.samples(),
                    parts.join("; ")
                )
            }
            Self::Overruled { rows, of } => format!(
                "the fit gives {rows} of {of} labelled {} another class than they were given",
                words.samples()
            ),
        }
    }

    /// The way out.
    pub fn hint(&self, words: &dyn Wording) -> String {
        let spelled = |name: &'static str| words.parameter(name);
        match self {
            Self::NotConverged { .. } => match spelled("iterations") {
                Some(name) => format!("the labels may be off; raise {name}"),
                None => "the labels may be off".to_owned(),
            },
            Self::Stagnated { .. } => match spelled("tolerance") {
                Some(name) => {
                    format!("a larger {name} would be met; check the labels far from given ones")
                }
                None => "check the labels far from given ones".to_owned(),
            },
            Self::IllConditioned { .. } => match (spelled("ridge"), spelled("bandwidth")) {
                (Some(ridge), Some(width)) => format!("raise {ridge} or lower {width}"),
                (Some(ridge), None) => format!("raise {ridge}"),
                (None, Some(width)) => format!("lower {width}"),
                (None, None) => "check the labels far from given ones".to_owned(),
            },
            Self::Unreached { .. } => {
                let one = words.samples().strip_suffix('s').unwrap_or("sample");
                match spelled("neighbours") {
                    Some(name) => format!("label one {one} in each such part, or raise {name}"),
                    None => format!("label one {one} in each such part, or add edges to it"),
                }
            }
            Self::ConstantColumns { .. } => match spelled("exclude") {
                Some(name) => format!("they change nothing; {name} leaves them out"),
                None => "they change nothing; leave them out".to_owned(),
            },
            Self::Conflicts { .. } => "check them: no method can tell such rows apart".to_owned(),
            Self::NotSettled { .. } => {
                "they may still change: give more sure labels, or a larger ridge".to_owned()
            }
            Self::NothingToLeaveOut { .. } => match (spelled("bandwidth"), spelled("strength")) {
                (Some(width), Some(strength)) => {
                    format!("label a second row of some class, or give {width} and {strength}")
                }
                _ => "label a second row of some class".to_owned(),
            },
            Self::UnsureShares { .. } => match spelled("priors") {
                Some(name) => format!("label more of these classes, or give shares with {name}"),
                None => "label more of these classes".to_owned(),
            },
            Self::Overruled { .. } => "check these labels, or label more of their class".to_owned(),
        }
    }
}
