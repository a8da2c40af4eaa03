//! Graph products `S·B` beside `scipy.sparse`, and the memory of a build.
//!
//! Two graphs, made the same on every machine: a power law (Chung–Lu, exponent
//! 2.5, 1,000,000 nodes, about 10 million entries, names shuffled) and the
//! union of the 11 nearest neighbours of 200,000 uniform points in the cube.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use isotherm::data::Graph;
use isotherm::data::cuthill_mckee;
use isotherm::data::graph::{EdgeRules, GraphBuilder};
use isotherm::linalg::{Block, prefetch::prefetch};
use isotherm::monitor::Quiet;
use isotherm::operator::{Operator, sparse::NormalisedAdjacency};
use rayon::prelude::*;

use crate::report::{Report, Row};

/// The sub-command under which this program measures its own memory.
pub(crate) const MEMORY_CHILD: &str = "graph-memory";

const WIDTHS: [usize; 4] = [1, 8, 16, 64];
pub(crate) const POWER_NODES: usize = 1_000_000;
pub(crate) const POWER_EDGES: usize = 5_200_000;
const POINTS: usize = 200_000;
const NEIGHBOURS: usize = 11;

/// Runs all graph workloads.
pub(crate) fn run() -> anyhow::Result<Report> {
    let folder = std::env::temp_dir().join(format!("isotherm-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let outcome = run_in(&folder);
    std::fs::remove_dir_all(&folder)?;
    outcome
}

fn run_in(folder: &Path) -> anyhow::Result<Report> {
    let mut report = Report::default();
    let triad = triad();
    report.notes.push(format!(
        "STREAM-like triad: {:.1} GB/s (24 bytes counted). \"traffic\" is the time that bandwidth needs for the indices and four passes over the block; \"random gather\" is the time to sum as many rows, drawn uniformly, as the graph has entries.",
        triad / 1e9
    ));
    let power: Vec<[u32; 2]> = power_law(POWER_NODES, POWER_EDGES).collect();
    memory(folder, "power law", &power, &mut report)?;
    let (power, _) = build(&power, None)?;
    compare(folder, "power law, as given", &power, triad, &mut report)?;
    let ordered = reordered("power law", &power, &mut report)?;
    drop(power);
    compare(folder, "power law, reordered", &ordered, triad, &mut report)?;
    drop(ordered);

    let (pairs, weights) = neighbour_edges(POINTS);
    let (plain, _) = build(&pairs, None)?;
    compare(folder, "neighbours, as given", &plain, triad, &mut report)?;
    let ordered = reordered("neighbours", &plain, &mut report)?;
    compare(
        folder,
        "neighbours, reordered",
        &ordered,
        triad,
        &mut report,
    )?;
    let (weighted, _) = build(&pairs, Some(&weights))?;
    compare(folder, "weighted neighbours", &weighted, triad, &mut report)?;
    Ok(report)
}

pub(crate) fn build(pairs: &[[u32; 2]], weights: Option<&[f64]>) -> anyhow::Result<(Graph, f64)> {
    let from = Instant::now();
    let mut edges = GraphBuilder::new(EdgeRules::default());
    for (e, [u, v]) in pairs.iter().enumerate() {
        edges.push(*u, *v, weights.map(|w| w[e]))?;
    }
    let (graph, _) = edges.finish(&mut Quiet)?;
    Ok((graph, from.elapsed().as_secs_f64()))
}

fn reordered(name: &str, graph: &Graph, report: &mut Report) -> anyhow::Result<Graph> {
    let from = Instant::now();
    let order = cuthill_mckee(graph, &mut Quiet)?;
    let found = from.elapsed().as_secs_f64();
    let ordered = graph.permuted(&order, &mut Quiet)?;
    let moved = from.elapsed().as_secs_f64() - found;
    report.notes.push(format!(
        "{name}: `cuthill_mckee` took {found:.2} s, the reordering {moved:.2} s."
    ));
    Ok(ordered)
}

/// Times ours and the peer's on one graph and adds a row for each width.
fn compare(
    folder: &Path,
    name: &str,
    graph: &Graph,
    triad: f64,
    report: &mut Report,
) -> anyhow::Result<()> {
    write_graph(folder, graph)?;
    let mut ours = Vec::new();
    for width in WIDTHS {
        let mut rng = Rng(width as u64);
        let mut block = Block::zeros(graph.len(), width)?;
        for i in 0..graph.len() {
            block.row_mut(i).fill_with(|| rng.unit() - 0.5);
        }
        let mut out = Block::zeros(graph.len(), width)?;
        let operator = NormalisedAdjacency::new(graph);
        let mut failed = Ok(());
        let time = best(|| {
            if let Err(e) = operator.apply(block.as_mat(), out.as_mat_mut(), &mut Quiet) {
                failed = Err(e);
            }
        });
        failed?;
        for (file, panel) in [("block", &block), ("ours", &out)] {
            let values = (0..graph.len())
                .flat_map(|i| panel.row(i))
                .map(|x| x.to_le_bytes());
            let path = folder.join(format!("{file}-{width}.npy"));
            npy(&path, "<f8", &[graph.len(), width], values)?;
        }
        ours.push(time);
    }
    let peer = peer(folder)?;
    for (at, width) in WIDTHS.into_iter().enumerate() {
        let (nodes, entries) = (graph.len(), graph.entries());
        let traffic = (entries * if graph.is_weighted() { 12 } else { 4 }
            + nodes * 8 * (2 + 4 * width)) as f64
            / triad;
        let gather = gather(nodes, entries, width)?;
        // A good order turns gathers into streams; without one they bind.
        let (limit_name, limit) = if name.contains("reordered") || traffic > gather {
            ("traffic", traffic)
        } else {
            ("random gather", gather)
        };
        let peer_s = peer.as_ref().map_or(f64::NAN, |p| p.seconds[at]);
        report.rows.push(Row {
            workload: format!(
                "{name}, {:.1} M entries, {width} column{}",
                entries as f64 / 1e6,
                if width == 1 { "" } else { "s" }
            ),
            ours_s: ours[at],
            peer: peer.as_ref().map_or("–".into(), |p| p.name.clone()),
            peer_s,
            ratio: peer_s / ours[at],
            limit_name: limit_name.into(),
            fraction_of_limit: limit / ours[at],
        });
    }
    if let Some(peer) = peer {
        ensure!(
            peer.difference <= 1e-12,
            "{name}: results differ by {:.1e}",
            peer.difference
        );
        report.notes.push(format!(
            "{name}: largest difference from {} is {:.1e} of the largest number.",
            peer.name, peer.difference
        ));
    }
    Ok(())
}

#[derive(serde::Deserialize)]
struct Peer {
    name: String,
    seconds: Vec<f64>,
    difference: f64,
}

/// Runs `peers/graph.py` on the files in `folder`.
fn peer(folder: &Path) -> anyhow::Result<Option<Peer>> {
    let Some(python) = std::env::var_os("ISOTHERM_PEER_PYTHON") else {
        return Ok(None);
    };
    let script: PathBuf = [env!("CARGO_MANIFEST_DIR"), "peers", "graph.py"]
        .iter()
        .collect();
    let answer = Command::new(python)
        .arg(script)
        .arg(folder)
        .args(WIDTHS.map(|w| w.to_string()))
        .output()
        .context("the peer's python does not start")?;
    ensure!(
        answer.status.success(),
        "the peer failed: {}",
        String::from_utf8_lossy(&answer.stderr)
    );
    Ok(Some(serde_json::from_slice(&answer.stdout)?))
}

/// The best of at least five repetitions, more while they are short.
pub(crate) fn best(mut work: impl FnMut()) -> f64 {
    work();
    let from = Instant::now();
    let mut best = f64::INFINITY;
    let mut done = 0;
    while done < 5 || (from.elapsed().as_secs_f64() < 1.0 && done < 50) {
        let from = Instant::now();
        work();
        best = best.min(from.elapsed().as_secs_f64());
        done += 1;
    }
    best
}

/// Bytes a second of `a = b + 3c` over arrays much larger than any cache.
pub(crate) fn triad() -> f64 {
    const LEN: usize = 1 << 24;
    const CHUNK: usize = 1 << 16;
    let mut a = vec![0.0_f64; LEN];
    let (b, c) = (vec![1.0_f64; LEN], vec![2.0_f64; LEN]);
    let time = best(|| {
        a.par_chunks_mut(CHUNK)
            .zip(b.par_chunks(CHUNK).zip(c.par_chunks(CHUNK)))
            .for_each(|(a, (b, c))| {
                for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
                    *a = b + 3.0 * c;
                }
            });
    });
    (24 * LEN) as f64 / time
}

/// Seconds to add up `count` rows drawn uniformly from a panel on huge pages,
/// asked for 16 ahead.
fn gather(nodes: usize, count: usize, width: usize) -> anyhow::Result<f64> {
    const AHEAD: usize = 16;
    let mut rng = Rng(7);
    let index: Vec<u32> = (0..count).map(|_| rng.below(nodes) as u32).collect();
    let panel = Block::zeros(nodes, width)?;
    let (values, stride) = (panel.as_slice(), panel.stride());
    let parts = index.par_chunks(1 << 15);
    let time = best(|| {
        let sums: Vec<f64> = parts
            .clone()
            .map(|part| {
                let mut sum = vec![0.0; stride];
                for (e, &j) in part.iter().enumerate() {
                    if let Some(&soon) = part.get(e + AHEAD) {
                        for line in (0..stride).step_by(8) {
                            prefetch(values, soon as usize * stride + line);
                        }
                    }
                    let row = &values[j as usize * stride..][..stride];
                    for (s, x) in sum.iter_mut().zip(row) {
                        *s += x;
                    }
                }
                sum.iter().sum()
            })
            .collect();
        std::hint::black_box(sums);
    });
    Ok(time)
}

/// Builds the graph in a child of its own, once from each edge given once and
/// once from both directions, and notes the bytes an entry.
fn memory(
    folder: &Path,
    name: &str,
    pairs: &[[u32; 2]],
    report: &mut Report,
) -> anyhow::Result<()> {
    let file = folder.join("edges.bin");
    for (kind, directions) in [("each edge once", 1), ("both directions", 2)] {
        let mut out = BufWriter::new(File::create(&file)?);
        for d in 0..directions {
            for pair in pairs {
                out.write_all(&pair[d].to_le_bytes())?;
                out.write_all(&pair[1 - d].to_le_bytes())?;
            }
        }
        out.into_inner()?;
        let answer = Command::new(std::env::current_exe()?)
            .arg(MEMORY_CHILD)
            .arg(&file)
            .output()?;
        ensure!(answer.status.success(), "the memory child failed");
        report.notes.push(format!(
            "{name}, built from a stream with {kind}: {}",
            String::from_utf8_lossy(&answer.stdout).trim()
        ));
    }
    std::fs::remove_file(&file)?;
    Ok(())
}

/// Streams edges from a file into a builder and prints what it took.
pub(crate) fn memory_child(file: &str) -> anyhow::Result<()> {
    let mut input = BufReader::new(File::open(file)?);
    // Threads and their stacks exist before the first reading.
    rayon::broadcast(|_| ());
    let before = resident("VmRSS:")?;
    let from = Instant::now();
    let mut edges = GraphBuilder::new(EdgeRules::default());
    let mut pair = [[0; 4]; 2];
    while input.read_exact(pair.as_flattened_mut()).is_ok() {
        edges.push(
            u32::from_le_bytes(pair[0]),
            u32::from_le_bytes(pair[1]),
            None,
        )?;
    }
    let pushed = from.elapsed().as_secs_f64();
    let (graph, found) = edges.finish(&mut Quiet)?;
    let total = from.elapsed().as_secs_f64();
    let entries = graph.entries() as f64;
    let peak = (resident("VmHWM:")? - before) / entries;
    let after = (resident("VmRSS:")? - before) / entries;
    let starts = 8.0 * graph.len() as f64 / entries;
    println!(
        "peak {peak:.1} bytes a stored entry, {after:.1} afterwards ({starts:.1} of them row starts); {total:.2} s, {pushed:.2} of them reading; {} entries, {} duplicates.",
        graph.entries(),
        found.duplicates
    );
    Ok(())
}

/// A line of this process's memory, in bytes.
pub(crate) fn resident(key: &str) -> anyhow::Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|l| l.strip_prefix(key));
    let value = line
        .and_then(|l| l.split_whitespace().next())
        .context("no memory figures")?;
    Ok(value.parse::<f64>()? * 1024.0)
}

