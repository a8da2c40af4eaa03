//! Parquet: types, nulls, and what is refused before it is decoded.

use std::path::PathBuf;
use std::sync::Arc;

use isotherm::monitor::Quiet;
use isotherm_io::{
    Batches, Destination, Features, Limits, NoRows, Overwrite, ReadOptions, Source, read_table,
    write_table,
};
use parquet::basic::Compression;
use parquet::data_type::{
    ByteArray, ByteArrayType, FixedLenByteArray, FixedLenByteArrayType, FloatType, Int32Type,
    Int64Type, Int96, Int96Type,
};
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use crate::columnar::arrow::fixture;
use crate::support::{Room, cells, column, csv, hint, message, read, refusal, table, texts};

type Group<'a> = SerializedRowGroupWriter<'a, std::fs::File>;

/// A file with this schema, its row groups filled by `fill`.
fn file(
    room: &Room,
    schema: &str,
    groups: usize,
    properties: WriterProperties,
    fill: impl Fn(&mut Group<'_>),
) -> PathBuf {
    let path = room.path("a.parquet");
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let out = std::fs::File::create(&path).unwrap();
    let mut writer = SerializedFileWriter::new(out, schema, Arc::new(properties)).unwrap();
    for _ in 0..groups {
        let mut group = writer.next_row_group().unwrap();
        fill(&mut group);
        group.close().unwrap();
    }
    writer.close().unwrap();
    path
}

fn plain() -> WriterProperties {
    WriterProperties::builder().build()
}

macro_rules! fill {
    ($group:expr, $type:ty, $values:expr, $levels:expr) => {{
        let mut column = $group.next_column().unwrap().unwrap();
        let levels: Option<&[i16]> = $levels;
        column
            .typed::<$type>()
            .write_batch(&$values, levels, None)
            .unwrap();
        column.close().unwrap();
    }};
}

fn some(cells: &[&str]) -> Vec<Option<String>> {
    cells.iter().map(|c| Some((*c).to_owned())).collect()
}

#[test]
fn dates_times_and_small_types_are_read() {
    let room = Room::new();
    let schema = "message m {
        required int32 day (DATE);
        required int64 ms (TIMESTAMP(MILLIS,true));
        required int64 ns (TIMESTAMP(NANOS,false));
        required int32 t (TIME(MILLIS,false));
        required int32 u (INTEGER(32,false));
        required int64 price (DECIMAL(10,2));
        required float f;
        required int96 old;
        optional int32 i;
    }";
    let path = file(&room, schema, 2, plain(), |g| {
        fill!(g, Int32Type, [0, -1, 20_484], None);
        fill!(g, Int64Type, [0, -1, 1_769_862_896_789], None);
        fill!(g, Int64Type, [0, 1, -1], None);
        fill!(g, Int32Type, [0, 1, 86_399_999], None);
        fill!(g, Int32Type, [0, -1, 7], None);
        fill!(g, Int64Type, [0, 1050, -1], None);
        fill!(g, FloatType, [0.5, -0.0, 1e30], None);
        let mut noon = Int96::new();
        noon.set_data(
            43_200_000_000_000u64 as u32,
            (43_200_000_000_000u64 >> 32) as u32,
            2_440_589,
        );
        fill!(g, Int96Type, [noon, noon, noon], None);
        fill!(g, Int32Type, [5], Some(&[0, 1, 0]));
    });
    let data = read(&path).unwrap();
    assert_eq!(data.rows(), 6);
    let first = |name: &str| cells(&data, name)[..3].to_vec();
    assert_eq!(
        first("day"),
        some(&["1970-01-01", "1969-12-31", "2026-01-31"])
    );
    assert_eq!(
        first("ms"),
        some(&[
            "1970-01-01T00:00:00Z",
            "1969-12-31T23:59:59.999Z",
            "2026-01-31T12:34:56.789Z"
        ])
    );
    assert_eq!(
        first("ns")[1..],
        some(&[
            "1970-01-01T00:00:00.000000001",
            "1969-12-31T23:59:59.999999999"
        ])
    );
    assert_eq!(
        first("t"),
        some(&["00:00:00", "00:00:00.001", "23:59:59.999"])
    );
    assert_eq!(first("u"), some(&["0", "4294967295", "7"]));
    assert_eq!(first("price"), some(&["0.0", "10.5", "-0.01"]));
    assert_eq!(first("old")[0].as_deref(), Some("1970-01-02T12:00:00"));
    assert_eq!(first("i"), [None, Some("5".to_owned()), None]);
}

