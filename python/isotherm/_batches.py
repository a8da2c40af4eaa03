"""One batch of rows, whatever holds it → an array that the core reads in place.

A batch is an array, or named columns: a pandas or polars frame, a pyarrow record batch or
table, a dictionary of arrays. A column of vectors of one length, such as an embedding, is as
many features as the vectors are long, named ``column[0]``, ``column[1]``, …
"""

from collections.abc import Mapping

import numpy as np
from scipy import sparse


def is_arrow(batch):
    """Whether this is a pyarrow record batch or table."""
    return hasattr(batch, "schema") and hasattr(batch, "num_rows") and hasattr(batch, "column")


def names_of(batch):
    """Names of the columns, or ``None`` for an array."""
    if is_arrow(batch):
        return list(batch.schema.names)
    if isinstance(batch, Mapping):
        return list(batch)
    columns = getattr(batch, "columns", None)
    return None if columns is None else list(columns)


def length(batch):
    """Number of rows."""
    if is_arrow(batch):
        return batch.num_rows
    if isinstance(batch, Mapping):
        return max((len(column) for column in batch.values()), default=0)
    shape = getattr(batch, "shape", None)
    return int(shape[0]) if shape else len(batch)


def features_of(batch, columns=None, without=()):
    """Names of the features of a batch with names: of ``columns``, or of all numeric ones."""
    has = names_of(batch)
    if columns is None:
        kept = [n for n in has if n not in without and width_of(batch, n) is not None]
        if not kept:
            raise ValueError(f"no column holds numbers; the columns are {_listed(has)}")
        return [f for name in kept for f in _spread(name, width_of(batch, name))]
    out = []
    for name in columns:
        if name not in has:
            raise ValueError(f"there is no column {name!r}; the columns are {_listed(has)}")
        width = width_of(batch, name)
        if width is None:
            raise ValueError(f"column {name!r} does not hold numbers; leave it out of columns")
        out += _spread(name, width)
    return out


def width_of(batch, name):
    """How many features a column is: 0 for plain numbers, ``None`` if it holds none."""
    if is_arrow(batch):
        return arrow_width(batch.schema.field(name).type)
    if isinstance(batch, Mapping):
        column = np.asarray(batch[name])
        numeric = column.dtype.kind in "biuf"
        return (column.shape[1] if column.ndim == 2 else 0) if numeric else None
    dtype = batch[name].dtype
    if hasattr(dtype, "is_numeric"):  # polars
        return 0 if dtype.is_numeric() or str(dtype) == "Boolean" else None
    kind = getattr(dtype, "kind", "O")
    return 0 if kind in "biuf" else None


def arrow_width(kind):
    """:func:`width_of` for a pyarrow type."""
    import pyarrow.types as types

    if types.is_fixed_size_list(kind):
        return kind.list_size if types.is_floating(kind.value_type) else None
    plain = types.is_floating(kind) or types.is_integer(kind) or types.is_boolean(kind)
    return 0 if plain or types.is_decimal(kind) else None


def rows_of(batch, features=None):
    """The features of a batch as a two-dimensional array of 32- or 64-bit floats.

    An array of such floats is returned as it is. Columns are put together in one array, of
    32-bit floats where all of them are; what is null becomes NaN, which the core refuses by
    row and column.
    """
    if names_of(batch) is None:
        return _array(batch)
    features = features_of(batch) if features is None else features
    blocks = [column_of(batch, name) for name in _sources(batch, features)]
    if len(blocks) == 1 and blocks[0].ndim == 2:
        rows = _array(blocks[0])
    else:
        rows = _together(blocks, length(batch))
    if rows.shape[1] != len(features):
        raise ValueError(
            f"the batch has {rows.shape[1]} features, but {len(features)} are needed: "
            f"{_listed(features)}"
        )
    return rows


def column_of(batch, name):
    """One column as an array; one of vectors as a two-dimensional one."""
    if is_arrow(batch):
        return _arrow_column(batch.column(name))
    column = batch[name]
    dtype = getattr(column, "dtype", None)
    if isinstance(column, np.ndarray) or isinstance(dtype, np.dtype):
        return np.asarray(column)
    if hasattr(dtype, "na_value") and getattr(dtype, "kind", "O") in "biuf":
        narrow = str(dtype).startswith(("Float32", "float"))
        return column.to_numpy(dtype=np.float32 if narrow else np.float64, na_value=np.nan)
    return column.to_numpy() if hasattr(column, "to_numpy") else np.asarray(column)


def _arrow_column(column):
    import pyarrow.types as types

    if hasattr(column, "combine_chunks"):
        column = column.combine_chunks()
    if not types.is_fixed_size_list(column.type):
        return column.to_numpy(zero_copy_only=False)
    if column.null_count:
        row = int(np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))[0])
        raise ValueError(f"the vector in row {row} of a batch is null; leave the row out")
    return column.flatten().to_numpy(zero_copy_only=False).reshape(-1, column.type.list_size)


def _array(batch):
    """A two-dimensional array of floats; itself where it is one."""
    if sparse.issparse(batch):
        batch = batch.toarray()
    rows = np.asarray(batch)
    if rows.ndim != 2:
        raise ValueError(
            f"a batch must have two dimensions, rows and columns, got shape {rows.shape}"
        )
    if rows.dtype in (np.float32, np.float64):
        # What came over a wire may lie anywhere; the core needs numbers where their type says.
        return np.require(rows, requirements="A")
    if rows.dtype.kind not in "biufO":
        raise ValueError(f"a batch must hold numbers, got {rows.dtype}")
    return rows.astype(np.float32 if rows.dtype == np.float16 else np.float64)


def _together(blocks, n):
    """Columns side by side: the one copy that columns cost."""
    narrow = all(b.dtype in (np.float32, np.float16) for b in blocks)
    width = sum(1 if b.ndim == 1 else b.shape[1] for b in blocks)
    out = np.empty((n, width), dtype=np.float32 if narrow else np.float64, order="F")
    at = 0
    for block in blocks:
        block = block[:, None] if block.ndim == 1 else block
        out[:, at : at + block.shape[1]] = block
        at += block.shape[1]
    return out


def _sources(batch, features):
    """The columns that hold these features, in order."""
    has = names_of(batch)
    known = set(has)
    out = []
    for feature in features:
        name = feature if feature in known else str(feature).rpartition("[")[0]
        if name not in known:
            raise ValueError(
                f"there is no column {feature!r}, which the features include; the columns are "
                f"{_listed(has)}"
            )
        if feature in known or not out or out[-1] != name:
            out.append(name)
    return out


def _spread(name, width):
    return [name] if width == 0 else [f"{name}[{k}]" for k in range(width)]


def _listed(names, most=8):
    said = ", ".join(repr(n) for n in names[:most])
    return said if len(names) <= most else f"{said} and {len(names) - most} more"
