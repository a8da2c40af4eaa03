//! Which columns are features.

use std::borrow::Cow;
use std::collections::HashMap;

use isotherm::data::Points;

use crate::error::{Error, Result, clean};
use crate::features::feature_plan::{Draft, FeaturePlan, IS_MISSING};
use crate::name_pattern;
use crate::provenance::quoted;
use crate::table::Table;
use crate::table::cells::Cells;
use crate::table::one_hot::{MOST, USUAL, Unfit, Words};
use crate::table::survey::Nature;

/// A choice of columns by name or pattern; `*` in a pattern stands for any
/// text, and a column named exactly like the pattern wins over it.
///
/// A column of numbers is one feature. A column of lists of numbers is one
/// feature an entry, `emb[0]`, `emb[1]`, …; a column of words is one feature a
/// word, `colour=red`, see [`crate::one_hot`].
///
/// ```
/// use isotherm_io::Features;
/// let all_but_two = Features::numeric().except("id").except("species");
/// let some = Features::named(["age", "emb_*"]);
/// let words_too = Features::automatic().except("species").categorical("postcode");
/// # let _ = (all_but_two, some, words_too);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Features {
    start: Start,
    exclude: Vec<String>,
    categorical: Vec<String>,
    /// What a model fills missing numbers with, one per feature.
    fills: Vec<f64>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
enum Start {
    #[default]
    Numeric,
    Automatic,
    Named(Vec<String>),
    Lists(Vec<String>),
    Model(Vec<String>),
}

/// How a column came to be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    /// It was not named; words are features, too, if true.
    Unasked(bool),
    /// By its name or a pattern.
    Named,
    /// To be lists.
    Lists,
    /// To be words, whatever it holds.
    Words,
}

impl Table {
    /// The chosen columns as points, with the features' names.
    ///
    /// # Errors
    /// As [`Features::plan`] and [`crate::FeaturePlan::points`].
    pub fn features(&self, choice: &Features) -> Result<(Vec<String>, Points)> {
        let plan = choice.plan(self)?;
        let (points, _) = plan.points(self)?;
        Ok((plan.names().to_vec(), points))
    }
}

impl Features {
    /// All columns of numbers and of lists of them ([`Table::is_numeric`]), in
    /// the file's order.
    pub fn numeric() -> Self {
        Self::default()
    }

    /// All numeric columns, and text columns of 2 to 20 different words
    /// ([`crate::one_hot`]). Columns that other programs number rows with are
    /// left out here and in [`Features::numeric`].
    pub fn automatic() -> Self {
        Self {
            start: Start::Automatic,
            ..Self::default()
        }
    }

    /// The columns of these names or patterns, in the order given, each once.
    /// Where no column has a name, it may be one word of a column, `colour=red`;
    /// lists are used whole.
    pub fn named<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Self {
        Self {
            start: Start::Named(names.into_iter().map(Into::into).collect()),
            ..Self::default()
        }
    }

    /// The columns of lists of these names or patterns.
    pub fn lists<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Self {
        Self {
            start: Start::Lists(names.into_iter().map(Into::into).collect()),
            ..Self::default()
        }
    }

    /// The features that a model was fitted on, by the names [`FeaturePlan::names`] gave
    /// them. A column of exactly that name wins; otherwise `emb[3]` is an entry of
    /// the column `emb`, and `a=b=c` a word of the column with the longest name
    /// that there is of `a=b` and `a`.
    pub fn of_model<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Self {
        Self {
            start: Start::Model(names.into_iter().map(Into::into).collect()),
            ..Self::default()
        }
    }

    /// Fills the missing numbers of a model's features with what [`FeaturePlan::fills`] gave;
    /// without it they are refused.
    #[must_use]
    pub fn filled_with(mut self, fills: &[f64]) -> Self {
        self.fills = fills.to_vec();
        self
    }

    /// Leaves out a column, or all that a pattern matches.
    #[must_use]
    pub fn except(mut self, name: impl Into<String>) -> Self {
        self.exclude.push(name.into());
        self
    }

    /// Adds a column, or all that a pattern matches, as words, whatever it
    /// holds: up to 1,000 of them.
    #[must_use]
    pub fn categorical(mut self, name: impl Into<String>) -> Self {
        self.categorical.push(name.into());
        self
    }

