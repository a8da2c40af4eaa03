//! A table of nodes and files of edges → a graph.

use std::path::Path;

use isotherm::data::graph::{EdgeRules, Relation};
use isotherm::data::{Graph, GraphBuilder, Links, Nodes, Points};
use isotherm::monitor::Monitor;
use isotherm::recipe::{Method, Recipe};
use isotherm::resources::cost::SampleKind;
use isotherm::study::Input;
use isotherm_io::{
    EdgeOptions, FeaturePlan, Header, NodeNames, Source, SparseFeatures, Table, read_edges_of,
    read_node_features,
};

use crate::args::{Data, Direction, EdgeFile, Isolated};
use crate::console::{Console, count};
use crate::failure::{Failure, Outcome};
use crate::terminal;

/// Edges that were read, before they are a graph.
pub(super) struct Edges {
    kinds: Vec<EdgeKind>,
    direction: Direction,
    pub(super) names: NodeNames,
    /// The node of each row of the table.
    pub(super) rows: Vec<u32>,
}

/// The edges of one file.
pub(crate) struct EdgeKind {
    pub(crate) relation: String,
    pub(crate) builder: GraphBuilder,
    /// The edges as they lead, where that counts.
    arrows: Vec<(u32, u32, f64)>,
    edges: usize,
    weighted: bool,
}

impl EdgeKind {
    /// Reads a file of edges between nodes of which some are known already.
    pub(crate) fn read(
        file: &EdgeFile,
        direction: Direction,
        (known, listed): (NodeNames, &[String]),
        console: &Console,
        monitor: &mut dyn Monitor,
    ) -> Outcome<(Self, NodeNames)> {
        let source = &Source::from(file.path.as_path());
        let directed = direction != Direction::Ignored;
        let mut own = Self {
            relation: file.relation(),
            builder: GraphBuilder::new(EdgeRules::default()),
            arrows: Vec::new(),
            edges: 0,
            weighted: false,
        };
        console.record().reads(source.path());
        let (names, read_as) = terminal::awaiting(source, || {
            let options = EdgeOptions::default();
            read_edges_of(source, &options, known, listed, monitor, &mut |edge| {
                own.edges += 1;
                own.weighted |= edge.weight.is_some();
                if directed && edge.from != edge.to {
                    let weight = edge.weight.unwrap_or(1.0);
                    own.arrows.push((edge.from, edge.to, weight));
                }
                own.builder.push(edge.from, edge.to, edge.weight)
            })
        })?;
        console.note(&format!(
            "read {}: {read_as}",
            count(own.edges, "edge", "edges")
        ));
        Ok((own, names))
    }

    /// What costs depend on, of all kinds together.
    pub(crate) fn cost(
        kinds: &[Self],
        direction: Direction,
        (features, values): (usize, usize),
    ) -> SampleKind {
        let ends = direction.ends().into_iter().filter(|kept| *kept).count();
        let apart = usize::from(kinds.len() > 1);
        SampleKind::Graph {
            edges: kinds.iter().map(|kind| kind.edges).sum(),
            weighted: kinds.iter().any(|kind| kind.weighted) || apart > 0,
            features,
            values,
            relations: kinds.len() * (apart + ends),
        }
    }
}

/// Refuses two kinds of edges of one name.
pub(crate) fn check_relations(files: &[EdgeFile]) -> Outcome<()> {
    for (k, file) in files.iter().enumerate() {
        if let Some(first) = files[..k].iter().find(|f| f.relation() == file.relation()) {
            return Err(Failure::refused(
                "relation",
                format!(
                    "{} and {} are both edges of the kind \"{}\"",
                    first.path.display(),
                    file.path.display(),
                    file.relation()
                ),
                format!("name the kinds: --graph NAME={}", file.path.display()),
            ));
        }
    }
    Ok(())
}

