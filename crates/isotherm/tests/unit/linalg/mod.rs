mod block;
mod factor;
mod gemm;
mod pairwise;
mod screen;
mod sparse_cholesky;
mod tiles;
