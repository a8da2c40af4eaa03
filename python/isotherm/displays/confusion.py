"""Which classes are mixed up, on labels that the fit did not see."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import confusion_matrix

from .._estimate import AccuracyEstimate
from ._drawing import axes_for, class_names


class ConfusionDisplay:
    """Counts and shares of each row of a confusion matrix.

    Parameters
    ----------
    counts : ndarray of int, shape (classes, classes or classes + 1)
        ``counts[given, predicted]``; a last extra column counts rows that no other
        label reaches.
    classes : sequence
    rows : str
        Which rows were counted, for the title.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> from isotherm.displays import ConfusionDisplay
    >>> display = ConfusionDisplay.from_predictions(["a", "a", "b"], ["a", "b", "b"])
    >>> display.counts.tolist()
    [[1, 1], [0, 1]]
    """

    def __init__(self, *, counts: Any, classes: Any, rows: str) -> None:
        self.counts = counts
        self.classes = classes
        self.rows = rows

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, audit: Any = None, pool: Any = None, ax: Any = None
    ) -> ConfusionDisplay:
        """Predict each label by the fit to the others, as ``isotherm.estimate_accuracy``.

        Parameters
        ----------
        estimator : classifier of isotherm
        X : array-like of n rows
        y : array-like of n labels, some of them missing
        audit, pool : array-like of shape (n,), default=None
            As for ``isotherm.estimate_accuracy``: with ``audit`` only rows that were
            drawn at random are counted.
        ax : matplotlib axes, default=None

        Returns
        -------
        display : ConfusionDisplay
        """
        from ..trust import estimate_accuracy

        return cls.from_estimate(estimate_accuracy(estimator, X, y, audit=audit, pool=pool), ax=ax)

    @classmethod
    def from_estimate(cls, estimate: AccuracyEstimate, *, ax: Any = None) -> ConfusionDisplay:
        """Draw what ``isotherm.estimate_accuracy`` counted.

        Parameters
        ----------
        estimate : AccuracyEstimate
        ax : matplotlib axes, default=None

        Returns
        -------
        display : ConfusionDisplay
        """
        if estimate.confusion is None:
            raise ValueError(
                "a confusion matrix is for classes; "
                f"this estimate is of {estimate.measures[0].name}"
            )
        counts = np.asarray(estimate.confusion)
        if counts.shape[1] > counts.shape[0] and not counts[:, -1].any():
            counts = counts[:, :-1]
        rows = "audit rows only" if estimate.audits_only else "labelled rows, each left out once"
        return cls(counts=counts, classes=estimate.classes, rows=rows).plot(ax=ax)

    @classmethod
    def from_predictions(
        cls, y_true: Any, y_pred: Any, *, audit: Any = None, ax: Any = None
    ) -> ConfusionDisplay:
        """Draw given predictions.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n,)
        audit : array-like of bool, shape (n,), default=None
            Rows to count. None: all.
        ax : matplotlib axes, default=None

        Returns
        -------
        display : ConfusionDisplay
        """
        truth, said = np.asarray(y_true), np.asarray(y_pred)
        if audit is not None:
            marks = np.asarray(audit, dtype=bool)
            truth, said = truth[marks], said[marks]
        if len(truth) == 0:
            raise ValueError("there is no row to count; audit marks none of them")
        classes = np.unique(np.concatenate([truth, said]))
        counts = confusion_matrix(truth, said, labels=classes)
        rows = "all rows" if audit is None else "audit rows only"
        return cls(counts=counts, classes=classes, rows=rows).plot(ax=ax)

    def plot(self, ax: Any = None) -> ConfusionDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            None: new ones.

        Returns
        -------
        display : ConfusionDisplay
        """
        counts = np.asarray(self.counts)
        tall, wide = counts.shape
        side = min(max(2.6, 0.72 * tall), 11.0)
        ax, self.figure_ = axes_for(
            "ConfusionDisplay", ax, (side + 0.72 * (wide - tall) + 1.6, side + 1.1)
        )
        self.ax_ = ax
        totals = counts.sum(axis=1, keepdims=True)
        share = counts / np.maximum(totals, 1)
        ax.imshow(share, cmap="Blues", vmin=0, vmax=1)
        if tall <= 20:
            self._cells(ax, counts, share)
        names = class_names(self.classes)
        extra = ["(not reached)"] if wide > tall else []
        upright = max(map(len, names)) <= 4
        ax.set_xticks(
            range(wide),
            names + extra,
            rotation=0 if upright else 40,
            ha="center" if upright else "right",
            rotation_mode="anchor",
        )
        ax.set_yticks(
            range(tall), [f"{n}  (n = {t})" for n, t in zip(names, totals[:, 0], strict=True)]
        )
        ax.set_xlabel("predicted")
        ax.set_ylabel("given")
        ax.set_title(f"{self.rows}, n = {int(counts.sum())}", fontsize="small")
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        return self

    def _cells(self, ax: Any, counts: Any, share: Any) -> None:
        size = "small" if len(counts) <= 12 else "xx-small"
        for (i, j), count in np.ndenumerate(counts):
            if count == 0:
                continue
            ax.text(
                j,
                i,
                f"{count}\n{share[i, j]:.0%}",
                ha="center",
                va="center",
                fontsize=size,
                linespacing=0.95,
                color="white" if share[i, j] > 0.55 else "#222222",
            )
