//! `--method stkr`: its flags, on graphs and tables, and what nothing reads.

use isotherm::data::graph::EdgeRules;
use isotherm::data::{GraphBuilder, Links, Targets};
use isotherm::monitor::Quiet;
use isotherm::recipe::Recipe;
use isotherm::study::{Input, Study};

use crate::run::{Room, chance, clusters, column};

/// Two rings of 15 nodes with chords, joined by two edges; three labels each.
pub(crate) fn rings() -> (String, String) {
    let mut seed = 3;
    let mut edges = String::from("n3,n18\nn7,n25\n");
    for ring in [0, 15] {
        for i in 0..15 {
            let chord = (chance(&mut seed) * 15.0) as usize % 15;
            edges.push_str(&format!("n{},n{}\n", ring + i, ring + (i + 1) % 15));
            if chord != i {
                edges.push_str(&format!("n{},n{}\n", ring + i, ring + chord));
            }
        }
    }
    let mut nodes = String::from("node,y\n");
    for i in 0..30 {
        let known = [0, 5, 9, 16, 20, 28].contains(&i);
        let label = match (known, i < 15) {
            (true, true) => "u",
            (true, false) => "v",
            _ => "",
        };
        nodes.push_str(&format!("n{i},{label}\n"));
    }
    (nodes, edges)
}

pub(crate) fn graph() -> Room {
    let (nodes, edges) = rings();
    let room = Room::with("nodes.csv", nodes);
    room.file("edges.csv", edges);
    room
}

const GRAPH: &str = "label nodes.csv --label y --graph edges.csv --probabilities -f -o out.csv";
const TABLE: &str = "label data.csv --label y --probabilities -f -o out.csv";

/// Every transform, by flags alone.
const TRANSFORMS: [&str; 7] = [
    "--eta 0.9",
    "--degree 4",
    "--time 3",
    "--weights 0.5,0,0,1",
    "--weights 1,-0.5 --order 2",
    "--rank 6",
    "--rank 6 --encoder unlabelled",
];

#[test]
fn every_flag_is_in_the_recipe_and_changes_the_answer() {
    let room = graph();
    room.run(&format!("{GRAPH} --method stkr")).fine(&[]);
    let usual = room.read("out.csv");
    // What auto chooses on this graph may be asked for: the same answer.
    let chosen = ["--solver direct", "--repair psd-twin"];
    for (flags, part) in [
        ("--eta 0.9", "eta = 0.9"),
        ("--degree 4", "degree = 4"),
        ("--time 3", "time = 3.0"),
        ("--weights 0.5,0,0,1", "kind = \"polynomial\""),
        ("--weights 1,-0.5 --order 2", "order = 2"),
        ("--rank 6", "rank = 6"),
        ("--rank 6 --encoder unlabelled", "encoder = \"unlabelled\""),
        ("--ridge 2", "ridge = 2.0"),
        ("--ridge auto", "ridge = \"auto\""),
        ("--solver label-block", "solver = \"label-block\""),
        (
            "--solver conjugate-gradients --tolerance 0.01",
            "solver = \"conjugate-gradients\"",
        ),
        ("--solver minres --repair allow", "solver = \"minres\""),
        ("--solver richardson --steps 5", "steps = 5"),
        (
            "--degree 2 --solver richardson --steps 5 --step-size 0.01",
            "step_size = 0.01",
        ),
        ("--solver direct", "solver = \"direct\""),
        ("--self-loops", "normalisation = \"self-loops\""),
        ("--lazy", "normalisation = \"lazy\""),
        ("--repair allow", "repair = \"allow\""),
        ("--repair psd-twin", "repair = \"psd-twin\""),
        ("--repair clip", "repair = \"clip\""),
        ("--centre-labels no", "centre_labels = false"),
        ("--center-labels no", "centre_labels = false"),
        ("--trivial-mode keep", "trivial_mode = \"keep\""),
        ("--centre-kernel", "centre_kernel = true"),
        ("--tolerance 0.01", "tolerance = 0.01"),
        ("--iterations 2", "iterations = 2"),
    ] {
        // A blend reads these too.
        let shared = flags.starts_with("--tolerance") || flags.starts_with("--iterations");
        for method in if shared {
            &["--method stkr "][..]
        } else {
            &["", "--method stkr "]
        } {
            let line = format!("{GRAPH} {method}{flags}");
            let printed = room.run(&format!("{line} --print-recipe")).fine(&[]);
            assert!(printed.out.contains(part), "{flags}: {}", printed.out);
            assert!(printed.out.contains("kind = \"stkr\""));
            room.file("recipe.toml", &printed.out);
            room.run(&format!("{line} -v"))
                .fine(&["method: stkr, ", "chosen: "]);
            let out = room.read("out.csv");
            assert_eq!(out == usual, chosen.contains(&flags), "{flags}");
            room.run(&format!("{GRAPH} --recipe recipe.toml")).fine(&[]);
            assert_eq!(room.read("out.csv"), out, "{flags}");
        }
    }
    room.refuses(
        &format!("{GRAPH} --repair refuse"),
        1,
        &["is not positive definite", "use lazy or self-loops"],
    );
}

