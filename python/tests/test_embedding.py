"""Coordinates of rows, seen and new."""

import pickle

import numpy as np
import pytest
from conftest import two_moons
from scipy import sparse
from sklearn.pipeline import make_pipeline

import isotherm
from isotherm import SpectralEmbedding

EXACT = [
    SpectralEmbedding(n_components=3),
    SpectralEmbedding(n_components=3, kernel="matern52", landmarks=30),
    SpectralEmbedding(n_components=3, method="stkr", kernel="gaussian"),
]
EVERY = [*EXACT, SpectralEmbedding(n_components=3, method="stkr")]


@pytest.mark.parametrize("model", EVERY, ids=str)
def test_coordinates(model):
    X, _, _ = two_moons(150)
    seen = model.fit_transform(X)
    assert seen.shape == (150, 3)
    assert np.isfinite(seen).all()
    assert (np.diff(model.eigenvalues_) <= 0).all()
    assert model.transform(X[:5]).shape == (5, 3)
    again = pickle.loads(pickle.dumps(model))
    assert (again.transform(X) == model.transform(X)).all()


@pytest.mark.parametrize("model", EXACT, ids=str)
def test_rows_of_the_fit_are_where_new_rows_would_be(model):
    X, _, _ = two_moons(150)
    seen = model.fit_transform(X)
    assert np.abs(model.transform(X) - seen).max() <= 1e-6 * np.abs(seen).max()


@pytest.mark.parametrize("model", EXACT[:1] + EXACT[2:], ids=str)
def test_signs_do_not_depend_on_the_order_of_rows(model):
    X, _, _ = two_moons(48)
    seen = model.fit_transform(X)
    order = np.random.default_rng(0).permutation(48)
    again = model.fit_transform(X[order])
    assert np.abs(again - seen[order]).max() <= 1e-6 * np.abs(seen).max()


@pytest.mark.parametrize("model", EVERY, ids=str)
def test_threads_change_nothing(model):
    X, _, _ = two_moons(150)
    first = model.set_params(n_jobs=1).fit_transform(X)
    assert (model.set_params(n_jobs=3).fit_transform(X) == first).all()


def test_the_first_coordinate_tells_clusters_apart():
    X, _, truth = two_moons(200)
    X = X + 6 * truth[:, None]
    for method in ("laplacian", "stkr"):
        made = SpectralEmbedding(2, method=method, kernel="gaussian").fit_transform(X)
        sides = [set(column > column.mean()) for column in (made[truth == 0].T)]
        assert any(len(side) == 1 for side in sides)


def test_graphs():
    chain = sparse.diags_array([np.ones(29), np.ones(29)], offsets=[-1, 1], format="csr")
    model = SpectralEmbedding(2, method="stkr", kernel="graph")
    seen = model.fit_transform(chain)
    assert seen.shape == (30, 2)
    assert model.n_features_in_ == 30
    link = sparse.csr_array(([1.0], ([0], [4])), shape=(1, 30))
    assert model.transform(link).shape == (1, 2)


def test_as_a_step_before_others():
    X, y, truth = two_moons(150)
    known = y != -1
    pipe = make_pipeline(SpectralEmbedding(4), isotherm.KernelRidgeClassifier())
    assert (pipe.fit(X, truth).predict(X) == truth).mean() >= 0.9
    assert known.any()


@pytest.mark.parametrize(
    "params, word",
    [
        ({"n_components": 1000}, "1000|rank|landmarks|modes"),
        ({"kernel": "cosine"}, "stkr"),
        ({"kernel": "graph"}, "stkr"),
        ({"n_neighbors": 5}, "n_neighbors"),
        ({"method": "stkr", "landmarks": 5}, "landmarks"),
        ({"method": "stkr", "landmark_rule": "pivoted"}, "landmark_rule"),
        ({"method": "stkr", "norm_share": 0.1}, "norm_share"),
        ({"method": "stkr", "bandwidth": 0.1}, "bandwidth"),
    ],
    ids=str,
)
def test_parameters(params, word):
    with pytest.raises(ValueError, match=word):
        SpectralEmbedding(**params).fit(two_moons(60)[0])
