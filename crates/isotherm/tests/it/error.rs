//! Codes: one number and one word each, for ever.

use isotherm::Error;
use isotherm::error::codes::{self, Kind};
use isotherm::model::{Neutral, Warning, Wording};

#[test]
fn numbers_ascend_and_words_are_their_own() {
    let numbers: Vec<u16> = codes::ALL.iter().map(|c| c.number).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    for code in codes::ALL {
        let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(code.word.chars().all(kebab), "{}", code.word);
        assert_eq!(
            codes::find(code.word),
            Some(code),
            "{} is there twice",
            code.word
        );
        assert_eq!(codes::find(&code.id().to_lowercase()), Some(code));
        let low = code.title.chars().next().is_some_and(char::is_lowercase);
        assert!(
            !code.title.ends_with('.') && (low || code.title.starts_with("UTF")),
            "{}",
            code.title
        );
        // Warnings have the upper half of a room, so that both can grow.
        let upper = code.number % 100 >= 50 && code.number < 900;
        assert_eq!(upper, code.kind == Kind::Warning, "{}", code.id());
    }
}

#[test]
fn exit_codes_are_those_of_the_contract() {
    let all = [
        Kind::Silent,
        Kind::Warning,
        Kind::Error,
        Kind::Usage,
        Kind::Stopped,
    ];
    assert_eq!(all.map(Kind::exit_code), [0, 0, 1, 2, 130]);
}

#[test]
fn what_is_no_code_is_not_found() {
    for name in ["", "ISO", "ISO1030", "103", "cells", "iso-103"] {
        assert_eq!(codes::find(name), None, "{name}");
    }
}

#[test]
fn a_refusal_keeps_its_word() {
    let error = Error::refusal("no-labels", "none has a label", "label one");
    assert_eq!(error.code(), "no-labels");
    assert_eq!(
        (error.what(), error.hint()),
        ("none has a label".into(), Some("label one".into()))
    );
    assert_eq!(error.to_string(), "none has a label; label one");
    assert_eq!(Error::data("it is odd", "look").code(), "data");
    assert_eq!(
        Error::parameter("ridge", "positive", -1.0).code(),
        "parameter"
    );
}

/// Every kind of warning, with some values.
fn warnings() -> [Warning; 8] {
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
    ]
}

#[test]
fn every_warning_has_an_entry_a_sentence_and_a_way_out() {
    for warning in warnings() {
        let code = codes::find(warning.code()).unwrap();
        assert_eq!(code.kind, Kind::Warning);
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
