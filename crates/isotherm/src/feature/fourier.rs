//! Random Fourier features, `φⱼ(x) = √(2/p) cos(wⱼ·x + bⱼ)`.  [KLAP §3.2; Rahimi and Recht 2007]
//!
//! `E⟨φ(x), φ(z)⟩ = k(x, z)` for frequencies drawn from the kernel's spectral
//! density: normal with deviation 1/σ for the Gaussian, Student's t with 2ν degrees
//! of freedom and scale 1/ℓ for Matérn ν. The space is ℝᵖ itself, so `T*T = I`, and
//! the gradients are exact: those of the approximating kernel.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rand_distr::{ChiSquared, Distribution as _, StandardNormal};

use super::{Features, Form};
use crate::data::Fingerprint;
use crate::error::{Error, Refusal, Result};
use crate::kernel::{KernelSpec, Smoothness};
use crate::linalg::gemm::{self, Write};
use crate::linalg::{Mat, MatMut, MatRef, Precision};
use crate::monitor::Monitor;

/// p waves of seeded frequency and phase.
#[derive(Debug, Clone)]
pub struct Fourier {
    dim: usize,
    /// One frequency after the other, p × d.
    frequencies: Vec<f64>,
    phases: Vec<f64>,
    /// `W Wᵀ`.
    mutual: Mat<f64>,
}

impl Fourier {
    /// Draws `count` waves for rows of `dim` numbers.
    ///
    /// # Errors
    /// [`Error::Parameter`] when the bandwidth is still `auto`; [`Error::Refused`] for a
    /// kernel without such waves.
    pub fn draw(spec: &KernelSpec, dim: usize, count: usize, seed: u64) -> Result<Self> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (bandwidth, freedom) = match spec {
            KernelSpec::Gaussian { bandwidth } => (bandwidth.number()?, None),
            KernelSpec::Matern {
                smoothness,
                bandwidth,
            } => {
                let twice = match smoothness {
                    Smoothness::ThreeHalves => 3.0,
                    Smoothness::FiveHalves => 5.0,
                };
                (bandwidth.number()?, Some(twice))
            }
            other => {
                return Err(Error::refused(
                    Refusal::Kernel,
                    format!(
                        "the {} kernel has no random Fourier features here",
                        other.name()
                    ),
                    "use gaussian or matern, or landmarks instead",
                ));
            }
        };
        let chi = |freedom: f64| {
            ChiSquared::new(freedom)
                .map_err(|_| Error::parameter("smoothness", "3/2 or 5/2", freedom))
        };
        let chi = freedom.map(|f| chi(f).map(|c| (f, c))).transpose()?;
        let mut frequencies = Vec::with_capacity(count * dim);
        for _ in 0..count {
            let stretch = match &chi {
                None => 1.0,
                Some((freedom, chi)) => (freedom / chi.sample(&mut rng)).sqrt(),
            };
            for _ in 0..dim {
                let normal: f64 = StandardNormal.sample(&mut rng);
                frequencies.push(normal * stretch / bandwidth);
            }
        }
        let phase = |_| rng.random_range(0.0..std::f64::consts::TAU);
        let phases = (0..count).map(phase).collect();
        Ok(Self::new(dim, frequencies, phases))
    }

    /// Waves with these frequencies (one after the other) and phases.
    pub fn new(dim: usize, frequencies: Vec<f64>, phases: Vec<f64>) -> Self {
        let w = MatRef::from_row_major_slice(&frequencies, phases.len(), dim);
        let mutual = gemm::times(w, w.transpose());
        Self {
            dim,
            frequencies,
            phases,
            mutual,
        }
    }

    /// Frequencies, one after the other, and phases.
    pub fn waves(&self) -> (&[f64], &[f64]) {
        (&self.frequencies, &self.phases)
    }

    fn scale(&self) -> f64 {
        (2.0 / self.phases.len() as f64).sqrt()
    }

    /// `x·w + b` of every row and wave.
    fn angles(&self, rows: &[f64], out: &mut [f64]) {
        let (count, p) = (rows.len() / self.dim, self.phases.len());
        gemm::product(
            MatMut::from_row_major_slice_mut(&mut *out, count, p),
            Write::Replace,
            MatRef::from_row_major_slice(rows, count, self.dim),
            MatRef::from_row_major_slice(&self.frequencies, p, self.dim).transpose(),
            1.0,
        );
        for row in out.chunks_exact_mut(p) {
            row.iter_mut().zip(&self.phases).for_each(|(v, b)| *v += b);
        }
    }

    /// The same with products in single precision.
    fn angles_single(&self, rows: &[f64], out: &mut [f64]) {
        let (count, p) = (rows.len() / self.dim, self.phases.len());
        let narrow = |of: &[f64]| -> Vec<f32> { of.iter().map(|v| *v as f32).collect() };
        let (rows, waves) = (narrow(rows), narrow(&self.frequencies));
        let mut products = vec![0.0_f32; count * p];
        gemm::product_f32(
            MatMut::from_row_major_slice_mut(&mut products, count, p),
            MatRef::from_row_major_slice(&rows, count, self.dim),
            MatRef::from_row_major_slice(&waves, p, self.dim).transpose(),
        );
        for (out, row) in out.chunks_exact_mut(p).zip(products.chunks_exact(p)) {
            let cells = out.iter_mut().zip(row).zip(&self.phases);
            cells.for_each(|((out, v), b)| *out = f64::from(*v) + b);
        }
    }
}

impl Features for Fourier {
    fn len(&self) -> usize {
        self.phases.len()
    }

    fn dim(&self) -> usize {
        self.dim
    }

    fn gram(&self, _: &mut dyn Monitor) -> Result<Mat<f64>> {
        Ok(Mat::identity(self.len(), self.len()))
    }

    fn values(&self, rows: &[f64], out: &mut [f64]) {
        self.angles(rows, out);
        let scale = self.scale();
        out.iter_mut().for_each(|v| *v = scale * v.cos());
    }

    /// ∂ₐφⱼ = −√(2/p) wⱼₐ sin(wⱼ·x + bⱼ)
    fn gradients(&self, rows: &[f64], out: &mut [f64]) {
        let (count, p, d) = (rows.len() / self.dim, self.len(), self.dim);
        let mut angles = vec![0.0; count * p];
        self.angles(rows, &mut angles);
        let scale = self.scale();
        for i in 0..count {
            for j in 0..p {
                let slope = -scale * angles[i * p + j].sin();
                for a in 0..d {
                    out[(i * d + a) * p + j] = slope * self.frequencies[j * d + a];
                }
            }
        }
    }

    fn fingerprint(&self) -> u64 {
        Fingerprint::new("waves")
            .number(self.dim as u64)
            .floats(&self.frequencies)
            .floats(&self.phases)
            .value()
    }

    fn form(&self) -> Form<'_> {
        Form::Directions(&self.mutual)
    }

    fn factors(
        &self,
        rows: &[f64],
        values: &mut [f64],
        first: &mut [f64],
        _: &mut [f64],
        precision: Precision,
    ) {
        match precision {
            Precision::Double => self.angles(rows, values),
            Precision::Single => self.angles_single(rows, values),
        }
        let scale = self.scale();
        for (v, g) in values.iter_mut().zip(first) {
            let (sin, cos) = v.sin_cos();
            (*v, *g) = (scale * cos, -scale * sin);
        }
    }
}
