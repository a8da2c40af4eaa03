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
//! | [`RAMP`] | ten | numbers, ever lighter (viridis) | as they are |
//!
//! Marks of light colours have a thin edge of [`INK`], so that they stand out from any ground.

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

/// Colours of numbers, the lighter the larger: viridis in ten steps. Lightness alone tells their
/// order, on paper without colour too.
pub(crate) const RAMP: [RGBColor; 10] = [
    RGBColor(68, 1, 84),
    RGBColor(72, 40, 120),
    RGBColor(62, 73, 137),
    RGBColor(49, 104, 142),
    RGBColor(38, 130, 142),
    RGBColor(31, 158, 137),
    RGBColor(53, 183, 121),
    RGBColor(110, 206, 88),
    RGBColor(181, 222, 43),
    RGBColor(253, 231, 37),
];

/// How opaque the edge of a mark is: three to one against either ground, see the test.
pub(crate) const EDGE: f64 = 0.55;

/// The colour of a number that lies so far between two ends.
pub(crate) fn of_share(share: f64) -> RGBColor {
    let last = RAMP.len() - 1;
    RAMP[((share.clamp(0.0, 1.0) * last as f64).round() as usize).min(last)]
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn linear(v: f64) -> f64 {
        match v / 255.0 {
            s if s <= 0.040_45 => s / 12.92,
            s => ((s + 0.055) / 1.055).powf(2.4),
        }
    }

    /// WCAG's relative luminance.
    fn luminance(c: [f64; 3]) -> f64 {
        0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2])
    }

    fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    fn of(c: RGBColor) -> [f64; 3] {
        [c.0, c.1, c.2].map(f64::from)
    }

    fn over(top: [f64; 3], ground: [f64; 3], opacity: f64) -> [f64; 3] {
        std::array::from_fn(|k| opacity * top[k] + (1.0 - opacity) * ground[k])
    }

    #[test]
    fn edges_of_marks_stand_out_from_light_and_dark_ground_whatever_they_lie_on() {
        // The page's own ink and paper in dark mode, assets/report/style.css.
        let (dark, light_ink) = ([20.0, 24.0, 29.0], [230.0, 233.0, 237.0]);
        for (ink, paper) in [(of(INK), of(PAPER)), (light_ink, dark)] {
            // Half of an edge lies on the ground, half on the mark's own colour.
            let edge = over(ink, paper, EDGE);
            assert!(contrast(edge, paper) >= 3.0, "{}", contrast(edge, paper));
            assert!(contrast(of(PALE), dark) >= 3.0);
        }
    }

    #[test]
    fn a_ramp_gets_lighter_and_lighter() {
        let light: Vec<f64> = RAMP.iter().map(|c| luminance(of(*c))).collect();
        assert!(light.windows(2).all(|w| w[0] < w[1]), "{light:?}");
        assert_eq!((of_share(-1.0), of_share(2.0)), (RAMP[0], RAMP[9]));
    }
}
