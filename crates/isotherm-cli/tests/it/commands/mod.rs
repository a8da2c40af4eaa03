//! One file per command, as in `src/commands/`.

mod check;
mod evaluate_next;
mod explain;
mod fit_predict;
mod label;
mod label_graph;
mod merge;
mod plot;
mod relations;
mod report;
mod rerun;
mod stream;
mod tune;
