//! One panel a measure: sets across, a dot with its spread for each treatment.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};

static FONT: &[u8] = include_bytes!("../../../isotherm-cli/assets/labels.ttf");

/// Colours that people with any colour vision can tell apart (Okabe and Ito).
const COLOURS: [RGBColor; 4] = [
    RGBColor(213, 94, 0),
    RGBColor(0, 114, 178),
    RGBColor(0, 158, 115),
    RGBColor(120, 120, 120),
];

/// The place of a set, mean, deviation.
pub(super) type Dot = (usize, f64, f64);

/// A panel.
pub(super) struct Panel {
    pub(super) title: String,
    /// Sets, in order.
    pub(super) sets: Vec<String>,
    /// A treatment and its dots.
    pub(super) series: Vec<(String, Vec<Dot>)>,
}

fn broken(e: &dyn std::fmt::Display) -> anyhow::Error {
    anyhow!("the picture could not be drawn: {e}")
}

/// Panels in a row for each line, as SVG.
pub(super) fn panels(path: &Path, lines: &[Vec<Panel>]) -> Result<()> {
    register_font("sans-serif", FontStyle::Normal, FONT).map_err(|_| anyhow!("the font"))?;
    let across = lines.iter().map(Vec::len).max().unwrap_or(1).max(1);
    let mut text = String::new();
    {
        let size = (430 * across as u32, 330 * lines.len().max(1) as u32);
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        area.fill(&WHITE).map_err(|e| broken(&e))?;
        let cells = area.split_evenly((lines.len().max(1), across));
        for (k, line) in lines.iter().enumerate() {
            for (cell, panel) in cells[k * across..].iter().zip(line) {
                draw(cell, panel)?;
            }
        }
        area.present().map_err(|e| broken(&e))?;
    }
    Ok(std::fs::write(path, text)?)
}

fn draw<B: DrawingBackend>(
    area: &DrawingArea<B, plotters::coord::Shift>,
    panel: &Panel,
) -> Result<()> {
    let all = || panel.series.iter().flat_map(|s| s.1.iter());
    let low = all().map(|d| d.1 - d.2).fold(f64::MAX, f64::min);
    let high = all().map(|d| d.1 + d.2).fold(f64::MIN, f64::max);
    let margin = 0.08 * (high - low).max(1e-9);
    let count = panel.sets.len();
    let mut chart = ChartBuilder::on(area)
        .margin(10)
        .caption(&panel.title, ("sans-serif", 15))
        .x_label_area_size(30)
        .y_label_area_size(46)
        // Room for the names beside the dots, not over them.
        .build_cartesian_2d(-0.5..count as f64 + 0.5, low - margin..high + margin)
        .map_err(|e| broken(&e))?;
    let name = |x: &f64| {
        let near = (x - x.round()).abs() < 1e-6;
        match near.then(|| panel.sets.get(x.round() as usize)).flatten() {
            Some(name) => name.clone(),
            None => String::new(),
        }
    };
    (chart.configure_mesh())
        .disable_x_mesh()
        .light_line_style(WHITE)
        .x_labels(2 * count + 3)
        .x_label_formatter(&name)
        .y_label_formatter(&|y| {
            format!("{y:.2}")
                .trim_end_matches('0')
                .trim_end_matches('.')
                .to_owned()
        })
        .label_style(("sans-serif", 12))
        .draw()
        .map_err(|e| broken(&e))?;
    for (k, (name, dots)) in panel.series.iter().enumerate() {
        let colour = COLOURS[k % COLOURS.len()];
        let x = |set: usize| set as f64 + 0.15 * (k as f64 - 1.5);
        let bars = dots.iter().map(|(set, mean, deviation)| {
            PathElement::new(
                [(x(*set), mean - deviation), (x(*set), mean + deviation)],
                colour.stroke_width(2),
            )
        });
        chart.draw_series(bars).map_err(|e| broken(&e))?;
        let dots = dots
            .iter()
            .map(|(set, mean, _)| Circle::new((x(*set), *mean), 4, colour.filled()));
        (chart.draw_series(dots).map_err(|e| broken(&e))?)
            .label(name)
            .legend(move |(x, y)| Circle::new((x + 8, y), 4, colour.filled()));
    }
    (chart.configure_series_labels())
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .label_font(("sans-serif", 11))
        .draw()
        .map_err(|e| broken(&e))
}
