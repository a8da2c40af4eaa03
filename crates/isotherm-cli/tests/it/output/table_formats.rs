//! Tables out: compressed, in a format that is said, guarded.

use std::io::Read;

use crate::run::{Room, clusters, column};

fn gunzip(bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut decoder = flate2::read::GzDecoder::new(bytes);
    decoder.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn a_compressed_table_is_the_table_compressed() {
    let room = Room::with("data.csv", clusters());
    for (plain, packed) in [
        ("out.csv", "out.csv.gz"),
        ("out.tsv", "out.tsv.zst"),
        ("out.jsonl", "out.jsonl.gz"),
    ] {
        for name in [plain, packed] {
            room.run(&format!("label data.csv --label y -o {name}"))
                .fine(&["filled 34 of 34"]);
        }
        let bytes = room.bytes(packed);
        let unpacked = if packed.ends_with(".gz") {
            gunzip(&bytes)
        } else {
            String::from_utf8(zstd::decode_all(bytes.as_slice()).unwrap()).unwrap()
        };
        assert_eq!(unpacked, room.read(plain));
    }
}

#[test]
fn the_format_can_be_said_for_standard_output_and_odd_names() {
    let room = Room::with("data.csv", clusters());
    let label = "label data.csv --label y -q";
    let csv = room.run(&format!("{label} -o -")).fine(&[]).out;
    room.run(&format!("{label} -o odd.name --output-format csv.gz"))
        .fine(&[]);
    assert_eq!(gunzip(&room.bytes("odd.name")), csv);
    let lines = room.run(&format!("{label} -o - --output-format jsonl"));
    let lines = lines.fine(&[]).out;
    assert_eq!(lines.lines().count(), 40);
    for line in lines.lines() {
        serde_json::from_str::<serde_json::Value>(line).unwrap();
    }
    let script = format!("\"$isotherm\" {label} -o - --output-format parquet > x.parquet");
    assert_eq!(room.shell(&script).code, 0);
    assert!(room.bytes("x.parquet").starts_with(b"PAR1"));
    // What is said wins over what the name tells.
    room.run(&format!("{label} -o x.csv --output-format tsv"))
        .fine(&[]);
    assert!(room.read("x.csv").starts_with("name\ta\tb"));
    for format in ["xyz", "npy", "parquet.gz", "csv.bz2", "gz"] {
        room.refuses(
            &format!("{label} -o - --output-format {format}"),
            2,
            &["error: invalid value", "--output-format"],
        );
    }
}

const DANGEROUS: &str = "who,a,=b,y\n@ann,1,1,=spam\n-x,2,2,+ham\n'=z,8,8,\n-5,9,9,\n";

#[test]
fn cells_that_a_spreadsheet_would_run_are_guarded_and_survive_a_second_round() {
    let room = Room::with("data.csv", DANGEROUS);
    let label = "label data.csv --label y --method kernel-ridge --probabilities -q";
    room.run(&format!("{label} -o out.csv")).fine(&[]);
    let out = room.read("out.csv");
    assert!(
        out.starts_with(
            "who,a,'=b,y,iso_label,iso_confidence,iso_reached,iso_p_+ham,iso_p_=spam\n"
        ),
        "{out}"
    );
    // The third row of the input is read as a guarded \"=z\", and is one again.
    assert_eq!(column(&out, "who"), ["'@ann", "'-x", "'=z", "-5"]);
    assert_eq!(column(&out, "y"), ["'=spam", "'+ham", "", ""]);
    for label in column(&out, "iso_label") {
        assert!(["'=spam", "'+ham"].contains(&label.as_str()), "{label}");
    }
    // The labels are the same classes when the output is an input.
    room.run("fit out.csv --label iso_label --features a -o m.iso")
        .fine(&[]);
    let about = room.run("inspect m.iso --json").fine(&[]).json();
    assert_eq!(about["classes"], serde_json::json!(["+ham", "=spam"]));
    room.run(&format!("{label} --raw-csv -o raw.csv")).fine(&[]);
    let raw = room.read("raw.csv");
    assert_eq!(column(&raw, "who"), ["@ann", "-x", "=z", "-5"]);
    room.run(&format!("{label} -o out.jsonl")).fine(&[]);
    assert!(room.read("out.jsonl").contains("\"who\":\"@ann\""));
}
