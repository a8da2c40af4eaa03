"""Similarities instead of rows."""

import numpy as np
import pytest
from conftest import two_moons
from sklearn.model_selection import cross_val_score

import isotherm
from isotherm import InverseLaplacian, Power, STKRClassifier, STKRRegressor, Truncation


#: The kernel of ``similarities``, between rows in their own units.
KERNEL = {"kernel": "gaussian", "bandwidth": 0.4, "standardize": False}


def similarities(A, B, bandwidth=0.4):
    apart = ((A[:, None] - B[None]) ** 2).sum(axis=2)
    return np.exp(-apart / (2 * bandwidth**2))


@pytest.mark.parametrize("transform", [InverseLaplacian(0.9), Power(1), Truncation(6)], ids=str)
def test_precomputed_classes_are_those_of_the_kernel(transform):
    X, y, _ = two_moons(80)
    new = X + 0.05
    first = STKRClassifier(**KERNEL, transform=transform).fit(X, y)
    model = STKRClassifier("precomputed", transform=transform).fit(similarities(X, X), y)
    assert model.n_features_in_ == 80
    assert np.abs(model.decision_ - first.decision_).max() <= 1e-9
    found = model.predict_proba(similarities(new, X))
    assert np.abs(found - first.predict_proba(new)).max() <= 1e-9
    assert np.abs(model.leave_one_out().scores - first.leave_one_out().scores).max() <= 1e-9


def test_precomputed_values_are_those_of_the_kernel():
    X, _, _ = two_moons(80)
    y = np.where(np.arange(80) % 4, np.nan, X[:, 0])
    first = STKRRegressor(**KERNEL).fit(X, y)
    model = STKRRegressor("precomputed").fit(similarities(X, X), y)
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


def test_files_of_similarities(tmp_path):
    X, y, _ = two_moons(80)
    K = similarities(X, X)
    first = STKRClassifier("precomputed").fit(K, y)
    first.save(tmp_path / "model.iso")
    again = isotherm.load(tmp_path / "model.iso")
    assert again.kernel == "precomputed" and again.n_features_in_ == 80
    assert (again.predict_proba(K[:9]) == first.predict_proba(K[:9])).all()


def test_folds_of_similarities():
    """The pairwise tag: scikit-learn cuts columns too."""
    X, _, truth = two_moons(80)
    found = cross_val_score(STKRClassifier("precomputed"), similarities(X, X), truth, cv=4)
    plain = cross_val_score(STKRClassifier(**KERNEL), X, truth, cv=4)
    assert np.abs(found - plain).max() <= 1e-12
