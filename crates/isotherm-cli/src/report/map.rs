//! The map: its frame, its legend, and a picture where there is no script.

use isotherm::recipe::Map;
use maud::{Markup, PreEscaped, html};

use super::charts::picture;
use super::findings::Findings;
use super::packed;
use super::page::Section;
use super::text::{counted, name, percent, shown, whole};
use crate::failure::Outcome;
use crate::figures::Picture;

/// Points of the picture; the script shows all.
const DRAWN: usize = 4000;

/// Classes of the legend.
const LISTED: usize = 21;

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
    let drawable = !map.classes.is_empty() || map.values.iter().any(Option::is_some);
    let still = match drawable {
        true => picture(&thinned(map, DRAWN).svg()?),
        false => html! {},
    };
    Ok(Section {
        id,
        title,
        says,
        body: html! {
            p.how {
                "Coordinates: " (shown(&map.plane.how, 400)) "."
                @if map.plane.samples.len() < map.plane.total {
                    " Shown are " (whole(map.plane.samples.len())) " of " (whole(map.plane.total)) "."
                }
            }
            div.live hidden[true] id="live" {
                div.stage {
                    canvas id="canvas" tabindex="0" role="application" aria-label=(described(map, found))
                        aria-describedby="keys" width="960" height="600" {}
                    div.tip id="tip" aria-hidden="true" hidden[true] {}
                    div.controls role="group" aria-label="View of the map" {
                        button type="button" id="zoom-in" aria-label="Zoom in" { "+" }
                        button type="button" id="zoom-out" aria-label="Zoom out" { "−" }
                        button type="button" id="reset" { "Reset" }
                    }
                }
                p.status id="status" role="status" { }
                (legend(map))
                p.keys id="keys" {
                    "Drag or arrow keys move, wheel or " kbd { "+" } " " kbd { "−" } " zoom, " kbd { "0" } " resets, "
                    kbd { "n" } " and " kbd { "p" } " step through labels, suspects and suggestions."
                }
            }
            div.still id="still" { (still) }
            script type="application/json" id="points" { (PreEscaped(packed::block(map, found))) }
        },
        advice: html! {
            "Groups of one colour are easy; where colours mix, labels pay most. Ringed points are labels, crosses "
            "have no answer, and a ring that is dashed is a label the others contradict."
        },
    })
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

fn legend(map: &Map) -> Markup {
    if map.classes.is_empty() {
        return html! {
            ul.legend {
                @if map.values.iter().any(Option::is_some) {
                    li { span.ramp {} " low to high" }
                }
                (marks())
            }
        };
    }
    html! {
        ul.legend aria-label="Classes; press one to see it alone" {
            @for (k, class) in map.classes.iter().take(LISTED).enumerate() {
                li {
                    button type="button" aria-pressed="false" data-class=(k) { (mark(k)) " " (name(class)) }
                }
            }
            @if map.classes.len() > LISTED { li { "and " (whole(map.classes.len() - LISTED)) " more" } }
            (marks())
        }
    }
}

fn marks() -> Markup {
    let item = |symbol: Markup, text: &str| {
        html! { li.mark { svg viewBox="-8 -8 16 16" width="16" height="16" aria-hidden="true" { (symbol) } " " (text) } }
    };
    html! {
        (item(html! { circle.ring r="5" {} }, "label"))
        (item(html! { circle.ring.dashed r="5" {} }, "label the others contradict"))
        (item(html! { path.ring d="M0-6 6 0 0 6-6 0Z" {} }, "to label next"))
        (item(html! { path.lost d="M-4-4 4 4M4-4-4 4" {} }, "not reached"))
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

/// The same map with fewer points: labels first, the others evenly from the whole.
fn thinned(map: &Map, most: usize) -> Map {
    let all = map.plane.samples.len();
    if all <= most {
        return map.clone();
    }
    let labels = map.labelled.iter().filter(|l| **l).count().min(most / 2);
    let step = (all - labels).div_ceil(most - labels).max(1);
    let (mut taken, mut passed) = (0, 0);
    let keep: Vec<usize> = (0..all)
        .filter(|&k| match map.labelled[k] {
            true => {
                taken += 1;
                taken <= labels
            }
            false => {
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
    out.labelled = pick(&map.labelled, &keep);
    out.reached = pick(&map.reached, &keep);
    out.suspicious = pick(&map.suspicious, &keep);
    out
}
