//! The same command again, and whether it gives the same.

use serde_json::{Value, json};

use crate::run::{Room, clusters};

const SAME: &str = " comes out byte for byte\n";

/// Runs it again, and checks that nothing in the directory changes by it.
#[track_caller]
fn same(room: &Room, file: &str) {
    let before = room.everything();
    room.run(&format!("rerun {file}"))
        .fine(&["the same: ", SAME]);
    assert!(room.everything() == before, "{:?}", room.names());
}

#[test]
fn every_kind_of_result_comes_out_again() {
    let room = Room::with("data.csv", clusters());
    for (line, results) in [
        (
            "label data.csv --label y --sets 0.7 --probabilities -o out.csv",
            &["out.csv", "out.csv.run.json"][..],
        ),
        ("label data.csv --label y -o out.tsv.gz", &["out.tsv.gz"]),
        (
            "label data.csv --label y -o out.jsonl.zst",
            &["out.jsonl.zst"],
        ),
        ("label data.csv --label y -o out.parquet", &["out.parquet"]),
        ("fit data.csv --label y --seed 3 -o m.iso", &["m.iso"]),
        ("predict m.iso data.csv -o pred.csv", &["pred.csv"]),
        ("embed data.csv --exclude y -o plane.csv", &["plane.csv"]),
        ("next data.csv --label y -n 3 -o todo.csv", &["todo.csv"]),
        (
            "tune data.csv --label y --etas 0.9 --ridges 1,2 --plot t.svg -o r.toml",
            &["r.toml", "t.svg"],
        ),
        ("evaluate data.csv --label y --plot c.png", &["c.png"]),
        ("demo --out-dir shown --seed 2", &["shown/circles.svg"]),
    ] {
        let said = room.run(line);
        said.fine(&[]);
        results.iter().for_each(|file| same(&room, file));
    }
}

#[test]
fn what_went_to_standard_output_comes_out_again() {
    let room = Room::with("data.csv", clusters());
    for (line, file) in [
        (
            "label data.csv --label y -q -o - --output-format parquet",
            "out.parquet",
        ),
        ("evaluate data.csv --label y --json", "eval.json"),
        ("label data.csv --label y --json -o a.csv", "answer.json"),
        ("next data.csv --label y -n 2 --json", "next.json"),
        (
            "tune data.csv --label y --etas 0.9 --ridges 1,2 -q -o -",
            "r.toml",
        ),
    ] {
        let said = room.shell(&format!("\"$isotherm\" {line} > {file}"));
        assert_eq!(said.code, 0, "{said:?}");
        same(&room, file);
    }
    room.run("rerun eval.json -o again.json").fine(&[]);
    assert_eq!(room.read("again.json"), room.read("eval.json"));
}

#[test]
fn a_streamed_prediction_comes_out_again() {
    let room = Room::with("data.csv", clusters());
    room.run("fit data.csv --label y -o m.iso").fine(&[]);
    room.run("embed data.csv --exclude y --dimensions 1 -o new.parquet")
        .fine(&[]);
    for name in ["pred.parquet", "pred.csv.gz"] {
        room.run(&format!("predict m.iso new.parquet --stream -o {name}"))
            .fine(&[]);
        same(&room, name);
    }
}

#[test]
fn a_recipe_with_its_provenance_is_still_a_recipe() {
    let room = Room::with("data.csv", clusters());
    room.run("tune data.csv --label y --etas 0.9 --ridges 1,2 -o r.toml")
        .fine(&[]);
    assert!(room.read("r.toml").starts_with("# made by isotherm "));
    room.run("label data.csv --label y --recipe r.toml -o out.csv")
        .fine(&[]);
    same(&room, "out.csv");
}

