//! `isotherm plot KIND`: one picture, or its numbers.

use std::path::Path;

use isotherm::labelling::WeightedTargets;
use isotherm::monitor::Monitor;
use isotherm::resources::cost;
use isotherm::study::{EvaluateOptions, LabelSampling, LearningOptions, SpectrumCurve, Study};
use isotherm::view::PlaneOptions;
use isotherm_io::atomic::Overwrite;
use serde_json::{Value, json};

use super::evaluate::{Marked, without_marks};
use super::{Drawing, check_output, draw, format_of, tune};
use crate::args::{
    Data, How, Marks, PictureKind, Pictured, Plot, PlotDecision, PlotJudged, PlotLearning, PlotMap,
    PlotMarked, PlotSpectrum, PlotTuning, Tune,
};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::figures::Picture;
use crate::figures::decision::Decided;
use crate::figures::eigenfunctions::Eigenfunctions;
use crate::figures::spectrum::Spectrum;
use crate::load::{Loaded, load, place};
use crate::{memory as process, model_text};

/// Functions that are drawn.
const FUNCTIONS: usize = 9;

/// What every kind is given.
struct Desk<'a> {
    memory: u64,
    console: &'a Console,
    monitor: &'a mut dyn Monitor,
}

pub(crate) fn run(
    args: &Plot,
    memory: u64,
    console: &Console,
    monitor: &mut dyn Monitor,
) -> Outcome<()> {
    let mut desk = Desk {
        memory,
        console,
        monitor,
    };
    match &args.kind {
        PictureKind::Map(args) => desk.map(args),
        PictureKind::Eigenfunctions(args) => desk.eigenfunctions(args),
        PictureKind::Spectrum(args) => desk.spectrum(args),
        PictureKind::Decision(args) => desk.decision(args),
        PictureKind::Confusion(args) => desk.confusion(args),
        PictureKind::Reliability(args) => desk.reliability(args),
        PictureKind::LearningCurve(args) => desk.learning_curve(args),
        PictureKind::Tuning(args) => desk.tuning(args),
        PictureKind::Balance(args) => desk.balance(args),
    }
}

/// A picture's place, known to be free before any work.
struct Destination<'a> {
    path: Option<(&'a Path, Drawing, Overwrite)>,
}

impl<'a> Destination<'a> {
    /// Where nothing is `drawn`, because only the recipe is printed, nothing is needed.
    fn new(picture: &'a Pictured, drawn: bool, console: &Console) -> Outcome<Self> {
        let Some(path) = picture.output.as_ref().filter(|_| drawn) else {
            return if console.json() || !drawn {
                Ok(Self { path: None })
            } else {
                Err(Failure::usage(
                    "a picture needs a file",
                    "give -o and a name that ends in .svg or .png, or --json for its numbers",
                ))
            };
        };
        let format = format_of(path, "-o")?;
        let overwrite = check_output(path, picture.force, console.json())?;
        Ok(Self {
            path: Some((path, format, overwrite)),
        })
    }

    /// Draws where that was asked for, and answers with the numbers where those were.
    fn finish<P: Picture>(&self, picture: &P, numbers: Value, console: &Console) -> Outcome<()> {
        if let Some((path, format, overwrite)) = self.path {
            draw(picture, path, format, overwrite, console)?;
            console.note(&format!("drew {}: {}", path.display(), picture.title()));
        }
        if console.json() {
            let mut numbers = numbers;
            let output = self.path.map(|(path, ..)| path.display().to_string());
            numbers["title"] = picture.title().into();
            numbers["output"] = json!(output);
            console.answer(numbers)?;
        }
        Ok(())
    }
}

