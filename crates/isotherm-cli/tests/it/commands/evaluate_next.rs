//! `evaluate`, `next`, prediction sets, and labels that are more than a class.

use crate::run::{Room, column};

/// Two lines of points, every fifth labelled.
fn lines() -> String {
    let mut text = String::from("name,a,b,y\n");
    for i in 0..60 {
        let (side, class) = if i % 2 == 0 { (0, "near") } else { (9, "far") };
        let label = if i % 5 == 0 { class } else { "" };
        let (x, jitter) = (i / 2, (i * 7) % 3);
        text.push_str(&format!("r{i},{x},{},{label}\n", side * 10 + jitter));
    }
    text
}

#[test]
fn an_evaluation_names_what_it_estimates_and_how_sure_it_is() {
    let room = Room::with("data.csv", lines());
    let said = room.run("evaluate data.csv --label y").fine(&[]);
    for part in [
        "12 of 60 rows have a label",
        // 1 − √2(1 − 0.025^(1/12))
        "accuracy on a new row like these: 100.0 %, between 62.6 and 100.0 (95 %)",
        "note: intervals are 1.41 times as wide",
        "accuracy on the rows still unlabelled: 100.0 %",
        "macro-F1",
        "kernel ridge on the labelled rows",
        "predicted across, given down:",
        "note: 12 rows count: quote the range, not the number",
    ] {
        assert!(said.out.contains(part), "no {part:?} in {}", said.out);
    }
    // As wide as its widest word, and no wider.
    let matrix: Vec<&str> = (said.out.lines().skip_while(|l| !l.starts_with("predicted")))
        .skip(1)
        .take(3)
        .collect();
    assert_eq!(matrix[0].split_whitespace().next(), Some("given"));
    let widest = matrix[0].split_whitespace().map(|w| w.len() + 2).max();
    assert!(
        matrix
            .iter()
            .all(|l| Some(l.len()) == widest.map(|w| 3 * w)),
        "{matrix:?}"
    );
    assert_eq!(room.names(), ["data.csv"]);
    let value = room
        .run("evaluate data.csv --label y --json")
        .fine(&[])
        .json();
    assert_eq!(value["labels"], 12);
    assert_eq!(value["measures"][0]["name"], "accuracy");
    assert_eq!(value["measures"][0]["estimand"], "new-row");
    assert_eq!(value["measures"][1]["estimand"], "unlabelled");
    assert_eq!(value["confusion"]["counts"][0][0], 6);
    room.run("evaluate data.csv --label y --plot c.svg")
        .fine(&[]);
    assert!(room.read("c.svg").contains("12 labels"));
}

#[test]
fn a_wrong_label_is_suspected_first() {
    let wrong = lines().replacen("r20,10,2,near", "r20,10,2,far", 1);
    assert_ne!(wrong, lines());
    let room = Room::with("data.csv", wrong);
    let value = room
        .run("evaluate data.csv --label y --json")
        .fine(&[])
        .json();
    assert_eq!(value["suspects"][0]["sample"], 20);
    assert_eq!(value["suspects"][0]["suggested"], "near");
    assert_eq!(value["suspects"][0]["place"], "r20 (line 22)");
}

#[test]
fn only_audit_rows_count_once_labels_were_chosen() {
    let mut text = String::from("a,y,drawn,open\n");
    for i in 0..40 {
        let class = if i < 20 { "low" } else { "high" };
        let (label, drawn, open) = match i {
            _ if i % 4 == 0 => (
                class,
                if i % 8 == 0 { "true" } else { "false" },
                (40 - i).to_string(),
            ),
            _ => ("", "", String::new()),
        };
        text.push_str(&format!("{},{label},{drawn},{open}\n", i + 50 * (i / 20)));
    }
    let room = Room::with("data.csv", text);
    let said = room
        .run("evaluate data.csv --label y --features a --audit drawn --pool open --json")
        .fine(&[])
        .json();
    assert_eq!(said["audits_only"], true);
    assert_eq!(said["measures"][0]["rows"], 5);
    // The marks are no features, whether or not the others are named.
    let unnamed = room
        .run("evaluate data.csv --label y --audit drawn --pool open --json")
        .fine(&[])
        .json();
    assert_eq!(unnamed["measures"], said["measures"]);
    let none = room.run("evaluate data.csv --label y --features a --audit y");
    assert_eq!(none.code, 1, "{none:?}");
    assert!(none.err.contains("neither yes nor no"), "{none:?}");
    let never = room.run("evaluate data.csv --label y --features a --audit drawn --pool a");
    assert!(
        never.code == 1 && never.err.contains("cannot have been unlabelled"),
        "{never:?}"
    );
}

