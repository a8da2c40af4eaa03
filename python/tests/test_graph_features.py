"""Graphs whose nodes have features."""

import os
import pickle
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

import isotherm
from isotherm import (
    AutoClassifier,
    AutoRegressor,
    KernelRidgeClassifier,
    LaplacianClassifier,
    STKRClassifier,
    knn_graph,
)
from isotherm.exceptions import DataWarning, UnreachedRowsWarning

DATA = Path(os.environ.get("ISOTHERM_DATA", ""))


def planted(n=300, classes=3, labels=4, seed=0):
    """A graph with more edges within classes, noisy features, a few labels; A, X, y, truth."""
    draw = np.random.default_rng(seed)
    truth = np.arange(n) % classes
    same = truth[:, None] == truth[None]
    upper = np.triu(draw.random((n, n)) < np.where(same, 0.045, 0.014), 1)
    A = sparse.csr_array((upper | upper.T).astype(float))
    X = draw.normal(size=(n, 12))
    X[:, :classes] += 1.3 * np.eye(classes)[truth]
    y = np.full(n, -1)
    for c in range(classes):
        y[draw.permutation(np.flatnonzero(truth == c))[:labels]] = c
    return A, X, y, truth


@pytest.fixture(scope="module")
def data():
    return planted()


@pytest.fixture(scope="module")
def fitted(data):
    A, X, y, _ = data
    return AutoClassifier(graph=A).fit(X, y)


def thinned(X):
    """Most numbers zero, as a dense array."""
    return np.where(X > 0.9, X, 0.0)


def right(model, y, truth):
    """Accuracy where there was no label."""
    return (model.transduction_ == truth)[y == -1].mean()


def test_both_together_are_better_than_each_alone():
    gains = []
    for seed in range(3):
        A, X, y, truth = planted(seed=seed)
        both = right(AutoClassifier(graph=A).fit(X, y), y, truth)
        edges = right(AutoClassifier(graph=A).fit(None, y), y, truth)
        rows = right(AutoClassifier().fit(X, y), y, truth)
        gains.append((both - edges, both - rows))
    assert np.mean(gains, axis=0).min() >= 0.05, gains


def test_what_a_fit_tells(data, fitted):
    A, X, y, _ = data
    assert fitted.n_features_in_ == 12
    assert fitted.label_distributions_.shape == (300, 3)
    assert np.allclose(fitted.label_distributions_.sum(axis=1), 1)
    assert fitted.reached_.all()
    assert any("features" in name for name in fitted.blend_)
    assert sum(fitted.blend_.values()) == pytest.approx(1)
    alone = AutoClassifier(graph=A).fit(None, y)
    assert alone.n_features_in_ == 0 and not any("features" in name for name in alone.blend_)


def test_sparse_features_are_dense_ones_bit_for_bit(data):
    A, X, y, _ = data
    X = thinned(X)
    dense = AutoClassifier(graph=A).fit(X, y)
    links = A[:7]
    for form in (sparse.csr_array, sparse.csc_matrix, sparse.coo_array):
        found = AutoClassifier(graph=A).fit(form(X), y)
        assert (found.label_distributions_ == dense.label_distributions_).all()
        new = found.predict_proba(form(X[:7]), links=links)
        assert (new == dense.predict_proba(X[:7], links=links)).all()


def test_sparse_features_are_never_made_dense(data, monkeypatch):
    A, X, y, _ = data
    rows = sparse.csr_array(thinned(X))

    def refused(*_, **__):
        raise AssertionError("made dense")

    for cls in (sparse.csr_array, sparse.csr_matrix, sparse.coo_array):
        monkeypatch.setattr(cls, "toarray", refused)
        monkeypatch.setattr(cls, "todense", refused)
    model = AutoClassifier(graph=A).fit(rows, y)
    model.predict(rows[:5], links=A[:5])
    AutoClassifier().fit(rows, y).predict(rows[:5])


def test_frames_keep_their_names(data, tmp_path):
    A, X, y, _ = data
    frame = pd.DataFrame(X[:, :3], columns=["a", "b", "c"])
    frame["kind"] = np.where(X[:, 3] > 0, "up", "down")
    frame.loc[5, "a"] = np.nan
    model = AutoClassifier(graph=A).fit(frame, y)
    assert model.feature_names_in_.tolist() == ["a", "b", "c", "kind"]
    assert model.encoder_.filled_ == {"a": 1}
    found = model.predict_proba(frame[:9], links=A[:9])
    model.save(tmp_path / "model.iso")
    again = isotherm.load(tmp_path / "model.iso")
    assert np.abs(again.predict_proba(frame[:9], links=A[:9]) - found).max() <= 1e-12


