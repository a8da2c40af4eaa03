//! A search over filters, laid out in lines: bandwidths and norm shares down, filters across.

use isotherm::select::laplacian::LaplacianCell;
use isotherm::spectrum::{Filter, FilterFamily, FilterPath};

/// The cells of one bandwidth and one norm share.
pub(crate) struct Line<'a> {
    pub(crate) bandwidth: Option<f64>,
    pub(crate) share: f64,
    pub(crate) cells: Vec<&'a LaplacianCell>,
}

/// The cells, line by line: those of equal bandwidth and norm share, in their order.
pub(crate) fn lines<'a>(cells: &'a [LaplacianCell], filters: &FilterPath) -> Vec<Line<'a>> {
    let across = heads(filters).len();
    let mut lines: Vec<Line<'a>> = Vec::new();
    for cell in cells {
        match lines.last_mut() {
            // A value that was given twice has two lines.
            Some(line)
                if line.bandwidth == cell.bandwidth
                    && line.share == cell.share
                    && line.cells.len() < across =>
            {
                line.cells.push(cell);
            }
            _ => lines.push(Line {
                bandwidth: cell.bandwidth,
                share: cell.share,
                cells: vec![cell],
            }),
        }
    }
    lines
}

/// The heads of the columns. A strength that is relative to the spectrum is its part of the
/// largest eigenvalue, as itself it differs from line to line.
pub(crate) fn heads(filters: &FilterPath) -> Vec<String> {
    let on = match filters {
        FilterPath::Given(_) => &[],
        // Strengths on a largest eigenvalue of 1, with more modes than ranks to try.
        FilterPath::Relative(_) => [1.0; 64].as_slice(),
    };
    filters.on(on).iter().map(head).collect()
}

/// The number that tells filters of one kind apart: what the flags call its strength, its rank or
/// its steps.
fn head(filter: &Filter) -> String {
    match filter {
        Filter::Tikhonov { strength } => format!("{strength:e}"),
        Filter::CutOff { threshold } => format!("{threshold:e}"),
        Filter::GradientFlow { time } => format!("{:e}", time.recip()),
        Filter::Heat { time } => format!("{time:e}"),
        Filter::Leading { rank } => rank.to_string(),
        Filter::Landweber { steps, .. } => steps.to_string(),
    }
}

/// What the heads are.
pub(crate) fn across(filters: &FilterPath) -> &'static str {
    match filters {
        FilterPath::Relative(FilterFamily::Leading) => "leading modes",
        FilterPath::Relative(FilterFamily::Landweber) => "steps",
        FilterPath::Relative(_) => "strength, as a part of the largest eigenvalue,",
        FilterPath::Given(_) => "strength of the filter",
    }
}

/// Squared errors, a line a bandwidth and norm share, a column a filter.
pub(crate) fn table(cells: &[LaplacianCell], filters: &FilterPath) -> String {
    let lines = lines(cells, filters);
    let mut text = format!("{:>10} {:>11}", "bandwidth", "norm share");
    let widest = lines.iter().map(|line| line.cells.len()).max();
    let heads = heads(filters);
    (heads.iter().take(widest.unwrap_or(0))).for_each(|h| text += &format!(" {h:>8}"));
    for line in &lines {
        let bandwidth = line.bandwidth.map_or("–".to_owned(), |b| format!("{b:.4}"));
        text += &format!("\n{bandwidth:>10} {:>11.1e}", line.share);
        for cell in &line.cells {
            let score = cell.score.map_or("–".to_owned(), |s| format!("{:.4}", -s));
            text += &format!(" {score:>8}");
        }
    }
    text
}
