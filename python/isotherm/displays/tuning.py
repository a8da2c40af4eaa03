"""Whether tuning mattered."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._selecting import SelectionResult, select_parameters
from ._drawing import INK, axes_for

_OWN = ("score", "best")


class TuningDisplay:
    """Scores over two parameters: the chosen cell, and those within one standard error of it.

    Parameters
    ----------
    scores : ndarray of shape (rows, columns)
        NaN where there is no score.
    row_name, column_name : str
        Parameters.
    row_labels, column_labels : list of str
        Their values.
    best : tuple of int
        Row and column of the chosen cell.
    metric : str
    standard_error : float or None
        Of the best score; None where the measure has none, and nothing is outlined.
    title : str, default=""

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    within_ : ndarray of bool, shape (rows, columns)
        Cells within one standard error of the best.

    Examples
    --------
    >>> from isotherm import InverseLaplacian, STKRClassifier
    >>> from isotherm.datasets import make_moons
    >>> from isotherm.displays import TuningDisplay
    >>> X, y, _ = make_moons(100, random_state=0)
    >>> transforms = [InverseLaplacian(0.9), InverseLaplacian(0.99)]
    >>> grid = {"transform": transforms, "ridge": [1e-3, 0.1, 10]}
    >>> TuningDisplay.from_estimator(STKRClassifier(), X, y, grid).scores.shape
    (2, 3)
    """

    def __init__(
        self,
        *,
        scores: Any,
        row_name: str,
        column_name: str,
        row_labels: list[str],
        column_labels: list[str],
        best: tuple[int, int],
        metric: str,
        standard_error: float | None,
        title: str = "",
    ) -> None:
        self.scores = scores
        self.row_name = row_name
        self.column_name = column_name
        self.row_labels = row_labels
        self.column_labels = column_labels
        self.best = best
        self.metric = metric
        self.standard_error = standard_error
        self.title = title

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, grid: dict[str, Any] | None = None, *, ax: Any = None
    ) -> TuningDisplay:
        """Search a grid with ``isotherm.select_parameters`` and draw it.

        Parameters
        ----------
        estimator : STKR or Laplacian estimator
        X : array-like of n rows
        y : array-like of n labels, some of them missing
        grid : dict of lists, default=None
        ax : matplotlib axes, default=None

        Returns
        -------
        display : TuningDisplay
        """
        return cls.from_result(select_parameters(estimator, X, y, grid), ax=ax)

    @classmethod
    def from_result(cls, result: SelectionResult, *, ax: Any = None) -> TuningDisplay:
        """Draw what ``isotherm.select_parameters`` found.

        Of three parameters the one with fewest values is held at the best.

        Parameters
        ----------
        result : SelectionResult
        ax : matplotlib axes, default=None

        Returns
        -------
        display : TuningDisplay
        """
        cells, title = _plane(result)
        names = [name for name in cells[0] if name not in _OWN]
        values = {name: _unique([cell[name] for cell in cells]) for name in names}
        if len(names) == 1:
            values[""], names = [None], ["", names[0]]
        row, column = names
        scores = np.full((len(values[row]), len(values[column])), np.nan)
        best = (0, 0)
        for cell in cells:
            place = values[row].index(cell.get(row)), values[column].index(cell.get(column))
            scores[place] = cell["score"]
            best = place if cell["best"] else best
        row_name, row_labels = _axis(row, values[row])
        column_name, column_labels = _axis(column, values[column])
        return cls(
            scores=scores,
            row_name=row_name,
            column_name=column_name,
            row_labels=row_labels,
            column_labels=column_labels,
            best=best,
            metric=result.metric,
            standard_error=result.standard_error,
            title=title,
        ).plot(ax=ax)

    def plot(self, ax: Any = None) -> TuningDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            None: new ones.

        Returns
        -------
        display : TuningDisplay
        """
        tall, wide = self.scores.shape
        size = (min(2.6 + 0.62 * wide, 12.0), min(1.7 + 0.46 * tall, 10.0))
        ax, self.figure_ = axes_for("TuningDisplay", ax, size)
        self.ax_ = ax
        drawn = ax.imshow(np.ma.masked_invalid(self.scores), cmap="viridis", aspect="auto")
        self.figure_.colorbar(drawn, ax=ax, label=f"leave-one-label-out {self.metric}")
        self.within_ = np.zeros(self.scores.shape, dtype=bool)
        if self.standard_error is not None:
            least = self.scores[self.best] - self.standard_error
            self.within_ = np.nan_to_num(self.scores, nan=-np.inf) >= least
            _outline(ax, self.within_)
        ax.plot(
            self.best[1],
            self.best[0],
            marker="*",
            markersize=15,
            color="white",
            markeredgecolor=INK,
            ls="none",
            label=f"chosen: {self.scores[self.best]:.4g}",
        )
        if self.standard_error is not None:
            told = f"within one standard error ({self.standard_error:.2g})"
            ax.plot([], [], color="#D55E00", lw=2, label=told)
        ax.legend(
            loc="lower left",
            bbox_to_anchor=(0, 1.0),
            ncols=2,
            frameon=False,
            fontsize="small",
            borderaxespad=0.2,
        )
        ax.set_xticks(range(wide), self.column_labels, rotation=40 if wide > 5 else 0)
        ax.set_yticks(range(tall), self.row_labels)
        ax.set_xlabel(self.column_name + (f"   ({self.title})" if self.title else ""))
        ax.set_ylabel(self.row_name)
        return self


