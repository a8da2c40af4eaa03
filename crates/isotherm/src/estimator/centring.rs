//! Whether a mean is taken off labels before a fit.

/// Whether labels were centred by the mean of all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Centring {
    /// As given.
    None,
    /// By their mean, which leaving one out changes too.
    Mean,
}

impl Centring {
    /// By their mean if so wanted.
    pub(super) fn if_wanted(wanted: bool) -> Self {
        if wanted { Self::Mean } else { Self::None }
    }
}
