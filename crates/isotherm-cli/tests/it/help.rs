//! Help, manual and completions: short, examples first, and the examples are true.

use std::process::Command;

use crate::run::Room;

const COLUMNS: usize = 80;

/// The commands, as the manual of the tool names them.
fn commands(room: &Room) -> Vec<String> {
    let said = room.run("--help").fine(&[]);
    let listed = said
        .out
        .split("Options:")
        .next()
        .unwrap()
        .split("Usage:")
        .nth(1)
        .unwrap();
    let lines = listed.lines().filter_map(|l| l.strip_prefix("  "));
    let names = lines.filter_map(|l| l.split_whitespace().next());
    names.map(str::to_owned).collect()
}

fn wide(text: &str) -> usize {
    text.lines().map(|l| l.chars().count()).max().unwrap_or(0)
}

#[test]
fn no_argument_fits_a_small_screen_and_begins_with_examples() {
    let said = Room::new().run("");
    assert_eq!((said.code, said.out.as_str()), (2, ""));
    // The prompt needs a line too.
    assert!(said.err.lines().count() < 24, "{}", said.err);
    assert!(wide(&said.err) <= COLUMNS, "{}", said.err);
    let first = said.err.find("Examples:").unwrap();
    assert!(first < said.err.find("Commands:").unwrap());
    let examples = said
        .err
        .lines()
        .filter(|l| l.starts_with("  isotherm "))
        .count();
    assert!((3..=5).contains(&examples), "{examples}");
}

#[test]
fn every_command_is_listed_with_a_line_of_its_own_and_in_the_brief_help() {
    let room = Room::new();
    let names = commands(&room);
    assert!(
        names.len() >= 12 && names.contains(&"check".to_owned()),
        "{names:?}"
    );
    let brief = room.run("").err;
    for name in &names {
        assert!(brief.contains(name.as_str()), "{name}");
    }
    let help = room.run("--help").fine(&[]).out;
    assert!(wide(&help) <= COLUMNS, "{help}");
    assert!(help.lines().count() <= 45, "{help}");
}

#[test]
fn help_is_one_screen_with_examples_first_and_help_all_has_the_rest() {
    let room = Room::new();
    for name in commands(&room) {
        let short = room.run(&format!("{name} --help")).fine(&[]);
        assert!(short.out.starts_with("Example"), "{}", short.out);
        assert_eq!(short.err, "");
        assert!(short.out.contains(&format!("isotherm {name}")), "{name}");
        let lines = short.out.lines().count();
        assert!(
            lines <= 45,
            "{name} --help has {lines} lines:\n{}",
            short.out
        );
        assert!(wide(&short.out) <= COLUMNS, "{name}:\n{}", short.out);
        assert_eq!(room.run(&format!("{name} -h")).out, short.out, "{name}");
        let long = room.run(&format!("{name} --help-all")).fine(&[]);
        assert!(long.out.contains("--print-config"), "{name}");
        assert!(!short.out.contains("--print-config"), "{name}");
        for flag in short.out.split_whitespace().filter(|w| w.starts_with("--")) {
            assert!(long.out.contains(flag), "{name} {flag}");
        }
    }
    let long = room.run("label --help-all").out;
    for flag in [
        "--eta",
        "--landmarks",
        "--delimiter",
        "--candidates",
        "--tolerance",
    ] {
        assert!(long.contains(flag), "{flag}");
    }
}

/// Every example of every help is understood: `--print-config` parses and stops.
#[test]
fn every_example_is_understood() {
    let room = Room::new();
    let mut texts = vec![room.run("").err, room.run("--help").out];
    for name in commands(&room) {
        texts.push(room.run(&format!("{name} --help")).out);
    }
    let mut tried = 0;
    for text in texts {
        for line in text.lines().filter_map(|l| l.strip_prefix("  isotherm ")) {
            // What follows two spaces is a comment; what follows a mark is the shell's.
            let words = line.split("  ").next().unwrap();
            let words = words.split([';', '|', '>']).next().unwrap().trim();
            let said = room.shell(&format!("\"$isotherm\" {words} --print-config"));
            assert_eq!(said.code, 0, "{words}: {said:?}");
            assert!(!said.out.is_empty(), "{words}");
            tried += 1;
        }
    }
    assert!(tried > 25, "{tried}");
    assert_eq!(room.names(), Vec::<String>::new());
}

