"""The default beside what people would type instead: the bank of experiments/defaults in small."""

import os
from pathlib import Path

import isotherm as iso
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

DATA = Path(os.environ.get("ISOTHERM_DATA", "../shared/data"))
SETS = ("wine", "breast_cancer", "digits", "segment", "satimage", "vowel", "dna", "letter", "usps", "coil20")
ROWS, DRAWS = 600, 2


def table(name):
    """Rows and classes of a set, the first of them in an order that the name gives."""
    held = np.load(DATA / f"{name}.npz", allow_pickle=False)
    rng = np.random.default_rng(sum(name.encode()))
    rows = rng.permutation(len(held["y"]))[:ROWS]
    X, y = held["X"][rows].astype(float), held["y"][rows]
    return X[:, X.std(0) > 0], np.unique(y, return_inverse=True)[1]


def accuracy(said, y, hidden):
    return 100 * np.mean(said[hidden] == y[hidden])


@pytest.mark.skipif(not DATA.is_dir(), reason="the real data are not there")
@pytest.mark.filterwarnings("ignore")
def test_the_default_beats_logistic_regression_kernel_ridge_and_one_graph():
    found = []
    for name in SETS:
        X, y = table(name)
        scaled = StandardScaler().fit_transform(X)
        for draw in range(DRAWS):
            labelled = np.random.default_rng(draw).permutation(len(y))[:50]
            hidden = np.setdiff1d(np.arange(len(y)), labelled)
            known = np.full(len(y), -1)
            known[labelled] = y[labelled]
            logistic = LogisticRegression(max_iter=1000).fit(scaled[labelled], y[labelled])
            found.append(
                [
                    accuracy(iso.AutoClassifier().fit(X, known).transduction_, y, hidden),
                    accuracy(logistic.predict(scaled), y, hidden),
                    accuracy(iso.KernelRidgeClassifier(standardize=True).fit(X, known).predict(X), y, hidden),
                    accuracy(iso.STKRClassifier(standardize=True).fit(X, known).transduction_, y, hidden),
                ]
            )
    ours, logistic, ridge, graph = np.mean(found, 0)
    # The goal on the whole bank is a point over the best of them; one graph, the default before, is below it.
    best = max(logistic, ridge)
    assert ours > best + 1, f"{ours:.1f} beside {logistic:.1f}, {ridge:.1f}, {graph:.1f}"
    assert graph < best + 1
    assert ours > graph + 1


def test_more_labels_than_a_blend_takes_are_fitted_by_the_kernel_laplacian():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2300, 2))
    y = (X[:, 0] > 0).astype(int)
    y[2001:] = -1
    model = iso.AutoClassifier().fit(X, y)
    assert model.blend_ == {}
    assert np.mean(model.predict(X[2001:]) == (X[2001:, 0] > 0)) > 0.9
    y[1000:] = -1
    assert iso.AutoClassifier().fit(X, y).blend_
