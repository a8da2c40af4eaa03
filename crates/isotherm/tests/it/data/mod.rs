mod graph;
mod order;
