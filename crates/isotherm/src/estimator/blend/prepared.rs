//! The members ready for any labels, and a fit to some.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::member::Member;
use super::params::{Blend, BlendParams, MemberSpec};
use super::stack::Pull;
use super::term::Term;
use super::tuned::Tuned;
use crate::base::{
    Base as _, BlendBase, BlendPart, GraphBase, NodeSamples, Samples, Similarity, View,
};
use crate::data::{Nodes, Points, Rescaling};
use crate::error::{Error, Result};
use crate::estimator::check::check_total;
use crate::estimator::smoother::check_labels;
use crate::estimator::{Estimator, Prepared};
use crate::expansion::{Expansion, Fitted, Readout, Scores};
use crate::linalg::Mat;
use crate::monitor::Monitor;
use crate::neighbours::check_count;
use crate::nodes::{Wanted, find_rows};
use crate::solve::{Outcome, SolveReport};
use crate::task::Observed;

/// Below this summed similarity a row is not reached: the prediction would be rounding.
const REACH: f64 = 1e-12;

/// Neighbours of a row, where nobody says.
pub(crate) const NEIGHBOURS: usize = 5;

/// The members of a blend, ready for any labels.
#[derive(Debug)]
pub(crate) struct PreparedBlend {
    pub(super) samples: Samples,
    pub(super) members: Vec<Member>,
    pub(super) params: BlendParams,
    /// The worst of the solves for the rows of nodes.
    report: Option<SolveReport>,
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
        let specs = self.members(points.is_sparse());
        if self.params.graphs() > 0 {
            check_count(neighbours, most, points.len())?;
        }
        let mut refused = None;
        let mut rescalings: HashMap<_, (Arc<Rescaling>, Points)> = HashMap::new();
        let mut members = Vec::with_capacity(specs.len());
        for spec in &specs {
            // The direction of a row with one column is its sign.
            if self.is_usual() && points.dim() == 1 && spec.compares_directions() {
                continue;
            }
            let mut terms = Vec::with_capacity(spec.terms().len());
            let mut term = |spec: &MemberSpec, monitor: &mut dyn Monitor| {
                let how = spec.scaling();
                let rescaled = match rescalings.get(&how) {
                    Some(known) => known.clone(),
                    None => {
                        let learned = Rescaling::learn(how, &points, monitor)?;
                        let rows = learned.rows(&points)?;
                        let learned = (Arc::new(learned), rows);
                        rescalings.entry(how).or_insert(learned).clone()
                    }
                };
                let how = (neighbours, self.params.eta, self.seed);
                Term::of_table(spec, rescaled, how, monitor)
            };
            let made = (spec.terms().iter())
                .try_for_each(|spec| term(spec, monitor).map(|term| terms.push(term)));
            match made.and_then(|()| Member::new(spec.name(), 1.0, terms)) {
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
        let graphs = members.iter().filter(|m| m.graph().is_some()).count();
        let kernels = members.len() - graphs;
        let kinds = usize::from(graphs > 0) + usize::from(kernels > 0);
        for member in &mut members {
            let alike = if member.graph().is_some() {
                graphs
            } else {
                kernels
            };
            member.prior = 1.0 / (kinds * alike) as f64;
        }
        Ok(PreparedBlend {
            samples: Samples::Rows(points),
            members,
            params: self.params.clone(),
            report: None,
            last: Mutex::new(None),
        })
    }
}

impl Estimator<Nodes> for Blend {
    type Prepared = PreparedBlend;

