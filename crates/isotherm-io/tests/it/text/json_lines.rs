//! JSON lines: types, missing keys, and what is refused with its line.

use std::path::Path;

use isotherm::monitor::Quiet;
use isotherm_io::json_lines::read_json_lines;
use isotherm_io::{Cells, Limits, Place, ReadOptions, Result, Table};
use proptest::prelude::*;

use crate::support::{cells, hint, message, refusal};

fn json(text: impl AsRef<[u8]>) -> Result<Table> {
    json_with(text, &ReadOptions::default())
}

fn json_with(text: impl AsRef<[u8]>, options: &ReadOptions) -> Result<Table> {
    let path = Path::new("data.jsonl");
    read_json_lines(text.as_ref(), path, None, options, &mut Quiet)
}

fn of(texts: &[&str]) -> Vec<Option<String>> {
    let cell = |t: &&str| (*t != "-").then(|| (*t).to_owned());
    texts.iter().map(cell).collect()
}

#[test]
fn keys_are_columns_in_the_order_of_their_first_appearance() {
    let data =
        json("{\"b\":1,\"a\":\"x\"}\n\n{\"c\":true,\"a\":null}\r\n{\"a\":\"\",\"b\":2}").unwrap();
    assert_eq!(data.names(), ["b", "a", "c"]);
    assert_eq!(cells(&data, "b"), of(&["1", "-", "2"]));
    assert_eq!(cells(&data, "a"), of(&["x", "-", ""]));
    assert_eq!(cells(&data, "c"), of(&["-", "true", "-"]));
    assert_eq!(data.origin().place(1), Place::Line(3));
}

#[test]
fn integers_stay_integers_until_a_float_comes() {
    let data = json("{\"n\":1,\"m\":1}\n{\"n\":9007199254740993,\"m\":0.5}\n{\"n\":-2,\"m\":2}\n");
    let data = data.unwrap();
    assert!(matches!(data.column("n").unwrap().cells, Cells::Integer(_)));
    assert_eq!(cells(&data, "n"), of(&["1", "9007199254740993", "-2"]));
    assert!(matches!(data.column("m").unwrap().cells, Cells::Float(_)));
    assert_eq!(cells(&data, "m"), of(&["1.0", "0.5", "2.0"]));
}

#[test]
fn numbers_beside_texts_are_texts_and_arrays_are_lists() {
    let data =
        json("{\"y\":3,\"e\":[1,2.5]}\n{\"y\":\"a\"}\n{\"y\":0.5,\"e\":[null,-1]}\n").unwrap();
    assert_eq!(cells(&data, "y"), of(&["3", "a", "0.5"]));
    assert_eq!(cells(&data, "e"), of(&["[1.0, 2.5]", "-", "[NaN, -1.0]"]));
}

#[test]
fn every_refusal_names_its_line() {
    for (text, expected) in [
        (
            "{\"a\":1}\n{\"a\":{\"b\":1}}\n",
            "data.jsonl line 2: the key \"a\" holds an object, and columns hold none",
        ),
        (
            "{\"a\":[1,\"x\"]}",
            "data.jsonl line 1: the key \"a\" holds an array with the text \"x\", and lists hold numbers",
        ),
        (
            "{\"a\":[[1]]}",
            "data.jsonl line 1: the key \"a\" holds an array with another array, and lists hold numbers",
        ),
        (
            "{\"a\":true}\n{\"a\":1}\n",
            "data.jsonl line 2: the key \"a\" is a number here and a truth value on earlier lines",
        ),
        (
            "{\"a\":1}\n{\"a\":[1]}\n",
            "data.jsonl line 2: the key \"a\" is an array here and a number on earlier lines",
        ),
        (
            "{\"a\":1,\"b\":2,\"a\":3}",
            "data.jsonl line 1: the key \"a\" stands twice",
        ),
        (
            "{\"a\":1}\n{\"a\" 1}\n",
            "data.jsonl line 2: not JSON: expected `:` at character 6",
        ),
        (
            "{\"a\":1} {\"a\":2}",
            "data.jsonl line 1: not JSON: trailing characters at character 9",
        ),
        ("{}\n\n{}\n", "data.jsonl: no line has a key"),
        ("", "data.jsonl is empty"),
    ] {
        assert_eq!(message(json(text)), expected, "{text}");
    }
    let array = || json("[{\"a\":1}]");
    assert!(message(array()).starts_with("data.jsonl line 1: invalid type"));
    assert!(hint(array()).contains("a line of its own"));
}

