//! The map's points as bytes: eight each, so that 100,000 of them are one megabyte of page.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use isotherm::recipe::Map;
use serde_json::{Value, json};

use super::findings::Findings;
use super::text::{NAME, number, shown};

/// What a point is, in the bits of its last byte; `report.js` reads the same.
const LABELLED: u8 = 1;
const REACHED: u8 = 2;
const SUSPICIOUS: u8 = 4;
const NEXT: u8 = 8;
const ASIDE: u8 = 16;

/// No class.
const NONE: u16 = u16::MAX;

/// Classes that are named; the others are numbers.
const NAMED: usize = 2000;

/// The points and what their numbers mean, as JSON that a data block may hold.
pub(super) fn block(map: &Map, found: &Findings) -> String {
    let (low, high) = span(map.values.iter().flatten().copied());
    let value = json!({
        "count": map.plane.samples.len(),
        "points": STANDARD.encode(bytes(map, found, (low, high))),
        "samples": samples(map),
        "classes": map.classes.iter().take(NAMED).map(|c| shown(c, NAME)).collect::<Vec<_>>(),
        "values": match map.values.iter().any(Option::is_some) {
            true => json!([number(low), number(high)]),
            false => Value::Null,
        },
        "names": found.names,
        "thing": found.thing(),
    });
    // JSON has this character inside strings only, where an escape means the same.
    value.to_string().replace('<', "\\u003c")
}

/// x, y, class, confidence, flags; little endian.
fn bytes(map: &Map, found: &Findings, range: (f64, f64)) -> Vec<u8> {
    let positions = &map.plane.positions;
    let across = span(positions.iter().map(|p| p[0]));
    let up = span(positions.iter().map(|p| p[1]));
    let next: std::collections::BTreeSet<usize> = (found.next.iter())
        .flat_map(|n| n.rows.iter().map(|r| r.suggestion.row))
        .collect();
    let mut out = Vec::with_capacity(8 * positions.len());
    for (k, &sample) in map.plane.samples.iter().enumerate() {
        let [x, y] = positions[k];
        out.extend(scaled(x, across, u16::MAX).to_le_bytes());
        out.extend(scaled(y, up, u16::MAX).to_le_bytes());
        let class = map.given[k].or(map.predicted[k]);
        let class = match (class, map.values[k]) {
            (Some(class), _) => u16::try_from(class).unwrap_or(NONE - 1).min(NONE - 1),
            (None, Some(value)) => scaled(value, range, NONE - 1),
            (None, None) => NONE,
        };
        out.extend(class.to_le_bytes());
        let sure = map.confidence[k].unwrap_or(1.0).clamp(0.0, 1.0);
        out.push((sure * 255.0).round() as u8);
        let flags = [
            (LABELLED, map.labelled[k]),
            (REACHED, map.reached[k]),
            (SUSPICIOUS, map.suspicious[k]),
            (NEXT, next.contains(&sample)),
            (ASIDE, map.plane.aside[k]),
        ];
        let set = flags.iter().filter(|(_, on)| *on).map(|(bit, _)| bit);
        out.push(set.fold(0, |all, bit| all | bit));
    }
    out
}

/// Which sample each point is, where not all of them are points.
fn samples(map: &Map) -> Value {
    match map.plane.samples.len() == map.plane.total {
        true => Value::Null,
        false => json!(map.plane.samples),
    }
}

fn span(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let all = values.filter(|v| v.is_finite());
    let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| {
        (l.min(v), h.max(v))
    });
    match low <= high {
        true => (low, high),
        false => (0.0, 0.0),
    }
}

/// Where a number lies between two, as a whole number up to `most`.
fn scaled(v: f64, (low, high): (f64, f64), most: u16) -> u16 {
    match high > low && v.is_finite() {
        // Halves first: the span of two large numbers may be more than there is.
        true => {
            (((v / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0)) * f64::from(most)).round() as u16
        }
        false => most / 2,
    }
}
