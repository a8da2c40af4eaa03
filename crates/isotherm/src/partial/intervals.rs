//! Intervals and censoring: the label lies between two numbers, or on one side of one.
//!
//! The sets are convex, so J has one minimum and [`super::disambiguate`] finds it.

use super::PartialCodec;
use crate::error::Reason;
use crate::task::{Checked, Real};

/// `low ≤ y ≤ high`; `low` may be −∞ and `high` +∞.
///
/// ```
/// use isotherm::partial::{LabelInterval, PartialCodec};
/// use isotherm::task::Real;
/// let codec = Real { offset: 2.0 };
/// let mut row = [0.0];
/// codec.nearest(&[-5.0], &LabelInterval::at_least(1.0), &mut row); // −3 is below 1
/// assert_eq!(row, [-1.0]);
/// assert!(codec.check_observation(&LabelInterval::new(3.0, 1.0)).is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LabelInterval {
    low: f64,
    high: f64,
}

impl LabelInterval {
    /// Between two numbers.
    pub fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    /// A label that is known.
    pub fn exactly(value: f64) -> Self {
        Self::new(value, value)
    }

    /// Censored on the right: the label is this or more.
    pub fn at_least(low: f64) -> Self {
        Self::new(low, f64::INFINITY)
    }

    /// Censored on the left: the label is this or less.
    pub fn at_most(high: f64) -> Self {
        Self::new(f64::NEG_INFINITY, high)
    }

    /// The lower bound.
    pub fn low(&self) -> f64 {
        self.low
    }

    /// The upper bound.
    pub fn high(&self) -> f64 {
        self.high
    }

    /// Its middle, or the bound there is, or 0.
    pub fn middle(&self) -> f64 {
        match (self.low.is_finite(), self.high.is_finite()) {
            (true, true) => 0.5 * self.low + 0.5 * self.high,
            (true, false) => self.low,
            (false, true) => self.high,
            (false, false) => 0.0,
        }
    }

    /// Centres real labels on the mean of the intervals' middles.
    pub fn centred<'i>(known: impl IntoIterator<Item = &'i Self>) -> Real {
        let middles: Vec<Option<f64>> = known.into_iter().map(|i| Some(i.middle())).collect();
        Real::centred(&middles)
    }
}

impl PartialCodec for Real {
    type Observation = LabelInterval;

    fn check_observation(&self, known: &LabelInterval) -> Checked {
        let LabelInterval { low, high } = *known;
        if low.is_nan() || high.is_nan() {
            return Err(Reason::new(
                format!("a bound of its interval {low} to {high} is not a number"),
                "use -inf or inf for a side that is open",
            ));
        }
        if low > high {
            return Err(Reason::new(
                format!("its interval is from {low} to {high}, which is empty"),
                "give the smaller bound first",
            ));
        }
        if low == f64::INFINITY || high == f64::NEG_INFINITY {
            return Err(Reason::new(
                format!("its interval {low} to {high} holds no finite number"),
                "give one finite bound",
            ));
        }
        Ok(())
    }

    fn informative(&self, known: &LabelInterval) -> bool {
        known.low.is_finite() || known.high.is_finite()
    }

    fn join(&self, one: &LabelInterval, other: &LabelInterval) -> Result<LabelInterval, Reason> {
        let both = LabelInterval::new(one.low.max(other.low), one.high.min(other.high));
        if both.low > both.high {
            return Err(Reason::new(
                format!(
                    "its intervals {} to {} and {} to {} do not meet",
                    one.low, one.high, other.low, other.high
                ),
                "correct one of them",
            ));
        }
        Ok(both)
    }

    /// The middle, or the one bound there is: an unbounded set has no average.
    fn start(&self, known: &LabelInterval, out: &mut [f64]) {
        out[0] = known.middle() - self.offset;
    }

    fn nearest(&self, scores: &[f64], known: &LabelInterval, out: &mut [f64]) {
        let (low, high) = (known.low - self.offset, known.high - self.offset);
        out[0] = scores[0].max(low).min(high);
    }

    fn free(&self, known: &LabelInterval, _: usize) -> Option<(f64, f64)> {
        let bounds = (known.low - self.offset, known.high - self.offset);
        (bounds.0 < bounds.1).then_some(bounds)
    }
}
