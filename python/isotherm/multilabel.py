"""Any number of tags a row."""

from typing import Any

import numpy as np
from sklearn.metrics import f1_score
from sklearn.utils import ClassifierTags

from . import _labels
from ._constraints import any_of, parameter
from ._typing import Floats, Labels, NDArray, Samples, Self
from ._wrapped import Wrapped


class MultiLabelClassifier(Wrapped):
    """Tags, any number a row, of which some may be known and others not.

    Each tag is a column ``±½`` of a regression, cut at a threshold of ½ on the scale of the
    labels, or where the F1 of leave-one-out scores is largest.  [KLAP App. A.2 for tags known in
    part]

    scikit-learn's ``is_classifier`` is False for it: it takes a matrix of tags, not classes.

    Parameters
    ----------
    estimator : classifier, default=None
        Says the method and its parameters; ``None`` is ``STKRClassifier()``.
    thresholds : {"micro", "macro", "samples"}, default=None
        The F1 that thresholds maximise; ``None``: ½ for every tag, which minimises the share of
        wrong tags.

    Attributes
    ----------
    tags_ : ndarray of shape (n_tags,)
        Numbers of the tags, or the names of y's columns.
    transduction_ : ndarray of shape (n_samples, n_tags)
        Tags of the rows of the fit, 0 or 1.
    decision_ : ndarray of shape (n_samples, n_tags)
        Their scores, as the method gives them.

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm import MultiLabelClassifier, STKRClassifier
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> y = np.full((6, 2), -1)
    >>> y[0], y[3] = (1, 0), (1, 1)
    >>> model = MultiLabelClassifier(STKRClassifier(n_neighbors=2)).fit(X, y)
    >>> model.transduction_.tolist()
    [[1, 0], [1, 0], [1, 0], [1, 1], [1, 1], [1, 1]]
    """

    _parameter_constraints = {
        "estimator": "no_validation",
        "thresholds": any_of(*parameter("thresholds"), None),
    }

    def __init__(self, estimator: Any = None, *, thresholds: str | None = None) -> None:
        self.estimator = estimator
        self.thresholds = thresholds

    def fit(self, X: Samples, y: Labels) -> Self:
        """Fits rows of which tags are known, known in part, or unknown.

        Parameters
        ----------
        X : array-like, frame or sparse matrix of shape (n_samples, n_features)
            All rows, or a graph; see the estimator.
        y : array-like of shape (n_samples, n_tags)
            1 yes, 0 no, −1 or NaN unknown. One dimension is one tag with two values, of which the
            larger is yes.

        Returns
        -------
        self
        """
        return self._fit(X, y)

    def _recipe(self, task, shape, reduced=None):
        recipe = super()._recipe(task, shape, reduced)
        return recipe if self.thresholds is None else {**recipe, "thresholds": self.thresholds}

    @classmethod
    def _read_params(cls, recipe, info):
        return {**super()._read_params(recipe, info), "thresholds": recipe.get("thresholds")}

    def _encode(self, y):
        names = getattr(y, "columns", None)
        if names is None and np.ndim(y) == 1:
            return _one_tag(y)
        flags = encode_flags(y)
        tags = np.arange(flags.shape[1]) if names is None else np.asarray(list(names))
        return _labels.Encoded("tags", flags, tags, _labels.names_of(tags), wide=True)

    def _finish(self, encoded):
        self._wide = encoded.wide
        # One dimension: the two values that stand for no and yes.
        self._values = None if encoded.wide else encoded.classes
        self.tags_ = encoded.classes if encoded.wide else np.arange(1)
        flags = np.asarray(encoded.values)
        ups, known = (flags == 1).sum(axis=0), (flags >= 0).sum(axis=0)
        self._usual = (2 * ups > known).astype(np.int8)

    def _encoded_of(self, info):
        names = info["names"]
        nothing = np.empty((0, len(names)), dtype=np.int8)
        return _labels.Encoded("tags", nothing, _labels.read_classes(names), names, wide=True)

    def _stand_in(self):
        return "they are given the tags that most labelled rows have"

    def _tags_of(self, told, wide=False):
        flags = np.where(told.reached[:, None], told.flags, self._usual).astype(np.int64)
        return flags if wide or self._wide else self._values[flags[:, 0]]

    def predict(self, X: Samples) -> NDArray:
        """Tags of new rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows as in ``fit``.

        Returns
        -------
        ndarray of shape (n_samples, n_tags)
            0 or 1; of the shape of y where that had one dimension. A row that no label reaches is
            given the tags that most labelled rows have, with a warning.
        """
        kind = self._kind_of(X)
        if kind != "array":
            return self._predict_elsewhere(kind, X, "predict")
        return self._tags_of(self._answer(X))

    def score(self, X: Samples, y: Labels) -> float:
        """F1 over all known tags of all rows together.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows as for ``predict``.
        y : array-like of shape (n_samples, n_tags)
            True tags; unknown ones are not counted.

        Returns
        -------
        float
            F1, 1 where there is nothing to find and nothing is found.
        """
        truth = self._encode(y).values
        flags = self._tags_of(self._answer(X), wide=True)
        guess = flags.reshape(truth.shape)
        known = truth >= 0
        return f1_score(truth[known], guess[known], zero_division=1.0)

    @property
    def transduction_(self) -> NDArray:
        """Tags of the rows of the fit."""
        return self._tags_of(self._transduced())

    @property
    def decision_(self) -> Floats:
        """Scores of the rows of the fit, one column a tag."""
        return self._transduced().scores

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        tags.classifier_tags = ClassifierTags(multi_class=False, multi_label=True)
        return tags


def _one_tag(y):
    """The flags of a tag that is said by two values."""
    found = _labels.encode_classes(y)
    if len(found.classes) > 2:
        raise ValueError(
            f"one tag has two values, got {len(found.classes)} ({', '.join(found.names)}); "
            f"give one column a tag, or use a classifier"
        )
    values, flags = found.classes, found.values.astype(np.int8)
    if len(values) == 1:
        flags = np.where((flags == 0) & bool(values[0]), 1, flags).astype(np.int8)
        values = np.repeat(values, 2)
    return _labels.Encoded("tags", np.ascontiguousarray(flags[:, None]), values, ["0"])


def encode_flags(y):
    """Flags of all rows, −1 where unknown."""
    found = np.asarray(_labels.as_array(y))
    if found.ndim != 2 or found.shape[1] == 0:
        raise ValueError(f"y must have one column a tag, got an array of shape {np.shape(y)}")
    try:
        numbers = found.astype(float)
    except (TypeError, ValueError):
        raise ValueError("tags must be 1, 0, and −1 or NaN where unknown") from None
    numbers = np.where(np.isnan(numbers), -1.0, numbers)
    bad = ~np.isin(numbers, (-1.0, 0.0, 1.0))
    if bad.any():
        row, column = np.argwhere(bad)[0]
        raise ValueError(
            f"row {row}, tag {column}: tags must be 1, 0, and −1 or NaN where unknown, "
            f"got {numbers[row, column]:g}"
        )
    if (numbers == -1).all():
        raise ValueError(f"all {len(numbers)} rows are unlabelled; give some rows their tags")
    return np.ascontiguousarray(numbers, dtype=np.int8)
