use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::Error;
use crate::linalg::tiles;
use crate::monitor::{Event, Quiet};

#[test]
fn every_tile_is_done_once_and_steps_are_told() {
    let done = AtomicUsize::new(0);
    let mut told = Vec::new();
    let mut monitor = |event| {
        told.push(event);
        ControlFlow::Continue(())
    };
    let add = |i: usize| {
        done.fetch_add(i, Ordering::Relaxed);
        Ok(())
    };
    tiles::walk("adding", (0..100).collect(), &mut monitor, add).unwrap();
    assert_eq!(done.load(Ordering::Relaxed), 4950);
    let first = Event::Phase {
        name: "adding",
        steps: Some(100),
    };
    assert_eq!(told[0], first);
    assert!(
        told[1..]
            .iter()
            .all(|e| matches!(e, Event::Step { done } if *done <= 100))
    );
}

#[test]
fn folding_happens_in_tile_order_whatever_the_threads() {
    for threads in [1, 2, 7] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let mut order = Vec::new();
        let fold = |i: usize| {
            order.push(i);
            Ok(())
        };
        pool.install(|| tiles::map_fold("mapping", 1000, &mut Quiet, Ok, fold))
            .unwrap();
        assert!(order.into_iter().eq(0..1000));
    }
}

#[test]
fn a_break_stops_soon_and_a_failure_is_the_tiles_own() {
    let done = AtomicUsize::new(0);
    let mut stop = |event| match event {
        Event::Step { .. } => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let work = |_: usize| {
        done.fetch_add(1, Ordering::Relaxed);
        Ok(())
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let error = pool.install(|| tiles::walk("working", (0..1000).collect(), &mut stop, work));
    assert_eq!(error.unwrap_err(), Error::Cancelled { phase: "working" });
    assert_eq!(done.load(Ordering::Relaxed), 1);

    let fail = |i: usize| match i {
        500 => Err(Error::data("tile 500", "")),
        _ => Ok(()),
    };
    let error = tiles::sweep("working", (0..1000).collect(), &mut Quiet, fail).unwrap_err();
    assert_eq!(error, Error::data("tile 500", ""));
}
