//! Formats by name.

use std::path::Path;

use isotherm_io::Format;

use crate::support::{Room, hint, message, read};

#[test]
fn the_name_tells_the_format() {
    for (name, expected) in [
        ("a.csv", Format::Csv),
        ("a.TXT", Format::Csv),
        ("a.tsv", Format::Tsv),
        ("a b.parquet", Format::Parquet),
        ("a.npy", Format::Npy),
        ("a.npz", Format::Npz),
        ("a.jsonl", Format::JsonLines),
        ("a.ndjson", Format::JsonLines),
        ("a.arrow", Format::Arrow),
        ("a.feather", Format::Arrow),
        ("a.arrows", Format::ArrowStream),
        ("a.XLSX", Format::Xlsx),
        ("a.ods", Format::Ods),
    ] {
        assert_eq!(Format::from_path(Path::new(name)).unwrap(), expected);
    }
}

#[test]
fn other_formats_are_refused_by_name() {
    for (name, expected) in [
        (
            "a.csv.gz",
            "a.csv.gz: .gz files are not read or written here",
        ),
        (
            "a.pkl",
            "a.pkl: .pkl files can run code and are never opened",
        ),
        ("a.xls", "a.xls: .xls files are not read"),
        ("a", "a: the name does not tell the format"),
        ("a.foo", "a.foo: the name does not tell the format"),
    ] {
        assert_eq!(message(Format::from_path(Path::new(name))), expected);
        assert!(!hint(Format::from_path(Path::new(name))).is_empty());
    }
}

#[test]
fn a_tsv_is_read_with_tabs_even_if_commas_would_fit() {
    let room = Room::new();
    let path = room.file("a.tsv", "a,b\tc\n1,2\t3\n");
    assert_eq!(read(&path).unwrap().names(), ["a,b", "c"]);
}

#[test]
fn a_missing_file_and_a_directory_are_refused_by_name() {
    let room = Room::new();
    let missing = message(read(&room.path("no.csv")));
    assert!(missing.starts_with("cannot open no.csv: "), "{missing}");
    std::fs::create_dir(room.path("dir.csv")).unwrap();
    let directory = message(read(&room.path("dir.csv")));
    assert!(
        directory.starts_with("cannot open dir.csv: "),
        "{directory}"
    );
    assert_eq!(hint(read(&room.path("dir.csv"))), "give the name of a file");
}

#[cfg(unix)]
#[test]
fn paths_with_spaces_and_without_utf8_are_read() {
    use std::os::unix::ffi::OsStrExt;
    let room = Room::new();
    let mut name = std::ffi::OsString::from("a ");
    name.push(std::ffi::OsStr::from_bytes(b"\xFF.csv"));
    let path = room.path("").join(name);
    std::fs::write(&path, "a\n1\n").unwrap();
    assert_eq!(read(&path).unwrap().rows(), 1);
}
