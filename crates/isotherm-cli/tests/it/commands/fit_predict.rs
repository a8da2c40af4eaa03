//! `fit`, `predict` and `inspect`.

use isotherm::data::Targets;
use isotherm::monitor::Quiet;
use isotherm::recipe::{Recipe, Shape, Task};
use isotherm::study::{Input, Study};
use isotherm_io::{Features, ReadOptions, Source, read_table};

use crate::run::{Room, clusters, column, is_file, keeps};

const NEW: &str = "b,a,note\n0.5,0.4,x\n6.3,6.4,y\n";

#[test]
fn a_model_of_a_table_answers_as_the_library_does() {
    let room = Room::with("data.csv", clusters());
    room.file("new.csv", NEW);
    let said = room
        .run("fit data.csv --label y -o m.iso")
        .fine(&["features: a, b\n", "wrote m.iso\n"]);
    assert_eq!(said.out, "");
    let said = room
        .run("predict m.iso new.csv -o pred.csv --probabilities")
        .fine(&["read 2 rows: ", "labelled 2 of 2 rows\n"]);
    assert_eq!(said.out, "");
    let out = room.read("pred.csv");
    assert!(keeps(NEW, &out));

    let read = |name: &str| {
        let source = Source::from(room.path(name));
        read_table(&source, &ReadOptions::default(), &mut Quiet).unwrap()
    };
    let features = Features::named(["a", "b"]);
    let table = read("data.csv");
    let (_, points) = table.features(&features).unwrap();
    let (_, new) = read("new.csv").features(&features).unwrap();
    let targets = Targets::from_names(&table.labels("y").unwrap());
    let recipe = Recipe::automatic(Shape::Table, Task::Classify, 0);
    let model = Study::new(&recipe, Input::Table(points), &targets)
        .and_then(|mut study| study.fit(&mut Quiet))
        .unwrap();
    let answer = model.predict_rows(&new, &mut Quiet).unwrap();
    let expected: Vec<&str> = answer.names().into_iter().flatten().collect();
    assert_eq!(expected, ["near", "far"]);
    assert_eq!(column(&out, "iso_label"), expected);
    let probabilities = answer.probabilities.unwrap();
    for (row, cell) in column(&out, "iso_p_far").iter().enumerate() {
        let said: f64 = cell.parse().unwrap();
        assert!((said - probabilities[(row, 0)]).abs() < 1e-12, "row {row}");
    }
}

#[test]
fn a_table_whose_labels_are_all_given_is_refused_by_label_and_fitted_by_fit() {
    let full: String = clusters().replace(",\n", ",near\n");
    let room = Room::with("data.csv", full);
    room.refuses(
        "label data.csv --label y -o out.csv",
        1,
        &[
            "error: every label is given already (of 40 rows): there is nothing to fill\n",
            "help: use isotherm fit for a model of new rows, or blank the labels to be filled\n",
        ],
    );
    room.run("fit data.csv --label y -o m.iso")
        .fine(&["wrote m.iso"]);
    assert!(is_file(&room.path("m.iso")));
}

#[test]
fn kernel_ridge_and_regression_survive_the_file() {
    let room = Room::with(
        "data.csv",
        clusters().replace("near", "1.5").replace("far", "-2"),
    );
    room.file("new.csv", NEW);
    room.run("fit data.csv --label y --method kernel-ridge --kernel matern52 -o m.iso")
        .fine(&["taken as numbers"]);
    room.run("predict m.iso new.csv -o pred.csv").fine(&[]);
    let values = column(&room.read("pred.csv"), "iso_label");
    let value = |at: usize| values[at].parse::<f64>().unwrap();
    assert!(
        (value(0) - 1.5).abs() < 0.5 && (value(1) + 2.0).abs() < 0.5,
        "{values:?}"
    );
    let said = room.run("inspect m.iso").fine(&[]);
    assert!(said.out.contains("predicts   numbers\n"), "{}", said.out);
    assert!(said.out.contains("matern"), "{}", said.out);
}

#[test]
fn equal_fits_have_equal_bytes() {
    let fit = |threads: &str| {
        let room = Room::with("data.csv", clusters());
        let mut command = room.command(&["fit", "data.csv", "--label", "y", "-o", "m.iso"]);
        let done = command.env("ISOTHERM_THREADS", threads).output().unwrap();
        assert!(done.status.success(), "{done:?}");
        room.bytes("m.iso")
    };
    assert_eq!(fit("1"), fit("2"));
}

