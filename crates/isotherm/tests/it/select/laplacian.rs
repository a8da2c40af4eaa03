//! Grids of kernel Laplacians: every cell is the fit it stands for.

use isotherm::data::bandwidth::median_distance;
use isotherm::data::{Points, Survey, Targets};
use isotherm::estimator::Estimator;
use isotherm::estimator::EvaluationPoints;
use isotherm::estimator::laplacian::{
    BasisSpec, Covariance, Laplacian, LaplacianParams, NormShare,
};
use isotherm::kernel::{Bandwidth, KernelSpec};
use isotherm::landmark::Selection;
use isotherm::linalg::Mat;
use isotherm::monitor::Quiet;
use isotherm::recipe::{Method, Recipe, Scaling, Task};
use isotherm::select::laplacian::{LaplacianCell, LaplacianGrid, search};
use isotherm::select::{Judge, Metric};
use isotherm::spectrum::{Filter, FilterFamily, FilterPath};
use isotherm::study::Input;
use isotherm::task::{Codec, Observed, OneHot};
use isotherm::testing::random;

use crate::fit;

const ROWS: usize = 60;
const SEED: u64 = 4;

fn table(rows: usize, seed: u64) -> Points {
    let values = random(rows, 2, seed);
    let flat = (0..2 * rows).map(|k| values[(k / 2, k % 2)]).collect();
    Points::new(flat, rows, 2).unwrap()
}

/// Labels of two classes at ten rows.
fn seen() -> Observed {
    let mut labels = vec![None; ROWS];
    (0..10).for_each(|i| labels[5 * i] = Some(u32::from(i % 3 == 0)));
    Observed::encode(&OneHot::new(2), &labels).unwrap()
}

fn params(free_constant: bool) -> LaplacianParams {
    LaplacianParams {
        basis: BasisSpec::Rows {
            index: (0..25).collect(),
            derivatives: false,
        },
        free_constant,
        ..LaplacianParams::default()
    }
}

fn grid(filters: FilterPath) -> LaplacianGrid {
    LaplacianGrid {
        bandwidths: vec![1.0, 0.4],
        shares: vec![1.0, 1e-2],
        filters,
    }
}

fn all_kinds() -> FilterPath {
    FilterPath::Given(vec![
        Filter::Tikhonov { strength: 0.1 },
        Filter::CutOff { threshold: 0.05 },
        Filter::Leading { rank: 4 },
        Filter::GradientFlow { time: 3.0 },
        Filter::Landweber {
            steps: 20,
            step: None,
        },
        Filter::Heat { time: 0.2 },
    ])
}

/// The fit of one cell to all labels, from its own preparation, at these rows.
fn refit(params: &LaplacianParams, cell: &LaplacianCell, rows: &Points) -> Mat<f64> {
    let params = LaplacianParams {
        kernel: KernelSpec::Gaussian {
            bandwidth: Bandwidth::Fixed(cell.bandwidth.unwrap()),
        },
        norm_share: NormShare::Fixed(cell.share),
        filter: Some(cell.filter.clone()),
        ..params.clone()
    };
    let laplacian = Laplacian::new(params, SEED).unwrap();
    let fitted = laplacian.fit(table(ROWS, 300), &seen(), &mut Quiet);
    fitted.unwrap().scores(rows, &mut Quiet).unwrap().values
}

fn plain(metric: Metric, scores: &Mat<f64>, values: &Mat<f64>) -> f64 {
    let rows = scores.nrows();
    let row = |m: &Mat<f64>, i: usize| [m[(i, 0)], m[(i, 1)]];
    let codec = OneHot::new(2);
    let right = |i: usize| codec.decode(&row(scores, i)) == codec.decode(&row(values, i));
    match metric {
        Metric::Accuracy => (0..rows).filter(|&i| right(i)).count() as f64 / rows as f64,
        Metric::SquaredError => -(scores - values).squared_norm_l2() / rows as f64,
    }
}

