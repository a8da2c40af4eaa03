//! Tables out, and back in.

use std::ops::ControlFlow;

use isotherm::monitor::{Event, Quiet};
use isotherm_io::{
    Cells, Destination, Features, Format, ListCells, Nullable, Overwrite, Table, write_table,
};
use proptest::prelude::*;

use crate::support::{Room, cells, column, csv, message, read, refusal, skip, table, texts};

fn write(table: &Table, room: &Room, name: &str) -> std::path::PathBuf {
    let path = room.path(name);
    let to = Destination::from(&path);
    write_table(table, &to, None, Overwrite::Replace, &mut Quiet).unwrap();
    path
}

fn sample() -> Table {
    let floats: Nullable<f64> = [Some(0.1), None, Some(1e300), Some(-0.0), Some(3.0)]
        .into_iter()
        .collect();
    let whole: Nullable<i64> = [Some(i64::MIN), Some(7), None, Some(0), Some(i64::MAX)]
        .into_iter()
        .collect();
    table(vec![
        texts(
            "t",
            &[Some("a,\"b\"\n"), None, Some("☃"), Some(" x "), Some("007")],
        ),
        column("f", Cells::Float(floats)),
        column("i", Cells::Integer(whole)),
        column("b", vec![true, false, true, true, false]),
    ])
}

#[test]
fn text_cells_are_written_back_as_they_were() {
    let text = "id,x,y\n007,1.50, a\n008,+2,\"b,c\"\n";
    let room = Room::new();
    let path = write(&csv(text).unwrap(), &room, "out.csv");
    assert_eq!(std::fs::read_to_string(path).unwrap(), text);
}

#[test]
fn floats_are_the_shortest_text_that_reads_back() {
    let room = Room::new();
    let path = write(&sample(), &room, "out.tsv");
    let back = read(&path).unwrap();
    let floats = cells(&back, "f");
    let expected = ["0.1", "", "1e300", "-0.0", "3.0"].map(|c| Some(c.to_owned()));
    assert_eq!(floats, expected);
}

#[test]
fn json_lines_have_types_and_nulls() {
    let room = Room::new();
    let data = csv("id,x,n\n007,1.50,1\n008,,2\n").unwrap();
    let path = write(&data, &room, "out.jsonl");
    assert_eq!(
        std::fs::read_to_string(path).unwrap(),
        "{\"id\":\"007\",\"x\":1.50,\"n\":1}\n{\"id\":\"008\",\"x\":null,\"n\":2}\n"
    );
    let path = write(&sample(), &room, "typed.jsonl");
    for line in std::fs::read_to_string(path).unwrap().lines() {
        serde_json::from_str::<serde_json::Value>(line).unwrap();
    }
}

#[test]
fn numpy_is_not_written_and_bzip2_neither() {
    let room = Room::new();
    for (name, expected) in [
        (
            "a.npy",
            "a.npy: one numpy array cannot hold a table with names and texts",
        ),
        (
            "a.csv.bz2",
            "a.csv.bz2: .bz2 files are not read or written here",
        ),
        ("a.xlsx", "a.xlsx: .xlsx files are not written"),
    ] {
        let to = Destination::from(room.path(name));
        let refused = write_table(&sample(), &to, None, Overwrite::Refuse, &mut Quiet);
        assert_eq!(message(refused), expected);
    }
    assert!(room.names().is_empty());
}

#[test]
fn cancelling_leaves_no_file() {
    let room = Room::new();
    let data = table(vec![column("a", vec![0.5; 2_000_000])]);
    for name in ["a.csv", "a.jsonl", "a.parquet", "a.arrow", "a.npz"] {
        let mut monitor = |event: Event| match event {
            Event::Phase { .. } => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        };
        let to = Destination::from(room.path(name));
        let stopped = write_table(&data, &to, None, Overwrite::Refuse, &mut monitor);
        assert_eq!(refusal(stopped).code(), "cancelled", "{name}");
        assert!(room.names().is_empty(), "{name}");
    }
}

/// Every format that is read and written.
const NAMES: [&str; 8] = [
    "a.csv",
    "a.tsv",
    "a.jsonl",
    "a.parquet",
    "a.arrow",
    "a.feather",
    "a.arrows",
    "a.npz",
];

