//! What the labels alone would give, without the unlabelled data.

use super::input::Input;
use super::study::Study;
use crate::error::Result;
use crate::estimator::baseline::KernelRidgeParams;
use crate::recipe::{ClassShares, Method, Recipe};
use crate::trust::{sign_flip, sign_test};

/// The name of the baseline on a table.
pub(super) const KERNEL_RIDGE: &str = "kernel ridge on the labelled rows";

/// The name of the baseline for classes without rows to learn from.
pub(super) const MOST_FREQUENT: &str = "always the most frequent class";

/// The name of the baseline for other labels without rows to learn from.
pub(super) const MEAN: &str = "the mean of the labels";

impl Study {
    /// Kernel ridge on the labelled rows, everything else as in this study; `None` where there
    /// is no table, or the study is of kernel ridge itself.
    pub(super) fn supervised(&self) -> Result<Option<Self>> {
        let Some(rows) = &self.rows else {
            return Ok(None);
        };
        if matches!(self.recipe.method, Method::KernelRidge(_)) {
            return Ok(None);
        }
        let recipe = Recipe {
            method: Method::KernelRidge(KernelRidgeParams::default()),
            neighbours: None,
            kernel: None,
            normalisation: None,
            function: None,
            // Shares of the unlabelled rows are not known from labels alone.
            class_shares: (self.recipe.class_shares)
                .filter(|source| *source != ClassShares::Unlabelled),
            ..self.recipe.clone()
        };
        Self::new(&recipe, Input::Table(rows.clone()), self.given()).map(Some)
    }
}

/// The most frequent class, the first of equal ones. Leaving a label out would make its class the
/// rarer one: among balanced classes the answer would always be wrong.
pub(super) fn most_frequent(truth: &[u32], classes: usize) -> Option<u32> {
    let mut count = vec![0_usize; classes];
    truth.iter().for_each(|c| count[*c as usize] += 1);
    let most = (0..classes).max_by_key(|&c| (count[c], std::cmp::Reverse(c)));
    most.and_then(|c| u32::try_from(c).ok())
}

/// What labels alone would give.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Baseline {
    /// "kernel ridge on the labelled rows", "always the most frequent class" or "the mean of
    /// the labels".
    pub name: &'static str,
    /// Its value of the first measure, on the same rows.
    pub value: f64,
    /// Rows where the method does better than the baseline, and worse.
    pub better: usize,
    /// Rows where it does worse.
    pub worse: usize,
    /// How likely so large a difference of the two values is by chance: by the sign test for
    /// an accuracy, by drawing signs of the differences for a mean of losses.
    pub chance: f64,
    /// How likely so uneven a pair of counts is by chance; the same as `chance` for an
    /// accuracy.
    pub count_chance: f64,
    /// What the method's losses are below the baseline's in the mean: above zero, the method
    /// is better.
    pub gain: f64,
    /// What follows from all that.
    pub verdict: Verdict,
}

/// Whether unlabelled data helped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The measure is better, beyond chance.
    Helped,
    /// The measure is worse, beyond chance.
    Hurt,
    /// Most rows are better beyond chance while the mean is worse, or the other way round.
    Split,
    /// No difference that chance could not make.
    Open,
}

impl Baseline {
    /// A baseline of this value of the measure; `gains` are how much better the method does
    /// on each row that counts, in the measure's own terms.
    pub fn new(name: &'static str, value: f64, gains: &[f64], seed: u64) -> Self {
        let better = gains.iter().filter(|g| **g > 0.0).count();
        let worse = gains.iter().filter(|g| **g < 0.0).count();
        let count_chance = sign_test(better, worse);
        let whole = gains.iter().all(|g| [-1.0, 0.0, 1.0].contains(g));
        let chance = if whole {
            count_chance
        } else {
            sign_flip(gains, seed)
        };
        let gain = gains.iter().sum::<f64>() / gains.len().max(1) as f64;
        let rows_say = if count_chance < UNLIKELY {
            better.cmp(&worse)
        } else {
            std::cmp::Ordering::Equal
        };
        let verdict = match (chance < UNLIKELY, gain > 0.0, rows_say) {
            (_, true, std::cmp::Ordering::Less) | (_, false, std::cmp::Ordering::Greater) => {
                Verdict::Split
            }
            (true, true, _) => Verdict::Helped,
            (true, false, _) => Verdict::Hurt,
            (false, ..) => Verdict::Open,
        };
        Self {
            name,
            value,
            better,
            worse,
            chance,
            count_chance,
            gain,
            verdict,
        }
    }

    /// Whether unlabelled data helped, beyond chance.
    pub fn helps(&self) -> bool {
        self.verdict == Verdict::Helped
    }

    /// Whether unlabelled data hurt, beyond chance.
    pub fn hurts(&self) -> bool {
        self.verdict == Verdict::Hurt
    }

    /// The verdict in words.
    pub fn describe(&self) -> &'static str {
        match self.verdict {
            Verdict::Helped => "the unlabelled data helped",
            Verdict::Hurt => "the unlabelled data hurt",
            Verdict::Split if self.gain > 0.0 => {
                "better in the mean, but worse on most rows: neither helped nor hurt"
            }
            Verdict::Split => "better on most rows, but not in the mean: neither helped nor hurt",
            Verdict::Open => "no difference that chance could not make",
        }
    }
}

/// Below it a chance is taken for none.
const UNLIKELY: f64 = 0.05;

/// Whether answers are worth using, from how they compare with what labels alone and one answer
/// for all rows would give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Worth {
    /// Better than learning from the labelled rows alone, beyond chance.
    BetterThanLabelsAlone,
    /// No clear difference from learning from the labelled rows alone.
    AsLabelsAlone,
    /// Worse than learning from the labelled rows alone, beyond chance.
    WorseThanLabelsAlone,
    /// Better than one answer for all rows; there is nothing else to compare with.
    BetterThanConstant,
    /// No better than one answer for all rows.
    NoBetterThanConstant,
    /// Too few labels to tell.
    TooFew,
}

impl Worth {
    /// In words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::BetterThanLabelsAlone => "better than learning from the labelled rows alone",
            Self::AsLabelsAlone => "no clear difference from learning from the labelled rows alone",
            Self::WorseThanLabelsAlone => "worse than learning from the labelled rows alone",
            Self::BetterThanConstant => "better than one answer for all rows",
            Self::NoBetterThanConstant => "no better than one answer for all rows: do not use it",
            Self::TooFew => "too few labels to tell how good the answers are",
        }
    }
}
