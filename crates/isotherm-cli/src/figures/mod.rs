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
//! | `heat.rs` | what every cell of a grid scored; `grid.rs` the same as text |
//! | `balance.rs` | classes among labels and predictions |
//! | `circles.rs` | the demo's |
//!
//! `glyphs.rs` knows which letters a PNG can show.

pub(crate) mod balance;
pub(crate) mod circles;
pub(crate) mod confusion;
pub(crate) mod decision;
pub(crate) mod eigenfunctions;
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

use std::path::Path;

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

    /// The picture as the bytes of a PNG file that is to be written to `path`.
    fn png(&self, path: &Path) -> Outcome<Vec<u8>> {
        text::prepare()?;
        // The bitmap writer wants a file of its own, which ends in .png.
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let draft = path.with_file_name(format!(".{name}.draft.png"));
        let area = BitMapBackend::new(&draft, self.size()).into_drawing_area();
        let drawn = self.draw(&area).map_err(|e| broken(&e));
        drop(area);
        let bytes = drawn.and_then(|()| {
            let bytes = std::fs::read(&draft);
            bytes.map_err(|e| Failure::from(isotherm_io::Error::io(&draft, "read", e)))
        });
        let _ = std::fs::remove_file(&draft);
        bytes
    }
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
        "check that the directory can be written",
    )
}
