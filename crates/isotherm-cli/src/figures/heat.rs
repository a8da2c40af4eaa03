//! The tuning heat map: every cell's score, the best one framed, those that labels do not
//! tell from it outlined.

use isotherm::recipe::Task;
use isotherm::select::Search;
use isotherm::select::laplacian::LaplacianSearch;
use isotherm::spectrum::FilterPath;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::grid::{cell, head as named, number};
use super::ink::{CLASSES, INK, PALE, PAPER, SHADE, opacity, text_on};
use super::text::{Head, style};
use super::{Area, Drawn, Picture, filters};

const CELL: (i32, i32) = (84, 34);
const LEFT: i32 = 150;
const MARGIN: i32 = 24;
const LEAST: i32 = 620;

/// A grid of scores, to be drawn.
pub(crate) struct Heat {
    title: String,
    across: String,
    down: String,
    columns: Vec<String>,
    rows: Vec<String>,
    /// Row, column, score and what the cell says.
    cells: Vec<(usize, usize, Option<f64>, String)>,
    best: usize,
    close: Vec<usize>,
    /// The cell of the setting that is in use.
    own: Option<usize>,
}

impl Heat {
    /// With the cell of the setting that is in use marked.
    pub(crate) fn with_own(mut self, own: Option<usize>) -> Self {
        self.own = own;
        self
    }

    /// Transforms across, ridges down.
    pub(crate) fn of_transforms(search: &Search, task: Task, title: String) -> Self {
        let grid = &search.grid;
        let said =
            |c: &isotherm::select::Cell| (c.ridge, c.transform, c.score, digits(c.score, task));
        Self {
            title,
            across: named(&grid.transforms).to_owned(),
            down: "ridge".to_owned(),
            columns: grid.transforms.iter().map(number).collect(),
            rows: grid.ridges.iter().map(|r| format!("{r:e}")).collect(),
            cells: search.cells.iter().map(said).collect(),
            best: search.best,
            close: search.close(),
            own: None,
        }
    }

    /// Filters across, bandwidths and norm shares down.
    pub(crate) fn of_filters(search: &LaplacianSearch, path: &FilterPath, title: String) -> Self {
        let lines = filters::lines(&search.cells, path);
        let row = |line: &filters::Line<'_>| match line.bandwidth {
            Some(bandwidth) => format!("{bandwidth:.4}, {:.1e}", line.share),
            None => format!("{:.1e}", line.share),
        };
        let placed = lines.iter().enumerate().flat_map(|(i, line)| {
            let cells = line.cells.iter().enumerate();
            cells.map(move |(j, c)| (i, j, c.score, cell(c.score, Task::Regress)))
        });
        let widest = lines.iter().map(|line| line.cells.len()).max();
        let heads = filters::heads(path).into_iter();
        Self {
            title,
            across: filters::across(path).to_owned(),
            down: if lines.iter().any(|line| line.bandwidth.is_some()) {
                "bandwidth, norm share".to_owned()
            } else {
                "norm share".to_owned()
            },
            columns: heads.take(widest.unwrap_or(0)).collect(),
            cells: placed.collect(),
            rows: lines.iter().map(row).collect(),
            best: search.best,
            close: search.close(),
            own: None,
        }
    }

    /// Where shades begin and end. Cells that labels do not tell from the best are as dark as it;
    /// the worst tenth does not make all the others look alike.
    fn range(&self) -> (f64, f64) {
        let mut scores: Vec<f64> = self.cells.iter().filter_map(|c| c.2).collect();
        scores.sort_by(f64::total_cmp);
        let low = scores.get(scores.len() / 10).copied();
        let close = self.close.iter().filter_map(|k| self.cells.get(*k)?.2);
        let high = close.fold(f64::INFINITY, f64::min);
        (low.unwrap_or(high).min(high), high)
    }

    fn width(&self) -> i32 {
        (LEFT + CELL.0 * self.columns.len() as i32 + MARGIN).max(LEAST)
    }

    fn head(&self) -> Head {
        let mut notes = vec![
            format!(
                "{} across, {} down; the stronger the colour, the better; the worst tenth is equally pale",
                self.across, self.down
            ),
            format!(
                "thick frame: the best; thin frames, of one colour with it: {} within one standard error of it",
                self.close.len().saturating_sub(1)
            ),
        ];
        if self.own.is_some() {
            notes.push("dashed: the setting in use".to_owned());
        }
        Head::new(&self.title, &notes, self.width())
    }
}

