//! Numpy arrays; the `npyz` crate is the twin that writes them.

use isotherm::monitor::Quiet;
use isotherm_io::Cells;
use isotherm_io::npy::{NpyArray, read_npy};
use npyz::{Order, WriterBuilder};
use proptest::prelude::*;

use crate::support::{Room, cells, hint, message, read};

/// A file with this header text and these bytes.
pub(crate) fn assembled(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

pub(crate) fn written<T: npyz::AutoSerialize + Clone>(
    values: &[T],
    shape: &[u64],
    order: Order,
) -> Vec<u8> {
    let mut out = Vec::new();
    let builder = npyz::WriteOptions::new().default_dtype();
    let mut writer = builder
        .shape(shape)
        .order(order)
        .writer(&mut out)
        .begin_nd()
        .unwrap();
    writer.extend(values.iter().cloned()).unwrap();
    writer.finish().unwrap();
    out
}

fn load(bytes: &[u8]) -> isotherm_io::Result<NpyArray> {
    let room = Room::new();
    read_npy(room.file("a.npy", bytes), &mut Quiet)
}

#[test]
fn both_orders_give_the_same_table() {
    let room = Room::new();
    let c = room.file(
        "c.npy",
        written(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[3, 2], Order::C),
    );
    let f = room.file(
        "f.npy",
        written(&[1.0, 3.0, 5.0, 2.0, 4.0, 6.0], &[3, 2], Order::Fortran),
    );
    let (c, f) = (read(&c).unwrap(), read(&f).unwrap());
    assert_eq!(c.columns(), f.columns());
    assert_eq!(c.names(), ["x0", "x1"]);
    assert_eq!(c.numeric("x1").unwrap(), [2.0, 4.0, 6.0]);
}

#[test]
fn every_number_type_is_read() {
    fn integers(array: NpyArray) -> Vec<i64> {
        match array.cells {
            Cells::Integer(c) => c.values().to_vec(),
            other => panic!("{other:?}"),
        }
    }
    let c = Order::C;
    assert_eq!(
        integers(load(&written(&[-1i8, 127], &[2], c)).unwrap()),
        [-1, 127]
    );
    assert_eq!(
        integers(load(&written(&[-1i16, 300], &[2], c)).unwrap()),
        [-1, 300]
    );
    assert_eq!(
        integers(load(&written(&[i32::MIN], &[1], c)).unwrap()),
        [i64::from(i32::MIN)]
    );
    assert_eq!(
        integers(load(&written(&[i64::MIN], &[1], c)).unwrap()),
        [i64::MIN]
    );
    assert_eq!(integers(load(&written(&[255u8], &[1], c)).unwrap()), [255]);
    assert_eq!(
        integers(load(&written(&[65535u16], &[1], c)).unwrap()),
        [65535]
    );
    assert_eq!(
        integers(load(&written(&[u32::MAX], &[1], c)).unwrap()),
        [i64::from(u32::MAX)]
    );
    let bools = load(&written(&[true, false], &[2], c)).unwrap().cells;
    assert_eq!(bools, Cells::from(vec![true, false]));
    let floats = load(&written(&[0.5f32, f32::MAX], &[2], c)).unwrap().cells;
    assert_eq!(floats, Cells::from(vec![0.5, f64::from(f32::MAX)]));
    assert_eq!(
        message(load(&written(&[u64::MAX], &[1], c))),
        "a.npy row 1, column \"the array\": 18446744073709551615 cannot be used"
    );
}

#[test]
fn big_endian_and_text_arrays_are_read() {
    let header = "{'descr': '>f8', 'fortran_order': False, 'shape': (1,), }\n";
    let array = load(&assembled(header, &0.5f64.to_be_bytes())).unwrap();
    assert_eq!(array.cells, Cells::from(vec![0.5]));
    let header = "{'descr': '<U2', 'fortran_order': False, 'shape': (2,), }\n";
    let data: Vec<u8> = ['é', '\0', 'a', 'b']
        .iter()
        .flat_map(|c| (*c as u32).to_le_bytes())
        .collect();
    let array = load(&assembled(header, &data)).unwrap();
    let expected: Cells = [Some("é"), Some("ab")].into_iter().collect();
    assert_eq!(array.cells, expected);
}

#[test]
fn bad_arrays_are_refused_by_name() {
    let h = |descr: &str, shape: &str| {
        format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n")
    };
    for (bytes, expected) in [
        (vec![], "a.npy is empty"),
        (
            b"a,b\n1,2\n".to_vec(),
            "a.npy: the array does not begin like a numpy array",
        ),
        (
            b"\x93NUM".to_vec(),
            "a.npy: the array ends inside its header",
        ),
        (
            assembled(&h("'|O'", "(2,)"), b"\x80\x04"),
            "a.npy: the array holds Python objects, which are never unpickled",
        ),
        (
            assembled(&h("'<c16'", "(1,)"), &[0; 16]),
            "a.npy: the array has the type \"<c16\", which is not read",
        ),
        (
            assembled(&h("'<f16'", "(1,)"), &[0; 16]),
            "a.npy: the array has the type \"<f16\", which is not read",
        ),
        (
            assembled(&h("[('a', '<f8')]", "(1,)"), &[0; 8]),
            "a.npy: the array has a structured type",
        ),
        (
            assembled(&h("'<f8'", "()"), &[0; 8]),
            "a.npy: the array has 0 axes",
        ),
        (
            assembled(&h("'<f8'", "(1, 1, 1)"), &[0; 8]),
            "a.npy: the array has 3 axes",
        ),
        (
            assembled(&h("'<f8'", "(3,)"), &[0; 16]),
            "a.npy: the array needs 24 bytes for its shape, 16 are there",
        ),
        (
            assembled(&h("'<f8'", "(1,)"), &[0; 16]),
            "a.npy: the array needs 8 bytes for its shape, 16 are there",
        ),
        (
            assembled(&h("'<f8'", "(4611686018427387904, 4)"), &[0; 16]),
            "a.npy: the array needs too many bytes for its shape, 16 are there",
        ),
        (
            assembled(&h("'<f8'", "(-1,)"), &[0; 8]),
            "a.npy: the array has a header that does not parse",
        ),
        (
            assembled(&"(".repeat(9000), b""),
            "a.npy: the array has a header that does not parse",
        ),
        (
            b"\x93NUMPY\x02\x00\xff\xff\xff\xff{".to_vec(),
            "a.npy: the header of the array in bytes is 4294967295, the limit is 10000",
        ),
        (
            b"\x93NUMPY\x09\x00\x01\x00{".to_vec(),
            "a.npy: the array has the unknown version 9",
        ),
    ] {
        assert_eq!(message(load(&bytes)), expected);
        assert!(!hint(load(&bytes)).is_empty(), "{expected}");
    }
}

#[test]
fn arrays_without_rows_or_columns_are_refused_as_tables() {
    let room = Room::new();
    let path = room.file("a.npy", written::<f64>(&[], &[0, 2], Order::C));
    assert_eq!(
        message(read(&path)),
        "a.npy has a header with 2 columns and no rows"
    );
    let path = room.file("b.npy", written::<f64>(&[], &[2, 0], Order::C));
    assert_eq!(message(read(&path)), "b.npy: the array has no columns");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn any_array_survives(values in prop::collection::vec(any::<i64>(), 1..200)) {
        let room = Room::new();
        let n = values.len() as u64;
        let path = room.file("a.npy", written(&values, &[n], Order::C));
        let table = read(&path).unwrap();
        let expected: Vec<_> = values.iter().map(|v| Some(v.to_string())).collect();
        prop_assert_eq!(cells(&table, "x0"), expected);
    }
}

#[test]
fn half_floats_are_read_in_either_byte_order() {
    let room = Room::new();
    let halves = [0x3C00u16, 0xC100, 0x7BFF];
    for (descr, bytes) in [
        ("<f2", halves.map(u16::to_le_bytes)),
        (">f2", halves.map(u16::to_be_bytes)),
    ] {
        let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (3,), }}");
        let path = room.file("h.npy", assembled(&header, bytes.as_flattened()));
        let data = crate::support::read(&path).unwrap();
        assert_eq!(data.numeric("x0").unwrap(), [1.0, -2.5, 65504.0]);
    }
}
