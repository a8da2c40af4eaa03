//! What every prior has to do in a ledger, and every strategy with it.

use super::operator::close;
use crate::estimator::Prior;
use crate::linalg::{Mat, cholesky, gemm};
use crate::monitor::Quiet;
use crate::query::{Acquisition, Ledger};

/// A Gaussian process over all rows, from its kernel matrix: the slow obvious twin.
struct Process {
    /// Posterior means, N × K.
    scores: Mat<f64>,
    /// Posterior covariance, N × N.
    covariance: Mat<f64>,
    /// `tr Yᵀ(K_ll + cI)⁻¹Y`.
    energy: f64,
}

/// `FFᵀ` and, within components, `eeᵀ`.
pub fn kernel(prior: &Prior) -> Mat<f64> {
    let f = prior.features();
    let mut kernel = gemm::times(f, f.transpose());
    if let Some(level) = prior.level() {
        for j in 0..prior.len() {
            for i in 0..prior.len() {
                if level.component[i] == level.component[j] {
                    kernel[(i, j)] += level.entry[i] * level.entry[j];
                }
            }
        }
    }
    kernel
}

impl Process {
    fn new(kernel: &Mat<f64>, noise: f64, labels: &[(usize, Vec<f64>)]) -> Result<Self, String> {
        let (n, l) = (kernel.nrows(), labels.len());
        let outputs = labels.first().map_or(0, |(_, y)| y.len());
        let system = Mat::from_fn(l, l, |i, j| {
            kernel[(labels[i].0, labels[j].0)] + if i == j { noise } else { 0.0 }
        });
        let factor =
            cholesky::factor(system, "K + c", "", &mut Quiet).map_err(|e| e.to_string())?;
        let targets = Mat::from_fn(l, outputs, |i, k| labels[i].1[k]);
        let mut alpha = targets.clone();
        factor.solve_in_place(alpha.as_mut());
        let cross = Mat::from_fn(n, l, |i, j| kernel[(i, labels[j].0)]);
        let mut half = cross.transpose().to_owned();
        factor.solve_half_in_place(half.as_mut());
        let taken = gemm::times(half.transpose(), half.as_ref());
        let products = (0..outputs).flat_map(|k| (0..l).map(move |i| (i, k)));
        Ok(Self {
            scores: gemm::times(cross.as_ref(), alpha.as_ref()),
            covariance: kernel - taken,
            energy: products.map(|at| targets[at] * alpha[at]).sum(),
        })
    }

    fn total(&self) -> f64 {
        (0..self.covariance.nrows())
            .map(|i| self.covariance[(i, i)])
            .sum()
    }

    fn of_sum(&self) -> f64 {
        let n = self.covariance.nrows();
        (0..n)
            .flat_map(|i| (0..n).map(move |j| (i, j)))
            .map(|at| self.covariance[at])
            .sum()
    }
}

fn target(class: u32, classes: usize) -> Vec<f64> {
    let even = 1.0 / classes as f64;
    (0..classes)
        .map(|k| {
            if k == class as usize {
                1.0 - even
            } else {
                -even
            }
        })
        .collect()
}

/// Checks a ledger of three classes with these labels against a Gaussian process with the
/// kernel `FFᵀ`, and the closed forms of maximin, V- and Σ-optimality against refitting
/// with every row (and every class) that could be next. For priors of up to some 60 rows.
///
/// # Errors
/// A sentence saying what does not hold.
pub fn check(
    prior: &Prior,
    noise: f64,
    labels: &[(usize, u32)],
    tolerance: f64,
) -> Result<(), String> {
    const CLASSES: usize = 3;
    let n = prior.len();
    let kernel = kernel(prior);
    let mut ledger = Ledger::classes(prior, CLASSES, noise).map_err(|e| e.to_string())?;
    for &(row, class) in labels {
        ledger.add_class(row, class).map_err(|e| e.to_string())?;
    }
    let known: Vec<(usize, Vec<f64>)> = (labels.iter())
        .map(|&(row, class)| (row, target(class, CLASSES)))
        .collect();
    let now = Process::new(&kernel, noise, &known)?;
    let scores = Mat::from_fn(n, CLASSES, |i, k| ledger.scores(i)[k]);
    close(
        "scores and a Gaussian process's means",
        &scores,
        &now.scores,
        tolerance,
    )?;
    let column = |values: &[f64]| Mat::from_fn(values.len(), 1, |i, _| values[i]);
    let own: Vec<f64> = (0..n).map(|i| now.covariance[(i, i)]).collect();
    close(
        "variances",
        &column(ledger.variances()),
        &column(&own),
        tolerance,
    )?;

    let pass = |strategy: Acquisition| {
        strategy
            .scores(&ledger, &mut Quiet)
            .map_err(|e| e.to_string())
    };
    let (maximin, v, sigma) = (
        pass(Acquisition::Maximin)?,
        pass(Acquisition::VOptimal)?,
        pass(Acquisition::SigmaOptimal)?,
    );
    let open: Vec<usize> = (0..n).filter(|i| !ledger.has(*i)).collect();
    let mut twins = [
        vec![0.0; open.len()],
        vec![0.0; open.len()],
        vec![0.0; open.len()],
    ];
    for (k, &row) in open.iter().enumerate() {
        let mut least = f64::INFINITY;
        for class in 0..CLASSES as u32 {
            let mut more = known.clone();
            more.push((row, target(class, CLASSES)));
            let next = Process::new(&kernel, noise, &more)?;
            let label = ledger.one_hot(row, class).map_err(|e| e.to_string())?;
            let closed = ledger.energy(row, &label).map_err(|e| e.to_string())?;
            let grown = next.energy - now.energy;
            if (closed - grown).abs() > tolerance * now.energy.max(grown) {
                return Err(format!(
                    "row {row} as class {class} adds {grown:e} to the energy, not {closed:e}"
                ));
            }
            least = least.min(grown);
            twins[1][k] = now.total() - next.total();
            twins[2][k] = now.of_sum() - next.of_sum();
        }
        twins[0][k] = if kernel[(row, row)] > 0.0 { least } else { 0.0 };
    }
    for (name, fast, slow) in [
        ("maximin and refits", &maximin, &twins[0]),
        ("v-optimal and refits", &v, &twins[1]),
        ("sigma-optimal and refits", &sigma, &twins[2]),
    ] {
        let fast: Vec<f64> = open.iter().map(|&row| fast[row]).collect();
        let largest = slow.iter().fold(0.0_f64, |m, s| m.max(s.abs()));
        let scaled = |values: &[f64]| Mat::from_fn(values.len(), 1, |i, _| values[i] / largest);
        close(name, &scaled(&fast), &scaled(slow), tolerance)?;
    }
    Ok(())
}
