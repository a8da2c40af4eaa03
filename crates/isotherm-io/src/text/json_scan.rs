//! What a parser of JSON does not tell: the digits of long integers, and words that only
//! look like JSON.

/// Digits of the shortest integer that may not fit 63 bits.
const LONG: usize = 19;

/// The values of an object in their order: its text for an integer so long that it may not
/// fit 63 bits, `None` for any other. Nothing when there is no such integer.
///
/// Cost: one look at the line where it has no long run of digits.
pub(crate) fn long_integers(line: &str) -> Vec<Option<&str>> {
    let mut found = Vec::new();
    if !has_long_run(line.as_bytes()) {
        return found;
    }
    let mut depth = 0usize;
    let mut tokens = Tokens::new(line);
    while let Some((at, byte)) = tokens.next_outside_texts() {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b':' if depth == 1 => found.push(integer_at(line, at + 1)),
            _ => {}
        }
    }
    found
}

/// A word such as Python's bare `NaN`, which is not JSON, and where it begins.
pub(crate) fn bare_word(line: &str) -> Option<(&str, usize)> {
    let mut tokens = Tokens::new(line);
    while let Some((at, _)) = tokens.next_outside_texts() {
        let rest = &line.as_bytes()[at..];
        for word in ["NaN", "-Infinity", "Infinity", "None", "True", "False"] {
            if rest.starts_with(word.as_bytes()) {
                return Some((&line[at..at + word.len()], at));
            }
        }
    }
    None
}

fn has_long_run(line: &[u8]) -> bool {
    let mut run = 0;
    line.iter().any(|byte| {
        run = if byte.is_ascii_digit() { run + 1 } else { 0 };
        run >= LONG
    })
}

fn integer_at(line: &str, from: usize) -> Option<&str> {
    let rest = line.get(from..)?.trim_start();
    let end = rest.find([',', '}', ' ', '\t', '\r', '\n']);
    let text = &rest[..end.unwrap_or(rest.len())];
    let digits = text.strip_prefix('-').unwrap_or(text);
    let long = digits.len() >= LONG && digits.bytes().all(|b| b.is_ascii_digit());
    long.then_some(text)
}

/// The bytes of a line, without what stands between quotes.
struct Tokens<'a> {
    bytes: std::iter::Enumerate<std::slice::Iter<'a, u8>>,
}

impl<'a> Tokens<'a> {
    fn new(line: &'a str) -> Self {
        Self {
            bytes: line.as_bytes().iter().enumerate(),
        }
    }

    fn next_outside_texts(&mut self) -> Option<(usize, u8)> {
        loop {
            match self.bytes.next()? {
                (_, b'"') => self.skip_text()?,
                (at, byte) => return Some((at, *byte)),
            }
        }
    }

    fn skip_text(&mut self) -> Option<()> {
        loop {
            match self.bytes.next()?.1 {
                b'\\' => {
                    self.bytes.next()?;
                }
                b'"' => return Some(()),
                _ => {}
            }
        }
    }
}