def test_forms_of_a_graph(data, fitted):
    A, X, y, _ = data
    entries = sparse.coo_array(A)
    index = np.vstack([entries.row, entries.col])
    for form in (A.toarray(), sparse.coo_matrix(A), index, index.T, A.astype(bool)):
        found = AutoClassifier(graph=form).fit(X, y)
        assert np.array_equal(found.label_distributions_, fitted.label_distributions_)
    near = AutoClassifier(graph=knn_graph(X, 8)).fit(X, y)
    assert near.reached_.all()


def test_weights_count(data, fitted):
    A, X, y, _ = data
    draw = np.random.default_rng(1)
    weights = sparse.csr_array(A.multiply(draw.uniform(0.1, 2, A.shape)))
    weights = weights.maximum(weights.T)
    found = AutoClassifier(graph=weights).fit(X, y)
    assert not np.allclose(found.label_distributions_, fitted.label_distributions_)


def test_new_nodes_are_predicted_nearly_as_well_as_known_ones():
    there, new = [], []
    for seed in range(3):
        A, X, y, truth = planted(seed=seed)
        last = np.flatnonzero(y == -1)[-60:]
        rest = np.setdiff1d(np.arange(300), last)
        whole = AutoClassifier(graph=A).fit(X, y)
        there.append((whole.transduction_ == truth)[last].mean())
        part = AutoClassifier(graph=A[rest][:, rest]).fit(X[rest], y[rest])
        new.append(part.score(X[last], truth[last], links=A[last][:, rest]))
    assert np.mean(new) >= np.mean(there) - 0.05, (new, there)


def test_predictions_agree_with_each_other(data, fitted):
    A, X, _, _ = data
    new, links = X[:20], A[:20]
    shares = fitted.predict_proba(new, links)
    assert (fitted.classes_[shares.argmax(axis=1)] == fitted.predict(new, links=links)).all()
    assert np.allclose(np.exp(fitted.predict_log_proba(new, links)), shares)
    assert fitted.decision_function(new, links=links).shape == (20, 3)
    assert fitted.is_reached(new, links=links).all()
    assert np.array_equal(fitted.predict_proba(new, links.toarray()), shares)


def test_a_graph_without_features(data):
    A, _, y, _ = data
    model = AutoClassifier(graph=A).fit(None, y)
    assert np.array_equal(model.predict(links=A[:5]), model.predict(None, A[:5]))
    assert model.score(None, model.predict(links=A[:5]), links=A[:5]) == 1.0


def test_numbers(data):
    A, X, y, truth = data
    values = np.where(y == -1, np.nan, truth + 0.5)
    model = AutoRegressor(graph=A).fit(X, values)
    assert np.corrcoef(model.transduction_, truth)[0, 1] > 0.6
    assert model.predict(X[:5], links=A[:5]).shape == (5,)
    assert model.score(X, truth + 0.5, links=A) > 0.3
    wide = AutoRegressor(graph=A).fit(X, np.column_stack([values, -values]))
    assert wide.transduction_.shape == (300, 2)


def torch_like(A, X, truth, y, **more):
    """What PyTorch Geometric calls data, by its attributes."""
    entries = sparse.coo_array(A)
    return SimpleNamespace(
        x=X.astype(np.float32),
        edge_index=np.vstack([entries.row, entries.col]),
        y=truth,
        train_mask=y != -1,
        num_nodes=len(truth),
        **more,
    )


def test_pytorch_geometric_data(data):
    A, X, y, truth = data
    first = AutoClassifier(graph=A).fit(X.astype(np.float32), y)
    found = AutoClassifier().fit(torch_like(A, X, truth, y))
    assert np.array_equal(found.label_distributions_, first.label_distributions_)
    assert found.classes_.tolist() == [0, 1, 2]
    other = torch_like(A, X, truth, y, edge_weight=np.full(A.nnz, 2.0))
    heavy = AutoClassifier().fit(other, y)
    assert np.allclose(
        heavy.label_distributions_,
        AutoClassifier(graph=2 * A).fit(other.x, y).label_distributions_,
    )
    bare = torch_like(A, X, truth, y)
    bare.x = None
    assert AutoClassifier().fit(bare).n_features_in_ == 0
    numbers = torch_like(A, X, truth.astype(np.float32)[:, None], y)
    assert AutoRegressor().fit(numbers).report_["labelled"] == (y != -1).sum()
    estimate = isotherm.estimate_accuracy(AutoClassifier(), torch_like(A, X, truth, y), None)
    assert estimate.n_labels == 12


