//! A table in memory: named columns of cells, and where they came from.

pub(crate) mod calendar;
mod cell_values;
pub mod cells;
pub(crate) mod concat;
pub mod lines;
pub mod lists;
mod named_columns;
pub(crate) mod numbers;
pub mod one_hot;
mod origin;
pub mod profile;
pub(crate) mod survey;

pub(crate) use cell_values::{number, text};
pub use named_columns::{Column, Table};
pub(crate) use named_columns::{check_names, finish};
pub use numbers::MISSING;
pub use origin::Origin;
