use isotherm::Error;
use isotherm::data::Points;

#[test]
fn rows_come_back_as_they_were_given() {
    let points = Points::new(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 3, 2).unwrap();
    assert_eq!((points.len(), points.dim()), (3, 2));
    assert_eq!(*points.row(1), [3.0, 4.0]);
    assert_eq!(*points.tile(1..3), [3.0, 4.0, 5.0, 6.0]);
    assert_eq!(
        points.select(&[2, 0]).unwrap().contiguous().unwrap(),
        [5.0, 6.0, 1.0, 2.0]
    );
    assert!(points.select(&[3]).is_err());
    assert!(points.select(&[]).is_err());
}

#[test]
fn f32_is_widened() {
    let points = Points::from_f32(&[0.5, 0.25], 1, 2).unwrap();
    assert_eq!(points.contiguous().unwrap(), [0.5, 0.25]);
}

#[test]
fn the_first_unusable_cell_is_named() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e308, -1e150] {
        let mut values = vec![0.0; 3000];
        values[1717] = bad;
        values[2900] = f64::NAN;
        match Points::new(values, 300, 10).unwrap_err() {
            Error::Value { row, column, value } => {
                assert_eq!((row, column), (171, 7));
                assert!(value == bad || value.is_nan() && bad.is_nan());
            }
            other => panic!("{other}"),
        }
    }
}

#[test]
fn tables_without_rows_or_columns_or_of_another_size_are_refused() {
    assert!(Points::new(vec![], 0, 2).is_err());
    assert!(Points::new(vec![], 2, 0).is_err());
    assert!(Points::new(vec![1.0], 2, 1).is_err());
    assert!(Points::new(vec![1.0], usize::MAX, usize::MAX).is_err());
}
