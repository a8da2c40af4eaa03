//! The rows to label next, with reasons.

use super::study::Study;
use crate::error::{Error, Result};
use crate::labelling::{class_names, class_shares, numbers_of};
use crate::monitor::Monitor;
use crate::query::{Acquisition, Ledger, Options, Suggestion};

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct SuggestOptions {
    /// How many rows.
    pub count: usize,
    /// How they are chosen.
    pub strategy: Acquisition,
    /// One row in so many is drawn at random, to judge the model on; `None` for none.
    pub audit_every: Option<usize>,
    /// Features of the method that are looked at.
    pub modes: usize,
    /// Classes that may occur, those among the labels included; empty for those only.
    pub classes: Vec<String>,
}

impl Default for SuggestOptions {
    fn default() -> Self {
        Self {
            count: 1,
            strategy: Acquisition::default(),
            audit_every: Some(5),
            modes: 64,
            classes: Vec::new(),
        }
    }
}

/// Rows to label, in the order to label them.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Suggested {
    /// The rows.
    pub rows: Vec<Next>,
    /// How the method was seen: features, and what they leave out.
    pub note: String,
    /// Samples without a label.
    pub unlabelled: usize,
}

/// A row to label.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Next {
    /// The row, its score and why.
    #[serde(flatten)]
    pub suggestion: Suggestion,
    /// Rows without a label before it is: what
    /// [`LabelSampling::Active`](super::LabelSampling) wants to know.
    pub pool: usize,
}

impl Study {
    /// The rows whose labels would tell most, by the method's own geometry; no label is
    /// needed to begin.
    ///
    /// # Errors
    /// As [`Study::fit`] but for missing labels; as [`crate::query::suggest()`].
    ///
    /// # Example
    /// ```
    /// use isotherm::data::{Points, Targets};
    /// use isotherm::monitor::Quiet;
    /// use isotherm::recipe::{Recipe, Task};
    /// use isotherm::study::{Input, Study, SuggestOptions};
    ///
    /// // Two groups, one label: the next row is in the other group.
    /// let x = (0..20).map(|i| if i < 10 { 0.1 * i as f64 } else { 5.0 + 0.1 * i as f64 });
    /// let points = Points::new(x.collect(), 20, 1)?;
    /// let mut y = vec![None; 20];
    /// y[0] = Some("a");
    /// let mut recipe = Recipe::on_graph(Task::Classify, 0);
    /// recipe.neighbours = Some(4);
    /// let options = SuggestOptions { audit_every: None, ..SuggestOptions::default() };
    /// let mut study = Study::new(&recipe, Input::Table(points), &Targets::from_names(&y))?;
    /// let found = study.suggest(&options, &mut Quiet)?;
    /// assert!(found.rows[0].suggestion.row >= 10);
    /// # Ok::<(), isotherm::Error>(())
    /// ```
    pub fn suggest(
        &mut self,
        options: &SuggestOptions,
        monitor: &mut dyn Monitor,
    ) -> Result<Suggested> {
        let (ledger, note) = self.labels_and_note(options, monitor)?;
        let asked = Options {
            count: options.count,
            strategy: options.strategy,
            audit_every: options.audit_every,
            seed: self.recipe.seed,
            names: class_names(self.recipe.task, self.targets(), &options.classes),
            ..Options::default()
        };
        let found = crate::query::suggest(&ledger, &asked, monitor)?;
        let unlabelled = self.samples() - ledger.count();
        let next = |(k, suggestion): (usize, Suggestion)| Next {
            suggestion,
            pool: unlabelled - k,
        };
        Ok(Suggested {
            rows: found.into_iter().enumerate().map(next).collect(),
            note,
            unlabelled,
        })
    }

    /// The labels as a ledger, which takes one label more or less without a refit: what an
    /// interactive front end keeps.
    ///
    /// # Errors
    /// As [`Study::suggest`].
    pub fn ledger(
        &mut self,
        options: &SuggestOptions,
        monitor: &mut dyn Monitor,
    ) -> Result<Ledger> {
        self.labels_and_note(options, monitor)
            .map(|(ledger, _)| ledger)
    }

    /// The ledger, and how the method was seen: features, and what they leave out.
    fn labels_and_note(
        &mut self,
        options: &SuggestOptions,
        monitor: &mut dyn Monitor,
    ) -> Result<(Ledger, String)> {
        if options.modes == 0 {
            return Err(Error::parameter("modes", "at least 1", 0));
        }
        let seen = self.encoded()?;
        let preparation = self.preparation(monitor)?;
        let modes = options.modes.min(self.samples());
        let prior = preparation.method.spectral(modes, monitor)?;
        let names = class_names(self.recipe.task, self.targets(), &options.classes);
        let (index, targets) = (seen.index(), self.targets());
        let noise = prior.noise((index.len() + options.count).max(1));
        let (mut ledger, labels) = if names.is_empty() {
            // Variances do not depend on the values of labels.
            let (centre, value) = numbers_of(targets);
            let labels = index.iter().map(|&i| (i, vec![value(i)])).collect();
            (Ledger::numbers(&prior, centre, noise)?, labels)
        } else {
            let ledger = Ledger::classes(&prior, names.len(), noise)?;
            let shares = |&i: &usize| Some((i, class_shares(targets, i, names.len())?));
            let labels: Vec<(usize, Vec<f64>)> = index.iter().filter_map(shares).collect();
            (ledger, labels)
        };
        ledger.add_all(&labels, seen.weights(), monitor)?;
        Ok((ledger, prior.note().to_owned()))
    }
}
