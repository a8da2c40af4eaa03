//! Long work: in a pool of its own, without the GIL, heard and stopped from outside.
//!
//! The caller's thread starts the work in the pool and waits; a few times a second it takes
//! the GIL to hand on what the library told and to see Ctrl-C. Only that thread runs Python
//! code, so signals arrive whatever the work is doing; the library sees the stop at its next
//! event.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use isotherm::monitor::{Event, Monitor};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::ThreadPool;

use crate::errors::{Failure, wrong_value};

/// How often the caller's thread looks.
const POLL: Duration = Duration::from_millis(50);

/// Events kept for the caller at most between two looks.
const KEPT: usize = 256;

/// What the library told and the caller did not hear yet.
#[derive(Default)]
struct Told {
    phase: &'static str,
    steps: Option<usize>,
    events: Vec<Message>,
    /// The last step of the phase.
    step: Option<(&'static str, f64, Option<f64>)>,
}

/// kind, name, done, steps.
type Message = (&'static str, &'static str, f64, Option<f64>);

/// The library's side.
struct Listener<'w> {
    told: Option<&'w Mutex<Told>>,
    stop: &'w AtomicBool,
}

impl Monitor for Listener<'_> {
    fn on(&mut self, event: Event) -> ControlFlow<()> {
        if let Some(told) = self.told {
            let mut told = lock(told);
            match event {
                Event::Phase { name, steps } => {
                    if told.phase != name && told.events.len() < KEPT {
                        told.events
                            .push(("phase", name, 0.0, steps.map(|s| s as f64)));
                    }
                    (told.phase, told.steps, told.step) = (name, steps, None);
                }
                Event::Step { done } => {
                    let steps = told.steps.map(|s| s as f64);
                    told.step = Some(("step", done as f64, steps));
                }
                Event::Residual {
                    iteration,
                    relative,
                } => told.step = Some(("residual", iteration as f64, Some(relative))),
                _ => {}
            }
        }
        if self.stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `work` on so many threads, all of them by default.
///
/// # Errors
/// What the work says; what `on_event` raised, or `KeyboardInterrupt`, when that stopped it.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    on_event: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&mut dyn Monitor) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let pool = pool(threads)?;
    let on_event = on_event.map(|callback| callback.clone().unbind());
    let (done, wait) = channel();
    let (outcome, stopped) = py.detach(move || {
        let (told, stop) = (Mutex::new(Told::default()), AtomicBool::new(false));
        pool.in_place_scope(|scope| {
            let (told, stop) = (&told, &stop);
            let heard = on_event.is_some().then_some(told);
            scope.spawn(move |_| {
                let mut listener = Listener { told: heard, stop };
                let outcome = catch_unwind(AssertUnwindSafe(|| work(&mut listener)));
                // The receiver outlives the scope.
                let _ = done.send(outcome);
            });
            let mut stopped = None;
            loop {
                let outcome = match wait.recv_timeout(POLL) {
                    Ok(outcome) => Some(outcome),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => return (None, stopped),
                };
                if stopped.is_none() {
                    let seen = Python::attach(|py| look(py, on_event.as_ref(), told));
                    if let Err(error) = seen {
                        stop.store(true, Ordering::Relaxed);
                        stopped = Some(error);
                    }
                }
                if let Some(outcome) = outcome {
                    return (Some(outcome), stopped);
                }
            }
        })
    });
    match (outcome, stopped) {
        (Some(Ok(Ok(_))), Some(stop)) => Err(stop),
        (Some(Ok(Err(failure))), Some(stop)) if failure.is_cancelled() => Err(stop),
        (Some(Ok(Ok(value))), None) => Ok(value),
        (Some(Ok(Err(failure))), _) => Err(failure.into_exception(py)),
        (Some(Err(_)) | None, _) => Err(PyRuntimeError::new_err(
            "isotherm met a fault of its own and gave up; nothing was changed: please report it",
        )),
    }
}

/// Hands on what was told, and sees Ctrl-C.
fn look(py: Python<'_>, on_event: Option<&Py<PyAny>>, told: &Mutex<Told>) -> PyResult<()> {
    py.check_signals()?;
    let Some(callback) = on_event else {
        return Ok(());
    };
    let messages = {
        let mut told = lock(told);
        let mut messages = std::mem::take(&mut told.events);
        let phase = told.phase;
        messages.extend((told.step.take()).map(|(kind, done, of)| (kind, phase, done, of)));
        messages
    };
    for message in messages {
        callback.call1(py, message)?;
    }
    Ok(())
}

/// A pool of so many threads, made once a process.
fn pool(threads: Option<usize>) -> PyResult<Arc<ThreadPool>> {
    type Pools = HashMap<usize, Arc<ThreadPool>>;
    static POOLS: Mutex<Option<(u32, Pools)>> = Mutex::new(None);
    let threads = match threads {
        Some(0) => return Err(wrong_value("threads must be at least 1, got 0")),
        Some(threads) => threads,
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let process = std::process::id();
    let mut pools = lock(&POOLS);
    if let Some((owner, _)) = &*pools
        && *owner != process
    {
        // A fork has the parent's pools without their threads: they can be neither used nor
        // dropped.
        std::mem::forget(pools.take());
    }
    let (_, pools) = pools.get_or_insert_with(|| (process, Pools::new()));
    if let Some(pool) = pools.get(&threads) {
        return Ok(pool.clone());
    }
    let made = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|i| format!("isotherm-{i}"))
        .build();
    let pool = Arc::new(made.map_err(|e| PyRuntimeError::new_err(format!("no threads: {e}")))?);
    pools.insert(threads, pool.clone());
    Ok(pool)
}
