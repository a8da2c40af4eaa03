//! Models: round trips, and every way a file can be wrong.

use std::path::Path;

use isotherm::model::parts::{Array, Parts, Tensor};
use isotherm_io::model_file::{from_bytes, to_bytes};
use isotherm_io::{Overwrite, Result, read_model, write_model};
use proptest::prelude::*;

use crate::support::{Room, hint, message, refusal};

pub(crate) fn parts() -> Parts {
    let mut parts = Parts::default();
    parts
        .metadata
        .insert("recipe".into(), "{\"kernel\":\"gaussian\"}".into());
    parts.metadata.insert("naïve \"key\"".into(), "☃\n".into());
    for (name, shape, array) in [
        (
            "anchors",
            vec![2, 3],
            Array::F64(vec![0.5, -0.0, f64::MAX, 1e-310, 3.0, 4.0]),
        ),
        ("classes", vec![3], Array::U32(vec![1, 2, u32::MAX])),
        ("empty", vec![0, 4], Array::F64(vec![])),
        ("names", vec![5], Array::U8(b"a\0b\0c".to_vec())),
        ("offsets", vec![2], Array::U64(vec![0, u64::MAX])),
        ("void", vec![0], Array::U8(vec![])),
    ] {
        parts.tensors.insert(name.into(), Tensor { shape, array });
    }
    parts
}

fn load(bytes: &[u8]) -> Result<Parts> {
    from_bytes(bytes, Path::new("m.iso"))
}

/// A file with this header and these numbers, whatever they are.
fn assembled(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

#[test]
fn a_model_survives_the_file() {
    let room = Room::new();
    let path = room.path("m.iso");
    write_model(&path, &parts(), Overwrite::Refuse).unwrap();
    assert_eq!(read_model(&path).unwrap(), parts());
    assert_eq!(std::fs::read(&path).unwrap(), to_bytes(&parts()).unwrap());
    let again = write_model(&path, &parts(), Overwrite::Refuse);
    assert_eq!(message(again), "m.iso already exists");
    write_model(&path, &Parts::default(), Overwrite::Replace).unwrap();
    assert_eq!(read_model(&path).unwrap(), Parts::default());
}

#[test]
fn other_programs_can_read_it_as_safetensors() {
    let bytes = to_bytes(&parts()).unwrap();
    let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    let anchors = file.tensor("anchors").unwrap();
    assert_eq!(anchors.shape(), [2, 3]);
    assert_eq!(anchors.data()[..8], 0.5f64.to_le_bytes());
    let names = file.tensor("names").unwrap();
    assert_eq!(names.data(), b"a\0b\0c");
}

#[test]
fn every_flipped_bit_is_noticed() {
    let bytes = to_bytes(&parts()).unwrap();
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut broken = bytes.clone();
            broken[at] ^= 1 << bit;
            let refused = refusal(load(&broken));
            assert!(
                matches!(
                    refused.code(),
                    "model-damaged" | "model-newer" | "not-a-model" | "limit"
                ),
                "byte {at} bit {bit}: {refused}"
            );
        }
    }
}

#[test]
fn every_truncation_and_every_addition_is_noticed() {
    let bytes = to_bytes(&parts()).unwrap();
    for n in 0..bytes.len() {
        let refused = refusal(load(&bytes[..n]));
        assert!(
            matches!(refused.code(), "model-damaged" | "not-a-model" | "empty"),
            "{n}: {refused}"
        );
    }
    let mut longer = bytes.clone();
    longer.push(0);
    let refused = message(load(&longer));
    assert!(
        refused.starts_with("m.iso: the model is damaged: its header asks for"),
        "{refused}"
    );
}

#[test]
fn foreign_files_are_refused_without_a_second_guess() {
    let foreign = "m.iso: the file is not an isotherm model";
    for bytes in [
        &b"\x80\x04\x95pickle, and more of it"[..],
        b"PK\x03\x04 a zip archive of some kind",
        b"short",
        &assembled("{}", b""),
        &assembled("{\"__metadata__\":{\"format\":\"pt\"}}", b""),
        &assembled(
            "{\"a\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,8]}}",
            &[0; 8],
        ),
        &assembled("{not json, not ours}", b""),
    ] {
        assert_eq!(message(load(bytes)), foreign);
        assert_eq!(hint(load(bytes)), "give a file written by `isotherm fit`");
    }
    assert_eq!(message(load(b"")), "m.iso is empty");
}

#[test]
fn a_newer_version_is_refused_by_name() {
    let header =
        "{\"__metadata__\":{\"checksum\":\"00000000\",\"format\":\"isotherm\",\"version\":\"3\"}}";
    let bytes = assembled(header, b"");
    assert_eq!(
        message(load(&bytes)),
        "m.iso: the model has file version 3, this isotherm reads up to 2"
    );
    assert_eq!(
        hint(load(&bytes)),
        "upgrade isotherm, or fit the model again with this one"
    );
    for version in ["0", "-1", "1.5", "", "99999999999999999999"] {
        let header = header.replace("\"3\"", &format!("\"{version}\""));
        assert_eq!(
            message(load(&assembled(&header, b""))),
            "m.iso: the model is damaged: its file version is not a known number"
        );
    }
}

#[test]
fn a_header_is_refused_by_its_size_alone() {
    let mut bytes = (1u64 << 40).to_le_bytes().to_vec();
    bytes.extend(b"{\"__metadata__\":{}}");
    assert_eq!(
        message(load(&bytes)),
        "m.iso: the length of the model's header in bytes is 1099511627776, the limit is 16777216"
    );
    let mut bytes = 1000u64.to_le_bytes().to_vec();
    bytes.extend(b"{\"__metadata__\":{}}");
    assert_eq!(
        message(load(&bytes)),
        "m.iso: the model is damaged: its header is 1000 bytes, the file 27"
    );
}

