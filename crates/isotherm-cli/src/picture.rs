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
pub(crate) const INK: RGBColor = RGBColor(40, 40, 40);
pub(crate) const PALE: RGBColor = RGBColor(190, 190, 190);

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

/// Something that can be drawn on any backend.
pub(crate) trait Picture {
    /// Width and height in pixels.
    fn size(&self) -> (u32, u32);

    /// Draws the whole of it.
    fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Drawn<B>;

    /// The picture as SVG text.
    fn svg(&self) -> Outcome<String> {
        fonts()?;
        let mut text = String::new();
        let area = SVGBackend::with_string(&mut text, self.size()).into_drawing_area();
        self.draw(&area).map_err(|e| broken(&e))?;
        drop(area);
        Ok(text)
    }

    /// The picture as the bytes of a PNG file that is to be written to `path`.
    fn png(&self, path: &Path) -> Outcome<Vec<u8>> {
        fonts()?;
        // The bitmap writer wants a file of its own, which ends in .png.
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let draft = path.with_file_name(format!(".{name}.draft.png"));
        let area = BitMapBackend::new(&draft, self.size()).into_drawing_area();
        let drawn = self.draw(&area).map_err(|e| broken(&e));
        drop(area);
        let bytes = drawn.and_then(|()| {
            let bytes = std::fs::read(&draft);
            bytes.map_err(|e| Failure::from(isotherm_io::Error::io(&draft, "read", e)))
        });
        let _ = std::fs::remove_file(&draft);
        bytes
    }
}

/// Where a picture is drawn.
pub(crate) type Area<B> = DrawingArea<B, Shift>;

/// What comes of drawing.
pub(crate) type Drawn<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

impl Picture for Scatter<'_> {
    fn size(&self) -> (u32, u32) {
        (WIDTH, HEIGHT)
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Drawn<B> {
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

/// From nearly white to dark blue: darker is better, in print too.
pub(crate) fn shade(share: f64) -> RGBColor {
    let mix = |from: f64, to: f64| (from + (to - from) * share) as u8;
    RGBColor(mix(236.0, 0.0), mix(242.0, 72.0), mix(248.0, 122.0))
}
