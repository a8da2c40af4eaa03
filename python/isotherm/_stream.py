"""Fits and predictions over rows that pass by."""

import numpy as np

from . import _batches
from .laplacian import Laplacian
from .streams import Rows


def fit_stream(estimator, X, y):
    """Fits rows that are read twice and never held together.

    The first pass keeps the labelled rows and a sample, and settles what is open; the second
    sums Σ̂ and L̂ over the functions that were chosen.
    """
    from . import _core

    check_passes_by(estimator, "a stream")
    rows = Rows.of(X)
    if not rows.rereadable:
        raise ValueError(
            "fit reads the rows twice, and an iterator can be read once only; pass a list of "
            "batches, a function that returns a new iterator, a Parquet path or a dataset"
        )
    named = isinstance(y, str)
    features, dim = rows.features(without=(y,) if named else ())
    encoded = labels(estimator, rows, y)
    model = _core.fit_streamed(
        estimator._core_recipe(encoded.task, "table"),
        Source(rows, features, dim),
        dim,
        encoded.core(),
        threads=estimator._threads(),
        on_event=estimator._on_event(),
    )
    return settle(estimator, model, encoded, features, dim)


def check_passes_by(estimator, what):
    """Refuses a method that needs all rows at once."""
    if not isinstance(estimator, Laplacian):
        name = type(estimator).__name__
        twin = "LaplacianRegressor" if name.endswith("Regressor") else "LaplacianClassifier"
        raise ValueError(
            f"{name} needs all rows at once and cannot fit {what}; use {twin}, or read the rows "
            f"into memory (predict takes {what} from every estimator)"
        )


def labels(estimator, rows, y):
    """Labels of all rows: y, or the column it names."""
    if y is None:
        raise ValueError(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None; give "
            f"an array, or the name of a column"
        )
    if isinstance(y, str):
        return rows.column(y).encoded(estimator)
    return estimator._encode(y)


def settle(estimator, model, encoded, features, dim):
    """Takes the model of a fit whose rows are gone."""
    estimator.n_features_in_ = dim
    if features is not None:
        estimator.feature_names_in_ = np.array(features, dtype=object)
    elif hasattr(estimator, "feature_names_in_"):
        del estimator.feature_names_in_
    estimator._fitted_to = None
    estimator._adopt(model, encoded, "table", len(encoded))
    return estimator


class Source:
    """Rows as the core asks for them: from the beginning, part by part."""

    def __init__(self, rows, features, dim):
        self._rows, self._features, self._dim = rows, features, dim
        self._at, self._batches = 0, iter(())

    def rewind(self):
        """Starts again."""
        columns = None if self._features is None else self._columns()
        self._at, self._batches = 0, self._rows.batches(columns)

    def next(self):
        """The next part, or ``None``."""
        for batch in self._batches:
            if _batches.length(batch) == 0:
                continue
            part = _batches.rows_of(batch, self._features)
            if part.shape[1] != self._dim:
                raise ValueError(
                    f"the batch from row {self._at} on has {part.shape[1]} columns, but the "
                    f"first one has {self._dim}"
                )
            self._at += len(part)
            return part
        return None

    def _columns(self):
        return columns_for(self._rows, self._features)


def columns_for(rows, features):
    """The columns of files to read for these features; ``None`` where there are no files."""
    if rows._dataset is None:
        return None
    return _batches._sources(rows._dataset.schema.empty_table(), features)


def predict_stream(estimator, X, what):
    """An iterator over the answers of method ``what``, one array a batch."""
    rows = Rows.of(X)
    return _answers(estimator, rows, features_asked(estimator, rows), what)


def features_asked(estimator, rows):
    """The features that a model wants from a stream; ``None``: as they come."""
    known = getattr(estimator, "feature_names_in_", None)
    if known is None:
        return rows.columns
    known = [str(n) for n in known]
    if rows.columns is not None and rows.columns != known:
        raise ValueError(
            f"columns must be those of the fit, {known}, or left out; got {rows.columns}"
        )
    return known


def _answers(estimator, rows, features, what):
    plain = nameless(estimator)
    columns = None if features is None else columns_for(rows, features)
    for batch in rows.batches(columns):
        if estimator._shape != "table":
            yield getattr(plain, what)(batch)
        elif _batches.length(batch):
            yield getattr(plain, what)(_batches.rows_of(batch, features))


def nameless(estimator):
    """The same fitted estimator for rows whose names were seen to: no names, no rows of a fit."""
    plain = object.__new__(type(estimator))
    plain.__dict__.update(estimator.__dict__)
    plain.__dict__.pop("feature_names_in_", None)
    plain.__dict__.update(_fitted_to=None, _told=None)
    return plain
