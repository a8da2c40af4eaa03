//! Numpy arrays, one or several in a file.

pub mod npy;
mod npy_header;
pub mod npz;
