//! Compressed text: what comes out, and what is refused.

use std::io::Write as _;

use flate2::write::GzEncoder;
use isotherm::monitor::Quiet;
use isotherm_io::{
    Limits, ReadOptions, Result, Source, Table, collect_edges, csv::read_csv, read_table,
};

use crate::support::{Room, csv, csv_with, hint, message, read, refusal};

fn gzip(text: impl AsRef<[u8]>) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(text.as_ref()).unwrap();
    out.finish().unwrap()
}

fn zstd(text: impl AsRef<[u8]>) -> Vec<u8> {
    ::zstd::encode_all(text.as_ref(), 1).unwrap()
}

fn sample(rows: usize) -> String {
    let rows: Vec<String> = (0..rows).map(|n| format!("{n},text {n}\n")).collect();
    format!("a,b\n{}", rows.concat())
}

#[test]
fn compressed_tables_are_the_tables_they_were() {
    let room = Room::new();
    let plain = csv(sample(5000)).unwrap();
    for (name, bytes) in [
        ("data.csv.gz", gzip(sample(5000))),
        ("data.csv.zst", zstd(sample(5000))),
        ("DATA.TXT.GZ", gzip(sample(5000))),
        // The first bytes tell, whatever the name says.
        ("data.csv", gzip(sample(5000))),
        ("other.csv.gz", zstd(sample(5000))),
        ("plain.csv.gz", sample(5000).into_bytes()),
    ] {
        let table = read(&room.file(name, bytes)).unwrap();
        assert_eq!(table.columns(), plain.columns(), "{name}");
        assert_eq!(table.origin().place(4999), plain.origin().place(4999));
    }
}

#[test]
fn members_and_frames_follow_each_other() {
    let text = sample(3000);
    let (first, second) = text.split_at(10_001);
    let plain = csv(&text).unwrap();
    for pieces in [
        [gzip(first), gzip(second)].concat(),
        [zstd(first), zstd(second)].concat(),
    ] {
        assert_eq!(csv(pieces).unwrap().columns(), plain.columns());
    }
}

#[test]
fn a_compressed_file_that_is_cut_short_is_refused_wherever_it_is_cut() {
    for (whole, name) in [(gzip(sample(400)), "gzip"), (zstd(sample(400)), "zstd")] {
        for cut in 4..whole.len() {
            let said = message(csv(&whole[..cut]));
            assert_eq!(said, format!("data.csv: the {name} stream ends too early"));
        }
    }
}

#[test]
fn a_damaged_stream_is_refused_and_never_a_shorter_table() {
    let plain = csv(sample(400)).unwrap();
    let whole = gzip(sample(400));
    for at in (10..whole.len()).step_by(7) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        match csv(&bytes) {
            Ok(table) => assert_eq!(table.columns(), plain.columns(), "byte {at}"),
            Err(e) => assert_eq!(e.code(), "compressed", "byte {at}: {e}"),
        }
    }
    let mut with_rest = whole.clone();
    with_rest.extend_from_slice(b"something else");
    assert_eq!(refusal(csv(with_rest)).code(), "compressed");
}

#[test]
fn a_small_file_cannot_become_a_large_table() {
    let bomb = format!("a,b\n{}", "0,0\n".repeat(2_000_000));
    let limits = Limits {
        floor: 1 << 16,
        ratio: 20,
        ..Limits::default()
    };
    let options = ReadOptions {
        limits,
        ..ReadOptions::default()
    };
    for bytes in [gzip(&bomb), zstd(&bomb)] {
        let refused = refusal(csv_with(bytes, &options));
        assert_eq!(refused.code(), "limit");
        assert!(
            refused
                .to_string()
                .contains("the decompressed size in bytes"),
            "{refused}"
        );
    }
}

#[test]
fn compressed_edges_are_read() {
    let room = Room::new();
    let text = "a b\nb c\n";
    let plain = room.file("g.edges", text);
    for (name, bytes) in [("g.edges.gz", gzip(text)), ("g.csv.zst", zstd(text))] {
        let path = room.file(name, bytes);
        let edges = |path| {
            collect_edges(&Source::from(path), &ReadOptions::default(), &mut Quiet)
                .unwrap()
                .edges
        };
        assert_eq!(edges(path), edges(plain.clone()), "{name}");
    }
}

#[test]
fn other_compressions_are_refused_with_the_way_out() {
    let room = Room::new();
    for (name, expected) in [
        ("a.csv.bz2", "a.csv.bz2: .bz2 files are not read"),
        ("a.csv.xz", "a.csv.xz: .xz files are not read"),
        ("a.zip", "a.zip: .zip files are not read"),
        (
            "a.parquet.gz",
            "a.parquet.gz: only text is read from a compressed file",
        ),
        ("a.gz", "a.gz: the name does not tell the format"),
    ] {
        let path = room.file(name, "a\n1\n");
        assert_eq!(message(read(&path)), expected);
        assert!(hint(read(&path)).len() > 10, "{name}");
    }
    for (bytes, expected) in [
        (
            &b"BZh91AY"[..],
            "data.csv: the file is compressed with bzip2, which is not read",
        ),
        (
            b"\xFD7zXZ\0\0\0",
            "data.csv: the file is compressed with xz, which is not read",
        ),
        (
            &gzip(gzip("a\n1\n")),
            "data.csv: the file is compressed twice",
        ),
    ] {
        assert_eq!(message(csv(bytes)), expected);
    }
}

#[test]
fn progress_counts_the_bytes_of_the_file_and_not_what_comes_out() {
    let bytes = gzip(sample(20_000));
    let mut last = 0;
    let mut monitor = |event: isotherm::monitor::Event| {
        if let isotherm::monitor::Event::Step { done } = event {
            last = done;
        }
        std::ops::ControlFlow::Continue(())
    };
    let read: Result<Table> = read_csv(
        &bytes[..],
        std::path::Path::new("d"),
        Some(bytes.len() as u64),
        &ReadOptions::default(),
        &mut monitor,
    );
    read.unwrap();
    assert_eq!(last, bytes.len());
}

#[test]
fn a_told_format_wins_over_the_name_of_a_compressed_file() {
    let room = Room::new();
    let path = room.file("data.gz", gzip("a\tb,c\n1\t2\n"));
    let options = ReadOptions {
        format: Some(isotherm_io::Format::Tsv),
        ..ReadOptions::default()
    };
    let table = read_table(&Source::from(path), &options, &mut Quiet).unwrap();
    assert_eq!(table.names(), ["a", "b,c"]);
}

#[test]
fn bytes_after_a_gzip_stream_are_called_what_they_are() {
    let room = Room::new();
    for trailing in [&b"\0"[..], b"some more text"] {
        let bytes = [gzip(sample(3)), trailing.to_vec()].concat();
        let path = room.file("a.csv.gz", bytes);
        assert_eq!(
            message(read(&path)),
            "a.csv.gz: bytes that are not gzip follow the gzip stream"
        );
        assert!(hint(read(&path)).contains("gzip -dc"));
    }
}

#[test]
fn an_arrow_file_named_as_text_is_told_its_format() {
    let room = Room::new();
    let path = room.file("a.csv", b"ARROW1\0\0rest");
    assert_eq!(hint(read(&path)), "name it .arrow or pass --format arrow");
}
