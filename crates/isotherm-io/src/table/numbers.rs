//! Numbers from text and to text.

use arrow_array::types::{ArrowPrimitiveType, Float16Type};
use arrow_buffer::i256;

use crate::text::dialect::Decimal;

/// Texts that mean "no value", compared after trimming; so does a blank cell.
pub const MISSING: [&str; 8] = ["NA", "NaN", "nan", "null", "None", "N/A", "#N/A", "<NA>"];

/// Why a text is not a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotANumber {
    /// Nothing but white space.
    Blank,
    /// One of [`MISSING`].
    Missing,
    /// A number that is infinite, or becomes so in 64 bits.
    NotFinite,
    /// Anything else.
    Text,
}

/// A finite decimal number (`-1.5`, `.5`, `2e-3`), white space around it
/// ignored. Words such as `inf` are not numbers. Where the decimal mark is a
/// comma, a point is not one, and the other way round.
pub(crate) fn parse(text: &str, decimal: Decimal) -> Result<f64, NotANumber> {
    match decimal {
        Decimal::Comma if text.contains(['.', ',']) => with_comma(text),
        _ => with_point(text),
    }
}

fn with_comma(text: &str) -> Result<f64, NotANumber> {
    let (mut commas, mut points) = (0, 0);
    text.bytes().for_each(|b| {
        commas += usize::from(b == b',');
        points += usize::from(b == b'.');
    });
    match (commas, points) {
        (1, 0) => with_point(&text.replace(',', ".")),
        _ => Err(NotANumber::Text),
    }
}

fn with_point(text: &str) -> Result<f64, NotANumber> {
    // Nearly every cell: no white space, no words.
    if let (Some(b'0'..=b'9' | b'-' | b'.'), Ok(v)) = (text.as_bytes().first(), text.parse::<f64>())
        && v.is_finite()
    {
        return Ok(v);
    }
    let text = text.trim();
    if text.is_empty() {
        return Err(NotANumber::Blank);
    }
    let digits = text.trim_start_matches(['+', '-']);
    if digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return match text.parse::<f64>() {
            Ok(v) if v.is_finite() => Ok(v),
            Ok(_) => Err(NotANumber::NotFinite),
            Err(_) => Err(NotANumber::Text),
        };
    }
    if MISSING.contains(&text) {
        return Err(NotANumber::Missing);
    }
    match text.parse::<f64>() {
        Ok(v) if v.is_infinite() => Err(NotANumber::NotFinite),
        Ok(_) => Err(NotANumber::Missing),
        Err(_) => Err(NotANumber::Text),
    }
}

/// Whether a text is a number in either spelling, infinite ones among them;
/// `None` when it has no value. As [`parse`] decides, without the value.
pub(crate) fn is_number(text: &str) -> Option<bool> {
    if is_plain(text.as_bytes()) {
        return Some(true);
    }
    match with_point(text) {
        Ok(_) | Err(NotANumber::NotFinite) => Some(true),
        Err(NotANumber::Blank | NotANumber::Missing) => None,
        Err(NotANumber::Text) => Some(with_comma(text).is_ok() || is_grouped(text)),
    }
}

/// Whether a text is a whole number whose commas may mark thousands: `1,000`,
/// `-12,345,678`. With one comma it may as well be a decimal.
pub(crate) fn is_grouped(text: &str) -> bool {
    let text = text.trim();
    let mut groups = text.strip_prefix(['+', '-']).unwrap_or(text).split(',');
    let digits = |group: &str| group.bytes().all(|b| b.is_ascii_digit());
    let first = groups.next().unwrap_or_default();
    let leads = (1..=3).contains(&first.len()) && digits(first) && !first.starts_with('0');
    let mut more = 0;
    leads
        && groups.all(|group| {
            more += 1;
            group.len() == 3 && digits(group)
        })
        && more > 0
}

/// Sign, digits with at most one point among them, exponent: what nearly every
/// number looks like.
fn is_plain(text: &[u8]) -> bool {
    let unsigned = match text {
        [b'+' | b'-', rest @ ..] => rest,
        all => all,
    };
    let (mut digits, mut points) = (0, 0);
    for (at, byte) in unsigned.iter().enumerate() {
        match byte {
            b'0'..=b'9' => digits += 1,
            b'.' if points == 0 => points = 1,
            b'e' | b'E' if digits > 0 => {
                let exponent = match &unsigned[at + 1..] {
                    [b'+' | b'-', rest @ ..] => rest,
                    all => all,
                };
                return !exponent.is_empty() && exponent.iter().all(u8::is_ascii_digit);
            }
            _ => return false,
        }
    }
    digits > 0
}

/// Whether a label text means "unlabelled".
pub(crate) fn is_missing(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || MISSING.contains(&text)
}

/// The shortest text that reads back as the same number: `0.1`, `1.0`, `1e300`.
pub(crate) fn shortest(v: f64) -> String {
    format!("{v:?}")
}

/// A whole number divided by a power of ten, rounded once.
pub(crate) fn decimal(value: i256, scale: i32) -> f64 {
    // Both are exact, so the quotient is rounded once.
    let exact = value.to_i128().filter(|v| v.unsigned_abs() <= 1 << 53);
    match (exact, scale) {
        (Some(v), 0..=22) => v as f64 / 10f64.powi(scale),
        _ => {
            let text = format!("{value}e{}", -i64::from(scale));
            text.parse().unwrap_or(f64::NAN)
        }
    }
}

/// A float of 16 bits.
pub(crate) fn half(bits: u16) -> f64 {
    <Float16Type as ArrowPrimitiveType>::Native::from_bits(bits).to_f64()
}

/// Whether a whole number is the same as a float of 64 bits.
pub(crate) fn is_exact(value: i128) -> bool {
    value as f64 as i128 == value && value != i128::MAX
}

/// Whether a text is a whole number that is another one as a float of 64 bits: the
/// name of something, rather than a quantity.
pub(crate) fn is_inexact_whole(text: &str) -> bool {
    let text = text.trim();
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    // Fifteen digits are always exact.
    if digits.len() <= 15 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return false;
    }
    match text.parse::<i128>() {
        Ok(v) => !is_exact(v),
        // A float is printed with all its digits.
        Err(_) => match digits.parse::<f64>() {
            Ok(v) => format!("{v:.0}") != digits.trim_start_matches('0'),
            Err(_) => true,
        },
    }
}

/// As [`as_label`], with this decimal mark.
pub(crate) fn spelled_label(v: f64, decimal: Decimal) -> String {
    match decimal {
        Decimal::Point => as_label(v),
        Decimal::Comma => as_label(v).replace('.', ","),
    }
}

/// As [`shortest`], whole numbers without their `.0`: what a class is called.
pub(crate) fn as_label(v: f64) -> String {
    let text = shortest(v);
    match text.strip_suffix(".0") {
        Some("-0") => "0".into(),
        Some(whole) => whole.into(),
        None => text,
    }
}

/// Whether two texts say the same: equal without the white space around them, or
/// equal as numbers, as `1` and `1.0` are.
pub(crate) fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.trim(), b.trim());
    a == b || matches!((with_point(a), with_point(b)), (Ok(a), Ok(b)) if a == b)
}
