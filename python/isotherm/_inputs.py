"""X → what the core reads: rows in place, graphs, links and similarity matrices."""

import os
from collections.abc import Iterator

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_array, validate_data

from . import _frame

#: Kernels whose X holds one column a training sample.
PAIRWISE = ("graph", "precomputed")


def kind_of(X):
    """ "array", "stream" or "dask": who reads X."""
    if type(X).__module__.split(".")[0] in ("dask", "dask_expr"):
        return "dask"
    if isinstance(X, (str, os.PathLike, Iterator)) or hasattr(X, "_passes_by"):
        return "stream"
    if callable(X) and not hasattr(X, "shape") and not hasattr(X, "edge_index"):
        return "stream"
    if isinstance(X, (list, tuple)) and len(X) and _is_batch(X[0]):
        return "stream"
    if type(X).__module__.startswith("pyarrow") and hasattr(X, "to_batches"):
        # A pyarrow Table is in memory; a Dataset or a reader is not.
        return "array" if hasattr(X, "column_names") and hasattr(X, "columns") else "stream"
    if type(X).__module__.startswith("pyarrow") and hasattr(X, "read_next_batch"):
        return "stream"
    return "array"


def _is_batch(part):
    """Whether a part of a list is many rows: a file, a table, named columns."""
    if isinstance(part, (str, os.PathLike, dict)):
        return True
    return len(getattr(part, "shape", ())) == 2


def is_graph(X):
    """Whether X is a graph whatever it is asked for as: edges, or a symmetric sparse matrix."""
    if hasattr(X, "edge_index"):
        return True
    if not sparse.issparse(X) or X.ndim != 2 or X.shape[0] != X.shape[1] or X.shape[0] == 0:
        return False
    return (X != X.T).nnz == 0


def length(y):
    """Number of labels."""
    if hasattr(y, "shape") and len(y.shape):
        return int(y.shape[0])
    return len(y)


def table(estimator, X, *, reset):
    """Rows of numbers, looked at in place where they are 32- or 64-bit floats.

    Sparse rows stay sparse: compressed, with sorted columns and no zeros. Numbers that are not
    finite are left for the core to name.
    """
    if type(X).__module__.startswith("pyarrow") and hasattr(X, "to_pandas"):
        X = X.to_pandas()
    X = validate_data(
        estimator,
        X,
        reset=reset,
        accept_sparse="csr",
        dtype=[np.float64, np.float32],
        ensure_all_finite=False,
    )
    return in_order(X) if sparse.issparse(X) else contiguous(X)


def in_order(X):
    """Compressed rows with sorted columns, one number a cell and no zeros: X itself, or a copy."""
    rows = sparse.csr_array(X)
    if not rows.has_canonical_format or not rows.data.all():
        rows = rows.copy()
        rows.sum_duplicates()
        rows.eliminate_zeros()
    return rows


def core_rows(X):
    """Sparse rows as the core reads them."""
    from . import _core

    places = X.indptr.astype(np.int64), X.indices.astype(np.int64)
    return _core.SparseRows(*places, np.ascontiguousarray(X.data, np.float64), X.shape[1])


def encoded(estimator, X):
    """Rows for a fit: numbers, the encoder they were made by, and blocks of their columns."""
    from . import encoding

    X = _frame.from_arrow(X)
    odd = _frame.not_numbers(X) if _frame.is_frame(X) else None
    asked = getattr(estimator, "encoder", None)
    if asked is not None and sparse.issparse(X):
        raise ValueError("encoder must be left out, because sparse rows are not encoded")
    if odd is not None or asked is not None:
        validate_data(estimator, X, reset=True, skip_check_array=True)
        return encoding.encode_frame(X, estimator._jobs(), asked)
    rows = table(estimator, X, reset=True)
    if sparse.issparse(X):
        return encoding.Encoded(rows, None)
    names = _frame.names_of(X if _frame.is_frame(X) else rows)
    return encoding.fill_numbers(rows, names, estimator._jobs())


def new_rows(estimator, X):
    """New rows as the rows of the fit were encoded, and blocks of their columns."""
    encoder = getattr(estimator, "encoder_", None)
    if encoder is None:
        return table(estimator, X, reset=False), []
    X = _frame.from_arrow(X)
    frame = _frame.is_frame(X)
    plain = encoder._takes_numbers(X) and not (frame and _frame.not_numbers(X))
    if plain:
        rows = table(estimator, X, reset=False)
        return (rows, []) if sparse.issparse(rows) else filled(estimator, rows)
    if not estimator._from_file:
        validate_data(estimator, X, reset=False, skip_check_array=True)
    if not frame:
        X = check_array(X, dtype=np.float64, ensure_all_finite=False)
    found = encoder._encode(encoder._by_place(X))
    return found.values, found.blocks


def filled(estimator, rows):
    """Rows of numbers with the missing ones filled as in the fit, and blocks of their columns."""
    encoder = getattr(estimator, "encoder_", None)
    if encoder is None or not _frame.has_missing(rows):
        return rows, []
    names = encoder._core.names
    found = encoder._encode(
        [(name, np.require(rows[:, k], np.float64, "CA")) for k, name in enumerate(names)]
    )
    return found.values, found.blocks


def check_rows(estimator, data):
    """Refuses numbers that cannot be used by the caller's row and the column's name."""
    from . import _core

    if sparse.issparse(data):
        core_rows(data)
        return
    names = getattr(estimator, "feature_names_in_", None)
    names = None if names is None or len(names) != data.shape[1] else [str(n) for n in names]
    _core.check_rows(data, names=names)


