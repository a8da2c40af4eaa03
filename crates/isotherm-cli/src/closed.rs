//! Whether standard output was closed before the program began, as `>&-` does in a shell.
//!
//! Rust opens `/dev/null` in the place of a closed descriptor before `main`, so that everything
//! written there seems to succeed. Therefore the descriptor is looked at before that.

use std::io;
use std::path::Path;

use crate::failure::Outcome;

/// Refuses to write what nobody can receive.
pub(crate) fn check_stdout() -> Outcome<()> {
    if !before_main::was_closed() {
        return Ok(());
    }
    let source = io::Error::other("it is closed");
    Err(isotherm_io::Error::io(Path::new("<stdout>"), "write", source).into())
}

#[cfg(unix)]
#[allow(unsafe_code)]
mod before_main {
    use std::sync::atomic::{AtomicBool, Ordering};

    static CLOSED: AtomicBool = AtomicBool::new(false);

    pub(super) fn was_closed() -> bool {
        CLOSED.load(Ordering::Relaxed)
    }

    extern "C" fn look() {
        // SAFETY: fcntl with F_GETFD takes no pointer and changes nothing; it fails exactly where
        // the descriptor is not open.
        let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
        CLOSED.store(flags == -1, Ordering::Relaxed);
    }

    // SAFETY: the section holds functions without arguments, which the loader calls one by one
    // before main. This one needs nothing of what Rust sets up there.
    #[used]
    #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
    #[cfg_attr(
        target_vendor = "apple",
        unsafe(link_section = "__DATA,__mod_init_func")
    )]
    static LOOK: extern "C" fn() = look;
}

#[cfg(not(unix))]
mod before_main {
    /// Handles that are closed are reported by the first write there.
    pub(super) fn was_closed() -> bool {
        false
    }
}
