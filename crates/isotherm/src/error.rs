//! Every way the library can refuse.
//!
//! A message states what is wrong, where, the value, and the way out. It is in lower
//! case without a full stop, since a front end puts its own prefix before it. Where a
//! message speaks of a parameter it writes the parameter's name between backticks, so
//! that [`spelled`] can put a front end's own spelling in its place.

mod refusal;

pub use refusal::Refusal;

/// The library's result.
pub type Result<T> = std::result::Result<T, Error>;

/// Every way the library can refuse; a front end maps each variant to its own error
/// (an exit code, a Python exception).
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter outside its range; found before any data is touched.
    #[error("{name} must be {expected}, got {got}{}", tail(.hint))]
    Parameter {
        /// The parameter as the user spells it.
        name: &'static str,
        /// The rule it broke, as the end of "must be …".
        expected: String,
        /// The value that was given.
        got: String,
        /// The way out, where the rule does not show it.
        hint: Option<String>,
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
    Refused {
        /// Which refusal it is.
        reason: Refusal,
        /// What is wrong, with the value.
        what: String,
        /// The way out.
        hint: String,
    },
    /// A cell that is not a finite number, or too large to square.
    #[error("row {row}, column {column}: {value} is not a usable number; {VALUE_HINT}")]
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
        reason: Reason,
    },
    /// An edge that cannot be used.
    #[error("edge {edge}: {reason}")]
    Edge {
        /// Edge, counted from 0 in the order given.
        edge: usize,
        /// Why not, and the way out.
        reason: Reason,
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
            hint: None,
        }
    }

    /// Data that cannot be learned from, where no other [`Refusal`] says more.
    pub fn data(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::refused(Refusal::Data, what, hint)
    }

    /// Data that cannot be learned from.
    pub fn refused(reason: Refusal, what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Refused {
            reason,
            what: what.into(),
            hint: hint.into(),
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

    /// The same refusal of a number of a part of a table, with the row counted in the whole table:
    /// so many rows come before the part.
    #[must_use]
    pub fn after_rows(mut self, before: usize) -> Self {
        if let Self::Value { row, .. } = &mut self {
            *row += before;
        }
        self
    }

    /// The same refusal of a parameter, a label or an edge, with the way out.
    pub fn with_hint(mut self, way_out: impl Into<String>) -> Self {
        if let Self::Parameter { hint, .. }
        | Self::Label {
            reason: Reason { hint, .. },
            ..
        }
        | Self::Edge {
            reason: Reason { hint, .. },
            ..
        } = &mut self
        {
            *hint = Some(way_out.into());
        }
        self
    }

    /// What is wrong, without the way out.
    pub fn what(&self) -> String {
        match self {
            Self::Parameter {
                name,
                expected,
                got,
                ..
            } => format!("{name} must be {expected}, got {got}"),
            Self::Refused { what, .. } => what.clone(),
            Self::Value { row, column, value } => {
                format!("row {row}, column {column}: {value} is not a usable number")
            }
            Self::Label { sample, reason } => format!("sample {sample}: {}", reason.what),
            Self::Edge { edge, reason } => format!("edge {edge}: {}", reason.what),
            Self::Indefinite {
                operator,
                curvature,
                ..
            } => format!("{operator} is not positive definite (curvature {curvature:.3e})"),
            Self::NotFinite { phase, .. } => {
                format!("{phase} produced a number that is not finite")
            }
            Self::Memory {
                what,
                needed,
                limit,
                ..
            } => format!(
                "{what} needs about {}, {}",
                bytes(*needed),
                allowance(*limit)
            ),
            Self::Shape { .. } | Self::Cancelled { .. } => self.to_string(),
        }
    }

    /// The way out, where there is one.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::Parameter { hint, .. } => hint.as_deref(),
            Self::Label { reason, .. } | Self::Edge { reason, .. } => reason.hint.as_deref(),
            Self::Value { .. } => Some(VALUE_HINT),
            Self::Refused { hint, .. }
            | Self::Indefinite { hint, .. }
            | Self::NotFinite { hint, .. }
            | Self::Memory { hint, .. } => Some(hint),
            Self::Shape { .. } | Self::Cancelled { .. } => None,
        }
    }

    /// The stable word for this refusal: what a program matches on.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Parameter { .. } => "parameter",
            Self::Shape { .. } => "shape",
            Self::Refused { reason, .. } => reason.name(),
            Self::Value { .. } => "value",
            Self::Label { .. } => "label",
            Self::Edge { .. } => "edge",
            Self::Indefinite { .. } => "indefinite",
            Self::NotFinite { .. } => "not-finite",
            Self::Memory { .. } => "memory",
            Self::Cancelled { .. } => "cancelled",
        }
    }
}

/// Why a label or an edge cannot be used, and the way out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// Why not: the end of "sample 7: …".
    pub what: String,
    /// The way out, where there is one.
    pub hint: Option<String>,
}

impl Reason {
    /// A reason with its way out; one without is made from its text.
    pub fn new(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            hint: Some(hint.into()),
        }
    }
}

impl From<String> for Reason {
    fn from(what: String) -> Self {
        Self { what, hint: None }
    }
}

impl From<&str> for Reason {
    fn from(what: &str) -> Self {
        what.to_owned().into()
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.what, tail(&self.hint))
    }
}

/// A message in the words of a front end: each `` `name` `` or `` `name value` `` becomes
/// what `spell` makes of the name and the value, and stays as it is where that is nothing.
pub fn spelled(text: &str, spell: impl Fn(&str, Option<&str>) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        out.push_str(before);
        let Some((quoted, left)) = after.split_once('`') else {
            return out + "`" + after;
        };
        let (name, value) = match quoted.split_once(' ') {
            Some((name, value)) => (name, Some(value)),
            None => (quoted, None),
        };
        match spell(name, value) {
            Some(word) => out.push_str(&word),
            None => out.extend(["`", quoted, "`"]),
        }
        rest = left;
    }
    out + rest
}

const VALUE_HINT: &str = "remove the row, fill the cell, or rescale the column below 1e150";

fn tail(hint: &Option<String>) -> String {
    hint.as_ref().map_or_else(String::new, |h| format!("; {h}"))
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
