//! Texts embedded by the tiny sentence model beside the fixtures; `fixtures/make_sentences.py`
//! says what it computes, and what is expected by numpy.

use std::path::{Path, PathBuf};

use isotherm_io::SentenceModel;

use crate::support::{Room, message, refusal};

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sentences")
}

/// A folder with some of the fixture's files.
fn folder(room: &Room, files: &[&str]) -> PathBuf {
    let dir = room.path("model");
    std::fs::create_dir_all(dir.join("1_Pooling")).unwrap();
    for file in files {
        std::fs::copy(fixture().join(file), dir.join(file)).unwrap();
    }
    dir
}

#[test]
fn a_folder_without_a_sentence_model_is_refused() {
    let room = Room::new();
    assert_eq!(
        refusal(SentenceModel::open(room.path("none"))).code(),
        "not-found"
    );
    let file = room.file("model.onnx", "x");
    assert!(message(SentenceModel::open(&file)).contains("this is a file"));
    let dir = folder(&room, &[]);
    let refused = refusal(SentenceModel::open(&dir));
    assert_eq!(refused.code(), "sentence-model");
    assert!(
        refused
            .to_string()
            .contains("no model.onnx and no onnx/model.onnx"),
        "{refused}"
    );
    let dir = folder(&room, &["model.onnx"]);
    assert!(message(SentenceModel::open(&dir)).contains("no tokenizer.json"));
    folder(&room, &["tokenizer.json"]);
    std::fs::write(
        dir.join("modules.json"),
        r#"[{"type": "sentence_transformers.models.Dense"}]"#,
    )
    .unwrap();
    assert!(message(SentenceModel::open(&dir)).contains("layer of the kind \"Dense\""));
    std::fs::remove_file(dir.join("modules.json")).unwrap();
    std::fs::write(
        dir.join("1_Pooling/config.json"),
        r#"{"pooling_mode_max_tokens": true}"#,
    )
    .unwrap();
    assert!(message(SentenceModel::open(&dir)).contains("pools neither"));
    std::fs::write(dir.join("1_Pooling/config.json"), "{").unwrap();
    assert!(message(SentenceModel::open(&dir)).contains("is not JSON"));
}

#[cfg(not(feature = "embed"))]
#[test]
fn a_program_without_sentence_models_says_how_to_get_one() {
    let refused = SentenceModel::open(fixture());
    assert!(crate::support::hint(refused).contains("--features embed"));
}

#[cfg(feature = "embed")]
mod embedded {
    use super::*;
    use isotherm::monitor::{Event, Monitor, Quiet};
    use isotherm_io::{Error, FeatureKind, FeaturePlan, Features, Table};
    use serde_json::Value;
    use std::ops::ControlFlow;
    use std::sync::Arc;

    use crate::support::{csv, table, texts};

    fn model() -> Arc<SentenceModel> {
        Arc::new(SentenceModel::open(fixture()).unwrap())
    }

    fn plan(model: &Arc<SentenceModel>, data: &Table) -> FeaturePlan {
        let choice = Features::automatic().read_as("t", FeatureKind::Text);
        choice.embedded_with(model.clone()).plan(data).unwrap()
    }

    fn rows(model: &Arc<SentenceModel>, data: &Table) -> Vec<Vec<f64>> {
        let (points, _) = plan(model, data).points(data).unwrap();
        (0..points.len()).map(|i| points.row(i).to_vec()).collect()
    }

    /// Texts, and their embeddings by numpy.
    fn expected(pooling: &str) -> Vec<(String, Vec<f64>)> {
        let bytes = std::fs::read(fixture().join("expected.json")).unwrap();
        let all: Vec<Value> = serde_json::from_slice(&bytes).unwrap();
        let numbers = |v: &Value| {
            v.as_array()
                .unwrap()
                .iter()
                .map(|x| x.as_f64().unwrap())
                .collect()
        };
        let one = |v: &Value| (v["text"].as_str().unwrap().to_owned(), numbers(&v[pooling]));
        all.iter().map(one).collect()
    }

    fn as_table(all: &[(String, Vec<f64>)]) -> Table {
        let cells: Vec<Option<&str>> = all.iter().map(|(text, _)| Some(text.as_str())).collect();
        table(vec![texts("t", &cells)])
    }

    fn check(model: &Arc<SentenceModel>, pooling: &str) {
        let all = expected(pooling);
        for (found, (text, wanted)) in rows(model, &as_table(&all)).iter().zip(&all) {
            assert_eq!(found.len(), wanted.len());
            for (a, b) in found.iter().zip(wanted) {
                // The network runs in 32 bits; entries are at most 1.
                assert!(
                    (a - b).abs() < 1e-5,
                    "{text}: {found:?}, expected {wanted:?}"
                );
            }
        }
    }

    /// The fixture's tokenizer pads to 9 tokens and cuts at 4: neither may show.
    #[test]
    fn embeddings_are_those_of_the_formula() {
        check(&model(), "mean");
        let room = Room::new();
        let dir = folder(
            &room,
            &["model.onnx", "tokenizer.json", "sentence_bert_config.json"],
        );
        let first = r#"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}"#;
        std::fs::write(dir.join("1_Pooling/config.json"), first).unwrap();
        let other = Arc::new(SentenceModel::open(&dir).unwrap());
        check(&other, "first");
        assert_ne!(other.fingerprint(), model().fingerprint());
    }

