//! `check`: everything that is wrong at once, and the same verdict as `label`.

use crate::run::{Room, Said, clusters, uncoded};

fn problems(said: &Said) -> Vec<(String, String)> {
    let json = said.json();
    let list = json["problems"].as_array().unwrap();
    let text = |v: &serde_json::Value| v.as_str().unwrap().to_owned();
    list.iter()
        .map(|p| (text(&p["weight"]), text(&p["name"])))
        .collect()
}

#[test]
fn a_good_table_is_described_with_the_plan_and_the_next_command() {
    let room = Room::with("data.csv", clusters());
    let said = room.run("check data.csv --label y").fine(&[]);
    for part in [
        "data.csv: 40 rows, 4 columns, comma, header, UTF-8, decimal point\n",
        "  column  kind        missing  distinct  values ",
        "\n  name    identifier                 40  r0, r1, r10, r11, r12  left out, names rows\n",
        "\n  a       numbers                    40  █▁    ▁█ 0.04 … 6.971  number\n",
        "\n  y       text             34         2  far ×3, near ×3        label\n",
        "labels: far ×3, near ×3; 34 to fill\n",
        "label would: blend on 6 kernels and 2 graphs of neighbours (40 rows × 2; about ",
        "; about a second\n",
        "next: isotherm label data.csv --label y -o labelled.csv\n",
    ] {
        assert!(
            uncoded(&said.out).contains(part),
            "no {part:?} in {}",
            said.out
        );
    }
    assert_eq!(room.names(), ["data.csv"]);
    // What it tells to type works, and does what was said.
    let label = room.run("label data.csv --label y -v -o labelled.csv");
    let auto = label.err.lines().find(|l| l.starts_with("auto: ")).unwrap();
    let plan = said
        .out
        .lines()
        .find_map(|l| l.strip_prefix("label would: "))
        .unwrap();
    assert_eq!(
        auto.strip_prefix("auto: ").unwrap(),
        plan.strip_suffix("; about a second").unwrap()
    );
}

#[test]
fn every_problem_is_told_in_one_run_with_counts_and_places() {
    let mut text = String::from("id,a,b,c,copy,y\n");
    for i in 0..40 {
        let label = match i {
            0..=8 => "spam",
            9 => "Spam",
            10..=18 => "ham",
            _ => "",
        };
        let a = if i == 3 || i == 5 {
            "x".to_owned()
        } else {
            format!("0.{i}")
        };
        let b = if i == 7 { "" } else { "2.5" };
        let copy = if i < 10 { 1 } else { 0 };
        text += &format!("{i},{a},{b},7,{copy},{label}\n");
    }
    let room = Room::with("data.csv", text);
    let said = room.run("check data.csv --label y");
    assert_eq!(said.code, 1, "{said:?}");
    for part in [
        "error: column \"a\": 2 cells are no number: line 5 \"x\", line 7 \"x\"\n",
        "missing numbers: b (1 cell, first at line 9); the column's median takes their place\n",
        "\n  id      identifier ",
        "\n  c       constant                       1  7                      nothing, one value only\n",
        "warning: columns with one value only: b, c\n",
        "error: 1 pair of classes is one in column \"y\" but for the spelling: \"Spam\" ×1 and \"spam\" ×9\n",
        "note: 1 class with one label only: Spam\n",
    ] {
        assert!(
            uncoded(&said.out).contains(part),
            "no {part:?} in {}",
            said.out
        );
    }
    assert!(!said.err.contains("error"), "{said:?}");
    let json = room.run("check data.csv --label y --json");
    assert_eq!(json.code, 1);
    assert_eq!(json.json()["works"], false);
    let found = problems(&json);
    assert!(
        found.contains(&("error".to_owned(), "cell".to_owned())),
        "{found:?}"
    );
    assert!(
        found.is_sorted_by_key(|(w, _)| ["error", "warning", "note"].iter().position(|x| x == w))
    );
    // Without the typing mistake the copy of the label is seen.
    let mended = room.read("data.csv").replace(",Spam\n", ",spam\n");
    room.file("mended.csv", mended);
    let said = room.run("check mended.csv --label y --exclude a,b");
    assert!(
        uncoded(&said.out).contains("warning: column \"copy\" alone tells every label"),
        "{said:?}"
    );
    assert_eq!(said.code, 0);
}

