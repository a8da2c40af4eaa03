mod approximate;
mod exact;
mod sparse;
