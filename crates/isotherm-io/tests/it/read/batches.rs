//! Tables in parts against the same tables whole.

use std::num::NonZeroUsize;

use isotherm::data::RowStream;
use isotherm::monitor::Quiet;
use isotherm_io::{
    Batches, Cells, Column, Destination, Error, Features, Format, ListCells, Nullable, Origin,
    Overwrite, ReadOptions, Source, Table, read_table, write_parts,
};

use crate::support::Room;

/// Rows `from..to` of a table with numbers, gaps and texts.
fn part(from: usize, to: usize) -> Table {
    let floats: Nullable<f64> = (from..to).map(|i| Some(i as f64 / 3.0)).collect();
    let whole: Nullable<i64> = (from..to)
        .map(|i| (i % 7 != 0).then_some(i as i64))
        .collect();
    let texts: Vec<String> = (from..to).map(|i| format!("{}", i % 3)).collect();
    let column = |name: &str, cells| Column {
        name: name.into(),
        cells,
    };
    Table::new(
        vec![
            column("x", Cells::Float(floats)),
            column("n", Cells::Integer(whole)),
            column("t", texts.iter().map(|t| Some(t.as_str())).collect()),
            column(
                "z",
                Cells::Float((from..to).map(|i| Some(-(i as f64))).collect()),
            ),
        ],
        Origin::new("made", Format::Parquet),
    )
    .unwrap()
}

/// A Parquet file of 25 rows in row groups of 10, 10 and 5.
fn file(room: &Room, name: &str) -> Source {
    let path = room.path(name);
    let mut parts = [part(0, 10), part(10, 20), part(20, 25)].into_iter();
    let next = || -> Result<Option<Table>, Error> { Ok(parts.next()) };
    write_parts(&Destination::from(&path), Overwrite::Refuse, next).unwrap();
    Source::from(path)
}

fn open(source: &Source, rows: usize) -> Batches {
    let batches = Batches::open(source, &ReadOptions::default(), &mut Quiet).unwrap();
    batches.in_parts_of(NonZeroUsize::new(rows).unwrap())
}

fn texts(table: &Table) -> Vec<Vec<Option<String>>> {
    let names = table.names();
    names.iter().map(|n| table.labels(n).unwrap()).collect()
}

#[test]
fn parts_are_the_whole() {
    let room = Room::new();
    for name in [
        "a.parquet",
        "a.arrow",
        "a.arrows",
        "a.csv",
        "a.tsv",
        "a.csv.gz",
        "a.csv.zst",
    ] {
        let source = file(&room, name);
        let whole = read_table(&source, &ReadOptions::default(), &mut Quiet).unwrap();
        if !name.contains("sv") {
            assert_eq!(texts(&whole), texts(&part(0, 25)), "{name}");
        }
        for rows in [1, 3, 7, 10, 25, 1000] {
            let mut batches = open(&source, rows);
            assert_eq!(batches.header().rows(), 0);
            assert_eq!(batches.header().names(), whole.names());
            for chosen in [vec![], vec!["z".to_owned(), "t".to_owned()]] {
                if !chosen.is_empty() {
                    batches.choose(&chosen).unwrap();
                }
                // Twice: a rewound file is read from its start.
                for _ in 0..2 {
                    let mut read: Vec<Vec<Option<String>>> = Vec::new();
                    let mut names = Vec::new();
                    let mut before = 0;
                    while let Some(part) = batches.next_part(&mut Quiet).unwrap() {
                        assert!(part.rows() <= rows);
                        for row in 0..part.rows() {
                            let (here, there) = (part.origin(), whole.origin());
                            assert_eq!(here.place(row), there.place(before + row), "{name}");
                        }
                        before += part.rows();
                        names = part.names();
                        read.resize(names.len(), Vec::new());
                        for (all, here) in read.iter_mut().zip(texts(&part)) {
                            all.extend(here);
                        }
                    }
                    let expected: Vec<_> = names.iter().map(|n| whole.labels(n).unwrap()).collect();
                    assert_eq!(read, expected, "{name}: {rows} rows at a time");
                    assert_eq!(names.len(), if chosen.is_empty() { 4 } else { 2 });
                    assert_eq!(batches.rows(), Some(25), "{name}");
                    let (all, done) = batches.extent();
                    assert_eq!(all, Some(done), "{name}");
                    batches.rewind().unwrap();
                }
            }
            let column = batches.whole_column("n", &mut Quiet).unwrap();
            assert_eq!(column.labels("n").unwrap(), whole.labels("n").unwrap());
            assert_eq!(column.origin().place(24), whole.origin().place(24));
            let again = batches.next_part(&mut Quiet).unwrap().unwrap();
            assert_eq!(again.names(), whole.names());
        }
    }
}

