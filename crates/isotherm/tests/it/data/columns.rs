use isotherm::data::Points;
use isotherm::data::columns::Columns;

#[test]
fn scales_name_the_narrowest_and_the_widest_column_and_leave_out_constants() {
    let rows = vec![0.0, 5.0, 0.0, 1.0, 5.0, 1000.0, 2.0, 5.0, 2000.0];
    let found = Columns::of(&Points::new(rows, 3, 3).unwrap()).scales();
    let (narrow, wide, ratio) = found.unwrap();
    assert_eq!((narrow, wide), (0, 2));
    assert!((ratio - 1000.0).abs() < 1e-9, "{ratio}");
    let constant = Points::new(vec![5.0, 5.0], 2, 1).unwrap();
    assert_eq!(Columns::of(&constant).scales(), None);
}
