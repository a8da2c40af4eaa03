//! The runs: every method on one split, as rows.

use std::sync::Arc;

use anyhow::Result;
use isotherm::base::{Base, GraphBase};
use isotherm::estimator::baseline::{LabelPropagation, LabelPropagationParams};
use isotherm::estimator::stkr::{PreparedStkr, Stkr, StkrParams};
use isotherm::estimator::{Estimator, Prepared};
use isotherm::linalg::Mat;
use isotherm::monitor::Quiet;
use isotherm::operator::Modes;
use isotherm::select::grid::{DEGREES, ETAS, RANKS};
use isotherm::select::{self, Blocks, Grid, Judge, Metric};
use isotherm::solve::lanczos::{self, Target};
use isotherm::spectrum::{Encoder, SpectralFunction, Transform};

use crate::clock::{Clock, Spent};
use crate::graphs::{Network, Split};
use crate::grid::{self, Fit};
use crate::records::Record;
use crate::stage::{Stage, Verdict, right, rows};
use crate::walks;

/// What to run on a split.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Parts {
    /// Label propagation with T ≤ 32 steps.
    pub propagation: bool,
    /// The inverse Laplacian, every η.
    pub laplacian: bool,
    /// Powers, the first and the eighth among them.
    pub powers: bool,
    /// Kernel PCA.
    pub modes: bool,
    /// Solves cut after T ≤ 32 steps.
    pub limited: bool,
    /// Centred labels without the trivial mode, every η.
    pub centred: bool,
    /// Exact label propagation, our default, leave-one-out.
    pub paired: bool,
}

/// A graph with what all seeds share.
pub struct Shared<'n> {
    network: &'n Network,
    base: Arc<GraphBase>,
    known: Option<Modes>,
    modes: Option<PreparedStkr<GraphBase>>,
}

impl<'n> Shared<'n> {
    /// The whole graph as a base.
    ///
    /// # Errors
    /// When its components cannot be found.
    pub fn new(network: &'n Network) -> Result<Self> {
        let base = GraphBase::new(network.graph.clone());
        Ok(Self {
            network,
            known: base.modes(&mut Quiet)?,
            base: Arc::new(base),
            modes: None,
        })
    }
}

fn laplacian(eta: f64) -> Transform {
    Transform::InverseLaplacian { eta }
}

fn printed(transform: &Transform) -> StkrParams {
    StkrParams::as_printed(transform.clone(), 1.0)
}

/// Makes rows of one split.
struct Writer<'a> {
    graph: &'a str,
    setting: &'a str,
    p_test: &'a str,
    seed: u64,
    rows: Vec<Record>,
}

impl Writer<'_> {
    fn push(
        &mut self,
        (method, parameter): (&str, &str),
        (chosen, validation): (String, Option<f64>),
        verdict: Verdict,
        spent: Spent,
    ) {
        let round = |v: f64| (v * 1e4).round() / 1e4;
        let row = Record {
            graph: self.graph.to_owned(),
            setting: self.setting.to_owned(),
            p_test: self.p_test.to_owned(),
            method: method.to_owned(),
            parameter: parameter.to_owned(),
            seed: self.seed,
            chosen,
            validation: validation.map(round),
            test: round(verdict.test),
            rest: verdict.rest.map(round),
            unreached: round(verdict.unreached),
            seconds: 0.0,
            cpu: 0.0,
        };
        self.rows.push(row.timed(spent));
    }
}

fn chosen(name: &str, value: impl std::fmt::Display, fit: &Fit) -> String {
    match fit.steps {
        Some(t) => format!("{name}={value} β={:e} T={t}", fit.ridge),
        None => format!("{name}={value} β={:e}", fit.ridge),
    }
}

