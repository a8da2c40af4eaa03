//! Flags, variables and isotherm.toml: which one counts, and what is told of it.

use crate::run::{Room, Said, clusters};

/// Runs a command line with variables set.
fn with(room: &Room, set: &[(&str, &str)], line: &str) -> Said {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut command = room.command(&words);
    let done = command.envs(set.iter().copied()).output().unwrap();
    Said {
        out: String::from_utf8(done.stdout).unwrap(),
        err: String::from_utf8(done.stderr).unwrap(),
        code: done.status.code().unwrap(),
    }
}

/// Every subset of the four places a value can come from, for flags of each kind: the
/// first place that has it wins, and is named.
#[test]
fn the_first_place_that_says_a_value_wins_for_every_kind_of_flag() {
    // The flag, the value on the command line, in the variable, under [label], under [all].
    let flags: [(&str, [&str; 4]); 7] = [
        ("label", ["a1", "b2", "c3", "d4"]),
        ("seed", ["1", "2", "3", "4"]),
        ("method", ["stkr", "harmonic", "laplacian", "kernel-ridge"]),
        ("features", ["a,b", "c,d", "e,f", "g"]),
        ("threads", ["1", "2", "3", "4"]),
        ("memory", ["1GB", "2GB", "3GB", "4GB"]),
        ("color", ["never", "always", "auto", "never"]),
    ];
    let places = [
        "command line",
        "ISOTHERM_",
        "isotherm.toml line 2",
        "isotherm.toml line 4",
    ];
    for (flag, values) in flags {
        for subset in 0..16_u32 {
            let has = |place: usize| subset >> place & 1 == 1;
            let room = Room::new();
            let entry = |place: usize| {
                if has(place) {
                    format!("{flag} = \"{}\"", values[place])
                } else {
                    "# nothing".to_owned()
                }
            };
            room.file(
                "isotherm.toml",
                format!("[label]\n{}\n[all]\n{}\n", entry(2), entry(3)),
            );
            let variable = format!("ISOTHERM_{}", flag.to_uppercase());
            let set = [(variable.as_str(), values[1])];
            let set = if has(1) { &set[..] } else { &[] };
            let mut line = "label data.csv -o out.csv --print-config --json".to_owned();
            if has(0) {
                line += &format!(" --{flag} {}", values[0]);
            } else if flag != "label" {
                line += " --label y";
            }
            let said = with(&room, set, &line);
            let shown = said.out.lines().next().unwrap();
            let shown: serde_json::Value = serde_json::from_str(shown).unwrap();
            let found = &shown["settings"][flag];
            let Some(first) = (0..4).find(|place| has(*place)) else {
                assert!(
                    found.is_null() || found["from"] == "default",
                    "{flag}: {shown}"
                );
                continue;
            };
            assert_eq!(
                found["value"], values[first],
                "{flag} {subset:04b}: {shown}"
            );
            let from = found["from"].as_str().unwrap();
            assert!(
                from.starts_with(places[first]),
                "{flag} {subset:04b}: {from}"
            );
            let rest = (first + 1..4).filter(|place| has(*place)).count();
            assert_eq!(shown["unused"].as_array().unwrap().len(), rest, "{shown}");
        }
    }
}

#[test]
fn settings_do_what_the_flags_do_and_are_said() {
    let room = Room::with("data.csv", clusters());
    room.run("label data.csv --label y --exclude b --neighbours 3 --seed 5 -o typed.csv")
        .fine(&[]);
    room.file(
        "isotherm.toml",
        "[all]\nlabel = \"y\"\nexclude = [\"b\"]\nseed = 5\n\n[label]\nneighbours = 3\n",
    );
    room.run("label data.csv -o set.csv").fine(&[
        "set elsewhere: --neighbours (isotherm.toml line 7), --label (isotherm.toml line 2), \
         --exclude (isotherm.toml line 3), --seed (isotherm.toml line 4)\n",
        "features: a\n",
    ]);
    assert_eq!(room.read("typed.csv"), room.read("set.csv"));
    // A flag of another command only is no concern of this one.
    room.run("inspect --help").fine(&[]);
    let said = room.run("label data.csv --no-config -o other.csv");
    assert_eq!(said.code, 2);
    assert!(said.err.contains("--label <COLUMN>"), "{said:?}");
}

