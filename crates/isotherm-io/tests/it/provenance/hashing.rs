//! SHA-256 beside reading.

use std::path::Path;

use isotherm_io::{FileHash, Hashing};

use crate::support::{Room, message, refusal};

/// FIPS 180-4, as in NIST's example of "abc", and of nothing.
const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const NOTHING: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
/// NIST's example of a million times "a".
const MILLION: &str = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

#[test]
fn hashes_are_those_of_the_standard() {
    let room = Room::new();
    for (bytes, expected) in [
        (b"abc".to_vec(), ABC),
        (Vec::new(), NOTHING),
        (vec![b'a'; 1_000_000], MILLION),
    ] {
        let path = room.file("x", &bytes);
        let hash = FileHash::of(&path).unwrap();
        assert_eq!(hash.sha256.as_deref(), Some(expected));
        assert_eq!(hash.bytes, Some(bytes.len() as u64));
    }
}

#[test]
fn files_are_told_in_the_order_of_reading() {
    let room = Room::new();
    let paths: Vec<_> = (0..50)
        .map(|n| room.file(&format!("{n}"), vec![b'a'; n * 1000]))
        .collect();
    let mut hashing = Hashing::default();
    paths.iter().for_each(|path| hashing.announce(path));
    let alone: Vec<_> = paths.iter().map(|p| FileHash::of(p).unwrap()).collect();
    assert_eq!(hashing.finish(&|| false).unwrap(), alone);
    assert!(Hashing::default().finish(&|| false).unwrap().is_empty());
}

#[test]
fn what_is_read_once_or_not_at_all_is_unknown() {
    let room = Room::new();
    let mut hashing = Hashing::default();
    let names = [Path::new("-"), &room.path("none"), &room.path(".")];
    names.iter().for_each(|path| hashing.announce(path));
    let unknown: Vec<_> = names.iter().map(|path| FileHash::unknown(path)).collect();
    assert_eq!(hashing.finish(&|| false).unwrap(), unknown);
}

#[test]
fn a_file_that_is_replaced_or_continued_while_it_is_read_is_found_out() {
    let room = Room::new();
    let path = room.file("a.csv", "1,2\n");
    let mut hashing = Hashing::default();
    hashing.announce(&path);
    std::fs::rename(room.file("new", "1,2\n"), &path).unwrap();
    let changed = hashing.finish(&|| false);
    assert_eq!(message(changed), "a.csv changed while it was read");

    let mut hashing = Hashing::default();
    hashing.announce(&path);
    room.file("a.csv", "1,2\n3,4\n");
    assert_eq!(refusal(hashing.finish(&|| false)).code(), "changed");

    let mut hashing = Hashing::default();
    hashing.announce(&path);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(refusal(hashing.finish(&|| false)).code(), "changed");
}
