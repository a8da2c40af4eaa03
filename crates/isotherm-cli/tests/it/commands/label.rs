//! `label`, when all is well.

use std::io::Write;

use isotherm::monitor::Quiet;
use isotherm_io::{Cells, Destination, Overwrite, ReadOptions, Source, read_table, write_table};

use crate::run::{Room, clusters, column, keeps};

#[test]
fn label_ends_with_how_good_the_answers_are_beside_simpler_ones() {
    // Two groups on a line; every third row has a label.
    let mut rows = String::from("a,y\n");
    for i in 0..60 {
        let class = if i % 2 == 0 { "near" } else { "far" };
        let place = if i % 2 == 0 { 0.0 } else { 9.0 } + 0.01 * f64::from(i);
        let label = if i % 3 == 0 { class } else { "" };
        rows.push_str(&format!("{place},{label}\n"));
    }
    let room = Room::with("data.csv", rows);
    room.run("label data.csv --label y -o out.csv").fine(&[
        "accuracy on the rows still unlabelled: 100.0 %, between ",
        "for comparison: kernel ridge on the labelled rows 100.0 %, always the most frequent class 50.0 %\n",
        "verdict: no clear difference from learning from the labelled rows alone\n",
    ]);
    let json = room
        .run("label data.csv --label y -f -o out.csv --json")
        .json();
    assert_eq!(json["worth"], "as-labels-alone");
    assert_eq!(json["evaluation"]["constant"]["value"], 0.5);
    let members = json["evaluation"]["members"].as_array().unwrap();
    let shares: f64 = members.iter().map(|m| m["share"].as_f64().unwrap()).sum();
    assert!((shares - 1.0).abs() < 1e-9, "{shares}");
    room.run("tune data.csv --label y").fine(&[
        "other methods on the same labels, accuracy: blend (the default) 100.0 %, kernel ridge",
    ]);
}

#[test]
fn a_table_keeps_its_columns_rows_and_labels_and_gains_three_columns() {
    let room = Room::with("data.csv", clusters());
    let said = room.run("label data.csv --label y -o out.csv").fine(&[
        "read 40 rows: comma, header, UTF-8, decimal point\n",
        "features: a, b\n",
        "left out: \"name\" (names rows)\n",
        "method: blend of ",
        "filled 34 of 34 blank labels from 6 given\n",
        "verdict: too few labels to tell how good the answers are\n",
    ]);
    assert_eq!(said.out, "");
    let out = room.read("out.csv");
    assert!(keeps(&clusters(), &out), "{out}");
    assert!(out.starts_with("name,a,b,y,iso_label,iso_confidence,iso_reached\n"));
    for (row, label) in column(&out, "iso_label").iter().enumerate() {
        assert_eq!(label, if row % 2 == 0 { "near" } else { "far" });
    }
    let confidence = column(&out, "iso_confidence");
    assert!(confidence[..6].iter().all(|c| c == "1.0"));
    assert!(confidence.iter().all(|c| c.parse::<f64>().unwrap() > 0.5));
    assert!(column(&out, "iso_reached").iter().all(|r| r == "true"));
    assert_eq!(room.names(), ["data.csv", "out.csv", "out.csv.run.json"]);
}

#[test]
fn a_given_label_stays_even_where_its_neighbours_disagree() {
    let odd = clusters().replacen(",near\n", ",far\n", 1);
    let room = Room::with("data.csv", odd);
    room.run("label data.csv --label y -o out.csv").fine(&[]);
    assert_eq!(column(&room.read("out.csv"), "iso_label")[0], "far");
}

#[test]
fn ten_rows_are_enough_to_see_two_clusters() {
    let text = "a,y\n1,low\n2,\n3,\n4,\n5,\n51,high\n52,\n53,\n54,\n55,\n";
    let room = Room::with("data.csv", text);
    room.run("label data.csv --label y -o out.csv").fine(&[]);
    let labels = column(&room.read("out.csv"), "iso_label");
    assert_eq!(labels[..5], ["low"; 5]);
    assert_eq!(labels[5..], ["high"; 5]);
}