def test_what_pytorch_geometric_data_lacks_is_told(data):
    A, X, y, truth = data
    without = torch_like(A, X, truth, y)
    without.y = None
    with pytest.raises(ValueError, match=r"y must be given, because X\.y is None"):
        AutoClassifier().fit(without)
    several = torch_like(A, X, truth, y)
    several.train_mask = np.column_stack([y != -1] * 10)
    with pytest.raises(ValueError, match=r"X\.train_mask must .* shape \(300, 10\)"):
        AutoClassifier().fit(several)
    with pytest.raises(ValueError, match="graph must be None where X has edges of its own"):
        AutoClassifier(graph=A).fit(torch_like(A, X, truth, y))
    with pytest.raises(ValueError, match="unlabeled must not be None"):
        AutoClassifier(unlabeled=None).fit(torch_like(A, X, truth, y))


def test_graphs_that_cannot_be(data):
    A, X, y, _ = data
    for wrong, said in [
        (A[:250], r"graph must be square, .* got 250 × 300"),
        (A - 2 * A, r"graph must have weights of at least 0, got -1\.0 between nodes 0 and \d+"),
        (sparse.csr_array(A + sparse.triu(A)), r"not symmetric.*A\.maximum\(A\.T\)"),
    ]:
        with pytest.raises(ValueError, match=said):
            AutoClassifier(graph=wrong).fit(X, y)
    with pytest.raises(ValueError, match="X must have one row for each of the 300 nodes .* 250"):
        AutoClassifier(graph=A).fit(X[:250], y)
    with pytest.raises(ValueError, match="y must have one row for each of the 300 nodes .* 250"):
        AutoClassifier(graph=A).fit(X, y[:250])
    with pytest.raises(ValueError, match="folds cannot cut a graph"):
        cross_val_score(AutoClassifier(graph=A), X, y, cv=3, error_score="raise")
    with pytest.raises(ValueError, match="n_neighbors must be left out"):
        AutoClassifier(graph=A, n_neighbors=5).fit(X, y)
    with pytest.raises(ValueError, match="standardize must be False"):
        AutoClassifier(graph=A, standardize=True).fit(X, y)
    with pytest.raises(ValueError, match="requires y"):
        AutoClassifier(graph=A).fit(X)
    with pytest.raises(ValueError, match="X must be in memory"):
        AutoClassifier(graph=A).fit(iter([X]), y)
    with pytest.raises(ValueError, match="row 4, column"):
        AutoClassifier(graph=A).fit(np.where(np.arange(300)[:, None] == 4, np.inf, X), y)
    with pytest.raises(ValueError, match="estimator must have graph=None"):
        isotherm.PartialLabelClassifier(AutoClassifier(graph=A)).fit(X, [{0, 1}] * 300)


def test_new_nodes_that_cannot_be(data, fitted):
    A, X, y, _ = data
    for call, said in [
        (lambda: fitted.predict(X[:5]), "links must be given, .* graph of 300 nodes"),
        (lambda: fitted.predict(X), "links must be given"),
        (lambda: fitted.predict(links=A[:5]), "X must be given, .* 12 features .* 5 new nodes"),
        (lambda: fitted.predict(X[:4], links=A[:5]), "X must have one row .* 5 rows of links"),
        (lambda: fitted.predict(X[:5], links=A[:5, :7]), "links must have one column .* 5 × 7"),
        (lambda: fitted.predict(X[:5], links=-A[:5]), "links must have weights of at least 0"),
        (lambda: fitted.predict(X[:5, :3], links=A[:5]), "3 features, but .* expecting 12"),
        (lambda: AutoClassifier().fit(X, y).predict(X, links=A), "links must be left out"),
        (lambda: AutoClassifier().fit(X, y).predict(), "X must be given, .* learned from rows"),
        (lambda: AutoClassifier().fit(None, y), r"AutoClassifier\(graph=A\)\.fit\(None, y\)"),
        (
            lambda: AutoClassifier(graph=A).fit(None, y).predict(X[:5], links=A[:5]),
            "X must be None",
        ),
    ]:
        with pytest.raises(ValueError, match=said):
            call()


