//! Partial labels through real estimators.

use crate::base::{GraphBase, KernelBase, Storage};
use crate::data::graph::EdgeRules;
use crate::data::{Graph, GraphBuilder, Points};
use crate::estimator::baseline::{
    Harmonic, HarmonicParams, KernelRidge, KernelRidgeParams, LabelPropagation,
    LabelPropagationParams,
};
use crate::estimator::laplacian::{BasisSpec, Laplacian, LaplacianParams, NormShare};
use crate::estimator::stkr::{Ridge, Stkr, StkrParams};
use crate::estimator::{Estimator, Linear};
use crate::kernel::{Bandwidth, KernelSpec};
use crate::linalg::Mat;
use crate::monitor::Quiet;
use crate::partial::{Candidates, Flags, Observations, Options, disambiguate};
use crate::spectrum::{Filter, Transform};
use crate::task::{MultiLabel, Observed, OneHot};
use crate::testing::operator::close;
use crate::testing::random;

use super::falls;

const TOTAL: usize = 30;

fn points() -> Points {
    let m = random(TOTAL, 2, 3);
    let values = (0..2 * TOTAL).map(|k| m[(k / 2, k % 2)]).collect();
    Points::new(values, TOTAL, 2).unwrap()
}

fn ring() -> Graph {
    let n = TOTAL as u32;
    let mut builder = GraphBuilder::new(EdgeRules::default()).with_nodes(TOTAL);
    for i in 0..n {
        builder.push(i, (i + 1) % n, None).unwrap();
        if i % 3 == 0 {
            builder.push(i, (i + n / 2) % n, None).unwrap();
        }
    }
    builder.finish(&mut Quiet).unwrap().0
}

fn kernel() -> KernelSpec {
    KernelSpec::Gaussian {
        bandwidth: Bandwidth::Fixed(0.7),
    }
}

fn ridge(ridge: f64) -> KernelRidge {
    let params = KernelRidgeParams {
        kernel: kernel(),
        ridge,
        ..KernelRidgeParams::default()
    };
    KernelRidge::new(params, 0).unwrap()
}

fn laplacian(strength: f64) -> Laplacian {
    let params = LaplacianParams {
        kernel: kernel(),
        basis: BasisSpec::Rows {
            index: (0..TOTAL).collect(),
            derivatives: false,
        },
        filter: Some(Filter::Tikhonov { strength }),
        norm_share: NormShare::Fixed(1e-2),
        ..LaplacianParams::default()
    };
    Laplacian::new(params, 0).unwrap()
}

/// Some samples have one class, some may be any class: a semi-supervised data set.
fn said() -> Vec<(usize, Candidates)> {
    let set = |i: usize| match i % 3 {
        0 => Candidates::new(vec![(i / 3) as u32 % 3]),
        _ => Candidates::new(vec![0, 1, 2]),
    };
    (0..TOTAL).map(|i| (i, set(i))).collect()
}

fn labels() -> Vec<Option<u32>> {
    (0..TOTAL)
        .map(|i| (i % 3 == 0).then_some((i / 3) as u32 % 3))
        .collect()
}

/// The fit to sets is the fit to labels, bit for bit.
fn full_sets_are_unlabelled<P: Linear>(name: &str, prepared: &P) {
    let codec = OneHot::new(3);
    let plain = Observed::encode(&codec, &labels()).unwrap();
    let known = Observations::gather(&codec, said(), TOTAL).unwrap();
    assert_eq!(known.index(), plain.index());
    let smoother = prepared.smoother(&plain, &mut Quiet).unwrap();
    let penalty = smoother
        .penalty()
        .unwrap()
        .unwrap_or_else(|| panic!("{name} has no penalty"));
    let found = disambiguate(
        &codec,
        penalty.as_ref(),
        &known,
        Options::default(),
        &mut Quiet,
    )
    .unwrap();
    let seen = found.observed(&known).unwrap();
    assert_eq!(seen.values(), plain.values());
    let one = prepared.solve(&plain, &mut Quiet).unwrap().expansion;
    let other = prepared.solve(&seen, &mut Quiet).unwrap().expansion;
    assert_eq!(one.columns(), other.columns(), "{name}");
}

/// The penalty an estimator states is the one whose leave-one-out values sweeps use,
/// and its objective falls.
fn sets_are_disambiguated<P: Linear>(name: &str, prepared: &P) {
    let codec = OneHot::new(3);
    let said = (0..TOTAL).filter(|i| i % 2 == 0).map(|i| {
        let own = (i / 10) as u32;
        let set = if i % 4 == 0 {
            vec![own]
        } else {
            vec![own, (own + 1 + (i / 2) as u32 % 2) % 3]
        };
        (i, Candidates::new(set))
    });
    let known = Observations::gather(&codec, said, TOTAL).unwrap();
    let start = Mat::from_fn(known.index().len(), 3, |i, c| {
        let set = known.known()[i].classes();
        f64::from(u8::from(set.contains(&(c as u32)))) / set.len() as f64
    });
    let seen = Observed::new(known.index().to_vec(), start, TOTAL).unwrap();
    let smoother = prepared.smoother(&seen, &mut Quiet).unwrap();
    let penalty = smoother
        .penalty()
        .unwrap()
        .unwrap_or_else(|| panic!("{name} has no penalty"));
    let found = disambiguate(
        &codec,
        penalty.as_ref(),
        &known,
        Options::default(),
        &mut Quiet,
    )
    .unwrap();
    falls(&found.objective);
    assert!(found.converged, "{name}");
    for (label, set) in found.labels(&codec).iter().zip(known.known()) {
        assert!(set.classes().contains(label), "{name}");
    }
}