    /// Which features there are, and what they are made of.
    ///
    /// # Errors
    /// [`Error::Column`] when a name or pattern matches nothing;
    /// [`Error::Format`] for a named column whose words are too many or too few,
    /// for an entry of a list, and for two features of one name.
    pub fn plan(&self, table: &Table) -> Result<FeaturePlan> {
        let words = |at: usize| {
            let mut words = Words::default();
            words.add(&table.columns()[at].cells);
            words
        };
        let plan = self.plan_with(
            table,
            |at| table.nature_at(at).cloned().unwrap_or(Nature::Numbers),
            words,
        )?;
        match self.start {
            Start::Model(_) => Ok(plan),
            _ => plan.learn_fills(table),
        }
    }

    /// As [`Features::plan`], for a table of which only the header is here: the
    /// nature and the words of a column are given.
    pub(crate) fn plan_with(
        &self,
        header: &Table,
        nature: impl Fn(usize) -> Nature,
        words: impl Fn(usize) -> Words,
    ) -> Result<FeaturePlan> {
        let mut draft = Draft::new(&header.origin().path);
        let names = Names::of(header);
        if let Start::Model(features) = &self.start {
            for name in features {
                one_feature(header, &names, name, &mut draft)?;
            }
            return Ok(draft.finish()?.with_fills(&self.fills));
        }
        for (at, wish) in self.wishes(header)? {
            let at = match at {
                At::Column(at) => at,
                At::Feature(name) => {
                    one_feature(header, &names, &name, &mut draft)?;
                    continue;
                }
            };
            let name = header.columns()[at].name.as_str();
            if wish == Wish::Words {
                let words = words(at).at_most(MOST);
                let words = words.map_err(|why| unfit(header, name, &why.to_string(), MOST))?;
                draft.words(name, words);
                continue;
            }
            // What we wrote ourselves is an answer, not a feature.
            if matches!(wish, Wish::Unasked(_)) && name.starts_with("iso_") {
                continue;
            }
            if matches!(wish, Wish::Unasked(_)) && numbers_rows(name) {
                draft.leave_out(name, Unfit::RowNumbers);
                continue;
            }
            match (nature(at), wish) {
                (Nature::Lists(length), _) => draft.list(name, length.unwrap_or(0)),
                (_, Wish::Lists) => {
                    return Err(Error::format(
                        &header.origin().path,
                        None,
                        format!("column \"{}\" holds no lists of numbers", clean(name, 60)),
                        "name a column of lists, or use --features for numbers",
                    ));
                }
                (Nature::Numbers, _) => draft.number(name),
                (Nature::Words(_), Wish::Unasked(false)) => {}
                (Nature::Words(words), Wish::Unasked(true)) => match words.unasked(USUAL) {
                    Ok(words) => draft.words(name, words),
                    Err(why) => draft.leave_out(name, why),
                },
                (Nature::Words(words), _) => {
                    let words = words.at_most(USUAL);
                    let words =
                        words.map_err(|why| unfit(header, name, &why.to_string(), USUAL))?;
                    draft.words(name, words);
                }
            }
        }
        draft.finish()
    }

    /// The columns that the choice looks at: those that are named, or all that are not
    /// excluded and not written by ourselves.
    ///
    /// # Errors
    /// [`Error::Column`] when a name or pattern matches nothing.
    pub fn candidates(&self, table: &Table) -> Result<Vec<String>> {
        let name = |at: usize| table.columns()[at].name.clone();
        let looked_at = self
            .wishes(table)?
            .into_iter()
            .filter_map(|(at, _)| match at {
                At::Column(at) => Some(name(at)),
                At::Feature(_) => None,
            });
        Ok(looked_at.filter(|name| !name.starts_with("iso_")).collect())
    }

