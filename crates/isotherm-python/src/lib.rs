//! `isotherm._core`: arrays in, arrays out.
//!
//! Estimators are Python; mathematics is in the library. What crosses here is described,
//! for people and for type checkers, in `python/isotherm/_core.pyi`.

mod arrays;
mod cross_fit;
mod dict;
mod distributed;
mod embedding;
mod encoder;
mod errors;
mod evaluate;
mod fit;
mod graphs;
mod labels;
mod model;
mod parameters;
mod problem;
mod spectral_function;
mod stream;
mod suggest;
mod thread_pool;
mod tune;

/// The binding.
#[pyo3::pymodule]
mod _core {
    #[pymodule_export]
    use crate::arrays::{PyBlocks, PySparseRows, check_rows};
    #[pymodule_export]
    use crate::cross_fit::{judge_classes, judge_values, split_classes, split_values};
    #[pymodule_export]
    use crate::distributed::{PyMoments, PyPlan, PySurvey, rows_to_keep, sample_size};
    #[pymodule_export]
    use crate::embedding::PyEmbedding;
    #[pymodule_export]
    use crate::encoder::{PyEncoded, PyEncoder, median};
    #[pymodule_export]
    use crate::evaluate::{evaluate, fit_with_sets, learning_curve, reliability, reliability_of};
    #[pymodule_export]
    use crate::fit::{check_recipe, fit, leave_one_out, spectrum};
    #[pymodule_export]
    use crate::graphs::{PyGram, PyGraph, PyLinks, PyNewNodes, PyNodes, knn_graph};
    #[pymodule_export]
    use crate::labels::PyLabels;
    #[pymodule_export]
    use crate::model::{PyAnswer, PyModel};
    #[pymodule_export]
    use crate::parameters::{kernels, parameters};
    #[pymodule_export]
    use crate::stream::fit_streamed;
    #[pymodule_export]
    use crate::suggest::suggest;
    #[pymodule_export]
    use crate::tune::tune;

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
