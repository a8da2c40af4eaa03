//! Which method, when nobody says: from sizes, task and memory.
//!
//! A table gets a blend of several kernels and neighbour graphs, whose weights the labels
//! choose, while it fits the memory, the search for neighbours takes at most 2⁴³
//! multiply-adds, and there are at most 2,000 labels. Larger tables, and tables read
//! as a stream, get kernel Laplacian regularisation on landmarks: its cost grows linearly with
//! the rows. A given graph gets a blend too while it fits the memory and has at most 300,000
//! nodes and 2,000 labels; otherwise the features of its nodes are averaged over the graph and
//! fitted by landmarks, and without features it gets stkr (classes) or harmonic functions
//! (numbers).

use super::cost::{self, SampleKind, Sizes};
use crate::base::node_rows::{directions, node_columns};
use crate::error::bytes;
use crate::estimator::blend::NEIGHBOURS as BLEND_NEIGHBOURS;
use crate::estimator::laplacian::{BasisSpec, FEWEST_LANDMARKS};
use crate::recipe::default_neighbours;
use crate::recipe::{Method, Recipe, Shape, Smoothing, Task};

/// Multiply-adds that a search for neighbours may take at worst: n²(d + 16)/2, where it
/// stays exact because rows lie in no clusters.
///
/// 2⁴³ are about 500,000 rows of 50 numbers: two minutes at worst on two cores, a fraction
/// of it where rows lie in clusters.
pub(crate) const MOST_WORK: u128 = 1 << 43;

/// Labels that a blend is fitted to at most: it decomposes the kernel between labels once per
/// member, in O(n³).
pub(crate) const MOST_LABELS: usize = 2000;

/// Nodes that a blend is fitted to at most: beyond them the rows of nodes take minutes.
pub(crate) const MOST_NODES: usize = 300_000;

/// Multiply-adds a second that [`wait`] counts on: what two cores were measured to do in
/// the search for neighbours (6.6·10¹⁰) and in sums of gradients, halved.
pub(crate) const RATE: u128 = 30_000_000_000;

/// Products with a graph that a solve takes, roughly: 71 at η = 0.99 on neighbours of
/// 200,000 points.
const PRODUCTS: u128 = 100;

/// What a choice may use up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Bytes in use already.
    pub used: u64,
    /// Bytes that may be in use in all.
    pub memory: u64,
    /// Whether rows pass by and cannot be kept.
    pub passing: bool,
}

/// A recipe that was chosen, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The recipe.
    pub recipe: Recipe,
    /// What ruled out the usual graph of neighbours, where something did.
    pub because: Option<String>,
    /// One line: the method, what it works on, what it costs, what decided.
    pub reason: String,
}

impl Choice {
    fn of(recipe: Recipe, because: Option<String>, sizes: &Sizes, budget: &Budget) -> Self {
        Self {
            reason: told(&recipe, sizes, budget, because.as_deref()),
            because,
            recipe,
        }
    }
}

/// How long a fit takes, roughly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wait {
    /// About a second or less.
    Moment,
    /// Less than a minute.
    Seconds,
    /// Less than an hour.
    Minutes,
    /// An hour or more.
    Hours,
}

impl Wait {
    /// For so many multiply-adds.
    fn of(work: u128) -> Self {
        match work / RATE {
            0..=1 => Self::Moment,
            2..60 => Self::Seconds,
            60..3600 => Self::Minutes,
            _ => Self::Hours,
        }
    }

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Moment => "about a second",
            Self::Seconds => "seconds",
            Self::Minutes => "minutes",
            Self::Hours => "hours",
        }
    }
}

