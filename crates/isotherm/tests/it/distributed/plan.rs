//! One fit for tables in memory, streams and parts dealt in any way.

use isotherm::Error;
use isotherm::data::stream::Slice;
use isotherm::data::{Points, Survey, Targets};
use isotherm::distributed::messages::{survey_from_parts, survey_to_parts};
use isotherm::distributed::{self, Moments, Plan, fit_streamed, rows_to_keep};
use isotherm::estimator::laplacian::{BasisSpec, Covariance, LaplacianParams, NormShare};
use isotherm::kernel::{Bandwidth, KernelSpec};
use isotherm::labelling::WeightedTargets;
use isotherm::landmark::Selection;
use isotherm::linalg::{Mat, Precision};
use isotherm::model::Model;
use isotherm::model::parts::{Array, Parts};
use isotherm::monitor::Quiet;
use isotherm::recipe::{Method, Recipe, Task};
use isotherm::spectrum::Filter;
use isotherm::study::{Input, Study};

use crate::fit;
use isotherm::testing::random;

const ROWS: usize = 3000;
const DIM: usize = 3;

/// Columns of different size, one of them far from zero.
fn table(rows: usize, seed: u64) -> Points {
    let values = random(rows, DIM, seed);
    let cell = |k: usize| match k % DIM {
        0 => 100.0 + values[(k / DIM, 0)],
        j => 10_f64.powi(j as i32) * values[(k / DIM, j)],
    };
    Points::new((0..rows * DIM).map(cell).collect(), rows, DIM).unwrap()
}

fn labels(points: &Points, task: Task) -> Targets {
    let every = points.len() / 40;
    let known = |i: usize| i % every == 7;
    let side = |i: usize| points.row(i)[1] - 3.0 * (points.row(i)[0] - 100.0);
    match task {
        Task::Classify => {
            let names: Vec<Option<&str>> = (0..points.len())
                .map(|i| known(i).then(|| if side(i) > 0.0 { "yes" } else { "no" }))
                .collect();
            Targets::from_names(&names)
        }
        _ => Targets::Values(
            (0..points.len())
                .map(|i| known(i).then(|| side(i)))
                .collect(),
        ),
    }
}

fn landmarks(selection: Selection) -> BasisSpec {
    BasisSpec::Landmarks {
        count: Some(40),
        selection,
        derivatives: false,
    }
}

fn recipe(task: Task, params: LaplacianParams) -> Recipe {
    let mut recipe = Recipe::on_graph(task, 3);
    recipe.method = Method::Laplacian(params);
    recipe
}

/// Everything that a basis, a covariance or a constant makes different.
fn settings() -> Vec<LaplacianParams> {
    let plain = LaplacianParams {
        basis: landmarks(Selection::Uniform),
        ..LaplacianParams::default()
    };
    let settled = LaplacianParams {
        filter: Some(Filter::Tikhonov { strength: 0.03 }),
        ..plain.clone()
    };
    let waves = BasisSpec::Fourier { count: 50 };
    let rows = BasisSpec::Rows {
        index: (0..30).map(|i| 97 * i).rev().collect(),
        derivatives: false,
    };
    let slopes = BasisSpec::Landmarks {
        count: Some(9),
        selection: Selection::Uniform,
        derivatives: true,
    };
    let with = |basis: BasisSpec| LaplacianParams {
        basis,
        ..settled.clone()
    };
    vec![
        plain,
        with(landmarks(Selection::KmeansPlusPlus)),
        with(waves),
        with(rows),
        with(slopes),
        LaplacianParams {
            covariance: Covariance::All,
            free_constant: true,
            norm_share: NormShare::Fixed(1e-2),
            filter: Some(Filter::Tikhonov { strength: 1e-3 }),
            ..settled.clone()
        },
        // At the end of what sums resolve: rounding is seen in the sixth digit.
        LaplacianParams {
            kernel: KernelSpec::Gaussian {
                bandwidth: Bandwidth::Fixed(6.0),
            },
            basis: BasisSpec::Landmarks {
                count: Some(120),
                selection: Selection::Uniform,
                derivatives: false,
            },
            ..settled.clone()
        },
        LaplacianParams {
            precision: Precision::Single,
            ..settled
        },
    ]
}