#[test]
fn repeated_rows_conflicts_and_scales_are_counted() {
    let room = Room::with(
        "data.csv",
        "a,b,y\n1,1e6,u\n1,1e6,v\n2,0,v\n3,5e6,\n3,5e6,\n4,9e7,\n",
    );
    let said = room.run("check data.csv --label y").fine(&[]);
    for part in [
        "note: 2 rows repeat an earlier one\n",
        "warning: 1 row has the same numbers as an earlier row and another label, the first at line 3 (as line 2)\n",
        "columns are standardised\n",
    ] {
        assert!(
            uncoded(&said.out).contains(part),
            "no {part:?} in {}",
            said.out
        );
    }
    let said = room
        .run("check data.csv --label y --scaling none")
        .fine(&[]);
    assert!(
        uncoded(&said.out).contains("warning: column \"b\" spreads "),
        "{}",
        said.out
    );
}

#[test]
fn a_table_without_labels_can_be_checked() {
    let room = Room::with("data.csv", clusters());
    let said = room.run("check data.csv").fine(&[]);
    assert!(
        said.out
            .contains("next: isotherm check data.csv --label COLUMN"),
        "{}",
        said.out
    );
    assert!(!said.out.contains("label would"), "{}", said.out);
}

#[test]
fn a_graph_is_told_with_its_parts_and_strangers() {
    let room = Room::with("nodes.csv", "node,y\na,u\nb,v\nc,\nd,\ne,\nzz,\n");
    room.file("edges.csv", "a,b\nb,c\nd,e\nf,d\n");
    let said = room
        .run("check nodes.csv --label y --graph edges.csv")
        .fine(&[]);
    for part in [
        "graph: 7 nodes, 4 edges, 3 connected parts; 1 without edges; 1 only the edges name\n",
        "warning: 4 nodes lie in parts without a label\n",
        "note: 1 row has no edge\n",
        "label would: blend on the given graph",
        "next: isotherm label nodes.csv --label y --graph edges.csv -o labelled.csv\n",
    ] {
        assert!(
            uncoded(&said.out).contains(part),
            "no {part:?} in {}",
            said.out
        );
    }
    room.file("nodes.csv", "node,y\na,u\nbb,v\ncc,v\na,w\n");
    let said = room.run("check nodes.csv --label y --graph edges.csv");
    assert_eq!(said.code, 1);
    assert!(uncoded(&said.out).contains("error: 2 labelled nodes are in the table but not in the graph, the first at line 3: \"bb\""), "{}", said.out);
    assert!(
        said.out
            .contains("node \"a\" is labelled \"w\" here and \"u\" before"),
        "{}",
        said.out
    );
}

/// Whether `label` works is what `check` says: on tables good and bad in every way.
#[test]
fn check_and_label_agree_on_what_works() {
    let good = clusters();
    let tables = [
        ("good", good.clone(), ""),
        ("wrong label", good.clone(), "--label z"),
        ("one class", good.replace("far", "near"), ""),
        ("no label", good.replace("near", "").replace("far", ""), ""),
        ("all labelled", good.replace(",\n", ",near\n"), ""),
        ("a text among numbers", good.replacen("r7,", "r7,x", 1), ""),
        ("a blank cell", "a,y\n1,u\n,v\n3,\n4,\n5,\n".to_owned(), ""),
        ("constant", "a,y\n1,u\n1,v\n1,\n1,\n".to_owned(), ""),
        ("no numbers", "a,y\nx,u\nz,v\nw,\n".to_owned(), ""),
        (
            "labelled before",
            good.replacen("name,", "iso_label,", 1),
            "",
        ),
        (
            "numbers as classes",
            "a,y\n1,1\n2,2\n3,\n4,\n".to_owned(),
            "",
        ),
        ("numbers", "a,y\n1,1.5\n2,2.5\n3,\n4,\n".to_owned(), ""),
        ("not all numbers", good.clone(), "--task regress"),
        ("a flag nobody reads", good.clone(), "--steps 3"),
        ("a parameter out of range", good.clone(), "--eta 2"),
        ("too little memory", good.clone(), "--memory 1kB"),
        ("excluded all", good.clone(), "--exclude a,b"),
        ("unknown feature", good.clone(), "--features q"),
        ("landmarks", good, "--method laplacian"),
    ];
    for (what, text, flags) in tables {
        let room = Room::with("data.csv", text);
        let label = if flags.contains("--label ") {
            ""
        } else {
            "--label y"
        };
        let checked = room.run(&format!("check data.csv {label} {flags}"));
        let labelled = room.run(&format!("label data.csv {label} {flags} -o out.csv"));
        assert_eq!(
            checked.code == 0,
            labelled.code == 0,
            "{what}: {checked:?} {labelled:?}"
        );
        assert!(!checked.err.contains("panicked"), "{what}");
    }
}

