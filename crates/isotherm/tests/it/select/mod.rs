//! Grids of parameters.

mod laplacian;
mod reach;
