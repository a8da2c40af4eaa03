//! Plans and sums in the container of models: round trips and damage.

use std::path::Path;

use isotherm::data::{Points, Survey, Targets};
use isotherm::distributed::messages::{survey_from_parts, survey_to_parts};
use isotherm::distributed::{Moments, Plan};
use isotherm::estimator::laplacian::{BasisSpec, LaplacianParams};
use isotherm::model::Model;
use isotherm::monitor::Quiet;
use isotherm::recipe::{Method, Recipe, Task};
use isotherm::spectrum::Filter;
use isotherm_io::model_file::{from_bytes, to_bytes};

fn rows(count: usize) -> Points {
    let cell = |k: usize| ((k * k) as f64 * 0.37).sin();
    Points::new((0..2 * count).map(cell).collect(), count, 2).unwrap()
}

fn made() -> (Survey, Plan, Moments) {
    let points = rows(1100);
    let labels: Vec<Option<f64>> = (0..1100)
        .map(|i| (i % 100 == 0).then(|| points.row(i)[0]))
        .collect();
    let keep: Vec<usize> = (0..1100).step_by(100).collect();
    let mut recipe = Recipe::on_graph(Task::Regress, 0);
    recipe.method = Method::Laplacian(LaplacianParams {
        basis: BasisSpec::Landmarks {
            count: Some(6),
            selection: Default::default(),
            derivatives: false,
        },
        filter: Some(Filter::Tikhonov { strength: 0.1 }),
        ..LaplacianParams::default()
    });
    let mut survey = Survey::new(2, 20, 0);
    survey.add(&points, 0, &keep).unwrap();
    let plan = Plan::of(&recipe, &survey, &Targets::Values(labels), &mut Quiet).unwrap();
    let mut moments = plan.moments();
    moments.add(&points, 0, &mut Quiet).unwrap();
    (survey, plan, moments)
}

#[test]
fn messages_survive_their_bytes_and_damage_is_seen() {
    let (survey, plan, moments) = made();
    let at = Path::new("message");
    let sent = [
        to_bytes(&survey_to_parts(&survey)).unwrap(),
        to_bytes(&plan.to_parts()).unwrap(),
        to_bytes(&moments.to_parts()).unwrap(),
    ];
    let parts = |k: usize| from_bytes(&sent[k], at).unwrap();
    assert_eq!(survey_from_parts(parts(0)).unwrap(), survey);
    let there = Plan::from_parts(parts(1)).unwrap();
    let sums = Moments::from_parts(&there, parts(2)).unwrap();
    let (a, b) = (
        there.solve(&sums, &mut Quiet).unwrap(),
        plan.solve(&moments, &mut Quiet).unwrap(),
    );
    assert_eq!(a.to_parts(), b.to_parts());
    // None is mistaken for another, or for a model.
    assert!(survey_from_parts(parts(1)).is_err());
    assert!(Plan::from_parts(parts(2)).is_err());
    assert!(Moments::from_parts(&plan, parts(0)).is_err());
    assert!((0..3).all(|k| Model::from_parts(parts(k)).is_err()));
    // A flipped bit anywhere, and every shorter message, is seen.
    for bytes in &sent {
        for at_byte in (0..bytes.len()).step_by(bytes.len() / 400 + 1) {
            let mut other = bytes.clone();
            other[at_byte] ^= 1 << (at_byte % 8);
            assert!(from_bytes(&other, at).is_err(), "byte {at_byte}");
            assert!(from_bytes(&bytes[..at_byte], at).is_err());
        }
    }
}