#[test]
fn every_codec_and_dictionaries_are_read() {
    let room = Room::new();
    let words: Vec<ByteArray> = (0..20_000)
        .map(|n| ByteArray::from(["a", "béé", ""][n % 3]))
        .collect();
    for (codec, version) in [
        (Compression::UNCOMPRESSED, WriterVersion::PARQUET_1_0),
        (Compression::SNAPPY, WriterVersion::PARQUET_1_0),
        (
            Compression::GZIP(Default::default()),
            WriterVersion::PARQUET_1_0,
        ),
        (
            Compression::ZSTD(Default::default()),
            WriterVersion::PARQUET_2_0,
        ),
        (Compression::LZ4_RAW, WriterVersion::PARQUET_2_0),
    ] {
        let properties = WriterProperties::builder()
            .set_compression(codec)
            .set_writer_version(version)
            .build();
        let schema = "message m { optional binary s (STRING); }";
        let path = file(&room, schema, 1, properties, |g| {
            fill!(g, ByteArrayType, words, Some(&vec![1; 20_000]));
        });
        let data = read(&path).unwrap_or_else(|e| panic!("{codec:?}: {e}"));
        assert_eq!(cells(&data, "s")[19_998..], some(&["a", "béé"]));
    }
}

#[test]
fn delta_encoded_texts_are_refused_by_name() {
    let room = Room::new();
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_encoding(parquet::basic::Encoding::DELTA_LENGTH_BYTE_ARRAY)
        .build();
    let schema = "message m { required binary s (STRING); }";
    let path = file(&room, schema, 1, properties, |g| {
        fill!(g, ByteArrayType, [ByteArray::from("a")], None);
    });
    assert_eq!(
        message(read(&path)),
        "a.parquet: texts in the encoding DELTA_LENGTH_BYTE_ARRAY are not read"
    );
}

#[test]
fn a_null_only_column_and_zero_row_groups_are_tables() {
    let room = Room::new();
    let schema = "message m { optional double a; optional binary b (STRING); }";
    let path = file(&room, schema, 1, plain(), |g| {
        fill!(g, parquet::data_type::DoubleType, [], Some(&[0, 0]));
        fill!(g, ByteArrayType, [], Some(&[0, 0]));
    });
    let data = read(&path).unwrap();
    assert_eq!(cells(&data, "a"), [None, None]);
    assert_eq!(data.labels("b").unwrap(), [None, None]);
    assert_eq!(
        message(data.numeric("a")),
        "a.parquet row 1, column \"a\": the value is missing"
    );
    let path = file(&room, schema, 0, plain(), |_| {});
    assert_eq!(
        message(read(&path)),
        "a.parquet has a header with 2 columns and no rows"
    );
    let options = ReadOptions {
        no_rows: NoRows::Allow,
        ..ReadOptions::default()
    };
    let empty = read_table(&Source::from(&path), &options, &mut Quiet).unwrap();
    assert_eq!(
        (empty.rows(), empty.names()),
        (0, vec!["a".to_owned(), "b".to_owned()])
    );
}

#[test]
fn nested_and_odd_columns_are_refused_by_name() {
    let room = Room::new();
    for (schema, expected) in [
        (
            "message m { required int32 a; required group p { required int32 x; } }",
            "a.parquet: column \"p\" is nested, and no list of numbers",
        ),
        (
            "message m { optional group l (LIST) { repeated group list { optional binary element (STRING); } } }",
            "a.parquet: column \"l\" is nested, and no list of numbers",
        ),
        (
            "message m { optional group l (LIST) { repeated group list { optional group element (LIST) { repeated group list { optional double element; } } } } }",
            "a.parquet: column \"l\" is nested, and no list of numbers",
        ),
        (
            "message m { optional group k (MAP) { repeated group key_value { required int32 key; optional int32 value; } } }",
            "a.parquet: column \"k\" is nested, and no list of numbers",
        ),
        (
            "message m { required group s { required group t { required int32 x; } } }",
            "a.parquet: column \"s\" is nested, and no list of numbers",
        ),
        (
            "message m { required fixed_len_byte_array(16) u; }",
            "a.parquet: column \"u\" has the type raw bytes, which is not read",
        ),
    ] {
        let path = file(&room, schema, 0, plain(), |_| {});
        assert_eq!(message(read(&path)), expected);
        assert!(!hint(read(&path)).is_empty());
    }
}

