//! Label leakage: whether a column gives the labels away.

use std::collections::BTreeMap;

/// How likely it is, at most, that so many labels follow from a column by chance; `None`
/// where some value of the column stands beside two classes.
///
/// Rows are grouped by their value. If labels were dealt to rows at random, n!/Πcⱼ! ways
/// would be equally likely, cⱼ labels being of class j; at most kᵐ of them give each of the
/// m groups one of the k classes. So a chance is at most `kᵐ Πcⱼ!/n!`, which is no
/// evidence where values hardly repeat, and a strong one where a few values tell all.
///
/// Values and classes are of the labelled rows. O(n log n).
pub fn chance_of_leakage(values: &[f64], classes: &[u32]) -> Option<f64> {
    let mut groups: BTreeMap<u64, u32> = BTreeMap::new();
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for (value, class) in values.iter().zip(classes) {
        *counts.entry(*class).or_default() += 1;
        // −0 + 0 = 0
        let key = (value + 0.0).to_bits();
        if *groups.entry(key).or_insert(*class) != *class {
            return None;
        }
    }
    let log_factorial = |n: usize| (2..=n).map(|i| (i as f64).ln()).sum::<f64>();
    let dealt = log_factorial(values.len().min(classes.len()));
    let within: f64 = counts.values().map(|c| log_factorial(*c)).sum();
    let ways = groups.len() as f64 * (counts.len() as f64).ln();
    Some((ways + within - dealt).min(0.0).exp())
}
