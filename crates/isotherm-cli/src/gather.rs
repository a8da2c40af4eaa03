//! Files → input and targets, for `label` and `fit` alike.

use isotherm::data::graph::EdgeRules;
use isotherm::data::{GraphBuilder, Points, Targets};
use isotherm::monitor::Monitor;
use isotherm::recipe::cost::{self, Kind, Sizes};
use isotherm::recipe::recipe::guess_task;
use isotherm::recipe::{Input, Recipe, Shape, Task};
use isotherm_io::{
    EdgeOptions, Features, NodeNames, ReadOptions, Source, Table, read_edges, read_table,
};

use crate::args::{Data, How, Isolated, TaskName};
use crate::failure::{Failure, Outcome};
use crate::say_recipe;
use crate::talk::Talk;

/// Everything a fit needs, and the table it came from.
pub(crate) struct Gathered {
    pub(crate) table: Table,
    pub(crate) input: Input,
    /// One entry per sample of the input.
    pub(crate) targets: Targets,
    pub(crate) recipe: Recipe,
    pub(crate) features: Vec<String>,
    /// Names of the graph's nodes, and the node of each row of the table.
    pub(crate) nodes: Option<(NodeNames, Vec<u32>)>,
}

/// Reads the table, the graph if there is one, and spells out the recipe.
pub(crate) fn gather(
    data: &Data,
    how: &How,
    memory: u64,
    talk: &Talk,
    monitor: &mut dyn Monitor,
) -> Outcome<Gathered> {
    let table = read_table(&Source::from(&data.data), &ReadOptions::default(), monitor)?;
    if let Some(dialect) = &table.origin().dialect {
        let rows = table.rows();
        talk.note(&format!("read {rows} rows, {dialect}"));
    }
    let labels = table.labels(&data.label)?;
    let task = match how.task {
        TaskName::Classify => Task::Classify,
        TaskName::Regress => Task::Regress,
        TaskName::Auto => {
            let task = guess_task(&labels);
            let word = if task == Task::Classify {
                "classes"
            } else {
                "numbers"
            };
            talk.note(&format!(
                "labels in \"{}\" are taken as {word}; --task decides",
                data.label
            ));
            task
        }
    };
    let shape = match data.graph {
        None => Shape::Table,
        Some(_) => Shape::Graph,
    };
    let recipe = say_recipe::recipe(how, task, shape)?;
    match &data.graph {
        None => gather_table(table, &labels, data, recipe, memory, talk),
        Some(edges) => {
            let edges = Source::from(edges);
            gather_graph(table, &labels, &edges, data, recipe, memory, talk, monitor)
        }
    }
}

fn gather_table(
    table: Table,
    labels: &[Option<String>],
    data: &Data,
    recipe: Recipe,
    memory: u64,
    talk: &Talk,
) -> Outcome<Gathered> {
    let targets = targets(&table, &data.label, labels, recipe.task)?;
    let mut choice = match data.features.is_empty() {
        true => Features::numeric(),
        false => Features::named(&data.features),
    };
    for name in data.exclude.iter().chain(&data.id).chain([&data.label]) {
        choice = choice.except(name);
    }
    let dim = choice.resolve(&table)?.len();
    let kind = Kind::Table { dim };
    cost::check(&recipe, &sizes(table.rows(), &targets, kind), memory)?;
    let (features, points) = choose_features(&table, &choice)?;
    talk.note(&format!("features: {}", listed(&features)));
    Ok(Gathered {
        input: Input::Table(points),
        targets,
        recipe,
        features,
        nodes: None,
        table,
    })
}

/// The chosen columns as points; refusals name the file's line and column.
pub(crate) fn choose_features(table: &Table, choice: &Features) -> Outcome<(Vec<String>, Points)> {
    if choice.resolve(table)?.is_empty() {
        return Err(Failure::refused(
            "features",
            format!(
                "{}: no numeric column is left to learn from",
                table.origin().path.display()
            ),
            format!(
                "choose some with --features; there are {}",
                listed(&table.names())
            ),
        ));
    }
    Ok(table.features(choice)?)
}

