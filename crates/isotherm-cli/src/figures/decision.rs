//! What would be said everywhere in the plane of two columns.

use isotherm::view::Decision;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::ink::{INK, PALE, PAPER, of_class};
use super::marker::{self, Also, Legend};
use super::text::{Head, MARGIN, short, style};
use super::{Area, Drawn, Picture};

const WIDTH: i32 = 900;
const HEIGHT: i32 = 600;
const LEGEND: i32 = 210;

/// Bands of probability.
const BANDS: f64 = 5.0;

/// A decision over two columns, to be drawn.
pub(crate) struct Decided<'a> {
    pub(crate) decision: &'a Decision,
    /// The names of the two columns.
    pub(crate) columns: [&'a str; 2],
}

/// Cells of one line that look alike.
#[derive(Clone, Copy, PartialEq)]
struct Look {
    class: Option<u32>,
    band: u8,
}

impl Decided<'_> {
    fn head(&self) -> Head {
        let notes = [format!(
            "regions: predicted class; the darker of {BANDS:.0} bands, the more probable; dark \
             lines: where the class changes"
        )];
        Head::new(&self.title(), &notes, WIDTH)
    }

    fn legend(&self) -> Legend<'_> {
        let mut also = vec![(
            Also::Labelled,
            format!("labelled: {}", self.decision.labelled.len()),
        )];
        if self.decision.predicted.iter().any(Option::is_none) {
            also.push((Also::Placed, "no label reaches".to_owned()));
        }
        Legend {
            classes: &self.decision.classes,
            also,
        }
    }

    fn look(&self, k: usize) -> Look {
        let least = 1.0 / self.decision.classes.len().max(1) as f64;
        let share = if least < 1.0 {
            (self.decision.probability[k] - least) / (1.0 - least)
        } else {
            1.0
        };
        Look {
            class: self.decision.predicted[k],
            band: (share.clamp(0.0, 0.999) * BANDS).floor() as u8,
        }
    }
}

impl Picture for Decided<'_> {
    fn size(&self) -> (u32, u32) {
        let body = HEIGHT.max(self.legend().height());
        (WIDTH as u32, (self.head().height() + body) as u32)
    }

    fn title(&self) -> String {
        format!(
            "decisions from {} labels of {} rows",
            self.decision.labelled.len(),
            self.decision.rows
        )
    }

    fn describe(&self) -> String {
        let cells = self.decision.predicted.len().max(1) as f64;
        let mut said = vec![format!(
            "The plane of {} and {}.",
            self.columns[0], self.columns[1]
        )];
        for (class, name) in (0_u32..).zip(&self.decision.classes).take(30) {
            let own = (self.decision.predicted.iter()).filter(|p| **p == Some(class));
            let share = 100.0 * own.count() as f64 / cells;
            said.push(format!("{name}: {share:.0} % of the plane."));
        }
        said.join(" ")
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Drawn<B> {
        area.fill(&PAPER)?;
        let head = self.head();
        head.draw(area)?;
        let (_, below) = area.split_vertically(head.height());
        let (left, _) = below.split_horizontally(WIDTH - LEGEND);
        let d = self.decision;
        let mut chart = ChartBuilder::on(&left)
            .margin_left(MARGIN / 2)
            .margin_right(16)
            .margin_bottom(10)
            .x_label_area_size(42)
            .y_label_area_size(72)
            .build_cartesian_2d(d.first[0]..d.first[1], d.second[0]..d.second[1])?;
        chart
            .configure_mesh()
            .disable_mesh()
            .axis_style(INK)
            .label_style(style(14, &INK, HPos::Center))
            .axis_desc_style(style(15, &INK, HPos::Center))
            .x_desc(short(self.columns[0], 40))
            .y_desc(short(self.columns[1], 40))
            .draw()?;
        let edge = |[low, high]: [f64; 2], k: usize| low + (high - low) * k as f64 / d.cells as f64;
        let corner =
            |i: usize, j: usize| chart.backend_coord(&(edge(d.first, i), edge(d.second, j)));
        for j in 0..d.cells {
            let mut from = 0;
            for i in 1..=d.cells {
                let look = self.look(j * d.cells + from);
                if i < d.cells && self.look(j * d.cells + i) == look {
                    continue;
                }
                let fill = match look.class {
                    Some(class) => {
                        let dark = 0.18 + 0.5 * f64::from(look.band) / (BANDS - 1.0);
                        of_class(class).mix(dark).filled()
                    }
                    None => PALE.mix(0.5).filled(),
                };
                let ((x0, y0), (x1, y1)) = (corner(from, j), corner(i, j + 1));
                area.draw(&Rectangle::new([(x0, y1), (x1, y0)], fill))?;
                from = i;
            }
        }
        let class = |i: usize, j: usize| d.predicted[j * d.cells + i];
        for j in 0..d.cells {
            for i in 0..d.cells {
                let line = INK.stroke_width(1);
                if i + 1 < d.cells && class(i, j) != class(i + 1, j) {
                    let ends = vec![corner(i + 1, j), corner(i + 1, j + 1)];
                    area.draw(&PathElement::new(ends, line))?;
                }
                if j + 1 < d.cells && class(i, j) != class(i, j + 1) {
                    let ends = vec![corner(i, j + 1), corner(i + 1, j + 1)];
                    area.draw(&PathElement::new(ends, line))?;
                }
            }
        }
        for (x, y, class) in &d.labelled {
            marker::ringed(area, chart.backend_coord(&(*x, *y)), *class, 5)?;
        }
        let at = (WIDTH - LEGEND + 8, head.height() + 4);
        self.legend().draw(area, at)?;
        area.present()
    }
}