#[test]
fn tabs_in_and_tabs_out() {
    let room = Room::with("data.tsv", clusters().replace(',', "\t"));
    room.run("label data.tsv --label y -o out.tsv")
        .fine(&[": tab, header"]);
    assert!(room.read("out.tsv").contains("\tiso_label\t"));
}

#[test]
fn parquet_goes_out_and_comes_in() {
    let room = Room::with("data.csv", clusters());
    room.run("label data.csv --label y -o out.csv").fine(&[]);
    room.run("label data.csv --label y -o out.parquet")
        .fine(&[]);
    let read = |name: &str| {
        let source = Source::from(room.path(name));
        read_table(&source, &ReadOptions::default(), &mut Quiet).unwrap()
    };
    let (text, typed) = (read("out.csv"), read("out.parquet"));
    assert_eq!(text.names(), typed.names());
    assert_eq!(
        text.labels("iso_label").unwrap(),
        typed.labels("iso_label").unwrap()
    );
    let confidence = &typed.column("iso_confidence").unwrap().cells;
    assert!(matches!(confidence, Cells::Float(_)));

    let data = Destination::from(room.path("data.parquet"));
    let table = read("data.csv");
    write_table(&table, &data, None, Overwrite::Refuse, &mut Quiet).unwrap();
    room.run("label data.parquet --label y -o again.csv")
        .fine(&["read 40 rows, 4 columns", "features: a, b"]);
    assert_eq!(
        column(&room.read("again.csv"), "iso_label"),
        column(&room.read("out.csv"), "iso_label")
    );
}

#[test]
fn json_lines_are_one_object_per_row() {
    let room = Room::with("data.csv", clusters());
    room.run("label data.csv --label y -o out.jsonl").fine(&[]);
    let text = room.read("out.jsonl");
    assert_eq!(text.lines().count(), 40);
    let first: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(first["iso_label"], "near");
    assert_eq!(first["iso_reached"], true);
    assert!(first["a"].is_f64());
    let last: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert!(last["y"] == "" || last["y"].is_null(), "{last}");
}

/// A numpy file of version 1.0.
fn npy(kind: &str, shape: &str, bytes: Vec<u8>) -> Vec<u8> {
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.bytes());
    out.extend(bytes);
    out
}

#[test]
fn numpy_archives_with_x_and_y_are_tables() {
    let x: Vec<u8> = [0.0, 0.1, 0.2, 5.0, 5.1, 5.2]
        .iter()
        .flat_map(|v: &f64| v.to_le_bytes())
        .collect();
    let nan = f64::NAN;
    let y: Vec<u8> = [0.0, nan, nan, 1.0, nan, nan]
        .iter()
        .flat_map(|v: &f64| v.to_le_bytes())
        .collect();
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    zip.start_file("X.npy", options).unwrap();
    zip.write_all(&npy("<f8", "(6, 1)", x)).unwrap();
    zip.start_file("y.npy", options).unwrap();
    zip.write_all(&npy("<f8", "(6,)", y)).unwrap();
    let room = Room::with("data.npz", zip.finish().unwrap().into_inner());
    room.run("label data.npz --label y --neighbours 2 -o out.csv")
        .fine(&["features: x0\n", "filled 4 of 4 blank labels from 2 given"]);
    let labels = column(&room.read("out.csv"), "iso_label");
    assert_eq!(labels, ["0", "0", "0", "1", "1", "1"]);
}

#[test]
fn probabilities_are_one_column_per_class_and_sum_to_one() {
    let room = Room::with("data.csv", clusters());
    room.run("label data.csv --label y --probabilities -o out.csv")
        .fine(&[]);
    let out = room.read("out.csv");
    let (far, near) = (column(&out, "iso_p_far"), column(&out, "iso_p_near"));
    for (f, n) in far.iter().zip(&near) {
        let sum = f.parse::<f64>().unwrap() + n.parse::<f64>().unwrap();
        assert!((sum - 1.0).abs() < 1e-12);
    }
}

