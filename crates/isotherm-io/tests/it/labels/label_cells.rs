//! Label cells that are more than a class or a number.

use isotherm::data::Targets;
use isotherm_io::label_cells;

fn cells(texts: &[&str]) -> Vec<Option<String>> {
    let cell = |t: &&str| Some((*t).to_owned()).filter(|t| !t.is_empty());
    texts.iter().map(cell).collect()
}

#[test]
fn tags_are_named_marked_and_may_be_none() {
    let found = label_cells::tags(&cells(&["b; a", "", ";", "?b"])).unwrap();
    let Targets::Flags { labels, names } = found else {
        panic!()
    };
    assert_eq!(names, ["a", "b"]);
    assert_eq!(labels[0], Some(vec![Some(true), Some(true)]));
    assert_eq!(labels[1], None);
    assert_eq!(labels[2], Some(vec![Some(false), Some(false)]));
    assert_eq!(labels[3], Some(vec![Some(false), None]));
}

#[test]
fn rankings_have_groups() {
    let found = label_cells::orders(&cells(&["tea>milk = juice>water", "", "milk>tea"])).unwrap();
    let Targets::Orders { labels, names } = found else {
        panic!()
    };
    assert_eq!(names, ["juice", "milk", "tea", "water"]);
    assert_eq!(labels[0], Some(vec![vec![2], vec![1, 0], vec![3]]));
    assert_eq!(labels[2], Some(vec![vec![1], vec![2]]));
}

#[test]
fn shares_numbers_sets_and_ranges() {
    let Targets::Shares { labels, names } =
        label_cells::shares(&cells(&["a:0.25;b:0.75", "", "b:1"])).unwrap()
    else {
        panic!()
    };
    assert_eq!(names, ["a", "b"]);
    assert_eq!(labels[0], Some(vec![0.25, 0.75]));
    assert_eq!(labels[2], Some(vec![0.0, 1.0]));

    let Targets::Numbers { labels, names } =
        label_cells::numbers(&cells(&["1;-2.5", "", "3;4"])).unwrap()
    else {
        panic!()
    };
    assert_eq!(names, ["value_1", "value_2"]);
    assert_eq!(labels[0], Some(vec![1.0, -2.5]));

    let Targets::Sets { labels, names } = label_cells::sets(&cells(&["10|2", "", "2"])).unwrap()
    else {
        panic!()
    };
    // Names that are numbers sort by value.
    assert_eq!(names, ["2", "10"]);
    assert_eq!(labels[0], Some(vec![1, 0]));

    let found = label_cells::ranges(&cells(&["2..5", "3..", "..-4", "7", ""])).unwrap();
    let open = f64::INFINITY;
    assert_eq!(
        found,
        Targets::Ranges(vec![
            Some((2.0, 5.0)),
            Some((3.0, open)),
            Some((-open, -4.0)),
            Some((7.0, 7.0)),
            None
        ])
    );
}

#[test]
fn what_cannot_be_read_is_told_by_its_row() {
    type Reader = fn(&[Option<String>]) -> isotherm::Result<Targets>;
    let bad: [(Reader, &str, &str); 9] = [
        (label_cells::tags, "a;a", "twice"),
        (label_cells::tags, "?", "without a tag"),
        (label_cells::orders, "a>>b", "empty place"),
        (label_cells::orders, "a>b>a", "twice"),
        (label_cells::shares, "a", "no share"),
        (label_cells::shares, "a:x", "not a number"),
        (label_cells::numbers, "1;x", "not a number"),
        (label_cells::sets, "|", "empty set"),
        (label_cells::ranges, "1..x", "not a number"),
    ];
    for (read, cell, says) in bad {
        let refused = read(&cells(&["", cell])).unwrap_err().to_string();
        assert!(
            refused.contains("sample 1") && refused.contains(says),
            "{refused}"
        );
    }
    let refused = label_cells::numbers(&cells(&["1;2", "3"])).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("1 numbers where the first has 2")
    );
}
