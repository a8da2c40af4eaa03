mod lists;
mod named_columns;
mod one_hot;
mod profile;
