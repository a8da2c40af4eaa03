//! Class shares of the unlabelled rows, through a study.

use isotherm::data::{Points, Targets};
use isotherm::estimator::baseline::KernelRidgeParams;
use isotherm::labelling::Answer;
use isotherm::model::{Model, Warning};
use isotherm::monitor::Quiet;
use isotherm::recipe::{ClassShares, Losses, Method, Recipe, Shape, Task};
use isotherm::study::{EvaluateOptions, Input, Study};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

const ROWS: usize = 800;

/// Roughly normal: the sum of twelve uniform numbers, less six.
fn normal(rng: &mut ChaCha8Rng) -> f64 {
    (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0
}

/// Two groups three standard deviations apart; the class of each row, and labels of the first
/// `each` rows of each class.
fn groups(seed: u64, rare: f64, each: usize) -> (Points, Vec<usize>, Targets) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let class: Vec<usize> = (0..ROWS)
        .map(|_| usize::from(rng.random::<f64>() < rare))
        .collect();
    let mut x = Vec::new();
    for c in &class {
        x.push(normal(&mut rng) + 3.0 * *c as f64);
        x.push(normal(&mut rng));
    }
    let mut left = [each; 2];
    let names = class.iter().map(|&c| {
        let taken = left[c] > 0;
        left[c] -= usize::from(taken);
        taken.then_some(["usual", "rare"][c])
    });
    let targets = Targets::from_names(&names.collect::<Vec<_>>());
    (Points::new(x, ROWS, 2).unwrap(), class, targets)
}

fn recipes() -> [Recipe; 3] {
    let ridge = Method::KernelRidge(KernelRidgeParams::default());
    [
        Recipe::automatic(Shape::Table, Task::Classify, 0),
        Recipe::on_graph(Task::Classify, 0),
        Recipe::of(ridge, Task::Classify, 0),
    ]
}

fn from(source: ClassShares, recipe: &Recipe) -> Recipe {
    Recipe {
        class_shares: Some(source),
        ..recipe.clone()
    }
}

fn study(recipe: &Recipe, points: &Points, targets: &Targets) -> Study {
    Study::new(recipe, Input::Table(points.clone()), targets).unwrap()
}

fn fitted(recipe: &Recipe, points: &Points, targets: &Targets) -> (Model, Answer) {
    let mut study = study(recipe, points, targets);
    let model = study.fit(&mut Quiet).unwrap();
    let answer = study.training_answer(&model, &mut Quiet).unwrap();
    (model, answer)
}

/// The share of the rare class among the rows, by its name: labels come as they appear.
fn rare(model: &Model) -> f64 {
    let found = model.class_shares().unwrap();
    let place = found.classes.iter().position(|c| c == "rare").unwrap();
    found.unlabelled[place]
}

fn right(answer: &Answer, class: &[usize]) -> f64 {
    let names = answer.names();
    let hit = |i: &usize| names[*i] == Some(["usual", "rare"][class[*i]]);
    (0..class.len()).filter(hit).count() as f64 / class.len() as f64
}

#[test]
fn a_shift_is_found_and_none_is_not() {
    for recipe in recipes() {
        let unlabelled = from(ClassShares::Unlabelled, &recipe);
        let (mut gained, name) = (0.0, recipe.method.name());
        for seed in 0..3 {
            // 40 labels of each class; one row in ten is rare. Twenty of a hundred parts of the
            // weight are the labels' own shares, 0.1 + 0.2 (0.5 − 0.1) = 0.18 if classes do not
            // overlap.
            let (points, class, targets) = groups(seed, 0.1, 40);
            let (model, answer) = fitted(&unlabelled, &points, &targets);
            let found = model.class_shares().unwrap();
            assert_eq!(found.labels, [0.5, 0.5], "{name}");
            assert!(found.converged && found.rows == ROWS - 80, "{name}");
            let share = rare(&model);
            assert!((0.05..0.3).contains(&share), "{name}: {share}");
            let (_, plain) = fitted(&recipe, &points, &targets);
            gained += (right(&answer, &class) - right(&plain, &class)) / 3.0;
            let (points, _, targets) = groups(seed, 0.5, 40);
            let (model, _) = fitted(&unlabelled, &points, &targets);
            let share = rare(&model);
            assert!((0.4..0.6).contains(&share), "{name}: {share}");
        }
        assert!(gained > 0.0, "{name}: {gained}");
    }
}

#[test]
fn found_shares_are_shares_that_were_given() {
    let (points, _, targets) = groups(1, 0.1, 20);
    for recipe in recipes() {
        let (model, answer) = fitted(&from(ClassShares::Unlabelled, &recipe), &points, &targets);
        let found = model.class_shares().unwrap();
        let pairs = found.classes.iter().cloned().zip(found.unlabelled.clone());
        let given = Recipe {
            priors: Some(pairs.collect()),
            ..recipe.clone()
        };
        for given in [from(ClassShares::Given, &given), given] {
            let (_, same) = fitted(&given, &points, &targets);
            assert_eq!(same.labels, answer.labels);
            assert_eq!(same.probabilities, answer.probabilities);
        }
        // A file keeps what they change, and the recipe.
        let read = Model::from_parts(model.to_parts()).unwrap();
        assert_eq!(read.recipe().class_shares, Some(ClassShares::Unlabelled));
        let again = read.predict_rows(&points, &mut Quiet).unwrap();
        let now = model.predict_rows(&points, &mut Quiet).unwrap();
        assert_eq!(again.probabilities, now.probabilities);
        // From the labels is as before.
        let (labels, plain) = fitted(&from(ClassShares::Labels, &recipe), &points, &targets);
        assert!(labels.class_shares().is_none());
        let (_, before) = fitted(&recipe, &points, &targets);
        assert_eq!(plain.probabilities, before.probabilities);
    }
}

