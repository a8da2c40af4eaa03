//! Edge lists: one edge per line, `node node [weight]`.
//!
//! Text delimited by comma, semicolon, tab, bar or white space; Parquet; or an
//! `.npy` array with two columns (three with weights). Lines that begin with
//! `#` or `%` are comments. A node is its text: `7` and `07` are two nodes.
//! Nodes are numbered in the order in which they first appear.

use std::collections::VecDeque;
use std::io::Read;
use std::path::Path;

use isotherm::data::GraphBuilder;
use isotherm::monitor::Monitor;

use crate::error::{Error, Place, Result, clean};
use crate::graph::node_names::NodeNames;
use crate::progress::Progress;
use crate::read::{read_stream, read_table};
use crate::source::file_version::FileVersion;
use crate::source::input::Input;
use crate::source::{Format, ReadOptions, Source};
use crate::table::lines::Lines;
use crate::table::numbers::{self, NotANumber};
use crate::table::{self, Table};
use crate::text::detection;
use crate::text::dialect::{Decimal, Delimiter, Header};
use crate::text::opening::{Text, TextRules};
use crate::text::records::Record;

const EDGES: TextRules = TextRules {
    candidates: &[
        Delimiter::Tab,
        Delimiter::Semicolon,
        Delimiter::Bar,
        Delimiter::Comma,
        Delimiter::Whitespace,
    ],
    fallback: Delimiter::Whitespace,
    comments: b"#%",
    thousands: "write the weights with a decimal point and without thousands marks",
};

/// How to read an edge list; the default finds everything out.
///
/// The first line is a header when it has three cells and the third is not a
/// number; when its two cells are two of `from`, `to`, `source`, `target`,
/// `src`, `dst`, `node`, `node1`, `node2` (any letter case, `_id` after them or
/// `node_` before them ignored); and when neither of its cells is a whole number
/// while both are in the lines that follow, up to 100 of them. Any other pair of
/// texts is an edge, but see [`read_edges_of`].
pub type EdgeOptions = ReadOptions;

/// One edge, as it was read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// The first node.
    pub from: u32,
    /// The second node.
    pub to: u32,
    /// The weight, if the list has weights: finite, not negative.
    pub weight: Option<f64>,
    /// Its line, or its row in a binary file; from 1.
    pub line: u64,
}

/// An edge list in memory.
#[derive(Debug, Clone, Default)]
pub struct EdgeList {
    /// The nodes.
    pub names: NodeNames,
    /// The edges, in the file's order.
    pub edges: Vec<(u32, u32)>,
    /// Their weights, if the list has weights.
    pub weights: Option<Vec<f64>>,
    /// The line of each edge; rows, for a binary file.
    pub lines: Lines,
}

/// Receives each edge in turn.
pub type Visit<'a> = dyn FnMut(Edge) -> isotherm::Result<()> + 'a;

/// Reads an edge list and hands every edge to `visit`, storing none.
///
/// Memory: the nodes' names once, about 40 bytes beside each.
///
/// # Errors
/// [`Error::Ragged`] for a line with another number of cells than the first;
/// [`Error::Format`] when the first has not two or three; [`Error::Edge`] for a
/// blank node and for a weight that is negative, too large or no number;
/// [`Error::Empty`]; [`Error::Limit`] beyond 2³² − 1 nodes; what `visit`
/// returns; otherwise as [`read_table`].
pub fn read_edges(
    source: &Source,
    options: &EdgeOptions,
    monitor: &mut dyn Monitor,
    visit: &mut Visit<'_>,
) -> Result<NodeNames> {
    Ok(read_edges_as(source, options, monitor, visit)?.0)
}

/// As [`read_edges`], with how the edges were read.
///
/// # Errors
/// As [`read_edges`].
pub fn read_edges_as(
    source: &Source,
    options: &EdgeOptions,
    monitor: &mut dyn Monitor,
    visit: &mut Visit<'_>,
) -> Result<(NodeNames, ReadAs)> {
    read_edges_of(source, options, NodeNames::default(), &[], monitor, visit)
}

/// As [`read_edges_as`], for nodes of which some are known already: those of other edges, and
/// those that a table lists, which are numbered when an edge names them.
///
/// With nodes that a table lists, a first line of which neither cell is one of them nor in any
/// other edge is a header, if other edges name some of them: `citing,cited`.
///
/// # Errors
/// As [`read_edges`].
pub fn read_edges_of(
    source: &Source,
    options: &EdgeOptions,
    known: NodeNames,
    listed: &[String],
    monitor: &mut dyn Monitor,
    visit: &mut Visit<'_>,
) -> Result<(NodeNames, ReadAs)> {
    let mut edges = Edges {
        path: source.path(),
        names: known,
        listed,
        visit,
        any: false,
    };
    let read_as = read_rows(source, options, &mut edges, monitor)?;
    Ok((edges.names, read_as))
}

