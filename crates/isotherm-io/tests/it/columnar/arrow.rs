//! Arrow: what pyarrow and polars write, what we write, and what is refused.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::types::Int64Type;
use arrow_array::{ArrayRef, Int64Array, ListArray, RecordBatch, StringArray, UInt64Array};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use isotherm::monitor::Quiet;
use isotherm_io::{Batches, Features, Format, Limits, ReadOptions, Source, read_table};

use crate::support::{Room, cells, hint, message, read};

/// A table that another program wrote; see `fixtures/make.py`.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}

fn of(texts: &[&str]) -> Vec<Option<String>> {
    let cell = |t: &&str| (*t != "-").then(|| (*t).to_owned());
    texts.iter().map(cell).collect()
}

fn file(room: &Room, name: &str, columns: Vec<(&str, ArrayRef)>) -> PathBuf {
    let path = room.path(name);
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let out = std::fs::File::create(&path).unwrap();
    let mut writer = FileWriter::try_new(out, &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    path
}

#[test]
fn every_type_that_pyarrow_writes_is_read_in_every_codec_and_as_a_stream() {
    for name in [
        "pyarrow-uncompressed.feather",
        "pyarrow-lz4.feather",
        "pyarrow-zstd.feather",
        "pyarrow.arrows",
    ] {
        let data = read(&fixture(name)).unwrap();
        for (column, expected) in [
            ("i8", ["1", "-", "-3"]),
            ("u32", ["1", "2", "4000000000"]),
            ("f16", ["0.5", "-", "-2.0"]),
            ("f32", ["0.5", "1.5", "-"]),
            ("b", ["true", "-", "false"]),
            ("s", ["a", "-", "ü"]),
            ("ls", ["a", "", "ccc"]),
            ("view", ["a", "a text that is not stored inline", "-"]),
            ("cat", ["red", "-", "blue"]),
            ("day", ["2026-01-31", "-", "1969-12-31"]),
            (
                "at",
                ["1970-01-01T00:00:00Z", "2026-01-31T12:34:56.789Z", "-"],
            ),
            ("dec", ["1050.0", "-", "-1.0"]),
            ("none", ["-", "-", "-"]),
            ("list", ["[1.0, 2.0]", "-", "[3.0, NaN]"]),
            ("large", ["[1.0]", "[]", "[3.0, 4.0]"]),
            ("fixed", ["[1.0, 2.0]", "-", "[5.0, 6.0]"]),
        ] {
            assert_eq!(cells(&data, column), of(&expected), "{name} {column}");
        }
        let stream = name.ends_with("arrows");
        let format = if stream {
            Format::ArrowStream
        } else {
            Format::Arrow
        };
        assert_eq!(data.origin().format, format);
    }
}

#[test]
fn what_polars_writes_is_read_from_arrow_and_from_parquet() {
    for name in ["polars.arrow", "polars.arrows", "polars.parquet"] {
        let data = read(&fixture(name)).unwrap();
        for (column, expected) in [
            ("x", ["1.5", "-", "-2.0"]),
            ("n", ["1", "2", "-"]),
            ("word", ["a", "-", "a text that is not stored inline"]),
            ("cat", ["red", "blue", "-"]),
            ("emb", ["[1.0, 2.0]", "[3.0, 4.0]", "[5.0, 6.0]"]),
            ("list", ["[1.0, 2.0]", "-", "[]"]),
        ] {
            assert_eq!(cells(&data, column), of(&expected), "{name} {column}");
        }
        let (names, points) = data.features(&Features::lists(["emb"])).unwrap();
        assert_eq!(names, ["emb[0]", "emb[1]"]);
        assert_eq!((points.len(), points.dim()), (3, 2));
    }
}

#[test]
fn a_struct_is_refused_by_its_name() {
    let refused = || read(&fixture("pyarrow-struct.feather"));
    assert!(
        message(refused()).contains("column \"where\" has the type Struct("),
        "{}",
        message(refused())
    );
    assert_eq!(
        hint(refused()),
        "write it as numbers, texts or lists of numbers; --exclude where leaves it out"
    );
    let options = ReadOptions {
        without: vec!["where".into()],
        ..ReadOptions::default()
    };
    let source = Source::from(fixture("pyarrow-struct.feather"));
    let data = read_table(&source, &options, &mut Quiet).unwrap();
    assert_eq!(data.origin().unread, ["where"]);
    assert!(!data.names().is_empty() && !data.names().contains(&"where".to_owned()));
    let parts = Batches::open(&source, &options, &mut Quiet).unwrap();
    assert_eq!(parts.header().names(), data.names());
}

#[test]
fn an_integer_beyond_63_bits_is_refused_with_its_row() {
    let room = Room::new();
    let large: ArrayRef = Arc::new(UInt64Array::from(vec![1, u64::MAX]));
    let path = file(&room, "a.arrow", vec![("n", large)]);
    assert_eq!(
        message(read(&path)),
        "a.arrow row 2, column \"n\": 18446744073709551615 cannot be used"
    );
}

#[test]
fn a_file_that_was_cut_short_is_told_apart_from_one_that_is_no_arrow() {
    let room = Room::new();
    let whole = std::fs::read(fixture("pyarrow-lz4.feather")).unwrap();
    let cut = room.file("cut.arrow", &whole[..whole.len() - 20]);
    assert_eq!(
        message(read(&cut)),
        "cut.arrow: the Arrow file is damaged: it does not end with ARROW1, so it was cut short"
    );
    let stream = std::fs::read(fixture("pyarrow.arrows")).unwrap();
    let cut = room.file("cut.arrows", &stream[..stream.len() / 2]);
    assert!(message(read(&cut)).starts_with("cut.arrows: the Arrow file is damaged: "));
    let other = room.file("b.arrow", "a,b\n1,2\n");
    assert_eq!(
        message(read(&other)),
        "b.arrow: the file is not Arrow: it begins like neither a file nor a stream"
    );
    let old = room.file("old.feather", "FEA1....");
    assert_eq!(
        message(read(&old)),
        "old.feather: the file is Feather of version 1, which is not read"
    );
    let empty = room.file("c.arrow", "");
    assert_eq!(message(read(&empty)), "c.arrow is empty");
}

#[test]
fn batches_of_a_stream_follow_each_other_and_the_end_mark_may_be_missing() {
    let room = Room::new();
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![1, 2]));
    let batch = RecordBatch::try_from_iter([("n", numbers)]).unwrap();
    let mut out = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    out.write(&batch).unwrap();
    out.write(&batch).unwrap();
    let open_end = out.get_ref().clone();
    out.finish().unwrap();
    let closed = out.into_inner().unwrap();
    assert!(closed.len() > open_end.len());
    for bytes in [open_end, closed] {
        let data = read(&room.file("a.arrows", bytes)).unwrap();
        assert_eq!(cells(&data, "n"), of(&["1", "2", "1", "2"]));
    }
}

