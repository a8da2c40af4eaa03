//! `isotherm check`: what is wrong with a table, and what `label` would do with it.
//!
//! Everything that is wrong is told at once; nothing is fitted and nothing written.

mod columns;
mod edges;
mod findings;
mod labels;
mod numbers;
mod show;

use isotherm::data::Targets;
use isotherm::monitor::Monitor;
use isotherm::recipe::{Recipe, Shape, Task};
use isotherm::resources::automatic::{self, Budget};
use isotherm::resources::cost::{self, SampleKind};
use isotherm_io::labels::spellings::rename;
use isotherm_io::one_hot::Unfit;
use isotherm_io::profile::profile;
use isotherm_io::{FeaturePlan as Features, Table};

use self::findings::{Findings, Role};
use self::show::LabelRun;
use crate::args::{Auto, Check};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::load::features::{feature_choice, no_features};
use crate::load::graph::id_column;
use crate::load::labels::{read_labels, targets_of, weights_of};
use crate::load::sentences::embedded;
use crate::load::table::{TableFiles, check_names, check_one_stdin, read};
use crate::load::{sizes, spellings};
use crate::memory;
use crate::recipe_flags::{RecipeSource, Situation};
use crate::unused_flags;

pub(crate) fn run(
    args: &Check,
    memory: u64,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<()> {
    let (data, how) = (&args.data, &args.how);
    check_one_stdin(&data.data, &data.graph, data.node_features.as_deref())?;
    let table = read(
        TableFiles {
            paths: &data.data,
            reading: &data.reading,
            without: &data.exclude,
            memory,
        },
        console,
        monitor,
    )?;
    let mut found = Findings::new(profile(&table));
    let written = how.written()?;
    // Shares are written with a column for each class.
    let shares = match &written {
        Some(recipe) => recipe.task == Task::Shares,
        None => how.ground.task == Auto(Some(Task::Shares)),
    };
    found.take(check_names(&table, shares));
    found.take(unused_flags::by_role(data));
    let known = labels_of(args, written.as_ref(), &table, &mut found, console, monitor);
    let kind = match data.graph.as_slice() {
        [] => {
            let features = features_of(args, &table, None, &mut found, console);
            let features = found.take(features);
            if let Some(features) = &features {
                let none = || Targets::from_names::<&str>(&vec![None; table.rows()]);
                let targets = known.as_ref().map_or_else(none, |(_, _, t)| t.clone());
                let scaling = how.ground.scaling;
                numbers::look(&table, features, &targets, scaling, &mut found, monitor)?;
            }
            features.map(|plan| (table.rows(), SampleKind::Table { dim: plan.len() }))
        }
        _ => {
            let labels = known.as_ref().map(|(_, labels, _)| labels.as_slice());
            let id = found.take(id_column(&table, data.id.as_deref(), Some(&data.label)));
            let id = id.unwrap_or_default();
            // A graph needs no features.
            let plan = features_of(args, &table, Some(&id), &mut found, console).ok();
            let features = plan.map_or(0, |plan| plan.len());
            edges::look(
                args,
                &table,
                labels,
                &mut found,
                features,
                (console, monitor),
            )?
        }
    };
    let plan = match (&known, kind) {
        (Some((task, _, targets)), Some((samples, kind))) => {
            let sizes = sizes(samples, targets, kind);
            let situation = Situation {
                task: *task,
                sizes,
                budget: Budget {
                    used: memory::in_use(),
                    memory,
                    passing: false,
                },
            };
            found.take(plan_of(args, written, &situation))
        }
        _ => None,
    };
    show::show(args, &table, &found, plan.as_ref(), console)?;
    if found.hopeless() {
        Err(Failure::told())
    } else {
        Ok(())
    }
}

/// The task, the cells and the targets, where there are labels.
fn labels_of(
    args: &Check,
    written: Option<&Recipe>,
    table: &Table,
    found: &mut Findings,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Option<(Task, Vec<Option<String>>, Targets)> {
    let (data, how) = (&args.data, &args.how);
    if data.label.is_empty() {
        return None;
    }
    let (mut cells, task) = found.take(read_labels(table, data, how, written, console))?;
    found.assign(&data.label, Role::Label);
    let renames = spellings::settle(&cells, task, data, how.grades(), console, monitor);
    rename(&mut cells, &found.take(renames).unwrap_or_default());
    labels::look(args, task, &cells, found);
    found.take(weights_of(table, data, &cells));
    let targets = found.take(targets_of(table, &cells, data, task, how.grades()))?;
    Some((task, cells, targets))
}

/// The features, every column with its role.
fn features_of(
    args: &Check,
    table: &Table,
    node: Option<&str>,
    found: &mut Findings,
    console: &Console,
) -> Outcome<Features> {
    let data = &args.data;
    let tables = Some(data.data.as_slice());
    let mut choice = embedded(
        feature_choice(data),
        data.embed_with.as_deref(),
        tables,
        console,
    )?;
    if let Some(node) = node {
        choice = choice.except(node);
    }
    let plan = choice.plan(table)?;
    let chosen = plan.columns();
    found.uses(&plan);
    for column in table.columns() {
        let unfit = plan.left_out().iter().find(|l| l.column == column.name);
        let named = |list: &[String]| list.contains(&column.name);
        found.assign(
            &column.name,
            if chosen.contains(&column.name) {
                Role::Feature
            } else if data.id.as_ref() == Some(&column.name) || node == Some(&column.name) {
                Role::Id
            } else if data.label == column.name {
                Role::Label
            } else if data.label_weights.as_ref() == Some(&column.name) {
                Role::Weight
            } else if data.node_features.is_some() {
                Role::LeftOut("beside --node-features")
            } else if !data.features.is_empty() && !named(&data.features) {
                Role::LeftOut("not among --features")
            } else if column.name.starts_with("iso_") {
                Role::LeftOut("written by isotherm")
            } else {
                match unfit.map(|l| &l.why) {
                    Some(Unfit::NoWord) => Role::LeftOut("all blank"),
                    Some(Unfit::OneWord) => Role::LeftOut("one value only"),
                    Some(Unfit::Names) => Role::Names("names rows"),
                    Some(Unfit::NoTerms) => Role::LeftOut("no word is in several texts"),
                    Some(Unfit::RowNumbers) => Role::Names("numbers the rows"),
                    Some(_) => Role::LeftOut("no value is frequent"),
                    None => Role::LeftOut("excluded"),
                }
            },
        );
    }
    if plan.is_empty() {
        Err(no_features(table, &choice))
    } else {
        Ok(plan)
    }
}

/// What `label` would do: the recipe, what it costs, and whether that is allowed.
fn plan_of(args: &Check, written: Option<Recipe>, at: &Situation) -> Outcome<LabelRun> {
    let (recipe, reason) = match written {
        Some(recipe) => (recipe, None),
        None => {
            let spelled = args.how.flags(at)?;
            (spelled.recipe, spelled.reason)
        }
    };
    let shape = match args.data.graph.as_slice() {
        [] => Shape::Table,
        _ => Shape::Graph,
    };
    recipe.check(shape)?;
    cost::check(&recipe, &at.sizes, at.budget.used, at.budget.memory)?;
    Ok(LabelRun {
        told: reason.unwrap_or_else(|| automatic::told(&recipe, &at.sizes, &at.budget, None)),
        memory: cost::memory(&recipe, &at.sizes),
        wait: automatic::wait(&recipe, &at.sizes),
        recipe,
    })
}
