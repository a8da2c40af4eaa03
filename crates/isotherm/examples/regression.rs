//! Numbers from a few labelled rows, by harmonic functions and by a kernel Laplacian.
//!
//! `cargo run -p isotherm --example regression`
#![allow(clippy::print_stdout)]

use isotherm::prelude::*;

fn main() -> Result<()> {
    // y = sin(3x) on [0, 2]; every twentieth of 200 rows is labelled.
    let x: Vec<f64> = (0..200).map(|i| 0.01 * f64::from(i)).collect();
    let truth: Vec<f64> = x.iter().map(|v| (3.0 * v).sin()).collect();
    let labels = (truth.iter().enumerate()).map(|(i, y)| (i % 20 == 0).then_some(*y));
    let targets = Targets::Values(labels.collect());
    let points = Points::new(x, 200, 1)?;

    for recipe in [
        Recipe::automatic(Shape::Table, Task::Regress, 0),
        Recipe::of(Method::laplacian(Task::Regress), Task::Regress, 0),
    ] {
        let mut study = Study::new(&recipe, Input::Table(points.clone()), &targets)?;
        let model = study.fit(&mut Quiet)?;
        let answer = study.training_answer(&model, &mut Quiet)?;
        let squares = (answer.values().unwrap_or_default().iter().zip(&truth))
            .filter_map(|(guess, y)| guess.map(|g| (g - y).powi(2)));
        let squares: Vec<f64> = squares.collect();
        let mean = squares.iter().sum::<f64>() / squares.len().max(1) as f64;
        println!("{}: mean squared error {mean:.2e}", recipe.method.name());
    }
    Ok(())
}
