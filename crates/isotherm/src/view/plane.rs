//! A place in the plane for every sample: what a map is drawn on.

/// What is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaneOptions {
    /// Samples shown at most; beyond them labelled ones first, the rest drawn at random.
    pub samples: usize,
    /// Functions to return beside the coordinates, those included.
    pub modes: usize,
    /// Whether a map marks labels that the others contradict, which costs as much as
    /// leave-one-out.
    pub doubt: bool,
}

impl Default for PlaneOptions {
    /// 4000 samples, two functions, doubted labels marked.
    fn default() -> Self {
        Self {
            samples: 4000,
            modes: 2,
            doubt: true,
        }
    }
}

/// What the coordinates are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlaneKind {
    /// The smoothest functions of the base the method uses.
    Modes,
    /// The same on the largest component; samples outside it are placed below.
    LargestComponent,
    /// The two leading principal components of the scaled columns.
    PrincipalComponents,
}

/// Samples in the plane. Every list has one entry a sample shown.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Plane {
    /// The samples shown, ascending.
    pub samples: Vec<usize>,
    /// Samples there are.
    pub total: usize,
    /// What the coordinates are.
    pub kind: PlaneKind,
    /// The same in words, with the reason where it is not the first choice.
    pub how: String,
    /// What each coordinate is.
    pub axes: [String; 2],
    /// Coordinates.
    pub positions: Vec<[f64; 2]>,
    /// Whether the sample lies outside the component the coordinates are of, so that its place
    /// means nothing.
    pub aside: Vec<bool>,
    /// The smoothest functions, where there are some: as many as were asked for, or fewer.
    pub modes: Vec<PlaneMode>,
}

/// A function on the samples shown.
#[derive(Debug, Clone, serde::Serialize)]
pub struct PlaneMode {
    /// λ.
    pub eigenvalue: f64,
    /// Its values, of mean square 1 over the samples it was found on; 0 outside their component.
    pub values: Vec<f64>,
}
