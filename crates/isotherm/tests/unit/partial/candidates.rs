//! Candidate sets against all choices.

use crate::linalg::Mat;
use crate::monitor::Quiet;
use crate::partial::{
    Candidates, Disambiguated, Observations, Options, PartialCodec, Scheme, disambiguate,
};
use crate::task::{Codec, OneHot, Ordinal};
use crate::testing::random;

use super::{falls, heaps, objective, penalty};

fn sets(n: usize, classes: u32, seed: u64) -> Vec<Candidates> {
    let draw = random(n, classes as usize, seed);
    let set = |i: usize| {
        let some: Vec<u32> = (0..classes)
            .filter(|c| draw[(i, *c as usize)] > 0.0)
            .collect();
        let own = (3 * i as u32 + 1) % classes;
        Candidates::new(if some.len() as u32 == classes || some.is_empty() {
            vec![own]
        } else {
            some
        })
    };
    (0..n).map(set).collect()
}

fn encoded<C: Codec<Label = u32>>(codec: &C, labels: &[u32]) -> Mat<f64> {
    let mut y = Mat::zeros(labels.len(), codec.width());
    let mut row = vec![0.0; codec.width()];
    for (i, label) in labels.iter().enumerate() {
        codec.encode(label, &mut row);
        (0..row.len()).for_each(|j| y[(i, j)] = row[j]);
    }
    y
}

fn run<C: PartialCodec<Observation = Candidates>>(
    codec: &C,
    m: &Mat<f64>,
    sets: &[Candidates],
    scheme: Scheme,
) -> Disambiguated {
    let said = sets.iter().cloned().enumerate();
    let known = Observations::gather(codec, said, sets.len()).unwrap();
    assert_eq!(known.index().len(), sets.len());
    let options = Options {
        scheme,
        ..Options::default()
    };
    disambiguate(codec, m.as_ref(), &known, options, &mut Quiet).unwrap()
}

fn least<C: Codec<Label = u32>>(codec: &C, m: &Mat<f64>, sets: &[Candidates]) -> f64 {
    let mut choice = vec![0; sets.len()];
    let mut least = f64::INFINITY;
    loop {
        let labels: Vec<u32> = (0..sets.len())
            .map(|i| sets[i].classes()[choice[i]])
            .collect();
        least = least.min(objective(m, &encoded(codec, &labels)));
        let Some(at) = (0..sets.len()).find(|&i| choice[i] + 1 < sets[i].classes().len()) else {
            return least;
        };
        choice[at] += 1;
        choice[..at].fill(0);
    }
}

#[test]
fn sweeps_end_where_no_single_label_can_be_better() {
    let codec = OneHot::new(3);
    let mut best = 0;
    for seed in 0..20 {
        let m = penalty(&random(7, 2, seed), 0.03);
        let sets = sets(7, 3, seed + 50);
        let found = run(&codec, &m, &sets, Scheme::Sweeps);
        assert!(found.converged);
        falls(&found.objective);
        let labels = found.labels(&codec);
        let here = objective(&m, &encoded(&codec, &labels));
        assert!((here - found.objective.last().unwrap()).abs() < 1e-12);
        for (i, set) in sets.iter().enumerate() {
            assert!(set.classes().contains(&labels[i]));
            for class in set.classes() {
                let mut other = labels.clone();
                other[i] = *class;
                assert!(objective(&m, &encoded(&codec, &other)) >= here - 1e-12);
            }
        }
        let least = least(&codec, &m, &sets);
        assert!(here >= least - 1e-12);
        best += usize::from(here < least + 1e-9);
    }
    // A hard problem in general; with seven samples the start is good nearly always.
    assert!(
        best >= 14,
        "the best of all choices was found {best} times of 20"
    );
}

#[test]
fn two_heaps_are_told_apart_by_any_scheme() {
    let codec = OneHot::new(3);
    let m = penalty(&heaps(6, 1.0, 4), 0.05);
    // Every sample of a heap may be its class or one of the others.
    let sets: Vec<Candidates> = (0..12)
        .map(|i| {
            let own = u32::from(i >= 6);
            Candidates::new(if i % 6 == 0 {
                vec![own]
            } else {
                vec![own, 2 - (i % 2) as u32 * (1 + own)]
            })
        })
        .collect();
    for scheme in [Scheme::Sweeps, Scheme::Alternate] {
        let found = run(&codec, &m, &sets, scheme);
        falls(&found.objective);
        assert!(found.converged);
        let truth: Vec<u32> = (0..12).map(|i| u32::from(i >= 6)).collect();
        assert_eq!(found.labels(&codec), truth);
        assert!((found.objective.last().unwrap() - least(&codec, &m, &sets)).abs() < 1e-12);
    }
}

#[test]
fn alternation_lowers_the_objective_and_stays_put_under_a_small_ridge() {
    let codec = OneHot::new(4);
    for seed in 0..10 {
        let x = random(30, 2, seed);
        let sets = sets(30, 4, seed + 9);
        let found = run(&codec, &penalty(&x, 0.1), &sets, Scheme::Alternate);
        falls(&found.objective);
        // HY ≈ Y: what the first fit made of the sets is never changed again.
        let stuck = run(&codec, &penalty(&x, 1e-12), &sets, Scheme::Alternate);
        assert_eq!(stuck.changes[1..], [0]);
        let m = penalty(&x, 1e-12);
        let swept = run(&codec, &m, &sets, Scheme::Sweeps);
        assert!(swept.changes[1] > 0);
        assert!(swept.objective.last() < stuck.objective.last());
    }
}

#[test]
fn ordered_classes_have_candidates_too() {
    let codec = Ordinal::new(4).unwrap();
    for seed in 0..10 {
        let m = penalty(&random(6, 2, seed), 0.05);
        let sets = sets(6, 4, seed + 20);
        let found = run(&codec, &m, &sets, Scheme::Sweeps);
        falls(&found.objective);
        let labels = found.labels(&codec);
        let here = objective(&m, &encoded(&codec, &labels));
        for (i, set) in sets.iter().enumerate() {
            for class in set.classes() {
                let mut other = labels.clone();
                other[i] = *class;
                assert!(objective(&m, &encoded(&codec, &other)) >= here - 1e-12);
            }
        }
    }
}

#[test]
fn the_order_of_statements_and_the_threads_change_no_bit() {
    let codec = OneHot::new(5);
    let m = penalty(&random(150, 3, 2), 0.01);
    let sets = sets(150, 5, 3);
    let one = run(&codec, &m, &sets, Scheme::Sweeps);
    let said = sets.iter().cloned().enumerate().rev();
    let known = Observations::gather(&codec, said, 150).unwrap();
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let other = pool.install(|| {
            disambiguate(&codec, m.as_ref(), &known, Options::default(), &mut Quiet).unwrap()
        });
        assert_eq!(one.objective, other.objective);
        assert_eq!(one.labels(&codec), other.labels(&codec));
    }
}
