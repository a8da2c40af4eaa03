//! Features by name, what each is made of, and points made of them.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use isotherm::data::Points;
use isotherm::data::columns::dates::{DatePart, DateStyle};
use isotherm::data::columns::missing::Filling;
use isotherm::data::points::LARGEST;
use isotherm::model::Encoding;
use isotherm::monitor::{Monitor, Quiet};
use isotherm::picture::Picture;
use isotherm::text::Topics;
use rayon::prelude::*;

use crate::error::{Error, Result, clean};
use crate::features::Vectors;
use crate::features::kind::FeatureKind;
use crate::pictures;
use crate::sentences::SentenceModel;
use crate::table::calendar;
use crate::table::cells::Cells;
use crate::table::lists;
use crate::table::numbers::NotANumber;
use crate::table::one_hot::{self, LeftOut, Unfit, Unseen};
use crate::table::survey;
use crate::table::{Column, Table, number};

/// Rows that one thread turns into numbers at a time: a panel of some hundred
/// columns stays in its cache.
const PANEL: usize = 256;

/// What the feature is called that says where a column has no number.
pub(crate) const IS_MISSING: &str = " is missing";

/// What the feature is called that says where a column has a value that is not kept.
pub(crate) const IS_ANOTHER: &str = " is another value";

/// What stands between a text column's name and the number of a topic.
pub(crate) const TOPIC: &str = " topic ";

/// What stands between a text column's name and the number of an entry of its embedding.
pub(crate) const EMBEDDING: &str = " embedding ";

/// What stands between a column's name and the place of a number of its pictures.
pub(crate) const PICTURE: &str = " picture ";

/// Features in their order, each made of a column of numbers, of one entry of a list column,
/// of one value of a column of categories, of a part of a date, of a topic or an embedding of a
/// text, or of a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct FeaturePlan {
    names: Vec<String>,
    terms: Vec<Term>,
    left_out: Vec<LeftOut>,
}

/// What a column is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnUse<'a> {
    /// The column.
    pub column: &'a str,
    /// Its kind.
    pub kind: FeatureKind,
    /// How many features it gives, with the one that tells where a value is missing.
    pub features: usize,
    /// Whether a sentence model reads its texts.
    pub embedded: bool,
}

/// What is made of one column.
#[derive(Debug, Clone, PartialEq)]
struct Term {
    column: String,
    take: Take,
    gap: Gap,
}

/// What a column gives, and the features it goes to.
#[derive(Debug, Clone, PartialEq)]
enum Take {
    /// The feature that is the number.
    Number(usize),
    /// Entries and their features.
    Entries(Vec<(usize, usize)>),
    /// Values and their features, and the feature of all other values.
    Words(BTreeMap<String, usize>, Option<usize>),
    /// Parts of dates and their features.
    Date(DateStyle, Vec<(DatePart, usize)>),
    /// Topics and their features.
    Text(Arc<Topics>, Vec<(usize, usize)>),
    /// Entries of embeddings of texts, and their features.
    Sentences(Arc<SentenceModel>, Vec<(usize, usize)>),
    /// Numbers of pictures and their features.
    Picture(Vec<(usize, usize)>),
}

/// What is done where a column has no number, no date or no picture.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Gap {
    /// What takes the place of a missing number; without it the cell is refused.
    fill: Option<f64>,
    /// The feature that says where a number is missing.
    missing: Option<usize>,
    /// Missing numbers of the table that the fill was learned from.
    blank: usize,
}

impl Take {
    /// The features it goes to.
    fn features(&self) -> Vec<usize> {
        match self {
            Self::Number(to) => vec![*to],
            Self::Entries(entries) => entries.iter().map(|(_, to)| *to).collect(),
            Self::Words(words, other) => words.values().copied().chain(*other).collect(),
            Self::Date(_, parts) => parts.iter().map(|(_, to)| *to).collect(),
            Self::Text(_, chosen) | Self::Sentences(_, chosen) | Self::Picture(chosen) => {
                chosen.iter().map(|(_, to)| *to).collect()
            }
        }
    }

