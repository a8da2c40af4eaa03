"""Rows for the tests of streams and clusters: two clouds, few labels."""

import numpy as np

from isotherm import LaplacianClassifier, Tikhonov

#: Everything said, so that fits are quick.
SAID = {"landmarks": 40, "bandwidth": 2.5, "filter": Tikhonov(1e-3), "norm_share": 1e-4}


def clouds(n=3000, dim=4, labels=40, seed=0):
    """X, y with ``None`` for no label, and the truth."""
    draw = np.random.default_rng(seed)
    truth = draw.permutation(n) % 2
    X = draw.normal(size=(n, dim))
    X[:, 0] += np.where(truth == 1, 2.0, -2.0)
    y = np.full(n, None, dtype=object)
    known = draw.choice(n, labels, replace=False)
    y[known] = np.where(truth[known] == 1, "up", "down")
    return X, y, truth


def frame(X, y):
    """The same as a table with a name, an identity and a label column."""
    import pyarrow as pa

    columns = {f"f{j}": X[:, j] for j in range(X.shape[1])}
    text = pa.array([f"row {i}" for i in range(len(X))])
    return pa.table({"who": text, **columns, "label": pa.array(list(y), type=pa.string())})


def classifier(**changes):
    """A kernel Laplacian with nothing left open."""
    return LaplacianClassifier(**{**SAID, **changes})
