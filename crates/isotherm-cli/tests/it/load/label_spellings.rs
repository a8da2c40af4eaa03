//! Classes that differ by their spelling only: `--merge-labels`.

use crate::run::Room;

/// Two clusters, one class of which is spelled in three ways.
const PLANS: &str = "a,plan\n1,premium\n1.1,premium\n1.2, Premium \n1.3,PREMIUM\n1.4,\n\
                     5,basic\n5.1,basic\n5.2,basic\n5.3,\n";

const PAIRS: &str = "2 pairs of classes are one in column \"plan\" but for the spelling: ";

#[test]
fn spellings_of_one_class_are_refused_with_the_flag_to_type() {
    let room = Room::with("data.csv", PLANS);
    for command in [
        "label data.csv -o out.csv",
        "fit data.csv -o out.iso",
        "next data.csv -o next.csv",
        "evaluate data.csv",
        "tune data.csv",
        "report data.csv -o report.html",
    ] {
        let said = room.run(&format!("{command} --label plan"));
        assert_eq!(said.code, 1, "{said:?}");
        assert!(said.err.contains("error[ISO220]"), "{said:?}");
        said.says(&[
            PAIRS,
            "\"PREMIUM\" ×1 and \"premium\" ×2",
            "pass --merge-labels auto to merge them",
        ]);
    }
    assert_eq!(room.names(), ["data.csv"]);
}

#[test]
fn check_refuses_them_once_and_looks_at_everything_else() {
    let room = Room::with("data.csv", PLANS);
    let said = room.run("check data.csv --label plan");
    assert_eq!(said.code, 1, "{said:?}");
    assert_eq!(said.out.matches("ISO220").count(), 1, "{said:?}");
    assert_eq!((said.out + &said.err).matches("ISO254").count(), 0);
    let json = room.run("check data.csv --label plan --json").json();
    let problems = json["problems"].as_array().unwrap();
    assert!(
        problems.iter().any(|p| p["name"] == "label-spellings"),
        "{json}"
    );
    assert_eq!(json["labelled"], 7);
    let said = room
        .run("check data.csv --label plan --merge-labels auto")
        .fine(&["merged labels: "]);
    assert!(
        said.out.contains("premium ×4, basic ×3; 2 to fill"),
        "{said:?}"
    );
}

#[test]
fn merging_is_what_correcting_the_cells_by_hand_would_be() {
    let room = Room::with("data.csv", PLANS);
    room.file(
        "clean.csv",
        PLANS.to_lowercase().replace(" premium ", "premium"),
    );
    room.run("label clean.csv --label plan -o clean.out.csv")
        .fine(&[]);
    room.run("label data.csv --label plan --merge-labels auto -o out.csv")
        .fine(&["merged labels: ", "\"PREMIUM\" ×1 into \"premium\""]);
    let answers = |name: &str| -> Vec<String> {
        let text = room.read(name);
        let rows = text.lines().skip(1);
        rows.map(|l| l.splitn(3, ',').nth(2).unwrap().to_owned())
            .collect()
    };
    assert_eq!(answers("out.csv"), answers("clean.out.csv"));
    let json = room
        .run("label data.csv --label plan --merge-labels auto -f -o out.csv --json")
        .json();
    let merged = json["merged_labels"].as_array().unwrap();
    assert_eq!(merged.len(), 2, "{json}");
    assert!(
        merged
            .iter()
            .all(|m| m["to"] == "premium" && m["labels"] == 1)
    );
    assert_eq!(json["classes"].as_array().map(Vec::len), Some(2), "{json}");
}

#[test]
fn never_keeps_every_spelling_as_a_class() {
    let room = Room::with("data.csv", PLANS);
    let said = room.run("fit data.csv --label plan --merge-labels never -o out.iso --json");
    assert_eq!(
        said.json()["classes"].as_array().map(Vec::len),
        Some(4),
        "{said:?}"
    );
}

