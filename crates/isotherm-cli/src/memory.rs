//! How much memory may be used.

/// Three quarters of what is free, or everything where the system does not tell.
pub(crate) fn allowed(told: Option<u64>) -> u64 {
    told.or_else(|| free().map(|free| free / 4 * 3))
        .unwrap_or(u64::MAX)
}

/// What the kernel says is available, and no more than the group's limit.
fn free() -> Option<u64> {
    let about = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = about.lines().find(|l| l.starts_with("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    let available = kilobytes.saturating_mul(1024);
    let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let limit = group.and_then(|t| t.trim().parse::<u64>().ok());
    Some(limit.map_or(available, |limit| limit.min(available)))
}

/// What this process holds already, its tables among it; 0 where the system
/// does not tell.
pub(crate) fn in_use() -> u64 {
    let about = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = about.lines().find(|l| l.starts_with("VmRSS:"));
    let kilobytes = line.and_then(|l| l.split_whitespace().nth(1)?.parse::<u64>().ok());
    kilobytes.unwrap_or(0).saturating_mul(1024)
}
