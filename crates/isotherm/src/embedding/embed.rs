//! Data → coordinates: the smoothest functions of the rows, for plots and other methods.

use super::modes::{Modes, smooth};
use crate::base::{Base, FeatureBase, GraphBase, KernelBase, NeighbourBase, Normalisation};
use crate::data::scaling::constant_columns;
use crate::data::{Links, Points, Rescaling};
use crate::error::{Error, Refusal, Result};
use crate::estimator::laplacian::LaplacianParams;
use crate::kernel::KernelSpec;
use crate::linalg::Mat;
use crate::monitor::Monitor;
use crate::recipe::Scaling;
use crate::solve::SolveReport;
use crate::study::{Input, kernel_base, neighbour_base};

/// Whose modes the coordinates are.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum EmbeddingParams {
    /// Of `S = K/N`, the normalised base kernel of STKR.  [STKR Eqns 8–9]
    Stkr {
        /// A kernel over rows; without it rows are joined to their neighbours. Tables only.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kernel: Option<KernelSpec>,
        /// Neighbours of a row, where there is no kernel; tables only.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        neighbours: Option<usize>,
        /// How edges become similarities, where there is no kernel.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        normalisation: Option<Normalisation>,
    },
    /// Of `(Σ̂, L̂ + μ)` over all rows, constants left out: kernel, basis, norm share and
    /// route are read, filter and covariance are not.  [KLAP §2.2, Figure 2]
    Laplacian(LaplacianParams),
}

/// Coordinates of the rows seen, and of new ones. No label is looked at.
///
/// One column a mode, of mean square λᵢ over the rows: smooth directions are long. The
/// coordinate of largest modulus, the first of equals, is positive.
///
/// For STKR's base kernel, with unit eigenvectors `S vᵢ = λᵢvᵢ`, column i is the encoder
/// `ψᵢ(x) = Σⱼ vᵢ[j] K(xⱼ, x)/√(Nλᵢ)` [STKR Eqn 9], which at a row seen is `√(Nλᵢ) vᵢ[row]`.
/// Under a kernel a row has the same coordinates as a new one; along edges a new row is
/// known by its links only, and a row seen has no link to itself. On a graph the mode
/// `D^½1` of eigenvalue 1 is left out: it tells nothing but degrees.
///
/// ```
/// use isotherm::data::Points;
/// use isotherm::monitor::Quiet;
/// use isotherm::embedding::{Embedding, EmbeddingParams};
/// use isotherm::recipe::Scaling;
/// use isotherm::study::Input;
///
/// let x = (0..40).map(|i| if i < 20 { 0.1 * i as f64 } else { 8.0 + 0.1 * i as f64 });
/// let table = Input::Table(Points::new(x.collect(), 40, 1)?);
/// let params = EmbeddingParams::Laplacian(Default::default());
/// let found = Embedding::fit(&params, table, Scaling::Standardise, 1, 0, &mut Quiet)?;
/// // The smoothest function that is not constant tells the two groups apart.
/// let side = |i: usize| found.visible()[(i, 0)] > 0.0;
/// assert!((0..40).all(|i| side(i) == side(if i < 20 { 0 } else { 39 })));
/// assert_ne!(side(0), side(39));
/// let new = found.transform(&Points::new(vec![0.55], 1, 1)?, &mut Quiet)?;
/// assert_eq!(new[(0, 0)] > 0.0, side(0));
/// # Ok::<(), isotherm::Error>(())
/// ```
#[derive(Debug)]
pub struct Embedding {
    pub(crate) params: EmbeddingParams,
    pub(crate) scaling: Option<Rescaling>,
    pub(crate) eigenvalues: Vec<f64>,
    pub(crate) visible: Mat<f64>,
    pub(crate) report: SolveReport,
    /// Over the anchors of the base, one column per mode.
    pub(crate) coefficients: Mat<f64>,
    /// Added to every row.
    pub(crate) offset: Vec<f64>,
    pub(crate) ground: Ground,
}

