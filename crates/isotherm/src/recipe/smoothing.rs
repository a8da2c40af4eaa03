//! How far features of nodes are averaged over the graph before they are compared.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::error::{Error, Result};

/// η of the averages that stand side by side where none is given; 0 are the features themselves.
const USUAL: [f64; 5] = [0.0, 0.8, 0.85, 0.9, 0.95];

/// How far features of nodes are averaged over the graph, `(1 − η)(I − ηŜ)⁻¹X̂`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Smoothing {
    /// The features and four averages side by side, η = 0.8, 0.85, 0.9 and 0.95.
    #[default]
    Auto,
    /// One average, from 0 to below 1; with 0 the features stay as they are.
    Eta(f64),
}

impl Smoothing {
    /// η of each average.
    pub(crate) fn etas(&self) -> &[f64] {
        match self {
            Self::Auto => &USUAL,
            Self::Eta(eta) => std::slice::from_ref(eta),
        }
    }

    /// Refuses an η out of range.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub(super) fn check(&self) -> Result<()> {
        match self.etas().iter().find(|eta| !(0.0..1.0).contains(*eta)) {
            Some(bad) => Err(Error::parameter(
                "smooth",
                "at least 0 and below 1, or auto",
                bad,
            )),
            None => Ok(()),
        }
    }
}

/// A number or a word.
#[derive(Deserialize)]
#[serde(untagged)]
enum Said {
    Number(f64),
    Word(String),
}

impl Serialize for Smoothing {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Auto => to.serialize_str("auto"),
            Self::Eta(eta) => to.serialize_f64(*eta),
        }
    }
}

impl<'de> Deserialize<'de> for Smoothing {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        match Said::deserialize(from)? {
            Said::Number(eta) => Ok(Self::Eta(eta)),
            Said::Word(word) if word == "auto" => Ok(Self::Auto),
            Said::Word(word) => Err(D::Error::custom(format!(
                "smooth must be \"auto\" or a number, not \"{word}\""
            ))),
        }
    }
}