#[test]
fn a_table_survives_from_every_format_to_every_format() {
    let lists: ListCells = [[0.1, -2.0], [3.5e-7, 4.0], [1e100, 0.0]]
        .iter()
        .map(|l| Some(l.as_slice()))
        .collect();
    let data = table(vec![
        texts("t", &[Some("a,\"b\""), Some("☃ x"), Some("[c]")]),
        column("f", vec![0.1, -1e-300, 3.5]),
        column("i", vec![7i64, -9_007_199_254_740_993, 0]),
        column("b", vec![true, false, true]),
        column("l", Cells::List(lists)),
    ]);
    let values = |table: &Table| -> Vec<Vec<Option<String>>> {
        let names = ["t", "f", "i", "b", "l"];
        let mut all: Vec<_> = names.iter().map(|name| cells(table, name)).collect();
        // Text formats keep lists as text, with or without spaces.
        for cell in all[4].iter_mut().flatten() {
            *cell = cell.replace(' ', "");
        }
        all
    };
    let room = Room::new();
    for first in NAMES {
        let once = read(&write(&data, &room, &format!("1{first}"))).unwrap();
        assert_eq!(values(&once), values(&data), "{first}");
        for second in NAMES {
            let twice = read(&write(&once, &room, &format!("2{second}"))).unwrap();
            assert_eq!(values(&twice), values(&data), "{first} to {second}");
            let (names, points) = twice.features(&Features::lists(["l"])).unwrap();
            assert_eq!(names, ["l[0]", "l[1]"]);
            assert_eq!(points.row(1).to_vec(), [3.5e-7, 4.0], "{first} to {second}");
        }
    }
}

#[test]
fn missing_cells_and_lists_survive_where_there_are_types() {
    let lists: ListCells = [
        Some([1.0].as_slice()),
        None,
        Some(&[]),
        Some(&[f64::NAN, 2.0]),
    ]
    .into_iter()
    .collect();
    let data = table(vec![
        texts("t", &[None, Some(""), Some("x"), None]),
        column(
            "i",
            [Some(1), None, None, Some(-1)]
                .into_iter()
                .collect::<Nullable<i64>>(),
        ),
        column(
            "b",
            [None, Some(true), None, None]
                .into_iter()
                .collect::<Nullable<bool>>(),
        ),
        column("l", Cells::List(lists)),
    ]);
    let room = Room::new();
    for name in ["a.jsonl", "a.parquet", "a.arrow", "a.arrows"] {
        let back = read(&write(&data, &room, name)).unwrap();
        for column in ["t", "i", "b", "l"] {
            assert_eq!(
                cells(&back, column),
                cells(&data, column),
                "{name} {column}"
            );
        }
    }
}

