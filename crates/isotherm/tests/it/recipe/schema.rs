//! The schema of parameters says what recipes accept.

use isotherm::recipe::schema::{METHODS, Values, find, parameters};
use isotherm::recipe::{Recipe, Shape};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn recipe(method: Value) -> Recipe {
    serde_json::from_value(json!({ "method": method, "task": "classify" })).unwrap()
}

/// A recipe with this value of a parameter, and of nothing else.
fn with(name: &str, value: Value) -> Option<Recipe> {
    let stkr = |transform: Value| json!({ "kind": "stkr", "transform": transform });
    Some(match name {
        "eta" => recipe(stkr(json!({ "kind": "inverse-laplacian", "eta": value }))),
        "degree" => recipe(stkr(json!({ "kind": "power", "degree": value }))),
        "time" => recipe(stkr(json!({ "kind": "diffusion", "time": value }))),
        "order" => recipe(stkr(
            json!({ "kind": "reciprocal", "weights": [1.0, -0.5], "order": value }),
        )),
        "rank" => recipe(stkr(json!({ "kind": "truncation", "rank": value }))),
        "ridge" => recipe(json!({ "kind": "stkr", "ridge": value })),
        "steps" => recipe(json!({ "kind": "stkr", "solver": "richardson", "steps": value })),
        "step_size" => {
            recipe(json!({ "kind": "stkr", "solver": "richardson", "step_size": value }))
        }
        "tolerance" | "iterations" => recipe(json!({ "kind": "harmonic", name: value })),
        "strength" => recipe(
            json!({ "kind": "laplacian", "filter": { "kind": "tikhonov", "strength": value } }),
        ),
        "norm_share" => recipe(json!({ "kind": "laplacian", "norm_share": value })),
        "landmarks" => {
            recipe(json!({ "kind": "laplacian", "basis": { "kind": "landmarks", "count": value } }))
        }
        "waves" => {
            recipe(json!({ "kind": "laplacian", "basis": { "kind": "fourier", "count": value } }))
        }
        "neighbours" => Recipe {
            neighbours: serde_json::from_value(value).unwrap(),
            ..recipe(json!({ "kind": "stkr" }))
        },
        _ => return None,
    })
}

#[test]
fn numbers_are_accepted_within_their_range_and_refused_beyond() {
    let mut looked = 0;
    for parameter in parameters() {
        let (fine, bad): (Vec<Value>, Vec<Value>) = match parameter.values {
            Values::Count { least } => (vec![json!(least.max(1))], vec![json!(0)]),
            Values::Number { range, .. } => {
                let high = range.high.unwrap_or(1e3);
                let tried = [-1.0, range.low, 0.5 * (range.low + high), high];
                let (fine, mut bad): (Vec<f64>, Vec<f64>) =
                    tried.into_iter().partition(|v| range.contains(*v));
                if let Some(high) = range.high {
                    bad.push(2.0 * high);
                }
                let values = |all: Vec<f64>| all.into_iter().map(|v| json!(v)).collect();
                (values(fine), values(bad))
            }
            _ => continue,
        };
        for (values, right) in [(fine, true), (bad, false)] {
            for value in values {
                let Some(recipe) = with(parameter.name, value.clone()) else {
                    continue;
                };
                looked += 1;
                let found = recipe.check(Shape::Table);
                assert_eq!(
                    found.is_ok(),
                    right,
                    "{} {value}: {found:?}",
                    parameter.name
                );
            }
        }
    }
    assert!(looked > 40, "only {looked} values were tried");
}

#[test]
fn names_are_those_of_recipes() {
    fn all<T: DeserializeOwned>(name: &str, but: &[&str]) {
        let names = find(name).unwrap().values.names().iter();
        for value in names.filter(|n| !but.contains(n)) {
            let found = serde_json::from_value::<T>(json!(value));
            assert!(found.is_ok(), "{name} {value}");
        }
    }
    all::<isotherm::recipe::Task>("task", &["auto"]);
    all::<isotherm::recipe::Scaling>("scaling", &[]);
    all::<isotherm::task::thresholds::Measure>("thresholds", &[]);
    all::<isotherm::spectrum::Encoder>("encoder", &[]);
    all::<isotherm::estimator::stkr::Solver>("solver", &[]);
    all::<isotherm::estimator::stkr::Repair>("repair", &[]);
    all::<isotherm::estimator::TrivialMode>("trivial_mode", &[]);
    all::<isotherm::estimator::laplacian::Covariance>("covariance", &[]);
    all::<isotherm::estimator::laplacian::Route>("route", &[]);
    all::<isotherm::linalg::Precision>("precision", &[]);
    all::<isotherm::landmark::Selection>("choice", &[]);
    for method in METHODS {
        assert_eq!(recipe(json!({ "kind": method })).method.name(), *method);
    }
}

#[test]
fn readers_and_choices_are_parameters_and_names_of_the_schema() {
    for parameter in parameters() {
        assert!(!parameter.read_by.is_empty(), "{}", parameter.name);
        for reader in parameter.read_by {
            assert!(METHODS.contains(&reader.method), "{}", reader.method);
            let Some(choice) = reader.under else { continue };
            let decides = find(choice.parameter).unwrap();
            assert!(decides.is_read_by(reader.method), "{}", parameter.name);
            for value in choice.values {
                assert!(decides.values.names().contains(value), "{value}");
            }
        }
        let doc = parameter.doc;
        assert!(
            !doc.is_empty() && !doc.ends_with('.') && !doc.contains("--"),
            "{doc}"
        );
    }
    let names: std::collections::BTreeSet<&str> = parameters().iter().map(|p| p.name).collect();
    assert_eq!(names.len(), parameters().len());
    assert_eq!(find("step-size").map(|p| p.name), Some("step_size"));
    assert_eq!(find("step"), None);
}

#[test]
fn the_schema_can_be_sent() {
    let sent = serde_json::to_value(parameters()).unwrap();
    let eta = sent
        .as_array()
        .unwrap()
        .iter()
        .find(|p| p["name"] == "eta")
        .unwrap();
    assert_eq!(eta["values"]["range"]["high"], 1.0);
    assert_eq!(eta["read_by"][0]["under"]["parameter"], "transform");
    assert_eq!(eta["shapes"], json!(["table", "graph", "gram"]));
}
