//! What a fit will need, told before anything large is allocated.

use crate::base::joined_rows::CANDIDATES;
use crate::base::kernel_base::STORED_UP_TO;
use crate::base::node_rows::{directions, node_columns};
use crate::data::graph;
use crate::error::{Error, Result};
use crate::estimator::baseline::kernel_ridge::DIRECT_UP_TO;
use crate::estimator::blend::NEIGHBOURS as BLEND_NEIGHBOURS;
use crate::estimator::laplacian::LaplacianParams;
use crate::estimator::laplacian::params::SAMPLE;
use crate::estimator::stkr::{StkrParams, label_block};
use crate::linalg::block::padded;
use crate::linalg::panel::padded as single_padded;
use crate::model::Model;
use crate::neighbours::exact_is_affordable;
use crate::recipe::{DEFAULT_NEIGHBOURS, Method, Recipe};
use crate::solve::resolvent::COLUMNS;
use crate::spectrum::Transform;

/// The sizes a cost depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Samples: rows or nodes.
    pub samples: usize,
    /// Samples with a label.
    pub labelled: usize,
    /// Score columns: classes, or 1 for values.
    pub width: usize,
    /// What the samples are.
    pub kind: SampleKind,
}

/// What the samples are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SampleKind {
    /// Rows of so many numbers.
    Table {
        /// Feature columns.
        dim: usize,
    },
    /// Nodes with so many edges.
    Graph {
        /// Undirected edges.
        edges: usize,
        /// Whether edges carry weights.
        weighted: bool,
        /// Columns of the nodes' features; 0 where they have none.
        features: usize,
        /// Values of the features that are stored: all, or those that are not zero.
        values: usize,
        /// Kinds and directions of edges that are told apart; 0 where all are of one kind.
        relations: usize,
    },
    /// Similarities of all with all.
    Gram,
}

