//! Progress out and cancelling in, at most fifty times a second.

use std::time::{Duration, Instant};

use isotherm::monitor::{Event, Monitor};

use crate::error::{Error, Result};

/// Between two calls of the monitor; well below the promised half second.
const PAUSE: Duration = Duration::from_millis(20);

/// One phase of reading or writing.
pub(crate) struct Progress<'m> {
    monitor: &'m mut dyn Monitor,
    phase: &'static str,
    last: Instant,
    /// Whether steps are reported; inside a larger phase only ticks are.
    counts: bool,
}

impl<'m> Progress<'m> {
    /// Announces the phase; `steps` is its length where it is known.
    pub(crate) fn begin(
        monitor: &'m mut dyn Monitor,
        phase: &'static str,
        steps: Option<u64>,
    ) -> Result<Self> {
        let steps = steps.and_then(|s| usize::try_from(s).ok());
        let event = Event::Phase { name: phase, steps };
        if monitor.on(event).is_break() {
            return Err(Error::Cancelled { phase });
        }
        Ok(Self {
            monitor,
            phase,
            last: Instant::now(),
            counts: true,
        })
    }

    /// For the inside of somebody else's phase: no steps, only the chance to stop.
    pub(crate) fn within(monitor: &'m mut dyn Monitor, phase: &'static str) -> Self {
        Self {
            monitor,
            phase,
            last: Instant::now(),
            counts: false,
        }
    }

    /// The monitor, for work inside the phase that tells of itself only that it goes on.
    pub(crate) fn inside(&mut self) -> &mut dyn Monitor {
        self.monitor
    }

    /// Tells how far the phase is, if there was no telling lately.
    pub(crate) fn step(&mut self, done: u64) -> Result<()> {
        if self.last.elapsed() < PAUSE {
            return Ok(());
        }
        self.last = Instant::now();
        self.send(Event::Step {
            done: usize::try_from(done).unwrap_or(usize::MAX),
        })
    }

    /// Tells that the phase is over.
    pub(crate) fn end(&mut self, done: u64) -> Result<()> {
        self.send(Event::Step {
            done: usize::try_from(done).unwrap_or(usize::MAX),
        })
    }

    fn send(&mut self, event: Event) -> Result<()> {
        let event = if self.counts { event } else { Event::Tick };
        if self.monitor.on(event).is_break() {
            Err(Error::Cancelled { phase: self.phase })
        } else {
            Ok(())
        }
    }
}
