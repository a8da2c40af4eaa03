use isotherm::kernel::Linear;
use isotherm::testing::kernel::{check, check_slope};

#[test]
fn keeps_the_kernel_contract() {
    check(Box::new(Linear), &|t| t).unwrap();
    check_slope(&Linear).unwrap();
}
