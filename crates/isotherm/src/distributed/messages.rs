//! Surveys, plans and sums ↔ parts: what machines send to each other.
//!
//! Every message says what it is and in which layout, and is believed in nothing: each
//! array passes the constructor its type had when it was first made.

use super::moments::{Moments, Sums};
use super::plan::{Ground, Plan};
use crate::data::columns::Columns;
use crate::data::{Points, Ranges, Survey, SurveyParts};
use crate::error::Result;
use crate::estimator::laplacian::{LaplacianParams, Planned};
use crate::feature::MomentsParts;
use crate::linalg::MatRef;
use crate::model::Warning;
use crate::model::parts::{
    Array, Parts, broken, close, from_json, json, message, number, open, row_major,
};
use crate::model::serial::{
    put_basis, put_labelling, put_scaling, take_basis, take_labelling, take_scaling,
};
use crate::recipe::{Method, Recipe, Shape};
use crate::task::Observed;

/// A survey as a message.
pub fn survey_to_parts(survey: &Survey) -> Parts {
    let SurveyParts {
        dim,
        size,
        seed,
        ranges,
        columns,
        drawn,
        sample,
        index,
        kept,
    } = survey.to_parts();
    let mut parts = message("survey");
    parts.text("dim", dim.to_string());
    parts.text("size", size.to_string());
    parts.text("seed", seed.to_string());
    put_ranges(&mut parts, &ranges);
    let cells = [columns.mean, columns.squares, columns.least, columns.most];
    let width = cells[0].len();
    parts.floats("columns", vec![4, width], cells.concat());
    parts.floats("sample", vec![drawn.len(), dim], sample);
    parts.floats("kept", vec![index.len(), dim], kept);
    put_numbers(&mut parts, "drawn", &drawn);
    put_numbers(&mut parts, "index", &index);
    parts
}

/// A survey from a message.
///
/// # Errors
/// [`crate::Error::Refused`] naming the part that is missing or not what it should be.
pub fn survey_from_parts(mut parts: Parts) -> Result<Survey> {
    open(&mut parts, "survey")?;
    let dim = number(&parts.take_text("dim")?, "dim")?;
    let size = number(&parts.take_text("size")?, "size")?;
    let seed = parts.take_text("seed")?;
    let seed = seed
        .parse()
        .map_err(|_| broken("seed", "is not a number"))?;
    let ranges = take_ranges(&mut parts)?;
    let (shape, cells) = parts.take_floats("columns", &[Some(4), None])?;
    let mut cells = cells.chunks(shape[1].max(1)).map(<[f64]>::to_vec);
    let mut next = || cells.next().unwrap_or_default();
    let columns = Columns {
        count: Ranges::new(&ranges)?.count(),
        mean: next(),
        squares: next(),
        least: next(),
        most: next(),
    };
    let drawn = take_numbers(&mut parts, "drawn")?;
    let index = take_numbers(&mut parts, "index")?;
    let (_, sample) = parts.take_floats("sample", &[Some(drawn.len()), Some(dim)])?;
    let (_, kept) = parts.take_floats("kept", &[Some(index.len()), Some(dim)])?;
    close(&parts)?;
    Survey::from_parts(&SurveyParts {
        dim,
        size,
        seed,
        ranges,
        columns,
        drawn,
        sample,
        index,
        kept,
    })
}

impl Plan {
    /// The plan as a message: everything that parts and [`Plan::solve`] need.
    pub fn to_parts(&self) -> Parts {
        let mut parts = message("plan");
        parts.text("recipe", json(&self.recipe));
        parts.text("params", json(self.params()));
        parts.text("warnings", json(&self.warnings));
        if let Some(chosen) = &self.chosen {
            parts.text("chosen", chosen.clone());
        }
        put_labelling(&mut parts, &self.labelling);
        put_scaling(&mut parts, self.scaling.as_ref());
        parts.text("rows", self.count().to_string());
        let values = self.seen.values().as_ref();
        put_numbers(&mut parts, "labelled", self.seen.index());
        let shape = vec![values.nrows(), values.ncols()];
        parts.floats("label_values", shape, row_major(values));
        if let Some(weights) = self.seen.weights() {
            parts.floats("label_weights", vec![weights.len()], weights.to_vec());
        }
        match &self.ground {
            Ground::Whole { points, .. } => put_table(&mut parts, "table", points),
            Ground::Sampled { planned, labelled } => {
                parts.floats("share", vec![1], vec![planned.share()]);
                put_table(&mut parts, "labelled_rows", labelled);
                put_basis(&mut parts, planned.basis());
            }
        }
        parts
    }

