"""What regressors say: one number a row, or several."""

import numpy as np
from sklearn.base import MultiOutputMixin, RegressorMixin
from sklearn.metrics import r2_score

from . import _labels
from ._base import Base
from ._typing import ArrayLike, Labels, NDArray, Samples


class RegressorBase(MultiOutputMixin, RegressorMixin, Base):
    """Shared by regressors; not public."""

    def _encode(self, y):
        return _labels.encode_values(y, self.unlabeled)

    def _takes_means_off(self):
        """Whether the method fits deviations from the mean of the labels."""
        return True

    def _finish(self, encoded):
        self._wide = encoded.wide
        if self.dual_coef_ is not None and not self._wide:
            self.dual_coef_ = self.dual_coef_.ravel()
        values = np.asarray(encoded.values, dtype=float)
        known = values[encoded.labelled] if len(values) else values
        if len(known) == 0:
            self._level = None
        elif self._takes_means_off():
            self._level = np.atleast_1d(known.mean(axis=0))
        else:
            self._level = np.zeros(1 if known.ndim == 1 else known.shape[1])

    def _encoded_of(self, info):
        wide = info["task"] == "numbers"
        names = info.get("names") or []
        nothing = np.empty((0, len(names))) if wide else np.empty(0)
        return _labels.Encoded(info["task"], nothing, None, names, wide=wide)

    def _stand_in(self):
        if self._level is None:
            return "they are given the model's constant"
        said = ", ".join(f"{v:.6g}" for v in self._level)
        what = "the mean of the labels" if self._takes_means_off() else "the predictor's zero"
        return f"they are given {what}, {said}"

    def _values_of(self, told):
        """Values; where no label reaches, what the predictor is without labels."""
        values = told.values
        if told.unreached:
            level = self._level
            if level is None:
                # From a file: a value less its score is the constant.
                some = told.reached.argmax()
                known = told.reached.any()
                level = values[some] - told.scores[some] if known else np.zeros(values.shape[1])
            values = np.where(told.reached[:, None], values, level)
        return values if self._wide else values[:, 0]

    def _scores(self, scores):
        return scores if self._wide else scores[:, 0]

    def predict(self, X: Samples) -> NDArray:
        """Values of new rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows as in ``fit``; under ``kernel="graph"`` one row of links to the nodes of the fit
            for each new node, under ``"precomputed"`` one row of similarities to its rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_targets)
            Values. A row that no label reaches is given what the predictor is without labels,
            and an :class:`~isotherm.exceptions.UnreachedRowsWarning` tells how many there are.
        """
        kind = self._kind_of(X)
        if kind != "array":
            return self._predict_elsewhere(kind, X, "predict")
        return self._values_of(self._answer(X))

    def score(self, X: Samples, y: Labels, sample_weight: ArrayLike | None = None) -> float:
        """Coefficient of determination R² over the labelled rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows as for ``predict``.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            True values; rows of NaN are not counted.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each row counts.

        Returns
        -------
        float
            R².
        """
        truth = self._encode(y)
        known = truth.labelled
        weights = None if sample_weight is None else np.asarray(sample_weight)[known]
        guess = np.asarray(self.predict(X))
        return r2_score(truth.values[known], guess[known], sample_weight=weights)

    @property
    def transduction_(self) -> NDArray:
        """Values of the rows of the fit, labelled or not."""
        return self._values_of(self._transduced())