    /// The features it goes to, to be moved.
    fn features_mut(&mut self) -> Vec<&mut usize> {
        match self {
            Self::Number(to) => vec![to],
            Self::Entries(entries) => entries.iter_mut().map(|(_, to)| to).collect(),
            Self::Words(words, other) => words.values_mut().chain(other).collect(),
            Self::Date(_, parts) => parts.iter_mut().map(|(_, to)| to).collect(),
            Self::Text(_, chosen) | Self::Sentences(_, chosen) | Self::Picture(chosen) => {
                chosen.iter_mut().map(|(_, to)| to).collect()
            }
        }
    }
}

impl FeaturePlan {
    /// The features' names: what a model keeps.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Number of features.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether no column is a feature.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The columns that are read, each once.
    pub fn columns(&self) -> Vec<String> {
        self.terms.iter().map(|t| t.column.clone()).collect()
    }

    /// What each column is read as, and how many features it gives, in the order of the plan.
    pub fn uses(&self) -> impl Iterator<Item = ColumnUse<'_>> {
        self.terms.iter().map(|term| ColumnUse {
            column: &term.column,
            kind: match &term.take {
                Take::Number(_) => FeatureKind::Number,
                Take::Entries(_) => FeatureKind::List,
                Take::Words(..) => FeatureKind::Category,
                Take::Date(..) => FeatureKind::Date,
                Take::Text(..) | Take::Sentences(..) => FeatureKind::Text,
                Take::Picture(_) => FeatureKind::Picture,
            },
            features: term.features().len(),
            embedded: matches!(term.take, Take::Sentences(..)),
        })
    }

    /// The same plan of some of its columns only, features in the order they had.
    #[must_use]
    pub fn only(&self, columns: &[String]) -> Self {
        let mut terms: Vec<Term> = (self.terms.iter())
            .filter(|term| columns.contains(&term.column))
            .cloned()
            .collect();
        let mut kept: Vec<usize> = terms.iter().flat_map(Term::features).collect();
        kept.sort_unstable();
        // Every feature of a term that stays was kept, so it is found.
        let moved = |to: &mut usize| *to = kept.partition_point(|kept| kept < to);
        for term in &mut terms {
            term.take.features_mut().into_iter().for_each(moved);
            term.gap.missing.iter_mut().for_each(moved);
        }
        Self {
            names: kept.iter().map(|&k| self.names[k].clone()).collect(),
            terms,
            left_out: self.left_out.clone(),
        }
    }

    /// What a model keeps for new rows, beside the features' names.
    pub fn encoding(&self) -> Encoding {
        let mut encoding = Encoding {
            fills: vec![0.0; self.len()],
            ..Encoding::default()
        };
        let mut filled = true;
        for term in &self.terms {
            match (&term.take, term.line()) {
                (Take::Text(topics, _), _) => {
                    encoding.texts.insert(term.column.clone(), topics.clone());
                }
                (Take::Sentences(model, _), _) => {
                    let made_by = model.fingerprint().to_owned();
                    encoding.sentences.insert(term.column.clone(), made_by);
                }
                (Take::Picture(_), _) => {
                    let column = term.column.clone();
                    encoding.pictures.insert(column, Picture::VERSION);
                }
                (_, None) => {}
                (_, Some(line)) => match term.gap.fill {
                    Some(fill) => encoding.fills[line] = fill,
                    None => filled = false,
                },
            }
            if let Take::Date(style, _) = &term.take {
                encoding.dates.insert(term.column.clone(), *style);
            }
        }
        if !filled {
            encoding.fills.clear();
        }
        encoding
    }

    /// Runs of features that are one thing together: the topics or the embedding of each text
    /// column, the numbers of each column of pictures.
    pub fn blocks(&self) -> Vec<Range<usize>> {
        let block = |term: &Term| match (&term.take, term.take.features()[..].split_first()) {
            (Take::Text(..) | Take::Sentences(..) | Take::Picture(_), Some((first, rest))) => {
                let run = (*first..).zip(rest).all(|(at, next)| at + 1 == *next);
                run.then(|| *first..first + 1 + rest.len())
            }
            _ => None,
        };
        self.terms.iter().filter_map(block).collect()
    }

    /// The columns with missing numbers or pictures in the table that the plan was made from,
    /// and how many there are: they are filled.
    pub fn filled(&self) -> Vec<(String, usize)> {
        let blank = |t: &Term| (t.column.clone(), t.gap.blank);
        let counted = self.terms.iter().map(blank);
        counted.filter(|(_, blank)| *blank > 0).collect()
    }

    /// As [`FeaturePlan::filled`], for another table.
    ///
    /// # Errors
    /// [`Error::Column`] when a column is not there.
    pub fn filled_in(&self, table: &Table) -> Result<Vec<(String, usize)>> {
        let counted = self.terms.par_iter().filter_map(|term| {
            if !matches!(term.take, Take::Picture(_)) {
                term.gap.fill?;
            }
            Some(table.column(&term.column).map(|column| {
                let decimal = table.origin().decimal();
                let blank = |row: &usize| {
                    let number = number(&column.cells, *row, decimal);
                    matches!(number, Err(NotANumber::Blank | NotANumber::Missing))
                };
                (term.column.clone(), (0..table.rows()).filter(blank).count())
            }))
        });
        let counted: Vec<(String, usize)> = counted.collect::<Result<_>>()?;
        Ok(counted
            .into_iter()
            .filter(|(_, blank)| *blank > 0)
            .collect())
    }

    /// Learns from all rows what takes the place of missing numbers. Where they are common
    /// there is one more feature, `age is missing`, after all others. A column without any
    /// number is left out.
    ///
    /// # Errors
    /// [`Error::Format`] when the name of such a feature is taken.
    pub(crate) fn learn_fills(mut self, table: &Table) -> Result<Self> {
        let learned: Vec<(usize, Option<Filling>)> = (self.terms.par_iter())
            .map(|term| match (&term.take, table.column(&term.column)) {
                (Take::Picture(_), Ok(column)) => {
                    let blank = |row: &usize| one_hot::word(&column.cells, *row).is_none();
                    let blank = (0..table.rows()).filter(blank).count();
                    // A missing picture is an even grey one.
                    (
                        blank,
                        Filling::learn(vec![0.0; table.rows() - blank], blank),
                    )
                }
                (Take::Number(_) | Take::Date(..), Ok(column)) => {
                    let truths = survey::is_truths(&column.cells);
                    let mut blank = 0;
                    let mut numbers = Vec::with_capacity(table.rows());
                    for row in 0..table.rows() {
                        let read = match &term.take {
                            Take::Date(style, _) => date_cell(table, column, row, *style),
                            _ => cell(table, column, row, truths),
                        };
                        match read {
                            Ok(Some(number)) => numbers.push(number),
                            Ok(None) => blank += 1,
                            // Refused with its place when the points are made.
                            Err(_) => {}
                        }
                    }
                    (blank, Filling::learn(numbers, blank))
                }
                _ => (0, None),
            })
            .collect();
        for (term, (blank, filling)) in self.terms.iter_mut().zip(learned) {
            if let Some(filling) = filling {
                (term.gap.fill, term.gap.blank) = (Some(filling.value), blank);
                if filling.indicator {
                    term.gap.missing = Some(self.names.len());
                    self.names.push(format!("{}{IS_MISSING}", term.column));
                }
            }
        }
        one_name_each(&self.names, &table.origin().path)?;
        Ok(self)
    }

    /// The plan of a model, with what the model fills missing numbers with.
    pub(crate) fn with_fills(mut self, fills: &[f64]) -> Self {
        for term in &mut self.terms {
            term.gap.fill = term.line().and_then(|line| fills.get(line).copied());
        }
        self
    }

    /// Text columns that were not named and are no features.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// The rows of a table as points, and the words in it that no feature stands
    /// for: such a row is none of the plan's words.
    ///
    /// # Errors
    /// [`Error::Cell`] naming line and column of the first cell that is blank or
    /// missing and not filled, not a number, not finite, at least 1e150 in size, or a list of
    /// another length; [`Error::Column`] when a column is not there;
    /// [`Error::Core`] when there is no feature or no row.
    pub fn points(&self, table: &Table) -> Result<(Points, Vec<Unseen>)> {
        self.points_watched(table, &mut Quiet)
    }

    /// Bytes that [`FeaturePlan::points`] takes beside the points themselves: embeddings and
    /// what is kept of pictures.
    pub fn beside_points(&self, rows: usize) -> u64 {
        let terms = self.terms.iter().map(|term| match &term.take {
            Take::Sentences(model, _) => model.bytes(rows),
            Take::Picture(_) => (4 * Picture::FEATURES as u64).saturating_mul(rows as u64),
            _ => 0,
        });
        terms.fold(0, u64::saturating_add)
    }

    /// As [`FeaturePlan::points`], with a monitor: embeddings and pictures take their time.
    ///
    /// # Errors
    /// As [`FeaturePlan::points`]; [`Error::Cancelled`] when the monitor breaks;
    /// [`Error::Format`] when a sentence model fails.
    pub fn points_watched(
        &self,
        table: &Table,
        monitor: &mut dyn Monitor,
    ) -> Result<(Points, Vec<Unseen>)> {
        if self.is_empty() {
            return Err(Error::Core(isotherm::Error::refused(
                isotherm::error::Refusal::NoFeatures,
                format!("none of the {} columns is a feature", table.columns().len()),
                "name the feature columns; by default they are the numeric ones",
            )));
        }
        let dim = self.len();
        let by_name: HashMap<&str, &Column> =
            (table.columns().iter().map(|c| (c.name.as_str(), c))).collect();
        let column = |t: &Term| match by_name.get(t.column.as_str()) {
            Some(column) => Ok(*column),
            None => table.column(&t.column),
        };
        let columns: Vec<&Column> = self.terms.iter().map(column).collect::<Result<_>>()?;
        let vectors: Vec<Option<Vectors>> = (self.terms.iter().zip(&columns))
            .map(|(term, column)| match &term.take {
                Take::Sentences(model, _) => {
                    let text = |row| one_hot::word(&column.cells, row);
                    let texts: Vec<_> = (0..table.rows()).map(text).collect();
                    model.embed(&texts, monitor).map(Some)
                }
                Take::Picture(_) => pictures::all_vectors(table, column, monitor).map(Some),
                _ => Ok(None),
            })
            .collect::<Result<_>>()?;
        let readers: Vec<Reader<'_>> = (self.terms.iter().zip(columns).zip(&vectors))
            .map(|((term, column), vectors)| Reader::new(table, column, term, vectors.as_ref()))
            .collect();
        let mut values = vec![0.0; table.rows().saturating_mul(dim)];
        let panels = values.par_chunks_mut(PANEL * dim).enumerate();
        let read: Vec<Option<Vec<Strange>>> = panels
            .map(|(panel, points)| {
                let read = readers
                    .iter()
                    .map(|r| r.read(PANEL * panel, points, dim).ok());
                read.collect()
            })
            .collect();
        let mut strange = vec![Strange::default(); readers.len()];
        for panel in read {
            let Some(panel) = panel else {
                return Err(self.first_refusal(&readers, table.rows(), dim));
            };
            for (all, more) in strange.iter_mut().zip(panel) {
                all.rows += more.rows;
                all.example = all.example.take().or(more.example);
            }
        }
        let unseen = self.terms.iter().zip(strange).filter_map(|(term, s)| {
            Some(Unseen {
                column: term.column.clone(),
                rows: s.rows,
                example: s.example?,
            })
        });
        let unseen = unseen.collect();
        let points = Points::new(values, table.rows(), dim)?;
        Ok((points.with_blocks(self.blocks()), unseen))
    }

    /// The rows without a value in any of the columns that are read.
    ///
    /// # Errors
    /// [`Error::Column`] when a column is not there.
    pub fn blank_rows(&self, table: &Table) -> Result<Vec<usize>> {
        let columns = self.terms.iter().map(|term| table.column(&term.column));
        let columns: Vec<&Column> = columns.collect::<Result<_>>()?;
        let value = |row: usize| {
            columns
                .iter()
                .any(|c| one_hot::word(&c.cells, row).is_some())
        };
        Ok((0..table.rows()).filter(|&row| !value(row)).collect())
    }

    /// The first cell that is refused, column by column: which one is told does not
    /// depend on who found one first.
    fn first_refusal(&self, readers: &[Reader<'_>], rows: usize, dim: usize) -> Error {
        let mut point = vec![0.0; dim];
        for reader in readers {
            for row in 0..rows {
                if let Err(error) = reader.read(row, &mut point, dim) {
                    return error;
                }
            }
        }
        // Reading the same cells again gives the same.
        Error::Core(isotherm::Error::data(
            "a cell could be read once and not again",
            "report this as a bug",
        ))
    }
}

