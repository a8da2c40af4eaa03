mod block;
mod factor;
mod gemm;
mod pairwise;
mod screen;
mod tiles;