#[test]
fn switches_and_counts_can_be_set_and_unset() {
    let room = Room::with("data.csv", clusters());
    let line = "label data.csv --label y -f -o out.csv";
    let said = with(&room, &[("ISOTHERM_JSON", "1")], line);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    assert_eq!(said.json()["filled"], 34);
    room.file("isotherm.toml", "[all]\nquiet = true\n");
    assert_eq!(room.run(line).fine(&[]).err, "");
    assert!(
        with(&room, &[("ISOTHERM_QUIET", "no")], line)
            .err
            .contains("filled 34")
    );
    assert!(room.run(&format!("{line} -v")).err.contains(" s in all"));
    room.file("isotherm.toml", "[all]\nverbose = 1\n");
    room.run(line).fine(&[" s in all"]);
    let said = with(&room, &[("ISOTHERM_JSON", "maybe")], line);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("ISOTHERM_JSON is \"maybe\""), "{said:?}");
}

#[test]
fn what_contradicts_the_command_line_stays_out() {
    let room = Room::with("data.csv", clusters());
    let recipe = room
        .run("label data.csv --label y --print-recipe")
        .fine(&[])
        .out;
    room.file("recipe.toml", recipe);
    room.file(
        "isotherm.toml",
        "[all]\nlabel = \"y\"\nrecipe = \"recipe.toml\"\n",
    );
    room.run("label data.csv -o recipe.csv")
        .fine(&["--recipe (isotherm.toml line 3)"]);
    // A method that is typed beats a recipe that is not.
    let said = room
        .run("label data.csv --method harmonic -o typed.csv")
        .fine(&["method: harmonic\n"]);
    assert!(!said.err.contains("--recipe"), "{said:?}");
    let shown = room
        .run("label data.csv --method harmonic -o t.csv --print-config")
        .fine(&[])
        .out;
    assert!(shown.contains("not used: --method comes first"), "{shown}");
}

#[test]
fn a_file_with_mistakes_is_refused_by_line_and_with_what_was_meant() {
    let room = Room::with("data.csv", clusters());
    for (text, says, hint) in [
        (
            "[all]\nlable = \"y\"\n",
            "isotherm.toml line 2: isotherm has no setting \"lable\"",
            "did you mean \"label\"?",
        ),
        (
            "[label]\nseed = 1\nstrategy = \"cover\"\n",
            "isotherm.toml line 3: isotherm label has no setting \"strategy\"",
            "--help-all",
        ),
        (
            "[lable]\nseed = 1\n",
            "isotherm.toml line 1: there is no command \"lable\"",
            "did you mean \"label\"?",
        ),
        (
            "seed = 1\n",
            "isotherm.toml line 1: \"seed\" stands in no section",
            "[all]",
        ),
        (
            "[all]\njson = \"yes\"\n",
            "isotherm.toml line 2: json is a switch",
            "true or false",
        ),
        (
            "[all]\nforce = true\n",
            "isotherm has no setting \"force\"",
            "",
        ),
        (
            "[all]\n\nfeatures = [\"a,b\"]\n",
            "isotherm.toml line 3: features holds \"a,b\"",
            "pattern",
        ),
        (
            "[all]\nseed = [1]\n",
            "isotherm.toml line 2: seed takes one value",
            "brackets",
        ),
        ("[all]\nseed = \n", "isotherm.toml line 2: ", ""),
        (
            "[next]\nstrategi = 1\n",
            "isotherm.toml line 2: isotherm next has no setting",
            "\"strategy\"",
        ),
    ] {
        room.file("isotherm.toml", text);
        room.refuses("label data.csv --label y -o out.csv", 2, &[says, hint]);
    }
    room.file("isotherm.toml", "[all]\nseed = \"many\"\n");
    room.refuses(
        "label data.csv --label y -o out.csv",
        2,
        &["error: isotherm.toml line 2: invalid value 'many' for '--seed <SEED>'"],
    );
    room.run("label data.csv --label y --no-config -o out.csv")
        .fine(&[]);
}

