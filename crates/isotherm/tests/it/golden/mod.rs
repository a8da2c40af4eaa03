//! Seeded cases whose expected values come from two independent formulas.

mod laplacian;
mod stkr;

use isotherm::base::GraphBase;
use isotherm::data::graph::EdgeRules;
use isotherm::data::{Graph, GraphBuilder};
use isotherm::estimator::Estimator;
use isotherm::estimator::baseline::{
    Harmonic, HarmonicParams, LabelPropagation, LabelPropagationParams,
};
use isotherm::linalg::Mat;
use isotherm::monitor::Quiet;
use isotherm::task::{Observed, OneHot};
use serde_json::Value;

fn case(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn rows(value: &Value) -> Vec<Vec<f64>> {
    let row = |r: &Value| match r.as_array() {
        Some(cells) => cells.iter().map(|c| c.as_f64().unwrap()).collect(),
        None => vec![r.as_f64().unwrap()],
    };
    value.as_array().unwrap().iter().map(row).collect()
}

/// max |a − b| / max |b|, the golden cases' own norm.
fn deviation(a: impl Fn(usize, usize) -> f64, b: &[Vec<f64>]) -> f64 {
    let (mut worst, mut scale) = (0.0_f64, 0.0_f64);
    for (i, row) in b.iter().enumerate() {
        for (j, expected) in row.iter().enumerate() {
            worst = worst.max((a(i, j) - expected).abs());
            scale = scale.max(expected.abs());
        }
    }
    worst / scale
}

fn label_prop_graph(inputs: &Value) -> Graph {
    let nodes = inputs["n_nodes"].as_u64().unwrap() as usize;
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(nodes);
    for edge in rows(&inputs["edges"]) {
        builder.push(edge[0] as u32, edge[1] as u32, None).unwrap();
    }
    builder.finish(&mut Quiet).unwrap().0
}

#[test]
fn case_01_label_propagation_exact_and_by_steps() {
    let case = case(include_str!("../../golden/01_label_prop.json"));
    let inputs = &case["inputs"];
    let tolerance = case["tolerance"].as_f64().unwrap();
    let labelled = inputs["n"].as_u64().unwrap() as usize;
    let classes = inputs["n_classes"].as_u64().unwrap() as usize;
    let labels: Vec<Option<u32>> = rows(&inputs["labels"])
        .iter()
        .enumerate()
        .map(|(i, l)| (i < labelled).then_some(l[0] as u32))
        .collect();
    let seen = Observed::encode(&OneHot::new(classes), &labels).unwrap();
    let variants = [
        ("F_eta_0.7", 0.7, None),
        ("F_eta_0.99", 0.99, None),
        ("F_eta_0.999999", 0.999_999, None),
        ("F_eta_0.9_T8", 0.9, Some(8)),
    ];
    let exact = LabelPropagationParams {
        tolerance: 1e-14,
        ..Default::default()
    };
    for (name, eta, steps) in variants {
        let params = LabelPropagationParams {
            eta,
            steps,
            ..match steps {
                Some(_) => Default::default(),
                None => exact.clone(),
            }
        };
        let method = LabelPropagation::new(params).unwrap();
        let base = GraphBase::new(label_prop_graph(inputs));
        let fitted = method.fit(base, &seen, &mut Quiet).unwrap();
        let f = &fitted.visible.unwrap().values;
        let off = deviation(|i, j| f[(i, j)], &rows(&case["expected"][name]));
        assert!(
            off <= tolerance,
            "{name} is off by {off:.2e}, allowed {tolerance:.0e}"
        );
    }
}

#[test]
fn case_15_harmonic_function_on_gaussian_weights() {
    let case = case(include_str!("../../golden/15_graph_harmonic.json"));
    let inputs = &case["inputs"];
    let tolerance = case["tolerance"].as_f64().unwrap();
    let x = rows(&inputs["X"]);
    let sigma = inputs["sigma"].as_f64().unwrap();
    let y = rows(&inputs["y"]);
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(x.len());
    for i in 0..x.len() {
        for j in 0..i {
            let squared: f64 = x[i].iter().zip(&x[j]).map(|(a, b)| (a - b).powi(2)).sum();
            let weight = (-squared / (2.0 * sigma * sigma)).exp();
            builder.push(i as u32, j as u32, Some(weight)).unwrap();
        }
    }
    let (graph, _) = builder.finish(&mut Quiet).unwrap();
    let values = Mat::from_fn(y.len(), 1, |i, _| y[i][0]);
    let seen = Observed::new((0..y.len()).collect(), values, x.len()).unwrap();
    let params = HarmonicParams {
        tolerance: 1e-14,
        ..Default::default()
    };
    let method = Harmonic::new(params).unwrap();
    let fitted = method
        .fit(GraphBase::new(graph), &seen, &mut Quiet)
        .unwrap();
    let f = &fitted.visible.unwrap().values;
    let expected = rows(&case["expected"]["f_unlabelled"]);
    let off = deviation(|i, j| f[(y.len() + i, j)], &expected);
    assert!(
        off <= tolerance,
        "off by {off:.2e}, allowed {tolerance:.0e}"
    );
}
