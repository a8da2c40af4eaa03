//! `isotherm-bench [--page FILE] <name>…`: measures ours, a peer and the hardware's limit
//! in one run, prints the table and writes the page, `docs/benchmarks.md` unless named.
//!
//! The Python that has the peers is named by `ISOTHERM_PEER_PYTHON`; without it
//! the peers' columns stay empty.
#![allow(clippy::print_stdout)]

mod eigen;
mod graph;
mod grid;
mod kernel;
mod laplacian;
mod neighbours;
mod query;
mod read;
mod report;
mod scale;
mod solve;
mod stream;

/// What can be measured.
const KNOWN: &str = "name some of: kernel, graph, solve, grid, eigen, neighbours, laplacian, \
                     stream, scale, query, read";

fn main() -> anyhow::Result<()> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let page = match args.iter().position(|a| a == "--page") {
        Some(at) if at + 1 < args.len() => args.drain(at..at + 2).nth(1),
        Some(_) => anyhow::bail!("--page wants a file name"),
        None => None,
    };
    let page = page.unwrap_or_else(|| "docs/benchmarks.md".to_owned());
    if let [name, file] = args.as_slice()
        && name == graph::MEMORY_CHILD
    {
        return graph::memory_child(file);
    }
    if let [name, size] = args.as_slice()
        && name == scale::CHILD
    {
        return scale::child(size);
    }
    if let [name, file] = args.as_slice()
        && name == stream::CHILD
    {
        return stream::child(file);
    }
    if let [name, file] = args.as_slice()
        && name == read::CHILD
    {
        return read::child(file);
    }
    let mut sections = Vec::new();
    let mut reports = Vec::new();
    let command = format!("isotherm-bench {}", args.join(" "));
    for name in &args {
        let (title, report) = match name.as_str() {
            "eigen" => ("Leading eigenpairs", eigen::run()?),
            "graph" => ("Graph products, S·B", graph::run()?),
            "kernel" => ("Kernel tiles", kernel::run()?.into()),
            "laplacian" => ("Kernel Laplacian fits", laplacian::run()?),
            "neighbours" => ("Nearest neighbours", neighbours::run()?),
            "grid" => ("A whole grid beside one fit", grid::run()?),
            "query" => ("Which row next", query::run()?),
            "read" => ("Reading text", read::run()?),
            "solve" => ("Solving (I − ηS) F = Y", solve::run()?),
            "stream" => ("Tables that stay in their file", stream::run()?),
            "scale" => ("Cost against stored entries", scale::run()?),
            other => anyhow::bail!("there is no benchmark \"{other}\"; {KNOWN}"),
        };
        let section = report::render(title, &report, &command);
        println!("{section}");
        sections.push(section);
        reports.push(report);
    }
    if sections.is_empty() {
        anyhow::bail!("{KNOWN}");
    }
    let goals = report::goals(&reports);
    println!("{goals}");
    sections.insert(0, goals);
    report::write(&page, &sections)
}