impl Desk<'_> {
    fn load(&mut self, data: &Data, how: &How) -> Outcome<Loaded> {
        load(data, how, self.memory, self.console, self.monitor)
    }

    /// Refuses what needs leave-one-out where that would take too much memory.
    fn check_units(&self, loaded: &Loaded) -> Outcome<()> {
        let used = process::in_use();
        let (recipe, sizes) = (&loaded.recipe, &loaded.sizes);
        Ok(cost::check_units(recipe, sizes, false, used, self.memory)?)
    }

    fn map(&mut self, args: &PlotMap) -> Outcome<()> {
        let destination = Destination::new(&args.picture, !args.how.print_recipe, self.console)?;
        let loaded = self.load(&args.data, &args.how)?;
        if args.how.print_recipe {
            return super::print_recipe(&loaded.recipe, self.console);
        }
        let planar = PlaneOptions {
            samples: args.points as usize,
            // The marks of doubted labels are a nicety: without the memory there are none.
            doubt: self.check_units(&loaded).is_ok(),
            ..PlaneOptions::default()
        };
        let parts = LoadedData::of(loaded);
        let found = Study::new(&parts.recipe, parts.input.clone(), parts.given())
            .and_then(|mut study| study.map(&planar, self.monitor))
            .map_err(|e| parts.failed(e))?;
        self.console.note(&format!("places: {}", found.plane.how));
        let doubted = (found.plane.samples.iter().zip(&found.suspicious))
            .filter(|(_, doubted)| **doubted)
            .map(|(sample, _)| parts.place(*sample));
        let mut numbers = json!(found);
        numbers["doubted"] = doubted.collect::<Vec<String>>().into();
        numbers["recipe"] = json!(parts.recipe);
        destination.finish(&found, numbers, self.console)
    }

    fn eigenfunctions(&mut self, args: &PlotMap) -> Outcome<()> {
        let destination = Destination::new(&args.picture, !args.how.print_recipe, self.console)?;
        let loaded = self.load(&args.data, &args.how)?;
        if args.how.print_recipe {
            return super::print_recipe(&loaded.recipe, self.console);
        }
        let parts = LoadedData::of(loaded);
        let planar = PlaneOptions {
            samples: args.points as usize,
            modes: FUNCTIONS,
            ..PlaneOptions::default()
        };
        let found = Study::new(&parts.recipe, parts.input.clone(), parts.given())
            .and_then(|mut study| study.plane(&planar, self.monitor))
            .map_err(|e| parts.failed(e))?;
        if found.modes.is_empty() {
            return Err(Failure::refused(
                "no-modes",
                format!("there are no smooth functions to draw: {}", found.how),
                "give more rows, or other columns",
            ));
        }
        self.console.note(&format!("places: {}", found.how));
        let mut numbers = json!(found);
        numbers["recipe"] = json!(parts.recipe);
        destination.finish(&Eigenfunctions { plane: &found }, numbers, self.console)
    }

    fn spectrum(&mut self, args: &PlotSpectrum) -> Outcome<()> {
        let destination = Destination::new(&args.picture, !args.how.print_recipe, self.console)?;
        let loaded = self.load(&args.data, &args.how)?;
        if args.how.print_recipe {
            return super::print_recipe(&loaded.recipe, self.console);
        }
        let parts = LoadedData::of(loaded);
        let found = Study::new(&parts.recipe, parts.input.clone(), parts.given())
            .and_then(|mut study| study.spectrum(args.modes as usize, self.monitor))
            .map_err(|e| parts.failed(e))?;
        let picture = Spectrum {
            curve: &found,
            said: said(&found),
        };
        let mut numbers = json!(found);
        numbers["recipe"] = json!(parts.recipe);
        destination.finish(&picture, numbers, self.console)
    }

    fn decision(&mut self, args: &PlotDecision) -> Outcome<()> {
        let destination = Destination::new(&args.picture, !args.how.print_recipe, self.console)?;
        let loaded = self.load(&args.data, &args.how)?;
        if args.how.print_recipe {
            return super::print_recipe(&loaded.recipe, self.console);
        }
        let parts = LoadedData::of(loaded);
        let found = Study::new(&parts.recipe, parts.input.clone(), parts.given())
            .and_then(|mut study| study.decision(args.cells as usize, self.monitor))
            .map_err(|e| parts.failed(e))?;
        let name = |k: usize| parts.features.get(k).map_or("", String::as_str);
        let picture = Decided {
            decision: &found,
            columns: [name(0), name(1)],
        };
        let mut numbers = json!(found);
        numbers["columns"] = json!(parts.features);
        numbers["recipe"] = json!(parts.recipe);
        destination.finish(&picture, numbers, self.console)
    }

    fn confusion(&mut self, args: &PlotJudged) -> Outcome<()> {
        let destination = Destination::new(&args.picture, !args.how.print_recipe, self.console)?;
        let Some((parts, judging)) = self.judging(args)? else {
            return Ok(());
        };
        let found = Study::new(&parts.recipe, parts.input.clone(), parts.given())
            .and_then(|mut study| study.evaluate(&judging, self.monitor))
            .map_err(|e| parts.failed(e))?;
        let Some(confusion) = &found.confusion else {
            return Err(Failure::refused(
                "no-classes",
                format!(
                    "a confusion matrix is of classes, and the task is {}",
                    parts.recipe.task.name()
                ),
                "pass --task classify, or draw a map",
            ));
        };
        let mut numbers = json!(confusion);
        numbers["measures"] = json!(found.measures);
        numbers["recipe"] = json!(parts.recipe);
        destination.finish(confusion, numbers, self.console)
    }

    fn reliability(&mut self, args: &PlotJudged) -> Outcome<()> {
        let destination = Destination::new(&args.picture, !args.how.print_recipe, self.console)?;
        let Some((parts, judging)) = self.judging(args)? else {
            return Ok(());
        };
        let found = Study::new(&parts.recipe, parts.input.clone(), parts.given())
            .and_then(|mut study| study.reliability(&judging, self.monitor))
            .map_err(|e| parts.failed(e))?;
        let mut numbers = json!(found);
        numbers["recipe"] = json!(parts.recipe);
        destination.finish(&found, numbers, self.console)
    }

    fn learning_curve(&mut self, args: &PlotLearning) -> Outcome<()> {
        let destination = Destination::new(&args.picture, !args.how.print_recipe, self.console)?;
        let Some((parts, sampling)) = self.marked(&args.data, &args.marks, &args.how)? else {
            return Ok(());
        };
        let learning = LearningOptions {
            sampling,
            level: args.level,
            repeats: args.repeats as usize,
            ..LearningOptions::default()
        };
        let found = Study::new(&parts.recipe, parts.input.clone(), parts.given())
            .and_then(|mut study| study.learning_curve(&learning, self.monitor))
            .map_err(|e| parts.failed(e))?;
        let mut numbers = json!(found);
        numbers["recipe"] = json!(parts.recipe);
        destination.finish(&found, numbers, self.console)
    }

    fn balance(&mut self, args: &PlotMarked) -> Outcome<()> {
        let destination = Destination::new(&args.picture, !args.how.print_recipe, self.console)?;
        let data = without_marks(&args.data, args.marks.audit.as_ref(), None);
        let loaded = self.load(&data, &args.how)?;
        if args.how.print_recipe {
            return super::print_recipe(&loaded.recipe, self.console);
        }
        let (parts, sampling) = LoadedData::marked(loaded, &args.marks, self.console)?;
        let found = Study::new(&parts.recipe, parts.input.clone(), parts.given())
            .and_then(|mut study| study.balance(&sampling, self.monitor))
            .map_err(|e| parts.failed(e))?;
        let mut numbers = json!(found);
        numbers["recipe"] = json!(parts.recipe);
        destination.finish(&found, numbers, self.console)
    }

    /// A tuning that writes no recipe.
    fn tuning(&mut self, args: &PlotTuning) -> Outcome<()> {
        // Its own check is that of an optional picture.
        Destination::new(&args.picture, true, self.console)?;
        let tune = Tune {
            given: args.given.clone(),
            data: args.data.clone(),
            grid: args.grid.clone(),
            ground: args.ground.clone(),
            fine: args.fine.clone(),
            recipe: args.recipe.clone(),
            output: None,
            plot: args.picture.output.clone(),
            force: args.picture.force,
            print_recipe: false,
        };
        tune::run(&tune, self.memory, self.console, self.monitor)
    }

    /// What is judged, and how; nothing where only the recipe was to be printed.
    fn judging(&mut self, args: &PlotJudged) -> Outcome<Option<(LoadedData, EvaluateOptions)>> {
        let found = self.marked(&args.data, &args.marks, &args.how)?;
        Ok(found.map(|(parts, sampling)| {
            let judging = EvaluateOptions {
                sampling,
                level: args.level,
                ..EvaluateOptions::default()
            };
            (parts, judging)
        }))
    }

    /// What leave-one-out is to look at, and which labels were drawn at random.
    fn marked(
        &mut self,
        data: &Data,
        marks: &Marks,
        how: &How,
    ) -> Outcome<Option<(LoadedData, LabelSampling)>> {
        let data = without_marks(data, marks.audit.as_ref(), None);
        let loaded = self.load(&data, how)?;
        if how.print_recipe {
            super::print_recipe(&loaded.recipe, self.console)?;
            return Ok(None);
        }
        self.check_units(&loaded)?;
        LoadedData::marked(loaded, marks, self.console).map(Some)
    }
}