/// One transductive split.
///
/// # Errors
/// When a method fails.
pub fn transductive(
    shared: &mut Shared<'_>,
    p_test: &str,
    seed: u64,
    parts: Parts,
) -> Result<Vec<Record>> {
    let network = shared.network;
    let split = Split::new(&network.entry, network.labels.len(), p_test.parse()?, seed)?;
    let stage = Stage::transductive(network, &shared.base, shared.known.as_ref(), &split)?;
    let mut out = Writer {
        graph: network.entry.key,
        setting: "t",
        p_test,
        seed,
        rows: Vec::new(),
    };
    let mut clock = Clock::new();
    if parts.propagation {
        propagation(network, &stage, &mut out, &mut clock)?;
    }
    if parts.laplacian {
        inverse_laplacian(&stage, &mut out, &mut clock, true)?;
    }
    if parts.powers || parts.limited {
        powers(&stage, &mut out, &mut clock, parts)?;
    }
    if parts.limited {
        limited_laplacian(&stage, &mut out, &mut clock)?;
    }
    if parts.centred {
        centred(&stage, &mut out, &mut clock)?;
    }
    if parts.paired {
        paired(network, &stage, &mut out, &mut clock)?;
    }
    if parts.modes {
        let prepared = match shared.modes.take() {
            Some(prepared) => prepared,
            None => eigenproblem(&shared.base)?,
        };
        modes(&stage, &prepared, &mut out, &mut clock)?;
        shared.modes = Some(prepared);
    }
    Ok(out.rows)
}

/// One inductive split: the inverse Laplacian, powers and kernel PCA.
///
/// # Errors
/// When a method fails.
pub fn inductive(network: &Network, p_test: &str, seed: u64, parts: Parts) -> Result<Vec<Record>> {
    let mut clock = Clock::new();
    let split = Split::new(&network.entry, network.labels.len(), p_test.parse()?, seed)?;
    let stage = Stage::inductive(network, &split)?;
    let mut out = Writer {
        graph: network.entry.key,
        setting: "i",
        p_test,
        seed,
        rows: Vec::new(),
    };
    if parts.laplacian {
        inverse_laplacian(&stage, &mut out, &mut clock, false)?;
    }
    if parts.powers || parts.limited {
        powers(&stage, &mut out, &mut clock, parts)?;
    }
    if parts.modes {
        let prepared = eigenproblem(&stage.base)?;
        modes(&stage, &prepared, &mut out, &mut clock)?;
    }
    Ok(out.rows)
}

fn judged(stage: &Stage, transform: &Transform, fit: &Fit) -> Result<Verdict> {
    stage.judge(&stage.spread(transform, None, &fit.alpha)?)
}

fn propagation(
    network: &Network,
    stage: &Stage,
    out: &mut Writer<'_>,
    clock: &mut Clock,
) -> Result<()> {
    let cells = walks::label_propagation(stage)?;
    let mut best = cells[0];
    for cell in cells {
        if cell.2 > best.2 {
            best = cell;
        }
    }
    let (steps, eta, validation) = best;
    let verdict = propagate(network, stage, eta, Some(steps))?;
    out.push(
        ("LP", ""),
        (format!("η={eta} T={steps}"), Some(validation)),
        verdict,
        clock.lap(),
    );
    Ok(())
}

fn propagate(network: &Network, stage: &Stage, eta: f64, steps: Option<usize>) -> Result<Verdict> {
    let params = LabelPropagationParams {
        eta,
        steps,
        ..LabelPropagationParams::default()
    };
    let base = GraphBase::new(network.graph.clone());
    let prepared = LabelPropagation::new(params)?.prepare(base, &mut Quiet)?;
    visible(stage, prepared.solve(&stage.seen, &mut Quiet)?.visible)
}

fn visible(stage: &Stage, scores: Option<isotherm::expansion::Scores>) -> Result<Verdict> {
    let scores = scores.ok_or_else(|| anyhow::anyhow!("the fit has no scores of its nodes"))?;
    let rows = rows(scores.values.as_ref());
    Ok(stage.judge_visible(&|i| &rows[i]))
}

fn inverse_laplacian(
    stage: &Stage,
    out: &mut Writer<'_>,
    clock: &mut Clock,
    every: bool,
) -> Result<()> {
    let transforms: Vec<Transform> = ETAS.map(laplacian).to_vec();
    let blocks = stage.blocks(&printed(&transforms[0]), &transforms)?;
    let y = stage.seen.values();
    let fits = grid::ridges(&blocks, y, y, &stage.validation)?;
    let (best, fit) = grid::first_best(&fits)?;
    let verdict = judged(stage, &transforms[best], fit)?;
    out.push(
        ("SP-Lap", ""),
        (chosen("η", ETAS[best], fit), Some(fit.validation)),
        verdict,
        clock.lap(),
    );
    if every {
        for ((fit, transform), eta) in fits.iter().zip(&transforms).zip(ETAS) {
            let verdict = judged(stage, transform, fit)?;
            out.push(
                ("SP-Lap", &eta.to_string()),
                (chosen("η", eta, fit), Some(fit.validation)),
                verdict,
                clock.lap(),
            );
        }
    }
    Ok(())
}