#[test]
fn a_mistyped_variable_is_warned_about_and_others_are_not() {
    let room = Room::with("data.csv", clusters());
    let line = "label data.csv --label y -o out.csv";
    let set = [("ISOTHERM_LABLE", "y"), ("ISOTHERM_DATA", "somewhere")];
    let said = with(&room, &set, line);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(
        said.err
            .contains("warning[ISO050]: the variable ISOTHERM_LABLE sets nothing"),
        "{said:?}"
    );
    assert!(
        said.err.contains("did you mean ISOTHERM_LABEL?"),
        "{said:?}"
    );
    assert!(!said.err.contains("ISOTHERM_DATA"), "{said:?}");
}

#[test]
fn print_config_tells_what_is_missing_and_reads_no_data() {
    let room = Room::new();
    let said = room.run("label nowhere.csv --seed 3 --print-config");
    assert_eq!(said.code, 2);
    assert!(
        said.out.contains("--seed") && said.out.contains("command line"),
        "{said:?}"
    );
    assert!(said.err.contains("--label <COLUMN>"), "{said:?}");
    let said = room
        .run("label nowhere.csv --label y -o out.csv --print-config")
        .fine(&[]);
    let rows: Vec<Vec<&str>> = said
        .out
        .lines()
        .map(|l| l.split_whitespace().collect())
        .collect();
    assert!(
        rows.contains(&vec!["--method", "auto", "default"]),
        "{said:?}"
    );
    assert!(
        rows.contains(&vec!["--label", "y", "command", "line"]),
        "{said:?}"
    );
    assert_eq!(room.names(), Vec::<String>::new());
}

#[test]
fn settings_stand_before_words_that_follow_two_dashes() {
    let room = Room::with("data.csv", clusters());
    room.file("isotherm.toml", "[all]\nlabel = \"y\"\n");
    room.run("label -o out.csv -- data.csv")
        .fine(&["filled 34"]);
}

#[test]
fn settings_reach_every_kind_of_picture() {
    let room = Room::with("data.csv", clusters());
    let recipe = |room: &Room, set: &[(&str, &str)], line: &str| {
        let said = with(room, set, line).fine(&[]);
        said.json()["recipe"]["neighbours"].clone()
    };
    room.file(
        "isotherm.toml",
        "[all]\nneighbours = 3\n[plot]\nlabel = \"y\"\n",
    );
    assert_eq!(recipe(&room, &[], "plot map data.csv --json"), 3);
    assert_eq!(
        recipe(&room, &[], "label data.csv --label y --json -o o.csv"),
        3
    );
    assert_eq!(
        recipe(
            &room,
            &[("ISOTHERM_NEIGHBOURS", "4")],
            "plot spectrum data.csv --method stkr --json"
        ),
        4
    );
    let said = with(&room, &[], "plot map data.csv --json --print-config").fine(&[]);
    let shown: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(shown["command"], "plot map");
    assert_eq!(shown["settings"]["label"]["from"], "isotherm.toml line 4");
    // A flag of one kind is a setting of plot; one of none is not.
    room.file("isotherm.toml", "[plot]\nlabel = \"y\"\nrepeats = 3\n");
    room.run("plot balance data.csv --json").fine(&[]);
    room.file("isotherm.toml", "[plot]\ncount = 3\n");
    room.refuses(
        "plot map data.csv --label y -o m.svg",
        2,
        &["isotherm.toml line 2: isotherm plot has no setting \"count\""],
    );
}
