//! The reliability diagram: what was said beside what came true.

use isotherm::trust::Reliability;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::ink::{CLASSES, FAINT, INK, PAPER};
use super::text::{Head, MARGIN, style};
use super::{Area, Drawn, Picture};

const WIDTH: i32 = 660;
const HEIGHT: i32 = 560;

/// Sentences above the diagram.
fn head(found: &Reliability) -> Head {
    let percent = 100.0 * found.interval.level;
    let notes = [
        format!(
            "expected calibration error {:.3}, between {:.3} and {:.3} ({percent:.0} %); a model \
             that is calibrated would show {:.3}, and as much as this one with a chance of {:.2}",
            found.error, found.interval.low, found.interval.high, found.by_chance, found.chance
        ),
        format!(
            "said to be {:.1} % sure on average, right {:.1} %; bars are {percent:.0} % intervals, \
             numbers are labels",
            100.0 * found.confidence,
            100.0 * found.accuracy
        ),
    ];
    Head::new(&found.title(), &notes, WIDTH)
}

impl Picture for Reliability {
    fn size(&self) -> (u32, u32) {
        (WIDTH as u32, (head(self).height() + HEIGHT) as u32)
    }

    fn title(&self) -> String {
        format!(
            "reliability: {} labels, each predicted by the others",
            self.rows
        )
    }

    fn describe(&self) -> String {
        let mut said = vec![format!(
            "Expected calibration error {:.3}, between {:.3} and {:.3}.",
            self.error, self.interval.low, self.interval.high
        )];
        for bin in &self.bins {
            said.push(format!(
                "Said {:.3}: {} of {} right.",
                bin.confidence, bin.right, bin.rows
            ));
        }
        said.join(" ")
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Drawn<B> {
        area.fill(&PAPER)?;
        let head = head(self);
        head.draw(area)?;
        let (_, below) = area.split_vertically(head.height());
        let mut chart = ChartBuilder::on(&below)
            .margin_left(MARGIN / 2)
            .margin_right(MARGIN)
            .margin_top(8)
            .margin_bottom(10)
            .x_label_area_size(42)
            .y_label_area_size(64)
            .build_cartesian_2d(0.0..1.0_f64, 0.0..1.0_f64)?;
        chart
            .configure_mesh()
            .bold_line_style(FAINT)
            .light_line_style(TRANSPARENT)
            .axis_style(INK)
            .label_style(style(14, &INK, HPos::Center))
            .axis_desc_style(style(15, &INK, HPos::Center))
            .x_desc("confidence")
            .y_desc("share that is right")
            .draw()?;
        let diagonal = [(0.0, 0.0), (1.0, 1.0)];
        chart.draw_series(LineSeries::new(diagonal, INK.stroke_width(1)))?;
        let path = self.bins.iter().map(|b| (b.confidence, b.accuracy));
        chart.draw_series(LineSeries::new(path, CLASSES[0].stroke_width(2)))?;
        let spots: Vec<_> = (self.bins.iter())
            .map(|bin| {
                let at = |y: f64| chart.backend_coord(&(bin.confidence, y));
                (
                    bin,
                    at(bin.accuracy),
                    at(bin.interval.low),
                    at(bin.interval.high),
                )
            })
            .collect();
        for (_, _, low, high) in &spots {
            let line = CLASSES[0].stroke_width(2);
            area.draw(&PathElement::new(vec![*low, *high], line))?;
            for end in [low, high] {
                let cap = vec![(end.0 - 5, end.1), (end.0 + 5, end.1)];
                area.draw(&PathElement::new(cap, line))?;
            }
        }
        let (mut last, mut step): (Option<i32>, i32) = (None, 0);
        for (bin, at, low, _) in &spots {
            area.draw(&Circle::new(*at, 7, PAPER.filled()))?;
            area.draw(&Circle::new(*at, 5, CLASSES[0].filled()))?;
            // Numbers of neighbouring bins step down where they would touch.
            let touches = last.is_some_and(|last| at.0 - last < 26);
            step = if touches { step + 15 } else { 0 };
            last = Some(at.0);
            let place = (
                at.0,
                (low.1 + 13 + step).min(chart.backend_coord(&(0.0, 0.0)).1 - 8),
            );
            let said = style(13, &INK, HPos::Center);
            area.draw(&Text::new(bin.rows.to_string(), place, said))?;
        }
        area.present()
    }
}
