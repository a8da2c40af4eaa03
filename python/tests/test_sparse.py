"""Sparse rows stay sparse: in fits, predictions, files and pickles."""

import pickle
import tracemalloc
import warnings

import numpy as np
import pytest
from estimators import CLASSIFIERS, REGRESSORS
from scipy import sparse
from sklearn.metrics.pairwise import cosine_distances, euclidean_distances

import isotherm
from isotherm._weights import _keys, _twins
from isotherm.exceptions import DataWarning

WIDTH = 1 << 20

TABLES = [
    isotherm.AutoClassifier(),
    isotherm.STKRClassifier(),
    isotherm.STKRClassifier("gaussian"),
    isotherm.LabelPropagation(),
    isotherm.HarmonicClassifier(),
    isotherm.KernelRidgeClassifier(),
    isotherm.LaplacianClassifier(landmarks=40),
]


def texts(n=200, width=WIDTH, seed=0):
    """Counts of words as hashing makes them: a few numbers in a million columns.

    Words of even texts and of odd texts differ, some are in both; every tenth text is labelled.
    """
    draw = np.random.default_rng(seed)
    words = draw.choice(width, size=(3, 60), replace=False)
    rows, columns = [], []
    for i in range(n):
        own = np.concatenate([draw.choice(words[i % 2], 6), draw.choice(words[2], 10)])
        rows += [i] * len(own)
        columns += own.tolist()
    counts = sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=(n, width)).tocsr()
    y = np.arange(n) % 2
    known = np.where(np.arange(n) % 10 < 2, y, -1)
    return counts, known, y


def quiet(model, X, y):
    """A fit without what else it may warn of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y)


@pytest.mark.parametrize("model", TABLES, ids=str)
def test_a_million_columns_are_learned_from_and_predicted(model):
    X, known, y = texts()
    tracemalloc.start()
    quiet(model, X, known)
    found = model.predict(X)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (found == y).mean() >= 0.85
    # A single dense row is 8 MB.
    assert peak < 60e6


@pytest.mark.parametrize("model", TABLES, ids=str)
def test_a_pickle_holds_the_numbers_that_are_not_zero(model):
    X, known, _ = texts()
    expected = quiet(model, X, known).predict_proba(X)
    held = pickle.dumps(model)
    assert len(held) < 1e6
    assert np.array_equal(pickle.loads(held).predict_proba(X), expected)


@pytest.mark.parametrize("kind", [*CLASSIFIERS, *REGRESSORS])
def test_every_estimator_takes_sparse_rows(kind):
    X, known, _ = texts(60, width=500)
    y = np.where(known < 0, np.nan, known) if kind in REGRESSORS else known
    found = quiet(kind(), X, y).predict(X[:5])
    assert len(found) == 5


@pytest.mark.parametrize("model", TABLES, ids=str)
def test_the_form_and_the_order_of_numbers_do_not_matter(model):
    X, known, _ = texts(80, width=2000)
    expected = quiet(model, X, known).predict_proba(X)
    backwards = X.copy()
    for start, end in zip(X.indptr[:-1], X.indptr[1:]):
        for held in (backwards.indices, backwards.data):
            held[start:end] = held[start:end][::-1].copy()
    backwards.has_sorted_indices = False
    zero = X.tolil()
    zero[0, 7] = 5.0
    zero = zero.tocsr()
    zero[0, 7] = X[0, 7]
    for form in (X.tocsc(), X.tocoo(), sparse.csr_matrix(X), backwards, zero):
        assert np.array_equal(quiet(model, form, known).predict_proba(form), expected)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dense = model.predict_proba(X.toarray())
    assert np.abs(dense - expected).max() <= 1e-9


def test_nothing_is_said_of_empty_columns():
    X, known, _ = texts()
    with warnings.catch_warnings():
        warnings.simplefilter("error", DataWarning)
        warnings.filterwarnings("ignore", "the fit gives")
        isotherm.KernelRidgeClassifier().fit(X, known)


def test_rows_that_differ_in_length_only_are_alike_unless_they_are_left_as_given():
    X, known, _ = texts(100, width=3000)
    longer = sparse.diags_array(np.where(np.arange(100) % 3, 1.0, 7.0)) @ X
    for model in (isotherm.STKRClassifier(), isotherm.KernelRidgeClassifier()):
        expected = quiet(model, X, known).predict_proba(X)
        found = quiet(model, longer, known).predict_proba(longer)
        assert np.abs(found - expected).max() <= 1e-9
        model.set_params(standardize=False)
        given = quiet(model, longer, known).predict_proba(longer)
        assert np.abs(given - expected).max() > 1e-3


def test_a_number_that_is_not_finite_is_named():
    X, known, _ = texts(40, width=300)
    X = X.tolil()
    X[3, 17] = np.nan
    with pytest.raises(ValueError, match=r"row 3.*column 17"):
        isotherm.STKRClassifier().fit(X.tocsr(), known)


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("form", ["sparse", "dense"])
def test_neighbours_are_the_nearest_by_the_metric(metric, form):
    draw = np.random.default_rng(1)
    dense = draw.normal(size=(80, 200)) * (draw.random((80, 200)) < 0.06)
    dense *= draw.uniform(0.1, 10.0, size=(80, 1))
    X = sparse.csr_array(dense) if form == "sparse" else dense
    graph = isotherm.knn_graph(X, 4, metric=metric)
    distance = {"euclidean": euclidean_distances, "cosine": cosine_distances}[metric](dense)
    np.fill_diagonal(distance, np.inf)
    near = np.argsort(distance, axis=1)[:, :4]
    expected = np.zeros((80, 80), dtype=bool)
    np.put_along_axis(expected, near, True, axis=1)
    assert np.array_equal(graph.toarray() > 0, expected | expected.T)


def test_other_metrics_are_refused():
    with pytest.raises(ValueError, match="'euclidean' or 'cosine', got 'manhattan'"):
        isotherm.knn_graph(np.eye(5), 2, metric="manhattan")


def test_equal_sparse_rows_are_merged_as_dense_ones_are():
    X, known, _ = texts(60, width=400)
    twice = sparse.vstack([X, X[:20]]).tocsr()
    labels = np.concatenate([known, known[:20]])
    model = isotherm.KernelRidgeClassifier(standardize=False)
    found = quiet(model, twice, labels).predict_proba(twice)
    dense = quiet(model, twice.toarray(), labels).predict_proba(twice.toarray())
    assert np.abs(found - dense).max() <= 1e-9

    class Labels:
        labelled = np.ones(80, dtype=bool)

        def key(self, rows):
            return (np.asarray(rows)[:, None] % 60 < 30).astype(float)

    rows = np.arange(80)
    assert np.array_equal(_twins(twice, Labels(), rows), _twins(twice.toarray(), Labels(), rows))
    assert len(np.unique(_keys(twice, Labels(), rows))) == 60
