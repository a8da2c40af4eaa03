//! Pictures as points: a small patch, its colours, and histograms of its gradients.
//!
//! Simple on purpose: no network that has seen other pictures. It tells apart what differs by
//! shape, shade and colour at a small size, not what a thing is called.

mod gradients;
#[allow(clippy::module_inception)]
mod picture;
mod resize;

pub(crate) use gradients::histograms;
pub use picture::Picture;
pub(crate) use resize::squared;
