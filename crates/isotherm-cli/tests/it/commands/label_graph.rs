//! `label --graph`.

use crate::run::{Room, column};

/// Two parts that hold a label each, one that holds none, weights throughout.
const EDGES: &str = "from,to,weight\np1,p2,1\np2,p3,0.5\nq1,q2,2\nq2,q3,1\nlost,gone,1\n";
const NODES: &str = "node,kind\np1,red\np2,\np3,\nq1,blue\nq2,\nq3,\nlost,\nlonely,\n";

fn room(nodes: &str, edges: &str) -> Room {
    let room = Room::with("nodes.csv", nodes);
    room.file("edges.csv", edges);
    room
}

const LABEL: &str = "label nodes.csv --label kind --graph edges.csv -o out.csv";

#[test]
fn labels_travel_along_edges_and_what_they_cannot_reach_is_counted() {
    let room = room(NODES, EDGES);
    let said = room.run(&format!("{LABEL} --probabilities")).fine(&[
        "graph: 9 nodes, 5 edges\n",
        "graph: 1 node without edges kept\n",
        "warning: 3 of 9 nodes (33.3 %) cannot be reached from any label; they are marked iso_reached=false\n",
        "help: label one node in each such part, or add edges to it\n",
        "added 1 row at the end, for nodes that only the edges name\n",
        "filled 4 of 7 blank labels from 2 given\n",
    ]);
    assert_eq!(said.out, "");
    let out = room.read("out.csv");
    assert_eq!(
        column(&out, "iso_label"),
        ["red", "red", "red", "blue", "blue", "blue", "", "", ""]
    );
    assert_eq!(column(&out, "iso_reached")[6..], ["false"; 3]);
    assert_eq!(column(&out, "iso_confidence")[6..], ["0.5"; 3]);
    assert_eq!(column(&out, "iso_p_red")[6..], ["0.5"; 3]);
    assert!(!out.contains("NaN"));
    assert_eq!(column(&out, "node")[7..], ["lonely", "gone"]);
    let json = room
        .run(&format!("{LABEL} --force --json"))
        .fine(&[])
        .json();
    assert_eq!(
        (&json["filled"], &json["unreached"]),
        (&4.into(), &3.into())
    );
    assert!(
        json["warnings"][0]["message"]
            .as_str()
            .unwrap()
            .contains("3 of 9 nodes")
    );
}

#[test]
fn self_loops_and_repeated_edges_are_notes() {
    let room = room(
        NODES,
        &format!("{EDGES}p1,p1,1\np2,p1,1\nq1,q1,3\np1,p3,0\n"),
    );
    let said = room.run(LABEL).fine(&[
        "graph: 2 self-loops dropped\n",
        "graph: 1 repeated edge merged\n",
        "graph: 1 edge of weight zero dropped\n",
    ]);
    assert!(!said.err.contains("error"));
}

#[test]
fn the_node_column_is_the_first_without_labels_or_the_one_that_is_named() {
    let usual = room(NODES, EDGES);
    usual.run(LABEL).fine(&[]);
    let expected = column(&usual.read("out.csv"), "iso_label");

    let swapped: String = NODES
        .lines()
        .map(|l| l.split_once(',').unwrap())
        .map(|(node, kind)| format!("{kind}, {node} \n"))
        .collect();
    let first = room(&swapped, EDGES);
    first.run(LABEL).fine(&[]);
    assert_eq!(column(&first.read("out.csv"), "iso_label"), expected);

    let third: String = NODES
        .lines()
        .zip(0..)
        .map(|(l, n)| format!("x{n},{l}\n"))
        .collect();
    let named = room(&third, EDGES);
    named
        .run(&format!("{LABEL} --id node --exclude x0"))
        .fine(&[]);
    assert_eq!(column(&named.read("out.csv"), "iso_label"), expected);
}

#[test]
fn a_labelled_node_that_the_graph_lacks_is_refused_with_the_nearest_name() {
    let room = room(&NODES.replace("q1,blue", "q1x,blue"), EDGES);
    room.refuses(
        LABEL,
        1,
        &[
            "error: nodes.csv line 5: node \"q1x\" is labelled but not in the graph\n",
            "help: did you mean \"q1\"? or pass --isolated keep\n",
        ],
    );
    room.run(&format!("{LABEL} --isolated keep")).fine(&[]);
    assert_eq!(column(&room.read("out.csv"), "iso_label")[3], "blue");
}