/// What coordinates are expansions over.
#[derive(Debug)]
pub(crate) enum Ground {
    Kernel(KernelBase),
    Features(FeatureBase),
    Neighbours(NeighbourBase),
    Graph(GraphBase),
}

impl Embedding {
    /// The `dimensions` leading modes of the data.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless 1 ≤ dimensions ≤ the modes there are;
    /// [`Error::Refused`] for a graph that is not connected, rows that are all equal or
    /// parameters that do not fit the data; as a fit.
    pub fn fit(
        params: &EmbeddingParams,
        input: Input,
        scaling: Scaling,
        dimensions: usize,
        seed: u64,
        monitor: &mut dyn Monitor,
    ) -> Result<Self> {
        if dimensions == 0 {
            return Err(Error::parameter("dimensions", "at least 1", 0));
        }
        params.check(&input)?;
        let points = match input {
            Input::Nodes(_) => {
                return Err(Error::refused(
                    Refusal::Method,
                    "an embedding is of a graph or of features, not of both",
                    "give the edges alone, or the features as a table",
                ));
            }
            Input::Graph(graph) => {
                let base = GraphBase::normalised(graph, params.normalisation())?;
                let modes = Modes::walking(&base, dimensions, seed, monitor)?;
                return Ok(Self::of(modes, params.clone(), None, Ground::Graph(base)));
            }
            Input::Gram(_) => {
                return Err(Error::refused(
                    Refusal::Similarities,
                    "coordinates of given similarities are not to be had",
                    "give the rows, or a graph",
                ));
            }
            Input::Table(points) => points,
        };
        if constant_columns(&points).len() == points.dim() {
            return Err(Error::refused(
                Refusal::AllEqual,
                format!(
                    "all {} rows are equal: nothing tells them apart",
                    points.len()
                ),
                "choose other feature columns",
            ));
        }
        let scaling = match scaling {
            Scaling::Standardise => Some(Rescaling::standard(&points, monitor)?),
            Scaling::None => None,
        };
        let points = match &scaling {
            Some(scaling) => scaling.apply(points, monitor)?,
            None => points,
        };
        match params {
            EmbeddingParams::Laplacian(params) => {
                let (params, modes, base) = smooth(params, points, dimensions, seed, monitor)?;
                let params = EmbeddingParams::Laplacian(params);
                Ok(Self::of(modes, params, scaling, Ground::Features(base)))
            }
            EmbeddingParams::Stkr {
                kernel: Some(kernel),
                neighbours,
                normalisation,
            } => {
                let (base, kernel) = kernel_base(points, kernel, seed)?;
                let modes = Modes::of(&base, None, dimensions, 0, seed, monitor)?;
                let params = EmbeddingParams::Stkr {
                    kernel: Some(kernel),
                    neighbours: *neighbours,
                    normalisation: *normalisation,
                };
                Ok(Self::of(modes, params, scaling, Ground::Kernel(base)))
            }
            EmbeddingParams::Stkr {
                neighbours,
                normalisation,
                ..
            } => {
                let base = neighbour_base(points, *neighbours, *normalisation, seed, monitor)?;
                let modes = Modes::walking(&base, dimensions, seed, monitor)?;
                Ok(Self::of(
                    modes,
                    params.clone(),
                    scaling,
                    Ground::Neighbours(base),
                ))
            }
        }
    }

    fn of(
        mut modes: Modes,
        params: EmbeddingParams,
        scaling: Option<Rescaling>,
        ground: Ground,
    ) -> Self {
        modes.orient();
        Self {
            params,
            scaling,
            eigenvalues: modes.values,
            visible: modes.visible,
            report: modes.report,
            coefficients: modes.coefficients,
            offset: modes.offset,
            ground,
        }
    }

    /// Coordinates of the rows or nodes it was fitted to.
    pub fn visible(&self) -> &Mat<f64> {
        &self.visible
    }

    /// λ, descending.
    pub fn eigenvalues(&self) -> &[f64] {
        &self.eigenvalues
    }

    /// The parameters, a bandwidth from the data filled in.
    pub fn params(&self) -> &EmbeddingParams {
        &self.params
    }

