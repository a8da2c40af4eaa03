//! One light pass over rows: how many there are, their scale, and some to keep.

use std::collections::BTreeMap;

use super::columns::Columns;
use super::draw::Draw;
use super::ranges::Ranges;
use super::stream::RowStream;
use super::{Points, Standardiser};
use crate::error::{Error, Refusal, Result};
use crate::linalg::rows::runs;
use crate::linalg::tiles;
use crate::monitor::{Monitor, Within};

const PHASE: &str = "looking through the rows";

/// Rows of a part that are read at a time.
const READ: usize = 256;

/// What a pass over rows has found: over all of them, or over a part.
///
/// Parts merge in any order. The sample follows from the seed and the row numbers, not
/// from how rows were dealt to parts; means and variances do but for rounding.
///
/// ```
/// use isotherm::data::{Points, Survey};
///
/// let part = |first: usize| {
///     let rows = Points::new((0..50).map(|i| (first + i) as f64).collect(), 50, 1)?;
///     let mut survey = Survey::new(1, 8, 0);
///     survey.add(&rows, first, &[0])?;
///     Ok::<_, isotherm::Error>(survey)
/// };
/// let mut all = part(50)?;
/// all.merge(&part(0)?)?;
/// assert_eq!((all.count(), all.sample()?.len()), (100, 8));
/// assert_eq!(*all.select(&[50, 0])?.tile(0..2), [50.0, 0.0]);
/// // A part that comes twice is refused.
/// assert!(all.merge(&part(0)?).is_err());
/// # Ok::<(), isotherm::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Survey {
    dim: usize,
    ranges: Ranges,
    columns: Columns,
    draw: Draw,
    kept: BTreeMap<usize, Vec<f64>>,
}

/// A survey laid out flat, for somebody who writes it down.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct SurveyParts {
    /// Numbers in a row.
    pub dim: usize,
    /// Rows to draw.
    pub size: usize,
    /// What they are drawn by.
    pub seed: u64,
    /// The rows seen, as `(first, one past the last)`.
    pub ranges: Vec<(usize, usize)>,
    /// Moments of the columns.
    pub columns: Columns,
    /// Numbers of the rows drawn, ascending.
    pub drawn: Vec<usize>,
    /// Those rows.
    pub sample: Vec<f64>,
    /// Numbers of the rows kept, ascending.
    pub index: Vec<usize>,
    /// Those rows.
    pub kept: Vec<f64>,
}

impl Survey {
    /// Nothing seen yet: rows of `dim` numbers, of which `size` are to be drawn.
    pub fn new(dim: usize, size: usize, seed: u64) -> Self {
        Self {
            dim,
            ranges: Ranges::default(),
            columns: Columns::default(),
            draw: Draw::new(size, seed),
            kept: BTreeMap::new(),
        }
    }

    /// Takes in the rows `first …` of the whole table; `keep` are places *within* these
    /// rows. O(nd).
    ///
    /// # Errors
    /// [`Error::Shape`] when the rows have other columns or a place is not among them;
    /// [`Error::Refused`] when a row was seen before.
    pub fn add(&mut self, rows: &Points, first: usize, keep: &[usize]) -> Result<()> {
        self.check_dim(rows.dim())?;
        if let Some(&got) = keep.iter().find(|i| **i >= rows.len()) {
            return Err(Error::Shape {
                what: "row to keep, which must be below the number of rows of the part",
                expected: rows.len(),
                got,
            });
        }
        self.ranges.insert(first, rows.len())?;
        for run in runs(rows.len(), READ) {
            let tile = rows.tile(run.clone());
            for (i, row) in run.zip(tile.chunks_exact(self.dim)) {
                self.draw.offer(first + i, row);
            }
        }
        for &i in keep {
            self.kept.insert(first + i, rows.row(i).to_vec());
        }
        self.columns.merge(&Columns::of(rows));
        Ok(())
    }