#[test]
fn a_parameter_alone_names_its_transform() {
    let room = graph();
    for (short, long) in [
        ("--eta 0.9", "--transform inverse-laplacian --eta 0.9"),
        ("--eta 0.99", "--transform inverse-laplacian"),
        ("--degree 4", "--transform power --degree 4"),
        ("--time 3", "--transform diffusion --time 3"),
        (
            "--weights 0.5,0,1",
            "--transform polynomial --weights 0.5,0,1",
        ),
        ("--rank 6", "--transform truncation --rank 6 --encoder all"),
        // λ/(1 − 0.9λ), spelled by what its inverse is.
        ("--eta 0.9", "--weights 1,-0.9 --order 1"),
        ("--degree 2", "--weights 0,1"),
    ] {
        room.run(&format!("{GRAPH} {short}")).fine(&[]);
        let first = room.read("out.csv");
        room.run(&format!("{GRAPH} {long}")).fine(&[]);
        assert_eq!(first, room.read("out.csv"), "{short} / {long}");
    }
}

#[test]
fn flags_that_a_transform_solver_or_base_does_not_read_are_refused() {
    let (graph, table) = (graph(), Room::with("data.csv", clusters()));
    let both = [
        (
            "--eta 0.9 --degree 2",
            "--degree means nothing to the inverse-laplacian transform",
            "choose --transform power",
        ),
        (
            "--transform power --degree 2 --eta 0.5",
            "--eta means nothing to the power transform",
            "choose --transform inverse-laplacian",
        ),
        (
            "--degree 2 --encoder all",
            "--encoder means nothing to the power transform",
            "choose --transform truncation",
        ),
        (
            "--transform polynomial --weights 1,1 --order 1",
            "--order means nothing to the polynomial transform",
            "choose --transform reciprocal",
        ),
        (
            "--time 2 --weights 1,1",
            "--weights means nothing to the diffusion transform",
            "choose --transform polynomial or reciprocal",
        ),
        (
            "--rank 3 --time 2",
            "--rank means nothing to the diffusion transform",
            "choose --transform truncation",
        ),
        (
            "--steps 3",
            "--steps means nothing to the solver auto",
            "choose --solver richardson",
        ),
        (
            "--solver minres --step-size 1",
            "--step-size means nothing to the solver minres",
            "choose --solver richardson",
        ),
        (
            "--solver richardson --steps 3 --tolerance 0.1",
            "--tolerance means nothing to a number of steps",
            "leave out --steps",
        ),
        (
            "--degree 2 --iterations 5",
            "--iterations means nothing to the power transform with the solver auto",
            "choose --solver conjugate-gradients",
        ),
        (
            "--solver direct --tolerance 0.1",
            "--tolerance means nothing to the inverse-laplacian transform with the solver direct",
            "choose --solver conjugate-gradients",
        ),
        (
            "--rank 3 --iterations 5",
            "--iterations means nothing to the truncation transform",
            "give --tolerance",
        ),
        (
            "--centre-kernel --trivial-mode keep",
            "--trivial-mode means nothing to a centred kernel",
            "leave out --centre-kernel",
        ),
        (
            "--bandwidth 1",
            "--bandwidth means nothing to ",
            "leave it out",
        ),
        (
            "--method harmonic --transform power --degree 2",
            "--transform means nothing to harmonic",
            "choose --method stkr",
        ),
        (
            "--method harmonic --trivial-mode keep",
            "--trivial-mode means nothing to harmonic",
            "choose --method stkr or label-propagation",
        ),
        (
            "--method label-propagation --solver direct",
            "--solver means nothing to label-propagation",
            "choose --method stkr",
        ),
        (
            "--method kernel-ridge --ridge auto",
            "--ridge auto means nothing to kernel-ridge",
            "give a number",
        ),
    ];
    for (flags, says, way_out) in both {
        let line = format!("{TABLE} {flags}");
        table.refuses(&line, 2, &[says, "help: leave it out, ", way_out]);
        if !flags.contains("kernel-ridge") {
            graph.refuses(&format!("{GRAPH} {flags}"), 2, &[says, way_out]);
        }
    }
    for (flag, value) in [
        ("--neighbours", " 3"),
        ("--self-loops", ""),
        ("--lazy", ""),
        ("--trivial-mode", " keep"),
    ] {
        let says = format!("{flag} means nothing to a kernel between all rows");
        table.refuses(
            &format!("{TABLE} --kernel gaussian {flag}{value}"),
            2,
            &[&says, "or leave out --kernel"],
        );
    }
    graph.refuses(
        &format!("{GRAPH} --kernel gaussian"),
        2,
        &["--kernel means nothing to a graph", "leave out --graph"],
    );
    graph.refuses(
        &format!("{GRAPH} --lazy --self-loops"),
        2,
        &["cannot be used with"],
    );
}