/// Two groups on a line; every fourth row has a label, every eighth by a draw, as `next` and
/// `merge` leave a table.
fn asked() -> String {
    let mut text = String::from("a,y,iso_audit,iso_pool\n");
    for i in 0..80 {
        let class = if i < 40 { "low" } else { "high" };
        let (label, drawn, open) = match (i % 4, i % 8) {
            (0, 0) => (class, "true", (80 - i).to_string()),
            (0, _) => (class, "false", (80 - i).to_string()),
            _ => ("", "", String::new()),
        };
        text.push_str(&format!("{},{label},{drawn},{open}\n", i + 50 * (i / 40)));
    }
    text
}

#[test]
fn marks_that_next_wrote_are_read_unasked_and_that_is_said() {
    let room = Room::with("data.csv", asked());
    let told = room.run("evaluate data.csv --label y");
    assert!(
        told.err
            .contains("audit rows: from columns iso_audit and iso_pool"),
        "{told:?}"
    );
    assert!(told.err.contains("--all-labels"), "{told:?}");
    assert!(
        told.out.contains("only those drawn at random count"),
        "{told:?}"
    );
    let of = |flags: &str| {
        room.run(&format!("evaluate data.csv --label y {flags} --json"))
            .json()
    };
    let unasked = of("");
    assert_eq!(unasked["audits_only"], true);
    assert_eq!(
        unasked["measures"],
        of("--audit iso_audit --pool iso_pool")["measures"]
    );
    let all = of("--all-labels");
    assert_eq!(all["audits_only"], false);
    assert_eq!(all["measures"][0]["rows"], 20);
    let silent = room.run("evaluate data.csv --label y --all-labels");
    assert!(!silent.err.contains("audit rows"), "{silent:?}");
    for kind in ["confusion", "reliability", "learning-curve"] {
        let said = room.run(&format!("plot {kind} data.csv --label y -o {kind}.svg"));
        assert_eq!(said.code, 0, "{said:?}");
        assert!(
            said.err.contains("audit rows: from columns"),
            "{kind}: {said:?}"
        );
    }
    let page = room.run("report data.csv --label y -o page.html");
    assert!(page.err.contains("audit rows: from columns"), "{page:?}");
    room.refuses(
        "evaluate data.csv --label y --all-labels --audit iso_audit",
        2,
        &["--all-labels"],
    );
}

#[test]
fn no_interval_is_a_point() {
    // Perfect tags, ranks and grades, and numbers that are all alike.
    let mut text = String::from("a,tags,rank,grade,number,wave\n");
    for i in 0..24 {
        let high = i >= 12;
        let label = i % 3 == 0;
        let say = |yes: &str, no: &str| match (label, high) {
            (false, _) => String::new(),
            (true, true) => yes.to_owned(),
            (true, false) => no.to_owned(),
        };
        text.push_str(&format!(
            "{},{},{},{},{},{}\n",
            i + 50 * (i / 12),
            say("red|big", "small"),
            say("b>a", "a>b"),
            say("2", "1"),
            say("7", "7"),
            say("5", "1"),
        ));
    }
    let room = Room::with("data.csv", text);
    for (column, task) in [
        ("tags", "tags"),
        ("rank", "rank"),
        ("grade", "ordinal --grades 1,2"),
    ] {
        let line = format!("evaluate data.csv --label {column} --features a --task {task} --json");
        let found = room.run(&line).json();
        let interval = &found["measures"][0]["interval"];
        let (low, high) = (
            interval["low"].as_f64().unwrap(),
            interval["high"].as_f64().unwrap(),
        );
        assert_eq!(found["measures"][0]["value"], 0.0, "{column}");
        assert!(
            low == 0.0 && high > 0.35 && high < 1.0,
            "{column}: {low} to {high}"
        );
    }
    for column in ["number", "wave"] {
        let line = format!("evaluate data.csv --label {column} --features a --task regress");
        let said = room.run(&line);
        assert_eq!(said.code, 0, "{said:?}");
        assert!(said.out.contains("no interval: too few rows"), "{said:?}");
        let found = room.run(&format!("{line} --json")).json();
        assert!(found["measures"][0]["interval"].is_null());
        let page = format!(
            "report data.csv --label {column} --features a --task regress -o {column}.html"
        );
        room.run(&page);
        assert!(
            room.read(&format!("{column}.html"))
                .contains("there is no interval: too few rows")
        );
    }
}

