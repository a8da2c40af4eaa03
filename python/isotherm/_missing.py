"""Which entries of ``y`` are labels. One rule for everything around the estimators."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def labelled_mask(y: Any, unlabeled: Any = "auto") -> NDArray[np.bool_]:
    """Where ``y`` has a label.

    Parameters
    ----------
    y : array-like of shape (n,) or (n, k)
        Labels. Of a table a row counts as labelled when any of its entries is.
    unlabeled : "auto", None or a value, default="auto"
        "auto": -1 in integers, NaN in floats, None, NaN, ``pd.NA`` and "" in
        strings and objects. None: every row is labelled. Anything else: that value.

    Returns
    -------
    mask : ndarray of bool, shape (n,)

    Examples
    --------
    >>> from isotherm._missing import labelled_mask
    >>> labelled_mask([0, -1, 2]).tolist()
    [True, False, True]
    >>> labelled_mask(["a", "", None]).tolist()
    [True, False, False]
    """
    values = as_array(y)
    if unlabeled is None:
        return np.ones(len(values), dtype=bool)
    if isinstance(unlabeled, str) and unlabeled == "auto":
        known = ~_missing(values)
    elif isinstance(unlabeled, float) and np.isnan(unlabeled):
        known = ~_nan(values)
    else:
        known = np.asarray(values != unlabeled, dtype=bool)
    return known if known.ndim == 1 else known.any(axis=tuple(range(1, known.ndim)))


def as_array(y: Any) -> NDArray[Any]:
    """``y`` as an array of its own kind; ragged lists (candidate sets) become objects."""
    if hasattr(y, "to_numpy"):
        values = np.asarray(y.to_numpy())
    else:
        try:
            values = np.asarray(y)
        except ValueError:
            values = _objects(y)
        # numpy turns ["a", None] and ["a", nan] into strings of their names.
        if isinstance(y, (list, tuple)) and values.dtype.kind in "US":
            values = np.asarray(y, dtype=object)
    if values.ndim == 0:
        raise ValueError(f"y must have one label for each row, got the single value {y!r}")
    return values


def _objects(y: Any) -> NDArray[Any]:
    values = np.empty(len(y), dtype=object)
    for place, value in enumerate(y):
        values[place] = value
    return values


def _missing(values: NDArray[Any]) -> NDArray[np.bool_]:
    kind = values.dtype.kind
    if kind == "i":
        return np.asarray(values == -1)
    if kind in "ub":
        return np.zeros(values.shape, dtype=bool)
    if kind in "fc":
        return np.isnan(values)
    if kind in "mM":
        return np.isnat(values)
    if kind in "US":
        return np.asarray(np.char.str_len(values) == 0)
    return _per_entry(values, _is_nothing)


def _nan(values: NDArray[Any]) -> NDArray[np.bool_]:
    if values.dtype.kind in "fc":
        return np.isnan(values)
    return _per_entry(values, lambda v: isinstance(v, float) and v != v)


def _per_entry(values: NDArray[Any], test: Any) -> NDArray[np.bool_]:
    found = [bool(test(v)) for v in values.ravel()]
    return np.asarray(found, dtype=bool).reshape(values.shape)


def _is_nothing(value: Any) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, str):
        return value == ""
    if isinstance(value, (bool, np.bool_)):
        return False
    if isinstance(value, (int, np.integer)):
        return bool(value == -1)
    if isinstance(value, (float, np.floating)):
        return bool(value != value)
    return False
