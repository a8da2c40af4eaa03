"""Accuracy against the number of labels, beside what labels alone would give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._seam import problem
from .trust import sampling

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
    n_draws: int = 40,
    level: float = 0.8,
    audit: Any = None,
    pool: Any = None,
) -> LabelCurve:
    """How good fits to fewer labels are, all rows being seen throughout.

    In each repeat a fifth of the labels is held out, and fits to more and more of the others
    are judged on them. The kernel between labels is worked out once, so a curve costs little
    more than a fit. Are another 50 labels worth it, and do unlabelled rows help at all?

    Parameters
    ----------
    estimator : estimator of isotherm
        Fitted or not; its parameters are used, and its ``random_state`` draws the labels.
    X : array-like, sparse graph or frame of n rows
        As for ``fit``: None where the estimator has a graph without features.
    y : array-like of shape (n,)
        Classes or numbers, some of them missing. Equal labelled rows are one row, as in
        ``fit``, and count once.
    n_points : int, default=8
        Numbers of labels to try, from one a class to all that are not held out.
    n_draws : int, default=40
        Repeats at most; fewer, but ten, where they would take long.
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
    judged = problem(estimator, X, y)
    marks, open_rows = sampling(judged, audit, pool)
    found = _core.learning_curve(
        judged.recipe,
        judged.data,
        judged.labels,
        level=float(level),
        repeats=int(n_draws),
        points=int(n_points),
        audit=marks,
        pool=open_rows,
        threads=judged.threads,
    )
    return LabelCurve.of(found)