#[test]
fn a_dictionary_cannot_make_a_small_file_a_large_table() {
    // One long word, and many rows that refer to it.
    let room = Room::new();
    let word = "w".repeat(1 << 16);
    let keys = arrow_array::Int32Array::from(vec![0; 1 << 12]);
    let words: ArrayRef = Arc::new(StringArray::from(vec![word]));
    let column: ArrayRef = Arc::new(arrow_array::DictionaryArray::try_new(keys, words).unwrap());
    let path = file(&room, "a.arrow", vec![("w", column)]);
    let options = ReadOptions {
        limits: Limits {
            floor: 1 << 20,
            ratio: 100,
            ..Limits::default()
        },
        ..ReadOptions::default()
    };
    let refused = read_table(&Source::from(path), &options, &mut Quiet);
    assert!(message(refused).contains("the size of the texts and lists in bytes is "));
}

#[test]
fn an_integer_beyond_63_bits_in_a_column_that_is_not_wanted_leaves_it_out() {
    let room = Room::new();
    let large: ArrayRef = Arc::new(UInt64Array::from(vec![1, u64::MAX]));
    let fine: ArrayRef = Arc::new(UInt64Array::from(vec![3, 4]));
    let path = file(&room, "a.arrow", vec![("n", large), ("m", fine)]);
    assert!(hint(read(&path)).ends_with("--exclude n leaves it out"));
    let options = ReadOptions {
        without: vec!["n".into(), "m".into()],
        ..ReadOptions::default()
    };
    let source = Source::from(path);
    let data = read_table(&source, &options, &mut Quiet).unwrap();
    assert_eq!(
        (data.names(), &data.origin().unread[..]),
        (vec!["m".to_owned()], &["n".to_owned()][..])
    );
    let mut parts = Batches::open(&source, &options, &mut Quiet).unwrap();
    assert_eq!(parts.header().origin().unread, ["n"]);
    let part = parts.next_part(&mut Quiet).unwrap().unwrap();
    assert_eq!(cells(&part, "m"), of(&["3", "4"]));
}

#[test]
fn a_part_of_a_list_column_converts_its_own_entries_only() {
    // The third list holds what no float does. Whoever converts more than the rows of a
    // part meets it too early.
    let room = Room::new();
    let entries = [
        Some(vec![Some(1), Some(2)]),
        None,
        Some(vec![Some((1 << 53) + 1)]),
    ];
    let lists = ListArray::from_iter_primitive::<Int64Type, _, _>(entries);
    let path = file(&room, "a.arrow", vec![("e", Arc::new(lists))]);
    let parts = Batches::open(&Source::from(path), &ReadOptions::default(), &mut Quiet).unwrap();
    let mut parts = parts.in_parts_of(std::num::NonZeroUsize::MIN);
    let mut next = || parts.next_part(&mut Quiet);
    assert_eq!(cells(&next().unwrap().unwrap(), "e"), of(&["[1.0, 2.0]"]));
    assert_eq!(cells(&next().unwrap().unwrap(), "e"), of(&["-"]));
    assert_eq!(
        message(next()),
        "a.arrow row 3, column \"e\": 9007199254740993 cannot be used"
    );
}
