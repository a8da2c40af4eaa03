"""Similarities instead of rows."""

import numpy as np
import pytest

from conftest import two_moons
from isotherm import KernelRidge, KernelRidgeClassifier, STKRClassifier, STKRRegressor


def similarities(A, B, bandwidth=0.4):
    apart = ((A[:, None] - B[None]) ** 2).sum(axis=2)
    return np.exp(-apart / (2 * bandwidth**2))


@pytest.mark.parametrize("cls", [STKRClassifier, KernelRidgeClassifier])
def test_precomputed_classes_are_those_of_the_kernel(cls):
    X, y, _ = two_moons(80)
    new = X + 0.05
    first = cls("gaussian", bandwidth=0.4).fit(X, y)
    model = cls("precomputed").fit(similarities(X, X), y)
    assert model.n_features_in_ == 80
    assert np.abs(model.decision_ - first.decision_).max() <= 1e-9
    found = model.predict_proba(similarities(new, X))
    assert np.abs(found - first.predict_proba(new)).max() <= 1e-9
    assert np.abs(model.leave_one_out().scores - first.leave_one_out().scores).max() <= 1e-9


@pytest.mark.parametrize("cls", [STKRRegressor, KernelRidge])
def test_precomputed_values_are_those_of_the_kernel(cls):
    X, _, _ = two_moons(80)
    y = np.where(np.arange(80) % 4, np.nan, X[:, 0])
    first = cls("gaussian", bandwidth=0.4).fit(X, y)
    model = cls("precomputed").fit(similarities(X, X), y)
    assert np.abs(model.transduction_ - first.transduction_).max() <= 1e-9


def test_shapes_are_checked():
    X, y, _ = two_moons(80)
    K = similarities(X, X)
    with pytest.raises(ValueError, match="square"):
        STKRClassifier("precomputed").fit(K[:, :70], y)
    model = STKRClassifier("precomputed").fit(K, y)
    with pytest.raises(ValueError, match="80"):
        model.predict(K[:, :70])
    uneven = K.copy()
    uneven[3, 7] = 0.5
    with pytest.raises(ValueError, match="symmetric"):
        STKRClassifier("precomputed").fit(uneven, y)