#[test]
fn a_validation_score_is_that_of_fitting_and_predicting() {
    let (points, new) = (table(ROWS, 300), table(7, 301));
    let held = [1, 8, 22, 33, 41, 58, 59];
    let values = Mat::from_fn(7, 2, |i, c| f64::from(u8::from(i % 2 == c)));
    for free_constant in [false, true] {
        let params = params(free_constant);
        for metric in [Metric::SquaredError, Metric::Accuracy] {
            for watch in [
                EvaluationPoints::Visible(held.as_slice()),
                EvaluationPoints::New(&new),
            ] {
                let judge = Judge::Validation {
                    points: watch,
                    values: &values,
                    metric,
                };
                let grid = grid(all_kinds());
                let found = search(&params, &points, &seen(), &grid, &judge, SEED, &mut Quiet);
                let found = found.unwrap();
                assert_eq!(found.cells.len(), 2 * 2 * 6);
                let rows = match watch {
                    EvaluationPoints::Visible(rows) => points.select(rows).unwrap(),
                    EvaluationPoints::New(rows) => rows.clone(),
                };
                for cell in &found.cells {
                    let scores = refit(&params, cell, &rows);
                    let expected = plain(metric, &scores, &values);
                    let gap = (cell.score.unwrap() - expected).abs();
                    assert!(gap <= 1e-7 * expected.abs().max(1.0), "{cell:?}: {gap:e}");
                }
                let best = found.cell().score.unwrap();
                assert!(found.cells.iter().all(|c| c.score.unwrap() <= best));
                assert_eq!(found.params.filter.as_ref(), Some(&found.cell().filter));
            }
        }
    }
}

#[test]
fn bandwidths_and_shares_are_multiples_of_the_median_and_of_one_over_the_rows() {
    let points = table(ROWS, 300);
    let judge = Judge::LeaveOneOut {
        metric: Metric::SquaredError,
    };
    let grid = grid(all_kinds());
    let found = search(
        &params(false),
        &points,
        &seen(),
        &grid,
        &judge,
        SEED,
        &mut Quiet,
    )
    .unwrap();
    let median = median_distance(&points, SEED).unwrap();
    let last = found.cells.last().unwrap();
    assert_eq!(last.bandwidth, Some(0.4 * median));
    assert_eq!(last.share, 1e-2 / ROWS as f64);
}

/// Every family's path against the spectrum it is placed by, and its scores against
/// leaving each label out of a fit.
#[test]
fn a_path_relative_to_the_spectrum_is_placed_by_its_largest_eigenvalue() {
    let points = table(ROWS, 300);
    let params = LaplacianParams {
        covariance: Covariance::All,
        ..params(false)
    };
    let judge = Judge::LeaveOneOut {
        metric: Metric::SquaredError,
    };
    for family in [
        FilterFamily::Tikhonov,
        FilterFamily::CutOff,
        FilterFamily::Leading,
        FilterFamily::GradientFlow,
        FilterFamily::Landweber,
        FilterFamily::Heat,
    ] {
        let mut grid = grid(FilterPath::Relative(family));
        grid.bandwidths = vec![1.0];
        grid.shares = vec![1.0];
        let found = search(&params, &points, &seen(), &grid, &judge, SEED, &mut Quiet).unwrap();
        let cells = &found.cells;
        assert!(cells.len() >= 4, "{family:?}: {cells:?}");
        let mut open = params.clone();
        open.kernel = open.kernel.resolved(cells[0].bandwidth.unwrap());
        let prepared = Laplacian::new(open, SEED).unwrap();
        let prepared = prepared.prepare(points.clone(), &mut Quiet).unwrap();
        let largest = prepared.eigenvalues(&seen(), &mut Quiet).unwrap()[0];
        for (k, cell) in cells.iter().enumerate() {
            let part = 10_f64.powi(-(k as i32));
            let strength = match cell.filter {
                Filter::Tikhonov { strength } => strength,
                Filter::CutOff { threshold } if k == 0 => 2.0 * threshold,
                Filter::CutOff { threshold } => threshold,
                Filter::GradientFlow { time } => time.recip(),
                Filter::Heat { time } => time,
                Filter::Landweber { steps, step: None } => largest / f64::from(steps),
                Filter::Leading { rank } => {
                    assert_eq!(rank, 1 << k);
                    part * largest
                }
                ref other => panic!("{other:?}"),
            };
            let gap = (strength / (part * largest) - 1.0).abs();
            assert!(gap < 1e-12, "{cell:?}: {gap:e}");
            let path = prepared.solve_path(std::slice::from_ref(&cell.filter), &seen(), &mut Quiet);
            let left = &path.unwrap()[0].left_out;
            let expected = plain(Metric::SquaredError, left, seen().values());
            let gap = (cell.score.unwrap() - expected).abs();
            assert!(gap <= 1e-9 * expected.abs(), "{cell:?}: {gap:e}");
        }
    }
}

