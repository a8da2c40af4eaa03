//! The reliability diagram: what was said beside what came true.

use isotherm::study::reliability::joined;
use isotherm::trust::Reliability;
use isotherm::trust::reliability::Bin;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::ink::{CLASSES, FAINT, INK, PAPER};
use super::text::{Head, MARGIN, style};
use super::{Area, Drawn, Picture};

const WIDTH: i32 = 660;
const HEIGHT: i32 = 560;

/// Marks that stand beside each other without touching.
const ACROSS: f64 = 16.0;

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
             numbers are labels; the line is where what is said comes true{}",
            100.0 * found.confidence,
            100.0 * found.accuracy,
            if drawn(found).0.len() < found.bins.len() {
                "; groups that would lie on each other are joined"
            } else {
                ""
            }
        ),
    ];
    Head::new(&found.title(), &notes, WIDTH)
}

/// The bins that are drawn, and where the axes begin: fitted to the data, for good models say
/// nothing below nine in ten.
fn drawn(found: &Reliability) -> (Vec<Bin>, f64, f64) {
    let below = |v: f64| ((v * 20.0).floor() / 20.0 - 0.05).clamp(0.0, 0.9);
    let least = |of: fn(&Bin) -> f64| found.bins.iter().map(of).fold(1.0_f64, f64::min);
    let left = below(least(|b| b.confidence));
    let bottom = below(least(|b| b.interval.low).min(left));
    let bins = joined(found, (1.0 - left) / ACROSS).unwrap_or_else(|_| found.bins.clone());
    (bins, left, bottom)
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
        let (bins, left, bottom) = drawn(self);
        let mut chart = ChartBuilder::on(&below)
            .margin_left(MARGIN / 2)
            .margin_right(MARGIN)
            .margin_top(8)
            .margin_bottom(10)
            .x_label_area_size(42)
            .y_label_area_size(64)
            .build_cartesian_2d(
                left..1.0 + 0.02 * (1.0 - left),
                bottom..1.0 + 0.02 * (1.0 - bottom),
            )?;
        chart
            .configure_mesh()
            .bold_line_style(FAINT)
            .light_line_style(TRANSPARENT)
            .axis_style(INK)
            .label_style(style(14, &INK, HPos::Center))
            .axis_desc_style(style(15, &INK, HPos::Center))
            .x_desc("confidence")
            .y_desc("share that is right")
            .x_label_formatter(&|x| format!("{:.0} %", 100.0 * x))
            .y_label_formatter(&|y| format!("{:.0} %", 100.0 * y))
            .draw()?;
        let from = left.max(bottom);
        let diagonal = [(from, from), (1.0, 1.0)];
        chart.draw_series(LineSeries::new(diagonal, INK.stroke_width(1)))?;
        let path = bins.iter().map(|b| (b.confidence, b.accuracy));
        chart.draw_series(LineSeries::new(path, CLASSES[0].stroke_width(2)))?;
        let spots: Vec<_> = (bins.iter())
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
        let floor = chart.backend_coord(&(left, bottom)).1 - 9;
        for (bin, at, low, _) in &spots {
            area.draw(&Circle::new(*at, 7, PAPER.filled()))?;
            area.draw(&Circle::new(*at, 5, CLASSES[0].filled()))?;
            let place = (at.0, (low.1 + 13).min(floor));
            let text = bin.rows.to_string();
            // On paper of its own, so that no line goes through it.
            let half = super::text::width(&text, 13) / 2 + 3;
            let corners = [(at.0 - half, place.1 - 7), (at.0 + half, place.1 + 7)];
            area.draw(&Rectangle::new(corners, PAPER.filled()))?;
            area.draw(&Text::new(text, place, style(13, &INK, HPos::Center)))?;
        }
        area.present()
    }
}
