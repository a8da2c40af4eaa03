use isotherm::data::label_leakage::chance_of_leakage;

#[test]
fn a_copy_of_the_label_is_as_unlikely_as_the_ways_to_deal_them() {
    // Six labels, three of each class: 6!/(3!3!) = 20 ways, of which 2² are counted.
    let classes = [0, 0, 0, 1, 1, 1];
    let copy = classes.map(f64::from);
    let chance = chance_of_leakage(&copy, &classes).unwrap();
    assert!((chance - 4.0 / 20.0).abs() < 1e-12, "{chance}");
    let many: Vec<u32> = (0..60).map(|i| i % 2).collect();
    let copy: Vec<f64> = many.iter().map(|c| 7.0 - f64::from(*c)).collect();
    assert!(chance_of_leakage(&copy, &many).unwrap() < 1e-15);
}

#[test]
fn values_that_never_repeat_prove_nothing() {
    let classes: Vec<u32> = (0..50).map(|i| i % 3).collect();
    let values: Vec<f64> = (0..50).map(f64::from).collect();
    assert_eq!(chance_of_leakage(&values, &classes), Some(1.0));
    assert_eq!(chance_of_leakage(&[], &[]), Some(1.0));
}

#[test]
fn a_value_beside_two_classes_gives_nothing_away() {
    assert_eq!(chance_of_leakage(&[1.0, 0.0, -0.0], &[0, 1, 2]), None);
    assert_eq!(chance_of_leakage(&[1.0, 2.0, 1.0], &[0, 1, 1]), None);
}

#[test]
fn the_bound_is_above_the_true_chance_on_every_small_deal() {
    // All labellings of six rows with groups of 2, 2, 2 and class counts 4, 2.
    let values = [0.0, 0.0, 1.0, 1.0, 2.0, 2.0];
    let (mut pure, mut all, mut bound) = (0, 0, None);
    for mask in 0_u32..64 {
        if mask.count_ones() != 2 {
            continue;
        }
        let classes: Vec<u32> = (0..6).map(|i| mask >> i & 1).collect();
        all += 1;
        if let Some(chance) = chance_of_leakage(&values, &classes) {
            pure += 1;
            bound = Some(chance);
        }
    }
    assert_eq!((pure, all), (3, 15));
    assert!(bound.unwrap() >= f64::from(pure) / f64::from(all));
}
