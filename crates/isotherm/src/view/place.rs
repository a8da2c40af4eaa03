//! Study → plane.

use super::layout::{principal, scattered, shown};
use super::modes::{Found, along_edges, of_embedding, of_kernel};
use super::plane::{Plane, PlaneKind, PlaneOptions};
use crate::base::{Base as _, GraphBase, NeighbourBase, SimilarityBase};
use crate::data::{Points, Rescaling};
use crate::embedding::{Embedding, EmbeddingParams};
use crate::error::{Error, Result};
use crate::monitor::Monitor;
use crate::recipe::{Method, Recipe, Scaling};
use crate::study::prepared::PreparedMethod;
use crate::study::{Input, Study, neighbour_base};

/// The share of a table's rows that must lie in one component for its modes to be the map.
const MOST_OF_IT: f64 = 0.8;

impl Study {
    /// Places samples by the two smoothest functions of the base that the method works on;
    /// labelled samples are shown first. No label is needed.
    ///
    /// A table with more rows than are shown is placed by the shown rows alone. Where there are
    /// no smooth functions, rows are placed by their principal components.
    ///
    /// # Errors
    /// As [`Study::fit`] but for missing labels; [`Error::Parameter`] when no sample is to be
    /// shown.
    pub fn plane(&mut self, options: &PlaneOptions, monitor: &mut dyn Monitor) -> Result<Plane> {
        let method = &self.recipe.method;
        let several = matches!(method, Method::Blend(_));
        let compared = several || method.compares() || self.recipe.kernel.is_some();
        // Rows that are compared by kernels, too many to be shown, or whose neighbours are not
        // known yet are placed by themselves.
        if let Some(rows) = self.rows.clone()
            && (compared || rows.len() > options.samples || !self.is_prepared())
        {
            return self.placing(options)?.table(rows, monitor);
        }
        let preparation = self.preparation(monitor)?;
        let placing = self.placing(options)?;
        match &preparation.method {
            PreparedMethod::Graph(prepared) => placing.graph(prepared.base(), monitor),
            PreparedMethod::Neighbours(prepared) => placing.neighbours(prepared.base(), monitor),
            PreparedMethod::Gram(prepared) => placing.gram(prepared.base(), monitor),
            PreparedMethod::Blend(prepared) => match prepared.nodes() {
                Some(graph) => placing.graph(graph, monitor),
                None => Err(nothing_to_draw()),
            },
            _ => Err(nothing_to_draw()),
        }
    }

    fn placing(&self, options: &PlaneOptions) -> Result<Placing<'_>> {
        let labelled = self.targets().labelled();
        Placing::new(&self.recipe, self.samples(), &labelled, options)
    }
}

fn nothing_to_draw() -> Error {
    Error::data(
        "there are no rows to draw a map of",
        "prepare a table, a graph or similarities",
    )
}

/// What is shown, of what.
struct Placing<'a> {
    recipe: &'a Recipe,
    /// The samples shown, of so many.
    samples: Vec<usize>,
    total: usize,
    /// Functions to return, and to find.
    modes: usize,
    wanted: usize,
}

impl<'a> Placing<'a> {
    fn new(
        recipe: &'a Recipe,
        total: usize,
        keep: &[usize],
        options: &PlaneOptions,
    ) -> Result<Self> {
        if options.samples == 0 || total == 0 {
            return Err(Error::parameter("samples", "at least 1", 0));
        }
        Ok(Self {
            recipe,
            samples: shown(total, keep, options.samples, recipe.seed),
            total,
            modes: options.modes,
            wanted: options.modes.max(2),
        })
    }

    fn graph(self, base: &GraphBase, monitor: &mut dyn Monitor) -> Result<Plane> {
        let found = along_edges(base, self.wanted, 0.0, self.recipe.seed, monitor)?;
        Ok(match found {
            Some(found) => found.plane(self.samples, self.total, self.modes, true),
            None => scattered(self.samples, self.total),
        })
    }

