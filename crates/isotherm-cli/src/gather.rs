//! Files → input and targets, for `label`, `fit` and `tune` alike.

use std::path::{Path, PathBuf};

use isotherm::data::graph::EdgeRules;
use isotherm::data::points::LARGEST;
use isotherm::data::{GraphBuilder, Points, Targets};
use isotherm::monitor::Monitor;
use isotherm::recipe::{Recipe, Shape, Task};
use isotherm::resources::Budget;
use isotherm::resources::cost::{self, Kind, Sizes};
use isotherm::study::Input;
use isotherm_io::footprint::{SMALL, check_room};
use isotherm_io::labels::without;
use isotherm_io::profile::{meant_as_numbers, names_rows, numbers_rows};
use isotherm_io::provenance::quoted;
use isotherm_io::{
    Edge, EdgeOptions, Features, Format, Header, LeftOut, NodeNames, Plan, ReadAs, Source, Table,
    Unfit, Unseen, read_edges_told, read_tables, sources,
};

use crate::args::{Data, Isolated, Reading};
use crate::failure::{Failure, Outcome};
use crate::given::{decide_task, parse, targets_of, tell_classes, weights_of};
use crate::memory;
use crate::say_recipe::{Situation, Spelling};
use crate::talk::{Talk, count};
use crate::{terminal, unread};

/// Everything a fit needs, and the table it came from.
pub(crate) struct Gathered {
    pub(crate) table: Table,
    pub(crate) input: Input,
    /// One entry per sample of the input.
    pub(crate) targets: Targets,
    /// One weight a sample, where labels count differently.
    pub(crate) weights: Option<Vec<f64>>,
    /// What costs depend on.
    pub(crate) sizes: Sizes,
    pub(crate) recipe: Recipe,
    pub(crate) features: Vec<String>,
    /// Names of the graph's nodes, and the node of each row of the table.
    pub(crate) nodes: Option<(NodeNames, Vec<u32>)>,
}

/// The labels of rows, as they are written and as they were understood.
struct Cells<'a> {
    labels: &'a [Option<String>],
    targets: Targets,
    weights: Option<Vec<f64>>,
    grades: &'a [String],
}

/// Reads the table, the graph if there is one, and spells out the recipe.
pub(crate) fn gather(
    data: &Data,
    how: &dyn Spelling,
    memory: u64,
    talk: &Talk,
    monitor: &mut dyn Monitor,
) -> Outcome<Gathered> {
    check_one_stdin(&data.data, data.graph.as_deref())?;
    unread::by_role(data)?;
    let table = read(
        &data.data,
        &data.reading,
        &data.exclude,
        memory,
        talk,
        monitor,
    )?;
    how.files().for_each(|file| talk.record().reads(file));
    let written = how.written()?;
    let (labels, task) = labels_and_task(&table, data, how, written.as_ref(), talk)?;
    let targets = targets_of(&table, &labels, data, task, how.grades())?;
    let (shape, kind) = match data.graph {
        None => {
            let dim = feature_choice(data).plan(&table)?.len();
            (Shape::Table, Kind::Table { dim })
        }
        // The method does not depend on how many edges there will be.
        Some(_) => (
            Shape::Graph,
            Kind::Graph {
                edges: 0,
                weighted: false,
            },
        ),
    };
    let situation = Situation {
        task,
        sizes: sizes(table.rows(), &targets, kind),
        budget: Budget {
            used: memory::in_use(),
            memory,
            passing: false,
        },
    };
    let recipe = spell(written, how, &situation, talk)?;
    recipe.check(shape)?;
    let weights = weights_of(&table, data)?;
    let given = Cells {
        labels: &labels,
        targets,
        weights,
        grades: how.grades(),
    };
    match &data.graph {
        None => gather_table(table, given, data, recipe, memory, talk),
        Some(edges) => {
            let edges = Source::from(edges);
            gather_graph(table, given, &edges, data, recipe, memory, talk, monitor)
        }
    }
}

/// The recipe of the file or the flags; what was chosen for the user is said.
pub(crate) fn spell(
    written: Option<Recipe>,
    how: &dyn Spelling,
    at: &Situation,
    talk: &Talk,
) -> Outcome<Recipe> {
    let recipe = match written {
        Some(recipe) => recipe,
        None => {
            let spelled = how.flags(at)?;
            if let Some(reason) = spelled.reason {
                talk.chose(reason);
            }
            spelled.recipe
        }
    };
    talk.record().follows(&recipe);
    Ok(recipe)
}