#[test]
fn text_of_several_blocks_is_the_whole_in_any_parts() {
    let room = Room::new();
    let path = room.path("long.csv");
    // Some 40 MB: quoted line breaks and blank lines move lines against rows.
    let mut text = String::from("n,words\n");
    for i in 0..900_000 {
        text.push_str(&match i % 1000 {
            0 => format!("{i},\"two\nlines, and {i}\"\n"),
            1 => format!("\n{i},after a blank line\n"),
            _ => format!("{i},as many letters as it takes to be {i}\n"),
        });
    }
    std::fs::write(&path, text).unwrap();
    let source = Source::from(path);
    let options = ReadOptions::default();
    let whole = read_table(&source, &options, &mut Quiet).unwrap();
    let words = whole.labels("words").unwrap();
    for rows in [None, Some(100_000), Some(333_333)] {
        let mut batches = Batches::open(&source, &options, &mut Quiet).unwrap();
        if let Some(rows) = rows.and_then(NonZeroUsize::new) {
            batches = batches.in_parts_of(rows);
        }
        let mut at = 0;
        while let Some(part) = batches.next_part(&mut Quiet).unwrap() {
            let here = part.labels("words").unwrap();
            assert_eq!(here, words[at..at + here.len()]);
            for row in (0..part.rows()).step_by(499) {
                assert_eq!(
                    part.origin().place(row),
                    whole.origin().place(at + row),
                    "row {}",
                    at + row
                );
            }
            at += part.rows();
        }
        assert_eq!(at, 900_000);
    }
}

#[test]
fn text_in_parts_is_refused_as_the_whole_is() {
    let room = Room::new();
    let mut lines: Vec<String> = (0..200).map(|i| format!("{i};{},5", i % 7)).collect();
    lines.insert(0, "n;x".into());
    let source = |name: &str, lines: &[String]| {
        std::fs::write(room.path(name), lines.join("\n")).unwrap();
        Source::from(room.path(name))
    };
    let good = source("good.csv", &lines);
    let mut rows = open(&good, 30).into_rows(&Features::numeric()).unwrap();
    let first = rows.next(&mut Quiet).unwrap().unwrap();
    assert_eq!(*first.row(3), [3.0, 3.5]);
    lines[150] = "149;seven".into();
    let word = source("word.csv", &lines);
    let whole = read_table(&word, &ReadOptions::default(), &mut Quiet).unwrap();
    let expected = whole.features(&Features::numeric()).unwrap_err();
    let mut rows = open(&word, 30).into_rows(&Features::numeric()).unwrap();
    let refused = loop {
        match rows.next(&mut Quiet) {
            Ok(part) => assert!(part.is_some()),
            Err(e) => break e,
        }
    };
    assert_eq!(refused.to_string(), expected.to_string());
    assert!(refused.to_string().contains("line 151"), "{refused}");
    lines[150] = "149;1;2".into();
    let ragged = source("ragged.csv", &lines);
    let expected = read_table(&ragged, &ReadOptions::default(), &mut Quiet).unwrap_err();
    let refused = Batches::open(&ragged, &ReadOptions::default(), &mut Quiet).unwrap_err();
    assert_eq!(refused.to_string(), expected.to_string());
    for (name, text) in [("empty.csv", ""), ("header.csv", "a,b\n")] {
        let path = room.path(name);
        std::fs::write(&path, text).unwrap();
        let source = Source::from(path);
        let expected = read_table(&source, &ReadOptions::default(), &mut Quiet).unwrap_err();
        let refused = Batches::open(&source, &ReadOptions::default(), &mut Quiet).unwrap_err();
        assert_eq!(refused.to_string(), expected.to_string());
    }
}

