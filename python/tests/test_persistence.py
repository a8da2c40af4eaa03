"""Files, pickles and clones: the same model comes back, or a clear refusal."""

import io
import json
import os
import pickle
import subprocess

import joblib
import numpy as np
import pandas as pd
import pytest
from conftest import two_moons
from sklearn.base import clone

import isotherm
from isotherm import InverseLaplacian, Tikhonov

CLASSIFIERS = [
    isotherm.STKRClassifier(),
    isotherm.STKRClassifier("matern52", bandwidth=0.4, ridge="auto", random_state=7),
    isotherm.STKRClassifier("polynomial", kernel_params={"degree": 2}, transform=isotherm.Power(3)),
    isotherm.STKRClassifier(repair="lazy", n_neighbors=7, standardize=False),
    isotherm.STKRClassifier("gaussian", transform=isotherm.Truncation(5, encoder="unlabelled")),
    isotherm.STKRClassifier("gaussian", solver="cg", repair=None, center_labels=False),
    isotherm.LaplacianClassifier(),
    isotherm.LaplacianClassifier("matern52", landmarks=20, landmark_rule="kmeans++"),
    isotherm.LaplacianClassifier(features="random", landmarks=60, filter=isotherm.Heat(0.01)),
    isotherm.LaplacianClassifier(bandwidth=0.5, landmarks=np.arange(9), filter=Tikhonov(0.1)),
    isotherm.LaplacianClassifier(covariance="all", filter=isotherm.CutOff(rank=4)),
    isotherm.LabelPropagation(0.95, steps=9),
    isotherm.LabelPropagation(center_labels=True),
    isotherm.HarmonicClassifier(class_mass="labelled"),
    isotherm.AutoClassifier(),
    isotherm.KernelRidgeClassifier("exponential", ridge=0.1),
]
REGRESSORS = [
    isotherm.STKRRegressor("gaussian"),
    isotherm.LaplacianRegressor(norm_share=0.1),
    isotherm.HarmonicRegressor(n_neighbors=6),
    isotherm.KernelRidge(standardize=False),
]


#: Methods whose file holds what they say of the rows of the fit.
SOLVES_FOR_ROWS = (
    isotherm.AutoClassifier,
    isotherm.AutoRegressor,
    isotherm.STKRClassifier,
    isotherm.STKRRegressor,
    isotherm.LabelPropagation,
    isotherm.HarmonicClassifier,
    isotherm.HarmonicRegressor,
)


def fitted(model):
    X, y, truth = two_moons(80)
    if model in REGRESSORS:
        y = np.where(y == -1, np.nan, X[:, 0])
    return clone(model).fit(pd.DataFrame(X, columns=["left", "up"]), y), X


def new(X):
    return pd.DataFrame(X + 0.01, columns=["left", "up"])


def same_params(one, other):
    """Parameters that decide a result; whatever is not in a file is left out."""
    own, its = one.get_params(deep=False), other.get_params(deep=False)
    for name in set(own) - {"n_jobs", "verbose", "unlabeled"}:
        a, b = own[name], its[name]
        if name == "kernel" and a == "auto":
            a = "knn"
        if name == "random_state" and a is None:
            a = 0
        if name == "eta" and a == "auto":
            a = 0.99
        if name == "kernel_params" and a:
            b = {key: b[key] for key in a}  # the file holds the others' defaults too
        if name == "fit_intercept" and a == "auto":
            a = isinstance(one, isotherm.LaplacianRegressor)
        assert np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b, name


