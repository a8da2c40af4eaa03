//! Data → findings, from one preparation.

use std::cell::Cell;

use isotherm::data::Targets;
use isotherm::labelling::{Answer, WeightedTargets};
use isotherm::monitor::Monitor;
use isotherm::recipe::{self, Method, Task};
use isotherm::resources::cost;
use isotherm::study::{
    EvaluateOptions, Input, LabelSampling, LearningOptions, Study, SuggestOptions,
};
use isotherm::view::{Balance, PlaneOptions};
use isotherm_io::{NodeNames, Table, thumbnail};

use super::findings::{Findings, Had, Listed, Missing, Tuning, attempt};
use super::text::shown;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::load::{Loaded, place};
use crate::{memory as process, model_text};

/// Points of the map at most: eight bytes each, four thirds of that on the page.
const POINTS: usize = 250_000;

/// Eigenvalues told.
const EIGENVALUES: usize = 40;

/// Features of the method that are looked at to choose rows.
const FEATURES: usize = 64;

/// Letters of a sample's name on the map, and bytes of all names at most.
const NAME: usize = 40;
const NAMES: usize = 2_000_000;

/// Columns of the table that lists show, and letters of a cell.
const COLUMNS: usize = 3;
const CELL: usize = 160;

/// Pictures on the page at most, and pixels on a side of one: together below 5 MB.
const PICTURES: usize = 300;
const SIDE: u32 = 64;

/// Contradicted labels that the map marks at most.
const MARKED: usize = 10_000;

/// Runs of places told at most.
const RUNS: usize = 20_000;

/// What the page should tell, and of what.
pub(crate) struct Wishes {
    pub(crate) title: String,
    pub(crate) file: String,
    pub(crate) graph: Option<String>,
    pub(crate) label: String,
    pub(crate) id: Option<String>,
    pub(crate) sampling: LabelSampling,
    pub(crate) level: f64,
    pub(crate) list: usize,
    pub(crate) tune: bool,
    pub(crate) toml: String,
    pub(crate) memory: u64,
}

