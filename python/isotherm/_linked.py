"""Predictions for rows, and for new nodes by their links to those of the fit."""

import warnings

from ._base import Base
from ._classifier import ClassifierBase
from ._nodes import linked
from ._regressor import RegressorBase
from ._typing import ArrayLike, Booleans, Floats, Labels, NDArray, Samples
from .exceptions import UnreachedRowsWarning


class LinkedBase(Base):
    """Shared by estimators that take a graph beside rows; not public."""

    #: One more than elsewhere: ``predict`` asks the one for rows.
    _depth = 5

    def is_reached(self, X: Samples = None, links: Samples = None) -> Booleans:
        """Whether any label reaches each of some rows or new nodes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or None, default=None
            As for ``predict``.
        links : sparse matrix of shape (n_samples, n_nodes), default=None
            As for ``predict``.

        Returns
        -------
        ndarray of bool, shape (n_samples,)
            False where a prediction would be a stand-in.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnreachedRowsWarning)
            return self._answer(linked(X, links)).reached


class LinkedClassifier(LinkedBase, ClassifierBase):
    """Shared by classifiers; not public."""

    def predict(self, X: Samples = None, links: Samples = None) -> NDArray:
        """Classes of new rows, or of new nodes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or None, default=None
            Rows as in ``fit``; of new nodes their features, and ``None`` where the model learned
            from a graph without features.
        links : sparse matrix of shape (n_samples, n_nodes), default=None
            Where the model learned from a graph: for each new node one row of weights of its
            edges to the nodes of the fit. Of several kinds of edges a list or a dict of such
            matrices, as ``graph``. Where directions are kept, a pair of matrices instead of each:
            links that lead from the new nodes, and links that lead to them.

        Returns
        -------
        ndarray of shape (n_samples,)
            Classes. A row that no label reaches is given the most frequent label, and an
            :class:`~isotherm.exceptions.UnreachedRowsWarning` tells how many there are.
        """
        return super().predict(linked(X, links))

    def predict_proba(self, X: Samples = None, links: Samples = None) -> Floats:
        """Probabilities of classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or None, default=None
            As for ``predict``.
        links : sparse matrix of shape (n_samples, n_nodes), default=None
            As for ``predict``.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            One column for each of ``classes_``; uniform where no label reaches.
        """
        return super().predict_proba(linked(X, links))

    def predict_log_proba(self, X: Samples = None, links: Samples = None) -> Floats:
        """Logarithms of the probabilities of classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or None, default=None
            As for ``predict``, in memory.
        links : sparse matrix of shape (n_samples, n_nodes), default=None
            As for ``predict``.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            One column for each of ``classes_``; minus infinity where a probability is 0.
        """
        return super().predict_log_proba(linked(X, links))

    def decision_function(self, X: Samples = None, links: Samples = None) -> Floats:
        """Scores of classes, as the method gives them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or None, default=None
            As for ``predict``.
        links : sparse matrix of shape (n_samples, n_nodes), default=None
            As for ``predict``.

        Returns
        -------
        ndarray of shape (n_samples, n_classes), or (n_samples,) for two classes
            The largest wins; for two classes the second one's score less the first one's.
        """
        return super().decision_function(linked(X, links))

    def score(
        self,
        X: Samples,
        y: Labels,
        sample_weight: ArrayLike | None = None,
        links: Samples = None,
    ) -> float:
        """Share of labelled rows that are predicted right.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or None
            As for ``predict``.
        y : array-like of shape (n_samples,)
            True classes; rows that are marked as unlabelled are not counted.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each row counts.
        links : sparse matrix of shape (n_samples, n_nodes), default=None
            As for ``predict``.

        Returns
        -------
        float
            Accuracy.
        """
        return super().score(linked(X, links), y, sample_weight)


class LinkedRegressor(LinkedBase, RegressorBase):
    """Shared by regressors; not public."""

    def predict(self, X: Samples = None, links: Samples = None) -> NDArray:
        """Values of new rows, or of new nodes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or None, default=None
            Rows as in ``fit``; of new nodes their features, and ``None`` where the model learned
            from a graph without features.
        links : sparse matrix of shape (n_samples, n_nodes), default=None
            Where the model learned from a graph: for each new node one row of weights of its
            edges to the nodes of the fit. Of several kinds of edges a list or a dict of such
            matrices, as ``graph``. Where directions are kept, a pair of matrices instead of each:
            links that lead from the new nodes, and links that lead to them.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_targets)
            Values. A row that no label reaches is given what the predictor is without labels,
            and an :class:`~isotherm.exceptions.UnreachedRowsWarning` tells how many there are.
        """
        return super().predict(linked(X, links))

    def score(
        self,
        X: Samples,
        y: Labels,
        sample_weight: ArrayLike | None = None,
        links: Samples = None,
    ) -> float:
        """Coefficient of determination R² over the labelled rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or None
            As for ``predict``.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            True values; rows of NaN are not counted.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each row counts.
        links : sparse matrix of shape (n_samples, n_nodes), default=None
            As for ``predict``.

        Returns
        -------
        float
            R².
        """
        return super().score(linked(X, links), y, sample_weight)
