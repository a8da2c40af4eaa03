//! What is learned from, and how it is read.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use isotherm_io::{Decimal, Delimiter, Encoding, FeatureKind, Format, Header, ReadOptions};

use super::choice::one_of;

/// What is learned from.
#[derive(Debug, Clone, Args)]
pub(crate) struct Data {
    /// Tables: .csv, .jsonl (.gz), .xlsx, .sqlite, .parquet, .npz, or -
    #[arg(value_name = "DATA", required = true)]
    pub(crate) data: Vec<PathBuf>,
    /// The column of labels, blank where unknown
    #[arg(long, value_name = "COLUMN")]
    pub(crate) label: String,
    /// Cells of the label column that mean "no label", such as -1
    #[arg(
        long,
        value_name = "TEXTS",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    pub(crate) unlabelled: Vec<String>,
    /// Spellings of one class: auto, ask, never or a map .csv
    #[arg(long, value_name = "HOW", value_parser = merge_labels)]
    pub(crate) merge_labels: Option<MergeLabels>,
    /// Edges (node,node[,weight]), once for each kind
    #[arg(long, value_name = "EDGES", value_parser = edge_file)]
    pub(crate) graph: Vec<EdgeFile>,
    /// Direction of edges that is kept: out, in, both or ignored
    #[arg(long, value_enum, default_value_t = Direction::Ignored, requires = "graph")]
    pub(crate) direction: Direction,
    /// Features of nodes (node,feature[,value]), what is not listed being 0
    #[arg(
        long,
        value_name = "FILE",
        requires = "graph",
        conflicts_with_all = ["features", "categorical", "kind", "text", "image", "embedding"]
    )]
    pub(crate) node_features: Option<PathBuf>,
    /// The column that names rows or nodes
    #[arg(long, value_name = "COLUMN")]
    pub(crate) id: Option<String>,
    /// Feature columns or patterns [default: useful ones]
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
    /// Columns that are not features
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) exclude: Vec<String>,
    /// Columns that are one feature a value, such as colour=red
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) categorical: Vec<String>,
    /// As number, category, text, date, picture or nothing
    #[arg(
        long,
        value_name = "COLUMN=KIND",
        value_delimiter = ',',
        value_parser = kind
    )]
    pub(crate) kind: Vec<(String, FeatureKind)>,
    /// Columns of running text
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) text: Vec<String>,
    /// Columns of paths to pictures (PNG, JPEG)
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) image: Vec<String>,
    /// A folder with a sentence model (ONNX) that reads the texts
    #[arg(long, value_name = "DIR", conflicts_with = "embedding")]
    pub(crate) embed_with: Option<PathBuf>,
    /// Columns of lists to learn from, and from nothing else
    #[arg(
        long,
        value_name = "COLUMNS",
        value_delimiter = ',',
        conflicts_with_all = ["features", "categorical", "kind", "text", "image"]
    )]
    pub(crate) embedding: Vec<String>,
    /// What to do with a labelled row whose node has no edge
    #[arg(long, value_enum, default_value_t = Isolated::Refuse, requires = "graph")]
    pub(crate) isolated: Isolated,
    /// Labels are sets that hold the right one: tea|milk, 2..5, 3..
    #[arg(long)]
    pub(crate) candidates: bool,
    /// The column that says how much each label counts
    #[arg(long, value_name = "COLUMN")]
    pub(crate) label_weights: Option<String>,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

impl Data {
    /// The files as they were given.
    pub(crate) fn named(&self) -> String {
        let names: Vec<String> = self.data.iter().map(|d| d.display().to_string()).collect();
        names.join(" ")
    }
}

/// A file of edges, and what kind of edges they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EdgeFile {
    /// The kind, where it was named.
    name: Option<String>,
    pub(crate) path: PathBuf,
}

impl EdgeFile {
    /// The kind of edges: as it was named, or the file's name without what follows a point.
    pub(crate) fn relation(&self) -> String {
        let stem = || {
            let file = self.path.file_name()?.to_str()?;
            file.split('.').next().filter(|stem| !stem.is_empty())
        };
        match &self.name {
            Some(name) => name.clone(),
            None => stem().unwrap_or("edges").to_owned(),
        }
    }

    /// Whether the kind was named.
    pub(crate) fn is_named(&self) -> bool {
        self.name.is_some()
    }
}

impl std::fmt::Display for EdgeFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name}={}", self.path.display()),
            None => write!(f, "{}", self.path.display()),
        }
    }
}

