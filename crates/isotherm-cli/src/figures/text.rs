//! Text in pictures: one font, names made short and clean, long sentences in lines.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};

use super::ink::INK;
use super::{Area, Drawn};
use crate::console::steers;
use crate::failure::{Failure, Outcome};
use crate::short_names::middle;

/// A subset of DejaVu Sans that comes with the binary: Latin, Greek, Cyrillic.
static FONT: &[u8] = include_bytes!("../../assets/labels.ttf");

/// The width of a letter, in parts of its size, on average.
const LETTER: f64 = 0.48;

/// Left and right of everything.
pub(super) const MARGIN: i32 = 24;

/// Makes the font known to the drawing library.
pub(super) fn prepare() -> Outcome<()> {
    register_font("sans-serif", FontStyle::Normal, FONT)
        .map_err(|_| Failure::refused("picture", "the built-in font is damaged", "build again"))
}

/// Letters of a drawing that the built-in font does not have.
pub(super) fn lacking(svg: &str) -> Vec<char> {
    super::glyphs::lacking(svg, FONT)
}

/// Text of a size and colour, anchored at a point of its middle line.
pub(super) fn style(size: i32, colour: &RGBColor, at: HPos) -> TextStyle<'static> {
    let place = Pos::new(at, VPos::Center);
    ("sans-serif", size).into_font().color(colour).pos(place)
}

/// A name as a picture can show it: nothing that steers, at most so many letters; a longer one
/// loses its middle.
pub(super) fn short(name: &str, most: usize) -> String {
    clean(&middle(name, most))
}

/// The same without a limit.
pub(super) fn clean(name: &str) -> String {
    let clean = |c: char| match c {
        c if steers(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => '·',
        c => c,
    };
    name.chars().map(clean).collect()
}

/// The width of a text in pixels, about.
pub(super) fn width(text: &str, size: i32) -> i32 {
    (text.chars().count() as f64 * LETTER * f64::from(size)).ceil() as i32
}

/// A number in about four digits.
pub(super) fn number(value: f64) -> String {
    let digits = match value.abs() {
        0.0 => return "0".to_owned(),
        v if !(1e-4..1e6).contains(&v) => return format!("{value:.1e}"),
        v if v >= 1000.0 => 0,
        v if v >= 10.0 => 1,
        v if v >= 1.0 => 2,
        _ => 4,
    };
    let text = format!("{value:.digits$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// A sentence in lines of at most so many pixels; a word is never cut.
pub(super) fn lines(text: &str, size: i32, pixels: i32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(word, size) + size / 2 <= pixels => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// What stands above a picture.
pub(super) struct Head {
    title: Vec<String>,
    notes: Vec<String>,
}

impl Head {
    /// A title and sentences below it, for a picture of this width.
    pub(super) fn new(title: &str, notes: &[String], pixels: i32) -> Self {
        let inner = pixels - 2 * MARGIN;
        Self {
            title: lines(&short(title, 400), 19, inner),
            notes: (notes.iter())
                .flat_map(|note| lines(&short(note, 600), 14, inner))
                .collect(),
        }
    }

    /// How tall it is.
    pub(super) fn height(&self) -> i32 {
        16 + 24 * self.title.len() as i32 + 18 * self.notes.len() as i32 + 8
    }

    /// Draws it at the top.
    pub(super) fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Drawn<B> {
        let mut y = 24;
        for line in &self.title {
            let said = style(19, &INK, HPos::Left);
            area.draw(&Text::new(line.clone(), (MARGIN, y), said))?;
            y += 24;
        }
        for line in &self.notes {
            let said = style(14, &INK, HPos::Left);
            area.draw(&Text::new(line.clone(), (MARGIN, y - 2), said))?;
            y += 18;
        }
        Ok(())
    }
}
