//! "Did you mean": the closest of the names there are.

/// Names longer than this are not compared: the distance is quadratic.
const LONGEST: usize = 64;

/// The closest candidate, if it differs by letter case only or by at most a
/// third of its letters (insert, delete, replace, swap neighbours).
pub fn closest_name<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    let wanted: Vec<char> = name.trim().to_lowercase().chars().collect();
    if wanted.is_empty() || wanted.len() > LONGEST {
        return None;
    }
    let allowed = (wanted.len() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate.len() > 4 * LONGEST {
            continue;
        }
        let have: Vec<char> = candidate.trim().to_lowercase().chars().collect();
        if have.len().abs_diff(wanted.len()) > allowed {
            continue;
        }
        let d = distance(&wanted, &have);
        if d <= allowed && d < wanted.len() && best.is_none_or(|(b, _)| d < b) {
            best = Some((d, candidate));
        }
    }
    best.map(|(_, name)| name.to_owned())
}

/// Edit distance with swaps of neighbours (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (last[j - 1] + change).min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}
