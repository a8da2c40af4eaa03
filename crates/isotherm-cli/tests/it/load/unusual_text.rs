//! Unusual text: marks, line ends, quotes, emoji, long and odd labels, paths.

use isotherm::monitor::Quiet;
use isotherm_io::{ReadOptions, Source, Table, read_table};

use crate::run::{Room, clusters, column};

fn table(room: &Room, name: &str) -> Table {
    let source = Source::from(room.path(name));
    read_table(&source, &ReadOptions::default(), &mut Quiet).unwrap()
}

/// Two clusters on a line with these two labels, five rows each.
fn line(first: &str, second: &str) -> String {
    let mut text = String::from("a,y\n");
    for i in 0..10 {
        let (at, label) = if i < 5 { (0.0, first) } else { (50.0, second) };
        let label = if i % 5 == 0 { label } else { "" };
        text.push_str(&format!("{},{label}\n", at + i as f64));
    }
    text
}

#[test]
fn marks_and_line_ends_do_not_matter() {
    let room = Room::with("plain.csv", clusters());
    room.file("mark.csv", format!("\u{feff}{}", clusters()));
    room.file("windows.csv", clusters().replace('\n', "\r\n"));
    room.file("mac.csv", clusters().replace('\n', "\r"));
    room.file("cut.csv", clusters().trim_end_matches('\n'));
    room.run("label plain.csv --label y -o plain.out.csv")
        .fine(&[]);
    let expected = room.read("plain.out.csv");
    for name in ["mark.csv", "windows.csv", "mac.csv", "cut.csv"] {
        room.run(&format!("label {name} --label y -f -o out.csv"))
            .fine(&[]);
        assert_eq!(room.read("out.csv"), expected, "{name}");
    }
}

#[test]
fn semicolons_and_bars_are_found_or_told() {
    for (mark, name) in [(";", "semicolon"), ("|", "bar")] {
        let room = Room::with("data.csv", clusters().replace(',', mark));
        room.run("label data.csv --label y -o out.csv")
            .fine(&[&format!(": {name}, header")]);
        room.run(&format!(
            "label data.csv --label y --delimiter {name} --header yes -o again.csv"
        ))
        .fine(&[]);
        assert_eq!(room.bytes("out.csv"), room.bytes("again.csv"));
    }
    let room = Room::with("data.csv", "1,2,u\n3,4,v\n5,6,\n");
    room.run("label data.csv --label column_3 -o out.csv")
        .fine(&["no header"]);
    room.refuses(
        "label data.csv --label u --header yes -o other.csv",
        1,
        &["  help: "],
    );
}

#[test]
fn decimal_commas_are_found_told_or_refused_by_name_and_never_left_out() {
    let commas = clusters().replace(',', ";").replace('.', ",");
    let room = Room::with("data.csv", clusters());
    room.file("comma.csv", commas);
    room.run("label data.csv --label y -o plain.csv").fine(&[]);
    room.run("label comma.csv --label y -o out.csv")
        .fine(&["semicolon, header, UTF-8, decimal comma", "features: a, b"]);
    room.run("label comma.csv --label y --decimal comma -o told.csv")
        .fine(&[]);
    assert_eq!(room.bytes("out.csv"), room.bytes("told.csv"));
    for name in ["iso_label", "iso_confidence"] {
        let out = table(&room, "out.csv").labels(name).unwrap();
        assert_eq!(out, table(&room, "plain.csv").labels(name).unwrap());
    }
    room.refuses(
        "label comma.csv --label y --decimal point -o other.csv",
        1,
        &[
            "error: comma.csv line 2, column \"a\": \"",
            "\" is not a number\n",
            "help: read with the delimiter semicolon and a decimal point; pass --decimal comma, or pass --exclude a\n",
        ],
    );
}

#[test]
fn numbers_with_decimal_commas_are_learned_as_numbers() {
    let rows = |mark: &str| -> String {
        let row = |n: i32| {
            let label = if n % 3 == 0 {
                format!("{n}.5")
            } else {
                String::new()
            };
            format!("{n}.25;{label}\n").replace('.', mark)
        };
        (0..30).map(row).collect()
    };
    let room = Room::with("comma.csv", format!("a;y\n{}", rows(",")));
    room.file("point.csv", format!("a;y\n{}", rows(".")));
    let how = "--label y --task regress --method kernel-ridge";
    room.run(&format!("label comma.csv {how} -o c.csv"))
        .fine(&[]);
    room.run(&format!("label point.csv {how} -o p.csv"))
        .fine(&[]);
    let found = |name| table(&room, name).labels("iso_label").unwrap();
    assert_eq!(found("c.csv"), found("p.csv"));
}