/// Chung–Lu: endpoints drawn with probability ∝ (i + 10)^(−2/3), names shuffled.
pub(crate) fn power_law(nodes: usize, edges: usize) -> impl Iterator<Item = [u32; 2]> {
    let mut rng = Rng(1);
    let mut names: Vec<u32> = (0..nodes as u32).collect();
    rng.shuffle(&mut names);
    // The integral of x^(−2/3) is 3·x^(1/3), which is inverted by a cube.
    let (low, high) = (10_f64.cbrt(), ((nodes + 10) as f64).cbrt());
    let mut draw = move || {
        let x = (low + rng.unit() * (high - low)).powi(3) - 10.0;
        names[(x as usize).min(nodes - 1)]
    };
    (0..edges).map(move |_| [draw(), draw()])
}

/// Exact nearest neighbours of uniform points, by a grid of buckets, with
/// Gaussian weights.
pub(crate) fn neighbour_edges(count: usize) -> (Vec<[u32; 2]>, Vec<f64>) {
    let mut rng = Rng(2);
    let points: Vec<[f64; 3]> = (0..count).map(|_| [(); 3].map(|()| rng.unit())).collect();
    let side = (count as f64 / 4.0).cbrt() as usize;
    let cell = |x: f64| ((x * side as f64) as usize).min(side - 1);
    let mut grid: Vec<Vec<u32>> = vec![Vec::new(); side.pow(3)];
    for (i, p) in points.iter().enumerate() {
        grid[(cell(p[0]) * side + cell(p[1])) * side + cell(p[2])].push(i as u32);
    }
    let found: Vec<Vec<(f64, u32)>> = (points.par_iter().enumerate())
        .map(|(i, p)| {
            let mut reach = 1;
            loop {
                let span = |x: f64| cell(x).saturating_sub(reach)..=(cell(x) + reach).min(side - 1);
                let mut near: Vec<(f64, u32)> = Vec::new();
                for a in span(p[0]) {
                    for b in span(p[1]) {
                        for c in span(p[2]) {
                            for &j in &grid[(a * side + b) * side + c] {
                                let q = points[j as usize];
                                let d2 = (0..3).map(|k| (p[k] - q[k]).powi(2)).sum();
                                near.push((d2, j));
                            }
                        }
                    }
                }
                near.retain(|n| n.1 as usize != i);
                near.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
                // All within `reach` cells of the point's own were looked at.
                let sure = (reach as f64 / side as f64).powi(2);
                if near.get(NEIGHBOURS - 1).is_some_and(|n| n.0 <= sure) || reach >= side {
                    near.truncate(NEIGHBOURS);
                    return near;
                }
                reach += 1;
            }
        })
        .collect();
    let scale = 0.5 * (side as f64).powi(2);
    let mut pairs = Vec::new();
    let mut weights = Vec::new();
    for (i, near) in found.iter().enumerate() {
        for (d2, j) in near {
            pairs.push([i as u32, *j]);
            weights.push((-d2 * scale).exp());
        }
    }
    (pairs, weights)
}

