//! Class shares of the unlabelled rows: estimated, put to use, and judged.

use super::session::{Session, row};
use super::study::Study;
use crate::data::Points;
use crate::error::{Error, Refusal, Result};
use crate::labelling::{Answer, Labelling, class_counts};
use crate::linalg::Mat;
use crate::model::Warning;
use crate::monitor::Monitor;
use crate::recipe::ClassShares;
use crate::task::Priors;
use crate::trust::calibration::FEWEST;
use crate::trust::{Counted, FoundShares};

/// What class shares of the unlabelled rows change.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct SharesEffect {
    /// The shares.
    #[serde(flatten)]
    pub found: FoundShares,
    /// Whether the fit that is judged uses them.
    pub used: bool,
    /// Unlabelled rows that get another class by them.
    pub moved: usize,
    /// The accuracy without them on labels that were not seen, each label weighed by
    /// π_c/π⁰_c, its class's share among the unlabelled rows over that among the labels.
    pub accuracy: f64,
    /// The same with them.
    pub accuracy_with: f64,
}

impl Study {
    /// What the class shares of the unlabelled rows change, or would change; `None` where
    /// shares are given, or none can be estimated.
    pub(super) fn shares_effect(
        &mut self,
        counted: &Counted,
        monitor: &mut dyn Monitor,
    ) -> Result<Option<SharesEffect>> {
        let rows = self.rows.clone();
        let used = self.recipe.shares_from();
        if counted.rows.is_empty() {
            return Ok(None);
        }
        let session = self.session(monitor)?;
        if used == ClassShares::Given || session.no_shares(monitor)?.is_some() {
            return Ok(None);
        }
        let (found, answer) = match session.find_shares(rows.as_ref(), monitor) {
            Ok(found) => found,
            // No unlabelled row is reached.
            Err(Error::Refused {
                reason: Refusal::ClassShares,
                ..
            }) => return Ok(None),
            Err(why) => return Err(why),
        };
        let plain = session.plain();
        let with = Labelling {
            priors: session.priors_of(&found)?,
            ..plain.clone()
        };
        let before = answer.classes().unwrap_or_default();
        let unlabelled = session.unlabelled(&answer);
        let moved =
            |i: &&usize| with.priors.is_some() && decided_by(&with, &answer, **i) != before[**i];
        let moved = unlabelled.iter().filter(moved).count();
        let left = session.left_out(monitor)?;
        let alone = session.smoother(monitor)?.alone().to_vec();
        let truth = session.classes();
        let accuracy = |labelling: &Labelling| {
            let mut of = vec![[0.0, 0.0]; found.classes.len()];
            for &i in &counted.rows {
                let said = (!alone[i])
                    .then(|| labelling.decide(&row(&left, i)))
                    .flatten();
                let class = &mut of[truth[i] as usize];
                class[0] += f64::from(u8::from(said == Some(truth[i])));
                class[1] += 1.0;
            }
            let (mut right, mut all) = (0.0, 0.0);
            for ([hits, labels], share) in of.iter().zip(&found.unlabelled) {
                if *labels > 0.0 {
                    right += share * hits / labels;
                    all += share;
                }
            }
            right / all
        };
        Ok(Some(SharesEffect {
            used: used == ClassShares::Unlabelled,
            moved,
            accuracy: accuracy(&plain),
            accuracy_with: accuracy(&with),
            found,
        }))
    }
}

/// The class of a sample by its probabilities, moved to other shares.
fn decided_by(with: &Labelling, answer: &Answer, i: usize) -> Option<u32> {
    let probabilities = answer.probabilities.as_ref()?;
    let priors = with.priors.as_ref()?;
    with.labels.decide(&priors.apply(&row(probabilities, i)))
}

impl Session {
    /// Moves probabilities and decisions to the shares that the recipe asks for, where these
    /// are read from calibrated probabilities.
    pub(super) fn settle_shares(
        &mut self,
        rows: Option<&Points>,
        monitor: &mut dyn Monitor,
    ) -> Result<()> {
        match self.recipe.shares_from() {
            ClassShares::Labels => return Ok(()),
            // So a fit and whatever judges it decide alike.
            ClassShares::Given => return self.calibrate(monitor),
            ClassShares::Unlabelled => {}
        }
        if let Some(why) = self.no_shares(monitor)? {
            return Err(why);
        }
        let (found, _) = self.find_shares(rows, monitor)?;
        let truth = self.classes();
        let once: Vec<String> = (found.classes.iter().zip(0_u32..))
            .filter(|(_, class)| truth.iter().filter(|c| *c == class).count() == 1)
            .map(|(name, _)| name.clone())
            .collect();
        let moving = (!found.converged).then_some(found.iterations);
        if !once.is_empty() || moving.is_some() {
            self.warnings.push(Warning::UnsureShares { once, moving });
        }
        self.labelling.priors = self.priors_of(&found)?;
        self.shares = Some(found);
        Ok(())
    }

