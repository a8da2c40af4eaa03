//! Where tables come from: compressed, encoded, in several files, from a pipe.

use std::io::Write as _;

use crate::run::{Room, clusters, column};

fn gzip(text: &str) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(text.as_bytes()).unwrap();
    out.finish().unwrap()
}

fn utf16(text: &str) -> Vec<u8> {
    let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

/// The clusters as one file, as two parts, and what `label` makes of the one.
fn room() -> Room {
    let room = Room::with("data.csv", clusters());
    let rows: Vec<&str> = clusters_lines();
    let part = |rows: &[&str]| format!("name,a,b,y\n{}\n", rows.join("\n"));
    room.file("part-1.csv", part(&rows[..25]));
    room.file("part-2.csv", part(&rows[25..]));
    room.run("label data.csv --label y -o whole.csv").fine(&[]);
    room
}

fn clusters_lines() -> Vec<&'static str> {
    let text: &'static str = Box::leak(clusters().into_boxed_str());
    text.lines().skip(1).collect()
}

#[test]
fn compressed_and_encoded_tables_give_the_same_answer() {
    let room = room();
    room.file("data.csv.gz", gzip(&clusters()));
    let packed = zstd::encode_all(clusters().as_bytes(), 1).unwrap();
    room.file("data.csv.zst", packed);
    room.file("wide.csv", utf16(&clusters()));
    for name in ["data.csv.gz", "data.csv.zst", "wide.csv"] {
        room.run(&format!("label {name} --label y -f -o out.csv"))
            .fine(&["read 40 rows: comma, header, UTF-"]);
        assert_eq!(room.bytes("out.csv"), room.bytes("whole.csv"), "{name}");
    }
    let latin = clusters().replace("near", "caf\u{e9}");
    let bytes: Vec<u8> = latin.chars().map(|c| c as u8).collect();
    room.file("latin.csv", bytes);
    room.refuses(
        "label latin.csv --label y -o other.csv",
        1,
        &[
            "latin.csv line 2: the text is not UTF-8 (byte 0xE9)",
            "help: pass --encoding latin1",
        ],
    );
    room.run("label latin.csv --label y --encoding latin1 -o other.csv")
        .fine(&["comma, header, windows-1252, decimal point"]);
    assert_eq!(column(&room.read("other.csv"), "iso_label")[0], "café");
    room.refuses(
        "label latin.csv --label y --encoding klingon -o none.csv",
        2,
        &["klingon", "no such encoding"],
    );
}

#[test]
fn a_truncated_file_is_refused_and_nothing_is_written() {
    let whole = gzip(&clusters());
    let room = Room::with("data.csv.gz", &whole[..whole.len() - 9]);
    room.refuses(
        "label data.csv.gz --label y -o out.csv",
        1,
        &["data.csv.gz: the gzip stream ends too early", "help: "],
    );
}

#[test]
fn files_patterns_and_directories_are_one_table_for_every_command() {
    let room = room();
    let parts = "part-1.csv part-2.csv";
    room.run(&format!("label {parts} --label y -o named.csv"))
        .fine(&["read 40 rows from 2 files: comma, header"]);
    assert_eq!(room.bytes("named.csv"), room.bytes("whole.csv"));
    // The shell does not see the pattern.
    room.words(&["label", "part-*.csv", "--label", "y", "-o", "globbed.csv"])
        .fine(&["from 2 files"]);
    assert_eq!(room.bytes("globbed.csv"), room.bytes("whole.csv"));
    std::fs::create_dir(room.path("parts")).unwrap();
    for name in ["part-1.csv", "part-2.csv"] {
        std::fs::copy(room.path(name), room.path("parts").join(name)).unwrap();
    }
    room.run("label parts --label y -o inside.csv")
        .fine(&["from 2 files"]);
    assert_eq!(room.bytes("inside.csv"), room.bytes("whole.csv"));
    room.run(&format!("fit {parts} --label y -o model"))
        .fine(&[]);
    room.run("fit data.csv --label y -o other").fine(&[]);
    room.run(&format!("predict model {parts} -o a.csv"))
        .fine(&[]);
    room.run("predict other data.csv -o b.csv").fine(&[]);
    assert_eq!(room.bytes("a.csv"), room.bytes("b.csv"));
    room.run(&format!("embed {parts} --exclude y -o e.csv"))
        .fine(&["from 2 files"]);
    let next = |data: &str| {
        let said = room.run(&format!("next {data} --label y --json"));
        said.fine(&[]).json()["rows"].clone()
    };
    assert_eq!(next(parts)[0]["row"], next("data.csv")[0]["row"]);
    room.run(&format!("evaluate {parts} --label y"))
        .fine(&["from 2 files"]);
}

