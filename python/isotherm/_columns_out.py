"""A model's answers as columns beside the rows they are of, named as the command line does."""

import warnings

import numpy as np

from . import _batches, _frame, _inputs
from ._told import Told
from .exceptions import UnreachedRowsWarning

#: Label, confidence (classes only) and whether any label reaches the row.
OURS = ("iso_label", "iso_confidence", "iso_reached")


def answered(estimator, batch):
    """Columns by name for a batch: ``iso_label``, ``iso_confidence``, ``iso_reached``.

    Labels are strings for classes and 64-bit floats for values, ``None`` or NaN where no label
    reaches a row; values have no confidence.
    """
    has = _batches.names_of(batch)
    if has is None:
        raise TypeError(
            f"a batch must have named columns, got {type(batch).__name__}; pass a dictionary, a "
            f"data frame or a pyarrow table"
        )
    taken = [name for name in OURS if name in has]
    if taken:
        raise ValueError(f"the rows have a column {taken[0]!r} already; rename it or leave it out")
    known = getattr(estimator, "feature_names_in_", None)
    features = None if known is None else [str(n) for n in known]
    if _batches.length(batch) == 0:
        return _nothing(estimator)
    encoder = getattr(estimator, "encoder_", None)
    as_numbers = encoder is None or (known is None and encoder._keeps_columns())
    if not as_numbers and not set(encoder._core.names) <= {str(n) for n in has}:
        # Columns of other kinds, or missing numbers that have a feature of their own.
        encoded = encoder._encode(_frame.columns(_frame.from_arrow(batch)))
        return _reached(estimator, encoded.values, encoded.blocks)
    rows = _batches.rows_of(batch, features)
    if rows.shape[1] != estimator.n_features_in_:
        raise ValueError(
            f"the batch has {rows.shape[1]} features, but the model was fitted to "
            f"{estimator.n_features_in_}; leave other numeric columns out, or fit with names"
        )
    return _reached(estimator, *_inputs.filled(estimator, rows))


def _reached(estimator, rows, blocks):
    with warnings.catch_warnings():
        # iso_reached says it row by row.
        warnings.simplefilter("ignore", UnreachedRowsWarning)
        return _columns(estimator, Told.of(estimator._ask(rows, blocks)))


def _columns(estimator, told):
    if told.probabilities is None:
        return {"iso_label": told.values[:, 0], "iso_reached": told.reached}
    names = np.array([str(c) for c in estimator.classes_] + [None], dtype=object)
    return {
        "iso_label": names[told.labels],
        "iso_confidence": told.probabilities.max(axis=1),
        "iso_reached": told.reached,
    }


def _nothing(estimator):
    """The columns of no rows."""
    reached = np.empty(0, dtype=bool)
    if not hasattr(estimator, "classes_"):
        return {"iso_label": np.empty(0), "iso_reached": reached}
    labels = np.empty(0, dtype=object)
    return {"iso_label": labels, "iso_confidence": np.empty(0), "iso_reached": reached}


def check_one_label(estimator):
    """Refuses a model whose answer is not one label a row of a table."""
    task, shape = estimator.report_["task"], estimator._shape
    if task not in ("classify", "regress"):
        raise ValueError(
            f"batches can be given one label a row, but the model's task is {task!r}; load it "
            f"and call predict"
        )
    if shape != "table":
        raise ValueError(
            f"batches hold rows of numbers, but the model predicts from a {shape}; load it and "
            f"call predict"
        )
    return estimator


def with_columns(batch, columns):
    """The batch with columns added: the kind of table that it was."""
    if _batches.is_arrow(batch):
        import pyarrow as pa

        for name, values in columns.items():
            kind = pa.string() if values.dtype == object else None
            array = pa.array(values, type=kind, from_pandas=name == "iso_label")
            batch = _appended(batch, name, array)
        return batch
    if hasattr(batch, "with_columns"):  # polars
        import polars

        return batch.with_columns([polars.Series(n, v) for n, v in columns.items()])
    if hasattr(batch, "assign"):
        return batch.assign(**columns)
    return {**batch, **columns}


def _appended(batch, name, array):
    if hasattr(batch, "append_column") and hasattr(batch, "to_batches"):
        return batch.append_column(name, array)
    import pyarrow as pa

    schema = batch.schema.append(pa.field(name, array.type))
    return pa.RecordBatch.from_arrays([*batch.columns, array], schema=schema)
