//! Names made short: the middle goes, since beginnings and ends tell names apart.

use std::collections::{BTreeMap, BTreeSet};

/// At most so many letters: the beginning, a mark and the end.
pub(crate) fn middle(name: &str, letters: usize) -> String {
    let letters = letters.max(3);
    let all: Vec<char> = name.chars().take(letters + 1).collect();
    if all.len() <= letters {
        return name.to_owned();
    }
    let end = (letters - 1) / 2;
    let begin = letters - 1 - end;
    let mut last: Vec<char> = name.chars().rev().take(end).collect();
    last.reverse();
    all[..begin]
        .iter()
        .chain(['…'].iter())
        .chain(&last)
        .collect()
}

/// The same for names that stand beside each other: short ones stay different. Where beginnings
/// and ends agree, the part in which the names differ is shown, or a number.
pub(crate) fn distinct(names: &[String], letters: usize) -> Vec<String> {
    let letters = letters.max(8);
    let mut out: Vec<String> = names.iter().map(|n| middle(n, letters)).collect();
    for group in alike(&out) {
        let shared = shared(&group, names);
        for &k in &group {
            out[k] = around(&names[k], shared, letters);
        }
    }
    for group in alike(&out) {
        for (n, &k) in group.iter().enumerate() {
            let number = format!(" ({})", n + 1);
            let room = letters.saturating_sub(number.chars().count());
            out[k] = format!("{}{number}", middle(&names[k], room));
        }
    }
    out
}

/// Positions of equal texts, where there are two and more.
fn alike(texts: &[String]) -> Vec<Vec<usize>> {
    let mut at: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (k, text) in texts.iter().enumerate() {
        at.entry(text).or_default().push(k);
    }
    at.into_values().filter(|all| all.len() > 1).collect()
}

/// Letters that all names of a group begin with.
fn shared(group: &[usize], names: &[String]) -> usize {
    let mut place = 0;
    let each = || group.iter().map(|&k| names[k].chars());
    let mut letters: Vec<_> = each().collect();
    loop {
        let now: BTreeSet<Option<char>> = letters.iter_mut().map(Iterator::next).collect();
        match now.len() {
            1 if !now.contains(&None) => place += 1,
            _ => return place,
        }
    }
}

/// The first letters and those about a place.
fn around(name: &str, place: usize, letters: usize) -> String {
    let all: Vec<char> = name.chars().collect();
    if all.len() <= letters {
        return name.to_owned();
    }
    // A few letters before the place lead to it.
    let first = letters / 3;
    let from = place
        .saturating_sub(letters / 6)
        .max(first + 1)
        .min(all.len());
    let room = letters - first - 1;
    let rest = &all[from..];
    let mut out: Vec<char> = all[..first].to_vec();
    out.push('…');
    if rest.len() <= room {
        out.extend(rest);
    } else {
        out.extend(&rest[..room - 1]);
        out.push('…');
    }
    out.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(names: &[&str]) -> Vec<String> {
        names.iter().map(|n| (*n).to_owned()).collect()
    }

    #[test]
    fn a_name_keeps_its_beginning_and_its_end() {
        assert_eq!(middle("Department of Health", 20), "Department of Health");
        assert_eq!(middle("Department of Health", 9), "Depa…alth");
        assert_eq!(middle("ψ👍ж", 3), "ψ👍ж");
    }

    #[test]
    fn short_names_stay_different() {
        let long =
            |n: usize| format!("Department of long names number {n:02}, subsection of others");
        for letters in [12, 14, 18, 40, 60] {
            let names: Vec<String> = (0..40).map(long).collect();
            let short = distinct(&names, letters);
            assert_eq!(short.iter().collect::<BTreeSet<_>>().len(), 40, "{short:?}");
            assert!(
                short.iter().all(|s| s.chars().count() <= letters),
                "{short:?}"
            );
        }
        let short = distinct(
            &owned(&["Department of Health", "Department of Wealth"]),
            12,
        );
        assert_eq!(short, ["Depa…f Heal…", "Depa…f Weal…"]);
    }
}