#[test]
fn weights_that_are_no_similarities_are_refused_by_line() {
    for (bad, says) in [
        (
            "-1",
            "error: edges.csv line 3, column \"weight\": the weight -1 is negative\n",
        ),
        (
            "nan",
            "line 3, column \"weight\": the weight nan is not a finite number\n",
        ),
        (
            "inf",
            "line 3, column \"weight\": the weight inf is not a finite number\n",
        ),
        (
            "x",
            "line 3, column \"weight\": the weight \"x\" is not a number\n",
        ),
        ("", "line 3, column \"weight\": the weight is blank\n"),
    ] {
        let room = room(NODES, &EDGES.replace("p3,0.5", &format!("p3,{bad}")));
        room.refuses(LABEL, 1, &[says, "  help: "]);
    }
    // Enormous weights are finite: they may be refused, they may not be NaN.
    let room = room(NODES, &EDGES.replace("p3,0.5", "p3,1e308"));
    let said = room.run(LABEL).says(&[]);
    assert!(said.code == 0 || said.code == 1, "{said:?}");
    assert!(said.code == 1 || !room.read("out.csv").contains("NaN"));
}

#[test]
fn nodes_with_two_labels_or_none_are_refused_by_line() {
    let twice = room(&format!("{NODES}p1,blue\n"), EDGES);
    twice.refuses(
        LABEL,
        1,
        &["error: nodes.csv line 10: node \"p1\" is labelled \"blue\" here and \"red\" before\n"],
    );
    let blank = room(&NODES.replace("p2,", " ,"), EDGES);
    blank.refuses(
        LABEL,
        1,
        &[
            "error: nodes.csv line 3, column \"node\": the node has no name\n",
            "--id",
        ],
    );
}

#[test]
fn edge_lists_that_are_none_are_refused() {
    for (edges, says) in [
        ("", "edges.csv is empty"),
        (
            "from,to\n",
            "edges.csv has a header with 2 columns and no rows",
        ),
        ("a,b,1\nc,d\n", "edges.csv line 2 has 2 cells, expected 3"),
        ("a,b,1,7\n", "edges.csv line 1: an edge has 4 cells"),
        ("a,\n", "the node is blank"),
    ] {
        room(NODES, edges).refuses(LABEL, 1, &[says]);
    }
    let lost = Room::with("nodes.csv", NODES);
    lost.refuses(LABEL, 1, &["cannot open edges.csv"]);
}

#[test]
fn flags_of_tables_are_refused_with_a_graph() {
    let room = room(NODES, EDGES);
    for flag in ["--neighbours 3", "--scaling none"] {
        let says = ["means nothing to edges of a graph", "or pass --smooth auto"];
        room.refuses(&format!("{LABEL} {flag}"), 2, &says);
    }
    room.refuses(
        &format!("{LABEL} --method kernel-ridge"),
        1,
        &[
            "kernel-ridge needs rows of numbers, not a graph",
            "help: give features of the nodes and --smooth, or use blend, stkr, label-propagation or harmonic",
        ],
    );
}

#[test]
fn standard_input_is_read_once() {
    let room = room(NODES, EDGES);
    let said = room
        .fed("label - --label kind --graph edges.csv -o -", NODES)
        .fine(&[]);
    let other = room
        .fed("label nodes.csv --label kind --graph - -o -", EDGES)
        .fine(&[]);
    assert_eq!(said.out, other.out);
    room.refuses(
        "label - --label kind --graph - -o out.csv",
        2,
        &[
            "DATA and --graph are both standard input",
            "help: give one of them as a file",
        ],
    );
}

#[test]
fn weights_change_the_answer() {
    let nodes = "node,kind\na,red\nb,blue\nm,\n";
    for (first, second, answer) in [(1, 9, "blue"), (9, 1, "red")] {
        let room = room(nodes, &format!("a m {first}\nb m {second}\n"));
        room.run(LABEL).fine(&[]);
        assert_eq!(column(&room.read("out.csv"), "iso_label")[2], answer);
    }
}

#[test]
fn numbers_on_a_graph_are_averaged() {
    let room = room("node,kind\na,0.5\nb,\nc,1.5\n", "a,b\nb,c\n");
    for (flags, method) in [
        ("", "method: blend"),
        ("--method harmonic -f", "harmonic\n"),
    ] {
        room.run(&format!("{LABEL} {flags}"))
            .fine(&["taken as numbers", method]);
        let values = column(&room.read("out.csv"), "iso_label");
        assert!(
            (values[1].parse::<f64>().unwrap() - 1.0).abs() < 1e-9,
            "{values:?}"
        );
    }
}

/// Sixty nodes on two rings; the first letter of a word tells the ring of most nodes.
fn with_features() -> Room {
    let mut nodes = String::from("node,kind,word,size\n");
    let mut edges = String::from("from,to\n");
    for i in 0..60 {
        let ring = i / 30;
        let word = if i % 7 == 3 { 1 - ring } else { ring };
        let word = ["early", "late"][word];
        let kind = match i % 6 {
            0 => ["red", "blue"][ring],
            _ => "",
        };
        nodes.push_str(&format!("n{i},{kind},{word},{}\n", i % 5));
        edges.push_str(&format!("n{i},n{}\n", ring * 30 + (i + 1) % 30));
    }
    // Nobody names it, and it has no edge, but it has a word.
    nodes.push_str("alone,,late,2\n");
    room(&nodes, &edges)
}

