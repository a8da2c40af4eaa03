//! Which columns are features.

use crate::error::{ColumnProblem, Error, Result};
use crate::near::near;
use crate::table::Table;

/// A choice of columns by name or pattern; `*` in a pattern stands for any
/// text, and a column named exactly like the pattern wins over it.
///
/// ```
/// use isotherm_io::Features;
/// let all_but_two = Features::numeric().except("id").except("species");
/// let some = Features::named(["age", "emb_*"]);
/// # let _ = (all_but_two, some);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Features {
    include: Vec<String>,
    exclude: Vec<String>,
}

impl Features {
    /// All numeric columns ([`Table::is_numeric`]), in the file's order.
    pub fn numeric() -> Self {
        Self::default()
    }

    /// The columns of these names or patterns, in the order given, each once.
    pub fn named<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Self {
        Self {
            include: names.into_iter().map(Into::into).collect(),
            exclude: Vec::new(),
        }
    }

    /// Leaves out a column, or all that a pattern matches.
    #[must_use]
    pub fn except(mut self, name: impl Into<String>) -> Self {
        self.exclude.push(name.into());
        self
    }

    /// Positions of the chosen columns.
    ///
    /// # Errors
    /// [`Error::Column`] when a name or pattern matches nothing.
    pub fn resolve(&self, table: &Table) -> Result<Vec<usize>> {
        let columns = table.columns();
        let mut excluded = vec![false; columns.len()];
        for pattern in &self.exclude {
            for at in matching(table, pattern)? {
                excluded[at] = true;
            }
        }
        let mut chosen = Vec::new();
        if self.include.is_empty() {
            chosen
                .extend((0..columns.len()).filter(|&at| !excluded[at] && table.is_numeric_at(at)));
            return Ok(chosen);
        }
        for pattern in &self.include {
            for at in matching(table, pattern)? {
                if !excluded[at] {
                    excluded[at] = true; // once is enough
                    chosen.push(at);
                }
            }
        }
        Ok(chosen)
    }
}

fn matching(table: &Table, pattern: &str) -> Result<Vec<usize>> {
    let columns = table.columns();
    if let Some(at) = columns.iter().position(|c| c.name == pattern) {
        return Ok(vec![at]);
    }
    let found: Vec<usize> = match pattern.contains('*') {
        true => (0..columns.len())
            .filter(|&at| glob(pattern, &columns[at].name))
            .collect(),
        false => Vec::new(),
    };
    if found.is_empty() {
        return Err(Error::Column {
            path: table.origin().path.clone(),
            name: pattern.to_owned(),
            problem: ColumnProblem::Missing {
                near: near(pattern, columns.iter().map(|c| c.name.as_str())),
            },
            columns: table.names(),
        });
    }
    Ok(found)
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
