//! The learning curve: how good it would be with fewer labels, and without unlabelled rows.

use isotherm::study::LearningCurve;
use isotherm::study::learning_curve::{Band, CurvePoint};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::ink::{CLASSES, FAINT, INK, PAPER};
use super::marker;
use super::text::{self, Head, MARGIN, style};
use super::{Area, Drawn, Picture};

const WIDTH: i32 = 860;
const HEIGHT: i32 = 470;

/// Room for the names of the curves, above them.
const KEYS: i32 = 28;

/// Which numbers of a point a curve shows.
type Shown = fn(&CurvePoint) -> Band;

/// The two curves: which numbers, and the class whose mark they have.
const CURVES: [(Shown, u32); 2] = [(|p| p.baseline, 1), (|p| p.method, 0)];

/// Sentences above the curves.
fn head(curve: &LearningCurve) -> Head {
    let mut notes = vec![format!(
        "fits to random parts of the labels, judged on {} held out; means and the middle {:.0} % \
         of {} repeats",
        curve.held_out,
        100.0 * curve.level,
        curve.repeats
    )];
    if curve.used < curve.labels {
        notes.push(format!("{} labels drawn at random took part", curve.used));
    }
    if let Some(last) = curve.points.last() {
        notes.push(format!(
            "with {} labels: {} against {} by {}",
            last.labels,
            number(curve, last.method.mean),
            number(curve, last.baseline.mean),
            curve.baseline_name
        ));
    }
    Head::new(&curve.title(), &notes, WIDTH)
}

fn number(curve: &LearningCurve, value: f64) -> String {
    if curve.higher_is_better {
        format!("{:.1} %", 100.0 * value)
    } else {
        text::number(value)
    }
}

/// From where to where the measure goes.
fn range(curve: &LearningCurve) -> (f64, f64) {
    let ends = (curve.points.iter()).flat_map(|p| [p.method, p.baseline]);
    let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), b| {
        (l.min(b.low.min(b.mean)), h.max(b.high.max(b.mean)))
    });
    if curve.higher_is_better {
        ((low - 0.05).clamp(0.0, 0.9), 1.0)
    } else {
        (0.0, if high > 0.0 { 1.1 * high } else { 1.0 })
    }
}

impl Picture for LearningCurve {
    fn size(&self) -> (u32, u32) {
        (WIDTH as u32, (head(self).height() + KEYS + HEIGHT) as u32)
    }

    fn title(&self) -> String {
        format!("learning curve: {} on {} labels", self.measure, self.labels)
    }

    fn describe(&self) -> String {
        let mut said = vec![format!("Beside it: {}.", self.baseline_name)];
        for p in &self.points {
            said.push(format!(
                "{} labels: {} against {}.",
                p.labels,
                number(self, p.method.mean),
                number(self, p.baseline.mean)
            ));
        }
        said.join(" ")
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Drawn<B> {
        area.fill(&PAPER)?;
        let head = head(self);
        head.draw(area)?;
        let (_, below) = area.split_vertically(head.height() + KEYS);
        let (low, high) = range(self);
        let first = self.points.first().map_or(1, |p| p.labels) as f64;
        let last = self.points.last().map_or(2, |p| p.labels) as f64;
        let across = (first * 0.93)..(last * 1.07);
        let mut chart = ChartBuilder::on(&below)
            .margin_left(MARGIN / 2)
            .margin_right(MARGIN)
            .margin_top(8)
            .margin_bottom(10)
            .x_label_area_size(42)
            .y_label_area_size(76)
            .build_cartesian_2d(across.log_scale(), low..high)?;
        let measure = self.measure;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .bold_line_style(FAINT)
            .light_line_style(TRANSPARENT)
            .axis_style(INK)
            .label_style(style(14, &INK, HPos::Center))
            .axis_desc_style(style(15, &INK, HPos::Center))
            .x_label_formatter(&|_| String::new())
            .x_desc("labels trained on")
            .y_desc(measure)
            .y_label_formatter(&|y| {
                if self.higher_is_better {
                    format!("{:.0} %", 100.0 * y)
                } else {
                    text::number(*y)
                }
            })
            .draw()?;
        // The sizes that were tried are the ticks.
        let mut free = i32::MIN;
        for p in &self.points {
            let (x, y) = chart.backend_coord(&(p.labels as f64, low));
            area.draw(&PathElement::new(
                vec![(x, y), (x, y + 5)],
                INK.stroke_width(1),
            ))?;
            if x >= free {
                let said = style(14, &INK, HPos::Center);
                area.draw(&Text::new(p.labels.to_string(), (x, y + 14), said))?;
                free = x + 30;
            }
        }
        for (of, class) in CURVES {
            let at = |p: &CurvePoint, v: f64| chart.backend_coord(&(p.labels as f64, v));
            let upper = self.points.iter().map(|p| at(p, of(p).high));
            let lower = self.points.iter().rev().map(|p| at(p, of(p).low));
            let colour = CLASSES[class as usize];
            let band: Vec<(i32, i32)> = upper.chain(lower).collect();
            area.draw(&Polygon::new(band, colour.mix(0.18).filled()))?;
        }
        for (of, class) in CURVES {
            let at = |p: &CurvePoint| chart.backend_coord(&(p.labels as f64, of(p).mean));
            let path: Vec<(i32, i32)> = self.points.iter().map(at).collect();
            let colour = CLASSES[class as usize];
            area.draw(&PathElement::new(path.clone(), colour.stroke_width(2)))?;
            for place in path {
                marker::draw(area, place, class, 5, colour.filled())?;
            }
        }
        let names = [(0_u32, "with the unlabelled rows"), (1, self.baseline_name)];
        // Above the curves, wherever they go.
        let mut x = MARGIN + 76;
        for (class, name) in names {
            let at = (x, head.height() + KEYS / 2);
            marker::draw(area, at, class, 5, CLASSES[class as usize].filled())?;
            let said = style(15, &INK, HPos::Left);
            area.draw(&Text::new(name, (at.0 + 14, at.1), said))?;
            x += 14 + text::width(name, 15) + 44;
        }
        area.present()
    }
}
