//! Which letters the built-in font has: what a PNG cannot show is said.

use ab_glyph::{Font as _, FontRef};

/// Letters of a drawing's texts that a font lacks, each once, in their order.
pub(super) fn lacking(svg: &str, font: &[u8]) -> Vec<char> {
    let mut out: Vec<char> = Vec::new();
    for piece in svg.split("<text ").skip(1) {
        let inside = piece.split_once('>').map_or("", |(_, rest)| rest);
        let text = inside.split('<').next().unwrap_or_default();
        for c in text.chars().filter(|c| !c.is_whitespace()) {
            if !has(font, c) && !out.contains(&c) {
                out.push(c);
            }
        }
    }
    out
}

/// Whether a font has a letter; one that cannot be read has none.
fn has(font: &[u8], c: char) -> bool {
    FontRef::try_from_slice(font).is_ok_and(|font| font.glyph_id(c).0 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    static FONT: &[u8] = include_bytes!("../../assets/labels.ttf");

    #[test]
    fn latin_greek_and_cyrillic_are_there_and_others_are_not() {
        for c in "Aż…–%λψЖя".chars() {
            assert!(has(FONT, c), "{c}");
        }
        for c in "中ئ🍎ไ".chars() {
            assert!(!has(FONT, c), "{c}");
        }
        let svg = "<title>中</title><text x=\"1\">\na日b</text><text x=\"2\">日я</text>";
        assert_eq!(lacking(svg, FONT), ['日']);
        assert_eq!(lacking("<text x=\"1\">я</text>", b"no font"), ['я']);
    }
}