/// Bytes the fit and its answer need at their peak, the data's own copies included.
///
/// Sums of array sizes, no allocator overhead: right to about a fifth.
pub fn memory(recipe: &Recipe, sizes: &Sizes) -> u64 {
    if let Some((recipe, table)) = on_rows(recipe, sizes) {
        return smoothed_memory(&recipe, &table, sizes);
    }
    let n = sizes.samples as u64;
    let many = |parts: &[u64]| parts.iter().fold(1_u64, |p, x| p.saturating_mul(*x));
    let sum = |parts: &[u64]| parts.iter().fold(0_u64, |p, x| p.saturating_add(*x));
    let panel = many(&[8, n, padded(sizes.width) as u64]);
    let row = many(&[8, n, sizes.width as u64 + 1]);
    let solver = match &recipe.method {
        // Steps: labels, solution, residual, image and the gathered panel.
        Method::LabelPropagation(params) if params.steps.is_some() => many(&[6, panel]),
        // Labels and solution, four panels in single precision for as many columns
        // as are solved together; beside them diagonals, components and modes.
        Method::LabelPropagation(_) => sum(&[
            many(&[2, panel]),
            many(&[16, n, single_padded(sizes.width.min(COLUMNS)) as u64]),
            many(&[48, n]),
        ]),
        // Conjugate gradients: labels, solution, x, r, p, q, the last image and the
        // gathered panel; harmonic functions also clamp, pull and mask.
        Method::Harmonic(_) => many(&[12, panel]),
        Method::KernelRidge(_) => many(&[8, panel]),
        Method::Laplacian(params) => match sizes.kind {
            SampleKind::Table { dim } => params.memory(sizes.samples, dim),
            SampleKind::Graph { .. } | SampleKind::Gram => 0,
        },
        Method::Stkr(params) => many(&[8, panel]).max(stkr_memory(params, sizes)),
        // Unit labels of one panel: labels, solution, and four panels in single precision.
        Method::Blend(_) => many(&[32, n, COLUMNS as u64]).max(many(&[8, panel])),
    };
    // Coefficients, the expansion's columns and the scores; an answer is scores
    // and probabilities, a file both arrays once more.
    let solve = solver.max(sum(&[panel, many(&[7, row])]));
    match (sizes.kind, &recipe.method) {
        (SampleKind::Table { dim }, Method::Stkr(_)) if recipe.kernel.is_some() => {
            // Rows, their scaled and centred copies, the stored Gram matrix.
            let stored = if sizes.samples <= STORED_UP_TO {
                many(&[8, n, n])
            } else {
                0
            };
            sum(&[many(&[24, n, dim as u64]), stored, solve])
        }
        (SampleKind::Table { dim }, Method::Laplacian(_)) => {
            // Rows as they are, as a table and scaled; what the basis needs; the answer.
            sum(&[many(&[24, n, dim as u64]), solver, many(&[3, row])])
        }
        (SampleKind::Table { dim }, Method::KernelRidge(_)) => {
            let (l, d) = (sizes.labelled as u64, dim as u64);
            let matrix = if sizes.labelled <= DIRECT_UP_TO {
                many(&[8, l, l])
            } else {
                many(&[8, 8, l, padded(sizes.width) as u64])
            };
            // Rows and their scaled copy; labelled rows and their centred copy;
            // expanded columns, scores, probabilities.
            sum(&[
                many(&[16, n, d]),
                many(&[16, l, d]),
                matrix,
                many(&[3, row]),
            ])
        }
        (SampleKind::Table { dim }, Method::Blend(params)) => {
            let most = n.saturating_sub(1).max(1);
            let graphs = params.graphs() as u64;
            let k = (recipe.neighbours.unwrap_or(BLEND_NEIGHBOURS) as u64).min(most);
            let rows = many(&[8, n, dim as u64]);
            let l = sizes.labelled as u64;
            // Rows once for each graph, rescaled, and once as ranks; their edges; neighbours while
            // they are sought; the kernels between labels of each member.
            let graph = sum(&[rows, many(&[24, n, k]), many(&[32, n])]);
            let seek = sum(&[rows / 2, rows, many(&[28, n, CANDIDATES as u64 * k])]);
            let between = many(&[8 * 4, params.count() as u64, l, l]);
            let ranks = if params.compares_ranks() { rows } else { 0 };
            sum(&[
                rows,
                ranks,
                many(&[graphs, graph]),
                seek.max(solve),
                between,
            ])
        }
        (SampleKind::Table { dim }, _) => {
            let most = n.saturating_sub(1).max(1);
            let k = (recipe.neighbours.unwrap_or(DEFAULT_NEIGHBOURS) as u64).min(most);
            let rows = many(&[8, n, dim as u64]);
            let entries = many(&[2, n, k]);
            // Neighbours are sought among rounded rows, in large tables among
            // sorted rows too; then the graph is built; then it is solved on.
            let rounded = rows / 2;
            let seek = if exact_is_affordable(sizes.samples, dim) {
                sum(&[rounded, many(&[28, n, k])])
            } else {
                sum(&[rounded, rows, many(&[28, n, k]), many(&[24, n])])
            };
            let build = graph::memory_estimate(n, many(&[n, k]), true);
            // Where rows repeat: the different ones.
            sum(&[
                many(&[2, rows]),
                seek.max(build).max(sum(&[solve, many(&[12, entries])])),
            ])
        }
        // The matrix as it came and our own copy.
        (SampleKind::Gram, _) => sum(&[many(&[16, n, n]), solve]),
        (
            SampleKind::Graph {
                edges,
                weighted,
                features,
                values,
                relations,
            },
            method,
        ) => {
            let build = graph::memory_estimate(n, edges as u64, weighted);
            let entry = if weighted { 12 } else { 4 };
            let rows = match method {
                Method::Blend(_) => node_rows_memory(sizes, (features, values), relations),
                _ => 0,
            };
            build.max(sum(&[many(&[3, edges as u64, entry]), solve, rows]))
        }
    }
}

