//! A study that is asked several things answers each as if it were asked alone.

mod class_shares;
mod learning_curve;
mod priors;
mod reliability;
mod sparse_rows;
mod table_storage;

use isotherm::data::{Points, Targets, synthetic};
use isotherm::estimator::baseline::KernelRidgeParams;
use isotherm::labelling::WeightedTargets;
use isotherm::monitor::Quiet;
use isotherm::recipe::{Method, Recipe, Task};
use isotherm::study::{EvaluateOptions, Input, LearningOptions, Study, SuggestOptions};
use isotherm::view::PlaneOptions;

/// Two circles, every seventh point labelled by its circle.
fn circles() -> (Points, Targets) {
    let (points, circle) = synthetic::circles(2, 70, 5).unwrap();
    let names: Vec<Option<String>> = (circle.iter().enumerate())
        .map(|(i, c)| (i % 7 == 0).then(|| c.to_string()))
        .collect();
    (points, Targets::from_names(&names))
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

#[test]
fn no_question_changes_the_answer_to_another() {
    let (points, targets) = circles();
    let given = WeightedTargets::from(&targets);
    let plain = Recipe::on_graph(Task::Classify, 3);
    let smooth = Recipe::of(Method::laplacian(Task::Classify), Task::Classify, 3);
    for recipe in [plain, smooth] {
        let fresh = || Study::new(&recipe, Input::Table(points.clone()), given).unwrap();
        let mut study = fresh();
        let (judging, learning) = (EvaluateOptions::default(), LearningOptions::default());
        let asking = SuggestOptions {
            count: 6,
            ..SuggestOptions::default()
        };
        for _ in 0..2 {
            let alone = fresh().evaluate(&judging, &mut Quiet).unwrap();
            let found = study.evaluate(&judging, &mut Quiet).unwrap();
            assert_eq!(json(&found), json(&alone));
            let alone = fresh().reliability(&judging, &mut Quiet).unwrap();
            assert_eq!(study.reliability(&judging, &mut Quiet).unwrap(), alone);
            let alone = fresh().learning_curve(&learning, &mut Quiet).unwrap();
            assert_eq!(study.learning_curve(&learning, &mut Quiet).unwrap(), alone);
            let alone = fresh().spectrum(9, &mut Quiet).unwrap();
            assert_eq!(study.spectrum(9, &mut Quiet).unwrap(), alone);
            let alone = fresh().sets(0.8, &mut Quiet).unwrap();
            assert_eq!(study.sets(0.8, &mut Quiet).unwrap(), alone);
            for samples in [40, 1000] {
                let options = PlaneOptions {
                    samples,
                    ..PlaneOptions::default()
                };
                let alone = fresh().plane(&options, &mut Quiet).unwrap();
                let found = study.placed(&options, &mut Quiet).unwrap();
                assert_eq!(json(&found.plane), json(&alone));
            }
            let alone = fresh().suggest(&asking, &mut Quiet).unwrap();
            let found = study.suggest(&asking, &mut Quiet).unwrap();
            assert_eq!(json(&found), json(&alone));
            let alone = fresh().fit(&mut Quiet).unwrap().to_parts();
            assert_eq!(study.fit(&mut Quiet).unwrap().to_parts(), alone);
        }
        // The map, its answers from the model and its doubts from the evaluation.
        let options = PlaneOptions::default();
        let found = study.evaluate(&judging, &mut Quiet).unwrap();
        let doubted: Vec<usize> = found.suspects.iter().map(|s| s.sample).collect();
        let placed = study.placed(&options, &mut Quiet).unwrap();
        let model = study.fit(&mut Quiet).unwrap();
        let answer = study.training_answer(&model, &mut Quiet).unwrap();
        let map = placed.clone().map(&answer, &doubted).unwrap();
        let alone = fresh().map(&options, &mut Quiet).unwrap();
        assert_eq!(json(&map), json(&alone));
        let mut short = answer;
        short.reached.pop();
        assert!(placed.map(&short, &doubted).is_err());
    }
}

#[test]
fn a_study_without_labels_suggests_and_draws_but_does_not_fit() {
    let (points, _) = circles();
    let none: Vec<Option<&str>> = vec![None; points.len()];
    let recipe = Recipe::on_graph(Task::Classify, 3);
    let targets = Targets::from_names(&none);
    let mut study = Study::new(&recipe, Input::Table(points), &targets).unwrap();
    let asking = SuggestOptions::default();
    assert_eq!(study.suggest(&asking, &mut Quiet).unwrap().rows.len(), 1);
    let options = PlaneOptions::default();
    assert_eq!(study.plane(&options, &mut Quiet).unwrap().total, 140);
    let refused = study.fit(&mut Quiet).unwrap_err().to_string();
    assert!(
        refused.contains("none of the 140 samples has a label"),
        "{refused}"
    );
}

#[test]
fn weights_reach_suggestions_and_weights_of_one_change_nothing() {
    let (points, targets) = circles();
    let recipe = Recipe::on_graph(Task::Classify, 3);
    let suggested = |weights: Option<&[f64]>| {
        let given = WeightedTargets {
            targets: &targets,
            weights,
        };
        let asking = SuggestOptions {
            count: 6,
            audit_every: None,
            ..SuggestOptions::default()
        };
        Study::new(&recipe, Input::Table(points.clone()), given)
            .and_then(|mut study| study.suggest(&asking, &mut Quiet))
            .unwrap()
    };
    let n = points.len();
    let ones = vec![1.0; n];
    let plain = suggested(None);
    assert_eq!(json(&suggested(Some(&ones))), json(&plain));
    let unequal: Vec<f64> = (0..n)
        .map(|i| if i < n / 2 { 100.0 } else { 0.01 })
        .collect();
    assert_ne!(json(&suggested(Some(&unequal))), json(&plain));
}

#[test]
fn the_class_baseline_of_an_evaluation_keeps_the_class_shares() {
    // Two overlapping groups: labels are balanced, rows are known to be 9 to 1.
    let n = 60;
    let x: Vec<f64> = (0..n)
        .map(|i| (i % 2) as f64 + 0.05 * ((i * 7) % 31) as f64)
        .collect();
    let points = Points::new(x, n, 1).unwrap();
    let names: Vec<Option<&str>> = (0..n)
        .map(|i| (i % 3 != 2).then_some(["a", "b"][i % 2]))
        .collect();
    let targets = Targets::from_names(&names);
    let evaluated = |recipe: Recipe, shares: Option<[f64; 2]>| {
        let priors = shares.map(|[a, b]| [("a".into(), a), ("b".into(), b)].into());
        let recipe = Recipe { priors, ..recipe };
        Study::new(&recipe, Input::Table(points.clone()), &targets)
            .and_then(|mut study| study.evaluate(&EvaluateOptions::default(), &mut Quiet))
            .unwrap()
    };
    let ours = Recipe::on_graph(Task::Classify, 0);
    let ridge = Recipe::of(
        Method::KernelRidge(KernelRidgeParams::default()),
        Task::Classify,
        0,
    );
    let shares = Some([0.95, 0.05]);
    let alone = |shares| evaluated(ridge.clone(), shares).measures[0].estimate.value;
    assert_ne!(alone(None), alone(shares), "the shares decide nothing here");
    for shares in [None, shares] {
        let baseline = evaluated(ours.clone(), shares).baseline.unwrap();
        assert_eq!(baseline.value, alone(shares), "{shares:?}");
    }
}
