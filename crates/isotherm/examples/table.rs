//! Classes of the rows of a table from a few labels: labels, accuracy, prediction sets.
//!
//! `cargo run -p isotherm --example table`
#![allow(clippy::print_stdout)]

use isotherm::data::synthetic;
use isotherm::prelude::*;

fn main() -> Result<()> {
    // Four circles of 100 points; every tenth point is labelled.
    let (points, circle) = synthetic::circles(4, 100, 0)?;
    let labels: Vec<Option<String>> = (circle.iter().enumerate())
        .map(|(i, c)| (i % 10 == 0).then(|| format!("circle {c}")))
        .collect();
    let targets = Targets::from_names(&labels);

    let recipe = Recipe::automatic(Shape::Table, Task::Classify, 0);
    let mut study = Study::new(&recipe, Input::Table(points.clone()), &targets)?;

    let found = study.evaluate(&EvaluateOptions::default(), &mut Quiet)?;
    let accuracy = &found.measures[0].estimate;
    println!(
        "expected accuracy on new rows: {:.1} %",
        100.0 * accuracy.value
    );
    if let Some(interval) = &accuracy.interval {
        let (low, high) = (100.0 * interval.low, 100.0 * interval.high);
        println!("95 % interval: {low:.1} to {high:.1} %");
    }

    let model = study.fit(&mut Quiet)?;
    let answer = study.training_answer(&model, &mut Quiet)?;
    let right = (answer.names().iter().zip(&circle))
        .filter(|(name, c)| **name == Some(format!("circle {c}").as_str()))
        .count();
    println!("right on all rows: {right} of {}", points.len());

    if let Sets::Classes(sets) = study.sets(0.9, &mut Quiet)? {
        let single = sets.iter().filter(|set| set.len() == 1).count();
        println!("rows with one class left at level 0.9: {single}");
    }
    Ok(())
}