impl Term {
    fn new(column: &str, take: Take) -> Self {
        Self {
            column: column.to_owned(),
            take,
            gap: Gap::default(),
        }
    }

    /// The features it goes to.
    fn features(&self) -> Vec<usize> {
        let mut features = self.take.features();
        features.extend(self.gap.missing);
        features
    }

    /// The feature that is filled where the column has no value: a number, or the day of a
    /// date. The places on circles are filled with their centre.
    fn line(&self) -> Option<usize> {
        match &self.take {
            Take::Number(to) => Some(*to),
            Take::Date(_, parts) => {
                let day = parts.iter().find(|(part, _)| *part == DatePart::Day);
                day.map(|(_, to)| *to)
            }
            _ => None,
        }
    }
}

/// A cell of a column of dates, in days since 1970; `None` where it is missing.
fn date_cell(table: &Table, column: &Column, row: usize, style: DateStyle) -> Result<Option<f64>> {
    let Some(text) = one_hot::word(&column.cells, row) else {
        return Ok(None);
    };
    match calendar::moment(&text, style) {
        Some(seconds) => Ok(Some(DatePart::Day.of(seconds))),
        None => Err(Error::Cell {
            path: table.origin().file(row).to_owned(),
            place: table.origin().place(row),
            column: clean(&column.name, 60),
            problem: format!("\"{}\" is not a date like the others", clean(&text, 60)).into(),
            value: clean(&text, 1000),
            hint: "write all dates of the column in one way, such as 2026-01-31".into(),
        }),
    }
}

