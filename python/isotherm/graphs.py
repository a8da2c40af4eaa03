"""Graphs from rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from joblib import effective_n_jobs
from scipy import sparse
from sklearn.utils import check_array, check_random_state

from . import _core, _inputs

__all__ = ["knn_graph"]

#: What rows can be compared by.
METRICS = ("euclidean", "cosine")


def knn_graph(
    X: Any,
    n_neighbors: int = 10,
    *,
    metric: str = "euclidean",
    exact: bool = False,
    random_state: Any = 0,
    n_jobs: int | None = None,
) -> sparse.csr_array:
    """The symmetric graph of nearest neighbours that the estimators use on tables.

    Rows i and j are joined when either is among the ``n_neighbors`` nearest of the other; the
    weight falls with their distance as in the estimators' own graph, so that ``kernel="graph"``
    on the result has the similarities of ``kernel="knn"`` on ``X``.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n, d)
        Finite numbers, float32 or float64; others are converted. Sparse rows stay sparse.
    n_neighbors : int, default=10
        Neighbours of a row, at least 1 and fewer than n.
    metric : {"euclidean", "cosine"}, default="euclidean"
        Which rows are near. ``"cosine"`` compares the directions of rows, whatever their length:
        it is the Euclidean distance of rows divided by their length.
    exact : bool, default=False
        Whether neighbours are found by comparing all rows. Otherwise large tables are
        searched approximately. Sparse rows are always compared with all others.
    random_state : int, RandomState instance or None, default=0
        Seeds the approximate search.
    n_jobs : int or None, default=None
        Threads; None and -1: all. The result does not depend on it.

    Returns
    -------
    graph : scipy.sparse.csr_array of shape (n, n)
        Symmetric, without a diagonal, rows sorted.

    Examples
    --------
    >>> from isotherm import knn_graph
    >>> graph = knn_graph([[0.0], [1.0], [5.0], [6.0]], n_neighbors=1)
    >>> (graph.toarray() > 0).astype(int).tolist()
    [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]]
    """
    rows = check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32], order=None)
    count = rows.shape[0]
    if not 1 <= n_neighbors < count:
        raise ValueError(
            f"n_neighbors must be at least 1 and below the {count} rows of X, got {n_neighbors}"
        )
    if metric not in METRICS:
        known = " or ".join(repr(name) for name in METRICS)
        raise ValueError(f"metric must be {known}, got {metric!r}")
    data = _inputs.in_blocks(rows, [])
    threads = None if n_jobs is None else effective_n_jobs(n_jobs)
    found = _core.knn_graph(
        data,
        int(n_neighbors),
        directions=metric == "cosine",
        seed=_seed(random_state),
        exact=exact,
        threads=threads,
    )
    starts, columns, weights = found.to_csr()
    values = np.ones(len(columns)) if weights is None else weights
    return sparse.csr_array((values, columns, starts), shape=(count, count))


def _seed(random_state: Any) -> int:
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31))
