//! `plot KIND`: pictures of every kind, their numbers, and what is refused.

use std::collections::BTreeSet;

use crate::run::{Room, chance, clusters};

const KINDS: [&str; 9] = [
    "map",
    "eigenfunctions",
    "spectrum",
    "decision",
    "confusion",
    "reliability",
    "learning-curve",
    "tuning",
    "balance",
];

/// Two arcs in the plane, every fourth row labelled, half of those drawn at random: `x,z,y,drawn`.
fn arcs() -> String {
    let mut seed = 3;
    let mut text = String::from("x,z,y,drawn\n");
    for row in 0..96 {
        let (arc, t) = (row % 2, (row / 2) as f64 / 15.0);
        let noise = 0.15 * chance(&mut seed);
        let (x, z) = (t.cos() + 1.6 * f64::from(arc) + noise, t.sin() + noise);
        let label = match (row % 8 < 2, arc) {
            (true, 0) => "left",
            (true, _) => "right",
            _ => "",
        };
        text.push_str(&format!("{x:.4},{z:.4},{label},{}\n", row % 16 < 2));
    }
    text
}

fn room() -> Room {
    Room::with("data.csv", arcs())
}

fn plot(kind: &str, rest: &str) -> String {
    let method = of_one_kernel(kind);
    format!("plot {kind} data.csv --label y --features x,z {method} {rest}")
}

/// A spectrum is of one kernel, and the usual blend has several.
fn of_one_kernel(kind: &str) -> &'static str {
    match kind {
        "spectrum" => "--method stkr",
        _ => "",
    }
}

/// Whether tags of a text open and close in pairs.
fn is_well_formed(svg: &str) -> bool {
    let mut open: Vec<String> = Vec::new();
    for tag in svg.split('<').skip(1) {
        let Some((inside, _)) = tag.split_once('>') else {
            return false;
        };
        let name: String = inside
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '/')
            .collect();
        match name.strip_prefix('/') {
            Some(name) => {
                if open.pop().as_deref() != Some(name) {
                    return false;
                }
            }
            None if inside.ends_with('/') => {}
            None => open.push(name),
        }
    }
    open.is_empty()
}

/// The colours of a picture.
fn colours(svg: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for key in ["fill=\"#", "stroke=\"#"] {
        for after in svg.split(key).skip(1) {
            found.insert(after.chars().take(6).collect());
        }
    }
    found
}

#[test]
fn every_kind_is_drawn_as_svg_and_png_with_a_title_and_known_colours() {
    let room = room();
    // What figures/ink.rs lists, for pages that recolour pictures.
    let known: BTreeSet<String> = [
        "282828", "FFFFFF", "BEBEBE", "E6E6E6", "00487A", "FEFEFE", "0072B2", "E69F00", "009E73",
        "D55E00", "56B4E9", "CC79A7", "F0E442", "440154", "482878", "3E4989", "31688E", "26828E",
        "1F9E89", "35B779", "6ECE58", "B5DE2B", "FDE725",
    ]
    .map(str::to_owned)
    .into();
    for kind in KINDS {
        let line = plot(kind, &format!("-o {kind}.svg"));
        room.run(&line).fine(&[&format!("drew {kind}.svg")]);
        let svg = room.read(&format!("{kind}.svg"));
        assert!(is_well_formed(&svg), "{kind}: {svg}");
        assert!(svg.starts_with("<svg "), "{kind}");
        assert!(svg.contains(" role=\"img\">"), "{kind}");
        let desc = svg.split("<desc>").nth(1).unwrap();
        assert!(desc.split("</desc>").next().unwrap().len() > 20, "{kind}");
        let other: Vec<String> = colours(&svg).difference(&known).cloned().collect();
        assert_eq!(other, Vec::<String>::new(), "{kind}");
        let line = plot(kind, &format!("-o {kind}.png"));
        room.run(&line).fine(&[]);
        let png = room.bytes(&format!("{kind}.png"));
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"), "{kind}");
        assert!(png.ends_with(b"IEND\xaeB`\x82"), "{kind}");
    }
    let mut names: Vec<String> = (KINDS.iter())
        .flat_map(|kind| [format!("{kind}.png"), format!("{kind}.svg")])
        .chain(["data.csv".to_owned()])
        .collect();
    names.sort();
    assert_eq!(room.names(), names);
}