#[test]
fn files_of_text_in_parts_share_their_decimal_mark() {
    let room = Room::new();
    let write = |name: &str, text: &str| {
        std::fs::write(room.path(name), text).unwrap();
        Source::from(room.path(name))
    };
    // The second file alone would be read with a point.
    let sources = [
        write("a.csv", "x;y\n1,5;2\n2,5;3\n"),
        write("b.csv", "y;x\n4;3\n5;\"4\"\n"),
    ];
    let options = ReadOptions::default();
    let batches = Batches::open_all(&sources, &options, &mut Quiet).unwrap();
    let mut rows = batches.into_rows(&Features::named(["x", "y"])).unwrap();
    let mut found = Vec::new();
    while let Some(part) = rows.next(&mut Quiet).unwrap() {
        found.extend((0..part.len()).map(|i| part.row(i).to_vec()));
    }
    assert_eq!(found, [[1.5, 2.0], [2.5, 3.0], [3.0, 4.0], [4.0, 5.0]]);
    let other = Table::new(
        vec![
            Column {
                name: "x".into(),
                cells: vec![1.0].into(),
            },
            Column {
                name: "y".into(),
                cells: vec![1_i64].into(),
            },
        ],
        Origin::new("made", Format::Parquet),
    );
    let to = Destination::from(room.path("e.parquet"));
    let other = other.unwrap();
    isotherm_io::write_table(&other, &to, None, Overwrite::Refuse, &mut Quiet).unwrap();
    let mixed = [sources[0].clone(), Source::from(room.path("e.parquet"))];
    let refused = Batches::open_all(&mixed, &options, &mut Quiet).unwrap_err();
    assert_eq!(refused.code(), "not-in-parts");
    let message = refused.to_string();
    assert!(
        message.contains("column \"x\" holds floats here and texts in"),
        "{message}"
    );
    let point = write("c.csv", "x;y\n1.5;2\n2.25;3\n");
    let refused = Batches::open_all(&[sources[0].clone(), point], &options, &mut Quiet);
    let message = refused.unwrap_err().to_string();
    assert!(message.contains("numbers have a"), "{message}");
}

#[test]
fn rows_stream_as_points_and_a_gap_is_filled() {
    let room = Room::new();
    let source = file(&room, "a.parquet");
    let choice = Features::named(["z", "x"]);
    let mut rows = open(&source, 4).into_rows(&choice).unwrap();
    assert_eq!(
        (rows.dim(), rows.names()),
        (2, &["z".to_owned(), "x".to_owned()][..])
    );
    for _ in 0..2 {
        rows.rewind().unwrap();
        let mut at = 0;
        while let Some(part) = rows.next(&mut Quiet).unwrap() {
            for i in 0..part.len() {
                assert_eq!(*part.row(i), [-(at as f64), at as f64 / 3.0]);
                at += 1;
            }
        }
        assert_eq!(at, 25);
    }
    // A missing number is filled as it is in a table that is read whole.
    let whole = read_table(&source, &ReadOptions::default(), &mut Quiet).unwrap();
    let plan = Features::named(["n"]).plan(&whole).unwrap();
    let (expected, _) = plan.points(&whole).unwrap();
    let mut rows = open(&source, 6).into_rows(&Features::named(["n"])).unwrap();
    assert_eq!(
        (rows.names(), rows.encoding()),
        (plan.names(), plan.encoding())
    );
    let mut at = 0;
    while let Some(part) = rows.next(&mut Quiet).unwrap() {
        for i in 0..part.len() {
            assert_eq!(part.row(i), expected.row(at));
            at += 1;
        }
    }
    assert_eq!(at, 25);
}