/// What a recipe that smooths features of nodes comes to: rows in a table.
pub(super) fn on_rows(recipe: &Recipe, sizes: &Sizes) -> Option<(Recipe, Sizes)> {
    let (Some(smooth), SampleKind::Graph { features, .. }) = (&recipe.smooth, sizes.kind) else {
        return None;
    };
    let dim = smooth.etas().len() * features.clamp(1, directions(sizes.samples));
    let recipe = Recipe {
        smooth: None,
        ..recipe.clone()
    };
    let kind = SampleKind::Table { dim };
    Some((recipe, Sizes { kind, ..*sizes }))
}

/// Bytes that a fit to rows of nodes needs: averages in single precision, which are read where
/// they are, the columns that are averaged, edges and features, and the method.
fn smoothed_memory(recipe: &Recipe, table: &Sizes, sizes: &Sizes) -> u64 {
    let (
        SampleKind::Table { dim },
        SampleKind::Graph {
            edges,
            weighted,
            features,
            values,
            ..
        },
    ) = (table.kind, sizes.kind)
    else {
        return memory(recipe, table);
    };
    let (n, labelled) = (sizes.samples as u64, sizes.labelled as u64);
    let (dim, edges) = (dim as u64, edges as u64);
    let own = features.clamp(1, directions(sizes.samples)) as u64;
    let many = |parts: &[u64]| parts.iter().fold(1_u64, |p, x| p.saturating_mul(*x));
    let sum = |parts: &[u64]| parts.iter().fold(0_u64, |p, x| p.saturating_add(*x));
    let graph = graph::memory_estimate(n, edges, weighted).max(many(&[32, edges]));
    let rows = sum(&[
        many(&[4, n, dim]),
        many(&[8, n, own]),
        many(&[24, values as u64]),
    ]);
    let method = match &recipe.method {
        // Rows of the sample that parameters are chosen on; the answer.
        Method::Laplacian(params) => sum(&[
            params.memory(sizes.samples, dim as usize),
            many(&[16, n.min(labelled + SAMPLE as u64), dim]),
            many(&[8 * 3, n, sizes.width as u64 + 1]),
        ]),
        _ => memory(recipe, table),
    };
    sum(&[graph, rows, method])
}

/// Bytes that the rows of nodes of a blend need: in single precision four averages of the features
/// and what is one and two steps away, the same of one average of the nodes, and eigenvectors; the
/// averages once more for each relation; the features themselves; the kernels between labels.
fn node_rows_memory(sizes: &Sizes, (features, values): (usize, usize), relations: usize) -> u64 {
    let (n, d, l) = (sizes.samples as u64, features as u64, sizes.labelled as u64);
    let columns = node_columns(sizes.samples) as u64;
    let own = d.min(directions(sizes.samples) as u64);
    let numbers = (6 * own).saturating_add(3 * columns).saturating_add(64);
    let each = (4 * own).saturating_add(2 * columns);
    let numbers = numbers.saturating_add(each.saturating_mul(relations as u64));
    let rows = n.saturating_mul(4 * numbers);
    // As they came, rescaled, and those that are not zero by column.
    let given = (values as u64).saturating_mul(8 * 3);
    let eigenvectors = n.saturating_mul(8 * 4 * 64);
    let members = 12 + 4 * relations as u64;
    let between = l.saturating_mul(l).saturating_mul(8 * 4 * members);
    [rows, given, eigenvectors, between]
        .into_iter()
        .fold(0, u64::saturating_add)
}

/// Bytes STKR's columns need: panels of a label block, or all modes of a truncation.
fn stkr_memory(params: &StkrParams, sizes: &Sizes) -> u64 {
    let (n, l) = (sizes.samples as u64, sizes.labelled as u64);
    let square = l.saturating_mul(l).saturating_mul(8 * 4);
    let columns = match &params.transform {
        // The Krylov basis, modes, encoder and features.
        Transform::Truncation { rank, .. } => {
            n.saturating_mul(*rank as u64 + 1).saturating_mul(8 * 6)
        }
        _ => label_block::panel_bytes(sizes.samples) as u64,
    };
    columns.saturating_add(square)
}

