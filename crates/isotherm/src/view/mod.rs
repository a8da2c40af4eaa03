//! Geometry for pictures: planes, maps, decision regions, class balance. Each is asked of a
//! [`Study`](crate::study::Study).

pub mod balance;
mod decision;
mod layout;
mod map;
mod modes;
mod place;
mod plane;
mod stretch;

pub use balance::Balance;
pub use decision::Decision;
pub use map::{Map, Placed};
pub use plane::{Plane, PlaneKind, PlaneMode, PlaneOptions};
