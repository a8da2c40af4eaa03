"""Classes that are known in part: one of several candidates."""

from typing import Any

import numpy as np

from . import _labels
from ._classifier import ClassifierBase
from ._constraints import any_of
from ._typing import ArrayLike, Labels, Samples, Self
from ._wrapped import Wrapped


class PartialLabelClassifier(Wrapped, ClassifierBase):
    """Classes from sets of candidates, of which one is right.  [KLAP App. A.2]

    Labels within their sets are chosen together with the predictor that fits them best; a set of
    one candidate is a label that is sure.

    Parameters
    ----------
    estimator : classifier, default=None
        Says the method and its parameters: ``STKRClassifier``, ``KernelRidgeClassifier``,
        ``LaplacianClassifier`` with Tikhonov, or ``HarmonicClassifier``; ``None`` is
        ``STKRClassifier()``.
    classes : array-like, default=None
        All classes in the order of their columns; ``None``: those that occur, sorted. For a
        matrix of candidates ``None`` means 0, 1, ….
    unlabeled : "auto", None or a value, default="auto"
        What marks a row without a label. ``"auto"``: −1 among whole numbers; NaN, ``None``,
        ``pandas.NA`` or ``""`` among anything else. ``None``: every row is labelled.

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm import PartialLabelClassifier, STKRClassifier
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> y = [{"a"}, {"a", "b"}, None, {"b"}, {"a", "b"}, None]
    >>> model = PartialLabelClassifier(STKRClassifier(n_neighbors=2)).fit(X, y)
    >>> model.transduction_.tolist()
    ['a', 'a', 'a', 'b', 'b', 'b']
    """

    _parameter_constraints = {
        "estimator": "no_validation",
        "classes": any_of("array-like", None),
        "unlabeled": "no_validation",
    }

    def __init__(
        self, estimator: Any = None, *, classes: ArrayLike | None = None, unlabeled: Any = "auto"
    ) -> None:
        self.estimator = estimator
        self.classes = classes
        self.unlabeled = unlabeled

    @classmethod
    def _can_read(cls, recipe):
        return recipe["task"] == "classify"

    def fit(self, X: Samples, y: Labels) -> Self:
        """Fits rows of which classes are known, known in part, or unknown.

        Parameters
        ----------
        X : array-like, frame or sparse matrix of shape (n_samples, n_features)
            All rows, or a graph; see the estimator.
        y : sequence of sets, or array-like of shape (n_samples, n_classes)
            For each row its candidates: a set, list or tuple of classes, one class, or a mark for
            none (see ``unlabeled``; an empty set is one too). Or a matrix of booleans, or of 0
            and 1; a row without any candidate is unlabelled.

        Returns
        -------
        self
        """
        return self._fit(X, y)

    def _finish(self, encoded):
        if not encoded.sets:
            super()._finish(encoded)
            return
        self.classes_ = encoded.classes
        counts = np.zeros(len(self.classes_))
        for candidates in encoded.values:
            if candidates:
                counts[list(candidates)] += 1.0 / len(candidates)
        self._usual, self._counted = int(np.argmax(counts)), bool(counts.any())

    def _encoded_of(self, info):
        classes = _labels.read_classes(info["classes"])
        return _labels.Encoded("classify", [], classes, info["classes"], sets=True)

    def _encode(self, y):
        matrix = _matrix(y)
        if matrix is not None:
            return self._from_matrix(matrix)
        if not _holds_sets(y):
            return self._of_one(_labels.encode_classes(y, self.unlabeled))
        return self._from_sets(list(y))

    def _of_one(self, encoded):
        """Labels that are all sure."""
        if self.classes is None:
            return encoded
        classes = np.asarray(self.classes)
        place = self._places(classes)
        values = [-1 if c < 0 else place(encoded.classes[c]) for c in encoded.values]
        values = np.array(values, dtype=np.int64)
        return _labels.Encoded("classify", values, classes, _labels.names_of(classes))

    def _from_matrix(self, matrix):
        width = matrix.shape[1]
        classes = np.arange(width) if self.classes is None else np.asarray(self.classes)
        if len(classes) != width:
            raise ValueError(
                f"y has {width} columns, but there are {len(classes)} classes; give one a column"
            )
        values = [np.flatnonzero(row).tolist() or None for row in matrix]
        return self._checked(values, classes)

    def _from_sets(self, y):
        sets = [_candidates(v, self.unlabeled) for v in y]
        if self.classes is not None:
            classes = np.asarray(self.classes)
        else:
            found = np.empty(sum(len(s) for s in sets if s), dtype=object)
            found[:] = [c for s in sets if s for c in s]
            if len(found) == 0:
                return self._checked([None] * len(y), np.empty(0))
            classes = _labels._unique(found)[0]
            classes = np.array(classes.tolist())
        place = self._places(classes)
        return self._checked([sorted({place(c) for c in s}) if s else None for s in sets], classes)

    def _checked(self, values, classes):
        if all(v is None for v in values):
            raise ValueError(
                f"all {len(values)} rows are unlabelled; give some rows their candidates"
            )
        names = _labels.names_of(classes)
        if all(v is None or len(v) == 1 for v in values):
            sure = np.array([-1 if v is None else v[0] for v in values], dtype=np.int64)
            return _labels.Encoded("classify", sure, classes, names)
        return _labels.Encoded("classify", values, classes, names, sets=True)

    @staticmethod
    def _places(classes):
        place = {c: k for k, c in enumerate(classes.tolist())}

        def of(value):
            value = value.item() if isinstance(value, np.generic) else value
            if value not in place:
                raise ValueError(f"candidate {value!r} is not one of the classes {list(place)}")
            return place[value]

        return of


def _matrix(y):
    """y as a matrix of candidates, or ``None`` where it is something else."""
    if isinstance(y, (list, tuple)) and any(_is_set(v) for v in y):
        return None
    try:
        found = np.asarray(y)
    except ValueError:
        return None
    if found.ndim != 2 or found.shape[1] < 2:
        return None
    if found.dtype.kind != "b" and not np.isin(found, (0, 1)).all():
        raise ValueError("a matrix of candidates must hold booleans, or 0 and 1")
    return found.astype(bool)


def _is_set(value):
    return isinstance(value, (set, frozenset, list, tuple)) or np.ndim(value) == 1


def _holds_sets(y):
    if isinstance(y, (list, tuple)):
        return any(_is_set(v) for v in y)
    kind = getattr(getattr(y, "dtype", None), "kind", None)
    return kind == "O" and any(_is_set(v) for v in y)


def _candidates(value, unlabeled):
    """The classes of one entry; ``None`` for a mark."""
    if _is_set(value):
        return list(value) or None
    one = np.empty(1, dtype=object)
    one[0] = value
    return None if _labels.missing(one, unlabeled)[0] else [value]
