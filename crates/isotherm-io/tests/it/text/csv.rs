//! Text tables: what is read, what is refused and with which words.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use isotherm::monitor::{Event, Quiet};
use isotherm_io::csv::read_csv;
use isotherm_io::{Delimiter, Dialect, Error, Header, Limits, NoRows, Place, ReadOptions, Table};
use proptest::prelude::*;

use crate::support::{cells, csv, csv_with, hint, message, refusal};

fn dialect(table: &Table) -> Dialect {
    table.origin().dialect.unwrap()
}

fn some(cells: &[&str]) -> Vec<Option<String>> {
    cells.iter().map(|c| Some((*c).to_owned())).collect()
}

#[test]
fn a_plain_table_is_read_and_its_dialect_is_told() {
    let table = csv("age,name\n12,ann\n13,bob\n").unwrap();
    assert_eq!(table.rows(), 2);
    assert_eq!(table.names(), ["age", "name"]);
    assert_eq!(cells(&table, "name"), some(&["ann", "bob"]));
    assert_eq!(
        dialect(&table).to_string(),
        "comma, header, UTF-8, decimal point"
    );
}

#[test]
fn every_delimiter_is_found() {
    for (text, expected) in [
        ("a,b\n1,2\n", Delimiter::Comma),
        ("a;b\n1,5;2\n", Delimiter::Semicolon),
        ("1,5;2,5\n1,7;2,9\n", Delimiter::Semicolon),
        ("a\tb c\n1\t2, 3\n", Delimiter::Tab),
        ("a|b\n1|2\n", Delimiter::Bar),
        ("a\n1\n", Delimiter::Comma),
        ("a,b\n\"x;y\",2\n\"z\",3\n", Delimiter::Comma),
    ] {
        assert_eq!(dialect(&csv(text).unwrap()).delimiter, expected, "{text:?}");
    }
}

#[test]
fn a_first_row_with_a_number_is_not_a_header() {
    let table = csv("1,a\n2,b\n").unwrap();
    assert_eq!(dialect(&table).header, Header::Absent);
    assert_eq!(table.names(), ["column_1", "column_2"]);
    assert_eq!(table.rows(), 2);
    assert_eq!(
        dialect(&csv("NA,K\n1,2\n").unwrap()).header,
        Header::Present
    );
}

#[test]
fn what_is_told_wins_over_what_is_found() {
    let options = ReadOptions {
        delimiter: Some(Delimiter::Comma),
        header: Some(Header::Absent),
        ..ReadOptions::default()
    };
    let table = csv_with("a;b,c\nd,e\n", &options).unwrap();
    assert_eq!(cells(&table, "column_1"), some(&["a;b", "d"]));
}

#[test]
fn byte_order_mark_line_ends_and_a_missing_last_line_end_do_not_matter() {
    let plain = csv("a,b\n1,x\n2,y\n").unwrap();
    for text in [
        "\u{feff}a,b\n1,x\n2,y\n",
        "a,b\r\n1,x\r\n2,y\r\n",
        "a,b\r1,x\r2,y\r",
        "a,b\n1,x\n2,y",
        "a,b\r\n1,x\r\n2,y",
    ] {
        let table = csv(text).unwrap();
        assert_eq!(table.columns(), plain.columns(), "{text:?}");
        assert_eq!(table.origin().place(1), Place::Line(3), "{text:?}");
    }
}

#[test]
fn quoted_cells_hold_delimiters_quotes_and_line_breaks() {
    let table = csv("a,b\n\"x,\"\"y\"\"\r\nz\",1\n\n,2\n\"\",3\n").unwrap();
    assert_eq!(cells(&table, "a"), some(&["x,\"y\"\r\nz", "", ""]));
    let lines: Vec<Place> = (0..3).map(|row| table.origin().place(row)).collect();
    assert_eq!(lines, [Place::Line(2), Place::Line(5), Place::Line(6)]);
}

#[test]
fn a_bad_number_is_named_with_its_line_and_column() {
    let table = csv("age;name\n12;\"a\nb\"\n12 years;c\n").unwrap();
    assert_eq!(
        message(table.numeric("age")),
        "data.csv line 4, column \"age\": \"12 years\" is not a number"
    );
    assert_eq!(
        hint(table.numeric("age")),
        "correct the cell or remove the row"
    );
}

