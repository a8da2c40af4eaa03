//! What is told of a table's size before it is read.

use std::io::Write as _;
use std::path::Path;

use isotherm::monitor::Quiet;
use isotherm_io::footprint::{SMALL, check_room, footprint, stored};
use isotherm_io::{
    Cells, Destination, Error, ReadOptions, Source, Table, WriteOptions, read_table,
    write_table_with,
};

use crate::support::{Room, read};

fn told(path: &Path) -> Option<u64> {
    footprint(&[Source::from(path)], &ReadOptions::default()).unwrap()
}

/// Bytes of the values themselves: eight a number, texts as they are.
fn held(table: &Table) -> u64 {
    let of = |cells: &Cells| match cells {
        Cells::Text(texts) => (0..texts.len())
            .map(|i| 8 + texts.get(i).map_or(0, str::len) as u64)
            .sum(),
        Cells::List(_) => unreachable!("no lists here"),
        numbers => 8 * numbers.len() as u64,
    };
    table.columns().iter().map(|c| of(&c.cells)).sum()
}

/// 5,000 rows of numbers, and texts of which many are equal.
fn text() -> String {
    let mut text = String::from("a,b,n,word,note\n");
    for i in 0..5000_u32 {
        let (a, b) = (f64::from(i) / 7.0, f64::from(i * i % 977) / 3.0);
        let word = ["birch", "beech", "oak"][i as usize % 3];
        text.push_str(&format!("{a},{b},{i},{word},note number {i} of many\n"));
    }
    text
}

#[test]
fn the_size_of_a_table_is_known_before_it_is_read_in_every_format_that_tells() {
    let room = Room::new();
    let csv = room.file("t.csv", text());
    let table = read(&csv).unwrap();
    for name in ["t.parquet", "t.arrow"] {
        let to = Destination::from(&room.path(name));
        write_table_with(&table, &to, &WriteOptions::default(), &mut Quiet).unwrap();
    }
    // Text cells of a text file are texts, whatever they spell.
    let from_text = told(&csv).unwrap() as f64 / text().len() as f64;
    assert!((1.0..=1.5).contains(&from_text), "{from_text}");
    let parquet = read(&room.path("t.parquet")).unwrap();
    let ratio = told(&room.path("t.parquet")).unwrap() as f64 / held(&parquet) as f64;
    assert!((0.8..=1.2).contains(&ratio), "{ratio}");
    let length = std::fs::metadata(room.path("t.arrow")).unwrap().len();
    assert_eq!(told(&room.path("t.arrow")), Some(length));
}

#[test]
fn what_only_reading_tells_is_not_guessed() {
    let room = Room::new();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text().as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    // By its bytes, not by its name.
    for name in ["t.csv.gz", "t.csv"] {
        assert_eq!(told(&room.file(name, &packed)), None, "{name}");
    }
    assert_eq!(told(&room.file("t.jsonl", "{\"a\": 1}\n")), None);
    assert_eq!(told(Path::new("-")), None);
    assert_eq!(stored(&[Source::Stdin]), None);
    let path = room.path("t.csv");
    let length = packed.len() as u64;
    assert_eq!(
        stored(&[Source::from(&path), Source::from(&path)]),
        Some(2 * length)
    );
}

#[test]
fn a_table_that_does_not_fit_is_refused_before_it_is_read() {
    let room = Room::new();
    // A hole of 80 MiB: nothing of it is read.
    let path = room.file("t.csv", "a,b\n1,2\n");
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(80 << 20).unwrap();
    let sources = [Source::from(&path)];
    let check = |used, limit| check_room(&sources, &ReadOptions::default(), used, limit);
    check(0, 101 << 20).unwrap();
    for (used, limit) in [(0, 99 << 20), (2 << 20, 101 << 20), (0, 1)] {
        match check(used, limit).unwrap_err() {
            Error::Core(error @ isotherm::Error::Memory { .. }) => {
                assert!(error.what().contains("t.csv whole"), "{error}");
                assert!(error.hint().unwrap().contains("--stream"), "{error}");
            }
            other => panic!("{other}"),
        }
    }
    // Below 64 MiB what comes after reading has the better way out.
    file.set_len(SMALL / 5 * 4).unwrap();
    check(0, 1).unwrap();
}

#[test]
fn text_that_grows_beyond_its_room_is_refused_on_the_way() {
    let room = Room::new();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text().as_bytes()).unwrap();
    let path = room.file("t.csv.gz", packed.finish().unwrap());
    let mut options = ReadOptions::default();
    options.limits.memory = text().len() as u64;
    read_table(&Source::from(&path), &options, &mut Quiet).unwrap();
    options.limits.memory -= 1;
    match read_table(&Source::from(&path), &options, &mut Quiet).unwrap_err() {
        Error::Core(isotherm::Error::Memory { limit, .. }) => {
            assert_eq!(limit, Some(options.limits.memory));
        }
        other => panic!("{other}"),
    }
}
