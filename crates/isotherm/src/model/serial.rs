//! Model ↔ parts: what `docs/model-file.md` lists, checked on the way in.
//!
//! Parts that come from a file are believed in nothing: every array passes the
//! constructor its type had when it was first made.

use std::sync::Arc;

use super::blend_parts::{put_blend, take_blend};
use super::encoding::Encoding;
use super::graph_parts::{put_graph, take_graph};
use super::model::Model;
use super::parts::{Array, Parts, broken, from_json, json, number, row_major};
pub(crate) use super::parts::{put_points, take_points};
use super::predictor::Predictor;
use super::table_parts::{put_table, scaled_rows, take_table};
use crate::base::{
    Adjacency, Base, Basis, FeatureBase, GraphBase, KernelBase, NeighbourBase, Normalisation,
    SimilarityBase, Storage,
};
use crate::data::{Points, Rescaling, Standardiser};
use crate::error::Result;
use crate::expansion::{Expansion, Fitted, Readout, Scores};
use crate::feature::{Fourier, Landmarks, WithDerivatives};
use crate::kernel::{KernelSpec, SmoothKernel};
use crate::labelling::{Classes, Labelling, Labels, Scale, Values};
use crate::linalg::{Mat, MatRef};
use crate::recipe::{Method, Recipe, Shape};
use crate::solve::SolveReport;
use crate::task::Priors;
use crate::trust::Calibration;

/// How whole rows are scaled, and the one way there is.
const ROW_SCALING: &str = "row_scaling";
const UNIT_ROWS: &str = "unit-rows";

impl Model {
    /// Lays the model out flat.
    pub fn to_parts(&self) -> Parts {
        let mut parts = Parts::default();
        parts.text("recipe", json(&self.recipe));
        parts.text("labelled", self.labelled.to_string());
        parts.text("features", json(&self.features));
        self.encoding.put(&mut parts);
        put_labelling(&mut parts, &self.labelling);
        if let Some(names) = &self.nodes {
            let bytes: Vec<u8> = names.iter().flat_map(|n| n.bytes()).collect();
            let ends = names.iter().scan(0_u64, |end, name| {
                *end += name.len() as u64;
                Some(*end)
            });
            parts.put("node_ends", vec![names.len()], Array::U64(ends.collect()));
            parts.put("node_names", vec![bytes.len()], Array::U8(bytes));
        }
        put_rescaling(&mut parts, self.scaling.as_ref());
        if let Some(table) = &self.table {
            put_table(&mut parts, table);
        }
        match &self.predictor {
            Predictor::Kernel { fitted, kernel } => {
                parts.text("kernel", json(kernel));
                // Rows of all nodes are found again.
                if self.table.is_none() || matches!(self.recipe.method, Method::KernelRidge(_)) {
                    put_points(&mut parts, fitted.expansion.base().points());
                }
                put_fitted(&mut parts, fitted);
            }
            Predictor::Features { fitted, kernel } => {
                parts.text("kernel", json(kernel));
                put_basis(&mut parts, fitted.expansion.base().basis());
                put_fitted(&mut parts, fitted);
            }
            Predictor::Neighbours(fitted) => {
                let base = fitted.expansion.base();
                if self.table.is_none() {
                    put_points(&mut parts, base.points());
                }
                put_neighbours(&mut parts, base);
                put_fitted(&mut parts, fitted);
            }
            Predictor::Blend(fitted) => {
                put_blend(&mut parts, fitted.expansion.base());
                put_fitted(&mut parts, fitted);
            }
            Predictor::Graph(fitted) => {
                put_graph(&mut parts, fitted.expansion.base().graph());
                put_fitted(&mut parts, fitted);
            }
            Predictor::Gram(fitted) => {
                parts.text("similarities", fitted.expansion.base().len().to_string());
                put_fitted(&mut parts, fitted);
            }
        }
        parts
    }

