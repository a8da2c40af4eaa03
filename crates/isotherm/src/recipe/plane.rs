//! Recipe + data → a place in the plane for every sample: what a map is drawn on.

use std::collections::BTreeSet;

use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use super::embed::{Embedding, EmbeddingParams};
use super::fit::{Input, neighbour_base};
use super::recipe::{Method, Recipe, Scaling};
use crate::base::{Base, GraphBase, SimilarityBase};
use crate::data::{Points, Standardiser};
use crate::error::{Error, Result};
use crate::linalg::gemm::times;
use crate::linalg::{Mat, svd};
use crate::monitor::Monitor;
use crate::operator::masked::Masked;
use crate::solve::components::leading_by_component;
use crate::solve::eigenpairs::{self, LeadingOptions};

/// Rows that principal components are found from at most.
const PRINCIPAL_ROWS: usize = 1000;

/// The share of a table's rows that must lie in one component for its modes to be the map.
const MOST_OF_IT: f64 = 0.8;

/// Digits that a picture shows, with some to spare.
const TOLERANCE: f64 = 1e-6;

/// What is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Planar {
    /// Samples shown at most; beyond them labelled ones first, the rest drawn at random.
    pub samples: usize,
    /// Functions to return beside the coordinates, those included.
    pub modes: usize,
}

