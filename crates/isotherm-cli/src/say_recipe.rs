//! Flags → recipe: two spellings of one value.

use isotherm::estimator::baseline::{HarmonicParams, KernelRidgeParams};
use isotherm::kernel::{Bandwidth, KernelSpec, Smoothness};
use isotherm::recipe::{Method, Recipe, Scaling, Shape, Task};

use crate::args::{How, KernelName, MethodName, ScalingName};
use crate::failure::{Failure, Outcome};

/// The recipe that the flags, or the recipe file, spell for a task.
pub(crate) fn recipe(how: &How, task: Task, shape: Shape) -> Outcome<Recipe> {
    if let Some(path) = &how.recipe {
        let text = std::fs::read_to_string(path)
            .map_err(|e| Failure::from(isotherm_io::Error::io(path, "read", e)))?;
        return toml::from_str(&text).map_err(|e| {
            let before = e.span().and_then(|s| text.get(..s.start));
            let line = before.map(|b| format!(" line {}", b.matches('\n').count() + 1));
            let what = format!(
                "{}{}: {}",
                path.display(),
                line.unwrap_or_default(),
                e.message()
            );
            Failure::refused("recipe", what, "start from the output of --print-recipe")
        });
    }
    let mut recipe = Recipe::automatic(task, how.seed);
    match how.method {
        MethodName::Auto => {}
        MethodName::LabelPropagation => {
            recipe.method = Recipe::automatic(Task::Classify, how.seed).method;
        }
        MethodName::Harmonic => recipe.method = Method::Harmonic(HarmonicParams::default()),
        MethodName::KernelRidge => {
            recipe.method = Method::KernelRidge(KernelRidgeParams::default());
        }
    }
    recipe.neighbours = how.neighbours;
    recipe.scaling = how.scaling.map(|s| match s {
        ScalingName::Standardise => Scaling::Standardise,
        ScalingName::None => Scaling::None,
    });
    fill(&mut recipe.method, how)?;
    Ok(recipe)
}

/// Puts the method's own flags in place and refuses those it would not read.
fn fill(method: &mut Method, how: &How) -> Outcome<()> {
    let name = method.name();
    let mut given = vec![
        ("--eta", how.eta.is_some()),
        ("--steps", how.steps.is_some()),
        ("--kernel", how.kernel.is_some()),
        ("--bandwidth", how.bandwidth.is_some()),
        ("--ridge", how.ridge.is_some()),
    ];
    let read: &[&str] = match method {
        Method::LabelPropagation(params) => {
            params.eta = how.eta.unwrap_or(params.eta);
            params.steps = how.steps;
            &["--eta", "--steps"]
        }
        Method::KernelRidge(params) => {
            params.ridge = how.ridge.unwrap_or(params.ridge);
            params.kernel = kernel(how)?;
            &["--kernel", "--bandwidth", "--ridge"]
        }
        _ => &[],
    };
    given.retain(|(flag, said)| *said && !read.contains(flag));
    match given.first() {
        Some((flag, _)) => Err(Failure::usage(
            format!("{flag} means nothing to {name}"),
            format!("leave it out, or choose another --method than {name}"),
        )),
        None => Ok(()),
    }
}

fn kernel(how: &How) -> Outcome<KernelSpec> {
    let bandwidth = how.bandwidth.map_or(Bandwidth::Auto, Bandwidth::Fixed);
    let matern = |smoothness| KernelSpec::Matern {
        smoothness,
        bandwidth,
    };
    let spec = match how.kernel.unwrap_or(KernelName::Gaussian) {
        KernelName::Gaussian => KernelSpec::Gaussian { bandwidth },
        KernelName::Matern32 => matern(Smoothness::ThreeHalves),
        KernelName::Matern52 => matern(Smoothness::FiveHalves),
        KernelName::RationalQuadratic => KernelSpec::RationalQuadratic {
            shape: 1.0,
            bandwidth,
        },
        KernelName::Exponential => KernelSpec::Exponential { bandwidth },
        KernelName::Polynomial => KernelSpec::Polynomial {
            degree: 3,
            scale: 1.0,
            offset: 1.0,
        },
        KernelName::Linear => KernelSpec::Linear {},
        KernelName::Cosine => KernelSpec::Cosine {},
    };
    if how.bandwidth.is_some() && !has_bandwidth(&spec) {
        return Err(Failure::usage(
            format!("--bandwidth means nothing to the {} kernel", spec.name()),
            "leave it out, or choose a kernel of the distance",
        ));
    }
    Ok(spec)
}

fn has_bandwidth(spec: &KernelSpec) -> bool {
    !matches!(
        spec,
        KernelSpec::Polynomial { .. } | KernelSpec::Linear {} | KernelSpec::Cosine {}
    )
}