#[test]
fn an_input_that_is_another_is_refused_with_both_hashes() {
    let room = Room::with("data.csv", clusters());
    room.run("label data.csv --label y -o out.csv").fine(&[]);
    let old = room.shell("sha256sum data.csv").out[..64].to_owned();
    room.file("data.csv", clusters().replace("r39,", "r40,"));
    let new = room.shell("sha256sum data.csv").out[..64].to_owned();
    let says =
        format!("the input data.csv is not what it was: its SHA-256 was {old}, and is {new}");
    room.refuses("rerun out.csv", 1, &[&says, "--anyway"]);
    let said = room.run("rerun out.csv --json");
    assert_eq!(said.json()["error"]["name"], "rerun-input");
    // Anyway: a difference is what was to be expected, and no error.
    room.run("rerun out.csv --anyway -o new.csv").fine(&[
        "warning: the input data.csv",
        "not the same out.csv: ",
        "wrote new.csv",
    ]);
    assert!(room.read("new.csv").contains("r40,"));
    std::fs::remove_file(room.path("data.csv")).unwrap();
    room.refuses(
        "rerun out.csv",
        1,
        &[
            "the input data.csv cannot be read: No such file",
            "help: run it in the directory",
        ],
    );
}

#[test]
fn a_result_that_was_changed_is_found_out_and_the_new_one_can_be_kept() {
    let room = Room::with("data.csv", clusters());
    room.run("label data.csv --label y -o out.parquet")
        .fine(&[]);
    room.run("fit data.csv --label y -o m.iso").fine(&[]);
    let good = room.bytes("out.parquet");
    // The first cells of the first page; the footer, and the provenance in it, stay.
    let mut bad = good.clone();
    bad[40] ^= 1;
    room.file("out.parquet", &bad);
    room.refuses(
        "rerun out.parquet",
        1,
        &["error: the same command gives another out.parquet: ", "-o"],
    );
    let said = room.run("rerun out.parquet -o new.parquet");
    assert_eq!(said.code, 1, "{said:?}");
    assert!(room.bytes("new.parquet") == good);
    room.refuses(
        "rerun m.iso -o new.parquet",
        1,
        &["new.parquet already exists"],
    );
    room.run("rerun m.iso -f -o new.parquet").fine(&[SAME]);
    assert!(room.bytes("new.parquet") == room.bytes("m.iso"));
}

#[test]
fn a_table_that_was_edited_beside_its_sidecar_is_found_out() {
    let room = Room::with("data.csv", clusters());
    room.run("label data.csv --label y -o out.csv").fine(&[]);
    let good = room.read("out.csv");
    room.file("out.csv", good.replacen("near", "nearer", 1));
    let says = ["gives another out.csv: the one that is there was changed since it was written"];
    room.refuses("rerun out.csv", 1, &says);
    room.refuses("rerun out.csv.run.json", 1, &says);
}

#[test]
fn a_table_that_has_gone_comes_out_of_its_sidecar() {
    let room = Room::with("data.csv", clusters());
    room.run("label data.csv --label y -o out.csv").fine(&[]);
    let table = room.bytes("out.csv");
    std::fs::remove_file(room.path("out.csv")).unwrap();
    same(&room, "out.csv.run.json");
    room.run("rerun out.csv.run.json -o back.csv").fine(&[SAME]);
    assert_eq!(room.bytes("back.csv"), table);
    same(&room, "back.csv");
}

#[test]
fn relative_paths_are_looked_for_here_and_where_the_result_is() {
    let room = Room::new();
    for dir in ["project", "project/out", "elsewhere"] {
        std::fs::create_dir(room.path(dir)).unwrap();
    }
    room.file("project/data.csv", clusters());
    let script = |line: &str| room.shell(line).fine(&[]);
    script("cd project && \"$isotherm\" label data.csv --label y -o near.csv");
    script("cd project && \"$isotherm\" label data.csv --label y -o out/far.csv");
    // In the result's directory, and from where the result has the name it was given.
    script("\"$isotherm\" rerun project/near.csv").says(&[SAME]);
    script("cd elsewhere && \"$isotherm\" rerun ../project/out/far.csv").says(&[SAME]);
    script("cd project/out && \"$isotherm\" rerun far.csv -o ../new.csv").says(&[SAME]);
    assert_eq!(
        room.bytes("project/new.csv"),
        room.bytes("project/out/far.csv")
    );
    // Another file of that name in this directory is not taken for the input.
    room.file("elsewhere/data.csv", "a,y\n1,u\n");
    script("cd elsewhere && \"$isotherm\" rerun ../project/near.csv").says(&[SAME]);
}