/// Leaving a label out of balanced classes makes its own class the rarest.
#[test]
fn the_most_frequent_class_of_balanced_labels_is_right_for_its_share() {
    let mut edges = String::from("from,to\n");
    let mut nodes = String::from("node,y\n");
    for i in 0..40 {
        let ring = i / 20;
        edges.push_str(&format!("n{i},n{}\n", ring * 20 + (i + 1) % 20));
        edges.push_str(&format!("n{i},n{}\n", ring * 20 + (i + 3) % 20));
        let class = ["left", "right"][ring];
        nodes.push_str(&format!("n{i},{}\n", if i % 2 == 0 { class } else { "" }));
    }
    let room = Room::with("edges.csv", edges);
    room.file("nodes.csv", nodes);
    let line = "nodes.csv --label y --graph edges.csv --id node --json";
    let found = room.run(&format!("evaluate {line}")).json();
    assert_eq!(found["baseline"]["name"], "always the most frequent class");
    assert_eq!(found["baseline"]["value"], 0.5);
    let curve = room.run(&format!("plot learning-curve {line}")).json();
    let last = curve["points"].as_array().unwrap().last().unwrap();
    let share = last["baseline"]["mean"].as_f64().unwrap();
    // Forty draws of four labels: a standard error of 0.04.
    assert!((share - 0.5).abs() < 0.16, "{share}");
}

#[test]
fn what_an_evaluation_cannot_do_is_said() {
    let room = Room::with("data.csv", lines());
    room.file("one.csv", "a,y\n1,x\n2,\n3,\n4,\n");
    for (words, says) in [
        ("evaluate data.csv --label y --level 1", "level"),
        ("evaluate data.csv --label y --pool a", "--audit"),
        ("evaluate one.csv --label y", "every label is \"x\""),
        ("evaluate data.csv --label y --plot c.gif", ".svg or .png"),
        (
            "evaluate data.csv --label y --method harmonic --class-mass",
            "not linear",
        ),
        (
            "evaluate data.csv --label y --solver richardson --steps 3",
            "closed form",
        ),
    ] {
        let said = room.run(words);
        assert_ne!(said.code, 0, "{words}");
        assert!(
            said.err.contains(says),
            "{words}: no {says:?} in {}",
            said.err
        );
        assert!(!said.err.contains("panicked"), "{}", said.err);
    }
}

#[test]
fn the_next_rows_come_with_reasons_and_audits() {
    let room = Room::with("data.csv", lines());
    let said = room.run("next data.csv --label y -n 6").fine(&[]);
    assert_eq!(said.out.lines().count(), 6);
    assert_eq!(said.out.matches("audit row").count(), 1, "{}", said.out);
    assert!(
        said.out
            .lines()
            .all(|l| l.starts_with('r') && l.contains(" (line ")),
        "{}",
        said.out
    );
    let again = room.run("next data.csv --label y -n 6").fine(&[]);
    assert_eq!(said.out, again.out);
    for strategy in [
        "maximin",
        "v-optimal",
        "sigma-optimal",
        "margin",
        "entropy",
        "cover",
        "random",
    ] {
        for method in [
            "stkr",
            "label-propagation",
            "harmonic",
            "kernel-ridge",
            "laplacian",
        ] {
            let words =
                format!("next data.csv --label y -n 2 --strategy {strategy} --method {method}");
            let said = room.run(&words).fine(&[]);
            assert_eq!(said.out.lines().count(), 2, "{words}");
        }
    }
    room.run("next data.csv --label y -n 10 -o todo.csv")
        .fine(&["wrote 10 rows to label"]);
    let todo = room.read("todo.csv");
    assert!(
        todo.starts_with("name,a,b,y,iso_row,iso_place,iso_reason,iso_audit,iso_pool\n"),
        "{todo}"
    );
    assert_eq!(column(&todo, "iso_pool")[0], "48");
    assert_eq!(column(&todo, "iso_pool")[9], "39");
    let value = room
        .run("next data.csv --label y -n 3 --json")
        .fine(&[])
        .json();
    assert_eq!(value["unlabelled"], 48);
    assert_eq!(value["rows"].as_array().unwrap().len(), 3);
    assert!(value["rows"][0]["reason"].is_string());
    room.run("next data.csv --label y -n 3 -f -o todo.csv")
        .fine(&[]);
    for (k, row) in column(&room.read("todo.csv"), "iso_row").iter().enumerate() {
        assert_eq!(value["rows"][k]["row"].to_string(), *row);
    }
}

