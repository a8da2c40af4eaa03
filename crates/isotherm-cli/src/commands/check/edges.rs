//! The graph: its parts, and how its nodes fit the rows of the table.

use std::path::Path;

use isotherm::data::GraphBuilder;
use isotherm::data::graph::EdgeRules;
use isotherm::monitor::Monitor;
use isotherm::resources::cost::Kind;
use isotherm_io::{EdgeOptions, Source, Table, read_edges};
use serde_json::json;

use super::findings::{Findings, Role, Weight};
use crate::args::{Check, Isolated};
use crate::console::count;
use crate::failure::Outcome;
use crate::load::graph::row_names;
use crate::terminal;

/// Looks at the edges; nodes and edges, for the plan.
pub(super) fn look(
    path: &Path,
    args: &Check,
    table: &Table,
    labels: Option<&[Option<String>]>,
    found: &mut Findings,
    features: usize,
    monitor: &mut dyn Monitor,
) -> Outcome<Option<(usize, Kind)>> {
    let source = Source::from(path);
    let mut builder = GraphBuilder::new(EdgeRules::default());
    let (mut edges, mut weighted) = (0_usize, false);
    let read = terminal::awaiting(&source, || {
        read_edges(&source, &EdgeOptions::default(), monitor, &mut |edge| {
            edges += 1;
            weighted |= edge.weight.is_some();
            builder.push(edge.from, edge.to, edge.weight)
        })
    });
    let Some(mut names) = found.take(read.map_err(Into::into)) else {
        return Ok(None);
    };
    let label = Some(args.data.label.as_str()).filter(|l| !l.is_empty());
    let Some(ids) = found.take(row_names(table, args.data.id.as_deref(), label)) else {
        return Ok(None);
    };
    if let Some(id) = &args.data.id {
        found.assign(id, Role::Id);
    } else if let Some(first) = table
        .columns()
        .iter()
        .find(|c| Some(c.name.as_str()) != label)
    {
        found.assign(&first.name, Role::Id);
    }
    let known = names.len();
    let is_labelled = |row: usize| labels.is_some_and(|l| l[row].is_some());
    let strangers = (0..ids.len()).filter(|&row| names.find(&ids[row]).is_none());
    let strangers: Vec<usize> = strangers.collect();
    let (lost, odd): (Vec<usize>, Vec<usize>) = strangers.iter().partition(|r| is_labelled(**r));
    if let (Some(row), Isolated::Refuse) = (lost.first(), args.data.isolated) {
        let near = names.near(&ids[*row]);
        let near = near.map_or(String::new(), |n| format!("; did you mean \"{n}\"?"));
        found.add(
            Weight::Error,
            "node",
            format!(
                "{} but not in the graph, the first at {}: \"{}\"{near}",
                count(
                    lost.len(),
                    "labelled node is in the table",
                    "labelled nodes are in the table"
                ),
                table.origin().place(*row),
                ids[*row]
            ),
            "correct their names, add their edges, or pass --isolated keep",
        );
    }
    if !odd.is_empty() {
        found.add(
            Weight::Note,
            "node",
            format!("{} no edge", count(odd.len(), "row has", "rows have")),
            "no label can reach them",
        );
    }
    let mut given: Vec<Option<(usize, &str)>> = Vec::new();
    for (row, id) in ids.iter().enumerate() {
        let Some(node) = names.intern(id).map(|n| n as usize) else {
            continue;
        };
        given.resize(given.len().max(names.len()), None);
        let Some(own) = labels.and_then(|l| l[row].as_deref()) else {
            continue;
        };
        match given[node] {
            Some((_, first)) if first != own => found.add(
                Weight::Error,
                "conflict",
                format!(
                    "{}: node \"{id}\" is labelled \"{own}\" here and \"{first}\" before",
                    table.origin().place(row)
                ),
                "keep one of the two rows",
            ),
            Some(_) => {}
            None => given[node] = Some((row, own)),
        }
    }
    given.resize(names.len(), None);
    let built = builder.with_nodes(names.len()).finish(monitor);
    let Some((graph, report)) = found.take(built.map_err(Into::into)) else {
        return Ok(None);
    };
    let parts = graph.components(monitor)?;
    let number = parts.iter().max().map_or(0, |m| *m as usize + 1);
    let mut reached = vec![false; number];
    for (node, part) in parts.iter().enumerate() {
        reached[*part as usize] |= given[node].is_some();
    }
    let away = parts.iter().filter(|p| !reached[**p as usize]).count();
    let only = known.saturating_sub(ids.len() - strangers.len());
    found.facts.push((
        "graph",
        format!(
            "{}, {}, {}; {} without edges; {only} only the edges name",
            count(report.nodes, "node", "nodes"),
            count(report.edges, "edge", "edges"),
            count(number, "connected part", "connected parts"),
            report.isolated
        ),
    ));
    found.values.insert(
        "graph".to_owned(),
        json!({
            "nodes": report.nodes, "edges": report.edges, "parts": number,
            "isolated": report.isolated, "loops": report.loops,
            "repeated_edges": report.duplicates, "unreached": away,
        }),
    );
    if away > 0 && labels.is_some_and(|l| l.iter().any(Option::is_some)) {
        found.add(
            Weight::Warning,
            "unreached",
            format!(
                "{} in parts without a label",
                count(away, "node lies", "nodes lie")
            ),
            "label one node in each such part; isotherm next --strategy cover lists them",
        );
    }
    let kind = Kind::Graph {
        edges,
        weighted,
        features,
    };
    Ok(Some((names.len(), kind)))
}
