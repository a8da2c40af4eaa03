//! Where a result came from.

use isotherm_io::{FileHash, Provenance};
use proptest::prelude::*;

/// A provenance of these words.
pub(crate) fn of(words: &[&str]) -> Provenance {
    let mut provenance = Provenance::of(words.iter().map(Into::into));
    provenance.seed = Some(u64::MAX);
    provenance.recipe = Some(serde_json::json!({ "method": { "eta": 0.1 } }));
    provenance.inputs = vec![
        FileHash {
            path: words.last().copied().unwrap_or("data.csv").to_owned(),
            bytes: Some(3),
            sha256: Some("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad".into()),
        },
        FileHash::unknown("-".as_ref()),
    ];
    provenance
}

#[test]
fn a_provenance_survives_json() {
    let before = of(&["label", "da ta.csv", "--label", "y"]);
    assert_eq!(Provenance::from_json(&before.to_json()), Ok(before));
}

#[test]
fn words_that_are_not_utf_8_are_told_to_be_inexact() {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        let odd = std::ffi::OsString::from_vec(b"od\xFFd.csv".to_vec());
        let provenance = Provenance::of([odd]);
        assert!(provenance.inexact);
        assert!(provenance.to_json().contains("\"inexact\":true"));
    }
    assert!(!of(&["label"]).inexact);
    assert!(!of(&["label"]).to_json().contains("inexact"));
}

#[test]
fn what_is_not_a_provenance_is_refused_in_words() {
    let good = of(&["label"]).to_json();
    for (text, says) in [
        ("".to_owned(), "its provenance cannot be read"),
        ("[]".to_owned(), "its provenance cannot be read"),
        ("{}".to_owned(), "its provenance cannot be read"),
        (
            good.replace("\"schema\":1", "\"schema\":2,\"more\":1"),
            "its provenance has layout 2, this isotherm reads up to 1",
        ),
        (good.replace("\"seed\"", "\"sead\""), "unknown field `sead`"),
        (good.replace("ba7816", "BA7816"), "no SHA-256"),
        (good.replace("ba7816", ""), "no SHA-256"),
        (" ".repeat(5 << 20), "the limit is 4194304"),
    ] {
        let refused = Provenance::from_json(&text).unwrap_err();
        assert!(refused.contains(says), "{refused}");
    }
}

#[test]
fn lines_for_a_shell_are_plain_where_they_can_be() {
    let line = of(&["label", "a b.csv", "it's", "", "--features", "emb_*"]).shell_line();
    assert_eq!(
        line,
        r"isotherm label 'a b.csv' 'it'\''s' '' --features 'emb_*'"
    );
    let line = of(&["\u{1b}]0;x\u{7}'\\", "\u{202e}"]).shell_line();
    assert_eq!(line, r"isotherm $'\u001b]0;x\u0007\'\\' $'\u202e'");
}

/// What a shell makes of a line: its words, each ended by a line with a full stop.
#[cfg(unix)]
fn words(shell: &str, line: &str) -> Option<String> {
    let script = format!("isotherm() {{ printf '%s\\n.\\n' \"$@\"; }}\n{line}\n");
    let mut command = std::process::Command::new(shell);
    command.args(["-c", &script]).env("LC_ALL", "C.UTF-8");
    let done = command.output().ok()?;
    Some(String::from_utf8(done.stdout).unwrap())
}

#[cfg(unix)]
#[test]
fn a_shell_reads_back_the_words() {
    let hostile = [
        "label",
        "$(touch x)",
        "`id`",
        "a;b",
        "a&b|c>d<e",
        "~",
        "#",
        "!x",
        "\\",
        "\"",
        "'",
        "",
        "a\nb",
        "☃",
        "{a,b}",
        "[x]",
        "?",
        "=",
    ];
    let expected: String = hostile.iter().map(|w| format!("{w}\n.\n")).collect();
    let plain: Vec<&str> = hostile.into_iter().filter(|w| !w.contains('\n')).collect();
    let fewer: String = plain.iter().map(|w| format!("{w}\n.\n")).collect();
    assert_eq!(words("sh", &of(&plain).shell_line()), Some(fewer));
    // Control characters need a shell that knows $'…'.
    if let Some(said) = words("bash", &of(&hostile).shell_line()) {
        assert_eq!(said, expected);
    }
}

proptest! {
    #[test]
    fn any_words_survive_json(words in prop::collection::vec(any::<String>(), 0..4)) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let before = of(&words);
        prop_assert!(!before.to_json().contains('\n'));
        prop_assert_eq!(Provenance::from_json(&before.to_json()), Ok(before));
    }
}

#[test]
fn whatever_steers_a_terminal_is_spelled_out_in_a_quoted_word() {
    for c in [
        '\u{1b}', '\u{61c}', '\u{2028}', '\u{202e}', '\u{2069}', '\u{feff}',
    ] {
        assert!(isotherm_io::steers(c), "{c:?}");
        let word = isotherm_io::quoted(&format!("a{c}'b"));
        assert_eq!(word, format!("$'a\\u{:04x}\\'b'", c as u32));
    }
    assert_eq!(isotherm_io::quoted("d(1).csv"), "'d(1).csv'");
    assert_eq!(isotherm_io::quoted("d1.csv"), "d1.csv");
}
