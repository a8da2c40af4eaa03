mod pairwise;