    /// Columns whose cells have to be seen before there is a plan: those of words, all of
    /// them; those of lists and of numbers, up to the first that is there.
    pub(crate) fn to_be_seen(&self, header: &Table) -> Result<(Vec<usize>, Vec<usize>)> {
        let (mut whole, mut first) = (Vec::new(), Vec::new());
        if matches!(self.start, Start::Model(_)) {
            return Ok((whole, first));
        }
        for (at, wish) in self.wishes(header)? {
            let At::Column(at) = at else { continue };
            match (&header.columns()[at].cells, wish) {
                (_, Wish::Words) | (Cells::Text(_), _) => whole.push(at),
                _ => first.push(at),
            }
        }
        Ok((whole, first))
    }

    /// The chosen columns, each once, in the order of the features.
    fn wishes(&self, table: &Table) -> Result<Vec<(At, Wish)>> {
        let width = table.columns().len();
        let known = Names::of(table);
        let mut chosen = Chosen {
            taken: vec![false; width],
            forced: vec![false; width],
            list: Vec::new(),
        };
        for pattern in known.said(&self.exclude) {
            let unread = |name: &String| name_pattern::matches(&pattern, name);
            match matching(table, &known, &pattern) {
                Ok(found) => found.into_iter().for_each(|at| chosen.taken[at] = true),
                Err(_) if table.origin().unread.iter().any(unread) => {}
                Err(e) => return Err(e),
            }
        }
        for pattern in known.said(&self.categorical) {
            for at in matching(table, &known, &pattern)? {
                chosen.forced[at] = true;
            }
        }
        match &self.start {
            Start::Named(names) => {
                for name in known.said(names) {
                    let unknown = match matching(table, &known, &name) {
                        Ok(found) => {
                            chosen.take(found, Wish::Named);
                            continue;
                        }
                        Err(unknown) => unknown,
                    };
                    match known.part(&name) {
                        None => return Err(unknown),
                        Some(Part::Entry(column, _)) => {
                            return Err(one_entry(table, &name, column));
                        }
                        Some(_) => {
                            let name = name.into_owned();
                            chosen.list.push((At::Feature(name), Wish::Named));
                        }
                    }
                }
            }
            Start::Lists(names) => {
                for name in known.said(names) {
                    chosen.take(matching(table, &known, &name)?, Wish::Lists);
                }
            }
            Start::Numeric => chosen.take(0..width, Wish::Unasked(false)),
            Start::Automatic | Start::Model(_) => chosen.take(0..width, Wish::Unasked(true)),
        }
        let forced: Vec<usize> = (0..width).filter(|&at| chosen.forced[at]).collect();
        chosen.take(forced, Wish::Words);
        Ok(chosen.list)
    }
}

/// A column, or one feature of one.
#[derive(Debug, Clone)]
enum At {
    Column(usize),
    Feature(String),
}

/// Columns under choice.
struct Chosen {
    /// Chosen already, or excluded.
    taken: Vec<bool>,
    /// To be words, whatever they hold.
    forced: Vec<bool>,
    list: Vec<(At, Wish)>,
}

impl Chosen {
    fn take(&mut self, columns: impl IntoIterator<Item = usize>, wish: Wish) {
        for at in columns {
            let wish = if self.forced[at] { Wish::Words } else { wish };
            if !std::mem::replace(&mut self.taken[at], true) {
                self.list.push((At::Column(at), wish));
            }
        }
    }
}

/// One feature by its own name, added to a plan.
fn one_feature(header: &Table, names: &Names<'_>, name: &str, draft: &mut Draft) -> Result<()> {
    match names.part(name) {
        Some(Part::Whole) => draft.number(name),
        Some(Part::Entry(column, entry)) => draft.entry(column, entry),
        Some(Part::Word(column, word)) => draft.word(column, word),
        Some(Part::Missing(column)) => draft.missing(column),
        None => {
            let column = name.split_once('=').map_or(name, |(column, _)| column);
            return Err(header.no_column(column));
        }
    }
    Ok(())
}

/// What a feature's name means in a table.
enum Part<'a> {
    Whole,
    Entry(&'a str, usize),
    Word(&'a str, &'a str),
    /// Whether the column has no number.
    Missing(&'a str),
}

/// The columns by name.
struct Names<'a> {
    at: HashMap<&'a str, usize>,
    /// Most pieces that commas split a name into.
    pieces: usize,
}