fn powers(stage: &Stage, out: &mut Writer<'_>, clock: &mut Clock, parts: Parts) -> Result<()> {
    let transforms: Vec<Transform> = DEGREES.map(|degree| Transform::Power { degree }).to_vec();
    let blocks = stage.blocks(&printed(&transforms[0]), &transforms)?;
    let y = stage.seen.values();
    if parts.powers {
        let fits = grid::ridges(&blocks, y, y, &stage.validation)?;
        for ((fit, transform), degree) in fits.iter().zip(&transforms).zip(DEGREES) {
            let verdict = judged(stage, transform, fit)?;
            let spent = clock.lap();
            let what = || (chosen("p", degree, fit), Some(fit.validation));
            out.push(("SP-power", &degree.to_string()), what(), verdict, spent);
            let name = match degree {
                1 => "KRR",
                8 => "SP-poly",
                _ => continue,
            };
            out.push((name, ""), what(), verdict, Spent::default());
        }
    }
    if parts.limited {
        let last = transforms.len() - 1;
        let (gram, cross) = (&blocks.blocks[last].gram, &blocks.blocks[last].cross);
        let fit = grid::limited(gram, cross, y, &stage.validation)?;
        let verdict = judged(stage, &transforms[last], &fit)?;
        out.push(
            ("SP-poly T≤32", ""),
            (chosen("p", DEGREES[last], &fit), Some(fit.validation)),
            verdict,
            clock.lap(),
        );
    }
    Ok(())
}

fn limited_laplacian(stage: &Stage, out: &mut Writer<'_>, clock: &mut Clock) -> Result<()> {
    let cells = walks::inverse_laplacian(stage)?;
    let spent = clock.lap();
    let mut best = 0;
    for (k, cell) in cells.iter().enumerate() {
        if cell.validation > cells[best].validation {
            best = k;
        }
    }
    for (k, cell) in cells.iter().enumerate() {
        let what = format!("η={} β={:e} T={}", cell.eta, cell.ridge, cell.steps);
        let what = || (what.clone(), Some(cell.validation));
        let eta = cell.eta.to_string();
        out.push(
            ("SP-Lap T≤32", &eta),
            what(),
            cell.verdict,
            Spent::default(),
        );
        if k == best {
            out.push(("SP-Lap T≤32", ""), what(), cell.verdict, spent);
        }
    }
    Ok(())
}

/// The modes of components whose labels are not all equal, which the default takes out.
fn removable(known: &Modes, stage: &Stage) -> Modes {
    let class = |k: usize| {
        let row = stage.seen.values().row(k);
        row.iter().position(|v| *v == 1.0)
    };
    let mut first: Vec<Option<Option<usize>>> = vec![None; known.count()];
    let mut mixed = vec![false; known.count()];
    for (k, &i) in stage.seen.index().iter().enumerate() {
        let component = known.component()[i] as usize;
        match first[component] {
            None => first[component] = Some(class(k)),
            Some(other) => mixed[component] |= other != class(k),
        }
    }
    known.only(|component| mixed[component])
}

fn centred(stage: &Stage, out: &mut Writer<'_>, clock: &mut Clock) -> Result<()> {
    let transforms: Vec<Transform> = ETAS.map(laplacian).to_vec();
    let blocks = stage.blocks(&StkrParams::default(), &transforms)?;
    let centred = stage.seen.centred();
    let given = stage.seen.values();
    let fits = grid::ridges(&blocks, given, centred.values(), &stage.validation)?;
    let removed = stage.known.as_ref().map(|known| removable(known, stage));
    for ((fit, transform), eta) in fits.iter().zip(&transforms).zip(ETAS) {
        let coefficients = stage.spread(transform, removed.as_ref(), &fit.alpha)?;
        out.push(
            ("SP-Lap centred", &eta.to_string()),
            (chosen("η", eta, fit), Some(fit.validation)),
            stage.judge(&coefficients)?,
            clock.lap(),
        );
    }
    Ok(())
}

