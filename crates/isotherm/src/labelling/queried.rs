//! Labels as the choice of the next row sees them: shares of classes, or numbers.

use crate::data::Targets;
use crate::recipe::Task;

/// The classes among the labels and those that may occur, at least two; none where labels are
/// not classes.
pub(crate) fn class_names(task: Task, targets: &Targets, more: &[String]) -> Vec<String> {
    if !matches!(task, Task::Classify | Task::Ordinal | Task::Shares) {
        return Vec::new();
    }
    let known = targets.names();
    let mut names = known.to_vec();
    names.extend(more.iter().filter(|c| !known.contains(c)).cloned());
    while names.len() < 2 {
        names.push("another class".to_owned());
    }
    names
}

/// The mean of the numbers that are known, and the number of each sample, the mean where it is
/// not known; zeros where labels are no single numbers.
pub(crate) fn numbers_of(targets: &Targets) -> (f64, Box<dyn Fn(usize) -> f64 + '_>) {
    let Targets::Values(values) = targets else {
        return (0.0, Box::new(|_| 0.0));
    };
    let known: Vec<f64> = values.iter().flatten().copied().collect();
    let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
    (mean, Box::new(move |i| values[i].unwrap_or(mean)))
}

/// What is known of a sample's class, as shares of so many classes.
pub(crate) fn class_shares(targets: &Targets, sample: usize, classes: usize) -> Option<Vec<f64>> {
    let mut row = vec![0.0; classes];
    match targets {
        Targets::Classes { labels, .. } => row[labels[sample]? as usize] = 1.0,
        Targets::Shares { labels, .. } => {
            let shares = labels[sample].as_ref()?;
            row[..shares.len()].copy_from_slice(shares);
        }
        Targets::Sets { labels, .. } => {
            let set = labels[sample].as_ref()?;
            for &class in set {
                row[class as usize] = 1.0 / set.len() as f64;
            }
        }
        _ => return None,
    }
    Some(row)
}
