//! The map: its frame, its legend, and a picture where there is no script.

use std::collections::BTreeSet;

use isotherm::view::Map;
use maud::{Markup, PreEscaped, html};

use super::charts::picture;
use super::findings::Findings;
use super::packed;
use super::page::Section;
use super::text::{counted, number, percent, shown, whole};
use crate::failure::Outcome;
use crate::figures::Picture;
use crate::figures::map::Marked;

/// Points of the picture; the script shows all.
const DRAWN: usize = 4000;

/// Classes of the legend, and letters of their names.
const LISTED: usize = 300;
const LETTERS: usize = 32;

/// Colours and shapes of classes, as in the pictures.
const COLOURS: usize = 7;
const SHAPES: usize = 5;

pub(super) fn section(found: &Findings) -> Outcome<Section> {
    let (id, title) = ("map", "The map");
    let says = html! {
        "Every " (found.thing()) " as a point: " (found.things()) " that the method sees as similar lie close "
        "together."
    };
    let map = match &found.map {
        Ok(map) => map,
        Err(missing) => return Ok(Section::missing(id, title, says, missing)),
    };
    let drawn = Marked {
        map: &thinned(map, DRAWN, &next(found)),
        next: &next(found),
        thing: found.thing(),
    };
    let still = picture(&drawn.svg()?);
    Ok(Section {
        id,
        title,
        says,
        body: html! {
            p.how {
                "Coordinates: " (shown(&map.plane.how, 400)) "; crowded parts are stretched, along each axis the "
                "order is kept."
                @if map.plane.samples.len() < map.plane.total {
                    " Shown are " (whole(map.plane.samples.len())) " of " (whole(map.plane.total)) "."
                }
            }
            div.live hidden[true] id="live" {
                div.controls role="group" aria-label="View of the map" {
                    button type="button" id="zoom-in" aria-label="Zoom in" { "+" }
                    button type="button" id="zoom-out" aria-label="Zoom out" { "−" }
                    button type="button" id="reset" { "Reset" }
                }
                div.stage {
                    canvas id="canvas" tabindex="0" role="application" aria-label=(described(map, found))
                        aria-describedby="keys" width="960" height="600" {}
                    div.tip id="tip" aria-hidden="true" hidden[true] {}
                }
                p.status id="status" role="status" { }
                (legend(map, found))
                p.keys id="keys" {
                    "Click the map first; then the wheel or " kbd { "+" } " " kbd { "−" } " zoom, arrow keys move, " kbd { "0" }
                    " resets, " kbd { "n" } " and " kbd { "p" }
                    " step through labels, suspects and suggestions. Dragging moves it at any time."
                }
            }
            div.still id="still" { (still) }
            script type="application/json" id="points" { (PreEscaped(packed::block(map, found))) }
        },
        advice: advice(map, found),
    })
}

/// What to look for, by what the points are coloured by.
fn advice(map: &Map, found: &Findings) -> Markup {
    let doubted = map.suspicious.iter().any(|s| *s);
    html! {
        @if !map.classes.is_empty() {
            "Groups of one colour are easy; where colours mix, labels pay most. "
        } @else if map.limits().is_some() {
            "Where the colour changes smoothly the numbers can be trusted most; where it jumps between neighbours, "
            "labels pay most. "
        } @else {
            "Points are grey, since " (found.kind()) ", which have no one colour: look for groups without a ring, and "
            "label there. "
        }
        "Points with a ring are labels"
        @if doubted { ", a square frame is a label the others contradict" }
        @if !next(found).is_empty() { ", a diamond frame is to be labelled next" }
        @if map.unreached > 0 { ", a cross has no answer" }
        "."
    }
}

/// The samples that are suggested.
fn next(found: &Findings) -> BTreeSet<usize> {
    (found.next.iter())
        .flat_map(|n| n.rows.iter().map(|r| r.suggestion.row))
        .collect()
}

/// The map in a sentence, for who cannot see it.
fn described(map: &Map, found: &Findings) -> String {
    let sure: Vec<f64> = map.confidence.iter().flatten().copied().collect();
    let half = sure.iter().filter(|c| **c < 0.5).count();
    let mut text = format!(
        "Interactive map of {}, {} of them labelled, {} not reached, {} suspicious",
        counted(map.plane.samples.len(), found.thing(), found.things()),
        whole(map.labels),
        whole(map.unreached),
        whole(map.suspicious.iter().filter(|s| **s).count()),
    );
    if !sure.is_empty() {
        let share = half as f64 / sure.len() as f64;
        text.push_str(&format!(
            "; {} have a confidence below one half",
            percent(share)
        ));
    }
    text
}