    /// Puts a model together from its parts.
    ///
    /// # Errors
    /// [`crate::Error::Refused`] naming the part that is missing, of the wrong shape or
    /// not what it should be.
    pub fn from_parts(mut parts: Parts) -> Result<Self> {
        let recipe: Recipe = from_json(&parts.take_text("recipe")?, "recipe")?;
        let labelled = number(&parts.take_text("labelled")?, "labelled")?;
        let features: Vec<String> = from_json(&parts.take_text("features")?, "features")?;
        let encoding = Encoding::take(&mut parts, features.len())?;
        let labelling = take_labelling(&mut parts, &recipe)?;
        let width = labelling.columns();
        let nodes = take_names(&mut parts)?;
        let scaling = take_rescaling(&mut parts)?;
        let basis = matches!(recipe.method, Method::Laplacian(_));
        let table = take_table(&mut parts, &recipe)?;
        let tabular = table.is_some() || basis || parts.tensors.contains_key("anchors");
        let similar = match parts.metadata.remove("similarities") {
            Some(count) => Some(number(&count, "similarities")?),
            None => None,
        };
        if similar == Some(0) {
            return Err(broken("similarities", "must be at least 1"));
        }
        recipe.check_stored(match (tabular, similar) {
            _ if table.is_some() => Shape::Graph,
            (_, Some(_)) => Shape::Gram,
            (true, None) => Shape::Table,
            (false, None) => Shape::Graph,
        })?;
        let compared = recipe.method.compares() || recipe.kernel.is_some();
        let normalisation = recipe.normalisation.unwrap_or_default();
        // Scores are those of all nodes, of which the anchors may be some.
        let seen = |anchors: usize| table.as_ref().map_or(anchors, |table| table.len());
        let predictor = match (&recipe.method, tabular, similar) {
            (_, _, Some(count)) => {
                let base = SimilarityBase::for_queries(count);
                Predictor::Gram(take_fitted(&mut parts, base, width)?)
            }
            (Method::KernelRidge(_), ..) | (Method::Stkr(_), true, _) if compared => {
                let kernel: KernelSpec = from_json(&parts.take_text("kernel")?, "kernel")?;
                let points = match &table {
                    Some(table) if matches!(recipe.method, Method::Stkr(_)) => {
                        scaled_rows(table, scaling.as_ref())?
                    }
                    _ => take_points(&mut parts)?,
                };
                let base = KernelBase::new(points, kernel.build()?, Storage::Tiled);
                let samples = seen(base.len());
                let fitted = take_fitted_at(&mut parts, base, width, samples)?;
                Predictor::Kernel { fitted, kernel }
            }
            (Method::Laplacian(_), ..) => {
                let kernel: KernelSpec = from_json(&parts.take_text("kernel")?, "kernel")?;
                let base = FeatureBase::new(take_basis(&mut parts, &kernel)?);
                let samples = seen(base.len());
                let fitted = take_fitted_at(&mut parts, base, width, samples)?;
                Predictor::Features { fitted, kernel }
            }
            (Method::Blend(params), ..) => {
                let base = take_blend(&mut parts, params, recipe.seed)?;
                let rows = base.samples().len();
                Predictor::Blend(take_fitted_at(&mut parts, base, width, rows)?)
            }
            (_, true, None) => {
                let points = match &table {
                    Some(table) => scaled_rows(table, scaling.as_ref())?,
                    None => take_points(&mut parts)?,
                };
                let base = take_neighbours(&mut parts, points, normalisation)?;
                Predictor::Neighbours(take_fitted(&mut parts, base, width)?)
            }
            (_, false, None) => {
                let base = GraphBase::stored(take_graph(&mut parts)?, normalisation);
                Predictor::Graph(take_fitted(&mut parts, base, width)?)
            }
        };
        let model = Self {
            recipe,
            labelling,
            labelled,
            features,
            encoding,
            nodes,
            scaling,
            table,
            predictor,
            settled: None,
            class_shares: None,
            warnings: Vec::new(),
        };
        model.agree()?;
        match parts.tensors.keys().chain(parts.metadata.keys()).next() {
            Some(name) => Err(broken(name, "is not a part this model has")),
            None => Ok(model),
        }
    }

