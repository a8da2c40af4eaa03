//! The table of columns: what each holds, what its values look like, and what is done with it.

use isotherm::data::columns::summary::NumberSummary;
use isotherm_io::FeatureKind;
use isotherm_io::profile::{ColumnKind, ColumnProfile, Values};
use serde_json::{Value, json};

use super::findings::{Described, Role};

/// Letters of a column's name, and of its values.
const NAME: usize = 24;
const VALUES: usize = 34;

/// Tables with more columns than this share a line among neighbours that are alike.
const SCREEN: usize = 20;

/// Columns whose skewness is beyond this have a long tail.
const LONG_TAIL: f64 = 3.0;

const HEADER: [&str; 6] = ["column", "kind", "missing", "distinct", "values", "used as"];

/// A line for each column, under a header.
pub(super) fn lines(columns: &[Described]) -> Vec<String> {
    let alike = |a: &Described, b: &Described| {
        columns.len() > SCREEN
            && kind(a) == kind(b)
            && used_as(a) == used_as(b)
            && a.profile.missing == b.profile.missing
    };
    let mut rows: Vec<[String; 6]> = vec![HEADER.map(str::to_owned)];
    for run in columns.chunk_by(alike) {
        match run {
            [first, .., last] if run.len() > 2 => rows.push([
                format!(
                    "{} … {} ({})",
                    cut(&first.profile.name, NAME / 3),
                    cut(&last.profile.name, NAME / 3),
                    run.len()
                ),
                kind(first).to_owned(),
                missing(&first.profile),
                String::new(),
                String::new(),
                used_as(first),
            ]),
            _ => rows.extend(run.iter().map(row)),
        }
    }
    let width = |at: usize| {
        rows.iter()
            .map(|r| r[at].chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: [usize; 6] = std::array::from_fn(width);
    let line = |row: &[String; 6]| {
        let [name, kind, missing, distinct, values, used] = row;
        let [a, b, c, d, e, _] = widths;
        format!("  {name:<a$}  {kind:<b$}  {missing:>c$}  {distinct:>d$}  {values:<e$}  {used}")
            .trim_end()
            .to_owned()
    };
    rows.iter().map(line).collect()
}

/// The same for machines.
pub(super) fn value(column: &Described) -> Value {
    let profile = &column.profile;
    let mut told = json!({
        "name": profile.name, "kind": kind(column), "role": column.role.name(),
        "used_as": used_as(column), "missing": profile.missing, "bad": profile.bad,
        "distinct": profile.values.distinct(),
        "features": column.used.map_or(0, |(_, features)| features),
    });
    match &profile.values {
        Values::None => {}
        Values::Numbers(n) => {
            told["low"] = n.low.into();
            told["median"] = n.median.into();
            told["high"] = n.high.into();
            told["skewness"] = n.skewness.into();
            told["bars"] = json!(n.bars);
        }
        Values::Words { frequent, .. } => told["frequent"] = json!(frequent),
    }
    told
}

fn row(column: &Described) -> [String; 6] {
    let profile = &column.profile;
    [
        cut(&profile.name, NAME),
        kind(column).to_owned(),
        missing(profile),
        profile
            .values
            .distinct()
            .map_or(String::new(), |n| n.to_string()),
        values(&profile.values),
        used_as(column),
    ]
}

/// What a column is, in one word or two.
fn kind(column: &Described) -> &'static str {
    let profile = &column.profile;
    match (column.used, column.role) {
        (_, Role::Names(_) | Role::Id) => "identifier",
        (_, _) if profile.kind == ColumnKind::Blank => "blank",
        (_, _) if profile.values.distinct() == Some(1) && profile.missing == 0 => "constant",
        (Some((FeatureKind::Number, _)), _) | (None, _) => profile.kind.name(),
        (Some((kind, _)), _) => kind.name(),
    }
}

fn missing(profile: &ColumnProfile) -> String {
    match profile.missing {
        0 => String::new(),
        n => n.to_string(),
    }
}

/// What is done with a column.
fn used_as(column: &Described) -> String {
    let profile = &column.profile;
    let Some((read_as, features)) = column.used else {
        return column.role.name();
    };
    if kind(column) == "constant" {
        return "nothing, one value only".to_owned();
    }
    let filled = profile.missing > 0 && profile.bad == 0;
    match read_as {
        FeatureKind::Number if filled && features > 1 => {
            "number, median if missing, and whether missing".to_owned()
        }
        FeatureKind::Number if filled => "number, median if missing".to_owned(),
        FeatureKind::Category => format!("{features} features, one a value"),
        FeatureKind::Date if features > 1 => format!("{features} features: day and cycles"),
        FeatureKind::Date => "day".to_owned(),
        FeatureKind::Text if column.embedded => format!("embedding, {features} numbers"),
        FeatureKind::Text => format!("{features} topics"),
        FeatureKind::Picture => format!("{features} numbers a picture"),
        FeatureKind::List => format!("{features} features, one an entry"),
        FeatureKind::Number | FeatureKind::Identifier | FeatureKind::Nothing => "number".to_owned(),
    }
}

/// The range and shape of numbers, or the most frequent texts.
fn values(values: &Values) -> String {
    match values {
        Values::None => String::new(),
        Values::Numbers(n) if n.low == n.high => short(n.low),
        Values::Numbers(n) => {
            let tail = if n.skewness.abs() > LONG_TAIL {
                " skewed"
            } else {
                ""
            };
            format!("{} {} … {}{tail}", bars(n), short(n.low), short(n.high))
        }
        Values::Words { frequent, .. } => {
            let each = frequent.iter().map(|(text, n)| match n {
                1 => cut(text, VALUES / 2),
                _ => format!("{} ×{n}", cut(text, VALUES / 2)),
            });
            cut(&each.collect::<Vec<_>>().join(", "), VALUES)
        }
    }
}

/// A histogram of one line; a part of the range without a number is blank.
fn bars(numbers: &NumberSummary) -> String {
    const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let most = numbers.bars.iter().copied().max().unwrap_or(1).max(1);
    let one = |n: &usize| match n {
        0 => ' ',
        n => HEIGHTS[(n * HEIGHTS.len()).div_ceil(most) - 1],
    };
    numbers.bars.iter().map(one).collect()
}

/// A number in few digits.
fn short(value: f64) -> String {
    let size = value.abs();
    if value.fract() == 0.0 && size < 1e7 {
        format!("{value:.0}")
    } else if (1e-3..1e7).contains(&size) {
        let decimals = (3 - size.log10().floor() as i32).max(0) as usize;
        let text = format!("{value:.decimals$}");
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text
        }
    } else {
        format!("{value:.2e}")
    }
}

/// At most so many letters, on one line.
fn cut(text: &str, most: usize) -> String {
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= most {
        return text;
    }
    let kept: String = text.chars().take(most - 1).collect();
    format!("{}…", kept.trim_end())
}
