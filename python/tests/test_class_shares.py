"""Class shares of the unlabelled rows, and shares that are given."""

import numpy as np
import pytest
from sklearn.base import clone

import isotherm


def groups(rare, each=20, rows=400):
    """Two groups three standard deviations apart, and the first ``each`` labels of each."""
    rng = np.random.default_rng(0)
    truth = (rng.random(rows) < rare).astype(int)
    X = rng.normal(size=(rows, 2))
    X[:, 0] += 3 * truth
    y = np.full(rows, -1)
    for c in (0, 1):
        y[np.flatnonzero(truth == c)[:each]] = c
    return X, y, truth


CLASSIFIERS = [
    isotherm.AutoClassifier,
    isotherm.STKRClassifier,
    isotherm.KernelRidgeClassifier,
    isotherm.LaplacianClassifier,
    isotherm.LabelPropagation,
    isotherm.HarmonicClassifier,
]


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_found_shares_act_as_shares_that_are_given(kind):
    X, y, truth = groups(0.1)
    model = kind(class_shares="unlabelled").fit(X, y)
    found = model.report_["class_shares"]
    assert found["classes"] == ["0", "1"] and found["labels"] == [0.5, 0.5]
    assert found["converged"] and found["rows"] == 360
    assert found["unlabelled"][1] < 0.35
    given = dict(zip([0, 1], found["unlabelled"]))
    same = clone(model).set_params(class_shares=given).fit(X, y)
    assert np.array_equal(model.predict_proba(X), same.predict_proba(X))
    plain = kind().fit(X, y)
    assert plain.report_["class_shares"] is None
    assert model.predict(X).sum() <= plain.predict(X).sum()


def test_shares_that_cannot_be_found_are_refused():
    X, y, _ = groups(0.3, each=4)
    with pytest.raises(ValueError, match="8 labels are too few"):
        isotherm.AutoClassifier(class_shares="unlabelled").fit(X, y)
    with pytest.raises(ValueError, match="class_shares"):
        isotherm.AutoClassifier(class_shares="other").fit(X, y)
    with pytest.raises(ValueError, match="sum to 1"):
        isotherm.AutoClassifier(class_shares={0: 0.5, 1: 0.2}).fit(X, y)
    with pytest.raises(ValueError, match="only classes"):
        isotherm.AutoRegressor(class_shares="unlabelled").fit(X, X[:, 0])


def test_a_file_keeps_where_shares_come_from(tmp_path):
    X, y, _ = groups(0.1)
    for shares in ("labels", "unlabelled", {0: 0.8, 1: 0.2}):
        model = isotherm.AutoClassifier(class_shares=shares).fit(X, y)
        model.save(tmp_path / "model.iso")
        read = isotherm.load(tmp_path / "model.iso")
        assert np.array_equal(read.predict_proba(X), model.predict_proba(X))
        told = read.class_shares
        assert told == ({"0": 0.8, "1": 0.2} if isinstance(shares, dict) else shares)


def test_an_estimate_says_what_they_would_change():
    X, y, truth = groups(0.1)
    model = isotherm.AutoClassifier()
    effect = isotherm.estimate_accuracy(model, X, y).class_shares
    assert effect["classes"] == [0, 1] and not effect["used"]
    plain = model.fit(X, y).transduction_
    shifted = clone(model).set_params(class_shares="unlabelled").fit(X, y).transduction_
    assert effect["moved"] == np.sum((plain != shifted)[y < 0])
