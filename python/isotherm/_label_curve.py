"""Score against the number of labels, beside what labels alone would give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import check_random_state

from ._missing import as_array, labelled_mask
from ._rows import take_rows
from ._split import _in_turn


@dataclass(frozen=True, eq=False)
class LabelCurve:
    """What ``label_curve`` found.

    Attributes
    ----------
    counts : ndarray of shape (m,)
        Numbers of labels.
    scores : ndarray of shape (m, draws)
        Scores on labelled rows whose labels were hidden, one for each draw of labels.
    baseline_scores : ndarray of shape (m, draws) or None
        The same for the baseline, which saw the labelled rows only.
    metric : str
        "accuracy" or "R²".
    baseline : str or None
        What the baseline is.
    """

    counts: NDArray[np.int64]
    scores: NDArray[np.float64]
    baseline_scores: NDArray[np.float64] | None
    metric: str
    baseline: str | None


def label_curve(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    counts: Sequence[int] | None = None,
    n_draws: int = 5,
    test_share: float = 0.3,
    baseline: Any = "auto",
    random_state: Any = None,
) -> LabelCurve:
    """Scores with more and more of the labels, all rows being seen throughout.

    In each draw a share of the labelled rows is set aside for scoring and some of the
    others keep their labels; every other row, those set aside too, is fitted to as
    unlabelled. Is another 50 labels worth it, and do unlabelled rows help at all?

    Parameters
    ----------
    estimator : estimator
        Cloned for each fit. What marks a row as unlabelled is its ``unlabeled``, if it has
        one.
    X : array-like, sparse graph or frame of n rows
    y : array-like of shape (n,)
        Labels, some of them missing.
    counts : sequence of int, default=None
        Numbers of labels. None: five, from two a class (or 5) to all that are not set
        aside, in equal ratios.
    n_draws : int, default=5
        Draws of labels for each count.
    test_share : float, default=0.3
        Share of the labelled rows that is set aside.
    baseline : "auto", None or an estimator, default="auto"
        Fitted to the labelled rows only. "auto": kernel ridge for a table, the most
        frequent class (the mean) where X is a graph or a kernel matrix. None: none.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    curve : LabelCurve

    Examples
    --------
    >>> from sklearn.semi_supervised import LabelSpreading
    >>> from isotherm.datasets import make_moons
    >>> from isotherm.model_selection import label_curve
    >>> X, y, _ = make_moons(200, random_state=0)
    >>> curve = label_curve(LabelSpreading(kernel="knn"), X, y, counts=[4, 12], random_state=0)
    >>> curve.scores.shape
    (2, 5)
    """
    values = as_array(y)
    unlabeled = getattr(estimator, "unlabeled", "auto")
    if unlabeled is None:
        raise ValueError(
            "a curve hides labels, for which unlabeled=None leaves no marker; "
            'use unlabeled="auto" and other names for the classes'
        )
    known = np.flatnonzero(labelled_mask(values, unlabeled))
    _check(len(known), n_draws, test_share)
    classes = is_classifier(estimator)
    aside = max(2, round(test_share * len(known)))
    least = 2 * len(np.unique(values[known].astype(str))) if classes else 5
    counts = _counts(counts, least, len(known) - aside)
    other, name = _baseline(baseline, classes, estimator, X)
    state = check_random_state(random_state)
    own = np.full((len(counts), n_draws), np.nan)
    plain = np.full_like(own, np.nan)
    for draw in range(n_draws):
        order = state.permutation(known)
        test, rest = order[:aside], order[aside:]
        if classes:
            rest = rest[_in_turn(np.unique(values[rest].astype(str), return_inverse=True)[1])]
        for place, count in enumerate(counts):
            train = np.sort(rest[:count])
            own[place, draw] = _score(
                clone(estimator), X, _hidden(values, train, unlabeled), values, test
            )
            if other is not None:
                fitted = clone(other).fit(take_rows(X, train), values[train])
                said = fitted.predict(take_rows(X, test))
                plain[place, draw] = _measure(classes, values[test], said)
    return LabelCurve(
        counts=np.asarray(counts, dtype=np.int64),
        scores=own,
        baseline_scores=None if other is None else plain,
        metric="accuracy" if classes else "R²",
        baseline=name,
    )


def _check(labels: int, draws: int, share: float) -> None:
    if not 0 < share < 1:
        raise ValueError(f"test_share must be above 0 and below 1, got {share!r}")
    if draws < 1:
        raise ValueError(f"n_draws must be at least 1, got {draws!r}")
    if labels < 6:
        raise ValueError(
            f"y has {labels} labels; a curve needs 6 or more, some to learn from and some to score"
        )


def _counts(given: Sequence[int] | None, least: int, most: int) -> list[int]:
    if given is None:
        spaced = np.geomspace(min(least, most), most, 5)
        return sorted({round(c) for c in spaced})
    counts = sorted({int(c) for c in given})
    if not counts or counts[0] < 1 or counts[-1] > most:
        raise ValueError(
            f"counts must lie between 1 and {most}, the labels that are not set aside; "
            f"got {list(given)}"
        )
    return counts


def _baseline(given: Any, classes: bool, estimator: Any, x: Any) -> tuple[Any, str | None]:
    if given is None:
        return None, None
    if not (isinstance(given, str) and given == "auto"):
        return given, type(given).__name__
    kernel = getattr(estimator, "kernel", None)
    pairs = isinstance(kernel, str) and kernel in ("graph", "precomputed")
    if pairs or (kernel == "auto" and len(np.shape(x)) == 2 and np.shape(x)[0] == np.shape(x)[1]):
        if classes:
            return DummyClassifier(strategy="most_frequent"), "the most frequent class"
        return DummyRegressor(), "the mean of the labels"
    from .ridge import KernelRidge, KernelRidgeClassifier

    return (KernelRidgeClassifier if classes else KernelRidge)(), "kernel ridge"


def _hidden(values: NDArray[Any], keep: NDArray[np.intp], marker: Any) -> NDArray[Any]:
    """The labels at ``keep``, the marker elsewhere: the one given, or that of the dtype."""
    if not (isinstance(marker, str) and marker == "auto"):
        out = np.full(values.shape, marker, dtype=values.dtype)
    elif values.dtype.kind == "f":
        out = np.full(values.shape, np.nan)
    elif values.dtype.kind == "i":
        out = np.full(values.shape, -1, dtype=values.dtype)
    else:
        out = np.full(values.shape, None, dtype=object)
    out[keep] = values[keep]
    return out


def _score(
    estimator: Any, x: Any, hidden: NDArray[Any], values: NDArray[Any], test: NDArray[np.intp]
) -> float:
    fitted = estimator.fit(x, hidden)
    said = getattr(fitted, "transduction_", None)
    told = fitted.predict(take_rows(x, test)) if said is None else np.asarray(said)[test]
    return _measure(is_classifier(fitted), values[test], told)


def _measure(classes: bool, truth: NDArray[Any], said: Any) -> float:
    if classes:
        return float(accuracy_score(truth.astype(str), np.asarray(said).astype(str)))
    return float(r2_score(truth, said))
