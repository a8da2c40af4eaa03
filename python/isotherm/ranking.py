"""Orders of items."""

from typing import Any

import numpy as np

from . import _labels
from ._typing import Floats, Labels, NDArray, Samples, Self
from ._wrapped import Wrapped


class LabelRanker(Wrapped):
    """An order of items for each row, from orders that are known, known in part, or unknown.

    An order is a vector of ``±1`` over pairs of items; the predicted one is the order nearest to
    the regression's scores.  [KLAP App. A.2 for orders known in part]

    Parameters
    ----------
    estimator : classifier, default=None
        Says the method and its parameters; ``None`` is ``STKRClassifier()``.
    unlabeled : "auto", None or a value, default="auto"
        What marks a row without an order where y has one dimension; as in
        :class:`STKRClassifier`.

    Attributes
    ----------
    items_ : ndarray of shape (n_items,)
        Numbers of the items, the names of y's columns, or the most preferred items that occur.
    transduction_ : ndarray of shape (n_samples, n_items), or (n_samples,)
        Positions of the items for the rows of the fit, 1 the most preferred; the most preferred
        items where y had one dimension.
    decision_ : ndarray of shape (n_samples, n_pairs)
        Their scores, one column for each pair of items.

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm import LabelRanker, STKRClassifier
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> y = np.full((6, 3), np.nan)
    >>> y[0], y[3] = (1, 2, 3), (3, 2, 1)
    >>> model = LabelRanker(STKRClassifier(n_neighbors=2)).fit(X, y)
    >>> model.predict([[0.15], [5.15]]).tolist()
    [[1, 2, 3], [3, 2, 1]]
    """

    _parameter_constraints = {
        "estimator": "no_validation",
        "unlabeled": "no_validation",
    }

    def __init__(self, estimator: Any = None, *, unlabeled: Any = "auto") -> None:
        self.estimator = estimator
        self.unlabeled = unlabeled

    def fit(self, X: Samples, y: Labels) -> Self:
        """Fits rows of which orders are known, known in part, or unknown.

        Parameters
        ----------
        X : array-like, frame or sparse matrix of shape (n_samples, n_features)
            All rows, or a graph; see the estimator.
        y : array-like of shape (n_samples, n_items), or (n_samples,)
            Positions, the smallest for the most preferred item and equal ones for ties; NaN where
            the item's place is not known. One dimension names the most preferred item of each
            row, before all others.

        Returns
        -------
        self
        """
        return self._fit(X, y)

    def _encode(self, y):
        if np.ndim(_labels.as_array(y)) == 1:
            return self._from_tops(_labels.encode_classes(y, self.unlabeled))
        names = getattr(y, "columns", None)
        values = _labels.as_array(y)
        try:
            values = values.astype(float)
        except (TypeError, ValueError):
            raise ValueError("positions must be numbers, and NaN where unknown") from None
        if values.ndim != 2 or values.shape[1] < 2:
            raise ValueError(
                f"an order needs at least two items, got positions of shape {values.shape}"
            )
        if np.isinf(values).any():
            raise ValueError("positions must be finite, and NaN where unknown")
        if np.isnan(values).all():
            raise ValueError(f"all {len(values)} rows are unlabelled; give some rows their order")
        items = np.arange(values.shape[1]) if names is None else np.asarray(list(names))
        orders = [_groups(row) for row in values]
        return _labels.Encoded("rank", orders, items, _labels.names_of(items), wide=True)

    @staticmethod
    def _from_tops(tops):
        """The most preferred item before all others, which are tied."""
        every = range(len(tops.classes))
        if len(every) < 2:
            raise ValueError(
                f"an order needs at least two items, but y holds one class ({tops.classes[0]})"
            )
        orders = [
            None if top < 0 else [[int(top)], [k for k in every if k != top]] for top in tops.values
        ]
        return _labels.Encoded("rank", orders, tops.classes, tops.names)

    def _finish(self, encoded):
        self.items_, self._wide = encoded.classes, encoded.wide

    def _encoded_of(self, info):
        names = info["names"]
        return _labels.Encoded("rank", [], _labels.read_classes(names), names, wide=True)

    def _stand_in(self):
        return "all items are given the position 1, as nothing orders them"

    def _positions_of(self, told):
        orders = told.orders
        out = np.ones(orders.shape, dtype=np.int64)
        reached = np.flatnonzero(told.reached)
        places = np.arange(1, orders.shape[1] + 1)
        out[reached[:, None], orders[reached]] = places
        return out

    def _in_shape(self, positions):
        """Positions, or the most preferred items where y had one dimension."""
        return positions if self._wide else self.items_[positions.argmin(axis=1)]

    def rank(self, X: Samples) -> NDArray:
        """Positions of the items for new rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows as in ``fit``.

        Returns
        -------
        ndarray of shape (n_samples, n_items)
            1 for the most preferred item. Where no label reaches all items have the position 1,
            and a warning tells how many such rows there are.
        """
        return self._positions_of(self._answer(X))

    def predict(self, X: Samples) -> NDArray:
        """What y holds, for new rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows as in ``fit``.

        Returns
        -------
        ndarray of shape (n_samples, n_items), or (n_samples,)
            Positions as :meth:`rank` gives them; the most preferred items where y had one
            dimension.
        """
        kind = self._kind_of(X)
        if kind != "array":
            return self._predict_elsewhere(kind, X, "predict")
        return self._in_shape(self.rank(X))

    def score(self, X: Samples, y: Labels) -> float:
        """Kendall's τ, averaged over rows: pairs in the right order less pairs in the wrong one.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows as for ``predict``.
        y : array-like of shape (n_samples, n_items), or (n_samples,)
            True positions, items of NaN not counted; or the most preferred items.

        Returns
        -------
        float
            Between −1 and 1; rows that order no pair are not counted.
        """
        truth = _labels.as_array(y)
        truth = self._tops(truth) if truth.ndim == 1 else truth.astype(float)
        guess = self.rank(X).astype(float)
        if truth.shape != guess.shape:
            raise ValueError(f"y has shape {truth.shape}, but positions have shape {guess.shape}")
        first, second = np.triu_indices(guess.shape[1], k=1)
        told = np.sign(truth[:, first] - truth[:, second])
        agree = np.nan_to_num(told) * np.sign(guess[:, first] - guess[:, second])
        pairs = (np.nan_to_num(told) != 0).sum(axis=1)
        if not pairs.any():
            raise ValueError("y orders no pair of items, so there is nothing to score by")
        return float((agree.sum(axis=1)[pairs > 0] / pairs[pairs > 0]).mean())

    def _tops(self, y):
        """Positions that say no more than which item is the first."""
        out = np.full((len(y), len(self.items_)), np.nan)
        known = np.flatnonzero(~_labels.missing(y, self.unlabeled))
        out[known] = np.where(self.items_ == y[known, None], 1.0, 2.0)
        return out

    @property
    def transduction_(self) -> NDArray:
        """What y holds, for all rows of the fit."""
        return self._in_shape(self._positions_of(self._transduced()))

    @property
    def decision_(self) -> Floats:
        """Scores of the rows of the fit, one column a pair of items."""
        return self._transduced().scores

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _groups(positions):
    """Items of a row by their positions, tied ones together; ``None`` where nothing is known."""
    known = np.flatnonzero(~np.isnan(positions))
    if len(known) == 0:
        return None
    places = np.unique(positions[known])
    return [known[positions[known] == place].tolist() for place in places]
