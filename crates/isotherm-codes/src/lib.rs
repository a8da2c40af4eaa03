//! The number of every refusal and warning of the library and its front ends.
//!
//! The library names each refusal by a word (`isotherm::error::Refusal`) and knows
//! nothing of this table; the command line and the Python package look words up here.
//!
//! A number belongs to a word for ever: neither is given to anything else, and
//! an entry whose refusal is gone stays. Hundreds are rooms: 0 words and files,
//! 1 tables, 2 labels, 3 graphs, 4 methods and numbers, 5 models, 6 outputs,
//! 9 ends. Warnings begin at the fiftieth of their room.
//!
//! A new one: a line here, a line in the command line's `codes.rs`, and a page
//! `crates/isotherm-cli/pages/ISO….md`. The command line's tests say what is missing.

/// What an entry is, and with it how a command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeKind {
    /// The words of a command line do not fit together.
    Usage,
    /// The data or the run was refused.
    Error,
    /// The work went through; something should be known.
    Warning,
    /// Somebody stopped the work.
    Stopped,
    /// The reader of the output has gone; nobody is told.
    Silent,
}

impl CodeKind {
    /// The exit code of a command that ends so. A warning leaves it 0, and
    /// makes it 3 where `--strict` asked for that.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Warning | Self::Silent => 0,
            Self::Error => 1,
            Self::Usage => 2,
            Self::Stopped => 130,
        }
    }

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Usage => "usage",
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Stopped => "stopped",
            Self::Silent => "silent",
        }
    }
}

/// One refusal or warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code {
    /// Its number.
    pub number: u16,
    /// Its word, lower case with hyphens.
    pub word: &'static str,
    /// What it is.
    pub kind: CodeKind,
    /// What it says, in a few words.
    pub title: &'static str,
}

impl Code {
    /// As users see it: `ISO103`.
    pub fn id(&self) -> String {
        format!("ISO{:03}", self.number)
    }
}

/// The entry of a word or of a number spelled like `ISO103`; case does not matter.
pub fn find(name: &str) -> Option<&'static Code> {
    let name = name.trim();
    ALL.iter()
        .find(|c| c.word.eq_ignore_ascii_case(name) || c.id().eq_ignore_ascii_case(name))
}

const fn row(number: u16, word: &'static str, kind: CodeKind, title: &'static str) -> Code {
    Code {
        number,
        word,
        kind,
        title,
    }
}

use CodeKind::{Error, Silent, Stopped, Usage, Warning};

