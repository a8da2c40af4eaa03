//! Formats of tables, list columns and columns of words, through the binary.

use crate::run::{Room, chance, column};

/// Two blobs; the colour says which in most rows, and a list holds them again.
fn text(rows: usize) -> String {
    let mut seed = 11;
    let mut text = String::from("id,a,emb,colour,note,y\n");
    for i in 0..rows {
        let side = f64::from(u32::from(i % 2 == 1));
        let mut cell = || 4.0 * side + chance(&mut seed);
        let (a, b, c) = (cell(), cell(), cell());
        let colour = match (i % 9, i % 2) {
            (0, _) => "",
            (_, 0) => "red",
            _ => "blue",
        };
        let label = match (i < 12, i % 2) {
            (true, 0) => "low",
            (true, _) => "high",
            _ => "",
        };
        text.push_str(&format!("r{i},{a},[{b} {c}],{colour},note {i},{label}\n"));
    }
    text
}

/// A column of a table that was written with tabulators, in which lists need no quotes.
#[track_caller]
fn tabbed(room: &Room, file: &str, name: &str) -> Vec<String> {
    let text = room.read(file).replace(',', ";").replace('\t', ",");
    column(&text, name)
}

const FORMATS: [&str; 7] = [
    "t.csv",
    "t.jsonl",
    "t.parquet",
    "t.arrow",
    "t.feather",
    "t.arrows",
    "t.npz",
];

#[test]
fn every_format_is_labelled_alike() {
    let room = Room::with("data.csv", text(60));
    let how = "--label y --method kernel-ridge --bandwidth 2";
    let features = "--features a,emb,colour";
    let said = room.run(&format!("label data.csv {how} {features} -o first.tsv"));
    said.fine(&["features: a, emb[0…1], colour (2 values) (5 in all)\n"]);
    let expected = tabbed(&room, "first.tsv", "iso_label");
    assert!(expected.iter().all(|l| l == "low" || l == "high"));
    for name in FORMATS {
        // Out through one command, in through another.
        room.run(&format!("embed data.csv --features a -o {name} -f"))
            .fine(&[]);
        let line = format!("label {name} {how} {features} -o back.tsv -f");
        room.run(&line)
            .fine(&["features: a, emb[0…1], colour (2 values) (5 in all)\n"]);
        assert_eq!(tabbed(&room, "back.tsv", "iso_label"), expected, "{name}");
    }
    room.refuses(
        "label data.csv --label y -o out.npy",
        1,
        &[
            "one numpy array cannot hold a table",
            "help: end it in .npz",
        ],
    );
}

#[test]
fn texts_of_a_few_values_are_features_and_names_of_rows_are_left_out() {
    let room = Room::with("data.csv", text(60));
    room.run("fit data.csv --label y --id id --method kernel-ridge -o m.iso")
        .fine(&[
            "features: a, emb[0…1], colour (2 values) (5 in all)\n",
            "left out: \"note\" (names rows)\n",
        ]);
    let shown = room.run("inspect m.iso --json").fine(&[]).json();
    let features = serde_json::json!(["a", "emb[0]", "emb[1]", "colour=blue", "colour=red"]);
    assert_eq!(shown["features"], features);
    let line = "fit data.csv --label y --id id --exclude note --method kernel-ridge -f -o m.iso";
    let said = room.run(line).fine(&[]);
    assert!(!said.err.contains("warning"), "{said:?}");
    room.run("fit data.csv --label y --id id --categorical note --method kernel-ridge -f -o n.iso")
        .fine(&["note (60 values)", "(65 in all)"]);
}

#[test]
fn an_embedding_is_used_and_nothing_else() {
    let room = Room::with("data.csv", text(60));
    let said = room
        .run("label data.csv --label y --embedding emb --method kernel-ridge -o out.csv")
        .fine(&["features: emb[0…1] (2 in all)\n"]);
    assert!(!said.err.contains("warning"), "{said:?}");
    room.refuses(
        "label data.csv --label y --embedding a -o no.csv",
        1,
        &["column \"a\" holds no lists of numbers"],
    );
    room.refuses(
        "label data.csv --label y --embedding emb --features a -o no.csv",
        2,
        &["cannot be used with"],
    );
    let short = text(60).replacen(",[", ",[1 ", 1);
    room.file("short.csv", short);
    room.refuses(
        "label short.csv --label y --embedding emb -o no.csv",
        1,
        &["short.csv line 3, column \"emb\": the list has 2 numbers, expected 3"],
    );
}

