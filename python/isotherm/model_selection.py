"""Model selection that knows what an unlabelled row is.

A fold of scikit-learn's own splitters holds unlabelled rows on both sides: those
in the test fold are scored against the marker, those in no training fold teach
nothing. Here labelled rows are dealt to folds and unlabelled rows always train.
"""

from ._label_curve import LabelCurve, label_curve
from ._scoring import accuracy_labeled, labeled_scorer
from ._selecting import SelectionResult, select_parameters
from ._split import SemiSupervisedSplit

__all__ = [
    "LabelCurve",
    "SelectionResult",
    "SemiSupervisedSplit",
    "accuracy_labeled",
    "label_curve",
    "labeled_scorer",
    "select_parameters",
]
