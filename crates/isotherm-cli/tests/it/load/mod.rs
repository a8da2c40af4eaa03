//! What goes in: tables, text, labels, models that are no such.

mod ambiguous_cells;
mod damaged_models;
mod degenerate;
mod formats;
mod label_spellings;
mod pictures;
mod refusals;
mod sentences;
mod sources;
mod unusual_text;
