"""How far to trust a model: accuracy with an interval, and prediction sets."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from . import _core, _cross_fit
from ._estimate import AccuracyEstimate, Measure
from ._prediction_sets import PredictionSets
from ._rows import count_rows
from ._seam import Problem, problem

__all__ = [
    "AccuracyEstimate",
    "Measure",
    "PredictionSets",
    "conformal_sets",
    "estimate_accuracy",
]

SUSPECTS = 20
"""Suspicious labels that are listed at most."""


def estimate_accuracy(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    audit: Any = None,
    pool: Any = None,
    level: float = 0.95,
) -> AccuracyEstimate:
    """How good the estimator is on this data, by labels it did not see.

    Each label is predicted by the fit to the others, in closed form. For classes the
    measure is accuracy, with exact (Clopper–Pearson) intervals; for numbers the mean squared
    error, with bootstrap intervals. Both are stretched by what nested cross-validation finds.

    What is judged is the model that ``fit`` makes, in which equal labelled rows are one row
    with the sum of their weights. Such rows count once: they are left out together, so that no
    row is predicted from its own copy, and counting them apart would make intervals too narrow.

    Labels that a strategy chose are not like the other rows: then pass ``audit``, and
    only the rows that were drawn at random count (see ``isotherm.suggest``).

    A pipeline, or a classifier or regressor of another package, has no closed form: it is fitted
    once for each of up to ten folds of the labels, which is as much slower, and ``baseline`` and
    ``suspects`` are left out. Estimators of ``sklearn.semi_supervised`` and pipelines that end in
    one of these or of ours are given all rows, others the labelled rows only.

    Parameters
    ----------
    estimator : classifier or regressor
        Fitted or not; it is judged by its parameters. If it is one of isotherm's and fitted, the
        result is also stored as ``accuracy_estimate_`` for its notebook table.
    X : array-like, sparse graph or frame of n rows
        As for ``fit``: None where the estimator has a graph without features.
    y : array-like of n labels, some of them missing
    audit : array-like of bool, shape (n,), default=None
        Whether the row was drawn at random; read where there is a label. None: all
        labels were.
    pool : array-like of int, shape (n,), default=None
        How many rows had no label when this one was chosen; read where there is a
        label. Only with ``audit``.
    level : float, default=0.95
        Level of the intervals.

    Returns
    -------
    found : AccuracyEstimate

    Examples
    --------
    >>> from isotherm import STKRClassifier, estimate_accuracy
    >>> from isotherm.datasets import make_moons
    >>> X, y, y_full = make_moons(200, random_state=0)
    >>> found = estimate_accuracy(STKRClassifier(), X, y)
    >>> low, high = found.interval
    >>> low <= found.value <= high
    True
    """
    if _cross_fit.is_foreign(estimator):
        return _by_folds(estimator, X, y, audit, pool, float(level))
    judged = problem(estimator, X, y)
    marks, open_rows = sampling(judged, audit, pool)
    evaluation = _core.evaluate(
        judged.recipe,
        judged.data,
        judged.labels,
        level=float(level),
        suspects=SUSPECTS,
        weights=judged.weights,
        audit=marks,
        pool=open_rows,
        threads=judged.threads,
    )
    found = AccuracyEstimate.of(evaluation, judged)
    try:
        check_is_fitted(estimator)
    except NotFittedError:
        return found
    estimator.accuracy_estimate_ = found
    # A later fit has another report, and this is not its accuracy.
    estimator._accuracy_report = getattr(estimator, "report_", None)
    return found


def conformal_sets(estimator: Any, X: Any, y: Any, level: float = 0.9) -> PredictionSets:
    """For every row the classes that cannot be excluded, or an interval for its number.

    The jackknife+: class c is in the set of a row unless, in the fits without one label each,
    it is stranger there than those labels were for a share ``level`` of them. No label is
    set aside. Rows to be predicted later are put in ``X`` without a label. Equal labelled rows
    are one row, as in ``fit``: they are left out together and count as one label.

    For a pipeline, or an estimator of another package, labels are held back in up to ten folds,
    one fit each. A class is then in the set if a fit to all labels gives it a score not stranger
    than those of the share ``level`` of the labels that were held back; that this holds the truth
    with the probability ``level`` is usual and not proved.

    Parameters
    ----------
    estimator : classifier with probabilities, or regressor
        Fitted or not; its parameters are used.
    X : array-like, sparse graph or frame of n rows
        As for ``fit``: None where the estimator has a graph without features.
    y : array-like of shape (n,)
        Classes or numbers, some of them missing, drawn at random.
    level : float, default=0.9
        Share of sets that should hold the truth; 0.9 needs nine labels, 0.95 nineteen.

    Returns
    -------
    sets : PredictionSets

    Examples
    --------
    >>> from isotherm import STKRClassifier, conformal_sets
    >>> from isotherm.datasets import make_moons
    >>> X, y, y_full = make_moons(200, random_state=0)
    >>> sets = conformal_sets(STKRClassifier(), X, y)
    >>> sets.matrix.shape
    (200, 2)
    """
    if _cross_fit.is_foreign(estimator):
        sets, labels = _cross_fit.sets(estimator, X, y, float(level))
        if labels is None:
            return PredictionSets(float(level), None, sets, None)
        return PredictionSets(float(level), sets, None, labels)
    judged = problem(estimator, X, y)
    _, sets = _core.fit_with_sets(
        judged.recipe,
        judged.data,
        judged.labels,
        float(level),
        weights=judged.weights,
        threads=judged.threads,
    )
    found = judged.spread(sets)
    if judged.classes is None:
        return PredictionSets(float(level), None, np.asarray(found, dtype=np.float64), None)
    classes = np.asarray(list(judged.classes.values()))
    return PredictionSets(float(level), np.asarray(found, dtype=bool), None, classes)


def _by_folds(
    estimator: Any, X: Any, y: Any, audit: Any, pool: Any, level: float
) -> AccuracyEstimate:
    n = count_rows(X)
    marks, open_rows = _checked_sampling(audit, pool, n)
    held = _cross_fit.held_out(estimator, X, y)
    found = _cross_fit.judgement(held, n, level, marks, open_rows)
    return AccuracyEstimate.of_folds(found, held, n, level, marks is not None)


def sampling(judged: Problem, audit: Any, pool: Any) -> tuple[Any, Any]:
    """``audit`` and ``pool`` for the rows of the fit.

    Of equal labelled rows one that was drawn at random makes the label a random one.
    """
    marks, open_rows = _checked_sampling(audit, pool, len(judged.known))
    pools = judged.gather(open_rows, marks)
    if pools is not None:
        # Copies that are one row by now were several while they had no label.
        pools = np.minimum(pools, judged.n_rows)
    return judged.gather(marks, marks), pools


def marks_of(X: Any, audit: Any, pool: Any) -> NDArray[np.bool_] | None:
    """Which rows were drawn at random, of an estimator that is fitted to these rows as they are."""
    return _checked_sampling(audit, pool, count_rows(X))[0]


def _checked_sampling(audit: Any, pool: Any, rows: int) -> tuple[Any, Any]:
    marks = _per_row(audit, "audit", bool, rows)
    open_rows = _per_row(pool, "pool", np.int64, rows)
    if open_rows is not None and marks is None:
        raise ValueError("pool is only read together with audit, got pool alone; pass audit too")
    return marks, open_rows


def _per_row(given: Any, name: str, kind: Any, rows: int) -> NDArray[Any] | None:
    if given is None:
        return None
    values = np.asarray(given)
    if values.shape != (rows,):
        raise ValueError(
            f"{name} must have one entry for each of {rows} rows, got shape {values.shape}"
        )
    if kind is bool and values.dtype.kind != "b":
        raise ValueError(f"{name} must be booleans, one a row, got dtype {values.dtype}")
    if kind is np.int64 and values.dtype.kind not in "iu":
        raise ValueError(f"{name} must be whole numbers, one a row, got dtype {values.dtype}")
    return np.ascontiguousarray(values, dtype=kind)
