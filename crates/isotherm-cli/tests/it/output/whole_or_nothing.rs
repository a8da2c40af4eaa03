//! Outputs: there whole, or not at all.

use crate::run::{Room, clusters};

#[test]
fn an_output_that_exists_is_kept_unless_forced() {
    let room = Room::with("data.csv", clusters());
    room.file("out.csv", "precious");
    room.file("m.iso", "precious");
    for line in [
        "label data.csv --label y -o out.csv",
        "fit data.csv --label y -o m.iso",
    ] {
        room.refuses(
            line,
            1,
            &[
                " already exists\n",
                "help: choose another name, or pass --force\n",
            ],
        );
    }
    room.run("label data.csv --label y -o out.csv --force")
        .fine(&[]);
    assert!(room.read("out.csv").starts_with("name,a,b,y,iso_label"));
    room.run("fit data.csv --label y -o m.iso -f").fine(&[]);
    let names = ["data.csv", "m.iso", "out.csv", "out.csv.run.json"];
    assert_eq!(room.names(), names);
}

#[test]
fn a_forced_output_survives_a_refused_run() {
    let room = Room::with("data.csv", "a,y\n1,u\n2,u\n3,\n");
    room.file("out.csv", "precious");
    room.refuses(
        "label data.csv --label y -f -o out.csv",
        1,
        &["every label is \"u\""],
    );
}

#[test]
fn the_input_can_be_its_own_output() {
    let room = Room::with("data.csv", clusters());
    room.run("label data.csv --label y -f -o data.csv")
        .fine(&[]);
    assert!(room.read("data.csv").contains("iso_label"));
}

#[test]
fn directories_that_cannot_be_written_are_found_out_before_the_data_is_read() {
    let room = Room::new();
    room.file("file", "x");
    for (output, says) in [
        (
            "none/out.csv",
            "error: cannot write into none: No such file or directory",
        ),
        (
            "file/out.csv",
            "error: cannot write into file: not a directory",
        ),
        (".", "help: "),
    ] {
        // The data does not exist either: the output is looked at first.
        room.refuses(
            &format!("label none.csv --label y -o {output}"),
            1,
            &[says, "  help: "],
        );
    }
    room.refuses(
        "fit none.csv --label y -o none/m.iso",
        1,
        &["cannot write into none"],
    );
}

#[test]
fn formats_that_are_not_written_are_found_out_before_the_data_is_read() {
    let room = Room::new();
    for (output, says) in [
        ("out", "error: out: the name does not tell the format\n"),
        (
            "out.xyz",
            "error: out.xyz: the name does not tell the format\n",
        ),
        (
            "out.csv.bz2",
            "error: out.csv.bz2: .bz2 files are not read or written here\n",
        ),
    ] {
        let help = "help: end it in .csv, .tsv, .jsonl (and .gz or .zst after these), .parquet";
        room.refuses(
            &format!("label none.csv --label y -o {output}"),
            1,
            &[says, help],
        );
        room.refuses(
            &format!("predict m.iso none.csv -o {output}"),
            1,
            &[says, help],
        );
    }
    room.refuses("fit none.csv --label y -o -", 2, &["a model is not text"]);
}

#[test]
fn a_closed_standard_output_is_told() {
    let room = Room::with("data.csv", clusters());
    room.run("fit data.csv --label y -o m.iso").fine(&[]);
    for line in [
        "label data.csv --label y -o -",
        "predict m.iso data.csv -o -",
        "evaluate data.csv --label y",
        "next data.csv --label y --json",
        "inspect m.iso",
    ] {
        let said = room.shell(&format!("\"$isotherm\" {line} >&-"));
        assert_eq!(said.code, 1, "{line}: {said:?}");
        said.says(&["error: cannot write standard output: it is closed"]);
    }
    // Nothing goes there, so nothing is missed.
    let said = room.shell("\"$isotherm\" label data.csv --label y -o out.csv >&-");
    assert_eq!(said.code, 0, "{said:?}");
    let said = room.shell("\"$isotherm\" label data.csv --label y -o - >/dev/null");
    assert_eq!(said.code, 0, "{said:?}");
}

#[test]
fn a_full_disk_is_told_and_leaves_nothing() {
    let room = Room::with("data.csv", clusters());
    let full = "No space left on device";
    let help = "help: free some space, or write to another disk\n";
    room.refuses(
        "fit data.csv --label y -o /dev/full",
        1,
        &["cannot write /dev/full: ", full, help],
    );
    for line in [
        "label data.csv --label y -o -",
        "--help",
        "inspect m.iso",
        "completions bash",
    ] {
        room.run("fit data.csv --label y -f -o m.iso").fine(&[]);
        let said = room.shell(&format!("\"$isotherm\" {line} > /dev/full"));
        assert!(!said.err.contains("panicked"), "{said:?}");
        if line != "--help" {
            assert_eq!(said.code, 1, "{line}: {said:?}");
            let said = said.says(&["error: cannot write standard output: ", full, help]);
            assert_eq!(said.out, "");
        }
    }
}

#[test]
fn a_file_that_may_not_grow_is_told_and_leaves_nothing() {
    let mut text = String::from("a,y\n");
    for i in 0..4000 {
        text.push_str(&format!("{i},{}\n", ["u", "v", ""][i.min(2)]));
    }
    let room = Room::with("data.csv", text);
    room.file("out.csv", "precious");
    let before = room.everything();
    // 8 blocks: far less than the table. The signal is ignored, so that the
    // write fails as it does on a full disk.
    for line in [
        "label data.csv --label y -f -o out.csv",
        "label data.csv --label y -o new.csv",
        "fit data.csv --label y -o m.iso",
    ] {
        let said = room
            .shell(&format!(
                "trap '' XFSZ; ulimit -f 8; exec \"$isotherm\" {line}"
            ))
            .says(&["error: cannot write "]);
        assert_eq!(said.code, 1, "{said:?}");
        assert!(room.everything() == before, "{:?}", room.names());
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut text = String::from("a,y\n");
    for i in 0..20_000 {
        text.push_str(&format!("{i},{}\n", ["u", "v", ""][i.min(2)]));
    }
    let room = Room::with("data.csv", text);
    let said = room.shell(
        "{ \"$isotherm\" label data.csv --label y -q -o -; echo \"code $?\" >&2; } | head -1",
    );
    assert_eq!(said.out, "a,y,iso_label,iso_confidence,iso_reached\n");
    assert_eq!(said.err, "code 0\n");
    let said = room.shell("{ \"$isotherm\" completions bash; echo \"code $?\" >&2; } | true");
    assert_eq!(said.err, "code 0\n");
    assert_eq!(room.names(), ["data.csv"]);
}
