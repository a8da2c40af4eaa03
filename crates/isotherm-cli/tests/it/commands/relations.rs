//! Several `--graph`, `--direction` and `--node-features`.

use crate::run::{Room, chance, column};

const NODES: usize = 60;

/// Class of a node: x or y by turns.
fn class(i: usize) -> &'static str {
    ["x", "y"][i % 2]
}

/// Twelve labels.
fn nodes() -> String {
    let row = |i: usize| {
        let label = if i < 12 { class(i) } else { "" };
        format!("n{i},{label}\n")
    };
    format!("node,kind\n{}", (0..NODES).map(row).collect::<String>())
}

/// `citing,cited` to nodes of the same class, and `first,second` to any node.
fn kinds_of_edges() -> Room {
    let room = Room::with("nodes.csv", nodes());
    let mut state = 7;
    let mut pick = |most: usize| (chance(&mut state) * most as f64) as usize;
    let (mut cites, mut meets) = ("citing,cited\n".to_owned(), "first,second\n".to_owned());
    for i in 0..NODES {
        for _ in 0..3 {
            cites += &format!("n{i},n{}\n", 2 * pick(NODES / 2) + i % 2);
            meets += &format!("n{i},n{}\n", pick(NODES));
        }
    }
    room.file("cites.csv", cites);
    room.file("meets.csv", meets);
    room
}

/// The share of rows from `first` that are labelled right.
fn right(text: &str, first: usize) -> f64 {
    let labels = column(text, "iso_label");
    let right = (first..labels.len()).filter(|&i| labels[i] == class(i));
    right.count() as f64 / (labels.len() - first) as f64
}

#[test]
fn kinds_of_edges_are_weighed_and_reported() {
    let room = kinds_of_edges();
    let both = "nodes.csv --label kind --graph cites.csv --graph meets.csv";
    room.run(&format!("label {both} -o out.csv -v")).fine(&[
        "read 180 edges: comma, header, no weights",
        "graph cites: 60 nodes",
        "graph meets: 60 nodes",
        "all kinds of edges: ",
        "edges (cites)",
    ]);
    assert!(right(&room.read("out.csv"), 12) > 0.9);
    let said = room.run(&format!("check {both}"));
    assert!(said.out.contains("cites: "), "{said:?}");
    for command in ["evaluate", "next"] {
        room.run(&format!("{command} {both}")).fine(&[]);
    }
    room.run(&format!("report {both} -o report.html")).fine(&[]);
    assert!(room.read("report.html").contains("(cites)"));
    // Other methods work along all edges and say so.
    room.run(&format!("label {both} --method harmonic -o harmonic.csv"))
        .fine(&["kinds of edges are not told apart: harmonic works along all of them"]);
    // Two files of one name have to be named.
    room.file("cites.tsv", "n1\tn3\n");
    room.refuses(
        "label nodes.csv --label kind --graph cites.csv --graph cites.tsv -o no.csv",
        1,
        &["of the kind \"cites\"", "--graph NAME=cites.tsv"],
    );
    room.run("label nodes.csv --label kind --graph cites.csv --graph old=cites.tsv -o old.csv -v")
        .fine(&["graph old: "]);
}

#[test]
fn a_model_answers_for_new_nodes_by_kinds_of_edges() {
    let room = kinds_of_edges();
    room.run("fit nodes.csv --label kind --graph cites.csv --graph meets.csv -o m.iso")
        .fine(&[]);
    let inspected = room.run("inspect m.iso");
    assert!(
        inspected.out.contains("edges      2: cites, meets"),
        "{inspected:?}"
    );
    room.file("new.csv", "node\na\nb\n");
    room.file("later.csv", "a,n20\na,n22\na,n24\nb,n21\nb,n23\nb,n25\n");
    room.refuses(
        "predict m.iso new.csv --graph later.csv -o pred.csv",
        1,
        &["cites, meets", "--graph cites=later.csv"],
    );
    room.run("predict m.iso new.csv --graph cites=later.csv -o pred.csv")
        .fine(&["labelled 2 of 2 rows"]);
    assert_eq!(column(&room.read("pred.csv"), "iso_label"), ["x", "y"]);
}

/// Nodes of class x link to hubs p0…p4 and are linked from q0…q4, the others the other way.
fn hubs() -> Room {
    let room = Room::with("nodes.csv", nodes());
    let mut state = 11;
    let mut edges = String::new();
    for i in 0..NODES {
        for _ in 0..3 {
            let mut hub = |side: usize| {
                let number = (chance(&mut state) * 5.0) as usize;
                format!("{}{number}", ["p", "q"][side])
            };
            edges += &format!("n{i},{}\n{},n{i}\n", hub(i % 2), hub(1 - i % 2));
        }
    }
    room.file("links.csv", edges);
    room
}

#[test]
fn a_direction_is_kept_on_request() {
    let room = hubs();
    let line = "nodes.csv --label kind --graph links.csv";
    for (direction, said) in [
        ("out", "shared out-links (links)"),
        ("in", "shared in-links (links)"),
        ("both", "shared"),
    ] {
        room.run(&format!(
            "label {line} --direction {direction} -o {direction}.csv -v"
        ))
        .fine(&[said]);
        let share = right(&first_rows(&room.read(&format!("{direction}.csv"))), 12);
        assert!(share > 0.95, "{direction} {share}");
    }
    room.run(&format!("fit {line} --direction both -o m.iso"))
        .fine(&[]);
    room.file("new.csv", "node\na\nb\n");
    room.file(
        "later.csv",
        "a,p1\na,p2\na,p3\nq1,a\nb,q1\nb,q2\nb,q0\np2,b\n",
    );
    // Whatever the file is called: there is one kind of edges.
    room.run("predict m.iso new.csv --graph later.csv -o pred.csv")
        .fine(&["labelled 2 of 2 rows"]);
    assert_eq!(column(&room.read("pred.csv"), "iso_label"), ["x", "y"]);
    room.refuses(
        &format!("label {line} --direction out --method stkr -o no.csv"),
        2,
        &[
            "stkr works along edges without directions",
            "leave --direction out",
        ],
    );
}

