//! A search as text: ridges down, transforms across, the best cell marked.

use isotherm::recipe::Task;
use isotherm::select::Search;
use isotherm::spectrum::Transform;

/// Columns of one block of the table; eight of nine characters fit 80.
const ACROSS: usize = 8;

/// The table, at most 80 characters wide.
pub(crate) fn table(search: &Search, task: Task) -> String {
    let grid = &search.grid;
    let unit = match task {
        Task::Classify => "% right",
        _ => "squared error",
    };
    let mut lines = vec![format!(
        "ridge down, {} across, {unit}; * is the best",
        head(&grid.transforms)
    )];
    let all: Vec<usize> = (0..grid.transforms.len()).collect();
    for block in all.chunks(ACROSS) {
        let mut header = " ".repeat(7);
        block
            .iter()
            .for_each(|&j| header.push_str(&format!("{:>9}", number(&grid.transforms[j]))));
        lines.push(header.trim_end().to_owned());
        for (i, ridge) in grid.ridges.iter().enumerate() {
            let mut line = format!("{:<7}", format!("{ridge:e}"));
            for &j in block {
                let at = j * grid.ridges.len() + i;
                let mark = if at == search.best { "*" } else { " " };
                let said = cell(search.cells[at].score, task);
                line.push_str(&format!("{said:>8}{mark}"));
            }
            lines.push(line.trim_end().to_owned());
        }
    }
    lines.join("\n")
}

/// A score as a cell shows it.
pub(crate) fn cell(score: Option<f64>, task: Task) -> String {
    match (score, task) {
        (Some(score), Task::Classify) => format!("{:.1}", 100.0 * score),
        (Some(score), _) => format!("{:.1e}", -score),
        (None, _) => "-".to_owned(),
    }
}

/// What the numbers across are.
pub(crate) fn head(transforms: &[Transform]) -> &'static str {
    match transforms.first() {
        Some(Transform::InverseLaplacian { .. }) => "eta",
        Some(Transform::Power { .. }) => "power",
        Some(Transform::Truncation { .. }) => "rank",
        Some(Transform::Diffusion { .. }) => "time",
        _ => "transform",
    }
}

/// The number that tells transforms of one kind apart.
pub(crate) fn number(transform: &Transform) -> String {
    match transform {
        Transform::InverseLaplacian { eta } => eta.to_string(),
        Transform::Power { degree } => degree.to_string(),
        Transform::Truncation { rank, .. } => rank.to_string(),
        Transform::Diffusion { time } => time.to_string(),
        other => other.name().to_owned(),
    }
}
