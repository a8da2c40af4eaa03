//! The terms of a text: its words, and runs of three to five letters inside them.

use crate::data::fingerprint::Fingerprint;

/// Lengths of the runs of letters.
const RUNS: std::ops::RangeInclusive<usize> = 3..=5;

/// Longest word that is looked at, in letters: what is longer is no word.
const LONGEST: usize = 64;

/// Which of the two kinds a term is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TermKind {
    /// A word.
    Word,
    /// A run of letters, a space standing for the end of a word.
    Run,
}

/// A term as a hash of 64 bits: the same on every machine, and different for words and runs.
pub(crate) type TermHash = u64;

/// Calls `take` with every term of a text, as often as it occurs.
///
/// Letters are compared in lower case. A word is a run of at least two letters and digits. In
/// scripts that put no spaces between words, every letter and every pair of letters is a word.
pub(crate) fn each_term(text: &str, mut take: impl FnMut(TermKind, TermHash)) {
    let mut word: Vec<char> = Vec::new();
    for piece in text.split(|c: char| !c.is_alphanumeric()) {
        if piece.is_empty() {
            continue;
        }
        word.clear();
        word.extend(piece.chars().flat_map(char::to_lowercase));
        for part in word.chunk_by(|a, b| is_unspaced(*a) == is_unspaced(*b)) {
            if part.first().is_some_and(|c| is_unspaced(*c)) {
                for letters in part.windows(1).chain(part.windows(2)) {
                    take(TermKind::Word, hash("word", letters));
                }
            } else if part.len() <= LONGEST {
                one_word(part, &mut take);
            }
        }
    }
}

fn one_word(word: &[char], take: &mut impl FnMut(TermKind, TermHash)) {
    if word.len() >= 2 {
        take(TermKind::Word, hash("word", word));
    }
    let mut padded = Vec::with_capacity(word.len() + 2);
    padded.push(' ');
    padded.extend_from_slice(word);
    padded.push(' ');
    for length in RUNS {
        if padded.len() <= length {
            take(TermKind::Run, hash("run", &padded));
            return;
        }
        for letters in padded.windows(length) {
            take(TermKind::Run, hash("run", letters));
        }
    }
}

fn hash(kind: &str, letters: &[char]) -> TermHash {
    let start = Fingerprint::new(kind);
    let each = |hash: Fingerprint, c: &char| hash.number(u64::from(u32::from(*c)));
    letters.iter().fold(start, each).value()
}

/// Whether a letter belongs to a script that puts no spaces between words.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c),
        0x0E00..=0x0EFF      // Thai, Lao
        | 0x1000..=0x109F    // Burmese
        | 0x1780..=0x17FF    // Khmer
        | 0x3040..=0x30FF    // Hiragana, Katakana
        | 0x3400..=0x4DBF    // Chinese characters
        | 0x4E00..=0x9FFF
        | 0xF900..=0xFAFF
        | 0x20000..=0x323AF)
}