#[test]
fn sizes_beyond_the_file_are_refused_before_anything_is_reserved() {
    let meta =
        "\"__metadata__\":{\"checksum\":\"00000000\",\"format\":\"isotherm\",\"version\":\"1\"}";
    for (tensor, expected) in [
        (
            "{\"dtype\":\"F64\",\"shape\":[1099511627776],\"data_offsets\":[0,8796093022208]}",
            "asks for 8796093022208 bytes of numbers, the file has 8",
        ),
        (
            "{\"dtype\":\"F64\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,8]}",
            "does not parse",
        ),
        (
            "{\"dtype\":\"F64\",\"shape\":[2],\"data_offsets\":[0,8]}",
            "does not parse",
        ),
        (
            "{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[8,16]}",
            "does not parse",
        ),
        (
            "{\"dtype\":\"I32\",\"shape\":[2],\"data_offsets\":[0,8]}",
            "tensor \"a\" has the unknown type I32",
        ),
    ] {
        let mut header = format!("{{{meta},\"a\":{tensor}}}");
        while header.len() % 8 != 0 {
            header.push(' ');
        }
        let refused = message(load(&assembled(&header, &[0; 8])));
        assert!(refused.contains(expected), "{refused}");
    }
}

#[test]
fn a_header_in_other_words_is_refused() {
    let bytes = to_bytes(&Parts::default()).unwrap();
    let text = String::from_utf8(bytes[8..].to_vec()).unwrap();
    for other in [
        text.replace("{\"__metadata__\":", "{ \"__metadata__\":"),
        text.replace("\"version\":\"1\"", "\"version\":\"1\",\"version\":\"1\""),
        text.replace("\"version\":\"1\"", "\"version\":\"01\""),
    ] {
        assert_eq!(
            message(load(&assembled(&other, b""))),
            "m.iso: the model is damaged: its header is not written as isotherm writes it"
        );
    }
}

#[test]
fn parts_that_break_the_rules_are_not_written() {
    let room = Room::new();
    let path = room.path("m.iso");
    let mut reserved = Parts::default();
    reserved.metadata.insert("version".into(), "9".into());
    assert_eq!(
        message(write_model(&path, &reserved, Overwrite::Refuse)),
        "m.iso: the metadata key \"version\" is reserved"
    );
    let mut crooked = Parts::default();
    let tensor = Tensor {
        shape: vec![3],
        array: Array::U8(vec![1]),
    };
    crooked.tensors.insert("a".into(), tensor);
    assert_eq!(
        message(write_model(&path, &crooked, Overwrite::Refuse)),
        "m.iso: tensor \"a\" has shape [3] and 1 numbers"
    );
    let mut many = Parts::default();
    for n in 0..257 {
        let tensor = Tensor {
            shape: vec![0],
            array: Array::U8(vec![]),
        };
        many.tensors.insert(format!("t{n}"), tensor);
    }
    assert_eq!(
        message(write_model(&path, &many, Overwrite::Refuse)),
        "m.iso: the number of tensors is 257, the limit is 256"
    );
    let mut long = Parts::default();
    long.metadata.insert("recipe".into(), "x".repeat(32 << 20));
    assert_eq!(
        refusal(write_model(&path, &long, Overwrite::Refuse)).code(),
        "limit"
    );
    assert!(room.names().is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_parts_survive(
        metadata in prop::collection::btree_map("k.{0,8}", ".{0,20}", 0..5),
        floats in prop::collection::vec(any::<u64>(), 0..40),
        names in prop::collection::btree_set(".{0,6}", 4),
    ) {
        let mut parts = Parts { metadata, ..Parts::default() };
        let n = floats.len();
        let arrays = [
            Array::F64(floats.iter().map(|b| f64::from_bits(*b)).map(|v| if v.is_nan() { 1.0 } else { v }).collect()),
            Array::U64(floats.clone()),
            Array::U32(floats.iter().map(|v| *v as u32).collect()),
            Array::U8(floats.iter().map(|v| *v as u8).collect()),
        ];
        for (name, array) in names.into_iter().zip(arrays) {
            if name != "__metadata__" {
                parts.tensors.insert(name, Tensor { shape: vec![1, n], array });
            }
        }
        let bytes = to_bytes(&parts).unwrap();
        prop_assert_eq!(&load(&bytes).unwrap(), &parts);
        prop_assert_eq!(to_bytes(&load(&bytes).unwrap()).unwrap(), bytes);
    }
}

#[test]
fn a_provenance_is_told_and_is_no_part_of_the_model() {
    use isotherm_io::model_file::read_provenance;
    let room = Room::new();
    let (plain, told) = (room.path("plain.iso"), room.path("told.iso"));
    write_model(&plain, &parts(), Overwrite::Refuse).unwrap();
    let provenance = crate::provenance::record::of(&["fit", "data.csv"]);
    isotherm_io::write_model_of(&told, &parts(), Some(&provenance), Overwrite::Refuse).unwrap();
    assert_eq!(read_model(&told).unwrap(), read_model(&plain).unwrap());
    assert_eq!(read_provenance(&told).unwrap(), Some(provenance.to_json()));
    assert_eq!(read_provenance(&plain).unwrap(), None);
    // A model without one has the bytes it always had.
    assert_eq!(std::fs::read(plain).unwrap(), to_bytes(&parts()).unwrap());
    let mut taken = parts();
    taken.metadata.insert("provenance".into(), "{}".into());
    let refused = message(to_bytes(&taken));
    assert_eq!(
        refused,
        "model: the metadata key \"provenance\" is reserved"
    );
}
