//! Tables of SQLite databases, made here by SQLite itself.
#![cfg(feature = "sqlite")]

use std::path::{Path, PathBuf};

use isotherm::monitor::Quiet;
use isotherm_io::{Cells, Limits, Place, ReadOptions, Result, Source, Table, read_table};
use rusqlite::Connection;

use crate::support::{Room, cells, hint, message, read, refusal};

/// A database made by these statements.
fn database(room: &Room, name: &str, statements: &str) -> PathBuf {
    let path = room.path(name);
    let made = Connection::open(&path).unwrap();
    made.execute_batch(statements).unwrap();
    path
}

const PEOPLE: &str = "CREATE TABLE people (name TEXT, age INTEGER, height REAL, note, empty);
    INSERT INTO people VALUES ('a, \"b\"', 41, 1.5, 'x', NULL), (NULL, NULL, NULL, 7, NULL),
        ('ü', -3, 2, 2.5, NULL);";

fn with(path: &Path, options: ReadOptions) -> Result<Table> {
    read_table(&Source::from(path), &options, &mut Quiet)
}

fn table(path: &Path, name: &str) -> Result<Table> {
    let sheet = Some(name.to_owned());
    with(
        path,
        ReadOptions {
            sheet,
            ..ReadOptions::default()
        },
    )
}

fn some(texts: &[&str]) -> Vec<Option<String>> {
    let text = |t: &&str| (!t.is_empty()).then(|| (*t).to_owned());
    texts.iter().map(text).collect()
}

#[test]
fn values_come_with_their_types_and_null_is_blank() {
    let room = Room::new();
    for name in ["p.sqlite", "p.sqlite3", "p.db", "odd name?#%.db"] {
        let path = database(&room, name, PEOPLE);
        let before = std::fs::read(&path).unwrap();
        let found = read(&path).unwrap();
        assert_eq!(found.names(), ["name", "age", "height", "note", "empty"]);
        assert_eq!(cells(&found, "name"), some(&["a, \"b\"", "", "ü"]));
        assert!(matches!(
            found.column("age").unwrap().cells,
            Cells::Integer(_)
        ));
        assert_eq!(cells(&found, "age"), some(&["41", "", "-3"]));
        assert!(matches!(
            found.column("height").unwrap().cells,
            Cells::Float(_)
        ));
        assert_eq!(cells(&found, "height"), some(&["1.5", "", "2.0"]));
        // Texts among numbers make texts of all.
        assert_eq!(cells(&found, "note"), some(&["x", "7", "2.5"]));
        assert_eq!(cells(&found, "empty"), some(&["", "", ""]));
        assert_eq!(found.origin().place(1), Place::Row(2));
        assert_eq!(std::fs::read(&path).unwrap(), before);
        std::fs::remove_file(&path).unwrap();
        assert!(room.names().is_empty(), "nothing was left beside it");
    }
}

#[test]
fn a_column_is_as_narrow_as_its_values() {
    let room = Room::new();
    let path = database(
        &room,
        "n.db",
        "CREATE TABLE n (both, late, large, exact);
         INSERT INTO n VALUES (1, NULL, 9007199254740993, 9007199254740992), (0.5, 1, 0.5, 0.5),
             (2, 'x', 1, 1);",
    );
    let found = read(&path).unwrap();
    assert_eq!(cells(&found, "both"), some(&["1.0", "0.5", "2.0"]));
    assert_eq!(cells(&found, "late"), some(&["", "1", "x"]));
    // A whole number that is not exact as a float is kept as it was written.
    assert_eq!(
        cells(&found, "large"),
        some(&["9007199254740993", "0.5", "1"])
    );
    assert_eq!(
        cells(&found, "exact"),
        some(&["9007199254740992.0", "0.5", "1.0"])
    );
}

