mod atomic;
mod compression;
mod tables;
