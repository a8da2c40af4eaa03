//! `isotherm check`.
use crate::args::Check;
use crate::failure::Outcome;
use crate::talk::Talk;
use isotherm::monitor::Monitor;
pub(crate) fn run(
    _args: &Check,
    _memory: u64,
    _talk: &Talk,
    _monitor: &mut dyn Monitor,
) -> Outcome<()> {
    Ok(())
}