#[test]
fn a_transform_without_its_parameter_says_which() {
    let room = graph();
    for (name, flag) in [
        ("power", "--degree"),
        ("diffusion", "--time"),
        ("truncation", "--rank"),
        ("polynomial", "--weights"),
        ("reciprocal", "--weights"),
        ("reciprocal --weights 1,-0.5", "--order"),
    ] {
        let kind = name.split(' ').next().unwrap();
        room.refuses(
            &format!("{GRAPH} --transform {name}"),
            2,
            &[
                &format!("the {kind} transform needs {flag}\n"),
                &format!("help: give it, such as {flag} "),
            ],
        );
    }
    for (flags, says) in [
        ("--rank 0", "rank must be at least 1, got 0"),
        ("--degree 0", "degree must be at least 1, got 0"),
        ("--time 0", "time must be above 0"),
        ("--ridge -1", "ridge must be at least 0, or auto"),
        ("--eta 1", "eta must be at least 0 and below 1, got 1.0"),
        ("--weights 1,-2", "the transform s must be "),
        (
            "--rank 3 --solver minres",
            "solver must be auto for a truncation",
        ),
    ] {
        let line = format!("{GRAPH} {}", flags.replace("--ridge -1", "--ridge=-1"));
        room.refuses(&line, 1, &[says]);
    }
    room.refuses(
        &format!("{GRAPH} --ridge some"),
        2,
        &["give a number or auto"],
    );
}

