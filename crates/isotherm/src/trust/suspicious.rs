//! Labels that the others contradict, most first.

use crate::error::{Error, Result};
use crate::linalg::MatRef;

/// A label whose leave-one-out score speaks against it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Suspect {
    /// Which label, by its position.
    pub label: usize,
    /// The class it was given.
    pub given: u32,
    /// The class the other labels say.
    pub suggested: u32,
    /// How far the suggested class is ahead, in the spread of all such gaps: 1 is usual.
    pub strength: f64,
}

/// Labels whose own class is not the one the others say, ranked by how far it is behind.
///
/// `left` has the scores of each label without it. Rows that no other label reaches
/// (`usable` is false) say nothing and are never suspects.
///
/// # Errors
/// [`Error::Shape`] when there is not one class and one mark a row.
pub(crate) fn suspects(
    left: MatRef<'_, f64>,
    given: &[u32],
    usable: &[bool],
) -> Result<Vec<Suspect>> {
    for got in [given.len(), usable.len()] {
        if got != left.nrows() {
            return Err(Error::Shape {
                what: "classes, one for each row of scores",
                expected: left.nrows(),
                got,
            });
        }
    }
    let mut gaps = Vec::new();
    let mut found = Vec::new();
    for (label, &class) in given.iter().enumerate() {
        let Some(own) = left.row(label).iter().nth(class as usize).copied() else {
            return Err(Error::Label {
                sample: label,
                reason: format!("class {class} has no score among {}", left.ncols()).into(),
            });
        };
        let mut best: Option<(u32, f64)> = None;
        for (c, score) in (0_u32..).zip(left.row(label).iter()) {
            if c != class && best.is_none_or(|(_, top)| *score > top) {
                best = Some((c, *score));
            }
        }
        let Some((suggested, top)) = best.filter(|_| usable[label]) else {
            continue;
        };
        gaps.push((top - own).powi(2));
        if top > own {
            found.push(Suspect {
                label,
                given: class,
                suggested,
                strength: top - own,
            });
        }
    }
    let spread = (gaps.iter().sum::<f64>() / gaps.len().max(1) as f64).sqrt();
    if spread > 0.0 {
        found.iter_mut().for_each(|s| s.strength /= spread);
    }
    found.sort_by(|a, b| {
        b.strength
            .total_cmp(&a.strength)
            .then(a.label.cmp(&b.label))
    });
    Ok(found)
}
