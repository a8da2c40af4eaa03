"""Which rows of ``y`` have a label, for labels of any shape."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _labels


def labelled_mask(y: Any, unlabeled: Any = "auto") -> NDArray[np.bool_]:
    """Where ``y`` has a label, by the estimators' own rule.

    Parameters
    ----------
    y : array-like of shape (n,) or (n, k)
        Labels. Of a table a row counts as labelled when any of its entries is.
    unlabeled : "auto", None or a value, default="auto"
        "auto": -1 in whole numbers; NaN, None, ``pd.NA`` and "" otherwise. None: every row
        is labelled. Anything else: that value.

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
    >>> labelled_mask([[1, -1], [-1, -1]]).tolist()
    [True, False]
    """
    values = as_array(y)
    known = ~_labels.missing(values.ravel(), unlabeled).reshape(values.shape)
    return known.reshape(len(values), -1).any(axis=1) if known.size else np.zeros(len(values), bool)


def as_array(y: Any) -> NDArray[Any]:
    """``y`` as an array of its own kind; candidate sets become objects.

    Examples
    --------
    >>> from isotherm._missing import as_array
    >>> as_array([[0, 1], None, [2]]).shape
    (3,)
    """
    if isinstance(y, (list, tuple)) and any(
        isinstance(v, (set, frozenset, list)) or v is None for v in y
    ):
        lengths = {len(v) if isinstance(v, (set, frozenset, list)) else -1 for v in y}
        if len(lengths) > 1 or any(isinstance(v, (set, frozenset)) for v in y):
            values = np.empty(len(y), dtype=object)
            values[:] = list(y)
            return values
    values = np.asarray(_labels.as_array(y))
    if values.ndim == 0:
        raise ValueError(f"y must have one label for each row, got the single value {y!r}")
    return values
