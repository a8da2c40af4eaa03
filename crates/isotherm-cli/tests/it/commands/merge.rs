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

/// A column of a table that is delimited by tabulators.
fn tabbed(text: &str, name: &str) -> Vec<String> {
    let at = text.lines().next().unwrap();
    let at = at.split('\t').position(|c| c == name).unwrap();
    let cell = |line: &str| line.split('\t').nth(at).unwrap().to_owned();
    text.lines().skip(1).map(cell).collect()
}

/// Fills a table of rows to label with the truth.
fn answered(text: &str) -> String {
    let head = text.lines().next().unwrap();
    let at = head.split('\t').position(|c| c == "y").unwrap();
    let mut out = format!("{head}\n");
    for (line, row) in text.lines().skip(1).zip(tabbed(text, "iso_row")) {
        let mut cells: Vec<&str> = line.split('\t').collect();
        assert_eq!(cells[at], "", "a suggested row has no label yet");
        cells[at] = truth(row.parse::<usize>().unwrap() - 1);
        out += &(cells.join("\t") + "\n");
    }
    out
}

#[test]
fn three_rounds_keep_every_mark_and_serve_an_evaluation() {
    let room = Room::with("d0.csv", clusters());
    // What each row was marked with, in the round it was chosen.
    let mut marks = vec![(String::new(), String::new()); 40];
    let mut open = 34;
    for round in 0..3 {
        let (old, new) = (format!("d{round}.csv"), format!("d{}.csv", round + 1));
        let todo = format!("todo{round}.tsv");
        room.run(&format!(
            "next {old} --label y -n 5 --seed {round} -o {todo}"
        ))
        .fine(&[]);
        let todo = room.read(&todo);
        let head: Vec<&str> = todo.lines().next().unwrap().split('\t').collect();
        let own = [
            "iso_row",
            "iso_place",
            "iso_reason",
            "iso_audit",
            "iso_pool",
        ];
        assert_eq!(head, [&["name", "a", "b", "y"][..], &own].concat());
        let chosen = tabbed(&todo, "iso_audit").into_iter();
        let chosen = chosen.zip(tabbed(&todo, "iso_pool"));
        for (row, mark) in tabbed(&todo, "iso_row").iter().zip(chosen) {
            // The pool goes on shrinking from row to row and from round to round.
            assert_eq!(mark.1.parse::<f64>().unwrap(), f64::from(open));
            open -= 1;
            marks[row.parse::<usize>().unwrap() - 1] = mark;
        }
        room.file("filled.tsv", answered(&todo));
        room.run(&format!("merge {old} filled.tsv --label y -o {new}"))
            .fine(&["5 filled"]);
        let merged = room.read(&new);
        let told = column(&merged, "iso_audit").into_iter();
        let told: Vec<_> = told.zip(column(&merged, "iso_pool")).collect();
        assert_eq!(told, marks, "round {round}");
        let judged = room
            .run(&format!(
                "evaluate {new} --label y --audit iso_audit --pool iso_pool --json"
            ))
            .fine(&[])
            .json();
        let audits = marks.iter().filter(|(audit, _)| audit == "true").count();
        assert_eq!(judged["measures"][0]["rows"], audits);
    }
    // What was filled in an earlier round, merged again, changes nothing.
    room.file("again.tsv", answered(&room.read("todo0.tsv")));
    room.run("merge d3.csv again.tsv --label y -o same.csv")
        .fine(&["0 filled, 0 replaced, 5 there already"]);
    assert_eq!(room.read("same.csv"), room.read("d3.csv"));
}

#[test]
fn how_a_row_was_chosen_first_stays_whatever_a_later_table_says() {
    let room = Room::with(
        "data.csv",
        "k,a,y,iso_audit,iso_pool\nr1,1,x,true,9\nr2,2,x,,\nr3,3,,,\n",
    );
    room.file(
        "new.csv",
        "k,y,iso_audit,iso_pool\nr1,z,false,4\nr2,x,false,3\nr3,z,true,2\n",
    );
    room.run("merge data.csv new.csv --label y --id k --replace -o out.csv")
        .fine(&["1 filled, 1 replaced, 1 there already"]);
    assert_eq!(
        room.read("out.csv"),
        "k,a,y,iso_audit,iso_pool\nr1,1,z,true,9\nr2,2,x,false,3\nr3,3,z,true,2\n"
    );
}

#[test]
fn suggested_rows_have_their_cells_as_they_stand() {
    let mut text = String::from("note,a,b,y\n");
    for row in 0..12 {
        let far = 5.0 * f64::from(row % 2);
        let label = ["u", "v", "NA"][row.min(2) as usize];
        text += &format!(" n{row} ,{:.2},{far},{label}\n", far + 0.1 * f64::from(row));
    }
    let room = Room::with("data.csv", &text);
    room.run("next data.csv --label y -n 3 -o todo.csv")
        .fine(&[]);
    for line in room.read("todo.csv").lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let row: usize = cells[4].parse().unwrap();
        assert_eq!(cells[..4].join(","), text.lines().nth(row).unwrap());
    }
}

#[test]
fn the_way_back_can_be_typed_whatever_the_names() {
    let room = Room::with("my data(1).csv", clusters().replace(",y\n", ",the label\n"));
    let said = room.words(&[
        "next",
        "my data(1).csv",
        "--label",
        "the label",
        "-n",
        "2",
        "-o",
        "to do.csv",
    ]);
    said.fine(&[
        "isotherm merge 'my data(1).csv' 'to do.csv' --label 'the label' -o merged.csv",
        "isotherm evaluate merged.csv --label 'the label' stays honest",
    ]);
    // Of several files merge would take all but the first for filled ones.
    room.file("a.csv", clusters());
    room.file("b.csv", clusters());
    room.run("next a.csv b.csv --label y -n 2 -o todo.csv")
        .fine(&[
            "into one table ALL",
            "isotherm merge ALL todo.csv --label y",
        ]);
}