/// Asks the data everything that the page tells. A part that cannot be had says why; only what
/// would stop a fit, and Ctrl-C, stop it.
pub(crate) fn study(
    mut wishes: Wishes,
    loaded: Loaded,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<Findings> {
    let Loaded {
        table,
        input,
        cells: _,
        targets,
        weights,
        sizes,
        recipe,
        features,
        encoding,
        blank_rows: _,
        nodes,
    } = loaded;
    wishes.id = wishes.id.or_else(|| table.origin().named_by.clone());
    let refused = |e| Failure::at(e, &table, &features);
    let given = WeightedTargets {
        targets: &targets,
        weights: weights.as_deref(),
    };
    let labelled = targets.labelled();
    let limit = wishes.memory;
    let judging = EvaluateOptions {
        sampling: wishes.sampling.clone(),
        level: wishes.level,
        suspects: MARKED,
    };
    let mut study = Study::new(&recipe, input.clone(), given).map_err(refused)?;
    let room = cost::check_units(&recipe, &sizes, false, process::in_use(), limit);
    let room = attempt(room)?;
    let evaluation = match &room {
        Ok(()) => attempt(study.evaluate(&judging, monitor))?,
        Err(missing) => Err(missing.clone()),
    };
    let reliability = match &room {
        Ok(()) if matches!(recipe.task, Task::Classify) => {
            attempt(study.reliability(&judging, monitor))?
        }
        // Another task is no way out of what the labels are.
        Ok(()) => attempt(study.reliability(&judging, monitor))?.map_err(|missing| Missing {
            way_out: None,
            ..missing
        }),
        Err(missing) => Err(missing.clone()),
    };
    let learning = LearningOptions {
        sampling: wishes.sampling.clone(),
        ..LearningOptions::default()
    };
    let curve = match &room {
        Ok(()) => attempt(study.learning_curve(&learning, monitor))?,
        Err(missing) => Err(missing.clone()),
    };
    let room = cost::check_features(&recipe, &sizes, FEATURES, process::in_use(), limit);
    let room = attempt(room)?;
    let spectrum = match &room {
        Ok(()) => attempt(study.spectrum(EIGENVALUES.min(input.len()), monitor))?,
        Err(missing) => Err(missing.clone()),
    };
    let open = input.len() - labelled.len();
    let next = match &room {
        Ok(()) if open == 0 || wishes.list == 0 => Err(Missing {
            why: match open {
                0 => "every one has a label already".to_owned(),
                _ => "no row was asked for".to_owned(),
            },
            way_out: None,
        }),
        Ok(()) => {
            let asking = SuggestOptions {
                count: wishes.list.min(open),
                modes: FEATURES,
                ..SuggestOptions::default()
            };
            attempt(study.suggest(&asking, monitor))?
        }
        Err(missing) => Err(missing.clone()),
    };
    let planar = PlaneOptions {
        samples: POINTS,
        modes: 2,
        // The evaluation above finds them for the whole page.
        doubt: false,
    };
    let placed = match &room {
        Ok(()) => attempt(study.placed(&planar, monitor))?,
        Err(missing) => Err(missing.clone()),
    };
    let tuning = if wishes.tune {
        Some(tuned(
            &recipe,
            &input,
            &targets,
            weights.is_some(),
            monitor,
        )?)
    } else {
        None
    };
    let mut model = study.fit(monitor).map_err(refused)?;
    model.features.clone_from(&features);
    let answer = match (model.training_answer(), &input) {
        (Some(answer), _) => answer,
        (None, Input::Table(points)) => {
            cost::check_answer(&model, points.len(), process::in_use(), limit)?;
            model.predict_rows(points, monitor)?
        }
        (None, _) => {
            return Err(Failure::refused(
                "method",
                "this method does not answer for the nodes of a graph",
                "use stkr, label-propagation or harmonic",
            ));
        }
    };
    model_text::warnings(&model, &features, console);
    let mut blank = vec![true; input.len()];
    labelled.iter().for_each(|&i| blank[i] = false);
    let lost: Vec<usize> = (0..input.len())
        .filter(|&i| blank[i] && !answer.reached[i])
        .collect();
    if !lost.is_empty() && model.training_answer().is_none() {
        model_text::unreached(lost.len(), open, "they lie far from every label", console);
    }
    let audit = match &wishes.sampling {
        LabelSampling::Random => None,
        LabelSampling::Active { audit, .. } => Some(audit.as_slice()),
    };
    let balance = balance(&targets, &answer, audit)?;
    let names = nodes.as_ref().map(|(names, _)| names);
    let lister = Lister::new(
        &table,
        &wishes,
        (&features, encoding.pictures.into_keys().collect()),
        nodes.as_ref().map(|(names, rows)| (names, rows.as_slice())),
    )?;
    let plane = placed.as_ref().map(|p| &p.plane);
    let point_names = match (plane, names, &wishes.id) {
        (Ok(plane), Some(names), _) => bounded(plane.samples.iter().map(|&i| {
            let node = u32::try_from(i).unwrap_or(u32::MAX);
            names.name(node).unwrap_or_default().to_owned()
        })),
        (Ok(plane), None, Some(id)) => {
            let cells = table.labels(id)?;
            bounded(
                plane
                    .samples
                    .iter()
                    .map(|&i| cells[i].clone().unwrap_or_default()),
            )
        }
        _ => None,
    };
    let places = match (plane, names) {
        (Ok(plane), None) => runs(&table, &plane.samples),
        _ => Vec::new(),
    };
    let doubted: Vec<usize> = (evaluation.iter().flat_map(|e| &e.suspects))
        .map(|s| s.sample)
        .collect();
    let map = match placed {
        Ok(placed) => attempt(placed.map(&answer, &doubted))?,
        Err(missing) => Err(missing),
    };
    let next_rows = match &next {
        Ok(found) => lister.rows(found.rows.iter().map(|n| n.suggestion.row))?,
        Err(_) => Vec::new(),
    };
    let suspect_rows = match &evaluation {
        Ok(found) => lister.rows(found.suspects.iter().take(wishes.list).map(|s| s.sample))?,
        Err(_) => Vec::new(),
    };
    Ok(Findings {
        unreached: lost.len(),
        unreached_rows: lister.rows(lost.into_iter().take(wishes.list))?,
        columns: lister.columns,
        title: wishes.title,
        file: wishes.file,
        graph: wishes.graph,
        label: wishes.label,
        toml: wishes.toml,
        samples: input.len(),
        labelled: labelled.len(),
        task: recipe.task,
        warned: console.warned(),
        names: point_names,
        places,
        features,
        recipe,
        targets,
        model,
        evaluation,
        map,
        balance,
        reliability,
        curve,
        spectrum,
        tuning,
        next,
        next_rows,
        suspect_rows,
        provenance: console.record().provenance()?,
    })
}

/// What a grid of settings scored.
fn tuned(
    recipe: &recipe::Recipe,
    input: &Input,
    targets: &Targets,
    weighted: bool,
    monitor: &mut dyn Monitor,
) -> Outcome<Had<Tuning>> {
    use crate::commands::report::grid_of;
    if weighted {
        return Ok(Err(Missing::new(
            "weights of labels mean nothing to tuning",
            "leave out --label-weights",
        )));
    }
    let Method::Stkr(params) = &recipe.method else {
        return Ok(Err(Missing::new(
            format!(
                "a grid for {} is not tried in a report",
                recipe.method.name()
            ),
            "use isotherm tune for kernel Laplacians, or the method stkr",
        )));
    };
    let grid = grid_of(&params.transform);
    let found =
        Study::new(recipe, input.clone(), targets).and_then(|mut study| study.tune(&grid, monitor));
    Ok(match attempt(found)? {
        Ok(found) => Ok(super::charts::tuning(&found, recipe.task, recipe)?),
        Err(missing) => Err(missing),
    })
}

/// How often each class was given, and how often it is predicted.
fn balance(targets: &Targets, answer: &Answer, audit: Option<&[bool]>) -> Outcome<Had<Balance>> {
    match (targets, answer.classes()) {
        (Targets::Classes { labels, names }, Some(found)) => {
            attempt(Balance::count(names, labels, found, audit))
        }
        _ => Ok(Err(Missing {
            why: format!("the labels are {}, not one class each", targets.kind()),
            way_out: None,
        })),
    }
}

/// Where samples stand in their file, in runs: the first sample, the word and its number, which
/// grows with the samples. None at all where the runs would be most of the page.
fn runs(table: &Table, samples: &[usize]) -> Vec<(usize, String, u64)> {
    let mut out: Vec<(usize, String, u64)> = Vec::new();
    for &sample in samples {
        let text = table.row_place(sample);
        let Some((word, number)) = text.rsplit_once(' ') else {
            return Vec::new();
        };
        let Ok(number) = number.parse::<u64>() else {
            return Vec::new();
        };
        let goes_on = out.last().is_some_and(|(first, known, from)| {
            known == word && number == from + (sample - first) as u64
        });
        if !goes_on {
            if out.len() == RUNS {
                return Vec::new();
            }
            out.push((sample, shown(word, CELL), number));
        }
    }
    out
}

/// Names, bounded one by one; none at all where they would be most of the page.
fn bounded(names: impl Iterator<Item = String>) -> Option<Vec<String>> {
    let mut bytes = 0;
    let mut out = Vec::new();
    for name in names {
        let name = shown(&name, NAME);
        bytes += name.len() + 3;
        if bytes > NAMES {
            return None;
        }
        out.push(name);
    }
    Some(out)
}

/// Finds what a list shows of a sample.
struct Lister<'a> {
    table: &'a Table,
    nodes: Option<&'a NodeNames>,
    /// The table's row of each node; a table's own rows need none.
    row_of: Option<Vec<Option<usize>>>,
    columns: Vec<String>,
    cells: Vec<Vec<Option<String>>>,
    /// Columns of pictures, and how many pictures may still be shown.
    pictures: Vec<String>,
    left: Cell<usize>,
}

