#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::kernel::Linear;
use crate::testing::kernel::{check, check_slope};

#[test]
fn keeps_the_kernel_contract() {
    check(Box::new(Linear), &|t| t).unwrap();
    check_slope(&Linear).unwrap();
}
