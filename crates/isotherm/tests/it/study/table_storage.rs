//! Every method gives the same bits however a table is stored.

use std::sync::atomic::Ordering;

use isotherm::data::table::Table as _;
use isotherm::data::{Points, Targets};
use isotherm::embedding::{Embedding, EmbeddingParams};
use isotherm::estimator::baseline::{KernelRidgeParams, LabelPropagationParams};
use isotherm::estimator::laplacian::{BasisSpec, Covariance, LaplacianParams};
use isotherm::estimator::stkr::StkrParams;
use isotherm::kernel::KernelSpec;
use isotherm::landmark::Selection;
use isotherm::linalg::Precision;
use isotherm::model::parts::Parts;
use isotherm::monitor::Quiet;
use isotherm::recipe::{Method, Recipe, Scaling, Task};
use isotherm::study::{EvaluateOptions, Input, Study};

use crate::fit;

use crate::data::table::{Watched, kept, numbers};

const ROWS: usize = 420;
const DIM: usize = 11;

/// Two clouds, rows of one after rows of the other, seven labels each.
fn clouds() -> (Vec<f32>, Targets) {
    let mut values = numbers(ROWS, DIM, 11);
    let half = values.len() / 2;
    values[half..].iter_mut().for_each(|v| *v += 2.0);
    let label = |i: usize| if i < ROWS / 2 { "a" } else { "b" };
    let names: Vec<Option<&str>> = (0..ROWS).map(|i| (i % 30 == 0).then(|| label(i))).collect();
    (values, Targets::from_names(&names))
}

fn laplacian(basis: BasisSpec) -> Method {
    Method::Laplacian(LaplacianParams {
        basis,
        ..LaplacianParams::default()
    })
}

fn landmarks(selection: Selection, derivatives: bool) -> Method {
    laplacian(BasisSpec::Landmarks {
        count: Some(if derivatives { 8 } else { 150 }),
        selection,
        derivatives,
    })
}

fn recipes() -> Vec<Recipe> {
    let of = |method| Recipe::of(method, Task::Classify, 5);
    let stkr = || of(Method::Stkr(StkrParams::default()));
    let mut all = vec![
        of(Method::KernelRidge(KernelRidgeParams::default())),
        of(landmarks(Selection::Uniform, false)),
        of(landmarks(Selection::Leverage, false)),
        of(landmarks(Selection::Pivoted, false)),
        of(landmarks(Selection::KmeansPlusPlus, true)),
        of(laplacian(BasisSpec::Fourier { count: 60 })),
        of(Method::Laplacian(LaplacianParams {
            covariance: Covariance::All,
            precision: Precision::Single,
            ..LaplacianParams::default()
        })),
        stkr(),
        Recipe {
            kernel: Some(KernelSpec::default()),
            ..stkr()
        },
        of(Method::LabelPropagation(LabelPropagationParams::default())),
        of(Method::Harmonic(Default::default())),
    ];
    let unscaled = |recipe: &Recipe| Recipe {
        scaling: Some(Scaling::None),
        ..recipe.clone()
    };
    all.extend([unscaled(&all[0]), unscaled(&all[1]), unscaled(&all[7])]);
    all
}

/// The model and what it says of new rows, as bits.
fn learned(recipe: &Recipe, x: &Points, y: &Targets, new: &Points) -> (Parts, Vec<u64>) {
    let model = fit(recipe, Input::Table(x.clone()), y, &mut Quiet).unwrap();
    let mut bits = Vec::new();
    for at in [new, x] {
        let scores = model.predict_rows(at, &mut Quiet).unwrap().scores;
        let cells = (0..scores.nrows()).flat_map(|i| (0..scores.ncols()).map(move |j| (i, j)));
        bits.extend(cells.map(|at| scores[at].to_bits()));
    }
    (model.to_parts(), bits)
}

