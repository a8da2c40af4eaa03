mod bandwidth;
mod neighbours;