impl Default for Planar {
    /// 4000 samples, two functions.
    fn default() -> Self {
        Self {
            samples: 4000,
            modes: 2,
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

/// Modes over all samples that were looked at.
struct Found {
    values: Vec<f64>,
    vectors: Mat<f64>,
    kind: PlaneKind,
    how: String,
    aside: Vec<bool>,
    /// How many samples the others have, of which component; ties together.
    order: Vec<u32>,
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
/// [`Error::Parameter`] when no sample may be shown; [`Error::Data`] for parameters that do
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
    let total = input.len();
    if planar.samples == 0 || total == 0 {
        return Err(Error::parameter("samples", "at least 1", 0));
    }
    let samples = shown(total, keep, planar.samples, recipe.seed);
    let wanted = planar.modes.max(2);
    match input {
        Input::Graph(graph) => {
            let base = GraphBase::normalised(graph, recipe.normalisation.unwrap_or_default())?;
            let found = walking(&base, wanted, 0.0, recipe.seed, monitor)?;
            Ok(match found {
                Some(found) => found.plane(samples, total, planar.modes, true),
                None => scattered(samples, total),
            })
        }
        Input::Gram(rows) => {
            let base = SimilarityBase::from_rows(&rows)?;
            let found = of_kernel(&base, wanted, recipe.seed, monitor)?;
            Ok(found.plane(samples, total, planar.modes, true))
        }
        Input::Table(points) => {
            let points = match samples.len() == total {
                true => points,
                false => points.select(&samples)?,
            };
            of_table(recipe, points, samples, total, planar.modes, monitor)
        }
    }
}

fn of_table(
    recipe: &Recipe,
    points: Points,
    samples: Vec<usize>,
    total: usize,
    modes: usize,
    monitor: &mut dyn Monitor,
) -> Result<Plane> {
    let scaling = recipe.scaling.unwrap_or_default();
    let scaled = match scaling {
        Scaling::Standardise => Standardiser::learn(&points, monitor)?.apply(points, monitor)?,
        Scaling::None => points,
    };
    let wanted = modes.max(2);
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
    let reason = match found {
        Ok(Some(found)) if found.kind != PlaneKind::PrincipalComponents => {
            return Ok(found.plane(samples, total, modes, false));
        }
        Ok(Some(found)) => {
            // Components of similar size: their modes are told, but make no map.
            let reason = found.how.clone();
            let mut plane = found.plane(samples, total, modes, false);
            (plane.positions, plane.axes) = principal(&scaled, recipe.seed)?;
            plane.how = format!("principal components of the scaled columns, since {reason}");
            return Ok(plane);
        }
        Ok(None) => "there are too few rows for smooth functions".to_owned(),
        Err(stopped @ Error::Cancelled { .. }) => return Err(stopped),
        Err(refused) => format!("there are no smooth functions ({})", refused.what()),
    };
    let (positions, axes) = principal(&scaled, recipe.seed)?;
    Ok(Plane {
        aside: vec![false; samples.len()],
        samples,
        total,
        kind: PlaneKind::PrincipalComponents,
        how: format!("principal components of the scaled columns, since {reason}"),
        axes,
        positions,
        modes: Vec::new(),
    })
}

fn of_spec(kernel: crate::kernel::KernelSpec) -> EmbeddingParams {
    EmbeddingParams::Stkr {
        kernel: Some(kernel),
        neighbours: None,
        normalisation: None,
    }
}

/// The samples to show, ascending.
fn shown(total: usize, keep: &[usize], most: usize, seed: u64) -> Vec<usize> {
    if total <= most {
        return (0..total).collect();
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut first: Vec<usize> = keep.iter().copied().filter(|i| *i < total).collect();
    first.shuffle(&mut random);
    // Labels may be so many that nothing else would be seen.
    first.truncate(most / 2);
    let mut chosen: BTreeSet<usize> = first.into_iter().collect();
    let mut order: Vec<usize> = (0..total).collect();
    let (drawn, _) = order.partial_shuffle(&mut random, most.min(total));
    for &i in drawn.iter() {
        if chosen.len() == most {
            break;
        }
        chosen.insert(i);
    }
    chosen.into_iter().collect()
}

/// Modes of the largest component, where it holds more than a share of all.
fn walking<B: Base>(
    base: &B,
    wanted: usize,
    share: f64,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<Option<Found>> {
    let n = base.len();
    let component = base.components(monitor)?.unwrap_or_else(|| vec![0; n]);
    let count = component.iter().max().map_or(0, |c| *c as usize + 1);
    let mut sizes = vec![0_usize; count];
    component.iter().for_each(|c| sizes[*c as usize] += 1);
    let largest = (0..count).max_by_key(|&c| (sizes[c], std::cmp::Reverse(c)));
    let Some(largest) = largest.filter(|&c| sizes[c] >= 3) else {
        return Ok(None);
    };
    let options = LeadingOptions {
        tolerance: TOLERANCE,
        seed,
        at_most: 300,
    };
    let gram = base.gram();
    let known = usize::from(base.modes(monitor)?.is_some_and(|m| !m.is_empty()));
    if (sizes[largest] as f64) < share * n as f64 {
        let found = leading_by_component(&*gram, &component, wanted.min(n), &options, monitor)?;
        return Ok(Some(Found {
            values: found.values,
            vectors: found.vectors,
            kind: PlaneKind::PrincipalComponents,
            how: format!("neighbours join the rows into {count} components"),
            aside: vec![false; n],
            order: component,
        }));
    }
    let index: Vec<usize> = (0..n)
        .filter(|&i| component[i] as usize == largest)
        .collect();
    let wanted = (wanted + known).min(index.len());
    let found = match index.len() == n {
        true => eigenpairs::leading(&*gram, wanted, &options, monitor)?,
        false => {
            let inside = Masked::new(&*gram, index.clone())?;
            eigenpairs::leading(&inside, wanted, &options, monitor)?
        }
    };
    let mut vectors = Mat::zeros(n, found.values.len() - known);
    for (k, &i) in index.iter().enumerate() {
        for j in 0..vectors.ncols() {
            vectors[(i, j)] = found.vectors[(k, known + j)];
        }
    }
    // Larger components first among those placed aside.
    let order = component.iter().map(|c| {
        let size = u32::try_from(sizes[*c as usize]).unwrap_or(u32::MAX);
        u32::MAX - size
    });
    Ok(Some(Found {
        values: found.values[known..].to_vec(),
        vectors,
        aside: component.iter().map(|c| *c as usize != largest).collect(),
        order: order.collect(),
        kind: match count {
            1 => PlaneKind::Modes,
            _ => PlaneKind::LargestComponent,
        },
        how: match count {
            1 => "the smoothest functions of the graph".to_owned(),
            _ => format!(
                "the smoothest functions of the largest of {count} components, {} of {n}; the \
                 others lie below",
                index.len()
            ),
        },
    }))
}

fn of_kernel<B: Base>(
    base: &B,
    wanted: usize,
    seed: u64,
    monitor: &mut dyn Monitor,
) -> Result<Found> {
    let options = LeadingOptions {
        tolerance: TOLERANCE,
        seed,
        at_most: 300,
    };
    let n = base.len();
    let found = eigenpairs::leading(&*base.gram(), (wanted + 1).min(n), &options, monitor)?;
    let first = usize::from(one_sided(&found.vectors));
    Ok(Found {
        values: found.values[first..].to_vec(),
        vectors: Mat::from_fn(n, found.values.len() - first, |i, j| {
            found.vectors[(i, first + j)]
        }),
        kind: PlaneKind::Modes,
        how: "the smoothest functions of the similarities".to_owned(),
        aside: vec![false; n],
        order: vec![0; n],
    })
}

fn of_embedding(found: &Embedding, wanted: usize) -> Found {
    let visible = found.visible();
    let n = visible.nrows();
    let first = usize::from(visible.ncols() > wanted && one_sided(visible));
    let count = (visible.ncols() - first).min(wanted);
    Found {
        values: found.eigenvalues()[first..first + count].to_vec(),
        vectors: Mat::from_fn(n, count, |i, j| visible[(i, first + j)]),
        kind: PlaneKind::Modes,
        how: match found.params() {
            EmbeddingParams::Laplacian(_) => "the smoothest functions of the kernel Laplacian",
            EmbeddingParams::Stkr { .. } => "the smoothest functions of the kernel",
        }
        .to_owned(),
        aside: vec![false; n],
        order: vec![0; n],
    }
}

/// Whether the first function has one sign: it tells the density, and no samples apart.
fn one_sided(vectors: &Mat<f64>) -> bool {
    let first = || vectors.col(0).iter();
    vectors.ncols() > 0 && (first().all(|v| *v >= 0.0) || first().all(|v| *v <= 0.0))
}

impl Found {
    /// At the samples shown; `picks` where all samples were looked at.
    fn plane(self, samples: Vec<usize>, total: usize, modes: usize, picks: bool) -> Plane {
        let at = |k: usize| if picks { samples[k] } else { k };
        let n = self.vectors.nrows();
        let inside = self.aside.iter().filter(|a| !**a).count();
        let function = |j: usize| -> Vec<f64> {
            let column = || self.vectors.col(j).iter();
            let square: f64 = column().map(|v| v * v).sum();
            let unit = (inside as f64 / square.max(f64::MIN_POSITIVE)).sqrt();
            // The value of largest modulus is positive, as an embedding has it.
            let top = column().fold(0.0_f64, |m, v| if v.abs() > m.abs() { *v } else { m });
            let unit = unit * if top < 0.0 { -1.0 } else { 1.0 };
            (0..samples.len().min(n))
                .map(|k| unit * self.vectors[(at(k), j)])
                .collect()
        };
        let functions: Vec<PlaneMode> = (self.values.iter().enumerate())
            .map(|(j, &eigenvalue)| PlaneMode {
                eigenvalue,
                values: function(j),
            })
            .collect();
        let coordinate = |j: usize, k: usize| functions.get(j).map_or(0.0, |f| f.values[k]);
        let aside: Vec<bool> = (0..samples.len()).map(|k| self.aside[at(k)]).collect();
        let mut positions: Vec<[f64; 2]> = (0..samples.len())
            .map(|k| [coordinate(0, k), coordinate(1, k)])
            .collect();
        let mut others: Vec<usize> = (0..samples.len()).filter(|&k| aside[k]).collect();
        others.sort_by_key(|&k| (self.order[at(k)], at(k)));
        put_aside(&mut positions, &aside, &others);
        let name = |j: usize| format!("ψ{}, λ = {:.3}", j + 1, self.values.get(j).unwrap_or(&0.0));
        Plane {
            axes: [name(0), name(1)],
            samples,
            total,
            kind: self.kind,
            how: self.how,
            positions,
            aside,
            modes: functions.into_iter().take(modes).collect(),
        }
    }
}

/// Samples outside the map stand in rows below it.
fn put_aside(positions: &mut [[f64; 2]], aside: &[bool], others: &[usize]) {
    if others.is_empty() {
        return;
    }
    let reach = |axis: usize| {
        let inside = (positions.iter().zip(aside)).filter(|(_, aside)| !**aside);
        let values = inside.map(|(p, _)| p[axis]);
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| {
            (l.min(v), h.max(v))
        })
    };
    let sound = |(low, high): (f64, f64)| match low < high {
        true => (low, high),
        false => (-1.0, 1.0),
    };
    let ((left, right), (low, high)) = (sound(reach(0)), sound(reach(1)));
    let across = ((8 * others.len()) as f64).sqrt().ceil().max(8.0) as usize;
    let lines = others.len().div_ceil(across).max(1);
    let (wide, tall) = (right - left, high - low);
    let step = (0.2 * tall / lines as f64).min(0.04 * tall);
    for (place, &k) in others.iter().enumerate() {
        let (line, column) = (place / across, place % across);
        positions[k] = [
            left + wide * (column as f64 + 0.5) / across as f64,
            low - 0.08 * tall - step * line as f64,
        ];
    }
}

/// A graph without a component that could be drawn: nothing tells its nodes apart.
fn scattered(samples: Vec<usize>, total: usize) -> Plane {
    let mut positions = vec![[0.0, 0.0]; samples.len()];
    let aside = vec![true; samples.len()];
    let all: Vec<usize> = (0..samples.len()).collect();
    put_aside(&mut positions, &aside, &all);
    Plane {
        samples,
        total,
        kind: PlaneKind::LargestComponent,
        how: "no component has three nodes: places mean nothing".to_owned(),
        axes: ["no meaning".to_owned(), "no meaning".to_owned()],
        positions,
        aside,
        modes: Vec::new(),
    }
}

/// The two leading principal components, found on a sample of the rows.
fn principal(points: &Points, seed: u64) -> Result<(Vec<[f64; 2]>, [String; 2])> {
    let (n, d) = (points.len(), points.dim());
    let chosen = shown(n, &[], PRINCIPAL_ROWS, seed);
    let mut mean = vec![0.0; d];
    for &i in &chosen {
        for (m, v) in mean.iter_mut().zip(points.row(i).iter()) {
            *m += v / chosen.len() as f64;
        }
    }
    let mut rows = Mat::zeros(chosen.len(), d);
    for (k, &i) in chosen.iter().enumerate() {
        for (j, v) in points.row(i).iter().enumerate() {
            rows[(k, j)] = v - mean[j];
        }
    }
    let found = svd::thin(rows.as_ref())?;
    let square: f64 = found.values.iter().map(|v| v * v).sum();
    let count = found.v.ncols().min(2);
    let axes = Mat::from_fn(d, count, |i, j| found.v[(i, j)]);
    let mut positions = vec![[0.0; 2]; n];
    for (i, place) in positions.iter_mut().enumerate() {
        let row = points.row(i);
        let centred = Mat::from_fn(1, d, |_, j| row[j] - mean[j]);
        let along = times(centred.as_ref(), axes.as_ref());
        (0..count).for_each(|j| place[j] = along[(0, j)]);
    }
    for j in 0..count {
        let top = positions.iter().map(|p| p[j]);
        let top = top.fold(0.0_f64, |m, v| if v.abs() > m.abs() { v } else { m });
        if top < 0.0 {
            positions.iter_mut().for_each(|p| p[j] = -p[j]);
        }
    }
    let name = |j: usize, word: &str| {
        let own = found.values.get(j).map_or(0.0, |v| v * v);
        let share = if square > 0.0 { own / square } else { 0.0 };
        format!(
            "{word} principal component, {:.0} % of the variance",
            100.0 * share
        )
    };
    Ok((positions, [name(0, "first"), name(1, "second")]))
}
