//! A recipe, its data and its labels, as most functions are given them.

use isotherm::labelling::WeightedTargets;
use isotherm::monitor::Monitor;
use isotherm::recipe::Recipe;
use isotherm::study::Study;
use pyo3::prelude::*;

use crate::arrays::column_or_none;
use crate::dict::from_python;
use crate::errors::Failure;
use crate::labels::PyLabels;
use crate::model::Source;
use crate::spectral_function::Own;
use crate::thread_pool::run;

/// A recipe on its data.
pub(crate) struct Problem<'a> {
    pub(crate) recipe: Recipe,
    source: Source,
    labels: &'a PyLabels,
    weights: Option<Vec<f64>>,
    own: Own,
}

impl<'a> Problem<'a> {
    pub(crate) fn new(
        recipe: &Bound<'_, PyAny>,
        data: &Bound<'_, PyAny>,
        labels: &'a Bound<'_, PyLabels>,
        weights: Option<&Bound<'_, PyAny>>,
        function: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut recipe: Recipe = from_python("recipe", recipe)?;
        let (own, function) = Own::new(function)?;
        recipe.function = function;
        Ok(Self {
            recipe,
            source: Source::new(data)?,
            labels: labels.get(),
            weights: column_or_none("weights", weights)?,
            own,
        })
    }

    /// Works on a study that is made in the pool, so that no other thread is used.
    pub(crate) fn run<T: Send>(
        self,
        py: Python<'_>,
        threads: Option<usize>,
        on_event: Option<&Bound<'_, PyAny>>,
        work: impl FnOnce(&mut Study, &mut dyn Monitor) -> isotherm::Result<T> + Send,
    ) -> PyResult<T> {
        let Self {
            recipe,
            source,
            labels,
            weights,
            own,
        } = self;
        run(py, threads, on_event, move |monitor| {
            let given = WeightedTargets {
                targets: &labels.targets,
                weights: weights.as_deref(),
            };
            let study = Study::new(&recipe, source.input()?, given);
            let found = study.and_then(|mut study| work(&mut study, monitor));
            own.explain(found.map_err(Failure::from))
        })
    }
}
