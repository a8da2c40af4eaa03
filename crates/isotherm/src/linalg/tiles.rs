//! A parallel walk over tiles that reports to a [`Monitor`] and can be stopped.
//!
//! The work of a tile depends on the tile alone and reductions run in tile
//! order, so the number of threads never changes a bit of the result.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::monitor::{Event, Monitor};

/// Does `work` on every tile in parallel, announcing `phase` and counting its steps.
///
/// # Errors
/// [`Error::Cancelled`] when the monitor breaks; else the first tile's own error.
pub(crate) fn walk<T: Send>(
    phase: &'static str,
    tiles: Vec<T>,
    monitor: &mut dyn Monitor,
    work: impl Fn(T) -> Result<()> + Sync,
) -> Result<()> {
    announce(phase, Some(tiles.len()), monitor)?;
    run(phase, tiles, Telling::Steps, monitor, work)
}

/// Like [`walk`] for the inside of a larger step: does not announce a phase,
/// only offers the monitor a chance to stop after each tile.
///
/// # Errors
/// As [`walk`].
pub(crate) fn sweep<T: Send>(
    phase: &'static str,
    tiles: Vec<T>,
    monitor: &mut dyn Monitor,
    work: impl Fn(T) -> Result<()> + Sync,
) -> Result<()> {
    run(phase, tiles, Telling::Ticks, monitor, work)
}

/// Maps tiles `0..count` in parallel and folds the results *in tile order*.
///
/// Holds at most `WAVE` results at a time.
///
/// # Errors
/// As [`walk`].
pub(crate) fn map_fold<R: Send>(
    phase: &'static str,
    count: usize,
    monitor: &mut dyn Monitor,
    map: impl Fn(usize) -> Result<R> + Sync,
    fold: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    map_fold_in_waves(phase, (count, WAVE), monitor, map, fold)
}

/// [`map_fold`] for large results, of which it holds at most so many: count and wave are given.
///
/// # Errors
/// As [`map_fold`].
pub(crate) fn map_fold_in_waves<R: Send>(
    phase: &'static str,
    (count, most): (usize, usize),
    monitor: &mut dyn Monitor,
    map: impl Fn(usize) -> Result<R> + Sync,
    mut fold: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    announce(phase, Some(count), monitor)?;
    let mut done = 0;
    while done < count {
        let wave = most.min(count - done);
        let slots: Vec<Mutex<Option<R>>> = (0..wave).map(|_| Mutex::new(None)).collect();
        let tiles: Vec<(usize, &Mutex<Option<R>>)> = (done..done + wave).zip(&slots).collect();
        run(phase, tiles, Telling::Ticks, monitor, |(index, slot)| {
            let value = map(index)?;
            *slot
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner) = Some(value);
            Ok(())
        })?;
        for slot in slots {
            if let Some(value) = slot
                .into_inner()
                .unwrap_or_else(std::sync::PoisonError::into_inner)
            {
                fold(value)?;
            }
        }
        done += wave;
        if monitor.on(Event::Step { done }).is_break() {
            return Err(Error::Cancelled { phase });
        }
    }
    Ok(())
}

/// How many unfolded results [`map_fold`] holds at most. A constant, not the
/// thread count: memory is then the same on every machine.
pub(crate) const WAVE: usize = 16;

/// Tells the monitor that a phase begins.
///
/// # Errors
/// [`Error::Cancelled`] when the monitor breaks.
pub(crate) fn announce(
    phase: &'static str,
    steps: Option<usize>,
    monitor: &mut dyn Monitor,
) -> Result<()> {
    let event = Event::Phase { name: phase, steps };
    if monitor.on(event).is_break() {
        return Err(Error::Cancelled { phase });
    }
    Ok(())
}

/// Tells the monitor how many steps of the phase are done.
///
/// # Errors
/// [`Error::Cancelled`] when the monitor breaks.
pub(crate) fn done(phase: &'static str, done: usize, monitor: &mut dyn Monitor) -> Result<()> {
    if monitor.on(Event::Step { done }).is_break() {
        return Err(Error::Cancelled { phase });
    }
    Ok(())
}

/// Offers the monitor a chance to stop from inside a serial loop.
///
/// # Errors
/// [`Error::Cancelled`] when the monitor breaks.
pub(crate) fn tick(phase: &'static str, monitor: &mut dyn Monitor) -> Result<()> {
    if monitor.on(Event::Tick).is_break() {
        return Err(Error::Cancelled { phase });
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq)]
enum Telling {
    Steps,
    Ticks,
}

fn run<T: Send>(
    phase: &'static str,
    tiles: Vec<T>,
    telling: Telling,
    monitor: &mut dyn Monitor,
    work: impl Fn(T) -> Result<()> + Sync,
) -> Result<()> {
    let stopped = AtomicBool::new(false);
    let done = AtomicUsize::new(0);
    let monitor = Mutex::new(monitor);
    let outcomes: Vec<Result<()>> = tiles
        .into_par_iter()
        .map(|tile| {
            if stopped.load(Ordering::Relaxed) {
                return Err(Error::Cancelled { phase });
            }
            work(tile).inspect_err(|_| stopped.store(true, Ordering::Relaxed))?;
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            // A tile never waits for another tile's report.
            if let Ok(mut monitor) = monitor.try_lock() {
                let event = match telling {
                    Telling::Steps => Event::Step { done },
                    Telling::Ticks => Event::Tick,
                };
                if monitor.on(event).is_break() {
                    stopped.store(true, Ordering::Relaxed);
                }
            }
            Ok(())
        })
        .collect();
    // The first real failure in tile order wins over the tiles it stopped.
    let mut cancelled = Ok(());
    for outcome in outcomes {
        match outcome {
            Ok(()) => {}
            Err(Error::Cancelled { phase }) => cancelled = Err(Error::Cancelled { phase }),
            Err(error) => return Err(error),
        }
    }
    cancelled?;
    if stopped.load(Ordering::Relaxed) {
        return Err(Error::Cancelled { phase });
    }
    Ok(())
}