#[test]
fn quoted_cells_come_back_as_they_were() {
    let text = line("\"a, \"\"b\"\"\nc\"", "plain");
    let room = Room::with("data.csv", text);
    room.run("label data.csv --label y -o out.csv").fine(&[]);
    let labels = table(&room, "out.csv").labels("iso_label").unwrap();
    assert_eq!(labels[3].as_deref(), Some("a, \"b\"\nc"));
    assert_eq!(labels[8].as_deref(), Some("plain"));
}

#[test]
fn labels_may_be_emoji_long_negative_or_of_any_script() {
    let long = "x".repeat(10_000);
    for (first, second) in [
        ("🦊", "🐢"),
        ("-1", "1"),
        (long.as_str(), "short"),
        ("été", "冬"),
        ("inf_", "nan_"),
        ("0", "00"),
    ] {
        let room = Room::with("data.csv", line(first, second));
        // Equal as numbers: somebody has to say that they are two classes.
        let apart = if second == "00" {
            "--merge-labels never"
        } else {
            ""
        };
        room.run(&format!(
            "label data.csv --label y {apart} --probabilities -o out.csv"
        ))
        .fine(&[]);
        let labels = column(&room.read("out.csv"), "iso_label");
        assert!(labels[..5].iter().all(|l| l == first), "{first}");
        assert!(labels[5..].iter().all(|l| l == second), "{second}");
        room.run(&format!("fit data.csv --label y {apart} -o m.iso"))
            .fine(&[]);
        room.run("predict m.iso data.csv -o pred.csv").fine(&[]);
        assert_eq!(column(&room.read("pred.csv"), "iso_label"), labels);
        room.run("inspect m.iso").fine(&[]);
    }
}

#[test]
fn words_for_missing_are_blank_labels() {
    for word in ["nan", "NaN", "NA", "null", "None", " "] {
        let room = Room::with(
            "data.csv",
            line("u", "v").replacen("4,\n", &format!("4,{word}\n"), 1),
        );
        room.run("label data.csv --label y -o out.csv")
            .fine(&["filled 8 of 8 blank labels from 2 given"]);
        assert_eq!(
            column(&room.read("out.csv"), "iso_label")[4],
            "u",
            "{word:?}"
        );
    }
}

#[test]
fn control_characters_from_files_do_not_reach_the_terminal() {
    let room = Room::with("data.csv", "a,y\n1,\x1b[31mred\n2,\x1b[31mred\n3,\n");
    room.refuses(
        "label data.csv --label y -o out.csv",
        1,
        &["every label is \"\\u{1b}[31mred\""],
    );
    let long = "z".repeat(10_000);
    let room = Room::with("data.csv", format!("a,y\n1,{long}\n2,{long}\n3,\n"));
    let said = room.run("label data.csv --label y -o out.csv");
    assert!(said.err.len() < 2500, "{}", said.err.len());
    let text = "node,y\n\x1b]0;title\x07,red\nb,blue\n";
    let room = Room::with("nodes.csv", text);
    room.file("edges.csv", "a,b\n");
    let said = room.run("label nodes.csv --label y --graph edges.csv -o out.csv");
    assert!(
        said.code == 1 && !said.err.contains('\x1b') && !said.err.contains('\x07'),
        "{said:?}"
    );
}

#[test]
fn paths_may_have_spaces_and_be_far_away() {
    let room = Room::with("my data.csv", clusters());
    std::fs::create_dir(room.path("some where")).unwrap();
    let out = "some where/my out.csv";
    let said = room
        .words(&["label", "my data.csv", "--label", "y", "-o", out])
        .fine(&[]);
    assert_eq!(said.out, "");
    assert!(room.read(out).contains("iso_label"));
    let far = room.path("far.csv");
    room.words(&[
        "label",
        "./my data.csv",
        "--label",
        "y",
        "-o",
        far.to_str().unwrap(),
    ])
    .fine(&[]);
    assert_eq!(room.read("far.csv"), room.read(out));
}

#[cfg(unix)]
#[test]
fn paths_need_not_be_unicode() {
    use std::os::unix::ffi::OsStrExt;
    let room = Room::with("data.csv", clusters());
    let odd = std::ffi::OsStr::from_bytes(b"od\xFFd.csv");
    let mut command = room.command(&["label", "data.csv", "--label", "y", "-o"]);
    let done = command.arg(odd).output().unwrap();
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    let mut command = room.command(&["label"]);
    let done = command
        .arg(odd)
        .args(["--label", "q", "-o", "no.csv", "--json"])
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(1));
}
