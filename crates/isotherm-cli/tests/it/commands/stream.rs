//! `fit --stream` and `predict --stream` against the same commands on the table whole.

use crate::run::{Room, chance, column};

/// Two blobs in three columns, ten labels, as Parquet.
fn room() -> Room {
    let mut seed = 5;
    let mut text = String::from("a,b,c,y,name\n");
    for i in 0..900 {
        let side = f64::from(i % 2);
        let mut cell = || 4.0 * side + chance(&mut seed) + chance(&mut seed);
        let (a, b, c) = (cell(), cell(), 1e3 * cell());
        let label = match (i < 10, i % 2) {
            (true, 0) => "low",
            (true, _) => "high",
            _ => "",
        };
        text.push_str(&format!("{a},{b},{c},{label},r{i}\n"));
    }
    let room = Room::with("data.csv", text);
    let made = room.run("label data.csv --label y --method kernel-ridge -o all.parquet");
    made.fine(&[]);
    room
}

const FIT: &str = "fit all.parquet --label y --method laplacian --features a,b,c \
                   --bandwidth 1 --strength 0.01 -f";

#[test]
fn a_streamed_model_answers_like_one_of_the_whole_table() {
    let room = room();
    room.run(&format!("{FIT} --stream -o model")).fine(&[
        "900 rows, 8 columns, read in parts",
        "features: a, b, c",
        "wrote model",
    ]);
    room.refuses(
        "predict model all.parquet --stream -o new.csv",
        1,
        &["there is a column \"iso_label\" already"],
    );
    room.run("predict model data.csv -o whole.csv")
        .fine(&["labelled 900 of 900 rows"]);
    let found = column(&room.read("whole.csv"), "iso_label");
    let right = (found.iter().enumerate()).filter(|(i, l)| l.as_str() == ["low", "high"][i % 2]);
    assert_eq!(right.count(), 900);
    // What is read in parts is what is read whole.
    room.run("embed data.csv --features a,b,c --exclude y -o rows.parquet")
        .fine(&[]);
    room.run("predict model rows.parquet --stream -o parts.csv")
        .fine(&["read in parts", "labelled 900 of 900 rows"]);
    room.run("predict model rows.parquet -o once.csv").fine(&[]);
    assert_eq!(room.read("parts.csv"), room.read("once.csv"));
    room.run("predict model rows.parquet --stream -o parts.parquet")
        .fine(&[]);
    room.run("predict model rows.parquet -f -o once.parquet")
        .fine(&[]);
    let said = room.run("predict model rows.parquet --stream --json -f -o parts.csv");
    let value = said.fine(&[]).json();
    assert_eq!(
        (&value["rows"], &value["unreached"]),
        (&900.into(), &0.into())
    );
}

#[test]
fn the_scale_and_the_labels_are_those_of_all_rows() {
    // Few rows: the sample is the table, so landmarks are drawn from the same rows.
    let room = room();
    let probability = |stream: &str, name: &str| {
        let line = format!("{FIT} --landmarks 60 --norm-share 0.1 --route gram {stream} -o {name}");
        room.run(&line).fine(&[]);
        room.run(&format!(
            "predict {name} data.csv --probabilities -f -o {name}.csv"
        ))
        .fine(&[]);
        column(&room.read(&format!("{name}.csv")), "iso_p_low")
    };
    let (whole, passing) = (probability("", "a"), probability("--stream", "b"));
    for (a, b) in whole.iter().zip(&passing) {
        let (a, b): (f64, f64) = (a.parse().unwrap(), b.parse().unwrap());
        assert!((a - b).abs() < 1e-4, "{a} {b}");
    }
}

#[test]
fn text_streams_like_the_whole_table_and_from_a_pipe_as_it_comes() {
    let room = room();
    let fit = "--label y --method laplacian --exclude name --bandwidth 1 --strength 0.01";
    room.run(&format!("fit data.csv {fit} --stream -o m"))
        .fine(&[
            "5 columns, read in parts: comma, header",
            "features: a, b, c",
        ]);
    room.run("predict m data.csv -o whole.csv").fine(&[]);
    room.run("predict m data.csv --stream -o parts.csv")
        .fine(&["labelled 900 of 900 rows"]);
    assert_eq!(room.read("parts.csv"), room.read("whole.csv"));
    // From standard input: a model needs several passes, an answer one.
    let piped = "cat data.csv | \"$isotherm\"";
    room.shell(&format!("{piped} fit - {fit} --stream -o n"))
        .fine(&[]);
    room.shell("\"$isotherm\" predict n data.csv -o piped.csv")
        .fine(&[]);
    assert_eq!(room.read("piped.csv"), room.read("whole.csv"));
    let said = room.shell(&format!(
        "{piped} predict m - --stream --format csv -o - | tail -n +1"
    ));
    assert_eq!(said.fine(&[]).out, room.read("whole.csv"));
    room.shell("gzip -k data.csv && \"$isotherm\" predict m data.csv.gz --stream -o packed.csv")
        .fine(&[]);
    assert_eq!(room.read("packed.csv"), room.read("whole.csv"));
    let text = room.read("data.csv").replacen("r700", "r700,", 1);
    room.file("ragged.csv", text);
    room.refuses(
        "predict m ragged.csv --stream -o x.csv",
        1,
        &["line 702", "6 cells"],
    );
}

