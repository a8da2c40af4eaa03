//! What is predicted, and how a column of labels tells.

/// What is predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// One of several classes.
    Classify,
    /// A real number.
    Regress,
    /// One of several classes that have an order, such as grades.
    Ordinal,
    /// Any number of tags.
    Tags,
    /// An order of items.
    Rank,
    /// Shares of classes, summing to one.
    Shares,
    /// Several real numbers.
    Numbers,
}

impl Task {
    /// Its name as the user spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Classify => "classify",
            Self::Regress => "regress",
            Self::Ordinal => "ordinal",
            Self::Tags => "tags",
            Self::Rank => "rank",
            Self::Shares => "shares",
            Self::Numbers => "numbers",
        }
    }

    /// Whether it predicts numbers, which have no natural scale of their own.
    pub fn is_numeric(self) -> bool {
        matches!(self, Self::Regress | Self::Numbers)
    }
}

/// What a column of labels is: numbers when every label is one and some are not
/// whole, or there are more than 30 different ones;
/// classes otherwise.
pub fn guess_task<S: AsRef<str>>(labels: &[Option<S>]) -> Task {
    let known = labels.iter().flatten().map(|l| l.as_ref().trim());
    let numbers: Option<Vec<f64>> = known.map(|l| l.parse::<f64>().ok()).collect();
    let Some(mut numbers) = numbers else {
        return Task::Classify;
    };
    let broken = numbers.iter().any(|v| v.fract() != 0.0);
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    if broken || numbers.len() > MOST_NUMBERED_CLASSES {
        Task::Regress
    } else {
        Task::Classify
    }
}

/// More different whole numbers than this are taken as values, not classes.
pub(crate) const MOST_NUMBERED_CLASSES: usize = 30;
