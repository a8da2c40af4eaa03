"""Rows of whatever a table may be."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def count_rows(x: Any) -> int:
    """How many rows ``x`` has."""
    shape = getattr(x, "shape", None)
    return int(shape[0]) if shape else len(x)


def take_rows(x: Any, rows: NDArray[np.intp]) -> Any:
    """These rows of an array, sparse matrix, frame, pyarrow table or list.

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm._rows import take_rows
    >>> take_rows([[1], [2], [3]], np.array([2, 0]))
    [[3], [1]]
    """
    if hasattr(x, "iloc"):
        return x.iloc[rows]
    if hasattr(x, "take") and hasattr(x, "column_names"):  # a pyarrow table
        return x.take(rows)
    if isinstance(x, (list, tuple)):
        return [x[i] for i in rows]
    return x[rows]
