//! Flags → recipe: two spellings of one value.

use std::path::Path;

use isotherm::base::Normalisation;
use isotherm::estimator::baseline::{ClassMass, HarmonicParams, KernelRidgeParams};
use isotherm::estimator::blend::BlendParams;
use isotherm::estimator::laplacian::{BasisSpec, LaplacianParams, NormShare};
use isotherm::estimator::stkr::{Ridge, StkrParams};
use isotherm::kernel::KernelSpec;
use isotherm::monitor::Quiet;
use isotherm::recipe::{Losses, Method, Recipe, Shape, Task};
use isotherm::resources::automatic::{self, Budget};
use isotherm::resources::cost::{SampleKind, Sizes};
use isotherm::spectrum::{Filter, Transform};
use isotherm_io::{ReadOptions, Source, read_table};

use crate::args::{Fine, GivenFlags, Gradient, Ground, How, Landmarked, Spectral};
use crate::failure::{Failure, Outcome};
use crate::unused_flags;

/// Words that spell a recipe once the task and the kind of data are known.
pub(crate) trait RecipeSource {
    /// What the labels were said to be, if anything was said.
    fn task(&self) -> Option<Task>;

    /// The file that holds the recipe instead.
    fn file(&self) -> Option<&Path>;

    /// Every file that the recipe is read from.
    fn files(&self) -> Box<dyn Iterator<Item = &Path> + '_> {
        Box::new(self.file().into_iter())
    }

    /// Ordinal classes from the lowest to the highest, where they were named.
    fn grades(&self) -> &[String] {
        &[]
    }

    /// The recipe the flags spell, in this situation.
    fn flags(&self, at: &Situation) -> Outcome<Spelled>;

    /// The recipe of the file, if there is one.
    fn written(&self) -> Outcome<Option<Recipe>> {
        self.file().map(read).transpose()
    }
}

/// What is known when a recipe is spelled out.
pub(crate) struct Situation {
    pub(crate) task: Task,
    pub(crate) sizes: Sizes,
    pub(crate) budget: Budget,
}

impl Situation {
    /// What is compared: nodes whose features are smoothed become rows.
    pub(crate) fn compared(&self, ground: &Ground) -> Shape {
        match (self.shape(), ground.smooth) {
            (Shape::Graph, Some(_)) => Shape::Table,
            (shape, _) => shape,
        }
    }

    pub(crate) fn shape(&self) -> Shape {
        match self.sizes.kind {
            SampleKind::Table { .. } => Shape::Table,
            SampleKind::Graph { .. } => Shape::Graph,
            SampleKind::Gram => Shape::Gram,
        }
    }
}

/// A recipe, and in one line why it is this one where nobody said.
pub(crate) struct Spelled {
    pub(crate) recipe: Recipe,
    pub(crate) reason: Option<String>,
}

impl RecipeSource for How {
    fn task(&self) -> Option<Task> {
        self.ground.task.0
    }

    fn file(&self) -> Option<&Path> {
        self.recipe.as_deref()
    }