#[test]
fn the_manual_has_a_page_of_each_command_and_renders() {
    let room = Room::new();
    let names = commands(&room);
    room.run("man --out-dir pages").fine(&["wrote "]);
    let mut pages = vec!["isotherm".to_owned()];
    pages.extend(names.iter().map(|n| format!("isotherm-{n}")));
    for page in &pages {
        let text = room.read(&format!("pages/{page}.1"));
        assert!(text.contains(".TH ") && text.contains("NAME"), "{page}");
    }
    assert_eq!(
        room.run("man label").fine(&[]).out,
        room.read("pages/isotherm-label.1")
    );
    assert!(
        room.read("pages/isotherm-label.1")
            .contains("\\-\\-landmarks")
    );
    room.refuses("man --out-dir pages", 1, &["--force"]);
    room.run("man --out-dir pages --force").fine(&[]);
    room.refuses(
        "man lable",
        2,
        &["there is no command \"lable\"", "did you mean \"label\"?"],
    );
    // Where there is a formatter, it has nothing to say against them.
    if room.shell("command -v groff").code == 0 {
        for page in &pages {
            let said = room.shell(&format!("groff -Kutf8 -man -Tutf8 -ww pages/{page}.1"));
            assert_eq!((said.code, said.err.as_str()), (0, ""), "{page}");
            // Bold is a letter, a step back, and the letter.
            let letters: Vec<char> = said.out.chars().collect();
            let bold = |i: usize| letters.get(i + 1) == Some(&'\u{8}');
            let shown = (0..letters.len()).filter(|&i| letters[i] != '\u{8}' && !bold(i));
            let shown: String = shown.map(|i| letters[i]).collect();
            assert!(
                shown.contains("SYNOPSIS") && shown.contains("EXAMPLE"),
                "{page}: {shown}"
            );
        }
    }
}

#[test]
fn completions_are_scripts_that_their_shell_accepts() {
    // The scripts are made where a socket is death, and checked where it is not: shells may ask
    // the system who they are.
    let made = std::thread::spawn(|| {
        let room = Room::new();
        let names = commands(&room);
        for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
            let said = room.run(&format!("completions {shell}")).fine(&[]);
            for name in &names {
                assert!(said.out.contains(name.as_str()), "{shell} {name}");
            }
            assert!(said.out.contains("print-config"), "{shell}");
            assert_eq!(said.err, "");
            room.file(&format!("isotherm.{shell}"), said.out);
        }
        room.refuses("completions csh", 2, &["invalid value 'csh'"]);
        room
    });
    let room = made.join().unwrap();
    for (shell, check) in [
        (
            "bash",
            "bash -n isotherm.bash && bash -c '. ./isotherm.bash && complete -p isotherm'",
        ),
        ("zsh", "zsh -n isotherm.zsh"),
        ("fish", "fish --no-execute isotherm.fish"),
    ] {
        if Command::new(shell).arg("--version").output().is_err() {
            crate::run::skip(&format!("{shell} is not installed"));
            continue;
        }
        let said = room.shell(check);
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{shell}");
    }
}

#[test]
fn a_mistyped_word_is_answered_with_what_was_meant() {
    let room = Room::with("data.csv", crate::run::clusters());
    for (line, code, says) in [
        ("lable data.csv --label y -o out.csv", 2, "'label'"),
        ("check data.csv --lable y", 2, "'--label'"),
        (
            "label data.csv --label y --method stkrr -o out.csv",
            2,
            "'stkr'",
        ),
        ("label data.csv --label Y -o out.csv", 1, "\"y\""),
        (
            "label data.csv --label y --id nam -o out.csv",
            1,
            "\"name\"",
        ),
        (
            "label data.csv --label y --exclude nmae -o out.csv",
            1,
            "\"name\"",
        ),
    ] {
        room.refuses(line, code, &[says]);
    }
}
