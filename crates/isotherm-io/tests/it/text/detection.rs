//! Encoding and decimal mark: what is found, what is told, what is refused.

use isotherm_io::{Cells, Decimal, Encoding, Features, Header, ReadOptions, Table};
use proptest::prelude::*;

use crate::support::{cells, csv, csv_with, hint, message};

fn told(decimal: Decimal) -> ReadOptions {
    ReadOptions {
        decimal: Some(decimal),
        ..ReadOptions::default()
    }
}

fn utf16(text: &str, big: bool) -> Vec<u8> {
    let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
    let bytes = |u: u16| {
        if big {
            u.to_be_bytes()
        } else {
            u.to_le_bytes()
        }
    };
    units.flat_map(bytes).collect()
}

fn decimal(table: &Table) -> Option<Decimal> {
    table.origin().dialect.unwrap().decimal
}

#[test]
fn utf16_with_a_mark_is_read_like_utf8() {
    let text = "name,n\nBöe 🌧,1\r\nčára,2\n";
    let plain = csv(text).unwrap();
    for (big, name) in [(false, "UTF-16LE"), (true, "UTF-16BE")] {
        let table = csv(utf16(text, big)).unwrap();
        assert_eq!(table.columns(), plain.columns());
        assert_eq!(table.origin().lines, plain.origin().lines);
        let dialect = table.origin().dialect.unwrap();
        assert_eq!(
            dialect.to_string(),
            format!("comma, header, {name}, decimal point")
        );
    }
}

#[test]
fn bytes_that_are_not_utf8_are_refused_with_the_flag_that_reads_them() {
    let latin1 = b"name,n\ncaf\xE9,1\n";
    assert_eq!(
        message(csv(latin1)),
        "data.csv line 2: the text is not UTF-8 (byte 0xE9)"
    );
    assert!(hint(csv(latin1)).contains("--encoding latin1"));
    let options = ReadOptions {
        encoding: Encoding::from_name("latin1"),
        ..ReadOptions::default()
    };
    let table = csv_with(latin1, &options).unwrap();
    assert_eq!(cells(&table, "name"), [Some("café".to_owned())]);
    let dialect = table.origin().dialect.unwrap();
    assert_eq!(dialect.encoding.name(), "windows-1252");
    assert_eq!(Encoding::from_name("klingon"), None);
}

#[test]
fn what_an_encoding_cannot_mean_is_refused_with_its_line() {
    let options = ReadOptions {
        encoding: Encoding::from_name("shift_jis"),
        ..ReadOptions::default()
    };
    assert_eq!(
        message(csv_with(b"a,b\r\n1,2\r\n\xFF,3\r\n", &options)),
        "data.csv line 3: the text is not Shift_JIS"
    );
}

#[test]
fn decimal_commas_are_found_and_read() {
    let table = csv("x;y;z\n1,5;2;a\n-0,25;3;b\n7;1e3;c\n").unwrap();
    assert_eq!(decimal(&table), Some(Decimal::Comma));
    let (names, points) = table.features(&Features::numeric()).unwrap();
    assert_eq!(names, ["x", "y"]);
    assert_eq!(*points.row(0), [1.5, 2.0]);
    assert_eq!(*points.row(1), [-0.25, 3.0]);
    assert_eq!(*points.row(2), [7.0, 1000.0]);
}

#[test]
fn the_decimal_mark_is_found_by_the_rule_that_is_stated() {
    for (text, expected) in [
        ("a;b\n1;2\n", None),
        ("a;b\n1.5;2\n", Some(Decimal::Point)),
        ("a;b\n1,5;2\n", Some(Decimal::Comma)),
        ("a\tb\n1,5\t2\n", Some(Decimal::Comma)),
        // More of one than of the other; a tie is a point.
        ("a;b;c\n1,5;2,5;3.5\n", Some(Decimal::Comma)),
        ("a;b\n1,5;3.5\n", Some(Decimal::Point)),
        // Lists and thousands marks are no decimal commas.
        ("a;b\n1,2,3;x\n", None),
        ("a;b\n1.234,5;x\n", None),
        // Where commas separate, a quoted one is not taken for a mark.
        ("a,b\n\"1,5\",2\n", None),
    ] {
        assert_eq!(decimal(&csv(text).unwrap()), expected, "{text:?}");
    }
}

