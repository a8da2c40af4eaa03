//! Rows joined to their nearest rows by weights that fit the density around them.
//!
//! `w = exp(−d²/(σᵢσⱼ))` with σ the distance of a row to its k-th nearest
//! [Zelnik-Manor and Perona 2004]: a far row is joined weakly, a dense group is not joined to
//! everything near it. With [`Metric::Manhattan`] the k nearest are chosen by `Σ|xᵢ − zᵢ|`
//! among four times as many Euclidean neighbours.
//!
//! Equal rows are one point with copies. The k nearest of a point are other points, σ is the
//! distance to the last of them, and the first row of each point stands for it: every copy is
//! joined to the first rows of the k nearest points, by the same weights, and to the first row
//! of its own with weight 1, that of distance zero. So copies neither fill each other's lists
//! nor stay among themselves, and a point that occurs often is joined more strongly.

use rayon::prelude::*;

use crate::data::graph::EdgeRules;
use crate::data::{Distinct, Graph, GraphBuilder, Links, Points};
use crate::error::{Error, Result};
use crate::linalg::distance::manhattan;
use crate::linalg::rows::sparse::over_cells;
use crate::linalg::{Mat, MatRef};
use crate::monitor::Monitor;
use crate::neighbours::{self, Neighbours, Recall, Search};

/// Euclidean neighbours that are looked at for each one that is kept by another distance.
pub(crate) const CANDIDATES: usize = 4;

/// The smallest weight of an edge: a far row stays joined.
const WEAKEST: f64 = 1e-6;

/// Which distance says who is near.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// `√Σ(xᵢ − zᵢ)²`
    #[default]
    Euclidean,
    /// `Σ|xᵢ − zᵢ|`
    Manhattan,
}

/// Rows with what is needed to join new ones to them.
#[derive(Debug, Clone)]
pub(crate) struct JoinedRows {
    points: Points,
    count: usize,
    metric: Metric,
    /// σ of each row.
    spread: Vec<f64>,
    recall: Option<Recall>,
}

impl JoinedRows {
    /// Finds each row's `count` nearest rows, or most of them, and the graph that joins them.
    ///
    /// Cost: as [`neighbours::find`] for `count` or four times as many rows.
    ///
    /// # Errors
    /// As [`neighbours::find`].
    pub(crate) fn find(
        points: Points,
        count: usize,
        metric: Metric,
        search: Search,
        seed: u64,
        monitor: &mut dyn Monitor,
    ) -> Result<(Self, Graph)> {
        let rows = points.len();
        neighbours::check_count(count, rows.saturating_sub(1), rows)?;
        let equal = Distinct::of(&points, monitor)?;
        let firsts: Vec<usize> = equal.rows().collect();
        let places = if firsts.len() == rows {
            points.clone()
        } else {
            points.select(&firsts)?
        };
        let others = firsts.len() - 1;
        let mut edges = GraphBuilder::new(EdgeRules::default()).with_nodes(rows);
        let (spread, recall) = if others == 0 {
            (vec![1.0; rows], Recall::Exact)
        } else {
            let asked = candidates(count, metric).min(others);
            let found = neighbours::find(&places, asked, search, seed, monitor)?;
            let near = nearest(&places, &places, found.neighbours, count, metric);
            let spread = spreads(&near);
            let mut place = vec![0; rows];
            firsts.iter().enumerate().for_each(|(p, &i)| place[i] = p);
            for i in 0..rows {
                place[i] = place[equal.first(i)];
                for (q, distance) in near.of(place[i]) {
                    let weight = weight(distance, spread[place[i]], spread[q as usize]);
                    edges.push(i as u32, firsts[q as usize] as u32, Some(weight))?;
                }
            }
            (place.iter().map(|&p| spread[p]).collect(), found.recall)
        };
        for i in (0..rows).filter(|&i| equal.first(i) != i) {
            edges.push(equal.first(i) as u32, i as u32, Some(1.0))?;
        }
        let (graph, _) = edges.finish(monitor)?;
        let own = Self {
            points,
            count,
            metric,
            spread,
            recall: Some(recall),
        };
        Ok((own, graph))
    }

    /// From stored rows.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one spread a row; [`Error::Parameter`] when a number
    /// cannot be one.
    pub(crate) fn from_parts(
        points: Points,
        count: usize,
        metric: Metric,
        spread: Vec<f64>,
    ) -> Result<Self> {
        if spread.len() != points.len() {
            return Err(Error::Shape {
                what: "spreads, one for each row",
                expected: points.len(),
                got: spread.len(),
            });
        }
        if count == 0 || count >= points.len() {
            return Err(Error::parameter("neighbours", "below the rows", count));
        }
        if let Some(bad) = spread.iter().find(|s| !(**s > 0.0 && s.is_finite())) {
            return Err(Error::parameter("spread", "positive", bad));
        }
        Ok(Self {
            points,
            count,
            metric,
            spread,
            recall: None,
        })
    }