#[test]
fn every_method_is_bit_identical_on_every_table() {
    let (values, y) = clouds();
    let tables = kept(&values, ROWS, DIM);
    let queries = kept(&numbers(300, DIM, 12), 300, DIM);
    for recipe in recipes() {
        let expected = learned(&recipe, &tables[0].1, &y, &queries[0].1);
        assert!(expected.1.iter().any(|b| f64::from_bits(*b) != 0.0));
        for ((name, table), (_, new)) in tables.iter().zip(&queries).skip(1) {
            let got = learned(&recipe, table, &y, new);
            assert!(got == expected, "{name}: {recipe:?}");
        }
    }
}

#[test]
fn the_exact_method_is_bit_identical_on_every_table() {
    let (values, _) = clouds();
    let few: Vec<f32> = values
        .chunks(DIM * 14)
        .flat_map(|rows| rows[..3].to_vec())
        .collect();
    let names: Vec<Option<&str>> = (0..30)
        .map(|i| (i % 5 == 0).then_some(if i < 15 { "a" } else { "b" }))
        .collect();
    let y = Targets::from_names(&names);
    let recipe = Recipe::of(laplacian(BasisSpec::Exact), Task::Classify, 0);
    let tables = kept(&few, 30, 3);
    let expected = learned(&recipe, &tables[0].1, &y, &tables[0].1);
    for (name, table) in &tables[1..] {
        assert!(learned(&recipe, table, &y, table) == expected, "{name}");
    }
}

#[test]
fn evaluations_and_embeddings_do_not_depend_on_how_rows_are_kept() {
    let (values, y) = clouds();
    let tables = kept(&values, ROWS, DIM);
    let recipe = Recipe::on_graph(Task::Classify, 3);
    let found = |x: &Points| {
        let input = Input::Table(x.clone());
        let judged = Study::new(&recipe, input, &y)
            .and_then(|mut study| study.evaluate(&EvaluateOptions::default(), &mut Quiet))
            .unwrap();
        let params = EmbeddingParams::Laplacian(LaplacianParams::default());
        let input = Input::Table(x.clone());
        let places =
            Embedding::fit(&params, input, Scaling::Standardise, 2, 0, &mut Quiet).unwrap();
        (format!("{judged:?}"), places.visible().clone())
    };
    let expected = found(&tables[0].1);
    for (name, table) in &tables[1..] {
        assert!(found(table) == expected, "{name}");
    }
}

#[test]
fn the_thread_count_changes_no_bit_of_a_foreign_table() {
    let (values, y) = clouds();
    let tables = kept(&values, ROWS, DIM);
    let (_, columns) = &tables[4];
    for recipe in recipes() {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().unwrap();
            pool.install(|| learned(&recipe, columns, &y, columns))
        };
        assert!(run(1) == run(3), "{recipe:?}");
    }
}

#[test]
fn no_fit_or_prediction_reads_a_foreign_table_as_a_whole() {
    let rows = 3000;
    let values = numbers(rows, 40, 13);
    let label = |i: usize| if values[i * 40] < 0.0 { "a" } else { "b" };
    let names: Vec<Option<&str>> = (0..rows)
        .map(|i| (i % 100 == 0).then(|| label(i)))
        .collect();
    let y = Targets::from_names(&names);
    for mut recipe in recipes() {
        if let Method::Laplacian(params) = &mut recipe.method
            && let BasisSpec::Landmarks {
                derivatives: true, ..
            } = &params.basis
        {
            params.basis = BasisSpec::Rows {
                index: vec![1, 2900],
                derivatives: true,
            };
        }
        let table = Watched::new(values.clone(), 40);
        let x = Points::shared(table.clone()).unwrap();
        let model = fit(&recipe, Input::Table(x.clone()), &y, &mut Quiet).unwrap();
        model.predict_rows(&x, &mut Quiet).unwrap();
        let largest = table.largest.load(Ordering::Relaxed);
        assert!(
            largest <= 1024,
            "{largest} of {} rows: {recipe:?}",
            table.rows()
        );
    }
}
