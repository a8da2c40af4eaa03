//! A table of nodes and a file of edges → a graph.

use std::path::Path;

use isotherm::data::graph::EdgeRules;
use isotherm::data::{Graph, GraphBuilder, Points};
use isotherm::monitor::Monitor;
use isotherm::recipe::{Method, Recipe};
use isotherm::resources::cost::Kind;
use isotherm_io::{
    Edge, EdgeOptions, FeaturePlan, Header, NodeNames, ReadAs, Source, Table, read_edges_as,
};

use crate::args::{Data, Isolated};
use crate::console::{Console, count};
use crate::failure::{Failure, Outcome};
use crate::terminal;

/// Edges that were read, before they are a graph.
pub(super) struct Edges {
    builder: GraphBuilder,
    pub(super) names: NodeNames,
    /// The node of each row of the table.
    pub(super) rows: Vec<u32>,
    edges: usize,
    weighted: bool,
}

impl Edges {
    /// Reads the edges and finds the node of every row.
    pub(super) fn read(
        path: &Path,
        table: &Table,
        cells: &[Option<String>],
        data: &Data,
        console: &Console,
        monitor: &mut dyn Monitor,
    ) -> Outcome<Self> {
        let edges = &Source::from(path);
        let mut builder = GraphBuilder::new(EdgeRules::default());
        let mut given = 0_usize;
        let mut weighted = false;
        console.record().reads(edges.path());
        let mut first = FirstEdge::default();
        let (mut names, read_as) = terminal::awaiting(edges, || {
            read_edges_as(edges, &EdgeOptions::default(), monitor, &mut |edge| {
                given += 1;
                weighted |= edge.weight.is_some();
                first.look(&edge);
                builder.push(edge.from, edge.to, edge.weight)
            })
        })?;
        console.note(&format!(
            "read {}: {read_as}",
            count(given, "edge", "edges")
        ));
        let ids = row_names(table, data.id.as_deref(), Some(&data.label))?;
        first.tell(edges, &names, read_as, &ids, console);
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
            builder,
            names,
            rows,
            edges: given,
            weighted,
        })
    }

    /// What costs depend on, where nodes have so many columns of features.
    pub(super) fn kind(&self, features: usize) -> Kind {
        Kind::Graph {
            edges: self.edges,
            weighted: self.weighted,
            features,
        }
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

    /// The graph, and the names of its nodes with the node of each row.
    pub(super) fn finish(
        self,
        console: &Console,
        monitor: &mut dyn Monitor,
    ) -> Outcome<(Graph, NodeNames, Vec<u32>)> {
        let (graph, report) = (self.builder)
            .with_nodes(self.names.len())
            .finish(monitor)?;
        console.note(&format!(
            "graph: {}, {}",
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
        for (n, [one, more], what) in dropped {
            if n > 0 {
                console.note(&format!("graph: {} {what}", count(n, one, more)));
            }
        }
        Ok((graph, self.names, self.rows))
    }
}

/// The first edge, which may be a header.
#[derive(Default)]
struct FirstEdge {
    edge: Option<Edge>,
    /// Whether one of its nodes is in another edge.
    again: bool,
    others: bool,
}

impl FirstEdge {
    fn look(&mut self, edge: &Edge) {
        match self.edge {
            None => self.edge = Some(*edge),
            Some(first) => {
                let ours = |node: u32| node == first.from || node == first.to;
                self.again |= ours(edge.from) || ours(edge.to);
                self.others = true;
            }
        }
    }

    /// Warns where its nodes are in no other edge and in no row of the table, though others
    /// are.
    fn tell(
        &self,
        from: &Source,
        names: &NodeNames,
        read: ReadAs,
        ids: &[String],
        console: &Console,
    ) {
        let text = read
            .text
            .is_some_and(|(_, header)| header == Header::Absent);
        let Some(first) = self.edge.filter(|_| text && self.others && !self.again) else {
            return;
        };
        let nodes = [first.from, first.to].map(|node| names.name(node).unwrap_or_default());
        let known = |id: &String| names.find(id).is_some();
        if ids.iter().any(|id| nodes.contains(&id.as_str())) || !ids.iter().any(known) {
            return;
        }
        console.warn(
            "edges-header",
            &format!(
                "{} line {}: \"{}\" and \"{}\" are in no other edge and no row of the table, and \
                 taken as two nodes",
                from.path().display(),
                first.line,
                nodes[0],
                nodes[1]
            ),
            Some("remove the line if it is a header"),
        );
    }
}

/// The features of nodes, where there are some and the method reads them.
pub(super) fn features_of_nodes(
    plan: FeaturePlan,
    data: &Data,
    recipe: &Recipe,
    console: &Console,
) -> Outcome<Option<FeaturePlan>> {
    let lists = [
        &data.features,
        &data.categorical,
        &data.text,
        &data.embedding,
    ];
    let asked = lists.iter().any(|list| !list.is_empty());
    let method = recipe.method.name();
    match &recipe.method {
        Method::Blend(_) => Ok((!plan.is_empty()).then_some(plan)),
        _ if asked => Err(Failure::refused(
            "unread-flag",
            format!("{method} works along edges and reads no features of nodes"),
            "use --method blend, or leave the features out",
        )),
        _ => {
            if !plan.is_empty() {
                console.note(&format!(
                    "{} not used: {method} works along edges, --method blend uses both",
                    count(
                        plan.columns().len(),
                        "feature column is",
                        "feature columns are"
                    )
                ));
            }
            Ok(None)
        }
    }
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
