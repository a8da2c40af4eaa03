use isotherm::data::Targets;

fn names(targets: &Targets) -> &[String] {
    match targets {
        Targets::Classes { names, .. } => names,
        _ => panic!("not classes"),
    }
}

#[test]
fn classes_are_named_in_sorted_order_numbers_by_value() {
    let words = Targets::from_names(&[Some("b"), None, Some("a"), Some("b")]);
    assert_eq!(names(&words), ["a", "b"]);
    assert_eq!(words.labelled(), [0, 2, 3]);
    assert_eq!(words.len(), 4);
    let numbers = Targets::from_names(&[Some("10"), Some("9"), Some("-1")]);
    assert_eq!(names(&numbers), ["-1", "9", "10"]);
    // "07" and "7" are different texts, so they are different classes.
    let twins = Targets::from_names(&[Some("7"), Some("07")]);
    assert_eq!(names(&twins), ["07", "7"]);
}

#[test]
fn what_cannot_be_learned_from_is_refused() {
    let class = |labels: Vec<Option<u32>>| Targets::Classes {
        labels,
        names: vec!["a".into(), "b".into()],
    };
    assert!(class(vec![Some(0), Some(1)]).check().is_ok());
    assert!(class(vec![None, None]).check().is_err());
    assert!(
        class(vec![Some(1), None]).check().is_err(),
        "one class only"
    );
    assert!(
        class(vec![Some(0), Some(2)]).check().is_err(),
        "no such class"
    );
    for bad in [f64::NAN, f64::INFINITY, 1e200] {
        let error = Targets::Values(vec![None, Some(bad)]).check().unwrap_err();
        assert!(error.to_string().starts_with("sample 1:"), "{error}");
    }
    assert!(Targets::Values(vec![Some(1.0), None]).check().is_ok());
}

#[test]
fn labels_are_picked_for_other_samples() {
    let targets = Targets::from_names(&[Some("b"), None, Some("a")]);
    let picked = targets.pick(&[None, Some(2), Some(0), Some(1), Some(9)]);
    let names = vec!["a".to_owned(), "b".to_owned()];
    let labels = vec![None, Some(0), Some(1), None, None];
    assert_eq!(picked, Targets::Classes { labels, names });
    let ranges = Targets::Ranges(vec![Some((0.0, 1.0)), None]);
    assert_eq!(
        ranges.pick(&[Some(1), Some(0)]),
        Targets::Ranges(vec![None, Some((0.0, 1.0))])
    );
}
