//! `--embed-with`: the tiny sentence model of the file crate's fixtures, through the binary.

use std::path::Path;

use crate::run::{Room, chance};

/// Texts of two subjects in the words of the model, and a class for some of them.
fn texts(rows: usize) -> String {
    const SUBJECTS: [[&str; 4]; 2] = [
        ["cat", "dog", "sleeps", "barks"],
        ["price", "oil", "rises", "falls"],
    ];
    let mut seed = 5;
    let mut text = String::from("note,y\n");
    for row in 0..rows {
        let words: Vec<&str> = (0..3 + row % 5)
            .map(|_| SUBJECTS[row % 2][(4.0 * chance(&mut seed)) as usize % 4])
            .collect();
        let label = match (row < 10, row % 2) {
            (true, 0) => "pets",
            (true, _) => "markets",
            _ => "",
        };
        text.push_str(&format!("{},{label}\n", words.join(" ")));
    }
    text
}

/// A room with texts and the model.
fn room() -> Room {
    let room = Room::with("data.csv", texts(80));
    let from =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../isotherm-io/tests/fixtures/sentences");
    std::fs::create_dir_all(room.path("tiny/1_Pooling")).unwrap();
    for file in [
        "model.onnx",
        "tokenizer.json",
        "sentence_bert_config.json",
        "1_Pooling/config.json",
    ] {
        std::fs::copy(from.join(file), room.path("tiny").join(file)).unwrap();
    }
    room
}

#[cfg(not(feature = "embed"))]
#[test]
fn a_program_without_sentence_models_says_how_to_get_one() {
    room().refuses(
        "label data.csv --label y --embed-with tiny -o out.csv",
        1,
        &["built without sentence models", "--features embed"],
    );
}

#[cfg(feature = "embed")]
mod embedded {
    use super::*;
    use crate::run::column;

    #[test]
    fn texts_are_embedded_for_every_command_and_kept_for_the_next() {
        let room = room();
        room.run("check data.csv --label y --embed-with tiny")
            .fine(&[]);
        let said = room
            .run("label data.csv --label y --embed-with tiny -o out.csv")
            .fine(&["note (text, embedded in 6 numbers)"]);
        assert_eq!(said.code, 0);
        let answers = column(&room.read("out.csv"), "iso_label");
        let right = answers.iter().enumerate().filter(|(row, answer)| {
            let truth = if row % 2 == 0 { "pets" } else { "markets" };
            *answer == truth
        });
        assert!(right.count() >= 76, "{answers:?}");
        let kept = |name: &String| name.starts_with("data.csv.") && name.ends_with(".embeddings");
        assert_eq!(room.everything().keys().filter(|n| kept(n)).count(), 1);
        for command in [
            "evaluate data.csv --label y --embed-with tiny",
            "next data.csv --label y --embed-with tiny -n 3 -o next.csv",
            "report data.csv --label y --embed-with tiny -o report.html",
        ] {
            room.run(command).fine(&[]);
        }
    }

    #[test]
    fn a_model_file_asks_for_the_sentence_model_it_was_fitted_with() {
        let room = room();
        room.run("fit data.csv --label y --embed-with tiny -o m.iso")
            .fine(&[]);
        room.run("fit data.csv --label y -o plain.iso").fine(&[]);
        room.run("label data.csv --label y --embed-with tiny -o out.csv")
            .fine(&[]);
        room.run("predict m.iso data.csv --embed-with tiny -o p.csv")
            .fine(&[]);
        room.run("predict m.iso data.csv --embed-with tiny --stream -o s.csv")
            .fine(&[]);
        let answers = |file: &str| column(&room.read(file), "iso_label");
        assert_eq!(answers("p.csv"), answers("s.csv"));
        assert_eq!(answers("p.csv")[10..], answers("out.csv")[10..]);
        room.refuses(
            "predict m.iso data.csv -o no.csv",
            1,
            &["a sentence model, and none is given", "--embed-with"],
        );
        room.refuses(
            "predict plain.iso data.csv --embed-with tiny -o no.csv",
            2,
            &["--embed-with means nothing to a model"],
        );
        room.refuses(
            "fit data.csv --label y --embed-with tiny --stream -o no.iso",
            2,
            &["--embed-with means nothing to --stream"],
        );
        std::fs::remove_file(room.path("tiny/sentence_bert_config.json")).unwrap();
        room.refuses(
            "predict m.iso data.csv --embed-with tiny -o no.csv",
            1,
            &["embedded by another sentence model"],
        );
    }
}
