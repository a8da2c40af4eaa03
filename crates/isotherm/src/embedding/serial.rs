//! Embedding ↔ parts, checked on the way in.

use super::embed::{Embedding, EmbeddingParams, Ground};
use crate::base::{Adjacency, Base, FeatureBase, GraphBase, KernelBase, Storage};
use crate::data::Rescaling;
use crate::error::Result;
use crate::linalg::{Mat, MatRef};
use crate::model::graph_parts::{put_graph, take_graph};
use crate::model::parts::{Parts, broken, close, from_json, json, message, open, row_major};
use crate::model::serial::{
    put_basis, put_neighbours, put_points, put_rescaling, take_basis, take_neighbours, take_points,
    take_rescaling,
};
use crate::solve::SolveReport;

impl Embedding {
    /// The embedding laid out flat.
    pub fn to_parts(&self) -> Parts {
        let mut parts = message("embedding");
        parts.text("params", json(&self.params));
        parts.text("report", json(&self.report));
        put_rescaling(&mut parts, self.scaling.as_ref());
        let k = self.eigenvalues.len();
        parts.floats("eigenvalues", vec![k], self.eigenvalues.clone());
        parts.floats("offset", vec![k], self.offset.clone());
        for (name, table) in [
            ("visible", &self.visible),
            ("coefficients", &self.coefficients),
        ] {
            let shape = vec![table.nrows(), table.ncols()];
            parts.floats(name, shape, row_major(table.as_ref()));
        }
        match &self.ground {
            Ground::Kernel(base) => put_points(&mut parts, base.points()),
            Ground::Features(base) => put_basis(&mut parts, base.basis()),
            Ground::Neighbours(base) => {
                put_points(&mut parts, base.points());
                put_neighbours(&mut parts, base);
            }
            Ground::Graph(base) => put_graph(&mut parts, base.graph()),
        }
        parts
    }

    /// Puts an embedding together from its parts.
    ///
    /// # Errors
    /// [`crate::Error::Refused`] naming the part that is missing, of the wrong shape or not
    /// what it should be.
    pub fn from_parts(mut parts: Parts) -> Result<Self> {
        open(&mut parts, "embedding")?;
        let params: EmbeddingParams = from_json(&parts.take_text("params")?, "params")?;
        let report: SolveReport = from_json(&parts.take_text("report")?, "report")?;
        let scaling = take_rescaling(&mut parts)?;
        let (shape, eigenvalues) = parts.take_floats("eigenvalues", &[None])?;
        let k = shape[0];
        let (_, offset) = parts.take_floats("offset", &[Some(k)])?;
        let visible = take_matrix(&mut parts, "visible", None, k)?;
        let ground = take_ground(&mut parts, &params)?;
        let anchors = match &ground {
            Ground::Kernel(base) => base.len(),
            Ground::Features(base) => base.len(),
            Ground::Neighbours(base) => base.len(),
            Ground::Graph(base) => base.len(),
        };
        let coefficients = take_matrix(&mut parts, "coefficients", Some(anchors), k)?;
        close(&parts)?;
        if k == 0 || eigenvalues.iter().chain(&offset).any(|v| !v.is_finite()) {
            return Err(broken("eigenvalues", "must be finite, at least one"));
        }
        let found = Self {
            params,
            scaling,
            eigenvalues,
            visible,
            report,
            coefficients,
            offset,
            ground,
        };
        let scaled = found.scaling.as_ref().and_then(Rescaling::dim);
        if scaled.is_none() || scaled == found.dim() {
            Ok(found)
        } else {
            Err(broken("column_mean", "does not fit the anchors"))
        }
    }
}

fn take_ground(parts: &mut Parts, params: &EmbeddingParams) -> Result<Ground> {
    Ok(match params {
        EmbeddingParams::Laplacian(params) => {
            params.check()?;
            Ground::Features(FeatureBase::new(take_basis(parts, &params.kernel)?))
        }
        EmbeddingParams::Stkr {
            kernel: Some(kernel),
            ..
        } => {
            let points = take_points(parts)?;
            Ground::Kernel(KernelBase::new(points, kernel.build()?, Storage::Tiled))
        }
        EmbeddingParams::Stkr { normalisation, .. } => {
            let normalisation = normalisation.unwrap_or_default();
            if parts.tensors.contains_key("anchors") {
                let points = take_points(parts)?;
                Ground::Neighbours(take_neighbours(parts, points, normalisation)?)
            } else {
                Ground::Graph(GraphBase::stored(take_graph(parts)?, normalisation))
            }
        }
    })
}

fn take_matrix(
    parts: &mut Parts,
    name: &str,
    rows: Option<usize>,
    cols: usize,
) -> Result<Mat<f64>> {
    let (shape, values) = parts.take_floats(name, &[rows, Some(cols)])?;
    if values.iter().all(|v| v.is_finite()) {
        Ok(MatRef::from_row_major_slice(&values, shape[0], cols).to_owned())
    } else {
        Err(broken(name, "holds a number that is not finite"))
    }
}