/// A table dealt to parts at these places.
struct Dealt<'a> {
    points: &'a Points,
    cuts: Vec<usize>,
}

impl Dealt<'_> {
    fn parts(&self) -> Vec<(usize, Points)> {
        let part = |w: &[usize]| {
            let index: Vec<usize> = (w[0]..w[1]).collect();
            (w[0], self.points.select(&index).unwrap())
        };
        self.cuts.windows(2).map(part).collect()
    }

    /// Survey, plan and sums of each part; everything sent as a message on its way.
    fn surveys(&self, keep: &[usize], size: usize, seed: u64) -> Vec<Survey> {
        let survey = |(first, rows): &(usize, Points)| {
            let end = first + rows.len();
            let here = keep.iter().filter(|i| (*first..end).contains(*i));
            let places: Vec<usize> = here.map(|i| i - first).collect();
            let mut survey = Survey::new(rows.dim(), size, seed);
            survey.add(rows, *first, &places).unwrap();
            survey_from_parts(survey_to_parts(&survey)).unwrap()
        };
        self.parts().iter().map(survey).collect()
    }

    fn sums(&self, plan: &Plan) -> Vec<Moments> {
        let sum = |(first, rows): &(usize, Points)| {
            let mut moments = plan.moments();
            moments.add(rows, *first, &mut Quiet).unwrap();
            Moments::from_parts(plan, moments.to_parts()).unwrap()
        };
        self.parts().iter().map(sum).collect()
    }

    fn fit<'g>(
        &self,
        recipe: &Recipe,
        given: impl Into<WeightedTargets<'g>>,
        size: usize,
        order: Order,
    ) -> Model {
        let given = given.into();
        let keep = rows_to_keep(recipe, given).unwrap();
        let surveys = self.surveys(&keep, size, recipe.seed);
        let survey = merged(surveys, order, |a, b| a.merge(b).unwrap());
        let plan = Plan::of(recipe, &survey, given, &mut Quiet).unwrap();
        let plan = Plan::from_parts(plan.to_parts()).unwrap();
        let sums = merged(self.sums(&plan), order, |a, b| a.merge(b).unwrap());
        plan.solve(&sums, &mut Quiet).unwrap()
    }
}

#[derive(Clone, Copy)]
enum Order {
    Forwards,
    Backwards,
    Tree,
}

fn merged<T>(mut parts: Vec<T>, order: Order, mut merge: impl FnMut(&mut T, &T)) -> T {
    match order {
        Order::Forwards | Order::Backwards => {
            if matches!(order, Order::Forwards) {
                parts.reverse();
            }
            let mut all = parts.pop().unwrap();
            while let Some(next) = parts.pop() {
                merge(&mut all, &next);
            }
            all
        }
        Order::Tree => {
            while parts.len() > 1 {
                let mut next = Vec::new();
                let mut rest = parts.into_iter();
                while let Some(mut left) = rest.next() {
                    if let Some(right) = rest.next() {
                        merge(&mut left, &right);
                    }
                    next.push(left);
                }
                parts = next;
            }
            parts.pop().unwrap()
        }
    }
}

fn scores(model: &Model, new: &Points) -> Mat<f64> {
    model.predict_rows(new, &mut Quiet).unwrap().scores
}

