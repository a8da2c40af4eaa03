use isotherm::data::Links;

#[test]
fn links_keep_the_larger_of_two_weights_and_empty_rows() {
    let links = Links::new(3, 9, &[(2, 4, 0.5), (0, 7, 1.0), (2, 4, 2.0), (2, 1, 0.0)]).unwrap();
    assert_eq!(links.len(), 3);
    assert_eq!(links.row(0).collect::<Vec<_>>(), [(7, 1.0)]);
    assert_eq!(links.row(1).count(), 0);
    assert_eq!(links.row(2).collect::<Vec<_>>(), [(4, 2.0)]);
}

#[test]
fn links_that_cannot_be_are_refused_by_number() {
    for (bad, word) in [
        ((3, 0, 1.0), "new sample 3"),
        ((0, 9, 1.0), "node 9"),
        ((0, 0, -1.0), "got -1"),
        ((0, 0, f64::NAN), "got NaN"),
        ((0, 0, 1e308), "got 1"),
    ] {
        let error = Links::new(3, 9, &[(0, 1, 1.0), bad])
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("edge 1:") && error.contains(word),
            "{error}"
        );
    }
}
