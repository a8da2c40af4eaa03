"""Whatever holds the rows: arrays in any order, frames, sparse matrices, graphs."""

import types
import warnings

import numpy as np
import pandas as pd
import polars
import pyarrow
import pytest
import sklearn
from conftest import two_moons
from estimators import CLASSIFIERS, REGRESSORS
from scipy import sparse
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import isotherm
from isotherm import InverseLaplacian, STKRClassifier
from isotherm.exceptions import DataWarning

TABLES = [
    isotherm.STKRClassifier(),
    isotherm.STKRClassifier("gaussian"),
    isotherm.LaplacianClassifier(),
    isotherm.LabelPropagation(),
    isotherm.HarmonicClassifier(),
    isotherm.KernelRidgeClassifier(),
]


@pytest.mark.parametrize("model", TABLES, ids=str)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_orders_and_memmaps_are_the_same_to_the_bit(model, dtype, tmp_path):
    X, y, _ = two_moons(90)
    X = X.astype(dtype)
    first = model.fit(X, y)
    p, scores = first.predict_proba(X), first.decision_
    path = tmp_path / "x.dat"
    np.memmap(path, dtype=dtype, mode="w+", shape=X.shape)[:] = X
    mapped = np.memmap(path, dtype=dtype, mode="r", shape=X.shape)
    wide = np.zeros((len(X), 4), dtype=dtype)
    wide[:, ::2] = X
    fixed = X.copy()
    fixed.setflags(write=False)
    for held in (
        np.asfortranarray(X),
        mapped,
        wide[:, ::2],
        fixed,
        X.astype(X.dtype.newbyteorder()),
    ):
        again = model.fit(held, y)
        assert (again.decision_ == scores).all()
        assert (again.predict_proba(held) == p).all()


def test_rows_are_looked_at_in_place(monkeypatch):
    """The core is handed the caller's own memory, not a copy."""
    from isotherm import _core

    X, y, _ = two_moons(90)
    seen = []
    fit = _core.fit
    monkeypatch.setattr(
        _core, "fit", lambda recipe, data, *a, **k: seen.append(data) or fit(recipe, data, *a, **k)
    )
    for held in (
        X,
        X.astype(np.float32),
        np.asfortranarray(X),
        pd.DataFrame(X, columns=["a", "b"]),
    ):
        STKRClassifier().fit(held, y)
        own = held.to_numpy() if isinstance(held, pd.DataFrame) else held
        assert np.shares_memory(seen[-1], own)
        assert seen[-1].dtype == own.dtype


