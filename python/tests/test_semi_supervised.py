"""What scikit-learn does not ask: labels that are missing, rows that no label reaches."""

import warnings

import numpy as np
import pandas as pd
import pytest
from conftest import two_moons
from estimators import CLASSIFIERS, REGRESSORS
from scipy.sparse import block_diag, csr_array
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_blobs

import isotherm
from isotherm.exceptions import UnreachedRowsWarning

#: Methods whose predictor is a function of the row, at rows of the fit too.
INDUCTIVE = [
    isotherm.STKRClassifier("gaussian", bandwidth=0.3),
    isotherm.STKRClassifier("matern32", bandwidth=0.3),
    isotherm.LaplacianClassifier(bandwidth=0.3, filter=isotherm.Tikhonov(1e-2)),
    # Without scaling, in which every row has a part, unlabelled rows change nothing here.
    isotherm.KernelRidgeClassifier(bandwidth=0.3, standardize=False),
]
#: Methods for which a row that is given again is a new node beside its own one.
NEIGHBOURS = [
    isotherm.STKRClassifier(),
    isotherm.LabelPropagation(),
    isotherm.HarmonicClassifier(),
]
EVERY = [*INDUCTIVE, *NEIGHBOURS]


def new_rows(X, seed=1):
    draw = np.random.default_rng(seed)
    return X + draw.normal(0, 0.02, X.shape)


# 1. unlabelled rows


@pytest.mark.parametrize("model", EVERY, ids=str)
def test_no_unlabelled_rows_is_a_supervised_fit(model):
    X, _, truth = two_moons(60)
    first = model.fit(X, truth).decision_function(new_rows(X))
    nothing = np.empty((0, 2))
    again = model.fit(np.vstack([X, nothing]), np.append(truth, np.empty(0, dtype=int)))
    assert (again.decision_function(new_rows(X)) == first).all()


@pytest.mark.parametrize("model", EVERY, ids=str)
def test_the_order_of_unlabelled_rows_changes_nothing(model):
    X, y, _ = two_moons(48)
    first = model.fit(X, y)
    scores, seen = first.decision_function(new_rows(X)), first.decision_
    order = np.arange(len(y))
    free = np.flatnonzero(y == -1)
    order[free] = np.random.default_rng(3).permutation(free)
    again = model.fit(X[order], y[order])
    size = np.abs(seen).max()
    assert np.abs(again.decision_function(new_rows(X)) - scores).max() <= 1e-8 * size
    assert np.abs(again.decision_ - seen[order]).max() <= 1e-8 * size


@pytest.mark.parametrize("model", EVERY, ids=str)
def test_an_unlabelled_row_that_stands_twice(model):
    X, y, truth = two_moons(60)
    row = int(np.flatnonzero(y == -1)[0])
    before = model.fit(X, y).decision_function(new_rows(X))
    twice = model.fit(np.vstack([X, X[row]]), np.append(y, -1))
    # Both copies are told the same. Under neighbours they are each other's, and a third row has
    # one of them among its own neighbours and not the other: there the class is the same.
    assert twice.transduction_[row] == twice.transduction_[-1]
    if model in INDUCTIVE:
        copies = twice.decision_[[row, -1]]
        assert np.abs(copies[0] - copies[1]).max() <= 1e-8 * np.abs(twice.decision_).max()
    after = twice.decision_function(new_rows(X))
    assert ((after > 0) == (before > 0)).mean() >= 0.9
    if isinstance(model, isotherm.KernelRidgeClassifier):
        assert (after == before).all()  # labels alone decide


def test_unlabelled_rows_help_where_there_are_clusters():
    X, y, truth = two_moons(400, labels=2)
    graph = isotherm.STKRClassifier().fit(X, y).transduction_
    alone = isotherm.KernelRidgeClassifier().fit(X, y).transduction_
    assert (graph == truth).mean() >= 0.97
    assert (alone == truth).mean() < (graph == truth).mean()


# 2. labels that are clamped


def test_labels_are_returned_as_the_ridge_vanishes():
    X, y, _ = two_moons(60)
    known = y != -1
    y[np.flatnonzero(known)[0]] = 1 - y[np.flatnonzero(known)[0]]  # noise
    for model in (
        isotherm.STKRClassifier("gaussian", bandwidth=0.3, ridge=1e-9),
        isotherm.KernelRidgeClassifier(bandwidth=0.3, ridge=1e-9),
        isotherm.HarmonicClassifier(),
        isotherm.LabelPropagation(eta=1e-6),
    ):
        assert (model.fit(X, y).transduction_[known] == y[known]).all(), model


def test_a_larger_ridge_tolerates_noise():
    X, y, truth = two_moons(200, labels=12)
    wrong = np.flatnonzero(y != -1)[0]
    y[wrong] = 1 - y[wrong]
    model = isotherm.STKRClassifier("gaussian", bandwidth=0.3, ridge=0.1).fit(X, y)
    assert model.transduction_[wrong] == truth[wrong]


# 3. transduction and prediction


