//! The table every benchmark fills.

/// One workload: ours, a peer's, and what the hardware would allow.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Row {
    /// What was computed, with its sizes.
    pub workload: String,
    /// Our best time, in seconds.
    pub ours_s: f64,
    /// What a user would run instead.
    pub peer: String,
    /// Its best time, in seconds; NaN when it was not run.
    pub peer_s: f64,
    /// How many times faster ours is.
    pub ratio: f64,
    /// The hardware's limit that binds.
    pub limit_name: String,
    /// The time at that limit over our time.
    pub fraction_of_limit: f64,
}
