//! `--method laplacian`: its flags, its bases in model files, and what nothing reads.

use crate::run::{Room, chance, column};

/// Two concentric rings, three labels each.
fn rings() -> String {
    let mut seed = 11;
    let mut text = String::from("a,b,y\n");
    for i in 0..240 {
        let (turn, wobble) = (
            chance(&mut seed) * std::f64::consts::TAU,
            chance(&mut seed) * 0.1,
        );
        let radius = 1.0 + 1.5 * f64::from(i % 2) + wobble;
        let label = match (i < 6, i % 2) {
            (true, 0) => "in",
            (true, _) => "out",
            _ => "",
        };
        let (x, y) = (radius * turn.cos(), radius * turn.sin());
        text.push_str(&format!("{x},{y},{label}\n"));
    }
    text
}

const LABEL: &str = "label data.csv --label y --method laplacian --scaling none -f -o out.csv";
const FIT: &str = "fit data.csv --label y --method laplacian --scaling none -f -o model";

#[test]
fn six_labels_fill_two_rings() {
    let room = Room::with("data.csv", rings());
    let says = [
        "solved: kernel Laplacian by",
        "effective rank",
        "filled 234 of 234",
    ];
    for basis in [
        "",
        "--exact",
        "--landmarks 120 --derivatives",
        "--waves 400",
    ] {
        room.run(&format!("{LABEL} --bandwidth 0.35 {basis} -v"))
            .fine(&says);
        let found = column(&room.read("out.csv"), "iso_label");
        let right = (found.iter().enumerate())
            .filter(|(i, l)| l.as_str() == ["in", "out"][i % 2])
            .count();
        assert!(right >= 235, "{basis}: {right} of 240");
    }
}

#[test]
fn every_flag_is_in_the_recipe_and_changes_the_answer() {
    let room = Room::with("data.csv", rings());
    let base = format!("{LABEL} --probabilities");
    room.run(&base).fine(&[]);
    let usual = room.read("out.csv");
    for (flags, part) in [
        ("--strength 0.01", "strength = 0.01"),
        ("--filter cut-off --strength 0.2", "kind = \"cut-off\""),
        ("--filter leading --rank 2", "rank = 2"),
        ("--filter flow --strength 0.5", "time = 2.0"),
        ("--filter landweber --steps 3", "steps = 3"),
        ("--filter heat --strength 0.1", "kind = \"heat\""),
        ("--norm-share 0.5", "norm_share = 0.5"),
        ("--landmarks 20", "count = 20"),
        ("--landmarks 20 --choice pivoted", "selection = \"pivoted\""),
        (
            "--landmarks 20 --choice leverage",
            "selection = \"leverage\"",
        ),
        (
            "--landmarks 20 --choice kmeans-plus-plus",
            "selection = \"kmeans-plus-plus\"",
        ),
        ("--landmarks 20 --derivatives", "derivatives = true"),
        ("--waves 50", "kind = \"fourier\""),
        ("--exact", "kind = \"exact\""),
        ("--covariance all", "covariance = \"all\""),
        ("--free-constant yes", "free_constant = true"),
        ("--kernel matern52", "kind = \"matern\""),
        ("--bandwidth 0.4", "bandwidth = 0.4"),
    ] {
        let recipe = room
            .run(&format!("{base} {flags} --print-recipe"))
            .fine(&[])
            .out;
        assert!(recipe.contains(part), "{flags}: no {part} in {recipe}");
        room.run(&format!("{base} {flags}")).fine(&[]);
        let found = room.read("out.csv");
        assert_ne!(found, usual, "{flags} changes nothing");
        room.file("recipe.toml", recipe);
        room.run("label data.csv --label y --probabilities --recipe recipe.toml -f -o out.csv")
            .fine(&[]);
        assert_eq!(
            room.read("out.csv"),
            found,
            "{flags}: the recipe says something else"
        );
    }
    // Two ways to one answer.
    room.run(&format!("{base} --route gram -v"))
        .fine(&["the Gram form"]);
    room.run(&format!("{base} --route panel -v"))
        .fine(&["QR of the gradients"]);
}

#[test]
fn every_basis_survives_its_file() {
    let room = Room::with("data.csv", rings());
    for basis in [
        "",
        "--exact",
        "--landmarks 30 --derivatives",
        "--waves 60",
        "--free-constant yes",
    ] {
        room.run(&format!("{FIT} {basis}")).fine(&["wrote model"]);
        room.run("predict model data.csv --probabilities -f -o new.csv")
            .fine(&[]);
        room.run(&format!("{LABEL} {basis} --probabilities"))
            .fine(&[]);
        let share = |name: &str| column(&room.read(name), "iso_p_in");
        assert_eq!(share("new.csv")[6..], share("out.csv")[6..], "{basis}");
        room.run("inspect model").fine(&[]);
    }
}

