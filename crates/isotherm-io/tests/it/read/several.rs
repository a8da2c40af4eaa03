//! One table in several files.

use std::path::PathBuf;

use isotherm::monitor::Quiet;
use isotherm_io::{
    Batches, Destination, Error, Features, Overwrite, Place, ReadOptions, Result, Source, Table,
    read_tables, sources, write_table,
};

use crate::support::{Room, cells, column, csv, hint, message, refusal, table};

fn read_all(paths: &[PathBuf]) -> Result<Table> {
    let sources = sources(paths)?;
    read_tables(&sources, &ReadOptions::default(), &mut Quiet)
}

fn names(room: &Room, paths: &[PathBuf]) -> Vec<String> {
    let directory = room.path("");
    let found = sources(paths).unwrap();
    let name = |s: &Source| {
        let path = s.path().strip_prefix(&directory).unwrap();
        path.display().to_string()
    };
    found.iter().map(name).collect()
}

fn parquet(room: &Room, name: &str, of: &Table) -> PathBuf {
    let path = room.path(name);
    let to = Destination::from(&path);
    write_table(of, &to, None, Overwrite::Refuse, &mut Quiet).unwrap();
    path
}

#[test]
fn files_are_one_table_in_the_order_given_and_columns_go_by_name() {
    let room = Room::new();
    let a = room.file("a.csv", "x,y\n1,a\n2,b\n");
    let b = room.file("b.tsv", "y\tx\nc\t3\n");
    let both = read_all(&[b.clone(), a.clone()]).unwrap();
    assert_eq!(both.names(), ["y", "x"]);
    assert_eq!(both.numeric("x").unwrap(), [3.0, 1.0, 2.0]);
    let origin = both.origin();
    assert_eq!(
        (origin.file(0), origin.place(0)),
        (b.as_path(), Place::Line(2))
    );
    assert_eq!(
        (origin.file(2), origin.place(2)),
        (a.as_path(), Place::Line(3))
    );
}

#[test]
fn the_parts_of_a_table_are_the_table() {
    let room = Room::new();
    let rows: Vec<String> = (0..90).map(|n| format!("{n}.5,t{n}\n")).collect();
    let whole = csv(format!("x,t\n{}", rows.concat())).unwrap();
    let parts: Vec<PathBuf> = (0..3)
        .map(|k| {
            let text = format!("x,t\n{}", rows[30 * k..30 * (k + 1)].concat());
            room.file(&format!("part-{k}.csv"), text)
        })
        .collect();
    let put_together = read_all(&parts).unwrap();
    assert_eq!(put_together.columns(), whole.columns());
    let pattern = read_all(&[room.path("part-*.csv")]).unwrap();
    assert_eq!(pattern, put_together);
}

#[test]
fn patterns_and_directories_are_sorted_and_hidden_files_are_no_parts() {
    let room = Room::new();
    std::fs::create_dir(room.path("parts")).unwrap();
    for name in [
        "parts/b.csv",
        "parts/a.csv",
        "parts/_SUCCESS",
        "parts/.a.csv.crc",
        "c.csv",
    ] {
        room.file(name, "x\n1\n");
    }
    assert_eq!(
        names(&room, &[room.path("parts")]),
        ["parts/a.csv", "parts/b.csv"]
    );
    assert_eq!(
        names(&room, &[room.path("*/[ab].csv")]),
        ["parts/a.csv", "parts/b.csv"]
    );
    assert_eq!(
        names(&room, &[room.path("c.csv"), room.path("parts")]),
        ["c.csv", "parts/a.csv", "parts/b.csv"]
    );
    // A file that is named like a pattern is a file.
    room.file("odd[1].csv", "x\n1\n");
    assert_eq!(names(&room, &[room.path("odd[1].csv")]), ["odd[1].csv"]);
}

#[test]
fn what_names_no_parts_is_refused() {
    let room = Room::new();
    let none = message(sources(&[room.path("no-*.csv")]));
    assert_eq!(none, "cannot open no-*.csv: no file matches the pattern");
    std::fs::create_dir_all(room.path("empty/inner")).unwrap();
    assert_eq!(
        message(sources(&[room.path("empty")])),
        "inner: a directory of parts holds a directory"
    );
    std::fs::remove_dir(room.path("empty/inner")).unwrap();
    assert_eq!(
        message(sources(&[room.path("empty")])),
        "empty: the directory holds no tables"
    );
    room.file("empty/notes.md", "x");
    assert_eq!(
        message(sources(&[room.path("empty")])),
        "notes.md: the name does not tell the format"
    );
    let a = room.file("a.csv", "x\n1\n");
    let twice = [a.clone(), a];
    assert_eq!(message(sources(&twice)), "a.csv: the file is given twice");
}

