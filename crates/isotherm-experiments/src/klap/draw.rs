//! Pictures: maps of a function over the plane with points on them, and curves.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};

static FONT: &[u8] = include_bytes!("../../../isotherm-cli/assets/labels.ttf");

/// Colours that people with any colour vision can tell apart (Okabe and Ito).
pub(super) const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(213, 94, 0),
    RGBColor(86, 180, 233),
];

const SIDE: u32 = 360;

/// A point, and its colour: +1, −1, or 0 for none.
pub(super) type Dot = (f64, f64, f64);

/// A square map: values row by row from the lower left, and points over it.
pub(super) struct Map {
    pub(super) title: String,
    pub(super) low: (f64, f64),
    pub(super) high: (f64, f64),
    pub(super) side: usize,
    pub(super) values: Vec<f64>,
    pub(super) dots: Vec<Dot>,
    /// Points drawn large.
    pub(super) labelled: Vec<Dot>,
}

impl Map {
    /// Points of the map's raster, row by row from the lower left.
    pub(super) fn raster(low: (f64, f64), high: (f64, f64), side: usize) -> Vec<(f64, f64)> {
        let at =
            |k: usize, low: f64, high: f64| low + (high - low) * (k as f64 + 0.5) / side as f64;
        (0..side * side)
            .map(|k| (at(k % side, low.0, high.0), at(k / side, low.1, high.1)))
            .collect()
    }
}

fn broken(e: &dyn std::fmt::Display) -> anyhow::Error {
    anyhow!("the picture could not be drawn: {e}")
}

fn fonts() -> Result<()> {
    register_font("sans-serif", FontStyle::Normal, FONT).map_err(|_| anyhow!("the font"))
}

/// Blue below zero, white at zero, orange above.
fn colour(value: f64) -> RGBColor {
    let v = value.clamp(-1.0, 1.0);
    let end = if v < 0.0 { COLOURS[0] } else { COLOURS[4] };
    let mix = |to: u8| (255.0 + (f64::from(to) - 255.0) * v.abs() * 0.85).round() as u8;
    RGBColor(mix(end.0), mix(end.1), mix(end.2))
}

fn ink(sign: f64) -> RGBColor {
    match sign {
        s if s > 0.0 => RGBColor(160, 60, 0),
        s if s < 0.0 => RGBColor(0, 60, 130),
        _ => RGBColor(40, 40, 40),
    }
}

/// Maps side by side, as PNG; each is scaled by its own largest value.
pub(super) fn maps(path: &Path, maps: &[Map]) -> Result<()> {
    fonts()?;
    let size = (SIDE * maps.len() as u32, SIDE + 30);
    let area = BitMapBackend::new(path, size).into_drawing_area();
    area.fill(&WHITE).map_err(|e| broken(&e))?;
    for (cell, map) in area.split_evenly((1, maps.len())).iter().zip(maps) {
        let mut chart = ChartBuilder::on(cell)
            .margin(8)
            .caption(&map.title, ("sans-serif", 15))
            .build_cartesian_2d(map.low.0..map.high.0, map.low.1..map.high.1)
            .map_err(|e| broken(&e))?;
        let largest = map.values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let step = (
            (map.high.0 - map.low.0) / map.side as f64,
            (map.high.1 - map.low.1) / map.side as f64,
        );
        let tiles = map.values.iter().enumerate().map(|(k, v)| {
            let x = map.low.0 + step.0 * (k % map.side) as f64;
            let y = map.low.1 + step.1 * (k / map.side) as f64;
            let shade = colour(v / largest.max(f64::MIN_POSITIVE));
            Rectangle::new([(x, y), (x + step.0, y + step.1)], shade.filled())
        });
        chart.draw_series(tiles).map_err(|e| broken(&e))?;
        let dots = (map.dots.iter()).map(|(x, y, s)| Circle::new((*x, *y), 1, ink(*s).filled()));
        chart.draw_series(dots).map_err(|e| broken(&e))?;
        for (radius, white) in [(6, true), (4, false)] {
            let dots = map.labelled.iter().map(|(x, y, s)| {
                let shade = if white { WHITE } else { ink(*s) };
                Circle::new((*x, *y), radius, shade.filled())
            });
            chart.draw_series(dots).map_err(|e| broken(&e))?;
        }
    }
    area.present().map_err(|e| broken(&e))
}