/// The recipe nobody has to think about, for data of these sizes.
///
/// ```
/// use isotherm::resources::automatic::{Budget, choose};
/// use isotherm::resources::cost::{SampleKind, Sizes};
/// use isotherm::recipe::Task;
///
/// let kind = SampleKind::Table { dim: 50 };
/// let sizes = Sizes { samples: 10_000_000, labelled: 100, width: 5, kind };
/// let budget = Budget { used: 0, memory: 16 << 30, passing: false };
/// let choice = choose(&sizes, Task::Classify, 0, &budget);
/// assert_eq!(choice.recipe.method.name(), "laplacian");
/// assert!(choice.reason.contains("10,000,000 rows"));
/// ```
pub fn choose(sizes: &Sizes, task: Task, seed: u64, budget: &Budget) -> Choice {
    let shape = match sizes.kind {
        SampleKind::Table { .. } => Shape::Table,
        SampleKind::Graph { .. } => Shape::Graph,
        SampleKind::Gram => Shape::Gram,
    };
    let joined = Recipe::automatic(shape, task, seed);
    let needed = cost::memory(&joined, sizes).saturating_add(budget.used);
    let SampleKind::Table { dim } = sizes.kind else {
        let because = if sizes.kind == SampleKind::Gram {
            None
        } else if sizes.labelled > MOST_LABELS {
            Some(too_many_labels(sizes))
        } else if sizes.samples > MOST_NODES {
            Some(format!(
                "there are {} nodes and a blend takes at most {}",
                grouped(sizes.samples),
                grouped(MOST_NODES)
            ))
        } else if needed > budget.memory {
            Some(too_much_memory(needed, budget))
        } else {
            None
        };
        let recipe = match because {
            Some(_) => {
                landmarks(sizes, task, seed, budget).unwrap_or_else(|| Recipe::on_graph(task, seed))
            }
            None => joined,
        };
        return Choice::of(recipe, because, sizes, budget);
    };
    let because = if budget.passing {
        "a stream cannot be joined to its nearest rows".to_owned()
    } else if sizes.labelled > MOST_LABELS {
        too_many_labels(sizes)
    } else if needed > budget.memory {
        too_much_memory(needed, budget)
    } else if neighbour_work(sizes.samples, dim) > MOST_WORK {
        "finding neighbours could take more than four minutes".to_owned()
    } else {
        return Choice::of(joined, None, sizes, budget);
    };
    match landmarks(sizes, task, seed, budget) {
        Some(recipe) => Choice::of(recipe, Some(because), sizes, budget),
        // Nothing fits: the refusal that follows is about the usual method.
        None => Choice::of(joined, Some("nothing fits".to_owned()), sizes, budget),
    }
}

/// What a recipe will do, in one line: the method, what it works on, its size and memory.
pub fn told(recipe: &Recipe, sizes: &Sizes, budget: &Budget, because: Option<&str>) -> String {
    let name = recipe.method.name();
    let needed = if budget.passing {
        cost::streamed_memory(recipe, sizes)
    } else {
        cost::memory(recipe, sizes)
    };
    let because = because.map_or(String::new(), |why| format!(", because {why}"));
    let dim = match sizes.kind {
        SampleKind::Table { dim } => dim,
        SampleKind::Graph { features, .. } => {
            let own = match features {
                1 => "the features".to_owned(),
                count => format!("{} features", grouped(count)),
            };
            let on = match (&recipe.method, features) {
                (Method::Blend(_), 1..) => format!("the given graph and {own}"),
                (Method::Laplacian(params), _) => {
                    let functions = grouped(params.functions(sizes.samples, 0));
                    format!("{functions} landmarks, comparing {own} averaged over the given graph")
                }
                _ if recipe.smooth.is_some() => format!("{own} averaged over the given graph"),
                (_, 1..) => "the given graph, without the features".to_owned(),
                _ => "the given graph".to_owned(),
            };
            return format!("{name} on {on}{because}");
        }
        SampleKind::Gram => return format!("{name} on the given similarities{because}"),
    };
    let on = match &recipe.method {
        Method::Laplacian(params) => {
            let functions = grouped(params.functions(sizes.samples, dim));
            match &params.basis {
                BasisSpec::Landmarks {
                    derivatives: false, ..
                } => format!("{functions} landmarks"),
                BasisSpec::Fourier { .. } => format!("{functions} random waves"),
                _ => format!("{functions} functions"),
            }
        }
        Method::KernelRidge(_) => format!("{} labelled rows", grouped(sizes.labelled)),
        Method::Blend(params) => format!(
            "{} kernels and {} graphs of neighbours",
            params.count() - params.graphs(),
            params.graphs()
        ),
        Method::Stkr(_) if recipe.kernel.is_some() => "a kernel between all rows".to_owned(),
        _ => {
            let usual = default_neighbours(sizes.samples);
            let k = recipe.neighbours.unwrap_or(usual);
            match k {
                1 => "a graph of 1 neighbour".to_owned(),
                k => format!("a graph of {} neighbours", grouped(k)),
            }
        }
    };
    format!(
        "{name} on {on} ({} rows × {}; about {}){because}",
        grouped(sizes.samples),
        grouped(dim),
        bytes(needed)
    )
}

