//! The map's points as bytes: eight each, so that 100,000 of them are one megabyte of page.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use isotherm::recipe::Task;
use isotherm::view::Map;
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
    let limits = map.limits();
    let named = map.classes.len().min(NAMED);
    let value = json!({
        "count": map.plane.samples.len(),
        "points": STANDARD.encode(bytes(map, found, limits.unwrap_or((0.0, 0.0)))),
        "samples": samples(map),
        "classes": found.short(NAME).iter().take(named).map(|c| shown(c, NAME)).collect::<Vec<_>>(),
        "values": match limits {
            Some(_) => json!(STANDARD.encode(numbers(map))),
            None => Value::Null,
        },
        "given": given(map),
        "share": map.task == Task::Shares,
        "names": found.names,
        "places": found.places,
        "thing": found.thing(),
    });
    // JSON has this character inside strings only, where an escape means the same.
    value.to_string().replace('<', "\\u003c")
}

/// x, y, class, confidence, flags; little endian.
fn bytes(map: &Map, found: &Findings, range: (f64, f64)) -> Vec<u8> {
    let places = map.plane.stretched();
    let next: std::collections::BTreeSet<usize> = (found.next.iter())
        .flat_map(|n| n.rows.iter().map(|r| r.suggestion.row))
        .collect();
    let mut out = Vec::with_capacity(8 * places.len());
    for (k, &sample) in map.plane.samples.iter().enumerate() {
        for share in places[k] {
            out.extend(scaled(share, (0.0, 1.0), u16::MAX).to_le_bytes());
        }
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
    if map.plane.samples.len() == map.plane.total {
        Value::Null
    } else {
        json!(map.plane.samples)
    }
}

/// The number that was predicted of each point; not a number where there is none.
fn numbers(map: &Map) -> Vec<u8> {
    let each = map.values.iter().map(|v| v.unwrap_or(f64::NAN));
    each.flat_map(f64::to_le_bytes).collect()
}

/// The numbers that were given, by point.
fn given(map: &Map) -> Value {
    let known = map.given_values.iter().enumerate();
    let known = known.filter_map(|(k, v)| v.map(|v| (k.to_string(), json!(number(v)))));
    Value::Object(known.collect())
}

/// Where a number lies between two, as a whole number up to `most`; beyond them at the ends.
fn scaled(v: f64, (low, high): (f64, f64), most: u16) -> u16 {
    if high > low && v.is_finite() {
        // Halves first: the span of two large numbers may be more than there is.

        let share = (v / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0);
        (share.clamp(0.0, 1.0) * f64::from(most)).round() as u16
    } else {
        most / 2
    }
}