/// The labels and what they are.
pub(crate) fn labels_and_task(
    table: &Table,
    data: &Data,
    how: &dyn Spelling,
    recipe: Option<&Recipe>,
    talk: &Talk,
) -> Outcome<(Vec<Option<String>>, Task)> {
    let task = match recipe {
        Some(recipe) => recipe.task,
        None => {
            let looks = labels_for(table, data, Task::Regress)?;
            decide_task(&looks, data, how, talk)
        }
    };
    let labels = labels_for(table, data, task)?;
    tell_classes(&labels, data, task, talk);
    Ok((labels, task))
}

/// The labels as a task reads them, without those that were said to be none: numbers
/// with a decimal comma are numbers, and are spelled with a point from here on.
pub(crate) fn labels_for(table: &Table, data: &Data, task: Task) -> Outcome<Vec<Option<String>>> {
    let labels = without(table.labels(&data.label)?, &data.unlabelled);
    match (task, table.pointed(&labels)) {
        (Task::Regress, Some(pointed)) => Ok(pointed),
        _ => Ok(labels),
    }
}

/// The feature columns that were asked for.
pub(crate) fn feature_choice(data: &Data) -> Features {
    let mut choice = match (data.features.is_empty(), data.embedding.is_empty()) {
        (_, false) => Features::lists(&data.embedding),
        (true, true) => Features::automatic(),
        (false, true) => Features::named(&data.features),
    };
    for name in &data.categorical {
        choice = choice.categorical(name);
    }
    let aside = data.exclude.iter().chain(&data.id).chain([&data.label]);
    for name in aside.chain(&data.label_weights).filter(|n| !n.is_empty()) {
        choice = choice.except(name);
    }
    choice
}

/// Standard input can be read once.
pub(crate) fn check_one_stdin(data: &[PathBuf], graph: Option<&Path>) -> Outcome<()> {
    let stdin = |path: &Path| Source::from(path) == Source::Stdin;
    match graph.is_some_and(stdin) && data.iter().any(|d| stdin(d)) {
        true => Err(Failure::refused(
            "standard-stream",
            "DATA and --graph are both standard input, which can be read once",
            "give one of them as a file",
        )),
        false => Ok(()),
    }
}

/// Reads a table, or the files that are its parts, and says how it was read; refused
/// before, or on the way, where that takes more than `memory` bytes.
pub(crate) fn read(
    paths: &[PathBuf],
    reading: &Reading,
    without: &[String],
    memory: u64,
    talk: &Talk,
    monitor: &mut dyn Monitor,
) -> Outcome<Table> {
    check_formats(&sources(paths)?, reading)?;
    let table = read_among(paths, reading, without, memory, talk, monitor)?;
    // Of a stream the format is known now.
    let origin = table.origin();
    let formats: Vec<Option<Format>> = match origin.parts.is_empty() {
        true => vec![Some(origin.format)],
        false => origin.parts.iter().map(|(_, o)| Some(o.format)).collect(),
    };
    unread::by_format(reading, &formats)?;
    Ok(table)
}

/// Refuses flags that none of these inputs would read, as far as names tell.
pub(crate) fn check_formats(sources: &[Source], reading: &Reading) -> Outcome<()> {
    let told = reading.options().format;
    let named = |source: &Source| match source {
        Source::Path(path) => told.or_else(|| Format::of_input(path).ok()),
        Source::Stdin => told,
    };
    let formats: Vec<Option<Format>> = sources.iter().map(named).collect();
    unread::by_format(reading, &formats)
}

/// As [`read`], where other tables may read the flags that this one does not.
pub(crate) fn read_among(
    paths: &[PathBuf],
    reading: &Reading,
    without: &[String],
    memory: u64,
    talk: &Talk,
    monitor: &mut dyn Monitor,
) -> Outcome<Table> {
    let sources = sources(paths)?;
    (sources.iter()).for_each(|source| talk.record().reads(source.path()));
    let mut options = reading.options_without(without);
    check_room(&sources, &options, memory::in_use(), memory)?;
    options.limits.memory = memory.saturating_sub(memory::in_use()).max(SMALL);
    let table = terminal::awaiting_any(&sources, || read_tables(&sources, &options, monitor))?;
    let mut rows = count(table.rows(), "row", "rows");
    if sources.len() > 1 {
        rows += &format!(" from {}", count(sources.len(), "file", "files"));
    }
    let columns = count(table.columns().len(), "column", "columns");
    talk.note(&match &table.origin().dialect {
        Some(dialect) => format!("read {rows}: {dialect}"),
        None => format!("read {rows}, {columns}"),
    });
    tell_unread(&table, talk);
    Ok(table)
}