/// Lists of 32-bit floats with these levels, in a schema of one column.
fn floats(
    room: &Room,
    column: &str,
    levels: (&[i16], &[i16]),
    values: &[f32],
) -> Vec<Option<String>> {
    let schema = format!("message m {{ {column} }}");
    let path = file(room, &schema, 1, plain(), |g| {
        let mut column = g.next_column().unwrap().unwrap();
        let written = column.typed::<FloatType>();
        written
            .write_batch(values, Some(levels.0), Some(levels.1))
            .unwrap();
        column.close().unwrap();
    });
    cells(&read(&path).unwrap(), "l")
}

#[test]
fn lists_are_read_in_the_standard_form_and_in_both_old_ones() {
    let room = Room::new();
    let shown = |lists: &[&str]| -> Vec<Option<String>> {
        lists
            .iter()
            .map(|l| (*l != "-").then(|| (*l).to_owned()))
            .collect()
    };
    // [1, 2], missing, [], [missing, 3]
    let standard = "optional group l (LIST) { repeated group list { optional float element; } }";
    assert_eq!(
        floats(
            &room,
            standard,
            (&[3, 3, 0, 1, 2, 3], &[0, 1, 0, 0, 0, 1]),
            &[1.0, 2.0, 3.0]
        ),
        shown(&["[1.0, 2.0]", "-", "[]", "[NaN, 3.0]"])
    );
    let required = "required group l (LIST) { repeated group array { required float item; } }";
    assert_eq!(
        floats(
            &room,
            required,
            (&[1, 1, 0, 1], &[0, 1, 0, 0]),
            &[1.0, 2.0, 3.0]
        ),
        shown(&["[1.0, 2.0]", "[]", "[3.0]"])
    );
    let two_level = "optional group l (LIST) { repeated float element; }";
    assert_eq!(
        floats(
            &room,
            two_level,
            (&[2, 2, 0, 1, 2], &[0, 1, 0, 0, 0]),
            &[1.0, 2.0, 3.0]
        ),
        shown(&["[1.0, 2.0]", "-", "[]", "[3.0]"])
    );
    let bare = "repeated float l;";
    assert_eq!(
        floats(
            &room,
            bare,
            (&[1, 1, 0, 1], &[0, 1, 0, 0]),
            &[1.0, 2.0, 3.0]
        ),
        shown(&["[1.0, 2.0]", "[]", "[3.0]"])
    );
}

#[test]
fn lists_that_pyarrow_writes_are_read() {
    let data = read(&crate::columnar::arrow::fixture("pyarrow-lists.parquet")).unwrap();
    let some = |list: &str| Some(list.to_owned());
    assert_eq!(
        cells(&data, "list"),
        [some("[1.0, 2.0]"), None, some("[3.0, NaN]")]
    );
    assert_eq!(
        cells(&data, "large"),
        [some("[1.0]"), some("[]"), some("[3.0, 4.0]")]
    );
    assert_eq!(
        cells(&data, "fixed"),
        [some("[1.0, 2.0]"), None, some("[5.0, 6.0]")]
    );
}

#[test]
fn bytes_that_are_not_text_are_refused_with_their_row() {
    let room = Room::new();
    let schema = "message m { required binary b; }";
    let path = file(&room, schema, 1, plain(), |g| {
        let values = [ByteArray::from("ok"), ByteArray::from(vec![0xFF])];
        fill!(g, ByteArrayType, values, None);
    });
    assert_eq!(
        message(read(&path)),
        "a.parquet row 2, column \"b\": a text that is not UTF-8 cannot be used"
    );
}

fn small(room: &Room) -> Vec<u8> {
    let data = table(vec![
        column("a", vec![0.5, 1.5, 2.5]),
        texts("b", &[Some("x"), None, Some("y")]),
    ]);
    let path = room.path("small.parquet");
    let to = Destination::from(&path);
    write_table(&data, &to, None, Overwrite::Replace, &mut Quiet).unwrap();
    std::fs::read(path).unwrap()
}

#[test]
fn wrong_ends_are_refused_by_name() {
    let room = Room::new();
    let good = small(&room);
    let n = good.len();
    let with = |edit: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = good.clone();
        edit(&mut bytes);
        message(read(&room.file("a.parquet", bytes)))
    };
    assert_eq!(with(&|b| b.clear()), "a.parquet is empty");
    assert_eq!(
        with(&|b| b.truncate(8)),
        "a.parquet: the file is not Parquet: it is too short"
    );
    assert_eq!(
        with(&|b| b[0] = b'X'),
        "a.parquet: the file is not Parquet: it does not begin with PAR1"
    );
    assert_eq!(
        with(&|b| b.truncate(n - 1)),
        "a.parquet: the Parquet file is damaged: it does not end with PAR1, so it was cut short"
    );
    assert_eq!(
        with(&|b| b[n - 5] = 0x7F),
        format!(
            "a.parquet: the Parquet file is damaged: its footer is {} bytes, the file {n}",
            u32::from_le_bytes([good[n - 8], good[n - 7], good[n - 6], 0x7F])
        )
    );
    assert_eq!(
        with(&|b| b[n - 1] = b'E'),
        "a.parquet: the file is encrypted Parquet, which is not read"
    );
}