#[test]
fn a_first_row_of_decimal_commas_is_not_a_header() {
    let table = csv("1,5;2,5\n1,7;2,9\n").unwrap();
    assert_eq!(table.origin().dialect.unwrap().header, Header::Absent);
    assert_eq!(table.rows(), 2);
}

#[test]
fn what_is_told_of_the_decimal_mark_wins() {
    let text = "a,b\n\"1,5\",2\n\"2,5\",3\n";
    let table = csv_with(text, &told(Decimal::Comma)).unwrap();
    assert_eq!(table.numeric("a").unwrap(), [1.5, 2.5]);
    let text = "a;b\n1,5;2\n";
    let table = csv_with(text, &told(Decimal::Point)).unwrap();
    assert!(table.numeric("a").is_err());
}

#[test]
fn a_mixture_of_marks_is_refused_with_line_column_and_flag() {
    let table = csv("age;w\n1,5;2,5\n1,7;3\n1.5;4\n").unwrap();
    assert!(table.is_numeric("age").unwrap(), "never left out silently");
    assert_eq!(
        message(table.features(&Features::numeric())),
        "data.csv line 4, column \"age\": \"1.5\" is not a number"
    );
    assert_eq!(
        hint(table.features(&Features::numeric())),
        "read with the delimiter semicolon and a decimal comma, as other numbers have; write one mark throughout"
    );
    let table = csv("age;w\n1.5;2.5\n12,5;3\n").unwrap();
    assert_eq!(
        message(table.numeric("age")),
        "data.csv line 3, column \"age\": \"12,5\" is not a number"
    );
    assert_eq!(
        hint(table.numeric("age")),
        "read with the delimiter semicolon and a decimal point, as other numbers have; write one mark throughout"
    );
    // Where nothing speaks against it, the other mark is the way out.
    let table = csv_with("age;w\n1,5;2\n1,7;3\n", &told(Decimal::Point)).unwrap();
    assert!(hint(table.numeric("age")).ends_with("pass --decimal comma"));
}

#[test]
fn commas_that_may_mark_thousands_are_refused_unless_the_mark_is_told() {
    for text in [
        "price;y\n995;a\n1,000;b\n",
        "price;y\n995;a\n\"1,000\";b\n",
        "price\ty\n-995\ta\n-1,000\tb\n",
    ] {
        let refused = csv(text);
        let said = message(csv(text));
        assert!(said.starts_with("data.csv line 3: \""), "{said}");
        assert!(said.ends_with("may have a decimal comma or a thousands mark"));
        assert!(hint(refused).starts_with("pass --decimal comma if"));
        let told = csv_with(text, &told(Decimal::Comma)).unwrap();
        assert_eq!(told.numeric(&told.names()[0]).unwrap()[1].abs(), 1.0);
    }
    let certain = message(csv("n;y\n1,234,567;a\n"));
    assert_eq!(
        certain,
        "data.csv line 2: \"1,234,567\" has thousands marks"
    );
    // One number that has no three digits after the comma, or a leading zero, decides.
    for decimals in ["1,000;a\n1,5;b\n", "1,000;a\n0,995;b\n"] {
        let table = csv(format!("n;y\n{decimals}")).unwrap();
        assert_eq!(decimal(&table), Some(Decimal::Comma), "{decimals}");
    }
    // So does a number with a point: then the commas are refused by their cell.
    let table = csv("n;m;y\n14,211;3.014;a\n8,454;0.1;b\n").unwrap();
    assert_eq!(decimal(&table), Some(Decimal::Point));
    let way_out = "numbers have no thousands marks: write it without";
    assert_eq!(hint(table.numeric("n")), way_out);
    // In a table that commas separate, no flag is advised.
    let table = csv("n,y\n995,a\n\"1,000\",b\n998,c\n").unwrap();
    assert_eq!(hint(table.numeric("n")), way_out);
    let table = csv("n,y\n\"1,234,567\",a\n\"2,345,678\",b\n").unwrap();
    assert!(table.is_numeric("n").unwrap(), "never left out silently");
    assert_eq!(hint(table.numeric("n")), way_out);
}

