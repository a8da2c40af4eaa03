"""Kernels as users of scikit-learn type them: its names, γ, and functions."""

import pickle

import numpy as np
import pandas as pd
import pytest
from conftest import two_moons
from sklearn.metrics.pairwise import laplacian_kernel, polynomial_kernel, rbf_kernel
from sklearn.model_selection import cross_val_score

import isotherm
from isotherm import (
    KernelRidge,
    KernelRidgeClassifier,
    LabelPropagation,
    LaplacianClassifier,
    Power,
    SpectralEmbedding,
    STKRClassifier,
    STKRRegressor,
)

NAMES = [("rbf", "gaussian"), ("laplacian", "laplace"), ("poly", "polynomial")]


@pytest.mark.parametrize(("theirs", "ours"), NAMES)
@pytest.mark.parametrize("cls", [STKRClassifier, KernelRidgeClassifier])
def test_names_of_scikit_learn_are_ours(theirs, ours, cls):
    X, y, _ = two_moons(80)
    # A polynomial kernel has eigenvalues above 1, where the inverse Laplacian has its pole.
    more = {"transform": Power(1)} if cls is STKRClassifier else {}
    model, same = cls(kernel=theirs, **more).fit(X, y), cls(kernel=ours, **more).fit(X, y)
    assert np.array_equal(model.decision_, same.decision_)
    assert model.kernel == theirs


def test_kernels_with_a_gradient_have_their_names_too():
    X, y, _ = two_moons(80)
    model = LaplacianClassifier("rbf", gamma=2.0).fit(X, y)
    assert np.array_equal(model.decision_, LaplacianClassifier(bandwidth=0.5).fit(X, y).decision_)
    with pytest.raises(ValueError, match="kernel"):
        LaplacianClassifier("laplacian").fit(X, y)
    for method in ("laplacian", "stkr"):
        found = SpectralEmbedding(method=method, kernel="rbf", gamma=2.0).fit(X).embedding_
        ours = SpectralEmbedding(method=method, kernel="gaussian", bandwidth=0.5).fit(X)
        assert np.array_equal(found, ours.embedding_)


@pytest.mark.parametrize(
    ("name", "function", "params"),
    [
        ("rbf", rbf_kernel, {}),
        ("laplacian", laplacian_kernel, {}),
        ("poly", polynomial_kernel, {"kernel_params": {"degree": 3, "offset": 1.0}}),
    ],
)
def test_gamma_is_that_of_scikit_learn(name, function, params):
    X, y, _ = two_moons(80)
    new = X[::3] + 0.05
    power = {"transform": Power(1)}
    said = STKRClassifier(name, gamma=0.7, standardize=False, **power, **params).fit(X, y)
    by_hand = STKRClassifier("precomputed", **power).fit(function(X, X, gamma=0.7), y)
    assert np.allclose(said.decision_, by_hand.decision_, rtol=1e-6, atol=1e-9)
    own = STKRClassifier(lambda A, B: function(A, B, gamma=0.7), **power).fit(X, y)
    assert np.array_equal(own.decision_, by_hand.decision_)
    assert np.array_equal(
        own.predict_proba(new), by_hand.predict_proba(function(new, X, gamma=0.7))
    )


def test_one_number_is_given_once():
    X, y, _ = two_moons(40)
    with pytest.raises(ValueError, match="gamma and bandwidth say the same of a kernel"):
        STKRClassifier("rbf", gamma=1.0, bandwidth=2.0).fit(X, y)
    with pytest.raises(ValueError, match=r"gamma and kernel_params\['scale'\] are one number"):
        KernelRidge("poly", gamma=1.0, kernel_params={"scale": 2.0}).fit(X, X[:, 0])
    with pytest.raises(ValueError, match="gamma must be None for the kernel 'exponential'"):
        KernelRidge("exponential", gamma=1.0).fit(X, X[:, 0])
    with pytest.raises(ValueError, match="gamma must be left out"):
        STKRClassifier(gamma=1.0).fit(X, y)
    with pytest.raises(ValueError, match="'gamma' parameter"):
        STKRClassifier("rbf", gamma=-1.0).fit(X, y)
    with pytest.raises(ValueError, match="eta must be left out, because alpha=0.9"):
        LabelPropagation(0.8, alpha=0.9).fit(X, y)