    /// The kernel with its bandwidth, where there is one.
    pub fn kernel(&self) -> Option<&KernelSpec> {
        match &self.params {
            EmbeddingParams::Stkr { kernel, .. } => kernel.as_ref(),
            EmbeddingParams::Laplacian(params) => Some(&params.kernel),
        }
    }

    /// How the modes were found.
    pub fn report(&self) -> &SolveReport {
        &self.report
    }

    /// Feature columns a new row must have, or `None` for a graph.
    pub fn dim(&self) -> Option<usize> {
        match &self.ground {
            Ground::Kernel(base) => Some(base.points().dim()),
            Ground::Features(base) => Some(base.features().dim()),
            Ground::Neighbours(base) => Some(base.points().dim()),
            Ground::Graph(_) => None,
        }
    }

    /// Coordinates of new rows.
    ///
    /// # Errors
    /// [`Error::Shape`] when the number of columns differs from the training table's;
    /// [`Error::Refused`] for an embedding of a graph.
    pub fn transform(&self, rows: &Points, monitor: &mut dyn Monitor) -> Result<Mat<f64>> {
        if let Some(expected) = self.dim()
            && rows.dim() != expected
        {
            return Err(Error::Shape {
                what: "feature columns of the new rows",
                expected,
                got: rows.dim(),
            });
        }
        let scaled;
        let rows = match &self.scaling {
            Some(scaling) => {
                scaled = scaling.apply(rows.clone(), monitor)?;
                &scaled
            }
            None => rows,
        };
        let coefficients = self.coefficients.as_ref();
        let mut out = match &self.ground {
            Ground::Kernel(base) => base.expand(rows, coefficients, monitor)?,
            Ground::Features(base) => base.expand(rows, coefficients, monitor)?,
            Ground::Neighbours(base) => base.expand(rows, coefficients, monitor)?,
            Ground::Graph(_) => {
                return Err(Error::refused(
                    Refusal::ModelKind,
                    "this embedding is of a graph",
                    "give the new nodes and their edges instead of rows",
                ));
            }
        };
        for (j, offset) in self.offset.iter().enumerate() {
            out.col_mut(j).iter_mut().for_each(|v| *v += offset);
        }
        Ok(out)
    }

    /// Coordinates of new nodes, by their links to known ones.
    ///
    /// # Errors
    /// [`Error::Refused`] for an embedding of a table; [`Error::Shape`] when the links are
    /// to another number of nodes.
    pub fn transform_nodes(&self, links: &Links, monitor: &mut dyn Monitor) -> Result<Mat<f64>> {
        match &self.ground {
            Ground::Graph(base) => base.expand(links, self.coefficients.as_ref(), monitor),
            _ => Err(Error::refused(
                Refusal::ModelKind,
                "this embedding is of a table",
                "give rows instead of edges",
            )),
        }
    }
}

impl EmbeddingParams {
    fn normalisation(&self) -> Normalisation {
        match self {
            Self::Stkr { normalisation, .. } => normalisation.unwrap_or_default(),
            Self::Laplacian(_) => Normalisation::default(),
        }
    }

    fn check(&self, input: &Input) -> Result<()> {
        let refuse =
            |what: &str, way_out: &str| Err(Error::refused(Refusal::Method, what, way_out));
        match (self, input) {
            (Self::Laplacian(_), Input::Graph(_)) => refuse(
                "the modes of a kernel Laplacian need rows, not a graph",
                "use the kind stkr, or give a table",
            ),
            (
                Self::Stkr {
                    kernel: Some(_), ..
                }
                | Self::Stkr {
                    neighbours: Some(_),
                    ..
                },
                Input::Graph(_),
            ) => refuse(
                "a graph has its own similarities",
                "leave out kernel and neighbours",
            ),
            (
                Self::Stkr {
                    kernel: Some(_),
                    neighbours,
                    normalisation,
                },
                _,
            ) if neighbours.is_some() || normalisation.is_some() => refuse(
                "under a kernel rows are not joined to neighbours",
                "give a kernel, or neighbours and a normalisation",
            ),
            _ => Ok(()),
        }
    }
}
