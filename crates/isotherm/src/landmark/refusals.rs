//! What every way to choose landmarks refuses.

use crate::error::{Error, Refusal, Result};

/// The kernel has nothing to choose by.
pub(super) fn zero() -> Error {
    Error::refused(
        Refusal::Kernel,
        "the kernel is 0 on every row",
        "choose another kernel, or features that are not all zero",
    )
}

/// The kernel overflowed.
pub(super) fn overflow(phase: &'static str) -> Error {
    Error::NotFinite {
        phase,
        hint: "scale the columns to comparable size or lower the kernel's degree".into(),
    }
}

/// `rows × cols` zeros, or a refusal where the system has no room for them.
pub(super) fn zeros(what: &str, rows: usize, cols: usize) -> Result<Vec<f64>> {
    let len = rows.checked_mul(cols);
    let mut probe: Vec<f64> = Vec::new();
    match len {
        Some(len) if probe.try_reserve_exact(len).is_ok() => {
            drop(probe);
            Ok(vec![0.0; len])
        }
        _ => Err(Error::no_memory(
            format!("{what} of {rows} rows and {cols} columns"),
            (rows as u64).saturating_mul(cols as u64).saturating_mul(8),
        )),
    }
}
