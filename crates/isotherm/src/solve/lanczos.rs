//! TEMP
use crate::error::Result;
use crate::linalg::{Block, Mat, eigen};
use crate::monitor::Monitor;
use crate::operator::Operator;
use crate::spectrum::SpectralFunction;
#[allow(missing_docs)]
pub struct FunctionReport {
    pub steps: usize,
    pub error: f64,
    pub converged: bool,
}
#[allow(missing_docs)]
pub fn functions(
    operator: &dyn Operator,
    rhs: Block,
    functions: &[&dyn SpectralFunction],
    watched: &[usize],
    tolerance: f64,
    at_most: usize,
    monitor: &mut dyn Monitor,
) -> Result<(Vec<Mat<f64>>, FunctionReport)> {
    let mut out = vec![];
    for f in functions {
        let (b, _) = apply(operator, rhs.clone(), *f, tolerance, at_most, monitor)?;
        out.push(Mat::from_fn(watched.len(), rhs.cols(), |i, j| {
            b.row(watched[i])[j]
        }));
    }
    Ok((
        out,
        FunctionReport {
            steps: 0,
            error: 0.0,
            converged: true,
        },
    ))
}
#[allow(missing_docs)]
pub fn apply(
    operator: &dyn Operator,
    rhs: Block,
    function: &dyn SpectralFunction,
    _tolerance: f64,
    _at_most: usize,
    monitor: &mut dyn Monitor,
) -> Result<(Block, FunctionReport)> {
    let n = operator.dim();
    let id = Block::copy_of(Mat::<f64>::identity(n, n).as_ref())?;
    let mut a = Mat::zeros(n, n);
    operator.apply(id.as_mat(), a.as_mut(), monitor)?;
    let e = eigen::symmetric(a.as_ref())?;
    let r = e.vectors.transpose() * rhs.as_mat();
    let r = Mat::from_fn(n, rhs.cols(), |i, j| function.at(e.values[i]) * r[(i, j)]);
    let x = &e.vectors * &r;
    Ok((
        Block::copy_of(x.as_ref())?,
        FunctionReport {
            steps: 0,
            error: 0.0,
            converged: true,
        },
    ))
}