#[test]
fn an_array_streams_too() {
    let room = Room::new();
    let path = room.path("a.npy");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    let mut header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (11, 3), }".to_vec();
    header.resize(117, b' ');
    header.push(b'\n');
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(&header);
    for k in 0..33 {
        bytes.extend((k as f32).to_le_bytes());
    }
    std::fs::write(&path, &bytes).unwrap();
    let source = Source::from(path.clone());
    let choice = Features::numeric().except("x1");
    let mut rows = open(&source, 4).into_rows(&choice).unwrap();
    for _ in 0..2 {
        rows.rewind().unwrap();
        let mut at = 0;
        while let Some(part) = rows.next(&mut Quiet).unwrap() {
            for i in 0..part.len() {
                assert_eq!(*part.row(i), [3.0 * at as f64, 3.0 * at as f64 + 2.0]);
                at += 1;
            }
        }
        assert_eq!(at, 11);
    }
    // Column by column there are no rows to read.
    let text = String::from_utf8_lossy(&bytes[..128]).replace("False", "True ");
    assert_eq!(text.len(), String::from_utf8_lossy(&bytes[..128]).len());
    let place = bytes.windows(5).position(|w| w == b"False").unwrap();
    bytes[place..place + 5].copy_from_slice(b"True ");
    std::fs::write(&path, &bytes).unwrap();
    let refused = Batches::open(&source, &ReadOptions::default(), &mut Quiet);
    let message = refused.unwrap_err().to_string();
    assert!(message.contains("column by column"), "{message}");
}

#[test]
fn lists_and_words_stream_as_the_features_of_the_whole_table() {
    let room = Room::new();
    let path = room.path("a.parquet");
    let rows = 50;
    let entries: Vec<f64> = (0..2 * rows).map(f64::from).collect();
    let lists: ListCells = entries.chunks(2).map(Some).collect();
    let words = ["red", "blue", "green"];
    let columns = vec![
        Column {
            name: "emb".into(),
            cells: lists.into(),
        },
        Column {
            name: "colour".into(),
            cells: (0..rows as usize)
                .map(|i| (i % 5 > 0).then_some(words[i % 3]))
                .collect(),
        },
        Column {
            name: "code".into(),
            cells: (0..i64::from(rows))
                .map(|i| i % 2)
                .collect::<Vec<_>>()
                .into(),
        },
    ];
    let data = Table::new(columns, Origin::new("memory", Format::Csv)).unwrap();
    let to = Destination::from(&path);
    isotherm_io::write_table(&data, &to, None, Overwrite::Refuse, &mut Quiet).unwrap();
    let choice = Features::automatic().categorical("code");
    let (names, whole) = data.features(&choice).unwrap();
    let expected = [
        "emb[0]",
        "emb[1]",
        "colour=blue",
        "colour=green",
        "colour=red",
        "code=0",
        "code=1",
    ];
    assert_eq!(names, expected);
    let mut stream = open(&Source::from(path), 7).into_rows(&choice).unwrap();
    assert_eq!(stream.names(), expected);
    for _ in 0..2 {
        stream.rewind().unwrap();
        let mut at = 0;
        while let Some(part) = stream.next(&mut Quiet).unwrap() {
            for i in 0..part.len() {
                assert_eq!(part.row(i), whole.row(at), "row {at}");
                at += 1;
            }
        }
        assert_eq!(at, whole.len());
    }
}

