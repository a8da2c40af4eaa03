//! `isotherm inspect`: what a model file holds.

use isotherm::estimator::stkr::Ridge;
use isotherm::monitor::Monitor;
use isotherm::recipe::Method;
use serde_json::json;

use super::open_model;
use crate::args::Inspect;
use crate::console::{Console, plain, print};
use crate::failure::Outcome;
use crate::load::listed;
use crate::model_text;

pub(crate) fn run(args: &Inspect, console: &Console, monitor: &mut dyn Monitor) -> Outcome<()> {
    let model = open_model(&args.model, console)?;
    model_text::warnings(&model, &model.features, console);
    let smooth = match args.smoothness {
        Some(power) => Some((power, model.smoothness(power, monitor)?)),
        None => None,
    };
    if console.json() {
        let mut value = model_text::value(&model);
        if let Some((power, columns)) = &smooth {
            let columns = columns
                .iter()
                .map(|c| json!({ "size": c.size, "norm": c.norm, "ratio": c.ratio }));
            value["smoothness"] = json!({ "power": power, "columns": columns.collect::<Vec<_>>() });
        }
        return console.answer(value);
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
    let kinds: Vec<String> = model.relations().map(|(name, _)| name.to_owned()).collect();
    if !kinds.is_empty() {
        lines.push(format!("edges      {}: {}", kinds.len(), listed(&kinds)));
    }
    lines.push(match model.classes() {
        Some(names) => format!("classes    {}: {}", names.len(), listed(names)),
        None => "predicts   numbers".to_owned(),
    });
    if let Some(kernel) = model.kernel() {
        let text = serde_json::to_string(kernel).unwrap_or_default();
        lines.push(format!("kernel     {text}"));
    }
    if let Method::Stkr(params) = &model.recipe().method {
        lines.push(format!(
            "transform  {}",
            model_text::transform(&params.transform)
        ));
        lines.push(match params.ridge {
            Ridge::Fixed(ridge) => format!("ridge      {ridge}"),
            Ridge::Auto => "ridge      auto".to_owned(),
        });
    }
    lines.push(format!("solve      {}", model_text::solve(model.report())));
    if let Some(labels) = model.calibrated_on() {
        lines.push(format!("calibrated on {labels} labels"));
    }
    if let Some(choice) = &model.report().choice {
        lines.push(format!("chosen     {choice}"));
    }
    lines.push(format!("seed       {}", model.recipe().seed));
    if let Some((power, columns)) = &smooth {
        lines.push(format!(
            "smoothness r at p = {power} (larger is smoother), size and norm of f:"
        ));
        for (j, c) in columns.iter().enumerate() {
            let name = model
                .classes()
                .map_or("the number", |names| names[j].as_str());
            lines.push(format!(
                "  {name}: {:.4e}, {:.4e}, {:.4e}",
                c.ratio, c.size, c.norm
            ));
        }
    }
    let lines: Vec<String> = lines.iter().map(|line| plain(line)).collect();
    print(&lines.join("\n"))
}