#[test]
fn every_transform_labels_tables_through_neighbours_and_kernels() {
    let room = Room::with("data.csv", clusters());
    for base in [
        "",
        "--neighbours 4",
        "--self-loops",
        "--lazy",
        "--kernel gaussian",
        "--kernel matern52 --bandwidth 2",
        "--kernel gaussian --centre-kernel",
    ] {
        for transform in TRANSFORMS {
            // The Gaussian's largest eigenvalue is below 1, so η = 0.9 is sound. Two modes tell two
            // clusters apart; six of a graph of rows also tell the corners of a cluster from its
            // middle, and a power of it does so with a small ridge.
            let transform = transform.replace("--rank 6", "--rank 2");
            let ridge = if transform == "--degree 4" {
                "--ridge 0.1"
            } else {
                ""
            };
            room.run(&format!("{TABLE} {base} {transform} {ridge}"))
                .fine(&["stkr, ", "filled 34 of 34"]);
            let labels = column(&room.read("out.csv"), "iso_label");
            for (row, label) in labels.iter().enumerate() {
                let expected = if row % 2 == 0 { "near" } else { "far" };
                assert_eq!(label, expected, "{base} {transform} row {row}");
            }
        }
    }
    // A kernel between all rows is another answer than neighbours.
    room.run(&format!("{TABLE} --kernel gaussian")).fine(&[]);
    let kernel = room.read("out.csv");
    room.run(TABLE).fine(&[]);
    assert_ne!(kernel, room.read("out.csv"));
}

#[test]
fn every_transform_survives_the_model_file() {
    let graph = graph();
    graph.file("known.csv", rings().0.replace(",u", ",").replace(",v", ","));
    for base in ["", "--self-loops", "--lazy", "--centre-kernel"] {
        for transform in TRANSFORMS {
            let flags = format!("{base} {transform}");
            graph.run(&format!("{GRAPH} {flags}")).fine(&[]);
            graph
                .run(&format!(
                    "fit nodes.csv --label y --graph edges.csv -f -o m.iso {flags} -v"
                ))
                .fine(&["chosen: "]);
            graph
                .run("predict m.iso known.csv --probabilities -f -o pred.csv")
                .fine(&[]);
            let (label, known) = (graph.read("out.csv"), graph.read("pred.csv"));
            assert_eq!(
                column(&label, "iso_p_u"),
                column(&known, "iso_p_u"),
                "{flags}"
            );
            let told = graph.run("inspect m.iso --json").fine(&[]).json();
            let printed = graph.run(&format!("{GRAPH} {flags} --json")).json();
            assert_eq!(told["recipe"], printed["recipe"]);
            assert_eq!(told["report"], printed["report"]);
        }
    }
    let table = Room::with("data.csv", clusters());
    table.file("new.csv", "a,b\n0.5,0.4\n6.3,6.4\n");
    for base in [
        "",
        "--lazy",
        "--self-loops",
        "--kernel gaussian",
        "--kernel linear",
    ] {
        for transform in TRANSFORMS {
            // A linear kernel's largest eigenvalue is about 2: η = 0.9 has a pole below.
            let transform = match (base, transform) {
                ("--kernel linear", "--eta 0.9") => "--eta 0.2",
                ("--kernel linear", "--weights 1,-0.5 --order 2") => "--weights 1,-0.2 --order 2",
                _ => transform,
            };
            table
                .run(&format!(
                    "fit data.csv --label y -f -o m.iso {base} {transform}"
                ))
                .fine(&[]);
            table
                .run("predict m.iso new.csv -f -o pred.csv")
                .fine(&["labelled 2 of 2 rows"]);
            let labels = column(&table.read("pred.csv"), "iso_label");
            assert_eq!(labels, ["near", "far"], "{base} {transform}");
        }
    }
}

