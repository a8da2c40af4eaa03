mod label_cells;
mod merge;
mod node_labels;
mod spellings;
