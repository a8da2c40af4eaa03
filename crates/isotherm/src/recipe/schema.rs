//! The parameters of every method, once: name, meaning, range, default and who reads them.
//!
//! Front ends take flags, help texts, settings, docstrings and reference pages from this
//! table, or are tested against it. A new parameter is a row here and a field of the
//! [`super::Recipe`] or of its method.

use serde::Serialize;

use super::shape::Shape;
use super::task::Task;
use crate::kernel::KernelSpec;

/// One parameter.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Parameter {
    /// Its name, in words joined by underscores.
    pub name: &'static str,
    /// What it is, in a few words; other parameters stand between backticks, as in
    /// [`crate::error::spelled`].
    pub doc: &'static str,
    /// The values it takes.
    pub values: Values,
    /// What holds where it is left out, in words; a switch is off then.
    pub default: Option<&'static str>,
    /// The methods that read it.
    pub read_by: &'static [Reader],
    /// The kinds of data it is read for.
    pub shapes: &'static [Shape],
    /// The tasks it is read for.
    pub tasks: &'static [Task],
}

/// A method that reads a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Reader {
    /// The method's name.
    pub method: &'static str,
    /// The values of another parameter, one of which has to be chosen.
    pub under: Option<Choice>,
}

/// Values of a parameter under which another one is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// The parameter that decides.
    pub parameter: &'static str,
    /// Its values.
    pub values: &'static [&'static str],
}

/// The values that a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Values {
    /// On or off.
    Switch,
    /// Yes or no.
    YesNo,
    /// One of these names.
    Name {
        /// The names.
        names: &'static [&'static str],
    },
    /// A whole number.
    Count {
        /// The smallest.
        least: u64,
    },
    /// A number.
    Number {
        /// The interval it lies in.
        range: Range,
        /// A word that may stand in its place.
        word: Option<&'static str>,
    },
    /// Several numbers.
    Numbers,
    /// Names of classes.
    Classes,
    /// A share of each class.
    Shares,
    /// The cost of each decision in each class.
    Costs,
}

/// An interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Range {
    /// The lower end.
    pub low: f64,
    /// Whether the lower end belongs to it.
    pub closed: bool,
    /// The upper end; numbers have to be below it.
    pub high: Option<f64>,
    /// Whether the upper end belongs to it.
    pub closed_above: bool,
}

impl Range {
    const POSITIVE: Self = Self::above(0.0);
    const NOT_NEGATIVE: Self = Self {
        closed: true,
        ..Self::POSITIVE
    };

    const fn above(low: f64) -> Self {
        Self {
            low,
            closed: false,
            high: None,
            closed_above: false,
        }
    }

    const fn below(self, high: f64) -> Self {
        Self {
            high: Some(high),
            ..self
        }
    }

    /// Whether a number lies in it.
    pub fn contains(&self, value: f64) -> bool {
        let above = value > self.low || (self.closed && value == self.low);
        let below = match self.high {
            Some(high) => value < high || (self.closed_above && value == high),
            None => value.is_finite(),
        };
        above && below
    }

    /// In words: the end of "must be …".
    pub fn told(&self) -> String {
        let low = match (self.low, self.closed, self.high) {
            (0.0, false, None) => return "a positive number".to_owned(),
            (low, true, _) => format!("at least {low}"),
            (low, false, _) => format!("above {low}"),
        };
        match (self.high, self.closed_above) {
            (None, _) => low,
            (Some(high), true) => format!("{low} and at most {high}"),
            (Some(high), false) => format!("{low} and below {high}"),
        }
    }
}

impl Values {
    /// In words: the end of "must be …".
    pub fn told(&self) -> String {
        match self {
            Self::Switch => "on or off".to_owned(),
            Self::YesNo => "yes or no".to_owned(),
            Self::Name { names } => listed(names),
            Self::Count { least } => format!("a whole number of at least {least}"),
            Self::Number { range, word: None } => range.told(),
            Self::Number {
                range,
                word: Some(word),
            } => format!("{}, or {word}", range.told()),
            Self::Numbers => "numbers".to_owned(),
            Self::Classes => "names of classes".to_owned(),
            Self::Shares => "a share of each class, above 0, that sum to 1".to_owned(),
            Self::Costs => "the cost of each decision in each class".to_owned(),
        }
    }

