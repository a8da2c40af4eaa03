use isotherm::data::split;

#[test]
fn a_uniform_split_is_a_partition_and_follows_its_seed() {
    let parts = split::uniform(100, &[10, 25], 7).unwrap();
    assert_eq!(parts.iter().map(Vec::len).collect::<Vec<_>>(), [10, 25, 65]);
    let mut all: Vec<usize> = parts.concat();
    all.sort_unstable();
    assert!(all.into_iter().eq(0..100));
    assert_eq!(parts, split::uniform(100, &[10, 25], 7).unwrap());
    assert_ne!(parts, split::uniform(100, &[10, 25], 8).unwrap());
    assert!(split::uniform(10, &[6, 5], 0).is_err());
}

#[test]
fn every_sample_is_as_likely_to_be_chosen() {
    // 2000 seeds, 3 of 10 each: a count has mean 600 and deviation √420 ≈ 20.5;
    // five deviations are crossed once in 10⁵ tries, with ten counts.
    let mut counts = [0_i32; 10];
    for seed in 0..2000 {
        for i in &split::uniform(10, &[3], seed).unwrap()[0] {
            counts[*i] += 1;
        }
    }
    assert!(counts.iter().all(|c| (c - 600).abs() < 103), "{counts:?}");
}

#[test]
fn classes_are_sampled_alike_and_a_poor_class_is_named() {
    let labels = [0, 1, 1, 0, 1, 0, 1, 1];
    let (chosen, rest) = split::per_class(&labels, 2, 2, 3).unwrap();
    assert_eq!(chosen.iter().filter(|&&i| labels[i] == 0).count(), 2);
    assert_eq!(chosen.len() + rest.len(), 8);
    assert!(chosen.windows(2).all(|w| w[0] < w[1]));
    let error = split::per_class(&labels, 2, 4, 3).unwrap_err().to_string();
    assert!(error.starts_with("class 0 has only 3 samples"), "{error}");
}
