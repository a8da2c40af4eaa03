//! Refusals and warnings: a word, a sentence and a way out.

use std::collections::BTreeSet;

use isotherm::error::{Reason, spelled};
use isotherm::model::{Neutral, Warning, Wording};
use isotherm::{Error, Refusal};

#[test]
fn every_refusal_has_a_word_of_its_own() {
    let kebab = |c: char| c.is_ascii_lowercase() || c == '-';
    let names: BTreeSet<&str> = Refusal::ALL.iter().map(|r| r.name()).collect();
    assert_eq!(names.len(), Refusal::ALL.len());
    assert!(names.iter().all(|n| n.chars().all(kebab)), "{names:?}");
}

#[test]
fn the_way_out_comes_last() {
    let parameter = Error::parameter("ridge", "positive", -1.0).with_hint("raise it");
    assert_eq!(
        parameter.to_string(),
        "ridge must be positive, got -1.0; raise it"
    );
    assert_eq!(parameter.what(), "ridge must be positive, got -1.0");
    assert_eq!(parameter.hint(), Some("raise it"));
    let label = Error::Label {
        sample: 7,
        reason: Reason::new("it stands twice", "name it once"),
    };
    assert_eq!(label.to_string(), "sample 7: it stands twice; name it once");
    assert_eq!(label.what(), "sample 7: it stands twice");
    assert_eq!(label.hint(), Some("name it once"));
    // What has no way out keeps a semicolon that is part of the sentence.
    let edge = Error::Edge {
        edge: 2,
        reason: "no; really".into(),
    };
    assert_eq!(
        (edge.what().as_str(), edge.hint()),
        ("edge 2: no; really", None)
    );
    let value = Error::Value {
        row: 1,
        column: 2,
        value: f64::INFINITY,
    };
    let hint = value.hint().unwrap();
    assert_eq!(value.to_string(), format!("{}; {hint}", value.what()));
}

#[test]
fn a_front_end_spells_parameters_its_own_way() {
    let flag = |name: &str, value: Option<&str>| {
        let value = value.map(|v| format!(" {v}")).unwrap_or_default();
        (name != "odd").then(|| format!("--{name}{value}"))
    };
    assert_eq!(
        spelled("use `method laplacian`, or raise `memory`", flag),
        "use --method laplacian, or raise --memory"
    );
    assert_eq!(spelled("`odd` and ` alone", flag), "`odd` and ` alone");
}

#[test]
fn a_refusal_keeps_its_word() {
    let error = Error::refused(
        isotherm::error::Refusal::NoLabels,
        "none has a label",
        "label one",
    );
    assert_eq!(error.name(), "no-labels");
    assert_eq!(
        (error.what(), error.hint()),
        ("none has a label".into(), Some("label one"))
    );
    assert_eq!(error.to_string(), "none has a label; label one");
    assert_eq!(Error::data("it is odd", "look").name(), "data");
    assert_eq!(
        Error::parameter("ridge", "positive", -1.0).name(),
        "parameter"
    );
}

/// Every kind of warning, with some values.
fn warnings() -> [Warning; 10] {
    [
        Warning::NotConverged {
            iterations: 7,
            residual: 0.5,
        },
        Warning::Stagnated { residual: 0.5 },
        Warning::IllConditioned { condition: 1e17 },
        Warning::Unreached { rows: 1, of: 8 },
        Warning::ConstantColumns {
            columns: (0..10).collect(),
        },
        Warning::Conflicts { pairs: 1 },
        Warning::NotSettled { rounds: 9 },
        Warning::NothingToLeaveOut {
            classes: 3,
            strength: 1.0,
            bandwidth: true,
        },
        Warning::UnsureShares {
            once: vec!["rare".into()],
            moving: Some(10_000),
        },
        Warning::Overruled { rows: 1, of: 2 },
    ]
}

#[test]
fn every_warning_has_a_sentence_and_a_way_out() {
    for warning in warnings() {
        // The word in files and messages is the same.
        let sent = serde_json::to_value(&warning).unwrap();
        assert_eq!(sent["kind"], warning.code());
        for text in [warning.what(&Neutral), warning.hint(&Neutral)] {
            assert!(!text.is_empty() && !text.ends_with('.'), "{text}");
            assert!(text.starts_with(|c: char| !c.is_uppercase()), "{text}");
        }
    }
}

#[test]
fn warnings_speak_the_words_of_their_edge() {
    struct Flags;
    impl Wording for Flags {
        fn parameter(&self, name: &'static str) -> Option<String> {
            (name != "bandwidth").then(|| format!("--{name}"))
        }
        fn samples(&self) -> &'static str {
            "nodes"
        }
        fn column(&self, position: usize) -> String {
            format!("c{position}")
        }
    }
    let [slow, _, near, apart, constant, ..] = warnings();
    assert_eq!(
        slow.hint(&Flags),
        "the labels may be off; raise --iterations"
    );
    assert_eq!(near.hint(&Flags), "raise --ridge");
    assert_eq!(near.hint(&Neutral), "raise ridge or lower bandwidth");
    assert!(
        apart
            .what(&Flags)
            .starts_with("1 of 8 nodes (12.5 %) cannot be reached")
    );
    assert_eq!(
        apart.hint(&Flags),
        "label one node in each such part, or raise --neighbours"
    );
    assert_eq!(
        constant.what(&Flags),
        "columns with one value only: c0, c1, c2, c3, c4, c5, c6, c7 and 2 more"
    );
}