#[test]
fn differing_columns_are_refused_with_file_and_column() {
    let room = Room::new();
    let a = room.file("a.csv", "x,y\n1,a\n");
    let fewer = room.file("b.csv", "x\n1\n");
    let more = room.file("c.csv", "x,y,z\n1,a,2\n");
    let said = |other: PathBuf| {
        let error = refusal(read_all(&[a.clone(), other]));
        let directory = format!("{}/", room.path("").display()).replace("//", "/");
        (error.to_string().replace(&directory, ""), error)
    };
    let (text, error) = said(fewer);
    assert_eq!(text, "b.csv: there is no column \"y\", which a.csv has");
    assert_eq!(
        (error.code(), error.column()),
        ("columns-differ", Some("y"))
    );
    let (text, _) = said(more);
    assert_eq!(text, "c.csv: there is a column \"z\", which a.csv has not");
}

#[test]
fn errors_name_the_file_and_line_of_the_part() {
    let room = Room::new();
    let a = room.file("a.csv", "x,y\n1,2\n2,3\n");
    let b = room.file("b.csv", "x,y\n1,2\n\noops,3\n");
    let table = read_all(&[a, b.clone()]).unwrap();
    let refused = refusal(table.numeric("x"));
    assert_eq!(refused.path(), Some(b.as_path()));
    assert_eq!(refused.place(), Some(Place::Line(4)));
}

#[test]
fn formats_may_differ_and_what_differs_in_type_becomes_text() {
    let room = Room::new();
    let a = room.file("a.csv", "x,n,t\n1.5,1,u\n");
    let b = parquet(
        &room,
        "b.parquet",
        &table(vec![
            column("t", vec![true]),
            column("n", vec![7_i64]),
            column("x", vec![0.1_f64]),
        ]),
    );
    let both = read_all(&[a.clone(), b.clone()]).unwrap();
    assert_eq!(both.numeric("x").unwrap(), [1.5, 0.1]);
    assert_eq!(both.numeric("n").unwrap(), [1.0, 7.0]);
    assert_eq!(
        cells(&both, "t"),
        [Some("u".into()), Some("true".to_owned())]
    );
    assert_eq!(both.origin().place(1), Place::Row(1));
    assert_eq!(both.origin().file(1), b);
    // The other way round: the text's decimal mark is used for the numbers.
    let comma = room.file("c.csv", "x;n;t\n2,5;1;u\n");
    let mixed = read_all(&[b, comma]).unwrap();
    assert_eq!(mixed.numeric("x").unwrap(), [0.1, 2.5]);
}

#[test]
fn decimal_marks_must_agree_where_they_are_seen() {
    let room = Room::new();
    let comma = room.file("a.csv", "x;y\n1,5;2\n");
    let whole = room.file("b.csv", "x;y\n1;2\n");
    let point = room.file("c.csv", "x;y\n1.5;2\n");
    let agreed = read_all(&[whole.clone(), comma.clone()]).unwrap();
    assert_eq!(agreed.numeric("x").unwrap(), [1.0, 1.5]);
    let refused = read_all(&[comma, whole, point]);
    assert!(hint_of(&refused).contains("--decimal"), "{refused:?}");
    assert!(
        message(refused)
            .starts_with("c.csv: numbers have a decimal point, but a decimal comma in ")
    );
}

fn hint_of(result: &Result<Table>) -> String {
    result.as_ref().unwrap_err().hint().unwrap_or_default()
}