/// What was loaded, with its names at hand.
struct LoadedData {
    table: isotherm_io::Table,
    input: isotherm::study::Input,
    targets: isotherm::data::Targets,
    weights: Option<Vec<f64>>,
    recipe: isotherm::recipe::Recipe,
    features: Vec<String>,
    nodes: Option<(isotherm_io::NodeNames, Vec<u32>)>,
}

impl LoadedData {
    fn of(loaded: Loaded) -> Self {
        Self {
            table: loaded.table,
            input: loaded.input,
            targets: loaded.targets,
            weights: loaded.weights,
            recipe: loaded.recipe,
            features: loaded.features,
            nodes: loaded.nodes,
        }
    }

    fn marked(loaded: Loaded, marks: &Marks, console: &Console) -> Outcome<(Self, LabelSampling)> {
        let parts = Self::of(loaded);
        let rows = parts.nodes.as_ref().map(|(_, rows)| rows.as_slice());
        let marked = Marked {
            audit: marks.audit.as_ref(),
            pool: None,
            all: marks.all_labels,
        };
        let sampling = marked.chosen(&parts.table, rows, parts.input.len(), console)?;
        Ok((parts, sampling))
    }

    fn given(&self) -> WeightedTargets<'_> {
        WeightedTargets {
            targets: &self.targets,
            weights: self.weights.as_deref(),
        }
    }

    fn place(&self, sample: usize) -> String {
        place(&self.table, self.nodes.as_ref().map(|(n, _)| n), sample)
    }

    fn failed(&self, error: isotherm::Error) -> Failure {
        Failure::at(error, &self.table, &self.features)
    }
}

/// The transform or filter in words.
fn said(found: &SpectrumCurve) -> String {
    match (&found.transform, &found.filter) {
        (Some(transform), _) => format!("transform: {}", model_text::transform(transform)),
        (None, Some(filter)) => format!("filter: {}", super::tune_laplacian::told(filter)),
        (None, None) => "no transform".to_owned(),
    }
}