#[test]
fn a_value_the_model_never_saw_is_none_of_them_and_is_told() {
    let room = Room::with("data.csv", text(60));
    room.run("fit data.csv --label y --features a,colour --method kernel-ridge -o m.iso")
        .fine(&[]);
    room.file(
        "new.csv",
        "colour,a\nred,0.5\ngreen,4.5\n,0.4\nviolet,0.1\n",
    );
    let told = "2 rows have in column \"colour\" a value the model was not fitted on, such as \
                \"green\": counted as none of its values";
    room.run("predict m.iso new.csv -o out.csv").fine(&[told]);
    let labels = column(&room.read("out.csv"), "iso_label");
    assert_eq!(labels, ["low", "high", "low", "low"]);
    // In parts, the same.
    room.run("embed new.csv --features a -o new.parquet")
        .fine(&[]);
    room.run("predict m.iso new.parquet --stream -o parts.csv")
        .fine(&[told]);
    assert_eq!(column(&room.read("parts.csv"), "iso_label"), labels);
    room.file("other.csv", "a\n1\n");
    room.refuses(
        "predict m.iso other.csv -o no.csv",
        1,
        &["there is no column \"colour\""],
    );
}

#[test]
fn words_and_lists_are_fitted_from_a_stream_as_from_the_table() {
    let room = Room::with("data.csv", text(300));
    room.run("embed data.csv --features a -o all.parquet")
        .fine(&[]);
    let how = "--label y --id id --exclude note,iso_* --method laplacian --bandwidth 2 \
               --strength 0.01 --landmarks 60 --norm-share 0.1 --route gram";
    room.run(&format!("fit all.parquet {how} -o whole.iso"))
        .fine(&["features: a, emb[0…1], colour (2 values) (5 in all)\n"]);
    room.run(&format!("fit all.parquet {how} --stream -o parts.iso"))
        .fine(&["features: a, emb[0…1], colour (2 values) (5 in all)\n"]);
    let labels = |model: &str| {
        room.run(&format!("predict {model} data.csv -f -o out.tsv"))
            .fine(&[]);
        tabbed(&room, "out.tsv", "iso_label")
    };
    assert_eq!(labels("whole.iso"), labels("parts.iso"));
}

#[test]
fn json_lines_come_through_a_pipe() {
    let room = Room::new();
    let lines: String = (0..20)
        .map(|i| match i {
            0 => "{\"x\": 0, \"y\": \"a\"}\n".to_owned(),
            19 => "{\"x\": 19, \"y\": \"b\"}\n".to_owned(),
            _ => format!("{{\"x\": {i}}}\n"),
        })
        .collect();
    let line = "label - --format jsonl --label y --method kernel-ridge -o out.jsonl";
    room.fed(line, &lines).fine(&["read 20 rows, 2 columns"]);
    let out = room.read("out.jsonl");
    assert_eq!(out.lines().count(), 20);
    for line in out.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(row["iso_label"] == "a" || row["iso_label"] == "b", "{line}");
    }
    room.file("bad.jsonl", "{\"x\": 1}\n{\"x\": {\"deep\": 1}}\n");
    room.refuses(
        "label bad.jsonl --label y -o no.csv",
        1,
        &["bad.jsonl line 2: the key \"x\" holds an object, and columns hold none"],
    );
}

