//! F1 of flags, and the thresholds that maximise it on given scores.
//!
//! `F1 = 2TP / (2TP + FP + FN)`; with nothing to find and nothing found it is 1.

use crate::error::{Error, Result};
use crate::linalg::MatRef;

/// Sweeps over the flags; every one of them raises the measure, and few are needed.
const SWEEPS: usize = 100;

/// Over what an F1 is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// All flags of all samples together.
    Micro,
    /// The mean over flags of each flag's F1.
    Macro,
    /// The mean over samples of each sample's F1.
    Samples,
}

/// True positives, and flags up in truth and guess together (2TP + FP + FN).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Counts {
    hits: f64,
    claims: f64,
}

impl Counts {
    fn add(&mut self, truth: bool, guess: bool) {
        self.hits += f64::from(u8::from(truth && guess));
        self.claims += f64::from(u8::from(truth)) + f64::from(u8::from(guess));
    }

    /// With more guessed flags, of which so many hit.
    fn with(self, guessed: f64, hits: f64) -> Self {
        Self {
            hits: self.hits + hits,
            claims: self.claims + guessed,
        }
    }

    fn f1(self) -> f64 {
        if self.claims > 0.0 {
            2.0 * self.hits / self.claims
        } else {
            1.0
        }
    }
}

/// The F1 of guesses against truths; a truth that is missing (`None`) counts nowhere.
///
/// ```
/// use isotherm::task::thresholds::{Measure, f1};
/// let truths = [vec![Some(true), Some(false)], vec![Some(true), None]];
/// let guesses = [vec![true, true], vec![false, true]];
/// assert_eq!(f1(&truths, &guesses, Measure::Micro), 0.5); // 1 hit, 1 false, 1 missed
/// ```
pub fn f1(truths: &[Vec<Option<bool>>], guesses: &[Vec<bool>], measure: Measure) -> f64 {
    let flags = truths.iter().map(Vec::len).max().unwrap_or(0);
    let mut all = Counts::default();
    let mut by_flag = vec![Counts::default(); flags];
    let mut by_row = vec![Counts::default(); truths.len()];
    for (i, (truth, guess)) in truths.iter().zip(guesses).enumerate() {
        for (k, (truth, guess)) in truth.iter().zip(guess).enumerate() {
            let Some(truth) = *truth else { continue };
            for counts in [&mut all, &mut by_flag[k], &mut by_row[i]] {
                counts.add(truth, *guess);
            }
        }
    }
    match measure {
        Measure::Micro => all.f1(),
        Measure::Macro => mean(&by_flag),
        Measure::Samples => mean(&by_row),
    }
}

fn mean(counts: &[Counts]) -> f64 {
    counts.iter().map(|c| c.f1()).sum::<f64>() / counts.len().max(1) as f64
}

/// Thresholds that maximise an F1 on scores, one row a sample.
///
/// One flag's threshold is found by a sweep over its sorted scores, exactly,
/// O(n log n). Flags do not meet in [`Measure::Macro`], so one pass over them is
/// exact; for the others passes repeat until none improves, a coordinate ascent that
/// is never worse than where it starts. A threshold stays where it is unless moving
/// it is better; one that moves goes halfway between two scores.
///
/// # Errors
/// [`Error::Shape`] when scores, truths and thresholds do not fit together;
/// [`Error::NotFinite`] for scores that are not finite.
pub fn tune(
    mut thresholds: Vec<f64>,
    scores: MatRef<'_, f64>,
    truths: &[Vec<Option<bool>>],
    measure: Measure,
) -> Result<Vec<f64>> {
    let (rows, flags) = (scores.nrows(), thresholds.len());
    let lengths = truths.iter().map(|t| ("flags of a sample", flags, t.len()));
    let shapes = [
        ("score columns, one a flag", flags, scores.ncols()),
        (
            "samples with flags, one a row of scores",
            rows,
            truths.len(),
        ),
    ];
    for (what, expected, got) in shapes.into_iter().chain(lengths) {
        if expected != got {
            return Err(Error::Shape {
                what,
                expected,
                got,
            });
        }
    }
    if scores.col_iter().any(|c| c.iter().any(|s| !s.is_finite())) {
        return Err(Error::NotFinite {
            phase: "scoring flags",
            hint: "tune on finite scores".into(),
        });
    }
    let columns: Vec<Column> = (0..flags).map(|k| Column::new(scores, truths, k)).collect();
    for _ in 0..SWEEPS {
        let mut moved = false;
        for k in 0..flags {
            let rest = rest(&columns, &thresholds, k, rows, measure);
            if let Some(better) = columns[k].best(&rest, thresholds[k]) {
                thresholds[k] = better;
                moved = true;
            }
        }
        if !moved || measure == Measure::Macro {
            break;
        }
    }
    Ok(thresholds)
}

