//! How a table's columns become features: what a model keeps of it for new rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::parts::{Array, Parts, broken, from_json, json};
use crate::data::columns::dates::DateStyle;
use crate::data::points::LARGEST;
use crate::error::Result;
use crate::text::Topics;

/// What was learned of a table's columns, beside the features' names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Encoding {
    /// What takes the place of a missing number, one per feature; empty where none is filled.
    pub fills: Vec<f64>,
    /// How the dates of a column are written.
    pub dates: BTreeMap<String, DateStyle>,
    /// The topics of text columns.
    pub texts: BTreeMap<String, Arc<Topics>>,
    /// The fingerprints of the sentence models that embed text columns.
    pub sentences: BTreeMap<String, String>,
    /// Columns of pictures, and which numbers were made of them
    /// ([`crate::picture::Picture::VERSION`]).
    pub pictures: BTreeMap<String, u32>,
}

impl Encoding {
    /// Lays it out flat with the names of its features, as in a model.
    pub fn to_parts(&self, features: &[String]) -> Parts {
        let mut parts = Parts::default();
        parts.text("features", json(&features));
        self.put(&mut parts);
        parts
    }

    /// The names of the features, and it, of what [`Encoding::to_parts`] gave.
    ///
    /// # Errors
    /// [`crate::Error::Refused`] naming the part that is missing, of the wrong shape or
    /// not what it should be.
    pub fn from_parts(mut parts: Parts) -> Result<(Vec<String>, Self)> {
        let features: Vec<String> = from_json(&parts.take_text("features")?, "features")?;
        let encoding = Self::take(&mut parts, features.len())?;
        Ok((features, encoding))
    }

    pub(super) fn put(&self, parts: &mut Parts) {
        if !self.fills.is_empty() {
            parts.floats("feature_fill", vec![self.fills.len()], self.fills.clone());
        }
        if !self.dates.is_empty() {
            parts.text("date_columns", json(&self.dates));
        }
        if !self.sentences.is_empty() {
            parts.text("sentence_columns", json(&self.sentences));
        }
        if !self.pictures.is_empty() {
            parts.text("picture_columns", json(&self.pictures));
        }
        if !self.texts.is_empty() {
            parts.text("text_columns", json(&self.texts.keys().collect::<Vec<_>>()));
        }
        for (at, topics) in self.texts.values().enumerate() {
            let (terms, weights, directions) = topics.parts();
            let n = terms.len();
            parts.put(
                &format!("text_{at}_terms"),
                vec![n],
                Array::U64(terms.to_vec()),
            );
            parts.floats(&format!("text_{at}_weights"), vec![n], weights.to_vec());
            parts.put(
                &format!("text_{at}_topics"),
                vec![n, topics.count()],
                Array::F32(directions.to_vec()),
            );
        }
    }

    pub(super) fn take(parts: &mut Parts, features: usize) -> Result<Self> {
        let dates = match parts.metadata.remove("date_columns") {
            Some(text) => from_json(&text, "date_columns")?,
            None => BTreeMap::new(),
        };
        let sentences = match parts.metadata.remove("sentence_columns") {
            Some(text) => from_json(&text, "sentence_columns")?,
            None => BTreeMap::new(),
        };
        let pictures = match parts.metadata.remove("picture_columns") {
            Some(text) => from_json(&text, "picture_columns")?,
            None => BTreeMap::new(),
        };
        let columns: Vec<String> = match parts.metadata.remove("text_columns") {
            Some(text) => from_json(&text, "text_columns")?,
            None => Vec::new(),
        };
        let mut texts = BTreeMap::new();
        for (at, column) in columns.into_iter().enumerate() {
            let terms = match parts.take(&format!("text_{at}_terms"), &[None])?.array {
                Array::U64(terms) => terms,
                _ => return Err(broken("text_terms", "must be hashes of 64 bits")),
            };
            let n = Some(terms.len());
            let (_, weights) = parts.take_floats(&format!("text_{at}_weights"), &[n])?;
            let directions = match parts.take(&format!("text_{at}_topics"), &[n, None])?.array {
                Array::F32(directions) => directions,
                _ => return Err(broken("text_topics", "must be numbers of 32 bits")),
            };
            let topics = Topics::from_parts(terms, weights, directions)?;
            texts.insert(column, Arc::new(topics));
        }
        Ok(Self {
            fills: take_fills(parts, features)?,
            dates,
            texts,
            sentences,
            pictures,
        })
    }
}

/// What takes the place of missing numbers, one per feature, if the model has them; where
/// features have no names it is not known here how many there are.
fn take_fills(parts: &mut Parts, features: usize) -> Result<Vec<f64>> {
    if !parts.tensors.contains_key("feature_fill") {
        return Ok(Vec::new());
    }
    let named = (features > 0).then_some(features);
    let (_, fills) = parts.take_floats("feature_fill", &[named])?;
    if fills.iter().all(|fill| fill.abs() < LARGEST) {
        Ok(fills)
    } else {
        Err(broken("feature_fill", "has a number that cannot be used"))
    }
}
