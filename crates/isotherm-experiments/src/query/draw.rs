//! Curves side by side, as SVG.

use anyhow::{Result, anyhow};
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};

static FONT: &[u8] = include_bytes!("../../../isotherm-cli/assets/labels.ttf");

/// Okabe and Ito's colours, and grey for the last two.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(213, 94, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(150, 150, 150),
];

/// One picture of several curves.
pub(super) struct Panel {
    pub(super) title: String,
    /// Name, and labels with per cent.
    pub(super) curves: Vec<(String, Vec<(f64, f64)>)>,
}

/// Up to six panels.
pub(super) fn curves(panels: &[Panel]) -> Result<String> {
    register_font("sans-serif", FontStyle::Normal, FONT).map_err(|_| anyhow!("the font"))?;
    let broken = |e: &dyn std::fmt::Display| anyhow!("the picture could not be drawn: {e}");
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, (1200, 800)).into_drawing_area();
        area.fill(&WHITE).map_err(|e| broken(&e))?;
        for (cell, panel) in area.split_evenly((2, 3)).iter().zip(panels) {
            let points = || panel.curves.iter().flat_map(|c| &c.1);
            let low = points().map(|p| p.1).fold(100.0_f64, f64::min) - 1.0;
            let high = points().map(|p| p.1).fold(0.0_f64, f64::max) + 1.0;
            let first = points().map(|p| p.0).fold(f64::MAX, f64::min);
            let last = points().map(|p| p.0).fold(0.0_f64, f64::max);
            if low >= high || first >= last {
                continue;
            }
            let mut chart = ChartBuilder::on(cell)
                .margin(10)
                .caption(&panel.title, ("sans-serif", 18))
                .x_label_area_size(32)
                .y_label_area_size(40)
                // Room for the names beside the curves, not over them.
                .build_cartesian_2d(first..last + 0.5 * (last - first), low..high)
                .map_err(|e| broken(&e))?;
            (chart.configure_mesh())
                .light_line_style(WHITE)
                .x_desc("labels")
                .y_desc("per cent right, all rows")
                .x_label_formatter(&|x| {
                    if *x <= last {
                        format!("{x:.0}")
                    } else {
                        String::new()
                    }
                })
                .y_label_formatter(&|y| format!("{y:.0}"))
                .label_style(("sans-serif", 11))
                .draw()
                .map_err(|e| broken(&e))?;
            for ((name, points), colour) in panel.curves.iter().zip(COLOURS) {
                let style = colour.stroke_width(2);
                (chart.draw_series(LineSeries::new(points.clone(), style)))
                    .map_err(|e| broken(&e))?
                    .label(name)
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], style));
            }
            (chart.configure_series_labels())
                .position(SeriesLabelPosition::MiddleRight)
                .background_style(WHITE.mix(0.8))
                .label_font(("sans-serif", 11))
                .draw()
                .map_err(|e| broken(&e))?;
        }
        area.present().map_err(|e| broken(&e))?;
    }
    Ok(text)
}