#[test]
fn json_lines_are_not_read_in_parts() {
    let room = Room::new();
    let path = room.path("a.jsonl");
    std::fs::write(&path, "{\"a\": 1}\n").unwrap();
    let refused = Batches::open(&Source::from(path), &ReadOptions::default(), &mut Quiet);
    let message = refused.unwrap_err().to_string();
    assert!(
        message.contains("JSON lines are not read in parts"),
        "{message}"
    );
}

#[test]
fn parts_are_written_as_one_table_or_not_at_all() {
    let room = Room::new();
    for name in ["b.csv", "b.tsv", "b.parquet", "b.arrow", "b.arrows"] {
        let source = file(&room, name);
        let back = read_table(&source, &ReadOptions::default(), &mut Quiet).unwrap();
        let made = part(0, 25);
        assert_eq!(back.names(), ["x", "n", "t", "z"]);
        for column in ["x", "z"] {
            assert_eq!(back.numeric(column).unwrap(), made.numeric(column).unwrap());
        }
        for column in ["n", "t"] {
            assert_eq!(back.labels(column).unwrap(), made.labels(column).unwrap());
        }
    }
    let path = room.path("b.jsonl");
    let mut parts = [part(0, 2), part(2, 3)].into_iter();
    let next = || -> Result<Option<Table>, Error> { Ok(parts.next()) };
    write_parts(&Destination::from(&path), Overwrite::Refuse, next).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 3);
    let line: serde_json::Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    assert_eq!(line["n"], 1);
    assert_eq!(line["t"], "1", "a text stays a text");
    let path = room.path("c.parquet");
    let mut count = 0;
    let failing = || -> Result<Option<Table>, Error> {
        count += 1;
        match count {
            1 => Ok(Some(part(0, 4))),
            _ => Err(Error::Core(isotherm::Error::data("no more", "stop"))),
        }
    };
    let failed = write_parts(&Destination::from(&path), Overwrite::Refuse, failing);
    assert!(failed.unwrap_err().to_string().contains("no more"));
    assert!(!path.exists());
    let nothing = || -> Result<Option<Table>, Error> { Ok(None) };
    assert!(write_parts(&Destination::from(&path), Overwrite::Refuse, nothing).is_err());
    assert!(!path.exists());
}

/// A file of rows with one list of this many numbers each.
fn of_lists(room: &Room, rows: usize, numbers: usize) -> Source {
    let items = vec![0.5; numbers];
    let lists: ListCells = (0..rows).map(|_| Some(items.as_slice())).collect();
    let column = Column {
        name: "e".into(),
        cells: Cells::List(lists),
    };
    let table = Table::new(vec![column], Origin::new("made", Format::Arrow)).unwrap();
    let path = room.path(&format!("{numbers}.parquet"));
    let mut parts = [table].into_iter();
    let next = || -> Result<Option<Table>, Error> { Ok(parts.next()) };
    write_parts(&Destination::from(&path), Overwrite::Refuse, next).unwrap();
    Source::from(path)
}

#[test]
fn a_part_is_about_32_megabytes_however_long_its_lists_are() {
    let room = Room::new();
    for (rows, numbers) in [(1_200, 4_096), (300, 40_000)] {
        let source = of_lists(&room, rows, numbers);
        let mut parts = Batches::open(&source, &ReadOptions::default(), &mut Quiet).unwrap();
        let mut passes = Vec::new();
        for _ in 0..2 {
            let mut sizes = Vec::new();
            while let Some(part) = parts.next_part(&mut Quiet).unwrap() {
                sizes.push(part.rows());
            }
            parts.rewind().unwrap();
            passes.push(sizes);
        }
        // Nothing is known of the first; the others are as large as may be.
        let most = (32 << 20) / (8 * (numbers + 1));
        assert_eq!(passes[0][..2], [64, most]);
        assert!(passes[0].iter().all(|n| *n <= most), "{passes:?}");
        assert_eq!(passes[0].iter().sum::<usize>(), rows);
        assert_eq!(passes[0], passes[1]);
    }
}