#[test]
fn degenerate_files_are_refused_by_name() {
    for (bytes, expected) in [
        (&b""[..], "data.csv is empty"),
        (b"\n\n\r\n", "data.csv is empty"),
        (b"\xEF\xBB\xBF", "data.csv is empty"),
        (b"a,b\n", "data.csv has a header with 2 columns and no rows"),
        (b"a,b", "data.csv has a header with 2 columns and no rows"),
        (b"a,b\n1,2\n3\n", "data.csv line 3 has 1 cell, expected 2"),
        (
            b"a,b\n1,2\n3,4,5\n",
            "data.csv line 3 has 3 cells, expected 2",
        ),
        (
            b"a,b,a\n1,2,3\n",
            "data.csv: columns 1 and 3 are both named \"a\"",
        ),
        (b",b\n1,2\n", "data.csv: column 1 has no name"),
        (
            b"\xFF\xFEa\0\n\0\x00\xD8a\0",
            "data.csv line 2: the text is not UTF-16LE",
        ),
        (
            b"\xFE\xFF\0a\0",
            "data.csv line 1: the text is not UTF-16BE",
        ),
        (
            b"a,b\n1,\0\n",
            "data.csv line 2: there is a NUL byte, so this is not a text file in UTF-8",
        ),
        (
            b"a,b\n1,caf\xE9\n",
            "data.csv line 2: the text is not UTF-8 (byte 0xE9)",
        ),
        // Two halves of one letter in two cells are not a letter.
        (
            b"a,b\n\xC3,\xA9\n",
            "data.csv line 2: the text is not UTF-8",
        ),
        (
            b"a,b\n1,2\n\"3,4\n5,6\n",
            "data.csv line 3: a quote is opened and never closed",
        ),
        (
            b"a,b\n\"x\"y,2\n",
            "data.csv line 2: text follows a closing quote",
        ),
        (b"\x1F\x8B\x08", "data.csv: the gzip stream ends too early"),
        (b"PAR1....", "data.csv: the file is Parquet, not text"),
        (
            b"\x93NUMPY",
            "data.csv: the file is a numpy array, not text",
        ),
    ] {
        assert_eq!(message(csv(bytes)), expected);
        assert!(!hint(csv(bytes)).is_empty(), "{expected}");
    }
}

#[test]
fn header_only_is_a_table_when_rows_may_be_missing() {
    let options = ReadOptions {
        no_rows: NoRows::Allow,
        ..ReadOptions::default()
    };
    let table = csv_with("a,b\n", &options).unwrap();
    assert_eq!((table.rows(), table.columns().len()), (0, 2));
}

#[test]
fn limits_are_refused_by_name() {
    let limits = Limits {
        record: 100_000,
        columns: 10,
        ..Limits::default()
    };
    let options = ReadOptions {
        limits,
        ..ReadOptions::default()
    };
    let wide = format!("a{}\n", ",b".repeat(10));
    assert_eq!(
        message(csv_with(wide, &options)),
        "data.csv line 1: the number of columns is 11, the limit is 10"
    );
    let long = format!("a,b\n1,{}\n", "x".repeat(200_000));
    let refused = refusal(csv_with(long, &options));
    assert_eq!(
        (refused.code(), refused.place()),
        ("limit", Some(Place::Line(2)))
    );
    // A quote that is never closed stops at the limit, not at the file's end.
    let open = std::io::Read::chain(&b"a,b\n\"1,"[..], std::io::repeat(b'x'));
    let refused = read_csv(open, Path::new("data.csv"), None, &options, &mut Quiet);
    assert_eq!(refusal(refused).code(), "limit");
}

#[test]
fn a_hundred_thousand_columns_are_read() {
    let width = 100_000;
    let header: Vec<String> = (0..width).map(|n| format!("c{n}")).collect();
    let text = format!("{}\n{}\n", header.join(","), vec!["1"; width].join(","));
    assert_eq!(csv(text).unwrap().columns().len(), width);
}

