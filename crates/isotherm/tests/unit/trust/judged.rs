//! Figures of judged rows, by hand.

use crate::trust::Judged;

#[test]
fn macro_f1_and_confusion_by_hand() {
    let judged = Judged::new(
        vec![0, 0, 0, 1, 1, 2],
        vec![Some(0), Some(0), Some(1), Some(1), None, Some(0)],
        3,
    );
    assert_eq!(
        judged.confusion(),
        [vec![2, 1, 0, 0], vec![0, 1, 0, 1], vec![1, 0, 0, 0]]
    );
    assert_eq!(judged.right(), 3);
    // 2·2/(3+3), 2·1/(2+2), 0/(1+0)
    assert!((judged.macro_f1() - (2.0 / 3.0 + 0.5 + 0.0) / 3.0).abs() < 1e-15);
}
