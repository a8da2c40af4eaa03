"""Eigenvalues and what a transform makes of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from ._drawing import INK, axes_for, hues, quiet


class SpectrumDisplay:
    """Eigenvalues on a log axis with s(λ), or ψ(x), of each over them.

    Negative eigenvalues are drawn by their size, as hollow marks.

    Parameters
    ----------
    eigenvalues : ndarray of shape (m,)
        Leading ones, descending.
    weights : ndarray of shape (m,) or None
        s(λᵢ) of a transform, ψ(xᵢ) of a filter.
    name : str
        What the weights are, for the legend.
    kept : int or None
        How many modes are kept, where there is a cut-off.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    weight_ax_ : matplotlib axes or None
        The right-hand axis.

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm import InverseLaplacian
    >>> from isotherm.displays import SpectrumDisplay
    >>> values = np.array([1.0, 0.9, 0.5, 0.1])
    >>> display = SpectrumDisplay.from_eigenvalues(values, InverseLaplacian(eta=0.9))
    >>> display.weights.round(3).tolist()
    [10.0, 4.737, 0.909, 0.11]
    """

    def __init__(self, *, eigenvalues: Any, weights: Any, name: str, kept: int | None) -> None:
        self.eigenvalues = eigenvalues
        self.weights = weights
        self.name = name
        self.kept = kept

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any = None,
        y: Any = None,
        *,
        n_components: int = 64,
        ax: Any = None,
    ) -> SpectrumDisplay:
        """Draw an estimator's spectrum, with its transform or filter.

        Parameters
        ----------
        estimator : fitted STKR or Laplacian estimator, or SpectralEmbedding
        X, y : array-like of n rows and their labels, default=None
            What it was fitted to. Needed for a model that came from a file, and to see the
            modes that a ``Truncation`` leaves out: a clone is then fitted again.
        n_components : int, default=64
            Eigenvalues to show at most.
        ax : matplotlib axes, default=None

        Returns
        -------
        display : SpectrumDisplay
        """
        given = estimator.get_params(deep=False)
        function = given.get("filter")
        function = given.get("transform") if function is None else function
        values = _eigenvalues(estimator, function, X, y)
        return cls.from_eigenvalues(values[:n_components], function, ax=ax)

    @classmethod
    def from_eigenvalues(
        cls, eigenvalues: Any, function: Any = None, *, ax: Any = None
    ) -> SpectrumDisplay:
        """Draw eigenvalues, with a transform or filter of them.

        Parameters
        ----------
        eigenvalues : array-like of shape (m,)
        function : callable, default=None
            Takes an array of eigenvalues.
        ax : matplotlib axes, default=None

        Returns
        -------
        display : SpectrumDisplay
        """
        values = np.sort(np.asarray(eigenvalues, dtype=float))[::-1]
        if values.ndim != 1 or len(values) == 0:
            raise ValueError(f"eigenvalues must be a list of numbers, got shape {values.shape}")
        kept = getattr(function, "rank", None)
        threshold = getattr(function, "threshold", None)
        if kept is None and threshold is not None:
            kept = int(np.sum(values > threshold))
        weights = None
        if callable(function):
            weights = np.array(function(values), dtype=float)
            if kept is not None:
                weights[kept:] = 0.0
        name = "" if function is None else _name(function)
        return cls(eigenvalues=values, weights=weights, name=name, kept=kept).plot(ax=ax)

    def plot(self, ax: Any = None) -> SpectrumDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            None: new ones.

        Returns
        -------
        display : SpectrumDisplay
        """
        ax, self.figure_ = axes_for("SpectrumDisplay", ax, (6.4, 4.0))
        self.ax_, self.weight_ax_ = ax, None
        one, two = hues(2)
        place = np.arange(1, len(self.eigenvalues) + 1)
        up = self.eigenvalues > 0
        handles = [
            ax.scatter(place[up], self.eigenvalues[up], s=18, color=[one], label="eigenvalue λ")
        ]
        if (self.eigenvalues < 0).any():
            down = self.eigenvalues < 0
            handles.append(
                ax.scatter(
                    place[down],
                    -self.eigenvalues[down],
                    s=18,
                    facecolors="none",
                    edgecolors=[one],
                    label="−λ where λ < 0",
                )
            )
        ax.set_yscale("log")
        ax.set_xlabel("mode")
        ax.set_xlim(0, len(place) + 1)
        ax.set_ylabel("eigenvalue λ", color=one)
        if self.weights is not None:
            handles += self._weights(ax, place, two)
        if self.kept is not None and self.kept < len(place):
            handles.append(
                ax.axvline(
                    self.kept + 0.5,
                    color=INK,
                    lw=1,
                    ls="--",
                    label=f"cut-off: {self.kept} modes kept",
                )
            )
        ax.legend(handles=handles, frameon=False, fontsize="small", loc="upper right")
        quiet(ax)
        return self

    def _weights(self, ax: Any, place: Any, colour: Any) -> list[Any]:
        beside = ax.twinx()
        shown = self.weights > 0
        drawn = beside.plot(
            place[shown], self.weights[shown], color=colour, lw=1.8, label=self.name
        )
        if shown.any():
            beside.set_yscale("log")
        if self.name.endswith("Truncation"):
            beside.set_ylim(ax.get_ylim())  # s(λ) = λ
        beside.set_ylabel(self.name, color=colour)
        beside.spines[["top"]].set_visible(False)
        # The legend belongs to the lower axes, which would be drawn under the line.
        ax.set_zorder(beside.get_zorder() + 1)
        ax.patch.set_visible(False)
        self.weight_ax_ = beside
        return list(drawn)


def _eigenvalues(estimator: Any, function: Any, x: Any, y: Any) -> Any:
    """The estimator's own eigenvalues, or those of a fit to the rows and labels given."""
    if (x is None) != (y is None):
        raise ValueError("X and y are read together; pass both, as in the fit, or none")
    if x is None:
        found = getattr(estimator, "eigenvalues_", None)
        way = "; pass the X and y it was fitted to"
    else:
        found = getattr(clone(estimator).fit(x, y), "eigenvalues_", None)
        way = ""
        if type(function).__name__ == "Truncation" and function.encoder == "all":
            # A truncation knows what it keeps, trivial modes aside; what follows is left out.
            whole = clone(estimator).set_params(transform=_whole()).fit(x, y).eigenvalues_
            found = np.concatenate([found, whole[whole < np.min(found) * (1 - 1e-9)]])
    if found is None:
        raise ValueError(f"this {type(estimator).__name__} does not know its eigenvalues{way}")
    return found


def _whole() -> Any:
    from .._transforms import InverseLaplacian

    return InverseLaplacian()


def _name(function: Any) -> str:
    kind = type(function).__name__
    sign = "ψ(λ)" if kind in ("Tikhonov", "CutOff", "GradientFlow", "Landweber", "Heat") else "s(λ)"
    return f"{sign} of {kind}" if hasattr(function, "get_params") else sign
