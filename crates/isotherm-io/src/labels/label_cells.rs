//! Cells of a label column that are more than a class or a number.
//!
//! | labels | cell | |
//! |---|---|---|
//! | tags | `red;round`, `red;?round`, `;` | any number of them; `?` marks one as unknown, `;` alone is none |
//! | rankings | `tea>milk=juice>water` | first the most preferred, `=` tied, an item may be left out |
//! | shares | `tea:0.7;milk:0.3` | of classes, summing to one |
//! | numbers | `1.5;2;-3` | as many in every row |
//! | candidate sets | `tea\|milk` | one of them is right |
//! | ranges | `2..5`, `3..`, `..4`, `7` | between, at least, at most, exactly |
//!
//! A blank cell is no label. Names are taken without the white space around them; they
//! are numbered in sorted order, as classes are.

use isotherm::data::Targets;
use isotherm::error::Reason;
use isotherm::{Error, Result};

type Cells<'a> = &'a [Option<String>];

fn refuse<T>(sample: usize, reason: impl Into<Reason>) -> Result<T> {
    Err(Error::Label {
        sample,
        reason: reason.into(),
    })
}

/// Parses every cell that is there.
fn each<T>(cells: Cells<'_>, parse: impl Fn(usize, &str) -> Result<T>) -> Result<Vec<Option<T>>> {
    let one = |(i, cell): (usize, &Option<String>)| cell.as_ref().map(|c| parse(i, c)).transpose();
    cells.iter().enumerate().map(one).collect()
}

/// Names in the order of classes, and the number of each.
fn numbered<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let all: Vec<Option<&str>> = names.map(Some).collect();
    Targets::from_names(&all).names().to_vec()
}

fn number_of(names: &[String], name: &str) -> u32 {
    let found = names.iter().position(|n| n == name).unwrap_or(0);
    u32::try_from(found).unwrap_or(u32::MAX)
}

/// `red;round`: the tags a row has; `?round` is not known, a row without any is `;`.
///
/// ```
/// use isotherm::data::Targets;
/// let cells = ["red;round", ";", "?round"].map(|c| Some(c.to_owned()));
/// let Targets::Flags { labels, names } = isotherm_io::label_cells::tags(&cells)? else {
///     unreachable!()
/// };
/// assert_eq!(names, ["red", "round"]);
/// assert_eq!(labels[1], Some(vec![Some(false), Some(false)]));
/// assert_eq!(labels[2], Some(vec![Some(false), None]));
/// # Ok::<(), isotherm::Error>(())
/// ```
///
/// # Errors
/// [`Error::Label`] for a tag that stands twice or is only a mark.
pub fn tags(cells: Cells<'_>) -> Result<Targets> {
    let parsed = each(cells, |i, cell| {
        let mut found: Vec<(String, bool)> = Vec::new();
        for part in cell.split(';').map(str::trim).filter(|p| !p.is_empty()) {
            let (name, sure) = match part.strip_prefix('?') {
                Some(rest) => (rest.trim(), false),
                None => (part, true),
            };
            if name.is_empty() {
                return refuse(
                    i,
                    isotherm::error::Reason::new(
                        format!("\"{cell}\" has a ? without a tag"),
                        "name the tag",
                    ),
                );
            }
            if found.iter().any(|(n, _)| n == name) {
                return refuse(
                    i,
                    isotherm::error::Reason::new(
                        format!("the tag \"{name}\" stands twice"),
                        "name it once",
                    ),
                );
            }
            found.push((name.to_owned(), sure));
        }
        Ok(found)
    })?;
    let names = numbered(parsed.iter().flatten().flatten().map(|(n, _)| n.as_str()));
    let row = |found: &Vec<(String, bool)>| {
        let flag = |name: &String| match found.iter().find(|(n, _)| n == name) {
            None => Some(false),
            Some((_, true)) => Some(true),
            Some((_, false)) => None,
        };
        names.iter().map(flag).collect()
    };
    let labels = parsed.iter().map(|p| p.as_ref().map(row)).collect();
    Ok(Targets::Flags { labels, names })
}

/// `tea>milk=juice>water`.
///
/// # Errors
/// [`Error::Label`] for an empty place or an item that stands twice.
pub fn orders(cells: Cells<'_>) -> Result<Targets> {
    let parsed = each(cells, |i, cell| {
        let mut groups: Vec<Vec<String>> = Vec::new();
        for group in cell.split('>') {
            let items: Vec<String> = group.split('=').map(|s| s.trim().to_owned()).collect();
            if items.iter().any(String::is_empty) {
                return refuse(
                    i,
                    isotherm::error::Reason::new(
                        format!("\"{cell}\" has an empty place"),
                        "write a>b=c",
                    ),
                );
            }
            for (k, item) in items.iter().enumerate() {
                if items[..k].contains(item) || groups.iter().any(|g| g.contains(item)) {
                    return refuse(
                        i,
                        isotherm::error::Reason::new(
                            format!("\"{item}\" stands twice"),
                            "name an item once",
                        ),
                    );
                }
            }
            groups.push(items);
        }
        Ok(groups)
    })?;
    let items = parsed.iter().flatten().flatten().flatten();
    let names = numbered(items.map(String::as_str));
    let row = |groups: &Vec<Vec<String>>| {
        let group = |g: &Vec<String>| g.iter().map(|item| number_of(&names, item)).collect();
        groups.iter().map(group).collect()
    };
    let labels = parsed.iter().map(|p| p.as_ref().map(row)).collect();
    Ok(Targets::Orders { labels, names })
}