#[test]
fn a_filter_that_does_not_fit_the_spectrum_is_no_candidate() {
    let filters = FilterPath::Given(vec![
        Filter::Landweber {
            steps: 3,
            step: Some(1e9),
        },
        Filter::Tikhonov { strength: 0.1 },
    ]);
    let judge = Judge::LeaveOneOut {
        metric: Metric::SquaredError,
    };
    let grid = grid(filters);
    let points = table(ROWS, 300);
    let found = search(
        &params(false),
        &points,
        &seen(),
        &grid,
        &judge,
        SEED,
        &mut Quiet,
    )
    .unwrap();
    for pair in found.cells.chunks(2) {
        assert!(
            pair[0].score.is_none() && pair[1].score.is_some(),
            "{pair:?}"
        );
    }
}

#[test]
fn validation_labels_that_cannot_be_are_refused() {
    let points = table(ROWS, 300);
    let refused = |held: &[usize], rows: usize, columns: usize| -> String {
        let values = Mat::zeros(rows, columns);
        let judge = Judge::Validation {
            points: EvaluationPoints::Visible(held),
            values: &values,
            metric: Metric::SquaredError,
        };
        let grid = LaplacianGrid::default();
        let found = search(
            &params(false),
            &points,
            &seen(),
            &grid,
            &judge,
            SEED,
            &mut Quiet,
        );
        found.unwrap_err().to_string()
    };
    // Row 5 has a label.
    assert!(refused(&[1, 5], 2, 2).contains("sample 5"));
    assert!(refused(&[1, 2], 3, 2).contains("validation labels"));
    assert!(refused(&[1, 2], 2, 3).contains("a validation label"));
    assert!(refused(&[1, 600], 2, 2).contains("600"));
}

#[test]
fn a_large_table_chooses_its_bandwidth_on_its_labels_and_a_sample() {
    let rows = 4_500;
    let points = table(rows, 302);
    let class = |i: usize| u32::from(points.row(i)[0] * points.row(i)[1] > 0.0);
    let known: Vec<usize> = (0..rows).step_by(150).collect();
    let name = |i: usize| known.contains(&i).then(|| ["no", "yes"][class(i) as usize]);
    let names: Vec<Option<&str>> = (0..rows).map(name).collect();
    let params = LaplacianParams {
        basis: BasisSpec::Landmarks {
            count: Some(20),
            selection: Selection::Uniform,
            derivatives: false,
        },
        ..LaplacianParams::default()
    };
    let mut recipe = Recipe::on_graph(Task::Classify, SEED);
    recipe.neighbours = None;
    recipe.scaling = Some(Scaling::None);
    recipe.method = Method::Laplacian(params.clone());
    let targets = Targets::from_names(&names);
    let scores = |recipe: &Recipe| {
        let model = fit(recipe, Input::Table(points.clone()), &targets, &mut Quiet).unwrap();
        model.predict_rows(&points, &mut Quiet).unwrap().scores
    };
    let chosen = scores(&recipe);
    // By hand: labelled rows first, then those that a survey of this seed draws.
    let mut survey = Survey::new(2, 4_000, SEED);
    survey.add(&points, 0, &[]).unwrap();
    let sample = survey.sample().unwrap();
    let mut values = points.select(&known).unwrap().tile(0..30).into_owned();
    values.extend_from_slice(&sample.tile(0..4_000));
    let labels: Vec<Option<u32>> = (0..4_030)
        .map(|k| known.get(k).map(|&i| class(i)))
        .collect();
    let found = search(
        &params,
        &Points::new(values, 4_030, 2).unwrap(),
        &Observed::encode(&OneHot::new(2), &labels).unwrap(),
        &LaplacianGrid::default(),
        &Judge::LeaveOneOut {
            metric: Metric::SquaredError,
        },
        SEED,
        &mut Quiet,
    );
    // The same parameters, given.
    recipe.method = Method::Laplacian(found.unwrap().params);
    assert_eq!(scores(&recipe), chosen);
}
