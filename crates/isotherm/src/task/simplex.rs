//! The nearest point of the probability simplex.

/// `pᵢ = max(sᵢ − τ, 0)` with τ such that the sum is one: finite, non-negative and
/// summing to one for any finite scores. O(K log K).
///
/// J. Duchi et al., *Efficient projections onto the ℓ₁-ball*, ICML 2008.
pub(crate) fn project(scores: &[f64]) -> Vec<f64> {
    let mut sorted = scores.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let mut sum = 0.0;
    let mut tau = 0.0;
    for (k, s) in sorted.iter().enumerate() {
        sum += s;
        let candidate = (sum - 1.0) / (k + 1) as f64;
        if *s > candidate {
            tau = candidate;
        }
    }
    let shares: Vec<f64> = scores.iter().map(|s| (s - tau).max(0.0)).collect();
    // Exact up to rounding already; rounding is divided away.
    let total: f64 = shares.iter().sum();
    if !(total > 0.0 && total.is_finite()) {
        return vec![1.0 / scores.len() as f64; scores.len()];
    }
    shares.into_iter().map(|s| s / total).collect()
}
