//! The methods against closed forms, dense matrices and refits.

mod contracts;
mod laplacian;
mod smoother;
mod stkr;
mod subsets;