/// A cell of a column of numbers, or of truth values only; `None` where it is missing.
fn cell(table: &Table, column: &Column, row: usize, truths: bool) -> Result<Option<f64>> {
    let truth = match &column.cells {
        Cells::Text(c) if truths => c.get(row).and_then(survey::truth),
        _ => None,
    };
    if let Some(truth) = truth {
        return Ok(Some(f64::from(u8::from(truth))));
    }
    match number(&column.cells, row, table.origin().decimal()) {
        Ok(value) if value.abs() < LARGEST => Ok(Some(value)),
        Err(NotANumber::Blank | NotANumber::Missing) => Ok(None),
        _ => table.number(column, row).map(Some),
    }
}

/// Refuses two features of one name.
fn one_name_each(names: &[String], path: &Path) -> Result<()> {
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        None => Ok(()),
        Some(twice) => Err(Error::format(
            path,
            None,
            format!("two features are named \"{}\"", clean(twice[0], 60)),
            "rename or exclude one of the columns they are made of",
        )),
    }
}

/// Words that no feature stands for.
#[derive(Debug, Clone, Default)]
struct Strange {
    rows: usize,
    example: Option<String>,
}

/// Reads the cells of one column into points.
enum Reader<'a> {
    Number {
        table: &'a Table,
        column: &'a Column,
        /// Whether the texts are truth values.
        truths: bool,
        to: usize,
        gap: Gap,
    },
    Entries(Entries<'a>),
    Words {
        column: &'a Column,
        words: &'a BTreeMap<String, usize>,
        other: Option<usize>,
    },
    Date {
        table: &'a Table,
        column: &'a Column,
        style: DateStyle,
        parts: &'a [(DatePart, usize)],
        gap: Gap,
    },
    Text {
        column: &'a Column,
        topics: &'a Topics,
        chosen: &'a [(usize, usize)],
    },
    Vectors {
        vectors: Option<&'a Vectors>,
        chosen: &'a [(usize, usize)],
        missing: Option<usize>,
    },
}