#[test]
fn a_table_that_cannot_be_read_is_refused_as_ever() {
    let room = Room::with("data.csv", "a,b\n1,2\n3\n");
    let said = room.run("check data.csv");
    assert_eq!((said.code, said.out.as_str()), (1, ""));
    assert!(said.err.contains("line 3"), "{said:?}");
    room.refuses("check nowhere.csv", 1, &["nowhere.csv"]);
}

#[test]
fn columns_of_many_words_are_checked_as_label_takes_them() {
    let mut text = String::from("a,post,y\n");
    for row in 0..80 {
        let label = ["u", "v", ""][row.min(2)];
        text += &format!("{row},p{},{label}\n", row % 40);
    }
    let room = Room::with("data.csv", text);
    for command in ["check data.csv", "label data.csv -o out.csv"] {
        room.run(&format!("{command} --label y --categorical post"))
            .fine(&[]);
    }
}

#[test]
fn labels_with_a_decimal_comma_are_numbers_to_check_too() {
    let mut text = String::from("a;b;y\n");
    for row in 0..20 {
        let label = if row < 8 {
            format!("{row},5")
        } else {
            String::new()
        };
        text += &format!("{row},25;{},5;{label}\n", row % 5);
    }
    let room = Room::with("eu.csv", text);
    for flags in ["--task regress", ""] {
        let said = room
            .run(&format!("check eu.csv --label y {flags}"))
            .fine(&[]);
        assert!(said.out.contains("labels: 8 given (regress)"), "{said:?}");
        room.run(&format!("label eu.csv --label y {flags} -f -o out.csv"))
            .fine(&[]);
    }
}

#[test]
fn of_several_files_a_machine_is_told_the_one_that_is_wrong() {
    let room = Room::with("p1.csv", "a,b,y\n1,1,2.5\n2,1,3.5\n");
    room.file("p2.csv", "a,b,y\n3,1,\n4,1,none\n");
    let said = room.run("label p1.csv p2.csv --label y --task regress -o out.csv --json");
    let error = &said.json()["error"];
    assert_eq!(
        [&error["file"], &error["line"]],
        [&serde_json::json!("p2.csv"), &serde_json::json!(3)]
    );
}

#[test]
fn the_next_command_is_the_one_that_was_checked() {
    let room = Room::with("d(1).csv", clusters());
    room.file("e.csv", clusters());
    let said =
        room.run("check d(1).csv e.csv --json --label y --exclude b --task classify --id name");
    assert_eq!(
        said.json()["next"],
        "isotherm label 'd(1).csv' e.csv --label y --exclude b --task classify --id name \
         -o labelled.csv"
    );
    let line = said.json()["next"]
        .as_str()
        .unwrap()
        .replacen("isotherm", "\"$isotherm\"", 1);
    assert_eq!(room.shell(&line).code, 0);
    let said = room.run("check -q d(1).csv --exclude a");
    assert!(
        said.out
            .ends_with("next: isotherm check 'd(1).csv' --exclude a --label COLUMN\n"),
        "{said:?}"
    );
    let said = room.run("check --label z -- e.csv");
    assert!(
        said.out
            .ends_with("next: mend the table, then isotherm check --label z -- e.csv\n"),
        "{said:?}"
    );
}

#[test]
fn a_cell_cannot_turn_the_writing_of_a_terminal() {
    let turned = "u\u{202e}x\u{2028}w";
    let room = Room::with("data.csv", clusters().replace("near", turned));
    let said = room.run("check data.csv --label y").fine(&[]);
    assert!(said.out.contains("u\\u{202e}x\\u{2028}w ×3"), "{said:?}");
    assert!(!said.out.contains(['\u{202e}', '\u{2028}']), "{said:?}");
}

#[test]
fn a_label_column_that_is_not_there_is_told_once() {
    let room = Room::with("data.csv", clusters());
    let said = room.run("check data.csv --label nope");
    assert_eq!(said.code, 1, "{said:?}");
    assert_eq!(said.out.matches("\"nope\"").count(), 1, "{said:?}");
}

/// Names that differ by a letter are reported once, in the answer and not on standard error.
#[test]
fn classes_that_differ_by_a_letter_are_told_once() {
    let text = clusters().replacen(",far", ",faraway", 3)
        + "r90,4,4,faraway\nr91,4,4,faraway\nr92,4,4,farawey\n";
    let room = Room::with("data.csv", text);
    let said = room.run("check data.csv --label y").fine(&[]);
    assert_eq!((said.out + &said.err).matches("ISO254").count(), 1);
}
