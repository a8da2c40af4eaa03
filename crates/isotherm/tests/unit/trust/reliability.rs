//! Probabilities of labels that were not seen, the slow way.

use crate::data::{Points, Targets};
use crate::linalg::Mat;
use crate::monitor::Quiet;
use crate::recipe::{Recipe, Task};
use crate::study::{EvaluateOptions, Input, Study};
use crate::testing::random;
use crate::trust::{Calibration, reliability};

/// Two clouds that touch, every third row labelled.
fn clouds() -> (Points, Vec<Option<String>>) {
    let m = random(90, 2, 11);
    let values = (0..180).map(|k| {
        let (i, j) = (k / 2, k % 2);
        let shift = if i % 2 == 0 { 0.0 } else { 1.1 };
        m[(i, j)] + if j == 0 { shift } else { 0.0 }
    });
    let points = Points::new(values.collect(), 90, 2).unwrap();
    let labels = (0..90)
        .map(|i| (i % 3 == 0).then(|| ["a", "b"][i % 2].to_owned()))
        .collect();
    (points, labels)
}

#[test]
fn labels_are_judged_by_what_others_say_and_slopes_of_other_folds() {
    let (points, labels) = clouds();
    let targets = Targets::from_names(&labels);
    let recipe = Recipe::on_graph(Task::Classify, 0);
    let input = || Input::Table(points.clone());
    let judging = EvaluateOptions::default();
    let found = Study::new(&recipe, input(), &targets)
        .and_then(|mut study| study.reliability(&judging, &mut Quiet))
        .unwrap();
    // The slow way: leave-one-out scores, then for each label a slope of the other folds.
    let left = Study::new(&recipe, input(), &targets)
        .and_then(|mut study| study.leave_one_out(&mut Quiet))
        .unwrap();
    let truth: Vec<u32> = left.index.iter().map(|i| (i % 2) as u32).collect();
    let n = truth.len();
    let (mut confidence, mut right) = (Vec::new(), Vec::new());
    for i in 0..n {
        let others: Vec<usize> = (0..n).filter(|j| j % 10 != i % 10).collect();
        let scores = Mat::from_fn(others.len(), 2, |a, c| left.scores[(others[a], c)]);
        let own: Vec<u32> = others.iter().map(|&j| truth[j]).collect();
        let slope = Calibration::learn(scores.as_ref(), &own).unwrap();
        let row = [left.scores[(i, 0)], left.scores[(i, 1)]];
        let class = u32::from(row[1] > row[0]);
        confidence.push(slope.probabilities(&row, true)[class as usize]);
        right.push(class == truth[i]);
    }
    let twin = reliability(&confidence, &right, 0.95, 0).unwrap();
    assert_eq!(found, twin);
    assert!(right.iter().any(|r| !r) && right.iter().any(|r| *r));
}