    /// Sizes that no single part can check.
    fn agree(&self) -> Result<()> {
        let dim = self.dim();
        if self.table.is_some() && self.predictor.training_scores().is_none() {
            return Err(broken("scores", "is missing"));
        }
        let scaled = self.scaling.as_ref().and_then(Rescaling::dim);
        if scaled.is_some() && scaled != self.width() {
            return Err(broken("column_mean", "does not fit the anchors"));
        }
        if !self.features.is_empty() && Some(self.features.len()) != dim {
            return Err(broken("features", "does not fit the anchors"));
        }
        let fills = self.encoding.fills.len();
        if fills > 0 && Some(fills) != dim {
            return Err(broken("feature_fill", "does not fit the anchors"));
        }
        if self
            .nodes
            .as_ref()
            .is_some_and(|n| n.len() != self.anchors())
        {
            return Err(broken("node_ends", "has not one name a node"));
        }
        if self
            .labelling
            .labels
            .offset()
            .iter()
            .any(|v| !v.is_finite())
        {
            return Err(broken("offset", "is not finite"));
        }
        if self.labelling.labels.task() != self.recipe.task {
            return Err(broken("labels", "does not fit the recipe's task"));
        }
        if let (Predictor::Kernel { fitted, .. }, None) = (&self.predictor, &self.table)
            && matches!(self.recipe.method, Method::KernelRidge(_))
            && fitted.visible.is_some()
        {
            return Err(broken("scores", "is not a part of kernel ridge"));
        }
        if self.classes().is_some_and(|names| names.len() < 2) {
            return Err(broken("labels", "must name at least two classes"));
        }
        Ok(())
    }
}

/// What turns scores into labels. Plain classes and numbers have parts of their own.
pub(crate) fn put_labelling(parts: &mut Parts, labelling: &Labelling) {
    match &labelling.labels {
        Labels::Classes(classes) => parts.text("labels", json(&classes.names)),
        Labels::Values(values) => parts.floats("offset", vec![1], vec![values.offset]),
        labels => parts.text("codec", json(labels)),
    }
    if labelling.scale != Scale::Plain {
        parts.text("scale", json(&labelling.scale));
    }
    if let Some(calibration) = &labelling.calibration {
        parts.text("calibration", json(calibration));
    }
    if let Some(priors) = &labelling.priors {
        parts.text("priors", json(priors));
    }
}

/// Shift and scale of the columns, if they are scaled.
pub(crate) fn put_scaling(parts: &mut Parts, scaling: Option<&Standardiser>) {
    if let Some(scaling) = scaling {
        let d = scaling.mean().len();
        parts.floats("column_mean", vec![d], scaling.mean().to_vec());
        parts.floats("column_scale", vec![d], scaling.scale().to_vec());
    }
}

/// How rows are rescaled, if they are.
pub(crate) fn put_rescaling(parts: &mut Parts, rescaling: Option<&Rescaling>) {
    match rescaling {
        Some(Rescaling::Columns(scaling)) => put_scaling(parts, Some(scaling)),
        Some(Rescaling::UnitRows) => parts.text(ROW_SCALING, UNIT_ROWS.to_owned()),
        // Only the parts of a blend compare ranks, and a blend has its own list of parts.
        Some(Rescaling::AsGiven | Rescaling::Ranks(..)) | None => {}
    }
}

/// What [`put_rescaling`] put.
pub(crate) fn take_rescaling(parts: &mut Parts) -> Result<Option<Rescaling>> {
    match parts.metadata.remove(ROW_SCALING).as_deref() {
        Some(UNIT_ROWS) => Ok(Some(Rescaling::UnitRows)),
        Some(_) => Err(broken(ROW_SCALING, "is not a way to scale rows")),
        None => Ok(take_scaling(parts)?.map(Rescaling::Columns)),
    }
}

/// Rows joined to their neighbours, but for the rows.
pub(crate) fn put_neighbours(parts: &mut Parts, base: &NeighbourBase) {
    parts.text("neighbours", base.count().to_string());
    if let Some(spread) = base.spread() {
        parts.floats("spread", vec![spread.len()], spread.to_vec());
    }
    put_graph(parts, base.graph());
}

/// What [`put_neighbours`] put, with the rows; a file from before edges had weights has no spread.
pub(crate) fn take_neighbours(
    parts: &mut Parts,
    points: Points,
    normalisation: Normalisation,
) -> Result<NeighbourBase> {
    let count = number(&parts.take_text("neighbours")?, "neighbours")?;
    let graph = take_graph(parts)?;
    let spread = parts.tensors.contains_key("spread");
    if graph.is_weighted() != spread {
        return Err(broken(
            "spread",
            "belongs to edges with weights, and they to it",
        ));
    }
    let base = NeighbourBase::from_parts(points, count, graph, normalisation)?;
    if !spread {
        return Ok(base);
    }
    let (_, spread) = parts.take_floats("spread", &[Some(base.len())])?;
    base.with_spread(spread)
}

