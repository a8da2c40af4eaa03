mod kernel_base;
mod neighbour_base;
mod similarity_base;
