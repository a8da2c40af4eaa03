//! What a column is read as.

/// What a column is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeatureKind {
    /// Numbers.
    Number,
    /// Values without an order, up to 1,000 of them.
    Category,
    /// Running text.
    Text,
    /// Dates, or times of day.
    Date,
    /// Paths to pictures.
    Picture,
    /// Lists of numbers.
    List,
    /// Names of rows.
    Identifier,
    /// Nothing to learn from.
    Nothing,
}

impl FeatureKind {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Number,
        Self::Category,
        Self::Text,
        Self::Date,
        Self::Picture,
        Self::List,
        Self::Identifier,
        Self::Nothing,
    ];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Category => "category",
            Self::Text => "text",
            Self::Date => "date",
            Self::Picture => "picture",
            Self::List => "list",
            Self::Identifier => "identifier",
            Self::Nothing => "nothing",
        }
    }
}

impl std::str::FromStr for FeatureKind {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let named = |kind: &Self| kind.name() == word;
        Self::ALL.into_iter().find(named).ok_or_else(|| {
            let names = Self::ALL.map(Self::name);
            format!(
                "\"{word}\" is no kind of column; the kinds are {}",
                names.join(", ")
            )
        })
    }
}