impl Edges {
    /// Reads the edges and finds the node of every row.
    pub(super) fn read(
        table: &Table,
        cells: &[Option<String>],
        data: &Data,
        console: &Console,
        monitor: &mut dyn Monitor,
    ) -> Outcome<Self> {
        let ids = row_names(table, data.id.as_deref(), Some(&data.label))?;
        let mut names = NodeNames::default();
        let mut kinds = Vec::with_capacity(data.graph.len());
        for file in &data.graph {
            let (kind, more) =
                EdgeKind::read(file, data.direction, (names, &ids), console, monitor)?;
            names = more;
            kinds.push(kind);
        }
        let mut rows = Vec::with_capacity(ids.len());
        for (row, id) in ids.iter().enumerate() {
            let known = names.find(id);
            if known.is_none() && cells[row].is_some() && data.isolated == Isolated::Refuse {
                let near = names.near(id);
                let way_out = match &near {
                    Some(near) => format!("did you mean \"{near}\"? or pass --isolated keep"),
                    None => "remove the row, add its edges, or pass --isolated keep".to_owned(),
                };
                let place = table.origin().place(row);
                let file = table.origin().file(row).display();
                return Err(Failure::refused(
                    "node",
                    format!("{file} {place}: node \"{id}\" is labelled but not in the graph"),
                    way_out,
                )
                .in_row(table, row));
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
        Ok(Self {
            kinds,
            direction: data.direction,
            names,
            rows,
        })
    }

    /// What costs depend on, where nodes have so many columns of features, and so many values in
    /// them.
    pub(super) fn kind(&self, features: usize, values: usize) -> SampleKind {
        EdgeKind::cost(&self.kinds, self.direction, (features, values))
    }

    /// The row whose label is each node's, where a row labels it.
    pub(super) fn labelled_rows(
        &self,
        table: &Table,
        cells: &[Option<String>],
    ) -> Outcome<Vec<Option<usize>>> {
        let mut found: Vec<Option<usize>> = vec![None; self.names.len()];
        for (row, (&node, cell)) in self.rows.iter().zip(cells).enumerate() {
            let Some(label) = cell else { continue };
            let first = found[node as usize].and_then(|first| cells[first].as_ref());
            match first {
                Some(first) if first != label => {
                    let place = table.origin().place(row);
                    let file = table.origin().file(row).display();
                    let name = self.names.name(node).unwrap_or_default();
                    return Err(Failure::refused(
                        "conflict",
                        format!(
                            "{file} {place}: node \"{name}\" is labelled \"{label}\" here and \"{first}\" before"
                        ),
                        "keep one of the two rows",
                    )
                    .in_row(table, row));
                }
                _ => found[node as usize] = Some(row),
            }
        }
        Ok(found)
    }

    /// The nodes, their names and the node of each row.
    pub(super) fn finish(
        self,
        features: Option<Points>,
        console: &Console,
        monitor: &mut dyn Monitor,
    ) -> Outcome<(Input, NodeNames, Vec<u32>)> {
        let nodes = self.names.len();
        let several = self.kinds.len() > 1;
        let [out, into] = self.direction.ends();
        let mut relations = Vec::with_capacity(self.kinds.len());
        for kind in self.kinds {
            let what = if several {
                format!("graph {}", kind.relation)
            } else {
                "graph".to_owned()
            };
            let graph = built(kind.builder, nodes, &what, console, monitor)?;
            if !(several || out || into || features.is_some()) {
                return Ok((Input::Graph(graph), self.names, self.rows));
            }
            let mut relation = Relation::new(kind.relation, graph);
            if out || into {
                let outgoing = Links::new(nodes, nodes, &kind.arrows)?;
                let incoming = into.then(|| outgoing.reversed());
                relation = relation.directed(out.then_some(outgoing), incoming);
            }
            relations.push(relation);
        }
        let nodes = Nodes::of_relations(relations, features, monitor)?;
        if several {
            console.note(&format!(
                "all kinds of edges: {}",
                count(nodes.graph().entries() / 2, "edge", "edges")
            ));
        }
        Ok((Input::Nodes(nodes), self.names, self.rows))
    }
}

/// The graph of one kind of edges, with what was done to them.
fn built(
    builder: GraphBuilder,
    nodes: usize,
    what: &str,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<Graph> {
    let (graph, report) = builder.with_nodes(nodes).finish(monitor)?;
    console.note(&format!(
        "{what}: {}, {}",
        count(report.nodes, "node", "nodes"),
        count(report.edges, "edge", "edges")
    ));
    let dropped = [
        (report.loops, ["self-loop", "self-loops"], "dropped"),
        (
            report.duplicates,
            ["repeated edge", "repeated edges"],
            "merged",
        ),
        (
            report.zero_weights,
            ["edge", "edges"],
            "of weight zero dropped",
        ),
        (report.isolated, ["node", "nodes"], "without edges kept"),
    ];
    for (n, [one, more], done) in dropped {
        if n > 0 {
            console.note(&format!("{what}: {} {done}", count(n, one, more)));
        }
    }
    Ok(graph)
}

/// Features of the nodes from a file of `node,feature[,value]`.
pub(crate) fn sparse_features(
    source: &Source,
    names: &NodeNames,
    known: Option<&[String]>,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<SparseFeatures> {
    console.record().reads(source.path());
    let (found, unknown, read_as) = terminal::awaiting(source, || {
        read_node_features(source, &EdgeOptions::default(), names, known, monitor)
    })?;
    let header = match read_as.text {
        Some((delimiter, Header::Present)) => format!(": {delimiter}, header"),
        Some((delimiter, Header::Absent)) => format!(": {delimiter}, no header"),
        None => String::new(),
    };
    console.note(&format!(
        "read {} in {} of {}{header}",
        count(found.values(), "value", "values"),
        count(found.names.len(), "feature", "features"),
        count(found.nodes(), "node", "nodes"),
    ));
    if unknown > 0 {
        console.warn(
            "unseen-value",
            &format!(
                "{} not used: the model was fitted without their features",
                count(unknown, "value is", "values are")
            ),
            Some("check how the features are spelled"),
        );
    }
    Ok(found)
}

/// Where the features of nodes come from.
pub(super) enum NodeFeatures<'a> {
    Columns(FeaturePlan),
    File(&'a Path),
    None,
}

/// The features of nodes, where there are some and the method reads them.
pub(super) fn features_of_nodes<'a>(
    plan: FeaturePlan,
    data: &'a Data,
    recipe: &Recipe,
    console: &Console,
) -> Outcome<NodeFeatures<'a>> {
    let lists = [
        &data.features,
        &data.categorical,
        &data.text,
        &data.embedding,
    ];
    let asked = lists.iter().any(|list| !list.is_empty()) || data.node_features.is_some();
    let method = recipe.method.name();
    let unused = |what: &str| {
        let columns = count(
            plan.columns().len(),
            "feature column is",
            "feature columns are",
        );
        if !plan.is_empty() {
            console.note(&format!("{columns} not used: {what}"));
        }
    };
    match (recipe.reads_node_features(), &data.node_features) {
        (true, Some(file)) => {
            unused("the features are those of --node-features");
            Ok(NodeFeatures::File(file))
        }
        (true, None) if plan.is_empty() => Ok(NodeFeatures::None),
        (true, None) => Ok(NodeFeatures::Columns(plan)),
        _ if asked => Err(Failure::refused(
            "unread-flag",
            format!("{method} works along edges and reads no features of nodes"),
            "use --method blend, compare them with --smooth auto, or leave the features out",
        )),
        _ => {
            unused(&format!(
                "{method} works along edges, --method blend uses both"
            ));
            Ok(NodeFeatures::None)
        }
    }
}

/// Refuses a direction that the method does not read, and says what becomes of kinds of edges that
/// it does not tell apart.
pub(super) fn check_kinds(data: &Data, recipe: &Recipe, console: &Console) -> Outcome<()> {
    if matches!(recipe.method, Method::Blend(_)) {
        return Ok(());
    }
    let method = recipe.method.name();
    if data.direction != Direction::Ignored {
        return Err(Failure::refused(
            "unread-flag",
            format!("{method} works along edges without directions"),
            "use --method blend, or leave --direction out",
        ));
    }
    if data.graph.len() > 1 {
        console.note(&format!(
            "kinds of edges are not told apart: {method} works along all of them, --method blend \
             weighs them"
        ));
    }
    Ok(())
}

/// Features of the nodes, one row for each, from those of the rows of the table: zeros for a node that the table
/// does not list, the first row of one that it lists twice.
pub(crate) fn rows_of_nodes(points: &Points, rows: &[u32], nodes: usize) -> Outcome<Points> {
    let dim = points.dim();
    let mut values = vec![0.0; nodes * dim];
    for (row, &node) in rows.iter().enumerate().rev() {
        let node = node as usize;
        points.read(row, &mut values[node * dim..(node + 1) * dim]);
    }
    Ok(Points::new(values, nodes, dim)?)
}

/// The column that names rows: the given one, or the first without the labels.
pub(crate) fn id_column(table: &Table, id: Option<&str>, label: Option<&str>) -> Outcome<String> {
    let mut others = table
        .columns()
        .iter()
        .filter(|c| Some(c.name.as_str()) != label);
    let first = others.next().map(|c| c.name.clone());
    id.map(str::to_owned).or(first).ok_or_else(|| {
        Failure::refused(
            "node-unnamed",
            format!(
                "{}: no column is left to name the nodes",
                table.origin().path.display()
            ),
            "add a column with the nodes' names, as the edges spell them",
        )
    })
}

/// Adds a row for every node of the graph that the table does not list, so that
/// all nodes get their label; the node of each row, old and new.
pub(crate) fn list_all_nodes(
    table: &mut Table,
    data: &Data,
    names: &NodeNames,
    rows: &[u32],
) -> Outcome<Vec<usize>> {
    let mut listed = vec![false; names.len()];
    let mut samples: Vec<usize> = rows.iter().map(|&n| n as usize).collect();
    samples.iter().for_each(|&n| listed[n] = true);
    let mut added = Vec::new();
    for (node, name) in names.iter().enumerate() {
        if !listed[node] {
            samples.push(node);
            added.push(name.to_owned());
        }
    }
    let id = id_column(table, data.id.as_deref(), Some(&data.label))?;
    table.append_named(&id, &added)?;
    Ok(samples)
}

/// The text that names each row: the given column, or the first that does not
/// hold the labels. White space around a name is no part of it, as in edges.
pub(crate) fn row_names(
    table: &Table,
    id: Option<&str>,
    label: Option<&str>,
) -> Outcome<Vec<String>> {
    let name = id_column(table, id, label)?;
    let names = table.labels(&name)?;
    let blank = names.iter().position(Option::is_none);
    if let Some(row) = blank {
        let place = table.origin().place(row);
        let file = table.origin().file(row).display();
        return Err(Failure::refused(
            "node-unnamed",
            format!("{file} {place}, column \"{name}\": the node has no name"),
            "fill the cell, or choose another column with --id",
        )
        .in_row(table, row)
        .in_column(&name, None));
    }
    let trimmed = names.into_iter().flatten().map(|n| n.trim().to_owned());
    Ok(trimmed.collect())
}