#[test]
fn a_dash_is_standard_input_and_standard_output() {
    let room = Room::with("data.csv", clusters());
    room.run("label data.csv --label y -o out.csv").fine(&[]);
    let said = room
        .fed("label - --label y -o -", &clusters())
        .fine(&["filled 34 of 34"]);
    assert_eq!(said.out, room.read("out.csv"));
}

#[test]
fn numbers_are_regressed_on_and_given_ones_stay() {
    let mut text = String::from("a,y\n");
    for i in 0..20 {
        let y = if i % 4 == 0 {
            format!("{}.5", i)
        } else {
            String::new()
        };
        text.push_str(&format!("{i},{y}\n"));
    }
    let room = Room::with("data.csv", &text);
    room.run("label data.csv --label y -o out.csv --neighbours 3")
        .fine(&["taken as numbers", "method: blend of "]);
    let out = room.read("out.csv");
    assert!(out.starts_with("a,y,iso_label,iso_reached\n"), "{out}");
    let values: Vec<f64> = column(&out, "iso_label")
        .iter()
        .map(|v| v.parse().unwrap())
        .collect();
    assert_eq!((values[0], values[4], values[16]), (0.5, 4.5, 16.5));
    // Answers follow the given values.
    let near = |(i, v): (usize, &f64)| (v - i as f64 - 0.5).abs() < 3.5;
    assert!(values.iter().enumerate().all(near), "{values:?}");
    room.refuses(
        "label data.csv --label y --method label-propagation -o other.csv",
        1,
        &[
            "label-propagation scores have no scale",
            "help: use stkr, harmonic or kernel-ridge",
        ],
    );
}

#[test]
fn every_method_and_kernel_labels_two_clusters() {
    let room = Room::with("data.csv", clusters());
    let mut ways = vec![
        "--method stkr".to_owned(),
        "--method harmonic".to_owned(),
        "--method label-propagation".to_owned(),
    ];
    for kernel in isotherm::kernel::KernelSpec::NAMES {
        ways.push(format!("--method kernel-ridge --kernel {kernel}"));
    }
    for way in ways {
        room.run(&format!("label data.csv --label y -f -o out.csv {way}"))
            .fine(&[]);
        let labels = column(&room.read("out.csv"), "iso_label");
        let right = (labels.iter().enumerate())
            .filter(|(row, l)| *l == if row % 2 == 0 { "near" } else { "far" });
        // Lines through the origin tell the clusters apart only in part.
        let least = if way.contains("cosine") { 20 } else { 36 };
        assert!(right.count() >= least, "{way}: {labels:?}");
    }
}

#[test]
fn features_are_chosen_by_name_and_pattern() {
    let room = Room::with("data.csv", clusters());
    room.run("label data.csv --label y --features a -o one.csv")
        .fine(&["features: a\n"]);
    room.run("label data.csv --label y --exclude b -o two.csv")
        .fine(&["features: a\n"]);
    assert_eq!(room.read("one.csv"), room.read("two.csv"));
    room.refuses(
        "label data.csv --label y --features aa -o no.csv",
        1,
        &[
            "data.csv: there is no column \"aa\"",
            "help: did you mean \"a\"?",
        ],
    );
}

#[test]
fn a_column_called_id_is_left_out_and_used_on_request() {
    let room = Room::with("data.csv", clusters().replace("name,a", "name,id"));
    let said = room.run("label data.csv --label y -o one.csv").fine(&[
        "features: b\n",
        "left out: \"name\" (names rows), \"id\" (names rows)\n",
    ]);
    assert!(!said.err.contains("warning"));
    room.run("label data.csv --label y --id id --exclude name -o two.csv")
        .fine(&["features: b\n"]);
    for way in ["--features id,b", "--kind id=number"] {
        room.run(&format!("label data.csv --label y {way} -f -o two.csv"))
            .fine(&["features: id, b\n"]);
    }
    room.refuses(
        "label data.csv --label y --kind id=colour -f -o two.csv",
        2,
        &["the kinds are number, category, text, date, picture, list, identifier, nothing"],
    );
}

