//! TEMP
use crate::error::Result;
use crate::linalg::{Block, Mat, eigen};
use crate::monitor::Monitor;
use crate::operator::Symmetric;
#[allow(missing_docs)]
pub struct Leading {
    pub values: Vec<f64>,
    pub vectors: Mat<f64>,
    pub residuals: Vec<f64>,
    pub products: usize,
    pub converged: bool,
}
#[allow(missing_docs)]
pub struct LeadingOptions {
    pub tolerance: f64,
    pub seed: u64,
    pub at_most: usize,
}
#[allow(missing_docs)]
pub fn leading(
    operator: &dyn Symmetric,
    count: usize,
    _: &LeadingOptions,
    monitor: &mut dyn Monitor,
) -> Result<Leading> {
    let n = operator.dim();
    let id = Block::copy_of(Mat::<f64>::identity(n, n).as_ref())?;
    let mut out = Mat::zeros(n, n);
    operator.apply(id.as_mat(), out.as_mut(), monitor)?;
    let e = eigen::symmetric(out.as_ref())?;
    let count = count.min(n);
    Ok(Leading {
        values: (0..count).map(|k| e.values[n - 1 - k]).collect(),
        vectors: Mat::from_fn(n, count, |i, k| e.vectors[(i, n - 1 - k)]),
        residuals: vec![0.0; count],
        products: n,
        converged: true,
    })
}
#[allow(missing_docs)]
pub fn leading_by_component(
    operator: &dyn Symmetric,
    _: &[u32],
    count: usize,
    o: &LeadingOptions,
    monitor: &mut dyn Monitor,
) -> Result<Leading> {
    leading(operator, count, o, monitor)
}
