//! Tables that cannot be learned from: what is said, and that nothing is left.

use crate::run::{Room, clusters, column};

/// Labels this text, which must be refused with these words.
#[track_caller]
fn refused(text: &str, says: &[&str]) {
    let room = Room::with("data.csv", text);
    room.refuses("label data.csv --label y -o out.csv", 1, says);
    room.refuses("label data.csv --label y -o -", 1, says);
}

#[test]
fn files_without_rows_are_refused() {
    refused(
        "",
        &[
            "error: data.csv is empty\n",
            "help: give a file with a header",
        ],
    );
    refused("\n\n", &["error: data.csv is empty\n"]);
    refused(
        "a,b,y\n",
        &[
            "error: data.csv has a header with 3 columns and no rows\n",
            "help: add rows",
        ],
    );
    let room = Room::new();
    room.refuses(
        "label none.csv --label y -o out.csv",
        1,
        &[
            "error: cannot open none.csv: No such file",
            "help: check the name",
        ],
    );
    room.refuses("label . --label y -o out.csv", 1, &["  help: "]);
}

#[test]
fn ragged_rows_are_refused_by_line() {
    refused(
        "a,b,y\n1,2,u\n3,4\n5,6,v\n",
        &[
            "error: data.csv line 3 has 2 cells, expected 3\n",
            "help: add the missing cells",
        ],
    );
    refused(
        "a,b,y\n1,2,u\n3,4,v,9\n5,6,\n",
        &[
            "error: data.csv line 3 has 4 cells, expected 3\n",
            "help: quote the cell",
        ],
    );
}

#[test]
fn cells_that_are_no_numbers_are_refused_by_line_and_column() {
    for (cell, says) in [
        ("x", "\"x\" is not a number"),
        ("inf", "\"inf\" is not a usable number"),
        ("-Infinity", "\"-Infinity\" is not a usable number"),
        ("1e308", "\"1e308\" is not a usable number"),
        ("-1e400", "\"-1e400\" is not a usable number"),
        ("\"1,5\"", "\"1,5\" is not a number"),
    ] {
        refused(
            &format!("a,b,y\n1,2,u\n3,4,v\n5,{cell},\n7,8,\n"),
            &[
                &format!("error: data.csv line 4, column \"b\": {says}\n"),
                "  help: ",
            ],
        );
    }
}

#[test]
fn the_line_is_the_files_line_also_after_quoted_line_breaks() {
    refused(
        "a,t,y\n1,\"two\nlines\",u\n\n3,z,v\nx,z,\n",
        &["error: data.csv line 6, column \"a\": \"x\" is not a number\n"],
    );
}

#[test]
fn names_of_columns_that_do_not_fit_are_refused() {
    refused(
        "a,a,y\n1,2,u\n3,4,v\n5,6,\n",
        &[
            "error: data.csv: columns 1 and 2 are both named \"a\"\n",
            "help: rename",
        ],
    );
    refused(
        "a,,y\n1,2,u\n3,4,v\n",
        &["error: data.csv: column 2 has no name\n"],
    );
    refused(
        "a,b,Y\n1,2,u\n3,4,v\n5,6,\n",
        &[
            "error: data.csv: there is no column \"y\"\n",
            "help: did you mean \"Y\"?\n",
        ],
    );
    refused(
        "a,b,label\n1,2,u\n3,4,v\n5,6,\n",
        &["help: the columns are a, b, label\n"],
    );
    refused(
        "1,2,3\n4,5,6\n",
        &["no header", "help: the columns are column_1, column_2"],
    );
}

#[test]
fn a_table_that_was_labelled_before_is_refused_before_any_work() {
    let room = Room::with("data.csv", clusters());
    room.run("label data.csv --label y -o out.csv").fine(&[]);
    room.refuses(
        "label out.csv --label y -o again.csv",
        1,
        &[
            "out.csv: there is a column \"iso_label\" already",
            "without the iso_ columns",
        ],
    );
}

#[test]
fn labels_that_teach_nothing_are_refused() {
    refused(
        "a,y\n1,\n2,\n3,\n",
        &[
            "error: none of the 3 samples has a label\n",
            "help: label at least one sample of each class\n",
        ],
    );
    refused(
        "a,y\n1,u\n2,u\n3,\n",
        &[
            "error: every label is \"u\"\n",
            "help: label at least one sample of a second class\n",
        ],
    );
    refused(
        "a,y\n1,\n",
        &["error: there is only 1 sample\n", "help: give at least two"],
    );
    let room = Room::with("data.csv", "a,y\n1,u\n");
    room.refuses(
        "fit data.csv --label y -o m.iso",
        1,
        &["there is only 1 sample"],
    );
}

