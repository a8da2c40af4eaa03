//! Text from data, and numbers, as a page shows them.

use maud::{Markup, html};

use crate::console::steers;
use crate::short_names::middle;

/// Letters of a name in a table.
pub(super) const NAME: usize = 60;

/// Letters of a name where it is told whole.
const WHOLE: usize = 400;

/// Text from a file: bounded, on one line, and without characters that steer: controls and those
/// that turn the direction of what follows are spelled out. What is too long loses its middle.
/// Templates escape what is left.
pub(super) fn shown(text: &str, letters: usize) -> String {
    let mut out = String::with_capacity(text.len().min(4 * letters));
    for c in middle(text, letters).chars() {
        if steers(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}

/// A name from a file: its direction is its own, whatever stands beside it.
pub(super) fn name(text: &str) -> Markup {
    named(text, &middle(text, NAME))
}

/// A name with its short form; the whole of it is told where a pointer rests.
pub(super) fn named(text: &str, short: &str) -> Markup {
    if short == text {
        html! { bdi { (shown(text, WHOLE)) } }
    } else {
        html! { bdi title=(shown(text, WHOLE)) { (shown(short, NAME)) } }
    }
}

/// 12345 as 12,345.
pub(super) fn whole(n: usize) -> String {
    grouped(&n.to_string())
}

/// Digits in groups of three.
fn grouped(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (k, c) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// `1 row`, `12,345 rows`.
pub(super) fn counted(n: usize, one: &str, more: &str) -> String {
    format!("{} {}", whole(n), if n == 1 { one } else { more })
}

/// A share in percent, to a tenth; never broken before its sign.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1}\u{a0}%", 100.0 * share)
}

/// A number with four digits that matter, large ones in groups: 112,100,000.
pub(super) fn number(v: f64) -> String {
    digits(v, 4)
}

/// A number with two digits that matter, where more would be noise.
pub(super) fn rough(v: f64) -> String {
    digits(v, 2)
}

fn digits(v: f64, count: usize) -> String {
    let a = v.abs();
    if a == 0.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e15).contains(&a) {
        return format!("{v:.*e}", count - 1);
    }
    // By way of an exponent, so that 0.0099996 is 0.01.
    let told = format!("{a:.*e}", count - 1);
    let (_, exponent) = told.split_once('e').unwrap_or(("", "0"));
    let before: i32 = exponent.parse().unwrap_or(0);
    let after = usize::try_from(count as i32 - 1 - before).unwrap_or(0);
    let kept: f64 = told.parse().unwrap_or(a);
    let text = format!("{kept:.after$}");
    let (front, rest) = text.split_once('.').unwrap_or((&text, ""));
    let front = if front.len() > 4 {
        grouped(front)
    } else {
        front.to_owned()
    };
    let sign = if v < 0.0 { "−" } else { "" };
    match rest {
        "" => format!("{sign}{front}"),
        rest => format!("{sign}{front}.{rest}"),
    }
}

/// A probability: two digits, and none that nobody could check.
pub(super) fn chance(p: f64) -> String {
    match p {
        p if p < 1e-4 => "less than 0.0001".to_owned(),
        p => digits(p, 2),
    }
}

/// A measure's value: a share where more is better, a number otherwise.
pub(super) fn measured(v: f64, share: bool) -> String {
    if share { percent(v) } else { number(v) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_matter() {
        assert_eq!(number(1.121_4e8), "112,100,000");
        assert_eq!(number(1234.56), "1235");
        assert_eq!(number(0.012_345_6), "0.01235");
        assert_eq!(number(-20.0), "−20.00");
        assert_eq!(rough(0.3750), "0.38");
        assert_eq!(rough(0.01771), "0.018");
        assert_eq!(rough(0.0099996), "0.010");
        assert_eq!(chance(3.155e-30), "less than 0.0001");
        assert_eq!(chance(0.5), "0.50");
    }
}
