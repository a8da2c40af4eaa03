use isotherm::data::Points;
use isotherm::data::columns::Columns;
use isotherm::data::columns::dates::{DatePart, TimeSpan};
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

#[test]
fn places_on_circles_return_after_a_period() {
    let day = 86_400.0;
    let at = |part: DatePart, days: f64| part.of(days * day);
    assert_eq!(at(DatePart::Day, 12.25), 12.25);
    for (part, period) in [
        (DatePart::WeekSine, 7.0),
        (DatePart::WeekCosine, 7.0),
        (DatePart::HourSine, 1.0),
        (DatePart::HourCosine, 1.0),
        (DatePart::YearSine, 365.2425),
        (DatePart::YearCosine, 365.2425),
    ] {
        for days in [-3.3, 0.0, 100.6] {
            let (one, next) = (at(part, days), at(part, days + period));
            assert!((one - next).abs() < 1e-6, "{part:?} {days}");
        }
    }
    let span = TimeSpan::at(0.0).with(15.0 * day);
    assert_eq!(
        span.parts(),
        [DatePart::Day, DatePart::WeekSine, DatePart::WeekCosine]
    );
    assert!(TimeSpan::at(5.0).parts().is_empty());
    assert!(span.with(day / 2.0).parts().contains(&DatePart::HourSine));
}