/// Every entry, by number.
#[rustfmt::skip]
pub const ALL: &[Code] = &[
    // Words on the command line, and files.
    row(1, "usage", Usage, "the command line was not understood"),
    row(2, "unread-flag", Usage, "a flag that nothing would read"),
    row(3, "missing-flag", Usage, "a flag that needs another one"),
    row(4, "standard-stream", Usage, "standard input or output is wanted twice, or by the wrong thing"),
    row(5, "threads", Error, "the threads could not be started"),
    row(6, "unknown-code", Usage, "there is no such code to explain"),
    row(10, "not-found", Error, "a file or directory is not there"),
    row(11, "no-permission", Error, "the system does not allow it"),
    row(12, "directory", Error, "a directory where a file was needed"),
    row(13, "io", Error, "the system refused to read or write"),
    row(20, "empty", Error, "the file is empty"),
    row(21, "header-only", Error, "the table has a header and no rows"),
    row(22, "unknown-format", Error, "the format of a file is not known or not read"),
    row(23, "runs-code", Error, "a format that can run code"),
    row(24, "compressed", Error, "a compressed file that is not read"),
    row(25, "not-text", Error, "the file is not the text its name says"),
    row(26, "not-utf8", Error, "the text is not UTF-8"),
    row(27, "quotes", Error, "a quote that does not close, or closes too early"),
    row(28, "numpy", Error, "a numpy file that cannot be read"),
    row(29, "parquet", Error, "a Parquet file that cannot be read"),
    row(30, "column-type", Error, "a column of a type that is not read"),
    row(31, "limit", Error, "something is larger than a reader accepts"),
    row(32, "stdin-text", Error, "only text is read from standard input"),
    row(33, "not-in-parts", Error, "a file that cannot be read in parts"),
    row(34, "changed", Error, "the rows changed while they were read"),
    row(35, "recipe", Error, "a recipe file that cannot be read"),
    row(36, "format", Error, "a file is not what it should be"),
    row(37, "config", Usage, "a setting in isotherm.toml that cannot be used"),
    row(38, "workbook", Error, "a workbook that cannot be read, or a sheet that is not there"),
    row(39, "sentence-model", Error, "a sentence model that cannot be used"),
    row(40, "check-failed", Error, "check found something that label would refuse"),
    row(41, "database", Error, "a database that cannot be read, or a table that is not there"),
    row(50, "unknown-variable", Warning, "a variable that looks like a setting and is none"),
    // Tables.
    row(101, "column-missing", Error, "there is no such column"),
    row(102, "column-twice", Error, "two columns have one name"),
    row(103, "cell", Error, "a cell that is not a usable number"),
    row(104, "ragged", Error, "a row with more or fewer cells than the header"),
    row(105, "column-unnamed", Error, "a column without a name"),
    row(106, "no-features", Error, "no column is left to learn from"),
    row(107, "value", Error, "a number that is too large once scaled"),
    row(108, "all-equal", Error, "all rows are equal"),
    row(109, "too-few-rows", Error, "too few rows to learn from"),
    row(110, "column-taken", Error, "the table has a column that would be written"),
    row(111, "columns-differ", Error, "files that should be one table have different columns"),
    row(112, "thousands", Error, "a comma that may mark thousands or decimals"),
    row(150, "constant-columns", Warning, "columns with one value only"),
    row(151, "names-rows", Warning, "a feature that may only name rows"),
    row(152, "left-out", Warning, "a text column that is no feature"),
    row(153, "unseen-value", Warning, "a text that the model was not fitted on"),
    row(154, "gives-label-away", Warning, "a column that tells every label by itself"),
    row(155, "repeated-rows", Warning, "rows that are equal in every feature"),
    row(156, "scales", Warning, "columns whose scales lie far apart"),
    row(157, "not-in-output", Warning, "an excluded column that cannot be read"),
    // Labels.
    row(201, "no-labels", Error, "no row has a label"),
    row(202, "one-class", Error, "every label is the same"),
    row(203, "label", Error, "a label that cannot be used"),
    row(204, "all-labelled", Error, "every label is given already"),
    row(205, "too-few-labels", Error, "too few labels for what was asked"),
    row(206, "too-many-labels", Error, "more labels than leave-one-out can take"),
    row(207, "weight", Error, "a label's weight that is no positive number"),
    row(208, "conflict", Error, "one node with two labels"),
    row(209, "losses", Error, "costs of decisions that do not fit the labels"),
    row(210, "class-shares", Error, "shares of classes that do not fit the labels"),
    row(211, "task", Error, "the labels are not what the task needs"),
    row(212, "grades", Error, "grades whose order is not known"),
    row(213, "unsure-labels", Error, "labels known in part where sure ones are needed"),
    row(214, "audit", Error, "a mark of random labels that is neither yes nor no"),
    row(215, "pool", Error, "a number of unlabelled rows that cannot be"),
    row(216, "no-audit", Error, "no label was drawn at random"),
    row(217, "too-many-asked", Error, "more rows were asked for than are without a label"),
    row(218, "label-file", Error, "a file of labels that has not two columns"),
    row(219, "no-classes", Error, "the labels are no classes"),
    row(220, "label-spellings", Error, "one class is spelled in several ways"),
    row(250, "conflicts", Warning, "equal rows with different labels"),
    row(251, "nothing-to-leave-out", Warning, "no class has two labels to choose parameters by"),
    row(252, "not-settled", Warning, "labels known in part have not settled"),
    row(253, "still-blank", Warning, "rows to label are still without a label"),
    row(254, "alike-classes", Warning, "two classes that may be one"),
    row(255, "rare-class", Warning, "a class with a single label"),
    row(256, "marker-class", Warning, "a class that may mean that there is no label"),
    row(257, "overruled", Warning, "a fit that gives labelled rows another class"),
    row(258, "not-worth-using", Warning, "answers no better than simpler ones"),
    row(259, "unsure-shares", Warning, "class shares of the unlabelled rows that rest on little"),
    // Graphs.
    row(301, "edge", Error, "an edge that cannot be used"),
    row(302, "edge-cells", Error, "a line of edges that has not two or three cells"),
    row(303, "node", Error, "a node that is not in the graph"),
    row(304, "node-unnamed", Error, "a row does not name its node"),
    row(305, "empty-graph", Error, "the graph has no nodes"),
    row(306, "components", Error, "the graph falls into parts"),
    row(307, "arrays", Error, "arrays that describe no graph or order"),
    row(308, "relation", Error, "kinds of edges that cannot be told apart"),
    row(309, "node-feature", Error, "a line of node features that cannot be used"),
    row(350, "unreached", Warning, "rows or nodes that no label reaches"),
    row(351, "edges-unused", Warning, "edges between two new nodes"),
    row(352, "edges-unknown", Warning, "edges to nodes that nothing knows"),
    row(353, "edges-header", Warning, "a first edge that may be a header"),
    // Methods and numbers.
    row(401, "parameter", Error, "a parameter outside its range"),
    row(402, "method", Error, "the method cannot do what was asked"),
    row(403, "kernel", Error, "a kernel that does not fit the method or the rows"),
    row(404, "streamed", Error, "all rows are needed at once"),
    row(405, "shape", Error, "two sizes that have to agree do not"),
    row(406, "similarities", Error, "given similarities that cannot be used"),
    row(407, "landmarks", Error, "a landmark that is named twice"),
    row(408, "parts", Error, "parts of a distributed fit that do not fit together"),
    row(409, "data", Error, "data that cannot be learned from"),
    row(410, "indefinite", Error, "a system that is not positive definite"),
    row(411, "not-finite", Error, "a number that overflowed"),
    row(412, "memory", Error, "more memory than is allowed"),
    row(413, "no-fit", Error, "no fit of a grid can be solved"),
    row(414, "rank", Error, "a rank that cuts between equal eigenvalues"),
    row(415, "rose", Error, "an objective that should fall rose"),
    row(416, "no-modes", Error, "there is no smooth function to draw"),
    row(450, "not-converged", Warning, "the solver stopped before its goal"),
    row(451, "stagnated", Warning, "the solver ran out of digits"),
    row(452, "ill-conditioned", Warning, "few digits are left in the solution"),
    // Models.
    row(501, "not-a-model", Error, "the file is not an isotherm model"),
    row(502, "model-damaged", Error, "the model file is damaged"),
    row(503, "model-newer", Error, "the model was written by a newer isotherm"),
    row(504, "model-kind", Error, "the model was fitted on another kind of data"),
    // Outputs.
    row(601, "exists", Error, "the output exists already"),
    row(602, "one-way-format", Error, "a format that is only read, or only written"),
    row(603, "disk-full", Error, "there is no room to write"),
    row(604, "plot-format", Usage, "the picture's name does not tell its format"),
    row(605, "picture", Error, "the picture could not be drawn"),
    row(606, "nothing-to-write", Error, "there is nothing to write"),
    row(607, "rerun-command", Error, "the command of a file cannot be run again"),
    row(608, "rerun-input", Error, "an input is not what it was"),
    row(609, "rerun-differs", Error, "the same command gave another result"),
    row(610, "rerun-version", Error, "the result was made by another version"),
    row(611, "provenance", Error, "a file that does not tell where it came from"),
    row(650, "rerun-other-input", Warning, "a result is made again from other inputs"),
    row(655, "letters-missing", Warning, "letters that the font of a PNG does not have"),
    // Ends.
    row(901, "cancelled", Stopped, "the work was stopped"),
    row(902, "broken-pipe", Silent, "the reader of the output has gone"),
    row(999, "bug", Error, "a mistake in isotherm itself"),
];