#[test]
fn how_rows_are_dealt_to_parts_changes_no_bit() {
    let (points, new) = (table(ROWS, 1), table(200, 2));
    let one = |cuts: &[usize]| Dealt {
        points: &points,
        cuts: cuts.to_vec(),
    };
    let deals = [
        (one(&[0, 1700, ROWS]), Order::Backwards),
        (
            one(&[0, 1, 1024, 1030, 1031, 2048, 2500, 2999, ROWS]),
            Order::Tree,
        ),
        (
            one(&[0, 300, 700, 1100, 1500, 1900, 2300, 2700, ROWS]),
            Order::Forwards,
        ),
    ];
    for task in [Task::Classify, Task::Regress] {
        let targets = labels(&points, task);
        for params in settings() {
            let recipe = recipe(task, params);
            let whole = one(&[0, ROWS]).fit(&recipe, &targets, 500, Order::Forwards);
            let expected = scores(&whole, &new);
            assert!(expected.norm_max() > 1e-3);
            for (deal, order) in &deals {
                let model = deal.fit(&recipe, &targets, 500, *order);
                assert_eq!(scores(&model, &new), expected, "{recipe:?}");
                assert_eq!(model.calibrated_on(), whole.calibrated_on());
                assert_eq!(model.report(), whole.report());
            }
        }
    }
}

#[test]
fn a_table_that_the_sample_holds_is_fitted_as_a_table() {
    let (points, new) = (table(700, 1), table(200, 2));
    let weights: Vec<f64> = (0..700).map(|i| 1.0 + (i % 5) as f64).collect();
    for task in [Task::Classify, Task::Regress] {
        let targets = labels(&points, task);
        for params in settings() {
            let recipe = recipe(
                task,
                LaplacianParams {
                    basis: match params.basis {
                        BasisSpec::Rows { .. } => BasisSpec::Rows {
                            index: (0..20).collect(),
                            derivatives: false,
                        },
                        other => other,
                    },
                    ..params
                },
            );
            for weights in [None, Some(weights.as_slice())] {
                let given = WeightedTargets {
                    targets: &targets,
                    weights,
                };
                let table = Input::Table(points.clone());
                let fitted = fit(&recipe, table, given, &mut Quiet).unwrap();
                let expected = scores(&fitted, &new);
                let mut rows = Slice::new(points.contiguous().unwrap(), DIM, 111).unwrap();
                let passing = fit_streamed(&recipe, &mut rows, given, &mut Quiet).unwrap();
                assert_eq!(scores(&passing, &new), expected);
                assert_eq!(passing.warnings(), fitted.warnings());
                assert_eq!(passing.calibrated_on(), fitted.calibrated_on());
                let deal = Dealt {
                    points: &points,
                    cuts: vec![0, 350, 700],
                };
                let dealt = deal.fit(&recipe, given, 1000, Order::Backwards);
                assert_eq!(scores(&dealt, &new), expected);
                assert_eq!(dealt.warnings(), fitted.warnings());
            }
        }
    }
}

#[test]
fn a_larger_table_is_fitted_alike_in_memory_and_read_in_parts() {
    let rows = 21_000;
    let (points, new) = (table(rows, 1), table(100, 2));
    let single: Vec<f32> = points
        .contiguous()
        .unwrap()
        .iter()
        .map(|v| *v as f32)
        .collect();
    let targets = labels(&points, Task::Classify);
    let recipe = recipe(
        Task::Classify,
        LaplacianParams {
            basis: landmarks(Selection::Uniform),
            filter: Some(Filter::Tikhonov { strength: 0.03 }),
            ..LaplacianParams::default()
        },
    );
    let whole = Input::Table(points.clone());
    let planned = fit(&recipe, whole, &targets, &mut Quiet).unwrap();
    let expected = scores(&planned, &new);
    for each in [999, 8192, rows] {
        let mut stream = Slice::new(points.contiguous().unwrap(), DIM, each).unwrap();
        let model = fit_streamed(&recipe, &mut stream, &targets, &mut Quiet).unwrap();
        assert_eq!(scores(&model, &new), expected);
    }
    let mut stream = Slice::new(&single, DIM, 4096).unwrap();
    let model = fit_streamed(&recipe, &mut stream, &targets, &mut Quiet).unwrap();
    let off = (scores(&model, &new) - &expected).norm_max();
    assert!(0.0 < off && off < 1e-3, "{off:e}");
    let deal = Dealt {
        points: &points,
        cuts: vec![0, 5000, 5001, rows],
    };
    let dealt = deal.fit(
        &recipe,
        &targets,
        distributed::sample_size(&recipe, rows),
        Order::Tree,
    );
    assert_eq!(scores(&dealt, &new), expected);
}