#[test]
fn labels_that_should_be_numbers_are_refused_by_line() {
    let room = Room::with("data.csv", "a,y\n1,0.5\n2,x\n3,\n");
    room.refuses(
        "label data.csv --label y --task regress -o out.csv",
        1,
        &[
            "error: data.csv line 3, column \"y\": the label \"x\" is not a number\n",
            "--task classify",
        ],
    );
    refused(
        "a,y\n1,0.5\n2,\n3,1e200\n",
        &["error: data.csv line 4, column \"y\": the label \"1e200\" is too large\n"],
    );
}

#[test]
fn features_that_tell_nothing_apart_are_refused_or_warned_about() {
    refused(
        "a,b,y\n1,2,u\n1,2,v\n1,2,\n",
        &[
            "error: all 3 rows are equal: nothing tells them apart\n",
            "help: choose other feature columns\n",
        ],
    );
    refused(
        "t,y\nfoo,u\nfoo,v\nfoo,\n",
        &[
            "error: data.csv: no column is left to learn from\n",
            "help: a column is left out if it is blank, has one value or names rows; --kind says otherwise; there are t\n",
        ],
    );
    let room = Room::with(
        "data.csv",
        clusters()
            .replace("name,", "same,")
            .replace("\nr", "\n")
            .lines()
            .enumerate()
            .map(|(n, l)| match n {
                0 => format!("{l}\n"),
                _ => format!("7,{}\n", l.split_once(',').unwrap().1),
            })
            .collect::<String>(),
    );
    room.run("label data.csv --label y -o out.csv").fine(&[
        "warning: columns with one value only: same\n",
        "help: they change nothing; --exclude leaves them out\n",
    ]);
    assert!(!room.read("out.csv").contains("NaN"));
}

#[test]
fn equal_rows_with_different_labels_are_warned_about() {
    let room = Room::with("data.csv", "a,y\n1,u\n1,v\n1,\n4,\n5,u\n");
    room.run("label data.csv --label y -o out.csv").fine(&[
        "warning: 1 pair of equal rows with different labels\n",
        "help: check them: no method can tell such rows apart\n",
    ]);
    let out = room.read("out.csv");
    assert_eq!(column(&out, "iso_label")[..2], ["u", "v"]);
    assert!(!out.contains("NaN"));
    room.run("label data.csv --label y --method kernel-ridge -f -o out.csv")
        .fine(&["warning: 1 pair"]);
    assert!(!room.read("out.csv").contains("NaN"));
}

#[test]
fn two_rows_are_enough() {
    let room = Room::with("data.csv", "a,y\n1,u\n2,v\n3,\n");
    room.run("label data.csv --label y -o out.csv")
        .fine(&["filled 1 of 1"]);
    room.file("two.csv", "a,y\n1,0.5\n2,\n");
    room.run("label two.csv --label y -o two.out.csv").fine(&[]);
    assert_eq!(
        column(&room.read("two.out.csv"), "iso_label"),
        ["0.5", "0.5"]
    );
}

#[test]
fn numbers_of_any_usable_size_are_learned_from() {
    let room = Room::with(
        "data.csv",
        "a,b,y\n1e149,1e-308,u\n-1e149,5e-324,v\n9e148,0,\n-8e148,1e-300,\n",
    );
    for way in [
        "",
        "--scaling none",
        "--method kernel-ridge",
        "--method harmonic",
    ] {
        let said = room
            .run(&format!("label data.csv --label y -f -o out.csv {way}"))
            .says(&[]);
        assert!(said.code <= 1, "{said:?}");
        assert!(
            said.code == 1 || !room.read("out.csv").contains("NaN"),
            "{way}"
        );
    }
}

