//! Files that change while they are read.

use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::Path;

use isotherm::monitor::{Event, Quiet};
use isotherm_io::{
    Batches, Destination, Error, Overwrite, ReadOptions, Source, read_table, read_tables,
    write_table,
};

use crate::support::{Room, column, hint, message, refusal, table};

fn append(path: &Path, text: &str) {
    let mut file = std::fs::OpenOptions::new().append(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

/// Reads `path` and does something to a file when reading begins.
fn disturbed(
    path: &Path,
    mut harm: impl FnMut() + Send,
) -> isotherm_io::Result<isotherm_io::Table> {
    let mut done = false;
    let mut monitor = |event: Event| {
        if matches!(event, Event::Phase { .. }) && !done {
            done = true;
            harm();
        }
        ControlFlow::Continue(())
    };
    read_table(&Source::from(path), &ReadOptions::default(), &mut monitor)
}

#[test]
fn a_file_that_grows_is_replaced_or_goes_away_while_it_is_read_is_refused() {
    let room = Room::new();
    let path = room.file("a.csv", "x\n1\n");
    let other = room.file("b.csv", "x\n1\n");
    let grown = disturbed(&path, || append(&path, "2\n"));
    assert_eq!(message(grown), "a.csv changed while it was read");
    let replaced = disturbed(&path, || {
        std::fs::copy(&path, room.path("copy")).unwrap();
        std::fs::rename(room.path("copy"), &path).unwrap();
    });
    assert!(hint(replaced).contains("start again"));
    let gone = disturbed(&path, || std::fs::remove_file(&path).unwrap());
    assert_eq!(refusal(gone).code(), "changed");
    assert!(disturbed(&other, || ()).is_ok());
}

#[test]
fn a_refusal_that_a_change_explains_is_told_as_the_change() {
    let room = Room::new();
    let path = room.file("a.csv", "x,y\n1,2\n");
    let torn = disturbed(&path, || append(&path, "3"));
    assert!(matches!(torn, Err(Error::Changed { .. })), "{torn:?}");
}

#[test]
fn a_part_that_changes_before_the_last_is_read_is_refused() {
    let room = Room::new();
    let paths = [room.file("a.csv", "x\n1\n"), room.file("b.csv", "x\n2\n")];
    let sources = paths.clone().map(Source::from);
    let mut monitor = |event: Event| {
        if matches!(event, Event::Step { done: 1 }) {
            append(&paths[0], "3\n");
        }
        ControlFlow::Continue(())
    };
    let refused = read_tables(&sources, &ReadOptions::default(), &mut monitor);
    assert_eq!(message(refused), "a.csv changed while it was read");
}

#[test]
fn a_stream_refuses_a_file_that_changed_between_two_passes() {
    let room = Room::new();
    let path = room.path("a.parquet");
    let write = |n: i64| {
        let rows = table(vec![column("n", (0..n).collect::<Vec<_>>())]);
        let to = Destination::from(&path);
        write_table(&rows, &to, None, Overwrite::Replace, &mut Quiet).unwrap();
    };
    write(10);
    let source = Source::from(&path);
    let mut batches = Batches::open(&source, &ReadOptions::default(), &mut Quiet).unwrap();
    while batches.next_part(&mut Quiet).unwrap().is_some() {}
    batches.rewind().unwrap();
    write(11);
    assert_eq!(
        message(batches.rewind()),
        "a.parquet changed while it was read"
    );
    let ended = loop {
        match batches.next_part(&mut Quiet) {
            Ok(Some(_)) => {}
            other => break other,
        }
    };
    assert_eq!(refusal(ended).code(), "changed");
}
