//! Why data cannot be learned from: one value for each reason.

macro_rules! refusals {
    ($($variant:ident $name:literal $doc:literal)*) => {
        /// Why data cannot be learned from, whatever the parameters.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Refusal {
            $(#[doc = $doc] $variant,)*
        }

        impl Refusal {
            /// Every reason there is.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The stable word for it, lower case with hyphens.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

#[rustfmt::skip]
refusals! {
    Data "data" "Data that cannot be learned from, where nothing else here says more."
    NoFeatures "no-features" "No column is left to learn from."
    AllEqual "all-equal" "All rows are equal."
    TooFewRows "too-few-rows" "Too few rows to learn from."
    Changed "changed" "The rows changed while they were read."
    Limit "limit" "More than can be counted or stored."
    NothingToWrite "nothing-to-write" "There is nothing to write."
    NoLabels "no-labels" "No sample has a label."
    OneClass "one-class" "Every label is the same."
    AllLabelled "all-labelled" "Every label is given already."
    TooFewLabels "too-few-labels" "Too few labels for what was asked."
    TooManyLabels "too-many-labels" "More labels than leave-one-out can take."
    TooManyAsked "too-many-asked" "More samples were asked for than are without a label."
    Losses "losses" "Costs of decisions that do not fit the labels."
    ClassShares "class-shares" "Shares of classes that do not fit the labels."
    Task "task" "The labels are not what the task needs."
    Grades "grades" "Grades whose order is not known."
    UnsureLabels "unsure-labels" "Labels known in part where sure ones are needed."
    Pool "pool" "A number of unlabelled samples that is impossible."
    NoAudit "no-audit" "No label was drawn at random."
    Edge "edge" "Edges that cannot be used."
    EmptyGraph "empty-graph" "The graph has no nodes."
    Components "components" "The graph is not connected."
    Arrays "arrays" "Arrays that describe no graph, matrix or order."
    Method "method" "The method cannot do what was asked."
    Kernel "kernel" "A kernel that does not fit the method or the rows."
    Streamed "streamed" "All rows are needed at once."
    Similarities "similarities" "Given similarities that cannot be used."
    Landmarks "landmarks" "A landmark that is named twice."
    Parts "parts" "Parts of a distributed fit that do not belong together."
    NoFit "no-fit" "No fit of a grid can be solved."
    Rank "rank" "A rank that cuts between equal eigenvalues."
    Rose "rose" "An objective that should have fallen rose."
    ModelDamaged "model-damaged" "A model whose parts do not belong together."
    ModelKind "model-kind" "A model that was fitted on another kind of data."
}