#[test]
fn files_that_are_something_else_are_told_what_they_are() {
    for (bytes, says) in [
        (&b"\xFF\xFE\0\xD8,\0"[..], "the text is not UTF-16LE"),
        (b"\x1F\x8Babc", "the gzip stream "),
        (b"BZh91AY", "compressed with bzip2"),
        (b"PAR1aaaa", "the file is Parquet, not text"),
        (b"\x93NUMPYaaa", "a numpy array, not text"),
        (
            b"a,y\n1,\xE9\n",
            "line 2: the text is not UTF-8 (byte 0xE9)",
        ),
    ] {
        let room = Room::with("data.csv", bytes);
        room.refuses(
            "label data.csv --label y -o out.csv",
            1,
            &[says, "  help: "],
        );
    }
    let room = Room::with("data.pkl", "x");
    room.refuses(
        "label data.pkl --label y -o out.csv",
        1,
        &["can run code and are never opened"],
    );
    room.file("data", "a,y\n1,u\n2,v\n3,\n");
    room.refuses(
        "label data --label y -o out.csv",
        1,
        &["the name does not tell the format", "or pass --format"],
    );
    room.run("label data --label y --format csv -o out.csv")
        .fine(&[]);
}

#[test]
fn a_column_is_one_thing_only() {
    let room = Room::with("data.csv", clusters());
    for (flags, says) in [
        (
            "--id y",
            "--id means nothing to \"y\", which --label names already",
        ),
        (
            "--features a,y",
            "--features means nothing to \"y\", which --label names already",
        ),
        ("--categorical y", "--categorical means nothing to \"y\""),
        (
            "--label-weights y",
            "--label-weights means nothing to \"y\"",
        ),
        (
            "--id a --features a,b",
            "--features means nothing to \"a\", which --id names already",
        ),
    ] {
        for command in ["label data.csv -o out.csv", "evaluate data.csv"] {
            room.refuses(&format!("{command} --label y {flags}"), 2, &[says]);
        }
        let said = room.run(&format!("check data.csv --label y {flags}"));
        assert!(said.code == 1 && said.out.contains(says), "{said:?}");
    }
    // A pattern means the others.
    room.file("y.csv", clusters().replace("name,a,b,y", "name,y1,y2,y"));
    room.run("label y.csv --label y --features y* -o out.csv")
        .fine(&["features: y1, y2\n"]);
}

#[test]
fn flags_on_text_are_refused_where_there_is_none() {
    let room = Room::with("data.csv", clusters());
    for to in ["d.parquet", "d.jsonl", "d.arrow", "d.npz"] {
        room.run(&format!("label data.csv --label y --no-sidecar -o {to}"))
            .fine(&[]);
        for flags in [
            "--delimiter comma",
            "--header yes",
            "--decimal comma",
            "--encoding latin1",
        ] {
            let flag = flags.split(' ').next().unwrap();
            room.refuses(
                &format!("check {to} {flags}"),
                2,
                &[&format!(
                    "{flag} means nothing to an input that is no delimited text"
                )],
            );
        }
    }
    room.refuses(
        "embed d.parquet --decimal comma -o e.csv",
        2,
        &["--decimal means nothing"],
    );
    // From a pipe the format is known once it is read.
    let said = room.shell("\"$isotherm\" check - --header yes < d.parquet");
    assert_eq!(said.code, 2, "{said:?}");
    // One of several reads them.
    room.run("label data.csv --label y --no-sidecar --delimiter comma -f -o d.parquet")
        .fine(&[]);
    room.file("new.csv", "name;y\nr9;near\n");
    room.run("merge d.parquet new.csv --label y --id name --delimiter semicolon -o m.csv")
        .fine(&[]);
}

#[test]
fn probabilities_of_what_are_no_classes_are_refused() {
    let room = Room::with("data.csv", "a,y\n1,1.5\n2,2.5\n3,\n4,3.5\n5,\n");
    room.refuses(
        "label data.csv --label y --task regress --probabilities -o out.csv",
        2,
        &["--probabilities means nothing to the task regress"],
    );
    room.run("fit data.csv --label y --task regress --method kernel-ridge -o m.iso")
        .fine(&[]);
    room.refuses(
        "predict m.iso data.csv --probabilities -o out.csv",
        2,
        &["--probabilities means nothing to the task regress"],
    );
    // Shares are written with a column a class, which may be taken.
    room.file(
        "s.csv",
        "a,iso_p_u,y\n1,0,u:0.5;v:0.5\n2,0,u:1\n3,0,\n4,0,v:1\n",
    );
    room.refuses(
        "label s.csv --label y --task shares -o out.csv",
        1,
        &["there is a column \"iso_p_u\" already"],
    );
    let said = room.run("check s.csv --label y --task shares");
    assert!(
        said.code == 1 && said.out.contains("iso_p_u\" already"),
        "{said:?}"
    );
}
