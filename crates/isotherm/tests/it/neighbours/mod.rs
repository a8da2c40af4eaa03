mod approximate;
mod exact;
