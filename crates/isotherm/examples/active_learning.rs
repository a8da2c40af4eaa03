//! Which row to label next, from no label at all; each label updates all rows without a refit.
//!
//! `cargo run -p isotherm --example active_learning`
#![allow(clippy::print_stdout)]

use isotherm::data::synthetic;
use isotherm::prelude::*;
use isotherm::query::{Options, suggest};

fn main() -> Result<()> {
    let (points, circle) = synthetic::circles(3, 100, 1)?;
    let none: Vec<Option<&str>> = vec![None; points.len()];
    let recipe = Recipe::automatic(Shape::Table, Task::Classify, 0);
    let mut study = Study::new(&recipe, Input::Table(points), &Targets::from_names(&none))?;
    let options = SuggestOptions {
        classes: ["0", "1", "2"].map(str::to_owned).to_vec(),
        ..SuggestOptions::default()
    };
    let mut ledger = study.ledger(&options, &mut Quiet)?;
    for count in 1..=12 {
        let next = &suggest(&ledger, &Options::default(), &mut Quiet)?[0];
        // A person would look at the row; here its circle is known.
        ledger.add_class(next.row, circle[next.row])?;
        let right = ledger.best().iter().zip(&circle).filter(|(a, b)| a == b);
        println!(
            "{count} labels: {} of 300 rows right; {}",
            right.count(),
            next.reason
        );
    }
    Ok(())
}
