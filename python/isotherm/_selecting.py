"""Parameters by closed-form leave-one-label-out: a whole grid from one preparation."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import ParameterGrid

from . import _core, _cross_fit
from ._filters import FILTERS
from ._seam import Problem, problem
from ._spectral import from_spec
from ._transforms import TRANSFORMS

_AXES = {
    "transform": ("transforms", TRANSFORMS),
    "ridge": ("ridges", None),
    "bandwidth": ("bandwidths", None),
    "norm_share": ("norm_shares", None),
    "filter": ("filters", FILTERS),
}

_METRICS = {"squared-error": "minus squared error"}
"""Scores are better when they are larger."""


@dataclass(frozen=True, eq=False)
class SelectionResult:
    """What ``isotherm.select_parameters`` found.

    Attributes
    ----------
    best_params_ : dict
        Parameters of the best cell, as ``set_params`` takes them.
    best_score_ : float
        Its own leave-one-label-out score. The cell was chosen from many, so it is optimistic:
        quote ``nested_score_`` or ``isotherm.estimate_accuracy``.
    nested_score_ : float or None
        The score of choosing like this, on labels that the choice did not see: every fold of
        the labels predicted by the cell that the others choose. None for the Laplacian methods
        with fewer than 4 or more than 300 labels, and for estimators of other packages.
    nested_error_ : float or None
        Its standard error over the labels.
    best_estimator_ : estimator
        A clone with ``best_params_``, fitted to the same data.
    cells : list of dict
        Every cell: its parameters, ``score`` (larger is better; NaN where it could not be
        fitted) and ``best``.
    metric : str
        What the score is: "accuracy" or "minus squared error".
    n_labels : int
        Labels it was judged on; equal labelled rows are one label.
    folds : int or None
        Folds of labels that were held back in turn, for a pipeline or an estimator of another
        package; None where each label was left out in closed form.
    """

    best_params_: dict[str, Any]
    best_score_: float
    best_estimator_: Any
    cells: list[dict[str, Any]]
    metric: str
    n_labels: int
    nested_score_: float | None = None
    nested_error_: float | None = None
    folds: int | None = None

    @property
    def scores(self) -> NDArray[np.float64]:
        """The score of every cell."""
        return np.asarray([cell["score"] for cell in self.cells], dtype=np.float64)

    @property
    def standard_error(self) -> float | None:
        """Of the best score, for accuracies: √(p(1 − p)/n); None for other measures."""
        if self.metric != "accuracy":
            return None
        p = min(max(self.best_score_, 0.0), 1.0)
        return float(np.sqrt(p * (1 - p) / max(self.n_labels, 1)))

    def to_frame(self) -> Any:
        """The cells as a pandas frame, the largest score first.

        Returns
        -------
        frame : pandas.DataFrame
        """
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_frame needs pandas; install it, or use .cells") from error
        return pandas.DataFrame(self.cells).sort_values("score", ascending=False, kind="stable")

    def to_dict(self) -> dict[str, Any]:
        """Everything but the fitted estimator, in types that JSON has; objects as text.

        Returns
        -------
        found : dict
        """
        cells = [{name: _plain(value) for name, value in cell.items()} for cell in self.cells]
        best = {name: _plain(value) for name, value in self.best_params_.items()}
        score = _plain(self.best_score_)
        found = {"best_params": best, "best_score": score, "metric": self.metric}
        nested = {"nested_score": self.nested_score_, "nested_error": self.nested_error_}
        judged = {"n_labels": self.n_labels, "folds": self.folds}
        return {**found, **nested, **judged, "cells": cells}

    def to_json(self, **options: Any) -> str:
        """The same as JSON text.

        Parameters
        ----------
        **options
            For ``json.dumps``.

        Returns
        -------
        text : str
        """
        return json.dumps(self.to_dict(), **options)

    def _repr_html_(self) -> str:
        return f"<p>{escape(str(self))}</p>"

    def __str__(self) -> str:
        told = ", ".join(f"{name}={value}" for name, value in self.best_params_.items())
        how = "leave-one-label-out" if self.folds is None else f"{self.folds}-fold"
        own = (
            f"its own {how} {self.metric} on {self.n_labels} labels, "
            f"{self.best_score_:.4g}, is optimistic: it was chosen from {len(self.cells)} cells"
        )
        if self.nested_score_ is None:
            return f"{told}; {own}"
        nested = f"{self.nested_score_:.4g} ± {self.nested_error_:.2g}"
        return f"{told}: nested {self.metric} {nested}; {own}"


def select_parameters(
    estimator: Any, X: Any, y: Any, grid: dict[str, Any] | None = None
) -> SelectionResult:
    """The best parameters of a grid, judged by labels that the fits did not see.

    Each label is predicted by the fit to the others, in closed form.

    STKR is chosen by log loss for classes and squared error for numbers, and stays near the
    defaults where labels are few: far from them a cell has to be better by more. The scores of
    cells, accuracies for classes, are for reading.

    All ridges of a transform come from one decomposition and all transforms from one
    Krylov space, so a grid costs little more than a fit. No label is set aside. Cells are judged
    on the model that ``fit`` makes: equal labelled rows are one row, with the sum of their
    weights.

    A pipeline, or a classifier or regressor of another package, has no closed form: each cell is
    fitted once for each of up to ten folds of the labels, the same for all cells, which is as much
    slower. Estimators of ``sklearn.semi_supervised`` and pipelines that end in one of these or of
    ours are given all rows, others the labelled rows only. There is no ``nested_score_``:
    ``estimate_accuracy(GridSearchCV(estimator, grid), X, y)`` judges the choice itself.

    Parameters
    ----------
    estimator : classifier or regressor
        Not changed. Of isotherm's own those that have a closed form for a whole grid:
        ``STKRClassifier``, ``STKRRegressor``, ``LaplacianClassifier`` and ``LaplacianRegressor``.
    X : array-like, sparse graph or frame of n rows
    y : array-like of n labels, some of them missing; at least three are not
    grid : dict of lists, default=None
        For STKR ``transform`` (transform objects) and ``ridge``; for the Laplacian methods
        ``bandwidth`` (multiples of the median distance between rows), ``norm_share``
        (multiples of 1/n) and ``filter`` (filter objects); what is found are the bandwidth
        and the share themselves. None: the paper's grid. For a pipeline or an estimator of another
        package any of its parameters, as in ``GridSearchCV``, and a grid must be given.

    Returns
    -------
    found : SelectionResult

    Examples
    --------
    >>> from isotherm import InverseLaplacian, STKRClassifier, select_parameters
    >>> from isotherm.datasets import make_moons
    >>> X, y, y_full = make_moons(200, random_state=0)
    >>> grid = {"transform": [InverseLaplacian(0.9), InverseLaplacian(0.99)], "ridge": [1e-3, 1e-1]}
    >>> found = select_parameters(STKRClassifier(), X, y, grid)
    >>> len(found.cells), sorted(found.best_params_)
    (4, ['ridge', 'transform'])
    """
    if _cross_fit.is_foreign(estimator):
        return _by_folds(estimator, X, y, grid)
    judged = problem(estimator, X, y)
    labels = _check_labels(judged)
    found = _core.tune(
        judged.recipe,
        judged.data,
        judged.labels,
        None if grid is None else _core_grid(estimator, grid),
        weights=judged.weights,
        threads=judged.threads,
    )
    cells = [_cell(cell) for cell in found["cells"]]
    best = found["best"]
    cells[best]["best"] = True
    params = {k: v for k, v in cells[best].items() if k not in ("score", "best")}
    params = {k: v for k, v in params.items() if v is not None}
    nested = found["nested"] or (None, None)
    return SelectionResult(
        best_params_=params,
        best_score_=cells[best]["score"],
        best_estimator_=clone(estimator).set_params(**params).fit(X, y),
        cells=cells,
        metric=_METRICS.get(found["metric"], found["metric"]),
        n_labels=labels,
        nested_score_=nested[0],
        nested_error_=nested[1],
    )


def _by_folds(estimator: Any, X: Any, y: Any, grid: dict[str, Any] | None) -> SelectionResult:
    """Every cell fitted to the labels without each fold."""
    if not grid:
        raise ValueError(
            f"grid must name parameters of {type(estimator).__name__} and their values, got "
            f"{grid!r}; only isotherm's estimators have a grid of their own"
        )
    cells: list[dict[str, Any]] = []
    folds = labels = 0
    metric = "accuracy"
    for params in ParameterGrid(grid):
        candidate = clone(estimator).set_params(**params)
        held = _cross_fit.held_out(candidate, X, y)
        score = _cross_fit.accuracy_of(held.predicted, held.truth, held.encoded)
        cells.append({**params, "score": score, "best": False})
        folds, labels = held.folds, len(held.rows)
        metric = "accuracy" if held.encoded.task == "classify" else _METRICS["squared-error"]
    best = int(np.argmax([cell["score"] for cell in cells]))
    cells[best]["best"] = True
    params = {k: v for k, v in cells[best].items() if k not in ("score", "best")}
    encoded = _cross_fit.encode(estimator, X, y)
    return SelectionResult(
        best_params_=params,
        best_score_=cells[best]["score"],
        best_estimator_=_cross_fit.refitted(clone(estimator).set_params(**params), X, y, encoded),
        cells=cells,
        metric=metric,
        n_labels=labels,
        folds=folds,
    )


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    return value if isinstance(value, (bool, int, str)) or value is None else repr(value)


def _check_labels(judged: Problem) -> int:
    """How many labels there are to judge by; equal labelled rows are one."""
    labels = int(judged.known.sum()) - judged.n_repeated
    if labels < 3:
        raise ValueError(
            f"tuning needs at least 3 labels, each predicted by the others; y has {labels}"
        )
    return labels


def _core_grid(estimator: Any, grid: dict[str, Any]) -> dict[str, Any]:
    own = estimator.get_params(deep=False)
    out = {}
    for name, cells in grid.items():
        if name not in _AXES or name not in own:
            known = ", ".join(axis for axis in _AXES if axis in own)
            raise ValueError(
                f"grid has {name!r}; of a {type(estimator).__name__} it can vary "
                f"{known or 'nothing'}"
            )
        key, allowed = _AXES[name]
        if len(cells) == 0:
            raise ValueError(f"grid[{name!r}] must have at least one value, got none")
        out[key] = [_spec(name, c, allowed) if allowed else float(c) for c in cells]
    return out


def _spec(name: str, cell: Any, allowed: dict[str, Any]) -> Any:
    if type(cell) not in allowed.values():
        kinds = ", ".join(sorted({kind.__name__ for kind in allowed.values()}))
        raise ValueError(f"grid[{name!r}] must hold objects of {kinds}, got {cell!r}")
    return cell._spec()


def _cell(cell: dict[str, Any]) -> dict[str, Any]:
    out = {name: cell[name] for name in _AXES if name in cell}
    for name, kinds in (("transform", TRANSFORMS), ("filter", FILTERS)):
        if name in out:
            out[name] = from_spec(out[name], kinds)
    out["score"] = float("nan") if cell["score"] is None else float(cell["score"])
    out["best"] = False
    return out
