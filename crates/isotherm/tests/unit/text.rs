//! Terms of texts, and the topics learned from them.

use crate::monitor::Quiet;
use crate::text::Topics;
use crate::text::terms::{TermKind, each_term};

fn terms(text: &str, kind: TermKind) -> Vec<u64> {
    let mut found = Vec::new();
    each_term(text, |of, hash| {
        if of == kind {
            found.push(hash);
        }
    });
    found
}

#[test]
fn words_are_compared_without_case_and_marks() {
    let words = |text| terms(text, TermKind::Word);
    assert_eq!(words("Hello, WORLD!"), words("hello world"));
    assert_eq!(words("hello world").len(), 2);
    // One letter is no word.
    assert_eq!(words("a hello b world"), words("hello world"));
    assert_ne!(words("hello world"), words("world hello"));
    // Where words are not separated, letters and pairs of letters stand for them.
    assert_eq!(words("東京都").len(), 3 + 2);
    assert_eq!(words("東京 abc").len(), 2 + 1 + 1);
    assert!(words("").is_empty() && words("!? 🙂").is_empty());
}

#[test]
fn runs_are_those_of_the_padded_word() {
    let runs = |text| terms(text, TermKind::Run);
    // " abcd " has four runs of three letters, three of four, two of five.
    assert_eq!(runs("abcd").len(), 4 + 3 + 2);
    // " ab " is one run of three letters at its start and its end, and one of four.
    assert_eq!(runs("ab").len(), 2 + 1);
    assert_eq!(runs("a").len(), 1);
}

const WORDS: [[&str; 6]; 2] = [
    ["soup", "waiter", "table", "dinner", "menu", "kitchen"],
    ["goal", "keeper", "penalty", "match", "league", "referee"],
];

/// Texts of three words of one subject each.
fn texts() -> Vec<String> {
    let word = |i: usize, k: usize| WORDS[i % 2][(i / 2 + k * (1 + i / 12)) % 6];
    (0..48)
        .map(|i| format!("{} {} {}", word(i, 0), word(i, 1), word(i, 2)))
        .collect()
}

/// The same by dense matrices: the weights by hand, the singular vectors from the
/// eigenvectors of the dense product.
fn slow(texts: &[String]) -> faer::Mat<f64> {
    let all: Vec<[Vec<u64>; 2]> = texts
        .iter()
        .map(|t| [terms(t, TermKind::Word), terms(t, TermKind::Run)])
        .collect();
    let n = texts.len() as f64;
    let mut columns: Vec<(usize, u64, f64)> = Vec::new();
    for kind in 0..2 {
        let mut known: Vec<u64> = all.iter().flat_map(|t| t[kind].clone()).collect();
        known.sort_unstable();
        known.dedup();
        for term in known {
            let df = all.iter().filter(|t| t[kind].contains(&term)).count();
            if df >= 2 + kind && df as f64 <= 0.5 * n {
                let idf = 1.0 + ((1.0 + n) / (1.0 + df as f64)).ln();
                columns.push((kind, term, idf));
            }
        }
    }
    let mut m = faer::Mat::<f64>::zeros(texts.len(), columns.len());
    for (i, text) in all.iter().enumerate() {
        for (j, (kind, term, idf)) in columns.iter().enumerate() {
            let tf = text[*kind].iter().filter(|t| *t == term).count();
            if tf > 0 {
                m[(i, j)] = (1.0 + (tf as f64).ln()) * idf;
            }
        }
        for kind in 0..2 {
            let own = |j: &usize| columns[*j].0 == kind;
            let length: f64 = (0..columns.len())
                .filter(own)
                .map(|j| m[(i, j)].powi(2))
                .sum();
            for j in (0..columns.len()).filter(own) {
                m[(i, j)] /= (2.0 * length).sqrt();
            }
        }
    }
    // Rows are compared by their products, which all singular vectors keep.
    let gram = &m * m.transpose();
    faer::Mat::from_fn(texts.len(), texts.len(), |i, j| {
        gram[(i, j)] / (gram[(i, i)] * gram[(j, j)]).sqrt()
    })
}

#[test]
fn with_all_topics_the_products_of_rows_are_those_of_their_weighted_terms() {
    let texts = texts();
    let given: Vec<&str> = texts.iter().map(String::as_str).collect();
    let topics = Topics::learn(&given, &mut Quiet).unwrap().unwrap();
    // Fewer texts than topics: nothing is cut off.
    assert!(topics.count() <= texts.len());
    let expected = slow(&texts);
    let places: Vec<Vec<f64>> = texts.iter().map(|t| topics.place(t)).collect();
    for i in 0..texts.len() {
        for j in 0..texts.len() {
            let dot: f64 = places[i].iter().zip(&places[j]).map(|(a, b)| a * b).sum();
            // The directions are kept in single precision.
            assert!((dot - expected[(i, j)]).abs() < 1e-5, "{i} {j}");
        }
    }
}

#[test]
fn topics_survive_storage_and_refuse_what_does_not_belong_together() {
    let texts = texts();
    let given: Vec<&str> = texts.iter().map(String::as_str).collect();
    let topics = Topics::learn(&given, &mut Quiet).unwrap().unwrap();
    let (terms, weights, directions) = topics.parts();
    let again = Topics::from_parts(terms.to_vec(), weights.to_vec(), directions.to_vec());
    assert_eq!(again.unwrap(), topics);
    let bad = [
        (terms[1..].to_vec(), weights.to_vec(), directions.to_vec()),
        (
            terms.to_vec(),
            vec![f64::NAN; terms.len()],
            directions.to_vec(),
        ),
        (terms.to_vec(), weights.to_vec(), directions[1..].to_vec()),
        (
            terms.iter().rev().copied().collect(),
            weights.to_vec(),
            directions.to_vec(),
        ),
        (Vec::new(), Vec::new(), Vec::new()),
    ];
    for (terms, weights, directions) in bad {
        assert!(Topics::from_parts(terms, weights, directions).is_err());
    }
    assert!(
        Topics::learn(&["one two", "three four"], &mut Quiet)
            .unwrap()
            .is_none()
    );
    assert!(Topics::learn(&[], &mut Quiet).unwrap().is_none());
}

#[test]
fn threads_do_not_change_a_bit_of_the_topics() {
    let texts = texts();
    let given: Vec<&str> = texts.iter().map(String::as_str).collect();
    let learned = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap()
            .install(|| Topics::learn(&given, &mut Quiet).unwrap())
    };
    assert_eq!(learned(1), learned(3));
}
