//! Edge lists: formats, headers, comments, and bad lines by name.

use std::path::Path;

use isotherm::monitor::Quiet;
use isotherm_io::edges::read_text;
use isotherm_io::{
    Destination, EdgeList, EdgeOptions, Header, NodeNames, Overwrite, Result, Source,
    collect_edges, read_edges, read_edges_as, write_table,
};
use npyz::Order;
use proptest::prelude::*;

use crate::arrays::npy::written;
use crate::support::{Room, column, hint, message, refusal, table, texts};

fn edges(text: &str) -> Result<EdgeList> {
    let mut list = EdgeList::default();
    let mut weights = Vec::new();
    list.names = read_text(
        text.as_bytes(),
        Path::new("graph.csv"),
        None,
        &EdgeOptions::default(),
        &mut Quiet,
        &mut |edge| {
            list.edges.push((edge.from, edge.to));
            weights.extend(edge.weight);
            Ok(())
        },
    )?;
    list.weights = (!weights.is_empty()).then_some(weights);
    Ok(list)
}

fn names(names: &NodeNames) -> Vec<&str> {
    names.iter().collect()
}

#[test]
fn nodes_are_numbered_in_the_order_they_appear() {
    for text in [
        "b,a\na,c\n",
        "b;a\na;c\n",
        "b\ta\na\tc",
        "b a\n  a    c  \n",
        "# a comment, with commas\nb a\n% another\n\na c\n",
        "from,to\nb,a\na,c\n",
        "\u{feff}b,a\r\na,c\r\n",
    ] {
        let list = edges(text).unwrap();
        assert_eq!(names(&list.names), ["b", "a", "c"], "{text:?}");
        assert_eq!(list.edges, [(0, 1), (1, 2)], "{text:?}");
        assert_eq!(list.weights, None);
    }
}

#[test]
fn numbers_are_names_too() {
    let list = edges("7 07\n7 10\n").unwrap();
    assert_eq!(names(&list.names), ["7", "07", "10"]);
}

#[test]
fn weights_and_their_header_are_read() {
    let list = edges("a,b,weight\na,b,0.5\nb,c,0\n").unwrap();
    assert_eq!(list.weights, Some(vec![0.5, 0.0]));
    let list = edges("1 2 3\n2 3 1e-3\n").unwrap();
    assert_eq!(list.weights, Some(vec![3.0, 1e-3]));
}

#[test]
fn what_is_told_about_the_header_wins() {
    let options = EdgeOptions {
        header: Some(Header::Present),
        ..EdgeOptions::default()
    };
    let mut count = 0;
    let found = read_text(
        &b"p,q\na,b\n"[..],
        Path::new("g"),
        None,
        &options,
        &mut Quiet,
        &mut |_| {
            count += 1;
            Ok(())
        },
    )
    .unwrap();
    assert_eq!((count, names(&found)), (1, vec!["a", "b"]));
}

#[test]
fn bad_lines_are_refused_with_their_place() {
    for (text, expected) in [
        ("", "graph.csv is empty"),
        ("# only\n% comments\n", "graph.csv is empty"),
        (
            "from,to\n",
            "graph.csv has a header with 2 columns and no rows",
        ),
        ("a\nb\n", "graph.csv line 1: an edge has one cell only"),
        ("a,b,1,2\n", "graph.csv line 1: an edge has 4 cells"),
        ("a,b\nb,c,2\n", "graph.csv line 2 has 3 cells, expected 2"),
        ("a,b,1\nb,c\n", "graph.csv line 2 has 2 cells, expected 3"),
        (
            "a,b\n,c\n",
            "graph.csv line 2, column \"from\": the node is blank",
        ),
        (
            "a,b,1\n#\nb,c,-2\n",
            "graph.csv line 3, column \"weight\": the weight -2 is negative",
        ),
        (
            "a,b,1\nb,c,NaN\n",
            "graph.csv line 2, column \"weight\": the weight NaN is not a finite number",
        ),
        (
            "a,b,1\nb,c,1e999\n",
            "graph.csv line 2, column \"weight\": the weight 1e999 is not a finite number",
        ),
        (
            "a,b,1\nb,c,heavy\n",
            "graph.csv line 2, column \"weight\": the weight \"heavy\" is not a number",
        ),
        (
            "a,b,1\nb,c,\n",
            "graph.csv line 2, column \"weight\": the weight is blank",
        ),
    ] {
        assert_eq!(message(edges(text)), expected);
        assert!(!hint(edges(text)).is_empty(), "{expected}");
    }
}