def _outline(ax: Any, within: Any) -> None:
    """A line between cells that are within and cells that are not."""
    padded = np.pad(within, 1)
    lines = []
    for i, j in zip(*np.nonzero(within), strict=True):
        x, y = j - 0.5, i - 0.5
        sides = (
            (padded[i, j + 1], (x, y), (x + 1, y)),
            (padded[i + 2, j + 1], (x, y + 1), (x + 1, y + 1)),
            (padded[i + 1, j], (x, y), (x, y + 1)),
            (padded[i + 1, j + 2], (x + 1, y), (x + 1, y + 1)),
        )
        lines += [(start, end) for same, start, end in sides if not same]
    for start, end in lines:
        ax.plot(
            *zip(start, end, strict=True),
            color="#D55E00",
            lw=2,
            solid_capstyle="projecting",
            clip_on=False,
        )


def _plane(result: SelectionResult) -> tuple[list[dict[str, Any]], str]:
    """Cells that vary in two parameters, the others at the best; and a text about these."""
    cells = result.cells
    names = [name for name in cells[0] if name not in _OWN]
    count = {name: len(_unique([cell[name] for cell in cells])) for name in names}
    held = sorted(names, key=lambda name: count[name])[: max(0, len(names) - 2)]
    best = next(cell for cell in cells if cell["best"])
    kept = [cell for cell in cells if all(cell[name] == best[name] for name in held)]
    told = ", ".join(f"{name} = {_short(best[name])}" for name in held)
    return [{k: v for k, v in cell.items() if k not in held} for cell in kept], told


def _unique(values: list[Any]) -> list[Any]:
    found: list[Any] = []
    for value in values:
        if value not in found:
            found.append(value)
    return found


def _axis(name: str, values: list[Any]) -> tuple[str, list[str]]:
    """A name and labels; objects of one kind that differ in one parameter by that alone."""
    kinds = {type(v).__name__ for v in values}
    if all(hasattr(v, "get_params") for v in values) and len(kinds) == 1:
        params = [v.get_params(deep=False) for v in values]
        differ = [k for k in params[0] if len({repr(p[k]) for p in params}) > 1]
        if len(differ) == 1:
            return f"{differ[0]} of {kinds.pop()}", [_short(p[differ[0]]) for p in params]
    return name, [_short(v) for v in values]


def _short(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
