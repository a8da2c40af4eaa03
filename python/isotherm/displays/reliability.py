"""Whether 0.9 means nine in ten."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import binomtest

from .._missing import as_array, labelled_mask
from .._rows import take_rows
from ._drawing import BLANK, INK, axes_for, hues, quiet

_RESAMPLES = 1000


class ReliabilityDisplay:
    """Share of right predictions against confidence, with intervals and counts.

    Bins are equally wide; empty ones are left out. The expected calibration error is
    ``ECE = Σ_b (n_b/n)·|accuracy_b − confidence_b|``, its interval a bootstrap's. ECE is
    never 0 for finitely many rows, so its interval says how far it is from what
    a calibrated model would show, not whether it is 0.

    Parameters
    ----------
    confidence : ndarray of shape (n,)
        Probability of the predicted class.
    right : ndarray of bool, shape (n,)
    n_bins : int
    level : float
        Of the intervals.
    random_state : int
        Of the bootstrap.

    Attributes
    ----------
    mean_confidence_, accuracy_, counts_ : ndarray of shape (bins,)
    intervals_ : ndarray of shape (bins, 2)
        Clopper–Pearson.
    ece_ : float
    ece_interval_ : tuple of float
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm.displays import ReliabilityDisplay
    >>> proba = np.array([[0.8, 0.2]] * 10)
    >>> display = ReliabilityDisplay.from_predictions([0] * 8 + [1] * 2, proba, n_bins=1)
    >>> round(display.ece_, 6), display.counts_.tolist()
    (0.0, [10])
    """

    def __init__(
        self,
        *,
        confidence: Any,
        right: Any,
        n_bins: int = 10,
        level: float = 0.95,
        random_state: int = 0,
    ) -> None:
        self.confidence = confidence
        self.right = right
        self.n_bins = n_bins
        self.level = level
        self.random_state = random_state

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        n_bins: int = 10,
        level: float = 0.95,
        ax: Any = None,
    ) -> ReliabilityDisplay:
        """Ask an estimator about labelled rows.

        Parameters
        ----------
        estimator : fitted classifier
        X : array-like of n rows
            Rows whose labels the fit did not see: of others it is too sure.
        y : array-like of n labels
            Rows without one are left out.
        n_bins : int, default=10
        level : float, default=0.95
        ax : matplotlib axes, default=None

        Returns
        -------
        display : ReliabilityDisplay
        """
        values = as_array(y)
        rows = np.flatnonzero(labelled_mask(values))
        proba = estimator.predict_proba(take_rows(X, rows))
        return cls.from_predictions(
            values[rows], proba, classes=estimator.classes_, n_bins=n_bins, level=level, ax=ax
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_prob: Any,
        *,
        classes: Any = None,
        n_bins: int = 10,
        level: float = 0.95,
        ax: Any = None,
    ) -> ReliabilityDisplay:
        """Draw given probabilities.

        Parameters
        ----------
        y_true : array-like of shape (n,)
        y_prob : array-like of shape (n, classes)
        classes : array-like, default=None
            The order of the columns. None: 0, 1, ….
        n_bins : int, default=10
        level : float, default=0.95
        ax : matplotlib axes, default=None

        Returns
        -------
        display : ReliabilityDisplay
        """
        proba = np.asarray(y_prob, dtype=float)
        truth = np.asarray(y_true)
        if proba.ndim != 2 or len(proba) != len(truth) or len(truth) == 0:
            raise ValueError(
                f"y_prob must have a row for each of the {len(truth)} labels, "
                f"got shape {proba.shape}"
            )
        names = np.arange(proba.shape[1]) if classes is None else np.asarray(classes)
        right = names[proba.argmax(axis=1)] == truth
        return cls(
            confidence=proba.max(axis=1),
            right=np.asarray(right, dtype=bool),
            n_bins=n_bins,
            level=level,
        ).plot(ax=ax)

    def _measure(self) -> None:
        parts = _parts(self.confidence, self.n_bins)
        self.mean_confidence_ = np.array([self.confidence[p].mean() for p in parts])
        self.accuracy_ = np.array([self.right[p].mean() for p in parts])
        self.counts_ = np.array([len(p) for p in parts])
        ends = [
            binomtest(int(self.right[p].sum()), len(p)).proportion_ci(self.level) for p in parts
        ]
        self.intervals_ = np.array([[e.low, e.high] for e in ends])
        self.ece_ = _ece(self.confidence, self.right, self.n_bins)
        rng = np.random.default_rng(self.random_state)
        n = len(self.right)
        draws = (rng.integers(n, size=n) for _ in range(_RESAMPLES))
        found = [_ece(self.confidence[d], self.right[d], self.n_bins) for d in draws]
        tail = (1 - self.level) / 2
        low, high = np.quantile(found, [tail, 1 - tail])
        self.ece_interval_ = (float(low), float(high))

    def plot(self, ax: Any = None) -> ReliabilityDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            None: new ones.

        Returns
        -------
        display : ReliabilityDisplay
        """
        if self.n_bins < 1:
            raise ValueError(f"n_bins must be at least 1, got {self.n_bins!r}")
        if not 0 < self.level < 1:
            raise ValueError(f"level must be above 0 and below 1, got {self.level!r}")
        ax, self.figure_ = axes_for("ReliabilityDisplay", ax, (5.2, 5.0))
        self.ax_ = ax
        self._measure()
        colour = hues(1)[0]
        ax.plot([0, 1], [0, 1], color=BLANK, lw=1, ls="--", label="calibrated")
        reach = np.abs(self.intervals_.T - self.accuracy_)
        ax.errorbar(
            self.mean_confidence_,
            self.accuracy_,
            yerr=reach,
            fmt="o-",
            color=colour,
            lw=1.2,
            markersize=5,
            capsize=3,
            label=f"share right, {self.level:.0%} intervals",
        )
        for x, top, n in zip(
            self.mean_confidence_, self.intervals_[:, 1], self.counts_, strict=True
        ):
            ax.annotate(
                f"{n}",
                (x, top),
                xytext=(0, 4),
                textcoords="offset points",
                ha="center",
                fontsize="x-small",
                color=INK,
            )
        low, high = self.ece_interval_
        ax.set_title(
            f"ECE {self.ece_:.3f} (between {low:.3f} and {high:.3f}), n = {len(self.right)}",
            fontsize="small",
        )
        least = min(float(self.mean_confidence_.min()), float(self.intervals_.min()))
        ax.set_xlim(max(0.0, float(self.mean_confidence_.min()) - 0.06), 1.02)
        ax.set_ylim(max(0.0, least - 0.04), 1.06)
        ax.set_xlabel("confidence")
        ax.set_ylabel("share right (numbers: rows in the bin)")
        ax.legend(frameon=False, fontsize="small", loc="lower right")
        quiet(ax)
        return self


def _parts(confidence: Any, bins: int) -> list[Any]:
    """Places of the rows of each bin of [0, 1] that has any."""
    bin_of = np.minimum((np.asarray(confidence) * bins).astype(int), bins - 1)
    return [np.flatnonzero(bin_of == b) for b in np.unique(bin_of)]


def _ece(confidence: Any, right: Any, bins: int) -> float:
    gaps = (abs(confidence[p].sum() - right[p].sum()) for p in _parts(confidence, bins))
    return float(sum(gaps) / len(confidence))
