//! A table that is read a few rows at a time, twice, and never held as a whole.
//!
//! `cargo run --release -p isotherm --example streaming`
#![allow(clippy::print_stdout)]

use isotherm::data::stream::Slice;
use isotherm::distributed::fit_streamed;
use isotherm::prelude::*;

fn main() -> Result<()> {
    // Two half circles of 20,000 points each, 50 labels.
    let n = 40_000;
    let row = |i: usize| {
        let t = std::f64::consts::PI * (i % 20_000) as f64 / 20_000.0;
        let (shift, sign) = if i < 20_000 { (0.0, 1.0) } else { (1.0, -1.0) };
        [t.cos() + shift, sign * (t.sin() - 0.25)]
    };
    let values: Vec<f64> = (0..n).flat_map(row).collect();
    let labels: Vec<Option<&str>> = (0..n)
        .map(|i| (i % 800 == 0).then_some(if i < 20_000 { "upper" } else { "lower" }))
        .collect();

    let recipe = Recipe::of(Method::laplacian(Task::Classify), Task::Classify, 0);
    let mut rows = Slice::new(&values, 2, 4096)?;
    let model = fit_streamed(
        &recipe,
        &mut rows,
        &Targets::from_names(&labels),
        &mut Quiet,
    )?;
    let new = Points::new(vec![0.0, 0.75, 1.0, -0.75], 2, 2)?;
    let answer = model.predict_rows(&new, &mut Quiet)?;
    println!("two new rows: {:?}", answer.names());
    Ok(())
}