    fn files(&self) -> Box<dyn Iterator<Item = &Path> + '_> {
        let losses = self.losses.as_deref().filter(|_| self.recipe.is_none());
        Box::new(self.file().into_iter().chain(losses))
    }

    fn grades(&self) -> &[String] {
        &self.grades
    }

    fn flags(&self, at: &Situation) -> Outcome<Spelled> {
        let shape = at.compared(&self.ground);
        let (mut recipe, because) = self.start(at);
        recipe.losses = self.losses.as_deref().map(read_losses).transpose()?;
        recipe.class_shares = self.class_shares;
        if !self.priors.is_empty() {
            recipe.priors = Some(self.priors.iter().cloned().collect());
        }
        recipe.thresholds = self.thresholds;
        unused_flags::by_method(recipe.method.name(), &self.given)?;
        unused_flags::by_shape(shape, &self.given)?;
        lay(&mut recipe, &self.ground)?;
        let (spectral, fine) = (&self.spectral, &self.fine);
        match &mut recipe.method {
            Method::LabelPropagation(params) => {
                set(&mut params.eta, spectral.eta);
                params.steps = spectral.steps;
                set(&mut params.centre_labels, fine.centre_labels);
                set(&mut params.trivial_mode, fine.trivial_mode);
                set(&mut params.tolerance, fine.tolerance);
                set(&mut params.iterations, fine.iterations);
            }
            Method::KernelRidge(params) => {
                match spectral.ridge {
                    Some(Ridge::Fixed(ridge)) => params.ridge = ridge,
                    Some(Ridge::Auto) => {
                        return Err(Failure::refused(
                            "unread-flag",
                            "--ridge auto means nothing to kernel-ridge",
                            "leave it out, give a number, or choose --method stkr",
                        ));
                    }
                    None => {}
                }
                params.kernel = kernel(&self.ground)?;
                set(&mut params.tolerance, fine.tolerance);
                set(&mut params.iterations, fine.iterations);
            }
            Method::Laplacian(params) => {
                // A kernel that was chosen for smoothed features stays.
                if self.ground.kernel.is_some() || self.ground.bandwidth.is_some() {
                    params.kernel = kernel(&self.ground)?;
                }
                penalise(params, &self.gradient, spectral, &self.given)?;
            }
            Method::Stkr(params) => {
                if let Some(transform) = transform(spectral)? {
                    params.transform = transform;
                }
                set(&mut params.ridge, spectral.ridge);
                set(&mut params.solver, spectral.solver);
                params.steps = spectral.steps;
                params.step_size = spectral.step_size;
                refine(params, fine);
                unused_flags::by_choice("stkr", "transform", params.transform.name(), &self.given)?;
                unused_flags::by_choice("stkr", "solver", params.solver.name(), &self.given)?;
                unused_flags::by_stopping(params, &self.given)?;
                unused_flags::by_base(shape, &self.given)?;
            }
            Method::Blend(params) => {
                set(&mut params.eta, spectral.eta);
                set(&mut params.tolerance, fine.tolerance);
                set(&mut params.iterations, fine.iterations);
            }
            Method::Harmonic(params) => {
                if self.class_mass {
                    params.class_mass = ClassMass::Labelled;
                }
                set(&mut params.tolerance, fine.tolerance);
                set(&mut params.iterations, fine.iterations);
            }
            _ => {}
        }
        let told = || automatic::told(&recipe, &at.sizes, &at.budget, because.as_deref());
        let reason = (self.method == "auto").then(told);
        Ok(Spelled { recipe, reason })
    }
}

impl How {
    /// The method that was named, or the one that suits the sizes; what ruled out the
    /// usual one.
    fn start(&self, at: &Situation) -> (Recipe, Option<String>) {
        let seed = self.ground.seed;
        let method = match self.method.as_str() {
            "stkr" => Method::Stkr(StkrParams::default()),
            "label-propagation" => Method::label_propagation(at.shape()),
            "harmonic" => Method::Harmonic(HarmonicParams::default()),
            "kernel-ridge" => Method::KernelRidge(KernelRidgeParams::default()),
            "laplacian" => Method::laplacian(at.task),
            "blend" => Method::Blend(BlendParams::default()),
            _ => {
                if let Some(smooth) = self.ground.smooth {
                    return (Recipe::on_smoothed(smooth, at.task, seed), None);
                }
                let chosen = automatic::choose(&at.sizes, at.task, seed, &at.budget);
                let reads = |recipe: &Recipe| {
                    unused_flags::by_method(recipe.method.name(), &self.given).is_ok()
                };
                // A flag of one graph's spectrum asks for that method, whatever it costs.
                let spectral = self.spectral.eta.is_some() || !reads(&chosen.recipe);
                let single = Recipe::on_graph(at.task, seed);
                let blend = Recipe::automatic(at.shape(), at.task, seed);
                return if at.budget.passing {
                    (chosen.recipe, chosen.because)
                } else if spectral && reads(&single) {
                    (single, None)
                } else if spectral && reads(&blend) {
                    (blend, None)
                } else {
                    (chosen.recipe, chosen.because)
                };
            }
        };
        (Recipe::of(method, at.task, seed), None)
    }
}