#[test]
fn new_nodes_under_every_normalisation_are_answered_as_by_the_library() {
    let room = graph();
    let (nodes, edges) = rings();
    room.file("new.csv", "node\nx\ny\nz\n");
    // `x` hangs on the first ring, `y` on the second, `z` between them.
    let links = [
        ("x", "n1"),
        ("x", "n2"),
        ("y", "n17"),
        ("z", "n4"),
        ("z", "n19"),
    ];
    let text: String = links.iter().map(|(a, b)| format!("{a},{b}\n")).collect();
    room.file("links.csv", text);

    let at = |name: &str| name[1..].parse::<u32>().unwrap();
    let mut seen = std::collections::BTreeSet::new();
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(30);
    for line in edges.lines() {
        let (from, to) = line.split_once(',').unwrap();
        let (from, to) = (at(from), at(to));
        if seen.insert((from.min(to), from.max(to))) {
            builder.push(from, to, None).unwrap();
        }
    }
    let (graph, _) = builder.finish(&mut Quiet).unwrap();
    let labels: Vec<Option<&str>> = nodes
        .lines()
        .skip(1)
        .map(|l| l.split_once(',').unwrap().1)
        .map(|l| (!l.is_empty()).then_some(l))
        .collect();
    let list: Vec<(u32, u32, f64)> = links
        .iter()
        .map(|(new, known)| (new.as_bytes()[0] as u32 - b'x' as u32, at(known), 1.0))
        .collect();
    let asked = Links::new(3, 30, &list).unwrap();
    let mut answers = Vec::new();
    for base in ["", "--self-loops", "--lazy"] {
        let fit = format!("fit nodes.csv --label y --graph edges.csv -f -o m.iso {base}");
        let printed = room.run(&format!("{fit} --print-recipe")).fine(&[]);
        let recipe: Recipe = toml::from_str(&printed.out).unwrap();
        let input = Input::Graph(graph.clone());
        let targets = Targets::from_names(&labels);
        let model = Study::new(&recipe, input, &targets)
            .and_then(|mut study| study.fit(&mut Quiet))
            .unwrap();
        let answer = model.predict_nodes(&asked, &mut Quiet).unwrap();
        let probabilities = answer.probabilities.as_ref().unwrap();
        room.run(&fit).fine(&[]);
        room.run("predict m.iso new.csv --graph links.csv --probabilities -f -o pred.csv")
            .fine(&["labelled 3 of 3 rows"]);
        let out = room.read("pred.csv");
        assert_eq!(column(&out, "iso_label")[..2], ["u", "v"], "{base}");
        for (row, p) in column(&out, "iso_p_u").iter().enumerate() {
            // The CLI numbers nodes in the order of the edges: sums differ by rounding.
            let gap = p.parse::<f64>().unwrap() - probabilities[(row, 0)];
            assert!(gap.abs() < 1e-8, "{base}: {gap:e}");
        }
        answers.push(column(&out, "iso_p_u"));
    }
    answers.dedup();
    assert_eq!(answers.len(), 3, "{answers:?}");
}

#[test]
fn label_propagation_keeps_its_defaults_and_reads_its_new_flags() {
    let room = graph();
    room.file("data.csv", clusters());
    let printed = |line: &str| room.run(&format!("{line} --print-recipe")).fine(&[]).out;
    let way = "--method label-propagation";
    assert!(printed(&format!("{GRAPH} {way}")).contains("eta = 0.9\n"));
    assert!(printed(&format!("{TABLE} {way}")).contains("eta = 0.99\n"));
    room.run(&format!("{GRAPH} {way} -v")).fine(&[
        "method: label-propagation\n",
        "solved: conjugate gradients with 30 unknowns",
    ]);
    let usual = room.read("out.csv");
    for flag in [
        "--eta 0.5",
        "--steps 4",
        "--centre-labels yes",
        "--trivial-mode remove",
        "--tolerance 0.1",
        "--iterations 2",
    ] {
        room.run(&format!("{GRAPH} {way} {flag}")).fine(&[]);
        assert_ne!(room.read("out.csv"), usual, "{flag}");
    }
    room.run(&format!("{GRAPH} --method harmonic")).fine(&[]);
    let harmonic = room.read("out.csv");
    room.run(&format!("{GRAPH} --method harmonic --iterations 2"))
        .fine(&["help: the labels may be off; raise --iterations"]);
    assert_ne!(room.read("out.csv"), harmonic);
}

