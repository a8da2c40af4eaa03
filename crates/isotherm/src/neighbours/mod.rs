//! Nearest rows of a table: by every distance, or by those of near cells. Of sparse rows always
//! by every distance.

mod approximate;
mod candidates;
mod cells;
mod exact;
mod lists;
mod sparse;

pub(crate) use approximate::exact_is_affordable;
pub use approximate::{Found, Recall, Search, find, find_among};
pub(crate) use exact::check as check_count;
pub use exact::{neighbours, search};
pub use lists::Neighbours;
