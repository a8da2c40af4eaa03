//! What cannot be known, and penalties that are none.

use std::ops::ControlFlow;

use crate::Error;
use crate::linalg::Mat;
use crate::monitor::{Event, Quiet};
use crate::partial::{
    Candidates, LabelInterval, Observations, Options, PartialCodec, PartialOrder, Scheme,
    disambiguate,
};
use crate::task::{MultiLabel, OneHot, Ranking, Real};

fn refused<C: PartialCodec>(codec: &C, said: Vec<C::Observation>, words: &[&str])
where
    C::Observation: std::fmt::Debug,
{
    // All about sample 3 of 5.
    let said: Vec<_> = said.into_iter().map(|known| (3, known)).collect();
    let text = match Observations::gather(codec, said, 5) {
        Ok(known) => panic!("{known:?} was accepted"),
        Err(error) => error.to_string(),
    };
    assert!(text.starts_with("sample 3: "), "{text}");
    assert!(text.contains("; "), "there is no way out in: {text}");
    for word in words {
        assert!(text.contains(word), "{word} is not in: {text}");
    }
}

#[test]
fn candidate_sets_that_cannot_be_are_refused() {
    let codec = OneHot::new(3);
    let set = |classes: &[u32]| Candidates::new(classes.to_vec());
    refused(&codec, vec![set(&[])], &["empty"]);
    refused(&codec, vec![set(&[1, 3])], &["class 3", "3 there are"]);
    refused(
        &codec,
        vec![set(&[0, 1]), set(&[2])],
        &["[0, 1]", "[2]", "in common"],
    );
    // Together three statements leave nothing, though any two agree.
    refused(
        &codec,
        vec![set(&[0, 1]), set(&[1, 2]), set(&[0, 2])],
        &["in common"],
    );
}

#[test]
fn orders_that_cannot_be_are_refused() {
    let codec = Ranking::new(4).unwrap();
    let pairs = |pairs: &[(u32, u32)]| PartialOrder::new(4, pairs.to_vec());
    refused(&codec, vec![pairs(&[(0, 1), (1, 2), (2, 0)])], &["cycle"]);
    refused(&codec, vec![pairs(&[(0, 1)]), pairs(&[(1, 0)])], &["cycle"]);
    refused(&codec, vec![pairs(&[(0, 4)])], &["item 4", "4 there are"]);
    refused(&codec, vec![pairs(&[(2, 2)])], &["item 2", "itself"]);
    refused(
        &codec,
        vec![PartialOrder::sequence(4, &[0, 1, 0])],
        &["item 0 twice"],
    );
    refused(
        &codec,
        vec![PartialOrder::sequence(3, &[0, 1])],
        &["3 items", "4"],
    );
}

#[test]
fn intervals_that_cannot_be_are_refused() {
    let codec = Real::default();
    let between = LabelInterval::new;
    refused(&codec, vec![between(2.0, 1.0)], &["2 to 1", "empty"]);
    refused(&codec, vec![between(f64::NAN, 1.0)], &["NaN"]);
    refused(&codec, vec![between(0.0, f64::NAN)], &["NaN"]);
    refused(
        &codec,
        vec![LabelInterval::at_least(f64::INFINITY)],
        &["no finite number"],
    );
    refused(
        &codec,
        vec![LabelInterval::at_most(f64::NEG_INFINITY)],
        &["no finite number"],
    );
    refused(
        &codec,
        vec![between(0.0, 1.0), LabelInterval::exactly(2.0)],
        &["do not meet"],
    );
}

#[test]
fn flags_that_cannot_be_are_refused() {
    let codec = MultiLabel::new(2).unwrap();
    refused(&codec, vec![vec![Some(true)]], &["1 flags where 2"]);
    let twice = vec![vec![None, Some(true)], vec![Some(false), Some(false)]];
    refused(&codec, twice, &["flag 1", "true and false"]);
}

#[test]
fn statements_that_agree_hold_together() {
    let codec = Real::default();
    let said = [
        (1, LabelInterval::at_least(0.0)),
        (1, LabelInterval::at_most(2.0)),
    ];
    let known = Observations::gather(&codec, said, 3).unwrap();
    assert_eq!(known.known(), [LabelInterval::new(0.0, 2.0)]);
    let codec = MultiLabel::new(2).unwrap();
    let said = [(0, vec![Some(true), None]), (0, vec![None, Some(false)])];
    let known = Observations::gather(&codec, said, 3).unwrap();
    assert_eq!(known.known(), [vec![Some(true), Some(false)]]);
    let codec = Ranking::new(3).unwrap();
    let said = [
        (0, PartialOrder::new(3, vec![(0, 1)])),
        (0, PartialOrder::new(3, vec![(1, 2)])),
    ];
    let known = Observations::gather(&codec, said, 3).unwrap();
    assert!(known.known()[0].precedence().before(0, 2));
}

