//! `isotherm merge`: a second round of labels.

use crate::run::{Room, clusters, column};

/// Ten rows to label, filled by `fill(row)`, row from 0.
fn filled(room: &Room, fill: impl Fn(usize) -> &'static str) -> String {
    room.run("next data.csv --label y -n 10 -o todo.csv")
        .fine(&["isotherm merge data.csv todo.csv --label y"]);
    let todo = room.read("todo.csv");
    let rows = column(&todo, "iso_row");
    let header = todo.lines().next().unwrap();
    let at = header.split(',').position(|c| c == "y").unwrap();
    let mut out = format!("{header}\n");
    for (line, row) in todo.lines().skip(1).zip(rows) {
        let mut cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells[at], "", "a suggested row has no label yet");
        cells[at] = fill(row.parse::<usize>().unwrap() - 1);
        out.push_str(&cells.join(","));
        out.push('\n');
    }
    out
}

fn truth(row: usize) -> &'static str {
    ["near", "far"][row % 2]
}

#[test]
fn filled_rows_go_back_to_where_they_came_from() {
    let room = Room::with("data.csv", clusters());
    let text = filled(&room, truth);
    room.file("filled.csv", &text);
    room.run("merge data.csv filled.csv --label y -o data2.csv")
        .fine(&["10 filled, 0 replaced", "16 of 40 rows have a label now"]);
    let (old, new) = (room.read("data.csv"), room.read("data2.csv"));
    let labels = column(&new, "y");
    let places: Vec<usize> = (column(&text, "iso_row").iter())
        .map(|r| r.parse::<usize>().unwrap() - 1)
        .collect();
    let (audits, pools) = (column(&new, "iso_audit"), column(&new, "iso_pool"));
    for (row, was) in column(&old, "y").iter().enumerate() {
        let chosen = places.contains(&row);
        let expected = if chosen { truth(row) } else { was.as_str() };
        assert_eq!(labels[row], expected, "row {row}");
        assert_eq!(audits[row].is_empty(), !chosen, "row {row}");
        assert_eq!(pools[row].is_empty(), !chosen, "row {row}");
    }
    assert_eq!(column(&old, "a"), column(&new, "a"));
    // The marks of the first round serve the second.
    room.run("evaluate data2.csv --label y --audit iso_audit --pool iso_pool")
        .fine(&[]);
}

#[test]
fn a_table_that_was_sorted_in_between_is_refused() {
    let room = Room::with("data.csv", clusters());
    room.file("filled.csv", filled(&room, truth));
    let text = room.read("data.csv");
    let mut lines: Vec<&str> = text.lines().collect();
    lines[1..].reverse();
    room.file("sorted.csv", lines.join("\n"));
    room.refuses(
        "merge sorted.csv filled.csv --label y -o out.csv",
        1,
        &["column \"name\"", "changed or sorted", "--id"],
    );
    // By name it does not matter.
    room.run("merge sorted.csv filled.csv --label y --id name -o out.csv")
        .fine(&["10 filled"]);
    let out = room.read("out.csv");
    for (name, label) in column(&out, "name").iter().zip(column(&out, "y")) {
        let row: usize = name[1..].parse().unwrap();
        assert!(label.is_empty() || label == truth(row), "{name}: {label}");
    }
}

#[test]
fn another_label_wins_only_when_told() {
    let room = Room::with("data.csv", "k,a,y\nr1,1,x\nr2,2,\nr3,3,\n");
    room.file("new.csv", "k,y\nr1,z\nr2,z\n");
    room.refuses(
        "merge data.csv new.csv --label y --id k -o out.csv",
        1,
        &[
            "new.csv line 2",
            "\"z\", but \"x\" in data.csv line 2",
            "--replace",
        ],
    );
    let said = room
        .run("merge data.csv new.csv --label y --id k --replace -o out.csv --json")
        .fine(&[]);
    let json = said.json();
    assert_eq!(
        [&json["filled"], &json["replaced"], &json["labelled"]],
        [1, 1, 2]
    );
    assert_eq!(room.read("out.csv"), "k,a,y\nr1,1,z\nr2,2,z\nr3,3,\n");
}

#[test]
fn rows_of_no_row_are_refused_or_counted() {
    let room = Room::with("data.csv", "k,a,y\nr1,1,x\nr2,2,\n");
    room.file("new.csv", "k,y\nr2,z\nr9,z\n");
    room.refuses(
        "merge data.csv new.csv --label y --id k -o out.csv",
        1,
        &[
            "new.csv line 3",
            "no row of data.csv is called \"r9\"",
            "--unmatched ignore",
        ],
    );
    room.run("merge data.csv new.csv --label y --id k --unmatched ignore -o out.csv")
        .fine(&["1 filled", "1 of no row here"]);
    assert_eq!(room.read("out.csv"), "k,a,y\nr1,1,x\nr2,2,z\n");
    room.file("far.csv", "iso_row,y\n3,z\n");
    room.refuses(
        "merge data.csv far.csv --label y -o more.csv",
        1,
        &["3 is no row of data.csv, which has 2"],
    );
    room.file("twice.csv", "k,a,y\nr1,1,x\nr1,2,\n");
    room.refuses(
        "merge twice.csv new.csv --label y --id k -o more.csv",
        1,
        &["\"r1\" names this row and the one at line 2"],
    );
}

#[test]
fn blank_labels_are_left_for_another_round() {
    let room = Room::with("data.csv", "k,a,y\nr1,1,x\nr2,2,\nr3,3,\n");
    room.file("new.csv", "k,y,iso_audit\nr2,,true\nr3,z,true\n");
    room.run("merge data.csv new.csv --label y --id k -o out.csv")
        .fine(&["1 chosen row is still without a label"]);
    let out = room.read("out.csv");
    assert_eq!(out, "k,a,y,iso_audit\nr1,1,x,\nr2,2,,\nr3,3,z,true\n");
}