#[test]
fn label_weights_reach_the_suggestions() {
    // Six labels on a line; `w` trusts the three on the left far more than the others.
    let row = |i: usize, w: &str| match i {
        2 | 6 | 10 => format!("{i},u,{w},1\n"),
        22 | 26 | 30 => format!("{i},v,0.001,1\n"),
        _ => format!("{i},,,\n"),
    };
    let rows: String = (0..33).map(|i| row(i, "1000")).collect();
    let room = Room::with("data.csv", format!("a,y,w,one\n{rows}"));
    let asked = |more: &str| {
        let line = format!(
            "next data.csv --label y --features a -n 3 --audit-every 0 \
             --strategy v-optimal --json {more}"
        );
        room.run(&line).fine(&[]).json()["rows"].clone()
    };
    let plain = asked("");
    assert_eq!(asked("--label-weights one"), plain);
    assert_ne!(asked("--label-weights w"), plain);
}

#[test]
fn label_weights_reach_tuning() {
    // Numbers on a line, two of which are far off; `w` hardly trusts those.
    let row = |i: usize| match i {
        4 | 20 => format!("{i},90,0.001,1\n"),
        i if i % 2 == 0 => format!("{i},{i},1,1\n"),
        i => format!("{i},,,\n"),
    };
    let rows: String = (0..33).map(row).collect();
    let room = Room::with("data.csv", format!("a,y,w,one\n{rows}"));
    for grid in [
        "--etas 0.5,0.9 --ridges 1e-1,1e-2",
        "--method laplacian --bandwidths 1 --shares 1 --strengths 1e-1,1e-3",
    ] {
        let asked = |more: &str| -> Vec<f64> {
            let line =
                format!("tune data.csv --label y --features a --task regress --json {grid} {more}");
            let found = room.run(&line).fine(&[]).json();
            let cells = found["cells"].as_array().unwrap();
            cells.iter().map(|c| c["score"].as_f64().unwrap()).collect()
        };
        let close = |a: &[f64], b: &[f64]| {
            assert_eq!(a.len(), b.len());
            let pairs = a.iter().zip(b);
            pairs.fold(0.0, |worst: f64, (a, b)| worst.max((a - b).abs() / b.abs()))
        };
        let plain = asked("");
        assert!(
            close(&asked("--label-weights one"), &plain) < 1e-9,
            "{grid}"
        );
        assert!(close(&asked("--label-weights w"), &plain) > 1e-2, "{grid}");
    }
}

#[test]
fn no_label_at_all_is_a_beginning() {
    let room = Room::with("data.csv", "a,y\n1,\n2,\n3,\n4,\n51,\n52,\n53,\n54,\n");
    let said = room
        .run("next data.csv --label y -n 2 --audit-every 0 --neighbours 2")
        .fine(&[]);
    let line = |k: usize| -> usize {
        let word = said.out.lines().nth(k).unwrap();
        let digits: String = word.chars().filter(char::is_ascii_digit).take(1).collect();
        digits.parse().unwrap()
    };
    // One row from each part.
    assert!((line(0) <= 5) != (line(1) <= 5), "{}", said.out);
    for (words, says) in [
        ("next data.csv --label y -n 0", "at least 1"),
        ("next data.csv --label y -n 9", "8"),
        ("next data.csv --label y --modes 0", "at least 1"),
        (
            "next data.csv --label y --task regress --strategy margin",
            "classes",
        ),
    ] {
        let said = room.run(words);
        assert_ne!(said.code, 0, "{words}: {said:?}");
        assert!(
            said.err.contains(says),
            "{words}: no {says:?} in {}",
            said.err
        );
    }
}

