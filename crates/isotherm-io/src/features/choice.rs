//! Which columns are features.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use isotherm::data::Points;
use isotherm::data::columns::dates::{DatePart, DateStyle, TimeSpan};
use isotherm::model::Encoding;
use isotherm::monitor::{Monitor, Quiet};
use isotherm::picture::Picture;
use isotherm::text::Topics;

use crate::error::{Error, Result, clean, shown};
use crate::features::feature_plan::{
    Draft, EMBEDDING, FeaturePlan, IS_ANOTHER, IS_MISSING, PICTURE, TOPIC,
};
use crate::features::kind::FeatureKind;
use crate::name_pattern;
use crate::pictures;
use crate::provenance::quoted;
use crate::sentences::SentenceModel;
use crate::table::Table;
use crate::table::calendar;
use crate::table::one_hot::{self, MOST, Texts, Unfit, Words};
use crate::table::profile::{counts_rows, names_rows, numbers_rows as all_different};
use crate::table::survey::Nature;

/// A choice of columns by name or pattern; `*` in a pattern stands for any
/// text, and a column named exactly like the pattern wins over it.
///
/// A column of numbers is one feature. A column of lists of numbers is one
/// feature an entry, `emb[0]`, `emb[1]`, …; a column of categories is one feature a
/// value, `colour=red`; what other text columns are, see [`crate::one_hot`]. Dates become days
/// and places on circles, texts become topics ([`isotherm::text`]), and paths to pictures the
/// numbers of the pictures ([`isotherm::picture`]).
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
    /// Columns whose kind was said.
    kinds: Vec<(String, FeatureKind)>,
    /// What a model keeps beside the features' names.
    encoding: Encoding,
    /// What embeds texts.
    sentences: Option<Arc<SentenceModel>>,
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
    /// To be of that kind, whatever it holds.
    Said(FeatureKind),
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

    /// Reads a model's features by what [`FeaturePlan::encoding`] gave; without it missing
    /// numbers are refused, and there are no dates and no texts.
    #[must_use]
    pub fn encoded_by(mut self, encoding: &Encoding) -> Self {
        self.encoding = encoding.clone();
        self
    }

    /// Makes embeddings of texts by this model, instead of topics; one that was fitted on
    /// embeddings needs the model that made them.
    #[must_use]
    pub fn embedded_with(mut self, model: Arc<SentenceModel>) -> Self {
        self.sentences = Some(model);
        self
    }

    /// What embeds texts, if anything does.
    pub fn sentences(&self) -> Option<&SentenceModel> {
        self.sentences.as_deref()
    }

    /// Whether it is a model's.
    pub(crate) fn is_of_model(&self) -> bool {
        matches!(self.start, Start::Model(_))
    }

    /// Leaves out a column, or all that a pattern matches.
    #[must_use]
    pub fn except(mut self, name: impl Into<String>) -> Self {
        self.exclude.push(name.into());
        self
    }

    /// Adds a column, or all that a pattern matches, as values without an order, whatever it
    /// holds: the 1,000 most frequent ones.
    #[must_use]
    pub fn categorical(self, name: impl Into<String>) -> Self {
        self.read_as(name, FeatureKind::Category)
    }

    /// Adds a column, or all that a pattern matches, to be read as this kind.
    #[must_use]
    pub fn read_as(mut self, name: impl Into<String>, kind: FeatureKind) -> Self {
        match kind {
            FeatureKind::Nothing => self.exclude.push(name.into()),
            kind => self.kinds.push((name.into(), kind)),
        }
        self
    }

    /// Which features there are, and what they are made of.
    ///
    /// # Errors
    /// [`Error::Column`] when a name or pattern matches nothing;
    /// [`Error::Format`] for a named column that cannot be what it should be,
    /// for an entry of a list, and for two features of one name.
    pub fn plan(&self, table: &Table) -> Result<FeaturePlan> {
        self.plan_watched(table, &mut Quiet)
    }

    /// As [`Features::plan`], with a monitor: topics of texts take some seconds.
    ///
    /// # Errors
    /// As [`Features::plan`]; [`Error::Core`] when the monitor breaks.
    pub fn plan_watched(&self, table: &Table, monitor: &mut dyn Monitor) -> Result<FeaturePlan> {
        let mut draft = Draft::new(&table.origin().path);
        let names = Names::of(table);
        if let Start::Model(features) = &self.start {
            self.check_sentences(table)?;
            for name in features {
                self.one_feature(table, &names, name, &mut draft)?;
            }
            return Ok(draft.finish()?.with_fills(&self.encoding.fills));
        }
        for (at, wish) in self.wishes(table)? {
            match at {
                At::Column(at) => {
                    let model = self.sentences.as_ref();
                    one_column(table, (at, wish), model, &mut draft, monitor)?;
                }
                At::Feature(name) => self.one_feature(table, &names, &name, &mut draft)?,
            }
        }
        draft.finish()?.learn_fills(table)
    }

    /// Refuses texts whose embeddings the fitted model knows and nothing here can make.
    fn check_sentences(&self, table: &Table) -> Result<()> {
        let Some((column, needed)) = self.encoding.sentences.first_key_value() else {
            return Ok(());
        };
        let column = clean(column, 60);
        let refuse = |problem: String, hint: &str| {
            let path = &table.origin().path;
            Err(Error::format_as(
                "sentence-model",
                path,
                None,
                problem,
                hint,
            ))
        };
        match &self.sentences {
            None => refuse(
                format!(
                    "the texts of column \"{column}\" are read by a sentence model, and none is given"
                ),
                "give the folder of the sentence model that it was fitted with: --embed-with, or \
                 embed_with in Python",
            ),
            Some(given)
                if self
                    .encoding
                    .sentences
                    .values()
                    .any(|n| n != given.fingerprint()) =>
            {
                refuse(
                    format!(
                        "the texts of column \"{column}\" were embedded by another sentence model \
                         when this was fitted: its fingerprint was {needed:.12}, that of {} is {:.12}",
                        shown(given.folder()),
                        given.fingerprint()
                    ),
                    "give the folder of the sentence model that it was fitted with, or fit again",
                )
            }
            Some(_) => Ok(()),
        }
    }

    /// One feature by its own name, added to a plan.
    fn one_feature(
        &self,
        header: &Table,
        names: &Names<'_>,
        name: &str,
        draft: &mut Draft,
    ) -> Result<()> {
        match names.part(name) {
            Some(Part::Whole) => draft.number(name),
            Some(Part::Entry(column, entry)) => draft.entry(column, entry),
            Some(Part::Word(column, word)) => draft.word(column, word),
            Some(Part::Another(column)) => draft.another(column),
            Some(Part::Missing(column)) => draft.missing(column),
            Some(Part::Date(column, part)) => match self.encoding.dates.get(column) {
                Some(style) => draft.date(column, *style, part),
                None => return Err(header.no_column(name)),
            },
            Some(Part::Topic(column, topic)) => match self.encoding.texts.get(column) {
                Some(topics) => draft.topic(column, topics, topic),
                None => return Err(header.no_column(name)),
            },
            Some(Part::Embedding(column, entry)) => match &self.sentences {
                Some(model) if self.encoding.sentences.contains_key(column) => {
                    draft.embedding(column, model, entry);
                }
                _ => return Err(header.no_column(name)),
            },
            Some(Part::Picture(column, number)) => match self.encoding.pictures.get(column) {
                Some(&Picture::VERSION) => draft.picture(column, number),
                Some(_) => {
                    return Err(unfit(
                        header,
                        column,
                        "pictures to this model",
                        "it was fitted by an isotherm that made other numbers of them",
                    ));
                }
                None => return Err(header.no_column(name)),
            },
            None => {
                let column = name.split_once('=').map_or(name, |(column, _)| column);
                return Err(header.no_column(column));
            }
        }
        Ok(())
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

    /// The chosen columns, each once, in the order of the features.
    fn wishes(&self, table: &Table) -> Result<Vec<(At, Wish)>> {
        let width = table.columns().len();
        let known = Names::of(table);
        let mut chosen = Chosen {
            taken: vec![false; width],
            said: vec![None; width],
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
        for (name, kind) in &self.kinds {
            for pattern in known.said(std::slice::from_ref(name)) {
                for at in matching(table, &known, &pattern)? {
                    chosen.said[at] = Some(*kind);
                }
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
        let said: Vec<usize> = (0..width).filter(|&at| chosen.said[at].is_some()).collect();
        chosen.take(said, Wish::Named);
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
    /// What they are to be, whatever they hold.
    said: Vec<Option<FeatureKind>>,
    list: Vec<(At, Wish)>,
}

impl Chosen {
    fn take(&mut self, columns: impl IntoIterator<Item = usize>, wish: Wish) {
        for at in columns {
            let wish = self.said[at].map_or(wish, Wish::Said);
            if !std::mem::replace(&mut self.taken[at], true) {
                self.list.push((At::Column(at), wish));
            }
        }
    }
}

/// What a column gives, added to a plan.
fn one_column(
    table: &Table,
    (at, wish): (usize, Wish),
    sentences: Option<&Arc<SentenceModel>>,
    draft: &mut Draft,
    monitor: &mut dyn Monitor,
) -> Result<()> {
    let name = table.columns()[at].name.as_str();
    let unasked = matches!(wish, Wish::Unasked(_));
    // What we wrote ourselves is an answer, not a feature.
    if unasked && name.starts_with("iso_") {
        return Ok(());
    }
    if unasked && numbers_rows(name) {
        draft.leave_out(name, Unfit::RowNumbers);
        return Ok(());
    }
    let nature = || table.nature_at(at).cloned().unwrap_or(Nature::Numbers);
    let words = || {
        let mut words = Words::default();
        words.add(&table.columns()[at].cells);
        words
    };
    let texts = match wish {
        Wish::Said(FeatureKind::Number) => {
            draft.number(name);
            return Ok(());
        }
        Wish::Said(FeatureKind::Category) => words().categories(MOST),
        Wish::Said(FeatureKind::Text) => Texts::Running,
        Wish::Said(FeatureKind::Picture) => {
            if words().is_empty() {
                return Err(unfit(table, name, "pictures", &Unfit::NoWord.to_string()));
            }
            (0..Picture::FEATURES).for_each(|number| draft.picture(name, number));
            return Ok(());
        }
        Wish::Said(FeatureKind::Date) => match words().dates().or_else(|| epoch(table, at)) {
            Some((style, span)) => Texts::Dates(style, span),
            None => return Err(unfit(table, name, "a date", "not all cells are dates")),
        },
        Wish::Said(FeatureKind::Nothing) => return Ok(()),
        Wish::Said(FeatureKind::Identifier) => {
            draft.leave_out(name, Unfit::Names);
            return Ok(());
        }
        _ => match (nature(), wish) {
            (Nature::Lists(length), _) => {
                draft.list(name, length.unwrap_or(0));
                return Ok(());
            }
            (_, Wish::Lists | Wish::Said(_)) => {
                return Err(Error::format(
                    &table.origin().path,
                    None,
                    format!("column \"{}\" holds no lists of numbers", clean(name, 60)),
                    "name a column of lists, or use --features for numbers",
                ));
            }
            (Nature::Words(words), Wish::Unasked(true) | Wish::Named)
                if words.name_pictures()
                    && pictures::are_some_there(table, &table.columns()[at]) =>
            {
                (0..Picture::FEATURES).for_each(|number| draft.picture(name, number));
                return Ok(());
            }
            (Nature::Numbers, Wish::Unasked(true)) if is_row_name(table, name)? => {
                draft.leave_out(name, Unfit::Names);
                return Ok(());
            }
            (Nature::Numbers, Wish::Unasked(true)) if counts_rows(table, name)? => {
                draft.leave_out(name, Unfit::RowNumbers);
                return Ok(());
            }
            (Nature::Words(words), Wish::Unasked(true)) if names_rows(name, words.are_many()) => {
                draft.leave_out(name, Unfit::Names);
                return Ok(());
            }
            (Nature::Numbers, Wish::Unasked(false)) => {
                draft.number(name);
                return Ok(());
            }
            (Nature::Numbers, _) => match epoch(table, at) {
                Some((style, span)) if names_time(name) => Texts::Dates(style, span),
                _ => {
                    draft.number(name);
                    return Ok(());
                }
            },
            (Nature::Words(_), Wish::Unasked(false)) => return Ok(()),
            (Nature::Words(words), Wish::Unasked(_)) => words.texts(),
            (Nature::Words(words), _) => match words.clone().texts() {
                // It was asked for: whatever is frequent in it.
                Texts::Unfit(Unfit::Names) => words.categories(MOST),
                texts => texts,
            },
        },
    };
    match texts {
        Texts::Categories(values, others) => draft.words(name, &values, others),
        Texts::Dates(style, span) => {
            let parts = span.parts().into_iter();
            parts.for_each(|part| draft.date(name, style, part));
        }
        Texts::Running => {
            if let Some(model) = sentences {
                (0..model.dim()).for_each(|entry| draft.embedding(name, model, entry));
                return Ok(());
            }
            match topics(table, at, monitor)? {
                Some(topics) => {
                    let topics = Arc::new(topics);
                    (0..topics.count()).for_each(|topic| draft.topic(name, &topics, topic));
                }
                None if unasked => draft.leave_out(name, Unfit::NoTerms),
                None => return Err(unfit(table, name, "text", &Unfit::NoTerms.to_string())),
            }
        }
        Texts::Unfit(why) if unasked => draft.leave_out(name, why),
        Texts::Unfit(why) => {
            return Err(unfit(table, name, "one feature a value", &why.to_string()));
        }
    }
    Ok(())
}

/// The topics of the texts of a column.
fn topics(table: &Table, at: usize, monitor: &mut dyn Monitor) -> Result<Option<Topics>> {
    let cells = &table.columns()[at].cells;
    let texts: Vec<Cow<'_, str>> = (0..table.rows())
        .filter_map(|row| one_hot::word(cells, row))
        .collect();
    let texts: Vec<&str> = texts.iter().map(Cow::as_ref).collect();
    Ok(Topics::learn(&texts, monitor)?)
}

/// Whether a column of numbers only names rows, by its name and its numbers.
fn is_row_name(table: &Table, name: &str) -> Result<bool> {
    // Whether numbers differ is looked at only where that decides.
    Ok(names_rows(name, false) || names_rows(name, true) && all_different(table, name)?)
}

/// Whether a column's name speaks of time.
fn names_time(name: &str) -> bool {
    let lower = name.to_lowercase();
    let ends = ["_at", "_ts", " at", "time", "date", "epoch"];
    lower == "ts" || ends.iter().any(|end| lower.ends_with(end)) || lower.contains("timestamp")
}

/// The style and the span of a column of seconds or milliseconds since 1970, if all its numbers
/// are whole and between the years 1980 and 2100.
fn epoch(table: &Table, at: usize) -> Option<(DateStyle, TimeSpan)> {
    const YEARS: std::ops::Range<f64> = 315_532_800.0..4_102_444_800.0;
    let cells = &table.columns()[at].cells;
    let mut spans: [(DateStyle, Option<TimeSpan>); 2] =
        [(DateStyle::Seconds, None), (DateStyle::Milliseconds, None)];
    let mut open = [true; 2];
    for row in 0..table.rows() {
        let Some(text) = one_hot::word(cells, row) else {
            continue;
        };
        for ((style, span), open) in spans.iter_mut().zip(&mut open) {
            let seconds = calendar::moment(&text, *style).filter(|s| YEARS.contains(s));
            let whole = !text.contains(['.', 'e', 'E']);
            *open &= seconds.is_some() && whole;
            if let Some(seconds) = seconds {
                *span = Some(span.map_or(TimeSpan::at(seconds), |span| span.with(seconds)));
            }
        }
        if open == [false; 2] {
            return None;
        }
    }
    let found = spans.into_iter().zip(open).filter(|(_, open)| *open);
    found
        .filter_map(|((style, span), _)| Some((style, span?)))
        .next()
}

/// What a feature's name means in a table.
enum Part<'a> {
    Whole,
    Entry(&'a str, usize),
    Word(&'a str, &'a str),
    /// Whether the column has no number.
    Missing(&'a str),
    /// Whether the column has a value without a feature of its own.
    Another(&'a str),
    Date(&'a str, DatePart),
    Topic(&'a str, usize),
    Embedding(&'a str, usize),
    Picture(&'a str, usize),
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
        let of = |suffix: &str| name.strip_suffix(suffix).filter(|c| self.is_column(c));
        if let Some(column) = of(IS_MISSING) {
            return Some(Part::Missing(column));
        }
        if let Some(column) = of(IS_ANOTHER) {
            return Some(Part::Another(column));
        }
        for part in DatePart::ALL {
            if let Some(column) = of(part.suffix()) {
                return Some(Part::Date(column, part));
            }
        }
        let numbered = |joint: &str| {
            let (column, number) = name.rsplit_once(joint)?;
            let number = number.parse::<usize>().ok()?.checked_sub(1)?;
            self.is_column(column).then_some((column, number))
        };
        if let Some((column, topic)) = numbered(TOPIC) {
            return Some(Part::Topic(column, topic));
        }
        if let Some((column, entry)) = numbered(EMBEDDING) {
            return Some(Part::Embedding(column, entry));
        }
        if let Some((column, number)) = numbered(PICTURE) {
            return Some(Part::Picture(column, number));
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

fn unfit(table: &Table, name: &str, what: &str, why: &str) -> Error {
    let name = clean(name, 60);
    let path = &table.origin().path;
    let problem = format!("column \"{name}\" cannot be {what}: {why}");
    let hint = format!("leave \"{name}\" out, or change its cells");
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
