"""Where the boundary is, for rows of two numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._missing import as_array, labelled_mask
from ._drawing import INK, axes_for, class_names, faded, hues


class DecisionMapDisplay:
    """The plane coloured by predicted class and its probability, with the rows on it.

    Parameters
    ----------
    xx, yy : ndarray of shape (r, r)
        The grid.
    response : ndarray of shape (r, r, k) or (r, r)
        Class probabilities, or a predicted number.
    classes : ndarray or None
    X : ndarray of shape (n, 2)
    y : ndarray of n labels, some missing

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> from isotherm import STKRClassifier
    >>> from isotherm.datasets import make_moons
    >>> from isotherm.displays import DecisionMapDisplay
    >>> X, y, _ = make_moons(100, random_state=0)
    >>> model = STKRClassifier().fit(X, y)
    >>> DecisionMapDisplay.from_estimator(model, X, y, resolution=20).response.shape
    (20, 20, 2)
    """

    def __init__(self, *, xx: Any, yy: Any, response: Any, classes: Any, X: Any, y: Any) -> None:
        self.xx = xx
        self.yy = yy
        self.response = response
        self.classes = classes
        self.X = X
        self.y = y

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any = None, *, resolution: int = 150, ax: Any = None
    ) -> DecisionMapDisplay:
        """Ask an estimator about every point of a grid around X.

        Parameters
        ----------
        estimator : fitted estimator
            With ``predict_proba``, or a regressor.
        X : array-like of shape (n, 2)
        y : array-like of n labels, default=None
            Labelled rows are drawn in the colour of their label.
        resolution : int, default=150
            Points of the grid in each direction.
        ax : matplotlib axes, default=None

        Returns
        -------
        display : DecisionMapDisplay
        """
        rows = np.asarray(X, dtype=float)
        if rows.ndim != 2 or rows.shape[1] != 2:
            raise ValueError(f"a decision map is for rows of two numbers, got shape {rows.shape}")
        low, high = rows.min(axis=0), rows.max(axis=0)
        room = 0.08 * np.maximum(high - low, 1e-12)
        axes = [np.linspace(low[k] - room[k], high[k] + room[k], resolution) for k in range(2)]
        xx, yy = np.meshgrid(*axes)
        grid = np.stack([xx.ravel(), yy.ravel()], axis=1)
        proba = getattr(estimator, "predict_proba", None)
        found = np.asarray(estimator.predict(grid) if proba is None else proba(grid))
        return cls(
            xx=xx,
            yy=yy,
            response=found.reshape(*xx.shape, *found.shape[1:]),
            classes=getattr(estimator, "classes_", None),
            X=rows,
            y=None if y is None else as_array(y),
        ).plot(ax=ax)

    def plot(self, ax: Any = None) -> DecisionMapDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            None: new ones.

        Returns
        -------
        display : DecisionMapDisplay
        """
        ax, self.figure_ = axes_for("DecisionMapDisplay", ax, (6.4, 5.0))
        self.ax_ = ax
        known = np.zeros(len(self.X), dtype=bool) if self.y is None else labelled_mask(self.y)
        ax.scatter(*self.X[~known].T, s=7, c=INK, alpha=0.45, linewidths=0, zorder=3)
        if self.response.ndim == 3 and self.classes is not None:
            self._classes(ax, known)
        else:
            self._numbers(ax, known)
        ax.set_aspect("equal", adjustable="box")
        return self

    def _box(self) -> tuple[float, float, float, float]:
        return self.xx.min(), self.xx.max(), self.yy.min(), self.yy.max()

    def _classes(self, ax: Any, known: Any) -> None:
        count = self.response.shape[2]
        palette, best = hues(count), self.response.argmax(axis=2)
        sure = (self.response.max(axis=2) - 1 / count) / (1 - 1 / count)
        ax.imshow(
            faded(palette[best], 0.7 * sure),
            extent=self._box(),
            origin="lower",
            interpolation="nearest",
            aspect="auto",
            zorder=0,
        )
        for k in range(count):
            others = np.delete(self.response, k, axis=2).max(axis=2)
            lead = self.response[..., k] - others
            if lead.min() < 0 < lead.max():
                ax.contour(
                    self.xx, self.yy, lead, levels=[0], colors=[INK], linewidths=0.9, zorder=2
                )
            if self.response[..., k].min() < 0.9 < self.response[..., k].max():
                ax.contour(
                    self.xx,
                    self.yy,
                    self.response[..., k],
                    levels=[0.9],
                    colors=[palette[k]],
                    linewidths=0.9,
                    linestyles="dashed",
                    zorder=2,
                )
        names = class_names(self.classes)
        labels = np.asarray([]) if self.y is None else self.y
        for k, value in enumerate(np.asarray(self.classes).tolist()):
            own = known & (np.asarray(labels == value)) if self.y is not None else known
            ax.scatter(
                *self.X[own].T,
                s=46,
                color=[palette[k]],
                edgecolors="white",
                linewidths=1.2,
                zorder=4,
                label=names[k],
            )
        ax.plot([], [], color=INK, lw=0.9, label="boundary")
        ax.plot([], [], color=INK, lw=0.9, ls="--", label="probability 0.9")
        ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize="small")

    def _numbers(self, ax: Any, known: Any) -> None:
        drawn = ax.contourf(self.xx, self.yy, self.response, levels=15, cmap="viridis", zorder=0)
        self.figure_.colorbar(drawn, ax=ax, label="predicted")
        if known.any():
            ax.scatter(
                *self.X[known].T,
                s=46,
                c=np.asarray(self.y[known], dtype=float),
                cmap="viridis",
                norm=drawn.norm,
                edgecolors="white",
                linewidths=1.2,
                zorder=4,
            )
