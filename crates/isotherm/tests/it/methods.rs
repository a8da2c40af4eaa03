//! Typed estimators give what their recipe gives.

use isotherm::data::{Targets, synthetic};
use isotherm::methods::{Dataset, Harmonic, KernelRidge, LabelPropagation, Laplacian, Stkr};
use isotherm::monitor::Quiet;
use isotherm::recipe::{Method, Recipe, Scaling, Task};
use isotherm::study::Input;

use crate::fit;

#[test]
fn a_typed_estimator_predicts_what_its_recipe_predicts() {
    let (points, circle) = synthetic::circles(2, 60, 3).unwrap();
    let names: Vec<Option<String>> = (circle.iter().enumerate())
        .map(|(i, c)| (i % 7 == 0).then(|| c.to_string()))
        .collect();
    let targets = Targets::from_names(&names);
    let dataset = Dataset::table(points.clone(), targets.clone());
    let fitted = [
        Stkr::params().eta(0.9).ridge(0.01).seed(4).fit(&dataset),
        Laplacian::params().strength(0.1).seed(4).fit(&dataset),
        KernelRidge::params().ridge(0.1).seed(4).fit(&dataset),
        LabelPropagation::params()
            .eta(0.9)
            .neighbours(5)
            .seed(4)
            .fit(&dataset),
        Harmonic::params()
            .scaling(Scaling::None)
            .seed(4)
            .fit(&dataset),
    ];
    for fitted in fitted {
        let mut fitted = fitted.unwrap();
        let recipe: Recipe = fitted.model().recipe().clone();
        assert_eq!((recipe.task, recipe.seed), (Task::Classify, 4));
        let twin = fit(&recipe, Input::Table(points.clone()), &targets, &mut Quiet).unwrap();
        let (own, other) = (
            fitted.predict(&points).unwrap(),
            twin.predict_rows(&points, &mut Quiet).unwrap(),
        );
        assert_eq!((&own.scores, own.names()), (&other.scores, other.names()));
        assert_eq!(own.probabilities, other.probabilities);
        assert_eq!(fitted.leave_one_out().unwrap().index.len(), 18);
        assert_eq!(fitted.training_answer().unwrap().reached.len(), 120);
        assert_eq!(fitted.evaluate().unwrap().labels, 18);
    }
}

#[test]
fn a_parameter_that_nothing_reads_is_refused() {
    let (points, _) = synthetic::circles(2, 20, 3).unwrap();
    let mut names = vec![None; 40];
    (names[0], names[20]) = (Some("a"), Some("b"));
    let dataset = Dataset::table(points, Targets::from_names(&names));
    let refused = KernelRidge::params()
        .neighbours(3)
        .fit(&dataset)
        .unwrap_err();
    assert!(
        refused.to_string().contains("neighbours must be left out"),
        "{refused}"
    );
    let method: Method = Stkr::params().method.into();
    assert_eq!(method.name(), "stkr");
}