#[test]
fn one_of_several_tables_is_chosen_by_name() {
    let room = Room::new();
    let path = database(
        &room,
        "shop.sqlite",
        "CREATE TABLE \"odd \"\" name\" (a); INSERT INTO \"odd \"\" name\" VALUES (1);
         CREATE TABLE sales (a INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO sales VALUES (2), (3);
         CREATE VIEW large AS SELECT a FROM sales WHERE a > 2;",
    );
    assert_eq!(
        message(read(&path)),
        "shop.sqlite: the database has several tables: \"large\", \"odd \" name\", \"sales\""
    );
    assert_eq!(hint(read(&path)), "choose one of them with --table");
    assert_eq!(
        cells(&table(&path, "sales").unwrap(), "a"),
        some(&["2", "3"])
    );
    assert_eq!(
        cells(&table(&path, "SALES").unwrap(), "a"),
        some(&["2", "3"])
    );
    assert_eq!(cells(&table(&path, "large").unwrap(), "a"), some(&["3"]));
    assert_eq!(
        cells(&table(&path, "odd \" name").unwrap(), "a"),
        some(&["1"])
    );
    assert!(message(table(&path, "sale")).contains("there is no table \"sale\""));
    assert_eq!(hint(table(&path, "sale")), "did you mean \"sales\"?");
}

#[test]
fn what_cannot_be_a_cell_is_refused_with_its_row_and_column() {
    let room = Room::new();
    let path = database(
        &room,
        "b.db",
        "CREATE TABLE b (x, raw); INSERT INTO b VALUES (1, NULL), (2, x'00ff');",
    );
    let refused = refusal(read(&path));
    assert_eq!(
        (refused.code(), refused.place()),
        ("cell", Some(Place::Row(2)))
    );
    assert_eq!(refused.column(), Some("raw"));
    let without = vec!["raw".to_owned()];
    let found = with(
        &path,
        ReadOptions {
            without,
            ..ReadOptions::default()
        },
    )
    .unwrap();
    assert_eq!(cells(&found, "x"), some(&["1", "2"]));
    let path = database(
        &room,
        "u.db",
        "CREATE TABLE u (t); INSERT INTO u VALUES (CAST(x'ff' AS TEXT));",
    );
    assert!(message(read(&path)).contains("the text is not UTF-8"));
}

#[test]
fn empty_and_damaged_databases_are_refused() {
    let room = Room::new();
    let path = database(&room, "whole.db", PEOPLE);
    let whole = std::fs::read(&path).unwrap();
    assert_eq!(refusal(read(&room.file("empty.db", ""))).code(), "empty");
    assert_eq!(
        refusal(read(&room.file("text.db", "a,b\n1,2\n"))).code(),
        "database"
    );
    for cut in [20, 100, 4096, whole.len() - 100, whole.len() - 1] {
        let refused = refusal(read(&room.file("cut.db", &whole[..cut])));
        assert_eq!(refused.code(), "database", "{cut}: {refused}");
    }
    // Every page but the header, overwritten.
    let mut broken = whole.clone();
    broken[4096..].fill(0xAB);
    assert_eq!(
        refusal(read(&room.file("broken.db", &broken))).code(),
        "database"
    );
    // One byte of a row's header, so that every value would be another one.
    let long = database(
        &room,
        "long.db",
        "CREATE TABLE t (a); INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 \
         FROM n WHERE i < 2000) SELECT i FROM n;",
    );
    let mut bytes = std::fs::read(&long).unwrap();
    let second = 4096 * 2;
    bytes[second..second + 64].fill(0xFF);
    assert_eq!(
        refusal(read(&room.file("hit.db", &bytes))).code(),
        "database"
    );
    let path = database(&room, "none.db", "PRAGMA user_version = 1;");
    assert!(message(read(&path)).contains("the database has no table"));
    let path = database(&room, "rows.db", "CREATE TABLE t (a, b);");
    assert_eq!(refusal(read(&path)).code(), "header-only");
}

#[test]
fn changes_that_are_not_in_the_file_yet_are_not_passed_over() {
    let room = Room::new();
    let path = room.path("live.db");
    let writer = Connection::open(&path).unwrap();
    writer.execute_batch("PRAGMA journal_mode = WAL;").unwrap();
    writer.execute_batch(PEOPLE).unwrap();
    let refused = refusal(read(&path));
    assert_eq!(refused.code(), "database");
    assert!(refused.to_string().contains("live.db-wal"), "{refused}");
    drop(writer);
    assert_eq!(read(&path).unwrap().rows(), 3);
}

#[test]
fn a_table_that_does_not_fit_into_memory_is_refused() {
    let room = Room::new();
    let path = database(
        &room,
        "long.db",
        "CREATE TABLE long (t); INSERT INTO long VALUES (replace(hex(zeroblob(50000)), '0', 'y'));",
    );
    let limits = Limits {
        memory: 50_000,
        ..Limits::default()
    };
    let refused = with(
        &path,
        ReadOptions {
            limits,
            ..ReadOptions::default()
        },
    );
    assert_eq!(refusal(refused).code(), "memory");
    let limits = Limits {
        record: 10_000,
        ..Limits::default()
    };
    let refused = with(
        &path,
        ReadOptions {
            limits,
            ..ReadOptions::default()
        },
    );
    assert_eq!(refusal(refused).code(), "database");
    assert_eq!(read(&path).unwrap().rows(), 1);
}