@pytest.mark.parametrize("model", INDUCTIVE, ids=str)
def test_rows_of_the_fit_are_told_the_same_as_new_rows(model):
    X, y, _ = two_moons(120)
    model.fit(X, y)
    assert (model.predict(X) == model.transduction_).all()
    gap = np.abs(model.predict_proba(X) - model.label_distributions_).max()
    assert gap <= 1e-6


@pytest.mark.parametrize("model", NEIGHBOURS, ids=str)
def test_the_gap_of_neighbours_is_small(model):
    """As a new row it is its own nearest neighbour: at most 2 in 100 labels differ here."""
    X, y, _ = two_moons(400)
    model.fit(X, y)
    assert (model.predict(X) == model.transduction_).mean() >= 0.98


# 4. probabilities


@pytest.mark.parametrize("cls", CLASSIFIERS)
def test_probabilities_of_any_row(cls):
    X, y, _ = two_moons(80)
    model = cls().fit(X, y)
    rows = np.vstack([X[:3], [[1e3, 1e3], [-1e12, 1e12], [1e100, 0.0], [1e-300, 0.0]]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreachedRowsWarning)
        p = model.predict_proba(rows)
        classes = model.predict(rows)
    assert np.isfinite(p).all() and (p >= 0).all()
    assert np.abs(p.sum(axis=1) - 1).max() <= 1e-6
    assert set(classes) <= {0, 1}
    with pytest.raises(ValueError, match="row 1, column 0"):
        model.predict_proba([[0.0, 0.0], [1e300, 0.0]])


# 5. rows that no label reaches


def two_parts():
    """Two chains, labels on the first only: class 1 twice, class 0 once."""
    chain = np.diag(np.ones(5), 1)
    graph = csr_array(block_diag([chain + chain.T, chain + chain.T]))
    y = np.full(12, -1)
    y[[0, 4, 5]] = 0, 1, 1
    return graph, y


@pytest.mark.parametrize(
    "cls", [isotherm.STKRClassifier, isotherm.LabelPropagation, isotherm.HarmonicClassifier]
)
def test_unreached_nodes(cls):
    graph, y = two_parts()
    with pytest.warns(UnreachedRowsWarning, match="6 of 12"):
        model = cls(kernel="graph").fit(graph, y)
    assert model.reached_.tolist() == [True] * 6 + [False] * 6
    assert (model.label_distributions_[6:] == 0.5).all()
    assert (model.confidence_[6:] == 0.5).all()
    # Never silently class 0: the most frequent label, and the warning names it.
    assert (model.transduction_[6:] == 1).all()
    links = csr_array(([1.0, 1.0], ([0, 1], [0, 8])), shape=(3, 12))
    with pytest.warns(UnreachedRowsWarning, match="2 of 3 rows.*most frequent label, 1"):
        assert model.predict(links).tolist()[1:] == [1, 1]
    assert model.is_reached(links).tolist() == [True, False, False]


@pytest.mark.parametrize("cls", [isotherm.STKRRegressor, isotherm.HarmonicRegressor])
def test_unreached_values(cls):
    graph, _ = two_parts()
    y = np.full(12, np.nan)
    y[[0, 5]] = 1.0, 3.0
    with pytest.warns(UnreachedRowsWarning):
        model = cls(kernel="graph").fit(graph, y)
    assert (model.transduction_[6:] == 2.0).all()
    with pytest.warns(UnreachedRowsWarning, match="mean of the labels, 2"):
        assert model.predict(csr_array((1, 12))).tolist() == [2.0]


def test_unreached_values_of_the_papers_form_are_zero():
    graph, _ = two_parts()
    y = np.full((12, 2), np.nan)
    y[[0, 5]] = [[1.0, 4.0], [3.0, 5.0]]
    with pytest.warns(UnreachedRowsWarning):
        model = isotherm.STKRRegressor("graph", center_labels=False).fit(graph, y)
    assert (model.transduction_[6:] == 0.0).all()
    assert np.isfinite(model.transduction_).all()


# 6. kinds of labels


def label_kinds():
    ints = [0, 1, -1]
    return {
        "int": np.array(ints),
        "float": np.array([0.0, 1.0, np.nan]),
        "str": np.array(["a", "b", ""]),
        "object": np.array(["a", "b", None], dtype=object),
        "nan": np.array(["a", "b", np.nan], dtype=object),
        "NA": np.array(["a", "b", pd.NA], dtype=object),
        "object ints": np.array([0, 1, None], dtype=object),
        "bool": np.array([False, True, None], dtype=object),
    }


@pytest.mark.parametrize("cls", CLASSIFIERS)
@pytest.mark.parametrize("kind", label_kinds())
def test_kinds_of_labels(cls, kind):
    X, y, _ = two_moons(60)
    first = cls().fit(X, y)
    values = label_kinds()[kind]
    model = cls().fit(X, values[y])  # −1 is the last one
    assert model.classes_.tolist() == sorted(values[:2].tolist())
    expected = np.where(first.transduction_ == 0, *model.classes_)
    assert (model.transduction_ == expected).all()
    assert (model.label_distributions_ == first.label_distributions_).all()


def test_pandas_labels():
    X, y, _ = two_moons(60)
    names = pd.Series(np.array(["b", "a", None], dtype=object)[y])
    first = isotherm.STKRClassifier().fit(X, y).transduction_
    for series in (
        names,
        names.astype("category"),
        names.astype("string"),
        pd.Series(y).astype("Int64").replace(-1, pd.NA),
        pd.Series(y).astype("int8"),
    ):
        model = isotherm.STKRClassifier().fit(X, series)
        assert len(model.classes_) == 2
        same = (model.transduction_ == model.classes_[0]) == (first == 0)
        # "b" is class 0 and sorts last.
        assert same.all() or not same.any()


def test_polars_and_pyarrow_labels():
    import polars
    import pyarrow

    X, y, _ = two_moons(60)
    first = isotherm.STKRClassifier().fit(X, y).transduction_
    gaps = [None if v == -1 else int(v) for v in y]
    for column in (polars.Series(gaps), pyarrow.array(gaps), pyarrow.chunked_array([gaps])):
        model = isotherm.STKRClassifier().fit(X, column)
        assert model.classes_.tolist() == [0, 1]
        assert (model.transduction_ == first).all()


def test_minus_one_is_a_number_for_regressors():
    X = np.linspace(0, 1, 20)[:, None]
    y = np.where(np.arange(20) % 2, np.nan, -1.0)
    y[0] = 1.0
    for cls in REGRESSORS:
        model = cls().fit(X, y)
        assert model.report_["labelled"] == 10


# 7. scale and place of X


@pytest.mark.parametrize(
    "model",
    [
        isotherm.STKRClassifier(),
        isotherm.STKRClassifier("gaussian"),
        isotherm.KernelRidgeClassifier(),
        isotherm.LabelPropagation(),
        isotherm.HarmonicClassifier(),
        isotherm.LaplacianClassifier(),
    ],
    ids=str,
)
@pytest.mark.parametrize("change", [(1e6, 0.0), (1e-6, 0.0), (1.0, 100.0)], ids=str)
def test_scale_and_place_change_nothing(model, change):
    X, y, _ = two_moons(60)
    first = model.fit(X, y).label_distributions_
    again = model.fit(X * change[0] + change[1], y)
    assert np.abs(again.label_distributions_ - first).max() <= 1e-6
    assert (again.transduction_.shape) == (60,)


# 8. single precision


def data_sets():
    draw = np.random.default_rng(0)
    for name, load in (
        ("iris", load_iris),
        ("wine", load_wine),
        ("digits", load_digits),
        ("cancer", load_breast_cancer),
    ):
        data = load()
        X = (data.data - data.data.mean(axis=0)) / np.maximum(data.data.std(axis=0), 1e-9)
        yield name, X, data.target
    for seed in range(3):
        X, _, truth = two_moons(300, seed=seed)
        yield f"moons {seed}", X, truth
    for seed in range(3):
        X, truth = make_blobs(300, 5, centers=4, random_state=seed)
        yield f"blobs {seed}", X + draw.normal(0, 0.1, X.shape), truth


@pytest.mark.parametrize(
    "model",
    [isotherm.STKRClassifier(), isotherm.KernelRidgeClassifier(), isotherm.LabelPropagation()],
    ids=str,
)
def test_single_and_double_precision_agree(model):
    alike = total = 0
    for name, X, truth in data_sets():
        y = np.full(len(truth), -1)
        draw = np.random.default_rng(1)
        for c in np.unique(truth):
            y[draw.permutation(np.flatnonzero(truth == c))[:5]] = c
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnreachedRowsWarning)
            double = model.fit(X, y).transduction_
            single = model.fit(X.astype(np.float32), y).transduction_
        alike += (double == single).sum()
        total += len(truth)
    assert alike >= 0.999 * total, f"{total - alike} of {total} labels differ"


