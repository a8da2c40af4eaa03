mod bandwidth;
mod graph;
mod neighbours;
mod order;