/// Kernel Laplacians on as many landmarks as the memory holds: the usual number, or half
/// of it again and again; on a graph those of the smoothed features. For a stream they are chosen
/// even if they do not fit.
fn landmarks(sizes: &Sizes, task: Task, seed: u64, budget: &Budget) -> Option<Recipe> {
    let mut recipe = match sizes.kind {
        SampleKind::Table { .. } => Recipe::of(Method::laplacian(task), task, seed),
        SampleKind::Graph { features: 1.., .. } => Recipe::on_smoothed(Smoothing::Auto, task, seed),
        SampleKind::Graph { .. } | SampleKind::Gram => return None,
    };
    loop {
        let Method::Laplacian(params) = &mut recipe.method else {
            return None;
        };
        let count = params.functions(sizes.samples, 0);
        let needed = if budget.passing {
            cost::streamed_memory(&recipe, sizes)
        } else {
            cost::memory(&recipe, sizes)
        };
        if needed.saturating_add(budget.used) <= budget.memory {
            return Some(recipe);
        }
        if count / 2 < FEWEST_LANDMARKS {
            return budget.passing.then_some(recipe);
        }
        let Method::Laplacian(params) = &mut recipe.method else {
            return None;
        };
        params.basis = BasisSpec::Landmarks {
            count: Some(count / 2),
            selection: Default::default(),
            derivatives: false,
        };
    }
}

fn too_many_labels(sizes: &Sizes) -> String {
    format!(
        "there are {} labels and a blend takes at most {}",
        grouped(sizes.labelled),
        grouped(MOST_LABELS)
    )
}

fn too_much_memory(needed: u64, budget: &Budget) -> String {
    format!(
        "a blend needs {} in all and {} are allowed",
        bytes(needed),
        bytes(budget.memory)
    )
}

/// How long a fit of this recipe takes, roughly, on two cores.
pub fn wait(recipe: &Recipe, sizes: &Sizes) -> Wait {
    if let (Some((rows, table)), SampleKind::Graph { edges, .. }) =
        (cost::on_rows(recipe, sizes), sizes.kind)
        && let SampleKind::Table { dim } = table.kind
    {
        let averages = Wait::of(PRODUCTS * 2 * (edges + sizes.samples) as u128 * dim as u128);
        return averages.max(wait(&rows, &table));
    }
    let (n, width) = (sizes.samples as u128, sizes.width as u128);
    let solve = |entries: u128| PRODUCTS * entries * width.max(1);
    let work = match (sizes.kind, &recipe.method) {
        (
            SampleKind::Graph {
                edges,
                features,
                relations,
                ..
            },
            Method::Blend(_),
        ) => {
            // Columns that are averaged over the graph, and eigenvectors.
            let nodes = node_columns(sizes.samples) as u128;
            let own = features.min(directions(sizes.samples)) as u128;
            let columns = 4 * own + nodes + 512;
            PRODUCTS * 2 * edges as u128 * columns * (1 + relations as u128)
        }
        (SampleKind::Graph { edges, .. }, _) => solve(2 * edges as u128),
        (SampleKind::Gram, _) => solve(n * n),
        // 3np² + 2npd.
        (SampleKind::Table { dim }, Method::Laplacian(params)) => {
            let p = params.functions(sizes.samples, dim) as u128;
            n * p * (3 * p + 2 * dim as u128)
        }
        (SampleKind::Table { dim }, Method::KernelRidge(_)) => {
            let l = sizes.labelled as u128;
            l * l * l / 3 + n * l * dim as u128
        }
        (SampleKind::Table { dim }, Method::Blend(params)) => {
            let graphs = params.graphs() as u128;
            let each = neighbour_work(sizes.samples, dim);
            let entries = 2 * n * BLEND_NEIGHBOURS as u128;
            let labels = sizes.labelled as u128 + width;
            graphs * each.saturating_add(PRODUCTS * entries * labels)
        }
        (SampleKind::Table { dim }, Method::Stkr(_)) if recipe.kernel.is_some() => {
            solve(n * n).saturating_add(n * n * dim as u128)
        }
        (SampleKind::Table { dim }, _) => {
            let k = recipe
                .neighbours
                .unwrap_or(default_neighbours(sizes.samples)) as u128;
            neighbour_work(sizes.samples, dim).saturating_add(solve(2 * n * k))
        }
    };
    Wait::of(work)
}

/// Multiply-adds of an exact search: every pair once, d numbers and what a pair costs.
fn neighbour_work(rows: usize, dim: usize) -> u128 {
    let rows = rows as u128;
    (rows * rows / 2).saturating_mul(dim as u128 + 16)
}

/// `1,234,567`.
fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
