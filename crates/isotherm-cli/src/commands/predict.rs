//! `isotherm predict`: labels for new rows or nodes.

use std::collections::HashMap;

use isotherm::data::Links;
use isotherm::monitor::Monitor;
use isotherm::recipe::{Answer, Model};
use isotherm_io::{
    Destination, EdgeOptions, Features, ReadOptions, Source, Table, read_edges, read_model,
    read_table, write_table,
};

use super::check_output;
use crate::args::Predict;
use crate::columns::columns;
use crate::failure::{Failure, Outcome};
use crate::gather::{choose_features, row_names};
use crate::talk::{Talk, print};

pub(crate) fn run(args: &Predict, talk: &Talk, monitor: &mut dyn Monitor) -> Outcome<()> {
    let output = &args.output;
    let overwrite = check_output(&output.output, output.force, talk.json())?;
    let model = Model::from_parts(read_model(&args.model)?)?;
    let source = Source::from(&args.data);
    let mut table = read_table(&source, &ReadOptions::default(), monitor)?;
    let added = match (model.dim(), &args.graph) {
        (Some(_), None) => {
            if args.id.is_some() {
                return Err(Failure::usage(
                    "--id is for models of a graph",
                    "leave it out",
                ));
            }
            let answer = answer_rows(&model, &table, monitor)?;
            let rows: Vec<usize> = (0..table.rows()).collect();
            columns(&model, &answer, &rows, None, output.probabilities)
        }
        (None, Some(edges)) => {
            let ids = row_names(&table, args.id.as_deref())?;
            let edges = Source::from(edges);
            let answer = answer_nodes(&model, &ids, Some(&edges), talk, monitor)?;
            let rows: Vec<usize> = (0..ids.len()).collect();
            columns(&model, &answer, &rows, None, output.probabilities)
        }
        (None, None) => {
            let ids = row_names(&table, args.id.as_deref())?;
            let answer = answer_nodes(&model, &ids, None, talk, monitor)?;
            let rows: Vec<usize> = (0..ids.len()).collect();
            columns(&model, &answer, &rows, None, output.probabilities)
        }
        (Some(_), Some(_)) => {
            return Err(Failure::usage(
                "this model was fitted on a table, --graph means nothing to it",
                "leave --graph out",
            ));
        }
    };
    let unreached = count_unreached(&added);
    for column in added {
        table.push_column(column)?;
    }
    if unreached > 0 {
        talk.warn(
            &format!("{unreached} of {} rows cannot be reached from any label; they are marked iso_reached=false", table.rows()),
            Some("they lie far from everything the model has seen"),
        );
    }
    let destination = Destination::from(&output.output);
    write_table(&table, &destination, None, overwrite, monitor)?;
    talk.note(&format!("labelled {} rows", table.rows() - unreached));
    if talk.json() {
        let value = serde_json::json!({
            "schema": 1,
            "output": output.output.display().to_string(),
            "rows": table.rows(),
            "unreached": unreached,
        });
        print(&value.to_string())?;
    }
    Ok(())
}

fn count_unreached(columns: &[isotherm_io::Column]) -> usize {
    let reached = columns.iter().find(|c| c.name == "iso_reached");
    match reached.map(|c| &c.cells) {
        Some(isotherm_io::Cells::Bool(flags)) => flags.values().iter().filter(|f| !**f).count(),
        _ => 0,
    }
}

fn answer_rows(model: &Model, table: &Table, monitor: &mut dyn Monitor) -> Outcome<Answer> {
    let (_, points) = choose_features(table, &Features::named(&model.features))?;
    Ok(model.predict_rows(&points, monitor)?)
}

/// Known nodes are answered for as they were fitted, new ones by their links.
fn answer_nodes(
    model: &Model,
    ids: &[String],
    edges: Option<&Source>,
    talk: &Talk,
    monitor: &mut dyn Monitor,
) -> Outcome<Answer> {
    let names = model.nodes.as_deref().unwrap_or_default();
    let known: HashMap<&str, u32> = names.iter().map(String::as_str).zip(0..).collect();
    let fresh: HashMap<&str, u32> = ids
        .iter()
        .zip(0..)
        .filter(|(id, _)| !known.contains_key(id.as_str()))
        .map(|(id, row)| (id.as_str(), row))
        .collect();
    let mut list = Vec::new();
    if let Some(source) = edges {
        let mut seen = Vec::new();
        let file_names = read_edges(source, &EdgeOptions::default(), monitor, &mut |edge| {
            seen.push((edge.from, edge.to, edge.weight.unwrap_or(1.0)));
            Ok(())
        })?;
        let mut between_new = 0;
        for (from, to, weight) in seen {
            let (Some(from), Some(to)) = (file_names.name(from), file_names.name(to)) else {
                continue;
            };
            match (
                fresh.get(from),
                known.get(to),
                fresh.get(to),
                known.get(from),
            ) {
                (Some(&row), Some(&node), ..) | (_, _, Some(&row), Some(&node)) => {
                    list.push((row, node, weight));
                }
                (Some(_), _, Some(_), _) => between_new += 1,
                _ => {}
            }
        }
        if between_new > 0 {
            talk.warn(
                &format!("{between_new} edges join two new nodes and were not used"),
                Some("a model links new nodes to known ones; label them together with isotherm label"),
            );
        }
    }
    let links = Links::new(ids.len(), names.len(), &list)?;
    let mut answer = model.predict_nodes(&links, monitor)?;
    if let Some(fitted) = model.visible() {
        for (row, id) in ids.iter().enumerate() {
            if let Some(&node) = known.get(id.as_str()) {
                answer.take(row, &fitted, node as usize);
            }
        }
    }
    Ok(answer)
}
