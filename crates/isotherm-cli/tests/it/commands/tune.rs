//! `tune`: the grid, the recipe it leaves, and what it is honest about.

use crate::args::stkr::graph;
use crate::run::{Room, clusters, column, is_file};

const TUNE: &str = "tune nodes.csv --label y --graph edges.csv";
const LABEL: &str = "label nodes.csv --label y --graph edges.csv --probabilities -f -o out.csv";

#[test]
fn the_recipe_that_tune_writes_gives_what_the_flags_give() {
    let room = graph();
    for (way, name, flag) in [
        ("", "eta", "--eta"),
        ("--degrees 2,4", "degree", "--degree"),
        ("--ranks 3,6 --self-loops", "rank", "--rank"),
        ("--times 1,4 --lazy --centre-labels no", "time", "--time"),
    ] {
        let said = room
            .run(&format!("{TUNE} {way} -f -o recipe.toml"))
            .fine(&["best: ", "wrote recipe.toml\n"]);
        assert!(said.out.starts_with("ridge down, "), "{}", said.out);
        let json = room.run(&format!("{TUNE} {way} --json")).fine(&[]).json();
        let method = &json["recipe"]["method"];
        room.run(&format!("{LABEL} --recipe recipe.toml")).fine(&[]);
        let by_recipe = room.read("out.csv");
        let more: Vec<&str> = way
            .split("--")
            .filter(|w| !w.is_empty() && !w.starts_with(&flag[2..]))
            .collect();
        let more: String = more.iter().map(|w| format!(" --{w}")).collect();
        room.run(&format!(
            "{LABEL} {flag} {} --ridge {}{more}",
            method["transform"][name], method["ridge"]
        ))
        .fine(&[]);
        assert_eq!(by_recipe, room.read("out.csv"), "{way}");
        room.run("fit nodes.csv --label y --graph edges.csv --recipe recipe.toml -f -o m.iso")
            .fine(&[]);
        let told = room.run("inspect m.iso --json").json();
        assert_eq!(told["recipe"], json["recipe"]);
    }
}