#[test]
fn a_column_that_cannot_be_read_is_left_out_where_it_is_excluded() {
    let rows = |label: &str| -> String {
        (0..20)
            .map(|i| {
                let y = if i < 8 {
                    ["\"u\"", "\"v\""][i % 2]
                } else {
                    "null"
                };
                let x = 5 * (i % 2) + i;
                format!("{{\"a\":{x},\"tags\":{{\"n\":{i}}},\"{label}\":{y}}}\n")
            })
            .collect()
    };
    let room = Room::with("data.jsonl", rows("y"));
    room.file("new.jsonl", rows("other"));
    let fit = "fit data.jsonl --label y --method kernel-ridge -o m.iso";
    room.refuses(
        fit,
        1,
        &[
            "the key \"tags\" holds an object",
            "--exclude tags leaves it out",
        ],
    );
    let told = "1 excluded column cannot be read and is not in the output: \"tags\"";
    room.run(&format!("{fit} --exclude tags")).fine(&[told]);
    room.refuses(
        "predict m.iso new.jsonl -o p.csv",
        1,
        &["--exclude tags leaves it out"],
    );
    room.run("predict m.iso new.jsonl --exclude tags -o p.csv")
        .fine(&[told]);
    assert!(room.read("p.csv").starts_with("a,other,iso_label"));
}

/// What a small archive becomes counts against `--memory` before it is unpacked.
#[test]
fn a_bomb_is_refused_by_the_memory_that_is_allowed() {
    use std::io::Write as _;
    let rows = 10_000_000;
    let about = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows},), }}");
    let about = format!("{about:<117}\n");
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let packed = zip::write::SimpleFileOptions::default();
    zip.start_file("a.npy", packed).unwrap();
    zip.write_all(b"\x93NUMPY\x01\x00\x76\x00").unwrap();
    zip.write_all(about.as_bytes()).unwrap();
    zip.write_all(&vec![0; 8 * rows]).unwrap();
    let bomb = zip.finish().unwrap().into_inner();
    assert!(bomb.len() < 200_000, "{}", bomb.len());
    let room = Room::with("bomb.npz", bomb);
    for command in ["check", "label -o out.csv", "fit -o out.iso"] {
        room.refuses(
            &format!("{command} bomb.npz --label y --memory 30MB"),
            1,
            &["reading bomb.npz whole", "--stream", "--memory"],
        );
    }
    assert_eq!(room.names(), ["bomb.npz"]);
}

