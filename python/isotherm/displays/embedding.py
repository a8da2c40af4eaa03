"""Rows on a map: what was predicted, how surely, and what is labelled."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._missing import labelled_mask
from ._drawing import BLANK, INK, axes_for, class_names, faded, hues


class EmbeddingDisplay:
    """Every row as a point: class as hue, confidence as strength and size.

    Labelled rows have a ring; rows that no label reaches are grey and hatched.

    Parameters
    ----------
    coordinates : ndarray of shape (n, 2)
    predictions : ndarray of shape (n,)
        Classes, or numbers.
    classes : ndarray or None
        The classes; None when numbers are predicted.
    confidence : ndarray of shape (n,) or None
        Between 0 and 1.
    labelled, reached : ndarray of bool, shape (n,)

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure

    Examples
    --------
    >>> from isotherm import STKRClassifier
    >>> from isotherm.datasets import make_moons
    >>> from isotherm.displays import EmbeddingDisplay
    >>> X, y, _ = make_moons(200, random_state=0)
    >>> display = EmbeddingDisplay.from_estimator(STKRClassifier().fit(X, y), X, y)
    >>> display.coordinates.shape
    (200, 2)
    """

    def __init__(
        self,
        *,
        coordinates: Any,
        predictions: Any,
        classes: Any,
        confidence: Any,
        labelled: Any,
        reached: Any,
    ) -> None:
        self.coordinates = coordinates
        self.predictions = predictions
        self.classes = classes
        self.confidence = confidence
        self.labelled = labelled
        self.reached = reached

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any = None, *, coordinates: Any = None, ax: Any = None
    ) -> EmbeddingDisplay:
        """Draw the rows that an estimator was fitted to.

        Parameters
        ----------
        estimator : fitted estimator
            With ``transduction_``.
        X : array-like of n rows
            What it was fitted to.
        y : array-like of n labels, default=None
            What it was fitted to; marks the labelled rows.
        coordinates : array-like of shape (n, 2), default=None
            Where to draw the rows. None: X itself if it has two columns, else the leading
            two coordinates of ``isotherm.SpectralEmbedding``.
        ax : matplotlib axes, default=None

        Returns
        -------
        display : EmbeddingDisplay
        """
        said = np.asarray(estimator.transduction_)
        n = len(said)
        return cls(
            coordinates=planar(X, coordinates, estimator),
            predictions=said,
            classes=getattr(estimator, "classes_", None),
            confidence=getattr(estimator, "confidence_", None),
            labelled=np.zeros(n, dtype=bool) if y is None else labelled_mask(y),
            reached=np.asarray(getattr(estimator, "reached_", np.ones(n, dtype=bool))),
        ).plot(ax=ax)

    @classmethod
    def from_predictions(
        cls,
        coordinates: Any,
        predictions: Any,
        *,
        confidence: Any = None,
        y: Any = None,
        ax: Any = None,
    ) -> EmbeddingDisplay:
        """Draw predicted classes or numbers (floats) on given coordinates.

        Parameters
        ----------
        coordinates : array-like of shape (n, 2)
        predictions : array-like of shape (n,)
        confidence : array-like of shape (n,), default=None
        y : array-like of n labels, default=None
            Marks the labelled rows.
        ax : matplotlib axes, default=None

        Returns
        -------
        display : EmbeddingDisplay
        """
        said = np.asarray(predictions)
        n = len(said)
        return cls(
            coordinates=planar(None, coordinates),
            predictions=said,
            classes=None if said.dtype.kind == "f" else np.unique(said),
            confidence=None if confidence is None else np.asarray(confidence),
            labelled=np.zeros(n, dtype=bool) if y is None else labelled_mask(y),
            reached=np.ones(n, dtype=bool),
        ).plot(ax=ax)

    def plot(self, ax: Any = None) -> EmbeddingDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            None: new ones.

        Returns
        -------
        display : EmbeddingDisplay
        """
        ax, self.figure_ = axes_for("EmbeddingDisplay", ax, (6.4, 5.0))
        self.ax_ = ax
        sure = np.ones(len(self.predictions)) if self.confidence is None else self.confidence
        size = 6 + 22 * np.clip(sure, 0, 1)
        if self.classes is None:
            self._numbers(ax, size)
        else:
            self._classes(ax, np.asarray(sure, dtype=float), size)
        self._marks(ax)
        ax.set_aspect("equal", adjustable="datalim")
        ax.set_xticks([])
        ax.set_yticks([])
        handles, _ = ax.get_legend_handles_labels()
        if handles:
            ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize="small")
        return self

    def _classes(self, ax: Any, sure: Any, size: Any) -> None:
        place = {c: k for k, c in enumerate(np.asarray(self.classes).tolist())}
        code = np.array([place[c] for c in np.asarray(self.predictions).tolist()])
        palette, chance = hues(len(place)), 1 / max(len(place), 2)
        # Confidence starts at chance: a coin's ½ is not half sure.
        shade = (
            faded(palette[code], (sure - chance) / (1 - chance))
            if self.confidence is not None
            else palette[code]
        )
        draw = np.flatnonzero(self.reached)
        draw = draw[np.argsort(sure[draw], kind="stable")]
        ax.scatter(*self.coordinates[draw].T, c=shade[draw], s=size[draw], linewidths=0)
        for name, colour in zip(class_names(place), palette, strict=True):
            if len(place) <= 12:
                ax.scatter([], [], color=[colour], s=28, label=name)

    def _numbers(self, ax: Any, size: Any) -> None:
        draw = np.flatnonzero(self.reached)
        drawn = ax.scatter(
            *self.coordinates[draw].T,
            c=np.asarray(self.predictions, dtype=float)[draw],
            s=size[draw],
            cmap="viridis",
            linewidths=0,
        )
        self.figure_.colorbar(drawn, ax=ax, label="predicted")

    def _marks(self, ax: Any) -> None:
        lost = np.flatnonzero(~self.reached)
        if len(lost):
            ax.scatter(
                *self.coordinates[lost].T,
                s=34,
                marker="s",
                facecolors="#E6E6E6",
                edgecolors=BLANK,
                hatch="//////",
                linewidths=0.6,
                label=f"no label reaches ({len(lost):,})",
            )
        rings = np.flatnonzero(self.labelled)
        if len(rings):
            ax.scatter(
                *self.coordinates[rings].T,
                s=62,
                facecolors="none",
                edgecolors=INK,
                linewidths=1.3,
                label=f"labelled ({len(rings):,})",
            )


def planar(x: Any, given: Any, estimator: Any = None) -> np.ndarray:
    """Two coordinates a row: those given, X's own two columns, or two spectral ones."""
    if given is not None:
        found = np.asarray(given, dtype=float)
        if found.ndim != 2 or found.shape[1] != 2:
            raise ValueError(f"coordinates must have two columns, got shape {found.shape}")
        return found
    shape = getattr(x, "shape", np.shape(x))
    if len(shape) == 2 and shape[1] == 2:
        return np.asarray(x, dtype=float)
    from .. import SpectralEmbedding

    if getattr(estimator, "kernel", None) == "graph":
        return np.asarray(SpectralEmbedding(2, method="stkr", kernel="graph").fit_transform(x))
    return np.asarray(SpectralEmbedding(2).fit_transform(x))