#[test]
fn one_recipe_is_one_model_beyond_the_sample() {
    let rows = 21_000;
    let (points, new) = (table(rows, 1), table(100, 2));
    let settled = LaplacianParams {
        basis: landmarks(Selection::Uniform),
        filter: Some(Filter::Tikhonov { strength: 0.03 }),
        ..LaplacianParams::default()
    };
    let named = LaplacianParams {
        basis: BasisSpec::Rows {
            index: (0..30).map(|i| 697 * i).rev().collect(),
            derivatives: false,
        },
        ..settled.clone()
    };
    // Bandwidth, norm share and strength by leave-one-out.
    let open = LaplacianParams {
        filter: None,
        ..settled.clone()
    };
    for (params, task) in [
        (settled, Task::Classify),
        (named, Task::Classify),
        (open, Task::Regress),
    ] {
        let targets = labels(&points, task);
        let recipe = recipe(task, params);
        let table = Input::Table(points.clone());
        let in_memory = fit(&recipe, table, &targets, &mut Quiet).unwrap();
        let mut stream = Slice::new(points.contiguous().unwrap(), DIM, 4096).unwrap();
        let streamed = fit_streamed(&recipe, &mut stream, &targets, &mut Quiet).unwrap();
        assert_eq!(scores(&in_memory, &new), scores(&streamed, &new));
    }
}

#[test]
fn the_sample_follows_from_the_row_numbers() {
    let points = table(1000, 4);
    let whole = Dealt {
        points: &points,
        cuts: vec![0, 1000],
    };
    let expected = whole.surveys(&[5, 900], 60, 9).remove(0);
    for cuts in [vec![0, 1, 999, 1000], vec![0, 250, 500, 750, 1000]] {
        let deal = Dealt {
            points: &points,
            cuts,
        };
        for order in [Order::Forwards, Order::Backwards, Order::Tree] {
            let parts = deal.surveys(&[5, 900], 60, 9);
            let found = merged(parts, order, |a, b| a.merge(b).unwrap());
            assert_eq!(found.sample().unwrap(), expected.sample().unwrap());
            assert_eq!(found.kept().unwrap(), expected.kept().unwrap());
            let (a, b) = (found.scaling().unwrap(), expected.scaling().unwrap());
            for (a, b) in a.scale().iter().zip(b.scale()) {
                assert!((a - b).abs() <= 1e-12 * b, "{a} {b}");
            }
            assert_eq!(a.rounded().unwrap(), b.rounded().unwrap());
        }
    }
    // Another seed draws others; a part is not drawn from more than its share.
    let other = whole.surveys(&[], 60, 10).remove(0);
    assert_ne!(other.sample().unwrap(), expected.sample().unwrap());
}

fn passing_plan() -> (Points, Recipe, Targets, Plan) {
    let points = table(2300, 1);
    let targets = labels(&points, Task::Classify);
    let params = settings().remove(1);
    let recipe = recipe(Task::Classify, params);
    let keep = rows_to_keep(&recipe, &targets).unwrap();
    let whole = Dealt {
        points: &points,
        cuts: vec![0, 2300],
    };
    let survey = whole.surveys(&keep, 300, recipe.seed).remove(0);
    let plan = Plan::of(&recipe, &survey, &targets, &mut Quiet).unwrap();
    (points, recipe, targets, plan)
}

