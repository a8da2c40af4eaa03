//! Which classes are one but for the spelling, and into which they are merged.

use std::collections::BTreeMap;

use isotherm_io::labels::spellings::{rename, spellings};
use proptest::prelude::*;

fn counted(labels: &[&str]) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    labels
        .iter()
        .for_each(|l| *counts.entry(l).or_default() += 1);
    let owned = counts.into_iter().map(|(l, n)| (l.to_owned(), n));
    owned.collect()
}

fn merged(labels: &[&str], grades: &[&str]) -> Vec<(String, String)> {
    let grades: Vec<String> = grades.iter().map(|&g| g.to_owned()).collect();
    let pairs = spellings(&counted(labels), &grades);
    pairs.into_iter().map(|p| (p.odd.0, p.usual.0)).collect()
}

fn pair(odd: &str, usual: &str) -> (String, String) {
    (odd.to_owned(), usual.to_owned())
}

#[test]
fn the_most_frequent_spelling_stays() {
    let found = merged(
        &["Low", "low", "low", "LOW ", "high", "setosa", "setsoa"],
        &[],
    );
    assert_eq!(found, [pair("LOW ", "low"), pair("Low", "low")]);
    assert_eq!(merged(&["1", "1.0", "1.0", "2"], &[]), [pair("1", "1.0")]);
}

#[test]
fn a_spelling_among_the_grades_stays_and_two_of_them_are_two() {
    let labels = ["Low", "low", "low", "high"];
    assert_eq!(merged(&labels, &["Low", "high"]), [pair("low", "Low")]);
    assert_eq!(merged(&labels, &["Low", "low", "high"]), []);
}

#[test]
fn a_name_that_was_given_is_not_looked_up_again() {
    let swap = [("u", "v"), ("v", "u")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    let mut labels = [Some("u".to_owned()), None, Some("v".to_owned())];
    rename(&mut labels, &swap.into());
    assert_eq!(labels, [Some("v".to_owned()), None, Some("u".to_owned())]);
}

proptest! {
    /// After merging, no two labels are equal without spaces and letter case, and two labels
    /// are merged only if they were.
    #[test]
    fn merging_is_folding(labels in prop::collection::vec("[abAB ]{0,2}[abAB]", 0..40)) {
        let folded = |l: &str| l.replace(' ', "").to_lowercase();
        let texts: Vec<&str> = labels.iter().map(String::as_str).collect();
        let renames = merged(&texts, &[]).into_iter().collect();
        let mut cells: Vec<Option<String>> = labels.iter().cloned().map(Some).collect();
        rename(&mut cells, &renames);
        let names: Vec<&String> = cells.iter().flatten().collect();
        for (i, a) in labels.iter().enumerate() {
            for (j, b) in labels.iter().enumerate() {
                prop_assert_eq!(folded(a) == folded(b), names[i] == names[j]);
            }
        }
    }
}
