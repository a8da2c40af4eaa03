//! Tables out, whole or not at all.

pub mod atomic;
pub(crate) mod column_type;
pub(crate) mod compression;
mod tables;
pub mod temporary_files;
mod text_rows;

pub use tables::{
    Destination, WriteOptions, format_of, write_parts, write_parts_with, write_table,
    write_table_with,
};
pub use text_rows::Formulas;