#[test]
fn a_first_line_that_tells_the_delimiter_is_read_as_such() {
    for end in ["\n", "\r\n"] {
        let text = format!("sep=;{end}a;b{end}1,5;x,y{end}2,5;z{end}bad;w{end}");
        let table = csv(&text).unwrap();
        assert_eq!(table.names(), ["a", "b"]);
        assert_eq!(cells(&table, "b")[0], Some("x,y".into()));
        let said = message(table.numeric("a"));
        assert_eq!(
            said,
            "data.csv line 5, column \"a\": \"bad\" is not a number"
        );
    }
    // A column may be called that.
    assert_eq!(csv("sep=1;b\nx;y\n").unwrap().names(), ["sep=1", "b"]);
}

#[test]
fn a_column_that_another_way_of_reading_would_have_is_told_with_its_flag() {
    let no_header = csv("id,2019,y\n1,2,a\n").unwrap();
    assert_eq!(
        hint(no_header.column("y")),
        "the first row has it, but was not read as a header; pass --header yes"
    );
    let split = csv("te;xt,a,y\nx;1,2,u\nx;3,4,v\n").unwrap();
    assert!(hint(split.column("y")).ends_with("pass --delimiter comma"));
    let spaces = csv("a b y\n1 2 u\n").unwrap();
    assert!(hint(spaces.column("y")).starts_with("white space does not separate"));
    let plain = csv("a,label\n1,u\n").unwrap();
    assert_eq!(hint(plain.column("lable")), "did you mean \"label\"?");
}

#[test]
fn columns_of_decimal_commas_become_numbers_and_others_stay_texts() {
    let text = "a;n;mixed;word;none\n1,50;7;1,5;tea;\n;8;x;milk;\nNA;9;2,5;tea;\n";
    let table = csv(text).unwrap().numbers_from_commas();
    let number = |name: &str| matches!(table.column(name).unwrap().cells, Cells::Float(_));
    assert!(number("a"));
    for text in ["n", "mixed", "word", "none"] {
        assert!(!number(text), "{text}");
    }
    assert_eq!(cells(&table, "a"), [Some("1.5".into()), None, None]);
    assert_eq!(table.values("n").unwrap()[0], Some(7.0));
    let point = csv("a;b\n1.50;x\n").unwrap();
    assert_eq!(point.clone().numbers_from_commas(), point);
}

#[test]
fn labels_with_decimal_commas_can_be_spelled_with_points() {
    let table = csv("x;y\n1,5;2,5\n1,7;\n1,9;3\n").unwrap();
    let spelled = table.pointed_labels("y").unwrap().unwrap();
    assert_eq!(spelled, [Some("2.5".into()), None, Some("3".into())]);
    let words = csv("x;y\n1,5;a\n1,7;\n").unwrap();
    assert_eq!(words.pointed_labels("y").unwrap(), None);
    let points = csv("x;y\n1.5;2.5\n").unwrap();
    assert_eq!(points.pointed_labels("y").unwrap(), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// The twin of a decimal comma is the same number with a point.
    #[test]
    fn a_number_is_the_same_with_either_mark(values in prop::collection::vec(-1e6..1e6f64, 1..20)) {
        let text = |mark: &str| {
            let cells: Vec<String> = values.iter().map(|v| format!("{v:?};\n")).collect();
            format!("a;b\n{}", cells.concat().replace('.', mark))
        };
        let a = csv_with(text("."), &told(Decimal::Point)).unwrap();
        let b = csv_with(text(","), &told(Decimal::Comma)).unwrap();
        prop_assert_eq!(a.numeric("a").unwrap(), values.clone());
        prop_assert_eq!(b.numeric("a").unwrap(), values);
    }

    /// Whether a text is a number is decided alike with its value and without.
    #[test]
    fn a_column_is_numeric_when_its_cell_is_a_number(cell in "[-+]?[0-9.eE,naif ]{0,6}") {
        let options = ReadOptions {
            header: Some(Header::Present),
            delimiter: Some(isotherm_io::Delimiter::Semicolon),
            ..told(Decimal::Point)
        };
        let table = csv_with(format!("a;b\n{cell};x\n"), &options).unwrap();
        let plain = cell.trim().parse::<f64>();
        let comma = cell.trim().replace(',', ".").parse::<f64>();
        let one = cell.matches(',').count() == 1 && !cell.contains('.');
        let expected = plain.is_ok_and(|v| !v.is_nan()) || one && comma.is_ok();
        prop_assert_eq!(table.is_numeric("a").unwrap(), expected, "{:?}", cell);
    }
}
