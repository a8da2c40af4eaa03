//! `isotherm inspect`: what a model file holds.

use super::open_model;
use crate::args::Inspect;
use crate::failure::Outcome;
use crate::gather::listed;
use crate::talk::{Talk, plain, print};
use crate::tell;

pub(crate) fn run(args: &Inspect, talk: &Talk) -> Outcome<()> {
    let model = open_model(&args.model)?;
    if talk.json() {
        let mut value = tell::value(&model);
        value["schema"] = 1.into();
        return print(&value.to_string());
    }
    let mut lines = vec![
        format!("method     {}", model.recipe().method.name()),
        format!(
            "samples    {} ({} labelled)",
            model.anchors(),
            model.labelled()
        ),
    ];
    if let Some(dim) = model.dim() {
        lines.push(format!("features   {dim}: {}", listed(&model.features)));
    }
    lines.push(match model.classes() {
        Some(names) => format!("classes    {}: {}", names.len(), listed(names)),
        None => "predicts   numbers".to_owned(),
    });
    if let Some(kernel) = model.kernel() {
        let text = serde_json::to_string(kernel).unwrap_or_default();
        lines.push(format!("kernel     {text}"));
    }
    lines.push(format!("solve      {}", tell::report(&model)));
    lines.push(format!("seed       {}", model.recipe().seed));
    let lines: Vec<String> = lines.iter().map(|line| plain(line)).collect();
    print(&lines.join("\n"))
}
