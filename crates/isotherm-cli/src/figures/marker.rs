//! Marks of classes: a shape as well as a colour, so that neither is needed.

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::ink::{EDGE, INK, PALE, PAPER, of_class};
use super::text::{clean, style};
use super::{Area, Drawn};
use crate::short_names::distinct;

/// Shapes, which repeat after another number than colours do: 35 classes differ.
const SHAPES: u32 = 5;

/// Entries of a legend at most.
const LISTED: usize = 40;

/// The height of an entry.
const LINE: i32 = 20;

/// Letters of a name in a legend.
const LETTERS: usize = 26;

/// A mark of a class about a point, filled with a colour.
pub(super) fn draw<B: DrawingBackend>(
    area: &Area<B>,
    (x, y): (i32, i32),
    class: u32,
    size: i32,
    fill: ShapeStyle,
) -> Drawn<B> {
    let s = size;
    match class % SHAPES {
        0 => area.draw(&Circle::new((x, y), s, fill)),
        1 => {
            // As large as the circle, and about the same middle.
            let (wide, up, down) = (s * 6 / 5, s * 13 / 10, s * 8 / 10);
            let corners = vec![(x, y - up), (x + wide, y + down), (x - wide, y + down)];
            area.draw(&Polygon::new(corners, fill))
        }
        2 => {
            let half = ((s * 9 + 5) / 10).max(1);
            area.draw(&Rectangle::new(
                [(x - half, y - half), (x + half, y + half)],
                fill,
            ))
        }
        3 => {
            let r = s * 13 / 10;
            let corners = vec![(x, y - r), (x + r, y), (x, y + r), (x - r, y)];
            area.draw(&Polygon::new(corners, fill))
        }
        _ => {
            let (wide, up, down) = (s * 6 / 5, s * 8 / 10, s * 13 / 10);
            let corners = vec![(x, y + down), (x + wide, y - up), (x - wide, y - up)];
            area.draw(&Polygon::new(corners, fill))
        }
    }
}

/// The edge of such a mark: thin, and dark on light ground, so that no colour is too faint.
pub(super) fn edge<B: DrawingBackend>(
    area: &Area<B>,
    (x, y): (i32, i32),
    class: u32,
    size: i32,
) -> Drawn<B> {
    let (s, line) = (size, INK.mix(EDGE).stroke_width(1));
    let closed = |corners: &[(i32, i32)]| {
        let all = corners.iter().chain(corners.first());
        area.draw(&PathElement::new(
            all.map(|(dx, dy)| (x + dx, y + dy)).collect::<Vec<_>>(),
            line,
        ))
    };
    let (wide, far, near) = (s * 6 / 5, s * 13 / 10, s * 8 / 10);
    match class % SHAPES {
        0 => area.draw(&Circle::new((x, y), s, line)),
        1 => closed(&[(0, -far), (wide, near), (-wide, near)]),
        2 => {
            let half = ((s * 9 + 5) / 10).max(1);
            area.draw(&Rectangle::new(
                [(x - half, y - half), (x + half, y + half)],
                line,
            ))
        }
        3 => closed(&[(0, -far), (far, 0), (0, far), (-far, 0)]),
        _ => closed(&[(0, far), (wide, -near), (-wide, -near)]),
    }
}

/// A diamond about a sample that is suggested.
pub(super) fn suggested<B: DrawingBackend>(
    area: &Area<B>,
    (x, y): (i32, i32),
    size: i32,
) -> Drawn<B> {
    let corners = vec![
        (x, y - size),
        (x + size, y),
        (x, y + size),
        (x - size, y),
        (x, y - size),
    ];
    area.draw(&PathElement::new(corners.clone(), PAPER.stroke_width(4)))?;
    area.draw(&PathElement::new(corners, INK.stroke_width(2)))
}

/// A mark with a ring of ink, and paper around it to keep it apart.
pub(super) fn ringed<B: DrawingBackend>(
    area: &Area<B>,
    at: (i32, i32),
    class: u32,
    size: i32,
) -> Drawn<B> {
    for (more, fill) in [(4, PAPER), (2, INK), (0, of_class(class))] {
        draw(area, at, class, size + more, fill.filled())?;
    }
    Ok(())
}

/// A cross: nothing is known here.
pub(super) fn cross<B: DrawingBackend>(area: &Area<B>, (x, y): (i32, i32), size: i32) -> Drawn<B> {
    let line = INK.mix(EDGE).stroke_width(1);
    area.draw(&PathElement::new(
        vec![(x - size, y - size), (x + size, y + size)],
        line,
    ))?;
    area.draw(&PathElement::new(
        vec![(x - size, y + size), (x + size, y - size)],
        line,
    ))
}

/// A frame about a label that the others contradict.
pub(super) fn doubt<B: DrawingBackend>(area: &Area<B>, (x, y): (i32, i32), size: i32) -> Drawn<B> {
    let corners = [(x - size, y - size), (x + size, y + size)];
    area.draw(&Rectangle::new(corners, PAPER.stroke_width(4)))?;
    area.draw(&Rectangle::new(corners, INK.stroke_width(2)))
}

/// What a legend explains besides classes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Also {
    Labelled,
    Unreached,
    Doubted,
    Suggested,
    Placed,
}

/// A legend of classes, and how tall it would be.
pub(super) struct Legend<'a> {
    pub(super) classes: &'a [String],
    pub(super) also: Vec<(Also, String)>,
}

impl Legend<'_> {
    pub(super) fn height(&self) -> i32 {
        let rows = self.classes.len().min(LISTED + 1) + self.also.len();
        LINE * rows as i32 + 12
    }

    /// Draws it with its left upper corner here.
    pub(super) fn draw<B: DrawingBackend>(&self, area: &Area<B>, (x, y): (i32, i32)) -> Drawn<B> {
        let mut y = y + LINE / 2;
        let say = |text: String, y: i32| {
            area.draw(&Text::new(text, (x + 18, y), style(14, &INK, HPos::Left)))
        };
        let short = distinct(self.classes, LETTERS);
        for (class, name) in (0_u32..).zip(&short).take(LISTED) {
            draw(area, (x + 6, y), class, 5, of_class(class).filled())?;
            edge(area, (x + 6, y), class, 5)?;
            say(clean(name), y)?;
            y += LINE;
        }
        if self.classes.len() > LISTED {
            say(
                format!("and {} more classes", self.classes.len() - LISTED),
                y,
            )?;
            y += LINE;
        }
        if !self.also.is_empty() {
            y += 8;
        }
        for (what, text) in &self.also {
            let at = (x + 6, y);
            match what {
                Also::Labelled => {
                    area.draw(&Circle::new(at, 6, INK.filled()))?;
                    area.draw(&Circle::new(at, 4, PAPER.filled()))?;
                }
                Also::Unreached => cross(area, at, 3)?,
                Also::Doubted => doubt(area, at, 6)?,
                Also::Suggested => suggested(area, at, 7)?,
                Also::Placed => {
                    area.draw(&Circle::new(at, 3, PALE.filled()))?;
                    edge(area, at, 0, 3)?;
                }
            }
            say(text.clone(), y)?;
            y += LINE;
        }
        Ok(())
    }
}