#[test]
fn inspect_tells_people_and_machines_the_same() {
    let room = Room::with("data.csv", clusters());
    let own = [
        "transform  inverse-laplacian eta 0.99\n",
        "ridge      0.001\n",
    ];
    for (method, own) in [("stkr", &own[..]), ("blend", &[])] {
        room.run(&format!(
            "fit data.csv --label y --method {method} --seed 5 -f -o m.iso"
        ))
        .fine(&[]);
        let said = room.run("inspect m.iso").fine(&[]);
        assert_eq!(said.err, "");
        let named = format!("method     {method}\n");
        let all = [
            named.as_str(),
            "chosen     ",
            "samples    40 (6 labelled)\n",
            "features   2: a, b\n",
            "classes    2: far, near\n",
            "seed       5\n",
        ];
        for part in all.iter().chain(own) {
            assert!(said.out.contains(part), "{part}: {}", said.out);
        }
        let json = room.run("inspect m.iso --json").fine(&[]).json();
        assert_eq!(json["classes"], serde_json::json!(["far", "near"]));
        assert_eq!(json["samples"], 40, "{method}");
        assert_eq!(json["labelled"], 6);
        assert_eq!(json["recipe"]["seed"], 5);
    }
}

#[test]
fn rows_without_the_models_columns_are_refused_by_name() {
    let room = Room::with("data.csv", clusters());
    room.run("fit data.csv --label y -o m.iso").fine(&[]);
    for (new, says) in [
        ("a,c\n1,2\n", "error: new.csv: there is no column \"b\"\n"),
        (
            "a,b\n1,x\n",
            "error: new.csv line 2, column \"b\": \"x\" is not a number\n",
        ),
        (
            "a,b\n1,1e308\n",
            "error: new.csv line 2, column \"b\": \"1e308\" is not a usable number\n",
        ),
        ("a,b\n", "new.csv has a header with 2 columns and no rows"),
        ("", "new.csv is empty"),
    ] {
        room.file("new.csv", new);
        room.refuses("predict m.iso new.csv -o pred.csv", 1, &[says, "  help: "]);
    }
    room.file("new.csv", NEW);
    room.file("edges.csv", "a,b\n");
    room.refuses(
        "predict m.iso new.csv --graph edges.csv -o pred.csv",
        2,
        &[
            "--graph means nothing to a model that was fitted on a table",
            "help: leave --graph out",
        ],
    );
    room.refuses(
        "predict m.iso new.csv --id a -o pred.csv",
        2,
        &["--id means nothing"],
    );
}

#[test]
fn a_number_that_only_the_models_scale_makes_too_large_names_its_cell() {
    let mut text = String::from("a,b,y\n");
    for i in 0..12 {
        let label = ["u", "v", ""][i.min(2)];
        text.push_str(&format!("{i}e-20,{},{label}\n", i % 5));
    }
    let room = Room::with("data.csv", text);
    room.run("fit data.csv --label y -o m.iso").fine(&[]);
    room.file("new.csv", "a,b\n1e-20,1\n1e140,2\n");
    room.refuses(
        "predict m.iso new.csv -o pred.csv",
        1,
        &[
            "error: new.csv line 3, column \"a\": the number is ",
            "too large",
        ],
    );
    let json = room.run("predict m.iso new.csv -o pred.csv --json").json();
    assert_eq!(json["error"]["line"], 3);
    assert_eq!(json["error"]["column"], "a");
}

const EDGES: &str = "p1,p2\np2,p3\nq1,q2\nq2,q3\nlost,gone\n";
const NODES: &str = "node,kind\np1,red\np2,\nq1,blue\n";

fn graph_model() -> Room {
    let room = Room::with("nodes.csv", NODES);
    room.file("edges.csv", EDGES);
    room.run("fit nodes.csv --label kind --graph edges.csv -o m.iso")
        .fine(&["graph: 8 nodes, 5 edges", "wrote m.iso"]);
    room
}

#[test]
fn a_model_of_a_graph_knows_its_nodes() {
    let room = graph_model();
    room.run("label nodes.csv --label kind --graph edges.csv -o out.csv")
        .fine(&[]);
    room.file("known.csv", "node\nq3\np3\np2\nlost\n");
    room.run("predict m.iso known.csv -o pred.csv").fine(&[
        "warning: 1 of 4 rows cannot be reached from any label",
        "labelled 3 of 4 rows\n",
    ]);
    let out = room.read("pred.csv");
    assert_eq!(column(&out, "iso_label"), ["blue", "red", "red", ""]);
    let (fitted, told) = (room.read("out.csv"), column(&out, "iso_confidence"));
    assert_eq!(column(&fitted, "iso_confidence")[1], told[2]);
    let said = room.run("inspect m.iso").fine(&[]);
    assert!(
        said.out.contains("samples    8 (2 labelled)"),
        "{}",
        said.out
    );
}

