//! trial
use crate::graph::{POWER_EDGES, POWER_NODES, Rng, build, neighbour_edges, power_law};
use isotherm::base::{Base as _, GraphBase};
use isotherm::data::Graph;
use isotherm::data::order::cuthill_mckee;
use isotherm::linalg::Block;
use isotherm::monitor::Quiet;
use isotherm::operator::sparse::NormalisedAdjacency;
use isotherm::solve::conjugate_gradient::{self, Definite};
use isotherm::solve::resolvent::Resolvent;
use std::time::Instant;

fn cpu() -> f64 {
    let mut sum = 0.0;
    if let Ok(dir) = std::fs::read_dir("/proc/self/task") {
        for t in dir.flatten() {
            let text = std::fs::read_to_string(t.path().join("schedstat")).unwrap_or_default();
            sum += text
                .split_whitespace()
                .next()
                .and_then(|x| x.parse::<f64>().ok())
                .unwrap_or(0.0);
        }
    }
    sum / 1e9
}

fn labels(graph: &Graph) -> anyhow::Result<Block> {
    let cols: usize = std::env::var("COLS").map_or(10, |c| c.parse().unwrap_or(10));
    let mut rng = Rng(5);
    let mut block = Block::zeros(graph.len(), cols)?;
    let mut given = 0;
    while given < 10 * cols {
        let node = rng.below(graph.len());
        if graph.neighbours(node).is_empty() || block.row(node).iter().any(|v| *v != 0.0) {
            continue;
        }
        block.row_mut(node)[given / 10] = 1.0;
        given += 1;
    }
    Ok(block)
}

pub(crate) fn trial(which: &str) -> anyhow::Result<()> {
    let graph = match which {
        "20k" => build(&neighbour_edges(20_000).0, None)?.0,
        "200k" => build(&neighbour_edges(200_000).0, None)?.0,
        "200kw" => {
            let (p, w) = neighbour_edges(200_000);
            build(&p, Some(&w))?.0
        }
        "2M" => build(&neighbour_edges(2_000_000).0, None)?.0,
        _ => {
            build(
                &power_law(POWER_NODES, POWER_EDGES).collect::<Vec<_>>(),
                None,
            )?
            .0
        }
    };
    let order = std::env::var("ORDER").is_ok();
    let graph = if order {
        let t = Instant::now();
        let o = cuthill_mckee(&graph, &mut Quiet)?;
        let t1 = t.elapsed().as_secs_f64();
        let g = graph.permuted(&o, &mut Quiet)?;
        println!(
            "order {t1:.3} permute {:.3}",
            t.elapsed().as_secs_f64() - t1
        );
        g
    } else {
        graph
    };
    println!("{which}: {} nodes {} entries", graph.len(), graph.entries());
    let rhs = labels(&graph)?;
    let base = GraphBase::new(graph.clone());
    let tols: Vec<f64> = std::env::var("TOL").map_or(vec![1e-6], |t| {
        t.split(',').map(|t| t.parse().unwrap_or(1e-6)).collect()
    });
    for tol in tols {
        for eta in std::env::var("ETA").map_or(vec![0.99, 0.999], |t| {
            t.split(',').map(|t| t.parse().unwrap_or(0.9)).collect()
        }) {
            for modes in if std::env::var("BOTH").is_ok() {
                vec![true, false]
            } else {
                vec![true]
            } {
                let mut best = f64::INFINITY;
                let mut bcpu = f64::INFINITY;
                let mut modes_s = 0.0;
                let mut rep = None;
                for _ in 0..3 {
                    let t = Instant::now();
                    let t2 = cpu();
                    let m = if modes { base.modes(&mut Quiet)? } else { None };
                    modes_s = t.elapsed().as_secs_f64();
                    let parts = base.sparse().unwrap_or_else(|| unreachable!());
                    let (_, r) = Resolvent::new(parts, eta)
                        .at_once(std::env::var("AT").map_or(32, |c| c.parse().unwrap_or(32)))
                        .solve(m.as_ref(), rhs.clone(), tol, 5000, &mut Quiet)?;
                    best = best.min(t.elapsed().as_secs_f64());
                    rep = Some(r);
                    bcpu = bcpu.min(cpu() - t2);
                }
                if let Some(r) = rep {
                    println!(
                        "tol {tol:.0e} eta {eta} modes {modes}: {best:.4} s wall {bcpu:.4} s cpu ({modes_s:.4} modes), {} it, {:.2} ms/it res {:.2e} cond {:?} {:?}",
                        r.iterations,
                        1e3 * best / r.iterations as f64,
                        r.residual,
                        r.condition,
                        r.outcome
                    );
                }
            }
            if std::env::var("PLAIN").is_ok() {
                let t = Instant::now();
                let t2 = cpu();
                let op = NormalisedAdjacency::new(&graph).affine(1.0, -eta);
                let (_, r) = conjugate_gradient::solve(
                    Definite {
                        operator: &op,
                        name: "",
                        hint: "",
                    },
                    rhs.clone(),
                    tol,
                    5000,
                    &mut Quiet,
                )?;
                println!(
                    "   plain f64 cpu {:.4} {:.4} s, {} it, res {:.2e} cond {:?}",
                    cpu() - t2,
                    t.elapsed().as_secs_f64(),
                    r.iterations,
                    r.residual,
                    r.condition
                );
            }
        }
    }
    Ok(())
}