def test_a_new_node_without_links_is_told_where_it_is_asked_for(data):
    A, _, y, _ = data
    model = AutoClassifier(graph=A).fit(None, y)
    with pytest.warns(UnreachedRowsWarning, match="1 of 2 rows") as told:
        model.predict(links=sparse.vstack([sparse.csr_array((1, 300)), A[[0]]]))
    assert [warning.filename for warning in told] == [__file__]


def test_pickles_and_files_say_the_same(data, fitted, tmp_path):
    A, X, _, _ = data
    expected = fitted.predict_proba(X[:30], links=A[:30])
    fitted.save(tmp_path / "model.iso")
    for again in (
        pickle.loads(pickle.dumps(fitted)),
        isotherm.load(tmp_path / "model.iso"),
        AutoClassifier.load(tmp_path / "model.iso"),
    ):
        assert np.abs(again.predict_proba(X[:30], links=A[:30]) - expected).max() <= 1e-12
        assert np.array_equal(again.label_distributions_, fitted.label_distributions_)
        assert again.n_features_in_ == 12
        assert again.blend_ == fitted.blend_
        with pytest.raises(ValueError, match="X must be given"):
            again.predict(links=A[:5])


def test_files_without_features(data, tmp_path):
    A, _, y, _ = data
    model = AutoClassifier(graph=A).fit(None, y)
    model.save(tmp_path / "model.iso")
    again = isotherm.load(tmp_path / "model.iso")
    assert again.n_features_in_ == 0 and again.graph is None
    apart = again.predict_proba(links=A[:5]) - model.predict_proba(links=A[:5])
    assert np.abs(apart).max() <= 1e-12


def test_parameters(data):
    A, X, y, _ = data
    model = AutoClassifier(graph=A)
    assert model.get_params()["graph"] is A and AutoClassifier().graph is None
    assert clone(model).fit(X, y).graph is not A
    assert model.set_params(graph=None).fit(X, y).predict(X).shape == (300,)
    repr(AutoClassifier(graph=A))


def test_the_order_of_nodes_does_not_matter(data, fitted):
    A, X, y, _ = data
    order = np.random.default_rng(3).permutation(300)
    moved = AutoClassifier(graph=A[order][:, order]).fit(X[order], y[order])
    apart = moved.label_distributions_ - fitted.label_distributions_[order]
    assert np.abs(apart).max() <= 1e-6


def test_functions_around_the_estimators():
    A, X, y, truth = planted(labels=15)
    model = AutoClassifier(graph=A)
    low, high = isotherm.estimate_accuracy(model, X, y).interval
    assert low <= right(AutoClassifier(graph=A).fit(X, y), y, truth) <= high
    assert isotherm.conformal_sets(model, X, y).matrix.shape == (300, 3)
    rows = isotherm.suggest(model, X, y, n=3).indices
    assert len(rows) == 3 and (y[rows] == -1).all()
    assert len(isotherm.suggest(model, None, y).indices) == 1
    curve = isotherm.model_selection.label_curve(model, X, y, n_points=3, n_draws=10)
    assert curve.scores.shape == (3,)
    left = AutoClassifier(graph=A).fit(X, y).leave_one_out()
    assert len(left.rows) == 45


def test_weighed_labels(data):
    A, X, y, _ = data
    known = np.flatnonzero(y != -1)
    weights = np.ones(300)
    weights[known[0]] = 0.0
    gone = y.copy()
    gone[known[0]] = -1
    found = AutoClassifier(graph=A).fit(X, y, weights)
    expected = AutoClassifier(graph=A).fit(X, gone)
    assert np.allclose(found.label_distributions_, expected.label_distributions_)


def test_more_labels_than_a_blend_takes(data, monkeypatch, tmp_path):
    A, X, y, truth = data
    monkeypatch.setattr("isotherm.auto.MOST_LABELS", 10)
    model = AutoClassifier(graph=A).fit(pd.DataFrame(X).rename(columns=str), y)
    assert model.blend_ == {} and model.report_["method"] == "laplacian"
    assert (model.transduction_ == truth).mean() > 0.6
    new = pd.DataFrame(X[:5]).rename(columns=str)
    assert (model.predict(new, links=A[:5]) == model.transduction_[:5]).mean() >= 0.8
    model.save(tmp_path / "model.iso")
    again = isotherm.load(tmp_path / "model.iso")
    assert isinstance(again, LaplacianClassifier) and again.smooth == "auto"
    assert np.array_equal(again.predict(new, links=A[:5]), model.predict(new, links=A[:5]))
    again = AutoClassifier(graph=A).fit(None, y)
    assert again.report_["method"] == "stkr"
    numbers = AutoRegressor(graph=A).fit(None, np.where(y == -1, np.nan, truth))
    assert numbers.report_["method"] == "harmonic"