/// A path, or a kind of edges and a path: `cites=edges.csv`. A file that is there is meant, even
/// if its name has an equals sign.
pub(super) fn edge_file(word: &str) -> Result<EdgeFile, String> {
    let named = word.split_once('=').filter(|(name, path)| {
        !name.is_empty() && !path.is_empty() && !name.contains(['/', '\\', '.'])
    });
    Ok(match named {
        Some((name, path)) if !Path::new(word).exists() => EdgeFile {
            name: Some(name.to_owned()),
            path: path.into(),
        },
        _ => EdgeFile {
            name: None,
            path: word.into(),
        },
    })
}

/// Which way edges lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Direction {
    // From the first node of an edge to the second.
    Out,
    In,
    Both,
    Ignored,
}

impl Direction {
    /// Whether links that lead away count, and links that come in.
    pub(crate) fn ends(self) -> [bool; 2] {
        match self {
            Self::Out => [true, false],
            Self::In => [false, true],
            Self::Both => [true, true],
            Self::Ignored => [false, false],
        }
    }
}

/// How DATA is read, where it is not found out right.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct Reading {
    /// Format of DATA [default: its name tells]
    #[arg(long, value_parser = one_of(FORMATS))]
    pub(crate) format: Option<Format>,
    /// Delimiter of DATA [default: found]
    #[arg(long, value_parser = one_of(DELIMITERS))]
    pub(crate) delimiter: Option<Delimiter>,
    /// Whether DATA has a header [default: found]
    #[arg(long, value_parser = one_of(HEADERS), value_name = "THERE")]
    pub(crate) header: Option<Header>,
    /// Decimal mark of DATA [default: found]
    #[arg(long, value_parser = one_of(DECIMALS), value_name = "MARK")]
    pub(crate) decimal: Option<Decimal>,
    /// Sheet of a workbook [default: first], or table of a database
    #[arg(long, visible_alias = "table", value_name = "NAME")]
    pub(crate) sheet: Option<String>,
    /// Encoding of DATA, such as latin1 [default: UTF-8, or its mark]
    #[arg(long, value_name = "NAME", value_parser = encoding)]
    pub(crate) encoding: Option<Encoding>,
}

/// What becomes of classes that differ by their spelling only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MergeLabels {
    /// They are the most frequent one.
    Auto,
    /// As somebody at the terminal says.
    Ask,
    /// They are classes of their own.
    Never,
    /// As this table of two columns says.
    Map(PathBuf),
}

fn merge_labels(word: &str) -> Result<MergeLabels, String> {
    match word {
        "auto" => Ok(MergeLabels::Auto),
        "ask" => Ok(MergeLabels::Ask),
        "never" => Ok(MergeLabels::Never),
        file if file.contains('.') => Ok(MergeLabels::Map(file.into())),
        _ => Err("write auto, ask, never or the name of a CSV file with two columns".to_owned()),
    }
}

/// A column and its kind; the column's name may have an equals sign.
fn kind(word: &str) -> Result<(String, FeatureKind), String> {
    let (column, kind) = word
        .rsplit_once('=')
        .ok_or_else(|| "write the column and its kind, such as age=number".to_owned())?;
    Ok((column.to_owned(), kind.parse()?))
}

fn encoding(name: &str) -> Result<Encoding, String> {
    Encoding::from_name(name).ok_or_else(|| {
        "no such encoding; known are utf-8, latin1, windows-1250, iso-8859-2, shift_jis and what else browsers read".to_owned()
    })
}

const FORMATS: [(&str, Format); 10] = [
    ("csv", Format::Csv),
    ("tsv", Format::Tsv),
    ("jsonl", Format::JsonLines),
    ("parquet", Format::Parquet),
    ("arrow", Format::Arrow),
    ("npy", Format::Npy),
    ("npz", Format::Npz),
    ("xlsx", Format::Xlsx),
    ("ods", Format::Ods),
    ("sqlite", Format::Sqlite),
];

const DELIMITERS: [(&str, Delimiter); 4] = [
    ("comma", Delimiter::Comma),
    ("semicolon", Delimiter::Semicolon),
    ("tab", Delimiter::Tab),
    ("bar", Delimiter::Bar),
];

const HEADERS: [(&str, Header); 2] = [("yes", Header::Present), ("no", Header::Absent)];

const DECIMALS: [(&str, Decimal); 2] = [("point", Decimal::Point), ("comma", Decimal::Comma)];

impl Reading {
    /// The reader's options these flags spell; columns that are not wanted need not be read.
    pub(crate) fn options_without(&self, without: &[String]) -> ReadOptions {
        ReadOptions {
            without: without.to_vec(),
            ..self.options()
        }
    }

    /// The reader's options these flags spell.
    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            format: self.format,
            delimiter: self.delimiter,
            header: self.header,
            decimal: self.decimal,
            encoding: self.encoding,
            sheet: self.sheet.clone(),
            ..ReadOptions::default()
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Isolated {
    // Its name is likely mistyped.
    Refuse,
    // It is a node without edges.
    Keep,
}
