//! Where a plane's coordinates go on the page.

use isotherm::recipe::Plane;
use plotters::prelude::*;

use super::ink::INK;
use super::{Area, Drawn};

/// The part of the samples that a frame is fitted to; the others stand at its edge.
const WITHIN: f64 = 0.995;

/// Where a plane's coordinates go on the page: half by their value and half by their rank,
/// since smooth functions crowd most samples into a few places.
pub(super) struct Frame {
    left: i32,
    top: i32,
    width: i32,
    height: i32,
    across: Scale,
    up: Scale,
}

/// What a picture says of such places.
pub(super) const STRETCHED: &str = "crowded parts are stretched; along each axis the order is kept";

/// One coordinate.
struct Scale {
    range: (f64, f64),
    /// All its values, ascending.
    sorted: Vec<f64>,
}

impl Scale {
    fn new(plane: &Plane, axis: usize) -> Self {
        let mut sorted: Vec<f64> = plane.positions.iter().map(|p| p[axis]).collect();
        sorted.sort_by(f64::total_cmp);
        Self {
            range: range(plane, axis),
            sorted,
        }
    }

    /// From 0 to 1.
    fn share(&self, v: f64) -> f64 {
        let (low, high) = self.range;
        let straight = ((v - low) / (high - low)).clamp(0.0, 1.0);
        let below = self.sorted.partition_point(|w| *w < v);
        let upto = self.sorted.partition_point(|w| *w <= v);
        let rank = (below + upto) as f64 / (2 * self.sorted.len()).max(1) as f64;
        0.5 * (straight + rank)
    }
}

impl Frame {
    /// A rectangle of the page for the samples of a plane.
    pub(super) fn new(plane: &Plane, (left, top): (i32, i32), (width, height): (i32, i32)) -> Self {
        Self {
            left,
            top,
            width,
            height,
            across: Scale::new(plane, 0),
            up: Scale::new(plane, 1),
        }
    }

    /// A place; what lies beyond the frame stands at its edge.
    pub(super) fn at(&self, [x, y]: [f64; 2]) -> (i32, i32) {
        let inner = |size: i32| f64::from(size - 16);
        (
            self.left + 8 + (self.across.share(x) * inner(self.width)).round() as i32,
            self.top + self.height - 8 - (self.up.share(y) * inner(self.height)).round() as i32,
        )
    }

    pub(super) fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Drawn<B> {
        let corners = [
            (self.left, self.top),
            (self.left + self.width, self.top + self.height),
        ];
        area.draw(&Rectangle::new(corners, INK.stroke_width(1)))
    }
}

/// From where to where a coordinate goes, but for a few samples far out.
fn range(plane: &Plane, axis: usize) -> (f64, f64) {
    let mut values: Vec<f64> = (plane.positions.iter().zip(&plane.aside))
        .filter(|(_, aside)| !**aside)
        .map(|(p, _)| p[axis])
        .collect();
    values.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let last = values.len().saturating_sub(1);
        values.get((share * last as f64).round() as usize).copied()
    };
    let tail = (1.0 - WITHIN) / 2.0;
    let (mut low, mut high) = (at(tail).unwrap_or(-1.0), at(1.0 - tail).unwrap_or(1.0));
    // Samples placed aside are always shown.
    for (p, _) in plane
        .positions
        .iter()
        .zip(&plane.aside)
        .filter(|(_, a)| **a)
    {
        low = low.min(p[axis]);
        high = high.max(p[axis]);
    }
    match high > low {
        true => (low, high),
        false => (low - 1.0, high + 1.0),
    }
}
