//! Files → input, labels and recipe: the way every command that learns begins.

pub(crate) mod features;
pub(crate) mod graph;
pub(crate) mod labels;
pub(crate) mod sentences;
pub(crate) mod spellings;
pub(crate) mod stream;
pub(crate) mod table;

use isotherm::data::{Points, Targets};
use isotherm::model::Encoding;
use isotherm::monitor::Monitor;
use isotherm::recipe::{Recipe, Shape};
use isotherm::resources::Budget;
use isotherm::resources::cost::{self, SampleKind, Sizes};
use isotherm::study::Input;
use isotherm_io::{FeaturePlan, Features, NodeNames, Table};

use self::features::{excludable, feature_choice, naming_column, no_features, tell_features};
use self::graph::{
    Edges, NodeFeatures, check_kinds, check_relations, features_of_nodes, id_column, rows_of_nodes,
    sparse_features,
};
use self::labels::{labels_and_task, targets_of, weights_of};
use self::sentences::{check_room, embedded, tell_kept};
use self::table::{TableFiles, check_one_stdin, read};
use crate::args::Data;
use crate::console::Console;
use crate::failure::Outcome;
use crate::memory;
use crate::recipe_flags::{RecipeSource, Situation};
use crate::unused_flags;

/// Everything a fit needs, and the table it came from.
pub(crate) struct Loaded {
    pub(crate) table: Table,
    pub(crate) input: Input,
    /// The cells of the label column, one a row of the table, blank where there is no label.
    pub(crate) cells: Vec<Option<String>>,
    /// One entry per sample of the input.
    pub(crate) targets: Targets,
    /// One weight a sample, where labels count differently.
    pub(crate) weights: Option<Vec<f64>>,
    /// What costs depend on.
    pub(crate) sizes: Sizes,
    pub(crate) recipe: Recipe,
    pub(crate) features: Vec<String>,
    /// How the table's columns became the features.
    pub(crate) encoding: Encoding,
    /// Rows of a table that have no value in any feature column.
    pub(crate) blank_rows: Vec<usize>,
    /// Names of the graph's nodes, and the node of each row of the table.
    pub(crate) nodes: Option<(NodeNames, Vec<u32>)>,
}

