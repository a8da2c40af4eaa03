"""What a fitted estimator says: of the rows it saw, of new ones, of labels left out."""

import warnings
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _inputs
from ._rows import count_rows
from ._told import Told
from ._typing import Booleans, Floats, Samples
from .exceptions import _UNREACHED, UnreachedRowsWarning, _coded

#: Eigenvalues that are shown.
EIGENVALUES = 100


class LeftOut(NamedTuple):
    """Labelled rows as the other labels predict them."""

    #: Places of the labelled rows in X; of rows that were merged the first.
    rows: np.ndarray
    #: Their scores, or values.
    scores: np.ndarray
    #: Whether another label reaches them.
    reached: np.ndarray


class Answers:
    """Answers of estimators; not public."""

    # What the estimator itself has.
    _model: Any
    _shape: str
    _told: Told | None
    _spectrum: Floats | None
    _threads: Any
    _on_event: Any
    _function: Any
    _similarity: Any
    n_features_in_: int

    #: Frames from a warning of a prediction to the caller's line.
    _depth = 4

    def _everywhere(self, answer):
        """What is said of all rows that were given, by what is said of those that were fitted."""
        told = Told.of(answer)
        fitted = getattr(self, "_fitted_to", None)
        if fitted is None or fitted[3].places is None:
            return told
        reduced = fitted[3]
        if count_rows(reduced.absent) == 0:
            return told.spread(reduced.places)
        return told.spread(reduced.places, Told.of(self._ask(reduced.absent)))

    def _transduced(self):
        """What is said of all rows of the fit; asked for once."""
        check_is_fitted(self)
        if self._told is None:
            fitted = getattr(self, "_fitted_to", None)
            if fitted is None:
                raise AttributeError(
                    "nothing is known of the rows of the fit: this model came from a file, or "
                    "saw its rows as a stream; use predict"
                )
            self._told = self._everywhere(self._ask(fitted[1]))
            self._warn_unreached(self._told)
        return self._told

    def _ask(self, data, blocks=None):
        blocks = getattr(self, "_blocks", None) if blocks is None else blocks
        data = _inputs.in_blocks(data, blocks)
        return self._model.predict(data, threads=self._threads(), on_event=self._on_event())

    def _answer(self, X):
        """What the model says of new rows."""
        check_is_fitted(self)
        data, blocks = self._new_data(X)
        try:
            told = Told.of(self._ask(data, blocks))
        except ValueError:
            if self._shape == "table":
                _inputs.check_rows(self, data)
            raise
        self._warn_unreached(told, self._depth)
        return told

    def _new_data(self, X):
        """New rows, links or similarities as the core reads them, and blocks of columns."""
        if self._shape == "table":
            return _inputs.new_rows(self, X)
        if self._shape == "graph":
            return _inputs.links(X, self.n_features_in_), []
        known = getattr(self, "_compared_to", None)
        if known is not None:
            rows, _ = _inputs.new_rows(self, X)
            _inputs.check_rows(self, rows)
            return _inputs.compared(self._similarity(), rows, known), []
        if len(np.shape(X)) != 2 or np.shape(X)[1] != self.n_features_in_:
            raise ValueError(
                f"X has shape {np.shape(X)}, but the precomputed kernel needs one column for "
                f"each of the {self.n_features_in_} rows of the fit"
            )
        return _inputs.gram(X), []

    def _kind_of(self, X):
        """Who reads X, once there is a model to ask."""
        check_is_fitted(self)
        return _inputs.kind_of(X)

    def _predict_elsewhere(self, kind, X, what):
        """The answer of method ``what`` to rows that are not in memory."""
        encoder = getattr(self, "encoder_", None)
        if encoder is not None and not encoder._keeps_columns():
            raise ValueError(
                f"the columns were encoded in memory, and a {kind} is not: call {what} on parts of "
                f"it as data frames"
            )
        if kind == "dask":
            from ._dask import predict_dask

            return predict_dask(self, X, what)
        from ._stream import predict_stream

        return predict_stream(self, X, what)

    def _warn_unreached(self, told, depth=4):
        if told.unreached:
            text = (
                f"{told.unreached} of {len(told.reached)} rows cannot be reached from any label; "
                f"{self._stand_in()}; label a row near them"
            )
            warnings.warn(_coded(UnreachedRowsWarning, text, _UNREACHED), stacklevel=depth)

    def _stand_in(self):
        """What is said of rows that no label reaches, as a sentence."""
        return "nothing is predicted for them"

    def is_reached(self, X: Samples) -> Booleans:
        """Whether any label reaches each of some rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New rows, as for ``predict``.

        Returns
        -------
        ndarray of bool, shape (n_samples,)
            False where a prediction would be a stand-in.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnreachedRowsWarning)
            return self._answer(X).reached

    @property
    def reached_(self) -> Booleans:
        """Whether any label reaches each row of the fit."""
        return self._transduced().reached

    @property
    def eigenvalues_(self) -> Floats:
        """Leading eigenvalues of what the method is built on; asked for once."""
        from . import _core

        check_is_fitted(self)
        if self._spectrum is None:
            recipe, data, labels, _ = self._data_of_the_fit("eigenvalues_", AttributeError)
            work = {"threads": self._threads(), "on_event": self._on_event()}
            try:
                self._spectrum = _core.spectrum(
                    recipe, data, labels, EIGENVALUES, function=self._function(), **work
                )
            except ValueError as error:
                raise AttributeError(f"eigenvalues_ are not there: {error}") from None
        return self._spectrum

    def _data_of_the_fit(self, what, error):
        if getattr(self, "_fitted_to", None) is None:
            raise error(
                f"{what} needs the data of the fit, which a model from a file, a pickle or a "
                f"stream does not hold; fit again"
            )
        return self._fitted_to

    def leave_one_out(self) -> LeftOut:
        """Scores of each labelled row from the fit to the other labels, in closed form.

        ``fᵢ⁽⁻ⁱ⁾ = yᵢ − αᵢ / (A⁻¹)ᵢᵢ`` where the method is a ridge, and its like elsewhere. The
        data of the fit is used again, so this cannot be asked of a model from a file.

        Returns
        -------
        LeftOut
            ``rows`` (their places in X), ``scores`` (as in ``decision_``, or values with their
            offset) and ``reached`` (whether another label reaches the row).
        """
        from . import _core

        check_is_fitted(self)
        recipe, data, labels, reduced = self._data_of_the_fit("leave_one_out", ValueError)
        rows, scores, reached = _core.leave_one_out(
            recipe,
            data,
            labels,
            weights=reduced.weights,
            function=self._function(),
            threads=self._threads(),
            on_event=self._on_event(),
        )
        rows = rows if reduced.rows is None else reduced.rows[rows]
        return LeftOut(rows, self._scores(scores), reached)

    def _scores(self, scores):
        """Scores in the form that users see."""
        return scores
