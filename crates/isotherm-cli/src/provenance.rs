//! What a run was told and what it read: the provenance of its results.

use std::cell::RefCell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use isotherm::recipe::Recipe;
use isotherm_io::{Hashing, Provenance};

use crate::failure::Outcome;
use crate::terminal;

/// Remembers where the results of this run come from.
pub(crate) struct Record {
    told: RefCell<Provenance>,
    /// Inputs that are being hashed, beside being read.
    hashing: RefCell<Hashing>,
    /// Inputs so far, so that a file that is read twice is told once.
    announced: RefCell<Vec<PathBuf>>,
}

impl Record {
    /// A run of these words, the program's name left out.
    pub(crate) fn of(words: impl IntoIterator<Item = OsString>) -> Self {
        Self {
            told: RefCell::new(Provenance::of(words)),
            hashing: RefCell::default(),
            announced: RefCell::default(),
        }
    }

    /// The words of the run, as they were typed and set.
    pub(crate) fn words(&self) -> Vec<String> {
        self.told.borrow().command.clone()
    }

    /// Says what somebody at the terminal answered, so that a rerun need not ask: the value
    /// `asked` of a flag becomes `answer`.
    pub(crate) fn answered(&self, flag: &str, asked: &str, answer: &str) {
        let mut told = self.told.borrow_mut();
        let joined = format!("{flag}={asked}");
        let mut after_flag = false;
        for word in &mut told.command {
            if *word == joined {
                *word = format!("{flag}={answer}");
            } else if after_flag && word == asked {
                answer.clone_into(word);
            }
            after_flag = word == flag;
        }
    }

    /// Every file that was announced, in the order of reading.
    pub(crate) fn inputs(&self) -> Vec<PathBuf> {
        self.announced.borrow().clone()
    }

    /// Says that a file is about to be read; `-` is standard input.
    pub(crate) fn reads(&self, path: &Path) {
        let mut announced = self.announced.borrow_mut();
        if !announced.iter().any(|known| known == path) {
            announced.push(path.to_owned());
            self.hashing.borrow_mut().announce(path);
        }
    }

    /// Says which recipe is followed, and with it which seed.
    pub(crate) fn follows(&self, recipe: &Recipe) {
        let mut told = self.told.borrow_mut();
        told.seed = Some(recipe.seed);
        told.recipe = serde_json::to_value(recipe).ok();
    }

    /// Says which seed is used where there is no recipe.
    pub(crate) fn seed(&self, seed: u64) {
        self.told.borrow_mut().seed = Some(seed);
    }

    /// Where a result that is written now comes from; waits for the hashes.
    ///
    /// # Errors
    /// An input that was changed since it began to be read is refused.
    pub(crate) fn provenance(&self) -> Outcome<Provenance> {
        let hashes = self.hashing.take().finish(&terminal::interrupted)?;
        let mut told = self.told.borrow_mut();
        told.inputs.extend(hashes);
        Ok(told.clone())
    }
}
