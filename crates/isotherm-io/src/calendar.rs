//! Days and instants as ISO 8601 texts.

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