impl<'a> Reader<'a> {
    fn new(
        table: &'a Table,
        column: &'a Column,
        term: &'a Term,
        vectors: Option<&'a Vectors>,
    ) -> Self {
        match &term.take {
            Take::Number(to) => Self::Number {
                table,
                column,
                truths: survey::is_truths(&column.cells),
                to: *to,
                gap: term.gap,
            },
            Take::Entries(entries) => Self::Entries(Entries::new(table, column, entries)),
            Take::Words(words, other) => Self::Words {
                column,
                words,
                other: *other,
            },
            Take::Date(style, parts) => Self::Date {
                table,
                column,
                style: *style,
                parts,
                gap: term.gap,
            },
            Take::Text(topics, chosen) => Self::Text {
                column,
                topics,
                chosen,
            },
            Take::Sentences(_, chosen) | Take::Picture(chosen) => Self::Vectors {
                vectors,
                chosen,
                missing: term.gap.missing,
            },
        }
    }

    /// Fills its features of the points from row `first` on.
    fn read(&self, first: usize, points: &mut [f64], dim: usize) -> Result<Strange> {
        let mut strange = Strange::default();
        let rows = points.chunks_exact_mut(dim).zip(first..);
        match self {
            Self::Number {
                table,
                column,
                truths,
                to,
                gap,
            } => {
                for (point, row) in rows {
                    point[*to] = match (cell(table, column, row, *truths)?, gap.fill) {
                        (Some(value), _) => value,
                        (None, None) => table.number(column, row)?,
                        (None, Some(fill)) => {
                            gap.missing.into_iter().for_each(|to| point[to] = 1.0);
                            fill
                        }
                    };
                }
            }
            Self::Date {
                table,
                column,
                style,
                parts,
                gap,
            } => {
                for (point, row) in rows {
                    if date_cell(table, column, row, *style)?.is_none() && gap.fill.is_none() {
                        return Err(table.bad_value(column, (row, row), NotANumber::Missing));
                    }
                    let moment = one_hot::word(&column.cells, row)
                        .and_then(|text| calendar::moment(&text, *style));
                    for (part, to) in *parts {
                        point[*to] = match (moment, part) {
                            (Some(seconds), part) => part.of(seconds),
                            (None, DatePart::Day) => gap.fill.unwrap_or_default(),
                            // The centre of the circle is equally far from all of it.
                            (None, _) => 0.0,
                        };
                    }
                    if moment.is_none() {
                        gap.missing.into_iter().for_each(|to| point[to] = 1.0);
                    }
                }
            }
            Self::Text {
                column,
                topics,
                chosen,
            } => {
                for (point, row) in rows {
                    let Some(text) = one_hot::word(&column.cells, row) else {
                        continue;
                    };
                    let place = topics.place(&text);
                    for (topic, to) in *chosen {
                        point[*to] = place.get(*topic).copied().unwrap_or_default();
                    }
                }
            }
            Self::Vectors {
                vectors,
                chosen,
                missing,
            } => {
                for (point, row) in rows {
                    let Some(vector) = vectors.and_then(|vectors| vectors.row(row)) else {
                        missing.iter().for_each(|to| point[*to] = 1.0);
                        continue;
                    };
                    for (entry, to) in *chosen {
                        point[*to] = vector.get(*entry).copied().map_or(0.0, f64::from);
                    }
                }
            }
            Self::Entries(entries) => {
                let mut scratch = Vec::new();
                for (point, row) in rows {
                    entries.read(row, point, &mut scratch)?;
                }
            }
            Self::Words {
                column,
                words,
                other,
            } => {
                for (point, row) in rows {
                    let Some(word) = one_hot::word(&column.cells, row) else {
                        continue;
                    };
                    match words.get(word.as_ref()).or(other.as_ref()) {
                        Some(to) => point[*to] = 1.0,
                        None => {
                            strange.rows += 1;
                            strange.example.get_or_insert_with(|| word.into_owned());
                        }
                    }
                }
            }
        }
        Ok(strange)
    }
}