pub(crate) fn take_scaling(parts: &mut Parts) -> Result<Option<Standardiser>> {
    if !parts.tensors.contains_key("column_mean") {
        return Ok(None);
    }
    let (_, mean) = parts.take_floats("column_mean", &[None])?;
    let (_, scale) = parts.take_floats("column_scale", &[None])?;
    Standardiser::from_parts(mean, scale).map(Some)
}

/// What turns scores into labels, every part checked.
pub(crate) fn take_labelling(parts: &mut Parts, recipe: &Recipe) -> Result<Labelling> {
    let labels = match (
        parts.metadata.remove("labels"),
        parts.metadata.remove("codec"),
    ) {
        (Some(text), _) => Labels::Classes(Classes {
            names: from_json(&text, "labels")?,
        }),
        (None, Some(text)) => from_json(&text, "codec")?,
        (None, None) => {
            let (_, offset) = parts.take_floats("offset", &[Some(1)])?;
            Labels::Values(Values { offset: offset[0] })
        }
    };
    let scale: Scale = match parts.metadata.remove("scale") {
        Some(text) => from_json(&text, "scale")?,
        None => Scale::Plain,
    };
    if let Scale::Level { means } = &scale
        && (means.len() != labels.width() || means.iter().any(|m| !m.is_finite()))
    {
        return Err(broken("scale", "must have one finite mean a score column"));
    }
    let calibration: Option<Calibration> = match parts.metadata.remove("calibration") {
        Some(text) => Some(from_json(&text, "calibration")?),
        None => None,
    };
    if calibration.is_some_and(|found| !found.is_sound()) {
        return Err(broken("calibration", "must have a slope of at least 0"));
    }
    let priors: Option<Priors> = match parts.metadata.remove("priors") {
        Some(text) => Some(from_json(&text, "priors")?),
        None => None,
    };
    let classes = labels.classes().map(<[String]>::len);
    if let Some(priors) = &priors
        && (!priors.is_sound() || Some(priors.classes()) != classes)
    {
        return Err(broken("priors", "must have one positive number a class"));
    }
    Ok(Labelling {
        reading: Labelling::reading(&recipe.method),
        labels,
        scale,
        calibration,
        priors,
    })
}

/// Landmarks are anchors; derivatives and waves have names of their own.
pub(crate) fn put_basis(parts: &mut Parts, basis: &Basis) {
    match basis {
        Basis::Landmarks(landmarks) => put_points(parts, landmarks.points()),
        Basis::Derivatives(both) => {
            let (plain, bent) = both.points();
            if let Some(plain) = plain {
                put_points(parts, plain);
            }
            let shape = vec![bent.len(), bent.dim()];
            parts.floats(
                "derivative_anchors",
                shape,
                Points::clone(bent).into_values(),
            );
        }
        Basis::Fourier(waves) => {
            let (frequencies, phases) = waves.waves();
            let shape = vec![phases.len(), frequencies.len() / phases.len().max(1)];
            parts.floats("frequencies", shape, frequencies.to_vec());
            parts.floats("phases", vec![phases.len()], phases.to_vec());
        }
    }
}

pub(crate) fn take_basis(parts: &mut Parts, kernel: &KernelSpec) -> Result<Basis> {
    if parts.tensors.contains_key("frequencies") {
        let (shape, frequencies) = parts.take_floats("frequencies", &[None, None])?;
        let (_, phases) = parts.take_floats("phases", &[Some(shape[0])])?;
        if shape.contains(&0) {
            return Err(broken("frequencies", "is empty"));
        }
        if frequencies.iter().chain(&phases).any(|v| !v.is_finite()) {
            return Err(broken("frequencies", "holds a number that is not finite"));
        }
        let waves = Fourier::new(shape[1], frequencies, phases);
        return Ok(Basis::Fourier(Arc::new(waves)));
    }
    let kernel: Arc<dyn SmoothKernel> = kernel.build_smooth()?.into();
    if !parts.tensors.contains_key("derivative_anchors") {
        let landmarks = Landmarks::new(Arc::new(take_points(parts)?), kernel);
        return Ok(Basis::Landmarks(Arc::new(landmarks)));
    }
    let plain = if parts.tensors.contains_key("anchors") {
        Some(Arc::new(take_points(parts)?))
    } else {
        None
    };
    let (shape, bent) = parts.take_floats("derivative_anchors", &[None, None])?;
    let bent = Arc::new(Points::new(bent, shape[0], shape[1])?);
    let both = WithDerivatives::new(plain, bent, kernel)?;
    Ok(Basis::Derivatives(Arc::new(both)))
}

