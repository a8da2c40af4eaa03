//! Sums over some rows by a plan: what parts of a table send to each other.

use super::plan::{Ground, Plan};
use crate::data::{Fingerprint, Points, Ranges, Standardiser};
use crate::error::{Error, Refusal, Result};
use crate::feature;
use crate::model::Model;
use crate::monitor::Monitor;

/// Σ̂, L̂ and the mean over some rows, scaled as the plan scales them.
///
/// Parts merge in any order, each once.
#[derive(Debug, Clone)]
pub struct Moments {
    plan: u64,
    dim: usize,
    scaling: Option<Standardiser>,
    pub(crate) sums: Sums,
}

/// What is summed.
#[derive(Debug, Clone)]
pub(crate) enum Sums {
    /// Nothing: the plan knows all rows. They are only counted.
    Counted(Ranges),
    /// Over the plan's basis.
    Summed(Box<feature::BasisMoments>),
}

impl Moments {
    pub(crate) fn new(plan: &Plan) -> Self {
        let sums = match &plan.ground {
            Ground::Whole { .. } => Sums::Counted(Ranges::default()),
            Ground::Sampled { planned, .. } => Sums::Summed(Box::new(planned.moments())),
        };
        Self {
            plan: fingerprint(plan),
            dim: plan.dim(),
            scaling: plan.scaling.clone(),
            sums,
        }
    }

    /// Which plan they are of.
    pub(crate) fn plan(&self) -> u64 {
        self.plan
    }

    /// Rows seen.
    pub fn count(&self) -> usize {
        match &self.sums {
            Sums::Counted(ranges) => ranges.count(),
            Sums::Summed(sums) => sums.count(),
        }
    }

    /// Takes in the rows `first …` of the whole table.
    ///
    /// # Errors
    /// [`Error::Shape`] when the rows have other columns; [`Error::Refused`] when a row was
    /// seen before; [`Error::Value`] naming a cell that leaves the usable range when it is
    /// scaled, by its place among these rows; [`Error::NotFinite`]; [`Error::Cancelled`],
    /// after which the sums are not to be used.
    pub fn add(&mut self, rows: &Points, first: usize, monitor: &mut dyn Monitor) -> Result<()> {
        if rows.dim() != self.dim {
            return Err(Error::Shape {
                what: "columns of the rows to sum",
                expected: self.dim,
                got: rows.dim(),
            });
        }
        let sums = match &mut self.sums {
            Sums::Counted(ranges) => return ranges.insert(first, rows.len()),
            Sums::Summed(sums) => sums,
        };
        match &self.scaling {
            Some(scaling) => {
                let rows = scaling.apply(rows.clone(), monitor)?;
                sums.add_at(&rows, first, monitor)
            }
            None => sums.add_at(rows, first, monitor),
        }
    }

    /// Takes in what was summed over other rows.
    ///
    /// # Errors
    /// [`Error::Refused`] when those are sums of another plan or of rows that are in these;
    /// then nothing has changed.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        match (&mut self.sums, &other.sums) {
            _ if self.plan != other.plan => Err(Error::refused(
                Refusal::Parts,
                "sums of different plans cannot be merged",
                "sum every part by the plan that is solved",
            )),
            (Sums::Counted(mine), Sums::Counted(theirs)) => {
                *mine = mine.joined(theirs)?;
                Ok(())
            }
            (Sums::Summed(mine), Sums::Summed(theirs)) => mine.merge(theirs),
            _ => Err(Error::refused(
                Refusal::Parts,
                "sums of different plans cannot be merged",
                "sum every part by the plan that is solved",
            )),
        }
    }

    /// The sums, once they are this plan's and over all its rows.
    pub(crate) fn complete(self, plan: &Plan) -> Result<Option<feature::BasisMoments>> {
        if self.plan != fingerprint(plan) {
            return Err(Error::refused(
                Refusal::Parts,
                "the sums are another plan's",
                "sum every part by the plan that is solved",
            ));
        }
        if self.count() != plan.count() {
            return Err(Error::refused(
                Refusal::Parts,
                format!(
                    "the sums are over {} of the plan's {} rows",
                    self.count(),
                    plan.count()
                ),
                "sum every part, and merge it once",
            ));
        }
        match self.sums {
            Sums::Counted(ranges) => ranges.check_whole().map(|()| None),
            Sums::Summed(sums) => Ok(Some(*sums)),
        }
    }
}

impl Plan {
    /// Sums of nothing yet, to add rows to.
    pub fn moments(&self) -> Moments {
        Moments::new(self)
    }

    /// The model, from the sums over all rows.
    ///
    /// # Errors
    /// [`Error::Refused`] when the sums are another plan's or rows are missing from them; as
    /// a fit.
    pub fn solve(&self, moments: &Moments, monitor: &mut dyn Monitor) -> Result<Model> {
        self.finish(moments.clone().complete(self)?, monitor)
    }
}

/// Tells one plan from another, as far as sums are concerned.
pub(crate) fn fingerprint(plan: &Plan) -> u64 {
    let hash = Fingerprint::new("plan").number(plan.count() as u64);
    let hash = match &plan.scaling {
        Some(scaling) => hash.floats(scaling.mean()).floats(scaling.scale()),
        None => hash,
    };
    match &plan.ground {
        Ground::Whole { points, .. } => hash.text("whole").floats(&points.tile(0..points.len())),
        Ground::Sampled { planned, .. } => {
            let sums = format!(
                "{:?} {:?}",
                planned.params().covariance,
                planned.params().precision
            );
            hash.text(&sums)
                .number(planned.basis().features().fingerprint())
        }
    }
    .value()
}
