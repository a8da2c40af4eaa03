//! The members ready for any labels, and a fit to some.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::member::{Member, worse};
use super::params::{Blend, BlendParams};
use super::stack::Pull;
use super::tuned::Tuned;
use crate::base::BlendBase;
use crate::data::{Points, Rescaling};
use crate::error::{Error, Result};
use crate::estimator::check::check_total;
use crate::estimator::smoother::check_labels;
use crate::estimator::{Estimator, Prepared};
use crate::expansion::{Expansion, Fitted, Readout, Scores};
use crate::linalg::Mat;
use crate::monitor::Monitor;
use crate::neighbours::check_count;
use crate::solve::{Outcome, SolveReport};
use crate::task::Observed;

/// Below this summed similarity a row is not reached: the prediction would be rounding.
const REACH: f64 = 1e-12;

/// Neighbours of a row, where nobody says.
pub(crate) const NEIGHBOURS: usize = 5;

/// The members of a blend, ready for any labels.
#[derive(Debug)]
pub(crate) struct PreparedBlend {
    pub(super) points: Points,
    pub(super) members: Vec<Member>,
    pub(super) params: BlendParams,
    /// The kernels between the last labels, and their ridges and weights.
    last: Mutex<Option<Arc<Known>>>,
}

#[derive(Debug)]
pub(super) struct Known {
    pub(super) grams: Vec<Mat<f64>>,
    pub(super) tuned: Tuned,
    report: Option<SolveReport>,
}

/// How a member did on the labels.
#[derive(Debug, Clone)]
pub(crate) struct MemberScore {
    /// What it is called.
    pub name: String,
    /// Its share of the blend.
    pub share: f64,
    /// What the other labels say of each, by this member alone.
    pub left_out: Mat<f64>,
}

impl Estimator<Points> for Blend {
    type Prepared = PreparedBlend;

    fn prepare(&self, points: Points, monitor: &mut dyn Monitor) -> Result<PreparedBlend> {
        let most = points.len().saturating_sub(1);
        let neighbours = self.neighbours.unwrap_or(NEIGHBOURS.min((most / 2).max(1)));
        if self.graphs() > 0 {
            check_count(neighbours, most, points.len())?;
        }
        let mut refused = None;
        let mut rescalings: HashMap<_, Arc<Rescaling>> = HashMap::new();
        let mut members = Vec::with_capacity(self.members.len());
        for spec in &self.members {
            let how = spec.scaling();
            // The direction of a row with one column is its sign.
            if self.is_usual() && points.dim() == 1 && spec.compares_directions() {
                continue;
            }
            let rescaling = match rescalings.get(&how) {
                Some(known) => known.clone(),
                None => {
                    let learned = Arc::new(Rescaling::learn(how, &points, monitor)?);
                    rescalings.entry(how).or_insert(learned).clone()
                }
            };
            let seed = self.seed;
            match Member::new(spec, rescaling, &points, neighbours, seed, monitor) {
                Ok(member) => members.push(member),
                // A usual member that these rows do not allow, such as a bandwidth too small to
                // square, is left out; members that were named are not.
                Err(error @ (Error::Parameter { .. } | Error::Refused { .. }))
                    if self.is_usual() =>
                {
                    refused.get_or_insert(error);
                }
                Err(error) => return Err(error),
            }
        }
        if let Some(error) = refused.filter(|_| members.is_empty()) {
            return Err(error);
        }
        Ok(PreparedBlend {
            points,
            members,
            params: self.params.clone(),
            last: Mutex::new(None),
        })
    }
}

impl PreparedBlend {
    /// The members with their shares, and what each says of the labels without seeing them.
    ///
    /// # Errors
    /// As [`Prepared::solve`].
    pub(crate) fn scores(
        &self,
        seen: &Observed,
        monitor: &mut dyn Monitor,
    ) -> Result<Vec<MemberScore>> {
        let known = self.known(seen, monitor)?;
        let shares = known.tuned.shares();
        Ok((self.members.iter().zip(&known.tuned.left).zip(shares))
            .map(|((member, left), share)| MemberScore {
                name: member.name.clone(),
                share,
                left_out: left.clone(),
            })
            .collect())
    }

    /// What the weights are before labels say anything: half for the kernels and half for the
    /// graphs of neighbours, where there are both.
    pub(super) fn pull(&self) -> Pull {
        let graphs = self.members.iter().filter(|m| m.graph().is_some()).count();
        let kernels = self.members.len() - graphs;
        let kinds = usize::from(graphs > 0) + usize::from(kernels > 0);
        let each = |member: &Member| {
            let alike = if member.graph().is_some() {
                graphs
            } else {
                kernels
            };
            1.0 / (kinds * alike) as f64
        };
        Pull {
            prior: self.members.iter().map(each).collect(),
            labels: self.params.pull,
        }
    }

