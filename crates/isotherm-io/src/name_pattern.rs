//! Column names and patterns of them: `*` stands for any text.

/// Whether a column's name is this name, or matches this pattern.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    pattern == name || pattern.contains('*') && glob(pattern, name)
}

/// Whether `text` matches a pattern in which `*` is any text: the pieces
/// between the stars must follow each other, the outer ones at the ends.
fn glob(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let Some(last) = pieces.next_back() else {
        return rest.is_empty();
    };
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}