#[test]
fn json_tells_the_numbers_with_or_without_a_picture() {
    let room = room();
    let numbers = |kind: &str| room.run(&plot(kind, "--json")).fine(&[]).json();
    let map = numbers("map");
    assert_eq!(map["plane"]["samples"].as_array().unwrap().len(), 96);
    assert_eq!(map["classes"], serde_json::json!(["left", "right"]));
    assert_eq!(map["labels"], 24);
    assert_eq!(map["output"], serde_json::Value::Null);
    assert_eq!(map["recipe"]["task"], "classify");
    let modes = numbers("eigenfunctions")["modes"].clone();
    assert_eq!(modes.as_array().unwrap().len(), 9);
    let spectrum = numbers("spectrum");
    assert_eq!(spectrum["eigenvalues"].as_array().unwrap().len(), 40);
    assert_eq!(spectrum["function"], "s(λ)");
    let decision = numbers("decision");
    assert_eq!(decision["columns"], serde_json::json!(["x", "z"]));
    assert_eq!(decision["predicted"].as_array().unwrap().len(), 120 * 120);
    let confusion = numbers("confusion");
    let counts = confusion["counts"].as_array().unwrap();
    let sum: u64 = (counts.iter())
        .flat_map(|row| row.as_array().unwrap())
        .map(|n| n.as_u64().unwrap())
        .sum();
    assert_eq!(sum, 24);
    let reliability = numbers("reliability");
    assert_eq!(reliability["rows"], 24);
    assert!(reliability["interval"]["low"].as_f64().unwrap() >= 0.0);
    // A top-level "error" is a failure.
    assert!(reliability["calibration_error"].is_f64() && reliability["error"].is_null());
    let curve = numbers("learning-curve");
    assert_eq!(curve["held_out"], 5);
    assert_eq!(curve["baseline_name"], "kernel ridge on the labelled rows");
    assert_eq!(curve["points"][0]["labels"], 2);
    let tuning = numbers("tuning");
    let best = tuning["best"].as_u64().unwrap();
    let close = tuning["close"].as_array().unwrap();
    assert!(close.iter().any(|k| k.as_u64() == Some(best)));
    let balance = numbers("balance");
    assert_eq!(balance["labels"], 24);
    assert_eq!(balance["unlabelled"], 72);
    assert_eq!(room.names(), ["data.csv"]);
    // And beside a picture.
    let said = room.run(&plot("map", "--json -o map.svg")).fine(&[]);
    assert_eq!(said.json()["output"], "map.svg");
    assert!(room.names().contains(&"map.svg".to_owned()));
}

#[test]
fn audits_are_told_from_suggestions() {
    let room = room();
    let json = room
        .run("plot balance data.csv --label y --audit drawn --json")
        .fine(&[])
        .json();
    // Every second labelled row was drawn, and the mark is no feature.
    assert_eq!(json["classes"][0]["given"], 12);
    assert_eq!(json["classes"][0]["audit"], 6);
    let json = room
        .run("plot reliability data.csv --label y --audit drawn --json")
        .fine(&[])
        .json();
    assert_eq!(json["rows"], 12);
    room.run("plot balance data.csv --label y --audit drawn -o b.svg")
        .fine(&[]);
    assert!(room.read("b.svg").contains("drawn at random"));
}

#[test]
fn what_cannot_be_drawn_is_refused_with_a_reason() {
    let room = room();
    room.file("few.csv", clusters());
    room.file("line.csv", {
        let row = |i: i32| match i % 3 {
            0 => format!("{i},{},{}\n", i * i, 2 * i),
            _ => format!("{i},{},\n", i * i),
        };
        let rows: String = (0..40).map(row).collect();
        format!("a,b,y\n{rows}")
    });
    room.file("taken.svg", "mine");
    for (line, code, says) in [
        ("plot map data.csv --label y", 2, "a picture needs a file"),
        ("plot map data.csv --label y -o map.pdf", 2, "-o map.pdf"),
        ("plot map data.csv --label y -o taken.svg", 1, "--force"),
        (
            "plot decision data.csv --label y --features x -o d.svg",
            1,
            "there are 1",
        ),
        (
            "plot reliability few.csv --label y --id name -o r.svg",
            1,
            "at least 10",
        ),
        ("plot map data.csv --label y --points 0 -o m.svg", 2, "0"),
        (
            "plot confusion line.csv --label y --task regress -o c.svg",
            1,
            "a confusion matrix is of classes",
        ),
        (
            "plot balance line.csv --label y --task regress -o b.svg",
            1,
            "no classes",
        ),
        (
            "plot reliability line.csv --label y --task regress -o r.svg",
            1,
            "probabilities",
        ),
        (
            "plot spectrum line.csv --label y --task regress -o s.svg",
            1,
            "no function of a spectrum",
        ),
        (
            "plot spectrum data.csv --label y -o s.svg",
            1,
            "help: use the method stkr or laplacian",
        ),
        ("plot pie data.csv --label y -o p.svg", 2, "pie"),
    ] {
        room.refuses(line, code, &[says]);
    }
    let mut three = String::from("a,b,y\n");
    (0..30).for_each(|i| {
        let label = ["p", "q", "r"].get(i).unwrap_or(&"");
        three.push_str(&format!("{},{},{label}\n", i % 7, i % 5));
    });
    room.file("three.csv", three);
    let line = "plot learning-curve three.csv --label y -o l.svg";
    room.refuses(
        line,
        1,
        &["too few for a learning curve", "at least 6 rows"],
    );
    let json = room.run(&format!("{line} --json"));
    assert_eq!(json.json()["error"]["name"], "data");
}

