//! The map: samples in the plane, each with its answer.

use std::collections::BTreeSet;

use isotherm::view::{Map, Plane};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::frame::{Frame, STRETCHED};
use super::ink::{INK, PALE, PAPER, of_class, of_share};
use super::marker::{self, Also, Legend};
use super::text::{Head, MARGIN, number, short, style};
use super::{Area, Drawn, Picture};

const WIDTH: i32 = 980;
const SIDE: i32 = 620;
const LEGEND: i32 = 250;

/// Steps of opacity: more would not be told apart, and make files large.
const STEPS: f64 = 5.0;

/// The radius of a mark when there are so many.
fn radius(marks: usize) -> i32 {
    match marks {
        0..=400 => 5,
        401..=1500 => 4,
        1501..=3000 => 3,
        _ => 2,
    }
}

/// What is shown of how many.
pub(super) fn shown(plane: &Plane) -> Option<String> {
    (plane.samples.len() < plane.total).then(|| {
        format!(
            "{} of {} are drawn: labelled ones first, the others at random",
            plane.samples.len(),
            plane.total
        )
    })
}

/// A map with the samples that are suggested to be labelled next.
pub(crate) struct Marked<'a> {
    pub(crate) map: &'a Map,
    /// By their numbers.
    pub(crate) next: &'a BTreeSet<usize>,
    /// "row" or "node".
    pub(crate) thing: &'static str,
}

impl Picture for Map {
    fn size(&self) -> (u32, u32) {
        plain(self, &BTreeSet::new()).size()
    }

    fn title(&self) -> String {
        plain(self, &BTreeSet::new()).title()
    }

    fn describe(&self) -> String {
        plain(self, &BTreeSet::new()).describe()
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Drawn<B> {
        plain(self, &BTreeSet::new()).draw(area)
    }
}

fn plain<'a>(map: &'a Map, next: &'a BTreeSet<usize>) -> Marked<'a> {
    Marked {
        map,
        next,
        thing: "sample",
    }
}

impl Picture for Marked<'_> {
    fn size(&self) -> (u32, u32) {
        let legend = self.legend().height() + scale_height(self.map);
        let height = self.head().height() + SIDE.max(legend) + 48;
        (WIDTH as u32, height as u32)
    }

    fn title(&self) -> String {
        format!(
            "map of {} {}s with {} labels",
            self.map.plane.total, self.thing, self.map.labels
        )
    }

    fn describe(&self) -> String {
        let map = self.map;
        let mut said = vec![format!("Coordinates: {}.", map.plane.how)];
        said.extend(shown(&map.plane).map(|s| format!("{s}.")));
        let counts = counts(map);
        for (name, count) in map.classes.iter().zip(&counts).take(30) {
            said.push(format!("{name}: {count} predicted."));
        }
        said.push(format!("{} are not reached by any label.", map.unreached));
        let doubted = map.suspicious.iter().filter(|s| **s).count();
        said.push(format!("{doubted} labels are contradicted by the others."));
        said.join(" ")
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Drawn<B> {
        area.fill(&PAPER)?;
        let (map, head) = (self.map, self.head());
        head.draw(area)?;
        let corner = (MARGIN + 22, head.height());
        let size = (WIDTH - LEGEND - MARGIN - 22 - 16, SIDE);
        let frame = Frame::new(&map.plane, corner, size);
        frame.draw(area)?;
        name_axes(area, &map.plane, corner, size)?;
        let places = frame.places();
        let small = radius(places.len());
        let limits = map.limits();
        for (k, &at) in places.iter().enumerate() {
            if !map.reached[k] && !map.labelled[k] {
                marker::cross(area, at, small)?;
            }
        }
        for (k, &at) in places.iter().enumerate() {
            if map.labelled[k] || !map.reached[k] {
                continue;
            }
            match (map.predicted[k], map.values[k]) {
                (Some(class), _) => {
                    let fill = of_class(class).mix(sure(map, k)).filled();
                    marker::draw(area, at, class, small, fill)?;
                    marker::edge(area, at, class, small)?;
                }
                (None, value) => {
                    let fill = value.map_or(PALE, |v| of_number(v, limits));
                    area.draw(&Circle::new(at, small, fill.filled()))?;
                    marker::edge(area, at, 0, small)?;
                }
            }
        }
        for (k, &at) in places.iter().enumerate() {
            match (map.labelled[k], map.given[k], map.values[k]) {
                (true, Some(class), _) => marker::ringed(area, at, class, 5)?,
                (true, None, value) => {
                    area.draw(&Circle::new(at, 9, PAPER.filled()))?;
                    area.draw(&Circle::new(at, 7, INK.filled()))?;
                    let fill = value.map_or(PAPER, |v| of_number(v, limits));
                    area.draw(&Circle::new(at, 5, fill.filled()))?;
                }
                (false, ..) => {}
            }
        }
        for (&at, _) in places.iter().zip(&map.suspicious).filter(|(_, s)| **s) {
            marker::doubt(area, at, 11)?;
        }
        for (&at, sample) in places.iter().zip(&map.plane.samples) {
            if self.next.contains(sample) {
                marker::suggested(area, at, 9)?;
            }
        }
        let at = (WIDTH - LEGEND, head.height());
        let legend = self.legend();
        legend.draw(area, at)?;
        if let Some(limits) = limits {
            scale(area, limits, (at.0, at.1 + legend.height() + 8))?;
        }
        area.present()
    }
}

impl Marked<'_> {
    /// Sentences above the map.
    fn head(&self) -> Head {
        let map = self.map;
        let mut notes = vec![format!("places: {}; {STRETCHED}", map.plane.how)];
        notes.extend(shown(&map.plane));
        notes.push(match (map.classes.is_empty(), map.limits()) {
            (true, Some(_)) => "the lighter, the larger the predicted number; colours go from the \
                                2nd to the 98th percentile"
                .to_owned(),
            (true, None) => "such answers have no one colour: places and labels alone".to_owned(),
            (false, _) => {
                "colour and shape: predicted class; the fainter, the less sure".to_owned()
            }
        });
        Head::new(&self.title(), &notes, WIDTH)
    }

