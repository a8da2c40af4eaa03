"""Accuracy against the number of labels, beside what labels alone would give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core, _cross_fit
from ._rows import take_rows
from ._seam import problem
from .trust import marks_of, sampling

if TYPE_CHECKING:
    from ._core import LearningCurve


@dataclass(frozen=True, eq=False)
class LabelCurve:
    """What ``label_curve`` found.

    Attributes
    ----------
    counts : ndarray of shape (m,)
        Numbers of labels that fits were given, ascending.
    scores : ndarray of shape (m,)
        The mean measure of these fits on held-out labels, over repeats.
    bands : ndarray of shape (m, 2)
        Between which values a share ``level`` of the repeats lies.
    baseline_scores, baseline_bands : ndarray of shape (m,) and (m, 2)
        The same for the baseline, which sees the labelled rows only, on the same repeats.
    gains, gain_bands : ndarray of shape (m,) and (m, 2)
        By how much the estimator is better than the baseline, repeat by repeat.
    metric : str
        "accuracy" or "mean squared error".
    higher_is_better : bool
        Whether a larger measure is better.
    baseline : str
        What the baseline is.
    n_held_out : int
        Labels held out in each repeat, on which its fits are judged.
    n_draws : int
        Repeats, each with its own labels held out.
    level : float
        The share of repeats in a band.
    """

    counts: NDArray[np.int64]
    scores: NDArray[np.float64]
    bands: NDArray[np.float64]
    baseline_scores: NDArray[np.float64]
    baseline_bands: NDArray[np.float64]
    gains: NDArray[np.float64]
    gain_bands: NDArray[np.float64]
    metric: str
    higher_is_better: bool
    baseline: str
    n_held_out: int
    n_draws: int
    level: float

    @staticmethod
    def of(found: LearningCurve) -> LabelCurve:
        """From what the core found."""
        points = found["points"]

        def means(who: str) -> NDArray[np.float64]:
            return np.array([point[who]["mean"] for point in points])  # type: ignore[literal-required]

        def bands(who: str) -> NDArray[np.float64]:
            return np.array([[point[who][end] for end in ("low", "high")] for point in points])  # type: ignore[literal-required]

        return LabelCurve(
            counts=np.array([point["labels"] for point in points], dtype=np.int64),
            scores=means("method"),
            bands=bands("method"),
            baseline_scores=means("baseline"),
            baseline_bands=bands("baseline"),
            gains=means("gain"),
            gain_bands=bands("gain"),
            metric=found["measure"],
            higher_is_better=found["higher_is_better"],
            baseline=found["baseline_name"],
            n_held_out=found["held_out"],
            n_draws=found["repeats"],
            level=found["level"],
        )


def label_curve(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    n_points: int = 8,
    n_draws: int | None = None,
    level: float = 0.8,
    audit: Any = None,
    pool: Any = None,
) -> LabelCurve:
    """How good fits to fewer labels are, all rows being seen throughout.

    In each repeat a fifth of the labels is held out, and fits to more and more of the others
    are judged on them. The kernel between labels is worked out once, so a curve costs little
    more than a fit. Are another 50 labels worth it, and do unlabelled rows help at all?

    A pipeline, or a classifier or regressor of another package, is fitted for every point of every
    repeat, ``n_points × n_draws`` times; beside it stands always the most frequent class, or the
    mean of the labels. Estimators of ``sklearn.semi_supervised`` and pipelines that end in one of
    these or of ours are given all rows, others the labelled rows only.

    Parameters
    ----------
    estimator : classifier or regressor
        Fitted or not; its parameters are used, and its ``random_state`` draws the labels.
    X : array-like, sparse graph or frame of n rows
        As for ``fit``: None where the estimator has a graph without features.
    y : array-like of shape (n,)
        Classes or numbers, some of them missing. Equal labelled rows are one row, as in
        ``fit``, and count once.
    n_points : int, default=8
        Numbers of labels to try, from one a class to all that are not held out.
    n_draws : int, default=None
        Repeats at most; fewer, but ten, where they would take long. None is 40, and 10 for a
        pipeline or an estimator of another package.
    level : float, default=0.8
        The share of the repeats that a band holds.
    audit, pool : array-like of shape (n,), default=None
        How labels were chosen, as in ``isotherm.estimate_accuracy``: only labels drawn at
        random are judged.

    Returns
    -------
    curve : LabelCurve

    Examples
    --------
    >>> from isotherm import STKRClassifier
    >>> from isotherm.datasets import make_moons
    >>> from isotherm.model_selection import label_curve
    >>> X, y, _ = make_moons(200, random_state=0)
    >>> curve = label_curve(STKRClassifier(), X, y, n_points=4)
    >>> curve.scores.shape, curve.metric
    ((4,), 'accuracy')
    """
    if _cross_fit.is_foreign(estimator):
        return _by_fits(estimator, X, y, n_points, n_draws, level, marks_of(X, audit, pool))
    judged = problem(estimator, X, y)
    marks, open_rows = sampling(judged, audit, pool)
    found = _core.learning_curve(
        judged.recipe,
        judged.data,
        judged.labels,
        level=float(level),
        repeats=40 if n_draws is None else int(n_draws),
        points=int(n_points),
        audit=marks,
        pool=open_rows,
        threads=judged.threads,
    )
    return LabelCurve.of(found)


def _by_fits(
    estimator: Any,
    X: Any,
    y: Any,
    n_points: int,
    n_draws: int | None,
    level: float,
    audit: NDArray[np.bool_] | None,
) -> LabelCurve:
    """One fit for every point of every repeat."""
    draws = 10 if n_draws is None else int(n_draws)
    if n_points < 1 or draws < 1:
        raise ValueError(
            f"n_points and n_draws must be at least 1, got {n_points!r} and {n_draws!r}"
        )
    if not 0 < level < 1:
        raise ValueError(f"level must be between 0 and 1, got {level!r}")
    encoded = _cross_fit.encode(estimator, X, y)
    classes = encoded.task == "classify"
    values = np.asarray(encoded.values)
    rows = _cross_fit.distinct(X, encoded)
    may = np.ones(len(rows), dtype=bool) if audit is None else audit[rows]
    n_held, sizes = _sizes(values[rows], may, classes, int(n_points))
    seed = _cross_fit.seed_of(estimator)
    usual = np.argmax(np.bincount(values[rows])) if classes else None
    own, base = np.zeros((draws, len(sizes))), np.zeros((draws, len(sizes)))
    for draw in range(draws):
        order = np.random.default_rng([seed, draw]).permutation(len(rows))
        first = _starters(order, values[rows], classes)
        rest = order[~np.isin(order, first)]
        held = rest[may[rest]][:n_held]
        order = np.concatenate([first, rest[~np.isin(rest, held)]])
        truth = values[rows[held]]
        for k, size in enumerate(sizes):
            left = np.full(len(values), -1 if classes else np.nan, dtype=values.dtype)
            train = rows[order[:size]]
            left[train] = values[train]
            model = _cross_fit.fitted(estimator, X, left, encoded)
            found = _cross_fit.codes_of(model, take_rows(X, rows[held]), encoded)
            constant = np.full(len(held), usual if classes else values[train].mean())
            own[draw, k] = _cross_fit.accuracy_of(found, truth, encoded)
            base[draw, k] = _cross_fit.accuracy_of(constant, truth, encoded)
    sign = 1.0 if classes else -1.0

    def bands(found: NDArray[np.float64]) -> NDArray[np.float64]:
        tail = (1 - level) / 2
        return np.quantile(found, [tail, 1 - tail], axis=0).T

    return LabelCurve(
        counts=np.array(sizes, dtype=np.int64),
        scores=sign * own.mean(axis=0),
        bands=bands(sign * own),
        baseline_scores=sign * base.mean(axis=0),
        baseline_bands=bands(sign * base),
        gains=(own - base).mean(axis=0),
        gain_bands=bands(own - base),
        metric="accuracy" if classes else "mean squared error",
        higher_is_better=classes,
        baseline="always the most frequent class" if classes else "the mean of the labels",
        n_held_out=n_held,
        n_draws=draws,
        level=float(level),
    )


def _starters(order: NDArray[np.intp], truth: NDArray[Any], classes: bool) -> NDArray[np.intp]:
    """The first label of each class in an order, or the first two numbers."""
    if not classes:
        return order[:2]
    return order[np.sort(np.unique(truth[order], return_index=True)[1])]


def _sizes(
    truth: NDArray[Any], may: NDArray[np.bool_], classes: bool, points: int
) -> tuple[int, list[int]]:
    """How many labels are held out, and on how many of the others fits are tried."""
    start = len(_starters(np.arange(len(truth)), truth, classes))
    fifth = max(2, -(-len(truth) // 5))
    held = min(fifth, int(may.sum()) - start)
    if held < 2 or len(truth) < held + start + 1:
        raise ValueError(
            f"{int(may.sum())} of {len(truth)} labels may be judged, too few for a learning curve "
            f"of {start} {'classes' if classes else 'labels and more'}; label more rows drawn at "
            f"random"
        )
    found = np.geomspace(start, len(truth) - held, max(points, 2))
    return held, sorted(set(np.rint(found).astype(int).tolist()))
