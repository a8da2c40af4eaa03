//! Eigenvalues, and what the method makes of them.

use isotherm::study::SpectrumCurve;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::ink::{CLASSES, FAINT, INK, PAPER};
use super::text::{Head, MARGIN, style};
use super::{Area, Drawn, Picture};

const WIDTH: i32 = 980;
const HEIGHT: i32 = 460;

/// Decades below the largest number that are drawn at most.
const DECADES: f64 = 8.0;

/// A spectrum, to be drawn; `said` names the transform or filter.
pub(crate) struct Spectrum<'a> {
    pub(crate) curve: &'a SpectrumCurve,
    pub(crate) said: String,
}

impl Spectrum<'_> {
    fn head(&self) -> Head {
        let kept = match self.curve.kept {
            Some(kept) => format!(
                "{} is below 1 % of its largest from mode {} on: {kept} modes matter",
                self.curve.function,
                kept + 1
            ),
            None => format!(
                "{} is above 1 % of its largest in all {} modes shown",
                self.curve.function,
                self.curve.eigenvalues.len()
            ),
        };
        Head::new(&self.title(), &[self.said.clone(), kept], WIDTH)
    }

    /// The least and the largest number to be drawn.
    fn range(&self) -> (f64, f64) {
        let all = self.curve.eigenvalues.iter().chain(&self.curve.gains);
        let positive = all.copied().filter(|v| *v > 0.0);
        let (low, high) = positive.fold((f64::INFINITY, 0.0_f64), |(l, h), v| (l.min(v), h.max(v)));
        if high > 0.0 {
            let low = low.max(high * 10_f64.powf(-DECADES));
            // At least a decade, so that there is an axis.
            (low.min(0.2 * high) * 0.8, high * 1.25)
        } else {
            (0.1, 1.0)
        }
    }
}

impl Picture for Spectrum<'_> {
    fn size(&self) -> (u32, u32) {
        (WIDTH as u32, (self.head().height() + HEIGHT) as u32)
    }

    fn title(&self) -> String {
        format!(
            "the {} leading eigenvalues of {} samples",
            self.curve.eigenvalues.len(),
            self.curve.samples
        )
    }

    fn describe(&self) -> String {
        let few: Vec<String> = (self.curve.eigenvalues.iter().take(12))
            .map(|v| format!("{v:.3e}"))
            .collect();
        format!(
            "{}. The first eigenvalues: {}. Modes that matter: {}.",
            self.said,
            few.join(", "),
            self.curve.kept.map_or("all".to_owned(), |k| k.to_string())
        )
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Drawn<B> {
        area.fill(&PAPER)?;
        let head = self.head();
        head.draw(area)?;
        let (_, below) = area.split_vertically(head.height());
        let (low, high) = self.range();
        let n = self.curve.eigenvalues.len();
        let mut chart = ChartBuilder::on(&below)
            .margin_left(MARGIN / 2)
            .margin_right(MARGIN)
            .margin_bottom(10)
            .x_label_area_size(42)
            .y_label_area_size(72)
            .build_cartesian_2d(0.5..n as f64 + 0.5, (low..high).log_scale())?;
        chart
            .configure_mesh()
            .bold_line_style(FAINT)
            .light_line_style(TRANSPARENT)
            .axis_style(INK)
            .label_style(style(14, &INK, HPos::Center))
            .axis_desc_style(style(15, &INK, HPos::Center))
            .x_desc("mode, the smoothest first")
            .y_desc(format!("λ, and {} over its largest", self.curve.function))
            .x_labels(12)
            .x_label_formatter(&|x| format!("{x:.0}"))
            .y_labels(30)
            .y_label_formatter(&|y| tick(*y))
            .draw()?;
        if let Some(kept) = self.curve.kept {
            let x = kept as f64 + 0.5;
            let (at, top) = (
                chart.backend_coord(&(x, low)),
                chart.backend_coord(&(x, high)),
            );
            let mut y = top.1;
            while y < at.1 {
                let end = (y + 6).min(at.1);
                let line = vec![(at.0, y), (at.0, end)];
                area.draw(&PathElement::new(line, INK.stroke_width(1)))?;
                y += 11;
            }
        }
        let gains = self.curve.gains.iter().enumerate();
        let seen: Vec<(f64, f64)> = gains
            .filter(|(_, g)| **g >= low)
            .map(|(i, g)| ((i + 1) as f64, *g))
            .collect();
        let line = CLASSES[1].stroke_width(2);
        chart.draw_series(LineSeries::new(seen.iter().copied(), line))?;
        for p in &seen {
            let (x, y) = chart.backend_coord(p);
            let corners = [(x - 3, y - 3), (x + 3, y + 3)];
            area.draw(&Rectangle::new(corners, CLASSES[1].filled()))?;
        }
        for (i, value) in self.curve.eigenvalues.iter().enumerate() {
            if *value >= low {
                let at = chart.backend_coord(&((i + 1) as f64, *value));
                area.draw(&Circle::new(at, 4, CLASSES[0].filled()))?;
            }
        }
        let keys = [("λ", 0), (self.curve.function, 1)];
        for (k, (text, colour)) in keys.into_iter().enumerate() {
            let at = (112, head.height() + HEIGHT - 104 + 22 * k as i32);
            match colour {
                0 => area.draw(&Circle::new(at, 4, CLASSES[0].filled()))?,
                _ => {
                    let corners = [(at.0 - 3, at.1 - 3), (at.0 + 3, at.1 + 3)];
                    area.draw(&Rectangle::new(corners, CLASSES[1].filled()))?;
                }
            }
            let said = style(15, &INK, HPos::Left);
            area.draw(&Text::new(text, (at.0 + 12, at.1), said))?;
        }
        area.present()
    }
}

/// 1, 2 and 5 of every decade are named.
fn tick(value: f64) -> String {
    let exponent = value.log10().floor();
    let digit = value / 10_f64.powf(exponent);
    let named = [1.0, 2.0, 5.0, 10.0]
        .iter()
        .any(|d| (digit - d).abs() < 0.05);
    match (named, exponent >= -3.0) {
        (false, _) => String::new(),
        (true, true) => format!("{value:.3}")
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned(),
        (true, false) => format!("{value:.0e}"),
    }
}
