//! What takes the place of the missing numbers of a column.

/// Where at least this share of a column's values is missing, that a value is missing may say
/// something about the row: one more feature tells it.
const COMMON: f64 = 0.05;

/// What takes the place of the missing numbers of a column, learned from all rows, labelled
/// or not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Filling {
    /// The median of the numbers that are there.
    pub value: f64,
    /// Whether so many are missing that one more feature should say which.
    pub indicator: bool,
}

impl Filling {
    /// The median of the numbers that are there, of an even count the mean of the middle two;
    /// `None` where there is no number.
    ///
    /// Expected cost: O(n).
    pub fn learn(mut numbers: Vec<f64>, missing: usize) -> Option<Self> {
        let (n, half) = (numbers.len(), numbers.len() / 2);
        if n == 0 {
            return None;
        }
        let (below, upper, _) = numbers.select_nth_unstable_by(half, f64::total_cmp);
        let upper = *upper;
        let lower = match below.iter().copied().max_by(f64::total_cmp) {
            Some(lower) if n % 2 == 0 => lower,
            _ => upper,
        };
        Some(Self {
            value: 0.5 * lower + 0.5 * upper,
            indicator: missing as f64 >= COMMON * (n + missing) as f64 && missing > 0,
        })
    }
}
