//! The graph: its parts, and how its nodes fit the rows of the table.

use isotherm::data::Nodes;
use isotherm::data::graph::{GraphReport, Relation};
use isotherm::monitor::Monitor;
use isotherm::resources::cost::SampleKind;
use isotherm_io::{NodeNames, Source, Table};
use serde_json::json;

use super::findings::{Findings, Role, Weight};
use crate::args::{Check, Isolated};
use crate::console::{Console, count};
use crate::failure::Outcome;
use crate::load::graph::{EdgeKind, check_relations, row_names, sparse_features};

/// Looks at the edges; nodes and edges, for the plan. `features` are those of the table.
pub(super) fn look(
    args: &Check,
    table: &Table,
    labels: Option<&[Option<String>]>,
    found: &mut Findings,
    features: usize,
    (console, monitor): (&Console, &mut dyn Monitor),
) -> Outcome<Option<(usize, SampleKind)>> {
    let label = Some(args.data.label.as_str()).filter(|l| !l.is_empty());
    let Some(ids) = found.take(row_names(table, args.data.id.as_deref(), label)) else {
        return Ok(None);
    };
    found.take(check_relations(&args.data.graph));
    let mut names = NodeNames::default();
    let mut kinds = Vec::with_capacity(args.data.graph.len());
    for file in &args.data.graph {
        let known = (std::mem::take(&mut names), ids.as_slice());
        let read = EdgeKind::read(file, args.data.direction, known, console, monitor);
        let Some((kind, more)) = found.take(read) else {
            return Ok(None);
        };
        names = more;
        kinds.push(kind);
    }
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
    let (mut features, mut values) = (features, features * names.len());
    if let Some(file) = &args.data.node_features {
        let source = Source::from(file.as_path());
        let read = sparse_features(&source, &names, None, console, monitor);
        if let Some(sparse) = found.take(read) {
            (features, values) = (sparse.names.len(), sparse.values());
            found.facts.push((
                "node features",
                format!(
                    "{} of {}, the others are zero",
                    count(values, "value", "values"),
                    count(features, "feature", "features")
                ),
            ));
        }
    }
    let kind = EdgeKind::cost(&kinds, args.data.direction, (features, values));
    let (nodes, several) = (names.len(), kinds.len() > 1);
    let mut graphs = Vec::with_capacity(kinds.len());
    let mut sum = GraphReport::default();
    for own in kinds {
        let built = own.builder.with_nodes(nodes).finish(monitor);
        let Some((graph, report)) = found.take(built.map_err(Into::into)) else {
            return Ok(None);
        };
        if several {
            let edges = count(report.edges, "edge", "edges");
            found
                .facts
                .push(("edges", format!("{}: {edges}", own.relation)));
        }
        sum.loops += report.loops;
        sum.duplicates += report.duplicates;
        graphs.push(Relation::new(own.relation, graph));
    }
    let all = found.take(Nodes::of_relations(graphs, None, monitor).map_err(Into::into));
    let Some(all) = all else {
        return Ok(None);
    };
    let graph = all.graph();
    let report = GraphReport {
        nodes,
        edges: graph.entries().div_ceil(2),
        isolated: graph.isolated(),
        ..sum
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
    Ok(Some((names.len(), kind)))
}