#[test]
fn a_part_that_was_lost_is_the_same_when_it_is_made_again() {
    let (points, _, _, plan) = passing_plan();
    let deal = Dealt {
        points: &points,
        cuts: vec![0, 1500, 2300],
    };
    let before: Vec<Parts> = deal.sums(&plan).iter().map(Moments::to_parts).collect();
    let there = Plan::from_parts(plan.to_parts()).unwrap();
    assert_eq!(there.to_parts(), plan.to_parts());
    let one = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let again: Vec<Parts> =
        one.install(|| deal.sums(&there).iter().map(Moments::to_parts).collect());
    assert_eq!(before, again);
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let (points, recipe, targets, plan) = passing_plan();
    let message = |result: Result<(), Error>| result.unwrap_err().to_string();
    let deal = Dealt {
        points: &points,
        cuts: vec![0, 1500, 2300],
    };
    let parts = deal.sums(&plan);
    let mut sums = parts[0].clone();
    let twice = message(sums.merge(&parts[0]));
    assert!(twice.contains("rows 0 to 1499 are in two parts"), "{twice}");
    let few = plan.solve(&sums, &mut Quiet).unwrap_err().to_string();
    assert!(few.contains("over 1500 of the plan's 2300 rows"), "{few}");
    // Another plan: other landmarks.
    let other = Recipe {
        seed: 4,
        ..recipe.clone()
    };
    let keep = rows_to_keep(&other, &targets).unwrap();
    let surveys = deal.surveys(&keep, 300, 4);
    let gap = Plan::of(&other, &surveys[1], &targets, &mut Quiet);
    let gap = gap.unwrap_err().to_string();
    assert!(gap.contains("rows 0 to 1499 are in no part"), "{gap}");
    let survey = merged(surveys, Order::Tree, |a, b| a.merge(b).unwrap());
    let other = Plan::of(&other, &survey, &targets, &mut Quiet).unwrap();
    let foreign = message(sums.merge(&deal.sums(&other)[1]));
    assert!(foreign.contains("different plans"), "{foreign}");
    let foreign = Moments::from_parts(&other, parts[1].to_parts());
    assert!(foreign.unwrap_err().to_string().contains("another plan"));
    let foreign = other.solve(&sums, &mut Quiet).unwrap_err().to_string();
    assert!(foreign.contains("another plan's"), "{foreign}");
    // After all refusals the sums are as they were.
    sums.merge(&parts[1]).unwrap();
    plan.solve(&sums, &mut Quiet).unwrap();
    // Surveys that do not draw alike, and columns that do not fit.
    let mut survey = Survey::new(2, 5, 0);
    assert!(survey.merge(&Survey::new(2, 6, 0)).is_err());
    assert!(survey.merge(&Survey::new(3, 5, 0)).is_err());
    assert!(survey.add(&points, 0, &[]).is_err());
    // A labelled row that nobody kept.
    let bare = merged(deal.surveys(&[], 300, 3), Order::Tree, |a, b| {
        a.merge(b).unwrap();
    });
    let bare = Plan::of(&recipe, &bare, &targets, &mut Quiet).unwrap_err();
    assert!(
        bare.to_string().contains("row 7 was read in passing"),
        "{bare}"
    );
}

#[test]
fn tags_get_their_thresholds_in_a_stream_too() {
    let points = table(400, 5);
    let flags: Vec<Option<Vec<Option<bool>>>> = (0..400)
        .map(|i| {
            let row = points.row(i);
            (i % 8 == 0).then(|| vec![Some(row[1] > 6.0), Some(row[0] > 100.5)])
        })
        .collect();
    let targets = Targets::Flags {
        labels: flags,
        names: vec!["a".into(), "b".into()],
    };
    let mut recipe = recipe(Task::Tags, settings().remove(1));
    recipe.thresholds = Some(isotherm::task::thresholds::Measure::Macro);
    let table = Input::Table(points.clone());
    let fitted = Study::new(&recipe, table, &targets)
        .and_then(|mut study| study.fit(&mut Quiet))
        .unwrap();
    let mut rows = Slice::new(points.contiguous().unwrap(), DIM, 50).unwrap();
    let passing = fit_streamed(&recipe, &mut rows, &targets, &mut Quiet).unwrap();
    assert_eq!(
        passing.to_parts().metadata["codec"],
        fitted.to_parts().metadata["codec"]
    );
    assert!(!fitted.to_parts().metadata["codec"].contains("[0.5,0.5]"));
}