def test_alpha_is_eta():
    X, y, _ = two_moons(80)
    model, same = LabelPropagation(alpha=0.8).fit(X, y), LabelPropagation(0.8).fit(X, y)
    assert np.array_equal(model.decision_, same.decision_)


def heat(A, B):
    """A kernel that a pickle can name."""
    return rbf_kernel(A, B, gamma=1.3)


@pytest.mark.parametrize("cls", [STKRClassifier, KernelRidgeClassifier])
def test_a_function_is_a_kernel(cls, tmp_path):
    X, y, truth = two_moons(80)
    model = cls(heat).fit(X, y)
    assert model.n_features_in_ == 2 and (model.transduction_ == truth).mean() > 0.7
    new = X + 0.01
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict_proba(new), model.predict_proba(new))
    assert len(model.leave_one_out().rows) == (y >= 0).sum()
    assert isotherm.estimate_accuracy(cls(heat), X, y).n_labels == (y >= 0).sum()
    scores = cross_val_score(cls(heat), X, truth, cv=4)
    assert scores.min() > 0.5
    # A file holds no function: it is a model of similarities.
    model.save(tmp_path / "model.iso")
    loaded = isotherm.load(tmp_path / "model.iso")
    assert loaded.kernel == "precomputed" and loaded.n_features_in_ == 80
    assert np.array_equal(loaded.predict_proba(heat(new, X)), model.predict_proba(new))


def test_kernel_ridge_on_a_function_is_kernel_ridge():
    X, y, _ = two_moons(80)
    values = np.where(y >= 0, X[:, 0], np.nan)
    plain = KernelRidge("rbf", gamma=1.3, standardize=False).fit(X, values)
    own = KernelRidge(heat).fit(X, values)
    given = KernelRidge("precomputed").fit(heat(X, X), values)
    assert np.allclose(own.transduction_, plain.transduction_, rtol=1e-6, atol=1e-8)
    assert np.allclose(own.predict(X[:9] + 0.1), plain.predict(X[:9] + 0.1), rtol=1e-6, atol=1e-8)
    assert np.array_equal(given.transduction_, own.transduction_)
    power = STKRRegressor(heat, transform=Power(1)).fit(X, values)
    assert np.array_equal(power.transduction_, own.transduction_)


def test_kernel_ridge_on_a_function_tells_classes_as_kernel_ridge_does():
    X, y, _ = two_moons(80)
    plain = KernelRidgeClassifier("rbf", gamma=1.3, standardize=False).fit(X, y)
    own = KernelRidgeClassifier(heat).fit(X, y)
    assert np.allclose(own.decision_, plain.decision_, rtol=1e-6, atol=1e-8)
    assert np.allclose(own.label_distributions_, plain.label_distributions_, rtol=1e-6, atol=1e-8)


def test_functions_see_encoded_columns():
    X, y, _ = two_moons(80)
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "side": np.where(X[:, 0] > 0, "r", "l")})
    frame.loc[5, "b"] = np.nan
    model = STKRClassifier(heat).fit(frame, y)
    rows = isotherm.TableEncoder().fit_transform(frame)
    by_hand = STKRClassifier("precomputed").fit(heat(rows, rows), y)
    assert np.array_equal(model.decision_, by_hand.decision_)
    assert np.array_equal(model.predict(frame[:9]), by_hand.predict(heat(rows[:9], rows)))


def test_functions_that_are_no_kernels_are_refused():
    X, y, _ = two_moons(40)
    with pytest.raises(ValueError, match="one number for each of 40 rows of X and each of 40"):
        STKRClassifier(lambda A, B: A @ A.T[:, :3]).fit(X, y)
    with pytest.raises(ValueError, match="symmetric"):
        STKRClassifier(lambda A, B: A[:, :1] + 0 * B[:, 0]).fit(X, y)
    with pytest.raises(ValueError, match="standardize must be False"):
        STKRClassifier(heat, standardize=True).fit(X, y)
    with pytest.raises(ValueError, match="the kernel is a function"):
        KernelRidge(heat, gamma=1.0).fit(X, np.where(y >= 0, 1.0 * y, np.nan))