    fn gram(self, base: &SimilarityBase, monitor: &mut dyn Monitor) -> Result<Plane> {
        let found = of_kernel(base, self.wanted, self.recipe.seed, monitor)?;
        Ok(found.plane(self.samples, self.total, self.modes, true))
    }

    /// All samples, by the neighbours they have.
    fn neighbours(self, base: &NeighbourBase, monitor: &mut dyn Monitor) -> Result<Plane> {
        let found = if base.len() < 3 {
            Ok(None)
        } else {
            along_edges(base, self.wanted, MOST_OF_IT, self.recipe.seed, monitor)
        };
        self.placed(base.points(), found)
    }

    /// The samples shown, by themselves.
    fn table(self, points: Points, monitor: &mut dyn Monitor) -> Result<Plane> {
        let points = if self.samples.len() == self.total {
            points
        } else {
            points.select(&self.samples)?
        };
        let (recipe, wanted) = (self.recipe, self.wanted);
        let scaled = match recipe.scaling.unwrap_or_default() {
            Scaling::Standardise => {
                Rescaling::standard(&points, monitor)?.apply(points, monitor)?
            }
            Scaling::None => points,
        };
        let params = match (&recipe.method, &recipe.kernel) {
            (Method::Laplacian(params), _) => Some(EmbeddingParams::Laplacian(params.clone())),
            (Method::KernelRidge(params), _) => Some(of_spec(params.kernel.clone())),
            (Method::Stkr(_), Some(kernel)) => Some(of_spec(kernel.clone())),
            _ => None,
        };
        let found = match params {
            Some(params) => {
                // One more than wanted: the first mode of a kernel may tell nothing apart.
                let most = (wanted + 1).min(scaled.len().saturating_sub(1)).max(1);
                let input = Input::Table(scaled.clone());
                Embedding::fit(&params, input, Scaling::None, most, recipe.seed, monitor)
                    .map(|found| Some(of_embedding(&found, wanted)))
            }
            None if scaled.len() < 3 => Ok(None),
            None => neighbour_base(
                scaled.clone(),
                recipe.neighbours,
                recipe.normalisation,
                recipe.seed,
                monitor,
            )
            .and_then(|base| along_edges(&base, wanted, MOST_OF_IT, recipe.seed, monitor)),
        };
        self.placed(&scaled, found)
    }

    /// Where the functions put the samples shown; by principal components where there are none.
    fn placed(self, scaled: &Points, found: Result<Option<Found>>) -> Result<Plane> {
        let seed = self.recipe.seed;
        let reason = match found {
            Ok(Some(found)) if found.kind != PlaneKind::PrincipalComponents => {
                return Ok(found.plane(self.samples, self.total, self.modes, false));
            }
            Ok(Some(found)) => {
                // Components of similar size: their modes are told, but make no map.
                let reason = found.how.clone();
                let mut plane = found.plane(self.samples, self.total, self.modes, false);
                (plane.positions, plane.axes) = principal(scaled, seed)?;
                plane.how = format!("principal components of the scaled columns, since {reason}");
                return Ok(plane);
            }
            Ok(None) => "there are too few rows for smooth functions".to_owned(),
            Err(stopped @ Error::Cancelled { .. }) => return Err(stopped),
            Err(refused) => format!("there are no smooth functions ({})", refused.what()),
        };
        let (positions, axes) = principal(scaled, seed)?;
        Ok(Plane {
            aside: vec![false; self.samples.len()],
            samples: self.samples,
            total: self.total,
            kind: PlaneKind::PrincipalComponents,
            how: format!("principal components of the scaled columns, since {reason}"),
            axes,
            positions,
            modes: Vec::new(),
        })
    }
}

fn of_spec(kernel: crate::kernel::KernelSpec) -> EmbeddingParams {
    EmbeddingParams::Stkr {
        kernel: Some(kernel),
        neighbours: None,
        normalisation: None,
    }
}