/// A table of costs: a class in the first column, a decision in each other.
fn read_losses(path: &Path) -> Outcome<Losses> {
    let source = Source::from(path);
    let table = read_table(&source, &ReadOptions::default(), &mut Quiet)?;
    let names = table.names();
    let Some((first, decisions)) = names.split_first().filter(|(_, rest)| !rest.is_empty()) else {
        return Err(Failure::refused(
            "losses",
            format!("{}: there is no column of costs", path.display()),
            "give a class in the first column and a decision in each other",
        ));
    };
    let classes = table.labels(first)?;
    if let Some(row) = classes.iter().position(Option::is_none) {
        return Err(Failure::refused(
            "losses",
            format!(
                "{} {}: the class has no name",
                path.display(),
                table.origin().place(row)
            ),
            "name it in the first column",
        ));
    }
    let columns: Vec<Vec<f64>> = (decisions.iter())
        .map(|decision| table.numeric(decision))
        .collect::<isotherm_io::Result<_>>()?;
    let row = |i: usize| columns.iter().map(|column| column[i]).collect();
    Ok(Losses {
        losses: (0..table.rows()).map(row).collect(),
        classes: classes.into_iter().flatten().collect(),
        decisions: decisions.to_vec(),
    })
}

/// Puts in place the penalty on the gradient.
fn penalise(
    params: &mut LaplacianParams,
    said: &Gradient,
    spectral: &Spectral,
    given: &GivenFlags,
) -> Outcome<()> {
    let strength = said.strength.unwrap_or(1.0);
    let open = said.filter.is_none() && said.strength.is_none();
    let name = said.filter.as_deref().unwrap_or("tikhonov");
    unused_flags::by_choice("laplacian", "filter", name, given)?;
    let filter = match (of_strength(name, strength), name) {
        (Some(filter), _) => filter,
        (None, "landweber") => {
            let steps = need(spectral.steps, "landweber filter", "--steps 20")?;
            Filter::Landweber {
                steps: u32::try_from(steps).unwrap_or(u32::MAX),
                step: spectral.step_size,
            }
        }
        (None, _) => Filter::Leading {
            rank: need(spectral.rank, "leading filter", "--rank 4")?,
        },
    };
    params.filter = (!open).then_some(filter);
    params.norm_share = share(&said.basis);
    params.basis = match (said.waves, said.exact) {
        (Some(count), _) => BasisSpec::Fourier { count },
        (_, true) => BasisSpec::Exact,
        // A number that was chosen for the memory stays.
        _ => match (landmarks(&said.basis), &params.basis) {
            (
                BasisSpec::Landmarks {
                    count: None,
                    selection,
                    derivatives,
                },
                BasisSpec::Landmarks { count, .. },
            ) => BasisSpec::Landmarks {
                count: *count,
                selection,
                derivatives,
            },
            (said, _) => said,
        },
    };
    set(&mut params.covariance, said.covariance);
    set(&mut params.free_constant, said.free_constant);
    set(&mut params.route, said.route);
    set(&mut params.precision, said.precision);
    Ok(())
}

/// A filter of this strength, if strength is what it has.
pub(crate) fn of_strength(name: &str, strength: f64) -> Option<Filter> {
    match name {
        "tikhonov" => Some(Filter::Tikhonov { strength }),
        "cut-off" => Some(Filter::CutOff {
            threshold: strength,
        }),
        "flow" => Some(Filter::GradientFlow {
            time: strength.recip(),
        }),
        "heat" => Some(Filter::Heat { time: strength }),
        _ => None,
    }
}

/// The landmarks that were asked for.
pub(crate) fn landmarks(said: &Landmarked) -> BasisSpec {
    BasisSpec::Landmarks {
        count: said.landmarks,
        selection: said.choice.unwrap_or_default(),
        derivatives: said.derivatives,
    }
}

/// μ.
pub(crate) fn share(said: &Landmarked) -> NormShare {
    said.norm_share.map_or(NormShare::Auto, NormShare::Fixed)
}

/// Reads a recipe file; what is wrong is told with its line.
fn read(path: &Path) -> Outcome<Recipe> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| Failure::from(isotherm_io::Error::io(path, "read", e)))?;
    toml::from_str(&text).map_err(|e| {
        let before = e.span().and_then(|s| text.get(..s.start));
        let line = before.map(|b| format!(" line {}", b.matches('\n').count() + 1));
        let what = format!(
            "{}{}: {}",
            path.display(),
            line.unwrap_or_default(),
            e.message()
        );
        Failure::refused("recipe", what, "start from the output of --print-recipe")
    })
}

