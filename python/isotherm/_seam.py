"""What the functions around the estimators ask of one: its recipe, its data, its labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier

from . import _inputs
from ._labels import Encoded
from ._missing import as_array, labelled_mask
from ._rows import count_rows
from ._weights import Reduced


@dataclass(frozen=True, eq=False)
class Problem:
    """What an estimator would fit: the same recipe, rows, labels and weights as its ``fit``.

    Equal labelled rows are one row here, with the sum of their weights. ``reduced`` says which
    rows of the caller these are.
    """

    recipe: dict[str, Any]
    data: Any
    labels: Any
    reduced: Reduced
    threads: int | None
    classes: dict[str, Any] | None
    """Classes by the names the core knows them by; None where labels are not classes."""
    known: NDArray[np.bool_]
    """Which rows of the caller have a label."""

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """One weight for each row of ``data``; None: all alike."""
        return self.reduced.weights

    @property
    def n_repeated(self) -> int:
        """Labelled rows that equal an earlier one, label and all."""
        return len(self.known) - self.n_rows

    @property
    def n_rows(self) -> int:
        """Rows of ``data``."""
        return len(self.known) if self.reduced.rows is None else len(self.reduced.rows)

    def to_caller(self, rows: Any) -> NDArray[np.int64]:
        """The caller's numbers of these rows of ``data``; of equal rows the first."""
        found = np.asarray(rows, dtype=np.int64)
        return found if self.reduced.rows is None else self.reduced.rows[found]

    def spread(self, found: NDArray[Any]) -> NDArray[Any]:
        """One entry for each row of the caller, from one for each row of ``data``."""
        return found if self.reduced.places is None else found[self.reduced.places]

    def gather(
        self, values: NDArray[Any] | None, first: NDArray[np.bool_] | None = None
    ) -> NDArray[Any] | None:
        """One entry for each row of ``data``, from one for each row of the caller.

        Of equal rows the earliest where ``first`` holds is taken, or else the earliest.
        """
        if values is None or self.reduced.rows is None:
            return values
        source = self.reduced.rows.copy()
        if first is not None:
            preferred = np.flatnonzero(first & self.known)[::-1]
            source[self.reduced.places[preferred]] = preferred
        return np.ascontiguousarray(values[source])


def problem(estimator: Any, X: Any, y: Any, *, few: bool = False, classes: Any = None) -> Problem:
    """What the estimator would fit on this data.

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
    X, y = estimator._arranged(X, y)
    values = as_array(y)
    if count_rows(X) != len(values):
        raise ValueError(
            f"y must have one entry for each row of X, got {len(values)} for {count_rows(X)} rows"
        )
    marker = getattr(estimator, "unlabeled", "auto")
    encoded = _few(estimator, values, classes, marker) if few else None
    if encoded is None:
        encoded = estimator._encode(y)
    shape = estimator._shape_of(X)
    known = encoded.labelled
    data, blocks = estimator._core_data(X)
    data, kept, reduced = estimator._reduced(data, encoded, None, shape)
    return Problem(
        recipe=estimator._core_recipe(encoded.task, shape, reduced),
        data=_inputs.in_blocks(data, blocks),
        labels=kept.core(),
        reduced=reduced,
        threads=estimator._threads(),
        classes=_classes(encoded),
        known=known,
    )


def check_ours(estimator: Any) -> None:
    """Refuses what has no recipe."""
    if hasattr(estimator, "_core_recipe") and hasattr(estimator, "_core_data"):
        return
    kind = type(estimator).__name__
    raise TypeError(f"estimator must have fit and predict, got {kind}")


def _classes(encoded: Encoded) -> dict[str, Any] | None:
    if encoded.task != "classify" or encoded.classes is None:
        return None
    return dict(zip(encoded.names, encoded.classes.tolist()))


def few_labels(estimator: Any, y: Any, marker: Any) -> Encoded:
    """Labels of any estimator, which may be none, or of one class."""
    values = as_array(y)
    found = _few(estimator, values, None, marker)
    if found is None:
        return Encoded("regress", np.asarray(values, dtype=np.float64), None)
    if found.classes is not None:
        found.classes = np.array(found.classes.tolist(), dtype=_common(found.classes))
    return found


def _common(classes: NDArray[Any]) -> Any:
    """The type that classes have in common; objects where they are of several kinds."""
    return None if len({isinstance(c, str) for c in classes}) < 2 else object


def _few(estimator: Any, values: NDArray[Any], more: Any, marker: Any) -> Encoded | None:
    """Labels that may be none, or of one class; None where the estimator reads them itself."""
    known = labelled_mask(values, marker)
    if is_classifier(estimator) and values.ndim == 1 and not _has_sets(values):
        found = {*values[known].tolist(), *([] if more is None else as_array(more).tolist())}
        classes = np.empty(len(found), dtype=object)
        classes[:] = sorted(found, key=_order)
        place = {c: code for code, c in enumerate(classes)}
        codes = np.full(len(values), -1, dtype=np.int64)
        codes[known] = [place[v] for v in values[known].tolist()]
        return Encoded("classify", codes, classes, [str(c) for c in classes])
    return None if known.any() else Encoded("regress", np.full(len(values), np.nan), None)


def _has_sets(values: NDArray[Any]) -> bool:
    """Whether labels are sets of candidates, not classes."""
    kinds = (list, tuple, set, frozenset, np.ndarray)
    return values.dtype.kind == "O" and any(isinstance(v, kinds) for v in values)


def _order(value: Any) -> tuple[str, Any]:
    # Classes of mixed types have no order of their own.
    return ("", value) if isinstance(value, (int, float)) else (type(value).__name__, value)
