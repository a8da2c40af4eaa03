//! Model files that are damaged, foreign or from the future.

use crate::run::{Room, chance, clusters};

fn fitted() -> Room {
    let room = Room::with("data.csv", clusters());
    room.run("fit data.csv --label y -o m.iso").fine(&[]);
    room
}

#[test]
fn a_model_that_was_cut_short_is_refused_wherever_the_cut_is() {
    let room = fitted();
    let whole = room.bytes("m.iso");
    for cut in [0, 1, 7, 8, 9, 20, 200, whole.len() / 2, whole.len() - 1] {
        room.file("cut.iso", &whole[..cut]);
        room.refuses("inspect cut.iso", 1, &["error: cut.iso"]);
        room.refuses(
            "predict cut.iso data.csv -o out.csv",
            1,
            &["error: cut.iso"],
        );
    }
    room.file("cut.iso", &whole[..whole.len() - 1]);
    room.refuses(
        "inspect cut.iso",
        1,
        &[
            "cut.iso: the model is damaged: ",
            "help: copy the file again, or fit the model again\n",
        ],
    );
    let longer = [&whole[..], b"x"].concat();
    room.file("cut.iso", longer);
    room.refuses("inspect cut.iso", 1, &["the model is damaged"]);
}

#[test]
fn one_flipped_bit_anywhere_is_noticed() {
    let room = fitted();
    let whole = room.bytes("m.iso");
    let mut seed = 11;
    for _ in 0..60 {
        let bit = (chance(&mut seed) * (whole.len() * 8 - 1) as f64) as usize;
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        room.file("bad.iso", &bytes);
        room.refuses("inspect bad.iso", 1, &["error: bad.iso"]);
    }
}

#[test]
fn a_newer_model_asks_for_a_newer_isotherm() {
    let room = fitted();
    let text: Vec<u8> = room.bytes("m.iso");
    let at = (0..text.len())
        .find(|&i| text[i..].starts_with(b"\"version\":\"2\""))
        .unwrap();
    let mut newer = text.clone();
    newer[at + 11] = b'9';
    room.file("newer.iso", newer);
    room.refuses(
        "inspect newer.iso",
        1,
        &["newer.iso: ", "version 9", "  help: "],
    );
}

#[test]
fn other_kinds_of_files_are_not_models() {
    let room = fitted();
    room.file("text.iso", "just some text, long enough to be looked at");
    room.file("zip.iso", b"PK\x03\x04aaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    room.file("json.iso", b"{\"a\": 1, \"b\": [1, 2, 3]}");
    // A safetensors file of somebody else.
    let header = b"{\"x\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,8]}}";
    let mut other = (header.len() as u64).to_le_bytes().to_vec();
    other.extend(header);
    other.extend(1.0_f64.to_le_bytes());
    room.file("other.iso", other);
    for name in ["text.iso", "zip.iso", "json.iso", "other.iso", "data.csv"] {
        room.refuses(
            &format!("predict {name} data.csv -o out.csv"),
            1,
            &[
                &format!("{name}: the file is not an isotherm model\n"),
                "written by `isotherm fit`",
            ],
        );
    }
    room.refuses("inspect none.iso", 1, &["cannot open none.iso: "]);
    room.refuses("inspect .", 1, &["help: give the name of a file"]);
    room.file("empty.iso", "");
    room.refuses("inspect empty.iso", 1, &["empty.iso is empty"]);
}