/// Entries of the lists of one column.
struct Entries<'a> {
    table: &'a Table,
    column: &'a Column,
    entries: &'a [(usize, usize)],
    /// How long every list has to be: as many entries as there are features, or
    /// more where only some entries are features.
    length: usize,
    whole: bool,
}

impl<'a> Entries<'a> {
    fn new(table: &'a Table, column: &'a Column, entries: &'a [(usize, usize)]) -> Self {
        let length = entries.iter().map(|(entry, _)| entry + 1).max();
        let length = length.unwrap_or(0);
        Self {
            table,
            column,
            entries,
            length,
            whole: length == entries.len(),
        }
    }

    fn read(&self, row: usize, point: &mut [f64], scratch: &mut Vec<f64>) -> Result<()> {
        let (table, column) = (self.table, self.column);
        scratch.clear();
        let list = match &column.cells {
            Cells::List(c) => c.get(row),
            Cells::Text(c) => match c.get(row) {
                Some(text) if lists::parse(text, scratch) => Some(scratch.as_slice()),
                _ => None,
            },
            _ => None,
        };
        let Some(list) = list else {
            return Err(self.no_list(row));
        };
        if list.len() < self.length || self.whole && list.len() > self.length {
            let name = clean(&column.name, 60);
            let expected = if self.whole {
                format!("expected {}", self.length)
            } else {
                format!("expected at least {}", self.length)
            };
            return Err(Error::Cell {
                path: table.origin().file(row).to_owned(),
                place: table.origin().place(row),
                column: name.clone(),
                value: clean(&lists::to_text(list), 1000),
                problem: format!("the list has {} numbers, {expected}", list.len()).into(),
                hint: format!("make all lists of \"{name}\" equally long, or remove the row")
                    .into(),
            });
        }
        for &(entry, to) in self.entries {
            let why = match list[entry] {
                v if v.abs() < LARGEST => {
                    point[to] = v;
                    continue;
                }
                v if v.is_nan() => NotANumber::Missing,
                _ => NotANumber::NotFinite,
            };
            let single = Column {
                name: format!("{}[{entry}]", column.name),
                cells: Cells::from(vec![list[entry]]),
            };
            return Err(table.bad_value(&single, (0, row), why));
        }
        Ok(())
    }