#[test]
fn numbers_keep_their_mean() {
    let mut text = String::from("a,y\n");
    for i in 0..60 {
        let x = 0.1 * f64::from(i);
        let y = if i % 6 == 0 {
            format!("{}", 1000.0 + x.sin())
        } else {
            String::new()
        };
        text.push_str(&format!("{x},{y}\n"));
    }
    let room = Room::with("data.csv", text);
    room.run(&format!(
        "{LABEL} --task regress --strength 0.001 --bandwidth 0.5"
    ))
    .fine(&[]);
    for (i, value) in column(&room.read("out.csv"), "iso_label")
        .iter()
        .enumerate()
        // Up to the last label, which is row 54.
        .take(55)
    {
        let (found, x): (f64, f64) = (value.parse().unwrap(), 0.1 * i as f64);
        assert!((found - 1000.0 - x.sin()).abs() < 0.3, "row {i}: {found}");
    }
}

#[test]
fn one_label_a_class_is_warned_about() {
    let mut seen = 0;
    let less: Vec<String> = rings()
        .lines()
        .map(|line| match line.rsplit_once(',') {
            // The first two of the six labels stay, one of each ring.
            Some((row, "in" | "out")) => {
                seen += 1;
                if seen > 2 {
                    format!("{row},")
                } else {
                    line.to_owned()
                }
            }
            _ => line.to_owned(),
        })
        .collect();
    let room = Room::with("data.csv", less.join("\n"));
    room.run(LABEL).fine(&[
        "each of the 2 classes has one label",
        "the strength is 1, the bandwidth the median distance",
        "help: label a second row of some class, or give --bandwidth and --strength",
    ]);
    let said = room.run(&format!("{LABEL} --bandwidth 0.35 --strength 1"));
    assert!(!said.fine(&[]).err.contains("has one label"));
}

#[test]
fn the_report_tells_an_estimated_error_and_no_residual() {
    let room = Room::with("data.csv", rings());
    let said = room.run(&format!("{FIT} --bandwidth 0.35 --strength 1 -v"));
    let said = said.fine(&["unknowns, estimated error ", "e-"]);
    assert!(!said.err.contains("residual"), "{}", said.err);
    let report = &room.run("inspect model --json").fine(&[]).json()["report"];
    assert!(report.get("residual").is_none(), "{report}");
    assert!(
        report["error_estimate"].as_f64().unwrap() < 1e-3,
        "{report}"
    );
    // A system that is solved has a residual and no estimate beside it.
    room.run("fit data.csv --label y --method kernel-ridge -v -f -o other")
        .fine(&["residual "]);
    let report = &room.run("inspect other --json").fine(&[]).json()["report"];
    assert!(report["residual"].as_f64().unwrap() < 1e-9, "{report}");
    assert!(report.get("error_estimate").is_none(), "{report}");
}

#[test]
fn what_cannot_be_is_refused_with_the_way_out() {
    let room = Room::with("data.csv", rings());
    for (flags, says) in [
        ("--kernel exponential", "matern"),
        ("--kernel cosine", "linear or arc-cosine"),
        ("--kernel linear --waves 9", "gaussian or matern"),
        ("--landmarks 241", "240"),
        ("--landmarks 0", "at least"),
        ("--strength=-1", "positive"),
        ("--norm-share=-1", "norm_share"),
        ("--exact --norm-share 0", "norm_share"),
        ("--filter leading", "--rank"),
        ("--filter landweber", "--steps"),
        (
            "--filter leading --rank 2 --strength 3",
            "--strength means nothing",
        ),
        ("--rank 3", "--rank means nothing"),
        ("--eta 0.9", "--method stkr or label-propagation"),
        ("--ridge 1", "--method stkr or kernel-ridge"),
        ("--tolerance 1e-3", "--tolerance means nothing"),
        ("--neighbours 3", "neighbours"),
    ] {
        let said = room.run(&format!("{LABEL} {flags}"));
        assert_ne!(said.code, 0, "{flags}");
        assert!(
            said.err.contains(says),
            "{flags}: no {says:?} in {}",
            said.err
        );
        assert!(!said.err.contains("panicked"), "{}", said.err);
    }
    let said = room.run("label data.csv --label y --strength 2 -o out.csv");
    assert!(
        said.code != 0 && said.err.contains("--method laplacian"),
        "{}",
        said.err
    );
}