#[test]
fn the_table_is_narrow_marks_one_cell_and_says_what_the_score_is() {
    let room = graph();
    let said = room.run(TUNE).fine(&[
        "chosen by leave-one-label-out log loss, and for being near the defaults",
        "what to expect: accuracy ",
        "own leave-one-label-out accuracy on 6 labels, ",
        "is optimistic: it was chosen from 96 cells",
    ]);
    assert_eq!(said.out.matches('*').count(), 2, "{}", said.out); // one in the heading
    assert!(
        said.out.lines().all(|l| l.chars().count() <= 80),
        "{}",
        said.out
    );
    assert_eq!(said.out.lines().count(), 14);
    // More values than fit go into further blocks.
    let many = "0.1,0.15,0.2,0.25,0.3,0.35,0.4,0.45,0.5,0.55";
    let said = room
        .run(&format!("{TUNE} --etas {many} --ridges 1,0.01"))
        .fine(&[]);
    assert!(
        said.out.lines().all(|l| l.chars().count() <= 80),
        "{}",
        said.out
    );
    assert_eq!(said.out.lines().count(), 1 + 2 * 3, "{}", said.out);

    let json = room.run(&format!("{TUNE} --json")).fine(&[]).json();
    let cells = json["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 96);
    let least = cells
        .iter()
        .filter_map(|c| c["cost"].as_f64())
        .fold(f64::INFINITY, f64::min);
    let chosen = &cells[json["best"].as_u64().unwrap() as usize];
    assert_eq!(chosen["cost"].as_f64(), Some(least));
    assert_eq!(chosen["score"], json["score"]);
    assert!(json["nested"]["score"].as_f64().unwrap() <= 1.0);
    assert_eq!(json["chosen_by"], "log loss");
    assert_eq!(chosen["transform"], json["recipe"]["method"]["transform"]);
    assert_eq!(json["judged_by"], "leave-one-label-out");
}

#[test]
fn the_score_is_what_leaving_each_label_out_by_hand_gives() {
    let room = graph();
    let nodes = room.read("nodes.csv");
    for (name, value) in [("eta", "0.9"), ("degree", "4")] {
        let json = room
            .run(&format!(
                "{TUNE} --{name}s {value} --ridges 0.3 --repair allow --json"
            ))
            .json();
        let mut right = 0;
        for (row, line) in nodes.lines().enumerate().skip(1) {
            let (node, label) = line.split_once(',').unwrap();
            if label.is_empty() {
                continue;
            }
            room.file(
                "less.csv",
                nodes.replace(&format!("{line}\n"), &format!("{node},\n")),
            );
            // The ridge enters as nβ, and one label of six is gone.
            room.run(&format!(
                "label less.csv --label y --graph edges.csv --{name} {value} --ridge 0.36 --repair allow -f -o out.csv"
            ))
            .fine(&[]);
            right += usize::from(column(&room.read("out.csv"), "iso_label")[row - 1] == label);
        }
        assert_eq!(json["score"].as_f64(), Some(right as f64 / 6.0), "{name}");
    }
}

#[test]
fn tables_numbers_and_kernels_are_tuned_too() {
    let room = Room::with("data.csv", clusters());
    // Of six labels, one is wrong when others choose a power and a ridge for it.
    for (way, expected) in [
        ("", "100.0"),
        ("--kernel gaussian --etas 0.1,0.5", "100.0"),
        ("--degrees 4,6 --neighbours 5", "83.3"),
    ] {
        room.run(&format!("tune data.csv --label y {way} -f -o r.toml"))
            .fine(&[
                &format!("what to expect: accuracy {expected} %"),
                "cells have its accuracy",
            ]);
        room.run("label data.csv --label y --recipe r.toml -f -o out.csv")
            .fine(&["filled 34 of 34"]);
    }
    let text: String = (0..24)
        .map(|i| match i % 3 {
            0 => format!("{i},{i}.5\n"),
            _ => format!("{i},\n"),
        })
        .collect();
    room.file("line.csv", format!("a,y\n{text}"));
    let said = room
        .run("tune line.csv --label y --neighbours 3 -o line.toml")
        .fine(&[
            "taken as numbers",
            "chosen by leave-one-label-out squared error",
        ]);
    assert!(
        said.out.contains("squared error; * is the best"),
        "{}",
        said.out
    );
    assert!(said.out.lines().all(|l| l.chars().count() <= 80));
    room.run("label line.csv --label y --recipe line.toml -o line.out.csv")
        .fine(&["stkr, "]);
    let json = room
        .run("tune line.csv --label y --neighbours 3 --json")
        .json();
    assert!(json["score"].as_f64().unwrap() <= 0.0);
}

#[test]
fn the_picture_is_drawn_whole_and_nothing_is_overwritten() {
    let room = graph();
    room.run(&format!("{TUNE} --plot grid.svg -o recipe.toml"))
        .fine(&["drew grid.svg\n"]);
    let svg = room.read("grid.svg");
    assert!(svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains("leave-one-label-out accuracy on 6 labels"));
    room.run(&format!("{TUNE} --plot grid.png")).fine(&[]);
    assert!(room.bytes("grid.png").starts_with(b"\x89PNG\r\n\x1a\n"));
    assert!(is_file(&room.path("recipe.toml")));
    assert_eq!(
        room.names(),
        [
            "edges.csv",
            "grid.png",
            "grid.svg",
            "nodes.csv",
            "recipe.toml"
        ]
    );
    room.refuses(
        &format!("{TUNE} --plot grid.svg"),
        1,
        &["grid.svg", "--force"],
    );
    room.refuses(
        &format!("{TUNE} -o recipe.toml"),
        1,
        &["recipe.toml", "--force"],
    );
    room.refuses(
        &format!("{TUNE} --plot grid.pdf"),
        2,
        &[
            "--plot grid.pdf: the name does not tell the format",
            "let it end in .svg or .png",
        ],
    );
    let said = room
        .run(&format!("{TUNE} -o -"))
        .fine(&["ridge down, ", "best: "]);
    room.file("piped.toml", &said.out);
    // Comments tell of two runs.
    let recipe = |name: &str| {
        let text = room.read(name);
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        recipe("piped.toml").trim_end(),
        recipe("recipe.toml").trim_end()
    );
}

#[test]
fn grids_that_make_no_sense_are_refused() {
    let room = graph();
    for (flags, code, says) in [
        (
            "--etas 0.5 --degrees 2",
            2,
            "--degrees means nothing to the inverse-laplacian grid",
        ),
        (
            "--transform power --etas 0.5",
            2,
            "--etas means nothing to the power grid",
        ),
        (
            "--degrees 2 --encoder all",
            2,
            "--encoder means nothing to the power grid",
        ),
        (
            "--transform diffusion",
            2,
            "the diffusion grid needs --times",
        ),
        ("--etas 0.5,x", 2, "invalid value 'x'"),
        ("--etas 1", 1, "eta must be at least 0 and below 1, got 1.0"),
        ("--etas 1,0.5", 1, "the transform s must be "),
        ("--degrees 0", 1, "degree must be at least 1"),
        ("--ridges=-1", 1, "ridges must be all at least 0"),
        (
            "--degrees 2 --iterations 3",
            2,
            "--iterations means nothing to the power transform",
        ),
        ("--kernel gaussian", 2, "--kernel means nothing to a graph"),
        ("--eta 0.5", 2, "a similar argument exists: '--etas'"),
    ] {
        room.refuses(&format!("{TUNE} {flags}"), code, &[says]);
    }
    room.file("few.csv", "node,y\nn0,u\nn20,v\n");
    room.refuses(
        "tune few.csv --label y --graph edges.csv",
        1,
        &[
            "there are only 2 labels",
            "each is predicted from the others",
        ],
    );
    room.run(&format!("{LABEL} --method harmonic --print-recipe"))
        .fine(&[]);
    let harmonic = room.run(&format!("{LABEL} --method harmonic --print-recipe"));
    room.file("harmonic.toml", &harmonic.out);
    room.refuses(
        &format!("{TUNE} --recipe harmonic.toml"),
        1,
        &[
            "harmonic has no transform to tune",
            "help: use the method stkr",
        ],
    );
    room.refuses(
        &format!("{TUNE} --recipe harmonic.toml --lazy"),
        2,
        &["cannot be used with"],
    );
}

#[test]
fn the_picture_of_filters_has_a_row_for_each_value_and_the_strengths_of_the_flags() {
    let room = Room::with("data.csv", crate::run::clusters());
    let line = "tune data.csv --label y --method laplacian --bandwidths 1 --shares 1,1.02";
    room.run(&format!(
        "{line} --filter flow --strengths 0.5,0.25 --plot flow.svg"
    ))
    .fine(&[]);
    let drawn = room.read("flow.svg");
    let texts: Vec<&str> = drawn
        .lines()
        .filter(|l| !l.starts_with('<'))
        .map(str::trim)
        .collect();
    for strength in ["5e-1", "2.5e-1"] {
        assert_eq!(
            texts.iter().filter(|t| **t == strength).count(),
            1,
            "{texts:?}"
        );
    }
    // Two norm shares that are told alike are still two rows of two cells.
    let said = room
        .run(&format!(
            "{line} --filter flow --strengths 0.5,0.25 --json --plot g.svg"
        ))
        .fine(&[]);
    assert_eq!(said.json()["cells"].as_array().unwrap().len(), 4);
    let shares = |t: &&&str| t.contains(", 2.5e-2") || t.contains(", 2.6e-2");
    assert_eq!(texts.iter().filter(shares).count(), 2, "{texts:?}");
}

#[test]
fn a_quiet_tune_shows_no_grid() {
    let room = graph();
    let said = room.run(&format!("{TUNE} -q -o recipe.toml")).fine(&[]);
    assert_eq!((said.out.as_str(), said.err.as_str()), ("", ""));
    assert!(is_file(&room.path("recipe.toml")));
}