#[test]
fn a_map_merges_what_it_says_and_keeps_what_it_names_as_itself() {
    let room = Room::with("data.csv", PLANS);
    room.file(
        "map.csv",
        "from,to\nPREMIUM,premium\n Premium , Premium \nbasic,standard\n",
    );
    let line = "fit data.csv --label plan --merge-labels map.csv -f -o out.iso --json";
    let said = room.run(line).fine(&[]);
    let classes = said.json()["classes"].to_string();
    for class in ["\"premium\"", "\"standard\"", "Premium"] {
        assert!(classes.contains(class), "{classes}");
    }
    assert!(
        !classes.contains("PREMIUM") && !classes.contains("basic"),
        "{classes}"
    );
    let inputs = said.json()["provenance"]["inputs"].to_string();
    assert!(inputs.contains("map.csv"), "{inputs}");
    // What a map does not speak of is refused as ever.
    room.file("map.csv", "from,to\nPREMIUM,premium\n");
    let said = room.run(line);
    assert_eq!(said.json()["error"]["name"], "label-spellings", "{said:?}");
    for (map, told) in [
        (
            "PREMIUM,premium,x\n",
            "a map of labels has two columns, this one 3",
        ),
        ("PREMIUM,\nx,y\n", "a label has no name"),
        ("x,y\nx,z\n", "\"x\" is \"z\" here and \"y\" before"),
    ] {
        room.file("map.csv", map);
        room.refuses(&line.replace(" --json", ""), 1, &["map.csv", told]);
    }
    let plain = line.replace(" --json", "");
    room.refuses(
        &plain.replace("map.csv", "nowhere.csv"),
        1,
        &["nowhere.csv"],
    );
    room.refuses(&plain.replace("map.csv", "atuo"), 2, &["auto, ask, never"]);
}

#[test]
fn ask_needs_a_terminal_only_if_there_is_something_to_ask() {
    let room = Room::with("data.csv", PLANS);
    room.refuses(
        "label data.csv --label plan --merge-labels ask -o out.csv",
        1,
        &["there is no terminal to ask at", "--merge-labels auto"],
    );
    room.file(
        "data.csv",
        PLANS.replace("PREMIUM", "").replace(" Premium ", ""),
    );
    room.run("label data.csv --label plan --merge-labels ask -o out.csv")
        .fine(&[]);
}

/// What is answered at a terminal is kept, and a rerun does not ask.
#[cfg(target_os = "linux")]
#[test]
fn an_answer_at_the_terminal_is_kept_in_the_record() {
    let room = Room::with("data.csv", PLANS);
    for (answer, kept) in [("y", "auto"), ("n", "never")] {
        let inside = "\"$isotherm\" fit data.csv --label plan --merge-labels ask -f -o out.iso";
        let said = room.shell(&format!("echo {answer} | script -qec '{inside}' /dev/null"));
        assert!(
            said.out.contains("merge each into the second? [y/n]"),
            "{said:?}"
        );
        let line = room.run("rerun out.iso --print").fine(&[]).out;
        assert!(line.contains(&format!("--merge-labels {kept}")), "{line}");
        room.run("rerun out.iso").fine(&["the same"]);
    }
}

#[test]
fn the_setting_can_be_in_the_file_or_the_environment() {
    let room = Room::with("data.csv", PLANS);
    room.file("isotherm.toml", "[all]\nmerge-labels = \"auto\"\n");
    room.run("label data.csv --label plan -o out.csv")
        .fine(&["merged labels: "]);
    let line = "ISOTHERM_MERGE_LABELS=auto \"$isotherm\" label data.csv --label plan -f -o out.csv";
    std::fs::remove_file(room.path("isotherm.toml")).unwrap();
    let said = room.shell(line).fine(&["merged labels: "]);
    assert_eq!(said.code, 0);
}

#[test]
fn labels_that_are_no_names_of_classes_are_not_merged() {
    let room = Room::with("data.csv", "a,y\n1,1.5\n2,2.5\n3,3.5\n4,\n5,\n");
    room.refuses(
        "label data.csv --label y --merge-labels auto -o out.csv",
        2,
        &["--merge-labels means nothing to the task regress"],
    );
    room.file("data.csv", "a,y\n1,u\n2,U|v\n3,v\n4,\n5,\n");
    room.refuses(
        "label data.csv --label y --candidates --merge-labels auto -o out.csv",
        2,
        &["--merge-labels means nothing to --candidates"],
    );
}