#[test]
fn parts_that_do_not_fit_are_refused_by_file_line_and_column() {
    let room = room();
    room.file("short.csv", "name,a,y\nr,1,near\n");
    room.refuses(
        "label part-1.csv short.csv --label y -o out.csv",
        1,
        &["error: short.csv: there is no column \"b\", which part-1.csv has\n"],
    );
    room.file("bad.csv", "name,a,b,y\nr1,1,2,\nr2,x,3,\n");
    room.refuses(
        "label part-1.csv bad.csv --label y -o out.csv",
        1,
        &["error: bad.csv line 3, column \"a\": \"x\" is not a number\n"],
    );
    room.refuses(
        "label part-1.csv part-1.csv --label y -o out.csv",
        1,
        &["part-1.csv: the file is given twice"],
    );
    let nothing = room.words(&["label", "none-*.csv", "--label", "y", "-o", "out.csv"]);
    assert_eq!(nothing.code, 1);
    nothing.says(&["cannot open none-*.csv: no file matches the pattern"]);
}

#[test]
fn several_parquet_files_are_streamed_as_one() {
    let room = room();
    for n in [1, 2] {
        room.run(&format!(
            "embed part-{n}.csv --features a,b --dimensions 1 -o p{n}.parquet"
        ))
        .fine(&[]);
    }
    let how = "--label y --method laplacian --features a,b --bandwidth 1 --strength 0.01";
    room.run(&format!(
        "fit p1.parquet p2.parquet {how} --stream -o streamed"
    ))
    .fine(&["40 rows in 2 files, 5 columns, read in parts"]);
    room.run(&format!("fit p1.parquet p2.parquet {how} -o whole"))
        .fine(&[]);
    for (model, stream, out) in [("streamed", "--stream", "s.csv"), ("whole", "", "w.csv")] {
        room.run(&format!(
            "predict {model} p1.parquet p2.parquet {stream} -o {out}"
        ))
        .fine(&["labelled 40 of 40 rows"]);
    }
    let answers = |name| column(&room.read(name), "iso_label");
    assert_eq!(answers("s.csv"), answers("w.csv"));
    assert_eq!(
        column(&room.read("s.csv"), "name"),
        column(&room.read("data.csv"), "name")
    );
}

#[test]
fn standard_input_is_read_in_every_format() {
    let room = room();
    room.file("data.csv.gz", gzip(&clusters()));
    room.run("embed data.csv --features a,b --dimensions 1 -o e.parquet")
        .fine(&[]);
    let label = |file: &str| {
        let line = format!("$isotherm label - --label y --features a,b -f -o out.csv < {file}");
        room.shell(&line).fine(&["read 40 rows"]);
        column(&room.read("out.csv"), "iso_label")
    };
    let expected = label("data.csv");
    assert_eq!(label("data.csv.gz"), expected);
    assert_eq!(label("e.parquet"), expected);
    let model = "--label y --method laplacian --features a,b --bandwidth 1 --strength 0.01";
    room.shell(&format!(
        "$isotherm fit - {model} --stream -o m < e.parquet"
    ))
    .fine(&["40 rows, 5 columns, read in parts"]);
    // A numpy array, and an archive of them.
    let mut npy = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 2), }";
    npy.extend(format!("{header:<117}\n").bytes());
    npy.extend((0..8).flat_map(|v| f64::from(v).to_le_bytes()));
    room.file("rows.npy", &npy);
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive
        .start_file("X.npy", zip::write::SimpleFileOptions::default())
        .unwrap();
    archive.write_all(&npy).unwrap();
    room.file("rows.npz", archive.finish().unwrap().into_inner());
    let embed = |from: &str| {
        let said = room.shell(&format!("$isotherm embed - --dimensions 1 -o - < {from}"));
        said.fine(&["read 4 rows, 2 columns"]).out
    };
    assert_eq!(embed("rows.npy"), embed("rows.npz"));
    let cut = room.shell("head -c 300 e.parquet | $isotherm label - --label y -o cut.csv");
    assert_eq!(cut.code, 1);
    cut.says(&["error: standard input: "]);
}

#[test]
fn a_graph_in_parquet_or_compressed_comes_from_a_pipe_too() {
    let room = Room::with("nodes.csv", "id,y\na,u\nb,\nc,v\nd,\n");
    room.file("edges.txt.gz", gzip("a b\nc d\n"));
    room.run("label nodes.csv --label y --graph edges.txt.gz -o file.csv")
        .fine(&["graph: 4 nodes, 2 edges"]);
    room.shell("$isotherm label nodes.csv --label y --graph - -o pipe.csv < edges.txt.gz")
        .fine(&[]);
    assert_eq!(room.bytes("file.csv"), room.bytes("pipe.csv"));
}