/// Refuses an answer for so many new samples that, beside the `used` bytes in
/// use already, needs more than `limit` bytes.
///
/// # Errors
/// [`Error::Memory`] with the estimate and a way out.
pub fn check_answer(model: &Model, samples: usize, used: u64, limit: u64) -> Result<()> {
    let width = model.classes().map_or(1, <[String]>::len) as u64;
    // Rows and their scaled copy; expanded columns, scores, probabilities.
    let sample = 16 * model.dim().unwrap_or(0) as u64 + 3 * 8 * (width + 1);
    let needed = sample.saturating_mul(samples as u64).saturating_add(used);
    if needed <= limit {
        return Ok(());
    }
    Err(Error::Memory {
        what: format!("predicting {samples} rows at once"),
        needed,
        limit: Some(limit),
        hint: "predict with `stream` or fewer rows at a time, or raise `memory`".to_owned(),
    })
}

/// Refuses an embedding that, beside the `used` bytes in use already, needs more
/// than `limit` bytes.
///
/// # Errors
/// [`Error::Memory`] with the estimate and a way out.
pub fn check_embedding(
    params: &LaplacianParams,
    rows: usize,
    dim: usize,
    used: u64,
    limit: u64,
) -> Result<()> {
    let own = (rows as u64).saturating_mul(dim as u64).saturating_mul(16);
    let needed = (params.memory(rows, dim).saturating_add(own)).saturating_add(used);
    if needed <= limit {
        return Ok(());
    }
    Err(Error::Memory {
        what: format!("an embedding of {rows} rows of {dim} numbers"),
        needed,
        limit: Some(limit),
        hint: "use fewer landmarks, or raise `memory`".to_owned(),
    })
}

/// Rows of a stream that are in memory at once, at most.
const PART: u64 = 1 << 17;

/// Bytes a fit to rows that pass by needs at its peak.
pub(crate) fn streamed_memory(recipe: &Recipe, sizes: &Sizes) -> u64 {
    let SampleKind::Table { dim } = sizes.kind else {
        return memory(recipe, sizes);
    };
    let solver = match &recipe.method {
        Method::Laplacian(params) => params.memory(sizes.samples, dim),
        _ => 0,
    };
    let kept = (SAMPLE as u64).saturating_add(sizes.labelled as u64);
    // Kept rows, their scaled copy and a table of both; a part as text, cells, the part
    // after it, points and their scaled copy, of at most so many rows or 32 MB of cells.
    let part = PART.saturating_mul(8 * dim as u64).min(32 << 20);
    let rows = kept.saturating_mul(32 * dim as u64);
    let labels = (sizes.samples as u64).saturating_mul(8);
    let parts = [solver, rows, 5 * part, labels];
    parts.iter().fold(0_u64, |a, b| a.saturating_add(*b))
}

/// Refuses a fit to rows that pass by when, beside the `used` bytes in use already, it
/// needs more than `limit` bytes.
///
/// # Errors
/// [`Error::Memory`] with the estimate and a way out.
pub fn check_streamed(recipe: &Recipe, sizes: &Sizes, used: u64, limit: u64) -> Result<()> {
    let SampleKind::Table { dim } = sizes.kind else {
        return check(recipe, sizes, used, limit);
    };
    let needed = streamed_memory(recipe, sizes).saturating_add(used);
    if needed <= limit {
        return Ok(());
    }
    Err(Error::Memory {
        what: format!(
            "{} on {} rows of {dim} numbers that are streamed",
            recipe.method.name(),
            sizes.samples
        ),
        needed,
        limit: Some(limit),
        hint: "use fewer landmarks or fewer columns, or raise `memory`".to_owned(),
    })
}

