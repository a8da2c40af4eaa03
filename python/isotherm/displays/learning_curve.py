"""Is another 50 labels worth it, and do unlabelled rows help at all?"""

from __future__ import annotations

from typing import Any

from .._label_curve import LabelCurve, label_curve
from ._drawing import BLANK, axes_for, hues, quiet


class LearningCurveDisplay:
    """Accuracy against number of labels with a band, and the same for labels alone.

    A band holds four fifths of the repeats, or the ``level`` that was asked for.

    Parameters
    ----------
    curve : LabelCurve
        What ``isotherm.model_selection.label_curve`` found.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> from isotherm import STKRClassifier
    >>> from isotherm.datasets import make_moons
    >>> from isotherm.displays import LearningCurveDisplay
    >>> X, y, _ = make_moons(100, labels_per_class=15, random_state=0)
    >>> display = LearningCurveDisplay.from_estimator(STKRClassifier(), X, y, n_points=3)
    >>> display.curve.scores.shape
    (3,)
    """

    def __init__(self, *, curve: LabelCurve) -> None:
        self.curve = curve

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, ax: Any = None, **options: Any
    ) -> LearningCurveDisplay:
        """Fit to more and more of the labels and draw.

        Parameters
        ----------
        estimator : estimator of isotherm
        X : array-like of n rows
        y : array-like of n labels, some of them missing
        ax : matplotlib axes, default=None
        **options
            For ``isotherm.model_selection.label_curve``.

        Returns
        -------
        display : LearningCurveDisplay
        """
        return cls(curve=label_curve(estimator, X, y, **options)).plot(ax=ax)

    def plot(self, ax: Any = None) -> LearningCurveDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            None: new ones.

        Returns
        -------
        display : LearningCurveDisplay
        """
        ax, self.figure_ = axes_for("LearningCurveDisplay", ax, (6.0, 4.2))
        self.ax_ = ax
        curve = self.curve
        alone = f"labels alone: {curve.baseline}"
        _band(ax, curve.counts, curve.scores, curve.bands, hues(1)[0], "o", "with unlabelled rows")
        _band(ax, curve.counts, curve.baseline_scores, curve.baseline_bands, BLANK, "s", alone)
        if len(curve.counts) > 1 and curve.counts[-1] / curve.counts[0] > 8:
            ax.set_xscale("log")
        ax.set_xticks(curve.counts, [f"{c:,}" for c in curve.counts])
        ax.minorticks_off()
        ax.set_xlabel("labels")
        ax.set_ylabel(f"{curve.metric} on hidden labels")
        ax.legend(frameon=False, fontsize="small", loc="best")
        quiet(ax)
        return self


def _band(
    ax: Any, counts: Any, means: Any, bands: Any, colour: Any, marker: str, label: str
) -> None:
    ax.fill_between(counts, bands[:, 0], bands[:, 1], color=colour, alpha=0.18, lw=0)
    ax.plot(counts, means, color=colour, marker=marker, markersize=5, lw=1.6, label=label)