/// What the other flags have counted already.
enum Rest {
    /// For all samples together.
    Together(Counts),
    /// For each sample.
    Each(Vec<Counts>),
}

fn rest(
    columns: &[Column],
    thresholds: &[f64],
    without: usize,
    rows: usize,
    measure: Measure,
) -> Rest {
    let mut all = Counts::default();
    let mut each = vec![Counts::default(); rows];
    for (k, column) in columns.iter().enumerate() {
        if k == without || measure == Measure::Macro {
            continue;
        }
        for entry in &column.entries {
            let guess = entry.score > thresholds[k];
            all.add(entry.truth, guess);
            each[entry.row].add(entry.truth, guess);
        }
    }
    match measure {
        Measure::Macro | Measure::Micro => Rest::Together(all),
        Measure::Samples => Rest::Each(each),
    }
}

struct Entry {
    score: f64,
    row: usize,
    truth: bool,
}

/// The known entries of one flag, the highest score first.
struct Column {
    entries: Vec<Entry>,
}

impl Column {
    fn new(scores: MatRef<'_, f64>, truths: &[Vec<Option<bool>>], flag: usize) -> Self {
        let known = |(row, truth): (usize, &Vec<Option<bool>>)| {
            truth[flag].map(|truth| Entry {
                score: scores[(row, flag)],
                row,
                truth,
            })
        };
        let mut entries: Vec<Entry> = truths.iter().enumerate().filter_map(known).collect();
        entries.sort_by(|a, b| b.score.total_cmp(&a.score));
        Self { entries }
    }

    /// A threshold that is better than the present one, the best there is.
    fn best(&self, rest: &Rest, present: f64) -> Option<f64> {
        let values = self.values(rest);
        let up = |threshold: f64| self.entries.partition_point(|e| e.score > threshold);
        // Beyond rounding of the sums, so that a tie does not move it.
        let mut best = (None, values[up(present)] + 1e-12);
        for (count, value) in values.iter().enumerate() {
            if *value > best.1
                && let Some(threshold) = self.threshold(count)
            {
                best = (Some(threshold), *value);
            }
        }
        best.0
    }

    /// The measure, up to what does not depend on this flag, with the first
    /// `count` guessed up, for each count.
    fn values(&self, rest: &Rest) -> Vec<f64> {
        let mut values = Vec::with_capacity(self.entries.len() + 1);
        match rest {
            Rest::Together(rest) => {
                let true_flags = self.entries.iter().filter(|e| e.truth).count() as f64;
                let mut counts = rest.with(true_flags, 0.0);
                values.push(counts.f1());
                for entry in &self.entries {
                    counts = counts.with(1.0, f64::from(u8::from(entry.truth)));
                    values.push(counts.f1());
                }
            }
            Rest::Each(rest) => {
                let mut sum = 0.0;
                values.push(sum);
                for entry in &self.entries {
                    let truth = f64::from(u8::from(entry.truth));
                    let down = rest[entry.row].with(truth, 0.0);
                    sum += down.with(1.0, truth).f1() - down.f1();
                    values.push(sum);
                }
            }
        }
        values
    }

    /// The threshold that just the first `count` are above; none where scores tie.
    fn threshold(&self, count: usize) -> Option<f64> {
        let score = |at: usize| self.entries.get(at).map(|e| e.score);
        let lower = score(count);
        let upper = count.checked_sub(1).and_then(score);
        match (upper, lower) {
            (Some(upper), Some(lower)) if upper > lower => {
                let middle = lower + 0.5 * (upper - lower);
                Some(if middle < upper { middle } else { lower })
            }
            (None, lower) => lower,
            // Scores estimate probabilities: half of one is well below the lowest.
            (Some(upper), None) => Some(upper - 0.5),
            _ => None,
        }
    }
}
