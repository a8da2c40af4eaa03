"""Leading eigenfunctions over a map: what is smooth here."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._drawing import matplotlib_for
from .embedding import planar


class EigenfunctionDisplay:
    """A grid of maps, each coloured by one eigenfunction, zero in the middle of the palette.

    Parameters
    ----------
    coordinates : ndarray of shape (n, 2)
    modes : ndarray of shape (n, k)
    eigenvalues : ndarray of shape (k,) or None

    Attributes
    ----------
    axes_ : ndarray of matplotlib axes, one a mode
    ax_, figure_ : the first of them, and the figure

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm.displays import EigenfunctionDisplay
    >>> angle = np.linspace(0, 6, 50)
    >>> circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    >>> display = EigenfunctionDisplay.from_modes(circle, circle)
    >>> len(display.axes_)
    2
    """

    def __init__(self, *, coordinates: Any, modes: Any, eigenvalues: Any = None) -> None:
        self.coordinates = coordinates
        self.modes = modes
        self.eigenvalues = eigenvalues

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        *,
        n_components: int = 9,
        coordinates: Any = None,
        ax: Any = None,
    ) -> EigenfunctionDisplay:
        """Draw the leading modes of an estimator's kernel.

        Parameters
        ----------
        estimator : SpectralEmbedding, or any estimator of isotherm
            Of the latter the modes are computed with ``isotherm.SpectralEmbedding``.
        X : array-like of n rows
        n_components : int, default=9
            Modes to draw.
        coordinates : array-like of shape (n, 2), default=None
            Where to draw the rows. None: X itself if it has two columns, else two spectral
            coordinates.
        ax : sequence of matplotlib axes, default=None

        Returns
        -------
        display : EigenfunctionDisplay
        """
        twin = estimator
        if not hasattr(twin, "fit_transform") or not hasattr(twin, "eigenvalues_"):
            twin = spectral_twin(estimator, X, n_components)
        modes = np.asarray(twin.transform(X))[:, :n_components]
        values = np.asarray(twin.eigenvalues_)[: modes.shape[1]]
        return cls.from_modes(planar(X, coordinates, estimator), modes, values, ax=ax)

    @classmethod
    def from_modes(
        cls, coordinates: Any, modes: Any, eigenvalues: Any = None, *, ax: Any = None
    ) -> EigenfunctionDisplay:
        """Draw given functions over given coordinates.

        Parameters
        ----------
        coordinates : array-like of shape (n, 2)
        modes : array-like of shape (n, k)
        eigenvalues : array-like of shape (k,), default=None
        ax : sequence of matplotlib axes, default=None

        Returns
        -------
        display : EigenfunctionDisplay
        """
        found = np.asarray(modes, dtype=float)
        where = planar(None, coordinates)
        if found.ndim != 2 or len(found) != len(where):
            raise ValueError(
                f"modes must have a row for each of {len(where)} coordinates, "
                f"got shape {found.shape}"
            )
        return cls(coordinates=where, modes=found, eigenvalues=eigenvalues).plot(ax=ax)

    def plot(self, ax: Any = None) -> EigenfunctionDisplay:
        """Draw.

        Parameters
        ----------
        ax : sequence of matplotlib axes, one a mode, default=None
            None: new ones, three in a row.

        Returns
        -------
        display : EigenfunctionDisplay
        """
        plt = matplotlib_for("EigenfunctionDisplay")
        count = self.modes.shape[1]
        if ax is None:
            wide = min(3, count)
            tall = -(-count // wide)
            _, made = plt.subplots(
                tall, wide, figsize=(2.5 * wide, 2.4 * tall), layout="constrained", squeeze=False
            )
            ax = made.ravel()
            for spare in ax[count:]:
                spare.set_visible(False)
        self.axes_ = np.ravel(ax)[:count]
        if len(self.axes_) < count:
            raise ValueError(f"ax must be {count} axes, one a mode, got {len(self.axes_)}")
        self.ax_, self.figure_ = self.axes_[0], self.axes_[0].figure
        for k, axes in enumerate(self.axes_):
            self._mode(axes, k)
        return self

    def _mode(self, ax: Any, k: int) -> None:
        mode = self.modes[:, k]
        # One far row must not wash out the others.
        top = float(np.quantile(np.abs(mode), 0.99)) or 1.0
        order = np.argsort(np.abs(mode), kind="stable")
        ax.scatter(
            *self.coordinates[order].T,
            c=mode[order],
            cmap="RdBu_r",
            vmin=-top,
            vmax=top,
            s=10,
            linewidths=0.15,
            edgecolors="#777777",
        )
        told = "" if self.eigenvalues is None else f", λ = {self.eigenvalues[k]:.3g}"
        ax.set_title(f"mode {k + 1}{told}", fontsize="small")
        ax.set_aspect("equal", adjustable="datalim")
        ax.set_xticks([])
        ax.set_yticks([])


def spectral_twin(estimator: Any, x: Any, count: int) -> Any:
    """A fitted ``SpectralEmbedding`` of the same kernel as an estimator."""
    from .. import SpectralEmbedding

    own = SpectralEmbedding().get_params(deep=False)
    same = {k: v for k, v in estimator.get_params(deep=False).items() if k in own}
    laplacian = type(estimator).__name__.startswith("Laplacian")
    method = same.get("method", "laplacian" if laplacian else "stkr")
    rows = x.shape[0] if hasattr(x, "shape") else len(x)
    return SpectralEmbedding(
        **{**same, "method": method, "n_components": min(count, rows - 1)}
    ).fit(x)