    fn legend(&self) -> Legend<'_> {
        let map = self.map;
        let drawn = map.plane.samples.len();
        let labelled = map.labelled.iter().filter(|l| **l).count();
        let doubted = map.suspicious.iter().filter(|s| **s).count();
        let unreached = (map.reached.iter().zip(&map.labelled))
            .filter(|(r, l)| !**r && !**l)
            .count();
        let next = (map.plane.samples.iter())
            .filter(|s| self.next.contains(s))
            .count();
        let mut also = vec![(Also::Labelled, format!("labelled: {labelled}"))];
        if unreached > 0 {
            also.push((Also::Unreached, format!("no label reaches: {unreached}")));
        }
        if doubted > 0 {
            also.push((Also::Doubted, format!("others contradict: {doubted}")));
        }
        if next > 0 {
            also.push((Also::Suggested, format!("to label next: {next}")));
        }
        if map.classes.is_empty() && map.limits().is_none() {
            also.push((Also::Placed, format!("drawn: {drawn}")));
        }
        Legend {
            classes: &map.classes,
            also,
        }
    }
}

fn counts(map: &Map) -> Vec<usize> {
    let mut counts = vec![0; map.classes.len()];
    for class in map.predicted.iter().flatten() {
        if let Some(count) = counts.get_mut(*class as usize) {
            *count += 1;
        }
    }
    counts
}

/// How opaque a mark is: hardly where one class is as likely as another.
fn sure(map: &Map, k: usize) -> f64 {
    let least = 1.0 / map.classes.len().max(1) as f64;
    let share = match (map.confidence[k], least < 1.0) {
        (Some(p), true) => ((p - least) / (1.0 - least)).clamp(0.0, 1.0),
        _ => 1.0,
    };
    0.25 + 0.75 * (share * STEPS).round() / STEPS
}

/// The colour of a number.
fn of_number(value: f64, limits: Option<(f64, f64)>) -> RGBColor {
    of_share(match limits {
        Some((low, high)) if high > low => (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0),
        _ => 1.0,
    })
}

/// Steps of the scale of numbers.
const LEVELS: i32 = 5;

fn scale_height(map: &Map) -> i32 {
    map.limits().map_or(0, |_| 8 + 22 * (LEVELS + 1))
}

/// What a colour means, the largest at the top.
fn scale<B: DrawingBackend>(area: &Area<B>, (low, high): (f64, f64), at: (i32, i32)) -> Drawn<B> {
    for k in 0..=LEVELS {
        let share = f64::from(LEVELS - k) / f64::from(LEVELS);
        let value = low * (1.0 - share) + high * share;
        let y = at.1 + 22 * k;
        let corners = [(at.0, y), (at.0 + 22, y + 18)];
        area.draw(&Rectangle::new(corners, of_share(share).filled()))?;
        area.draw(&Rectangle::new(corners, INK.stroke_width(1)))?;
        let text = match k {
            0 => format!("{} and more", number(value)),
            LEVELS => format!("{} and less", number(value)),
            _ => number(value),
        };
        let said = style(14, &INK, HPos::Left);
        area.draw(&Text::new(text, (at.0 + 30, y + 9), said))?;
    }
    Ok(())
}

/// What the coordinates are, below and at the left.
fn name_axes<B: DrawingBackend>(
    area: &Area<B>,
    plane: &Plane,
    (left, top): (i32, i32),
    (width, height): (i32, i32),
) -> Drawn<B> {
    let [across, up] = &plane.axes;
    let below = (left + width / 2, top + height + 18);
    area.draw(&Text::new(
        short(across, 80),
        below,
        style(14, &INK, HPos::Center),
    ))?;
    let turned = style(14, &INK, HPos::Center).transform(FontTransform::Rotate270);
    let beside = (left - 18, top + height / 2);
    area.draw(&Text::new(short(up, 80), beside, turned))
}