#[test]
fn a_small_file_does_not_become_a_large_table() {
    let room = Room::new();
    let data = table(vec![column("a", vec![1.0; 400_000])]);
    let path = room.path("a.parquet");
    let to = Destination::from(&path);
    write_table(&data, &to, None, Overwrite::Replace, &mut Quiet).unwrap();
    let options = ReadOptions {
        limits: Limits {
            floor: 1_000_000,
            ratio: 10,
            ..Limits::default()
        },
        ..ReadOptions::default()
    };
    let refused = refusal(read_table(&Source::from(&path), &options, &mut Quiet));
    assert_eq!(refused.code(), "limit");
    assert!(read(&path).is_ok());
}

#[test]
fn text_columns_take_the_narrowest_type_that_loses_nothing() {
    let room = Room::new();
    let data = csv("id,n,x,blank\n007,1,1.5,\n008,,2,\n").unwrap();
    let path = room.path("a.parquet");
    let to = Destination::from(&path);
    write_table(&data, &to, None, Overwrite::Refuse, &mut Quiet).unwrap();
    let back = read(&path).unwrap();
    assert_eq!(cells(&back, "id"), some(&["007", "008"]));
    assert_eq!(cells(&back, "n"), [Some("1".to_owned()), None]);
    assert_eq!(cells(&back, "x"), some(&["1.5", "2.0"]));
    assert_eq!(cells(&back, "blank"), some(&["", ""]));
}

fn without(names: &[&str]) -> ReadOptions {
    ReadOptions {
        without: names.iter().map(|n| (*n).to_owned()).collect(),
        ..ReadOptions::default()
    }
}

fn fixed(bytes: Vec<u8>) -> FixedLenByteArray {
    FixedLenByteArray::from(bytes)
}

#[test]
fn narrow_decimals_and_half_floats_are_read_with_a_dictionary_and_without() {
    let room = Room::new();
    let schema = "message m {
        required fixed_len_byte_array(2) d (DECIMAL(3,2));
        required fixed_len_byte_array(9) w (DECIMAL(20,1));
        required binary b (DECIMAL(5,3));
        required fixed_len_byte_array(2) h (FLOAT16);
    }";
    for dictionary in [true, false] {
        let properties = WriterProperties::builder()
            .set_dictionary_enabled(dictionary)
            .build();
        let path = file(&room, schema, 1, properties, |g| {
            let d = [484i16, -1, 0].map(|v| fixed(v.to_be_bytes().to_vec()));
            fill!(g, FixedLenByteArrayType, d, None);
            let w = [1i128 << 66, -10, 5].map(|v| fixed(v.to_be_bytes()[7..].to_vec()));
            fill!(g, FixedLenByteArrayType, w, None);
            let b = [vec![0xFF], vec![0x7F, 0xFF], vec![]].map(ByteArray::from);
            fill!(g, ByteArrayType, b, None);
            let h = [0x3C00u16, 0xC100, 0x0001].map(|v| fixed(v.to_le_bytes().to_vec()));
            fill!(g, FixedLenByteArrayType, h, None);
        });
        let data = read(&path).unwrap();
        assert_eq!(cells(&data, "d"), some(&["4.84", "-0.01", "0.0"]));
        // 2^66 / 10, rounded once.
        assert_eq!(
            cells(&data, "w"),
            some(&["7.378697629483821e18", "-1.0", "0.5"])
        );
        assert_eq!(cells(&data, "b"), some(&["-0.001", "32.767", "0.0"]));
        // The last is the smallest there is, 2^-24.
        assert_eq!(
            cells(&data, "h"),
            some(&["1.0", "-2.5", "5.960464477539063e-8"])
        );
    }
}

#[test]
fn a_table_without_rows_from_pandas_has_a_header_only() {
    let path = fixture("pandas-empty.parquet");
    assert_eq!(refusal(read(&path)).code(), "header-only");
    let options = ReadOptions {
        no_rows: NoRows::Allow,
        ..ReadOptions::default()
    };
    let data = read_table(&Source::from(path), &options, &mut Quiet).unwrap();
    assert_eq!(data.rows(), 0);
    assert!(!data.names().is_empty());
}