@pytest.mark.parametrize("model", [*CLASSIFIERS, *REGRESSORS], ids=str)
def test_a_file_is_the_model(model, tmp_path):
    first, X = fitted(model)
    path = tmp_path / "model.iso"
    first.save(path)
    for again in (isotherm.load(path), isotherm.load(str(path)), type(first).load(path)):
        assert type(again) is type(first)
        assert (again.predict(new(X)) == first.predict(new(X))).all()
        assert again.feature_names_in_.tolist() == ["left", "up"]
        assert again.n_features_in_ == 2
        assert again.report_["labelled"] == first.report_["labelled"]
        same_params(first, again)
        if isinstance(first, SOLVES_FOR_ROWS):
            assert (again.transduction_ == first.transduction_).all()
        else:
            with pytest.raises(AttributeError, match="use predict"):
                again.transduction_
    if hasattr(first, "predict_proba"):
        assert (again.predict_proba(new(X)) == first.predict_proba(new(X))).all()
        assert again.classes_.dtype.kind == "i"
    # A loaded model is an estimator like any other: clone and fit again.
    refit = clone(again).fit(*_data(first, X))
    assert (refit.predict(new(X)) == first.predict(new(X))).all()


def _data(model, X):
    _, y, _ = two_moons(80)
    if not hasattr(model, "classes_"):
        y = np.where(y == -1, np.nan, X[:, 0])
    return pd.DataFrame(X, columns=["left", "up"]), y


@pytest.mark.parametrize("model", [*CLASSIFIERS, *REGRESSORS], ids=str)
def test_a_pickle_is_the_model(model):
    first, X = fitted(model)
    buffer = io.BytesIO()
    joblib.dump(first, buffer)
    buffer.seek(0)
    for again in (pickle.loads(pickle.dumps(first)), joblib.load(buffer)):
        assert (again.predict(new(X)) == first.predict(new(X))).all()
        assert (again.transduction_ == first.transduction_).all()
        assert (again.reached_ == first.reached_).all()
        if first.dual_coef_ is not None:
            assert (again.dual_coef_ == first.dual_coef_).all()


def test_a_pickle_holds_no_rows():
    """Only what the file holds: kernel ridge keeps its labelled rows, not the others."""
    X = np.random.default_rng(0).normal(size=(20_000, 10))
    y = np.where(np.arange(20_000) < 50, np.arange(20_000) % 2, -1)
    model = isotherm.KernelRidgeClassifier().fit(X, y)
    model._told = model._transduced()
    held = len(pickle.dumps(model)) - sum(
        v.nbytes for v in vars(model._told).values() if v is not None
    )
    assert held < X.nbytes / 20


def test_classes_of_other_types(tmp_path):
    X, y, _ = two_moons(60)
    path = tmp_path / "model.iso"
    for names, found in (
        (np.array([10, -3, -1]), [-3, 10]),
        (np.array(["a", "b", ""]), ["a", "b"]),
        (np.array(["01", "1", ""]), ["01", "1"]),
        (np.array([True, False, None], dtype=object), ["False", "True"]),
    ):
        isotherm.STKRClassifier().fit(X, names[y]).save(path)
        assert isotherm.load(path).classes_.tolist() == found


def test_graphs(tmp_path):
    chain = np.diag(np.ones(9), 1)
    y = np.r_[0, np.full(8, -1), 1]
    path = tmp_path / "model.iso"
    links = np.eye(10)[[1, 8]]
    for cls in (isotherm.STKRClassifier, isotherm.LabelPropagation, isotherm.HarmonicClassifier):
        first = cls(kernel="graph").fit(chain + chain.T, y)
        first.save(path)
        again = isotherm.load(path)
        assert again.kernel == "graph" and again.n_features_in_ == 10
        assert (again.predict_proba(links) == first.predict_proba(links)).all()


def test_other_labels(tmp_path):
    X, y, truth = two_moons(80)
    path = tmp_path / "model.iso"
    tags = np.where(y[:, None] == -1, -1, np.column_stack([truth, 1 - truth]))
    positions = np.where(
        y[:, None] == -1, np.nan, np.column_stack([truth, 1 - truth, truth * 0 + 2])
    )
    for model, labels in (
        (isotherm.MultiLabelClassifier(isotherm.KernelRidgeClassifier()), tags),
        (isotherm.MultiLabelClassifier(thresholds="micro"), tags),
        (isotherm.LabelRanker(), positions),
        (isotherm.PartialLabelClassifier(), [{t} if k != -1 else {0, 1} for t, k in zip(truth, y)]),
    ):
        first = model.fit(X, labels)
        first.save(path)
        again = type(model).load(path)
        assert (again.predict(X) == first.predict(X)).all()
        assert (pickle.loads(pickle.dumps(first)).predict(X) == first.predict(X)).all()
    several = np.where(y[:, None] == -1, np.nan, X)
    first = isotherm.STKRRegressor("gaussian").fit(X, several)
    first.save(path)
    assert (isotherm.load(path).predict(X) == first.predict(X)).all()