#[test]
fn new_nodes_are_labelled_by_their_edges_to_known_ones() {
    let room = graph_model();
    // `twin` is asked for twice; `far` is joined to a new node only.
    room.file("new.csv", "node\nnew\ntwin\np3\nfar\n twin \nalone\n");
    room.file(
        "links.csv",
        "from,to,weight\nnew,q3,1\np1,twin,2\nnew,far,1\nnew,q3,1\nwho,p1,1\np1,p2,1\n",
    );
    room.run("predict m.iso new.csv --graph links.csv -o pred.csv")
        .fine(&[
            "warning: 1 edge between two new nodes not used",
            "warning: 1 edge not used: one end is neither in the table nor in the model",
            "warning: 2 of 6 rows cannot be reached",
        ]);
    let out = room.read("pred.csv");
    assert_eq!(
        column(&out, "iso_label"),
        ["blue", "red", "red", "", "red", ""]
    );
    assert_eq!(column(&out, "iso_confidence")[3], "0.5");
    // Without edges the new nodes are told to need some.
    room.run("predict m.iso new.csv -f -o pred.csv")
        .fine(&["help: give the edges of new nodes to known ones with --graph"]);
}

/// Model files of layout 1 that version 0.1.0 wrote before labels were read by one `Labelling`,
/// with what that version predicted for three rows. They are not to be written again.
#[test]
fn model_files_of_earlier_builds_load_and_predict_as_they_did() {
    let models: [(&str, &[u8], &str); 2] = [
        (
            "classes.iso",
            include_bytes!("../../fixtures/classes.iso"),
            include_str!("../../fixtures/classes-predicted.csv"),
        ),
        (
            "tags.iso",
            include_bytes!("../../fixtures/tags.iso"),
            include_str!("../../fixtures/tags-predicted.csv"),
        ),
    ];
    for (name, model, expected) in models {
        let room = Room::with(name, model);
        room.file("new.csv", "a,b\n0.1,1.9\n3.1,-0.1\n6.1,1.9\n");
        let shares = if name == "classes.iso" {
            " --probabilities"
        } else {
            ""
        };
        room.run(&format!("predict {name} new.csv{shares} -o out.csv"))
            .fine(&["labelled 3 of 3 rows"]);
        let out = room.read("out.csv");
        assert_eq!(column(&out, "iso_label"), column(expected, "iso_label"));
        if name == "classes.iso" {
            for class in ["iso_p_blue", "iso_p_green", "iso_p_red"] {
                for (now, then) in column(&out, class).iter().zip(&column(expected, class)) {
                    let number = |text: &str| text.parse::<f64>().unwrap();
                    // Rounding of sums may differ between processors.
                    assert!((number(now) - number(then)).abs() < 1e-9, "{class}");
                }
            }
        }
    }
}

/// With a missing number in every fifth row of `b`: the label follows `a`.
fn with_missing_numbers() -> String {
    let mut text = String::from("a,b,y\n");
    for row in 0..40 {
        let (side, label) = if row % 2 == 0 { (0, "u") } else { (9, "v") };
        let b = if row % 5 == 0 {
            "NA".to_owned()
        } else {
            format!("{row}")
        };
        let label = if row < 12 { label } else { "" };
        text.push_str(&format!("{}.{row},{b},{label}\n", side));
    }
    text
}

#[test]
fn missing_numbers_are_filled_counted_and_remembered_by_the_model() {
    let room = Room::with("data.csv", with_missing_numbers());
    let told = "missing numbers were replaced by the column's median: b (8 cells)\n";
    room.run("label data.csv --label y -o out.csv")
        .fine(&[told]);
    room.run("fit data.csv --label y -o m.iso").fine(&[told]);
    room.file("new.csv", "a,b\n0.1,\n9.1,nan\n,3\n");
    room.run("predict m.iso new.csv -o pred.csv").fine(&[
        "missing numbers were replaced by the column's median: a (1 cell), b (2 cells)\n",
        "labelled 3 of 3 rows\n",
    ]);
    room.run("predict m.iso new.csv --stream -o parts.csv")
        .fine(&["missing numbers were replaced by the column's median: a (1 cell), b (2 cells)\n"]);
    assert_eq!(room.read("pred.csv"), room.read("parts.csv"));
    let lines: Vec<String> = room.read("pred.csv").lines().map(str::to_owned).collect();
    assert!(lines[1].starts_with("0.1,,u,"), "{lines:?}");
    assert!(lines[2].starts_with("9.1,nan,v,"), "{lines:?}");
}