    /// The share of true neighbours that were found; `None` for stored rows.
    pub(crate) fn recall(&self) -> Option<Recall> {
        self.recall
    }

    /// The rows.
    pub(crate) fn points(&self) -> &Points {
        &self.points
    }

    /// σ of each row.
    pub(crate) fn spread(&self) -> &[f64] {
        &self.spread
    }

    /// Which distance says who is near.
    pub(crate) fn metric(&self) -> Metric {
        self.metric
    }

    /// Neighbours of each row.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The edges of new rows to the rows they are joined to.
    ///
    /// # Errors
    /// As [`neighbours::search`].
    pub(crate) fn links(&self, queries: &Points, monitor: &mut dyn Monitor) -> Result<Links> {
        let (near, spread) = self.near(queries, monitor)?;
        let mut edges = Vec::with_capacity(near.index.len());
        for (i, &own) in spread.iter().enumerate() {
            for (j, distance) in near.of(i) {
                let weight = weight(distance, own, self.spread[j as usize]);
                edges.push((i as u32, j, weight));
            }
        }
        Links::new(queries.len(), self.points.len(), &edges)
    }

    /// The rows nearest to new ones, and σ of these.
    fn near(&self, queries: &Points, monitor: &mut dyn Monitor) -> Result<(Near, Vec<f64>)> {
        let asked = candidates(self.count, self.metric).min(self.points.len());
        let found = neighbours::search(&self.points, queries, asked, monitor)?;
        let near = nearest(&self.points, queries, found, self.count, self.metric);
        let spread = spreads(&near);
        Ok((near, spread))
    }

    /// The average of `values`, one row each, over the rows that a new row is joined to.
    ///
    /// # Errors
    /// As [`neighbours::search`].
    pub(crate) fn averages(
        &self,
        queries: &Points,
        values: MatRef<'_, f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<Mat<f64>> {
        let (near, spread) = self.near(queries, monitor)?;
        let mut out = Mat::zeros(queries.len(), values.ncols());
        for i in 0..queries.len() {
            let weight = |j: u32, d: f64| weight(d, spread[i], self.spread[j as usize]);
            let total: f64 = near.of(i).map(|(j, d)| weight(j, d)).sum();
            for (j, d) in near.of(i) {
                let share = weight(j, d) / total;
                for c in 0..values.ncols() {
                    out[(i, c)] += share * values[(j as usize, c)];
                }
            }
        }
        Ok(out)
    }
}

fn candidates(count: usize, metric: Metric) -> usize {
    match metric {
        Metric::Euclidean => count,
        Metric::Manhattan => CANDIDATES * count,
    }
}

/// Nearest rows with their distances, not squared, in the metric's own order.
struct Near {
    count: usize,
    index: Vec<u32>,
    distance: Vec<f64>,
}

impl Near {
    fn of(&self, i: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let own = i * self.count..(i + 1) * self.count;
        let index = self.index[own.clone()].iter().copied();
        index.zip(self.distance[own].iter().copied())
    }
}

/// The `count` nearest among the rows found, ties to the smaller row.
fn nearest(
    points: &Points,
    queries: &Points,
    found: Neighbours,
    count: usize,
    metric: Metric,
) -> Near {
    let count = count.min(found.k);
    let ordered: Vec<Vec<(u32, f64)>> = (0..found.len())
        .into_par_iter()
        .map(|i| match metric {
            Metric::Euclidean => found.of(i).map(|(j, r)| (j, r.sqrt())).collect(),
            Metric::Manhattan => {
                let mut all: Vec<(u32, f64)> = match (queries.as_sparse(), points.as_sparse()) {
                    (Some(queries), Some(points)) => {
                        let between = |j: u32| {
                            let pair = (queries.row(i), points.row(j as usize));
                            over_cells(pair.0, pair.1, |x, z| (x - z).abs())
                        };
                        found.of(i).map(|(j, _)| (j, between(j))).collect()
                    }
                    _ => {
                        let own = queries.row(i);
                        let measured = |(j, _)| (j, manhattan(&own, &points.row(j as usize)));
                        found.of(i).map(measured).collect()
                    }
                };
                all.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
                all.truncate(count);
                all
            }
        })
        .collect();
    Near {
        count,
        index: ordered.iter().flatten().map(|(j, _)| *j).collect(),
        distance: ordered.iter().flatten().map(|(_, d)| *d).collect(),
    }
}

/// The distance to the last neighbour; rows that lie on all their neighbours have the
/// smallest that is not zero.
fn spreads(near: &Near) -> Vec<f64> {
    let positive = near.distance.iter().filter(|d| **d > 0.0);
    let least = positive.fold(f64::INFINITY, |m, d| m.min(*d));
    let floor = if least.is_finite() { least } else { 1.0 };
    let last = near.distance.chunks_exact(near.count);
    last.map(|d| d[near.count - 1].max(floor)).collect()
}

fn weight(distance: f64, own: f64, other: f64) -> f64 {
    // Divided one by one: a product of two small spreads could vanish.
    (-(distance / own) * (distance / other)).exp().max(WEAKEST)
}
