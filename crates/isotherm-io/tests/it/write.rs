//! Tables out, and back in.

use std::ops::ControlFlow;

use isotherm::monitor::{Event, Quiet};
use isotherm_io::{Cells, Destination, Format, Nullable, Overwrite, Table, write_table};
use proptest::prelude::*;

use crate::support::{Room, cells, column, csv, message, read, refusal, table, texts};

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
fn numpy_is_not_written_and_gzip_neither() {
    let room = Room::new();
    for (name, expected) in [
        ("a.npy", "a.npy: numpy files are read, not written"),
        ("a.csv.gz", "a.csv.gz: .gz files are not written"),
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
    for name in ["a.csv", "a.jsonl", "a.parquet"] {
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

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_refused_in_every_format() {
    let path = std::path::Path::new("/dev/full");
    if !path.exists() {
        return;
    }
    for format in [Format::Csv, Format::Tsv, Format::JsonLines, Format::Parquet] {
        let to = Destination::from(path);
        let refused = write_table(&sample(), &to, Some(format), Overwrite::Refuse, &mut Quiet);
        assert_eq!(refusal(refused).code(), "io", "{format:?}");
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
        return;
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
    fn any_table_survives_csv_and_parquet(
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
        ]);
        let room = Room::new();
        let back = read(&write(&data, &room, "a.parquet")).unwrap();
        for name in ["f", "i", "b"] {
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