/// What lines of two or three cells become.
pub(super) trait Sink {
    /// Whether the first line, which does not look like a header, may be one nevertheless.
    fn may_be_header(&self, cells: [&str; 2], others: &VecDeque<Record>) -> bool;

    /// Whether such a line is one, now that all others were taken.
    fn is_header(&self, cells: [&str; 2]) -> bool;

    /// Takes a line, with its third cell where there is one.
    fn take(
        &mut self,
        at: (Place, u64),
        cells: [&str; 2],
        third: Option<(&str, Decimal)>,
    ) -> Result<()>;

    /// Refuses lines of so many cells.
    fn check_width(&self, width: usize, place: Place) -> Result<()>;

    /// Whether nothing was taken.
    fn is_empty(&self) -> bool;
}

/// Hands every line of a file to a sink.
pub(super) fn read_rows(
    source: &Source,
    options: &EdgeOptions,
    sink: &mut dyn Sink,
    monitor: &mut dyn Monitor,
) -> Result<ReadAs> {
    let path = source.path();
    let version = FileVersion::of(source);
    let mut options = options.clone();
    let mut input = None;
    let format = match (options.format, source) {
        (Some(format), _) => format,
        (None, Source::Path(path)) => format_of(path)?,
        (None, Source::Stdin) => {
            let mut opened = Input::open(source, options.limits)?;
            let format = Format::of_head(&opened.head()?);
            input = Some(opened);
            format
        }
    };
    options.format = Some(format);
    let read = match format {
        Format::Csv | Format::Tsv => {
            if format == Format::Tsv {
                options.delimiter = options.delimiter.or(Some(Delimiter::Tab));
            }
            let input = input.map_or_else(|| Input::open(source, options.limits), Ok)?;
            read_input(input, path, &options, sink, monitor)
        }
        _ => {
            let table = match input {
                Some(input) => read_stream(input, path, &options, monitor),
                None => read_table(source, &options, monitor),
            };
            let table = table?;
            from_table(&table, sink).map(|()| ReadAs {
                text: None,
                weights: table.columns().len() == 3,
            })
        }
    };
    version.after(read)
}

/// As [`read_edges`], keeping the edges.
///
/// # Errors
/// As [`read_edges`].
pub fn collect_edges(
    source: &Source,
    options: &EdgeOptions,
    monitor: &mut dyn Monitor,
) -> Result<EdgeList> {
    let mut edges = Vec::new();
    let mut weights = Vec::new();
    let mut lines = Lines::default();
    let names = read_edges(source, options, monitor, &mut |edge| {
        edges.push((edge.from, edge.to));
        weights.extend(edge.weight);
        lines.push(edge.line);
        Ok(())
    })?;
    let weights = (!weights.is_empty()).then_some(weights);
    Ok(EdgeList {
        names,
        edges,
        weights,
        lines,
    })
}

/// Edge lists go by many names: what is not a known binary format is text, and
/// text may be compressed.
fn format_of(path: &Path) -> Result<Format> {
    let extension = |path: &Path| {
        let extension = path.extension().and_then(|e| e.to_str());
        extension.map(str::to_ascii_lowercase)
    };
    let inner = match extension(path).as_deref() {
        Some("gz" | "zst") => path.with_extension(""),
        _ => path.to_owned(),
    };
    match extension(&inner).as_deref() {
        None | Some("edges" | "edgelist" | "el" | "mtx" | "cites" | "dat") => Ok(Format::Csv),
        _ => Format::of_input(path),
    }
}

/// Reads an edge list in text from anything that can be read.
///
/// # Errors
/// As [`read_edges`].
pub fn read_text(
    input: impl Read,
    path: &Path,
    length: Option<u64>,
    options: &EdgeOptions,
    monitor: &mut dyn Monitor,
    visit: &mut Visit<'_>,
) -> Result<NodeNames> {
    let input = Input::new(input, path, length, options.limits)?;
    let mut edges = Edges {
        path,
        names: NodeNames::default(),
        listed: &[],
        visit,
        any: false,
    };
    read_input(input, path, options, &mut edges, monitor)?;
    Ok(edges.names)
}

/// How edges were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadAs {
    /// Of text: what separates the cells, and whether the first line is a header.
    pub text: Option<(Delimiter, Header)>,
    /// Whether edges have weights.
    pub weights: bool,
}

impl std::fmt::Display for ReadAs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some((delimiter, header)) = self.text {
            let header = match header {
                Header::Present => "header",
                Header::Absent => "no header",
            };
            write!(f, "{delimiter}, {header}, ")?;
        }
        f.write_str(if self.weights {
            "weights"
        } else {
            "no weights"
        })
    }
}