    /// The names, where the value is one of several.
    pub fn names(&self) -> &'static [&'static str] {
        match self {
            Self::Name { names } => names,
            Self::YesNo => &["yes", "no"],
            _ => &[],
        }
    }
}

/// `a, b or c`.
fn listed(names: &[&str]) -> String {
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

impl Parameter {
    /// Whether this method reads it, under some choice of its other parameters.
    pub fn is_read_by(&self, method: &str) -> bool {
        self.read_by.iter().any(|reader| reader.method == method)
    }

    /// The choice under which this method reads it, if only one makes it do so.
    pub fn choice_of(&self, method: &str) -> Option<Choice> {
        let reader = self.read_by.iter().find(|reader| reader.method == method)?;
        reader.under
    }

    /// The methods that read it, in the table's order.
    pub fn methods(&self) -> Vec<&'static str> {
        self.read_by.iter().map(|reader| reader.method).collect()
    }

    const fn default(self, words: &'static str) -> Self {
        Self {
            default: Some(words),
            ..self
        }
    }

    const fn read_by(self, read_by: &'static [Reader]) -> Self {
        Self { read_by, ..self }
    }

    const fn shapes(self, shapes: &'static [Shape]) -> Self {
        Self { shapes, ..self }
    }

    const fn tasks(self, tasks: &'static [Task]) -> Self {
        Self { tasks, ..self }
    }
}

/// Every parameter, in the order in which help lists them.
pub fn parameters() -> &'static [Parameter] {
    PARAMETERS
}

/// The parameter of a name; `step-size` is `step_size`.
pub fn find(name: &str) -> Option<&'static Parameter> {
    let same = |p: &&Parameter| name.replace('-', "_") == p.name;
    PARAMETERS.iter().find(same)
}

/// Names of the methods.
pub const METHODS: &[&str] = &[
    "stkr",
    "label-propagation",
    "harmonic",
    "kernel-ridge",
    "laplacian",
    "blend",
];

/// Names of the kernels, each with the parameters it has beside its bandwidth.
pub(crate) const KERNELS: &[&str] = &KernelSpec::NAMES;

const SHAPES: &[Shape] = &[Shape::Table, Shape::Graph, Shape::Gram];
const TABLE: &[Shape] = &[Shape::Table];
const GRAPH: &[Shape] = &[Shape::Graph];
const EDGES: &[Shape] = &[Shape::Table, Shape::Graph];
const TASKS: &[Task] = &[
    Task::Classify,
    Task::Regress,
    Task::Ordinal,
    Task::Tags,
    Task::Rank,
    Task::Shares,
    Task::Numbers,
];

const fn by(method: &'static str) -> Reader {
    Reader {
        method,
        under: None,
    }
}

const fn under(
    method: &'static str,
    parameter: &'static str,
    values: &'static [&'static str],
) -> Reader {
    Reader {
        method,
        under: Some(Choice { parameter, values }),
    }
}

const STKR: Reader = by("stkr");
const SPREADING: Reader = by("label-propagation");
const HARMONIC: Reader = by("harmonic");
const RIDGE: Reader = by("kernel-ridge");
const LAPLACIAN: Reader = by("laplacian");
const BLEND: Reader = by("blend");
const EVERY: &[Reader] = &[STKR, SPREADING, HARMONIC, RIDGE, LAPLACIAN, BLEND];
const SMOOTHING: &[Reader] = &[STKR, SPREADING, HARMONIC, RIDGE, LAPLACIAN];
const JOINING: &[Reader] = &[STKR, SPREADING, HARMONIC, BLEND];
const COMPARING: &[Reader] = &[STKR, RIDGE, LAPLACIAN];
const ITERATING: &[Reader] = &[STKR, SPREADING, HARMONIC, RIDGE, BLEND];

/// A parameter that every method reads for all data and tasks, unless more is said.
const fn row(name: &'static str, doc: &'static str, values: Values) -> Parameter {
    Parameter {
        name,
        doc,
        values,
        default: None,
        read_by: EVERY,
        shapes: SHAPES,
        tasks: TASKS,
    }
}

const fn name(names: &'static [&'static str]) -> Values {
    Values::Name { names }
}

const fn number(range: Range) -> Values {
    Values::Number { range, word: None }
}

const fn at_least(least: u64) -> Values {
    Values::Count { least }
}

