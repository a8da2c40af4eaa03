//! `isotherm-experiments stkr <what>`: the paper's tables and figures.
#![allow(clippy::print_stdout)]

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand, ValueEnum};
use isotherm_experiments::graphs::{self, Entry, GRAPHS};
use isotherm_experiments::klap;
use isotherm_experiments::partial;
use isotherm_experiments::query;
use isotherm_experiments::records::{self, Store};
use isotherm_experiments::report;
use isotherm_experiments::run::{self, Parts, Shared};

/// Runs the papers' experiments and writes tables beside the printed ones.
#[derive(Parser)]
#[command(version)]
struct Args {
    #[command(subcommand)]
    paper: Paper,
}

#[derive(Subcommand)]
enum Paper {
    /// Spectrally Transformed Kernel Regression.
    Stkr(Stkr),
    /// Laplacian regularization with kernels.
    Klap(Klap),
    /// Accuracy against the number of labels, for every strategy of choosing them.
    Query(Query),
    /// Partial labels: candidate sets, missing flags, partial orders.
    Partial(Partial),
}

#[derive(clap::Args)]
struct Query {
    /// Sets, by their titles; all five unless said. The page is of all that have rows.
    #[arg(long)]
    set: Vec<String>,
    /// Run nothing: write page and picture from the rows there are.
    #[arg(long, conflicts_with = "set")]
    report: bool,
    /// Seeds 0 to this one.
    #[arg(long, default_value_t = 20)]
    seeds: u64,
    /// Labels at the end of a curve.
    #[arg(long, default_value_t = 100)]
    labels: usize,
    /// Where results go.
    #[arg(long, default_value = "experiments")]
    out: PathBuf,
}

fn query(args: &Query) -> Result<()> {
    let points = [10, 20, 30, 40, 60, 80, 100].into_iter();
    let plan = query::Plan {
        seeds: args.seeds,
        points: points.filter(|n| *n <= args.labels.max(10)).collect(),
    };
    if !args.report {
        query::run_sets(&args.out, &graphs::directory(), &plan, &args.set)?;
    }
    query::report(&args.out)
}

#[derive(clap::Args)]
struct Partial {
    /// Sets, by their names; all ten unless said.
    #[arg(long, value_delimiter = ',')]
    sets: Vec<String>,
    /// Take in the rows of another results directory, and do not run its sets.
    #[arg(long)]
    from: Option<PathBuf>,
    /// Where results go.
    #[arg(long, default_value = "experiments")]
    out: PathBuf,
}

#[derive(clap::Args)]
struct Klap {
    /// What to run.
    figure: Figure,
    /// Trials of Figures 3 and 4.
    #[arg(long, default_value_t = 50)]
    trials: usize,
    /// Splits of the table, at most 12.
    #[arg(long, default_value_t = 12)]
    splits: usize,
    /// Where results go.
    #[arg(long, default_value = "experiments")]
    out: PathBuf,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq)]
#[value(rename_all = "lower")]
enum Figure {
    /// Four circles, four labels.
    Figure1,
    /// Generalised eigenfunctions.
    Figure2,
    /// Error and time by the number of rows; writes Figure 4 too.
    Figure3,
    /// What landmarks cost; writes Figure 3 too.
    Figure4,
    /// Two Gaussians, drawn.
    Figure5,
    /// The covariance alone beside the Laplacian alone.
    Figure6,
    /// Error rates on the sets of the semi-supervised book.
    Book,
    /// All of them.
    All,
}

fn klap(args: &Klap) -> Result<()> {
    let wanted = |figures: &[Figure]| figures.contains(&args.figure) || args.figure == Figure::All;
    if wanted(&[Figure::Figure1]) {
        klap::circles::figure1(&args.out)?;
    }
    if wanted(&[Figure::Figure2]) {
        klap::circles::figure2(&args.out)?;
    }
    if wanted(&[Figure::Figure3, Figure::Figure4]) {
        klap::gaussians::figures3_and_4(&args.out, args.trials)?;
    }
    if wanted(&[Figure::Figure5]) {
        klap::gaussians::figure5(&args.out)?;
    }
    if wanted(&[Figure::Figure6]) {
        klap::circles::figure6(&args.out)?;
    }
    if wanted(&[Figure::Book]) {
        klap::book::table(&args.out, &graphs::directory(), args.splits)?;
    }
    Ok(())
}

#[derive(clap::Args)]
struct Stkr {
    /// What to run; everything is written anew from all rows afterwards.
    what: What,
    /// Graphs, by their names; all nine unless said.
    #[arg(long, value_delimiter = ',')]
    graphs: Vec<String>,
    /// Seeds 0 to this one.
    #[arg(long, default_value_t = 10)]
    seeds: u64,
    /// Leave out kernel PCA, whose eigenproblems take by far the longest.
    #[arg(long)]
    without_topd: bool,
    /// Kernel PCA only.
    #[arg(long, conflicts_with = "without_topd")]
    only_topd: bool,
    /// Run again what has rows already.
    #[arg(long)]
    again: bool,
    /// Take in the rows of another results directory first.
    #[arg(long)]
    from: Option<PathBuf>,
    /// Where results go.
    #[arg(long, default_value = "experiments")]
    out: PathBuf,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq)]
