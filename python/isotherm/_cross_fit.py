"""Judging any scikit-learn estimator: each labelled row by a fit to the labels of other folds."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier

from . import _core, _labels
from ._rows import count_rows, take_rows
from ._split import SemiSupervisedSplit

MOST_FOLDS = 10
"""Fits that one judgement takes at most, beside one to all labels."""


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Labelled rows as fits without them predict them."""

    encoded: _labels.Encoded
    rows: NDArray[np.intp]
    """The labelled rows."""
    predicted: NDArray[Any]
    """Class codes, or values."""
    scores: NDArray[np.float64] | None
    """Probabilities of classes, where the estimator has them."""
    folds: int

    @property
    def truth(self) -> NDArray[Any]:
        """Class codes, or values, of the same rows."""
        return np.asarray(self.encoded.values)[self.rows]


def is_foreign(estimator: Any) -> bool:
    """Whether the closed form is not there: a pipeline, or an estimator of another package."""
    if hasattr(estimator, "_core_recipe") and hasattr(estimator, "_core_data"):
        return False
    return hasattr(estimator, "fit") and hasattr(estimator, "predict")


def marker_of(estimator: Any) -> Any:
    """What marks a row without a label."""
    return getattr(_last(estimator), "unlabeled", _labels.AUTO)


def seed_of(estimator: Any) -> int:
    """The seed of random choices: the estimator's ``random_state`` if that is a number, else 0."""
    given = getattr(_last(estimator), "random_state", None)
    return int(given) if isinstance(given, Integral) and given >= 0 else 0


def name_of(estimator: Any) -> str:
    """What the estimator, or the last step of a pipeline, is called."""
    return type(_last(estimator)).__name__


def encode(estimator: Any, X: Any, y: Any) -> _labels.Encoded:
    """The labels, one class or number a row."""
    encode_labels = _labels.encode_classes if is_classifier(estimator) else _labels.encode_values
    encoded = encode_labels(y, marker_of(estimator))
    check_lengths(X, encoded)
    if np.asarray(encoded.values).ndim != 1:
        raise ValueError("y must be one class or one number a row")
    return encoded


def check_lengths(X: Any, encoded: _labels.Encoded) -> None:
    """Refuses labels of other rows."""
    if count_rows(X) != len(encoded):
        raise ValueError(
            f"y must have one entry for each row of X, got {len(encoded)} for {count_rows(X)} rows"
        )


def held_out(estimator: Any, X: Any, y: Any, *, scores: bool = False) -> HeldOut:
    """Fits the estimator without each fold of labels in turn and predicts the fold."""
    classes = is_classifier(estimator)
    encoded = encode(estimator, X, y)
    rows = np.flatnonzero(encoded.labelled)
    truth = np.asarray(encoded.values)
    counts = np.bincount(truth[rows]) if classes else np.array([len(rows)])
    folds = int(min(MOST_FOLDS, max(2, counts.min()), len(rows)))
    if folds < 2:
        raise ValueError(f"there are too few labels to hold some back, got {len(rows)}; label more")
    groups = twins(X, rows)
    # Places among the labelled rows: folds are dealt over these alone.
    few = classes and counts.min() < 2
    split = SemiSupervisedSplit(folds, unlabeled=None, random_state=0, stratify=classes and not few)
    predicted = np.zeros(len(rows), dtype=np.int64 if classes else np.float64)
    width = 0 if encoded.classes is None else len(encoded.classes)
    shares = np.zeros((len(rows), width)) if scores else None
    for _, test in split.split(None, truth[rows], groups):
        left = truth.copy()
        left[rows[test]] = -1 if classes else np.nan
        model = fitted(estimator, X, left, encoded)
        part = take_rows(X, rows[test])
        predicted[test] = codes_of(model, part, encoded)
        if shares is not None:
            shares[test] = shares_of(model, part, encoded)
    return HeldOut(encoded, rows, predicted, shares, folds)


def fitted(estimator: Any, X: Any, left: NDArray[Any], encoded: _labels.Encoded) -> Any:
    """A fit to these labels, given as codes or values with −1 or NaN for unlabelled rows."""
    model = clone(estimator)
    known = left != -1 if encoded.task == "classify" else ~np.isnan(left)
    if not _takes_unlabelled(model):
        rows = np.flatnonzero(known)
        return model.fit(take_rows(X, rows), _own(left[rows], encoded))
    if hasattr(_last(model), "unlabeled"):
        _last(model).set_params(unlabeled=-1 if encoded.task == "classify" else np.nan)
    return model.fit(X, left)


def refitted(estimator: Any, X: Any, y: Any, encoded: _labels.Encoded) -> Any:
    """A fit to the caller's own labels, which the answers are then in."""
    if _is_ours(estimator):
        return estimator.fit(X, y)
    if not _takes_unlabelled(estimator):
        rows = np.flatnonzero(encoded.labelled)
        return estimator.fit(take_rows(X, rows), _own(np.asarray(encoded.values)[rows], encoded))
    if np.asarray(y).dtype.kind not in "iu":
        raise TypeError(
            f"{name_of(estimator)} is fitted to classes that are whole numbers, and −1 for rows "
            f"without one; number the classes of y"
        )
    return estimator.fit(X, y)