fn read_input(
    input: Input<'_>,
    path: &Path,
    options: &EdgeOptions,
    sink: &mut dyn Sink,
    monitor: &mut dyn Monitor,
) -> Result<ReadAs> {
    let mut progress = Progress::begin(monitor, "reading the edges", input.length())?;
    let text = Text::open(input, path, options, &EDGES)?;
    let (decimal, delimiter) = (text.decimal.unwrap_or_default(), text.delimiter);
    let mut records = text.records(path, options, &EDGES);
    // The lines that tell whether the first is a header.
    let mut sample: VecDeque<Record> = VecDeque::new();
    let mut refused = None;
    while sample.len() <= SAMPLED && refused.is_none() {
        let mut record = Record::default();
        match records.next(&mut record, &mut progress) {
            Ok(true) => sample.push_back(record),
            Ok(false) => break,
            // The records before it are refused first.
            Err(e) => refused = Some(e),
        }
    }
    let Some(first) = sample.front() else {
        return Err(refused.unwrap_or_else(|| Error::Empty {
            path: path.to_owned(),
        }));
    };
    let width = first.len();
    sink.check_width(width, Place::Line(first.line()))?;
    let mut header = options
        .header
        .unwrap_or_else(|| has_header(&sample, decimal));
    // A first line whose names may turn out to be no nodes.
    let mut held = None;
    let cells = [first.get(0), first.get(1)];
    if header == Header::Present {
        sample.pop_front();
    } else if options.header.is_none() && width == 2 && sink.may_be_header(cells, &sample) {
        held = sample.pop_front();
    }
    let mut record = Record::default();
    loop {
        match (sample.pop_front(), refused.take()) {
            (Some(early), later) => (record, refused) = (early, later),
            (None, Some(e)) => return Err(e),
            (None, None) if !records.next(&mut record, &mut progress)? => break,
            (None, None) => {}
        }
        if record.len() != width {
            return Err(Error::Ragged {
                path: path.to_owned(),
                line: record.line(),
                expected: width,
                got: record.len(),
            });
        }
        take(sink, &record, decimal)?;
    }
    progress.end(records.offset())?;
    if let Some(first) = held {
        if sink.is_header([first.get(0), first.get(1)]) {
            header = Header::Present;
        } else {
            take(sink, &first, decimal)?;
        }
    }
    if sink.is_empty() {
        return Err(Error::HeaderOnly {
            path: path.to_owned(),
            columns: width,
        });
    }
    Ok(ReadAs {
        text: Some((delimiter, header)),
        weights: width == 3,
    })
}

fn take(sink: &mut dyn Sink, record: &Record, decimal: Decimal) -> Result<()> {
    let third = (record.len() == 3).then(|| (record.get(2), decimal));
    let line = record.line();
    sink.take(
        (Place::Line(line), line),
        [record.get(0), record.get(1)],
        third,
    )
}

/// Lines after the first that are looked at before it is taken for a header.
const SAMPLED: usize = 100;

/// A third cell that is not a number, two different ones of the usual words, or
/// words above whole numbers: a header. Two other texts could be an edge, and are
/// one.
fn has_header(sample: &VecDeque<Record>, decimal: Decimal) -> Header {
    let Some(record) = sample.front() else {
        return Header::Absent;
    };
    const WORDS: [&str; 9] = [
        "from", "to", "source", "target", "src", "dst", "node", "node1", "node2",
    ];
    let pair: Vec<String> = [record.get(0), record.get(1)]
        .iter()
        .map(|c| c.trim().to_ascii_lowercase())
        .collect();
    let words = pair.iter().all(|c| {
        let c = c.trim_end_matches("_id").trim_start_matches("node_");
        WORDS.contains(&c)
    });
    let whole = |text: &str| text.trim().parse::<i64>().is_ok();
    let stands_out = || {
        let mut others = sample.iter().skip(1);
        sample.len() > 1
            && !pair.iter().any(|c| whole(c))
            && others.all(|r| whole(r.get(0)) && whole(r.get(1)))
    };
    match record.len() {
        3 => detection::header(std::iter::once(record.get(2)), decimal),
        _ if words && pair[0] != pair[1] => Header::Present,
        _ if stands_out() => Header::Present,
        _ => Header::Absent,
    }
}

fn check_width(width: usize, path: &Path, place: Place) -> Result<()> {
    match width {
        2 | 3 => Ok(()),
        _ => Err(Error::format_as(
            "edge-cells",
            path,
            Some(place),
            match width {
                1 => "an edge has one cell only".to_owned(),
                _ => format!("an edge has {width} cells"),
            },
            "write two nodes and, if you like, a weight; or name the delimiter",
        )),
    }
}