#[test]
fn sets_hold_what_cannot_be_excluded() {
    let room = Room::with("data.csv", lines());
    room.run("label data.csv --label y --sets 0.8 -o out.csv")
        .fine(&["sets: the truth is among them about 80 % of the time, at least 60 %"]);
    let sets = column(&room.read("out.csv"), "iso_set");
    for (row, set) in sets.iter().enumerate() {
        let class = if row % 2 == 0 { "near" } else { "far" };
        assert!(set.split('|').any(|c| c == class), "row {row}: {set}");
    }
    let too_sure = room.run("label data.csv --label y --sets 0.99 -o never.csv");
    assert!(
        too_sure.code == 1 && too_sure.err.contains("99"),
        "{too_sure:?}"
    );
    assert!(!room.names().contains(&"never.csv".to_owned()));

    let mut numbers = String::from("a,y\n");
    for i in 0..60 {
        let label = if i % 3 == 0 {
            format!("{}.5", i)
        } else {
            String::new()
        };
        numbers.push_str(&format!("{i},{label}\n"));
    }
    room.file("numbers.csv", numbers);
    room.run("label numbers.csv --label y --sets 0.9 -o out2.csv")
        .fine(&[]);
    let out = room.read("out2.csv");
    let (low, high) = (column(&out, "iso_low"), column(&out, "iso_high"));
    for row in 5..55 {
        let (low, high): (f64, f64) = (low[row].parse().unwrap(), high[row].parse().unwrap());
        assert!(
            low < high && low - 3.0 < row as f64 && (row as f64) < high + 3.0,
            "row {row}"
        );
    }
}

/// The two lines with other labels: what is on the left and on the right.
fn labelled(left: &str, right: &str, every: usize) -> String {
    let mut text = String::from("a,b,y\n");
    for i in 0..60 {
        let (side, label) = if i % 2 == 0 { (0, left) } else { (90, right) };
        let label = if i % every == 0 { label } else { "" };
        text.push_str(&format!("{},{},\"{label}\"\n", i / 2, side + (i * 7) % 3));
    }
    text
}

#[test]
fn every_kind_of_label_works_under_every_method() {
    let cases = [
        ("tags", "red;round", "blue;round", ""),
        ("rank", "tea>milk>water", "water>tea>milk", ""),
        ("shares", "a:0.9;b:0.1", "a:0.2;b:0.8", ""),
        ("numbers", "1.5;-2", "7;4", ""),
        ("ordinal", "low", "high", "--grades low,middle,high"),
        ("classify", "near", "far", ""),
    ];
    for (task, left, right, more) in cases {
        let room = Room::with("data.csv", labelled(left, right, 5));
        for method in [
            "stkr",
            "label-propagation",
            "harmonic",
            "kernel-ridge",
            "laplacian",
        ] {
            let words = format!(
                "label data.csv --label y --task {task} {more} --method {method} --delimiter comma -o out.csv -f"
            );
            let said = room.run(&words);
            if method == "label-propagation" && task == "numbers" {
                assert!(said.code == 1 && said.err.contains("no scale"), "{said:?}");
                continue;
            }
            let _ = said.fine(&[]);
            let out = column(&room.read("out.csv"), "iso_label");
            for row in [2, 3, 24, 47] {
                let want = if row % 2 == 0 { left } else { right };
                match task {
                    "numbers" => {
                        let first = |t: &str| t.split(';').next().unwrap().parse::<f64>().unwrap();
                        let gap = (first(&out[row]) - first(want)).abs();
                        assert!(gap < 1.0, "{words}: row {row} {}", out[row]);
                    }
                    "shares" => {
                        let want = if row % 2 == 0 { "a" } else { "b" };
                        assert_eq!(out[row], want, "{words}: row {row}");
                    }
                    _ => assert_eq!(out[row], want, "{words}: row {row}"),
                }
            }
            let words = format!(
                "evaluate data.csv --label y --task {task} {more} --method {method} --delimiter comma --json"
            );
            let value = room.run(&words).fine(&[]).json();
            assert!(
                value["measures"][0]["value"].is_number(),
                "{words}: {value}"
            );
            let words = format!(
                "fit data.csv --label y --task {task} {more} --method {method} --delimiter comma -o m.iso -f"
            );
            room.run(&words).fine(&[]);
            room.run("predict m.iso data.csv --delimiter comma -o p.csv -f")
                .fine(&[]);
            let predicted = column(&room.read("p.csv"), "iso_label");
            let want = if task == "shares" { "a" } else { left };
            if task != "numbers" {
                assert_eq!(predicted[24], want, "{words}");
            }
        }
    }
}