def test_what_is_no_model(tmp_path):
    X, y, _ = two_moons(60)
    with pytest.raises(OSError):
        isotherm.load(tmp_path / "missing.iso")
    bad = tmp_path / "bad.iso"
    bad.write_bytes(pickle.dumps({"a": 1}))
    with pytest.raises((ValueError, OSError)):
        isotherm.load(bad)
    path = tmp_path / "model.iso"
    isotherm.STKRClassifier().fit(X, y).save(path)
    with pytest.raises(ValueError, match="use isotherm.load"):
        isotherm.LaplacianClassifier.load(path)
    whole = path.read_bytes()
    for cut in (0, 10, len(whole) // 2, len(whole) - 1):
        bad.write_bytes(whole[:cut])
        with pytest.raises((ValueError, OSError)):
            isotherm.load(bad)


def test_a_function_of_the_callers_own_is_not_in_the_file(tmp_path):
    X, y, _ = two_moons(60)
    path = tmp_path / "model.iso"
    first = isotherm.STKRClassifier("gaussian", transform=lambda s: s**2).fit(X, y)
    first.save(path)
    again = isotherm.load(path)
    assert (again.predict(X) == first.predict(X)).all()
    with pytest.raises(ValueError, match="not in its file"):
        again.fit(X, y)


def test_clones_are_not_fitted_and_share_nothing():
    X, y, _ = two_moons(60)
    model = isotherm.STKRClassifier(transform=InverseLaplacian(0.5)).fit(X, y)
    copy = clone(model)
    assert copy.get_params()["transform"] == model.get_params()["transform"]
    assert not hasattr(copy, "classes_") and getattr(copy, "_model", None) is None


@pytest.fixture
def binary():
    path = os.environ.get("ISOTHERM_BIN")
    if not path:
        pytest.skip("ISOTHERM_BIN does not name the command-line program")
    return path


def test_the_command_line_reads_our_files(binary, tmp_path):
    X, y, _ = two_moons(80)
    frame = pd.DataFrame(X, columns=["left", "up"])
    model = isotherm.STKRClassifier().fit(frame, np.array(["a", "b", ""])[y])
    model.save(tmp_path / "model.iso")
    new(X).to_csv(tmp_path / "new.csv", index=False)
    out = tmp_path / "out.csv"
    command = [binary, "predict", tmp_path / "model.iso", tmp_path / "new.csv", "-o", out]
    subprocess.run(command, check=True, capture_output=True)
    table = pd.read_csv(out)
    label = next(
        c for c in table.columns if c.startswith("iso_") and table[c].dtype.kind not in "fb"
    )
    assert (table[label].to_numpy() == model.predict(new(X))).all()


def test_we_read_the_command_lines_files(binary, tmp_path):
    X, y, _ = two_moons(80)
    frame = pd.DataFrame(X, columns=["left", "up"])
    frame.assign(label=np.array(["a", "b", None], dtype=object)[y]).to_csv(
        tmp_path / "data.csv", index=False
    )
    path = tmp_path / "model.iso"
    command = [binary, "fit", tmp_path / "data.csv", "--label", "label", "-o", path]
    subprocess.run(command, check=True, capture_output=True)
    model = isotherm.load(path)
    assert model.classes_.tolist() == ["a", "b"]
    assert model.standardize == "auto"
    own = isotherm.STKRClassifier().fit(frame, np.array(["a", "b", ""])[y])
    assert (model.predict(new(X)) == own.predict(new(X))).all()
    assert model._model.info()["features"] == ["left", "up"]
