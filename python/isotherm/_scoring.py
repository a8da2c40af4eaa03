"""Scores over labelled rows only."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import get_scorer

from ._missing import as_array, labelled_mask
from ._rows import take_rows


class _LabeledScorer:
    """A scorer that looks at labelled rows only."""

    def __init__(self, scoring: Any, unlabeled: Any) -> None:
        self.scoring = scoring
        self.unlabeled = unlabeled

    def __call__(self, estimator: Any, X: Any, y: Any, **metadata: Any) -> float:
        values = as_array(y)
        rows = np.flatnonzero(labelled_mask(values, self.unlabeled))
        if len(rows) == 0:
            raise ValueError(
                f"none of the {len(values)} rows to score has a label; "
                "use SemiSupervisedSplit, whose test folds are labelled"
            )
        chosen = values[rows]
        if chosen.dtype.kind == "O" and chosen.ndim == 1:
            chosen = np.asarray(chosen.tolist())
        metadata = {
            name: value if value is None else as_array(value)[rows]
            for name, value in metadata.items()
        }
        scorer = get_scorer(self.scoring)
        return float(scorer(estimator, take_rows(X, rows), chosen, **metadata))

    def __repr__(self) -> str:
        return f"labeled_scorer({self.scoring!r}, unlabeled={self.unlabeled!r})"


def labeled_scorer(scoring: Any = "accuracy", *, unlabeled: Any = "auto") -> Any:
    """A scorer that leaves rows without a label out of the score.

    Parameters
    ----------
    scoring : str or callable, default="accuracy"
        A scorer of scikit-learn, by name or as ``scorer(estimator, X, y)``.
    unlabeled : "auto", None or a value, default="auto"
        What marks an unlabelled row, as in ``isotherm.SemiSupervisedSplit``.

    Returns
    -------
    scorer : callable
        For ``scoring=`` of scikit-learn's model selection. Metadata such as
        ``sample_weight`` is cut to the same rows.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.dummy import DummyClassifier
    >>> from isotherm.model_selection import labeled_scorer
    >>> X, y = np.zeros((4, 1)), np.array([1, 1, -1, 0])
    >>> model = DummyClassifier(strategy="constant", constant=1).fit(X, y)
    >>> round(labeled_scorer("accuracy")(model, X, y), 3)
    0.667
    """
    if not callable(scoring):
        get_scorer(scoring)  # an unknown name is refused here, not in a worker
    return _LabeledScorer(scoring, unlabeled)


accuracy_labeled = labeled_scorer("accuracy")
"""Accuracy over the labelled rows, for ``scoring=``."""
