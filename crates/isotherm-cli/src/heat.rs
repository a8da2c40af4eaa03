//! The tuning heat map: every cell's score, the best one framed.

use isotherm::recipe::Task;
use isotherm::select::Search;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::grid::{cell, head, number};
use crate::picture::{Area, Drawn, INK, PALE, Picture, shade};

/// The best cell's frame; it is a frame as well as a colour.
const BEST: RGBColor = RGBColor(230, 159, 0);
const CELL: (i32, i32) = (84, 34);
const LEFT: i32 = 110;
const TOP: i32 = 76;
const MARGIN: i32 = 24;

/// A search, to be drawn.
pub(crate) struct Heat<'a> {
    pub(crate) search: &'a Search,
    pub(crate) task: Task,
    pub(crate) title: String,
}

impl Heat<'_> {
    /// The lowest and highest score.
    fn range(&self) -> (f64, f64) {
        let scores = self.search.cells.iter().filter_map(|c| c.score);
        scores.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), s| {
            (low.min(s), high.max(s))
        })
    }
}

impl Picture for Heat<'_> {
    fn size(&self) -> (u32, u32) {
        let grid = &self.search.grid;
        let width = LEFT + CELL.0 * grid.transforms.len() as i32 + MARGIN;
        let height = TOP + CELL.1 * grid.ridges.len() as i32 + MARGIN;
        (width.max(620) as u32, height as u32)
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Drawn<B> {
        area.fill(&WHITE)?;
        let grid = &self.search.grid;
        let text = |size: i32, colour: &RGBColor| {
            let centre = Pos::new(HPos::Center, VPos::Center);
            ("sans-serif", size).into_font().color(colour).pos(centre)
        };
        let left = ("sans-serif", 18).into_font().color(&INK);
        area.draw(&Text::new(self.title.clone(), (MARGIN, 14), left))?;
        let middle = |i: usize, j: usize| {
            (
                LEFT + CELL.0 * j as i32 + CELL.0 / 2,
                TOP + CELL.1 * i as i32 + CELL.1 / 2,
            )
        };
        for (j, transform) in grid.transforms.iter().enumerate() {
            let at = (middle(0, j).0, TOP - 14);
            area.draw(&Text::new(number(transform), at, text(15, &INK)))?;
        }
        let axes = format!("{} across, ridge down", head(&grid.transforms));
        let small = ("sans-serif", 13).into_font().color(&INK);
        area.draw(&Text::new(axes, (MARGIN, TOP - 36), small))?;
        for (i, ridge) in grid.ridges.iter().enumerate() {
            let at = (LEFT / 2 + 10, middle(i, 0).1);
            area.draw(&Text::new(format!("{ridge:e}"), at, text(15, &INK)))?;
        }
        let (low, high) = self.range();
        for (k, c) in self.search.cells.iter().enumerate() {
            let (x, y) = middle(c.ridge, c.transform);
            let (w, h) = (CELL.0 / 2 - 1, CELL.1 / 2 - 1);
            let corners = [(x - w, y - h), (x + w, y + h)];
            let share = c.score.map(|s| match high > low {
                true => (s - low) / (high - low),
                false => 1.0,
            });
            let (fill, ink) = match share {
                Some(share) => (shade(share), if share > 0.55 { &WHITE } else { &INK }),
                None => (PALE, &INK),
            };
            area.draw(&Rectangle::new(corners, fill.filled()))?;
            if k == self.search.best {
                area.draw(&Rectangle::new(corners, BEST.stroke_width(4)))?;
            }
            let said = cell(c.score, self.task);
            area.draw(&Text::new(said, (x, y), text(15, ink)))?;
        }
        area.present()
    }
}
