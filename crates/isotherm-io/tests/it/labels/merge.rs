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
        unlabelled: &[],
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

#[test]
fn cells_that_mean_no_label_are_filled_and_not_contradicted() {
    let old = ["-1", "tea", "?"].into_iter().map(Some).collect();
    let mut data = table("data", vec![("y", old)]);
    let row = Cells::from(vec![1_i64, 3]);
    let new = ["milk", "-1"].into_iter().map(Some).collect();
    let filled = table("filled", vec![("iso_row", row), ("y", new)]);
    let marks = ["-1".to_owned(), "?".to_owned()];
    let how = Merge {
        unlabelled: &marks,
        ..how(&[])
    };
    let merged = merge_labels(&mut data, &filled, &how).unwrap();
    assert_eq!((merged.filled, merged.blank), (1, 1));
    let labels: Vec<_> = data.labels("y").unwrap().into_iter().flatten().collect();
    assert_eq!(labels, ["milk", "tea", "?"]);
}

#[test]
fn cells_with_decimal_commas_agree_with_those_that_a_spreadsheet_shortened() {
    let read = |text: &str| {
        let options = isotherm_io::ReadOptions::default();
        let path = std::path::Path::new("t.csv");
        let quiet = &mut isotherm::monitor::Quiet;
        isotherm_io::csv::read_csv(text.as_bytes(), path, None, &options, quiet).unwrap()
    };
    let data = "a;y\n1,50;\n2,5;tea\n";
    let mut texts = read(data);
    let filled = read("iso_row;a;y\n1;1,5;milk\n");
    let merged = merge_labels(&mut texts, &filled, &how(&[])).unwrap();
    assert_eq!(merged.filled, 1);
    let pointed = read("iso_row,a,y\n1,1.5,milk\n");
    let mut numbers = read(data).numbers_from_commas();
    assert_eq!(
        merge_labels(&mut numbers, &pointed, &how(&[]))
            .unwrap()
            .filled,
        1
    );
    let other = read("iso_row;a;y\n1;1,6;milk\n");
    assert!(merge_labels(&mut read(data), &other, &how(&[])).is_err());
}
