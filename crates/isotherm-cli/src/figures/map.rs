//! The map: samples in the plane, each with its answer.

use isotherm::recipe::{Map, Plane};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::frame::{Frame, STRETCHED};
use super::ink::{INK, PAPER, SHADE, of_class, opacity};
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

impl Picture for Map {
    fn size(&self) -> (u32, u32) {
        let legend = legend(self).height();
        let height = head(self).height() + SIDE.max(legend) + 48;
        (WIDTH as u32, height as u32)
    }

    fn title(&self) -> String {
        format!(
            "map of {} samples with {} labels",
            self.plane.total, self.labels
        )
    }

    fn describe(&self) -> String {
        let mut said = vec![format!("Coordinates: {}.", self.plane.how)];
        said.extend(shown(&self.plane).map(|s| format!("{s}.")));
        let counts = counts(self);
        for (name, count) in self.classes.iter().zip(&counts).take(30) {
            said.push(format!("{name}: {count} predicted."));
        }
        said.push(format!("{} are not reached by any label.", self.unreached));
        let doubted = self.suspicious.iter().filter(|s| **s).count();
        said.push(format!("{doubted} labels are contradicted by the others."));
        said.join(" ")
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Drawn<B> {
        area.fill(&PAPER)?;
        let head = head(self);
        head.draw(area)?;
        let corner = (MARGIN + 22, head.height());
        let size = (WIDTH - LEGEND - MARGIN - 22 - 16, SIDE);
        let frame = Frame::new(&self.plane, corner, size);
        frame.draw(area)?;
        name_axes(area, &self.plane, corner, size)?;
        let places: Vec<(i32, i32)> = self.plane.positions.iter().map(|p| frame.at(*p)).collect();
        let small = radius(places.len());
        let reach = numbers(self);
        for (k, &at) in places.iter().enumerate() {
            if !self.reached[k] && !self.labelled[k] {
                marker::cross(area, at, small)?;
            }
        }
        for (k, &at) in places.iter().enumerate() {
            if self.labelled[k] || !self.reached[k] {
                continue;
            }
            match (self.predicted[k], self.values[k]) {
                (Some(class), _) => {
                    let fill = of_class(class).mix(sure(self, k)).filled();
                    marker::draw(area, at, class, small, fill)?;
                }
                (None, Some(value)) => {
                    let fill = SHADE.mix(level(value, reach)).filled();
                    area.draw(&Circle::new(at, small, fill))?;
                }
                (None, None) => marker::cross(area, at, small)?,
            }
        }
        for (k, &at) in places.iter().enumerate() {
            match (self.labelled[k], self.given[k], self.values[k]) {
                (true, Some(class), _) => marker::ringed(area, at, class, 5)?,
                (true, None, value) => {
                    area.draw(&Circle::new(at, 7, INK.filled()))?;
                    area.draw(&Circle::new(at, 5, PAPER.filled()))?;
                    let share = value.map_or(0.0, |v| level(v, reach));
                    area.draw(&Circle::new(at, 5, SHADE.mix(share).filled()))?;
                }
                (false, ..) => {}
            }
        }
        for (&at, _) in places.iter().zip(&self.suspicious).filter(|(_, s)| **s) {
            marker::doubt(area, at, 11)?;
        }
        let at = (WIDTH - LEGEND, head.height());
        legend(self).draw(area, at)?;
        if self.classes.is_empty() {
            scale(area, reach, (at.0, at.1 + legend(self).height() + 8))?;
        }
        area.present()
    }
}

/// Sentences above the map.
fn head(map: &Map) -> Head {
    let mut notes = vec![format!("places: {}; {STRETCHED}", map.plane.how)];
    notes.extend(shown(&map.plane));
    notes.push(match map.classes.is_empty() {
        true => "the darker, the larger the predicted number".to_owned(),
        false => "colour and shape: predicted class; the fainter, the less sure".to_owned(),
    });
    Head::new(&map.title(), &notes, WIDTH)
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

fn legend(map: &Map) -> Legend<'_> {
    let drawn = map.plane.samples.len();
    let labelled = map.labelled.iter().filter(|l| **l).count();
    let doubted = map.suspicious.iter().filter(|s| **s).count();
    let unreached = (map.reached.iter().zip(&map.labelled))
        .filter(|(r, l)| !**r && !**l)
        .count();
    let mut also = vec![(Also::Labelled, format!("labelled: {labelled}"))];
    if unreached > 0 {
        also.push((Also::Unreached, format!("no label reaches: {unreached}")));
    }
    if doubted > 0 {
        also.push((Also::Doubted, format!("label looks wrong: {doubted}")));
    }
    if map.classes.is_empty() {
        also.push((Also::Placed, format!("drawn: {drawn}")));
    }
    Legend {
        classes: &map.classes,
        also,
    }
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

/// The least and the largest number.
fn numbers(map: &Map) -> (f64, f64) {
    let values = map.values.iter().flatten();
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| {
        (l.min(*v), h.max(*v))
    })
}

fn level(value: f64, (low, high): (f64, f64)) -> f64 {
    let share = match high > low {
        true => (value - low) / (high - low),
        false => 1.0,
    };
    opacity((share * 10.0).round() / 10.0)
}

/// What a darkness means.
fn scale<B: DrawingBackend>(area: &Area<B>, (low, high): (f64, f64), at: (i32, i32)) -> Drawn<B> {
    if low > high {
        return Ok(());
    }
    for k in 0..=5 {
        let share = f64::from(k) / 5.0;
        let value = low + share * (high - low);
        let y = at.1 + 22 * k;
        let corners = [(at.0, y), (at.0 + 22, y + 18)];
        let fill = SHADE.mix(level(value, (low, high))).filled();
        area.draw(&Rectangle::new(corners, fill))?;
        let said = style(14, &INK, HPos::Left);
        area.draw(&Text::new(number(value), (at.0 + 30, y + 9), said))?;
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
