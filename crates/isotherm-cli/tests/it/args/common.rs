//! Flags, help, JSON, colour, quiet: the command line itself.

use crate::run::{Room, clusters, is_file};

#[test]
fn the_version_is_one_line() {
    let said = Room::new().run("--version").fine(&[]);
    assert_eq!(
        said.out,
        format!("isotherm {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn words_that_are_not_understood_are_usage_errors_with_a_tip() {
    let room = Room::with("data.csv", clusters());
    for (line, says) in [
        (
            "label data.csv --labl y -o out.csv",
            "a similar argument exists: '--label'",
        ),
        ("lable data.csv", "a similar subcommand exists: 'label'"),
        ("label data.csv --label y", "--output <FILE>"),
        ("label data.csv -o out.csv", "--label <COLUMN>"),
        (
            "label data.csv --label y --method harmonik -o out.csv",
            "a similar value exists: 'harmonic'",
        ),
        (
            "label data.csv --label y --eta lots -o out.csv",
            "invalid value 'lots' for '--eta <ETA>'",
        ),
        (
            "label data.csv --label y --memory lots -o out.csv",
            "invalid value 'lots' for '--memory <SIZE>'",
        ),
        (
            "label data.csv --label y --memory 3XB -o out.csv",
            "\"xb\" is not a unit; use kB, MB, GB or TB",
        ),
        (
            "label data.csv --label y --isolated keep -o out.csv",
            "--graph <EDGES>",
        ),
    ] {
        room.refuses(line, 2, &[says]);
    }
}

#[test]
fn zero_threads_are_refused() {
    let room = Room::with("data.csv", clusters());
    room.refuses(
        "label data.csv --label y --threads 0 -o out.csv",
        2,
        &[
            "error: --threads must be at least 1, got 0\n",
            "help: leave it out to use all\n",
        ],
    );
}

#[test]
fn flags_that_the_method_does_not_read_are_refused() {
    let room = Room::with("data.csv", clusters());
    for (flags, says) in [
        (
            "--method label-propagation --ridge 1",
            "--ridge means nothing to label-propagation",
        ),
        (
            "--method label-propagation --kernel linear",
            "--kernel means nothing to label-propagation",
        ),
        (
            "--method harmonic --eta 0.5",
            "--eta means nothing to harmonic",
        ),
        (
            "--method kernel-ridge --neighbours 3",
            "--neighbours means nothing to kernel-ridge",
        ),
        ("--class-mass", "--class-mass means nothing to blend"),
        (
            "--method stkr --class-mass",
            "--class-mass means nothing to stkr",
        ),
        ("--method blend --ridge 1", "--ridge means nothing to blend"),
        (
            "--method kernel-ridge --steps 3",
            "--steps means nothing to kernel-ridge",
        ),
        (
            "--method kernel-ridge --kernel linear --bandwidth 1",
            "--bandwidth means nothing to the linear kernel",
        ),
    ] {
        room.refuses(
            &format!("label data.csv --label y -o out.csv {flags}"),
            2,
            &[says, "  help: leave it out"],
        );
    }
}

#[test]
fn parameters_out_of_range_are_refused_with_their_value() {
    let room = Room::with("data.csv", clusters());
    for (flags, says) in [
        (
            "--eta 1",
            "error: eta must be at least 0 and below 1, got 1.0\n",
        ),
        ("--eta nan", "got NaN\n"),
        (
            "--neighbours 0",
            "error: neighbours must be at least 1, got 0\n",
        ),
        (
            "--neighbours 40",
            "error: neighbours must be from 1 to 39 for 40 rows, got 40\n  help: lower it or add rows\n",
        ),
        ("--method kernel-ridge --ridge 0", "ridge must be "),
        ("--method kernel-ridge --bandwidth -1", "bandwidth must be "),
    ] {
        room.refuses(
            &format!(
                "label data.csv --label y -o out.csv {}",
                flags.replace("--bandwidth -1", "--bandwidth=-1")
            ),
            1,
            &[says],
        );
    }
}

#[test]
fn too_little_memory_is_refused_with_a_remedy() {
    let mut text = String::from("a,b,y\n");
    for i in 0..5000 {
        text.push_str(&format!("{i},{},{}\n", i % 7, ["u", "v", ""][i.min(2)]));
    }
    let room = Room::with("data.csv", text);
    room.refuses(
        "label data.csv --label y --memory 1MB -o out.csv",
        1,
        &[
            "error: blend on 5000 rows of 2 numbers needs about ",
            "1.0 MB are allowed\n",
            "help: use fewer rows, fewer columns or fewer neighbours, or raise --memory\n",
        ],
    );
    let mut command = room.command(&["label", "data.csv", "--label", "y", "-o", "out.csv"]);
    let done = command.env("ISOTHERM_MEMORY", "1MB").output().unwrap();
    assert_eq!(done.status.code(), Some(1));
}

#[test]
fn json_is_one_object_on_standard_output() {
    let room = Room::with("data.csv", clusters());
    let said = room
        .run("label data.csv --label y -o out.csv --json")
        .fine(&[]);
    assert_eq!(said.err, "");
    let json = said.json();
    assert_eq!(json["filled"], 34);
    assert_eq!(json["unreached"], 0);
    assert_eq!(json["output"], "out.csv");
    assert_eq!(json["features"], serde_json::json!(["a", "b"]));
    assert_eq!(json["recipe"]["method"]["kind"], "blend");
    assert!(json["report"]["choice"].is_string(), "{json}");
    let json = room
        .run("label data.csv --label y --method stkr -f -o out.csv --json")
        .fine(&[])
        .json();
    assert_eq!(json["recipe"]["method"]["kind"], "stkr");
    assert!(json["report"]["choice"].is_string(), "{json}");
    assert!(json["report"]["smallest"].is_f64(), "{json}");
    let json = room
        .run("fit data.csv --label y -o m.iso --json")
        .fine(&[])
        .json();
    assert_eq!(json["output"], "m.iso");
    let json = room
        .run("--json predict m.iso data.csv -o pred.csv")
        .fine(&[])
        .json();
    assert_eq!((&json["rows"], &json["unreached"]), (&40.into(), &0.into()));
}

#[test]
fn errors_in_json_have_code_message_hint_and_place() {
    let room = Room::with("data.csv", "a,y\n1,u\nx,v\n3,\n4,\n");
    let refuse = |line: &str, code: i32| {
        let said = room.run(line);
        assert_eq!((said.code, said.err.as_str()), (code, ""), "{said:?}");
        let error = said.json()["error"].clone();
        assert!(
            error["message"].is_string() && error["hint"].is_string(),
            "{error}"
        );
        error
    };
    let error = refuse("label data.csv --label y -o out.csv --json", 1);
    assert_eq!(
        (&error["code"], &error["name"]),
        (&"ISO103".into(), &"cell".into())
    );
    assert_eq!(
        (&error["file"], &error["value"]),
        (&"data.csv".into(), &"x".into())
    );
    assert_eq!(
        error["message"],
        "data.csv line 3, column \"a\": \"x\" is not a number"
    );
    assert_eq!(
        error["hint"],
        "correct the cell or remove the row, or pass --exclude a"
    );
    assert_eq!((&error["line"], &error["column"]), (&3.into(), &"a".into()));
    let error = refuse("label data.csv --label z -o out.csv --json", 1);
    assert_eq!(error["name"], "column-missing");
    let error = refuse("label data.csv --label y -o out.csv --json --order 3", 2);
    assert_eq!(error["name"], "missing-flag");
    let error = refuse("label data.csv --json --labl y -o out.csv", 2);
    assert_eq!(error["code"], "ISO001");
    assert_eq!(error["message"], "unexpected argument '--labl' found");
    assert_eq!(error["hint"], "a similar argument exists: '--label'");
    let error = refuse("label data.csv --label y -o - --json", 2);
    assert_eq!(
        error["message"],
        "--json and -o - both want standard output"
    );
    assert_eq!(room.names(), ["data.csv"]);
}

#[test]
fn quiet_says_nothing_but_errors() {
    let room = Room::with("data.csv", "a,b,y\n1,7,u\n2,7,v\n3,7,\n");
    let said = room.run("label data.csv --label y -q -o out.csv").fine(&[]);
    assert_eq!((said.out.as_str(), said.err.as_str()), ("", ""));
    let said = room.run("label data.csv --label z -q -o other.csv");
    assert_eq!(said.code, 1);
    assert!(said.err.starts_with("error[ISO"), "{said:?}");
}

#[test]
fn colour_is_asked_for_or_absent() {
    let room = Room::with("data.csv", "a,y\n1,u\n");
    let line = ["label", "data.csv", "--label", "z", "-o", "out.csv"];
    let text = |set: &[(&str, &str)], more: &[&str]| {
        let mut command = room.command(&[&line[..], more].concat());
        let done = command.envs(set.iter().copied()).output().unwrap();
        String::from_utf8(done.stderr).unwrap()
    };
    assert!(!text(&[], &[]).contains('\x1b'));
    assert!(text(&[], &["--color", "always"]).contains("\x1b["));
    assert!(text(&[("CLICOLOR_FORCE", "1")], &[]).contains("\x1b["));
    assert!(!text(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[]).contains('\x1b'));
    assert!(!text(&[("CLICOLOR_FORCE", "1")], &["--color", "never"]).contains('\x1b'));
    // Colour is never the only carrier of meaning.
    assert!(text(&[], &["--color", "always"]).contains("error[ISO101]:"));
}

#[test]
fn the_demo_draws_and_can_be_repeated() {
    let room = Room::new();
    let said = room.run("demo --out-dir shown").fine(&[]);
    assert!(said.out.contains("four circles (made)"), "{}", said.out);
    assert!(
        said.out
            .contains("isotherm label shown/digits.csv --label digit -o labelled.csv")
    );
    assert_eq!(room.names(), ["shown"]);
    let inside = || {
        let mut names: Vec<String> = std::fs::read_dir(room.path("shown"))
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    assert_eq!(
        inside(),
        [
            "circles.png",
            "circles.svg",
            "digits-answers.csv",
            "digits.csv"
        ]
    );
    let svg = room.read("shown/circles.svg");
    assert!(svg.trim_start().starts_with("<svg") || svg.starts_with("<?xml"));
    assert!(svg.trim_end().ends_with("</svg>"));
    let png = room.bytes("shown/circles.png");
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert!(png.windows(4).any(|w| w == b"IEND"));
    let again = room.run("demo --out-dir shown").fine(&[]);
    assert_eq!((again.out, svg), (said.out, room.read("shown/circles.svg")));
    assert_eq!(inside().len(), 4);
    // What it tells to try works.
    room.run("label shown/digits.csv --label digit -o labelled.csv")
        .fine(&["filled 1747 of 1747"]);
    assert!(is_file(&room.path("labelled.csv")));
    let json = room.run("demo --out-dir shown --json").fine(&[]).json();
    let share = |name: &str| json["circles"][name].as_f64().unwrap();
    assert!(share("isotherm_accuracy") > share("supervised_accuracy") + 0.1);
}

#[test]
fn a_demo_that_cannot_write_says_so() {
    let room = Room::with("taken", "a file");
    room.refuses("demo --out-dir taken", 1, &["error: cannot create taken"]);
    room.refuses(
        "demo --out-dir taken/inside",
        1,
        &["error: cannot create taken/inside"],
    );
}

/// What the guide tells to type, typed.
#[test]
fn every_command_of_the_guide_runs() {
    let guide = include_str!("../../../../../docs/guide/stkr.md");
    let (nodes, edges) = crate::args::stkr::rings();
    // Without the rows' names, which are no features and would be warned about.
    let data: String = (clusters().lines())
        .filter_map(|line| line.split_once(','))
        .map(|(_, rest)| format!("{rest}\n"))
        .collect();
    let room = Room::with("data.csv", data);
    room.file("nodes.csv", nodes);
    room.file("edges.csv", edges);
    room.file("new.csv", "a,b\n0.5,0.4\n6.3,6.4\n");
    room.file("new-nodes.csv", "node\nx\n");
    room.file("new-edges.csv", "x,n1\nx,n2\n");
    let mut ran = 0;
    for line in guide.lines().filter(|l| l.starts_with("isotherm ")) {
        let said = room.shell(&line.replacen("isotherm", "\"$isotherm\"", 1));
        assert_eq!(said.code, 0, "{line}: {said:?}");
        assert!(!said.err.contains("warning["), "{line}: {said:?}");
        ran += 1;
    }
    assert!(ran > 25, "{ran}");
}

/// On a terminal the bar comes and goes; what was said stays.
#[cfg(target_os = "linux")]
#[test]
fn the_progress_bar_does_not_erase_what_was_said() {
    let mut text = String::from("a,b,y\n");
    for i in 0..60_000_usize {
        text.push_str(&format!(
            "{},{},{}\n",
            i % 997,
            i % 1009,
            ["u", "v", ""][i.min(2)]
        ));
    }
    let room = Room::with("data.csv", text);
    // `script` gives the command a terminal; every Linux has it, in bsdutils or util-linux.
    assert_eq!(room.shell("command -v script").code, 0, "script is missing");
    // Wide enough that no line wraps: `screen` does not.
    let inside = "stty cols 200 rows 50; \"$isotherm\" label data.csv --label y -o out.csv";
    let line = &format!("script -qec '{inside}' /dev/null");
    let said = room.shell(line);
    assert_eq!(said.code, 0, "{said:?}");
    let shown = screen(&said.out);
    for sentence in [
        "read 60000 rows",
        "features: a, b",
        "method: blend of ",
        "filled ",
    ] {
        assert!(
            shown.iter().any(|l| l.starts_with(sentence)),
            "{sentence}: {shown:#?}"
        );
    }
    assert!(
        !shown.iter().any(|l| l.contains("[=")),
        "a bar is left: {shown:#?}"
    );
}

/// The lines a terminal ends up showing: carriage returns, line feeds, cursor
/// up and down, erase line.
#[cfg(target_os = "linux")]
fn screen(text: &str) -> Vec<String> {
    let mut lines: Vec<Vec<char>> = vec![Vec::new()];
    let (mut row, mut at) = (0_usize, 0_usize);
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '\r' => at = 0,
            '\n' => {
                row += 1;
                at = 0;
            }
            '\u{1b}' => {
                let mut code = String::new();
                for c in rest.by_ref().skip(1) {
                    code.push(c);
                    if c.is_ascii_alphabetic() {
                        break;
                    }
                }
                let count = code
                    .trim_end_matches(char::is_alphabetic)
                    .parse()
                    .unwrap_or(1);
                match code.chars().last() {
                    Some('A') => row = row.saturating_sub(count),
                    Some('B') => row += count,
                    Some('K') => lines[row].clear(),
                    _ => {}
                }
            }
            c => {
                while lines[row].len() <= at {
                    lines[row].push(' ');
                }
                lines[row][at] = c;
                at += 1;
            }
        }
        while lines.len() <= row {
            lines.push(Vec::new());
        }
    }
    let text = |l: &Vec<char>| l.iter().collect::<String>().trim_end().to_owned();
    lines.iter().map(text).collect()
}

#[test]
fn a_demo_leaves_what_is_not_its_own() {
    let room = Room::new();
    std::fs::create_dir(room.path("dd")).unwrap();
    room.file("dd/digits.csv", "mine\n");
    let said = room
        .run("demo --out-dir dd")
        .says(&["dd/digits.csv already exists"]);
    assert_eq!(said.code, 1);
    assert_eq!(room.read("dd/digits.csv"), "mine\n");
    assert_eq!(std::fs::read_dir(room.path("dd")).unwrap().count(), 1);
    room.run("demo --out-dir dd --force").fine(&[]);
    assert!(room.read("dd/digits.csv").starts_with("p"));
    // Pictures of another demo are a demo's; a table with other labels may be in use.
    room.run("demo --out-dir dd -q").fine(&[]);
    let said = room.run("demo --out-dir dd --per-class 3");
    assert_eq!(said.code, 1, "{said:?}");
    room.file("dd/circles.png", "mine\n");
    assert_eq!(room.run("demo --out-dir dd").code, 1);
    assert_eq!(room.read("dd/circles.png"), "mine\n");
}
