//! Everything that was found, or why it was not.

use isotherm::data::Targets;
use isotherm::model::Model;
use isotherm::recipe::{Recipe, Task};
use isotherm::study::{Evaluation, LearningCurve, SpectrumCurve, Suggested};
use isotherm::trust::Reliability;
use isotherm::view::{Balance, Map};
use isotherm_io::Provenance;

use crate::console::Warned;
use crate::failure::{Outcome, spelled};
use crate::short_names::distinct;

/// A part of the page, or why it cannot be had.
pub(crate) type Had<T> = Result<T, Missing>;

/// Why a part of the page cannot be had, and what would help.
#[derive(Debug, Clone)]
pub(crate) struct Missing {
    pub(crate) why: String,
    pub(crate) way_out: Option<String>,
}

impl Missing {
    pub(crate) fn new(why: impl Into<String>, way_out: impl Into<String>) -> Self {
        Self {
            why: why.into(),
            way_out: Some(way_out.into()),
        }
    }
}

/// A refusal becomes the reason a part is missing; a cancelled run stays one.
pub(crate) fn attempt<T>(found: isotherm::Result<T>) -> Outcome<Had<T>> {
    match found {
        Ok(found) => Ok(Ok(found)),
        Err(stopped @ isotherm::Error::Cancelled { .. }) => Err(stopped.into()),
        Err(refused) => Ok(Err(Missing {
            why: spelled(&refused.what()),
            way_out: refused.hint().map(spelled),
        })),
    }
}

/// A picture of a grid of settings, and what was best in it.
#[derive(Debug)]
pub(crate) struct Tuning {
    pub(crate) svg: String,
    /// The page's own setting beside the best.
    pub(crate) own: String,
    pub(crate) best: String,
    pub(crate) score: String,
    pub(crate) cells: usize,
}

/// A row in a list.
#[derive(Debug)]
pub(crate) struct Listed {
    /// Its line, row or node.
    pub(crate) place: String,
    /// Its row in the table, from 1 as in the column `iso_row`; none for a node without one.
    pub(crate) row: Option<usize>,
    /// Its first few cells, where it has some.
    pub(crate) cells: Vec<String>,
    /// Its pictures as small PNG files, and the columns they are of.
    pub(crate) pictures: Vec<(String, Vec<u8>)>,
}

/// Everything that the page tells.
pub(crate) struct Findings {
    pub(crate) title: String,
    /// The file, as it was given.
    pub(crate) file: String,
    /// The edge list, as it was given.
    pub(crate) graph: Option<String>,
    pub(crate) label: String,
    pub(crate) features: Vec<String>,
    /// Names of the columns whose cells lists show.
    pub(crate) columns: Vec<String>,
    pub(crate) samples: usize,
    pub(crate) labelled: usize,
    pub(crate) task: Task,
    pub(crate) recipe: Recipe,
    pub(crate) toml: String,
    pub(crate) targets: Targets,
    pub(crate) model: Model,
    pub(crate) warned: Vec<Warned>,
    pub(crate) evaluation: Had<Evaluation>,
    pub(crate) map: Had<Map>,
    /// A name for each point of the map, where samples have names of their own.
    pub(crate) names: Option<Vec<String>>,
    /// Where samples stand in their file: the first sample of each run, the word and the number.
    pub(crate) places: Vec<(usize, String, u64)>,
    pub(crate) balance: Had<Balance>,
    pub(crate) reliability: Had<Reliability>,
    pub(crate) curve: Had<LearningCurve>,
    pub(crate) spectrum: Had<SpectrumCurve>,
    /// `None` where it was not asked for.
    pub(crate) tuning: Option<Had<Tuning>>,
    pub(crate) next: Had<Suggested>,
    /// One for each row of `next`.
    pub(crate) next_rows: Vec<Listed>,
    /// One for each contradicted label that is listed.
    pub(crate) suspect_rows: Vec<Listed>,
    /// Samples without a label that none reaches; the first of them in `unreached_rows`.
    pub(crate) unreached: usize,
    pub(crate) unreached_rows: Vec<Listed>,
    /// The command, the files and the version that the page came from.
    pub(crate) provenance: Provenance,
}

impl Findings {
    /// "rows" or "nodes".
    pub(crate) fn things(&self) -> &'static str {
        match self.graph {
            None => "rows",
            Some(_) => "nodes",
        }
    }

    /// Classes by their names, each with the short form that tells it from the others.
    pub(crate) fn short(&self, letters: usize) -> Vec<String> {
        distinct(self.model.names(), letters)
    }

    /// A sentence of the library, which says rows, about what there is here.
    pub(crate) fn things_in(&self, text: &str) -> String {
        if self.graph.is_none() {
            return text.to_owned();
        }
        let mut out = text.to_owned();
        for phrase in [
            "rows still unlabelled",
            "rows without a label",
            "rows that no label reaches",
            "label reaches this row",
            "every labelled row",
            "variance of all rows",
            "sum of all rows",
            "rows count:",
            "a new row like these",
            "only rows were drawn",
            "a second row of each",
        ] {
            let told = phrase.replace("row", "node");
            out = out.replace(phrase, &told);
        }
        // "stands for about 3.4 rows"
        if let Some((before, after)) = out.split_once("stands for about ")
            && let Some((number, rest)) = after.split_once(" rows")
            && number.parse::<f64>().is_ok()
        {
            out = format!("{before}stands for about {number} nodes{rest}");
        }
        out
    }

    /// What the labels are, as the second half of a sentence.
    pub(crate) fn kind(&self) -> &'static str {
        match self.task {
            Task::Classify => match &self.targets {
                Targets::Sets { .. } => "these labels are sets of classes",
                _ => "these labels are classes",
            },
            Task::Regress => "these labels are numbers",
            Task::Ordinal => "these labels are grades: a neighbouring grade is only a little wrong",
            Task::Tags => "these labels are tags: any number of them may be right",
            Task::Rank => "these labels are orders",
            Task::Shares => "these labels are shares of classes",
            Task::Numbers => "these labels are several numbers each",
        }
    }

    pub(crate) fn thing(&self) -> &'static str {
        match self.graph {
            None => "row",
            Some(_) => "node",
        }
    }
}