    fn prepare(&self, nodes: Nodes, monitor: &mut dyn Monitor) -> Result<PreparedBlend> {
        let nodes = NodeSamples::new(nodes, monitor)?;
        let specs = match &self.params.members {
            Some(members) => members.iter().map(|m| (1.0, m.clone())).collect(),
            None => MemberSpec::usual_of_nodes(&nodes),
        };
        let mut wanted: Vec<Wanted> = Vec::new();
        for term in specs.iter().flat_map(|(_, spec)| spec.terms()) {
            match term {
                MemberSpec::Nodes { rows, relation, .. } => {
                    wanted.push((*rows, nodes.place(relation.as_deref())?));
                }
                MemberSpec::Edges { .. } => {}
                _ => {
                    return Err(Error::data(
                        format!("{} compares rows of a table, not nodes", term.name()),
                        "choose members of the kinds nodes and edges",
                    ));
                }
            }
        }
        let how = (self.params.stopping(), self.seed);
        let (found, report) = find_rows(&nodes, &wanted, how, monitor)?;
        let mut found = found.into_iter();
        let total: f64 = specs.iter().map(|(prior, _)| prior).sum();
        let mut members = Vec::with_capacity(specs.len());
        for (prior, spec) in &specs {
            let mut terms = Vec::with_capacity(spec.terms().len());
            for term in spec.terms() {
                match (term, found.as_slice()) {
                    (MemberSpec::Edges { eta, relation }, _) => {
                        let relation = nodes.place(relation.as_deref())?;
                        terms.push(Term::of_edges(&nodes, relation, *eta, monitor)?);
                    }
                    (MemberSpec::Nodes { kernel, width, .. }, [_, ..]) => {
                        let rows = found.next().into_iter();
                        for rows in rows {
                            terms.push(Term::of_nodes((kernel, *width), rows, self.seed)?);
                        }
                    }
                    _ => {}
                }
            }
            members.push(Member::new(spec.name(), prior / total, terms)?);
        }
        Ok(PreparedBlend {
            samples: Samples::Nodes(nodes),
            members,
            params: self.params.clone(),
            report,
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

    /// The graph whose nodes it compares, where it does not compare rows of a table.
    pub(crate) fn nodes(&self) -> Option<&GraphBase> {
        match &self.samples {
            Samples::Rows(_) => None,
            Samples::Nodes(nodes) => Some(&nodes.graph),
        }
    }

    /// What the weights are before labels say anything.
    pub(super) fn pull(&self) -> Pull {
        Pull {
            prior: self.members.iter().map(|member| member.prior).collect(),
            labels: self.params.pull,
        }
    }

    /// Ridges and weights for these labels, kept for the next question about them.
    pub(super) fn known(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Arc<Known>> {
        check_total(self.samples.len(), seen)?;
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
                let mut report = self.report.clone();
                for member in &self.members {
                    let (gram, solve) = member.gram(index, &self.params, monitor)?;
                    grams.push(gram);
                    if let Some(solve) = solve {
                        report = Some(SolveReport::worse(report, solve));
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
            (Some(a), b) => SolveReport::worse(b, a),
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
        let (rows, width) = (self.samples.len(), labels.ncols());
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
            let (alpha, constant) = tuned.coefficients(k, labels);
            let fit = (&alpha, weight, shares[k]);
            let known = (&self.samples, index);
            let (image, own, solve) = member.expand(known, fit, &self.params, monitor)?;
            if let Some(solve) = solve {
                solves = Some(SolveReport::worse(solves, solve));
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
            for (part, own, mass) in own {
                parts.push(part);
                columns.push((own, mass));
            }
        }
        if let Some((part, known)) = self.reach(index, monitor)? {
            parts.push(part);
            let mass = known.iter().map(|r| f64::from(u8::from(*r))).collect();
            columns.push((Mat::zeros(rows, width), mass));
            reached = known;
        }
        for (j, offset) in offset.iter().enumerate() {
            for (i, value) in values.col_mut(j).iter_mut().enumerate() {
                *value = if reached[i] { *value + offset } else { 0.0 };
            }
        }
        let base = BlendBase::new(self.samples.clone(), index.to_vec(), parts);
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

    /// The nodes that labels reach: those with features, and those that edges join to a label.
    fn reach(
        &self,
        index: &[usize],
        monitor: &mut dyn Monitor,
    ) -> Result<Option<(BlendPart, Vec<bool>)>> {
        let Samples::Nodes(nodes) = &self.samples else {
            return Ok(None);
        };
        let component = nodes.graph.components(monitor)?.unwrap_or_default();
        let count = component.iter().max().map_or(0, |c| *c as usize + 1);
        let mut joined = vec![false; count];
        (index.iter()).for_each(|&i| joined[component[i] as usize] = true);
        let known = |i: usize| (nodes.features.as_ref()).is_some_and(|f| !f.given.is_zero(i));
        let reached = (component.iter().enumerate())
            .map(|(i, &c)| joined[c as usize] || known(i))
            .collect();
        let part = BlendPart {
            name: "reach".to_owned(),
            share: 0.0,
            view: View::Edges,
            similarity: Similarity::Reach,
        };
        Ok(Some((part, reached)))
    }
}

impl Prepared for PreparedBlend {
    type Base = BlendBase;

    fn solve(&self, seen: &Observed, monitor: &mut dyn Monitor) -> Result<Fitted<BlendBase>> {
        let known = self.known(seen, monitor)?;
        self.expand(&known, seen.values(), monitor)
    }
}
