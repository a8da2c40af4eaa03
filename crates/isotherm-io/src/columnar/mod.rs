//! Binary tables stored column by column: Arrow and Parquet.

pub mod arrow;
pub mod parquet;
mod reading;
