use isotherm::monitor::Quiet;
use isotherm_io::profile::{ColumnKind, alike, profile};
use isotherm_io::{Place, ReadOptions, Table, csv};

fn table(text: &str) -> Table {
    let path = std::path::Path::new("t.csv");
    let options = ReadOptions::default();
    csv::read_csv(text.as_bytes(), path, None, &options, &mut Quiet).unwrap()
}

#[test]
fn every_cell_is_counted_and_the_first_are_placed() {
    let found = profile(&table(
        "a,b,c,d\n1,x,,1\n2.5,y,NA,2\nz,,,3\n4,w,,4\nq,v,,5\nu,v,,6\nk,v,,7\n5,v,,8\n6,v,,9\n",
    ));
    let [a, b, c, d] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!((a.kind, a.bad, a.missing), (ColumnKind::Numbers, 4, 0));
    let places: Vec<_> = a
        .first_bad
        .iter()
        .map(|b| (b.place, b.value.as_str()))
        .collect();
    assert_eq!(
        places,
        [
            (Place::Line(4), "z"),
            (Place::Line(6), "q"),
            (Place::Line(7), "u")
        ]
    );
    assert_eq!((b.kind, b.bad, b.missing), (ColumnKind::Text, 0, 1));
    assert_eq!(b.first_missing, Some(Place::Line(4)));
    assert_eq!((c.kind, c.missing), (ColumnKind::Blank, 9));
    assert_eq!((d.kind, d.numbers_rows), (ColumnKind::WholeNumbers, true));
}

#[test]
fn only_different_whole_numbers_in_every_row_name_rows() {
    for (column, names) in [
        (["1", "2", "3"], true),
        (["3", "1", "2"], true),
        (["1", "2", "2"], false),
        (["1.5", "2", "3"], false),
        (["1", "", "3"], false),
    ] {
        let text = format!("a,y\n{}\n", column.map(|c| format!("{c},u")).join("\n"));
        assert_eq!(profile(&table(&text))[0].numbers_rows, names, "{column:?}");
    }
}

#[test]
fn classes_that_look_alike_are_told_and_others_are_not() {
    let counts = |list: &[(&str, usize)]| {
        list.iter()
            .map(|(l, n)| ((*l).to_owned(), *n))
            .collect::<Vec<_>>()
    };
    let pairs = |list: &[(&str, usize)]| alike(&counts(list));
    let pair = |a: &str, b: &str| vec![(a.to_owned(), b.to_owned())];
    assert_eq!(pairs(&[("spam", 9), ("Spam", 1)]), pair("Spam", "spam"));
    assert_eq!(
        pairs(&[("not spam", 9), ("notspam", 4)]),
        pair("notspam", "not spam")
    );
    assert_eq!(
        pairs(&[("setosa", 9), ("setsoa", 1)]),
        pair("setsoa", "setosa")
    );
    assert_eq!(pairs(&[("a", 3), ("A", 3)]), pair("A", "a"));
    for different in [
        &[("10", 9), ("11", 1)][..],
        &[("low", 9), ("slow", 1)],
        &[("setosa", 9), ("setsoa", 8)],
        &[("class-1.5e3", 9), ("virginica", 1)],
    ] {
        assert_eq!(pairs(different), [], "{different:?}");
    }
}
