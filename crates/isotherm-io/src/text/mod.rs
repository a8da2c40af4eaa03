//! Tables as text: CSV and its relatives, JSON lines, and sheets of workbooks.

pub(crate) mod blocks;
pub mod csv;
pub(crate) mod detection;
pub mod dialect;
pub mod encoding;
pub mod formulas;
mod json_column;
pub mod json_lines;
mod json_scan;
pub(crate) mod opening;
pub(crate) mod plain_columns;
pub(crate) mod records;
pub(crate) mod workbook;