/// Every way to spoil one part of a message.
fn spoiled(parts: &Parts) -> Vec<Parts> {
    let mut found = Vec::new();
    for name in parts.metadata.keys() {
        let mut gone = parts.clone();
        gone.metadata.remove(name);
        found.push(gone);
        for text in [
            "",
            "{",
            "-1",
            "0",
            "3",
            "99999999999999999999",
            "[]",
            "null",
        ] {
            let mut other = parts.clone();
            other.metadata.insert(name.clone(), text.into());
            found.push(other);
        }
    }
    for (name, tensor) in &parts.tensors {
        let mut gone = parts.clone();
        gone.tensors.remove(name);
        found.push(gone);
        let mut flat = parts.clone();
        flat.tensors.get_mut(name).unwrap().shape = vec![tensor.array.len()];
        found.push(flat);
        let mut longer = parts.clone();
        longer.tensors.get_mut(name).unwrap().shape.push(2);
        found.push(longer);
        for at in [
            0,
            tensor.array.len() / 2,
            tensor.array.len().wrapping_sub(1),
        ] {
            for value in [0.0, -1.0, f64::NAN, 1e300, 5e-324] {
                let mut other = parts.clone();
                match &mut other.tensors.get_mut(name).unwrap().array {
                    Array::F64(v) if at < v.len() => v[at] = value,
                    Array::U64(v) if at < v.len() => v[at] = value as u64,
                    _ => continue,
                }
                found.push(other);
            }
            let mut huge = parts.clone();
            if let Array::U64(v) = &mut huge.tensors.get_mut(name).unwrap().array
                && at < v.len()
            {
                v[at] = u64::MAX;
                found.push(huge);
            }
        }
        let mut shorter = parts.clone();
        let tensor = shorter.tensors.get_mut(name).unwrap();
        if let (Array::F64(v), Some(first)) = (&mut tensor.array, tensor.shape.first_mut())
            && *first > 0
        {
            let row = v.len() / *first;
            v.truncate(v.len() - row);
            *first -= 1;
            found.push(shorter);
        }
    }
    let mut foreign = parts.clone();
    foreign.metadata.insert("another".into(), "part".into());
    found.push(foreign);
    found
}

#[test]
fn damaged_messages_are_refused_or_make_sense_but_never_panic() {
    let (points, recipe, targets, plan) = passing_plan();
    let deal = Dealt {
        points: &points,
        cuts: vec![0, 1500, 2300],
    };
    let sums = deal.sums(&plan);
    let (mut refused, mut read) = (0, 0);
    for parts in spoiled(&sums[0].to_parts()) {
        let Ok(mut other) = Moments::from_parts(&plan, parts) else {
            refused += 1;
            continue;
        };
        read += 1;
        // Whatever was read is used like any other; numbers may be wrong, not the program.
        if other.merge(&sums[1]).is_ok() {
            let _ = plan.solve(&other, &mut Quiet);
        }
    }
    let keep = rows_to_keep(&recipe, &targets).unwrap();
    let survey = deal.surveys(&keep, 300, recipe.seed).remove(0);
    for parts in spoiled(&survey_to_parts(&survey)) {
        match survey_from_parts(parts) {
            Err(_) => refused += 1,
            Ok(other) => {
                read += 1;
                let _ = Plan::of(&recipe, &other, &targets, &mut Quiet);
            }
        }
    }
    let small = table(400, 1);
    let few = labels(&small, Task::Regress);
    let mut survey = Survey::new(DIM, 500, 0);
    survey.add(&small, 0, &[]).unwrap();
    let held = recipe_of_regress();
    let held = Plan::of(&held, &survey, &few, &mut Quiet).unwrap();
    for whole in [&plan, &held] {
        for parts in spoiled(&whole.to_parts()) {
            match Plan::from_parts(parts) {
                Err(_) => refused += 1,
                Ok(other) => {
                    read += 1;
                    let mut all = other.moments();
                    let rows = if whole.needs_sums() { &points } else { &small };
                    if all.add(rows, 0, &mut Quiet).is_ok() {
                        let _ = other.solve(&all, &mut Quiet);
                    }
                }
            }
        }
    }
    assert!(refused > 200 && read > 20, "{refused} refused, {read} read");
}

fn recipe_of_regress() -> Recipe {
    recipe(Task::Regress, settings().remove(1))
}
