mod algebra;
mod gram;
mod sparse;
