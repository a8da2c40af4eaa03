//! What was meant: decimal commas, thousands, classes spelled twice, marks of rows without a
//! label, headers of edges, and ways out that work when they are typed.

use isotherm::monitor::Quiet;
use isotherm_io::{Cells, ReadOptions, Source, read_table};

use crate::run::{Room, clusters, column};

/// The clusters as a German spreadsheet writes them.
fn german() -> String {
    clusters().replace(',', ";").replace('.', ",")
}

#[test]
fn decimal_commas_survive_next_merge_and_label() {
    let room = Room::with("data.csv", german());
    room.run("next data.csv --label y -n 4 -o todo.csv")
        .fine(&["decimal comma"]);
    let todo = room.read("todo.csv");
    let header = todo.lines().next().unwrap();
    let at = header.split(',').position(|c| c == "y").unwrap();
    let fill = |line: &str| {
        let mut cells: Vec<&str> = line.split(',').collect();
        cells[at] = "near";
        cells.join(",")
    };
    let filled: Vec<String> = todo.lines().skip(1).map(fill).collect();
    room.file("filled.csv", format!("{header}\n{}\n", filled.join("\n")));
    room.run("merge data.csv filled.csv --label y -o merged.csv")
        .fine(&["4 filled"]);
    room.run("label merged.csv --label y -o out.csv")
        .fine(&["decimal point"]);
    let expected = column(&clusters(), "a");
    let found = column(&room.read("out.csv"), "a");
    for (a, b) in expected.iter().zip(&found) {
        assert_eq!(a.parse::<f64>().unwrap(), b.parse::<f64>().unwrap());
    }
}

#[test]
fn formats_with_types_get_numbers_from_decimal_commas() {
    let room = Room::with("data.csv", german());
    for name in ["out.parquet", "out.jsonl", "out.npz"] {
        room.run(&format!("label data.csv --label y -o {name}"))
            .fine(&[]);
        let source = Source::from(room.path(name));
        let table = read_table(&source, &ReadOptions::default(), &mut Quiet).unwrap();
        let cells = &table.column("a").unwrap().cells;
        assert!(matches!(cells, Cells::Float(_)), "{name}");
    }
}

#[test]
fn commas_that_may_mark_thousands_are_never_read_as_decimals() {
    let room = Room::with("data.csv", "price;y\n995;u\n998;\n1,000;v\n1,005;\n");
    let says = [
        "error: data.csv line 4: \"1,000\" may have",
        "--decimal comma",
    ];
    room.refuses("label data.csv --label y -o out.csv", 1, &says);
    room.refuses("fit data.csv --label y --stream -o m.iso", 1, &says);
    room.run("label data.csv --label y --decimal comma -o out.csv")
        .fine(&[]);
    room.file("quoted.csv", "price,y\n995,u\n998,\n\"1,000\",v\n999,\n");
    let said = room.run("label quoted.csv --label y -o q.csv");
    let said = said.says(&["numbers have no thousands marks: write it without"]);
    assert!(!said.err.contains("--decimal"), "{said:?}");
}

#[test]
fn a_mark_of_unlabelled_rows_is_told_and_can_be_named() {
    let text = "a,y\n1,u\n1.1,-1\n1.2,?\n5,v\n5.1,-1\n5.2,v\n";
    let room = Room::with("data.csv", text);
    room.refuses(
        "label data.csv --label y -o out.csv",
        1,
        &["2 labels are \"-1\" in \"y\"", "pass --unlabelled -1"],
    );
    room.run("fit data.csv --label y -o m.iso")
        .fine(&["warning: 2 labels", "pass --unlabelled -1"]);
    let found = room.run("check data.csv --label y");
    assert!(found.out.contains("pass --unlabelled -1"), "{found:?}");
    for line in [
        "label data.csv --label y --unlabelled -1,? -o out.csv",
        "label data.csv --label y --unlabelled -1 --unlabelled ? -o two.csv",
    ] {
        let said = room
            .run(line)
            .fine(&["filled 3 of 3 blank labels from 3 given"]);
        assert!(!said.err.contains("warning"), "{said:?}");
    }
    let out = room.read("out.csv");
    assert_eq!(
        column(&out, "y"),
        column(text, "y"),
        "the column stays as it was"
    );
    assert_eq!(column(&out, "iso_label"), ["u", "u", "u", "v", "v", "v"]);
    room.file("isotherm.toml", "[all]\nunlabelled = [\"-1\", \"?\"]\n");
    room.run("label data.csv --label y -o set.csv")
        .fine(&["filled 3 of 3"]);
    room.run("fit data.csv --label y --stream --method laplacian -o s.iso")
        .fine(&[]);
    // Two classes that are called -1 and 1 are what they say.
    room.file("signs.csv", "a,y\n1,1\n2,\n8,-1\n9,\n");
    let said = room
        .run("label signs.csv --label y --no-config -o signs.out.csv")
        .fine(&[]);
    assert!(!said.err.contains("--unlabelled"), "{said:?}");
}

