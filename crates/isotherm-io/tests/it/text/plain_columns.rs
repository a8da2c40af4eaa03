//! The fast reader of text beside its slow and obvious twin.

use std::path::Path;

use isotherm::monitor::Quiet;
use isotherm_io::csv::{read_csv_by_record, read_csv_in_blocks};
use isotherm_io::{Limits, NoRows, ReadOptions, Result, Table};
use proptest::prelude::*;

fn options() -> ReadOptions {
    ReadOptions {
        no_rows: NoRows::Allow,
        limits: Limits {
            record: 40,
            columns: 6,
            ..Limits::default()
        },
        ..ReadOptions::default()
    }
}

fn fast(text: &[u8], options: &ReadOptions, sizes: (usize, usize)) -> Result<Table> {
    read_csv_in_blocks(text, Path::new("data.csv"), options, sizes, &mut Quiet)
}

fn slow(text: &[u8], options: &ReadOptions) -> Result<Table> {
    read_csv_by_record(text, Path::new("data.csv"), options, &mut Quiet)
}

/// Equal tables with equal lines, or the same refusal word for word.
fn agree(
    text: &[u8],
    options: &ReadOptions,
    sizes: (usize, usize),
) -> std::result::Result<(), TestCaseError> {
    match (fast(text, options, sizes), slow(text, options)) {
        (Ok(fast), Ok(slow)) => prop_assert_eq!(fast, slow),
        (Err(fast), Err(slow)) => {
            prop_assert_eq!(fast.to_string(), slow.to_string());
            prop_assert_eq!(fast.hint(), slow.hint());
        }
        (fast, slow) => prop_assert!(false, "fast {:?}, slow {:?}", fast, slow),
    }
    Ok(())
}

/// A cell as it may stand in a file: plain, quoted, or nearly so.
fn cell() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[a-c0-9é .]{0,6}",
        3 => "\"([a-c,;\n\r]|\"\"){0,5}\"",
        1 => "[a\"]{1,3}",
    ]
}

fn lines() -> impl Strategy<Value = String> {
    let end = prop_oneof![4 => Just("\n"), 2 => Just("\r\n"), 1 => Just("\r"), 1 => Just("\n\n")];
    let line = (prop::collection::vec(cell(), 3), end)
        .prop_map(|(cells, end)| format!("{}{end}", cells.join(",")));
    prop::collection::vec(line, 1..30).prop_map(|lines| lines.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn well_formed_tables_are_read_alike(text in lines(), block in 1usize..200, piece in 1usize..60) {
        let text = format!("x,y,z\n{text}");
        agree(text.as_bytes(), &options(), (block, piece))?;
        agree(text.as_bytes(), &ReadOptions::default(), (block, piece))?;
    }

    #[test]
    fn any_mixture_of_marks_is_read_alike(
        text in "[ab1,;\t\"\n\ré]{0,80}",
        block in 1usize..40,
        piece in 1usize..20,
    ) {
        agree(text.as_bytes(), &options(), (block, piece))?;
        agree(text.as_bytes(), &ReadOptions::default(), (block, piece))?;
    }

    #[test]
    fn damaged_tables_are_refused_alike(
        text in lines(),
        at in any::<prop::sample::Index>(),
        byte in prop::sample::select(&b"\"\0\xFF\r\n,a\xC3"[..]),
        cut in any::<prop::sample::Index>(),
        block in 1usize..100,
    ) {
        let mut text = format!("x,y,z\n{text}").into_bytes();
        let at = at.index(text.len());
        text[at] = byte;
        agree(&text, &options(), (block, 16))?;
        agree(&text, &ReadOptions::default(), (block, 16))?;
        text.truncate(cut.index(text.len()));
        agree(&text, &ReadOptions::default(), (block, 16))?;
    }
}

#[test]
fn the_number_of_threads_does_not_change_the_table() {
    let mut text = String::from("a,b,c\n");
    for n in 0..5000 {
        text += &format!("{n},\"x{n}\ny\",{}.5\n", n % 7);
    }
    let expected = slow(text.as_bytes(), &ReadOptions::default()).unwrap();
    for threads in [1, 2, 7] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let read = || fast(text.as_bytes(), &ReadOptions::default(), (20_000, 999));
        assert_eq!(pool.install(read).unwrap(), expected, "{threads} threads");
    }
}

#[test]
fn an_error_far_inside_names_its_line() {
    let mut text = String::from("a,b\n");
    for n in 0..100_000 {
        text += &format!("{n},{n}\n");
    }
    text += "1,2,3\n";
    let refused = fast(
        text.as_bytes(),
        &ReadOptions::default(),
        (64 << 10, 4 << 10),
    );
    assert_eq!(
        crate::support::message(refused),
        "data.csv line 100002 has 3 cells, expected 2"
    );
}