#[test]
fn print_tells_the_command_and_runs_nothing() {
    let room = Room::with("my data.csv", clusters());
    let words = ["label", "my data.csv", "--label", "y", "-o", "it's.csv"];
    assert_eq!(room.words(&words).code, 0);
    let before = room.everything();
    let said = room.words(&["rerun", "it's.csv", "--print"]).fine(&[]);
    let line = r"isotherm label 'my data.csv' --label y -o 'it'\''s.csv'";
    assert_eq!(said.out, format!("{line}\n"));
    assert!(room.everything() == before);
    let said = room.words(&["rerun", "it's.csv", "--print", "--json"]);
    assert_eq!(said.json()["command"], json!(words));
    assert_eq!(said.json()["shell"], line);
    // What it prints does what it says.
    let again = line.replacen("isotherm", "\"$isotherm\"", 1);
    assert_eq!(room.shell(&format!("{again} -f")).code, 0);
}

#[test]
fn standard_input_has_to_be_given_again() {
    let room = Room::new();
    room.fed("label - --label y -o out.csv", &clusters())
        .fine(&[]);
    room.refuses(
        "rerun out.csv",
        1,
        &[
            "it was made from standard input, which was not kept",
            "--anyway",
        ],
    );
    room.fed("rerun out.csv --anyway", &clusters())
        .fine(&[SAME]);
    room.fed("rerun out.csv --anyway", &clusters().replace("r0", "r99"))
        .fine(&["not the same out.csv: "]);
}

#[test]
fn a_machine_is_told_too() {
    let room = Room::with("data.csv", clusters());
    room.run("fit data.csv --label y -o m.iso").fine(&[]);
    let said = room.run("rerun m.iso --json -o n.iso").fine(&[]).json();
    assert_eq!(said["same"], true);
    assert_eq!(said["difference"], Value::Null);
    assert_eq!(said["output"], "n.iso");
    assert_eq!(said["file"], "m.iso");
}

/// A sidecar of any words, made up by somebody.
fn forged(room: &Room, words: &[&str], change: impl Fn(&mut Value)) {
    room.run("label data.csv --label y -f -o x.csv").fine(&[]);
    let mut told: Value = serde_json::from_str(&room.read("x.csv.run.json")).unwrap();
    told["provenance"]["command"] = json!(words);
    change(&mut told);
    room.file("x.csv.run.json", told.to_string());
}

#[test]
fn another_version_is_refused() {
    let room = Room::with("data.csv", clusters());
    let words = ["label", "data.csv", "--label", "y", "-o", "x.csv"];
    forged(&room, &words, |told| {
        told["provenance"]["version"] = "0.0.7".into();
    });
    let says = ["x.csv was made by isotherm 0.0.7, this is ", "--anyway"];
    room.refuses("rerun x.csv", 1, &says);
    room.run("rerun x.csv --anyway").fine(&[SAME]);
}

