"""Sample weights, and labelled rows that stand twice.

A weight of 2 is a row that stands twice, a weight of 0 a row that is absent. Both hold by
construction: rows of weight 0 leave before the fit, and labelled rows that are equal, label
and all, become one with the sum of their weights.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy import sparse

#: Numbers whose keys are computed at once.
CHUNK = 1 << 20


@dataclass
class Reduced:
    """The rows that a fit sees."""

    #: Rows that stay, ascending; ``None``: all of them.
    rows: np.ndarray | None
    #: For every row of the input the place of its twin among those that stay; −1: left out.
    places: np.ndarray | None
    #: One weight for each row that stays; ``None``: all alike.
    weights: np.ndarray | None
    #: The rows that were left out, where some were.
    absent: np.ndarray | None = None
    #: How many of the rows that stay have a label; ``None``: nobody asked.
    labels: int | None = None
    #: How many nodes there are; ``None``: rows, or nobody asked.
    nodes: int | None = None
    #: Whether the nodes have features.
    featured: bool = False


def check_weights(sample_weight, n):
    """Weights as an array of ``n`` numbers, or ``None``."""
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(n, float(weights))
    if weights.shape != (n,):
        raise ValueError(
            f"sample_weight must have one number for each of {n} rows, got shape {weights.shape}"
        )
    if not np.isfinite(weights).all() or (weights < 0).any():
        row = int(np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))[0])
        raise ValueError(
            f"sample_weight must hold numbers of at least 0, got {weights[row]} in row {row}"
        )
    if not weights.any():
        raise ValueError("sample weights must contain at least one non-zero number")
    return weights


def reduce(x, encoded, weights):
    """Leaves out rows of weight 0 and merges equal labelled ones."""
    n = len(encoded)
    kept = np.ones(n, dtype=bool) if weights is None else weights > 0
    labelled = np.flatnonzero(encoded.labelled & kept)
    if weights is None and len(labelled) == 0:
        return Reduced(None, None, None)
    if len(labelled) == 0:
        raise ValueError(
            "every labelled row has a sample weight of zero; give one of them a weight"
        )
    twin = _twins(x, encoded, labelled)
    merged = np.flatnonzero(twin != np.arange(len(labelled)))
    if weights is None and len(merged) == 0:
        return Reduced(None, None, None)
    total = np.ones(n) if weights is None else weights.copy()
    total[~encoded.labelled] = 1.0
    first = labelled[twin[merged]]
    np.add.at(total, first, total[labelled[merged]])
    stays = kept.copy()
    stays[labelled[merged]] = False
    rows = np.flatnonzero(stays)
    places = np.full(n, -1, dtype=np.int64)
    places[rows] = np.arange(len(rows))
    places[labelled[merged]] = places[first]
    left = total[rows]
    alike = (left == 1.0).all()
    everything = len(rows) == n
    return Reduced(
        None if everything else rows,
        None if everything else places,
        None if alike else left,
    )


def _twins(x, encoded, labelled):
    """For each labelled row the first one that equals it, as places in ``labelled``."""
    keys = _keys(x, encoded, labelled)
    order = np.argsort(keys, kind="stable")
    twin = np.arange(len(labelled))
    same = np.flatnonzero(keys[order][1:] == keys[order][:-1])
    if len(same) == 0:
        return twin
    # Equal keys are looked at in full: a key is a hash.
    suspects = np.unique(np.concatenate([order[same], order[same + 1]]))
    rows = labelled[suspects]
    if sparse.issparse(x):
        chosen, keys = x[rows], encoded.key(rows)
        first = {}
        for place, (start, end) in enumerate(pairwise(chosen.indptr)):
            own = slice(start, end)
            cells = (chosen.indices[own].tobytes(), chosen.data[own].tobytes())
            twin[suspects[place]] = first.setdefault(
                (*cells, keys[place].tobytes()), suspects[place]
            )
        return twin
    whole = np.hstack([np.asarray(x[rows], dtype=np.float64), encoded.key(rows)])
    _, first, inverse = np.unique(whole, axis=0, return_index=True, return_inverse=True)
    twin[suspects] = suspects[first[inverse.ravel()]]
    return twin


def _keys(x, encoded, labelled):
    """A 64-bit key of each labelled row and its label, a chunk of rows at a time."""
    draw = np.random.default_rng(0)
    width = x.shape[1] + encoded.key(labelled[:1]).shape[1]
    factors = draw.integers(1, 2**63, size=width, dtype=np.uint64) | np.uint64(1)
    if sparse.issparse(x):
        chosen = x[labelled]
        cells = _mixed(chosen.data) * factors[chosen.indices]
        ends = np.concatenate([np.zeros(1, np.uint64), np.cumsum(cells, dtype=np.uint64)])
        own = ends[chosen.indptr[1:]] - ends[chosen.indptr[:-1]]
        return own + (_mixed(encoded.key(labelled)) * factors[x.shape[1] :]).sum(
            axis=1, dtype=np.uint64
        )
    out = np.empty(len(labelled), dtype=np.uint64)
    step = max(1, CHUNK // width)
    for start in range(0, len(labelled), step):
        rows = labelled[start : start + step]
        whole = np.hstack([np.asarray(x[rows], dtype=np.float64), encoded.key(rows)])
        out[start : start + step] = (_mixed(whole) * factors).sum(axis=1, dtype=np.uint64)
    return out


def _mixed(numbers):
    """The bits of numbers, high ones mixed into low ones; −0 and 0 are equal."""
    bits = np.ascontiguousarray(numbers + 0.0, dtype=np.float64).view(np.uint64)
    return bits ^ (bits >> np.uint64(32))