#[value(rename_all = "lower")]
enum What {
    /// Three graphs of Table 4.
    Table1,
    /// Sizes of the graphs.
    Table3,
    /// Every method, 1 % of the nodes tested.
    Table4,
    /// Inductive, 1 % to 30 % tested.
    Table5,
    /// Accuracy by the power of the kernel.
    Figure2,
    /// Accuracy by η.
    Figure3,
    /// All unlabelled nodes, differences on the same splits.
    Paired,
    /// All of them.
    All,
    /// Nothing: write tables and pictures from the rows there are.
    Report,
}

/// The transductive parts, the inductive parts, and the shares tested inductively.
fn plan(what: What) -> (Parts, Parts, &'static [&'static str]) {
    const ONE: &[&str] = &["0.01"];
    const FIVE: &[&str] = &["0.01", "0.05", "0.1", "0.2", "0.3"];
    let none = Parts::default();
    let table = Parts {
        laplacian: true,
        powers: true,
        modes: true,
        ..none
    };
    let four = Parts {
        propagation: true,
        ..table
    };
    match what {
        What::Table3 | What::Report => (none, none, &[]),
        What::Table1 | What::Table4 => (four, table, ONE),
        What::Table5 => (none, table, FIVE),
        What::Figure2 => {
            let powers = Parts {
                powers: true,
                ..none
            };
            (powers, powers, ONE)
        }
        What::Figure3 => (
            Parts {
                laplacian: true,
                limited: true,
                centred: true,
                ..none
            },
            none,
            &[],
        ),
        What::Paired => (
            Parts {
                paired: true,
                ..four
            },
            none,
            &[],
        ),
        What::All => (
            Parts {
                limited: true,
                centred: true,
                paired: true,
                ..four
            },
            table,
            FIVE,
        ),
    }
}

fn chosen(args: &Stkr) -> Result<Vec<Entry>> {
    if args.graphs.is_empty() {
        let three = ["computers", "cora", "dblp"];
        let keep = |g: &Entry| args.what != What::Table1 || three.contains(&g.key);
        return Ok(GRAPHS.into_iter().filter(keep).collect());
    }
    args.graphs.iter().map(|key| graphs::find(key)).collect()
}

/// The parts whose rows are still missing.
fn missing(store: &Store, parts: Parts, setting: &str, p_test: &str, seed: u64) -> Parts {
    let there = |method: &str| {
        store.rows().any(|r| {
            r.setting == setting && r.p_test == p_test && r.seed == seed && r.method == method
        })
    };
    Parts {
        propagation: parts.propagation && !there("LP"),
        laplacian: parts.laplacian && !there("SP-Lap"),
        powers: parts.powers && !there("SP-power"),
        modes: parts.modes && !there("SP-topd"),
        limited: parts.limited && !there("SP-poly T≤32"),
        centred: parts.centred && !there("SP-Lap centred"),
        paired: parts.paired && !there("leave-one-out"),
    }
}

fn stkr(args: &Stkr) -> Result<()> {
    let (mut whole, mut part, shares) = plan(args.what);
    for parts in [&mut whole, &mut part] {
        parts.modes &= !args.without_topd;
        if args.only_topd {
            *parts = Parts {
                modes: parts.modes,
                ..Parts::default()
            };
        }
    }
    if let Some(from) = &args.from {
        records::merge(&args.out, from)?;
    }
    let directory = graphs::directory();
    for entry in chosen(args)? {
        if whole == Parts::default() && part == Parts::default() {
            break;
        }
        let mut store = Store::open(&args.out, entry.key)?;
        let network = graphs::load(entry, &directory)?;
        let mut shared = Shared::new(&network)?;
        let needed = |store: &Store, parts, setting, p_test, seed| {
            if args.again {
                parts
            } else {
                missing(store, parts, setting, p_test, seed)
            }
        };
        for seed in 0..args.seeds {
            let parts = needed(&store, whole, "t", "0.01", seed);
            if parts != Parts::default() {
                store.add(run::transductive(&mut shared, "0.01", seed, parts)?)?;
            }
            for p_test in shares {
                let parts = needed(&store, part, "i", p_test, seed);
                if parts != Parts::default() {
                    store.add(run::inductive(&network, p_test, seed, parts)?)?;
                }
            }
            println!("{}: seed {seed} done", entry.key);
        }
    }
    report::write(&args.out, &directory)
}

fn main() -> Result<()> {
    match Args::parse().paper {
        Paper::Stkr(args) => stkr(&args),
        Paper::Klap(args) => klap(&args),
        Paper::Query(args) => query(&args),
        Paper::Partial(args) => {
            let from = args.from.as_deref();
            partial::table(&args.out, &graphs::directory(), &args.sets, from)
        }
    }
}
