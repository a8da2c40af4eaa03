//! The numbers of one picture.

use super::{histograms, squared};
use crate::error::{Error, Result};

/// Pixels on a side of the square that every picture is stretched to.
const SIDE: usize = 32;

/// Pixels on a side of the grey patch and of the colours.
const GREY: usize = 8;
const COLOUR: usize = 4;

/// What the grey patch and the colours count beside the histograms of gradients.
const GREY_COUNTS: f64 = 2.0;
const COLOUR_COUNTS: f64 = 4.0;

/// A decoded picture.
#[derive(Debug, Clone, Copy)]
pub struct Picture<'a> {
    width: usize,
    height: usize,
    rgb: &'a [u8],
}

impl<'a> Picture<'a> {
    /// Numbers of every picture.
    pub const FEATURES: usize = 36 * 9 + GREY * GREY + 2 * COLOUR * COLOUR;

    /// Which numbers they are: models that were fitted on others are refused.
    pub const VERSION: u32 = 1;

    /// From pixels of red, green and blue, row by row.
    ///
    /// # Errors
    /// [`Error::Refused`] when there is no pixel, [`Error::Shape`] when there are not as many
    /// numbers as the width and the height say.
    pub fn new(width: usize, height: usize, rgb: &'a [u8]) -> Result<Self> {
        if width == 0 || height == 0 {
            return Err(Error::data(
                format!("a picture of {width} × {height} pixels has none"),
                "give a picture of one pixel and more",
            ));
        }
        let expected = width.saturating_mul(height).saturating_mul(3);
        if rgb.len() != expected {
            return Err(Error::Shape {
                what: "numbers of a picture",
                expected,
                got: rgb.len(),
            });
        }
        Ok(Self { width, height, rgb })
    }

    /// What it is compared by: histograms of gradients, a grey patch and the colours of a
    /// smaller one.
    ///
    /// The picture is stretched to 32 × 32 pixels of brightness 0.299 r + 0.587 g + 0.114 b.
    /// Histograms are those of Dalal and Triggs. The patch of 8 × 8 is mean brightness minus ½;
    /// the colours, red and blue minus brightness, are means of 4 × 4. An even grey picture is zero throughout.
    ///
    /// Cost: one pass over the pixels.
    pub fn features(&self) -> Vec<f32> {
        let square = squared(self.rgb, (self.width, self.height), SIDE);
        // Exactly the grey where there is no colour.
        let bright = |[r, g, b]: &[f64; 3]| g + 0.299 * (r - g) + 0.114 * (b - g);
        let grey: Vec<f64> = square.iter().map(bright).collect();
        let mut out = histograms(&grey, SIDE);
        let scale = GREY_COUNTS / GREY as f64;
        out.extend(means(&grey, GREY).map(|v| scale * (v - 0.5)));
        for channel in [0, 2] {
            let colour: Vec<f64> = (square.iter().zip(&grey))
                .map(|(pixel, grey)| pixel[channel] - grey)
                .collect();
            let scale = COLOUR_COUNTS / COLOUR as f64;
            out.extend(means(&colour, COLOUR).map(|v| scale * v));
        }
        out.into_iter().map(|v| v as f32).collect()
    }
}

/// Means of the squares that a square of pixels falls into, so many on a side.
fn means(pixels: &[f64], to: usize) -> impl Iterator<Item = f64> {
    let each = SIDE / to;
    let count = (each * each) as f64;
    (0..to * to).map(move |at| {
        let (row, column) = (at / to * each, at % to * each);
        let line = |y: usize| &pixels[(row + y) * SIDE + column..][..each];
        (0..each).flat_map(line).sum::<f64>() / count
    })
}