/// Refuses what solves for unit labels, a column each: prediction sets under any method
/// (`everywhere`), and leave-one-out under those that have no n×n system.
///
/// # Errors
/// As [`check`].
pub fn check_units(
    recipe: &Recipe,
    sizes: &Sizes,
    everywhere: bool,
    used: u64,
    limit: u64,
) -> Result<()> {
    let sums = matches!(
        recipe.method,
        Method::LabelPropagation(_) | Method::Harmonic(_)
    );
    let columns = if everywhere || sums {
        sizes.labelled.max(sizes.width)
    } else {
        sizes.width
    };
    let wide = Sizes {
        width: columns,
        ..*sizes
    };
    let more = left_out_memory(sizes.labelled);
    check(recipe, &wide, used.saturating_add(more), limit)
}

/// Matrices of labels by labels that leave-one-out holds at its peak: the smoother with its
/// eigenvectors and inverse, folds of nested cross-validation, and the same of the baseline
/// beside it. Twelve were measured at 1500 labels (304 MB at the peak, 321 told).
const LEFT_OUT: u64 = 12;

/// Bytes leave-one-out needs beside the fit.
pub(crate) fn left_out_memory(labelled: usize) -> u64 {
    let l = labelled as u64;
    l.saturating_mul(l).saturating_mul(8 * LEFT_OUT)
}

/// Refuses suggestions on so many features of every sample that, beside the fit's own
/// geometry, need too much.
///
/// # Errors
/// As [`check`].
pub fn check_features(
    recipe: &Recipe,
    sizes: &Sizes,
    modes: usize,
    used: u64,
    limit: u64,
) -> Result<()> {
    // Eigenvectors in a basis about twice as wide, features in a prior and a ledger.
    let own = 8 * 6 * modes.min(sizes.samples) as u64;
    let more = own.saturating_mul(sizes.samples as u64);
    check(recipe, sizes, used.saturating_add(more), limit)
}

/// Refuses a fit that, beside the `used` bytes in use already, needs more than
/// `limit` bytes.
///
/// # Errors
/// [`Error::Memory`] with the estimate and a way out.
pub fn check(recipe: &Recipe, sizes: &Sizes, used: u64, limit: u64) -> Result<()> {
    let needed = memory(recipe, sizes).saturating_add(used);
    if needed <= limit {
        return Ok(());
    }
    let what = match sizes.kind {
        SampleKind::Table { dim } => format!(
            "{} on {} rows of {dim} numbers",
            recipe.method.name(),
            sizes.samples
        ),
        SampleKind::Graph { edges, .. } => format!(
            "{} on {} nodes and {edges} edges",
            recipe.method.name(),
            sizes.samples
        ),
        SampleKind::Gram => format!(
            "{} on the similarities of {} samples",
            recipe.method.name(),
            sizes.samples
        ),
    };
    let landmarks = Recipe::of(Method::laplacian(recipe.task), recipe.task, recipe.seed);
    let other = if memory(&landmarks, sizes).saturating_add(used) <= limit {
        "use `method laplacian`, which fits, or "
    } else {
        ""
    };
    let hint = match (sizes.kind, &recipe.method) {
        (SampleKind::Table { .. }, Method::Laplacian(_)) => {
            "use fewer columns or landmarks, raise `memory`, or fit with `stream`".to_owned()
        }
        (SampleKind::Table { .. }, Method::KernelRidge(_)) => {
            format!("{other}use fewer labelled rows or columns, or raise `memory`")
        }
        (SampleKind::Table { .. }, _) if recipe.kernel.is_some() => {
            format!("{other}use fewer rows, or leave `kernel` out, or raise `memory`")
        }
        (SampleKind::Table { .. }, _) => {
            format!("{other}use fewer rows, fewer columns or fewer neighbours, or raise `memory`")
        }
        (SampleKind::Graph { .. }, _) => "use fewer edges, or raise `memory`".to_owned(),
        (SampleKind::Gram, _) => {
            "use fewer samples, a sparse graph of them, or raise `memory`".to_owned()
        }
    };
    Err(Error::Memory {
        what,
        needed,
        limit: Some(limit),
        hint,
    })
}
