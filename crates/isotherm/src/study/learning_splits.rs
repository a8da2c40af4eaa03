//! Which labels a learning curve trains on and judges, in every repeat.

use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use crate::error::{Error, Result};
use crate::trust::LabelSampling;

/// Labels that take part at most: fits are cubic in them.
const MOST: usize = 2000;

/// Multiplications that all fits together may take, about half a minute of one core.
const WORK: f64 = 4e10;

/// Repeats at least.
const FEWEST: usize = 10;

/// How a curve is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct LearningOptions {
    /// How the labelled samples came to be labelled: only those drawn at random are judged.
    pub sampling: LabelSampling,
    /// The share of the repeats that a band holds.
    pub level: f64,
    /// Repeats at most; fewer, but ten, where they would take long.
    pub repeats: usize,
    /// Numbers of labels to try.
    pub points: usize,
}

impl Default for LearningOptions {
    /// Labels drawn at random; bands hold four fifths of 40 repeats; eight sizes.
    fn default() -> Self {
        Self {
            sampling: LabelSampling::Random,
            level: 0.8,
            repeats: 40,
            points: 8,
        }
    }
}

/// One repeat.
pub(crate) struct Split {
    /// Labels to train on, as they are added: one of each class first.
    pub(crate) order: Vec<usize>,
    pub(crate) held: Vec<usize>,
}

/// Which labels are trained on and judged, in every repeat.
pub(crate) struct LearningSplits {
    /// Labels that take part, ascending; splits number these.
    pub(crate) used: Vec<usize>,
    /// Their classes.
    pub(crate) truth: Option<Vec<u32>>,
    pub(crate) sizes: Vec<usize>,
    pub(crate) splits: Vec<Split>,
}

impl LearningSplits {
    pub(crate) fn new(
        truth: Option<&[u32]>,
        counted: &[usize],
        labels: usize,
        options: &LearningOptions,
        seed: u64,
    ) -> Result<Self> {
        let random = |repeat: u64| {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            random.set_stream(repeat);
            random
        };
        let used = if labels > MOST {
            let mut order: Vec<usize> = (0..labels).collect();
            order.shuffle(&mut random(0));
            let (mut first, rest) = starters(&order, truth);
            first.extend(rest);
            first.truncate(MOST);
            first.sort_unstable();
            first
        } else {
            (0..labels).collect()
        };
        let truth: Option<Vec<u32>> = truth.map(|t| used.iter().map(|&i| t[i]).collect());
        let judged: Vec<bool> = (used.iter())
            .map(|i| counted.binary_search(i).is_ok())
            .collect();
        let all: Vec<usize> = (0..used.len()).collect();
        let start = starters(&all, truth.as_deref()).0.len();
        let may = judged.iter().filter(|j| **j).count();
        let held = held_out(used.len()).min(may.saturating_sub(start));
        if held < 2 || used.len() < held + start + 1 {
            let needed = (start + 3..).find(|&n| n > held_out(n) + start);
            return Err(Error::data(
                format!(
                    "{may} of {} labels may be judged, too few for a learning curve of {start} {}",
                    used.len(),
                    if truth.is_some() {
                        "classes"
                    } else {
                        "labels and more"
                    }
                ),
                format!(
                    "label at least {} rows drawn at random",
                    needed.unwrap_or(start + 3)
                ),
            ));
        }
        let sizes = sizes(start, used.len() - held, options.points);
        let cost: f64 = sizes.iter().map(|m| (*m as f64).powi(3)).sum();
        let repeats = ((WORK / cost) as usize).max(FEWEST).min(options.repeats);
        let splits = (1..=repeats as u64).map(|repeat| {
            let mut order = all.clone();
            order.shuffle(&mut random(repeat));
            let (mut order, mut rest) = starters(&order, truth.as_deref());
            let mut left = held;
            let mut out = Vec::with_capacity(held);
            rest.retain(|&i| {
                let take = left > 0 && judged[i];
                if take {
                    left -= 1;
                    out.push(i);
                }
                !take
            });
            order.extend(rest);
            Split { order, held: out }
        });
        Ok(Self {
            splits: splits.collect(),
            used,
            truth,
            sizes,
        })
    }
}

/// The first label of each class in an order, or the first two numbers; and the rest.
fn starters(order: &[usize], truth: Option<&[u32]>) -> (Vec<usize>, Vec<usize>) {
    let Some(truth) = truth else {
        let (first, rest) = order.split_at(order.len().min(2));
        return (first.to_vec(), rest.to_vec());
    };
    let mut known = std::collections::BTreeSet::new();
    order.iter().partition(|i| known.insert(truth[**i]))
}

/// A fifth of the labels, at least two.
fn held_out(labels: usize) -> usize {
    labels.div_ceil(5).max(2)
}

/// Whole numbers from `first` to `last`, evenly on a logarithmic scale.
fn sizes(first: usize, last: usize, count: usize) -> Vec<usize> {
    let ratio = last as f64 / first as f64;
    let at = |k: usize| {
        let share = k as f64 / (count.max(2) - 1) as f64;
        (first as f64 * ratio.powf(share)).round() as usize
    };
    let mut sizes: Vec<usize> = (0..count.max(2)).map(at).collect();
    sizes.dedup();
    sizes
}