/// Writes the compressed rows of a graph the way numpy reads them.
pub(crate) fn write_graph(folder: &Path, graph: &Graph) -> anyhow::Result<()> {
    let starts: Vec<i64> = graph.starts().iter().map(|&s| s as i64).collect();
    npy(
        &folder.join("starts.npy"),
        "<i8",
        &[starts.len()],
        starts.iter().map(|x| x.to_le_bytes()),
    )?;
    npy(
        &folder.join("columns.npy"),
        "<u4",
        &[graph.entries()],
        graph.columns().iter().map(|x| x.to_le_bytes()),
    )?;
    let weights_file = folder.join("weights.npy");
    match graph.all_weights() {
        Some(w) => npy(
            &weights_file,
            "<f8",
            &[w.len()],
            w.iter().map(|x| x.to_le_bytes()),
        )?,
        None => {
            let _ = std::fs::remove_file(&weights_file);
        }
    }
    Ok(())
}

/// Writes an array the way numpy reads it.
pub(crate) fn npy<const N: usize>(
    path: &Path,
    kind: &str,
    shape: &[usize],
    values: impl Iterator<Item = [u8; N]>,
) -> anyhow::Result<()> {
    let shape: String = shape.iter().map(|s| format!("{s},")).collect();
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(header.len() as u16).to_le_bytes())?;
    out.write_all(header.as_bytes())?;
    for value in values {
        out.write_all(&value)?;
    }
    out.flush()?;
    Ok(())
}

/// splitmix64: small, and the same everywhere.
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    pub(crate) fn shuffle(&mut self, values: &mut [u32]) {
        for i in (1..values.len()).rev() {
            values.swap(i, self.below(i + 1));
        }
    }
}