#[test]
fn a_codec_that_is_not_read_is_named_and_not_called_damage() {
    let refused = || read(&fixture("pyarrow-brotli.parquet"));
    assert_eq!(
        message(refused()),
        "pyarrow-brotli.parquet: the Parquet file is compressed with Brotli, which is not read"
    );
    assert!(hint(refused()).contains("compression=\"zstd\""));
}

#[test]
fn a_column_that_is_not_wanted_is_left_out_where_it_cannot_be_read() {
    let room = Room::new();
    let schema = "message m {
        required int32 a;
        required group s {
            required int32 x;
            optional group l (LIST) { repeated group list { optional double element; } }
        }
        required int64 u (INTEGER(64,false));
        required binary raw;
        required int64 fine (INTEGER(64,false));
        required int32 z;
    }";
    let path = file(&room, schema, 2, plain(), |g| {
        fill!(g, Int32Type, [1, 2], None);
        fill!(g, Int32Type, [7, 7], None);
        let mut column = g.next_column().unwrap().unwrap();
        let lists = column.typed::<parquet::data_type::DoubleType>();
        lists
            .write_batch(&[0.5], Some(&[3, 0]), Some(&[0, 0]))
            .unwrap();
        column.close().unwrap();
        fill!(g, Int64Type, [1, -1], None);
        let raw = [ByteArray::from("ok"), ByteArray::from(vec![0xFF])];
        fill!(g, ByteArrayType, raw, None);
        fill!(g, Int64Type, [5, 6], None);
        fill!(g, Int32Type, [3, 4], None);
    });
    let source = Source::from(path.clone());
    assert_eq!(
        hint(read(&path)),
        "write each part of it as a column of its own; --exclude s leaves it out"
    );
    let some = read_table(&source, &without(&["s"]), &mut Quiet);
    assert!(hint(some).ends_with("--exclude u leaves it out"));
    let options = without(&["s", "u", "r*", "fine"]);
    let data = read_table(&source, &options, &mut Quiet).unwrap();
    assert_eq!(data.names(), ["a", "fine", "z"]);
    assert_eq!(data.origin().unread, ["s", "u", "raw"]);
    assert_eq!(data.numeric("z").unwrap(), [3.0, 4.0, 3.0, 4.0]);
    // What is excluded need not be there.
    let choice = Features::numeric().except("s").except("u").except("r*");
    assert_eq!(choice.plan(&data).unwrap().names(), ["a", "fine", "z"]);
    // In parts, too.
    let mut parts = Batches::open(&source, &options, &mut Quiet).unwrap();
    assert_eq!(parts.header().names(), ["a", "fine", "z"]);
    assert_eq!(parts.header().origin().unread, ["s", "u", "raw"]);
    parts.choose(&["z".to_owned()]).unwrap();
    let part = parts.next_part(&mut Quiet).unwrap().unwrap();
    assert_eq!(part.numeric("z").unwrap(), [3.0, 4.0, 3.0, 4.0]);
}

#[test]
fn a_column_of_numbers_without_a_value_is_left_out_like_a_blank_one() {
    let room = Room::new();
    let schema = "message m { required int32 a; optional double none; optional int32 late; }";
    let path = file(&room, schema, 1, plain(), |g| {
        fill!(g, Int32Type, [1, 2, 3], None);
        fill!(g, parquet::data_type::DoubleType, [], Some(&[0, 0, 0]));
        fill!(g, Int32Type, [9], Some(&[0, 0, 1]));
    });
    let blank = csv("a,none\n1,\n2,\n").unwrap();
    let expected = Features::automatic().plan(&blank).unwrap();
    let expected = expected.left_out()[0].clone();
    let data = read(&path).unwrap();
    let plan = Features::automatic().plan(&data).unwrap();
    // Two of the three are missing.
    assert_eq!(plan.names(), ["a", "late", "late is missing"]);
    assert_eq!(plan.left_out(), std::slice::from_ref(&expected));
    let mut parts =
        Batches::open(&Source::from(path), &ReadOptions::default(), &mut Quiet).unwrap();
    let plan = parts.plan(&Features::automatic(), &mut Quiet).unwrap();
    assert_eq!(plan.names(), ["a", "late", "late is missing"]);
    assert_eq!(plan.left_out(), [expected]);
}