fn stkr() -> Stkr {
    let params = StkrParams {
        transform: Transform::InverseLaplacian { eta: 0.9 },
        ridge: Ridge::Fixed(1e-2),
        ..StkrParams::default()
    };
    Stkr::new(params).unwrap()
}

#[test]
fn a_set_of_all_classes_is_no_label_for_any_estimator() {
    full_sets_are_unlabelled("ridge", &ridge(1e-2).prepare(points(), &mut Quiet).unwrap());
    full_sets_are_unlabelled(
        "laplacian",
        &laplacian(0.1).prepare(points(), &mut Quiet).unwrap(),
    );
    let graph = || GraphBase::new(ring());
    full_sets_are_unlabelled("stkr", &stkr().prepare(graph(), &mut Quiet).unwrap());
    let table = KernelBase::new(points(), kernel().build().unwrap(), Storage::Tiled);
    full_sets_are_unlabelled("stkr on rows", &stkr().prepare(table, &mut Quiet).unwrap());
    let harmonic = Harmonic::new(HarmonicParams::default()).unwrap();
    full_sets_are_unlabelled("harmonic", &harmonic.prepare(graph(), &mut Quiet).unwrap());
    let spread = LabelPropagation::new(LabelPropagationParams::default()).unwrap();
    full_sets_are_unlabelled("propagation", &spread.prepare(graph(), &mut Quiet).unwrap());
}

#[test]
fn sets_are_disambiguated_by_any_estimator() {
    sets_are_disambiguated("ridge", &ridge(1e-2).prepare(points(), &mut Quiet).unwrap());
    sets_are_disambiguated(
        "laplacian",
        &laplacian(0.1).prepare(points(), &mut Quiet).unwrap(),
    );
    let graph = || GraphBase::new(ring());
    sets_are_disambiguated("stkr", &stkr().prepare(graph(), &mut Quiet).unwrap());
    let harmonic = Harmonic::new(HarmonicParams::default()).unwrap();
    sets_are_disambiguated("harmonic", &harmonic.prepare(graph(), &mut Quiet).unwrap());
    let spread = LabelPropagation::new(LabelPropagationParams::default()).unwrap();
    sets_are_disambiguated("propagation", &spread.prepare(graph(), &mut Quiet).unwrap());
}

/// A fit to filled-in flags is the fit of each flag on the samples that have it; nβ
/// stays what it is, so β is n/n_k times as large with n_k samples.
#[test]
fn missing_flags_are_fits_of_each_flag_on_the_samples_that_have_it() {
    let codec = MultiLabel::new(3).unwrap();
    let draw = random(TOTAL, 6, 8);
    let row = |i: usize| -> Flags {
        (0..3)
            .map(|k| (draw[(i, k)] > 0.1).then(|| draw[(i, 3 + k)] > 0.0))
            .collect()
    };
    let known = Observations::gather(&codec, (0..TOTAL).map(|i| (i, row(i))), TOTAL).unwrap();
    let n = known.index().len() as f64;
    let zeros = Observed::new(
        known.index().to_vec(),
        Mat::zeros(known.index().len(), 3),
        TOTAL,
    );
    let zeros = zeros.unwrap();
    let alone = |k: usize| -> Observed {
        let have: Vec<usize> = (known.index().iter().copied())
            .filter(|&i| row(i)[k].is_some())
            .collect();
        let values = Mat::from_fn(have.len(), 1, |r, _| {
            f64::from(u8::from(row(have[r])[k] == Some(true)))
        });
        Observed::new(have, values, TOTAL).unwrap()
    };
    fn check<P: Linear>(
        name: &str,
        codec: &MultiLabel,
        known: &Observations<Flags>,
        zeros: &Observed,
        whole: &P,
        alone: impl Fn(usize) -> Mat<f64>,
        scores: impl Fn(&Observed) -> Mat<f64>,
    ) {
        let smoother = whole.smoother(zeros, &mut Quiet).unwrap();
        let penalty = smoother.penalty().unwrap().unwrap();
        let found = disambiguate(
            codec,
            penalty.as_ref(),
            known,
            Options::default(),
            &mut Quiet,
        )
        .unwrap();
        assert!(found.converged);
        let filled = scores(&found.observed(known).unwrap());
        for k in 0..3 {
            let column = Mat::from_fn(TOTAL, 1, |i, _| filled[(i, k)]);
            close(&format!("{name}, flag {k}"), &column, &alone(k), 1e-9).unwrap();
        }
    }
    let at = points();
    let prepared = ridge(1e-2).prepare(points(), &mut Quiet).unwrap();
    let fit = |beta: f64, seen: &Observed| {
        let fitted = ridge(beta).fit(points(), seen, &mut Quiet).unwrap();
        fitted.scores(&at, &mut Quiet).unwrap().values
    };
    let own = |k: usize| fit(1e-2 * n / alone(k).index().len() as f64, &alone(k));
    check("ridge", &codec, &known, &zeros, &prepared, own, |seen| {
        fit(1e-2, seen)
    });

    let prepared = laplacian(0.1).prepare(points(), &mut Quiet).unwrap();
    let fit = |strength: f64, seen: &Observed| {
        let fitted = laplacian(strength).fit(points(), seen, &mut Quiet).unwrap();
        fitted.scores(&at, &mut Quiet).unwrap().values
    };
    let own = |k: usize| fit(0.1 * n / alone(k).index().len() as f64, &alone(k));
    check(
        "laplacian",
        &codec,
        &known,
        &zeros,
        &prepared,
        own,
        |seen| fit(0.1, seen),
    );
}
