//! Ctrl-C.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::run::{Room, chance};

fn interrupt(child: &Child) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(sent.success());
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
        let mut line = String::new();
        while !line.starts_with("features") {
            line.clear();
            assert_ne!(said.read_line(&mut line).unwrap(), 0, "it ended by itself");
        }
        std::thread::sleep(Duration::from_millis(100));
        assert!(
            child.try_wait().unwrap().is_none(),
            "too quick to be stopped"
        );
        interrupt(&child);
        let (code, took) = ends(&mut child);
        let mut rest = String::new();
        said.read_to_string(&mut rest).unwrap();
        assert_eq!(code, Some(130), "{rest}");
        assert_eq!(rest, "error: stopped; nothing was written\n");
        assert!(took < Duration::from_secs(1), "{took:?}");
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
    // Time to start; an interrupt before the handler is set ends it as well.
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none());
    interrupt(&child);
    let (code, took) = ends(&mut child);
    assert_eq!(code, Some(130));
    assert!(took < Duration::from_secs(1), "{took:?}");
    assert!(room.names().is_empty());
}