/// A score with the digits in which neighbours differ.
fn digits(score: Option<f64>, task: Task) -> String {
    match (score, task) {
        (Some(score), task) if task != Task::Classify => format!("{:.2e}", -score),
        _ => cell(score, task),
    }
}

impl Picture for Heat {
    fn size(&self) -> (u32, u32) {
        let height = self.head().height() + 28 + CELL.1 * self.rows.len() as i32 + MARGIN;
        (self.width() as u32, height as u32)
    }

    fn title(&self) -> String {
        self.title.clone()
    }

    fn describe(&self) -> String {
        let best = self.cells.get(self.best).map(|(i, j, _, text)| {
            format!(
                "The best cell has {} {} and {} {}, and says {text}.",
                self.across, self.columns[*j], self.down, self.rows[*i]
            )
        });
        format!(
            "{} {} of {} cells are within one standard error of it.",
            best.unwrap_or_default(),
            self.close.len(),
            self.cells.len()
        )
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Drawn<B> {
        area.fill(&PAPER)?;
        let head = self.head();
        head.draw(area)?;
        let top = head.height() + 28;
        let middle = |i: usize, j: usize| {
            (
                LEFT + CELL.0 * j as i32 + CELL.0 / 2,
                top + CELL.1 * i as i32 + CELL.1 / 2,
            )
        };
        for (j, name) in self.columns.iter().enumerate() {
            let at = (middle(0, j).0, top - 14);
            area.draw(&Text::new(name.clone(), at, style(15, &INK, HPos::Center)))?;
        }
        for (i, name) in self.rows.iter().enumerate() {
            let at = (LEFT - 10, middle(i, 0).1);
            area.draw(&Text::new(name.clone(), at, style(15, &INK, HPos::Right)))?;
        }
        let (low, high) = self.range();
        let corners = |(x, y): (i32, i32), less: i32| {
            let (w, h) = (CELL.0 / 2 - less, CELL.1 / 2 - less);
            [(x - w, y - h), (x + w, y + h)]
        };
        for (i, j, score, text) in &self.cells {
            let at = middle(*i, *j);
            let share = score.map(|s| {
                if high > low {
                    ((s - low) / (high - low)).clamp(0.0, 1.0)
                } else if s < high {
                    0.0
                } else {
                    1.0
                }
            });
            let (fill, ink) = match share {
                Some(share) => (SHADE.mix(opacity(share)), text_on(share)),
                None => (PALE.mix(0.5), &INK),
            };
            area.draw(&Rectangle::new(corners(at, 1), fill.filled()))?;
            area.draw(&Text::new(text.clone(), at, style(15, ink, HPos::Center)))?;
        }
        for (k, (i, j, ..)) in self.cells.iter().enumerate() {
            let wide = match (k == self.best, self.close.contains(&k)) {
                (true, _) => 5,
                (false, true) => 2,
                (false, false) => continue,
            };
            let frame = CLASSES[1].stroke_width(wide);
            area.draw(&Rectangle::new(corners(middle(*i, *j), 2), frame))?;
        }
        if let Some((i, j, ..)) = self.own.and_then(|k| self.cells.get(k)) {
            let [(left, top), (right, bottom)] = corners(middle(*i, *j), 6);
            let dash =
                |from: i32, to: i32| (from..to).step_by(8).map(move |v| (v, (v + 4).min(to)));
            let across = |y: i32| dash(left, right).map(move |(a, b)| vec![(a, y), (b, y)]);
            let down = |x: i32| dash(top, bottom).map(move |(a, b)| vec![(x, a), (x, b)]);
            let lines = across(top).chain(across(bottom));
            for line in lines.chain(down(left)).chain(down(right)) {
                area.draw(&PathElement::new(line.clone(), INK.stroke_width(4)))?;
                area.draw(&PathElement::new(line, PAPER.stroke_width(2)))?;
            }
        }
        area.present()
    }
}