fn paired(network: &Network, stage: &Stage, out: &mut Writer<'_>, clock: &mut Clock) -> Result<()> {
    // Exact label propagation: every η from one Krylov space. Off the labels
    // (I − ηS)⁻¹Y is ηS(I − ηS)⁻¹Y.
    let transforms = ETAS.map(laplacian);
    let functions = transforms.each_ref().map(|t| t as &dyn SpectralFunction);
    let gram = stage.base.gram();
    let target = Target {
        operator: &*gram,
        modes: stage.known.as_ref(),
    };
    let (found, _) = lanczos::functions(
        target,
        stage.seen.lifted()?,
        &functions,
        stage.validation_rows(),
        1e-10,
        10_000,
        &mut Quiet,
    )?;
    let mut best = (0, f64::NEG_INFINITY);
    for (k, scores) in found.iter().enumerate() {
        let scores = rows(scores.as_ref());
        let share = right(scores.iter().map(Vec::as_slice), &stage.validation);
        if share > best.1 {
            best = (k, share);
        }
    }
    let verdict = propagate(network, stage, ETAS[best.0], None)?;
    let what = (format!("η={}", ETAS[best.0]), Some(best.1));
    out.push(("LP exact", ""), what, verdict, clock.lap());

    let verdict = fitted(stage, &StkrParams::default())?;
    let what = ("η=0.99 β=1e-3".to_owned(), None);
    out.push(("default", ""), what, verdict, clock.lap());

    let metric = Metric::SquaredError;
    let params = StkrParams::default();
    let search = select::search(
        &params,
        &stage.base,
        &stage.seen,
        &Grid::inverse_laplacian(),
        &Judge::LeaveOneOut { metric },
        &mut Quiet,
    )?;
    let verdict = fitted(stage, &search.params(&params))?;
    let eta = search.transform().eta().unwrap_or(f64::NAN);
    let what = (format!("η={eta} β={:e}", search.ridge()), None);
    out.push(("leave-one-out", ""), what, verdict, clock.lap());
    Ok(())
}

fn fitted(stage: &Stage, params: &StkrParams) -> Result<Verdict> {
    let prepared = Stkr::new(params.clone())?.prepare_shared(stage.base.clone(), &mut Quiet)?;
    visible(stage, prepared.solve(&stage.seen, &mut Quiet)?.visible)
}

fn eigenproblem(base: &Arc<GraphBase>) -> Result<PreparedStkr<GraphBase>> {
    let rank = RANKS[RANKS.len() - 1];
    let transform = Transform::Truncation {
        rank,
        encoder: Encoder::All,
    };
    Ok(Stkr::new(printed(&transform))?.prepare_shared(base.clone(), &mut Quiet)?)
}

fn modes(
    stage: &Stage,
    prepared: &PreparedStkr<GraphBase>,
    out: &mut Writer<'_>,
    clock: &mut Clock,
) -> Result<()> {
    let found = prepared.truncated_blocks(&RANKS, &stage.seen, stage.watch(), &mut Quiet)?;
    let options = vec![prepared.system_options(); found.len()];
    let blocks = Blocks {
        blocks: found,
        options,
    };
    let y: &Mat<f64> = stage.seen.values();
    let fits = grid::ridges(&blocks, y, y, &stage.validation)?;
    let (best, fit) = grid::first_best(&fits)?;
    let Some(pca) = prepared.kernel_pca(&stage.seen, &mut Quiet)? else {
        anyhow::bail!("a truncation has modes");
    };
    let verdict = stage.judge_modes(&pca, RANKS[best], &fit.alpha)?;
    let mut what = chosen("d", RANKS[best], fit);
    let kept = pca.eigenvalues().len();
    if kept < RANKS[best] {
        what += &format!(" (only {kept} positive)");
    } else if pca.remark(RANKS[best]).is_some() {
        what += " (cut within a tie)";
    }
    out.push(
        ("SP-topd", ""),
        (what, Some(fit.validation)),
        verdict,
        clock.lap(),
    );
    Ok(())
}
