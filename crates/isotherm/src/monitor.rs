//! Progress out, cancelling in.
//!
//! A [`Monitor`] is handed to every function that may run long and is called between
//! steps of at most some tens of milliseconds, so a `Break` is honoured within half a
//! second. Loops over rows call it through `linalg::tiles`; the loops of `solve`
//! (linear iterations, Lanczos, eigenpairs) call it themselves.

use std::ops::ControlFlow;

/// What the library tells while it works.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A phase begins; `steps` is its length where it is known.
    Phase {
        /// What is being done.
        name: &'static str,
        /// How many steps it has, if known.
        steps: Option<usize>,
    },
    /// So many steps of the current phase are done.
    Step {
        /// Steps done so far.
        done: usize,
    },
    /// An iterative solver finished one iteration.
    Residual {
        /// Iterations done so far.
        iteration: usize,
        /// The worst column's relative residual.
        relative: f64,
    },
    /// Nothing to tell; a chance to stop inside a long step.
    Tick,
}

/// Receives progress and may ask to stop.
pub trait Monitor: Send {
    /// `Break` asks the library to stop; it then returns `Error::Cancelled`.
    fn on(&mut self, event: Event) -> ControlFlow<()>;
}

/// Listens to nothing and never stops.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quiet;

impl Monitor for Quiet {
    fn on(&mut self, _: Event) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The inside of somebody else's phase: what happens there is only a chance to stop.
pub struct Within<'m>(pub &'m mut dyn Monitor);

impl std::fmt::Debug for Within<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Within")
    }
}

impl Monitor for Within<'_> {
    fn on(&mut self, _: Event) -> ControlFlow<()> {
        self.0.on(Event::Tick)
    }
}

/// Any closure is a monitor.
impl<F: FnMut(Event) -> ControlFlow<()> + Send> Monitor for F {
    fn on(&mut self, event: Event) -> ControlFlow<()> {
        self(event)
    }
}
