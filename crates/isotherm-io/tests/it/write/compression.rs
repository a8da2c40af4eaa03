//! Compressed outputs.

use std::io::Read;

use isotherm::monitor::Quiet;
use isotherm_io::{Compression, Destination, Format, Layout, Overwrite, WriteOptions, write_table};

use crate::support::{Room, column, message, table, texts};

fn sample() -> isotherm_io::Table {
    let names: Vec<String> = (0..2000).map(|n| format!("row {n}")).collect();
    let cells: Vec<Option<&str>> = names.iter().map(|n| Some(n.as_str())).collect();
    table(vec![texts("t", &cells), column("f", vec![0.25; 2000])])
}

fn unpacked(bytes: &[u8], compression: Compression) -> Vec<u8> {
    let mut out = Vec::new();
    match compression {
        Compression::Gzip => flate2::read::GzDecoder::new(bytes).read_to_end(&mut out),
        Compression::Zstd => zstd::Decoder::new(bytes).unwrap().read_to_end(&mut out),
        _ => bytes.take(u64::MAX).read_to_end(&mut out),
    }
    .unwrap();
    out
}

#[test]
fn a_packed_table_is_the_table_packed() {
    let room = Room::new();
    let write = |name: &str| {
        let to = Destination::from(room.path(name));
        write_table(&sample(), &to, None, Overwrite::Replace, &mut Quiet).unwrap();
        std::fs::read(room.path(name)).unwrap()
    };
    for name in ["a.csv", "a.tsv", "a.jsonl"] {
        let plain = write(name);
        for (ending, compression) in [("gz", Compression::Gzip), ("zst", Compression::Zstd)] {
            let packed = write(&format!("{name}.{ending}"));
            assert!(packed.len() < plain.len() / 2);
            assert_eq!(unpacked(&packed, compression), plain, "{name}.{ending}");
            // No time and no name: the same bytes under another name, later.
            assert_eq!(packed, write(&format!("other.{name}.{ending}")));
        }
    }
}

#[test]
fn names_tell_format_and_compression() {
    let layout = |format, compression| Layout {
        format,
        compression,
    };
    for (name, expected) in [
        ("a.csv", layout(Format::Csv, Compression::Plain)),
        ("a.CSV.GZ", layout(Format::Csv, Compression::Gzip)),
        ("a.b.tsv.zst", layout(Format::Tsv, Compression::Zstd)),
        ("a.ndjson.gz", layout(Format::JsonLines, Compression::Gzip)),
        ("a.parquet", layout(Format::Parquet, Compression::Plain)),
    ] {
        assert_eq!(Layout::from_path(name.as_ref()).unwrap(), expected);
    }
    for (name, says) in [
        ("a.gz", "a.gz: the name does not tell the format"),
        (
            "a.parquet.gz",
            "a.parquet.gz: only text is compressed; this format is compressed by itself or not at all",
        ),
        (
            "a.npy.gz",
            "a.npy.gz: one numpy array cannot hold a table with names and texts",
        ),
        ("a", "a: the name does not tell the format"),
    ] {
        assert_eq!(message(Layout::from_path(name.as_ref())), says);
    }
    let zst = layout(Format::Csv, Compression::Zstd);
    assert_eq!(Layout::from_name("csv.zst").unwrap(), zst);
    assert_eq!(
        Layout::from_name("jsonl").unwrap(),
        Format::JsonLines.into()
    );
    for name in ["", "csv.", ".csv", "a/b.csv", "a.csv.gz", "xyz", "gz"] {
        assert!(Layout::from_name(name).is_err(), "{name}");
    }
}

#[test]
fn a_layout_that_is_said_wins_over_the_name() {
    let room = Room::new();
    let options = WriteOptions {
        layout: Some(Layout::from_name("csv.gz").unwrap()),
        ..WriteOptions::default()
    };
    let to = Destination::from(room.path("odd.name"));
    isotherm_io::write_table_with(&sample(), &to, &options, &mut Quiet).unwrap();
    let bytes = std::fs::read(room.path("odd.name")).unwrap();
    assert!(unpacked(&bytes, Compression::Gzip).starts_with(b"t,f\nrow 0,0.25\n"));
}