#[test]
fn what_the_visitor_refuses_is_refused() {
    let room = Room::new();
    let path = room.file("graph.edges", "a b\nb c\n");
    let refused = read_edges(
        &Source::from(path),
        &EdgeOptions::default(),
        &mut Quiet,
        &mut |edge| match edge.line {
            2 => Err(isotherm::Error::Edge {
                edge: 1,
                reason: "no".into(),
            }),
            _ => Ok(()),
        },
    );
    assert_eq!(refusal(refused).to_string(), "edge 1: no");
}

#[test]
fn binary_edge_lists_give_the_same_graph() {
    let room = Room::new();
    let read = |path: &Path| {
        let options = EdgeOptions::default();
        collect_edges(&Source::from(path), &options, &mut Quiet)
    };
    let text = read(&room.file("g.txt", "5 3\n3 9\n")).unwrap();
    let npy = read(&room.file("g.npy", written(&[5i64, 3, 3, 9], &[2, 2], Order::C))).unwrap();
    let floats = written(&[5.0, 3.0, 0.5, 3.0, 9.0, 2.0], &[2, 3], Order::C);
    let weighted = read(&room.file("w.npy", floats)).unwrap();
    let data = table(vec![
        texts("u", &[Some("5"), Some("3")]),
        column("v", vec![3i64, 9]),
    ]);
    let path = room.path("g.parquet");
    let to = Destination::from(&path);
    write_table(&data, &to, None, Overwrite::Refuse, &mut Quiet).unwrap();
    for other in [&npy, &weighted, &read(&path).unwrap()] {
        assert_eq!(other.edges, text.edges);
        assert_eq!(names(&other.names), names(&text.names));
    }
    assert_eq!(weighted.weights, Some(vec![0.5, 2.0]));
    assert_eq!(text.lines.line(1), Some(2));
    let wide = read(&room.file("x.npy", written(&[1u8; 4], &[1, 4], Order::C)));
    assert_eq!(message(wide), "x.npy row 1: an edge has 4 cells");
}

proptest! {
    #[test]
    fn interning_agrees_with_a_plain_map(words in prop::collection::vec("[ab]{0,3}", 0..60)) {
        let mut names = NodeNames::default();
        let mut twin: Vec<String> = Vec::new();
        for word in &words {
            let expected = twin.iter().position(|w| w == word).unwrap_or_else(|| {
                twin.push(word.clone());
                twin.len() - 1
            });
            prop_assert_eq!(names.intern(word), Some(expected as u32));
        }
        prop_assert_eq!(names.iter().collect::<Vec<_>>(), twin);
    }
}

#[test]
fn words_above_whole_numbers_are_a_header_and_words_above_words_an_edge() {
    for header in ["FromNodeId,ToNodeId", "citing,cited", "a b,c d"] {
        let list = edges(&format!("{header}\n1,2\n2,-3\n")).unwrap();
        assert_eq!(names(&list.names), ["1", "2", "-3"], "{header}");
    }
    // Not every other node is a number, one cell is a number, or there is nothing to compare.
    for text in ["a,b\n1,2\nc,3\n", "a,7\n1,2\n", "a,b\n"] {
        let list = edges(text).unwrap();
        assert_eq!(list.names.name(0), Some("a"), "{text}");
    }
    // A later line that is refused is told with its line.
    let said = message(edges("citing,cited\n1,2\n3\n"));
    assert_eq!(said, "graph.csv line 3 has 1 cell, expected 2");
}

#[test]
fn how_edges_were_read_is_told() {
    let room = Room::new();
    let told = |name: &str, text: &str| {
        let path = Source::from(room.file(name, text));
        let options = EdgeOptions::default();
        let (_, told) = read_edges_as(&path, &options, &mut Quiet, &mut |_| Ok(())).unwrap();
        told.to_string()
    };
    assert_eq!(
        told("a.csv", "citing,cited\n1,2\n"),
        "comma, header, no weights"
    );
    assert_eq!(
        told("b.txt", "1 2 0.5\n"),
        "white space, no header, weights"
    );
}
