"""Predictions for rows, and for new nodes by their links to those of the fit."""

import warnings

from sklearn.base import clone

from . import _nodes
from ._base import Base
from ._classifier import ClassifierBase
from ._nodes import linked
from ._regressor import RegressorBase
from ._typing import ArrayLike, Booleans, Floats, Labels, NDArray, Samples
from .exceptions import UnreachedRowsWarning


class LinkedBase(Base):
    """Shared by estimators that take a graph beside rows; not public."""

    graph: Samples

    #: One more than elsewhere: ``predict`` asks the one for rows.
    _depth = 5
    #: Whether several kinds of edges and their directions are kept separate.
    _tells_kinds = False

    @property
    def _learns_features(self):
        """Whether features of nodes are learned from; else from edges alone."""
        return getattr(self, "smooth", None) is not None

    def _arranged(self, X, y):
        if self.graph is None and not (hasattr(X, "edge_index") and self._takes_edges()):
            smooth = getattr(self, "smooth", None)
            if smooth not in (None, "auto"):
                raise ValueError(
                    f"smooth must be left out, because there is no graph; got {smooth!r}"
                )
            return X, y
        if not self._takes_edges():
            if self._learns_features:
                raise ValueError(
                    f"kernel must compare rows where features of nodes are smoothed; got "
                    f"{self.kernel!r}"
                )
            raise ValueError(
                f"kernel must be 'auto' or 'graph' beside a graph, which says how alike nodes are; "
                f"got {self.kernel!r}"
            )
        return _nodes.arranged(self, X, y)

    def _takes_edges(self):
        """Whether edges of a graph can be walked along."""
        kernel = getattr(self, "kernel", "auto")
        if self._learns_features:
            return isinstance(kernel, str) and kernel not in ("graph", "precomputed")
        return isinstance(kernel, str) and kernel in ("auto", "graph")

    def _shape_of(self, X):
        return "graph" if isinstance(X, _nodes.Nodes) else super()._shape_of(X)

    def _core_data(self, X, n_nodes=None):
        if not isinstance(X, _nodes.Nodes):
            return super()._core_data(X, n_nodes)
        return X.read(clone(self), quiet=True).values, []

    def _read(self, X, shape, y):
        if not isinstance(X, _nodes.Nodes):
            if X is None:
                raise ValueError(
                    f"X must be given, because there is no graph to learn from; "
                    f"{type(self).__name__}(graph=A).fit(None, y) learns from a graph alone"
                )
            return super()._read(X, shape, y)
        found = X.read(self)
        self.encoder_, self._blocks, self._compared_to = found.encoder, [], None
        return found.values, X.graph.n_nodes

    def _new_data(self, X):
        if self._shape == "graph":
            # A graph that was given as X is asked by a matrix of links as X.
            if not self._learns_features and self.graph is None and X is not None:
                X = X if isinstance(X, _nodes.NewNodes) else _nodes.NewNodes(None, X)
            return _nodes.new_nodes(self, X, self._model.info()), []
        if isinstance(X, _nodes.NewNodes):
            raise ValueError(
                f"links must be left out, because the model learned from rows and no graph; "
                f"{type(self).__name__}(graph=A) learns from a graph"
            )
        if X is None:
            raise ValueError("X must be given, because the model learned from rows; got None")
        return super()._new_data(X)

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