#[test]
fn threads_and_repeats_do_not_change_a_byte() {
    let room = Room::with("data.csv", clusters());
    for way in ["", "--method harmonic", "--method kernel-ridge"] {
        let line = format!("label data.csv --label y --probabilities {way}");
        for (threads, out) in [(1, "one.csv"), (2, "two.csv"), (2, "again.csv")] {
            room.run(&format!("{line} --threads {threads} -f -o {out}"))
                .fine(&[]);
        }
        assert_eq!(room.bytes("one.csv"), room.bytes("two.csv"));
        assert_eq!(room.bytes("two.csv"), room.bytes("again.csv"));
    }
    room.run("label data.csv --label y --seed 3 -o seeded.csv")
        .fine(&[]);
}

#[test]
fn the_printed_recipe_gives_the_same_bytes() {
    let room = Room::with("data.csv", clusters());
    for way in [
        "",
        "--method harmonic --neighbours 4",
        "--method kernel-ridge --kernel matern52 --ridge 0.5 --scaling none --seed 9",
    ] {
        let printed = room.run(&format!("label data.csv --label y {way} --print-recipe"));
        assert_eq!(printed.code, 0, "{printed:?}");
        room.file("recipe.toml", &printed.out);
        room.run(&format!("label data.csv --label y {way} -f -o flags.csv"))
            .fine(&[]);
        room.run("label data.csv --label y --recipe recipe.toml -f -o file.csv")
            .fine(&[]);
        assert_eq!(room.bytes("flags.csv"), room.bytes("file.csv"), "{way}");
    }
}

#[test]
fn a_recipe_that_is_wrong_is_told_with_its_line() {
    let room = Room::with("data.csv", clusters());
    room.file(
        "recipe.toml",
        "task = \"classify\"\ncolour = 1\n[method]\nkind = \"harmonic\"\n",
    );
    room.refuses(
        "label data.csv --label y --recipe recipe.toml -o out.csv",
        1,
        &[
            "recipe.toml line 2: unknown field `colour`",
            "help: start from the output of --print-recipe",
        ],
    );
    room.refuses(
        "label data.csv --label y --recipe recipe.toml --eta 0.5 -o out.csv",
        2,
        &["cannot be used with"],
    );
}

#[test]
fn rows_far_from_every_label_are_blank_counted_and_warned_about() {
    let text = "a,b,y\n0,0,u\n1,0,v\n0.5,0.5,\n1000,1000,\n";
    let room = Room::with("data.csv", text);
    let flags = "--method kernel-ridge --scaling none --bandwidth 1";
    room.run(&format!("label data.csv --label y {flags} -o out.csv"))
        .fine(&[
            "warning: 1 of 2 rows cannot be reached from any label; they are marked iso_reached=false\n",
            "help: they lie far from every label; label one of them\n",
            "filled 1 of 2 blank labels from 2 given\n",
        ]);
    let out = room.read("out.csv");
    assert_eq!(column(&out, "iso_label")[3], "");
    assert_eq!(column(&out, "iso_confidence")[3], "0.5");
    assert_eq!(column(&out, "iso_reached")[3], "false");
}

#[test]
fn probabilities_do_not_overwrite_columns_of_the_same_name() {
    let room = Room::with("data.csv", "a,iso_p_u,y\n0,1,u\n1,2,v\n2,3,\n");
    let said = room.run("label data.csv --label y --probabilities -o out.csv");
    assert_eq!(said.code, 1, "{said:?}");
    assert!(
        said.err.contains("there is a column \"iso_p_u\" already"),
        "{said:?}"
    );
}

#[test]
fn a_neighbour_count_beyond_reason_is_refused_by_its_rule() {
    let room = Room::with("data.csv", clusters());
    let said = room.run("label data.csv --label y --neighbours 4611686018427387904 -o out.csv");
    assert_eq!(said.code, 1, "{said:?}");
    assert!(
        said.err.contains("neighbours must be from 1 to 39"),
        "{said:?}"
    );
}
