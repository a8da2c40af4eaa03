//! Pictures: the same drawing as SVG and as PNG.
//!
//! One picture, one file; what a picture shows comes from the library whole, and nothing is
//! computed here but where it goes on the page. [`ink`] has all colours.
//!
//! | file | picture |
//! |---|---|
//! | `map.rs` | samples in the plane: class, confidence, labels, what is not reached |
//! | `eigenfunctions.rs` | the smoothest functions, over the same plane |
//! | `spectrum.rs` | eigenvalues, and what the method makes of them |
//! | `decision.rs` | what would be said everywhere in the plane of two columns |
//! | `confusion.rs` | which classes are mixed up; also as lines of text |
//! | `reliability.rs` | whether 0.9 means nine in ten |
//! | `learning.rs` | how good it would be with fewer labels |
//! | `heat.rs` | what every cell of a grid scored; `grid.rs`, `filters.rs` the same as text |
//! | `balance.rs` | classes among labels and predictions |
//! | `circles.rs` | the demo's |
//!
//! `glyphs.rs` knows which letters a PNG can show.

pub(crate) mod balance;
pub(crate) mod circles;
pub(crate) mod confusion;
pub(crate) mod decision;
pub(crate) mod eigenfunctions;
pub(crate) mod filters;
mod frame;
mod glyphs;
pub(crate) mod grid;
pub(crate) mod heat;
pub(crate) mod ink;
pub(crate) mod learning;
pub(crate) mod map;
mod marker;
pub(crate) mod reliability;
pub(crate) mod spectrum;
mod text;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::failure::{Failure, Outcome};

/// Something that can be drawn on any backend.
pub(crate) trait Picture {
    /// Width and height in pixels.
    fn size(&self) -> (u32, u32);

    /// What it is, in a few words and with its n.
    fn title(&self) -> String;

    /// The same in sentences, with the numbers that matter, for who cannot see it.
    fn describe(&self) -> String;

    /// Draws the whole of it.
    fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Drawn<B>;

    /// The picture as SVG text, with its title and description.
    fn svg(&self) -> Outcome<String> {
        text::prepare()?;
        let mut drawn = String::new();
        let area = SVGBackend::with_string(&mut drawn, self.size()).into_drawing_area();
        self.draw(&area).map_err(|e| broken(&e))?;
        drop(area);
        Ok(told(&drawn, &self.title(), &self.describe()))
    }

    /// Letters of it that a PNG shows as boxes.
    fn lacking(&self) -> Outcome<Vec<char>> {
        Ok(text::lacking(&self.svg()?))
    }

    /// The picture as the bytes of a PNG file.
    fn png(&self) -> Outcome<Vec<u8>> {
        text::prepare()?;
        let (width, height) = self.size();
        let mut pixels = vec![0; 3 * width as usize * height as usize];
        let area = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
        self.draw(&area).map_err(|e| broken(&e))?;
        drop(area);
        encoded(&pixels, (width, height)).map_err(|e| broken(&e))
    }
}

/// Rows of red, green and blue as a PNG file.
fn encoded(pixels: &[u8], (width, height): (u32, u32)) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Default);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}

/// Where a picture is drawn.
pub(crate) type Area<B> = DrawingArea<B, Shift>;

/// What comes of drawing.
pub(crate) type Drawn<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

/// The drawing with what it is, for readers of screens.
fn told(drawn: &str, title: &str, describe: &str) -> String {
    let Some((open, rest)) = drawn.split_once(">\n") else {
        return drawn.to_owned();
    };
    let (title, describe) = (escaped(title), escaped(describe));
    format!("{open} role=\"img\">\n<title>{title}</title>\n<desc>{describe}</desc>\n{rest}")
}

/// Text as XML may hold it.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text::short(text, 4000).chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            c => out.push(c),
        }
    }
    out
}

fn broken(error: &dyn std::fmt::Display) -> Failure {
    Failure::refused(
        "picture",
        format!("the picture could not be drawn: {error}"),
        "try the other format, .svg or .png, and report this as a bug",
    )
}