    /// Takes in what another pass over other rows has found.
    ///
    /// # Errors
    /// [`Error::Shape`] for other columns; [`Error::Refused`] when the samples are not drawn
    /// alike or a row is in both. Then nothing has changed.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        self.check_dim(other.dim)?;
        if (self.draw.size(), self.draw.seed()) != (other.draw.size(), other.draw.seed()) {
            return Err(Error::refused(
                Refusal::Parts,
                format!(
                    "one survey draws {} rows with seed {}, the other {} with seed {}",
                    self.draw.size(),
                    self.draw.seed(),
                    other.draw.size(),
                    other.draw.seed()
                ),
                "survey every part with one size and one seed",
            ));
        }
        self.ranges = self.ranges.joined(&other.ranges)?;
        self.draw.merge(&other.draw);
        for (number, row) in &other.kept {
            self.kept.insert(*number, row.clone());
        }
        self.columns.merge(&other.columns);
        Ok(())
    }

    fn check_dim(&self, got: usize) -> Result<()> {
        if got == self.dim {
            Ok(())
        } else {
            Err(Error::Shape {
                what: "columns of the rows surveyed",
                expected: self.dim,
                got,
            })
        }
    }

    /// Reads the stream once, drawing `size` rows at random and keeping those in `keep`.
    ///
    /// Memory: the rows kept. Cost: O(nd).
    ///
    /// # Errors
    /// [`Error::Refused`] when there is no row; [`Error::Shape`] when a row to keep does
    /// not exist; [`Error::Cancelled`]; whatever the stream says.
    pub fn take<S: RowStream>(
        stream: &mut S,
        size: usize,
        keep: &[usize],
        seed: u64,
        monitor: &mut dyn Monitor,
    ) -> std::result::Result<Self, S::Error> {
        let mut survey = Self::new(stream.dim(), size, seed);
        let mut wanted = keep.to_vec();
        wanted.sort_unstable();
        wanted.dedup();
        let mut wanted = wanted.as_slice();
        stream.rewind()?;
        tiles::announce(PHASE, None, monitor)?;
        while let Some(part) = stream.next(&mut Within(monitor))? {
            let first = survey.count();
            let here = wanted.partition_point(|i| *i < first + part.len());
            let places: Vec<usize> = wanted[..here].iter().map(|i| i - first).collect();
            wanted = &wanted[here..];
            survey.add(&part, first, &places)?;
            tiles::tick(PHASE, monitor)?;
        }
        if survey.count() == 0 {
            return Err(Error::refused(
                Refusal::TooFewRows,
                "the stream has no rows",
                "give at least one",
            )
            .into());
        }
        if let Some(&got) = wanted.first() {
            return Err(Error::Shape {
                what: "row to keep, which must be below the number of rows",
                expected: survey.count(),
                got,
            }
            .into());
        }
        Ok(survey)
    }

    /// Rows seen.
    pub fn count(&self) -> usize {
        self.ranges.count()
    }

    /// Numbers in a row.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Refuses a survey of a table of which rows are missing.
    ///
    /// # Errors
    /// [`Error::Refused`] when there is no row, or naming rows that no part had.
    pub fn check_whole(&self) -> Result<()> {
        if self.count() == 0 {
            return Err(Error::refused(
                Refusal::TooFewRows,
                "the survey has no rows",
                "give at least one",
            ));
        }
        self.ranges.check_whole()
    }

    /// Whether every row is in the sample.
    pub fn holds_all(&self) -> bool {
        self.draw.len() == self.count()
    }

    /// Rows drawn without replacement, each alike, in the order of their numbers.
    ///
    /// # Errors
    /// [`Error::Refused`] when there is no row.
    pub fn sample(&self) -> Result<Points> {
        self.gathered(self.draw.rows().into_iter())
    }

    /// The numbers of the rows that were asked for, ascending, and the rows; the first of
    /// the sample if none was.
    ///
    /// # Errors
    /// [`Error::Refused`] when there is no row.
    pub fn kept(&self) -> Result<(Vec<usize>, Points)> {
        if self.kept.is_empty() {
            let rows = self.draw.rows();
            let index = rows.iter().take(1).map(|(i, _)| *i).collect();
            return Ok((index, self.gathered(rows.into_iter().take(1))?));
        }
        let rows = self.kept.iter().map(|(i, row)| (*i, row.as_slice()));
        Ok((self.kept.keys().copied().collect(), self.gathered(rows)?))
    }

    /// The rows of the given numbers among those kept.
    ///
    /// # Errors
    /// [`Error::Refused`] when one was not kept.
    pub fn select(&self, rows: &[usize]) -> Result<Points> {
        let found: Result<Vec<_>> = rows.iter().map(|&i| Ok((i, self.row(i)?))).collect();
        self.gathered(found?.into_iter())
    }

    /// A row that was kept.
    ///
    /// # Errors
    /// [`Error::Refused`] when it was not.
    pub fn row(&self, number: usize) -> Result<&[f64]> {
        let row = self.kept.get(&number).map(Vec::as_slice);
        row.ok_or_else(|| not_kept(number))
    }

    fn gathered<'r>(&self, rows: impl Iterator<Item = (usize, &'r [f64])>) -> Result<Points> {
        let values: Vec<f64> = rows.flat_map(|(_, row)| row.iter().copied()).collect();
        let count = values.len() / self.dim.max(1);
        Points::new(values, count, self.dim)
    }

    /// Mean and standard deviation of each column over all rows.
    ///
    /// # Errors
    /// As [`Standardiser::from_moments`].
    pub fn scaling(&self) -> Result<Standardiser> {
        self.columns.scaling()
    }

    /// Columns with one value only.
    pub fn constant(&self) -> Vec<usize> {
        self.columns.constant()
    }

    /// Laid out flat.
    pub(crate) fn to_parts(&self) -> SurveyParts {
        let drawn = self.draw.rows();
        SurveyParts {
            dim: self.dim,
            size: self.draw.size(),
            seed: self.draw.seed(),
            ranges: self.ranges.as_slice().to_vec(),
            columns: self.columns.clone(),
            drawn: drawn.iter().map(|(i, _)| *i).collect(),
            sample: drawn.iter().flat_map(|(_, row)| row.to_vec()).collect(),
            index: self.kept.keys().copied().collect(),
            kept: self.kept.values().flatten().copied().collect(),
        }
    }

    /// Put together again, nothing believed.
    ///
    /// # Errors
    /// [`Error::Refused`] or [`Error::Shape`] for parts no survey has.
    pub(crate) fn from_parts(parts: &SurveyParts) -> Result<Self> {
        let mut survey = Self::new(parts.dim, parts.size, parts.seed);
        survey.ranges = Ranges::new(&parts.ranges)?;
        parts.columns.check(parts.dim)?;
        survey.columns = parts.columns.clone();
        let count = survey.count();
        let expected = survey.draw.size().min(count);
        let ascending = |of: &[usize]| of.windows(2).all(|w| w[0] < w[1]);
        let seen = |i: &usize| (parts.ranges.iter()).any(|(first, end)| (first..end).contains(&i));
        let sound = parts.size > 0
            && survey.columns.count == count
            && parts.drawn.len() == expected
            && [&parts.drawn, &parts.index]
                .iter()
                .all(|of| ascending(of) && of.iter().all(seen));
        if !sound {
            return Err(Error::refused(
                Refusal::Parts,
                "the rows kept are not those a survey keeps",
                "survey the rows again",
            ));
        }
        if count == 0 {
            return Ok(survey);
        }
        let drawn = Points::new(parts.sample.clone(), expected, parts.dim)?;
        for (k, &number) in parts.drawn.iter().enumerate() {
            survey.draw.offer(number, &drawn.row(k));
        }
        if !parts.index.is_empty() {
            let kept = Points::new(parts.kept.clone(), parts.index.len(), parts.dim)?;
            let rows = parts.index.iter().enumerate();
            survey.kept = rows.map(|(k, i)| (*i, kept.row(k).to_vec())).collect();
        }
        Ok(survey)
    }
}

pub(crate) fn not_kept(number: usize) -> Error {
    Error::refused(
        Refusal::Parts,
        format!("row {number} was read in passing and not kept"),
        "name the labelled rows before the rows are streamed",
    )
}
