use isotherm::data::synthetic::circles;

#[test]
fn points_lie_on_their_circles_and_follow_the_seed() {
    let (points, which) = circles(4, 50, 1).unwrap();
    assert_eq!(points.len(), 200);
    for (i, circle) in which.iter().enumerate() {
        let radius = points.row(i)[0].hypot(points.row(i)[1]);
        assert!((radius - f64::from(circle + 1)).abs() < 1e-12);
    }
    assert_eq!(circles(4, 50, 1).unwrap(), (points.clone(), which));
    assert_ne!(circles(4, 50, 2).unwrap().0, points);
    assert!(circles(4, 0, 0).is_err());
}
