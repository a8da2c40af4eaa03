"""Data to try things on: made sets with a seed, and files in the shared format.

Nothing here opens a network connection.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import Bunch, check_random_state

__all__ = ["Sample", "load", "make_circles", "make_gaussians", "make_moons"]


class Sample(NamedTuple):
    """A made data set: rows, the labels that are given, and all of them.

    Attributes
    ----------
    X : ndarray of shape (n, d)
    y : ndarray of int, shape (n,)
        -1 where the label is hidden.
    y_full : ndarray of int, shape (n,)
        Every label, to score with.
    """

    X: NDArray[np.float64]
    y: NDArray[np.int64]
    y_full: NDArray[np.int64]


def make_circles(
    n_samples: int = 500,
    *,
    n_circles: int = 4,
    labels_per_class: int = 1,
    noise: float = 0.03,
    random_state: Any = None,
) -> Sample:
    """Concentric circles of radius 1, 2, …, a class each: figure 1 of [KLAP].

    Parameters
    ----------
    n_samples : int, default=500
        Rows, dealt to the circles in proportion to their radius.
    n_circles : int, default=4
    labels_per_class : int, default=1
        Labels of each class that are not hidden.
    noise : float, default=0.03
        Standard deviation that is added to each coordinate, in units of the first radius.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    sample : Sample
        Unpacks as ``X, y, y_full``.

    Examples
    --------
    >>> from isotherm.datasets import make_circles
    >>> X, y, y_full = make_circles(200, random_state=0)
    >>> X.shape, int((y >= 0).sum()), sorted(set(y_full.tolist()))
    ((200, 2), 4, [0, 1, 2, 3])
    """
    state = check_random_state(random_state)
    _check_counts(n_samples, n_circles, labels_per_class, "n_circles")
    radius = np.arange(1, n_circles + 1, dtype=np.float64)
    edges = np.rint(np.cumsum(radius) / radius.sum() * n_samples).astype(int)
    y = np.searchsorted(edges, np.arange(n_samples), side="right")
    angle = state.uniform(0, 2 * np.pi, n_samples)
    X = radius[y, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return _hide(X + noise * state.standard_normal(X.shape), y, labels_per_class, state)


def make_moons(
    n_samples: int = 500,
    *,
    labels_per_class: int = 10,
    noise: float = 0.1,
    random_state: Any = None,
) -> Sample:
    """Two half circles that reach into each other.

    Parameters
    ----------
    n_samples : int, default=500
    labels_per_class : int, default=10
        Labels of each class that are not hidden.
    noise : float, default=0.1
        Standard deviation that is added to each coordinate; the radius is 1.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    sample : Sample
        Unpacks as ``X, y, y_full``.

    Examples
    --------
    >>> from isotherm.datasets import make_moons
    >>> X, y, y_full = make_moons(100, labels_per_class=3, random_state=0)
    >>> int((y >= 0).sum())
    6
    """
    state = check_random_state(random_state)
    _check_counts(n_samples, 2, labels_per_class, "classes")
    y = (np.arange(n_samples) >= n_samples // 2).astype(int)
    angle = state.uniform(0, np.pi, n_samples)
    upper = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    X = np.where(y[:, None] == 0, upper, np.array([1.0, 0.5]) - upper)
    return _hide(X + noise * state.standard_normal(X.shape), y, labels_per_class, state)


def make_gaussians(
    n_samples: int = 500,
    *,
    n_classes: int = 3,
    n_features: int = 2,
    separation: float = 4.0,
    labels_per_class: int = 5,
    random_state: Any = None,
) -> Sample:
    """Normal clouds of unit variance, a class each, their centres drawn on a sphere.

    Parameters
    ----------
    n_samples : int, default=500
    n_classes : int, default=3
    n_features : int, default=2
    separation : float, default=4.0
        Radius of the sphere. In two dimensions centres are spaced evenly.
    labels_per_class : int, default=5
        Labels of each class that are not hidden.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    sample : Sample
        Unpacks as ``X, y, y_full``.

    Examples
    --------
    >>> from isotherm.datasets import make_gaussians
    >>> X, y, y_full = make_gaussians(90, n_features=5, random_state=0)
    >>> X.shape, int((y >= 0).sum())
    ((90, 5), 15)
    """
    state = check_random_state(random_state)
    _check_counts(n_samples, n_classes, labels_per_class, "n_classes")
    if n_features < 1:
        raise ValueError(f"n_features must be at least 1, got {n_features}")
    if n_features == 2:
        angle = 2 * np.pi * (np.arange(n_classes) / n_classes + state.uniform())
        centres = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    else:
        centres = state.standard_normal((n_classes, n_features))
        centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    y = np.arange(n_samples) % n_classes
    X = separation * centres[y] + state.standard_normal((n_samples, n_features))
    return _hide(X, y, labels_per_class, state)


def _check_counts(n: int, classes: int, labels: int, name: str) -> None:
    if classes < 1:
        raise ValueError(f"{name} must be at least 1, got {classes}")
    if labels < 0:
        raise ValueError(f"labels_per_class must be at least 0, got {labels}")
    if n < classes:
        raise ValueError(f"n_samples must be at least {classes}, one a class, got {n}")


def _hide(X: NDArray[Any], y: NDArray[Any], labels: int, state: Any) -> Sample:
    """Rows in random order, the labels of ``labels`` rows a class kept."""
    order = state.permutation(len(y))
    X, full = X[order], y[order].astype(np.int64)
    given = np.full(len(full), -1, dtype=np.int64)
    for label in np.unique(full):
        rows = np.flatnonzero(full == label)
        if labels > len(rows):
            raise ValueError(
                f"labels_per_class must be at most {len(rows)}, the rows of class {label}; "
                f"got {labels}"
            )
        given[rows[:labels]] = label
    return Sample(X, given, full)


def load(name: str | os.PathLike[str]) -> Bunch:
    """A data set from a file in the shared ``.npz`` format.

    Parameters
    ----------
    name : str or path
        A path to a ``.npz`` file, or the name of one in the directory that the
        environment variable ``ISOTHERM_DATA`` names.

    Returns
    -------
    bunch : Bunch
        ``data``: rows, or features of the nodes as a CSR array where the file has them,
        else None. ``target``: labels, all of them. ``graph``: the symmetric adjacency as a
        CSR array, or None. Every other array of the file is there under its own name
        (``train_idx``, ``candidates``, ``labelled_10``, …). ``path``: where it was.

    Raises
    ------
    FileNotFoundError
        When there is no such file; the message says where it was looked for.
    ValueError
        When the file holds no arrays of this format. Pickles are never read.

    Examples
    --------
    >>> import numpy as np, pathlib, tempfile
    >>> from isotherm.datasets import load
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "path.npz"
    >>> np.savez(path, edges=np.array([[0, 1], [1, 2]]), labels=np.array([0, 0, 1]))
    >>> load(path).graph.toarray().astype(int).tolist()
    [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    """
    path = _find(name)
    with np.load(path, allow_pickle=False) as file:
        try:
            arrays = {key: file[key] for key in file.files}
        except ValueError as error:
            raise ValueError(f"{path} cannot be read as plain arrays: {error}") from error
    label = "labels" if "labels" in arrays else "y"
    if label not in arrays or not {"X", "edges", "feat_data"} & arrays.keys():
        raise ValueError(
            f"{path} has the arrays {sorted(arrays)}; "
            "a data set needs y or labels, and X, edges or feat_data"
        )
    target = arrays.pop(label)
    data = arrays.pop("X", None)
    if "feat_data" in arrays:
        parts = [arrays.pop(f"feat_{part}") for part in ("data", "indices", "indptr")]
        shape = tuple(int(s) for s in arrays.pop("feat_shape"))
        data = sparse.csr_array(tuple(parts), shape=shape)
    graph = _adjacency(arrays.pop("edges"), len(target)) if "edges" in arrays else None
    return Bunch(data=data, target=target, graph=graph, path=str(path), **arrays)


def _find(name: str | os.PathLike[str]) -> Path:
    given = Path(name)
    if given.is_file():
        return given
    looked = [str(given)]
    folder = os.environ.get("ISOTHERM_DATA")
    if folder:
        inside = Path(folder) / (given.name if given.suffix == ".npz" else f"{given.name}.npz")
        if inside.is_file():
            return inside
        looked.append(str(inside))
    way = "" if folder else "; set ISOTHERM_DATA to the directory of the files to load by name"
    raise FileNotFoundError(f"no data set at {' or '.join(looked)}{way}")


def _adjacency(edges: NDArray[Any], nodes: int) -> Any:
    ends = np.concatenate([edges, edges[:, ::-1]])
    ones = np.ones(len(ends))
    return sparse.csr_array((ones, (ends[:, 0], ends[:, 1])), shape=(nodes, nodes))
