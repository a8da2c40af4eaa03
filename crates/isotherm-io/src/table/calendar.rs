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

/// Whether a text is a date such as `2026-01-31`, alone or with a time after it:
/// `2026-01-31T12:34`, `2026-01-31 12:34:56.789Z`, `2026-01-31T12:34:56+01:00`.
pub(crate) fn is_date(text: &str) -> bool {
    let text = text.trim().as_bytes();
    let shaped = |text: &[u8], shape: &[u8]| {
        text.len() == shape.len()
            && text.iter().zip(shape).all(|(t, s)| match s {
                b'0' => t.is_ascii_digit(),
                mark => t == mark,
            })
    };
    let Some((day, rest)) = text.split_at_checked(10) else {
        return false;
    };
    let number = |pair: &[u8]| 10 * (pair[0] - b'0') + (pair[1] - b'0');
    if !shaped(day, b"0000-00-00")
        || !(1..=12).contains(&number(&day[5..7]))
        || !(1..=31).contains(&number(&day[8..10]))
    {
        return false;
    }
    let time = match rest {
        [] => return true,
        [b'T' | b' ', time @ ..] => time,
        _ => return false,
    };
    let zone = time.iter().position(|b| matches!(b, b'Z' | b'+' | b'-'));
    let (time, zone) = time.split_at(zone.unwrap_or(time.len()));
    let fraction = time.iter().position(|b| *b == b'.').unwrap_or(time.len());
    let (time, fraction) = time.split_at(fraction);
    let whole = shaped(time, b"00:00") || shaped(time, b"00:00:00");
    let fraction = fraction.iter().skip(1).all(u8::is_ascii_digit);
    let zone = match zone {
        [] | b"Z" => true,
        [_, offset @ ..] => [&b"00"[..], b"0000", b"00:00"]
            .iter()
            .any(|shape| shaped(offset, shape)),
    };
    whole && fraction && zone
}