@pytest.mark.parametrize("make", [LaplacianClassifier, KernelRidgeClassifier, STKRClassifier])
@pytest.mark.parametrize("smooth", ["auto", 0.9])
def test_smoothed_features(data, make, smooth):
    A, X, y, truth = data
    model = make("gaussian", graph=A, smooth=smooth).fit(X, y)
    assert (model.transduction_ == truth).mean() > 0.6
    assert model.n_features_in_ == X.shape[1]
    assert model.predict(X[:5], links=A[:5]).shape == (5,)
    assert len(model.leave_one_out().rows) == (y != -1).sum()
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict(X[:5], links=A[:5]), model.predict(X[:5], links=A[:5]))


def test_smoothing_is_refused_where_nothing_is_smoothed(data):
    A, X, y, _ = data
    with pytest.raises(ValueError, match="no features to smooth"):
        LaplacianClassifier(graph=A).fit(None, y)
    with pytest.raises(ValueError, match="smooth must be left out"):
        LaplacianClassifier(smooth=0.5).fit(X, y)
    with pytest.raises(ValueError, match="kernel must compare rows"):
        KernelRidgeClassifier("precomputed", graph=A).fit(X, y)
    with pytest.raises(ValueError, match="graph must be one graph"):
        LaplacianClassifier(graph=[A, A]).fit(X, y)


# `make test` names the folder. Without the real data the test is skipped with a line that says so.
@pytest.mark.skipif(
    not (DATA / "cora.npz").is_file(), reason="ISOTHERM_DATA does not name a folder with cora.npz"
)
def test_cora():
    with np.load(DATA / "cora.npz") as held:
        truth, edges = held["labels"], held["edges"]
        parts = held["feat_data"], held["feat_indices"], held["feat_indptr"]
        X = sparse.csr_array(parts, shape=tuple(held["feat_shape"]))
        train, test = held["train_idx"], held["test_idx"]
    y = np.full(len(truth), -1)
    y[train] = truth[train]
    model = AutoClassifier(graph=edges).fit(X, y)
    accuracy = (model.transduction_ == truth)[test].mean()
    assert accuracy >= 0.815, accuracy


ON_EDGES = [
    isotherm.STKRClassifier,
    isotherm.LabelPropagation,
    isotherm.HarmonicClassifier,
]


@pytest.mark.parametrize("cls", ON_EDGES)
def test_methods_on_edges_take_a_graph_beside_rows_and_name_what_they_leave_out(
    cls, data, tmp_path
):
    A, X, y, _ = data
    frame = pd.DataFrame(X, columns=[f"word {k}" for k in range(12)])
    said = rf"12 columns of X are left out: 'word 0', .*'word 4', …; {cls.__name__} .*AutoClass"
    with pytest.warns(DataWarning, match=said):
        model = cls(graph=A).fit(frame, y)
    by_hand = cls(kernel="graph").fit(A, y)
    assert np.array_equal(model.decision_, by_hand.decision_)
    assert model.n_features_in_ == 12 and model.feature_names_in_[0] == "word 0"
    alone = cls(graph=A).fit(None, y)
    assert alone.n_features_in_ == 0 and np.array_equal(alone.decision_, by_hand.decision_)
    links = A[:7]
    said = by_hand.predict_proba(links)
    for one in (model, alone, pickle.loads(pickle.dumps(model))):
        assert np.array_equal(one.predict_proba(None, links=links), said)
        assert np.array_equal(one.predict_proba(X[:7], links=links), said)
        with pytest.raises(ValueError, match="links must be given"):
            one.predict(X[:7])
    with pytest.raises(ValueError, match="one row for each of the 7 rows of links, got 6"):
        model.predict(X[:6], links=links)
    model.save(tmp_path / "model.iso")
    again = isotherm.load(tmp_path / "model.iso")
    assert again.kernel == "graph"
    assert np.array_equal(again.predict_proba(None, links=links), said)
    assert np.array_equal(again.predict_proba(links), said)
    assert clone(model).graph.shape == A.shape