fn from_table(table: &Table, sink: &mut dyn Sink) -> Result<()> {
    let columns = table.columns();
    sink.check_width(columns.len(), Place::Row(1))?;
    let text = |column: usize, row: usize| {
        columns
            .get(column)
            .and_then(|c| node_text(&c.cells, row))
            .unwrap_or_default()
    };
    for row in 0..table.rows() {
        let at = (table.origin().place(row), row as u64 + 1);
        let third = (columns.len() == 3).then(|| text(2, row));
        let third = third.as_deref().map(|third| (third, Decimal::Point));
        sink.take(at, [&text(0, row), &text(1, row)], third)?;
    }
    Ok(())
}

/// A cell as a node: whole floats without their `.0`, NaN as blank.
fn node_text(cells: &crate::table::cells::Cells, row: usize) -> Option<String> {
    match cells {
        crate::table::cells::Cells::Float(c) => {
            c.get(row).filter(|v| !v.is_nan()).map(numbers::as_label)
        }
        other => table::text(other, row),
    }
}

struct Edges<'a, 'v> {
    path: &'a Path,
    names: NodeNames,
    /// Nodes that a table lists.
    listed: &'a [String],
    visit: &'a mut Visit<'v>,
    /// Whether an edge was taken.
    any: bool,
}

impl Sink for Edges<'_, '_> {
    fn may_be_header(&self, cells: [&str; 2], _: &VecDeque<Record>) -> bool {
        let node = |cell: &str| {
            let name = cell.trim();
            name.is_empty() || self.names.find(name).is_some() || self.is_listed(name)
        };
        !self.listed.is_empty() && !cells.iter().any(|cell| node(cell))
    }

    fn is_header(&self, cells: [&str; 2]) -> bool {
        let named = |name: &str| self.names.find(name).is_some();
        !cells.iter().any(|cell| named(cell.trim())) && self.listed.iter().any(|name| named(name))
    }

    fn take(
        &mut self,
        (place, line): (Place, u64),
        nodes: [&str; 2],
        weight: Option<(&str, Decimal)>,
    ) -> Result<()> {
        let weight = weight
            .map(|(text, decimal)| self.weight(place, text, decimal))
            .transpose()?;
        let from = self.node(place, "from", nodes[0])?;
        let to = self.node(place, "to", nodes[1])?;
        let edge = Edge {
            from,
            to,
            weight,
            line,
        };
        self.any = true;
        (self.visit)(edge).map_err(Error::from)
    }

    fn check_width(&self, width: usize, place: Place) -> Result<()> {
        check_width(width, self.path, place)
    }

    fn is_empty(&self) -> bool {
        !self.any
    }
}

impl Edges<'_, '_> {
    fn is_listed(&self, name: &str) -> bool {
        self.listed.iter().any(|listed| listed == name)
    }

    fn node(&mut self, place: Place, end: &'static str, name: &str) -> Result<u32> {
        let name = name.trim();
        if name.is_empty() {
            return Err(self.bad(place, end, name, "the node is blank", "name the node"));
        }
        self.names.intern(name).ok_or_else(|| {
            Error::limit(
                self.path,
                Some(place),
                "the number of nodes",
                (u64::from(u32::MAX), u64::from(u32::MAX) - 1),
                "split the graph",
            )
        })
    }

    fn weight(&self, place: Place, text: &str, decimal: Decimal) -> Result<f64> {
        let short = clean(text.trim(), 60);
        let (problem, hint): (String, &str) = match numbers::parse(text, decimal) {
            Ok(w) if (0.0..GraphBuilder::LARGEST_WEIGHT).contains(&w) => return Ok(w),
            Ok(w) if w > 0.0 => (
                format!("the weight {short} is too large"),
                "rescale the weights below 1e150",
            ),
            Ok(_) => (
                format!("the weight {short} is negative"),
                "weights are similarities; use zero or more, or drop the edge",
            ),
            Err(NotANumber::Blank) => (
                "the weight is blank".into(),
                "give every edge a weight, or none",
            ),
            Err(NotANumber::Missing | NotANumber::NotFinite) => (
                format!("the weight {short} is not a finite number"),
                "correct the weight, or drop the edge",
            ),
            Err(NotANumber::Text) => (
                format!("the weight \"{short}\" is not a number"),
                "correct the weight, or drop the edge",
            ),
        };
        Err(self.bad(place, "weight", text, &problem, hint))
    }

    fn bad(
        &self,
        place: Place,
        column: &'static str,
        value: &str,
        problem: &str,
        hint: &str,
    ) -> Error {
        Error::Edge {
            path: self.path.to_owned(),
            place,
            column,
            value: clean(value, 1000),
            problem: problem.into(),
            hint: hint.into(),
        }
    }
}
