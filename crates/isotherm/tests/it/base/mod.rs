mod kernel_base;