#[test]
fn cancelling_stops_an_endless_read_within_a_mebibyte() {
    struct Endless<'a>(&'a AtomicU64);
    impl std::io::Read for Endless<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let n = buffer.len().min(4000) / 4 * 4;
            for piece in buffer[..n].chunks_exact_mut(4) {
                piece.copy_from_slice(b"1,2\n");
            }
            self.0.fetch_add(n as u64, Ordering::Relaxed);
            Ok(n)
        }
    }
    let read = AtomicU64::new(0);
    let mut cancelled_at = None;
    let mut monitor = |event: Event| {
        if matches!(event, Event::Step { done } if done > 0) {
            cancelled_at.get_or_insert(read.load(Ordering::Relaxed));
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    let options = ReadOptions::default();
    let stopped = read_csv(Endless(&read), Path::new("-"), None, &options, &mut monitor);
    assert!(matches!(refusal(stopped), Error::Cancelled { .. }));
    let after = read.into_inner() - cancelled_at.unwrap();
    assert!(after <= 1 << 20, "{after} bytes");
}

#[test]
fn progress_reports_bytes_and_reaches_the_end() {
    let mut last = 0;
    let mut monitor = |event: Event| {
        if let Event::Step { done } = event {
            assert!(done >= last);
            last = done;
        }
        ControlFlow::Continue(())
    };
    let text = b"a,b\n1,2\n";
    let options = ReadOptions::default();
    read_csv(&text[..], Path::new("d"), Some(8), &options, &mut monitor).unwrap();
    assert_eq!(last, 8);
}

#[test]
fn messages_hide_control_characters_of_the_data() {
    let table = csv("a,b\n\u{1b}[31mred\u{202e},2\n").unwrap();
    let message = message(table.numeric("a"));
    assert!(
        !message.contains('\u{1b}') && !message.contains('\u{202e}'),
        "{message}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// The `csv` crate is the twin: what it writes, both read alike.
    #[test]
    fn any_cells_survive_quoting(
        rows in prop::collection::vec(prop::collection::vec("[ -~\\n\\r\\té☃]{0,8}", 3), 1..8)
    ) {
        let mut writer = ::csv::Writer::from_writer(Vec::new());
        writer.write_record(["a", "b", "c"]).unwrap();
        for row in &rows {
            writer.write_record(row).unwrap();
        }
        let text = writer.into_inner().unwrap();
        let options = ReadOptions {
            delimiter: Some(Delimiter::Comma),
            header: Some(Header::Present),
            ..ReadOptions::default()
        };
        let table = csv_with(&text, &options).unwrap();
        let mut twin = ::csv::Reader::from_reader(&text[..]);
        for (at, record) in twin.records().enumerate() {
            let record = record.unwrap();
            for (name, cell) in ["a", "b", "c"].iter().zip(record.iter()) {
                let cells = cells(&table, name);
                // The twin does not know of guarded cells.
                let cell = isotherm_io::formulas::unguard(cell);
                prop_assert_eq!(cells[at].as_deref(), Some(cell));
            }
        }
        prop_assert_eq!(table.rows(), rows.len());
    }

    /// Whatever the buffer's boundaries cut, the table is the same.
    #[test]
    fn reading_in_small_pieces_changes_nothing(text in "[a,\"\\n\\r1]{0,60}", step in 1usize..5) {
        struct Drip<'a>(&'a [u8], usize);
        impl std::io::Read for Drip<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                let n = self.1.min(buffer.len()).min(self.0.len());
                buffer[..n].copy_from_slice(&self.0[..n]);
                self.0 = &self.0[n..];
                Ok(n)
            }
        }
        let whole = csv(&text);
        let drip = read_csv(
            Drip(text.as_bytes(), step),
            Path::new("data.csv"),
            None,
            &ReadOptions::default(),
            &mut Quiet,
        );
        match (whole, drip) {
            (Ok(a), Ok(b)) => prop_assert_eq!(a, b),
            (a, b) => prop_assert_eq!(a.unwrap_err().to_string(), b.unwrap_err().to_string()),
        }
    }
}
