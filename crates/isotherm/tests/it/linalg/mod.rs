mod block;
mod factor;
mod gemm;
mod pairwise;
mod sparse_cholesky;
mod tiles;