#[test]
fn a_header_of_edges_is_read_as_one() {
    let room = Room::with("nodes.csv", "id,y\n1,u\n2,\n3,v\n4,\n");
    room.file("edges.csv", "FromNodeId,ToNodeId\n1,2\n2,3\n3,4\n");
    room.run("label nodes.csv --label y --graph edges.csv -o out.csv")
        .fine(&[
            "read 3 edges: comma, header, no weights",
            "graph: 4 nodes, 3 edges",
        ]);
    // Words that are no nodes, because no other edge and no row has them.
    room.file("names.csv", "id,y\na,u\nb,\nc,v\n");
    room.file("words.csv", "citing,cited\na,b\nb,c\n");
    room.run("label names.csv --label y --graph words.csv -o words.out.csv")
        .fine(&[
            "read 2 edges: comma, header, no weights",
            "graph: 3 nodes, 2 edges",
        ]);
    // A first edge between nodes that the table lacks and that a later edge has is an edge.
    let later: String = (0..300).map(|i| format!("n{i},n{}\n", i + 1)).collect();
    room.file(
        "far.csv",
        format!("citing,cited\na,b\nb,c\n{later}n300,cited\n"),
    );
    room.run("label names.csv --label y --graph far.csv -o far.out.csv")
        .fine(&[
            "read 304 edges: comma, no header, no weights",
            "graph: 306 nodes, 304 edges",
        ]);
    // So is one of a file that shares no node with the table.
    room.file("other.csv", "citing,cited\np,q\n");
    room.run("label names.csv --label y --graph other.csv --isolated keep -o other.out.csv")
        .fine(&["read 2 edges: comma, no header, no weights"]);
}

#[test]
fn columns_that_number_or_name_rows_are_left_out_and_told() {
    let text = "Unnamed: 0,user_id,a,y\n0,71,1,u\n1,12,1.5,\n2,33,8,v\n3,54,8.5,\n";
    let room = Room::with("data.csv", text);
    room.run("label data.csv --label y -o out.csv").fine(&[
        "features: a\n",
        "left out: \"Unnamed: 0\" (numbers the rows), \"user_id\" (names rows)\n",
    ]);
    let found = room.run("check data.csv --label y");
    assert!(found.out.contains("left out, names rows"), "{found:?}");
    assert!(
        found.out.contains("left out, numbers the rows"),
        "{found:?}"
    );
    assert!(!found.out.contains("column \"Unnamed: 0\" is used"));
}

#[test]
fn ways_out_can_be_typed() {
    let room = Room::with("data.csv", "a b,c,y\n1,1,u\nx,2,\n8,8,v\n9,9,\n");
    room.refuses(
        "label data.csv --label y -o out.csv",
        1,
        &["or pass --exclude 'a b'"],
    );
    room.words(&[
        "label",
        "data.csv",
        "--label",
        "y",
        "--exclude",
        "a b",
        "-o",
        "out.csv",
    ])
    .fine(&[]);
    // A prediction has no --exclude.
    room.file("good.csv", "a,y\n1,u\n2,\n8,v\n9,\n");
    room.run("fit good.csv --label y -o m.iso").fine(&[]);
    room.file("new.csv", "a\n1\nx\n");
    let said = room.run("predict m.iso new.csv -o new.out.csv");
    let said = said.says(&["\"x\" is not a number", "  help: "]);
    assert!(!said.err.contains("exclude"), "{said:?}");
    // A list goes with its column.
    room.file("lists.csv", "c;y\n[1, 2];u\n[1, nan];\n[8, 9];v\n");
    let said = room.run("label lists.csv --label y -o lists.out.csv");
    said.says(&["column \"c[1]\"", "or pass --exclude c\n"]);
}

#[test]
fn a_table_without_features_names_the_column_that_was_meant() {
    let mut text = String::from("price,y\n");
    for row in 0..24 {
        text.push_str(&format!("${row}.50,{}\n", ["u", "v", ""][row % 3]));
    }
    let room = Room::with("data.csv", text);
    room.refuses(
        "label data.csv --label y -o out.csv",
        1,
        &["column \"price\" seems to be meant as numbers, but line 2 has \"$0.50\""],
    );
    room.file("texts.csv", "t,y\nfoo,u\nfoo,v\nfoo,\n");
    let said = room.run("label texts.csv --label y -o out.csv");
    let said = said.says(&["there are t\n"]);
    assert_eq!(said.code, 1);
}
