"""The graph of nearest neighbours."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from isotherm import STKRClassifier, knn_graph
from isotherm.datasets import make_moons


def nearest(X, k):
    distance = cdist(X, X)
    np.fill_diagonal(distance, np.inf)
    joined = np.zeros(distance.shape, dtype=bool)
    np.put_along_axis(joined, np.argsort(distance, axis=1)[:, :k], True, axis=1)
    return joined | joined.T


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_edges_are_those_of_all_distances(dtype):
    X = np.random.default_rng(0).standard_normal((120, 3)).astype(dtype)
    graph = knn_graph(X, 6, exact=True)
    assert np.array_equal(graph.toarray() > 0, nearest(X.astype(float), 6))
    assert (graph != graph.T).nnz == 0
    assert graph.diagonal().sum() == 0
    assert graph.has_sorted_indices


def test_threads_do_not_change_the_graph():
    X = np.random.default_rng(1).standard_normal((500, 8))
    one, two = (knn_graph(X, 10, n_jobs=n) for n in (1, 2))
    assert np.array_equal(one.indices, two.indices) and np.array_equal(one.data, two.data)


def test_a_fit_to_the_graph_is_the_fit_to_the_rows():
    X, y, _ = make_moons(200, random_state=0)
    rows = STKRClassifier(n_neighbors=8, standardize=False).fit(X, y)
    graph = STKRClassifier(kernel="graph").fit(knn_graph(X, 8), y)
    assert np.allclose(rows.decision_, graph.decision_, atol=1e-6)


def test_orders_of_memory_are_alike():
    X = np.random.default_rng(2).standard_normal((60, 4))
    assert (knn_graph(X, 3) != knn_graph(np.asfortranarray(X), 3)).nnz == 0


@pytest.mark.parametrize("k", [0, 4, -1])
def test_a_number_of_neighbours_that_cannot_be_is_refused(k):
    with pytest.raises(
        ValueError, match=f"n_neighbors must be at least 1 and below the 4 rows of X, got {k}"
    ):
        knn_graph(np.zeros((4, 1)), k)


def test_cells_that_are_no_numbers_are_refused():
    with pytest.raises(ValueError, match="NaN"):
        knn_graph([[0.0], [np.nan], [1.0]], 1)