#[test]
fn single_precision_is_said_and_used() {
    let room = room();
    let flags = "--stream --precision single --landmarks 60 --norm-share 0.1";
    let recipe = room
        .run(&format!("{FIT} {flags} --print-recipe -o m"))
        .fine(&[])
        .out;
    assert!(recipe.contains("precision = \"single\""), "{recipe}");
    room.run(&format!("{FIT} {flags} -v -o m"))
        .fine(&["single precision"]);
    room.run("predict m data.csv -o new.csv")
        .fine(&["labelled 900"]);
    let found = column(&room.read("new.csv"), "iso_label");
    let right = (found.iter().enumerate()).filter(|(i, l)| l.as_str() == ["low", "high"][i % 2]);
    assert_eq!(right.count(), 900);
    room.refuses(
        &format!("{FIT} --precision single --derivatives -o x"),
        1,
        &["single precision"],
    );
    room.refuses(
        "fit data.csv --label y --method stkr --precision single -o x",
        2,
        &["--precision"],
    );
}

#[test]
fn what_cannot_stream_says_so() {
    let room = room();
    room.file("data.jsonl", "{\"a\": 1, \"y\": \"low\"}\n");
    room.refuses(
        "fit data.jsonl --label y --method laplacian --stream -o x",
        1,
        &["JSON lines are not read in parts", "save the table"],
    );
    room.refuses(
        "fit all.parquet --label y --features a --method stkr --stream -o x",
        1,
        &["stkr needs all rows at once", "--method laplacian"],
    );
    room.refuses(
        &format!("{FIT} --exact --stream -o x"),
        1,
        &["need all rows in memory"],
    );
    room.refuses(
        &format!("{FIT} --stream --memory 1M -o x"),
        1,
        &["that are streamed", "raise --memory"],
    );
    room.file("edges.csv", "r0,r1\n");
    let said = room.run("fit all.parquet --label y --stream --graph edges.csv -o x");
    assert_eq!(said.code, 2);
}

#[test]
fn large_files_are_read_in_parts_unless_a_typed_output_needs_all_of_a_text() {
    let room = Room::with("data.csv", "a,b,y\n0,0,u\n0.1,0,\n5,5,v\n5.1,5,\n0,0.1,\n");
    room.run("fit data.csv --label y --neighbours 2 -o m")
        .fine(&[]);
    // Few rows with long notes, 256 MiB in all.
    let note = "n".repeat(16 << 20);
    let mut text = String::from("a,b,note\n");
    for i in 0..16 {
        text.push_str(&format!("{},{},{note}\n", i % 2 * 5, i % 2 * 5));
    }
    room.file("large.csv", &text);
    let found = |name: &str| column(&room.read(name), "iso_label");
    let expected: Vec<&str> = (0..16).map(|i| ["u", "v"][i % 2]).collect();
    room.run("predict m large.csv -o large-out.csv")
        .fine(&["3 columns, read in parts", "labelled 16 of 16 rows"]);
    assert_eq!(found("large-out.csv"), expected);
    let whole = room.run("predict m large.csv -o large-out.jsonl");
    let whole = whole.fine(&["read 16 rows", "labelled 16 of 16 rows"]);
    assert!(!whole.err.contains("in parts"), "{}", whole.err);
    // Read whole it has to fit; in parts it does not.
    room.refuses(
        "predict m large.csv --memory 200MB -o x.jsonl",
        1,
        &["reading large.csv whole", "predict --stream"],
    );
    room.refuses(
        "label large.csv --label note --memory 200MB -o x.csv",
        1,
        &["reading large.csv whole", "fit --stream"],
    );
    room.run("predict m large.csv --memory 200MB -f -o large-out.csv")
        .fine(&["labelled 16 of 16 rows"]);
    assert_eq!(found("large-out.csv"), expected);
}
