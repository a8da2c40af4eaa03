//! Lists of numbers: as text, as features, and what is refused.

use isotherm_io::{Features, ListCells};
use proptest::prelude::*;

use crate::support::{column, csv, hint, message, table};

fn lists(rows: &[Option<&[f64]>]) -> ListCells {
    rows.iter().copied().collect()
}

#[test]
fn a_list_column_is_one_feature_an_entry() {
    let data = table(vec![
        column("x", vec![9.0, 8.0]),
        column(
            "emb",
            lists(&[Some(&[1.0, 2.0, 3.0]), Some(&[4.0, 5.0, 6.0])]),
        ),
    ]);
    let (names, points) = data.features(&Features::numeric()).unwrap();
    assert_eq!(names, ["x", "emb[0]", "emb[1]", "emb[2]"]);
    assert_eq!(points.row(1).to_vec(), [8.0, 4.0, 5.0, 6.0]);
    let (names, _) = data.features(&Features::lists(["e*"])).unwrap();
    assert_eq!(names, ["emb[0]", "emb[1]", "emb[2]"]);
    assert_eq!(
        message(data.features(&Features::lists(["x"]))),
        "memory: column \"x\" holds no lists of numbers"
    );
    // A model's features are found in their own order.
    let plan = Features::of_model(["emb[2]", "x", "emb[0]", "emb[1]"])
        .plan(&data)
        .unwrap();
    assert_eq!(
        plan.points(&data).unwrap().0.row(0).to_vec(),
        [3.0, 9.0, 1.0, 2.0]
    );
}

#[test]
fn cells_in_brackets_are_lists_whoever_wrote_them() {
    let data = csv("emb,y\n\"[0.1, 2]\",a\n[3e1 -4],b\n\"[ 5 ,6]\",a\n").unwrap();
    assert!(data.is_numeric("emb").unwrap());
    let (names, points) = data.features(&Features::numeric()).unwrap();
    assert_eq!(names, ["emb[0]", "emb[1]"]);
    assert_eq!(points.row(0).to_vec(), [0.1, 2.0]);
    assert_eq!(points.row(1).to_vec(), [30.0, -4.0]);
}

#[test]
fn a_list_of_another_length_is_refused_with_its_place_and_both_lengths() {
    let data = csv("emb\n\"[1,2]\"\n\"[3,4]\"\n\"[5]\"\n").unwrap();
    let refused = || data.features(&Features::numeric());
    assert_eq!(
        message(refused()),
        "data.csv line 4, column \"emb\": the list has 1 numbers, expected 2"
    );
    assert_eq!(
        hint(refused()),
        "make all lists of \"emb\" equally long, or remove the row"
    );
    // Also to a model, which was fitted on shorter lists.
    let wide = table(vec![column("emb", lists(&[Some(&[1.0, 2.0, 3.0])]))]);
    let names = ["emb[0]", "emb[1]"];
    assert_eq!(
        message(wide.features(&Features::of_model(names))),
        "memory row 1, column \"emb\": the list has 3 numbers, expected 2"
    );
}

#[test]
fn cells_that_are_no_lists_are_refused_by_their_place() {
    for (cell, expected) in [
        ("", "column \"emb\": the value is missing"),
        ("NA", "column \"emb\": \"NA\" means a missing value"),
        (
            "\"[1, x]\"",
            "column \"emb\": \"[1, x]\" is not a list of numbers",
        ),
        (
            "\"[1, nan]\"",
            "column \"emb[1]\": \"NaN\" means a missing value",
        ),
        (
            "\"[1, inf]\"",
            "column \"emb[1]\": \"inf\" is not a usable number",
        ),
    ] {
        let data = csv(format!("emb,x\n\"[1,2]\",1\n\"[1,2]\",1\n{cell},1\n")).unwrap();
        let said = message(data.features(&Features::numeric()));
        assert_eq!(said, format!("data.csv line 4, {expected}"), "{cell}");
    }
}

#[test]
fn two_features_of_one_name_are_refused() {
    let data = table(vec![
        column("emb[0]", vec![1.0]),
        column("emb", lists(&[Some(&[1.0])])),
    ]);
    assert_eq!(
        message(data.features(&Features::numeric())),
        "memory: two features are named \"emb[0]\""
    );
}

proptest! {
    #[test]
    fn a_list_reads_back_from_its_text(items in prop::collection::vec(-1e300..1e300f64, 0..9)) {
        let mut cells = ListCells::default();
        let text = format!("{items:?}");
        prop_assert!(cells.push_text(&text));
        prop_assert_eq!(cells.get(0).unwrap(), items.as_slice());
        prop_assert!(!cells.push_text(&text[1..]));
        prop_assert_eq!(cells.len(), 1);
    }
}

#[test]
fn picked_cells_are_as_they_are_in_every_kind_of_column() {
    use isotherm_io::Cells;
    let mut texts = isotherm_io::TextCells::default();
    assert!(texts.push(" a ") && texts.push("NA"));
    texts.push_missing();
    let columns = [
        Cells::Text(texts),
        Cells::from(vec![0.5, f64::NAN, 2.0]),
        Cells::from(vec![i64::MAX, 2, 3]),
        Cells::from(vec![true, false, true]),
        Cells::List(lists(&[Some(&[1.0, 2.0]), None, Some(&[])])),
    ];
    for cells in columns {
        let picked = cells.pick(&[Some(2), Some(0), None, Some(1)]);
        assert_eq!(picked.len(), 4);
        let shown = |cells: &Cells, row: usize| match cells {
            Cells::Text(c) => format!("{:?}", c.get(row)),
            Cells::Float(c) => format!("{:?}", c.get(row)),
            Cells::Integer(c) => format!("{:?}", c.get(row)),
            Cells::Bool(c) => format!("{:?}", c.get(row)),
            Cells::List(c) => format!("{:?}", c.get(row)),
            _ => String::new(),
        };
        for (at, row) in [(0, 2), (1, 0), (3, 1)] {
            assert_eq!(shown(&picked, at), shown(&cells, row));
        }
        assert_eq!(shown(&picked, 2), "None");
    }
}