/// Reads the table, the graph if there is one, and spells out the recipe.
pub(crate) fn load(
    data: &Data,
    how: &dyn RecipeSource,
    memory: u64,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<Loaded> {
    check_one_stdin(&data.data, &data.graph, data.node_features.as_deref())?;
    check_relations(&data.graph)?;
    unused_flags::by_role(data)?;
    let files = TableFiles {
        paths: &data.data,
        reading: &data.reading,
        without: &data.exclude,
        memory,
    };
    let mut table = read(files, console, monitor)?;
    how.files().for_each(|file| console.record().reads(file));
    let written = how.written()?;
    let (cells, task) = labels_and_task(&table, data, how, written.as_ref(), console, monitor)?;
    let targets = targets_of(&table, &cells, data, task, how.grades())?;
    let mut choice = embedded(
        feature_choice(data),
        data.embed_with.as_deref(),
        Some(&data.data),
        console,
    )?;
    if !data.graph.is_empty() {
        choice = choice.except(&id_column(&table, data.id.as_deref(), Some(&data.label))?);
    }
    let plan = choice.plan_watched(&table, monitor)?;
    let (shape, kind) = if data.graph.is_empty() {
        (Shape::Table, SampleKind::Table { dim: plan.len() })
    } else {
        let features = match data.node_features {
            // How many is not known yet; it decides nothing.
            Some(_) => 1,
            None => plan.len(),
        };
        // The method does not depend on how many edges there will be.
        let kind = SampleKind::Graph {
            edges: 0,
            weighted: false,
            features,
            values: table.rows() * features,
            relations: 0,
        };
        (Shape::Graph, kind)
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
    let recipe = spell(written, how, &situation, console)?;
    recipe.check(shape)?;
    let weights = weights_of(&table, data, &cells)?;
    if data.graph.is_empty() {
        if plan.is_empty() {
            return Err(no_features(&table, &choice));
        }
        let sizes = sizes(
            table.rows(),
            &targets,
            SampleKind::Table { dim: plan.len() },
        );
        cost::check(&recipe, &sizes, memory::in_use(), memory)?;
        let points = points_of(&plan, &table, &choice, memory, console, monitor)?;
        tell_features(&plan, console);
        if let Some(column) = naming_column(&plan, data) {
            table.name_rows_by(column);
        }
        return Ok(Loaded {
            input: Input::Table(points),
            cells,
            targets,
            weights,
            sizes,
            recipe,
            features: plan.names().to_vec(),
            encoding: plan.encoding(),
            blank_rows: plan.blank_rows(&table)?,
            nodes: None,
            table,
        });
    }
    check_kinds(data, &recipe, console)?;
    let plan = features_of_nodes(plan, data, &recipe, console)?;
    let edges = Edges::read(&table, &cells, data, console, monitor)?;
    let labelled = edges.labelled_rows(&table, &cells)?;
    let targets = targets.pick(&labelled);
    let weights = weights.map(|by_row| {
        let weight = |row: &Option<usize>| row.map_or(1.0, |row| by_row[row]);
        labelled.iter().map(weight).collect()
    });
    let sparse = match plan {
        NodeFeatures::File(file) => {
            let source = file.into();
            Some(sparse_features(
                &source,
                &edges.names,
                None,
                console,
                monitor,
            )?)
        }
        _ => None,
    };
    let (features, values) = match (&plan, &sparse) {
        (_, Some(sparse)) => (sparse.names.len(), sparse.values()),
        (NodeFeatures::Columns(plan), _) => (plan.len(), plan.len() * edges.names.len()),
        _ => (0, 0),
    };
    let kind = edges.kind(features, values);
    let sizes = sizes(edges.names.len(), &targets, kind);
    cost::check(&recipe, &sizes, memory::in_use(), memory)?;
    let (points, features, encoding) = match (plan, sparse) {
        (_, Some(sparse)) => (Some(sparse.points()?), sparse.names, Encoding::default()),
        (NodeFeatures::Columns(plan), _) => {
            let points = points_of(&plan, &table, &choice, memory, console, monitor)?;
            tell_features(&plan, console);
            let rows = rows_of_nodes(&points, &edges.rows, edges.names.len())?;
            (Some(rows), plan.names().to_vec(), plan.encoding())
        }
        _ => (None, Vec::new(), Encoding::default()),
    };
    let (input, names, rows) = edges.finish(points, console, monitor)?;
    Ok(Loaded {
        table,
        input,
        cells,
        targets,
        weights,
        sizes,
        recipe,
        features,
        encoding,
        blank_rows: Vec::new(),
        nodes: Some((names, rows)),
    })
}

/// The rows of the table as points.
fn points_of(
    plan: &FeaturePlan,
    table: &Table,
    choice: &Features,
    memory: u64,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<Points> {
    check_room(plan, table.rows(), memory)?;
    let made = plan.points_watched(table, monitor);
    tell_kept(choice, console);
    let (points, _) = made.map_err(|e| excludable(e, table))?;
    Ok(points)
}

/// The recipe of the file or the flags; what was chosen for the user is said.
pub(crate) fn spell(
    written: Option<Recipe>,
    how: &dyn RecipeSource,
    at: &Situation,
    console: &Console,
) -> Outcome<Recipe> {
    let recipe = match written {
        Some(recipe) => recipe,
        None => {
            let spelled = how.flags(at)?;
            if let Some(reason) = spelled.reason {
                console.chose(reason);
            }
            spelled.recipe
        }
    };
    console.record().follows(&recipe);
    Ok(recipe)
}

pub(crate) fn sizes(samples: usize, targets: &Targets, kind: SampleKind) -> Sizes {
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

/// What a sample is called: the row's name, line or number, or the node it is.
pub(crate) fn place(table: &Table, nodes: Option<&NodeNames>, sample: usize) -> String {
    let Some(names) = nodes else {
        return table.row_name(sample);
    };
    let node = u32::try_from(sample).unwrap_or(u32::MAX);
    format!("node \"{}\"", names.name(node).unwrap_or("?"))
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
