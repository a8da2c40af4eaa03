//! Ctrl-C, signals to end, readers that go away, standard error closed.

#![cfg(unix)]

use std::io::{BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::run::{Room, chance, until, wait_for_handler};

/// Far longer than stopping takes on a machine that is busy otherwise, and far shorter than the
/// work that is stopped, or than input that never comes.
const SOON: Duration = Duration::from_secs(20);

fn interrupt(child: &Child) {
    assert!(signal(child, "-INT"));
}

/// Whether there was still somebody to send it to.
fn signal(child: &Child, which: &str) -> bool {
    let id = child.id().to_string();
    let mut kill = Command::new("kill");
    kill.args([which, &id]).stderr(Stdio::null());
    kill.status().unwrap().success()
}

/// The exit code, and how long it took from here.
fn ends(child: &mut Child) -> (Option<i32>, Duration) {
    let asked = Instant::now();
    let code = child.wait().unwrap().code();
    (code, asked.elapsed())
}

#[test]
fn ctrl_c_in_the_middle_stops_soon_and_leaves_nothing() {
    let mut seed = 3;
    let mut text = String::new();
    for j in 0..20 {
        text.push_str(&format!("x{j},"));
    }
    text.push_str("y\n");
    for row in 0..60_000 {
        for _ in 0..20 {
            text.push_str(&format!("{:.4},", chance(&mut seed)));
        }
        text.push_str(["u\n", "v\n", "\n"][row.min(2)]);
    }
    let room = Room::with("data.csv", text);
    for command in ["label", "fit"] {
        let words = [command, "data.csv", "--label", "y", "-o", "out.csv"];
        let mut child = room
            .command(&words)
            .stderr(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // The features are told when the table is read and the work begins.
        let mut said = BufReader::new(child.stderr.take().unwrap());
        until(&mut said, "features");
        assert!(
            child.try_wait().unwrap().is_none(),
            "too quick to be stopped"
        );
        interrupt(&child);
        let (code, took) = ends(&mut child);
        let mut rest = String::new();
        said.read_to_string(&mut rest).unwrap();
        assert_eq!(code, Some(130), "{rest}");
        assert_eq!(rest, "error[ISO901]: stopped; nothing was written\n");
        assert!(took < SOON, "{took:?}");
        assert_eq!(room.names(), ["data.csv"]);
    }
}

#[test]
fn ctrl_c_does_not_wait_for_input_that_never_comes() {
    let room = Room::new();
    let mut child = room
        .command(&["label", "-", "--label", "y", "-o", "out.csv"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Kept open: waiting for the child would close it.
    let _input = child.stdin.take();
    wait_for_handler(&child);
    assert!(child.try_wait().unwrap().is_none());
    interrupt(&child);
    let (code, took) = ends(&mut child);
    assert_eq!(code, Some(130));
    assert!(took < SOON, "{took:?}");
    assert!(room.names().is_empty());
}

/// A table on which every command works for some tenths of a second.
fn working_room() -> Room {
    let mut seed = 11;
    let mut text = String::from("a,b,c,d,e,f,y\n");
    for row in 0..4000 {
        let far = 3.0 * (row % 2) as f64;
        for _ in 0..6 {
            text.push_str(&format!("{:.4},", far + chance(&mut seed)));
        }
        text.push_str(match (row < 40, row % 2) {
            (true, 0) => "u\n",
            (true, _) => "v\n",
            _ => "\n",
        });
    }
    let room = Room::with("data.csv", text);
    room.run("fit data.csv --label y -q -o m.iso").fine(&[]);
    room
}

/// Every command that works long or writes, and what it writes.
const COMMANDS: &[(&str, &[&str])] = &[
    ("label data.csv --label y -o out.csv", &["out.csv"]),
    (
        "label data.csv --label y --method laplacian -o out.parquet",
        &["out.parquet"],
    ),
    (
        "label data.csv --label y --method kernel-ridge -o out.csv",
        &["out.csv"],
    ),
    ("fit data.csv --label y -o out.iso", &["out.iso"]),
    ("predict m.iso data.csv -o out.csv", &["out.csv"]),
    ("evaluate data.csv --label y --plot out.svg", &["out.svg"]),
    ("next data.csv --label y -n 5 -o out.csv", &["out.csv"]),
    (
        "tune data.csv --label y -o out.toml --plot out.svg",
        &["out.svg", "out.toml"],
    ),
    ("embed data.csv --exclude y -o out.csv", &["out.csv"]),
    ("demo --out-dir out.dir", &["out.dir"]),
    ("inspect m.iso", &[]),
];

#[test]
fn ctrl_c_at_any_moment_of_any_command_leaves_nothing_half_done() {
    let room = working_room();
    let given = room.names();
    let mut seed = 5;
    let mut stopped = 0;
    for (line, writes) in COMMANDS {
        let words: Vec<&str> = line.split_whitespace().collect();
        // Ctrl-C, Ctrl-C twice, a signal to end: at moments that no step knows of.
        for signals in [&["-INT"][..], &["-INT", "-INT"], &["-TERM"], &["-INT"]] {
            let mut command = room.command(&words);
            let mut child = command
                .stdin(Stdio::null())
                .stderr(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_secs_f64(0.4 * chance(&mut seed)));
            for which in signals {
                signal(&child, which);
            }
            let (code, _) = ends(&mut child);
            let mut said = String::new();
            child
                .stderr
                .take()
                .unwrap()
                .read_to_string(&mut said)
                .unwrap();
            match code {
                Some(130) => {
                    stopped += 1;
                    assert!(said.contains("error[ISO901]: stopped; "), "{line}: {said}");
                }
                // Before the handler was set, the signal itself ends it.
                Some(0) | None => {}
                other => panic!("{line} ended with {other:?}: {said}"),
            }
            assert!(!said.contains("panicked"), "{line}: {said}");
            let mut left = room.names();
            left.retain(|n| !given.contains(n));
            for name in &left {
                // Where a table came from is written after the table.
                let table = name.strip_suffix(".run.json");
                assert!(
                    writes.contains(&name.as_str())
                        || table.is_some_and(|t| left.iter().any(|n| n == t)),
                    "{line} left {name}: {said}"
                );
                let path = room.path(name);
                if path.is_dir() {
                    let inside = std::fs::read_dir(&path)
                        .unwrap()
                        .map(|e| e.unwrap().file_name());
                    let hidden = |n: std::ffi::OsString| n.to_string_lossy().starts_with('.');
                    assert!(!inside.into_iter().any(hidden), "{line}: {said}");
                    std::fs::remove_dir_all(&path).unwrap();
                    continue;
                }
                // What is there is whole, and it is not said that nothing is.
                assert!(
                    path.metadata().unwrap().len() > 0,
                    "{line}: {name} is empty"
                );
                assert!(
                    !said.contains("nothing was written"),
                    "{line} wrote {name}: {said}"
                );
                std::fs::remove_file(&path).unwrap();
            }
        }
    }
    assert!(stopped > 4, "only {stopped} commands were stopped in time");
}

/// Commands that print, each into a pipe that nobody reads.
#[test]
fn a_reader_that_goes_away_ends_every_command_quietly() {
    let room = working_room();
    for line in [
        "label data.csv --label y -o -",
        "predict m.iso data.csv -o -",
        "evaluate data.csv --label y",
        "evaluate data.csv --label y --json",
        "next data.csv --label y -n 5",
        "tune data.csv --label y",
        "embed data.csv --exclude y -o -",
        "inspect m.iso",
        "label data.csv --label y --print-recipe",
        "explain",
        "explain cell",
        "explain --json",
        "completions bash",
        "--help",
        "--version",
        "label data.csv --label none -o out.csv --json",
    ] {
        let script = format!("{{ \"$isotherm\" {line}; echo \"ended $?\" >&2; }} | true");
        let said = room.shell(&script);
        let expected = if line.contains("none") {
            "ended 1"
        } else {
            "ended 0"
        };
        assert!(said.err.trim_end().ends_with(expected), "{line}: {said:?}");
        assert!(
            !said.err.contains("panicked") && !said.err.contains("error"),
            "{line}: {said:?}"
        );
    }
}

#[test]
fn a_closed_standard_error_changes_nothing() {
    let room = working_room();
    let open = room.run("label data.csv --label y -o out.csv");
    assert_eq!(open.code, 0, "{open:?}");
    let expected = room.bytes("out.csv");
    let closed = room.shell("\"$isotherm\" label data.csv --label y -f -o out.csv 2>&-");
    assert_eq!((closed.code, closed.out.as_str()), (0, ""), "{closed:?}");
    assert_eq!(room.bytes("out.csv"), expected);
    for (line, code) in [
        ("label data.csv --label none -f -o out.csv", 1),
        ("label data.csv --labl y", 2),
        ("explain nothing-like-it", 2),
    ] {
        let said = room.shell(&format!("\"$isotherm\" {line} 2>&- </dev/null"));
        assert_eq!(
            (said.code, said.out.as_str()),
            (code, ""),
            "{line}: {said:?}"
        );
    }
}

#[test]
fn ctrl_c_does_not_wait_for_a_reader_that_never_reads() {
    let room = working_room();
    let mut child = room
        .command(&["label", "data.csv", "--label", "y", "-o", "-"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A pipe holds some 64 kB, the table is larger, and nobody reads more than its first byte.
    let mut unread = child.stdout.take().unwrap();
    unread.read_exact(&mut [0]).unwrap();
    assert!(child.try_wait().unwrap().is_none(), "the pipe took it all");
    interrupt(&child);
    let (code, _) = ends(&mut child);
    assert_eq!(code, Some(130));
}