def codes_of(model: Any, X: Any, encoded: _labels.Encoded) -> NDArray[Any]:
    """Predictions as codes of classes, or values."""
    found = np.asarray(model.predict(X))
    if encoded.task != "classify":
        return found.astype(np.float64).reshape(len(found))
    if _takes_unlabelled(model):
        return found.astype(np.int64)
    place = {c: k for k, c in enumerate(np.asarray(encoded.classes).tolist())}
    return np.array([place[c] for c in found.tolist()], dtype=np.int64)


def shares_of(model: Any, X: Any, encoded: _labels.Encoded) -> NDArray[np.float64]:
    """Class probabilities, with a column for each class; 0 for a class that the fit did not see."""
    if not hasattr(model, "predict_proba"):
        raise TypeError(
            f"probabilities are needed, which {name_of(model)} does not have; use a classifier "
            f"with predict_proba, such as CalibratedClassifierCV around it"
        )
    found = np.asarray(model.predict_proba(X), dtype=np.float64)
    out = np.zeros((len(found), len(np.asarray(encoded.classes))))
    own = np.asarray(model.classes_).tolist()
    if _takes_unlabelled(model):
        out[:, [int(c) for c in own]] = found
    else:
        place = {c: k for k, c in enumerate(np.asarray(encoded.classes).tolist())}
        out[:, [place[c] for c in own]] = found
    return out


def judgement(
    held: HeldOut,
    n_samples: int,
    level: float,
    audit: NDArray[np.bool_] | None,
    pool: NDArray[np.int64] | None,
) -> dict[str, Any]:
    """Measures and confusion."""
    marks = None if audit is None else np.ascontiguousarray(audit[held.rows])
    if held.encoded.task != "classify":
        errors = np.square(held.predicted - held.truth)
        return _core.judge_values(errors, rows=n_samples, level=level, audit=marks)
    return _core.judge_classes(
        np.ascontiguousarray(held.truth),
        held.predicted,
        classes=len(np.asarray(held.encoded.classes)),
        rows=n_samples,
        level=level,
        audit=marks,
        pool=None if pool is None else np.ascontiguousarray(pool[held.rows]),
    )


def sets(estimator: Any, X: Any, y: Any, level: float) -> tuple[NDArray[Any], NDArray[Any] | None]:
    """Classes that cannot be excluded for each row, or ends of its interval; and the classes."""
    held = held_out(estimator, X, y, scores=is_classifier(estimator))
    model = fitted(estimator, X, np.asarray(held.encoded.values), held.encoded)
    truth = np.ascontiguousarray(held.truth)
    if held.scores is None:
        predictions = codes_of(model, X, held.encoded)
        return _core.split_values(held.predicted, truth, predictions, level), None
    scores = shares_of(model, X, held.encoded)
    return _core.split_classes(held.scores, truth, scores, level), held.encoded.classes


def accuracy_of(predicted: NDArray[Any], truth: NDArray[Any], encoded: _labels.Encoded) -> float:
    """The share that is right; of numbers minus the mean squared error."""
    if encoded.task == "classify":
        return float(np.mean(predicted == truth))
    return -float(np.mean(np.square(predicted - truth)))


def _last(estimator: Any) -> Any:
    return estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator


def _takes_unlabelled(estimator: Any) -> bool:
    """Whether ``fit`` wants all rows, −1 or NaN where there is no label."""
    theirs = type(_last(estimator)).__module__.startswith("sklearn.semi_supervised")
    return theirs or _is_ours(estimator)


def _is_ours(estimator: Any) -> bool:
    return hasattr(_last(estimator), "_core_recipe")


def _own(values: NDArray[Any], encoded: _labels.Encoded) -> NDArray[Any]:
    return values if encoded.classes is None else np.asarray(encoded.classes)[values]


def distinct(X: Any, encoded: _labels.Encoded) -> NDArray[np.intp]:
    """The labelled rows; of those that are equal, label and all, the first."""
    rows = np.flatnonzero(encoded.labelled)
    groups = twins(X, rows)
    if groups is None:
        return rows
    pairs = np.stack([groups, np.asarray(encoded.values)[rows]], axis=1)
    return rows[np.sort(np.unique(pairs, axis=0, return_index=True)[1])]


def twins(X: Any, rows: NDArray[np.intp]) -> NDArray[np.intp] | None:
    """Numbers that equal labelled rows share, if there are such rows."""
    part = take_rows(X, rows)
    if hasattr(part, "to_numpy"):
        part = part.to_numpy()
    elif hasattr(part, "tocsr"):
        part = [part.tocsr()[[i]].toarray().tobytes() for i in range(len(rows))]
    place: dict[str, int] = {}
    keys = [repr(row.tolist() if isinstance(row, np.ndarray) else row) for row in part]
    groups = np.array([place.setdefault(key, len(place)) for key in keys], dtype=np.intp)
    return None if len(place) == len(rows) else groups
