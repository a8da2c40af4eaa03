//! How many pixels are in memory at a time.

use std::sync::{Condvar, Mutex, PoisonError};

/// Pixels of a picture at most, and of all that are decoded side by side: a photograph of 50
/// million. Memory does not grow with the number of threads.
pub(super) const MOST: u64 = 50_000_000;

/// Room for pixels that several threads share.
#[derive(Debug)]
pub(super) struct Room {
    left: Mutex<u64>,
    freed: Condvar,
}

/// A part of it, given back when it is dropped.
#[derive(Debug)]
pub(super) struct Taken<'a> {
    room: &'a Room,
    count: u64,
}

impl Room {
    pub(super) fn new() -> Self {
        Self {
            left: Mutex::new(MOST),
            freed: Condvar::new(),
        }
    }

    /// Waits until there is room for so many, at most [`MOST`]. A thread that holds a part asks
    /// for no other, so that none waits for ever.
    pub(super) fn take(&self, count: u64) -> Taken<'_> {
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let enough = self.freed.wait_while(left, |left| *left < count);
        *enough.unwrap_or_else(PoisonError::into_inner) -= count;
        Taken { room: self, count }
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let left = self.room.left.lock();
        *left.unwrap_or_else(PoisonError::into_inner) += self.count;
        self.room.freed.notify_all();
    }
}