#[test]
fn features_of_nodes_are_used_and_named() {
    let room = with_features();
    let said = room
        .run("check nodes.csv --label kind --graph edges.csv")
        .fine(&[]);
    for part in [
        "2 features, one a value",
        "blend on the given graph and 3 features",
    ] {
        assert!(said.out.contains(part), "no {part} in {}", said.out);
    }
    room.run(LABEL).fine(&["method: blend", "word", "size"]);
    let out = room.read("out.csv");
    let labels = column(&out, "iso_label");
    for (i, label) in labels.iter().enumerate().take(60) {
        assert_eq!(label, ["red", "blue"][i / 30], "n{i}");
    }
    // Its features are what is known of the last.
    assert_eq!(column(&out, "iso_reached")[60], "true");
    let said = room
        .run("evaluate nodes.csv --label kind --graph edges.csv")
        .fine(&[]);
    let part = "features averaged over neighbours";
    assert!(said.out.contains(part), "no {part} in {}", said.out);
    room.run("next nodes.csv --label kind --graph edges.csv -n 2 -o next.csv")
        .fine(&[]);
    // Said otherwise: one column, none, and a method that works along edges.
    room.run(&format!("{LABEL} --features size -f")).fine(&[]);
    room.run(&format!("{LABEL} --exclude word,size -f -v"))
        .fine(&["blend on the given graph"]);
    room.run(&format!("{LABEL} --method stkr -f")).fine(&[
        "2 feature columns are not used: stkr works along edges, --method blend uses both",
    ]);
    room.refuses(
        &format!("{LABEL} --method stkr --features size -f"),
        2,
        &["stkr works along edges and reads no features of nodes"],
    );
}

#[test]
fn new_nodes_are_answered_by_edges_and_features() {
    let room = with_features();
    room.run("fit nodes.csv --label kind --graph edges.csv -o model.iso")
        .fine(&[]);
    room.file(
        "new.csv",
        "node,word,size\nx,early,1\ny,late,3\nz,late,\nn7,early,2\n",
    );
    room.file("more.csv", "x,n3\nx,n4\ny,n40\ny,n41\n");
    room.run("predict model.iso new.csv --graph more.csv -o answers.csv")
        .fine(&[]);
    let out = room.read("answers.csv");
    assert_eq!(column(&out, "iso_label"), ["red", "blue", "blue", "red"]);
    assert_eq!(column(&out, "iso_reached"), ["true"; 4]);
    // A column that the model learned from has to be there.
    room.file("bare.csv", "node\nx\n");
    room.refuses(
        "predict model.iso bare.csv --graph more.csv -o none.csv",
        1,
        &["word"],
    );
}

#[test]
fn smoothed_features_are_rows_that_other_methods_compare() {
    let room = with_features();
    room.file(
        "new.csv",
        "node,word,size\nx,early,1\nz,late,\nn7,early,2\n",
    );
    room.file("more.csv", "x,n3\nx,n4\n");
    for how in [
        "--smooth auto",
        "--method kernel-ridge --smooth 0.9 --bandwidth 0.5",
        "--method stkr --smooth auto --kernel gaussian --scaling standardise",
    ] {
        room.run(&format!("{LABEL} {how} -f")).fine(&[]);
        let labels = column(&room.read("out.csv"), "iso_label");
        let right = |(i, label): &(usize, &String)| **label == ["red", "blue"][i / 30];
        assert_eq!(
            labels.iter().enumerate().take(60).filter(right).count(),
            60,
            "{how}"
        );
        let fit = format!("fit nodes.csv --label kind --graph edges.csv -o model.iso -f {how}");
        room.run(&fit).fine(&[]);
        room.run("predict model.iso new.csv --graph more.csv -o answers.csv -f")
            .fine(&[]);
        let out = room.read("answers.csv");
        assert_eq!(column(&out, "iso_label"), ["red", "blue", "red"], "{how}");
        room.run(&format!(
            "evaluate nodes.csv --label kind --graph edges.csv {how}"
        ))
        .fine(&[]);
    }
    let check = "check nodes.csv --label kind --graph edges.csv --smooth auto";
    room.run(check).fine(&[]);
    room.refuses(
        &format!("{LABEL} --smooth 1 -f"),
        1,
        &["smooth must be at least 0 and below 1"],
    );
    room.refuses(
        &format!("{LABEL} --method blend --smooth auto -f"),
        2,
        &["--smooth means nothing to blend"],
    );
}