def in_blocks(data, blocks):
    """Rows with the blocks of their columns, for the core; sparse rows have none."""
    from . import _core

    if sparse.issparse(data):
        return core_rows(data)
    return _core.Blocks(data, blocks) if blocks and isinstance(data, np.ndarray) else data


def contiguous(X):
    """X itself in C or F order, else a copy in C order."""
    X = np.asarray(X)
    return X if X.flags.c_contiguous or X.flags.f_contiguous else np.ascontiguousarray(X)


def graph(X, n_nodes=None):
    """A graph of an adjacency matrix, PyTorch Geometric data, an edge index or edges."""
    from . import _core

    if hasattr(X, "edge_index"):
        return _from_pyg(X, n_nodes)
    if sparse.issparse(X):
        return _from_matrix(X)
    edges = np.asarray(X)
    if edges.ndim != 2:
        raise ValueError(f"a graph needs a matrix or edges, got an array of shape {edges.shape}")
    if edges.dtype.kind not in "iufb":
        raise ValueError(
            f"a graph needs numbers, got an array of type {edges.dtype}; number the nodes from 0"
        )
    rows, columns = edges.shape
    if rows == columns and (n_nodes is None or rows == n_nodes):
        return _from_matrix(sparse.csr_array(edges.astype(np.float64)))
    if rows == 2 and edges.dtype.kind in "iu":
        sources, targets, weights = edges[0], edges[1], None
    elif columns in (2, 3):
        sources, targets = edges[:, 0], edges[:, 1]
        weights = edges[:, 2].astype(np.float64) if columns == 3 else None
    else:
        raise ValueError(
            f"a graph needs an N × N matrix, a 2 × E edge index, or E × 2 edges (E × 3 with "
            f"weights), got an array of shape {edges.shape}"
        )
    return _core.Graph.from_edges(n_nodes, _nodes(sources), _nodes(targets), weights)


def _from_pyg(X, n_nodes):
    from . import _core

    index = np.asarray(X.edge_index)
    if index.ndim != 2 or index.shape[0] != 2:
        raise ValueError(f"edge_index must have the shape 2 × E, got {index.shape}")
    weights = getattr(X, "edge_weight", None)
    if weights is None:
        attributes = getattr(X, "edge_attr", None)
        if attributes is not None and np.asarray(attributes).size == index.shape[1]:
            weights = attributes
    if weights is not None:
        weights = np.ascontiguousarray(np.asarray(weights, dtype=np.float64).ravel())
    count = getattr(X, "num_nodes", None)
    count = n_nodes if count is None else int(count)
    return _core.Graph.from_edges(count, _nodes(index[0]), _nodes(index[1]), weights)


def _from_matrix(X):
    from . import _core

    if X.shape[0] != X.shape[1]:
        raise ValueError(
            f"the adjacency matrix must be square, got {X.shape[0]} rows and {X.shape[1]} "
            f"columns; links of new nodes are for predict"
        )
    starts, columns, weights = _rows(X)
    return _core.Graph.from_csr(starts, columns, weights)


def links(X, n_known):
    """New nodes by their links to the ``n_known`` nodes of the fit."""
    from . import _core

    if hasattr(X, "edge_index"):
        raise ValueError(
            "predict needs the links of new nodes: a sparse matrix with one row a new node "
            f"and one column for each of the {n_known} nodes of the fit"
        )
    if not sparse.issparse(X):
        X = sparse.csr_array(check_array(X, dtype=np.float64, ensure_all_finite=False))
    if X.ndim != 2 or X.shape[1] != n_known:
        raise ValueError(
            f"X has {X.shape[-1]} features, but links need one column for each of the "
            f"{n_known} nodes of the fit"
        )
    starts, columns, weights = _rows(X)
    return _core.Links(starts, columns, weights, n_known)


def gram(X):
    """A similarity matrix."""
    from . import _core

    X = X.toarray() if sparse.issparse(X) else X
    X = check_array(X, dtype=np.float64, ensure_all_finite=False)
    return _core.Gram(contiguous(X))


def compared(kernel, rows, known):
    """The similarities that the caller's own function gives."""
    found = np.asarray(kernel(rows, known))
    if found.shape != (len(rows), len(known)):
        told = " × ".join(str(n) for n in found.shape)
        raise ValueError(
            f"kernel(X, Z) must give one number for each of {len(rows)} rows of X and each of "
            f"{len(known)} rows of Z, got {told or 'a single number'}"
        )
    return gram(found)


def _rows(X):
    """A sparse matrix as compressed rows without zeros; weights ``None`` where all are 1."""
    rows = sparse.csr_array(X)
    if rows.dtype.kind not in "iufb":
        raise ValueError(f"edges need real weights, got {rows.dtype}")
    if rows is X or not rows.has_sorted_indices or (rows.data == 0).any():
        rows = rows.copy()
        rows.sum_duplicates()
        rows.eliminate_zeros()
    weights = np.ascontiguousarray(rows.data, dtype=np.float64)
    plain = bool((weights == 1.0).all())
    return (
        rows.indptr.astype(np.int64),
        rows.indices.astype(np.int64),
        None if plain else weights,
    )


def _nodes(values):
    """Node numbers; anything else is refused."""
    values = np.asarray(values)
    whole = values.astype(np.int64)
    if values.dtype.kind == "f" and not (values == whole).all():
        place = int(np.flatnonzero(values != whole)[0])
        raise ValueError(f"edge {place}: {values[place]} is not the number of a node")
    return np.ascontiguousarray(whole)