impl<'a> Lister<'a> {
    fn new(
        table: &'a Table,
        wishes: &Wishes,
        (features, pictures): (&[String], Vec<String>),
        nodes: Option<(&'a NodeNames, &[u32])>,
    ) -> Outcome<Self> {
        // Words tell a reader which row it is; numbers that were learned from do not.
        let words = table.names().into_iter().filter(|n| {
            *n != wishes.label
                && !features.contains(n)
                && wishes.id.as_ref() != Some(n)
                && !table.is_numeric(n).unwrap_or(true)
        });
        let columns: Vec<String> = wishes
            .id
            .iter()
            .cloned()
            .chain(words)
            .take(COLUMNS)
            .collect();
        let cells = columns.iter().map(|c| table.labels(c));
        let row_of = nodes.map(|(names, rows)| {
            let mut row_of = vec![None; names.len()];
            for (row, node) in rows.iter().enumerate() {
                row_of[*node as usize].get_or_insert(row);
            }
            row_of
        });
        Ok(Self {
            table,
            nodes: nodes.map(|(names, _)| names),
            row_of,
            cells: cells.collect::<Result<_, _>>()?,
            columns,
            pictures,
            left: Cell::new(PICTURES),
        })
    }

    fn rows(&self, samples: impl Iterator<Item = usize>) -> Outcome<Vec<Listed>> {
        let one = |sample: usize| {
            let row = match &self.row_of {
                None => Some(sample),
                Some(rows) => rows[sample],
            };
            let cell = |cells: &Vec<Option<String>>| {
                let text = row.and_then(|row| cells[row].as_deref());
                shown(text.unwrap_or_default(), CELL)
            };
            Ok(Listed {
                place: place(self.table, self.nodes, sample),
                row: row.map(|row| row + 1),
                cells: self.cells.iter().map(cell).collect(),
                pictures: match row {
                    Some(row) => self.pictures_of(row)?,
                    None => Vec::new(),
                },
            })
        };
        samples.map(one).collect()
    }

    fn pictures_of(&self, row: usize) -> Outcome<Vec<(String, Vec<u8>)>> {
        let mut found = Vec::new();
        for column in &self.pictures {
            let Some(left) = self.left.get().checked_sub(1) else {
                break;
            };
            if let Some(png) = thumbnail(self.table, column, row, SIDE)? {
                self.left.set(left);
                found.push((column.clone(), png));
            }
        }
        Ok(found)
    }
}
