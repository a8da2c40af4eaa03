//! Nearest rows of a table: by every distance, or by those of near cells.

mod approximate;
mod candidates;
mod cells;
mod exact;
mod lists;

pub use approximate::{Found, GOAL, Recall, Search, exact_is_affordable, find, find_among};
pub use exact::{neighbours, search};
pub use lists::Neighbours;