#[test]
fn a_forged_provenance_writes_nowhere_and_runs_nothing_else() {
    let room = Room::with("data.csv", clusters());
    let victim = room.path("victim").display().to_string();
    for precious in ["victim", "victim.csv", "victim.svg"] {
        room.file(precious, "precious");
    }
    std::fs::create_dir(room.path("dir")).unwrap();
    let label = ["label", "data.csv", "--label", "y", "-f", "-o"];
    let csv = format!("{victim}.csv");
    let svg = format!("{victim}.svg");
    let tune = [
        "tune", "data.csv", "--label", "y", "--etas", "0.9", "-f", "-o",
    ];
    for words in [
        [&label[..], &[csv.as_str()]].concat(),
        [&label[..], &["../victim.csv"]].concat(),
        [&label[..], &["dir/../victim.csv"]].concat(),
        [&label[..], &[victim.as_str()]].concat(),
        [&label[..], &["/dev/full"]].concat(),
        [&label[..], &[".."]].concat(),
        [&label[..], &["-"]].concat(),
        [&tune[..], &[victim.as_str(), "--plot", svg.as_str()]].concat(),
        vec!["fit", "data.csv", "--label", "y", "-f", "-o", &victim],
        vec!["evaluate", "data.csv", "--label", "y", "-f", "--plot", &svg],
        vec!["demo", "--out-dir", "dir"],
        vec!["rerun", "x.csv"],
        vec!["rerun", "x.csv", "-f", "-o", &victim],
        vec!["completions", "bash"],
        vec!["label", "data.csv", "--label", "y", "--print-recipe"],
        vec!["--help"],
        vec!["--version"],
        vec!["sh", "-c", "touch pwned"],
        vec!["$(touch pwned)"],
        vec![],
    ] {
        forged(&room, &words, |_| {});
        let before = room.everything();
        let said = room.run("rerun x.csv");
        assert!(!said.err.contains("panicked"), "{said:?}");
        assert_eq!(said.out, "", "{words:?}");
        let after = room.everything();
        assert!(after == before, "{words:?} changed {:?}", room.names());
        assert_eq!(room.shell("ls dir").out, "", "{words:?}");
    }
}

#[test]
fn a_forged_provenance_cannot_steer_the_terminal() {
    let room = Room::with("data.csv", clusters());
    let bad = "\u{1b}]0;x\u{7}\u{202e}";
    forged(&room, &["label", bad], |told| {
        told["provenance"]["inputs"][0]["path"] = bad.into();
        told["provenance"]["version"] = bad.into();
    });
    for line in ["rerun x.csv", "rerun x.csv --anyway", "rerun x.csv --print"] {
        let said = room.run(line);
        let all = format!("{}{}", said.out, said.err);
        assert!(!all.contains(['\u{1b}', '\u{7}']), "{all:?}");
        assert_ne!(all, "");
    }
}

#[test]
fn files_that_are_no_results_are_refused_by_name() {
    let room = Room::with("data.csv", clusters());
    room.refuses(
        "rerun data.csv",
        1,
        &[
            "data.csv: it does not tell which run made it",
            "help: give a result of isotherm",
        ],
    );
    room.refuses("rerun none.csv", 1, &["cannot open none.csv"]);
    room.refuses("rerun .", 1, &["help: give the name of a file"]);
    room.file("out.csv.run.json", "{\"schema\":1}");
    room.refuses("rerun out.csv", 1, &["its provenance cannot be read"]);
}

#[test]
fn a_check_comes_out_again_whatever_it_found() {
    let room = Room::with("data.csv", clusters());
    for (line, code) in [
        ("check data.csv --json", 0),
        ("check data.csv --label y --json", 0),
        ("check data.csv --label z --json", 1),
    ] {
        let said = room.run(line);
        assert_eq!(said.code, code, "{said:?}");
        room.file("a.json", said.out);
        same(&room, "a.json");
    }
}

#[test]
fn a_file_that_a_pattern_stands_for_by_now_is_named() {
    let room = Room::new();
    std::fs::create_dir(room.path("parts")).unwrap();
    for name in ["p1.csv", "p2.csv", "parts/q1.csv"] {
        room.file(name, clusters());
    }
    room.run("label p*.csv --label y -o out.csv").fine(&[]);
    room.run("label parts --label y -o all.csv").fine(&[]);
    same(&room, "out.csv");
    same(&room, "all.csv");
    room.file("p3.csv", clusters());
    // One that cannot be read together with the others is named too.
    room.file("parts/q2.csv", "z\n1\n");
    room.refuses(
        "rerun out.csv",
        1,
        &[
            "error: the command reads p3.csv, which it did not read when the result was made\n",
            "help: move it away, or pass --anyway to run with it",
        ],
    );
    room.refuses(
        "rerun all.csv",
        1,
        &["the command reads parts/q2.csv, which"],
    );
    room.run("rerun out.csv --anyway")
        .fine(&["warning: the command reads p3.csv", "not the same out.csv"]);
}
