//! A column of numbers at a glance.

/// Bars of a histogram.
const BARS: usize = 8;

/// A column of numbers at a glance: where they lie, how many differ, and their shape.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberSummary {
    /// The smallest.
    pub low: f64,
    /// The median, of an even count the mean of the middle two.
    pub median: f64,
    /// The largest.
    pub high: f64,
    /// How many different numbers there are.
    pub distinct: usize,
    /// The third standardised moment: 0 for a symmetric column, above 1 for a long tail to the
    /// right, 0 for a constant one.
    pub skewness: f64,
    /// How many numbers lie in each of eight equal parts of the range.
    pub bars: [usize; BARS],
}

impl NumberSummary {
    /// Of finite numbers; `None` where there is none.
    ///
    /// Cost: O(n log n).
    ///
    /// ```
    /// use isotherm::data::columns::summary::NumberSummary;
    /// let found = NumberSummary::of(vec![3.0, 1.0, 2.0, 2.0]).unwrap();
    /// assert_eq!((found.low, found.median, found.high, found.distinct), (1.0, 2.0, 3.0, 3));
    /// ```
    pub fn of(mut numbers: Vec<f64>) -> Option<Self> {
        numbers.sort_unstable_by(f64::total_cmp);
        let (low, high) = (*numbers.first()?, *numbers.last()?);
        let (n, half) = (numbers.len(), numbers.len() / 2);
        let lower = numbers[if n % 2 == 0 { half - 1 } else { half }];
        // Sums of scaled numbers do not overflow.
        let size = low.abs().max(high.abs()).max(f64::MIN_POSITIVE);
        let mean = numbers.iter().map(|v| v / size).sum::<f64>() / n as f64;
        let moment = |power: i32| {
            let powers = numbers.iter().map(|v| (v / size - mean).powi(power));
            powers.sum::<f64>() / n as f64
        };
        let spread = moment(2).sqrt();
        let mut bars = [0; BARS];
        for value in &numbers {
            let place = (value / size - low / size) / (high / size - low / size);
            let bar = if high > low {
                (place * BARS as f64) as usize
            } else {
                0
            };
            bars[bar.min(BARS - 1)] += 1;
        }
        Some(Self {
            low,
            median: 0.5 * lower + 0.5 * numbers[half],
            high,
            distinct: 1 + numbers.windows(2).filter(|w| w[0] != w[1]).count(),
            skewness: if low < high && spread > 0.0 {
                moment(3) / spread.powi(3)
            } else {
                0.0
            },
            bars,
        })
    }
}
