//! Which letters the built-in font has: what a PNG cannot show is said.

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

/// Whether a TrueType font has a letter: its table `cmap`, subtables of format 4 and 12.
fn has(font: &[u8], c: char) -> bool {
    found(font, c as u32).unwrap_or(false)
}

fn short(bytes: &[u8], at: usize) -> Option<u32> {
    let two = bytes.get(at..at + 2)?;
    Some(u32::from(u16::from_be_bytes([two[0], two[1]])))
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    Some(short(bytes, at)? << 16 | short(bytes, at + 2)?)
}

fn found(font: &[u8], code: u32) -> Option<bool> {
    let tables = short(font, 4)? as usize;
    let record = (0..tables)
        .map(|k| 12 + 16 * k)
        .find(|at| font.get(*at..at + 4) == Some(b"cmap"))?;
    let cmap = font.get(long(font, record + 8)? as usize..)?;
    for k in 0..short(cmap, 2)? as usize {
        let table = cmap.get(long(cmap, 8 + 8 * k)? as usize..)?;
        let known = match short(table, 0)? {
            4 => in_segments(table, code)?,
            12 => in_groups(table, code)?,
            _ => false,
        };
        if known {
            return Some(true);
        }
    }
    Some(false)
}

/// Format 4: segments of sixteen-bit codes.
fn in_segments(table: &[u8], code: u32) -> Option<bool> {
    let twice = short(table, 6)? as usize;
    for at in (0..twice).step_by(2) {
        let (end, start) = (short(table, 14 + at)?, short(table, 16 + twice + at)?);
        if code > end {
            continue;
        }
        if code < start {
            return Some(false);
        }
        let delta = short(table, 16 + 2 * twice + at)?;
        let place = 16 + 3 * twice + at;
        let glyph = match short(table, place)? {
            0 => code + delta,
            offset => match short(table, place + (offset + 2 * (code - start)) as usize)? {
                0 => 0,
                glyph => glyph + delta,
            },
        };
        return Some(glyph & 0xffff != 0);
    }
    Some(false)
}

/// Format 12: groups of codes of any size.
fn in_groups(table: &[u8], code: u32) -> Option<bool> {
    for k in 0..long(table, 12)? as usize {
        let at = 16 + 12 * k;
        if (long(table, at)?..=long(table, at + 4)?).contains(&code) {
            return Some(true);
        }
    }
    Some(false)
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
        let svg = "<title>中</title><text x=\"1\">\na日b</text><text>日я</text>";
        assert_eq!(lacking(svg, FONT), ['日']);
        assert!(lacking("<text>日</text>", b"no font").contains(&'日'));
    }
}