    /// Why no shares can be estimated, if they cannot.
    fn no_shares(&mut self, monitor: &mut dyn Monitor) -> Result<Option<Error>> {
        let labels = self.seen.index().len();
        let refused = |what: String, way_out: &str| {
            let way_out = format!("{way_out}, or give the share of each class with `priors`");
            Some(Error::refused(Refusal::ClassShares, what, way_out))
        };
        if labels == self.seen.total() {
            let what = "every row has a label: there are no unlabelled rows to take shares from";
            return Ok(refused(what.to_owned(), "leave `class_shares` out"));
        }
        self.calibrate(monitor)?;
        if self.labelling.calibration.is_some() {
            return Ok(None);
        }
        let what = "class shares of the unlabelled rows need calibrated probabilities";
        Ok(if labels < FEWEST {
            refused(
                format!("{what}, and {labels} labels are too few for these"),
                &format!("label at least {FEWEST} rows, two of each class"),
            )
        } else if !self.calibrates() {
            refused(
                format!("{what}, and {labels} labels of this many rows cost too much"),
                "leave `class_shares` out",
            )
        } else {
            refused(
                format!(
                    "{what}, which the {labels} labels do not give: fewer than {FEWEST} can be \
                     predicted by another of their class, or the method has no leave-one-out"
                ),
                &format!("label at least {FEWEST} rows, two of each class"),
            )
        })
    }

    /// The shares, and the answer that they were found by: under the shares of the labels.
    fn find_shares(
        &mut self,
        rows: Option<&Points>,
        monitor: &mut dyn Monitor,
    ) -> Result<(FoundShares, Answer)> {
        let mut model = self.fit(monitor)?;
        model.labelling = self.plain();
        let answer = match (model.training_answer(), rows) {
            (Some(answer), _) => answer,
            (None, Some(rows)) => model.predict_rows(rows, monitor)?,
            (None, None) => {
                return Err(Error::data(
                    "this fit has no scores of its own samples",
                    "leave `class_shares` out",
                ));
            }
        };
        let unlabelled = self.unlabelled(&answer);
        let Some(all) = answer
            .probabilities
            .as_ref()
            .filter(|_| !unlabelled.is_empty())
        else {
            return Err(Error::refused(
                Refusal::ClassShares,
                "no label reaches any of the unlabelled rows, so they have no class shares",
                "leave `class_shares` out, or label a row in each part of the data",
            ));
        };
        let width = all.ncols();
        let shares = Mat::from_fn(unlabelled.len(), width, |k, c| all[(unlabelled[k], c)]);
        let left = self.left_out(monitor)?;
        let usable = self.usable(monitor)?;
        let judged: Vec<usize> = (0..usable.len()).filter(|&i| usable[i]).collect();
        let said: Vec<Vec<f64>> = (judged.iter())
            .map(|&i| model.labelling.probabilities(&row(&left, i), true))
            .collect();
        let said = Mat::from_fn(judged.len(), width, |k, c| said[k][c]);
        let weights: Vec<f64> = (judged.iter())
            .map(|&i| self.seen.weights().map_or(1.0, |w| w[i]))
            .collect();
        let found = FoundShares::estimate(
            self.labelling.labels.names(),
            &class_counts(&self.seen),
            (said.as_ref(), &weights),
            shares.as_ref(),
        );
        Ok((found, answer))
    }

    /// How scores are read under the shares of the labels.
    fn plain(&self) -> Labelling {
        Labelling {
            priors: None,
            ..self.labelling.clone()
        }
    }

    /// What probabilities are multiplied by; `None` where the shares are those of the labels.
    fn priors_of(&self, found: &FoundShares) -> Result<Option<Priors>> {
        let priors = Priors::new(&found.unlabelled, &class_counts(&self.seen))?;
        Ok(Some(priors).filter(|p| !p.is_neutral()))
    }

    /// The samples without a label that a label reaches.
    fn unlabelled(&self, answer: &Answer) -> Vec<usize> {
        let mut open = answer.reached.clone();
        self.seen.index().iter().for_each(|&i| open[i] = false);
        (0..open.len()).filter(|&i| open[i]).collect()
    }
}
