//! The confusion matrix: lines for a terminal, a picture for a report.

use isotherm::study::evaluate::Confusion;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::ink::{INK, PAPER, SHADE, opacity, text_on};
use super::text::{self, Head, style};
use super::{Area, Drawn, Picture};
use crate::short_names::distinct;

const LEFT: i32 = 130;
/// Room for n after the rows.
const AFTER: i32 = 90;

/// Classes that are told in lines at most; a picture shows more.
const TOLD: usize = 12;

/// Characters of a name that are shown.
const SHOWN: usize = 12;

/// The matrix in lines: given down, predicted across.
pub(crate) fn lines(confusion: &Confusion) -> Vec<String> {
    let n = confusion.classes.len();
    if n > TOLD {
        return vec![format!("{n} classes: --plot draws which are mixed up")];
    }
    let names = shorts(confusion);
    let lost = lost(confusion);
    let counts = confusion.counts.iter().flatten().map(ToString::to_string);
    let words = ["given", "unreached"]
        .into_iter()
        .take(1 + usize::from(lost));
    let texts = (names.iter().cloned())
        .chain(counts)
        .chain(words.map(str::to_owned));
    let width = 2 + texts.map(|t| t.chars().count()).max().unwrap_or(0);
    let cell = |text: &str| format!("{text:>width$}");
    let mut head = cell("given");
    for name in &names {
        head.push_str(&cell(name));
    }
    if lost {
        head.push_str(&cell("unreached"));
    }
    let mut out = vec!["predicted across, given down:".to_owned(), head];
    for (name, row) in names.iter().zip(&confusion.counts) {
        let mut line = cell(name);
        for count in row.iter().take(n + usize::from(lost)) {
            line.push_str(&cell(&count.to_string()));
        }
        out.push(line);
    }
    out
}

/// The classes' names, short and different.
fn shorts(confusion: &Confusion) -> Vec<String> {
    let short = distinct(&confusion.classes, SHOWN - 1);
    short.iter().map(|name| text::clean(name)).collect()
}

/// Whether any row was not reached.
fn lost(confusion: &Confusion) -> bool {
    let n = confusion.classes.len();
    let last = |row: &Vec<usize>| row.get(n).is_some_and(|lost| *lost > 0);
    confusion.counts.iter().any(last)
}

fn total(confusion: &Confusion) -> usize {
    confusion.counts.iter().flatten().sum()
}

/// The side of a cell: large enough for its text, small where classes are many.
fn side(confusion: &Confusion) -> i32 {
    match confusion.classes.len() {
        0..=16 => 58,
        17..=40 => 40,
        _ => 26,
    }
}

fn width(confusion: &Confusion) -> i32 {
    let columns = confusion.classes.len() + usize::from(lost(confusion));
    (LEFT + side(confusion) * columns as i32 + AFTER).max(520)
}

/// Room for the names above the columns.
fn names(confusion: &Confusion) -> i32 {
    let short = shorts(confusion);
    let heads = short.iter().map(|c| text::width(c, 14));
    let unreached = lost(confusion).then(|| text::width("unreached", 14));
    heads.chain(unreached).max().unwrap_or(0) + 18
}

fn head(confusion: &Confusion) -> Head {
    let notes = ["predicted across, given down: counts, and shares of the row in %".to_owned()];
    Head::new(&confusion.title(), &notes, width(confusion))
}

impl Picture for Confusion {
    fn size(&self) -> (u32, u32) {
        let rows = self.classes.len() as i32;
        let height = head(self).height() + names(self) + side(self) * rows + 20;
        (width(self) as u32, height as u32)
    }

    fn title(&self) -> String {
        format!(
            "confusion: {} labels, each predicted by the others",
            total(self)
        )
    }

    fn describe(&self) -> String {
        let right: usize = (self.counts.iter().enumerate())
            .filter_map(|(i, row)| row.get(i))
            .sum();
        let mut mixed: Vec<(usize, String)> = Vec::new();
        for (given, row) in self.classes.iter().zip(&self.counts) {
            for (said, count) in self.classes.iter().zip(row) {
                if given != said && *count > 0 {
                    mixed.push((*count, format!("{given} as {said}: {count}.")));
                }
            }
        }
        mixed.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let first: Vec<String> = mixed.into_iter().take(5).map(|(_, text)| text).collect();
        format!("{right} of {} are right. {}", total(self), first.join(" "))
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Drawn<B> {
        area.fill(&PAPER)?;
        let head = head(self);
        head.draw(area)?;
        let (n, cell) = (self.classes.len(), side(self));
        let columns = n + usize::from(lost(self));
        let top = head.height() + names(self);
        let middle = |i: usize, j: usize| {
            (
                LEFT + cell * j as i32 + cell / 2,
                top + cell * i as i32 + cell / 2,
            )
        };
        let short = shorts(self);
        let heads = short.iter().cloned();
        for (j, name) in heads
            .chain(["unreached".to_owned()])
            .take(columns)
            .enumerate()
        {
            // Turned, so that long names never meet.
            let at = (middle(0, j).0, top - 8);
            let up = style(14, &INK, HPos::Left).transform(FontTransform::Rotate270);
            area.draw(&Text::new(name, at, up))?;
        }
        for (i, row) in self.counts.iter().enumerate() {
            let at = (LEFT - 10, middle(i, 0).1);
            let said = style(14, &INK, HPos::Right);
            area.draw(&Text::new(short[i].clone(), at, said))?;
            let sum: usize = row.iter().sum();
            let at = (LEFT + cell * columns as i32 + 10, middle(i, 0).1);
            let said = style(14, &INK, HPos::Left);
            area.draw(&Text::new(format!("n = {sum}"), at, said))?;
            for (j, count) in row.iter().take(columns).enumerate() {
                let (x, y) = middle(i, j);
                let half = cell / 2 - 1;
                let share = *count as f64 / sum.max(1) as f64;
                let corners = [(x - half, y - half), (x + half, y + half)];
                area.draw(&Rectangle::new(corners, SHADE.mix(opacity(share)).filled()))?;
                if *count == 0 && cell < 50 {
                    continue;
                }
                let ink = text_on(share);
                let both = *count > 0 && cell >= 40;
                let lift = if both { cell / 7 } else { 0 };
                let large = if cell >= 50 { 16 } else { 13 };
                let said = style(large, ink, HPos::Center);
                area.draw(&Text::new(count.to_string(), (x, y - lift), said))?;
                if both {
                    let said = style(large - 3, ink, HPos::Center);
                    let text = format!("{:.0} %", 100.0 * share);
                    area.draw(&Text::new(text, (x, y + lift + 3), said))?;
                }
            }
        }
        area.present()
    }
}