fn put_fitted<B: Base>(parts: &mut Parts, fitted: &Fitted<B>) {
    let columns = fitted.expansion.columns();
    let shape = vec![columns.nrows(), columns.ncols()];
    parts.floats("coefficients", shape, row_major(columns));
    if let Some(offset) = fitted.expansion.offset() {
        parts.floats("score_offset", vec![offset.len()], offset.to_vec());
    }
    parts.text("readout", json(&fitted.expansion.readout()));
    parts.text("report", json(&fitted.report));
    if let Some(visible) = &fitted.visible {
        let values = visible.values.as_ref();
        let shape = vec![values.nrows(), values.ncols()];
        parts.floats("scores", shape, row_major(values));
        let reached: Vec<u8> = visible.reached.iter().map(|r| u8::from(*r)).collect();
        parts.put("reached", vec![reached.len()], Array::U8(reached));
    }
}

fn take_fitted<B: Base>(parts: &mut Parts, base: B, width: usize) -> Result<Fitted<B>> {
    let samples = base.len();
    take_fitted_at(parts, base, width, samples)
}

/// As [`take_fitted`] with scores of so many samples, which need not be the anchors.
fn take_fitted_at<B: Base>(
    parts: &mut Parts,
    base: B,
    width: usize,
    samples: usize,
) -> Result<Fitted<B>> {
    let n = base.len();
    let (_, columns) = parts.take_floats("coefficients", &[Some(n), Some(width + 1)])?;
    let columns = MatRef::from_row_major_slice(&columns, n, width + 1);
    let mass: Vec<f64> = columns.col(width).iter().copied().collect();
    let readout: Readout = from_json(&parts.take_text("readout")?, "readout")?;
    let expansion = Expansion::new(Arc::new(base), columns.subcols(0, width), &mass, readout)?;
    let expansion = if parts.tensors.contains_key("score_offset") {
        expansion.with_offset(parts.take_floats("score_offset", &[Some(width)])?.1)?
    } else {
        expansion
    };
    let report: SolveReport = from_json(&parts.take_text("report")?, "report")?;
    let visible = if parts.tensors.contains_key("scores") {
        Some(take_scores(parts, samples, width)?)
    } else {
        None
    };
    Ok(Fitted {
        expansion,
        visible,
        dual: None,
        report,
    })
}

fn take_scores(parts: &mut Parts, n: usize, width: usize) -> Result<Scores> {
    let (_, scores) = parts.take_floats("scores", &[Some(n), Some(width)])?;
    if scores.iter().any(|s| !s.is_finite()) {
        return Err(broken("scores", "holds a number that is not finite"));
    }
    let Array::U8(reached) = parts.take("reached", &[Some(n)])?.array else {
        return Err(broken("reached", "must be bytes"));
    };
    if reached.iter().any(|r| *r > 1) {
        return Err(broken("reached", "must be zeros and ones"));
    }
    Ok(Scores {
        values: Mat::from_fn(n, width, |i, j| scores[i * width + j]),
        reached: reached.into_iter().map(|r| r == 1).collect(),
    })
}

fn take_names(parts: &mut Parts) -> Result<Option<Vec<String>>> {
    if !parts.tensors.contains_key("node_ends") {
        return Ok(None);
    }
    let Array::U64(ends) = parts.take("node_ends", &[None])?.array else {
        return Err(broken("node_ends", "must be 64-bit unsigned integers"));
    };
    let Array::U8(bytes) = parts.take("node_names", &[None])?.array else {
        return Err(broken("node_names", "must be bytes"));
    };
    let mut names = Vec::with_capacity(ends.len());
    let mut start = 0;
    for end in ends {
        let name = usize::try_from(end)
            .ok()
            .and_then(|end| bytes.get(start..end));
        let name = name.ok_or_else(|| broken("node_ends", "points outside the names"))?;
        let name = std::str::from_utf8(name).map_err(|_| broken("node_names", "is not UTF-8"))?;
        names.push(name.to_owned());
        start += name.len();
    }
    if start != bytes.len() {
        return Err(broken("node_names", "is longer than its names"));
    }
    Ok(Some(names))
}
