//! Days and instants as ISO 8601 texts, and texts of many styles as instants.

use chrono::NaiveDate;
use isotherm::data::columns::dates::{DateStyle, TimeSpan};

/// Days since 1970 as `2026-01-31` (proleptic Gregorian; days are counted in
/// eras of 400 years that begin in March, so that leap days come last).
pub(crate) fn date(days: i64) -> String {
    let z = i128::from(days) + 719_468;
    let era = z.div_euclid(146_097);
    let day_of_era = z.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i128::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Units since midnight as `12:34:56.789`; the fraction has the unit's digits,
/// and is left out when it is zero.
pub(crate) fn time_of_day(units: i64, per_second: i64) -> String {
    let seconds = units.div_euclid(per_second);
    let rest = units.rem_euclid(per_second);
    let (h, m, s) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let digits = per_second.ilog10() as usize;
    match rest {
        0 => format!("{h:02}:{m:02}:{s:02}"),
        _ => format!("{h:02}:{m:02}:{s:02}.{rest:0digits$}"),
    }
}

/// Units since 1970 as `2026-01-31T12:34:56.789Z`.
pub(crate) fn timestamp(units: i64, per_second: i64, zone: &str) -> String {
    let day = 86_400 * per_second;
    let time = time_of_day(units.rem_euclid(day), per_second);
    format!("{}T{time}{zone}", date(units.div_euclid(day)))
}

/// The moment a text stands for in seconds since 1970: a date as the style writes it, alone or
/// with a time after it, such as `2026-01-31T12:34`, `31.01.2026 12:34:56.789`,
/// `1/31/2026 9:05 pm`, `2026-01-31T12:34:56+01:00`. Without a zone the time is taken as it is.
/// A time without a date is one of the first day of 1970.
pub(crate) fn moment(text: &str, style: DateStyle) -> Option<f64> {
    let text = text.trim();
    let (date, time) = match style {
        DateStyle::Seconds | DateStyle::Milliseconds => {
            let count: f64 = text.parse().ok()?;
            let per_second = if style == DateStyle::Seconds {
                1.0
            } else {
                1e3
            };
            return count.is_finite().then_some(count / per_second);
        }
        DateStyle::Time => return time_and_zone(text),
        DateStyle::Named => named(text)?,
        _ => numbered(text, style)?,
    };
    let midnight = date.and_hms_opt(0, 0, 0)?.and_utc().timestamp() as f64;
    match time.trim() {
        "" => Some(midnight),
        time => Some(midnight + time_and_zone(time)?),
    }
}

/// The date that a text begins with, written in numbers, and what follows it.
fn numbered(text: &str, style: DateStyle) -> Option<(NaiveDate, &str)> {
    let mark = text.find(|c: char| !c.is_ascii_digit())?;
    let mark = text[mark..].chars().next().filter(|c| "-/.".contains(*c))?;
    let end = text.find(|c: char| !c.is_ascii_digit() && c != mark);
    let (date, rest) = text.split_at(end.unwrap_or(text.len()));
    let rest = match rest.strip_prefix('T') {
        Some(time) => time,
        None if rest.is_empty() || rest.starts_with(' ') => rest,
        None => return None,
    };
    let mut fields = date.split(mark);
    let (a, b, c) = (fields.next()?, fields.next()?, fields.next()?);
    let (year, month, day) = match style {
        DateStyle::YearFirst => (a, b, c),
        DateStyle::DayFirst => (c, b, a),
        _ => (c, a, b),
    };
    // A year of two digits is ambiguous, and a version number is no date.
    let fits = year.len() == 4 && month.len() <= 2 && day.len() <= 2 && fields.next().is_none();
    let number = |field: &str| field.parse::<u32>().ok();
    let year = fits.then(|| year.parse::<i32>().ok())??;
    Some((
        NaiveDate::from_ymd_opt(year, number(month)?, number(day)?)?,
        rest,
    ))
}

/// The date that a text begins with, its month by name, and what follows it.
fn named(text: &str) -> Option<(NaiveDate, &str)> {
    let is_field = |c: char| c.is_alphanumeric();
    let mut rest = text;
    let mut fields = [""; 3];
    for field in &mut fields {
        let end = rest.find(|c| !is_field(c)).unwrap_or(rest.len());
        (*field, rest) = rest.split_at(end);
        rest = rest.trim_start_matches([' ', ',', '.', '-']);
    }
    let (month, day) = match (month_number(fields[0]), month_number(fields[1])) {
        (Some(month), _) => (month, fields[1]),
        (None, Some(month)) => (month, fields[0]),
        (None, None) => return None,
    };
    let year = (fields[2].len() == 4).then(|| fields[2].parse::<i32>().ok())??;
    let day = day.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    Some((
        NaiveDate::from_ymd_opt(year, month, day.parse().ok()?)?,
        rest,
    ))
}

/// The number of a month by its English name, or the first three letters of it.
fn month_number(name: &str) -> Option<u32> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let name = name.to_ascii_lowercase();
    let is_it = |month: &&str| **month == name || name.len() == 3 && month.starts_with(&name);
    let at = MONTHS.iter().position(is_it)?;
    u32::try_from(at + 1).ok()
}

