//! The smoothest functions, each over the same plane.

use isotherm::view::Plane;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::frame::{Frame, STRETCHED};
use super::ink::{FAINT, INK, PAPER, SIGNS};
use super::map::shown;
use super::text::{Head, MARGIN, style};
use super::{Area, Drawn, Picture};

const WIDTH: i32 = 980;
const PANEL: i32 = 290;
const TITLE: i32 = 26;
const ACROSS: usize = 3;

/// Beyond so many standard deviations all are equally dark.
const FULL: f64 = 2.0;

/// Functions on the samples of a plane, to be drawn.
pub(crate) struct Eigenfunctions<'a> {
    pub(crate) plane: &'a Plane,
}

impl Eigenfunctions<'_> {
    fn head(&self) -> Head {
        let mut notes = vec![format!("places: {}; {STRETCHED}", self.plane.how)];
        notes.extend(shown(self.plane));
        notes.push(
            "orange upward marks are above zero, blue downward ones below; the darker, the farther"
                .to_owned(),
        );
        Head::new(&self.title(), &notes, WIDTH)
    }
}

impl Picture for Eigenfunctions<'_> {
    fn size(&self) -> (u32, u32) {
        let rows = self.plane.modes.len().div_ceil(ACROSS).max(1) as i32;
        let height = self.head().height() + rows * (PANEL + TITLE) + 16;
        (WIDTH as u32, height as u32)
    }

    fn title(&self) -> String {
        format!(
            "the {} smoothest functions on {} samples",
            self.plane.modes.len(),
            self.plane.total
        )
    }

    fn describe(&self) -> String {
        let values: Vec<String> = (self.plane.modes.iter())
            .map(|m| format!("{:.4}", m.eigenvalue))
            .collect();
        format!(
            "Coordinates: {}. Eigenvalues, the largest the smoothest: {}.",
            self.plane.how,
            values.join(", ")
        )
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Drawn<B> {
        area.fill(&PAPER)?;
        let head = self.head();
        head.draw(area)?;
        let wide = (WIDTH - 2 * MARGIN) / ACROSS as i32;
        let small = match self.plane.samples.len() {
            0..=400 => 4,
            401..=1500 => 3,
            _ => 2,
        };
        for (j, mode) in self.plane.modes.iter().enumerate() {
            let (row, column) = ((j / ACROSS) as i32, (j % ACROSS) as i32);
            let left = MARGIN + column * wide;
            let top = head.height() + row * (PANEL + TITLE);
            let said = format!("ψ{}, λ = {:.4}", j + 1, mode.eigenvalue);
            let place = (left + 4, top + TITLE / 2);
            area.draw(&Text::new(said, place, style(15, &INK, HPos::Left)))?;
            let frame = Frame::new(self.plane, (left, top + TITLE), (wide - 10, PANEL - 8));
            frame.draw(area)?;
            for (at, value) in frame.places().into_iter().zip(&mode.values) {
                mark(area, at, *value, small)?;
            }
        }
        area.present()
    }
}

/// A triangle upward or downward, the darker the farther from zero.
fn mark<B: DrawingBackend>(area: &Area<B>, (x, y): (i32, i32), value: f64, s: i32) -> Drawn<B> {
    let share = (value.abs() / FULL).min(1.0);
    let share = (share * 6.0).round() / 6.0;
    if share == 0.0 {
        return area.draw(&Circle::new((x, y), s - 1, FAINT.filled()));
    }
    let up = if value > 0.0 { -1 } else { 1 };
    let corners = vec![(x, y + up * s), (x + s, y - up * s), (x - s, y - up * s)];
    let colour = SIGNS[usize::from(value < 0.0)];
    area.draw(&Polygon::new(
        corners,
        colour.mix(0.15 + 0.85 * share).filled(),
    ))
}