impl<'a> Names<'a> {
    fn of(table: &'a Table) -> Self {
        let names = table.columns().iter().map(|c| c.name.as_str());
        Self {
            pieces: names
                .clone()
                .map(|n| n.split(',').count())
                .max()
                .unwrap_or(1),
            at: names.zip(0..).collect(),
        }
    }

    fn is_column(&self, name: &str) -> bool {
        self.at.contains_key(name)
    }

    /// What a feature's name means.
    fn part<'n>(&self, name: &'n str) -> Option<Part<'n>> {
        if self.is_column(name) {
            return Some(Part::Whole);
        }
        let entry = name.strip_suffix(']').and_then(|n| n.rsplit_once('['));
        if let Some((column, number)) = entry
            && let Ok(number) = number.parse::<usize>()
            && self.is_column(column)
        {
            return Some(Part::Entry(column, number));
        }
        let missing = name.strip_suffix(IS_MISSING);
        if let Some(column) = missing.filter(|column| self.is_column(column)) {
            return Some(Part::Missing(column));
        }
        let word = |(at, _)| (&name[..at], &name[at + 1..]);
        let mut cuts = name.rmatch_indices('=').map(word);
        let (column, word) = cuts.find(|(column, _)| self.is_column(column))?;
        Some(Part::Word(column, word))
    }

    /// Names as they were meant: without white space around them, unless a column has it,
    /// and as one name where the pieces of a list that commas separate are one column.
    fn said<'n>(&self, names: &'n [String]) -> Vec<Cow<'n, str>> {
        let one = |name: &'n String| {
            if self.is_column(name) {
                Cow::Borrowed(name.as_str())
            } else {
                Cow::Borrowed(name.trim())
            }
        };
        let mut said = Vec::with_capacity(names.len());
        let mut rest = names;
        while let [first, others @ ..] = rest {
            let most = self.pieces.min(rest.len());
            let mut joined = (2..=most).rev().map(|n| (n, rest[..n].join(",")));
            let known = |(n, name): &(usize, String)| {
                let pieces = || rest[..*n].iter().all(|piece| self.is_column(piece.trim()));
                self.is_column(name) && !pieces()
            };
            match joined.find(known) {
                Some((n, name)) => {
                    said.push(Cow::Owned(name));
                    rest = &rest[n..];
                }
                None => {
                    said.push(one(first));
                    rest = others;
                }
            }
        }
        said
    }
}

/// Whether a name is what other programs call a column that numbers the rows: pandas'
/// `__index_level_0__` and `Unnamed: 0`.
fn numbers_rows(name: &str) -> bool {
    let level = name.strip_prefix("__index_level_");
    let number = match level.and_then(|n| n.strip_suffix("__")) {
        Some(number) => Some(number),
        None => name.strip_prefix("Unnamed: "),
    };
    number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

fn one_entry(table: &Table, name: &str, column: &str) -> Error {
    let column = clean(column, 60);
    Error::format(
        &table.origin().path,
        None,
        format!(
            "\"{}\" is one entry of the lists in column \"{column}\"",
            clean(name, 60)
        ),
        format!(
            "a column of lists is used whole: pass --features {}",
            quoted(&column)
        ),
    )
}

fn unfit(table: &Table, name: &str, why: &str, most: usize) -> Error {
    let name = clean(name, 60);
    let path = &table.origin().path;
    let problem = format!("column \"{name}\" cannot be one feature a value: {why}");
    let hint = if most < MOST {
        format!(
            "pass --categorical {} to take up to {MOST} values, or leave it out",
            quoted(&name)
        )
    } else {
        format!("leave \"{name}\" out, or group its values into 2 to {MOST}")
    };
    Error::format(path, None, problem, hint)
}

fn matching(table: &Table, names: &Names<'_>, pattern: &str) -> Result<Vec<usize>> {
    let columns = table.columns();
    if let Some(at) = names.at.get(pattern) {
        return Ok(vec![*at]);
    }
    let found: Vec<usize> = if pattern.contains('*') {
        (0..columns.len())
            .filter(|&at| name_pattern::matches(pattern, &columns[at].name))
            .collect()
    } else {
        Vec::new()
    };
    if found.is_empty() {
        Err(table.no_column(pattern))
    } else {
        Ok(found)
    }
}
