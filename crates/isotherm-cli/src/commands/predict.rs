//! `isotherm predict`: labels for new rows or nodes.

use std::collections::HashMap;
use std::path::PathBuf;

use isotherm::data::graph::Relation;
use isotherm::data::{Links, NewNodes, Points};
use isotherm::labelling::Answer;
use isotherm::model::Model;
use isotherm::monitor::{Event, Monitor, Within};
use isotherm::recipe::Shape;
use isotherm::resources::cost;
use isotherm_io::footprint::stored;
use isotherm_io::{
    Batches, Destination, EdgeOptions, FeaturePlan, Features, Format, NodeNames, Source, Table,
    Unseen, WriteOptions, read_edges_of, sources, write_parts_with,
};

use super::{check_table_output, open_model, put_table};
use crate::answer_columns::columns;
use crate::args::{EdgeFile, Predict};
use crate::console::{Console, count};
use crate::failure::{Failure, Outcome};
use crate::load::features::{plan_features, tell_filled, tell_unseen};
use crate::load::graph::{check_relations, row_names, rows_of_nodes, sparse_features};
use crate::load::sentences::{check_room, embedded, tell_kept};
use crate::load::stream;
use crate::load::table::{TableFiles, check_names, check_one_stdin, read};
use crate::memory;
use crate::{model_text, terminal, unused_flags};

