//! Whether the inputs of a run are still what they were, and in which directory.

use std::path::{Path, PathBuf};

use isotherm_io::{Error, FileHash, Provenance};

use crate::failure::{Failure, Outcome};

/// A directory to run in, and what is not as it was there.
pub(crate) struct Place {
    pub(crate) directory: PathBuf,
    pub(crate) notes: Vec<String>,
}

/// Directories that relative paths may mean, best first: the one we are in, the
/// result's own, and the one from which the result has the name it was given.
pub(crate) fn places(result: &Path, given: Option<&Path>) -> Outcome<Vec<PathBuf>> {
    let here =
        std::env::current_dir().map_err(|e| Failure::from(Error::io(Path::new("."), "find", e)))?;
    let mut all = vec![here];
    all.extend(result.parent().map(Path::to_owned));
    if let Some(given) = given.filter(|g| g.is_relative() && result.ends_with(g)) {
        let above = result.ancestors().nth(given.components().count());
        all.extend(above.map(Path::to_owned));
    }
    let mut places: Vec<PathBuf> = Vec::new();
    for place in all {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    Ok(places)
}

/// The first directory in which every input is what it was; with `anyway`, the
/// one where most is.
///
/// # Errors
/// The input that is missing, another, or was read from standard input.
pub(crate) fn choose(provenance: &Provenance, places: &[PathBuf], anyway: bool) -> Outcome<Place> {
    let mut best: Option<(usize, &PathBuf, Vec<Trouble>)> = None;
    for place in places {
        let troubles: Vec<Trouble> = (provenance.inputs.iter())
            .filter_map(|input| trouble(place, input))
            .collect();
        let weight = troubles.iter().map(Trouble::weight).sum();
        if best.as_ref().is_none_or(|(least, ..)| weight < *least) {
            best = Some((weight, place, troubles));
        }
    }
    let Some((_, place, troubles)) = best else {
        let problem = "there is no directory to run in";
        return Err(Failure::refused("rerun-input", problem, "change into one"));
    };
    match troubles.first() {
        Some(first) if !anyway => Err(Failure::refused(
            "rerun-input",
            first.told(),
            first.way_out(),
        )),
        _ => Ok(Place {
            directory: place.clone(),
            notes: troubles.iter().map(Trouble::told).collect(),
        }),
    }
}

/// An input that is not as it was.
pub(crate) enum Trouble {
    Stream,
    Missing {
        path: String,
        why: String,
    },
    Another {
        path: String,
        was: String,
        is: String,
    },
    New {
        path: String,
    },
    Unread {
        path: String,
    },
}

impl Trouble {
    /// A file that is not there is worse than one that is another.
    fn weight(&self) -> usize {
        match self {
            Self::Stream => 0,
            Self::Another { .. } => 1,
            Self::Missing { .. } | Self::New { .. } | Self::Unread { .. } => 1000,
        }
    }

    pub(crate) fn told(&self) -> String {
        match self {
            Self::Stream => "it was made from standard input, which was not kept".to_owned(),
            Self::Missing { path, why } => format!("the input {path} cannot be read: {why}"),
            Self::Another { path, was, is } => {
                format!("the input {path} is not what it was: its SHA-256 was {was}, and is {is}")
            }
            Self::New { path } => {
                format!("the command reads {path}, which it did not read when the result was made")
            }
            Self::Unread { path } => {
                format!("the command does not read {path}, which it read when the result was made")
            }
        }
    }

    pub(crate) fn way_out(&self) -> &'static str {
        match self {
            Self::Stream => "pass --anyway and give the same bytes on standard input",
            Self::Missing { .. } => "run it in the directory where the command was run",
            Self::Another { .. } => {
                "bring the old file back, or pass --anyway to run with the one that is there"
            }
            Self::New { .. } => "move it away, or pass --anyway to run with it",
            Self::Unread { .. } => "move it back, or pass --anyway to run without it",
        }
    }
}

/// Inputs that a pattern or a directory stands for now and did not then, and, after a `whole`
/// run, those that it stood for then.
pub(crate) fn strangers(provenance: &Provenance, read: &[PathBuf], whole: bool) -> Vec<Trouble> {
    let read: Vec<String> = (read.iter())
        .map(|path| path.to_string_lossy().into_owned())
        .collect();
    let known = |path: &&String| provenance.inputs.iter().any(|input| input.path == **path);
    let added = read.iter().filter(|path| !known(path));
    let gone = (provenance.inputs.iter())
        .map(|input| &input.path)
        .filter(|path| whole && !read.contains(path));
    added
        .map(|path| Trouble::New { path: path.clone() })
        .chain(gone.map(|path| Trouble::Unread { path: path.clone() }))
        .collect()
}

fn trouble(place: &Path, input: &FileHash) -> Option<Trouble> {
    if input.path == "-" {
        return Some(Trouble::Stream);
    }
    let path = input.path.clone();
    let Some(was) = input.sha256.clone() else {
        let why = "its bytes were not known then".to_owned();
        return Some(Trouble::Missing { path, why });
    };
    match FileHash::of(&place.join(&path)) {
        Ok(now) if now.sha256.as_ref() == Some(&was) => None,
        Ok(now) => {
            let is = now.sha256.unwrap_or_default();
            Some(Trouble::Another { path, was, is })
        }
        Err(Error::Io { source, .. }) => Some(Trouble::Missing {
            path,
            why: source.to_string(),
        }),
        Err(other) => Some(Trouble::Missing {
            path,
            why: other.to_string(),
        }),
    }
}
