//! Every way the library can refuse.
//!
//! A message states what, where, the value, and the way out. Lower case, no
//! full stop: the edges put their own prefix in front.
//!
//! Every refusal has a stable word, [`Error::code`]; [`codes`] is the table of
//! all words with their numbers.

pub mod codes;

/// The library's result.
pub type Result<T> = std::result::Result<T, Error>;

/// Every way the library can refuse; the edges map each variant to their own
/// error (an exit code, a Python exception).
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter outside its range; found before any data is touched.
    #[error("{name} must be {expected}, got {got}")]
    Parameter {
        /// The parameter as the user spells it.
        name: &'static str,
        /// The rule it broke, as the end of "must be …".
        expected: String,
        /// The value that was given.
        got: String,
    },
    /// Two sizes that have to agree do not.
    #[error("{what}: expected {expected}, got {got}")]
    Shape {
        /// What was counted.
        what: &'static str,
        /// The number that was needed.
        expected: usize,
        /// The number that was given.
        got: usize,
    },
    /// Data that cannot be learned from, whatever the parameters.
    #[error("{what}; {hint}")]
    Data {
        /// Which refusal it is: a word of [`codes`].
        code: &'static str,
        /// What is wrong, with the value.
        what: String,
        /// The way out.
        hint: String,
    },
    /// A cell that is not a finite number, or too large to square.
    #[error(
        "row {row}, column {column}: {value} is not a usable number; remove the row, fill the cell, or rescale the column below 1e150"
    )]
    Value {
        /// Row, counted from 0.
        row: usize,
        /// Column, counted from 0.
        column: usize,
        /// The offending value.
        value: f64,
    },
    /// A label that cannot be used.
    #[error("sample {sample}: {reason}")]
    Label {
        /// Sample, counted from 0.
        sample: usize,
        /// Why not, and the way out.
        reason: String,
    },
    /// An edge that cannot be used.
    #[error("edge {edge}: {reason}")]
    Edge {
        /// Edge, counted from 0 in the order given.
        edge: usize,
        /// Why not, and the way out.
        reason: String,
    },
    /// A system that had to be positive definite is not.
    #[error("{operator} is not positive definite (curvature {curvature:.3e}); {hint}")]
    Indefinite {
        /// The operator's name.
        operator: &'static str,
        /// The non-positive number that showed it: a pivot or `pᵀAp/pᵀp`.
        curvature: f64,
        /// The way out.
        hint: String,
    },
    /// A number that overflowed or became NaN inside a computation.
    #[error("{phase} produced a number that is not finite; {hint}")]
    NotFinite {
        /// Where it happened.
        phase: &'static str,
        /// The way out.
        hint: String,
    },
    /// More memory than there is, or than the user allows.
    #[error("{what} needs about {}, {}; {hint}", bytes(*.needed), allowance(*.limit))]
    Memory {
        /// What would be allocated.
        what: String,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed; `None` when the system itself refused.
        limit: Option<u64>,
        /// The way out.
        hint: String,
    },
    /// The monitor asked to stop.
    #[error("cancelled during {phase}")]
    Cancelled {
        /// The phase that was interrupted.
        phase: &'static str,
    },
}

impl Error {
    /// A parameter refusal; `got` is shown with its `Debug` form.
    pub fn parameter(
        name: &'static str,
        expected: impl Into<String>,
        got: impl std::fmt::Debug,
    ) -> Self {
        Self::Parameter {
            name,
            expected: expected.into(),
            got: format!("{got:?}"),
        }
    }

    /// More memory than the system gives.
    pub fn no_memory(what: impl Into<String>, needed: u64) -> Self {
        Self::Memory {
            what: what.into(),
            needed,
            limit: None,
            hint: "use less data or free some memory".into(),
        }
    }

    /// What is wrong, without the way out.
    pub fn what(&self) -> String {
        self.told().0
    }

    /// The way out, where there is one: every message ends in it, after a
    /// semicolon, but a parameter's rule holds it before the value.
    pub fn hint(&self) -> Option<String> {
        self.told().1
    }

    fn told(&self) -> (String, Option<String>) {
        let split = |text: String| match text.split_once("; ") {
            Some((what, hint)) => (what.to_owned(), Some(hint.to_owned())),
            None => (text, None),
        };
        match self {
            Self::Parameter {
                name,
                expected,
                got,
            } => {
                let (rule, hint) = split(expected.clone());
                (format!("{name} must be {rule}, got {got}"), hint)
            }
            Self::Data { what, hint, .. } => (what.clone(), Some(hint.clone())),
            Self::Label { .. } | Self::Edge { .. } | Self::Value { .. } => split(self.to_string()),
            Self::Indefinite { hint, .. }
            | Self::NotFinite { hint, .. }
            | Self::Memory { hint, .. } => {
                let text = self.to_string();
                let what = text.strip_suffix(&format!("; {hint}")).unwrap_or(&text);
                (what.to_owned(), Some(hint.clone()))
            }
            Self::Shape { .. } | Self::Cancelled { .. } => (self.to_string(), None),
        }
    }

    /// The stable word for this refusal: what a program matches on, and what
    /// [`codes::find`] knows the number of.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Parameter { .. } => "parameter",
            Self::Shape { .. } => "shape",
            Self::Data { code, .. } => code,
            Self::Value { .. } => "value",
            Self::Label { .. } => "label",
            Self::Edge { .. } => "edge",
            Self::Indefinite { .. } => "indefinite",
            Self::NotFinite { .. } => "not-finite",
            Self::Memory { .. } => "memory",
            Self::Cancelled { .. } => "cancelled",
        }
    }

    /// Data that cannot be learned from, where no word of [`codes`] says more.
    pub fn data(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::refusal("data", what, hint)
    }

    /// Data that cannot be learned from; `code` is a word of [`codes`].
    pub fn refusal(code: &'static str, what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Data {
            code,
            what: what.into(),
            hint: hint.into(),
        }
    }
}

fn allowance(limit: Option<u64>) -> String {
    match limit {
        Some(limit) => format!("{} are allowed", bytes(limit)),
        None => "which the system refuses".to_owned(),
    }
}

/// A number of bytes as people say it: `442 GB`, `3.8 MB`.
pub fn bytes(n: u64) -> String {
    let n = n as f64;
    for (unit, size) in [("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)] {
        if n >= size {
            let v = n / size;
            return if v < 10.0 {
                format!("{v:.1} {unit}")
            } else {
                format!("{v:.0} {unit}")
            };
        }
    }
    format!("{n} bytes")
}
