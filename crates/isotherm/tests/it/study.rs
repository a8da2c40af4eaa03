//! A study answers what the functions answer one by one.

use isotherm::data::{Points, Targets, synthetic};
use isotherm::labelling::Given;
use isotherm::model;
use isotherm::monitor::Quiet;
use isotherm::recipe::{Method, Recipe, Task};
use isotherm::study::{self, Asking, Input, Judging, Learning, Study};
use isotherm::view::{self, Planar};

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
fn a_study_says_what_the_functions_say_one_by_one() {
    let (points, targets) = circles();
    let given = Given::from(&targets);
    let input = || Input::Table(points.clone());
    let plain = Recipe::automatic(Task::Classify, 3);
    let smooth = Recipe::of(Method::laplacian(Task::Classify), Task::Classify, 3);
    for recipe in [plain, smooth] {
        let mut study = Study::new(&recipe, input(), given, &mut Quiet).unwrap();
        let (judging, learning) = (Judging::default(), Learning::default());
        let asking = Asking {
            count: 6,
            ..Asking::default()
        };
        // Asked in this order, then once more: no question changes another's answer.
        for _ in 0..2 {
            let alone = study::evaluate(&recipe, input(), given, &judging, &mut Quiet).unwrap();
            assert_eq!(
                json(&study.evaluate(&judging, &mut Quiet).unwrap()),
                json(&alone)
            );
            let alone = study::reliability(&recipe, input(), given, &judging, &mut Quiet).unwrap();
            assert_eq!(study.reliability(&judging, &mut Quiet).unwrap(), alone);
            let alone =
                study::learning_curve(&recipe, input(), given, &learning, &mut Quiet).unwrap();
            assert_eq!(study.learning_curve(&learning, &mut Quiet).unwrap(), alone);
            let alone = study::spectrum_curve(&recipe, input(), given, 9, &mut Quiet).unwrap();
            assert_eq!(study.spectrum(9, &mut Quiet).unwrap(), alone);
            for samples in [40, 1000] {
                let planar = Planar {
                    samples,
                    ..Planar::default()
                };
                let keep = targets.labelled();
                let alone = view::plane(&recipe, input(), &keep, &planar, &mut Quiet).unwrap();
                let found = study.placed(&planar, &mut Quiet).unwrap();
                assert_eq!(json(&found.plane), json(&alone));
            }
            let alone = study::suggest(&recipe, input(), given, &asking, &mut Quiet).unwrap();
            assert_eq!(
                json(&study.suggest(&asking, &mut Quiet).unwrap()),
                json(&alone)
            );
        }
        // The map, its answers from the model and its doubts from the evaluation.
        let planar = Planar::default();
        let found = study.evaluate(&judging, &mut Quiet).unwrap();
        let doubted: Vec<usize> = found.suspects.iter().map(|s| s.sample).collect();
        let placed = study.placed(&planar, &mut Quiet).unwrap();
        let model = study.into_model(&mut Quiet).unwrap();
        let answer = model.visible();
        let answer = answer.unwrap_or_else(|| model.predict_rows(&points, &mut Quiet).unwrap());
        let map = placed.clone().told(&answer, model.names(), &doubted);
        let alone = view::map(&recipe, input(), given, &planar, &mut Quiet).unwrap();
        assert_eq!(json(&map.unwrap()), json(&alone));
        let mut short = answer;
        short.reached.pop();
        assert!(placed.told(&short, model.names(), &doubted).is_err());
        let alone = study::fit_given(&recipe, input(), given, &mut Quiet).unwrap();
        let said = |m: &model::Model| m.predict_rows(&points, &mut Quiet).unwrap().scores;
        assert_eq!(said(&model), said(&alone));
    }
}