# 9. values without a label


@pytest.mark.parametrize("cls", REGRESSORS)
def test_a_marker_of_missing_values(cls):
    X, y, _ = two_moons(60)
    values = np.where(y >= 0, X[:, 0], np.nan)
    plain = cls().fit(X, values)
    marked = cls(unlabeled=-999).fit(X, np.where(y >= 0, X[:, 0], -999))
    assert (marked.transduction_ == plain.transduction_).all()
    assert marked.score(X, np.where(y >= 0, X[:, 0], -999)) == plain.score(X, values)
    both = np.column_stack([values, values])
    wide = cls(unlabeled=-999).fit(X, np.where(np.isnan(both), -999, both))
    assert wide.transduction_.shape == (60, 2)
    with pytest.raises(ValueError, match="y contains NaN in row .*unlabeled=-999"):
        cls(unlabeled=-999).fit(X, values)
    with pytest.raises(ValueError, match="y contains NaN in row .*unlabeled=None"):
        cls(unlabeled=None).fit(X, values)
    # −1 is a number.
    ones = cls(unlabeled=None).fit(X, np.where(X[:, 0] > 0, 1, -1)).transduction_
    assert ones.min() < 0 < ones.max()


def test_values_have_no_class_masses():
    X, y, _ = two_moons(20)
    with pytest.raises(ValueError, match="class_mass"):
        isotherm.HarmonicRegressor(class_mass="labelled").fit(X, X[:, 0])
