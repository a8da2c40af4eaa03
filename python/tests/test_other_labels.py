"""Candidates, tags and orders."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import is_classifier
from sklearn.datasets import make_blobs

import isotherm
from isotherm import LabelRanker, MultiLabelClassifier, PartialLabelClassifier


def blobs(n=120, seed=0):
    X, truth = make_blobs(n, 3, centers=3, cluster_std=1.0, random_state=seed)
    return X, truth


# candidates


def candidate_sets(truth, seed=0, share=0.3):
    """The true class and one wrong one for some rows, nothing for the others."""
    draw = np.random.default_rng(seed)
    out = []
    for c in truth:
        wrong = (c + draw.integers(1, 3)) % 3
        out.append({int(c), int(wrong)} if draw.random() < share else None)
    return out


@pytest.mark.parametrize(
    "inner",
    [
        None,
        isotherm.STKRClassifier("gaussian"),
        isotherm.KernelRidgeClassifier(),
        isotherm.LaplacianClassifier(filter=isotherm.Tikhonov(1e-2), bandwidth=3.0),
        isotherm.HarmonicClassifier(),
    ],
    ids=str,
)
def test_candidates_are_settled(inner):
    """No label is sure, and still the classes are found."""
    X, truth = blobs()
    model = PartialLabelClassifier(inner).fit(X, candidate_sets(truth))
    assert model.classes_.tolist() == [0, 1, 2]
    assert (model.transduction_ == truth).mean() >= 0.9
    assert (model.predict(X) == truth).mean() >= 0.9
    assert model.report_["settled"]["samples"] == sum(s is not None for s in candidate_sets(truth))


def test_forms_of_candidates():
    X, truth = blobs()
    sets = candidate_sets(truth)
    first = PartialLabelClassifier().fit(X, sets).transduction_
    matrix = np.array([[s is not None and c in s for c in range(3)] for s in sets])
    names = np.array(["a", "b", "c"])
    held = np.empty(len(sets), dtype=object)
    held[:] = [None if s is None else tuple(s) for s in sets]
    for y in (matrix, matrix.astype(int), [list(s) if s else [] for s in sets], held):
        assert (PartialLabelClassifier().fit(X, y).transduction_ == first).all()
    named = [None if s is None else {names[c] for c in s} for s in sets]
    assert (PartialLabelClassifier().fit(X, named).transduction_ == names[first]).all()
    model = PartialLabelClassifier(classes=["a", "b", "c"]).fit(X, matrix)
    assert (model.transduction_ == names[first]).all()
    assert (PartialLabelClassifier().fit(X, pd.Series(held)).transduction_ == first).all()


def test_sure_labels_are_a_plain_fit():
    X, truth = blobs()
    y = np.where(np.arange(len(truth)) < 12, truth, -1)
    plain = isotherm.STKRClassifier().fit(X, y)
    for labels in (y, [{t} if k >= 0 else None for t, k in zip(truth, y)]):
        model = PartialLabelClassifier().fit(X, labels)
        assert (model.label_distributions_ == plain.label_distributions_).all()


# tags


def tags_of(truth):
    """Three tags: one a class, one shared by two classes, one rare."""
    return np.column_stack([truth == 0, truth != 2, truth == 2]).astype(int)


def test_tags():
    X, truth = blobs()
    tags = tags_of(truth)
    y = np.where(np.arange(len(truth))[:, None] < 20, tags, -1)
    model = MultiLabelClassifier().fit(X, y)
    assert (model.transduction_ == tags).mean() >= 0.95
    assert model.score(X, tags) >= 0.95
    assert model.tags_.tolist() == [0, 1, 2]
    assert not is_classifier(model)
    nan = np.where(y == -1, np.nan, y)
    assert (MultiLabelClassifier().fit(X, nan).transduction_ == model.transduction_).all()
    frame = pd.DataFrame(nan, columns=["x", "y", "z"])
    assert MultiLabelClassifier().fit(X, frame).tags_.tolist() == ["x", "y", "z"]
    tuned = MultiLabelClassifier(thresholds="macro").fit(X, y)
    assert tuned.score(X, tags) >= 0.95


def test_tags_known_in_part():
    X, truth = blobs()
    tags = tags_of(truth)
    y = np.where(np.arange(len(truth))[:, None] < 30, tags, -1)
    gaps = np.random.default_rng(0).random(y.shape) < 0.3
    for inner in (isotherm.STKRClassifier("gaussian"), isotherm.HarmonicClassifier()):
        model = MultiLabelClassifier(inner).fit(X, np.where(gaps, -1, y))
        assert (model.transduction_ == tags).mean() >= 0.9


def test_one_tag_in_one_dimension():
    X, truth = blobs()
    y = np.where(np.arange(len(truth)) < 20, (truth == 0) + 3, -1)
    model = MultiLabelClassifier().fit(X, y)
    assert set(model.predict(X)) == {3, 4}
    assert ((model.predict(X) == 4) == (truth == 0)).mean() >= 0.95
    with pytest.raises(ValueError, match="two values, got 3"):
        MultiLabelClassifier().fit(X, truth)


# orders

#: The order of three items in each class.
ORDERS = np.array([[1, 2, 3], [3, 1, 2], [2, 3, 1]])


def test_orders():
    X, truth = blobs()
    positions = ORDERS[truth].astype(float)
    y = np.where(np.arange(len(truth))[:, None] < 20, positions, np.nan)
    model = LabelRanker().fit(X, y)
    assert (model.predict(X) == ORDERS[truth]).all(axis=1).mean() >= 0.9
    assert (model.transduction_ == ORDERS[truth]).all(axis=1).mean() >= 0.9
    assert model.score(X, positions) >= 0.9
    assert model.score(X, 4 - positions) <= -0.9
    frame = pd.DataFrame(y, columns=["tea", "milk", "juice"])
    assert LabelRanker().fit(X, frame).items_.tolist() == ["tea", "milk", "juice"]


def test_orders_known_in_part():
    X, truth = blobs()
    positions = ORDERS[truth].astype(float)
    y = np.where(np.arange(len(truth))[:, None] < 40, positions, np.nan)
    y[np.arange(40), np.random.default_rng(0).integers(0, 3, 40)] = np.nan
    model = LabelRanker().fit(X, y)
    assert model.score(X, positions) >= 0.8


def test_ties_are_kept_out_of_the_score():
    X, truth = blobs()
    positions = ORDERS[truth].astype(float)
    model = LabelRanker().fit(X, positions)
    first_only = np.where(positions == 1, 1.0, 2.0)
    assert model.score(X, first_only) >= 0.9
    with pytest.raises(ValueError, match="orders no pair"):
        model.score(X, np.ones_like(positions))


def test_the_most_preferred_item():
    X, truth = blobs()
    names = np.array(["milk", "tea", "juice"])
    y = np.where(np.arange(len(truth)) < 20, names[truth], "")
    model = LabelRanker().fit(X, y)
    assert (model.predict(X) == names[truth]).mean() >= 0.9
    assert model.rank(X).shape == (len(X), 3)
    assert sorted(model.rank(X)[0]) == [1, 2, 3]