/// Says which columns the table lacks because they cannot be read.
pub(crate) fn tell_unread(table: &Table, talk: &Talk) {
    let unread = &table.origin().unread;
    if unread.is_empty() {
        return;
    }
    let names: Vec<String> = unread.iter().map(|name| format!("\"{name}\"")).collect();
    talk.warn(
        "not-in-output",
        &format!(
            "{} cannot be read and {} not in the output: {}",
            count(unread.len(), "excluded column", "excluded columns"),
            if unread.len() == 1 { "is" } else { "are" },
            listed(&names)
        ),
        None,
    );
}

/// Refuses, before any work, a table whose columns would collide with ours.
pub(crate) fn check_names(table: &Table, probabilities: bool) -> Outcome<()> {
    let ours = [
        "iso_label",
        "iso_confidence",
        "iso_reached",
        "iso_set",
        "iso_low",
        "iso_high",
    ];
    let taken = table
        .names()
        .into_iter()
        .find(|n| ours.contains(&n.as_str()) || probabilities && n.starts_with("iso_p_"));
    match taken {
        Some(name) => Err(Failure::refused(
            "column-taken",
            format!(
                "{}: there is a column \"{name}\" already, as in a table that was labelled before",
                table.origin().path.display()
            ),
            "start from the table without the iso_ columns, or rename them",
        )),
        None => Ok(()),
    }
}

fn gather_table(
    table: Table,
    given: Cells<'_>,
    data: &Data,
    recipe: Recipe,
    memory: u64,
    talk: &Talk,
) -> Outcome<Gathered> {
    let Cells {
        targets, weights, ..
    } = given;
    let plan = plan_features(&table, &feature_choice(data))?;
    let kind = Kind::Table { dim: plan.len() };
    let sizes = sizes(table.rows(), &targets, kind);
    cost::check(&recipe, &sizes, memory::in_use(), memory)?;
    let (points, _) = plan.points(&table).map_err(|e| excludable(e, &table))?;
    tell_features(&plan, Some(&table), data, talk);
    let features = plan.names().to_vec();
    Ok(Gathered {
        input: Input::Table(points),
        targets,
        weights,
        sizes,
        recipe,
        features,
        nodes: None,
        table,
    })
}

/// Says which columns are features, which are not, and which perhaps should not be; a table
/// that is not here is judged by its names.
pub(crate) fn tell_features(plan: &Plan, table: Option<&Table>, data: &Data, talk: &Talk) {
    talk.note(&format!("features: {}", shown(plan)));
    let told = |left: &LeftOut| format!("\"{}\" ({})", left.column, left.why);
    let (numbering, others): (Vec<&LeftOut>, Vec<&LeftOut>) =
        (plan.left_out().iter()).partition(|left| left.why == Unfit::RowNumbers);
    if !numbering.is_empty() {
        let numbering: Vec<String> = numbering.into_iter().map(told).collect();
        talk.note(&format!("left out: {}", listed(&numbering)));
    }
    let left: Vec<String> = others.iter().map(|left| told(left)).collect();
    if let Some(first) = others.first() {
        let name = quoted(&first.column);
        let rule = match first.why {
            Unfit::Dates => format!(
                "dates are no kinds of rows; pass --categorical {name} to take each as one, \
                 --exclude {name} if it is none"
            ),
            _ => format!(
                "texts are features with 2 to {} values; pass --categorical {name} for up to {}, \
                 --exclude {name} if it is none",
                isotherm_io::one_hot::USUAL,
                isotherm_io::one_hot::MOST,
            ),
        };
        talk.warn(
            "left-out",
            &format!(
                "{} no {}: {}",
                count(left.len(), "column is", "columns are"),
                if left.len() == 1 {
                    "feature"
                } else {
                    "features"
                },
                listed(&left)
            ),
            Some(&rule),
        );
    }
    if !data.features.is_empty() {
        return;
    }
    for name in plan.names() {
        // Whether numbers differ is looked at only where that decides.
        let different = || table.is_some_and(|t| numbers_rows(t, name).unwrap_or(false));
        if names_rows(name, false) || names_rows(name, true) && different() {
            talk.warn(
                "names-rows",
                &format!(
                    "column \"{name}\" is used as a feature, but its name says it only names rows"
                ),
                Some(&format!(
                    "pass --id {}; or name it in --features to keep it",
                    quoted(name)
                )),
            );
        }
    }
}

