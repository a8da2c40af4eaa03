//! Where a plane's coordinates go on the page.

use isotherm::view::Plane;
use plotters::prelude::*;

use super::ink::INK;
use super::{Area, Drawn};

/// A rectangle of the page with the samples of a plane in it.
pub(super) struct Frame {
    left: i32,
    top: i32,
    width: i32,
    height: i32,
    /// From 0 to 1, one a sample.
    shares: Vec<[f64; 2]>,
}

/// What a picture says of such places.
pub(super) const STRETCHED: &str = "crowded parts are stretched; along each axis the order is kept";

impl Frame {
    /// A rectangle of the page for the samples of a plane.
    pub(super) fn new(plane: &Plane, (left, top): (i32, i32), (width, height): (i32, i32)) -> Self {
        Self {
            left,
            top,
            width,
            height,
            shares: plane.stretched(),
        }
    }

    /// The places of all samples; what lies beyond the frame stands at its edge.
    pub(super) fn places(&self) -> Vec<(i32, i32)> {
        let inner = |size: i32| f64::from(size - 16);
        let place = |[x, y]: &[f64; 2]| {
            (
                self.left + 8 + (x * inner(self.width)).round() as i32,
                self.top + self.height - 8 - (y * inner(self.height)).round() as i32,
            )
        };
        self.shares.iter().map(place).collect()
    }

    pub(super) fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Drawn<B> {
        let corners = [
            (self.left, self.top),
            (self.left + self.width, self.top + self.height),
        ];
        area.draw(&Rectangle::new(corners, INK.stroke_width(1)))
    }
}
