//! Pictures: the same drawing as SVG and as PNG.

use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};

use crate::failure::{Failure, Outcome};

/// Text in pictures: a subset of DejaVu Sans that comes with the binary.
static FONT: &[u8] = include_bytes!("../assets/labels.ttf");

const WIDTH: u32 = 1200;
const HEIGHT: u32 = 424;

/// Colours that people with any colour vision can tell apart (Okabe and Ito).
const CLASSES: [RGBColor; 2] = [RGBColor(0, 114, 178), RGBColor(230, 159, 0)];
const INK: RGBColor = RGBColor(40, 40, 40);
const PALE: RGBColor = RGBColor(190, 190, 190);

/// One panel: points in the plane, each with a class or none.
pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) classes: Vec<Option<u32>>,
}

/// Points in the plane, some of them labelled, under several answers.
pub(crate) struct Scatter<'a> {
    pub(crate) points: &'a [(f64, f64)],
    /// Drawn large, ringed, in their class's colour and shape.
    pub(crate) labelled: &'a [(usize, u32)],
    pub(crate) panels: &'a [Panel],
}

impl Scatter<'_> {
    /// The picture as SVG text.
    pub(crate) fn svg(&self) -> Outcome<String> {
        fonts()?;
        let mut text = String::new();
        let area = SVGBackend::with_string(&mut text, (WIDTH, HEIGHT)).into_drawing_area();
        self.draw(&area).map_err(|e| broken(&e))?;
        drop(area);
        Ok(text)
    }

    /// The picture as a PNG file beside `path`, which the caller renames.
    pub(crate) fn png(&self, path: &Path) -> Outcome<()> {
        fonts()?;
        let area = BitMapBackend::new(path, (WIDTH, HEIGHT)).into_drawing_area();
        self.draw(&area).map_err(|e| broken(&e))
    }

    fn draw<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        area.fill(&WHITE)?;
        let reach = self
            .points
            .iter()
            .fold(1.0_f64, |m, p| m.max(p.0.abs()).max(p.1.abs()))
            * 1.08;
        let cells = area.split_evenly((1, self.panels.len()));
        for (cell, panel) in cells.iter().zip(self.panels) {
            let title = ("sans-serif", 19).into_font().color(&INK);
            let cell = cell.titled(&panel.title, title)?;
            let mut chart = ChartBuilder::on(&cell)
                .margin(12)
                .build_cartesian_2d(-reach..reach, -reach..reach)?;
            chart.draw_series(self.points.iter().zip(&panel.classes).map(|(&p, class)| {
                let colour = class.map_or(PALE, |c| CLASSES[c as usize % 2]);
                Circle::new(p, 2, colour.filled())
            }))?;
            for &(i, class) in self.labelled {
                let (p, colour) = (self.points[i], CLASSES[class as usize % 2]);
                // Shape as well as colour tells the classes apart.
                // An outline is the same marker, larger and beneath.
                for (size, fill) in [(10, WHITE), (8, INK), (6, colour)] {
                    if class % 2 == 0 {
                        chart.draw_series([Circle::new(p, size, fill.filled())])?;
                    } else {
                        chart.draw_series([TriangleMarker::new(p, size + 3, fill.filled())])?;
                    }
                }
            }
        }
        area.present()
    }
}

fn fonts() -> Outcome<()> {
    register_font("sans-serif", FontStyle::Normal, FONT)
        .map_err(|_| Failure::refused("picture", "the built-in font is damaged", "build again"))
}

fn broken(error: &dyn std::fmt::Display) -> Failure {
    Failure::refused(
        "picture",
        format!("the picture could not be drawn: {error}"),
        "check that the directory can be written",
    )
}