fn first_rows(text: &str) -> String {
    let lines = text.lines().take(NODES + 1);
    lines.map(|line| format!("{line}\n")).collect()
}

/// One edge a node, to any other; words of a node tell its class.
fn words() -> Room {
    let room = Room::with("nodes.csv", nodes());
    let mut state = 5;
    let mut pick = |most: usize| (chance(&mut state) * most as f64) as usize;
    let mut words = "node,word\n".to_owned();
    let mut edges = String::new();
    for i in 0..NODES {
        edges += &format!("n{i},n{}\n", (i + 1 + pick(NODES - 1)) % NODES);
        let mut own: Vec<usize> = (0..4).map(|_| pick(20)).collect();
        own.sort_unstable();
        own.dedup();
        for word in own {
            words += &format!("n{i},{}{word}\n", class(i));
        }
    }
    room.file("edges.csv", edges);
    room.file("words.csv", words);
    room
}

const WORDS: &str = "nodes.csv --label kind --graph edges.csv --node-features words.csv";

#[test]
fn features_of_nodes_come_from_a_file_of_their_own() {
    let room = words();
    room.run(&format!("label {WORDS} -o out.csv -v"))
        .fine(&[" features of 60 nodes: comma, header", "features"]);
    let found = right(&room.read("out.csv"), 12);
    assert!(found > 0.8, "{found}");
    let said = room.run(&format!("check {WORDS}"));
    assert!(said.out.contains("node features: "), "{said:?}");
    // New nodes by a file of their own; the answer counts words that the model has not seen.
    room.run(&format!("fit {WORDS} -o m.iso")).fine(&[]);
    room.file("new.csv", "node\na\nb\n");
    room.file(
        "more.csv",
        "a,x1\na,x2\na,x3\na,x4\nb,y1\nb,y2\nb,y3\nb,odd\n",
    );
    room.run("predict m.iso new.csv --node-features more.csv -o pred.csv")
        .says(&[
            "labelled 2 of 2 rows",
            "1 value is not used: the model was fitted without",
        ]);
    assert_eq!(column(&room.read("pred.csv"), "iso_label"), ["x", "y"]);
    // They are what columns of the table with the same numbers are.
    let table = dense(&room.read("words.csv"));
    room.file("table.csv", table);
    room.run("label table.csv --label kind --graph edges.csv --features x*,y* -o dense.csv")
        .fine(&[]);
    let texts = ["out.csv", "dense.csv"].map(|name| room.read(name));
    let numbers = texts.map(|text| -> Vec<f64> {
        let cells = column(&text, "iso_confidence");
        cells.iter().map(|cell| cell.parse().unwrap()).collect()
    });
    for (sparse, dense) in numbers[0].iter().zip(&numbers[1]) {
        // Columns in another order: sums are rounded otherwise.
        assert!((sparse - dense).abs() < 1e-9, "{sparse} {dense}");
    }
}

/// The same words as columns, in the order in which they first appear.
fn dense(words: &str) -> String {
    let pairs: Vec<(&str, &str)> = words
        .lines()
        .skip(1)
        .filter_map(|l| l.split_once(','))
        .collect();
    let mut names: Vec<&str> = Vec::new();
    for (_, word) in &pairs {
        if !names.contains(word) {
            names.push(word);
        }
    }
    let mut out = format!("node,kind,{}\n", names.join(","));
    for i in 0..NODES {
        let node = format!("n{i}");
        let label = if i < 12 { class(i) } else { "" };
        let cells: Vec<&str> = (names.iter())
            .map(|word| {
                if pairs.contains(&(node.as_str(), word)) {
                    "1"
                } else {
                    "0"
                }
            })
            .collect();
        out += &format!("{node},{label},{}\n", cells.join(","));
    }
    out
}

#[test]
fn lines_of_features_that_cannot_be_used_are_refused() {
    let room = words();
    for (lines, says) in [
        (
            "n1,w,1\nm1,w,1\n",
            ["line 2", "node \"m1\" is not in the graph"],
        ),
        (
            "n1,w,1\nn2,w,many\n",
            ["line 2", "the value \"many\" is not a number"],
        ),
        ("n1,w,1\nn2,w,nan\n", ["line 2", "is not a finite number"]),
        ("n1,w,1\nn2,,1\n", ["line 2", "the feature is blank"]),
        (
            "n1,w,1\nn2,v,1\nn1,w,2\n",
            ["line 3", "has the feature \"w\" already, at line 1"],
        ),
        (
            "n1\nn2\n",
            ["line 1", "a line has 1 of the two or three cells"],
        ),
    ] {
        room.file("bad.csv", lines);
        let line = WORDS.replace("words.csv", "bad.csv");
        room.refuses(&format!("label {line} -o no.csv"), 1, &says);
    }
    // One source of features; a method that reads none.
    room.refuses(
        &format!("label {WORDS} --features a -o no.csv"),
        2,
        &["--features"],
    );
    room.refuses(
        &format!("label {WORDS} --method stkr -o no.csv"),
        2,
        &["stkr works along edges and reads no features of nodes"],
    );
}