    /// A plan from a message.
    ///
    /// # Errors
    /// [`crate::Error::Refused`] naming the part that is missing or not what it should be.
    pub fn from_parts(mut parts: Parts) -> Result<Self> {
        open(&mut parts, "plan")?;
        let recipe: Recipe = from_json(&parts.take_text("recipe")?, "recipe")?;
        recipe.check(Shape::Table)?;
        if !matches!(recipe.method, Method::Laplacian(_)) {
            return Err(broken("recipe", "is not of the method laplacian"));
        }
        let params: LaplacianParams = from_json(&parts.take_text("params")?, "params")?;
        params.check()?;
        let warnings: Vec<Warning> = from_json(&parts.take_text("warnings")?, "warnings")?;
        let chosen = parts.metadata.remove("chosen");
        let labelling = take_labelling(&mut parts, &recipe)?;
        let scaling = take_scaling(&mut parts)?;
        let rows = number(&parts.take_text("rows")?, "rows")?;
        let seen = take_labels(&mut parts, rows, labelling.labels.width())?;
        let ground = if parts.tensors.contains_key("table") {
            Ground::Whole {
                params,
                points: take_table(&mut parts, "table", rows)?,
            }
        } else {
            let (_, share) = parts.take_floats("share", &[Some(1)])?;
            let labelled = take_table(&mut parts, "labelled_rows", seen.index().len())?;
            let basis = take_basis(&mut parts, &params.kernel)?;
            if basis.features().dim() != labelled.dim() {
                return Err(broken("labelled_rows", "does not fit the basis"));
            }
            let planned = Planned::new(params, basis, share[0], rows)?;
            Ground::Sampled { planned, labelled }
        };
        close(&parts)?;
        let plan = Self {
            recipe,
            scaling,
            seen,
            labelling,
            warnings,
            chosen,
            ground,
        };
        let scaled = plan.scaling.as_ref().map(|s| s.mean().len());
        if scaled.is_none_or(|d| d == plan.dim()) {
            Ok(plan)
        } else {
            Err(broken("column_mean", "does not fit the rows"))
        }
    }
}

impl Moments {
    /// The sums as a message; the plan is not in it.
    pub fn to_parts(&self) -> Parts {
        let mut parts = message("moments");
        parts.put("plan", vec![1], Array::U64(vec![self.plan()]));
        let found = match &self.sums {
            Sums::Counted(ranges) => MomentsParts {
                ranges: ranges.as_slice().to_vec(),
                ..MomentsParts::default()
            },
            Sums::Summed(sums) => sums.to_parts(),
        };
        put_ranges(&mut parts, &found.ranges);
        if let Some(sums) = found.sums {
            parts.floats("sums", vec![sums.len()], sums);
        }
        if let Some((tiles, worst, off)) = found.off {
            parts.text("tiles", tiles.to_string());
            parts.floats("worst", vec![1], vec![worst]);
            parts.floats("off", vec![off.len()], off);
        }
        let firsts: Vec<usize> = found.waiting.iter().map(|(first, _)| *first).collect();
        let counts: Vec<usize> = found.waiting.iter().map(|(_, rows)| rows.len()).collect();
        put_numbers(&mut parts, "waiting_first", &firsts);
        put_numbers(&mut parts, "waiting_length", &counts);
        let rows: Vec<f64> = found.waiting.into_iter().flat_map(|(_, r)| r).collect();
        parts.floats("waiting", vec![rows.len()], rows);
        parts
    }

