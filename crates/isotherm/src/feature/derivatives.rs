//! Landmarks with their derivatives: `k_z` and `∂ₐk_z`, p(d + 1) functions.  [KLAP Example 1, §3.2]
//!
//! The exact minimiser of Eq 5 is of this form (the representer theorem), with `k_z`
//! at the labelled rows and `∂ₐk_z` at every row. The span of `k_z` alone cannot
//! flatten a function across the data, only along it.
//!
//! With t = R or x·z: `∂₁ₐ∂₂ᵦk = −2k′δ − 4k″(x − z)ₐ(x − z)ᵦ`, or `k′δ + k″zₐxᵦ`.

use std::sync::Arc;

use super::{Features, Form};
use crate::data::{Fingerprint, Points};
use crate::error::{Error, Result};
use crate::kernel::{Geometry, SmoothKernel};
use crate::linalg::Mat;
use crate::linalg::Precision;
use crate::monitor::Monitor;

/// `k_z` at some points, then `∂ₐk_z` at others: point by point, coordinate by coordinate.
#[derive(Debug, Clone)]
pub struct WithDerivatives {
    plain: Option<Arc<Points>>,
    bent: Arc<Points>,
    kernel: Arc<dyn SmoothKernel>,
}

/// What one function is.
#[derive(Clone, Copy)]
enum Part<'a> {
    Value(&'a [f64]),
    Slope(&'a [f64], usize),
}

impl WithDerivatives {
    /// `k_z` at `plain` (if any) and all `∂ₐk_z` at `bent`.
    ///
    /// # Errors
    /// [`Error::Shape`] when the two have different columns.
    pub fn new(
        plain: Option<Arc<Points>>,
        bent: Arc<Points>,
        kernel: Arc<dyn SmoothKernel>,
    ) -> Result<Self> {
        if let Some(plain) = &plain
            && plain.dim() != bent.dim()
        {
            return Err(Error::Shape {
                what: "features of the landmarks with derivatives",
                expected: plain.dim(),
                got: bent.dim(),
            });
        }
        // They are read for every function and row.
        let gathered = |points: Arc<Points>| match points.contiguous() {
            Some(_) => points,
            None => Arc::new(points.gathered()),
        };
        Ok(Self {
            plain: plain.map(gathered),
            bent: gathered(bent),
            kernel,
        })
    }

    /// The points of `k_z`, if any, and those of `∂ₐk_z`.
    pub fn points(&self) -> (Option<&Arc<Points>>, &Arc<Points>) {
        (self.plain.as_ref(), &self.bent)
    }

    fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        let d = self.bent.dim();
        let plain = self.plain.as_deref().and_then(Points::contiguous);
        let plain = plain.unwrap_or_default().chunks_exact(d);
        let bent = self.bent.contiguous().unwrap_or_default().chunks_exact(d);
        plain
            .map(Part::Value)
            .chain(bent.flat_map(move |z| (0..d).map(move |a| Part::Slope(z, a))))
    }

    fn t(&self, x: &[f64], z: &[f64]) -> f64 {
        let pairs = x.iter().zip(z);
        match self.kernel.geometry() {
            Geometry::SquaredDistance => pairs.map(|(a, b)| (a - b) * (a - b)).sum(),
            // No kernel with a gradient is of another geometry.
            _ => pairs.map(|(a, b)| a * b).sum(),
        }
    }

    /// k, k′ and k″ of a pair.
    fn jet(&self, x: &[f64], z: &[f64]) -> (f64, f64, f64) {
        let t = self.t(x, z);
        let (mut value, mut slope) = ([t], [0.0]);
        self.kernel.value_and_slope(&mut value, &mut slope);
        (value[0], slope[0], self.kernel.curvature(t))
    }

    /// ∂₁ₐk(x, z) of a slope.
    fn along_first(&self, slope: f64, x: &[f64], z: &[f64], a: usize) -> f64 {
        match self.kernel.geometry() {
            Geometry::SquaredDistance => 2.0 * slope * (x[a] - z[a]),
            _ => slope * z[a],
        }
    }

    /// ∂₁ₐ∂₂ᵦk(x, z).
    fn both(
        &self,
        (slope, curvature): (f64, f64),
        x: &[f64],
        z: &[f64],
        a: usize,
        b: usize,
    ) -> f64 {
        let same = f64::from(u8::from(a == b));
        match self.kernel.geometry() {
            Geometry::SquaredDistance => {
                -2.0 * slope * same - 4.0 * curvature * (x[a] - z[a]) * (x[b] - z[b])
            }
            _ => slope * same + curvature * z[a] * x[b],
        }
    }

    /// The value of a function at a row.
    fn value(&self, part: Part<'_>, x: &[f64]) -> f64 {
        match part {
            Part::Value(z) => self.jet(x, z).0,
            // ∂₂ₐk(x, z) = ∂₁ₐk(z, x)
            Part::Slope(z, a) => self.along_first(self.jet(x, z).1, z, x, a),
        }
    }

    /// ∂ₐ of a function at a row.
    fn slope(&self, part: Part<'_>, x: &[f64], a: usize) -> f64 {
        match part {
            Part::Value(z) => self.along_first(self.jet(x, z).1, x, z, a),
            Part::Slope(z, b) => {
                let (_, slope, curvature) = self.jet(x, z);
                self.both((slope, curvature), x, z, a, b)
            }
        }
    }
}

impl Features for WithDerivatives {
    fn len(&self) -> usize {
        let plain = self.plain.as_ref().map_or(0, |p| p.len());
        plain + self.bent.len() * self.bent.dim()
    }

    fn dim(&self) -> usize {
        self.bent.dim()
    }

    fn gram(&self, _: &mut dyn Monitor) -> Result<Mat<f64>> {
        let parts: Vec<Part<'_>> = self.parts().collect();
        Ok(Mat::from_fn(parts.len(), parts.len(), |i, j| {
            match (parts[i], parts[j]) {
                // ⟨φ, k_z⟩ = φ(z), ⟨φ, ∂ₐk_z⟩ = ∂ₐφ(z)
                (part, Part::Value(z)) => self.value(part, z),
                (part, Part::Slope(z, a)) => self.slope(part, z, a),
            }
        }))
    }

    fn values(&self, rows: &[f64], out: &mut [f64]) {
        let p = self.len();
        for (x, out) in rows.chunks_exact(self.dim()).zip(out.chunks_exact_mut(p)) {
            for (part, slot) in self.parts().zip(out) {
                *slot = self.value(part, x);
            }
        }
    }

    fn gradients(&self, rows: &[f64], out: &mut [f64]) {
        let (p, d) = (self.len(), self.dim());
        for (i, x) in rows.chunks_exact(d).enumerate() {
            for a in 0..d {
                let out = &mut out[(i * d + a) * p..][..p];
                for (part, slot) in self.parts().zip(out) {
                    *slot = self.slope(part, x, a);
                }
            }
        }
    }

    fn fingerprint(&self) -> u64 {
        let plain = self.plain.as_ref().map(|p| p.tile(0..p.len()));
        Fingerprint::new("derivatives")
            .text(&format!("{:?}", self.kernel))
            .number(self.bent.dim() as u64)
            .floats(plain.as_deref().unwrap_or_default())
            .floats(&self.bent.tile(0..self.bent.len()))
            .value()
    }

    fn form(&self) -> Form<'_> {
        Form::Explicit
    }

    fn factors(
        &self,
        rows: &[f64],
        values: &mut [f64],
        _: &mut [f64],
        _: &mut [f64],
        _: Precision,
    ) {
        self.values(rows, values);
    }
}
