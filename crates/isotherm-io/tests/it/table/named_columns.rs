//! Columns as numbers, labels and points.

use isotherm_io::{Cells, Column, Features, Format, Nullable, Origin, Table};

use crate::support::{column, csv, hint, message, refusal, table, texts};

#[test]
fn a_missing_column_is_named_with_the_closest_one() {
    let data = csv("age,Height,label\n1,2,x\n").unwrap();
    let refused = data.column("height").map(|_| ());
    assert_eq!(message(refused), "data.csv: there is no column \"height\"");
    assert_eq!(
        hint(data.column("height").map(|_| ())),
        "did you mean \"Height\"?"
    );
    assert_eq!(
        hint(data.column("labl").map(|_| ())),
        "did you mean \"label\"?"
    );
    assert_eq!(
        hint(data.column("zzzzzz").map(|_| ())),
        "the columns are age, Height, label"
    );
}

#[test]
fn labels_are_missing_exactly_for_the_documented_texts() {
    let cells = [
        "cat", "", "  ", "NA", "NaN", "nan", "null", "None", " NA ", "na", "NULL", "none", "?",
        "-1", " cat",
    ];
    let given: Vec<Option<&str>> = cells.iter().map(|c| Some(*c)).collect();
    let data = table(vec![texts("y", &given)]);
    let labels = data.labels("y").unwrap();
    let known: Vec<&str> = labels.iter().flatten().map(String::as_str).collect();
    assert_eq!(known, ["cat", "na", "NULL", "none", "?", "-1", "cat"]);
}

#[test]
fn labels_from_numbers_read_like_people_write_them() {
    let floats: Nullable<f64> = [Some(1.0), Some(f64::NAN), None, Some(-0.0), Some(0.5)]
        .into_iter()
        .collect();
    let data = table(vec![column("y", Cells::Float(floats))]);
    let labels = data.labels("y").unwrap();
    let expected = [Some("1"), None, None, Some("0"), Some("0.5")];
    assert_eq!(
        labels.iter().map(Option::as_deref).collect::<Vec<_>>(),
        expected
    );
}

#[test]
fn values_for_regression_may_be_missing_but_not_wrong() {
    let data = csv("y,z\n1.5,a\n,b\nNA,c\n").unwrap();
    assert_eq!(data.values("y").unwrap(), [Some(1.5), None, None]);
    assert_eq!(
        message(data.values("z")),
        "data.csv line 2, column \"z\": \"a\" is not a number"
    );
}

#[test]
fn a_column_with_one_typing_mistake_is_still_numeric_and_refused_by_name() {
    let data = csv("age,name\n1,a\n2,b\nx,c\n").unwrap();
    assert!(data.is_numeric("age").unwrap());
    assert!(!data.is_numeric("name").unwrap());
    assert_eq!(
        message(data.features(&Features::numeric())),
        "data.csv line 4, column \"age\": \"x\" is not a number"
    );
}

#[test]
fn blank_missing_and_infinite_cells_of_a_feature_are_refused_in_their_own_words() {
    for (cell, expected) in [
        ("", "the cell is blank"),
        (" ", "the cell is blank"),
        ("NA", "\"NA\" means a missing value"),
        ("inf", "\"inf\" is not a usable number"),
        ("1e400", "\"1e400\" is not a usable number"),
        ("1e200", "\"1e200\" is not a usable number"),
        ("1.2.3", "\"1.2.3\" is not a number"),
        ("0x10", "\"0x10\" is not a number"),
    ] {
        let data = csv(format!("a,b\n1,2\n{cell},3\n4,4\n")).unwrap();
        let refused = refusal(data.numeric("a"));
        assert_eq!(
            refused.to_string(),
            format!("data.csv line 3, column \"a\": {expected}")
        );
        assert_eq!(refused.code(), "cell");
        assert_eq!(refused.column(), Some("a"));
    }
}

#[test]
fn numbers_are_read_as_written() {
    let data = csv("a,b\n 1.5 ,x\n-.5,x\n+2e-3,x\n5.,x\n").unwrap();
    assert_eq!(data.numeric("a").unwrap(), [1.5, -0.5, 2e-3, 5.0]);
}

#[test]
fn points_are_row_major_in_the_chosen_order() {
    let data = csv("a,b,y\n1,2,u\n3,4,v\n").unwrap();
    let (names, points) = data.features(&Features::named(["b", "a"])).unwrap();
    assert_eq!(names, ["b", "a"]);
    assert_eq!(points.contiguous().unwrap(), [2.0, 1.0, 4.0, 3.0]);
}

#[test]
fn added_columns_must_fit_and_have_a_new_name() {
    let mut data = csv("a\n1\n2\n").unwrap();
    data.push_column(column("iso_label", vec![1.0, 2.0]))
        .unwrap();
    assert_eq!(
        message(data.push_column(column("a", vec![1.0, 2.0]))),
        "data.csv: columns 1 and 3 are both named \"a\""
    );
    assert_eq!(
        message(data.push_column(column("c", vec![1.0]))),
        "cells of a column: expected 2, got 1"
    );
    assert_eq!(data.columns().len(), 2);
}

#[test]
fn named_rows_are_added_blank_but_for_their_name() {
    let mut table = Table::new(
        vec![
            Column {
                name: "node".into(),
                cells: Cells::Integer(Nullable::full(vec![7])),
            },
            Column {
                name: "w".into(),
                cells: Cells::Float(Nullable::full(vec![0.5])),
            },
        ],
        Origin::new("n.parquet", Format::Parquet),
    )
    .unwrap();
    table
        .append_named("node", &["8".into(), "9".into()])
        .unwrap();
    assert_eq!(table.rows(), 3);
    assert_eq!(
        table.labels("node").unwrap()[1..],
        [Some("8".into()), Some("9".into())]
    );
    assert_eq!(table.values("w").unwrap(), [Some(0.5), None, None]);
    let error = table.append_named("node", &["p1".into()]).unwrap_err();
    assert!(error.to_string().contains("\"p1\" does not fit"), "{error}");
    assert!(table.append_named("nodes", &[]).is_err());
}