#[test]
fn an_embedding_tells_rings_apart_without_labels() {
    let room = Room::with("data.csv", rings());
    let line =
        "embed data.csv --exclude y --scaling none --bandwidth 0.4 --landmarks 240 -f -o out.csv";
    room.run(line)
        .fine(&["eigenvalues, large is smooth", "effective rank"]);
    let text = room.read("out.csv");
    let first: Vec<f64> = (column(&text, "iso_e1").iter())
        .map(|v| v.parse().unwrap())
        .collect();
    assert_eq!(column(&text, "iso_e2").len(), 240);
    let side = |i: usize| first[i] > 0.0;
    let apart = (0..240).filter(|&i| side(i) == side(i % 2)).count();
    assert!(apart >= 235 && side(0) != side(1), "{apart} of 240");
    let said = room
        .run(&format!("{line} --dimensions 3 --json"))
        .fine(&[])
        .json();
    assert_eq!(said["eigenvalues"].as_array().unwrap().len(), 3);
    for (flags, says) in [
        ("--dimensions 0", "at least 1"),
        ("--dimensions 9999", "landmarks"),
        ("--kernel cosine", "gradient"),
        ("--exclude a,b,y", "no column"),
    ] {
        let said = room.run(&format!("embed data.csv {flags} -f -o out.csv"));
        assert!(
            said.code != 0 && said.err.contains(says),
            "{flags}: {}",
            said.err
        );
    }
}

#[test]
fn tuning_writes_a_recipe_that_fits_the_same() {
    let room = Room::with("data.csv", rings());
    let tune = "tune data.csv --label y --method laplacian --scaling none --landmarks 100 -f";
    let said = room
        .run(&format!("{tune} -o recipe.toml"))
        .fine(&["best: bandwidth", "wrote"]);
    assert_eq!(said.out.lines().count(), 13, "{}", said.out);
    room.run("label data.csv --label y --recipe recipe.toml -f -o one.csv")
        .fine(&["filled"]);
    // Without bandwidth and strength a fit tunes itself the same way.
    room.run(&format!("{LABEL} --landmarks 100 -v"))
        .fine(&["by leave-one-out over 84 fits"]);
    assert_eq!(room.read("one.csv"), room.read("out.csv"));
    let said = room.run(&format!(
        "{tune} --bandwidths 0.5,0.2 --shares 1 --strengths 1,0.1 --json"
    ));
    assert_eq!(said.fine(&[]).json()["cells"].as_array().unwrap().len(), 4);
    for (flags, says) in [
        ("--etas 0.9", "--method stkr"),
        ("--ridges 0.1", "--method stkr"),
    ] {
        let said = room.run(&format!("{tune} {flags}"));
        assert!(said.code != 0 && said.err.contains(says), "{}", said.err);
    }
    // Every other filter has a path of its own, relative to the spectrum.
    for (name, word, key) in [
        ("cut-off", "cut-off at", "threshold"),
        ("leading", "leading mode", "rank"),
        ("flow", "flow of strength", "time"),
        ("landweber", "step", "steps"),
        ("heat", "heat of strength", "time"),
    ] {
        let line = format!("{tune} --bandwidths 0.2,0.1 --shares 1 --filter {name}");
        let said = room.run(&format!("{line} -o recipe.toml")).fine(&[word]);
        assert_eq!(said.out.lines().count(), 3, "{}", said.out);
        let json = room.run(&format!("{line} --json")).fine(&[]).json();
        let cells = json["cells"].as_array().unwrap();
        assert!(cells.len() > 2, "{name}: {cells:?}");
        assert!(cells.iter().all(|c| c["filter"][key].is_number()), "{name}");
        room.run("label data.csv --label y --recipe recipe.toml -f -o one.csv")
            .fine(&["filled"]);
    }
    let line = format!("{tune} --filter heat --bandwidths 0.2 --shares 1 --strengths 2,3 --json");
    let json = room.run(&line).fine(&[]).json();
    assert_eq!(json["cells"][1]["filter"]["time"], 3.0);
    for (flags, says) in [
        ("--filter leading --strengths 1", "the filter leading"),
        ("--filter heat --strengths=-1", "positive"),
    ] {
        let said = room.run(&format!("{tune} {flags}"));
        assert!(said.code != 0 && said.err.contains(says), "{}", said.err);
    }
    let said = room.run("tune data.csv --label y --filter heat");
    assert!(
        said.code != 0 && said.err.contains("--method laplacian"),
        "{}",
        said.err
    );
    let said = room.run("tune data.csv --label y --strengths 1");
    assert!(
        said.code != 0 && said.err.contains("--method laplacian"),
        "{}",
        said.err
    );
}
