//! A sentence model, and the vectors it has made already.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use isotherm::monitor::Monitor;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::cache::{Cache, Key, key, not_kept};
use super::network::Network;
use super::settings::Settings;
use crate::error::{Error, Result};
use crate::features::Vectors;
use crate::progress::Progress;

/// Texts that each thread embeds between two looks at the monitor.
const EACH: usize = 2;

/// Vectors between two savings of the file they are kept in, and at least half of those made.
const SAVED: usize = 20_000;

/// A sentence-embedding model in a folder: an ONNX file and `tokenizer.json`, as
/// sentence-transformers lays them out. Nothing is downloaded.
///
/// A text becomes the mean of its tokens' vectors, or the first of them where
/// `1_Pooling/config.json` says so, brought to unit length.
#[derive(Debug)]
pub struct SentenceModel {
    settings: Settings,
    fingerprint: String,
    network: Network,
    kept: Mutex<Option<Cache>>,
    notes: Mutex<Vec<String>>,
}

/// Equal models make equal vectors.
impl PartialEq for SentenceModel {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
    }
}

impl SentenceModel {
    /// Opens the model in a folder: `model.onnx` or `onnx/model.onnx`, and `tokenizer.json`.
    ///
    /// # Errors
    /// [`Error::Format`] of the code `sentence-model` when a file is missing or damaged, when the
    /// model does what is not done here, and in a program that was built without the cargo
    /// feature `embed`; [`Error::Io`].
    pub fn open(dir: impl AsRef<Path>) -> Result<Self> {
        let settings = Settings::of(dir.as_ref())?;
        let read = |path: &Path| std::fs::read(path).map_err(|e| Error::io(path, "read", e));
        let (network, tokenizer) = (read(&settings.network)?, read(&settings.tokenizer)?);
        let mut hash = Sha256::new();
        for bytes in [&network, &tokenizer] {
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        }
        hash.update(settings.pooling.name());
        hash.update((settings.longest as u64).to_le_bytes());
        let hash = hash.finalize();
        Ok(Self {
            network: Network::open(&network, &tokenizer, &settings)?,
            fingerprint: hash.iter().map(|byte| format!("{byte:02x}")).collect(),
            settings,
            kept: Mutex::default(),
            notes: Mutex::default(),
        })
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &Path {
        self.settings.tokenizer.parent().unwrap_or(Path::new(""))
    }

    /// The files that the vectors depend on.
    pub fn files(&self) -> [&Path; 2] {
        [&self.settings.network, &self.settings.tokenizer]
    }

    /// A hash of the network, of the tokenizer and of how texts are cut and pooled: models of
    /// one fingerprint make the same vectors.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Numbers of a vector.
    pub fn dim(&self) -> usize {
        self.network.dim()
    }

    /// Keeps the vectors in a file beside this table, and takes those that are there from an
    /// earlier run. A file that is damaged is made anew.
    pub fn keep_beside(&self, table: &Path) {
        let (cache, note) = Cache::beside(table, &self.fingerprint, self.dim());
        *locked(&self.kept) = Some(cache);
        locked(&self.notes).extend(note);
    }

    /// What there is to say of the file that vectors are kept in, each once.
    pub fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut locked(&self.notes))
    }

    /// Bytes that the vectors of so many texts take, beside the points made of them.
    pub(crate) fn bytes(&self, texts: usize) -> u64 {
        let vector = 4 * self.dim() as u64;
        // Once to be used, and once more with their keys where they are kept.
        let kept = locked(&self.kept).as_ref().map_or(0, |_| vector + 64);
        (vector + kept + 64).saturating_mul(texts as u64)
    }

    /// The vectors of texts, `None` where there is no text.
    ///
    /// # Errors
    /// [`Error::Cancelled`]; [`Error::Format`] when the network fails.
    pub(crate) fn embed(
        &self,
        texts: &[Option<impl AsRef<str> + Sync>],
        monitor: &mut dyn Monitor,
    ) -> Result<Vectors> {
        let mut vectors = Vectors {
            dim: self.dim(),
            of: Vec::with_capacity(texts.len()),
            values: Vec::new(),
        };
        // Each text once; those that are kept need no network.
        let mut places: HashMap<Key, u32> = HashMap::new();
        let mut new: Vec<(Key, &str, usize)> = Vec::new();
        let kept = locked(&self.kept);
        for text in texts {
            let Some(text) = text.as_ref().map(AsRef::as_ref) else {
                vectors.of.push(None);
                continue;
            };
            let next = places.len() as u32;
            let key = key(text);
            let place = match places.entry(key) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(free) => {
                    let at = vectors.values.len();
                    match kept.as_ref().and_then(|kept| kept.get(&key)) {
                        Some(vector) => vectors.values.extend_from_slice(vector),
                        None => {
                            vectors.values.resize(at + self.dim(), 0.0);
                            new.push((key, text, at));
                        }
                    }
                    *free.insert(next)
                }
            };
            vectors.of.push(Some(place));
        }
        drop(kept);
        if !new.is_empty() {
            self.run(&new, &mut vectors.values, monitor)?;
        }
        Ok(vectors)
    }

    /// Runs the network on texts that are new, and keeps what it gives, also where it is
    /// stopped on the way.
    fn run(
        &self,
        new: &[(Key, &str, usize)],
        values: &mut [f32],
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        let steps = Some(new.len() as u64);
        let mut progress = Progress::begin(monitor, "embedding the texts", steps)?;
        let mut done = 0;
        let mut unsaved = 0;
        let mut all = || -> Result<()> {
            for some in new.chunks(EACH * rayon::current_num_threads()) {
                let made = some.par_iter().map(|(_, text, _)| self.network.embed(text));
                let made: Vec<Vec<f32>> = made.collect::<Result<_>>()?;
                let mut kept = locked(&self.kept);
                for ((key, _, at), vector) in some.iter().zip(&made) {
                    values[*at..*at + vector.len()].copy_from_slice(vector);
                    if let Some(kept) = kept.as_mut() {
                        kept.put(*key, vector);
                    }
                }
                drop(kept);
                done += some.len() as u64;
                unsaved += some.len();
                if unsaved >= SAVED.max(done as usize / 2) {
                    unsaved = 0;
                    self.save();
                }
                progress.step(done)?;
            }
            progress.end(done)
        };
        let ended = all();
        self.save();
        ended
    }

    fn save(&self) {
        if let Some(kept) = locked(&self.kept).as_mut()
            && let Err(why) = kept.save()
        {
            let note = not_kept(kept.path(), &why);
            let mut notes = locked(&self.notes);
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
}

/// A lock; a thread that panicked inside left whole vectors behind.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