#[test]
fn several_files_are_streamed_like_one() {
    let room = Room::new();
    let make = |from: i64, to: i64| {
        table(vec![
            column("n", (from..to).collect::<Vec<_>>()),
            column("x", (from..to).map(|v| v as f64 * 0.5).collect::<Vec<_>>()),
        ])
    };
    let swapped = table(vec![
        column("x", vec![100.0_f64, 100.5]),
        column("n", vec![200_i64, 201]),
    ]);
    let paths = [
        parquet(&room, "p0.parquet", &make(0, 150)),
        parquet(&room, "p1.parquet", &make(150, 200)),
        parquet(&room, "p2.parquet", &swapped),
    ];
    let found = sources(&[room.path("p*.parquet")]).unwrap();
    let options = ReadOptions::default();
    let whole = read_all(&paths).unwrap();
    let open = || Batches::open_all(&found, &options, &mut Quiet).unwrap();
    assert_eq!(open().rows(), Some(202));
    assert_eq!(open().header().origin().file(200), paths[2]);
    assert_eq!(open().header().origin().place(151), Place::Row(2));
    let mut rows = open()
        .in_parts_of(std::num::NonZeroUsize::new(40).unwrap())
        .into_rows(&Features::named(["x", "n"]))
        .unwrap();
    let (_, points) = whole.features(&Features::named(["x", "n"])).unwrap();
    use isotherm::data::RowStream as _;
    for _ in 0..2 {
        rows.rewind().unwrap();
        let mut at = 0;
        while let Some(part) = rows.next(&mut Quiet).unwrap() {
            for i in 0..part.len() {
                assert_eq!(part.row(i), points.row(at));
                at += 1;
            }
        }
        assert_eq!(at, 202);
    }
    let other = parquet(&room, "q.parquet", &table(vec![column("n", vec![1_i64])]));
    let sources = [found[0].clone(), Source::from(other)];
    let refused = Batches::open_all(&sources, &options, &mut Quiet);
    assert!(matches!(refused, Err(Error::Column { .. })));
    assert!(!hint(refused).is_empty());
}

#[test]
fn integers_here_and_floats_there_are_one_column_of_floats() {
    let room = Room::new();
    let whole = parquet(
        &room,
        "a.parquet",
        &table(vec![column("y", vec![1_i64, 2])]),
    );
    let floats = parquet(
        &room,
        "b.parquet",
        &table(vec![column("y", vec![1.0, 2.5])]),
    );
    for files in [[&whole, &floats], [&floats, &whole]] {
        let both = read_all(&files.map(Clone::clone)).unwrap();
        let mut labels: Vec<_> = both.labels("y").unwrap().into_iter().flatten().collect();
        labels.sort();
        assert_eq!(labels, ["1", "1", "2", "2.5"]);
    }
    // With texts, a number is spelled as a label is.
    let text = room.file("c.csv", "y\n1\ntea\n");
    let both = read_all(&[floats, text]).unwrap();
    let labels: Vec<_> = both.labels("y").unwrap().into_iter().flatten().collect();
    assert_eq!(labels, ["1", "2.5", "1", "tea"]);
    // What a float cannot hold is not rounded.
    let large = vec![column("y", vec![(1_i64 << 53) + 1])];
    let large = parquet(&room, "d.parquet", &table(large));
    let both = read_all(&[large, room.path("b.parquet")]).unwrap();
    assert_eq!(cells(&both, "y")[0], Some("9007199254740993".into()));
}

#[test]
fn a_file_without_rows_adds_none_unless_no_file_has_any() {
    let room = Room::new();
    let empty = room.file("a.csv", "x,y\n");
    let rows = parquet(
        &room,
        "b.parquet",
        &table(vec![column("x", vec![1.5]), column("y", vec![2_i64])]),
    );
    let both = read_all(&[empty.clone(), rows]).unwrap();
    assert_eq!(cells(&both, "x"), [Some("1.5".into())]);
    assert!(matches!(
        both.column("y").unwrap().cells,
        isotherm_io::Cells::Integer(_)
    ));
    let other = room.file("c.csv", "x,y\n");
    let said = message(read_all(&[empty, other]));
    assert_eq!(said, "a.csv has a header with 2 columns and no rows");
}

#[test]
fn what_a_run_left_beside_a_table_is_no_part_of_a_directory() {
    let room = Room::new();
    room.file("a.csv", "x\n1\n");
    room.file("a.csv.run.json", "{}");
    assert_eq!(names(&room, &[room.path("")]), ["a.csv"]);
}

#[test]
fn decimal_commas_of_several_files_become_numbers() {
    let room = Room::new();
    let a = room.file("a.csv", "x;y\n1,5;tea\n");
    let b = room.file("b.csv", "x;y\n2;milk\n");
    let both = read_all(&[a, b]).unwrap();
    assert_eq!(cells(&both, "x"), [Some("1.5".into()), Some("2.0".into())]);
}
