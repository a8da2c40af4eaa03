use isotherm::monitor::Quiet;
use isotherm_io::profile::{
    ColumnKind, Difference, Values, alike, meant_as_numbers, names_rows, profile,
};
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
    let pairs = |list: &[(&str, usize)]| {
        let found = alike(&counts(list)).into_iter();
        found.map(|a| (a.odd.0, a.usual.0)).collect::<Vec<_>>()
    };
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
    // One number written twice, and truth values of two programs.
    assert_eq!(pairs(&[("1", 9), ("1.0", 4)]), pair("1.0", "1"));
    assert_eq!(pairs(&[("-0", 1), ("0.0", 4)]), pair("-0", "0.0"));
    assert_eq!(pairs(&[("true", 5), ("True", 9)]), pair("true", "True"));
    let one = &alike(&counts(&[("1", 9), ("1.0", 4)]))[0];
    assert_eq!((one.odd.1, one.usual.1), (4, 9));
    assert_eq!(one.by, Difference::Spelling);
    let letter = &alike(&counts(&[("setosa", 9), ("setsoa", 1)]))[0];
    assert_eq!(letter.by, Difference::Letter);
}

#[test]
fn one_variant_spelling_is_found_among_many_classes() {
    // So many that comparing every pair would take minutes.
    let mut counts: Vec<(String, usize)> = (0..20_000)
        .map(|i| (format!("a text of row {i}"), 1))
        .collect();
    counts.push(("A TEXT of row 7".into(), 3));
    let found = alike(&counts);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].odd.0, "a text of row 7");
    assert_eq!(found[0].usual.0, "A TEXT of row 7");
}

#[test]
fn a_column_names_rows_by_its_name_and_its_numbers() {
    for (name, different, names) in [
        ("id", false, true),
        ("Index", false, true),
        ("customer_id", true, true),
        ("customer_id", false, false),
        ("CustomerId", true, true),
        ("order id", true, true),
        ("price", true, false),
        ("grid", true, false),
        ("Paid", true, false),
        ("PID", true, true),
        ("userid", true, true),
        ("id_str", true, true),
        ("id_str", false, false),
        ("uuid", false, true),
        ("width", true, false),
        ("humid", true, false),
    ] {
        assert_eq!(names_rows(name, different), names, "{name}");
    }
}

#[test]
fn texts_that_are_meant_as_numbers_are_found_with_their_first_cell() {
    let found = |cells: [&str; 3]| {
        let text = format!("a;y\n{}\n", cells.map(|c| format!("{c};u")).join("\n"));
        let bad = meant_as_numbers(&table(&text), "a").unwrap();
        bad.map(|b| (b.place.to_string(), b.value))
    };
    let at = |place: &str, value: &str| Some((place.to_owned(), value.to_owned()));
    assert_eq!(found(["$4.21", "$3", "$0.5"]), at("line 2", "$4.21"));
    assert_eq!(found(["3", "3.0%", "2.5%"]), at("line 3", "3.0%"));
    assert_eq!(found(["12 kg", "3 kg", "heavy"]), at("line 2", "12 kg"));
    let cut = "[0.1 0.2 ... 0.3]";
    assert_eq!(found([cut, cut, cut]), at("line 2", cut));
    assert_eq!(found(["tea", "milk", "$3"]), None);
    assert_eq!(found(["a 12th of it", "room 101 left", "x"]), None);
}

#[test]
fn a_profile_tells_the_values_of_numbers_texts_and_truth_values() {
    let found = profile(&table(
        "n,t,b,l\n3,red,TRUE,[1 2]\n1,red,FALSE,[1 2]\n,blue,TRUE,[1 3]\n3,,TRUE,[1 4]\n",
    ));
    let distinct: Vec<_> = found.iter().map(|p| p.values.distinct()).collect();
    assert_eq!(distinct, [Some(2), Some(2), Some(2), None]);
    let Values::Numbers(numbers) = &found[0].values else {
        panic!("{found:?}");
    };
    assert_eq!((numbers.low, numbers.median, numbers.high), (1.0, 3.0, 3.0));
    let frequent = |at: usize| match &found[at].values {
        Values::Words { frequent, .. } => frequent.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(frequent(1), [("red".to_owned(), 2), ("blue".to_owned(), 1)]);
    assert_eq!(
        frequent(2),
        [("TRUE".to_owned(), 3), ("FALSE".to_owned(), 1)]
    );
}