#[test]
fn numbers_have_a_map_and_a_learning_curve() {
    let room = Room::new();
    let rows: String = (0..60)
        .map(|i| match i % 3 {
            0 => format!("{},{},{}\n", i, i * i, 3 * i),
            _ => format!("{},{},\n", i, i * i),
        })
        .collect();
    room.file("data.csv", format!("a,b,y\n{rows}"));
    for kind in ["map", "learning-curve"] {
        let line = format!("plot {kind} data.csv --label y --task regress -o {kind}.svg");
        room.run(&line).fine(&["drew"]);
    }
    assert!(
        room.read("map.svg")
            .contains("the larger the predicted number")
    );
    let curve = room.read("learning-curve.svg");
    assert!(curve.contains("mean squared error"));
}

#[test]
fn names_of_any_kind_and_number_stay_inside_the_picture() {
    let room = Room::new();
    let strange = [
        "<b>&\"'",
        "a very long name of a class that goes on",
        "ł ψ я",
        "💧",
        "x",
    ];
    let mut text = String::from("a,b,y\n");
    for row in 0..200 {
        let name = match (row % 5, row % 40 / 5) {
            (0, k) => format!("\"{}{k}\"", strange[k % 5].replace('"', "\"\"")),
            _ => String::new(),
        };
        text.push_str(&format!("{},{},{name}\n", row % 40 / 5, row % 11));
    }
    room.file("data.csv", text);
    for kind in ["map", "confusion", "balance", "decision"] {
        let line = format!("plot {kind} data.csv --label y -o {kind}.svg");
        room.run(&line).fine(&[]);
        let svg = room.read(&format!("{kind}.svg"));
        assert!(is_well_formed(&svg), "{kind}");
        assert!(!svg.contains("<b>"), "{kind}");
        assert!(svg.contains("&lt;b&gt;&amp;"), "{kind}");
        let line = format!("plot {kind} data.csv --label y -o {kind}.png");
        room.run(&line).fine(&[]);
    }
    // Three labels are enough for these.
    let few: String = (0..30)
        .map(|i| format!("{i},{},{}\n", i % 3, ["p", "q", "p"].get(i).unwrap_or(&"")))
        .collect();
    room.file("few.csv", format!("a,b,y\n{few}"));
    for kind in ["map", "confusion", "balance", "decision", "spectrum"] {
        let method = of_one_kernel(kind);
        let line = format!("plot {kind} few.csv --label y {method} -o few-{kind}.svg");
        room.run(&line).fine(&["drew"]);
    }
}

#[test]
fn a_sample_is_said_on_the_picture() {
    let room = room();
    room.run(&plot("map", "--points 40 -o map.svg")).fine(&[]);
    let svg = room.read("map.svg");
    assert!(svg.contains("40 of 96 are drawn"));
}

