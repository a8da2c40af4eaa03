//! Wall time, and the processor time spent in it.

use std::time::Instant;

/// Seconds since a start.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spent {
    /// On the wall.
    pub wall: f64,
    /// On all cores, user and system; 0 where the system does not say.
    pub cpu: f64,
}

/// A running clock.
#[derive(Debug)]
pub struct Clock {
    start: Instant,
    cpu: f64,
}

impl Clock {
    /// Starts.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Self {
            start: Instant::now(),
            cpu: processor(),
        }
    }

    /// What was spent since the start or the last lap.
    pub fn lap(&mut self) -> Spent {
        let next = Self::new();
        let before = std::mem::replace(self, next);
        Spent {
            wall: before.start.elapsed().as_secs_f64(),
            cpu: self.cpu - before.cpu,
        }
    }
}

/// Processor seconds of this process so far, in the clock ticks of Linux.
fn processor() -> f64 {
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // utime and stime are the 12th and 13th words after the name in brackets.
    let words = stat.rsplit(')').next().unwrap_or("").split_whitespace();
    let ticks = words.skip(11).take(2).filter_map(|w| w.parse::<f64>().ok());
    ticks.sum::<f64>() / TICKS
}
