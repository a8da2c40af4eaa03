"""Whether 0.9 means nine in ten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core, _cross_fit
from .._missing import as_array, labelled_mask
from .._rows import take_rows
from .._seam import problem
from ..trust import marks_of, sampling
from ._drawing import BLANK, INK, axes_for, hues, quiet

if TYPE_CHECKING:
    from .._core import Reliability


class ReliabilityDisplay:
    """Share of right predictions against confidence, with intervals and counts.

    Bins hold about equal numbers of rows, ten at least and ten bins at most. The expected
    calibration error is ``ECE = Σ_b (n_b/n)·|accuracy_b − confidence_b|``. It is above 0 for a
    perfectly calibrated model too, by about ``ece_by_chance_``; its interval is corrected for
    that.

    Parameters
    ----------
    found : dict
        What the core found; use one of the class methods.

    Attributes
    ----------
    mean_confidence_, accuracy_, counts_ : ndarray of shape (bins,)
    intervals_ : ndarray of shape (bins, 2)
        Clopper–Pearson.
    ece_, ece_by_chance_ : float
        The error, and what a calibrated model with these confidences would show on average.
    ece_interval_ : tuple of float
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm.displays import ReliabilityDisplay
    >>> proba = np.array([[0.8, 0.2]] * 10)
    >>> display = ReliabilityDisplay.from_predictions([0] * 8 + [1] * 2, proba)
    >>> round(display.ece_, 6), display.counts_.tolist()
    (0.0, [10])
    """

    def __init__(self, *, found: Reliability) -> None:
        self.found = found
        bins, interval = found["bins"], found["interval"]
        self.mean_confidence_ = np.array([b["confidence"] for b in bins])
        self.accuracy_ = np.array([b["accuracy"] for b in bins])
        self.counts_ = np.array([b["rows"] for b in bins])
        self.intervals_ = np.array([[b["interval"]["low"], b["interval"]["high"]] for b in bins])
        self.ece_, self.ece_by_chance_ = found["calibration_error"], found["by_chance"]
        self.ece_interval_ = (interval["low"], interval["high"])

    @classmethod
    def from_labels(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        audit: Any = None,
        pool: Any = None,
        level: float = 0.95,
        ax: Any = None,
    ) -> ReliabilityDisplay:
        """Judge an estimator by the labels it has, each predicted by the fit to the others.

        A pipeline, or a classifier of another package with ``predict_proba``, is fitted once for
        each of up to ten folds of the labels, which is as much slower.

        Parameters
        ----------
        estimator : classifier
            Fitted or not; it is judged by its parameters.
        X : array-like, sparse graph or frame of n rows
        y : array-like of n classes, some of them missing
        audit, pool : array-like of shape (n,), default=None
            How labels were chosen, as in ``isotherm.estimate_accuracy``.
        level : float, default=0.95
        ax : matplotlib axes, default=None

        Returns
        -------
        display : ReliabilityDisplay
        """
        if _cross_fit.is_foreign(estimator):
            marks = marks_of(X, audit, pool)
            held = _cross_fit.held_out(estimator, X, y, scores=True)
            proba = np.asarray(held.scores)
            right = proba.argmax(axis=1) == held.truth
            counted = slice(None) if marks is None else marks[held.rows]
            seed = _cross_fit.seed_of(estimator)
            return cls._of(proba[counted], right[counted], level, seed).plot(ax=ax)
        judged = problem(estimator, X, y)
        marks, open_rows = sampling(judged, audit, pool)
        found = _core.reliability(
            judged.recipe,
            judged.data,
            judged.labels,
            level=float(level),
            weights=judged.weights,
            audit=marks,
            pool=open_rows,
            threads=judged.threads,
        )
        return cls(found=found).plot(ax=ax)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, level: float = 0.95, ax: Any = None
    ) -> ReliabilityDisplay:
        """Ask a fitted classifier, of this package or not, about labelled rows.

        Parameters
        ----------
        estimator : fitted classifier
        X : array-like of n rows
            Rows whose labels the fit did not see: of others it is too sure.
        y : array-like of n labels
            Rows without one are left out; ten or more must have one.
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
            values[rows], proba, classes=estimator.classes_, level=level, ax=ax
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_prob: Any,
        *,
        classes: Any = None,
        level: float = 0.95,
        random_state: int = 0,
        ax: Any = None,
    ) -> ReliabilityDisplay:
        """Draw given probabilities.

        Parameters
        ----------
        y_true : array-like of shape (n,)
        y_prob : array-like of shape (n, classes)
        classes : array-like, default=None
            The order of the columns. None: 0, 1, ….
        level : float, default=0.95
        random_state : int, default=0
            Of the bootstrap.
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
        right = np.asarray(names[proba.argmax(axis=1)] == truth, dtype=bool)
        return cls._of(proba, right, level, random_state).plot(ax=ax)

    @classmethod
    def _of(cls, proba: Any, right: Any, level: float, seed: int) -> ReliabilityDisplay:
        """Of probabilities, and whether the largest is that of the truth."""
        # Rounding of a sum may leave a share above one.
        confidence = np.minimum(proba.max(axis=1), 1.0)
        return cls(found=_core.reliability_of(confidence, right, level=float(level), seed=seed))

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
        ax, self.figure_ = axes_for("ReliabilityDisplay", ax, (5.2, 5.0))
        self.ax_ = ax
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
            label=f"share right, {self.found['interval']['level']:.0%} intervals",
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
            f"ECE {self.ece_:.3f} (between {low:.3f} and {high:.3f}), n = {self.found['rows']}",
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
