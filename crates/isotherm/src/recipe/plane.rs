//! Recipe + data → a place in the plane for every sample: what a map is drawn on.

use super::embed::{Embedding, EmbeddingParams};
use super::fit::{Input, neighbour_base};
use super::plane_layout::{principal, scattered, shown};
use super::plane_modes::{Found, of_embedding, of_kernel, walking};
use super::prepare::Geometry;
use super::recipe::{Method, Recipe, Scaling};
use crate::base::{Base as _, GraphBase, NeighbourBase, SimilarityBase};
use crate::data::{Points, Standardiser};
use crate::error::{Error, Result};
use crate::monitor::Monitor;

/// The share of a table's rows that must lie in one component for its modes to be the map.
const MOST_OF_IT: f64 = 0.8;

/// What is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Planar {
    /// Samples shown at most; beyond them labelled ones first, the rest drawn at random.
    pub samples: usize,
    /// Functions to return beside the coordinates, those included.
    pub modes: usize,
    /// Whether a map marks labels that the others contradict, which costs as much as
    /// leave-one-out.
    pub doubt: bool,
}

impl Default for Planar {
    /// 4000 samples, two functions, doubted labels marked.
    fn default() -> Self {
        Self {
            samples: 4000,
            modes: 2,
            doubt: true,
        }
    }
}

/// What the coordinates are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlaneKind {
    /// The smoothest functions of the base the method uses.
    Modes,
    /// The same on the largest component; samples outside it are placed below.
    LargestComponent,
    /// The two leading principal components of the scaled columns.
    PrincipalComponents,
}

/// Samples in the plane. Every list has one entry a sample shown.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Plane {
    /// The samples shown, ascending.
    pub samples: Vec<usize>,
    /// Samples there are.
    pub total: usize,
    /// What the coordinates are.
    pub kind: PlaneKind,
    /// The same in words, with the reason where it is not the first choice.
    pub how: String,
    /// What each coordinate is.
    pub axes: [String; 2],
    /// Coordinates.
    pub positions: Vec<[f64; 2]>,
    /// Whether the sample lies outside the component the coordinates are of, so that its place
    /// means nothing.
    pub aside: Vec<bool>,
    /// The smoothest functions, where there are some: as many as were asked for, or fewer.
    pub modes: Vec<PlaneMode>,
}

/// A function on the samples shown.
#[derive(Debug, Clone, serde::Serialize)]
pub struct PlaneMode {
    /// λ.
    pub eigenvalue: f64,
    /// Its values, of mean square 1 over the samples it was found on; 0 outside their component.
    pub values: Vec<f64>,
}

/// Places samples in the plane by the smoothest functions of the base that the recipe's
/// method uses: its graph, its neighbours, its kernel or its kernel Laplacian. No label is
/// looked at but to show labelled samples (`keep`) first.
///
/// A table of more samples than are shown is embedded by those shown, so the cost does not
/// grow with it; a graph as a whole. Where the first choice is not to be had the result says
/// so: a table whose neighbours fall apart is placed by its principal components.
///
/// # Errors
/// [`Error::Parameter`] when no sample may be shown; [`Error::Refused`] for parameters that do
/// not fit the data; [`Error::Cancelled`].
///
/// # Example
/// ```
/// use isotherm::data::Points;
/// use isotherm::monitor::Quiet;
/// use isotherm::recipe::{self, Input, Planar, Recipe, Task};
///
/// let x = (0..40).flat_map(|i| [(i as f64 * 0.1).cos(), (i as f64 * 0.1).sin()]);
/// let points = Points::new(x.collect(), 40, 2)?;
/// let recipe = Recipe::automatic(Task::Classify, 0);
/// let found =
///     recipe::plane(&recipe, Input::Table(points), &[], &Planar::default(), &mut Quiet)?;
/// // The smoothest function along an arc runs from one end to the other.
/// assert!(found.positions[0][0] * found.positions[39][0] < 0.0);
/// # Ok::<(), isotherm::Error>(())
/// ```
pub fn plane(
    recipe: &Recipe,
    input: Input,
    keep: &[usize],
    planar: &Planar,
    monitor: &mut dyn Monitor,
) -> Result<Plane> {
    recipe.check(input.shape())?;
    let of = Of::new(recipe, input.len(), keep, planar)?;
    match input {
        Input::Graph(graph) => {
            let base = GraphBase::normalised(graph, recipe.normalisation.unwrap_or_default())?;
            of.graph(&base, monitor)
        }
        Input::Gram(rows) => of.gram(&SimilarityBase::from_rows(&rows)?, monitor),
        Input::Table(points) => of.table(points, monitor),
    }
}

/// The same where the data are prepared already: edges and neighbours that are known are not
/// looked for again. `rows` is the table as it was given.
pub(super) fn plane_in(
    geometry: &Geometry,
    recipe: &Recipe,
    rows: Option<Points>,
    keep: &[usize],
    planar: &Planar,
    monitor: &mut dyn Monitor,
) -> Result<Plane> {
    let of = |total: usize| Of::new(recipe, total, keep, planar);
    match (geometry, rows) {
        (Geometry::Graph(walk), _) => of(walk.base().len())?.graph(walk.base(), monitor),
        (Geometry::Gram(prepared), _) => {
            let base = prepared.base();
            of(base.len())?.gram(base, monitor)
        }
        (Geometry::Neighbours(walk), _) if walk.base().len() <= planar.samples => {
            of(walk.base().len())?.neighbours(walk.base(), monitor)
        }
        (_, Some(rows)) => of(rows.len())?.table(rows, monitor),
        (_, None) => Err(Error::data(
            "there are no rows to draw a map of",
            "prepare a table, a graph or similarities",
        )),
    }
}

/// What is shown, of what.
struct Of<'a> {
    recipe: &'a Recipe,
    /// The samples shown, of so many.
    samples: Vec<usize>,
    total: usize,
    /// Functions to return, and to find.
    modes: usize,
    wanted: usize,
}

impl<'a> Of<'a> {
    fn new(recipe: &'a Recipe, total: usize, keep: &[usize], planar: &Planar) -> Result<Self> {
        if planar.samples == 0 || total == 0 {
            return Err(Error::parameter("samples", "at least 1", 0));
        }
        Ok(Self {
            recipe,
            samples: shown(total, keep, planar.samples, recipe.seed),
            total,
            modes: planar.modes,
            wanted: planar.modes.max(2),
        })
    }

    fn graph(self, base: &GraphBase, monitor: &mut dyn Monitor) -> Result<Plane> {
        let found = walking(base, self.wanted, 0.0, self.recipe.seed, monitor)?;
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
        let found = match base.len() < 3 {
            true => Ok(None),
            false => walking(base, self.wanted, MOST_OF_IT, self.recipe.seed, monitor),
        };
        self.placed(base.points(), found)
    }

    /// The samples shown, by themselves.
    fn table(self, points: Points, monitor: &mut dyn Monitor) -> Result<Plane> {
        let points = match self.samples.len() == self.total {
            true => points,
            false => points.select(&self.samples)?,
        };
        let (recipe, wanted) = (self.recipe, self.wanted);
        let scaled = match recipe.scaling.unwrap_or_default() {
            Scaling::Standardise => {
                Standardiser::learn(&points, monitor)?.apply(points, monitor)?
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
            None => neighbour_base(recipe, scaled.clone(), monitor)
                .and_then(|base| walking(&base, wanted, MOST_OF_IT, recipe.seed, monitor)),
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
