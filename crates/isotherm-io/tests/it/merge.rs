//! Labels put back into tables whose columns have types.

use isotherm_io::{
    Cells, Column, Disagreement, Format, Merge, Merged, Nullable, Origin, Table, Unmatched,
    merge_labels,
};

fn table(name: &str, columns: Vec<(&str, Cells)>) -> Table {
    let columns = columns.into_iter().map(|(name, cells)| Column {
        name: name.to_owned(),
        cells,
    });
    Table::new(columns.collect(), Origin::new(name, Format::Parquet)).unwrap()
}

fn how(along: &[String]) -> Merge<'_> {
    Merge {
        label: "y",
        id: None,
        along,
        unmatched: Unmatched::Refuse,
        disagreement: Disagreement::Refuse,
    }
}

fn classes() -> Cells {
    let cells: Nullable<i64> = [Some(4), None, None].into_iter().collect();
    Cells::Integer(cells)
}

#[test]
fn a_column_of_integers_stays_one_while_labels_are_integers() {
    let mut data = table("data", vec![("y", classes())]);
    let row = Cells::from(vec![3_i64]);
    let new = ["7"].into_iter().map(Some).collect();
    let filled = table("filled", vec![("iso_row", row), ("y", new)]);
    let merged = merge_labels(&mut data, &filled, &how(&[])).unwrap();
    assert_eq!(
        merged,
        Merged {
            filled: 1,
            ..Merged::default()
        }
    );
    let expected: Nullable<i64> = [Some(4), None, Some(7)].into_iter().collect();
    assert_eq!(data.column("y").unwrap().cells, Cells::Integer(expected));
}

#[test]
fn a_word_makes_a_column_of_integers_text_and_loses_nothing() {
    let mut data = table("data", vec![("y", classes())]);
    let row = Cells::from(vec![2_i64]);
    let new = ["ten"].into_iter().map(Some).collect();
    let filled = table("filled", vec![("iso_row", row), ("y", new)]);
    merge_labels(&mut data, &filled, &how(&[])).unwrap();
    let labels = data.labels("y").unwrap();
    assert_eq!(labels, [Some("4".to_owned()), Some("ten".to_owned()), None]);
}

#[test]
fn nothing_changes_when_a_label_is_refused() {
    let mut data = table("data", vec![("y", classes())]);
    let before = data.clone();
    let rows = Cells::from(vec![2_i64, 1]);
    let new = ["5", "6"].into_iter().map(Some).collect();
    let filled = table("filled", vec![("iso_row", rows), ("y", new)]);
    let error = merge_labels(&mut data, &filled, &how(&[])).unwrap_err();
    assert!(error.to_string().contains("\"6\", but \"4\""), "{error}");
    assert_eq!(data, before);
}