#[allow(clippy::too_many_arguments)]
fn gather_graph(
    table: Table,
    labels: &[Option<String>],
    edges: &Source,
    data: &Data,
    recipe: Recipe,
    memory: u64,
    talk: &Talk,
    monitor: &mut dyn Monitor,
) -> Outcome<Gathered> {
    let mut builder = GraphBuilder::new(EdgeRules::default());
    let mut given = 0_usize;
    let mut weighted = false;
    let mut names = read_edges(edges, &EdgeOptions::default(), monitor, &mut |edge| {
        given += 1;
        weighted |= edge.weight.is_some();
        builder.push(edge.from, edge.to, edge.weight)
    })?;
    let ids = row_names(&table, data.id.as_deref())?;
    let mut rows = Vec::with_capacity(ids.len());
    for (row, id) in ids.iter().enumerate() {
        let known = names.find(id);
        if known.is_none() && labels[row].is_some() && data.isolated == Isolated::Refuse {
            let near = names.near(id);
            let way_out = match &near {
                Some(near) => format!("did you mean \"{near}\"? or pass --isolated keep"),
                None => "remove the row, add its edges, or pass --isolated keep".to_owned(),
            };
            let place = table.origin().place(row);
            let file = table.origin().path.display();
            return Err(Failure::refused(
                "node",
                format!("{file} {place}: node \"{id}\" is labelled but not in the graph"),
                way_out,
            ));
        }
        let node = known.or_else(|| names.intern(id));
        rows.push(node.ok_or_else(|| {
            Failure::refused(
                "limit",
                "the graph has too many nodes",
                "use fewer than 2^32 − 1",
            )
        })?);
    }
    let mut by_node: Vec<Option<String>> = vec![None; names.len()];
    for (row, (&node, label)) in rows.iter().zip(labels).enumerate() {
        let Some(label) = label else { continue };
        match &by_node[node as usize] {
            Some(first) if first != label => {
                let place = table.origin().place(row);
                let file = table.origin().path.display();
                return Err(Failure::refused(
                    "conflict",
                    format!(
                        "{file} {place}: node \"{}\" is labelled \"{label}\" here and \"{first}\" before",
                        ids[row]
                    ),
                    "keep one of the two rows",
                ));
            }
            _ => by_node[node as usize] = Some(label.clone()),
        }
    }
    let targets = targets(&table, &data.label, &by_node, recipe.task)?;
    let kind = Kind::Graph {
        edges: given,
        weighted,
    };
    cost::check(&recipe, &sizes(names.len(), &targets, kind), memory)?;
    let (graph, report) = builder.with_nodes(names.len()).finish(monitor)?;
    talk.note(&format!(
        "graph: {} nodes, {} edges",
        report.nodes, report.edges
    ));
    let dropped = [
        (report.loops, "self-loops dropped"),
        (report.duplicates, "repeated edges merged"),
        (report.zero_weights, "edges of weight zero dropped"),
        (report.isolated, "nodes without edges kept"),
    ];
    for (count, what) in dropped {
        if count > 0 {
            talk.note(&format!("graph: {count} {what}"));
        }
    }
    Ok(Gathered {
        table,
        input: Input::Graph(graph),
        targets,
        recipe,
        features: Vec::new(),
        nodes: Some((names, rows)),
    })
}

/// The text that names each row: the given column, or the first.
pub(crate) fn row_names(table: &Table, id: Option<&str>) -> Outcome<Vec<String>> {
    let first = table.columns().first().map(|c| c.name.clone());
    let name = id.map(str::to_owned).or(first).unwrap_or_default();
    let names = table.labels(&name)?;
    let blank = names.iter().position(Option::is_none);
    if let Some(row) = blank {
        let place = table.origin().place(row);
        let file = table.origin().path.display();
        return Err(Failure::refused(
            "node",
            format!("{file} {place}, column \"{name}\": the node has no name"),
            "fill the cell, or choose another column with --id",
        ));
    }
    Ok(names.into_iter().flatten().collect())
}

fn targets(table: &Table, column: &str, labels: &[Option<String>], task: Task) -> Outcome<Targets> {
    if task == Task::Classify {
        return Ok(Targets::from_names(labels));
    }
    let mut values = Vec::with_capacity(labels.len());
    for label in labels {
        let value = match label {
            None => None,
            Some(text) => match text.trim().parse::<f64>() {
                Ok(v) if v.is_finite() => Some(v),
                _ => {
                    return Err(Failure::refused(
                        "label",
                        format!(
                            "{}, column \"{column}\": the label \"{text}\" is not a number",
                            table.origin().path.display()
                        ),
                        "mend it, leave it blank, or pass --task classify",
                    ));
                }
            },
        };
        values.push(value);
    }
    Ok(Targets::Values(values))
}

fn sizes(samples: usize, targets: &Targets, kind: Kind) -> Sizes {
    let width = match targets {
        Targets::Classes { names, .. } => names.len(),
        _ => 1,
    };
    Sizes {
        samples,
        labelled: targets.labelled().len(),
        width,
        kind,
    }
}

/// The first few names, and how many more.
pub(crate) fn listed(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let shown = names
        .iter()
        .take(SHOWN)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    match names.len() {
        n if n > SHOWN => format!("{shown} and {} more", n - SHOWN),
        _ => shown,
    }
}