/// Puts in place what makes samples similar.
pub(crate) fn lay(recipe: &mut Recipe, ground: &Ground) -> Outcome<()> {
    recipe.neighbours = ground.neighbours;
    // What was chosen for the sizes stays.
    if ground.smooth.is_some() {
        recipe.smooth = ground.smooth;
    }
    recipe.scaling = ground.scaling;
    if matches!(recipe.method, Method::Stkr(_)) {
        recipe.kernel = match &ground.kernel {
            Some(_) => Some(kernel(ground)?),
            None => None,
        };
        recipe.normalisation = match (ground.self_loops, ground.lazy) {
            (true, _) => Some(Normalisation::SelfLoops),
            (_, true) => Some(Normalisation::Lazy),
            _ => None,
        };
    }
    Ok(())
}

/// Puts in place what else decides a fit of stkr.
pub(crate) fn refine(params: &mut StkrParams, fine: &Fine) {
    set(&mut params.repair, fine.repair);
    set(&mut params.centre_labels, fine.centre_labels);
    set(&mut params.trivial_mode, fine.trivial_mode);
    params.centre_kernel = fine.centre_kernel;
    set(&mut params.tolerance, fine.tolerance);
    set(&mut params.iterations, fine.iterations);
}

/// The transform that was named, or that its parameter implies.
fn transform(said: &Spectral) -> Outcome<Option<Transform>> {
    let implied = [
        (said.eta.is_some(), "inverse-laplacian"),
        (said.degree.is_some(), "power"),
        (said.time.is_some(), "diffusion"),
        (said.rank.is_some(), "truncation"),
        (said.order.is_some(), "reciprocal"),
        (said.weights.is_some(), "polynomial"),
        (said.encoder.is_some(), "truncation"),
    ];
    let implied = implied.iter().find(|(given, _)| *given).map(|(_, t)| *t);
    let Some(name) = said.transform.as_deref().or(implied) else {
        return Ok(None);
    };
    Ok(Some(match name {
        "inverse-laplacian" => match (said.eta, StkrParams::default().transform) {
            (Some(eta), _) => Transform::InverseLaplacian { eta },
            (None, usual) => usual,
        },
        "power" => Transform::Power {
            degree: need(said.degree, "power transform", "--degree 2")?,
        },
        "diffusion" => Transform::Diffusion {
            time: need(said.time, "diffusion transform", "--time 3")?,
        },
        "truncation" => Transform::Truncation {
            rank: need(said.rank, "truncation transform", "--rank 64")?,
            encoder: said.encoder.unwrap_or_default(),
        },
        "polynomial" => Transform::Polynomial {
            weights: need(
                said.weights.clone(),
                "polynomial transform",
                "--weights 0.5,0,1",
            )?,
        },
        _ => Transform::Reciprocal {
            weights: need(
                said.weights.clone(),
                "reciprocal transform",
                "--weights 1,-0.9",
            )?,
            order: need(said.order, "reciprocal transform", "--order 1")?,
        },
    }))
}

fn need<T>(value: Option<T>, what: &str, example: &str) -> Outcome<T> {
    value.ok_or_else(|| {
        let flag = example.split(' ').next().unwrap_or_default();
        Failure::refused(
            "missing-flag",
            format!("the {what} needs {flag}"),
            format!("give it, such as {example}"),
        )
    })
}

fn set<T>(slot: &mut T, said: Option<T>) {
    if let Some(value) = said {
        *slot = value;
    }
}

fn kernel(ground: &Ground) -> Outcome<KernelSpec> {
    kernel_of(ground.kernel.as_deref(), ground.bandwidth)
}

/// The kernel of a name and a bandwidth.
pub(crate) fn kernel_of(name: Option<&str>, said: Option<f64>) -> Outcome<KernelSpec> {
    let spec = KernelSpec::named(name.unwrap_or("gaussian")).unwrap_or_default();
    let Some(bandwidth) = said else {
        return Ok(spec);
    };
    if !spec.has_bandwidth() {
        return Err(Failure::refused(
            "unread-flag",
            format!("--bandwidth means nothing to the {} kernel", spec.name()),
            "leave it out, or choose a kernel of the distance",
        ));
    }
    Ok(spec.resolved(bandwidth))
}
