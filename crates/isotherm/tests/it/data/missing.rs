//! What takes the place of missing numbers, and a model that keeps it.

use isotherm::data::columns::missing::Filling;
use isotherm::data::{Points, Targets};
use isotherm::model::Model;
use isotherm::monitor::Quiet;
use isotherm::recipe::{Recipe, Shape, Task};
use isotherm::study::{Input, Study};

#[test]
fn the_median_of_an_even_count_lies_between_the_middle_two() {
    let of = |numbers: &[f64]| Filling::learn(numbers.to_vec(), 0).map(|f| f.value);
    assert_eq!(of(&[3.0, -1.0, 8.0]), Some(3.0));
    assert_eq!(of(&[3.0, -1.0, 8.0, 4.0]), Some(3.5));
    assert_eq!(of(&[7.0]), Some(7.0));
    assert_eq!(of(&[]), None);
}

#[test]
fn one_missing_value_in_twenty_is_common() {
    let of = |there: usize, missing| Filling::learn(vec![1.0; there], missing).unwrap();
    assert!(!of(20, 0).indicator);
    assert!(!of(20, 1).indicator);
    assert!(of(19, 1).indicator);
}

#[test]
fn a_model_keeps_its_fills_and_refuses_those_that_do_not_fit() {
    let x = Points::new(vec![0.0, 0.1, 0.2, 5.0, 5.1, 5.2], 6, 1).unwrap();
    let y = Targets::from_names(&[Some("a"), None, None, Some("b"), None, None]);
    let mut recipe = Recipe::automatic(Shape::Table, Task::Classify, 0);
    recipe.neighbours = Some(2);
    let study = Study::new(&recipe, Input::Table(x), &y);
    let mut model = study.unwrap().fit(&mut Quiet).unwrap();
    model.features = vec!["x".to_owned()];
    let bare = model.to_parts();
    assert!(Model::from_parts(bare).unwrap().encoding.fills.is_empty());
    model.encoding.fills = vec![2.5];
    let back = Model::from_parts(model.to_parts()).unwrap();
    assert_eq!(back.encoding.fills, [2.5]);
    for bad in [vec![f64::NAN], vec![1e200], vec![1.0, 2.0]] {
        model.encoding.fills = bad;
        let refused = Model::from_parts(model.to_parts()).unwrap_err().to_string();
        assert!(refused.contains("feature_fill"), "{refused}");
    }
}