/// The refusal of a cell, of a table whose columns can be left out.
pub(crate) fn excludable(error: isotherm_io::Error, table: &Table) -> Failure {
    let mut failure = Failure::from(error);
    let Some(column) = failure
        .spot
        .column
        .as_deref()
        .filter(|_| failure.code == "cell")
    else {
        return failure;
    };
    // An entry of a list goes with its column.
    let whole = column.rsplit_once('[').map_or(column, |(whole, _)| whole);
    let known = |name: &&str| table.column(name).is_ok();
    if let (Some(name), Some(hint)) = ([column, whole].into_iter().find(known), &failure.hint) {
        failure.hint = Some(format!("{hint}, or pass --exclude {}", quoted(name)));
    }
    failure
}

/// The features by column: one that is many is told with their number.
pub(crate) fn shown(plan: &Plan) -> String {
    let many = plan
        .lists()
        .map(|(column, n)| (column, format!("{column}[0…{}]", n - 1)));
    let words = plan
        .words()
        .map(|(column, n)| (column, format!("{column} ({n} values)")));
    let many: Vec<(&str, String)> = many.chain(words).collect();
    let columns = plan.columns();
    let told: Vec<String> = (columns.iter())
        .map(|c| match many.iter().find(|(column, _)| column == c) {
            Some((_, told)) => told.clone(),
            None => c.clone(),
        })
        .collect();
    match plan.len() > columns.len() {
        true => format!("{} ({} in all)", listed(&told), plan.len()),
        false => listed(&told),
    }
}

/// The chosen features, of which there has to be one.
pub(crate) fn plan_features(table: &Table, choice: &Features) -> Outcome<Plan> {
    let plan = choice.plan(table)?;
    match plan.is_empty() {
        false => Ok(plan),
        true => Err(no_features(table, choice)),
    }
}

/// The refusal of a table without a feature: the column that was likely meant to be one, or
/// those that there are.
pub(crate) fn no_features(table: &Table, choice: &Features) -> Failure {
    let left = choice.candidates(table).unwrap_or_default();
    let meant = left.iter().find_map(|name| {
        let bad = meant_as_numbers(table, name).ok().flatten()?;
        Some((name, bad))
    });
    let hint = match meant {
        Some((name, bad)) if bad.value.contains("...") => format!(
            "column \"{name}\" holds lists, but numbers are left out at {}: write them whole",
            bad.place
        ),
        Some((name, bad)) => format!(
            "column \"{name}\" seems to be meant as numbers, but {} has \"{}\": write them \
             without signs and units",
            bad.place, bad.value
        ),
        None if left.is_empty() => "add columns to learn from, or set fewer aside".to_owned(),
        None => format!(
            "texts are features with 2 to {} values, or up to {} with --categorical; there are {}",
            isotherm_io::one_hot::USUAL,
            isotherm_io::one_hot::MOST,
            listed(&left)
        ),
    };
    Failure::refused(
        "no-features",
        format!(
            "{}: no numeric column is left to learn from",
            table.origin().path.display()
        ),
        hint,
    )
}

/// The chosen columns as points; refusals name the file's line and column.
pub(crate) fn choose_features(table: &Table, choice: &Features) -> Outcome<(Vec<String>, Points)> {
    let plan = plan_features(table, choice)?;
    let (points, _) = plan.points(table).map_err(|e| excludable(e, table))?;
    Ok((plan.names().to_vec(), points))
}

/// Says which values of columns the model has never seen.
pub(crate) fn tell_unseen(unseen: &[Unseen], talk: &Talk) {
    for new in unseen {
        let example = match new.rows {
            1 => format!("\"{}\"", new.example),
            _ => format!("such as \"{}\"", new.example),
        };
        talk.warn(
            "unseen-value",
            &format!(
                "{} in column \"{}\" a value the model was not fitted on, {example}: counted as none of its values",
                count(new.rows, "row has", "rows have"),
                new.column
            ),
            Some("check the spelling, or fit again with such rows in the table"),
        );
    }
}

