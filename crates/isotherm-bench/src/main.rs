//! Micro-benchmarks of isotherm beside its peers and the hardware's limits.
#![allow(clippy::print_stdout)]

mod kernel;
mod report;

fn main() -> anyhow::Result<()> {
    let what = std::env::args().nth(1).unwrap_or_else(|| "all".into());
    let rows = match what.as_str() {
        "distances" => kernel::distances()?,
        "exp" => kernel::exponential(),
        "predict" => kernel::predict()?,
        "nearest" => kernel::nearest()?,
        _ => kernel::run()?,
    };
    for row in rows {
        println!("{}", serde_json::to_string(&row)?);
    }
    Ok(())
}
