"""What the functions around the estimators ask of one: its recipe, its data, its labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier, is_regressor

from . import _core
from ._missing import as_array, labelled_mask
from ._rows import count_rows


@dataclass(frozen=True, eq=False)
class Posed:
    """An estimator's question to the core."""

    recipe: str
    data: Any
    labels: Any
    threads: int | None
    classes: dict[str, Any] | None
    """Classes by the names the core knows them by; None where labels are not classes."""
    known: NDArray[np.bool_]
    """Where there is a label."""


def pose(estimator: Any, X: Any, y: Any, *, few: bool = False, classes: Any = None) -> Posed:
    """The estimator's recipe on this data.

    ``few``: no label, and labels of one class, are enough; ``classes`` may then name
    classes that no label has yet.
    """
    check_ours(estimator)
    transform = estimator.get_params(deep=False).get("transform")
    if callable(transform) and not hasattr(transform, "get_params"):
        raise ValueError(
            "transform is a function, which can be fitted but not judged in closed form; "
            "use one of the transform objects, such as InverseLaplacian(eta=0.99)"
        )
    values = as_array(y)
    if count_rows(X) != len(values):
        raise ValueError(
            f"y must have one entry for each row of X, got {len(values)} for {count_rows(X)} rows"
        )
    known = labelled_mask(values, getattr(estimator, "unlabeled", "auto"))
    single = is_classifier(estimator) and values.ndim == 1 and not _has_sets(values)
    names = _names(values[known], classes) if single else None
    if few and names is not None:
        labels = _few(values, known, names)
    elif few and not known.any():
        labels = _core.Labels.values(np.full(len(values), np.nan))
    else:
        labels = estimator._core_labels(y)
    return Posed(
        recipe=_recipe(estimator, X, values),
        data=estimator._core_data(X),
        labels=labels,
        threads=estimator._threads(),
        classes=names,
        known=known,
    )


def _recipe(estimator: Any, x: Any, values: NDArray[Any]) -> str:
    # Several targets are a task of their own, which only labels tell.
    several = is_regressor(estimator) and values.ndim == 2
    return str(estimator._recipe_json("numbers" if several else None, x))


def check_ours(estimator: Any) -> None:
    """Refuses what has no recipe."""
    if hasattr(estimator, "_recipe_json") and hasattr(estimator, "_core_data"):
        return
    kind = type(estimator).__name__
    way = (
        "; give its last step, and X as the steps before it make it"
        if hasattr(estimator, "steps")
        else ""
    )
    raise TypeError(f"estimator must be one of isotherm's, got {kind}{way}")


def _has_sets(values: NDArray[Any]) -> bool:
    """Whether labels are sets of candidates, not classes."""
    kinds = (list, tuple, set, frozenset, np.ndarray)
    return values.dtype.kind == "O" and any(isinstance(v, kinds) for v in values)


def _names(labels: NDArray[Any], more: Any) -> dict[str, Any]:
    found = sorted({*labels.tolist(), *([] if more is None else list(more))}, key=_order)
    return {str(c): c for c in found}


def _order(value: Any) -> tuple[str, Any]:
    # Classes of mixed types have no order of their own.
    return ("", value) if isinstance(value, (int, float)) else (type(value).__name__, value)


def _few(values: NDArray[Any], known: NDArray[np.bool_], names: dict[str, Any]) -> Any:
    place = {name: code for code, name in enumerate(names)}
    codes = np.full(len(values), -1, dtype=np.int64)
    rows = np.flatnonzero(known)
    codes[rows] = [place[str(v)] for v in values[rows].tolist()]
    return _core.Labels.classes(codes, list(names))
