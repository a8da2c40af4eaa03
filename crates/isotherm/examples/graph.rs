//! Classes of the nodes of a graph from two labels, and of a node that is added later.
//!
//! `cargo run -p isotherm --example graph`
#![allow(clippy::print_stdout)]

use isotherm::data::graph::EdgeRules;
use isotherm::prelude::*;

fn main() -> Result<()> {
    // Two rings of ten nodes with one edge between them; one label in each.
    let mut edges = GraphBuilder::new(EdgeRules::default());
    for i in 0..10 {
        edges.push(i, (i + 1) % 10, None)?;
        edges.push(10 + i, 10 + (i + 1) % 10, None)?;
    }
    edges.push(0, 10, None)?;
    let (graph, _) = edges.finish(&mut Quiet)?;
    let mut labels = vec![None; 20];
    (labels[3], labels[16]) = (Some("left"), Some("right"));

    let recipe = Recipe::on_graph(Task::Classify, 0);
    let mut study = Study::new(&recipe, Input::Graph(graph), &Targets::from_names(&labels))?;
    let model = study.fit(&mut Quiet)?;
    let answer = study.training_answer(&model, &mut Quiet)?;
    for (node, name) in answer.names().into_iter().enumerate() {
        println!("node {node}: {}", name.unwrap_or("no label reaches it"));
    }

    // A new node with links to nodes 12 and 13.
    let links = Links::new(1, 20, &[(0, 12, 1.0), (0, 13, 1.0)])?;
    let new = model.predict_nodes(&links, &mut Quiet)?;
    println!("new node: {}", new.names()[0].unwrap_or("unreached"));
    Ok(())
}
