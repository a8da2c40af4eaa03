//! The colours of all pictures, in one place.
//!
//! A page that shows pictures recolours them for dark mode by the attributes that hold
//! these values (`[fill="#282828"]`), so a picture uses no others, and what is lighter is
//! the same colour with less opacity.
//!
//! | name | value | what it is | in dark mode |
//! |---|---|---|---|
//! | [`INK`] | `#282828` | text, axes, rings | light |
//! | [`PAPER`] | `#FFFFFF` | the ground, and outlines that keep marks apart | dark |
//! | [`PALE`] | `#BEBEBE` | what is not known: rows without an answer | as it is |
//! | [`FAINT`] | `#E6E6E6` | lines behind the data | dark grey |
//! | [`SHADE`] | `#00487A` | cells: the darker, the more | lighter blue |
//! | [`ON_SHADE`] | `#FEFEFE` | text on dark cells | as it is |
//! | [`CLASSES`] | seven | Okabe and Ito's colours | as they are |

use plotters::style::RGBColor;

/// Text, axes, rings.
pub(crate) const INK: RGBColor = RGBColor(40, 40, 40);
/// The ground.
pub(crate) const PAPER: RGBColor = RGBColor(255, 255, 255);
/// What is not known.
pub(crate) const PALE: RGBColor = RGBColor(190, 190, 190);
/// Lines behind the data.
pub(crate) const FAINT: RGBColor = RGBColor(230, 230, 230);
/// Cells, more or less opaque.
pub(crate) const SHADE: RGBColor = RGBColor(0, 72, 122);
/// Text on cells that are dark.
pub(crate) const ON_SHADE: RGBColor = RGBColor(254, 254, 254);

/// Colours that people with any colour vision can tell apart (Okabe and Ito), the
/// strongest contrasts first.
pub(crate) const CLASSES: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(213, 94, 0),
    RGBColor(86, 180, 233),
    RGBColor(204, 121, 167),
    RGBColor(240, 228, 66),
];

/// The colour of a class; its shape tells it from others of the same colour.
pub(crate) fn of_class(class: u32) -> RGBColor {
    CLASSES[class as usize % CLASSES.len()]
}

/// What is above zero, and what is below.
pub(crate) const SIGNS: [RGBColor; 2] = [CLASSES[3], CLASSES[0]];

/// How opaque a cell is: darker is more, and nothing is not quite nothing.
pub(crate) fn opacity(share: f64) -> f64 {
    0.06 + 0.94 * share.clamp(0.0, 1.0)
}

/// The colour of text on a cell.
pub(crate) fn text_on(share: f64) -> &'static RGBColor {
    if share > 0.5 { &ON_SHADE } else { &INK }
}