#[allow(clippy::too_many_arguments)]
fn gather_graph(
    table: Table,
    given: Cells<'_>,
    edges: &Source,
    data: &Data,
    recipe: Recipe,
    memory: u64,
    talk: &Talk,
    monitor: &mut dyn Monitor,
) -> Outcome<Gathered> {
    let Cells {
        labels,
        weights: by_row,
        grades,
        ..
    } = given;
    let mut builder = GraphBuilder::new(EdgeRules::default());
    let mut given = 0_usize;
    let mut weighted = false;
    talk.record().reads(edges.path());
    let mut first = FirstEdge::default();
    let (mut names, read_as) = terminal::awaiting(edges, || {
        read_edges_told(edges, &EdgeOptions::default(), monitor, &mut |edge| {
            given += 1;
            weighted |= edge.weight.is_some();
            first.look(&edge);
            builder.push(edge.from, edge.to, edge.weight)
        })
    })?;
    talk.note(&format!(
        "read {}: {read_as}",
        count(given, "edge", "edges")
    ));
    let ids = row_names(&table, data.id.as_deref(), Some(&data.label))?;
    first.tell(edges, &names, read_as, &ids, talk);
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
            let file = table.origin().file(row).display();
            return Err(Failure::refused(
                "node",
                format!("{file} {place}: node \"{id}\" is labelled but not in the graph"),
                way_out,
            )
            .in_row(&table, row));
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
                let file = table.origin().file(row).display();
                return Err(Failure::refused(
                    "conflict",
                    format!(
                        "{file} {place}: node \"{}\" is labelled \"{label}\" here and \"{first}\" before",
                        ids[row]
                    ),
                    "keep one of the two rows",
                )
                .in_row(&table, row));
            }
            _ => by_node[node as usize] = Some(label.clone()),
        }
    }
    let targets = parse(&by_node, recipe.task, data.candidates, grades)?;
    let weights = by_row.map(|by_row| {
        let mut weights = vec![1.0; names.len()];
        for (row, &node) in rows.iter().enumerate() {
            if labels[row].is_some() {
                weights[node as usize] = by_row[row];
            }
        }
        weights
    });
    let kind = Kind::Graph {
        edges: given,
        weighted,
    };
    let sizes = sizes(names.len(), &targets, kind);
    cost::check(&recipe, &sizes, memory::in_use(), memory)?;
    let (graph, report) = builder.with_nodes(names.len()).finish(monitor)?;
    talk.note(&format!(
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
            talk.note(&format!("graph: {} {what}", count(n, one, more)));
        }
    }
    Ok(Gathered {
        table,
        input: Input::Graph(graph),
        targets,
        weights,
        sizes,
        recipe,
        features: Vec::new(),
        nodes: Some((names, rows)),
    })
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
    fn tell(&self, from: &Source, names: &NodeNames, read: ReadAs, ids: &[String], talk: &Talk) {
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
        talk.warn(
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

/// Where a sample stands: its line or row, or the node it is.
pub(crate) fn place(table: &Table, nodes: Option<&NodeNames>, sample: usize) -> String {
    let Some(names) = nodes else {
        let origin = table.origin();
        let place = origin.place(sample);
        return match origin.parts.is_empty() {
            true => place.to_string(),
            false => format!("{} {place}", origin.file(sample).display()),
        };
    };
    let node = u32::try_from(sample).unwrap_or(u32::MAX);
    format!("node \"{}\"", names.name(node).unwrap_or("?"))
}

/// The column that names rows: the given one, or the first without the labels.
fn id_column(table: &Table, id: Option<&str>, label: Option<&str>) -> Outcome<String> {
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

/// Refuses, by its line, a label that is not a number the library takes.
pub(crate) fn check_numbers(table: &Table, column: &str, labels: &[Option<String>]) -> Outcome<()> {
    for (row, label) in labels.iter().enumerate() {
        let Some(text) = label else { continue };
        let problem = match text.trim().parse::<f64>() {
            Ok(v) if v.abs() < LARGEST => continue,
            Ok(v) if v.is_finite() => "is too large",
            _ => "is not a number",
        };
        return Err(Failure::refused(
            "label",
            format!(
                "{} {}, column \"{column}\": the label \"{text}\" {problem}",
                table.origin().file(row).display(),
                table.origin().place(row),
            ),
            "correct it, leave it blank, or pass --task classify",
        )
        .in_row(table, row)
        .in_column(column, Some(text)));
    }
    Ok(())
}

pub(crate) fn sizes(samples: usize, targets: &Targets, kind: Kind) -> Sizes {
    let width = match targets {
        Targets::Orders { names, .. } => names.len() * names.len().saturating_sub(1) / 2,
        _ => targets.names().len().max(1),
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
