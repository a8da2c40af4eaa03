pub(crate) mod arrow;
mod parquet;
