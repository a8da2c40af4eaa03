//! Numbers from text and to text.

/// Texts that mean "no value", compared after trimming; so does a blank cell.
pub const MISSING: [&str; 5] = ["NA", "NaN", "nan", "null", "None"];

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
/// ignored. Words such as `inf` are not numbers.
pub(crate) fn parse(text: &str) -> Result<f64, NotANumber> {
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

/// Whether a label text means "unlabelled".
pub(crate) fn is_missing(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || MISSING.contains(&text)
}

/// The shortest text that reads back as the same number: `0.1`, `1.0`, `1e300`.
pub(crate) fn shortest(v: f64) -> String {
    format!("{v:?}")
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
