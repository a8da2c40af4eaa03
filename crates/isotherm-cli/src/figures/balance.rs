//! Classes among the labels and among the predictions.

use isotherm::view::Balance;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::ink::{CLASSES, FAINT, INK, PAPER};
use super::text::{Head, MARGIN, clean, style};
use super::{Area, Drawn, Picture};
use crate::short_names::distinct;

const WIDTH: i32 = 860;
const LEFT: i32 = 170;
const BAR: i32 = 14;
const CLASS: i32 = 46;

/// Classes that are drawn at most; the others are counted together.
const DRAWN: usize = 40;

/// Letters of a class's name.
const LETTERS: usize = 20;

/// One class, or several together.
struct Line {
    name: String,
    given: usize,
    audit: Option<usize>,
    predicted: usize,
}

fn lines(balance: &Balance) -> Vec<Line> {
    let names: Vec<String> = balance.classes.iter().map(|c| c.name.clone()).collect();
    let short = distinct(&names, LETTERS);
    let line = |(c, name): (&isotherm::view::balance::ClassCount, &String)| Line {
        name: clean(name),
        given: c.given,
        audit: c.audit,
        predicted: c.predicted,
    };
    let mut out: Vec<Line> = (balance.classes.iter().zip(&short).take(DRAWN))
        .map(line)
        .collect();
    let rest = balance.classes.get(DRAWN..).unwrap_or_default();
    if !rest.is_empty() {
        out.push(Line {
            name: format!("{} others", rest.len()),
            given: rest.iter().map(|c| c.given).sum(),
            audit: (rest[0].audit).map(|_| rest.iter().filter_map(|c| c.audit).sum()),
            predicted: rest.iter().map(|c| c.predicted).sum(),
        });
    }
    out
}

fn head(balance: &Balance) -> Head {
    let mut notes = vec![format!(
        "shares of {} labels and of {} predictions{}; numbers are samples",
        balance.labels,
        balance.filled(),
        match balance.unreached {
            0 => String::new(),
            n => format!(" ({n} more samples without a label are not reached)"),
        }
    )];
    if balance.classes.iter().any(|c| c.audit.is_some()) {
        notes.push(
            "solid: labels of rows drawn at random; hollow: labels of rows that were suggested"
                .to_owned(),
        );
    }
    Head::new(&balance.title(), &notes, WIDTH)
}

impl Picture for Balance {
    fn size(&self) -> (u32, u32) {
        let rows = lines(self).len() as i32;
        (
            WIDTH as u32,
            (head(self).height() + 34 + CLASS * rows + 16) as u32,
        )
    }

    fn title(&self) -> String {
        format!(
            "balance of {} classes: given and predicted",
            self.classes.len()
        )
    }

    fn describe(&self) -> String {
        let said: Vec<String> = (lines(self).iter())
            .map(|c| {
                let audit = c.audit.map(|n| format!(" ({n} drawn at random)"));
                format!(
                    "{}: {} given{}, {} predicted.",
                    c.name,
                    c.given,
                    audit.unwrap_or_default(),
                    c.predicted
                )
            })
            .collect();
        said.join(" ")
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Drawn<B> {
        area.fill(&PAPER)?;
        let head = head(self);
        head.draw(area)?;
        let top = head.height();
        for (k, name) in ["given", "predicted"].into_iter().enumerate() {
            let x = LEFT + 130 * k as i32;
            let corners = [(x, top + 4), (x + 14, top + 18)];
            area.draw(&Rectangle::new(corners, CLASSES[k].filled()))?;
            let place = (x + 20, top + 11);
            area.draw(&Text::new(name, place, style(15, &INK, HPos::Left)))?;
        }
        let share = |n: usize, of: usize| n as f64 / of.max(1) as f64;
        let lines = lines(self);
        let most = lines.iter().fold(0.0_f64, |m, c| {
            m.max(share(c.given, self.labels))
                .max(share(c.predicted, self.filled()))
        });
        // Room for the numbers after a bar.
        let after = if self.classes.iter().any(|c| c.audit.is_some()) {
            200
        } else {
            110
        };
        let room = f64::from(WIDTH - LEFT - MARGIN - after);
        let long = |s: f64| (room * s / most.max(f64::MIN_POSITIVE)).round() as i32;
        let bars = top + 34;
        let bottom = bars + CLASS * lines.len() as i32;
        area.draw(&PathElement::new(
            vec![(LEFT, bars - 4), (LEFT, bottom)],
            INK.stroke_width(1),
        ))?;
        for (k, class) in lines.iter().enumerate() {
            let y = bars + CLASS * k as i32;
            let line = vec![(LEFT, y + CLASS - 8), (WIDTH - MARGIN, y + CLASS - 8)];
            area.draw(&PathElement::new(line, FAINT.stroke_width(1)))?;
            let place = (LEFT - 10, y + BAR);
            let said = style(15, &INK, HPos::Right);
            area.draw(&Text::new(class.name.clone(), place, said))?;
            let given = share(class.given, self.labels);
            let solid = share(class.audit.unwrap_or(class.given), self.labels);
            let end = LEFT + long(given);
            let corners = |from: i32, to: i32, y: i32| [(from, y), (to, y + BAR)];
            if solid < given {
                let edge = CLASSES[0].stroke_width(2);
                area.draw(&Rectangle::new(corners(LEFT + 1, end - 1, y), edge))?;
            }
            let full = LEFT + long(solid);
            area.draw(&Rectangle::new(corners(LEFT, full, y), CLASSES[0].filled()))?;
            let small = style(13, &INK, HPos::Left);
            let text = match class.audit {
                Some(audit) => format!(
                    "{} ({:.0} %), {audit} at random",
                    class.given,
                    100.0 * given
                ),
                None => format!("{} ({:.0} %)", class.given, 100.0 * given),
            };
            let room_for = super::text::width(&text, 13);
            let from = (end + 8).min(WIDTH - MARGIN - room_for);
            area.draw(&Text::new(text, (from, y + BAR / 2), small.clone()))?;
            let predicted = share(class.predicted, self.filled());
            let end = LEFT + long(predicted);
            let y = y + BAR + 3;
            area.draw(&Rectangle::new(corners(LEFT, end, y), CLASSES[1].filled()))?;
            let text = format!("{} ({:.0} %)", class.predicted, 100.0 * predicted);
            area.draw(&Text::new(text, (end + 8, y + BAR / 2), small))?;
        }
        area.present()
    }
}