@pytest.mark.parametrize("cls", [isotherm.STKRRegressor, isotherm.HarmonicRegressor])
def test_values_on_edges(cls, data):
    A, X, y, _ = data
    values = np.where(y >= 0, y + 0.5, np.nan)
    with pytest.warns(DataWarning, match="12 columns of X are left out; .*AutoRegressor"):
        model = cls(graph=A).fit(X, values)
    by_hand = cls(kernel="graph").fit(A, values)
    assert np.array_equal(model.transduction_, by_hand.transduction_)
    assert np.array_equal(model.predict(None, links=A[:5]), by_hand.predict(A[:5]))


@pytest.mark.parametrize("cls", ON_EDGES)
def test_pytorch_geometric_data_is_read_whole_by_methods_on_edges(cls, data):
    A, X, y, truth = data
    index = np.stack(A.nonzero())
    whole = SimpleNamespace(x=X, edge_index=index, num_nodes=300, y=truth, train_mask=y >= 0)
    with pytest.warns(DataWarning, match="12 columns of X are left out"):
        model = cls().fit(whole)
    by_hand = cls(kernel="graph").fit(A, y)
    assert np.array_equal(model.decision_, by_hand.decision_)
    assert np.array_equal(model.predict(A[:5]), by_hand.predict(A[:5]))


def test_functions_around_methods_on_edges_do_not_repeat_the_warning(data, recwarn):
    A, X, y, _ = data
    found = isotherm.estimate_accuracy(isotherm.STKRClassifier(graph=A), X, y)
    by_hand = isotherm.estimate_accuracy(isotherm.STKRClassifier(kernel="graph"), A, y)
    assert found.value == by_hand.value
    assert not [w for w in recwarn if "left out" in str(w.message)]


@pytest.mark.parametrize("directed", [False, True])
def test_networkx_graphs_are_taken_in_the_order_of_the_rows(data, directed):
    networkx = pytest.importorskip("networkx")
    A, X, y, _ = data
    kind = networkx.DiGraph if directed else networkx.Graph
    # Nodes come in another order than the rows.
    numbers = networkx.from_scipy_sparse_array(A, create_using=kind)
    shuffled = kind()
    shuffled.add_nodes_from(np.random.default_rng(0).permutation(300).tolist())
    shuffled.add_edges_from(numbers.edges(data=True))
    for estimator in (AutoClassifier, isotherm.STKRClassifier):
        by_hand = estimator(graph=A).fit(None, y)
        model = estimator(graph=shuffled).fit(None, y)
        assert np.abs(model.decision_ - by_hand.decision_).max() < 1e-9
    names = [f"page {k}" for k in range(300)]
    named = networkx.relabel_nodes(shuffled, dict(enumerate(names)))
    model = isotherm.STKRClassifier(graph=named).fit(None, pd.Series(y, index=names))
    assert np.abs(model.decision_ - by_hand.decision_).max() < 1e-9
    with pytest.raises(ValueError, match="convert_node_labels_to_integers"):
        isotherm.STKRClassifier(graph=named).fit(None, y)


def test_a_kernel_beside_a_graph_is_refused(data):
    A, X, y, _ = data
    with pytest.raises(ValueError, match="kernel must be 'auto' or 'graph' beside a graph"):
        isotherm.STKRClassifier("gaussian", graph=A).fit(X, y)
    with pytest.raises(ValueError, match="links must be left out"):
        isotherm.STKRClassifier().fit(X, y).predict(X, links=A)
    with pytest.raises(ValueError, match="X must be given, because there is no graph"):
        isotherm.STKRClassifier().fit(None, y)


def test_several_graphs_are_for_estimators_that_tell_them_apart(data):
    networkx = pytest.importorskip("networkx")
    A, X, y, _ = data
    with pytest.raises(ValueError, match=r"graph must be one graph for LabelPropagation, got 2"):
        isotherm.LabelPropagation(graph=[A, A]).fit(X, y)
    other = sparse.csr_array(sparse.diags_array([1.0, 1.0], offsets=[1, -1], shape=A.shape))
    given = AutoClassifier(graph={"a": A, "b": other}).fit(X, y)
    graphs = {"a": networkx.from_scipy_sparse_array(A), "b": other}
    again = AutoClassifier(graph=graphs).fit(X, y)
    np.testing.assert_array_equal(given.transduction_, again.transduction_)