#[test]
fn evaluating_says_what_they_would_change() {
    let (points, class, targets) = groups(2, 0.1, 20);
    for recipe in recipes() {
        let shifted = from(ClassShares::Unlabelled, &recipe);
        let judged = |recipe: &Recipe| {
            let mut study = study(recipe, &points, &targets);
            let found = study.evaluate(&EvaluateOptions::default(), &mut Quiet);
            found.unwrap()
        };
        let (model, with) = fitted(&shifted, &points, &targets);
        let (_, plain) = fitted(&recipe, &points, &targets);
        let open: Vec<bool> = match &targets {
            Targets::Classes { labels, .. } => labels.iter().map(Option::is_none).collect(),
            _ => unreachable!(),
        };
        let (a, b) = (with.names(), plain.names());
        let moved = (0..ROWS).filter(|&i| open[i] && a[i] != b[i]).count();
        let before = judged(&recipe);
        let after = judged(&shifted);
        for (found, used) in [(&before, false), (&after, true)] {
            let effect = found.class_shares.as_ref().unwrap();
            assert_eq!(effect.found, *model.class_shares().unwrap());
            assert_eq!((effect.used, effect.moved), (used, moved));
            // Each label weighs what its class weighs among the rows.
            let told = |accuracy: f64, counts: &[Vec<usize>]| {
                let hits = |c: usize| counts[c][c] as f64 / counts[c].iter().sum::<usize>() as f64;
                let by_hand: f64 = (0..2).map(|c| effect.found.unlabelled[c] * hits(c)).sum();
                assert!((by_hand - accuracy).abs() < 1e-12, "{by_hand} {accuracy}");
            };
            told(effect.accuracy, &before.confusion.as_ref().unwrap().counts);
            told(
                effect.accuracy_with,
                &after.confusion.as_ref().unwrap().counts,
            );
        }
        // Near the truth. From 20 labels of each class, right in nine of ten cases and weighed
        // by about 3/4 and 1/4, the standard error is √(0.09/20 · (9/16 + 1/16)) = 0.053; three of
        // them, and 0.03 for a rare class that is twice as common by what is estimated.
        let effect = after.class_shares.unwrap();
        let truth = right(&with, &class);
        assert!(
            (effect.accuracy_with - truth).abs() < 0.19,
            "{effect:?} {truth}"
        );
        // Shares that are given are not judged beside others.
        let pairs = [("usual".to_owned(), 0.9), ("rare".to_owned(), 0.1)];
        let given = Recipe {
            priors: Some(pairs.into()),
            ..recipe.clone()
        };
        assert!(judged(&given).class_shares.is_none());
    }
}

#[test]
fn shares_that_cannot_be_found_are_refused_in_words() {
    let says = |recipe: &Recipe, points: &Points, targets: &Targets| {
        let made = Study::new(recipe, Input::Table(points.clone()), targets);
        let fitted = made.and_then(|mut study| study.fit(&mut Quiet));
        fitted.err().map(|e| e.to_string()).unwrap_or_default()
    };
    let recipe = Recipe::automatic(Shape::Table, Task::Classify, 0);
    let unlabelled = from(ClassShares::Unlabelled, &recipe);
    let (points, class, few) = groups(3, 0.3, 4);
    assert!(says(&unlabelled, &points, &few).contains("8 labels are too few"));
    let all = Targets::from_names(
        &(class.iter().map(|c| Some(["usual", "rare"][*c]))).collect::<Vec<_>>(),
    );
    assert!(says(&unlabelled, &points, &all).contains("no unlabelled rows"));
    let (points, _, targets) = groups(3, 0.3, 20);
    let shares = [("usual".to_owned(), 0.9), ("rare".to_owned(), 0.1)];
    let both = Recipe {
        priors: Some(shares.into()),
        ..unlabelled.clone()
    };
    assert!(says(&both, &points, &targets).contains("leave one of them out"));
    let given = from(ClassShares::Given, &recipe);
    assert!(says(&given, &points, &targets).contains("`priors`"));
    let numbers = from(
        ClassShares::Labels,
        &Recipe::automatic(Shape::Table, Task::Regress, 0),
    );
    assert!(says(&numbers, &points, &targets).contains("only classes"));
    let costs = Recipe {
        losses: Some(Losses {
            classes: vec!["usual".into(), "rare".into()],
            decisions: vec!["go".into(), "stay".into()],
            losses: vec![vec![0.0, 1.0], vec![1.0, 0.0]],
        }),
        ..unlabelled.clone()
    };
    assert!(says(&costs, &points, &targets).contains("costs"));
    // A class with one label gives a warning; a fit that finds no shares reports none.
    let mut names: Vec<Option<&str>> = vec![None; ROWS];
    let row = |wanted: usize| {
        (0..ROWS)
            .filter(|&i| class[i] == wanted)
            .collect::<Vec<_>>()
    };
    row(0)
        .iter()
        .take(11)
        .for_each(|&i| names[i] = Some("usual"));
    names[row(1)[0]] = Some("rare");
    let (model, _) = fitted(&unlabelled, &points, &Targets::from_names(&names));
    let warned = Warning::UnsureShares {
        once: vec!["rare".into()],
        moving: None,
    };
    assert!(model.warnings().contains(&warned), "{:?}", model.warnings());
    let found = study(&recipe, &points, &few).evaluate(&EvaluateOptions::default(), &mut Quiet);
    assert!(found.unwrap().class_shares.is_none());
}
