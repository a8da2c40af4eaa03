//! Many small random tables and graphs: no panic, no NaN, no half file.

use crate::run::{Room, chance};

fn pick<'a>(seed: &mut u64, from: &[&'a str]) -> &'a str {
    let at = (chance(seed) * from.len() as f64) as usize;
    from[at.min(from.len() - 1)]
}

/// Cells that a table of numbers may meet, the usual ones more often.
fn cell(seed: &mut u64, wild: bool) -> String {
    let odd = [
        "", "x", "NaN", "inf", "1e308", "-1e308", "1e-308", "5e-324", "1e149", "-1e149", "-0",
        "1e400", "0x1f", "\"1,2\"", " 3 ", "+4",
    ];
    let tame = [
        "0", "1", "1e-308", "1e149", "-1e149", "5e-324", "1e75", "1e-160", "-0.0",
    ];
    match chance(seed) {
        c if wild && c < 0.08 => pick(seed, &odd).to_owned(),
        c if c < 0.3 => pick(seed, &tame).to_owned(),
        c if c < 0.5 => format!("{}", (chance(seed) * 4.0) as i32),
        _ => format!("{}", chance(seed) * 10.0 - 5.0),
    }
}

fn random_table(seed: &mut u64, columns: usize) -> String {
    let rows = (chance(seed) * 12.0) as usize;
    let wild = chance(seed) < 0.4;
    let numbers = chance(seed) < 0.3;
    let mut text: String = (0..columns).map(|j| format!("x{j},")).collect();
    text.push_str("y\n");
    let mut last = String::new();
    for _ in 0..rows {
        if chance(seed) > 0.2 || last.is_empty() {
            last = (0..columns).map(|_| cell(seed, wild) + ",").collect();
        }
        let label = match (chance(seed) < 0.5, numbers) {
            (true, _) => String::new(),
            (_, true) => cell(seed, false),
            (_, false) => pick(seed, &["a", "b", "c", "-1", "nan"]).to_owned(),
        };
        text.push_str(&format!("{last}{label}\n"));
    }
    text
}

/// Finished with a whole output free of NaN, or refused with a sentence.
#[track_caller]
fn sound(room: &Room, line: &str, about: &str) -> bool {
    let said = room.run(line);
    let told = format!("{line}\n{about}\n{said:?}");
    assert!(!said.err.contains("panicked"), "{told}");
    match said.code {
        0 => {
            let out = room.read("out.csv");
            for bad in ["NaN", "inf"] {
                let ours = out.lines().skip(1).zip(about.lines().skip(1));
                for (o, i) in ours {
                    let added = o.strip_prefix(i).unwrap_or("");
                    assert!(!added.contains(bad), "{told}\n{out}");
                }
            }
            std::fs::remove_file(room.path("out.csv")).unwrap();
            true
        }
        1 => {
            assert!(said.err.contains("error[ISO"), "{told}");
            assert!(!said.err.contains("os error"), "{told}");
            false
        }
        code => panic!("exit code {code}: {told}"),
    }
}

#[test]
fn random_tables_are_labelled_or_refused() {
    let mut seed = 2024;
    let mut finished = 0;
    let room = Room::new();
    for round in 0..140 {
        let columns = 1 + (chance(&mut seed) * 3.0) as usize;
        let text = random_table(&mut seed, columns);
        room.file("data.csv", &text);
        let way = [
            "",
            "--method kernel-ridge",
            "--method harmonic",
            "--scaling none",
            "--steps 3 --method label-propagation",
            "--method stkr --kernel gaussian --eta 0.5",
            "--method stkr --lazy --degree 3 --ridge auto",
            "--method stkr --rank 3 --centre-kernel",
        ][round % 8];
        let line = format!("label data.csv --label y -q --no-sidecar -o out.csv {way}");
        finished += usize::from(sound(&room, &line, &text));
        assert_eq!(room.names(), ["data.csv"]);
    }
    // The sweep means something only if many tables pass.
    assert!(finished > 30, "{finished}");
}

#[test]
fn random_models_answer_for_random_rows_or_refuse_them() {
    let mut seed = 5;
    let mut finished = 0;
    let room = Room::new();
    for round in 0..60 {
        let (text, new) = (random_table(&mut seed, 2), random_table(&mut seed, 2));
        room.file("data.csv", &text);
        room.file("new.csv", &new);
        let way = [
            "",
            "--method kernel-ridge",
            "--method harmonic",
            "--scaling none",
            "--method stkr --kernel gaussian --centre-kernel",
            "--method stkr --self-loops --rank 2",
        ][round % 6];
        let fit = room
            .run(&format!("fit data.csv --label y -q -f -o m.iso {way}"))
            .says(&[]);
        assert!(fit.code <= 1, "{fit:?}");
        if fit.code == 0 {
            // Only classes have probabilities.
            let model = room.run("inspect m.iso --json").fine(&[]).json();
            let more = if model["recipe"]["task"] == "classify" {
                "--probabilities"
            } else {
                ""
            };
            let line = format!("predict m.iso new.csv -q --no-sidecar -o out.csv {more}");
            finished += usize::from(sound(&room, &line, &new));
        }
    }
    assert!(finished > 10, "{finished}");
}

#[test]
fn random_graphs_are_labelled_or_refused() {
    let mut seed = 77;
    let mut finished = 0;
    let room = Room::new();
    let names = ["a", "b", "c", "d", "e", "f g", "7", "07"];
    for round in 0..60 {
        let weighted = chance(&mut seed) < 0.5;
        let mut edges = String::new();
        for _ in 0..1 + (chance(&mut seed) * 10.0) as usize {
            let (from, to) = (pick(&mut seed, &names), pick(&mut seed, &names));
            edges.push_str(&format!("{from},{to}"));
            if weighted {
                let w = pick(
                    &mut seed,
                    &[
                        "1", "0", "0.5", "1e-308", "1e149", "1e300", "3", "2", "1", "1",
                    ],
                );
                edges.push_str(&format!(",{w}"));
            }
            edges.push('\n');
        }
        let mut nodes = String::from("node,y\n");
        for name in names {
            let label = pick(&mut seed, &["", "", "u", "v", "w"]);
            nodes.push_str(&format!("{name},{label}\n"));
        }
        room.file("edges.csv", &edges);
        room.file("nodes.csv", &nodes);
        let way = [
            "",
            "--method harmonic",
            "--eta 0.999 --method label-propagation",
            "--method stkr --degree 3 --self-loops",
            "--method stkr --rank 2 --encoder unlabelled",
            "--method stkr --time 2 --trivial-mode keep --repair allow",
        ][round % 6];
        let line = format!(
            "label nodes.csv --label y --graph edges.csv --isolated keep -q --no-sidecar -o out.csv {way}"
        );
        finished += usize::from(sound(&room, &line, &nodes));
    }
    assert!(finished > 20, "{finished}");
}
