//! Seeded splits of samples into parts.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::error::{Error, Refusal, Result};

/// One uniform permutation of `0..total` cut into parts of the given sizes;
/// what is left over comes last, as one more part.
///
/// The transductive protocol of [STKR App. D.1]: train, validation, test, other.
///
/// # Errors
/// [`Error::Parameter`] when the sizes exceed the total.
pub fn uniform(total: usize, sizes: &[usize], seed: u64) -> Result<Vec<Vec<usize>>> {
    let wanted: usize = sizes.iter().sum();
    if wanted > total {
        return Err(Error::parameter(
            "split sizes",
            format!("at most {total} in sum"),
            sizes,
        ));
    }
    let mut order: Vec<usize> = (0..total).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    let mut rest = order.as_slice();
    let mut parts = Vec::with_capacity(sizes.len() + 1);
    for &size in sizes {
        let (part, after) = rest.split_at(size);
        parts.push(part.to_vec());
        rest = after;
    }
    parts.push(rest.to_vec());
    Ok(parts)
}

/// `per_class` samples of each class, and the rest; both ascending.
///
/// # Errors
/// [`Error::Refused`] when a class has fewer samples.
pub fn per_class(
    labels: &[u32],
    classes: usize,
    per_class: usize,
    seed: u64,
) -> Result<(Vec<usize>, Vec<usize>)> {
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    let mut taken = vec![0; classes];
    let (mut chosen, mut rest) = (Vec::new(), Vec::new());
    for i in order {
        match taken.get_mut(labels[i] as usize) {
            Some(count) if *count < per_class => {
                *count += 1;
                chosen.push(i);
            }
            _ => rest.push(i),
        }
    }
    if let Some(class) = taken.iter().position(|t| *t < per_class) {
        return Err(Error::refused(
            Refusal::TooFewLabels,
            format!("class {class} has only {} samples", taken[class]),
            format!("ask for fewer than {per_class} per class"),
        ));
    }
    chosen.sort_unstable();
    rest.sort_unstable();
    Ok((chosen, rest))
}
