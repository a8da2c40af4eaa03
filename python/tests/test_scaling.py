"""Columns of a table are standardised by default, on the command line and here."""

import numpy as np
import pytest
from conftest import two_moons
from scipy.sparse import csr_array
from sklearn.preprocessing import StandardScaler

import isotherm
from isotherm import Tikhonov

TABLES = [
    isotherm.STKRClassifier(),
    isotherm.STKRClassifier("gaussian", bandwidth=0.5),
    isotherm.LaplacianClassifier(bandwidth=0.5, filter=Tikhonov(1e-2)),
    isotherm.LabelPropagation(),
    isotherm.HarmonicClassifier(),
    isotherm.KernelRidgeClassifier(),
    isotherm.PartialLabelClassifier(),
]
UNITS = np.array([1000.0, 0.01])


@pytest.mark.parametrize("model", TABLES, ids=str)
def test_columns_are_standardised_by_default(model):
    X, y, _ = two_moons(100)
    X = X * UNITS
    default = model.fit(X, y).label_distributions_
    by_hand = StandardScaler().fit_transform(X)
    plain = model if not hasattr(model, "estimator") else isotherm.STKRClassifier()
    plain = type(plain)(**{**plain.get_params(deep=False), "standardize": False})
    # Both divide by the same numbers, in another order.
    assert np.abs(plain.fit(by_hand, y).label_distributions_ - default).max() <= 1e-6
    # In the units given one column decides.
    assert np.abs(plain.fit(X, y).label_distributions_ - default).max() > 0.01


def test_values_and_coordinates_too():
    X, y, _ = two_moons(100)
    by_hand = StandardScaler().fit_transform(X * UNITS)
    values = np.where(y >= 0, X[:, 0], np.nan)
    for cls in (isotherm.STKRRegressor, isotherm.KernelRidge, isotherm.HarmonicRegressor):
        default = cls().fit(X * UNITS, values).transduction_
        plain = cls(standardize=False).fit(by_hand, values).transduction_
        assert np.abs(default - plain).max() <= 1e-6
    default = isotherm.SpectralEmbedding().fit_transform(X * UNITS)
    plain = isotherm.SpectralEmbedding(standardize=False).fit_transform(by_hand)
    assert np.abs(default - plain).max() <= 1e-6


def test_nothing_is_scaled_where_there_are_no_columns():
    graph = csr_array(np.ones((6, 6)) - np.eye(6))
    y = [0, 1, -1, -1, -1, -1]
    for cls in (isotherm.STKRClassifier, isotherm.LabelPropagation, isotherm.HarmonicClassifier):
        assert cls(kernel="graph").fit(graph, y)._model.info()["recipe"].get("scaling") is None
        with pytest.raises(ValueError, match="standardize must be False"):
            cls(kernel="graph", standardize=True).fit(graph, y)