#[test]
fn class_masses_are_normalised_when_it_is_asked_for() {
    // Three labels u at n0, then the path n0, n1, n2 to one label v.
    let room = Room::with("nodes.csv", "n,y\nn0,\nn1,\nn2,\nn3,u\nn4,u\nn5,u\nn6,v\n");
    room.file("edges.csv", "n0,n3\nn0,n4\nn0,n5\nn0,n1\nn1,n2\nn2,n6\n");
    let flags = "--method harmonic --class-mass";
    room.run(&format!("{GRAPH} {flags}"))
        .fine(&["method: harmonic\n"]);
    let text = room.read("out.csv");
    let shares: Vec<f64> = column(&text, "iso_p_v")
        .iter()
        .map(|v| v.parse().unwrap())
        .collect();
    // By hand: f₀ = f₁/4, f₁ = (f₀ + f₂)/2, f₂ = (f₁ + 1)/2.
    let (v, q) = ([0.1, 0.4, 0.7], [0.75, 0.25]);
    let mass = [3.0 - v.iter().sum::<f64>(), v.iter().sum::<f64>()];
    for i in 0..3 {
        let scores = [q[0] * (1.0 - v[i]) / mass[0], q[1] * v[i] / mass[1]];
        let share = scores[1] / (scores[0] + scores[1]);
        assert!(
            (shares[i] - share).abs() < 1e-6,
            "{i}: {} {share}",
            shares[i]
        );
    }
    room.run("fit nodes.csv --label y --graph edges.csv --method harmonic --class-mass -o m.iso")
        .fine(&[]);
    let told = room.run("inspect m.iso --json").json();
    assert_eq!(told["recipe"]["method"]["class_mass"], "labelled");

    let numbers = Room::with("data.csv", "a,y\n1,0.5\n2,\n3,1.5\n4,\n");
    numbers.refuses(
        "label data.csv --label y --class-mass -o out.csv",
        1,
        &["numbers have no class masses", "choose the task classify"],
    );
}

#[test]
fn numbers_are_regressed_on_by_stkr_when_it_is_asked_for() {
    let mut text = String::from("a,y\n");
    for i in 0..24 {
        let y = if i % 3 == 0 {
            format!("{i}.5")
        } else {
            String::new()
        };
        text.push_str(&format!("{i},{y}\n"));
    }
    let room = Room::with("data.csv", &text);
    room.run("label data.csv --label y --method stkr --kernel gaussian --eta 0.5 -o out.csv")
        .fine(&["taken as numbers", "stkr, "]);
    let values = column(&room.read("out.csv"), "iso_label");
    for (i, v) in values.iter().enumerate() {
        let gap = v.parse::<f64>().unwrap() - i as f64 - 0.5;
        assert!(gap.abs() < 2.5, "{values:?}");
    }
    room.refuses(
        "label data.csv --label y --method harmonic --eta 0.5 -o no.csv",
        2,
        &[
            "--eta means nothing to harmonic",
            "choose --method stkr or label-propagation",
        ],
    );
}

#[test]
fn inspect_tells_how_smooth_each_class_is() {
    let room = graph();
    room.run("fit nodes.csv --label y --graph edges.csv --lazy -o m.iso")
        .fine(&[]);
    for power in ["1", "2"] {
        let said = room
            .run(&format!("inspect m.iso --smoothness {power}"))
            .fine(&[]);
        assert!(said.out.contains(&format!("smoothness r at p = {power}")));
        let json = room
            .run(&format!("inspect m.iso --json --smoothness {power}"))
            .json();
        let columns = json["smoothness"]["columns"].as_array().unwrap();
        assert_eq!(columns.len(), 2);
        let ratio = |j: usize| columns[j]["ratio"].as_f64().unwrap();
        // At most λ₁ᵖ = 1; two classes of centred labels are each other's negative.
        assert!(ratio(0) > 0.0 && ratio(0) <= 1.0, "{json}");
        assert!((ratio(0) - ratio(1)).abs() < 1e-6, "{json}");
    }
    room.refuses(
        "inspect m.iso --smoothness 3",
        1,
        &["power must be 1 or 2, got 3"],
    );
    room.run("fit nodes.csv --label y --graph edges.csv --method harmonic -o h.iso")
        .fine(&[]);
    room.refuses(
        "inspect h.iso --smoothness 2",
        1,
        &[
            "harmonic has no smoothness to tell",
            "help: fit with the method stkr",
        ],
    );
}
