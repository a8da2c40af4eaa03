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

#[test]
fn kinds_of_plots_have_a_screen_too_and_next_lists_what_its_examples_use() {
    let room = Room::new();
    for kind in ["map", "confusion", "learning-curve", "tuning"] {
        let short = room.run(&format!("plot {kind} --help")).fine(&[]);
        let lines = short.out.lines().count();
        assert!(lines <= 45, "plot {kind} --help has {lines} lines");
        let long = room.run(&format!("plot {kind} --help-all")).fine(&[]);
        assert!(long.out.contains("--tolerance"), "{kind}");
    }
    let next = room.run("next --help").fine(&[]).out;
    assert!(
        next.contains("-n, --count") && next.contains("--strategy"),
        "{next}"
    );
}

#[test]
fn help_is_a_word_and_nowhere_to_print_is_a_failure() {
    let room = Room::new();
    assert_eq!(
        room.run("help label").fine(&[]).out,
        room.run("label --help").out
    );
    assert_eq!(room.run("help").fine(&[]).out, room.run("--help").out);
    for word in ["--version", "--help"] {
        let said = room.shell(&format!("\"$isotherm\" {word} > /dev/full"));
        assert_eq!(said.code, 1, "{word}: {said:?}");
        assert!(said.err.contains("standard output"), "{word}: {said:?}");
    }
}

#[test]
fn what_helps_works_beside_a_broken_file_of_settings() {
    let room = Room::with("isotherm.toml", "label = [\n");
    for line in ["explain ISO103", "completions bash", "man label"] {
        assert_eq!(room.run(line).code, 0, "{line}");
    }
    assert_ne!(room.run("check data.csv").code, 0);
}

#[test]
fn next_takes_what_there_is_where_no_number_is_asked_for() {
    let room = Room::with("data.csv", "a,y\n1,u\n2,\n3,v\n4,\n5,u\n6,v\n");
    let found = room.run("next data.csv --label y --json").json();
    assert_eq!(found["rows"].as_array().map(Vec::len), Some(2), "{found}");
    room.refuses(
        "next data.csv --label y -n 10",
        1,
        &["2 are without a label"],
    );
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
    // What the short help leaves out has its words, and every page that is referred to is there.
    let label = room.read("pages/isotherm-label.1");
    for flag in ["eta", "ridge", "strict", "threads", "memory"] {
        let at = label.find(&format!("\\-\\-{flag}\\f")).expect(flag);
        let said = label[at..].lines().nth(1).unwrap_or_default();
        assert!(
            said.len() > 10 && !said.starts_with('.'),
            "{flag}: {said:?}"
        );
    }
    let map = room.read("pages/isotherm-plot-map.1");
    assert_eq!(room.run("man plot-map").fine(&[]).out, map);
    let tool = room.read("pages/isotherm.1");
    for section in ["EXIT STATUS", "ENVIRONMENT", "FILES"] {
        assert!(tool.contains(section), "{section}");
    }
    let json = room.run("completions bash --json");
    assert_eq!(
        (json.code, &json.json()["error"]["hint"]),
        (2, &"leave --json out".into())
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
