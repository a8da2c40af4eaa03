//! What was found, and what each column is for.

use isotherm_io::profile::ColumnProfile;
use isotherm_io::{FeatureKind, FeaturePlan};

use crate::failure::{Failure, Outcome};

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Weight {
    /// `label` would refuse.
    Error,
    /// The labels may be worse for it.
    Warning,
    /// Good to know.
    Note,
}

/// One thing that was found.
#[derive(Debug, serde::Serialize)]
pub(super) struct Finding {
    pub(super) weight: Weight,
    #[serde(rename = "name")]
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) hint: Option<String>,
}

/// What a column is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Feature,
    Label,
    Weight,
    Id,
    /// It names or numbers rows, as the words say.
    Names(&'static str),
    LeftOut(&'static str),
    /// Nothing was asked of it.
    Kept,
}

impl Role {
    pub(super) fn name(self) -> String {
        match self {
            Self::Feature => "feature".to_owned(),
            Self::Label => "label".to_owned(),
            Self::Weight => "label weight".to_owned(),
            Self::Id => "id".to_owned(),
            Self::LeftOut(why) | Self::Names(why) => format!("left out, {why}"),
            Self::Kept => "kept".to_owned(),
        }
    }
}

/// A column, what it is for, and what is made of it.
#[derive(Debug)]
pub(super) struct Described {
    pub(super) profile: ColumnProfile,
    pub(super) role: Role,
    /// What a feature is read as, and how many features it gives.
    pub(super) used: Option<(FeatureKind, usize)>,
    /// Whether a sentence model reads its texts.
    pub(super) embedded: bool,
}

/// Everything that was found, worst first.
pub(super) struct Findings {
    pub(super) columns: Vec<Described>,
    /// Lines on the labels and the graph.
    pub(super) facts: Vec<(&'static str, String)>,
    /// The same for machines.
    pub(super) values: serde_json::Map<String, serde_json::Value>,
    list: Vec<Finding>,
}

impl Findings {
    pub(super) fn new(profiles: Vec<ColumnProfile>) -> Self {
        Self {
            columns: (profiles.into_iter())
                .map(|profile| Described {
                    profile,
                    role: Role::Kept,
                    used: None,
                    embedded: false,
                })
                .collect(),
            facts: Vec::new(),
            values: serde_json::Map::new(),
            list: Vec::new(),
        }
    }

    pub(super) fn assign(&mut self, name: &str, role: Role) {
        if let Some(found) = self.columns.iter_mut().find(|c| c.profile.name == name) {
            found.role = role;
        }
    }

    /// Notes what the features are made of.
    pub(super) fn uses(&mut self, plan: &FeaturePlan) {
        for one in plan.uses() {
            let column = self
                .columns
                .iter_mut()
                .find(|c| c.profile.name == one.column);
            if let Some(column) = column {
                column.used = Some((one.kind, one.features));
                column.embedded = one.embedded;
            }
        }
    }

    /// The columns that are features.
    pub(super) fn features(&self) -> impl Iterator<Item = &ColumnProfile> {
        let features = self.columns.iter().filter(|c| c.role == Role::Feature);
        features.map(|column| &column.profile)
    }

    pub(super) fn add(
        &mut self,
        weight: Weight,
        code: &'static str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.list.push(Finding {
            weight,
            code,
            message: message.into(),
            hint: Some(hint.into()).filter(|h| !h.is_empty()),
        });
    }

    /// A refusal is a finding like any other; what was asked for then is not there.
    pub(super) fn take<T>(&mut self, outcome: Outcome<T>) -> Option<T> {
        let Failure {
            code,
            message,
            hint,
            ..
        } = match outcome {
            Ok(value) => return Some(value),
            Err(failure) => failure,
        };
        // Two steps may meet the same trouble; cells are counted already, with every place.
        let told = self
            .list
            .iter()
            .any(|f| f.code == code && f.message == message);
        if !(told || code == "cell" && self.has("cell")) {
            self.add(Weight::Error, code, message, hint.unwrap_or_default());
        }
        None
    }

    fn has(&self, code: &str) -> bool {
        self.list.iter().any(|f| f.code == code)
    }

    /// Everything, errors first, each weight in the order it was found.
    pub(super) fn sorted(&self) -> Vec<&Finding> {
        let mut all: Vec<&Finding> = self.list.iter().collect();
        all.sort_by_key(|f| f.weight);
        all
    }

    /// Whether `label` would refuse.
    pub(super) fn hopeless(&self) -> bool {
        self.list.iter().any(|f| f.weight == Weight::Error)
    }
}