#[test]
fn a_line_that_does_not_end_and_keys_without_end_are_refused() {
    let options = ReadOptions {
        limits: Limits {
            record: 100,
            floor: 4096,
            ratio: 2,
            ..Limits::default()
        },
        ..ReadOptions::default()
    };
    let long = format!("{{\"a\":\"{}\"}}", "x".repeat(1000));
    assert_eq!(refusal(json_with(long, &options)).code(), "limit");
    let keys: String = (0..200).map(|n| format!("{{\"k{n}\":1}}\n")).collect();
    let refused = refusal(json_with(keys, &options));
    assert!(
        refused
            .to_string()
            .contains("a cell for every key on every line"),
        "{refused}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_line_reads_as_serde_reads_it(
        rows in prop::collection::vec(
            (any::<Option<i64>>(), prop::option::of(-1e300..1e300f64), ".{0,8}"), 1..12)
    ) {
        let mut text = String::new();
        for (i, f, s) in &rows {
            let value = serde_json::json!({"i": i, "f": f, "s": s});
            text.push_str(&format!("{value}\n"));
        }
        let data = json(&text).unwrap();
        let shown = |v: Option<f64>| v.map(|v| format!("{v:?}"));
        if rows.iter().any(|r| r.0.is_some()) {
            let expected: Vec<_> = rows.iter().map(|r| r.0.map(|v| v.to_string())).collect();
            prop_assert_eq!(cells(&data, "i"), expected);
        }
        if rows.iter().any(|r| r.1.is_some()) {
            let expected: Vec<_> = rows.iter().map(|r| shown(r.1)).collect();
            prop_assert_eq!(cells(&data, "f"), expected);
        }
        let expected: Vec<_> = rows.iter().map(|r| Some(r.2.clone())).collect();
        prop_assert_eq!(cells(&data, "s"), expected);
    }
}

#[test]
fn integers_that_no_float_holds_keep_their_column_text() {
    let long = "123456789012345678901234567890";
    let text = format!(
        "{{\"id\":9223372036854775809,\"s\":\"1:{long}\",\"n\":{long},\"m\":9007199254740993}}\n\
         {{\"id\":7,\"s\":\"\",\"n\":-{long},\"m\":0.5}}\n\
         {{\"id\":9223372036854775810,\"s\":\"\\\"\",\"n\":null,\"m\":2}}\n"
    );
    let data = json(&text).unwrap();
    assert_eq!(
        cells(&data, "id"),
        of(&["9223372036854775809", "7", "9223372036854775810"])
    );
    assert_eq!(cells(&data, "n"), of(&[long, &format!("-{long}"), "-"]));
    assert_eq!(cells(&data, "m"), of(&["9007199254740993", "0.5", "2"]));
    // Exact ones are numbers.
    let data = json("{\"a\":10000000000000000000}\n{\"a\":1}\n").unwrap();
    assert_eq!(cells(&data, "a"), of(&["1e19", "1.0"]));
    let data = json("{\"a\":9223372036854775807}\n").unwrap();
    assert!(matches!(data.column("a").unwrap().cells, Cells::Integer(_)));
}

#[test]
fn a_column_of_long_ids_is_no_numeric_feature() {
    let text: String = (0..30)
        .map(|n| format!("{{\"id\":92233720368547758{n},\"x\":{n}}}\n"))
        .map(|line| line.replace("\"id\":92233720368547758", "\"id\":922337203685477582"))
        .collect();
    let data = json(&text).unwrap();
    let plan = isotherm_io::Features::automatic().plan(&data).unwrap();
    assert_eq!(plan.names(), ["x"]);
    assert_eq!(plan.left_out()[0].column, "id");
}

#[test]
fn a_key_that_is_not_wanted_is_left_out_where_it_cannot_be_read() {
    let text = "{\"o\":1,\"t\":[1,\"x\"],\"a\":1,\"f\":2}\n{\"a\":2,\"o\":{\"p\":[{}]},\"f\":3}\n\
                {\"o\":2,\"a\":3,\"t\":null}\n";
    assert_eq!(
        hint(json(text)),
        "correct the line; --exclude t leaves it out"
    );
    let options = ReadOptions {
        without: vec!["o".into(), "t".into(), "f".into()],
        ..ReadOptions::default()
    };
    let data = json_with(text, &options).unwrap();
    assert_eq!(data.names(), ["a", "f"]);
    assert_eq!(cells(&data, "a"), of(&["1", "2", "3"]));
    assert_eq!(cells(&data, "f"), of(&["2", "3", "-"]));
    assert_eq!(data.origin().unread, ["o", "t"]);
}

#[test]
fn what_is_wrong_with_a_line_is_said_and_where() {
    let nan = || json("{\"s\":\"NaN\",\"a\":NaN}\n");
    assert_eq!(
        message(nan()),
        "data.jsonl line 1: not JSON: the word NaN at character 16"
    );
    assert!(hint(nan()).starts_with("write null"));
    let cut = || json("{\"a\":1}\n{\"a\":\"\u{fc}\n");
    assert_eq!(
        message(cut()),
        "data.jsonl line 2: not JSON: the line ends inside a string, after 7 characters"
    );
    assert!(hint(cut()).contains("cut short"));
    let latin = || json(b"{\"a\":\"caf\xE9\"}\n");
    assert_eq!(
        message(latin()),
        "data.jsonl line 1: the text is not UTF-8 (byte 0xE9)"
    );
    assert!(hint(latin()).contains("--encoding latin1"));
    let room = crate::support::Room::new();
    let path = room.file("a.jsonl", b"{\"a\":\"caf\xE9\"}\n");
    let options = ReadOptions {
        encoding: isotherm_io::Encoding::from_name("latin1"),
        ..ReadOptions::default()
    };
    let data = isotherm_io::read_table(&path.into(), &options, &mut Quiet).unwrap();
    assert_eq!(cells(&data, "a"), of(&["caf\u{e9}"]));
}