    /// Ridges and weights for these labels, kept for the next question about them.
    pub(super) fn known(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Arc<Known>> {
        check_total(self.points.len(), seen)?;
        check_labels(seen)?;
        let slot = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let before = slot.clone();
        drop(slot);
        if let Some(known) = before.as_ref().filter(|known| known.tuned.is_for(seen)) {
            return Ok(known.clone());
        }
        let index = seen.index();
        let same = before.filter(|known| known.tuned.seen.index() == index);
        let (grams, report) = match same {
            Some(known) => (known.grams.clone(), known.report.clone()),
            None => {
                let mut grams = Vec::with_capacity(self.members.len());
                let mut report = None;
                for member in &self.members {
                    let (gram, solve) = member.gram(index, &self.params, monitor)?;
                    grams.push(gram);
                    if let Some(solve) = solve {
                        report = Some(worse(report, solve));
                    }
                }
                (grams, report)
            }
        };
        let tuned = Tuned::new(&grams, seen, &self.pull())?;
        let known = Arc::new(Known {
            grams,
            tuned,
            report,
        });
        let mut slot = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *slot = Some(known.clone());
        Ok(known)
    }

    /// "60 % neighbours, 30 % laplace kernel, 10 % linear kernel".
    fn words(&self, tuned: &Tuned) -> String {
        let mut named: Vec<(f64, &str)> = (tuned.shares().into_iter())
            .zip(self.members.iter().map(|m| m.name.as_str()))
            .filter(|(share, _)| *share >= 0.005)
            .collect();
        named.sort_by(|a, b| b.0.total_cmp(&a.0));
        let words: Vec<String> = named
            .iter()
            .map(|(share, name)| format!("{:.0} % {name}", 100.0 * share))
            .collect();
        words.join(", ")
    }

    fn report(&self, known: &Known, solves: Option<SolveReport>) -> SolveReport {
        let own = SolveReport {
            solver: "ridge between labels".to_owned(),
            size: known.tuned.seen.index().len(),
            iterations: 0,
            residual: 0.0,
            error_estimate: None,
            condition: None,
            outcome: Outcome::Direct,
            smallest: None,
            choice: None,
        };
        let solve = match (solves, known.report.clone()) {
            (Some(a), b) => worse(b, a),
            (None, Some(b)) => b,
            (None, None) => own,
        };
        SolveReport {
            condition: Some(known.tuned.condition),
            choice: Some(format!(
                "{}, weighted by how well each predicts labels it has not seen",
                self.words(&known.tuned)
            )),
            ..solve
        }
    }
}

impl PreparedBlend {
    /// The fit to other values of the labels, ridges and weights as they were chosen.
    pub(super) fn expand(
        &self,
        known: &Known,
        labels: &Mat<f64>,
        monitor: &mut dyn Monitor,
    ) -> Result<Fitted<BlendBase>> {
        let tuned = &known.tuned;
        let index = tuned.seen.index();
        let (rows, width) = (self.points.len(), labels.ncols());
        let mut offset: Vec<f64> = (0..width)
            .map(|j| tuned.rest(&tuned.weights) * tuned.mean_of(labels, j))
            .collect();
        let mut values = Mat::zeros(rows, width);
        let mut reached = vec![false; rows];
        let mut parts = Vec::new();
        let mut columns: Vec<(Mat<f64>, Vec<f64>)> = Vec::new();
        let mut solves = None;
        let shares = tuned.shares();
        for (k, member) in self.members.iter().enumerate() {
            let weight = tuned.weights[k];
            if weight == 0.0 {
                continue;
            }
            let (mut alpha, constant) = tuned.coefficients(k, labels);
            scale(&mut alpha, weight);
            let (image, solve) = member.image(index, &alpha, &self.params, monitor)?;
            if let Some(solve) = solve {
                solves = Some(worse(solves, solve));
            }
            for (j, constant) in constant.iter().enumerate() {
                offset[j] += weight * constant;
                let column = values.col_mut(j).iter_mut().zip(image.col(j).iter());
                column.for_each(|(sum, v)| *sum += v);
            }
            match member.lit(index) {
                Some(lit) => reached.iter_mut().zip(lit).for_each(|(r, l)| *r |= l),
                None => (reached.iter_mut().enumerate())
                    .for_each(|(i, r)| *r |= (0..width).any(|j| image[(i, j)].abs() > REACH)),
            }
            let known = (&self.points, index);
            let fit = (&alpha, &image);
            let (part, own, mass) = member.part(known, shares[k], fit, &self.params)?;
            parts.push(part);
            columns.push((own, mass));
        }
        for (j, offset) in offset.iter().enumerate() {
            for (i, value) in values.col_mut(j).iter_mut().enumerate() {
                *value = if reached[i] { *value + offset } else { 0.0 };
            }
        }
        let base = BlendBase::new(self.points.clone(), index.to_vec(), parts);
        let mass: Vec<f64> = columns.iter().flat_map(|(_, m)| m.clone()).collect();
        let mut coefficients = Mat::zeros(mass.len(), width);
        let mut first = 0;
        for (own, _) in &columns {
            let mut slot = coefficients.subrows_mut(first, own.nrows());
            slot.copy_from(own);
            first += own.nrows();
        }
        let readout = if mass.iter().any(|m| *m > 0.0) {
            Readout::Local { floor: REACH }
        } else {
            Readout::Global
        };
        let expansion = Expansion::new(Arc::new(base), coefficients.as_ref(), &mass, readout)?;
        Ok(Fitted {
            expansion: expansion.with_offset(offset)?,
            visible: Some(Scores { values, reached }),
            dual: None,
            report: self.report(known, solves),
        })
    }
}

impl Prepared for PreparedBlend {
    type Base = BlendBase;

    fn solve(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Fitted<BlendBase>> {
        let known = self.known(seen, monitor)?;
        self.expand(&known, seen.values(), monitor)
    }
}

fn scale(m: &mut Mat<f64>, factor: f64) {
    for j in 0..m.ncols() {
        m.col_mut(j).iter_mut().for_each(|v| *v *= factor);
    }
}
