//! Text from data, and numbers, as a page shows them.

use maud::{Markup, html};

use crate::talk::steers;

/// Letters of a name in a table.
pub(super) const NAME: usize = 60;

/// Text from a file: bounded, on one line, and without characters that steer: controls and those
/// that turn the direction of what follows are spelled out. Templates escape what is left.
pub(super) fn shown(text: &str, letters: usize) -> String {
    let mut out = String::with_capacity(text.len().min(4 * letters));
    for (n, c) in text.chars().enumerate() {
        if n == letters {
            out.push('…');
            break;
        }
        match steers(c) {
            true => out.extend(c.escape_unicode()),
            false => out.push(c),
        }
    }
    out
}

/// A name from a file: its direction is its own, whatever stands beside it.
pub(super) fn name(text: &str) -> Markup {
    html! { bdi { (shown(text, NAME)) } }
}

/// 12345 as 12,345.
pub(super) fn whole(n: usize) -> String {
    let digits = n.to_string();
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

/// A share in percent, to a tenth.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A number with four digits that matter.
pub(super) fn number(v: f64) -> String {
    match v.abs() {
        0.0 => "0".to_owned(),
        a if (1e-3..1e5).contains(&a) => {
            let before = a.log10().floor() as i32;
            let after = usize::try_from(3 - before).unwrap_or(0);
            format!("{v:.after$}")
        }
        _ => format!("{v:.3e}"),
    }
}

/// A measure's value: a share where more is better, a number otherwise.
pub(super) fn measured(v: f64, share: bool) -> String {
    match share {
        true => percent(v),
        false => number(v),
    }
}
