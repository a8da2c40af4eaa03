use isotherm::data::{Distinct, Points};
use isotherm::monitor::Quiet;

#[test]
fn equal_rows_with_different_labels_are_told_with_the_first() {
    let points = Points::new(vec![1.0, 2.0, 1.0, 1.0, -0.0, 0.0], 6, 1).unwrap();
    let equal = Distinct::of(&points, &mut Quiet).unwrap();
    let labels = [Some(0), Some(0), None, Some(1), Some(2), Some(2)];
    assert_eq!(equal.conflicts(&labels), [(3, 0)]);
    // The first row of a group need not have a label.
    let labels = [None, None, Some(1), Some(0), Some(2), Some(1)];
    assert_eq!(equal.conflicts(&labels), [(3, 2), (5, 4)]);
    assert_eq!(equal.conflicts(&[None; 6]), []);
}
