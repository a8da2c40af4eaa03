mod batches;
mod footprint;
mod several;