    /// Sums from a message, by the plan they were summed by.
    ///
    /// # Errors
    /// [`crate::Error::Refused`] when they are another plan's, or naming the part that is
    /// missing or not what it should be.
    pub fn from_parts(plan: &Plan, mut parts: Parts) -> Result<Self> {
        open(&mut parts, "moments")?;
        let mut moments = plan.moments();
        let Array::U64(of) = parts.take("plan", &[Some(1)])?.array else {
            return Err(broken("plan", "must be a 64-bit unsigned integer"));
        };
        if of[0] != moments.plan() {
            return Err(broken("plan", "is another plan than the one given"));
        }
        let ranges = take_ranges(&mut parts)?;
        let sums = if parts.tensors.contains_key("sums") {
            Some(parts.take_floats("sums", &[None])?.1)
        } else {
            None
        };
        let off = if parts.metadata.contains_key("tiles") {
            let tiles = number(&parts.take_text("tiles")?, "tiles")?;
            let (_, worst) = parts.take_floats("worst", &[Some(1)])?;
            Some((tiles, worst[0], parts.take_floats("off", &[None])?.1))
        } else {
            None
        };
        let firsts = take_numbers(&mut parts, "waiting_first")?;
        let lengths = take_numbers(&mut parts, "waiting_length")?;
        let (_, rows) = parts.take_floats("waiting", &[None])?;
        close(&parts)?;
        let mut rest = rows.as_slice();
        let mut waiting = Vec::with_capacity(firsts.len());
        for (k, first) in firsts.iter().enumerate() {
            let length = lengths.get(k).copied().unwrap_or(0);
            let piece = rest.get(..length);
            let piece = piece.ok_or_else(|| broken("waiting_length", "does not fit the rows"))?;
            rest = &rest[length..];
            waiting.push((*first, piece.to_vec()));
        }
        if !rest.is_empty() || firsts.len() != lengths.len() {
            return Err(broken("waiting_length", "does not fit the rows"));
        }
        let found = MomentsParts {
            ranges,
            waiting,
            sums,
            off,
        };
        moments.sums = match moments.sums {
            Sums::Summed(nothing) => Sums::Summed(Box::new(nothing.with_parts(found)?)),
            Sums::Counted(_) => {
                if found.sums.is_some() || found.off.is_some() || !found.waiting.is_empty() {
                    return Err(broken("sums", "is not a part of this plan's moments"));
                }
                Sums::Counted(Ranges::new(&found.ranges)?)
            }
        };
        Ok(moments)
    }
}

fn take_labels(parts: &mut Parts, rows: usize, width: usize) -> Result<Observed> {
    let index = take_numbers(parts, "labelled")?;
    let n = index.len();
    let (_, values) = parts.take_floats("label_values", &[Some(n), Some(width)])?;
    let values = MatRef::from_row_major_slice(&values, n, width).to_owned();
    if n == 0 || index.windows(2).any(|w| w[0] >= w[1]) || index[n - 1] >= rows {
        return Err(broken("labelled", "must be rows, ascending, at least one"));
    }
    let seen = Observed::new((0..n).collect(), values, n)?;
    let seen = if parts.tensors.contains_key("label_weights") {
        seen.with_normalised(parts.take_floats("label_weights", &[Some(n)])?.1)?
    } else {
        seen
    };
    seen.moved(index, rows)
}

fn put_table(parts: &mut Parts, name: &str, points: &Points) {
    let shape = vec![points.len(), points.dim()];
    parts.floats(name, shape, points.tile(0..points.len()).into_owned());
}

fn take_table(parts: &mut Parts, name: &str, rows: usize) -> Result<Points> {
    let (shape, values) = parts.take_floats(name, &[Some(rows), None])?;
    Points::new(values, shape[0], shape[1])
}

fn put_ranges(parts: &mut Parts, ranges: &[(usize, usize)]) {
    let flat: Vec<u64> = ranges
        .iter()
        .flat_map(|(a, b)| [*a as u64, *b as u64])
        .collect();
    parts.put("ranges", vec![ranges.len(), 2], Array::U64(flat));
}

fn take_ranges(parts: &mut Parts) -> Result<Vec<(usize, usize)>> {
    let Array::U64(flat) = parts.take("ranges", &[None, Some(2)])?.array else {
        return Err(broken("ranges", "must be 64-bit unsigned integers"));
    };
    let fits = |v: u64| usize::try_from(v).map_err(|_| broken("ranges", "is out of range"));
    let pairs = flat.chunks_exact(2).map(|w| Ok((fits(w[0])?, fits(w[1])?)));
    pairs.collect()
}

fn put_numbers(parts: &mut Parts, name: &str, numbers: &[usize]) {
    let wide: Vec<u64> = numbers.iter().map(|i| *i as u64).collect();
    parts.put(name, vec![wide.len()], Array::U64(wide));
}

fn take_numbers(parts: &mut Parts, name: &str) -> Result<Vec<usize>> {
    let Array::U64(wide) = parts.take(name, &[None])?.array else {
        return Err(broken(name, "must be 64-bit unsigned integers"));
    };
    let fits = |v: u64| usize::try_from(v).map_err(|_| broken(name, "is out of range"));
    wide.into_iter().map(fits).collect()
}