#[test]
fn candidates_are_settled_under_every_method_that_minimises_something() {
    let room = Room::with("data.csv", {
        let mut text = String::from("a,b,y\n");
        for i in 0..60 {
            let side = if i % 2 == 0 { 0 } else { 90 };
            // Some labels are sure, most are one of two.
            let label = match (i % 2, i % 10) {
                (0, 0) => "near",
                (1, 5) => "far",
                (0, 2 | 4) => "near|far",
                (1, 1 | 3) => "far|middle",
                _ => "",
            };
            text.push_str(&format!("{},{},{label}\n", i / 2, side + (i * 7) % 3));
        }
        text
    });
    for method in [
        "stkr",
        "label-propagation",
        "harmonic",
        "kernel-ridge",
        "laplacian",
        "blend",
    ] {
        let words =
            format!("label data.csv --label y --candidates --method {method} -o out.csv -f");
        room.run(&words).fine(&["sets of classes"]);
        let out = column(&room.read("out.csv"), "iso_label");
        for row in [2, 4, 11, 13, 30, 31] {
            assert_eq!(
                out[row],
                if row % 2 == 0 { "near" } else { "far" },
                "{words} {row}"
            );
        }
    }
    room.file(
        "ranges.csv",
        "a,y\n0,1..2\n1,\n2,..3\n3,\n4,5\n5,\n6,6..\n7,\n8,9\n",
    );
    room.run("label ranges.csv --label y --candidates -o r.csv")
        .fine(&["ranges"]);
    let values: Vec<f64> = (column(&room.read("r.csv"), "iso_label").iter())
        .map(|v| v.parse().unwrap())
        .collect();
    assert!((1.0..=2.0).contains(&values[0]) && values[2] <= 3.0 && values[6] >= 6.0);
}

#[test]
fn costs_shares_and_weights_move_decisions() {
    // A row between the clusters: right at even odds.
    let mut text = String::from("a,y,w\n");
    for i in 0..20 {
        let label = if i % 4 == 0 { "sick" } else { "" };
        text.push_str(&format!("{},{label},1\n", i as f64 * 0.1));
    }
    for i in 0..20 {
        let label = if i % 4 == 0 { "well" } else { "" };
        text.push_str(&format!("{},{label},1\n", 2.2 + i as f64 * 0.1));
    }
    let room = Room::with("data.csv", &text);
    let sick = |out: &str| {
        column(out, "iso_label")
            .iter()
            .filter(|l| *l == "sick")
            .count()
    };
    let base = "--label y --features a --method kernel-ridge --bandwidth 0.8 -f";
    room.run(&format!("label data.csv {base} -o plain.csv"))
        .fine(&[]);
    let plain = sick(&room.read("plain.csv"));
    room.file("losses.csv", "class,treat,wait\nsick,0,10\nwell,1,0\n");
    room.run(&format!(
        "label data.csv {base} --losses losses.csv -o costs.csv"
    ))
    .fine(&[]);
    let treated = column(&room.read("costs.csv"), "iso_label");
    let treated = treated.iter().filter(|l| *l == "treat").count();
    assert!(treated > plain, "{treated} and {plain}");
    room.run(&format!(
        "label data.csv {base} --priors sick=0.05,well=0.95 -o rare.csv"
    ))
    .fine(&[]);
    assert!(sick(&room.read("rare.csv")) < plain);
    let heavy = text.replace("sick,1", "sick,9");
    room.file("heavy.csv", heavy);
    room.run(&format!(
        "label heavy.csv {base} --ridge 1 --label-weights w -o heavy-out.csv"
    ))
    .fine(&[]);
    room.run(&format!("label data.csv {base} --ridge 1 -o light-out.csv"))
        .fine(&[]);
    assert!(sick(&room.read("heavy-out.csv")) >= sick(&room.read("light-out.csv")));
    let out = |name: &str| room.read(name);
    assert_ne!(out("heavy-out.csv"), out("light-out.csv"));
}

