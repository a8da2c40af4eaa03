"""The columns of a data frame as the core reads them: arrays of numbers, or lists of texts."""

from collections.abc import Mapping
from datetime import date, datetime

import numpy as np
from scipy import sparse


def from_arrow(X):
    """A pyarrow table as a pandas frame; anything else as it is."""
    arrow = type(X).__module__.startswith("pyarrow") and hasattr(X, "to_pandas")
    return X.to_pandas() if arrow else X


def is_frame(X):
    """Whether X has named columns of types of their own."""
    if sparse.issparse(X):  # one of scipy's is a dictionary
        return False
    return isinstance(X, Mapping) or (hasattr(X, "columns") and hasattr(X, "dtypes"))


def names_of(X):
    """The names of the columns of a frame, as texts; ``x0``, ``x1``, … for an array."""
    if isinstance(X, Mapping):
        return [str(name) for name in X]
    if is_frame(X):
        return [str(name) for name in X.columns]
    return [f"x{k}" for k in range(X.shape[1])]


def not_numbers(X):
    """The first column of a frame that does not hold numbers, and its type; or ``None``."""
    for name, column in _series(X):
        dtype = getattr(column, "dtype", None)
        if dtype is None:
            column = np.asarray(column)
            dtype = column.dtype
        if hasattr(dtype, "is_numeric"):  # polars
            if not (dtype.is_numeric() or str(dtype) == "Boolean"):
                return name, str(dtype)
        elif getattr(dtype, "kind", "O") == "O":
            if str(dtype) == "category" or not _is_numeric(column):
                return name, str(dtype)
        elif dtype.kind not in "biuf":
            return name, str(dtype)
    return None


def has_missing(rows):
    """Whether an array of floats holds NaN."""
    return rows.size > 0 and bool(np.isnan(np.min(rows)))


def columns(X):
    """Names and cells of a frame, or of a two-dimensional array."""
    if is_frame(X):
        series = [(str(name), column) for name, column in _series(X)]
    else:
        series = [(name, X[:, k]) for k, name in enumerate(names_of(X))]
    return [(name, cells(column, name)) for name, column in series]


def said_kinds(X, given):
    """The kinds of columns as pairs: the given ones, and categories by their type.

    A pandas or polars column of the type "category" is one whatever its values look like, if it
    has at least two of them.
    """
    out = [(str(name), kind) for name, kind in (given or {}).items()]
    if not is_frame(X) or isinstance(X, Mapping):
        return out
    known = {name for name, _ in out}
    for name, column in _series(X):
        if str(name) not in known and _is_category(column) and 2 <= _values(column) <= 1000:
            out.append((str(name), "category"))
    return out


def cells(column, name):
    """One column: float64, int64 or bool, or a list of texts and ``None``."""
    dtype = getattr(column, "dtype", None)
    if dtype is not None and hasattr(dtype, "is_numeric"):
        return _polars(column, dtype, name)
    if isinstance(dtype, np.dtype) and not hasattr(column, "array"):
        return _array(np.asarray(column), name)
    if dtype is None:
        return _array(np.asarray(column), name)
    return _pandas(column, dtype, name)


def _array(values, name):
    kind = values.dtype.kind
    if kind == "b":
        return np.require(values, requirements="CA")
    if kind == "i" or (kind == "u" and values.dtype.itemsize < 8):
        return np.require(values, np.int64, "CA")
    if kind in "uf":
        return np.require(values, np.float64, "CA")
    if kind == "M":
        return _moments(values)
    if kind == "m":
        return _seconds(values)
    return [text(value, name) for value in values.tolist()]


def _pandas(column, dtype, name):
    if isinstance(dtype, np.dtype):
        return _array(column.to_numpy(), name)
    if str(dtype) == "category":
        words = [text(value, name) for value in column.cat.categories.tolist()]
        return [words[code] if code >= 0 else None for code in column.cat.codes.tolist()]
    kind = getattr(dtype, "kind", "O")
    if kind in "biuf":
        if column.hasnans:
            return column.to_numpy(dtype=np.float64, na_value=np.nan)
        return _array(column.to_numpy(dtype=getattr(dtype, "numpy_dtype", np.float64)), name)
    if kind == "M":
        moments = column.dt.tz_convert("UTC").dt.tz_localize(None) if column.dt.tz else column
        return _moments(moments.to_numpy(dtype="datetime64[ms]"))
    return [text(value, name) for value in column.tolist()]


def _polars(column, dtype, name):
    if dtype.is_numeric() or str(dtype) == "Boolean":
        if column.null_count() or dtype.is_decimal():
            return np.array(
                [np.nan if v is None else float(v) for v in column.to_list()], dtype=np.float64
            )
        return _array(column.to_numpy(), name)
    if str(dtype).startswith("Duration"):
        return _seconds(column.to_numpy())
    return [text(value, name) for value in column.to_list()]


def _moments(values):
    """Moments as ISO 8601 texts."""
    gone = np.isnat(values)
    texts = np.datetime_as_string(values.astype("datetime64[ms]"))
    return [None if absent else str(t) for absent, t in zip(gone, texts)]


def _seconds(values):
    """Durations in seconds."""
    seconds = values.astype("timedelta64[us]").astype(np.float64) / 1e6
    return np.where(np.isnat(values), np.nan, seconds)


def text(value, name):
    """A cell as text; ``None`` if it has no value."""
    if isinstance(value, str):
        return value
    kind = type(value).__name__
    if value is None or kind in ("NAType", "NaTType"):
        return None
    if isinstance(value, (float, np.floating)) and value != value:
        return None
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, np.ndarray):
        return str(value.tolist())
    if isinstance(value, (dict, set, frozenset, bytes, complex)):
        raise TypeError(
            f"column {name!r}: argument must be a string or a real number, not {kind!r}; make "
            f"texts or numbers of the column, or leave it out"
        )
    return str(value)


def _series(X):
    """Names and columns of a frame."""
    if isinstance(X, Mapping):
        return list(X.items())
    if hasattr(X, "iloc"):
        # By position, because a name may occur twice; that is refused later.
        return [(name, X.iloc[:, k]) for k, name in enumerate(X.columns)]
    return [(name, X[name]) for name in X.columns]


def _is_numeric(column):
    """Whether a column of objects can be read as numbers."""
    try:
        np.asarray(column, dtype=np.float64)
    except (TypeError, ValueError):
        return False
    return True


def _is_category(column):
    return str(getattr(column, "dtype", "")).startswith(("category", "Categorical", "Enum"))


def _values(column):
    """How many values a column of categories has."""
    return column.n_unique() if hasattr(column, "n_unique") else column.nunique()