#[rustfmt::skip]
const PARAMETERS: &[Parameter] = &[
    // What is learned, and what makes samples similar.
    row("method", "auto chooses by rows, task and memory",
        name(&["auto", "stkr", "label-propagation", "harmonic", "kernel-ridge", "laplacian",
            "blend"]))
        .default("auto"),
    row("task", "What the labels are",
        name(&["auto", "classify", "regress", "ordinal", "tags", "rank", "shares", "numbers"]))
        .default("auto"),
    row("neighbours", "Neighbours of each row", at_least(1))
        .default("10; 5 under blend").read_by(JOINING).shapes(TABLE),
    row("kernel", "Kernel (kernel-ridge, laplacian; stkr: instead of neighbours)", name(KERNELS))
        .read_by(COMPARING).shapes(TABLE),
    row("bandwidth", "Bandwidth of the kernel", number(Range::POSITIVE))
        .default("the median distance").read_by(COMPARING).shapes(TABLE),
    row("smooth", "Compare features of nodes averaged over the graph with this η (not blend)",
        Values::Number { range: Range::NOT_NEGATIVE.below(1.0), word: Some("auto") })
        .default("left out: edges alone").read_by(SMOOTHING).shapes(GRAPH),
    row("scaling", "How columns are scaled", name(&["standardise", "none"]))
        .default("standardise; none under `smooth`").shapes(TABLE),
    row("self_loops", "Every node or row is joined to itself too (stkr)", Values::Switch)
        .read_by(&[STKR]).shapes(EDGES),
    row("lazy", "The lazy walk (I + S)/2, a positive kernel (stkr)", Values::Switch)
        .read_by(&[STKR]).shapes(EDGES),
    row("seed", "Every random choice follows from it", at_least(0))
        .default("0"),
    row("class_mass", "Bring class masses to the labels' proportions (harmonic)", Values::Switch)
        .read_by(&[HARMONIC]),
    row("grades", "Classes from the lowest to the highest (`task ordinal`)", Values::Classes)
        .tasks(&[Task::Ordinal]),
    row("losses", "A table of costs: the class, then a column for each decision", Values::Costs)
        .tasks(&[Task::Classify]),
    row("class_shares", "Where the classes' shares among all rows come from (`priors`: given)",
        name(&["labels", "given", "unlabelled"]))
        .default("labels").tasks(&[Task::Classify]),
    row("priors", "The classes' shares among all rows, where they are known", Values::Shares)
        .tasks(&[Task::Classify]),
    row("thresholds", "Tune tags for an F1", name(&["macro", "micro", "samples"]))
        .tasks(&[Task::Tags]),
    // The transform of the spectrum, and how its system is solved.
    row("transform", "s(λ)",
        name(&["inverse-laplacian", "power", "polynomial", "diffusion", "truncation", "reciprocal"]))
        .default("as the parameters given imply").read_by(&[STKR]),
    row("eta", "η of λ/(1 − ηλ), also of label-propagation",
        number(Range::NOT_NEGATIVE.below(1.0)))
        .default("0.99; 0.999 under blend")
        .read_by(&[under("stkr", "transform", &["inverse-laplacian"]), SPREADING, BLEND]),
    row("degree", "λ^p, p hops", at_least(1))
        .read_by(&[under("stkr", "transform", &["power"])]),
    row("time", "e^(tλ) − 1, diffusion for a time t",
        number(Range { closed_above: true, ..Range::POSITIVE.below(500.0) }))
        .read_by(&[under("stkr", "transform", &["diffusion"])]),
    row("weights", "Σ π_p λ^p from p = 1; with `order R`, 1/s = Σ ξ_p λ^(p−R) from p = 0",
        Values::Numbers)
        .read_by(&[under("stkr", "transform", &["polynomial", "reciprocal"])]),
    row("order", "The order of a reciprocal transform", at_least(1))
        .read_by(&[under("stkr", "transform", &["reciprocal"])]),
    row("rank", "λ of the largest eigenvalues only, how many (also `filter leading`)", at_least(1))
        .read_by(&[
            under("stkr", "transform", &["truncation"]),
            under("laplacian", "filter", &["leading"]),
        ]),
    row("encoder", "Samples a truncation's modes come from", name(&["all", "unlabelled"]))
        .read_by(&[under("stkr", "transform", &["truncation"])]),
    row("ridge", "Ridge β, a number or auto (also kernel-ridge)",
        Values::Number { range: Range::NOT_NEGATIVE, word: Some("auto") })
        .default("0.001").read_by(&[STKR, RIDGE]),
    row("solver", "Solver",
        name(&["auto", "label-block", "conjugate-gradients", "minres", "richardson", "direct"]))
        .default("auto").read_by(&[STKR]),
    row("steps", "Exactly so many steps (label-propagation, richardson, landweber)", at_least(1))
        .read_by(&[
            under("stkr", "solver", &["richardson"]),
            SPREADING,
            under("laplacian", "filter", &["landweber"]),
        ]),
    row("step_size", "Step size (`solver richardson`; `filter landweber`)",
        number(Range::POSITIVE))
        .read_by(&[
            under("stkr", "solver", &["richardson"]),
            under("laplacian", "filter", &["landweber"]),
        ]),
    // The penalty on the gradient, and the functions a predictor is a sum of.
    row("filter", "ψ(x) of the pencil (Σ, L + μ)",
        name(&["tikhonov", "cut-off", "leading", "flow", "landweber", "heat"]))
        .default("tikhonov").read_by(&[LAPLACIAN]).shapes(TABLE),
    row("strength", "λ: large is smooth", number(Range::POSITIVE))
        .default("by leave-one-out, else 1")
        .read_by(&[under("laplacian", "filter", &["tikhonov", "cut-off", "flow", "heat"])])
        .shapes(TABLE),
    row("norm_share", "μ, the norm's share of the penalty", number(Range::NOT_NEGATIVE))
        .default("1/rows").read_by(&[LAPLACIAN]).shapes(TABLE),
    row("landmarks", "Landmarks, p", at_least(1))
        .default("√n·log n, 50 to 1000").read_by(&[LAPLACIAN]).shapes(TABLE),
    row("choice", "How landmarks are chosen",
        name(&["uniform", "leverage", "pivoted", "kmeans-plus-plus"]))
        .default("uniform").read_by(&[LAPLACIAN]).shapes(TABLE),
    row("derivatives", "The landmarks' derivatives are functions too, p(d + 1) in all",
        Values::Switch)
        .read_by(&[LAPLACIAN]).shapes(TABLE),
    row("waves", "So many random waves instead of landmarks", at_least(1))
        .read_by(&[LAPLACIAN]).shapes(TABLE),
    row("exact", "The exact minimiser, for few rows and columns", Values::Switch)
        .read_by(&[LAPLACIAN]).shapes(TABLE),
    row("covariance", "Covariance over", name(&["labelled", "all"]))
        .default("labelled").read_by(&[LAPLACIAN]).shapes(TABLE),
    row("free_constant", "Whether constants are free of penalty", Values::YesNo)
        .default("for numbers").read_by(&[LAPLACIAN]).shapes(TABLE),
    row("route", "How gradients enter", name(&["auto", "panel", "gram"]))
        .default("auto").read_by(&[LAPLACIAN]).shapes(TABLE),
    row("precision", "Numbers gradients are summed in", name(&["double", "single"]))
        .default("double").read_by(&[LAPLACIAN]).shapes(TABLE),
    // What else decides a fit.
    row("repair", "For a kernel that is not positive",
        name(&["auto", "refuse", "allow", "psd-twin", "clip"]))
        .default("auto").read_by(&[STKR]),
    row("centre_labels", "Whether labels are centred; also label-propagation", Values::YesNo)
        .default("under stkr").read_by(&[STKR, SPREADING]),
    row("trivial_mode", "What a graph says without labels; also label-propagation",
        name(&["keep", "remove"]))
        .default("remove under stkr, else keep").read_by(&[STKR, SPREADING]),
    row("centre_kernel", "Centre the base kernel", Values::Switch)
        .read_by(&[STKR]),
    row("tolerance", "Relative residual to reach; under every method but laplacian",
        number(Range::POSITIVE.below(1.0)))
        .default("1e-10; 1e-12 under label-propagation, 1e-8 under kernel-ridge and blend")
        .read_by(ITERATING),
    row("iterations", "Iterations allowed; under every method but laplacian", at_least(1))
        .default("10000").read_by(ITERATING),
];
