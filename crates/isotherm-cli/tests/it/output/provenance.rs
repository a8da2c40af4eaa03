//! What outputs tell of where they came from.

use serde_json::{Value, json};

use crate::run::{Room, clusters};

/// The files beside tables, and what a model tells.
fn sidecar(room: &Room, table: &str) -> Value {
    serde_json::from_str(&room.read(&format!("{table}.run.json"))).unwrap()
}

/// By coreutils, which is somebody else's SHA-256.
fn sha256(room: &Room, name: &str) -> String {
    let said = room.shell(&format!("sha256sum {name}"));
    assert_eq!(said.code, 0, "{said:?}");
    said.out[..64].to_owned()
}

#[test]
fn a_table_of_text_is_told_of_beside_it() {
    let room = Room::with("data.csv", clusters());
    room.run("label ./data.csv --label y --seed 7 -o out.csv")
        .fine(&[]);
    let told = sidecar(&room, "out.csv");
    let provenance = &told["provenance"];
    assert_eq!(
        provenance["command"],
        json!([
            "label",
            "./data.csv",
            "--label",
            "y",
            "--seed",
            "7",
            "-o",
            "out.csv"
        ])
    );
    assert_eq!(provenance["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(provenance["seed"], 7);
    assert_eq!(provenance["recipe"]["task"], "classify");
    let input = json!({
        "path": "./data.csv",
        "bytes": clusters().len(),
        "sha256": sha256(&room, "data.csv"),
    });
    assert_eq!(provenance["inputs"], json!([input]));
    assert_eq!(told["output"]["path"], "out.csv");
    assert_eq!(told["output"]["sha256"], sha256(&room, "out.csv").as_str());
}

#[test]
fn the_same_run_gives_the_same_bytes_and_names_nobody() {
    let results = || {
        let room = Room::with("data.csv", clusters());
        for line in [
            "label data.csv --label y -o out.csv",
            "label data.csv --label y -o out.parquet",
            "fit data.csv --label y -o m.iso",
            "predict m.iso data.csv -o pred.csv",
            "tune data.csv --label y --etas 0.9 --ridges 1,2 --plot t.svg -o r.toml",
            "evaluate data.csv --label y --plot c.png",
        ] {
            room.run(line).fine(&[]);
        }
        let user = room.shell("id -un; hostname; pwd").out;
        (room.everything(), user)
    };
    let ((first, who), (second, _)) = (results(), results());
    assert_eq!(first.len(), 10, "{:?}", first.keys());
    for (name, bytes) in &first {
        assert!(second[name] == *bytes, "{name} is another");
        let text = String::from_utf8_lossy(bytes);
        for word in who.lines().filter(|w| w.len() > 3) {
            assert!(!text.contains(word), "{name} tells {word}");
        }
    }
}

#[test]
fn every_input_is_told_in_the_order_of_reading() {
    let room = Room::with("edges.csv", "a,b\nb,c\nc,d\n");
    room.file("nodes.csv", "id,y\na,u\nd,v\nb,\nc,\n");
    room.run("label nodes.csv --label y --graph edges.csv --print-recipe")
        .fine(&[]);
    let recipe = room.run("label nodes.csv --label y --graph edges.csv --print-recipe");
    room.file("r.toml", recipe.out);
    room.run("label nodes.csv --label y --graph edges.csv --recipe r.toml -o out.csv")
        .fine(&[]);
    room.run("fit nodes.csv --label y --graph edges.csv -o m.iso")
        .fine(&[]);
    room.run("predict m.iso nodes.csv --graph edges.csv -o pred.jsonl")
        .fine(&[]);
    let paths = |table: &str| {
        let told = sidecar(&room, table);
        let inputs = told["provenance"]["inputs"].as_array().unwrap().clone();
        for input in &inputs {
            let path = input["path"].as_str().unwrap();
            assert_eq!(input["sha256"], sha256(&room, path).as_str());
        }
        let path = |input: &Value| input["path"].as_str().unwrap().to_owned();
        inputs.iter().map(path).collect::<Vec<_>>()
    };
    assert_eq!(paths("out.csv"), ["nodes.csv", "r.toml", "edges.csv"]);
    assert_eq!(paths("pred.jsonl"), ["m.iso", "nodes.csv", "edges.csv"]);
}

#[test]
fn standard_input_is_said_to_be_unknown_and_standard_output_has_no_sidecar() {
    let room = Room::new();
    room.fed("label - --label y -o out.csv", &clusters())
        .fine(&[]);
    let inputs = &sidecar(&room, "out.csv")["provenance"]["inputs"];
    assert_eq!(
        *inputs,
        json!([{ "path": "-", "bytes": null, "sha256": null }])
    );
    room.fed("label - --label y -o -", &clusters()).fine(&[]);
    room.fed("label - --label y --no-sidecar -o b.csv", &clusters())
        .fine(&[]);
    assert_eq!(room.names(), ["b.csv", "out.csv", "out.csv.run.json"]);
}

#[test]
fn answers_tell_it_too() {
    let room = Room::with("data.csv", clusters());
    let answer = room
        .run("evaluate data.csv --label y --json")
        .fine(&[])
        .json();
    let provenance = &answer["provenance"];
    assert_eq!(
        provenance["command"],
        json!(["evaluate", "data.csv", "--label", "y", "--json"])
    );
    assert_eq!(
        provenance["inputs"][0]["sha256"],
        sha256(&room, "data.csv").as_str()
    );
}

#[test]
fn a_sidecar_that_exists_is_kept_unless_forced() {
    let room = Room::with("data.csv", clusters());
    room.file("out.csv.run.json", "precious");
    room.refuses(
        "label data.csv --label y -o out.csv",
        1,
        &["error: out.csv.run.json already exists\n", "--force"],
    );
    room.run("label data.csv --label y -f -o out.csv").fine(&[]);
    assert_eq!(sidecar(&room, "out.csv")["schema"], 1);
}

#[test]
fn an_input_that_changes_while_it_is_read_is_found_out() {
    // A pipe holds the run up after the table is read, and before it is done with.
    let room = Room::with("nodes.csv", "id,y\na,u\nd,v\nb,\nc,\n");
    let said = room.shell(
        "mkfifo edges.csv
         \"$isotherm\" label nodes.csv --label y --graph edges.csv -o out.csv &
         exec 3> edges.csv
         printf 'id,y\\na,u\\nd,v\\nb,\\n' > nodes.csv
         printf 'a,b\\nb,c\\nc,d\\n' >&3
         exec 3>&-
         wait $!",
    );
    assert_eq!(said.code, 1, "{said:?}");
    let said = said.says(&["error: nodes.csv changed while it was read\n", "help: "]);
    assert!(!room.path("out.csv").exists(), "{said:?}");
}

#[test]
fn old_models_still_open() {
    // A model without a provenance, as the Python package and older versions write it.
    let room = Room::with("data.csv", clusters());
    room.run("fit data.csv --label y -o m.iso").fine(&[]);
    let parts = isotherm_io::read_model(room.path("m.iso")).unwrap();
    let old = room.path("old.iso");
    isotherm_io::write_model(&old, &parts, isotherm_io::Overwrite::Refuse).unwrap();
    assert!(
        !room
            .bytes("old.iso")
            .windows(10)
            .any(|w| w == b"provenance")
    );
    for model in ["m.iso", "old.iso"] {
        room.run(&format!(
            "predict {model} data.csv --no-sidecar -f -o {model}.csv"
        ))
        .fine(&[]);
    }
    assert_eq!(room.bytes("m.iso.csv"), room.bytes("old.iso.csv"));
    room.refuses(
        "rerun old.iso",
        1,
        &["old.iso: it does not tell which run made it"],
    );
}