#[test]
fn arrays_say_missing_with_nan_and_refuse_what_they_cannot_hold() {
    let room = Room::new();
    let data = table(vec![
        column("i", [Some(1), None].into_iter().collect::<Nullable<i64>>()),
        column(
            "b",
            [Some(true), None].into_iter().collect::<Nullable<bool>>(),
        ),
        texts("t", &[Some("abc"), None]),
        column(
            "l",
            [None, Some([1.0, 2.0].as_slice())]
                .into_iter()
                .collect::<ListCells>(),
        ),
    ]);
    let back = read(&write(&data, &room, "a.npz")).unwrap();
    let some = |a: &str, b: &str| [Some(a.to_owned()), Some(b.to_owned())];
    assert_eq!(cells(&back, "i"), some("1.0", "NaN"));
    assert_eq!(cells(&back, "b"), some("1.0", "NaN"));
    assert_eq!(cells(&back, "t"), some("abc", ""));
    assert_eq!(cells(&back, "l"), some("[NaN, NaN]", "[1.0, 2.0]"));
    let odd: ListCells = [Some([1.0].as_slice()), Some(&[1.0, 2.0])]
        .into_iter()
        .collect();
    let large = [Some(i64::MAX), None]
        .into_iter()
        .collect::<Nullable<i64>>();
    for (column, expected) in [
        (
            column("l", odd),
            "b.npz: column \"l\" has lists of 1 and of 2 numbers, and arrays have one width",
        ),
        (
            column("i", large),
            "b.npz: column \"i\" has missing cells and the integer 9223372036854775807, and arrays hold one or the other",
        ),
    ] {
        let to = Destination::from(room.path("b.npz"));
        let refused = write_table(
            &table(vec![column]),
            &to,
            None,
            Overwrite::Refuse,
            &mut Quiet,
        );
        assert_eq!(message(refused), expected);
    }
    assert_eq!(room.names(), ["a.npz"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_refused_in_every_format() {
    let path = std::path::Path::new("/dev/full");
    if !path.exists() {
        return skip("there is no /dev/full");
    }
    for format in [
        Format::Csv,
        Format::Tsv,
        Format::JsonLines,
        Format::Parquet,
        Format::Arrow,
        Format::ArrowStream,
        Format::Npz,
    ] {
        let to = Destination::from(path);
        let refused = write_table(&sample(), &to, Some(format), Overwrite::Refuse, &mut Quiet);
        assert_eq!(refusal(refused).code(), "disk-full", "{format:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_its_own_refusal() {
    // A named pipe whose reader leaves after one byte.
    let room = Room::new();
    let pipe = room.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    if !made.is_ok_and(|s| s.success()) {
        return skip("there is no mkfifo");
    }
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || {
            let mut file = std::fs::File::open(pipe).unwrap();
            std::io::Read::read_exact(&mut file, &mut [0]).unwrap();
        })
    };
    let data = table(vec![column("a", vec![0.5; 500_000])]);
    let (to, format) = (Destination::from(&pipe), Some(Format::Csv));
    let refused = write_table(&data, &to, format, Overwrite::Refuse, &mut Quiet);
    assert_eq!(refusal(refused).code(), "broken-pipe");
    reader.join().unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_table_survives_csv_parquet_arrow_and_json(
        lists in prop::collection::vec(prop::option::of(prop::collection::vec(-1e9..1e9f64, 0..4)), 20),
        rows in prop::collection::vec(
            ("[ -~\\né☃]{0,6}", any::<Option<f64>>(), any::<Option<i64>>(), any::<Option<bool>>()),
            1..20,
        )
    ) {
        let data = table(vec![
            texts("t", &rows.iter().map(|r| Some(r.0.as_str())).collect::<Vec<_>>()),
            column("f", rows.iter().map(|r| r.1).collect::<Nullable<f64>>()),
            column("i", rows.iter().map(|r| r.2).collect::<Nullable<i64>>()),
            column("b", rows.iter().map(|r| r.3).collect::<Nullable<bool>>()),
            column("l", lists.iter().take(rows.len()).map(Option::as_deref).collect::<ListCells>()),
        ]);
        let room = Room::new();
        for file in ["a.parquet", "a.arrow"] {
            let back = read(&write(&data, &room, file)).unwrap();
            for name in ["f", "i", "b", "l"] {
                prop_assert_eq!(cells(&back, name), cells(&data, name));
            }
        }
        // JSON has no word for what is not finite, and no type for what is null throughout.
        let back = read(&write(&data, &room, "a.jsonl")).unwrap();
        for name in ["i", "b", "l"] {
            prop_assert_eq!(cells(&back, name), cells(&data, name));
        }
        let back = read(&write(&data, &room, "a.csv")).unwrap();
        for name in ["t", "f", "i", "b"] {
            let written: Vec<Option<String>> =
                cells(&data, name).into_iter().map(|c| Some(c.unwrap_or_default())).collect();
            prop_assert_eq!(cells(&back, name), written);
        }
    }
}

#[test]
fn a_whole_number_that_no_float_holds_keeps_its_column_text() {
    let room = Room::new();
    let data = crate::support::csv(
        "id,mixed,large,fine\n12345678901234567890,0.5,9007199254740993,10000000000000000000\n\
         12345678901234567891,9007199254740993,1,0.5\n",
    )
    .unwrap();
    for name in ["a.parquet", "a.arrow", "a.npz", "a.jsonl"] {
        let back = read(&write(&data, &room, name)).unwrap();
        let kept = |column: &str, of: [&str; 2]| {
            let expected = of.map(|t| Some(t.to_owned()));
            assert_eq!(cells(&back, column), expected, "{name} {column}");
        };
        kept("id", ["12345678901234567890", "12345678901234567891"]);
        kept("mixed", ["0.5", "9007199254740993"]);
        kept("large", ["9007199254740993", "1"]);
        kept("fine", ["1e19", "0.5"]);
    }
}