@pytest.mark.parametrize("dtype", ["int64", "int8", "bool", "float16", "object"])
def test_other_numbers_are_converted(dtype):
    X = (two_moons(60)[0] * 8).round().astype(dtype)
    y = two_moons(60)[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first = STKRClassifier().fit(X.astype(float), y).decision_
        assert (STKRClassifier().fit(X, y).decision_ == first).all()


@pytest.mark.parametrize(
    "hold",
    [
        lambda X: pd.DataFrame(X, columns=["a", "b"]),
        lambda X: polars.DataFrame(X, schema=["a", "b"]),
        lambda X: pyarrow.table({"a": X[:, 0], "b": X[:, 1]}),
    ],
    ids=["pandas", "polars", "pyarrow"],
)
def test_frames_and_their_names(hold):
    X, y, _ = two_moons(60)
    first = STKRClassifier().fit(X, y)
    model = STKRClassifier().fit(hold(X), y)
    assert model.feature_names_in_.tolist() == ["a", "b"]
    assert (model.predict_proba(hold(X)) == first.predict_proba(X)).all()
    with pytest.raises(ValueError, match="feature names"):
        model.predict(pd.DataFrame(X, columns=["b", "a"]))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        model.predict(X)


@pytest.mark.parametrize("model", TABLES, ids=str)
@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
@pytest.mark.parametrize("kind", ["matrix", "array"])
def test_sparse_rows(model, form, kind):
    X, y, _ = two_moons(60)
    X = np.where(np.abs(X) < 0.3, 0.0, X)
    made = getattr(sparse, f"{form}_{kind}")(X)
    first = model.fit(X, y).decision_
    again = model.fit(made, y)
    assert (again.decision_ == first).all()
    assert (again.predict(made) == model.fit(X, y).predict(X)).all()


# graphs


def ring(n=12):
    """Two rings with one link between them, and one label in each."""
    step = np.arange(n)
    edges = np.vstack(
        [
            np.column_stack([step, (step + 1) % n]),
            np.column_stack([n + step, n + (step + 1) % n]),
            [[0, n]],
        ]
    )
    y = np.full(2 * n, -1)
    y[n // 2], y[n + n // 2] = 0, 1
    matrix = sparse.csr_array((np.ones(len(edges)), edges.T), shape=(2 * n, 2 * n))
    return sparse.csr_array(matrix + matrix.T), edges, y


def graph_forms():
    matrix, edges, _ = ring()
    both = np.vstack([edges, edges[:, ::-1]])
    weights = np.ones(len(edges))
    return {
        "csr_array": matrix,
        "csr_matrix": sparse.csr_matrix(matrix),
        "coo": sparse.coo_array(matrix),
        "int32 indices": sparse.csr_matrix(matrix.astype(np.int32)),
        "dense": matrix.toarray(),
        "each edge once": sparse.csr_array(sparse.triu(matrix)),
        "edges": edges,
        "weighted edges": np.column_stack([edges.astype(float), weights]),
        "edge index": edges.T.copy(),
        "pyg": types.SimpleNamespace(edge_index=both.T.copy(), num_nodes=24),
        "pyg with weights": types.SimpleNamespace(
            edge_index=both.T.copy(), edge_weight=np.ones(len(both)), num_nodes=24
        ),
        "pyg with attributes": types.SimpleNamespace(
            edge_index=both.T.copy(), edge_attr=np.ones((len(both), 1))
        ),
    }


@pytest.mark.parametrize("form", graph_forms())
@pytest.mark.parametrize(
    "cls", [isotherm.STKRClassifier, isotherm.LabelPropagation, isotherm.HarmonicClassifier]
)
def test_graphs(cls, form):
    matrix, _, y = ring()
    first = cls(kernel="graph").fit(matrix, y)
    model = cls(kernel="graph").fit(graph_forms()[form], y)
    assert (model.decision_ == first.decision_).all()
    assert model.n_features_in_ == 24
    assert model.transduction_.tolist() == [0] * 12 + [1] * 12
    links = sparse.csr_array(([1.0, 1.0], ([0, 1], [6, 18])), shape=(2, 24))
    assert model.predict(links).tolist() == [0, 1]
    assert model.predict(links.toarray()).tolist() == [0, 1]


def test_edges_leave_nodes_without_one_to_the_labels():
    _, edges, y = ring()
    with pytest.warns(isotherm.exceptions.UnreachedRowsWarning, match="1 of 25"):
        model = STKRClassifier("graph").fit(edges, np.append(y, -1))
    assert model.n_features_in_ == 25


def test_auto_takes_what_is_a_graph_for_one():
    matrix, edges, y = ring()
    first = STKRClassifier("graph").fit(matrix, y).decision_
    pyg = types.SimpleNamespace(edge_index=edges.T.copy(), num_nodes=24)
    for X in (matrix, sparse.csr_matrix(matrix), pyg):
        assert (STKRClassifier().fit(X, y).decision_ == first).all()
    # A square table that is not symmetric is a table.
    X, y, _ = two_moons(20)
    square = np.tile(X, 10)
    again = STKRClassifier().fit(sparse.csr_array(square), y)
    assert (again.decision_ == STKRClassifier().fit(square, y).decision_).all()


def test_the_defaults_are_never_refused():
    """On any graph or table: stars, pairs, parts without labels, few rows, constant columns."""
    draw = np.random.default_rng(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n in (2, 3, 5, 17, 60):
            for density in (0.05, 0.3, 1.0):
                W = sparse.random_array((n, n), density=density, rng=draw)
                W = sparse.csr_array(W + W.T)
                W.setdiag(0)
                y = np.array(["", "a", "b"])[draw.integers(0, 3, n)]
                y[:2] = "a", "b"
                for cls in (STKRClassifier, isotherm.LabelPropagation, isotherm.HarmonicClassifier):
                    model = cls(kernel="graph").fit(W, y)
                    assert np.isfinite(model.decision_).all()
            X = np.column_stack([draw.normal(size=n), np.ones(n)])
            for cls in CLASSIFIERS:
                model = cls().fit(X, y)
                assert np.isfinite(model.label_distributions_).all()
            for cls in REGRESSORS:
                values = np.where(y == "", np.nan, X[:, 0])
                assert np.isfinite(cls().fit(X, values).transduction_).all()


# scikit-learn around us


def test_a_grid_over_transforms_and_their_parameters():
    X, y, truth = two_moons(120, labels=20)
    known = y != -1
    grid = {"transform__eta": [0.5, 0.99], "ridge": [1e-3, 1e-1]}
    search = GridSearchCV(STKRClassifier(), grid, cv=3).fit(X[known], y[known])
    assert search.best_params_["transform__eta"] in (0.5, 0.99)
    assert STKRClassifier().get_params()["transform"] == InverseLaplacian(0.99)
    filters = [isotherm.Tikhonov(1e-2), isotherm.Heat(1e-2)]
    model = isotherm.LaplacianClassifier(bandwidth=0.5)
    search = GridSearchCV(model, {"filter": filters}, cv=3).fit(X[known], y[known])
    assert search.best_params_["filter"] in filters
    nested = isotherm.LaplacianClassifier(filter=isotherm.Tikhonov(1.0))
    assert nested.set_params(filter__strength=0.5).filter == isotherm.Tikhonov(0.5)


def test_a_default_is_not_changed_by_setting_its_parameter():
    changed = STKRClassifier().set_params(transform__eta=0.1)
    assert changed.get_params()["transform__eta"] == 0.1
    assert STKRClassifier().get_params()["transform__eta"] == 0.99
    both = STKRClassifier().set_params(transform=isotherm.Diffusion(2.0), transform__time=3.0)
    assert both.get_params()["transform"] == isotherm.Diffusion(3.0)
    with pytest.raises(AttributeError, match="does not change"):
        changed.get_params()["transform"].eta = 0.2
    with pytest.raises(ValueError, match="no parameter 'time'"):
        changed.set_params(transform__time=1.0)


def test_a_classifier_is_no_transformer():
    model = STKRClassifier()
    assert not hasattr(model, "transform")
    with pytest.raises(AttributeError, match="get_params"):
        model.transform
    pipe = make_pipeline(StandardScaler(), model)
    assert not hasattr(pipe, "transform")
    X, y, truth = two_moons(120)
    assert (pipe.fit(X, y).predict(X) == truth).mean() > 0.9


def test_metadata_routing():
    X, y, _ = two_moons(120, labels=20)
    known = y != -1
    weights = np.arange(known.sum()) % 3 + 1.0
    with sklearn.config_context(enable_metadata_routing=True):
        model = STKRClassifier().set_fit_request(sample_weight=True)
        model.set_score_request(sample_weight=True)
        assert "sample_weight" in model.get_metadata_routing().fit.requests
        found = cross_validate(model, X[known], y[known], params={"sample_weight": weights}, cv=3)
        assert np.isfinite(found["test_score"]).all()
        harmonic = isotherm.HarmonicClassifier()
        assert not hasattr(harmonic, "set_fit_request") or (
            "sample_weight" not in harmonic.get_metadata_routing().fit.requests
        )


def test_scores_do_not_count_unlabelled_rows():
    X, y, truth = two_moons(120)
    model = STKRClassifier().fit(X, y)
    known = y != -1
    assert model.score(X, y) == (model.predict(X[known]) == y[known]).mean()
    with pytest.raises(ValueError, match="no labels to score by"):
        model.score(X, np.full(120, -1))
    values = np.where(known, truth.astype(float), np.nan)
    regressor = isotherm.STKRRegressor().fit(X, values)
    assert np.isfinite(regressor.score(X, values))


# weights


WEIGHED = [
    isotherm.STKRClassifier(),
    isotherm.STKRClassifier("gaussian"),
    isotherm.LaplacianClassifier(bandwidth=0.5, filter=isotherm.Tikhonov(1e-2)),
    isotherm.LabelPropagation(),
    isotherm.KernelRidgeClassifier(),
]


@pytest.mark.parametrize("model", WEIGHED, ids=str)
def test_weights_are_repetitions(model):
    X, y, _ = two_moons(40, labels=6)
    labelled = np.flatnonzero(y != -1)
    weights = np.ones(40)
    weights[labelled[0]], weights[labelled[1]] = 3, 0
    weights[np.flatnonzero(y == -1)[0]] = 0
    times = weights.astype(int)
    weighed = model.fit(X, y, sample_weight=weights)
    p, seen = weighed.predict_proba(X), weighed.label_distributions_
    repeated = model.fit(X.repeat(times, axis=0), y.repeat(times))
    assert np.abs(repeated.predict_proba(X) - p).max() <= 1e-9
    assert seen.shape == (40, 2)
    # Rows that were left out are told what new rows are.
    assert np.abs(seen[weights == 0] - p[weights == 0]).max() <= 1e-9


def test_a_weight_of_zero_takes_the_label_of_a_node_away():
    matrix, _, y = ring()
    y[0] = 1
    weights = np.ones(24)
    weights[0] = 0
    model = STKRClassifier("graph").fit(matrix, y, sample_weight=weights)
    y[0] = -1
    first = STKRClassifier("graph").fit(matrix, y)
    assert np.abs(model.decision_ - first.decision_).max() <= 1e-9


def test_landmarks_are_rows_of_x_whatever_is_merged():
    X, y, _ = two_moons(40, labels=6)
    rows = np.flatnonzero(y != -1)
    twice = np.vstack([X[rows[:1]], X])  # row 0 stands twice
    labels = np.append(y[rows[:1]], y)
    said = {"bandwidth": 0.5, "filter": isotherm.Tikhonov(1e-2)}
    model = isotherm.LaplacianClassifier(landmarks=[0, 5, 9], **said).fit(twice, labels)
    weights = np.ones(40)
    weights[rows[0]] = 2
    other = isotherm.LaplacianClassifier(landmarks=[rows[0], 4, 8], **said)
    other.fit(X, y, sample_weight=weights)
    assert np.abs(model.predict_proba(X) - other.predict_proba(X)).max() <= 1e-9
    assert model.transduction_.shape == (41,)


def test_a_symmetric_sparse_matrix_says_that_it_is_taken_for_a_graph():
    ring = sparse.diags_array([np.ones(19), np.ones(19)], offsets=[-1, 1]).tocsr()
    y = np.full(20, -1)
    y[[0, 19]] = 0, 1
    with pytest.warns(DataWarning, match="20 × 20, which is taken for a graph.*kernel='graph'"):
        found = isotherm.STKRClassifier().fit(ring, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DataWarning)
        said = isotherm.STKRClassifier("graph").fit(ring, y)
    assert np.array_equal(found.decision_, said.decision_)