    fn no_list(&self, row: usize) -> Error {
        let (table, column) = (self.table, self.column);
        let text = crate::table::text(&column.cells, row).unwrap_or_default();
        if crate::table::numbers::is_missing(&text) {
            table.bad_value(column, (row, row), NotANumber::Missing)
        } else {
            Error::Cell {
                path: table.origin().file(row).to_owned(),
                place: table.origin().place(row),
                column: clean(&column.name, 60),
                problem: format!("\"{}\" is not a list of numbers", clean(&text, 60)).into(),
                value: clean(&text, 1000),
                hint: if text.contains("...") {
                    "numpy left numbers out of it: write the whole list, like [0.1, 0.2]"
                } else {
                    "write it like [0.1, 0.2], or remove the row"
                }
                .into(),
            }
        }
    }
}

/// A plan under construction.
pub(crate) struct Draft {
    path: PathBuf,
    names: Vec<String>,
    terms: Vec<Term>,
    /// Terms by column and by what they take.
    numbers: HashMap<String, usize>,
    entries: HashMap<String, usize>,
    words: HashMap<String, usize>,
    others: HashMap<String, usize>,
    left_out: Vec<LeftOut>,
}

impl Draft {
    pub(crate) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            names: Vec::new(),
            terms: Vec::new(),
            numbers: HashMap::new(),
            entries: HashMap::new(),
            words: HashMap::new(),
            others: HashMap::new(),
            left_out: Vec::new(),
        }
    }

    /// A column as it is.
    pub(crate) fn number(&mut self, column: &str) {
        let to = self.names.len();
        self.names.push(column.to_owned());
        self.numbers.insert(column.to_owned(), self.terms.len());
        self.terms.push(Term::new(column, Take::Number(to)));
    }

    /// Whether a column has no number, date or picture; after the feature that is it.
    pub(crate) fn missing(&mut self, column: &str) {
        let known = self.numbers.get(column).or(self.others.get(column));
        if let Some(term) = known.and_then(|&at| self.terms.get_mut(at)) {
            term.gap.missing = Some(self.names.len());
            self.names.push(format!("{column}{IS_MISSING}"));
        }
    }

    /// One part of the dates of a column.
    pub(crate) fn date(&mut self, column: &str, style: DateStyle, part: DatePart) {
        let to = self.names.len();
        self.names.push(format!("{column}{}", part.suffix()));
        let empty = || Take::Date(style, Vec::new());
        if let Take::Date(_, parts) = self.of_column(column, empty) {
            parts.push((part, to));
        }
    }

    /// One topic of the texts of a column.
    pub(crate) fn topic(&mut self, column: &str, topics: &Arc<Topics>, topic: usize) {
        let to = self.names.len();
        self.names.push(format!("{column}{TOPIC}{}", topic + 1));
        let empty = || Take::Text(topics.clone(), Vec::new());
        if let Take::Text(_, chosen) = self.of_column(column, empty) {
            chosen.push((topic, to));
        }
    }

    /// One entry of the embeddings of the texts of a column.
    pub(crate) fn embedding(&mut self, column: &str, model: &Arc<SentenceModel>, entry: usize) {
        let to = self.names.len();
        self.names.push(format!("{column}{EMBEDDING}{}", entry + 1));
        let empty = || Take::Sentences(model.clone(), Vec::new());
        if let Take::Sentences(_, chosen) = self.of_column(column, empty) {
            chosen.push((entry, to));
        }
    }

    /// One number of the pictures of a column.
    pub(crate) fn picture(&mut self, column: &str, number: usize) {
        let to = self.names.len();
        self.names.push(format!("{column}{PICTURE}{}", number + 1));
        if let Take::Picture(chosen) = self.of_column(column, || Take::Picture(Vec::new())) {
            chosen.push((number, to));
        }
    }

    /// What is taken of a column of dates, texts or pictures.
    fn of_column(&mut self, column: &str, empty: impl FnOnce() -> Take) -> &mut Take {
        let next = self.terms.len();
        let at = *self.others.entry(column.to_owned()).or_insert(next);
        if at == next {
            self.terms.push(Term::new(column, empty()));
        }
        &mut self.terms[at].take
    }

    /// Every entry of a column of lists.
    pub(crate) fn list(&mut self, column: &str, length: usize) {
        // A column of empty lists is told of by its first row.
        if length == 0 {
            self.left_out.push(LeftOut {
                column: column.to_owned(),
                why: Unfit::NoWord,
            });
        }
        (0..length).for_each(|entry| self.entry(column, entry));
    }

    /// One entry of a column of lists.
    pub(crate) fn entry(&mut self, column: &str, entry: usize) {
        let to = self.names.len();
        self.names.push(format!("{column}[{entry}]"));
        let known = self
            .entries
            .get(column)
            .and_then(|&at| self.terms.get_mut(at));
        match known.map(|t| &mut t.take) {
            Some(Take::Entries(entries)) => entries.push((entry, to)),
            _ => {
                self.entries.insert(column.to_owned(), self.terms.len());
                self.terms
                    .push(Term::new(column, Take::Entries(vec![(entry, to)])));
            }
        }
    }

    /// Values of a column, and whether there are others.
    pub(crate) fn words(&mut self, column: &str, words: &[String], others: bool) {
        words.iter().for_each(|word| self.word(column, word));
        if others {
            self.another(column);
        }
    }

    /// One value of a column.
    pub(crate) fn word(&mut self, column: &str, word: &str) {
        let to = self.names.len();
        self.names.push(format!("{column}={word}"));
        if let Take::Words(words, _) = self.values_of(column) {
            words.insert(word.to_owned(), to);
        }
    }

    /// All values of a column that have no feature of their own.
    pub(crate) fn another(&mut self, column: &str) {
        let to = self.names.len();
        self.names.push(format!("{column}{IS_ANOTHER}"));
        if let Take::Words(_, other) = self.values_of(column) {
            *other = Some(to);
        }
    }

    fn values_of(&mut self, column: &str) -> &mut Take {
        let next = self.terms.len();
        let at = *self.words.entry(column.to_owned()).or_insert(next);
        if at == next {
            let none = Take::Words(BTreeMap::new(), None);
            self.terms.push(Term::new(column, none));
        }
        &mut self.terms[at].take
    }

    pub(crate) fn leave_out(&mut self, column: &str, why: Unfit) {
        self.left_out.push(LeftOut {
            column: column.to_owned(),
            why,
        });
    }

    /// The plan, if every feature has a name of its own.
    pub(crate) fn finish(self) -> Result<FeaturePlan> {
        one_name_each(&self.names, &self.path)?;
        Ok(FeaturePlan {
            names: self.names,
            terms: self.terms,
            left_out: self.left_out,
        })
    }
}
