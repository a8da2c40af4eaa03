//! Means, spreads and how far two of them are apart.

/// Mean and standard deviation over seeds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// Seeds.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// Their sample standard deviation, Σ(x − x̄)²/(count − 1); 0 for one seed.
    pub sd: f64,
}

impl Summary {
    /// Of some numbers; `None` for none.
    pub fn of(values: &[f64]) -> Option<Self> {
        let count = values.len();
        if count == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / count as f64;
        let square: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
        Some(Self {
            count,
            mean,
            sd: (square / count.saturating_sub(1).max(1) as f64).sqrt(),
        })
    }

    /// The standard error of the mean.
    pub fn error(&self) -> f64 {
        self.sd / (self.count as f64).sqrt()
    }
}

/// `(a − b) / √(sa²/na + sb²/nb)`, the difference of two means in units of its
/// standard error.
pub fn z(ours: &Summary, theirs: &Summary) -> f64 {
    (ours.mean - theirs.mean) / ours.error().hypot(theirs.error())
}

/// What `z` is beyond 2 with two samples of ten and no difference: the two-sided
/// tail of Student's t with 18 degrees of freedom.
pub const BEYOND_TWO: f64 = 0.0608;

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn z_is_the_difference_over_the_combined_standard_error() {
        // 73 ± 6 over 10 against 70 ± 8 over 40: 3/√(3.6 + 1.6).
        let a = Summary {
            count: 10,
            mean: 73.0,
            sd: 6.0,
        };
        let b = Summary {
            count: 40,
            mean: 70.0,
            sd: 8.0,
        };
        assert!((z(&a, &b) - 3.0 / 5.2_f64.sqrt()).abs() < 1e-12);
        assert_eq!(z(&a, &b), -z(&b, &a));
    }

    #[test]
    fn a_summary_divides_by_one_less_than_the_count() {
        let s = Summary::of(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        assert_eq!((s.count, s.mean), (4, 2.5));
        assert!((s.sd - (5.0_f64 / 3.0).sqrt()).abs() < 1e-15);
        assert!((s.error() - s.sd / 2.0).abs() < 1e-15);
        assert_eq!(Summary::of(&[7.0]).unwrap().sd, 0.0);
        assert!(Summary::of(&[]).is_none());
    }
}
