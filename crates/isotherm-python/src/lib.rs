//! `isotherm._core`: arrays in, arrays out.
//!
//! Estimators are Python; mathematics is in the library. What crosses here is described,
//! for people and for type checkers, in `python/isotherm/_core.pyi`.

mod arrays;
mod embedding;
mod errors;
mod fits;
mod function;
mod graphs;
mod labels;
mod model;
mod plan;
mod stream;
mod work;

/// The binding.
#[pyo3::pymodule]
mod _core {
    #[pymodule_export]
    use crate::embedding::PyEmbedding;
    #[pymodule_export]
    use crate::fits::{
        check_recipe, evaluate, fit, fit_with_sets, knn_graph, leave_one_out, spectrum, suggest,
        tune,
    };
    #[pymodule_export]
    use crate::graphs::{PyGram, PyGraph, PyLinks};
    #[pymodule_export]
    use crate::labels::PyLabels;
    #[pymodule_export]
    use crate::model::{PyAnswer, PyModel};
    #[pymodule_export]
    use crate::plan::{PyMoments, PyPlan, PySurvey, rows_to_keep, sample_size};
    #[pymodule_export]
    use crate::stream::fit_streamed;

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