    #[test]
    fn texts_are_one_block_of_features_beside_the_other_columns() {
        let data = csv("x,t\n1,the cat sleeps\n2,\n3,the dog barks\n4,the cat sleeps\n").unwrap();
        let plan = plan(&model(), &data);
        let names = ["x", "t embedding 1", "t embedding 2"];
        assert_eq!(plan.names()[..3], names);
        assert_eq!(plan.len(), 7);
        assert_eq!(plan.blocks(), vec![1..7; 1]);
        let (points, unseen) = plan.points(&data).unwrap();
        assert!(unseen.is_empty());
        let length = |row: usize| points.row(row)[1..].iter().map(|v| v * v).sum::<f64>();
        assert!((length(0) - 1.0).abs() < 1e-6);
        assert_eq!(length(1), 0.0, "a blank cell is no text");
        assert_eq!(points.row(0)[1..], points.row(3)[1..]);
        assert_ne!(points.row(0)[1..], points.row(2)[1..]);
    }

    #[test]
    fn a_fitted_model_reads_texts_by_the_same_sentence_model_only() {
        let data = as_table(&expected("mean"));
        let fitted = plan(&model(), &data);
        let again = Features::of_model(fitted.names()).encoded_by(&fitted.encoding());
        let refused = refusal(again.plan(&data));
        assert_eq!(refused.code(), "sentence-model");
        assert!(refused.to_string().contains("none is given"), "{refused}");
        let same = again.clone().embedded_with(model()).plan(&data).unwrap();
        assert_eq!(
            same.points(&data).unwrap().0,
            fitted.points(&data).unwrap().0
        );
        let room = Room::new();
        let dir = folder(&room, &["model.onnx", "tokenizer.json"]);
        let other = Arc::new(SentenceModel::open(&dir).unwrap());
        let refused = refusal(again.embedded_with(other).plan(&data));
        assert!(
            refused.to_string().contains("another sentence model"),
            "{refused}"
        );
    }

    fn kept(room: &Room) -> PathBuf {
        let names = room.names();
        let mut found = names.iter().filter(|n| n.ends_with(".embeddings"));
        let name = found.next().expect("a file of embeddings");
        assert_eq!(found.next(), None);
        room.path(name)
    }

    #[test]
    fn embeddings_are_kept_beside_the_table_and_a_damaged_file_is_made_anew() {
        let room = Room::new();
        let data = as_table(&expected("mean"));
        let plain = rows(&model(), &data);
        let with = |notes: usize| {
            let model = model();
            model.keep_beside(&room.path("data.csv"));
            let found = rows(&model, &data);
            let told = model.take_notes();
            assert_eq!(told.len(), notes, "{told:?}");
            (found, told)
        };
        assert_eq!(with(0).0, plain);
        let file = kept(&room);
        let whole = std::fs::read(&file).unwrap();
        assert_eq!(with(0).0, plain);
        assert_eq!(std::fs::read(&file).unwrap(), whole, "nothing was new");
        // Cut short, and with one bit turned.
        let mut turned = whole.clone();
        *turned.last_mut().unwrap() ^= 1;
        for damaged in [whole[..whole.len() / 2].to_vec(), turned, b"x".to_vec()] {
            std::fs::write(&file, damaged).unwrap();
            let (found, told) = with(1);
            assert_eq!(found, plain);
            assert!(told[0].contains("made again"), "{told:?}");
            assert_eq!(std::fs::read(&file).unwrap(), whole);
        }
    }

    /// Counts the steps of a phase, and stops it on the way.
    struct Stopping {
        phase: String,
        steps: Option<usize>,
    }

    impl Monitor for Stopping {
        fn on(&mut self, event: Event) -> ControlFlow<()> {
            if let Event::Phase { name, steps } = event {
                self.phase = name.to_owned();
                self.steps = steps;
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        }
    }

    #[test]
    fn embedding_tells_how_far_it_is_and_can_be_stopped() {
        let all = expected("mean");
        let data = as_table(&all);
        let plan = plan(&model(), &data);
        let mut monitor = Stopping {
            phase: String::new(),
            steps: None,
        };
        let refused = plan.points_watched(&data, &mut monitor);
        assert!(matches!(refused, Err(Error::Cancelled { .. })));
        assert_eq!(
            (monitor.phase.as_str(), monitor.steps),
            ("embedding the texts", Some(all.len()))
        );
        assert!(plan.points_watched(&data, &mut Quiet).is_ok());
    }

    #[test]
    fn damaged_models_are_refused_by_name() {
        let room = Room::new();
        let dir = folder(&room, &["model.onnx", "tokenizer.json"]);
        let network = std::fs::read(fixture().join("model.onnx")).unwrap();
        for cut in [0, 1, network.len() / 2, network.len() - 1] {
            std::fs::write(dir.join("model.onnx"), &network[..cut]).unwrap();
            let refused = refusal(SentenceModel::open(&dir));
            assert_eq!(refused.code(), "sentence-model", "{cut}: {refused}");
        }
        folder(&room, &["model.onnx"]);
        std::fs::write(dir.join("tokenizer.json"), "{}").unwrap();
        assert!(message(SentenceModel::open(&dir)).contains("the tokenizer cannot be read"));
    }
}
