//! Labels joined to the nodes of a graph.

use isotherm::monitor::Quiet;
use isotherm_io::{NodeLabels, NodeNames, ReadOptions, Result, Source, read_labels};

use crate::support::{Room, hint, message};

fn labels(text: &str) -> Result<NodeLabels> {
    let mut names = NodeNames::default();
    for name in ["p1", "p2", "p7", "q"] {
        names.intern(name).unwrap();
    }
    let room = Room::new();
    let path = room.file("labels.csv", text);
    read_labels(
        &Source::from(path),
        &names,
        &ReadOptions::default(),
        &mut Quiet,
    )
}

fn named(expected: [Option<&str>; 4]) -> NodeLabels {
    expected.iter().map(|l| l.map(str::to_owned)).collect()
}

#[test]
fn labels_find_their_nodes_with_or_without_a_header() {
    let expected = named([Some("cat"), None, Some("dog"), None]);
    for text in [
        "p1,cat\np7,dog\n",
        "node,label\np7,dog\np1,cat\n",
        "p1;cat\np7;dog\nq;\np2;NA\n",
        "p1,cat\np1,cat\np7, dog\n",
    ] {
        assert_eq!(labels(text).unwrap(), expected, "{text:?}");
    }
}

#[test]
fn a_node_that_is_not_in_the_graph_is_refused_with_the_closest() {
    let text = "node,label\np1,cat\np77,dog\n";
    assert_eq!(
        message(labels(text)),
        "labels.csv line 3: node \"p77\" is not in the graph"
    );
    assert_eq!(hint(labels(text)), "did you mean \"p7\"?");
    // A mistyped first row is not taken for a header.
    assert_eq!(
        message(labels("p3,cat\np1,cat\np2,dog\n")),
        "labels.csv line 1: node \"p3\" is not in the graph"
    );
}

#[test]
fn one_node_with_two_labels_is_refused() {
    assert_eq!(
        message(labels("p1,cat\np2,dog\np1,dog\n")),
        "labels.csv line 3: node \"p1\" is labelled \"dog\", but \"cat\" on line 1"
    );
}

#[test]
fn a_file_with_other_columns_is_refused() {
    assert_eq!(
        message(labels("p1,cat,x\n")),
        "labels.csv: a label file has two columns, this one 3"
    );
}

#[test]
fn words_of_other_programs_for_a_missing_label_are_blank() {
    let table = crate::support::csv("y\nN/A\n#N/A\n<NA>\nn/a\ntea\n").unwrap();
    let labels = table.labels("y").unwrap();
    assert_eq!(labels[..3], [None, None, None]);
    assert_eq!(labels[3..], [Some("n/a".into()), Some("tea".into())]);
}

#[test]
fn labels_that_were_said_to_be_none_are_none() {
    let labels = ["-1", "-1.0", "1", "?", "tea"].map(|l| Some(l.to_owned()));
    let marks = ["-1".to_owned(), "?".to_owned()];
    let left = isotherm_io::labels::without(labels.to_vec(), &marks);
    let left: Vec<_> = left.into_iter().flatten().collect();
    assert_eq!(left, ["1", "tea"]);
}
