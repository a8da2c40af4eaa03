//! The confusion matrix: lines for a terminal, a picture for a report.

use isotherm::recipe::evaluate::Confusion;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::picture::{Area, Drawn, INK, Picture, shade};

const CELL: i32 = 56;
const LEFT: i32 = 150;
const TOP: i32 = 96;
const MARGIN: i32 = 24;

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
    let width = SHOWN.max(6);
    let cell = |text: &str| format!("{text:>width$}");
    let mut head = cell("given");
    for name in &confusion.classes {
        head.push_str(&cell(&short(name)));
    }
    let lost = confusion.counts.iter().any(|row| row.last() > Some(&0));
    if lost {
        head.push_str(&cell("unreached"));
    }
    let mut out = vec!["predicted across, given down:".to_owned(), head];
    for (name, row) in confusion.classes.iter().zip(&confusion.counts) {
        let mut line = cell(&short(name));
        for count in row.iter().take(n + usize::from(lost)) {
            line.push_str(&cell(&count.to_string()));
        }
        out.push(line);
    }
    out
}

fn short(name: &str) -> String {
    match name.chars().count() > SHOWN - 1 {
        true => name.chars().take(SHOWN - 2).chain(['…']).collect(),
        false => name.to_owned(),
    }
}

impl Picture for Confusion {
    fn size(&self) -> (u32, u32) {
        let n = self.classes.len() as i32;
        let width = LEFT + CELL * (n + 1) + MARGIN;
        (width.max(420) as u32, (TOP + CELL * n + MARGIN) as u32)
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>) -> Drawn<B> {
        area.fill(&WHITE)?;
        let n = self.classes.len();
        let text = |size: i32, colour: &RGBColor, at: HPos| {
            let place = Pos::new(at, VPos::Center);
            ("sans-serif", size).into_font().color(colour).pos(place)
        };
        let rows: usize = self.counts.iter().flatten().sum();
        let title = format!("{rows} labels, each predicted by the others");
        area.draw(&Text::new(title, (MARGIN, 22), text(18, &INK, HPos::Left)))?;
        let axes = "predicted across, given down; counts, shaded by the share of the row";
        area.draw(&Text::new(axes, (MARGIN, 46), text(13, &INK, HPos::Left)))?;
        let middle = |i: usize, j: usize| {
            (
                LEFT + CELL * j as i32 + CELL / 2,
                TOP + CELL * i as i32 + CELL / 2,
            )
        };
        let heads = self.classes.iter().map(|c| short(c));
        for (j, name) in heads.chain(["unreached".to_owned()]).enumerate() {
            let at = (middle(0, j).0, TOP - 14);
            area.draw(&Text::new(name, at, text(12, &INK, HPos::Center)))?;
        }
        for (i, row) in self.counts.iter().enumerate() {
            let at = (LEFT - 10, middle(i, 0).1);
            let name = short(&self.classes[i]);
            area.draw(&Text::new(name, at, text(13, &INK, HPos::Right)))?;
            let total = row.iter().sum::<usize>().max(1) as f64;
            for (j, count) in row.iter().take(n + 1).enumerate() {
                let (x, y) = middle(i, j);
                let half = CELL / 2 - 1;
                let share = *count as f64 / total;
                let corners = [(x - half, y - half), (x + half, y + half)];
                area.draw(&Rectangle::new(corners, shade(share).filled()))?;
                let ink = if share > 0.55 { &WHITE } else { &INK };
                let said = text(15, ink, HPos::Center);
                area.draw(&Text::new(count.to_string(), (x, y), said))?;
            }
        }
        area.present()
    }
}