/// A workbook with an empty-headed first sheet and the table, cell by cell, in the second.
fn workbook(csv: &str) -> Vec<u8> {
    use std::io::Write as _;
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const LINKS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
    let mut rows = String::new();
    for line in csv.lines() {
        let cell = |text: &str| match text.parse::<f64>() {
            Ok(_) => format!("<c><v>{text}</v></c>"),
            Err(_) => format!("<c t=\"inlineStr\"><is><t>{text}</t></is></c>"),
        };
        let cells: String = line.split(',').map(cell).collect();
        rows += &format!("<row>{cells}</row>");
    }
    let sheet = |rows: &str| {
        format!("<worksheet xmlns=\"{MAIN}\"><sheetData>{rows}</sheetData></worksheet>")
    };
    let link = |n: u8| {
        format!(
            "<Relationship Id=\"r{n}\" Type=\"{LINKS}/worksheet\" Target=\"worksheets/s{n}.xml\"/>"
        )
    };
    let entries = [
        (
            "_rels/.rels",
            format!(
                "<Relationships xmlns=\"{PACKAGE}\"><Relationship Id=\"r1\" \
                 Type=\"{LINKS}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
            ),
        ),
        (
            "xl/workbook.xml",
            format!(
                "<workbook xmlns=\"{MAIN}\" xmlns:r=\"{LINKS}\"><sheets><sheet name=\"Notes\" \
                 sheetId=\"1\" r:id=\"r1\"/><sheet name=\"Data\" sheetId=\"2\" r:id=\"r2\"/>\
                 </sheets></workbook>"
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            format!(
                "<Relationships xmlns=\"{PACKAGE}\">{}{}</Relationships>",
                link(1),
                link(2)
            ),
        ),
        (
            "xl/worksheets/s1.xml",
            sheet("<row><c t=\"inlineStr\"><is><t>note</t></is></c></row>"),
        ),
        ("xl/worksheets/s2.xml", sheet(&rows)),
    ];
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in entries {
        zip.start_file(name, zip::write::SimpleFileOptions::default())
            .unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A database with the table and an empty one beside it.
#[cfg(feature = "sqlite")]
fn database(path: &std::path::Path, text: &str) {
    let made = rusqlite::Connection::open(path).unwrap();
    made.execute_batch(
        "CREATE TABLE data (name TEXT, a REAL, b REAL, y TEXT); CREATE TABLE notes (t TEXT);",
    )
    .unwrap();
    for line in text.lines().skip(1) {
        let cells: Vec<Option<&str>> = line
            .split(',')
            .map(|cell| Some(cell).filter(|cell| !cell.is_empty()))
            .collect();
        let [name, a, b, y] = cells[..] else {
            panic!("{line}");
        };
        made.execute("INSERT INTO data VALUES (?1, ?2, ?3, ?4)", [name, a, b, y])
            .unwrap();
    }
}

#[cfg(feature = "sqlite")]
#[test]
fn a_table_of_a_database_is_learned_from_like_a_csv_file() {
    let text = crate::run::clusters();
    let room = Room::with("data.csv", &text);
    database(&room.path("data.sqlite"), &text);
    let answers = |name: &str| {
        room.run(&format!("label {name} --label y -f -o out.csv"))
            .fine(&[]);
        column(&room.read("out.csv"), "iso_label")
    };
    let expected = answers("data.csv");
    assert_eq!(answers("data.sqlite --table data"), expected);
    assert_eq!(answers("data.sqlite --sheet data"), expected);
    room.file("other.bin", room.bytes("data.sqlite"));
    assert_eq!(answers("other.bin --format sqlite --table data"), expected);
    assert_eq!(answers("other.bin --table data"), expected);
    let said = std::process::Command::new(env!("CARGO_BIN_EXE_isotherm"))
        .args([
            "label", "-", "--table", "data", "--label", "y", "-f", "-o", "out.csv",
        ])
        .stdin(std::fs::File::open(room.path("data.sqlite")).unwrap())
        .current_dir(room.path(""))
        .output()
        .unwrap();
    assert!(said.status.success(), "{said:?}");
    assert_eq!(column(&room.read("out.csv"), "iso_label"), expected);
    room.refuses(
        "label data.sqlite --label y -o out2.csv",
        1,
        &[
            "the database has several tables: \"data\", \"notes\"",
            "choose one of them with --table",
        ],
    );
    room.refuses(
        "fit data.sqlite --table data --label y --stream -o n.iso",
        1,
        &["tables of databases are not read in parts"],
    );
    room.refuses(
        "label data.csv --label y -o out.db",
        1,
        &["databases are not written"],
    );
    room.file("wrong.csv", room.bytes("data.sqlite"));
    room.refuses(
        "label wrong.csv --label y -o out2.csv",
        1,
        &["the file is an SQLite database, not text"],
    );
}

#[test]
fn a_sheet_of_a_workbook_is_learned_from_like_a_csv_file() {
    let text = crate::run::clusters();
    let room = Room::with("data.csv", &text);
    room.file("data.xlsx", workbook(&text));
    let answers = |name: &str, flags: &str| {
        room.run(&format!("label {name} {flags} --label y -f -o out.csv"))
            .fine(&[]);
        column(&room.read("out.csv"), "iso_label")
    };
    let expected = answers("data.csv", "");
    assert_eq!(answers("data.xlsx", "--sheet Data"), expected);
    room.run("check data.xlsx --sheet Data --label y").fine(&[]);
    room.run("fit data.xlsx --sheet Data --label y -o m.iso")
        .fine(&[]);
    let predicted = |name: &str| {
        room.run(&format!("predict m.iso {name} -f -o p.csv"))
            .fine(&[]);
        column(&room.read("p.csv"), "iso_label")
    };
    assert_eq!(predicted("data.xlsx --sheet Data"), predicted("data.csv"));
    room.refuses(
        "label data.xlsx --sheet Dta --label y -o out2.csv",
        1,
        &["there are \"Notes\", \"Data\"", "did you mean \"Data\"?"],
    );
    room.refuses(
        "label data.csv --sheet Data --label y -o out2.csv",
        2,
        &["--sheet means nothing to an input that is no workbook and no database"],
    );
    room.refuses(
        "fit data.xlsx --sheet Data --label y --stream -o n.iso",
        1,
        &["sheets of workbooks are not read in parts"],
    );
    room.refuses(
        "label data.csv --label y -o out.xlsx",
        1,
        &[".xlsx files are not written"],
    );
}
