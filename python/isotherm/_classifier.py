"""What classifiers say: classes, probabilities, scores."""

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils.validation import check_is_fitted

from . import _labels
from ._base import Base
from ._typing import ArrayLike, Floats, Labels, NDArray, Samples


class ClassifierBase(ClassifierMixin, Base):
    """Shared by classifiers; not public."""

    classes_: NDArray
    """Classes, sorted."""

    def _encode(self, y):
        return _labels.encode_classes(y, self.unlabeled)

    def _finish(self, encoded):
        self.classes_ = encoded.classes
        codes = np.asarray(encoded.values)
        counts = np.bincount(codes[codes >= 0], minlength=len(self.classes_))
        self._usual = int(np.argmax(counts))
        # A model from a file does not say how often its classes were.
        self._counted = bool(counts.any())

    def _encoded_of(self, info):
        names = info["classes"]
        nothing = np.empty(0, dtype=np.int64)
        return _labels.Encoded("classify", nothing, _labels.read_classes(names), names)

    def _stand_in(self):
        said = "the most frequent label" if self._counted else "the first class"
        usual = self.classes_[self._usual]
        usual = usual.item() if isinstance(usual, np.generic) else usual
        return f"they are given {said}, {usual!r}, and uniform probabilities"

    def _classes_of(self, told):
        codes = np.where(told.labels < 0, self._usual, told.labels)
        return self.classes_[codes]

    def predict(self, X: Samples) -> NDArray:
        """Classes of new rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows as in ``fit``; under ``kernel="graph"`` one row of links to the nodes of the fit
            for each new node, under ``"precomputed"`` one row of similarities to its rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Classes. A row that no label reaches is given the most frequent label, and an
            :class:`~isotherm.exceptions.UnreachedRowsWarning` tells how many there are.
        """
        kind = self._kind_of(X)
        if kind != "array":
            return self._predict_elsewhere(kind, X, "predict")
        return self._classes_of(self._answer(X))

    def predict_proba(self, X: Samples) -> Floats:
        """Probabilities of classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows as for ``predict``.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            One column for each of ``classes_``; uniform where no label reaches.
        """
        kind = self._kind_of(X)
        if kind != "array":
            return self._predict_elsewhere(kind, X, "predict_proba")
        return self._answer(X).probabilities

    def predict_log_proba(self, X: Samples) -> Floats:
        """Logarithms of the probabilities of classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows as for ``predict``, in memory.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            One column for each of ``classes_``; minus infinity where a probability is 0.
        """
        check_is_fitted(self)
        if self._kind_of(X) != "array":
            raise ValueError(
                "predict_log_proba reads rows in memory; take logarithms of predict_proba"
            )
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def decision_function(self, X: Samples) -> Floats:
        """Scores of classes, as the method gives them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows as for ``predict``.

        Returns
        -------
        ndarray of shape (n_samples, n_classes), or (n_samples,) for two classes
            The largest wins; for two classes the second one's score less the first one's.
        """
        kind = self._kind_of(X)
        if kind != "array":
            return self._predict_elsewhere(kind, X, "decision_function")
        return _one_sided(self._answer(X).scores)

    def score(self, X: Samples, y: Labels, sample_weight: ArrayLike | None = None) -> float:
        """Share of labelled rows that are predicted right.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows as for ``predict``.
        y : array-like of shape (n_samples,)
            True classes; rows that are marked as unlabelled are not counted.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each row counts.

        Returns
        -------
        float
            Accuracy.
        """
        truth = _labels.flat(y)
        known = ~_labels.missing(truth, self.unlabeled)
        if not known.any():
            raise ValueError("y has no labels to score by: every row is marked as unlabelled")
        weights = None if sample_weight is None else np.asarray(sample_weight)[known]
        guess = np.asarray(self.predict(X))
        return accuracy_score(truth[known], guess[known], sample_weight=weights)

    @property
    def transduction_(self) -> NDArray:
        """Classes of the rows of the fit, labelled or not."""
        return self._classes_of(self._transduced())

    @property
    def label_distributions_(self) -> Floats:
        """Probabilities of classes for the rows of the fit; uniform where no label reaches."""
        return self._transduced().probabilities

    @property
    def decision_(self) -> Floats:
        """Scores of the rows of the fit, one column a class."""
        return self._transduced().scores

    @property
    def confidence_(self) -> Floats:
        """The largest probability of each row of the fit."""
        return self._transduced().probabilities.max(axis=1)


def _one_sided(scores):
    """scikit-learn's form of scores: two classes are one column."""
    return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores
