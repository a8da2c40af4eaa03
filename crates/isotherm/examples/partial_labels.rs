//! Labels of which only candidate sets are known: "it is a or b".
//!
//! `cargo run -p isotherm --example partial_labels`
#![allow(clippy::print_stdout)]

use isotherm::prelude::*;

fn main() -> Result<()> {
    // Three groups on a line. Every fifth row has a set of two classes that holds the right one.
    let x: Vec<f64> = (0..60)
        .map(|i| f64::from(i / 20) * 5.0 + 0.05 * f64::from(i % 20))
        .collect();
    let truth: Vec<u32> = (0..60).map(|i| i / 20).collect();
    let sets = (truth.iter().enumerate()).map(|(i, c)| {
        let other = (c + 1 + (i as u32 / 5) % 2) % 3;
        (i % 5 == 0).then(|| vec![*c, other])
    });
    let targets = Targets::Sets {
        labels: sets.collect(),
        names: ["low", "middle", "high"].map(str::to_owned).to_vec(),
    };

    let recipe = Recipe::automatic(Shape::Table, Task::Classify, 0);
    let mut study = Study::new(&recipe, Input::Table(Points::new(x, 60, 1)?), &targets)?;
    let model = study.fit(&mut Quiet)?;
    if let Some(settled) = model.settled() {
        let rounds = settled.objective.len();
        println!("{} sets were settled in {rounds} rounds", settled.samples);
    }
    let answer = study.training_answer(&model, &mut Quiet)?;
    let predicted = answer.classes().unwrap_or_default();
    let right = predicted
        .iter()
        .zip(&truth)
        .filter(|(p, t)| **p == Some(**t));
    println!("right on all rows: {} of {}", right.count(), truth.len());
    Ok(())
}
