//! STKR with checked parameters, and its preparation on a base.

use std::sync::{Arc, Mutex};

use super::params::{Repair, Solver, StkrParams};
use super::prepared::PreparedStkr;
use super::transformed_gram::Form;
use super::twin;
use crate::base::Base;
use crate::error::{Error, Result};
use crate::estimator::Estimator;
use crate::estimator::trivial_mode::TrivialMode;
use crate::monitor::Monitor;
use crate::operator::Symmetric;
use crate::spectrum::{Encoder, SpectralFunction, Transform};

/// STKR with checked parameters.
///
/// ```
/// use isotherm::base::GraphBase;
/// use isotherm::data::graph::{EdgeRules, GraphBuilder};
/// use isotherm::estimator::Estimator;
/// use isotherm::estimator::stkr::{Stkr, StkrParams};
/// use isotherm::monitor::Quiet;
/// use isotherm::task::{Observed, OneHot};
///
/// // Two triangles joined by an edge, one label in each.
/// let mut edges = GraphBuilder::new(EdgeRules::default());
/// for (u, v) in [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)] {
///     edges.push(u, v, None)?;
/// }
/// let (graph, _) = edges.finish(&mut Quiet)?;
/// let labels = [Some(0), None, None, None, None, Some(1)];
/// let seen = Observed::encode(&OneHot::new(2), &labels)?;
/// let fitted = Stkr::new(StkrParams::default())?.fit(GraphBase::new(graph), &seen, &mut Quiet)?;
/// let scores = fitted.visible.unwrap().values;
/// assert!(scores[(2, 0)] > scores[(2, 1)] && scores[(3, 1)] > scores[(3, 0)]);
/// # Ok::<(), isotherm::Error>(())
/// ```
#[derive(Clone)]
pub struct Stkr {
    params: StkrParams,
    function: Option<Arc<dyn SpectralFunction>>,
    seed: u64,
}

impl Stkr {
    /// Checks the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] when one is out of range or would be ignored.
    pub fn new(params: StkrParams) -> Result<Self> {
        params.check()?;
        Ok(Self {
            params,
            function: None,
            seed: 0,
        })
    }

    /// Any monotone `s` with `s(0) = 0`, by Lanczos; it stands in place of
    /// `params.transform`.
    ///
    /// Theorem 1's conditions are checked on the spectrum's interval in `prepare`.
    ///
    /// # Errors
    /// As [`Stkr::new`]; and for a solver that needs a short formula.
    pub fn with_function(
        function: impl SpectralFunction + 'static,
        params: StkrParams,
    ) -> Result<Self> {
        let params = StkrParams {
            transform: Transform::Power { degree: 1 },
            ..params
        };
        params.check()?;
        if !matches!(params.solver, Solver::Auto | Solver::LabelBlock) {
            return Err(Error::parameter(
                "solver",
                "auto or label-block for a function, which has no short formula",
                params.solver.name(),
            ));
        }
        Ok(Self {
            params,
            function: Some(Arc::new(function)),
            seed: 0,
        })
    }

    /// Every random choice (the start of an eigensolver) follows from it.
    #[must_use]
    pub fn seeded(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }
}

impl<B: Base> Estimator<B> for Stkr {
    type Prepared = PreparedStkr<B>;

    fn prepare(&self, base: B, monitor: &mut dyn Monitor) -> Result<PreparedStkr<B>> {
        self.prepare_shared(Arc::new(base), monitor)
    }
}

impl Stkr {
    /// As [`Estimator::prepare`] for a base that others use too.
    ///
    /// # Errors
    /// [`Error::Parameter`] when the transform breaks Theorem 1's conditions on
    /// the base's spectrum.
    pub fn prepare_shared<B: Base>(
        &self,
        base: Arc<B>,
        monitor: &mut dyn Monitor,
    ) -> Result<PreparedStkr<B>> {
        let params = self.params.clone();
        let spectrum = base.gram().spectrum();
        let bound = spectrum.low.abs().max(spectrum.high.abs());
        let form = match &self.function {
            Some(s) => Form::Function(s.clone()),
            None => Form::of(&params.transform, bound),
        };
        let truncated =
            matches!(params.transform, Transform::Truncation { .. }) && self.function.is_none();
        let modes = if truncated && params.trivial_mode == TrivialMode::Keep {
            None
        } else {
            base.modes(monitor)?
        };
        let component = match &modes {
            Some(modes) => Some(modes.component().to_vec()),
            None => base.components(monitor)?,
        };
        let mut prepared = PreparedStkr {
            base,
            params,
            form,
            modes,
            component,
            pca: None,
            seed: self.seed,
            lowest: 0.0,
            last: Mutex::new(None),
        };
        match &self.function {
            Some(s) => prepared.check(&**s, monitor)?,
            None if truncated => {}
            None => prepared.check(&prepared.params.transform, monitor)?,
        }
        if prepared.params.repair == Repair::Auto && !truncated {
            let normalised = prepared.modes.is_some();
            let gram = prepared.transformed(None).gram;
            let lowest = twin::lowest(&*gram, normalised, self.seed, monitor)?;
            drop(gram);
            prepared.lowest = lowest;
        }
        if let (true, Transform::Truncation { rank, encoder }) =
            (truncated, &prepared.params.transform)
            && *encoder == Encoder::All
            && prepared.params.trivial_mode == TrivialMode::Keep
        {
            prepared.pca = Some(prepared.decompose(*rank, None, None, monitor)?);
        }
        Ok(prepared)
    }
}