/// A line with its spread.
pub(super) struct Curve {
    pub(super) name: String,
    /// Place, mean, deviation.
    pub(super) points: Vec<(f64, f64, f64)>,
}

/// Axes of a plot of curves.
pub(super) struct Axes<'a> {
    pub(super) title: &'a str,
    pub(super) across: &'a str,
    pub(super) up: &'a str,
    pub(super) logarithmic: bool,
}

/// Plots of curves side by side, the axis across logarithmic, as SVG.
pub(super) fn curves(path: &Path, plots: &[(Axes<'_>, Vec<Curve>)]) -> Result<()> {
    fonts()?;
    let mut text = String::new();
    {
        let size = (560 * plots.len() as u32, 420);
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        area.fill(&WHITE).map_err(|e| broken(&e))?;
        for (cell, (axes, curves)) in area.split_evenly((1, plots.len())).iter().zip(plots) {
            plot(cell, axes, curves)?;
        }
        area.present().map_err(|e| broken(&e))?;
    }
    Ok(std::fs::write(path, text)?)
}

fn plot<B: DrawingBackend>(
    area: &DrawingArea<B, plotters::coord::Shift>,
    axes: &Axes<'_>,
    curves: &[Curve],
) -> Result<()> {
    let shown = |v: f64| {
        if axes.logarithmic {
            v.max(1e-9).log10()
        } else {
            v
        }
    };
    let all = || curves.iter().flat_map(|c| c.points.iter());
    let low = all().map(|p| p.0.log10()).fold(f64::MAX, f64::min);
    let high = all().map(|p| p.0.log10()).fold(f64::MIN, f64::max);
    let bottom = if axes.logarithmic {
        all().map(|p| shown(p.1)).fold(f64::MAX, f64::min) - 0.2
    } else {
        0.0
    };
    let top = all().map(|p| shown(p.1 + p.2)).fold(f64::MIN, f64::max);
    let top = top + 0.05 * (top - bottom).abs();
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .caption(axes.title, ("sans-serif", 17))
        .x_label_area_size(40)
        .y_label_area_size(52)
        .build_cartesian_2d(low..high, bottom..top)
        .map_err(|e| broken(&e))?;
    (chart.configure_mesh())
        .light_line_style(WHITE)
        .x_desc(axes.across)
        .y_desc(axes.up)
        .x_label_formatter(&|x| format!("{:.0}", 10.0_f64.powf(*x)))
        .y_label_formatter(&|y| {
            if axes.logarithmic {
                format!("{:.0e}", 10.0_f64.powf(*y))
            } else {
                format!("{y:.1}")
            }
        })
        .label_style(("sans-serif", 12))
        .draw()
        .map_err(|e| broken(&e))?;
    for (curve, colour) in curves.iter().zip(COLOURS) {
        let line = curve.points.iter().map(|p| (p.0.log10(), shown(p.1)));
        (chart.draw_series(LineSeries::new(line, colour.stroke_width(2))))
            .map_err(|e| broken(&e))?
            .label(&curve.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
        let bars = curve.points.iter().filter(|p| p.2 > 0.0).map(|p| {
            let at = p.0.log10();
            PathElement::new(
                [(at, shown(p.1 - p.2).max(bottom)), (at, shown(p.1 + p.2))],
                colour,
            )
        });
        chart.draw_series(bars).map_err(|e| broken(&e))?;
        let dots = curve.points.iter().map(|p| (p.0.log10(), shown(p.1)));
        let dots = dots.map(|p| Circle::new(p, 3, colour.filled()));
        chart.draw_series(dots).map_err(|e| broken(&e))?;
    }
    (chart.configure_series_labels())
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .label_font(("sans-serif", 12))
        .draw()
        .map_err(|e| broken(&e))
}