fn legend(map: &Map, found: &Findings) -> Markup {
    html! {
        @if !map.classes.is_empty() {
            ul.legend.classes aria-label="Classes; press one to see it alone" {
                @for (k, (class, short)) in map.classes.iter().zip(found.short(LETTERS)).take(LISTED).enumerate() {
                    li {
                        button type="button" aria-pressed="false" data-class=(k) title=(shown(class, 400)) {
                            (mark(k)) " " bdi { (shown(&short, LETTERS)) }
                        }
                    }
                }
                @if map.classes.len() > LISTED {
                    li { "and " (whole(map.classes.len() - LISTED)) " more, each named where the pointer rests on a point" }
                }
            }
        }
        ul.legend {
            @if let Some((low, high)) = map.limits() {
                li.scale {
                    (number(low)) " " span.ramp {} " " (number(high))
                    span.more { "the 2nd to the 98th percentile of the predicted numbers; what is beyond has the last colour" }
                }
            }
            (marks(map))
        }
    }
}

fn marks(map: &Map) -> Markup {
    let item = |symbol: Markup, text: &str| {
        html! { li.mark { svg viewBox="-8 -8 16 16" width="16" height="16" aria-hidden="true" { (symbol) } " " (text) } }
    };
    html! {
        (item(html! { circle.ring r="5" {} }, "label"))
        @if !map.classes.is_empty() {
            (item(html! { path.ring d="M-6-6h12v12h-12Z" {} }, "label the others contradict"))
        }
        (item(html! { path.ring d="M0-7 7 0 0 7-7 0Z" {} }, "to label next"))
        @if map.unreached > 0 {
            (item(html! { path.lost d="M-4-4 4 4M4-4-4 4" {} }, "not reached"))
        }
    }
}

/// A class's colour and shape.
fn mark(class: usize) -> Markup {
    let colour = format!("c{}", class % COLOURS);
    let shape = match class % SHAPES {
        0 => html! { circle class=(colour) r="5" {} },
        1 => html! { path class=(colour) d="M0-6.5 6 4-6 4Z" {} },
        2 => html! { path class=(colour) d="M-4.5-4.5h9v9h-9Z" {} },
        3 => html! { path class=(colour) d="M0-6.5 6.5 0 0 6.5-6.5 0Z" {} },
        _ => html! { path class=(colour) d="M0 6.5 6-4-6-4Z" {} },
    };
    html! { svg viewBox="-8 -8 16 16" width="16" height="16" aria-hidden="true" { (shape) } }
}

/// The same map with fewer points: labels and what is suggested first, the others evenly from the whole.
fn thinned(map: &Map, most: usize, next: &BTreeSet<usize>) -> Map {
    let all = map.plane.samples.len();
    if all <= most {
        return map.clone();
    }
    let first = |k: usize| map.labelled[k] || next.contains(&map.plane.samples[k]);
    let labels = (0..all).filter(|&k| first(k)).count().min(most / 2);
    let step = (all - labels).div_ceil(most - labels).max(1);
    let (mut taken, mut passed) = (0, 0);
    let keep: Vec<usize> = (0..all)
        .filter(|&k| {
            if first(k) {
                taken += 1;
                taken <= labels
            } else {
                passed += 1;
                passed % step == 0
            }
        })
        .collect();
    fn pick<T: Clone>(all: &[T], keep: &[usize]) -> Vec<T> {
        keep.iter().map(|&k| all[k].clone()).collect()
    }
    let mut out = map.clone();
    out.plane.samples = pick(&map.plane.samples, &keep);
    out.plane.positions = pick(&map.plane.positions, &keep);
    out.plane.aside = pick(&map.plane.aside, &keep);
    out.plane.modes = Vec::new();
    out.predicted = pick(&map.predicted, &keep);
    out.confidence = pick(&map.confidence, &keep);
    out.values = pick(&map.values, &keep);
    out.given = pick(&map.given, &keep);
    out.given_values = pick(&map.given_values, &keep);
    out.labelled = pick(&map.labelled, &keep);
    out.reached = pick(&map.reached, &keep);
    out.suspicious = pick(&map.suspicious, &keep);
    out
}