#[test]
fn labels_that_cannot_be_are_refused_by_their_line() {
    let room = Room::new();
    let table = |y: &[&str]| {
        let mut text = String::from("a,y,w\n");
        for (i, y) in y.iter().enumerate() {
            text.push_str(&format!("{i},\"{y}\",1\n"));
        }
        text
    };
    let cases: [(&[&str], &str, &str, &str); 13] = [
        (
            &["a|b", "|", "b", "a"],
            "--candidates",
            "line 3",
            "empty set",
        ),
        (&["1..2", "5..3", "4", ""], "--candidates", "line 3", "5"),
        (
            &["1..2", "x..3", "4", ""],
            "--candidates --task regress",
            "line 3",
            "not a number",
        ),
        (&["a>b", "b>a>b", "", ""], "--task rank", "line 3", "twice"),
        (
            &["a>b", "b>", "", ""],
            "--task rank",
            "line 3",
            "empty place",
        ),
        (&["a;b", "a;a", "", ""], "--task tags", "line 3", "twice"),
        (
            &["a:0.5;b:0.4", "a:1", "", ""],
            "--task shares",
            "line 2",
            "sum",
        ),
        (
            &["a:-1;b:2", "a:1", "", ""],
            "--task shares",
            "line 2",
            "share",
        ),
        (
            &["low", "up", "", ""],
            "--task ordinal --grades low,high",
            "line 3",
            "none of the grades",
        ),
        (&["low", "high", "", ""], "--task ordinal", "", "--grades"),
        (
            &["1;2", "3", "", ""],
            "--task numbers",
            "line 3",
            "where the first has 2",
        ),
        (
            &["x", "y", "", ""],
            "--priors x=0.5,z=0.5",
            "",
            "\"z\" has a share but no label",
        ),
        (&["x", "y", "", ""], "--priors x=0.5,y=0.2", "", "sum"),
    ];
    for (y, flags, line, says) in cases {
        room.file("data.csv", table(y));
        let words =
            format!("label data.csv --label y --features a {flags} --delimiter comma -o never.csv");
        let said = room.run(&words);
        assert_ne!(said.code, 0, "{words}");
        for part in [line, says] {
            assert!(
                said.err.contains(part),
                "{words}: no {part:?} in {}",
                said.err
            );
        }
        assert!(!said.err.contains("panicked"), "{}", said.err);
        assert!(!room.names().contains(&"never.csv".to_owned()));
    }
    for (weight, says) in [("0", "0"), ("-1", "-1"), ("", "missing"), ("nan", "w")] {
        room.file(
            "data.csv",
            format!("a,y,w\n1,x,{weight}\n2,,\n3,z,1\n4,,\n"),
        );
        let said = room.run("label data.csv --label y --label-weights w -o never.csv");
        assert!(
            said.code == 1 && said.err.contains(says),
            "{weight}: {said:?}"
        );
    }
    room.file("data.csv", table(&["x", "y", "", ""]));
    room.file("losses.csv", "class,go,stay\nx,0,1\n");
    let said = room.run("label data.csv --label y --features a --losses losses.csv -o never.csv");
    assert!(
        said.code == 1 && said.err.contains("class \"y\" has no row of losses"),
        "{said:?}"
    );
    for (words, says) in [
        ("--task tags --candidates", "--candidates means nothing"),
        ("--grades a,b", "--grades means nothing"),
        ("--thresholds macro", "thresholds"),
        ("--task rank --losses losses.csv", "losses"),
    ] {
        let said = room.run(&format!(
            "label data.csv --label y --features a {words} -o never.csv"
        ));
        assert!(
            said.code != 0 && said.err.contains(says),
            "{words}: {said:?}"
        );
    }
}

#[test]
fn a_model_of_any_labels_comes_back_from_its_file() {
    let room = Room::with("data.csv", labelled("red;round", "blue", 5));
    room.run("fit data.csv --label y --task tags --thresholds macro --delimiter comma -o m.iso")
        .fine(&[]);
    let value = room.run("inspect m.iso --json").fine(&[]).json();
    assert_eq!(value["recipe"]["task"], "tags");
    assert_eq!(value["recipe"]["thresholds"], "macro");
    room.run("predict m.iso data.csv --delimiter comma -o p.csv")
        .fine(&[]);
    assert_eq!(column(&room.read("p.csv"), "iso_label")[2], "red;round");
}
