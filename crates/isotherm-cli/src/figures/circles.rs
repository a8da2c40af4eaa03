//! The demo's picture: points on circles, some of them labelled, under several answers.

use plotters::prelude::*;

use super::ink::{INK, PALE, PAPER, of_class};
use super::{Area, Drawn, Picture};

const WIDTH: u32 = 1200;
const HEIGHT: u32 = 424;

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

impl Picture for Scatter<'_> {
    fn size(&self) -> (u32, u32) {
        (WIDTH, HEIGHT)
    }

    fn title(&self) -> String {
        format!("{} points on circles", self.points.len())
    }

    fn describe(&self) -> String {
        let panels: Vec<&str> = self.panels.iter().map(|p| p.title.as_str()).collect();
        format!(
            "Points on concentric circles, three times: {}.",
            panels.join("; ")
        )
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Drawn<B> {
        area.fill(&PAPER)?;
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
                let colour = class.map_or(PALE, of_class);
                Circle::new(p, 2, colour.filled())
            }))?;
            for &(i, class) in self.labelled {
                let (p, colour) = (self.points[i], of_class(class));
                // Shape as well as colour tells the classes apart.
                // An outline is the same marker, larger and beneath.
                for (size, fill) in [(10, PAPER), (8, INK), (6, colour)] {
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
