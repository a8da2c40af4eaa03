mod factor;
mod pairwise;
