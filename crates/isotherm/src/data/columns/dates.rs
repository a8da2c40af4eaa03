//! Moments as numbers: where they stand in time, and where in the week, the year and the day.

use std::f64::consts::TAU;

const DAY: f64 = 86_400.0;
const YEAR: f64 = 365.2425 * DAY;

/// A column of dates has a feature for the week where it spans more than this, and one for
/// the year where it spans more than that: two weeks, and a quarter of a year.
const WEEKS: f64 = 14.0 * DAY;
const SEASONS: f64 = 90.0 * DAY;

/// How the dates of a column are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DateStyle {
    /// `2026-01-31`, `2026/01/31`.
    YearFirst,
    /// `31.01.2026`, `31/01/2026`.
    DayFirst,
    /// `01/31/2026`.
    MonthFirst,
    /// `31 Jan 2026`, `January 31, 2026`.
    Named,
    /// Seconds since 1970.
    Seconds,
    /// Milliseconds since 1970.
    Milliseconds,
    /// `18:45`, `6:45 pm`: a time of day without a date.
    Time,
}

/// One feature of a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatePart {
    /// Days since 1970.
    Day,
    /// The place in the week, on a circle.
    WeekSine,
    /// Its other coordinate.
    WeekCosine,
    /// The place in the year, on a circle.
    YearSine,
    /// Its other coordinate.
    YearCosine,
    /// The time of day, on a circle.
    HourSine,
    /// Its other coordinate.
    HourCosine,
}

impl DatePart {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Day,
        Self::WeekSine,
        Self::WeekCosine,
        Self::YearSine,
        Self::YearCosine,
        Self::HourSine,
        Self::HourCosine,
    ];

    /// What is added to the column's name.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Day => " as a day",
            Self::WeekSine => " weekday sin",
            Self::WeekCosine => " weekday cos",
            Self::YearSine => " season sin",
            Self::YearCosine => " season cos",
            Self::HourSine => " hour sin",
            Self::HourCosine => " hour cos",
        }
    }

    /// Its value for a moment in seconds since 1970.
    pub fn of(self, seconds: f64) -> f64 {
        let around = |period: f64| TAU * (seconds.rem_euclid(period) / period);
        match self {
            Self::Day => seconds / DAY,
            // By whole days: the time of day is a feature of its own.
            Self::WeekSine => (TAU * ((seconds / DAY).floor().rem_euclid(7.0) / 7.0)).sin(),
            Self::WeekCosine => (TAU * ((seconds / DAY).floor().rem_euclid(7.0) / 7.0)).cos(),
            Self::YearSine => around(YEAR).sin(),
            Self::YearCosine => around(YEAR).cos(),
            Self::HourSine => around(DAY).sin(),
            Self::HourCosine => around(DAY).cos(),
        }
    }
}

/// What is known of the moments of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeSpan {
    /// The first, in seconds since 1970.
    pub first: f64,
    /// The last.
    pub last: f64,
    /// Whether some are at another time of day than others.
    pub hours: bool,
}

impl TimeSpan {
    /// Of one moment.
    pub fn at(seconds: f64) -> Self {
        Self {
            first: seconds,
            last: seconds,
            hours: false,
        }
    }

    /// With one more moment.
    #[must_use]
    pub fn with(self, seconds: f64) -> Self {
        let hour = |s: f64| s.rem_euclid(DAY);
        Self {
            first: self.first.min(seconds),
            last: self.last.max(seconds),
            hours: self.hours || hour(seconds) != hour(self.first),
        }
    }

    /// The features that vary.
    pub fn parts(self) -> Vec<DatePart> {
        let span = self.last - self.first;
        let varies = |part: &DatePart| match part {
            DatePart::Day => span > 0.0,
            DatePart::WeekSine | DatePart::WeekCosine => span > WEEKS,
            DatePart::YearSine | DatePart::YearCosine => span > SEASONS,
            DatePart::HourSine | DatePart::HourCosine => self.hours,
        };
        DatePart::ALL.into_iter().filter(varies).collect()
    }
}