#[test]
fn what_says_nothing_is_dropped_and_nothing_at_all_is_refused() {
    let all = Candidates::new(vec![0, 1]);
    let codec = OneHot::new(2);
    assert!(Observations::gather(&codec, [(0, all.clone())], 2).is_err());
    assert!(Observations::gather(&codec, [], 2).is_err());
    let out = Observations::gather(&codec, [(2, all)], 2)
        .unwrap_err()
        .to_string();
    assert!(
        out.contains("sample 2") && out.contains("only 2 samples"),
        "{out}"
    );
    assert!(
        Observations::gather(
            &Real::default(),
            [(0, LabelInterval::new(f64::NEG_INFINITY, f64::INFINITY))],
            1
        )
        .is_err()
    );
    let ranking = Ranking::new(3).unwrap();
    assert!(!ranking.informative(&PartialOrder::new(3, vec![])));
    assert!(!ranking.informative(&PartialOrder::positions(&[Some(0), None, Some(0)])));
    assert!(!MultiLabel::new(2).unwrap().informative(&vec![None, None]));
}

#[test]
fn penalties_that_are_none_are_refused() {
    let codec = Real::default();
    let said = [
        (0, LabelInterval::new(-1.0, 2.0)),
        (1, LabelInterval::new(-1.0, 2.0)),
    ];
    let known = Observations::gather(&codec, said, 2).unwrap();
    let run = |m: Mat<f64>, options: Options| {
        disambiguate(&codec, m.as_ref(), &known, options, &mut Quiet)
    };
    let usual = Options::default();
    assert!(run(Mat::identity(2, 2), usual).is_ok());
    assert!(matches!(
        run(Mat::identity(3, 3), usual),
        Err(Error::Shape { .. })
    ));
    assert!(matches!(
        run(Mat::zeros(2, 1), usual),
        Err(Error::Shape { .. })
    ));
    assert!(matches!(
        run(Mat::full(2, 2, f64::NAN), usual),
        Err(Error::NotFinite { .. })
    ));
    let lopsided = Mat::from_fn(2, 2, |i, j| [[1.0, 0.5], [0.0, 1.0]][i][j]);
    assert!(
        run(lopsided, usual)
            .unwrap_err()
            .to_string()
            .contains("not symmetric")
    );
    // Unit steps overshoot when an eigenvalue is 3; sweeps do not care.
    let three = || Mat::from_fn(2, 2, |i, j| if i == j { 3.0 } else { 0.0 });
    let alternate = Options {
        scheme: Scheme::Alternate,
        ..usual
    };
    let error = run(three(), alternate).unwrap_err().to_string();
    assert!(
        error.contains("rose") && error.contains("sweeps"),
        "{error}"
    );
    assert!(run(three(), usual).unwrap().converged);
    assert!(run(Mat::identity(2, 2), Options { rounds: 0, ..usual }).is_err());
    assert!(
        run(
            Mat::identity(2, 2),
            Options {
                tolerance: f64::NAN,
                ..usual
            }
        )
        .is_err()
    );
}

#[test]
fn too_few_rounds_are_told_and_a_monitor_can_stop() {
    let codec = OneHot::new(3);
    let sets = (0..40).map(|i| (i, Candidates::new(vec![i as u32 % 3, (i as u32 + 1) % 3])));
    let known = Observations::gather(&codec, sets, 40).unwrap();
    let m = super::penalty(&crate::testing::random(40, 2, 1), 1e-3);
    let once = Options {
        rounds: 1,
        ..Options::default()
    };
    let found = disambiguate(&codec, m.as_ref(), &known, once, &mut Quiet).unwrap();
    assert!(!found.converged && found.rounds() == 1);
    let mut heard = 0;
    let mut stop = |event: Event| {
        heard += usize::from(event == Event::Tick);
        if heard > 3 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let stopped = disambiguate(&codec, m.as_ref(), &known, Options::default(), &mut stop);
    assert!(matches!(stopped, Err(Error::Cancelled { .. })));
}
