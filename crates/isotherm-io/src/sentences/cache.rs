//! Vectors of texts, kept in a file beside the table that the texts are in.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use isotherm::model::parts::{Array, Parts, Tensor};
use sha2::{Digest, Sha256};

use crate::error::{Error, Result, shown};
use crate::model_file;
use crate::write::atomic::Overwrite;

/// The first half of the SHA-256 of a text.
pub(super) type Key = [u64; 2];

/// The key of a text.
pub(super) fn key(text: &str) -> Key {
    let hash = Sha256::digest(text.as_bytes());
    let mut key = [0; 2];
    for (word, bytes) in key.iter_mut().zip(hash.chunks_exact(8)) {
        *word = bytes
            .iter()
            .fold(0, |word, byte| word << 8 | u64::from(*byte));
    }
    key
}

/// Vectors by the hashes of their texts.
#[derive(Debug)]
pub(super) struct Cache {
    /// The file they are kept in.
    path: PathBuf,
    model: String,
    dim: usize,
    at: HashMap<Key, usize>,
    keys: Vec<Key>,
    vectors: Vec<f32>,
    /// How many of them are in the file.
    saved: usize,
}

impl Cache {
    /// The vectors of a model that are kept beside a table. A file that cannot be used is
    /// made anew; the second result says so.
    pub(super) fn beside(table: &Path, model: &str, dim: usize) -> (Self, Option<String>) {
        let mut name = table.as_os_str().to_owned();
        name.push(format!(".{}.embeddings", &model[..model.len().min(12)]));
        let mut cache = Self {
            path: name.into(),
            model: model.to_owned(),
            dim,
            at: HashMap::new(),
            keys: Vec::new(),
            vectors: Vec::new(),
            saved: 0,
        };
        if !cache.path.exists() {
            return (cache, None);
        }
        let read = model_file::read_model(&cache.path).map(|parts| cache.take(parts));
        let why = match read {
            Ok(true) => return (cache, None),
            Ok(false) => "it holds something else".to_owned(),
            Err(e) => e.to_string(),
        };
        let told = format!(
            "the embeddings that were kept in {} cannot be used and are made again: {why}",
            shown(&cache.path)
        );
        (cache, Some(told))
    }

    /// Takes what a file held, if all of it is what it should be.
    fn take(&mut self, mut parts: Parts) -> bool {
        let model = parts.metadata.remove("sentence_model");
        let (Some(keys), Some(vectors)) = (
            parts.tensors.remove("texts"),
            parts.tensors.remove("vectors"),
        ) else {
            return false;
        };
        let (Array::U64(words), Array::F32(numbers)) = (keys.array, vectors.array) else {
            return false;
        };
        let count = words.len() / 2;
        let fits = keys.shape == [count, 2] && vectors.shape == [count, self.dim];
        if !fits || model.as_ref() != Some(&self.model) || !numbers.iter().all(|v| v.is_finite()) {
            return false;
        }
        self.keys = words.chunks_exact(2).map(|w| [w[0], w[1]]).collect();
        self.at = self.keys.iter().copied().zip(0..).collect();
        self.vectors = numbers;
        self.saved = count;
        true
    }

    /// The vector of a text, if it is kept.
    pub(super) fn get(&self, key: &Key) -> Option<&[f32]> {
        let from = self.at.get(key)? * self.dim;
        self.vectors.get(from..from + self.dim)
    }

    /// Keeps the vector of a text.
    pub(super) fn put(&mut self, key: Key, vector: &[f32]) {
        if self.at.insert(key, self.keys.len()).is_none() {
            self.keys.push(key);
            self.vectors.extend_from_slice(vector);
        }
    }

    /// Writes the file, whole or not at all, if there is something new.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn save(&mut self) -> Result<()> {
        if self.saved == self.keys.len() {
            return Ok(());
        }
        let mut parts = Parts::default();
        let count = self.keys.len();
        parts
            .metadata
            .insert("sentence_model".into(), self.model.clone());
        let texts = self.keys.iter().flatten().copied().collect();
        let tensor = |width, array| Tensor {
            shape: vec![count, width],
            array,
        };
        parts
            .tensors
            .insert("texts".into(), tensor(2, Array::U64(texts)));
        // Given to be written and taken back: they may be large.
        let vectors = std::mem::take(&mut self.vectors);
        parts
            .tensors
            .insert("vectors".into(), tensor(self.dim, Array::F32(vectors)));
        let written = model_file::write_model(&self.path, &parts, Overwrite::Replace);
        if let Some(Array::F32(vectors)) = parts.tensors.remove("vectors").map(|t| t.array) {
            self.vectors = vectors;
        }
        written.map(|()| self.saved = count)
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// What is said where vectors cannot be kept.
pub(super) fn not_kept(path: &Path, why: &Error) -> String {
    format!(
        "the embeddings could not be kept in {}, so the next run makes them again: {why}",
        shown(path)
    )
}