#[test]
fn a_graph_of_several_parts_has_a_map() {
    let room = Room::new();
    let mut edges = String::from("from,to\n");
    let mut nodes = String::from("name,y\n");
    for i in 0..30 {
        edges.push_str(&format!("n{i},n{}\nn{i},n{}\n", (i + 1) % 30, (i + 7) % 30));
        let label = ["red", "", "", "blue", ""][i % 5];
        nodes.push_str(&format!("n{i},{label}\n"));
    }
    edges.push_str("far,away\n");
    nodes.push_str("far,\naway,\n");
    room.file("edges.csv", edges);
    room.file("nodes.csv", nodes);
    let on = "nodes.csv --label y --graph edges.csv";
    room.run(&format!("plot map {on} -o map.svg"))
        .fine(&["the largest of 2 components"]);
    let svg = room.read("map.svg");
    assert!(svg.contains("no label reaches: 2"));
    room.run(&format!("plot eigenfunctions {on} -o e.svg"))
        .fine(&["largest of 2 components"]);
    let json = room.run(&format!("plot learning-curve {on} --json"));
    assert_eq!(
        json.json()["baseline_name"],
        "always the most frequent class"
    );
    room.refuses(
        &format!("plot decision {on} -o d.svg"),
        1,
        &["this is no table"],
    );
}

#[test]
fn threads_do_not_change_a_picture() {
    let room = room();
    for kind in ["map", "learning-curve"] {
        for threads in [1, 3] {
            let name = format!("{kind}-{threads}.svg");
            let line = plot(kind, "--force -o picture.svg");
            let words: Vec<&str> = line.split_whitespace().collect();
            let mut command = room.command(&words);
            let done = command.env("ISOTHERM_THREADS", threads.to_string());
            assert!(done.output().unwrap().status.success());
            std::fs::rename(room.path("picture.svg"), room.path(&name)).unwrap();
        }
        let one = room.read(&format!("{kind}-1.svg"));
        assert!(one == room.read(&format!("{kind}-3.svg")), "{kind}");
    }
}

#[test]
fn grids_of_filters_are_drawn_too() {
    let room = room();
    let grid = "--method laplacian --bandwidths 1,0.5 --shares 1 --strengths 1,0.1,0.01";
    let line = plot("tuning", &format!("{grid} -o g.svg"));
    room.run(&line).fine(&["drew g.svg"]);
    let svg = room.read("g.svg");
    assert!(svg.contains("leave-one-label-out squared error on 24 labels"));
    assert!(svg.contains("bandwidth, norm share down"));
}

#[test]
fn a_png_with_letters_that_its_font_lacks_is_warned_of_and_an_svg_is_not() {
    let room = Room::with("data.csv", arcs().replace("left", "中文"));
    let warned = |name: &str| {
        let line = plot("map", &format!("--json -o {name}"));
        room.run(&line).fine(&[]).json()["warnings"].clone()
    };
    assert_eq!(warned("map.png")[0]["code"], "ISO655");
    assert!(
        warned("map.png2.png")[0]["hint"]
            .as_str()
            .unwrap()
            .contains(".svg")
    );
    assert_eq!(warned("map.svg"), serde_json::json!([]));
}

#[test]
fn shares_of_predictions_leave_out_what_is_not_reached() {
    let room = Room::new();
    let mut text = String::from("a,b,y\n");
    for i in 0..30 {
        let label = ["u", "v"].get(i).unwrap_or(&"");
        text.push_str(&format!("{i},{},{label}\n", 0.5 * i as f64));
    }
    (0..30).for_each(|i| text.push_str(&format!("{},{},\n", 900 + i, 900 + i)));
    room.file("data.csv", text);
    room.run("plot balance data.csv --label y --method stkr --neighbours 4 -o b.svg")
        .fine(&[]);
    let svg = room.read("b.svg");
    assert!(svg.contains("of 28 predictions (30 more samples"), "{svg}");
}

#[test]
fn the_recipe_of_a_picture_is_printed_without_a_picture() {
    let room = Room::with("data.csv", clusters());
    for kind in [
        "map",
        "eigenfunctions",
        "spectrum",
        "decision",
        "confusion",
        "reliability",
        "learning-curve",
        "balance",
    ] {
        let said = room
            .run(&format!(
                "plot {kind} data.csv --label y --neighbours 4 --print-recipe"
            ))
            .fine(&[]);
        assert!(said.out.contains("neighbours = 4"), "{kind}: {said:?}");
    }
    assert_eq!(room.names(), ["data.csv"]);
}

#[test]
fn a_picture_that_is_drawn_leaves_no_draft() {
    let room = Room::with("data.csv", clusters());
    // What another run may be drawing is not touched.
    room.file(".m.draft.png", "another");
    room.run("plot map data.csv --label y -o m.png").fine(&[]);
    assert_eq!(room.names(), [".m.draft.png", "data.csv", "m.png"]);
    assert_eq!(room.read(".m.draft.png"), "another");
}