/// Seconds since midnight of a time, less the zone it is in.
fn time_and_zone(text: &str) -> Option<f64> {
    let zone = text.find(['Z', '+', '-']).unwrap_or(text.len());
    let (time, zone) = text.split_at(zone);
    let lower = time.trim().to_ascii_lowercase();
    let (time, half) = match (lower.strip_suffix("am"), lower.strip_suffix("pm")) {
        (Some(time), _) => (time.trim(), Some(0.0)),
        (_, Some(time)) => (time.trim(), Some(12.0)),
        _ => (lower.as_str(), None),
    };
    let digits = |field: &str| {
        let whole = !field.is_empty() && field.bytes().all(|b| b.is_ascii_digit());
        whole.then(|| field.parse::<f64>().ok()).flatten()
    };
    let mut fields = time.split(':');
    let (hour, minute) = (digits(fields.next()?)?, digits(fields.next()?)?);
    let second = match fields.next() {
        None => 0.0,
        Some(second) => {
            let (whole, fraction) = second.split_once('.').unwrap_or((second, "0"));
            digits(whole)?
                + format!("0.{}", digits(fraction).map(|_| fraction)?)
                    .parse::<f64>()
                    .ok()?
        }
    };
    let hour = match half {
        Some(half) if (1.0..=12.0).contains(&hour) => hour % 12.0 + half,
        Some(_) => return None,
        None => hour,
    };
    let fits = hour <= 24.0 && minute < 60.0 && second < 61.0 && fields.next().is_none();
    let seconds = fits.then_some(3600.0 * hour + 60.0 * minute + second)?;
    let offset = match zone.as_bytes() {
        [] | b"Z" => 0.0,
        [sign, offset @ ..] => {
            let digits: Vec<f64> = offset
                .iter()
                .filter(|b| **b != b':')
                .map(|b| b.is_ascii_digit().then(|| f64::from(b - b'0')))
                .collect::<Option<_>>()?;
            let hours = match digits[..] {
                [a, b] => 10.0 * a + b,
                [a, b, c, d] => 10.0 * a + b + (10.0 * c + d) / 60.0,
                _ => return None,
            };
            3600.0 * if *sign == b'-' { -hours } else { hours }
        }
    };
    Some(seconds - offset)
}

/// How the dates of a column may be written, as far as its cells have been seen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DateGuess {
    /// The styles that every cell fits, with what is known of the moments.
    open: Vec<(DateStyle, Option<TimeSpan>)>,
}

impl Default for DateGuess {
    fn default() -> Self {
        // A date with points has the day first, so it comes before the month first.
        let styles = [
            DateStyle::YearFirst,
            DateStyle::DayFirst,
            DateStyle::MonthFirst,
            DateStyle::Named,
            DateStyle::Time,
        ];
        Self {
            open: styles.map(|style| (style, None)).to_vec(),
        }
    }
}

impl DateGuess {
    /// Looks at one more cell that has a value.
    pub(crate) fn add(&mut self, text: &str) {
        self.open.retain_mut(|(style, span)| {
            let Some(seconds) = moment(text, *style) else {
                return false;
            };
            let more = |span: TimeSpan| span.with(seconds);
            *span = Some(span.map_or(TimeSpan::at(seconds), more));
            true
        });
    }

    /// The style and the span of the moments, if all cells were dates. Where both the day and
    /// the month may come first, the shorter span is right: few tables jump by months.
    pub(crate) fn found(&self) -> Option<(DateStyle, TimeSpan)> {
        let spans = self
            .open
            .iter()
            .filter_map(|(style, span)| Some((*style, (*span)?)));
        let length = |span: &TimeSpan| span.last - span.first;
        spans.min_by(|(_, a), (_, b)| length(a).total_cmp(&length(b)))
    }
}