/// `tea:0.7;milk:0.3`; classes that are left out have no share.
///
/// # Errors
/// [`Error::Label`] for a share that is not a number or a class that stands twice; that
/// shares sum to one is checked where they are used.
pub fn shares(cells: Cells<'_>) -> Result<Targets> {
    let parsed = each(cells, |i, cell| {
        let mut found: Vec<(String, f64)> = Vec::new();
        for part in cell.split(';').map(str::trim).filter(|p| !p.is_empty()) {
            let Some((name, share)) = part.rsplit_once(':') else {
                return refuse(
                    i,
                    isotherm::error::Reason::new(
                        format!("\"{part}\" has no share"),
                        "write tea:0.7;milk:0.3",
                    ),
                );
            };
            let Ok(share) = share.trim().parse::<f64>() else {
                return refuse(
                    i,
                    isotherm::error::Reason::new(
                        format!("\"{share}\" is not a number"),
                        "write tea:0.7",
                    ),
                );
            };
            let name = name.trim();
            if found.iter().any(|(n, _)| n == name) {
                return refuse(
                    i,
                    isotherm::error::Reason::new(
                        format!("\"{name}\" stands twice"),
                        "give it one share",
                    ),
                );
            }
            found.push((name.to_owned(), share));
        }
        Ok(found)
    })?;
    let names = numbered(parsed.iter().flatten().flatten().map(|(n, _)| n.as_str()));
    let row = |found: &Vec<(String, f64)>| {
        let share = |name: &String| {
            found
                .iter()
                .find(|(n, _)| n == name)
                .map_or(0.0, |(_, s)| *s)
        };
        names.iter().map(share).collect()
    };
    let labels = parsed.iter().map(|p| p.as_ref().map(row)).collect();
    Ok(Targets::Shares { labels, names })
}

/// `1.5;2;-3`, as many in every row.
///
/// # Errors
/// [`Error::Label`] for what is not a number, or a row with more or fewer than the first.
pub fn numbers(cells: Cells<'_>) -> Result<Targets> {
    let labels = each(cells, |i, cell| {
        cell.split(';')
            .map(|part| match part.trim().parse::<f64>() {
                Ok(v) if v.is_finite() => Ok(v),
                _ => refuse(
                    i,
                    isotherm::error::Reason::new(
                        format!("\"{part}\" is not a number"),
                        "write 1.5;2;-3",
                    ),
                ),
            })
            .collect::<Result<Vec<f64>>>()
    })?;
    let width = labels.iter().flatten().next().map_or(0, Vec::len);
    for (i, row) in labels.iter().enumerate() {
        if let Some(row) = row.as_ref().filter(|row| row.len() != width) {
            let got = row.len();
            return refuse(
                i,
                isotherm::error::Reason::new(
                    format!("it has {got} numbers where the first has {width}"),
                    "give as many in every row",
                ),
            );
        }
    }
    let names = (1..=width).map(|k| format!("value_{k}")).collect();
    Ok(Targets::Numbers { labels, names })
}

/// `tea|milk`: classes of which one is right.
///
/// # Errors
/// [`Error::Label`] for a set without a class.
pub fn sets(cells: Cells<'_>) -> Result<Targets> {
    let parsed = each(cells, |i, cell| {
        let set: Vec<String> = (cell.split('|').map(str::trim))
            .filter(|c| !c.is_empty())
            .map(str::to_owned)
            .collect();
        if set.is_empty() {
            refuse(
                i,
                isotherm::error::Reason::new(
                    format!("\"{cell}\" is an empty set"),
                    "leave the cell blank, or name the classes it may be",
                ),
            )
        } else {
            Ok(set)
        }
    })?;
    let names = numbered(parsed.iter().flatten().flatten().map(String::as_str));
    let row = |set: &Vec<String>| set.iter().map(|c| number_of(&names, c)).collect();
    let labels = parsed.iter().map(|p| p.as_ref().map(row)).collect();
    Ok(Targets::Sets { labels, names })
}

/// `2..5`, `3..`, `..4` or `7`.
///
/// # Errors
/// [`Error::Label`] for ends that are not numbers; that the lower is below the upper is
/// checked where they are used.
pub fn ranges(cells: Cells<'_>) -> Result<Targets> {
    let ranges = each(cells, |i, cell| {
        let number = |text: &str, open: f64| match (text.trim(), text.trim().parse::<f64>()) {
            ("", _) => Ok(open),
            (_, Ok(v)) if !v.is_nan() => Ok(v),
            (text, _) => refuse(
                i,
                isotherm::error::Reason::new(
                    format!("\"{text}\" is not a number"),
                    "write 2..5, 3.. or ..4",
                ),
            ),
        };
        match cell.split_once("..") {
            Some((low, high)) => Ok((
                number(low, f64::NEG_INFINITY)?,
                number(high, f64::INFINITY)?,
            )),
            None => {
                let value = number(cell, f64::NAN)?;
                Ok((value, value))
            }
        }
    })?;
    Ok(Targets::Ranges(ranges))
}