pub(crate) fn run(
    args: &Predict,
    memory: u64,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<()> {
    let output = &args.output;
    let options = check_table_output(output, &args.writing.table, console.json())?;
    let model = open_model(&args.model, console)?;
    console.record().follows(model.recipe());
    if model.shape() == Shape::Gram {
        return Err(Failure::refused(
            "model-kind",
            "the model was fitted on similarities that were given, and files hold none",
            "predict in Python or Rust, with each new sample's similarities to the known ones",
        ));
    }
    let of_table = model.shape() == Shape::Table;
    check_flags(args, of_table)?;
    unused_flags::by_task(args.writing.probabilities, model.recipe().task)?;
    check_one_stdin(&args.data, &args.graph, args.node_features.as_deref())?;
    check_relations(&args.graph)?;
    if let Some(batches) = in_parts(args, &options, of_table, console, monitor)? {
        let choice = features_of(&model, args, None, console)?;
        return run_streamed(args, batches, (&model, &choice), &options, console, monitor);
    }
    let mut table = read(
        TableFiles {
            paths: &args.data,
            reading: &args.reading,
            without: &args.exclude,
            memory,
        },
        console,
        monitor,
    )?;
    check_names(&table, args.writing.probabilities)?;
    cost::check_answer(&model, table.rows(), memory::in_use(), memory)?;
    let choice = features_of(&model, args, Some(&args.data), console)?;
    let (answer, rows) = if of_table {
        let plan = plan_features(&table, &choice)?;
        tell_filled(&plan, &plan.filled_in(&table)?, console);
        check_room(&plan, table.rows(), memory)?;
        let answered = answer_rows(&model, &plan, &table, monitor);
        tell_kept(&choice, console);
        let (answer, unseen) = answered?;
        tell_unseen(&unseen, console);
        (answer, (0..table.rows()).collect())
    } else {
        let ids = row_names(&table, args.id.as_deref(), None)?;
        let features = match (model.dim(), &args.node_features) {
            (None, Some(_)) => {
                return Err(Failure::refused(
                    "unread-flag",
                    "--node-features means nothing to a model that learned from edges alone",
                    "leave --node-features out",
                ));
            }
            (Some(_), Some(file)) => Given::File(file.as_path().into()),
            (Some(_), None) => {
                let plan = plan_features(&table, &choice)?;
                tell_filled(&plan, &plan.filled_in(&table)?, console);
                check_room(&plan, table.rows(), memory)?;
                let made = plan.points_watched(&table, monitor);
                tell_kept(&choice, console);
                let (points, unseen) = made?;
                tell_unseen(&unseen, console);
                Given::Rows(points)
            }
            (None, None) => Given::Nothing,
        };
        answer_nodes(&model, &ids, (&args.graph, features), console, monitor)?
    };
    let unreached = rows.iter().filter(|&&i| !answer.reached[i]).count();
    for column in columns(&model, &answer, &rows, None, args.writing.probabilities) {
        table.push_column(column)?;
    }
    if unreached > 0 {
        let why = match (of_table, args.graph.as_slice()) {
            (true, _) => FAR,
            (false, [_, ..]) => "no edge leads from them to a node that has a label within reach",
            (false, []) => "give the edges of new nodes to known ones with --graph",
        };
        model_text::unreached(unreached, table.rows(), why, console);
    }
    put_table(&table, output, options, console, monitor)?;
    tell_end(args, table.rows(), unreached, console)
}

fn tell_end(args: &Predict, rows: usize, unreached: usize, console: &Console) -> Outcome<()> {
    console.note(&format!("labelled {} of {rows} rows", rows - unreached));
    if console.json() {
        let value = serde_json::json!({
            "output": args.output.display().to_string(),
            "rows": rows,
            "unreached": unreached,
        });
        console.answer(value)?;
    }
    Ok(())
}

const FAR: &str = "they lie far from every label the model has seen, where a label is needed, or have no value in its columns";

/// Files of so many bytes together are read in parts without being told to. The rule
/// knows the files and not the machine, so that the same command gives the same bytes.
const LARGE: u64 = 256 << 20;

/// The rows in parts, where that was asked for, or where files are large and nothing is
/// lost by it: of text it is known only at its end which columns hold numbers, so that a
/// typed output needs all of it.
fn in_parts(
    args: &Predict,
    options: &WriteOptions,
    of_table: bool,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<Option<Batches>> {
    let sources = sources(&args.data)?;
    let large = of_table && stored(&sources).is_some_and(|bytes| bytes >= LARGE);
    if !args.stream && !large {
        return Ok(None);
    }
    let is_text = |format| matches!(format, Format::Csv | Format::Tsv);
    let into_text = is_text(options.layout(&Destination::from(&args.output))?.format);
    let batches = stream::open_once(
        &sources,
        &args.reading,
        &args.exclude,
        args.stream,
        console,
        monitor,
    )?;
    Ok(batches.filter(|b| args.stream || into_text || !is_text(b.header().origin().format)))
}

/// Part after part: read, answered and written before the next.
fn run_streamed(
    args: &Predict,
    mut batches: Batches,
    (model, choice): (&Model, &Features),
    options: &WriteOptions,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<()> {
    let sources = sources(&args.data)?;
    stream::tell(&batches, &sources, console);
    check_names(batches.header(), args.writing.probabilities)?;
    let plan = plan_features(batches.header(), choice)?;
    let steps = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let phase = Event::Phase {
        name: "predicting",
        steps: batches.extent().0.map(steps),
    };
    let destination = Destination::from(&args.output);
    terminal::make_way(&destination);
    let (mut rows, mut unreached) = (0, 0);
    let mut strange: Vec<Unseen> = Vec::new();
    let mut filled: Vec<(String, usize)> = Vec::new();
    let tell = |monitor: &mut dyn Monitor, event| {
        if monitor.on(event).is_break() {
            Err(Failure::from(isotherm::Error::Cancelled {
                phase: "predicting",
            }))
        } else {
            Ok(())
        }
    };
    tell(monitor, phase)?;
    let next = || -> Outcome<Option<Table>> {
        let part = || batches.next_part(&mut Within(monitor));
        let Some(mut table) = terminal::awaiting_any(&sources, part)? else {
            return Ok(None);
        };
        let (answer, unseen) = answer_rows(model, &plan, &table, &mut Within(monitor))?;
        for (column, cells) in plan.filled_in(&table)? {
            match filled.iter_mut().find(|(known, _)| *known == column) {
                Some((_, known)) => *known += cells,
                None => filled.push((column, cells)),
            }
        }
        for new in unseen {
            match strange.iter_mut().find(|s| s.column == new.column) {
                Some(known) => known.rows += new.rows,
                None => strange.push(new),
            }
        }
        let all: Vec<usize> = (0..table.rows()).collect();
        for column in columns(model, &answer, &all, None, args.writing.probabilities) {
            table.push_column(column)?;
        }
        rows += table.rows();
        unreached += answer.reached.iter().filter(|r| !**r).count();
        let done = steps(batches.extent().1);
        tell(monitor, Event::Step { done })?;
        Ok(Some(table))
    };
    write_parts_with(&destination, options, next, || {
        console.record().provenance().map(Some)
    })?;
    tell_filled(&plan, &filled, console);
    tell_unseen(&strange, console);
    if unreached > 0 {
        model_text::unreached(unreached, rows, FAR, console);
    }
    tell_end(args, rows, unreached, console)
}

/// Refuses flags that a model of this kind would not read.
fn check_flags(args: &Predict, of_table: bool) -> Outcome<()> {
    if args.stream && !of_table {
        return Err(Failure::refused(
            "unread-flag",
            "--stream reads rows, and the model was fitted on a graph",
            "leave --stream out",
        ));
    }
    let given = [
        ("--graph", !args.graph.is_empty()),
        ("--node-features", args.node_features.is_some()),
        ("--id", args.id.is_some()),
    ];
    let Some((unread, _)) = given.into_iter().find(|(_, given)| of_table && *given) else {
        return Ok(());
    };
    Err(Failure::refused(
        "unread-flag",
        format!("{unread} means nothing to a model that was fitted on a table"),
        format!("leave {unread} out"),
    ))
}

/// The features that the model was fitted on, and how columns become them; embeddings are kept
/// beside the first of the `tables`.
fn features_of(
    model: &Model,
    args: &Predict,
    tables: Option<&[PathBuf]>,
    console: &Console,
) -> Outcome<Features> {
    if args.embed_with.is_some() && model.encoding.sentences.is_empty() {
        return Err(Failure::refused(
            "unread-flag",
            "--embed-with means nothing to a model that was fitted without a sentence model",
            "leave it out, or fit the model again with --embed-with",
        ));
    }
    let choice = Features::of_model(&model.features).encoded_by(&model.encoding);
    embedded(choice, args.embed_with.as_deref(), tables, console)
}

fn answer_rows(
    model: &Model,
    plan: &FeaturePlan,
    table: &Table,
    monitor: &mut dyn Monitor,
) -> Outcome<(Answer, Vec<Unseen>)> {
    let (points, unseen) = plan.points_watched(table, monitor)?;
    let answer = model.predict_rows(&points, monitor);
    let mut answer = answer.map_err(|e| Failure::at(e, table, &model.features))?;
    model.withhold(&mut answer, &plan.blank_rows(table)?);
    Ok((answer, unseen))
}

/// Features of new nodes.
enum Given {
    Rows(Points),
    File(Source),
    Nothing,
}

/// Known nodes are answered for as they were fitted, new ones by their links.
/// The second result is the sample of each row: a name given twice is one.
fn answer_nodes(
    model: &Model,
    ids: &[String],
    (edges, features): (&[EdgeFile], Given),
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<(Answer, Vec<usize>)> {
    let Some(names) = model.nodes.as_deref() else {
        return Err(Failure::refused(
            "model-kind",
            "the model does not know the names of its nodes",
            "fit it again with isotherm fit, which keeps them",
        ));
    };
    let known: HashMap<&str, u32> = names.iter().map(String::as_str).zip(0..).collect();
    let mut samples = NodeNames::default();
    let mut rows = Vec::with_capacity(ids.len());
    for id in ids {
        let sample = samples.intern(id).ok_or_else(|| {
            Failure::refused(
                "limit",
                "there are too many nodes",
                "use fewer than 2^32 − 1",
            )
        })?;
        rows.push(sample as usize);
    }
    let mut relations = Vec::with_capacity(edges.len());
    let told_apart: Vec<&str> = model.relations().map(|(name, _)| name).collect();
    let mut unused = Unused::default();
    for file in edges {
        let name = relation_of(file, edges.len(), &told_apart)?;
        let links = links_of(file, (&known, &samples), &mut unused, console, monitor)?;
        let graph = Links::new(samples.len(), names.len(), &links.concat())?;
        let [outgoing, incoming] = [
            Links::new(samples.len(), names.len(), &links[0])?,
            Links::new(samples.len(), names.len(), &links[1])?,
        ];
        relations.push(Relation::new(name, graph).directed(Some(outgoing), Some(incoming)));
    }
    unused.tell(console);
    let features = match features {
        Given::Rows(points) => {
            let of: Vec<u32> = rows.iter().map(|&sample| sample as u32).collect();
            Some(rows_of_nodes(&points, &of, samples.len())?)
        }
        Given::File(source) => {
            let known = Some(model.features.as_slice());
            let found = sparse_features(&source, &samples, known, console, monitor)?;
            Some(found.points()?)
        }
        Given::Nothing => None,
    };
    let new = if relations.is_empty() {
        NewNodes::new(Links::new(samples.len(), names.len(), &[])?, features)?
    } else {
        NewNodes::of_relations(relations, features)?
    };
    let mut answer = model.predict_nodes(new, monitor)?;
    if let Some(fitted) = model.training_answer() {
        for (sample, id) in samples.iter().enumerate() {
            if let Some(&node) = known.get(id) {
                answer.take(sample, &fitted, node as usize);
            }
        }
    }
    Ok((answer, rows))
}

/// What the model calls the edges of a file.
fn relation_of(file: &EdgeFile, files: usize, known: &[&str]) -> Outcome<String> {
    let name = file.relation();
    match known {
        // Whatever the file is called, it is of the only kind there is.
        [only] if files == 1 && !file.is_named() => Ok((*only).to_owned()),
        // All edges are of one kind to it.
        [] => Ok(name),
        known if known.contains(&name.as_str()) => Ok(name),
        known => Err(Failure::refused(
            "relation",
            format!(
                "{}: the model knows the kinds of edges {}, and \"{name}\" is none of them",
                file.path.display(),
                known.join(", ")
            ),
            format!(
                "name the kind: --graph {}={}",
                known[0],
                file.path.display()
            ),
        )),
    }
}

/// Edges that say nothing of a new node.
#[derive(Default)]
struct Unused {
    between_new: usize,
    strange: usize,
}

impl Unused {
    fn tell(&self, console: &Console) {
        if self.between_new > 0 {
            console.warn(
                "edges-unused",
                &format!(
                    "{} between two new nodes not used",
                    count(self.between_new, "edge", "edges")
                ),
                Some("a model links new nodes to known ones; label them together with isotherm label"),
            );
        }
        if self.strange > 0 {
            console.warn(
                "edges-unknown",
                &format!(
                    "{} not used: one end is neither in the table nor in the model",
                    count(self.strange, "edge", "edges")
                ),
                Some("check how the edges spell the nodes, or choose the column with --id"),
            );
        }
    }
}

/// Links of new nodes to known ones: those that lead away, and those that come in.
fn links_of(
    file: &EdgeFile,
    (known, samples): (&HashMap<&str, u32>, &NodeNames),
    unused: &mut Unused,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<[Vec<(u32, u32, f64)>; 2]> {
    let source = &Source::from(file.path.as_path());
    console.record().reads(source.path());
    let mut seen = Vec::new();
    let listed: Vec<String> = samples.iter().map(str::to_owned).collect();
    let (names, _) = terminal::awaiting(source, || {
        let (options, none) = (EdgeOptions::default(), NodeNames::default());
        read_edges_of(source, &options, none, &listed, monitor, &mut |edge| {
            seen.push((edge.from, edge.to, edge.weight.unwrap_or(1.0)));
            Ok(())
        })
    })?;
    let fresh = |name: &str| samples.find(name).filter(|_| !known.contains_key(name));
    let mut links = [Vec::new(), Vec::new()];
    for (from, to, weight) in seen {
        let (Some(from), Some(to)) = (names.name(from), names.name(to)) else {
            continue;
        };
        match (fresh(from), known.get(to), fresh(to), known.get(from)) {
            (Some(sample), Some(&node), ..) => links[0].push((sample, node, weight)),
            (_, _, Some(sample), Some(&node)) => links[1].push((sample, node, weight)),
            (Some(_), _, Some(_), _) => unused.between_new += 1,
            (_, Some(_), _, Some(_)) => {} // the model has its own edges
            _ => unused.strange += 1,
        }
    }
    Ok(links)
}
