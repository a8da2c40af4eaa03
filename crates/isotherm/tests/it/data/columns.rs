use isotherm::data::Points;
use isotherm::data::columns::Columns;
use isotherm::data::columns::summary::NumberSummary;

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

#[test]
fn a_summary_tells_range_median_shape_and_how_many_differ() {
    let of = |numbers: &[f64]| NumberSummary::of(numbers.to_vec()).unwrap();
    let found = of(&[8.0, 0.0, 1.0, 1.0, 2.0]);
    assert_eq!((found.low, found.median, found.high), (0.0, 1.0, 8.0));
    assert_eq!(found.distinct, 4);
    assert_eq!(found.bars, [1, 2, 1, 0, 0, 0, 0, 1]);
    // By hand: mean 2.4, deviations −2.4, −1.4, −1.4, −0.4, 5.6.
    let (second, third) = (41.2_f64 / 5.0, 156.24 / 5.0);
    assert!((found.skewness - third / second.powf(1.5)).abs() < 1e-12);
    let mirrored = of(&[-8.0, -0.0, -1.0, -1.0, -2.0]);
    assert!((mirrored.skewness + found.skewness).abs() < 1e-12);
    assert_eq!(of(&[1.0, 4.0]).median, 2.5);
    // Constant, huge and single numbers have a shape, too.
    let constant = of(&[3.0; 4]);
    assert_eq!((constant.skewness, constant.bars[0]), (0.0, 4));
    let huge = of(&[-1e300, 1e300]);
    assert_eq!((huge.bars[0], huge.bars[7], huge.skewness), (1, 1, 0.0));
    assert_eq!(of(&[0.0]).distinct, 1);
    assert_eq!(NumberSummary::of(Vec::new()), None);
}
