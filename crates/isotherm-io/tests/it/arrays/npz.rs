//! Archives of numpy arrays.

use std::io::Write;

use isotherm::monitor::Quiet;
use isotherm_io::npz::{Npz, read_npz};
use isotherm_io::{Limits, ReadOptions, Source, read_table};
use npyz::Order;
use zip::CompressionMethod;
use zip::write::SimpleFileOptions;

use crate::arrays::npy::{assembled, written};
use crate::support::{Room, hint, message, read, refusal};

pub(crate) fn archive(entries: &[(&str, Vec<u8>)], method: CompressionMethod) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, bytes) in entries {
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn entries() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("y.npy", written(&[0i64, 1, 0], &[3], Order::C)),
        (
            "X.npy",
            written(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[3, 2], Order::C),
        ),
        ("group.npy", written(&[7u8, 8, 9], &[3], Order::C)),
    ]
}

#[test]
fn stored_and_deflated_archives_give_the_same_table() {
    let room = Room::new();
    let mut tables = Vec::new();
    for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
        let path = room.file("a.npz", archive(&entries(), method));
        let table = read(&path).unwrap();
        assert_eq!(table.names(), ["x0", "x1", "y", "group"]);
        assert_eq!(table.numeric("x1").unwrap(), [2.0, 4.0, 6.0]);
        tables.push(table);
    }
    assert_eq!(tables[0], tables[1]);
}

#[test]
fn one_array_is_read_by_its_name() {
    let room = Room::new();
    let path = room.file("a.npz", archive(&entries(), CompressionMethod::Deflated));
    let mut npz = Npz::open(&path, Limits::default()).unwrap();
    assert_eq!(npz.names().collect::<Vec<_>>(), ["y", "X", "group"]);
    assert_eq!(npz.read("X", &mut Quiet).unwrap().shape, [3, 2]);
    assert_eq!(
        message(npz.read("grup", &mut Quiet)),
        "a.npz: there is no column \"grup\""
    );
    assert_eq!(
        hint(npz.read("grup", &mut Quiet)),
        "did you mean \"group\"?"
    );
    assert_eq!(
        read_npz(&path, Limits::default(), &mut Quiet)
            .unwrap()
            .len(),
        3
    );
}

#[test]
fn arrays_that_do_not_fit_together_are_refused() {
    let room = Room::new();
    for (name, bytes, expected) in [
        (
            "z.npy",
            written(&[1u8], &[1], Order::C),
            "a.npz: array \"z\" has 1 rows, array \"X\" has 3",
        ),
        (
            "Z.npy",
            written(&[1u8, 2, 3], &[3, 1], Order::C),
            "a.npz: array \"Z\" has two axes and holds no floats",
        ),
        (
            "readme.txt",
            b"hello".to_vec(),
            "a.npz: entry \"readme.txt\" is not a numpy array",
        ),
        (
            "o.npy",
            assembled(
                "{'descr': '|O', 'fortran_order': False, 'shape': (3,), }\n",
                b"\x80",
            ),
            "a.npz: array \"o\" holds Python objects, which are never unpickled",
        ),
    ] {
        let mut all = entries();
        all.push((name, bytes));
        let path = room.file("a.npz", archive(&all, CompressionMethod::Stored));
        assert_eq!(message(read(&path)), expected);
    }
    let path = room.file("b.npz", archive(&[], CompressionMethod::Stored));
    assert_eq!(message(read(&path)), "b.npz: the archive holds no arrays");
    let path = room.file("c.npz", "not a zip");
    assert!(message(read(&path)).starts_with("c.npz: the archive cannot be opened"));
    let path = room.file("d.npz", "");
    assert_eq!(message(read(&path)), "d.npz is empty");
}

#[test]
fn a_bomb_is_refused_by_what_it_would_become() {
    let room = Room::new();
    let zeros = written(&vec![0u8; 20_000_000], &[20_000_000], Order::C);
    let bomb = archive(&[("y.npy", zeros)], CompressionMethod::Deflated);
    assert!(bomb.len() < 100_000);
    let path = room.file("bomb.npz", bomb);
    let options = ReadOptions {
        limits: Limits {
            floor: 1_000_000,
            ratio: 100,
            ..Limits::default()
        },
        ..ReadOptions::default()
    };
    let refused = refusal(read_table(&Source::from(&path), &options, &mut Quiet));
    assert_eq!(refused.code(), "limit");
    assert!(
        refused.to_string().contains("decompressed size in bytes"),
        "{refused}"
    );
}

#[test]
fn a_damaged_entry_is_refused_by_its_checksum() {
    let room = Room::new();
    let mut bytes = archive(&entries(), CompressionMethod::Stored);
    let at = bytes
        .windows(8)
        .position(|w| w == 5.0f64.to_le_bytes())
        .unwrap();
    bytes[at] ^= 1;
    let path = room.file("a.npz", bytes);
    let refused = message(read(&path));
    assert!(
        refused.starts_with("a.npz: array \"X\" is damaged: "),
        "{refused}"
    );
}

#[test]
fn rows_that_take_no_room_are_refused_however_many_they_are() {
    let room = Room::new();
    for order in ["False", "True"] {
        let header =
            format!("{{'descr': '<f8', 'fortran_order': {order}, 'shape': (1000000000000, 0), }}");
        let array = assembled(&header, &[]);
        let path = room.file("a.npy", &array);
        assert_eq!(message(read(&path)), "a.npy: the array has no columns");
        let path = room.file(
            "a.npz",
            archive(&[("emb.npy", array)], CompressionMethod::Stored),
        );
        assert_eq!(message(read(&path)), "a.npz: array \"emb\" has no columns");
    }
}

#[test]
fn an_archive_that_unpacks_to_more_than_the_memory_is_refused_with_the_way_out() {
    let room = Room::new();
    let zeros = || written(&vec![0.0; 300_000], &[300_000], Order::C);
    let bomb = archive(
        &[("x.npy", zeros()), ("y.npy", zeros())],
        CompressionMethod::Deflated,
    );
    assert!(bomb.len() < 50_000);
    let path = room.file("bomb.npz", bomb);
    let within = |memory: u64| {
        let options = ReadOptions {
            limits: Limits {
                memory,
                ..Limits::default()
            },
            ..ReadOptions::default()
        };
        read_table(&Source::from(&path), &options, &mut Quiet)
    };
    assert_eq!(within(5_000_000).unwrap().rows(), 300_000);
    // Either array fits, both do not.
    let refused = refusal(within(3_000_000));
    assert_eq!(refused.code(), "memory");
    let isotherm_io::Error::Core(refused) = refused else {
        panic!("{refused:?}");
    };
    let told = format!("{refused} {}", refused.hint().unwrap());
    for part in ["bomb.npz", "--memory", "--stream"] {
        assert!(told.contains(part), "{told}");
    }
}
