"""Which rows to label next."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core, _uncertain
from ._cross_fit import is_foreign
from ._seam import problem

__all__ = ["STRATEGIES", "Suggestions", "suggest"]

STRATEGIES = ("sigma-optimal", "v-optimal", "margin", "entropy", "maximin", "cover", "random")
"""How rows can be chosen."""


@dataclass(frozen=True, eq=False)
class Suggestions:
    """Rows to label, in the order to label them.

    Attributes
    ----------
    indices : ndarray of int, shape (k,)
        The rows.
    reasons : list of str
        Why each, with the numbers.
    scores : ndarray of float, shape (k,)
        The strategy's score; 0 for rows that were drawn.
    audit : ndarray of bool, shape (k,)
        Whether the row was drawn at random, to judge the model on. Keep it: it is what
        ``isotherm.estimate_accuracy`` wants to know.
    pool : ndarray of int, shape (k,)
        Rows without a label before this one is labelled. Keep it too.
    note : str
        How the method was seen: features, and what they leave out.
    """

    indices: NDArray[np.int64]
    reasons: list[str]
    scores: NDArray[np.float64]
    audit: NDArray[np.bool_]
    pool: NDArray[np.int64]
    note: str

    def __len__(self) -> int:
        return len(self.indices)

    def __str__(self) -> str:
        told = zip(self.indices.tolist(), self.reasons, strict=True)
        return "\n".join(f"row {row}: {reason}" for row, reason in told)

    def to_dict(self) -> dict[str, Any]:
        """Everything, in types that JSON has.

        Returns
        -------
        found : dict
        """
        found = {
            name: getattr(self, name).tolist() for name in ("indices", "scores", "audit", "pool")
        }
        return {**found, "reasons": list(self.reasons), "note": self.note}

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
        told = zip(self.indices.tolist(), self.audit.tolist(), self.reasons, strict=True)
        rows = "".join(
            f"<tr><td>{row}</td><td>{'audit' if drawn else ''}</td><td>{escape(why)}</td></tr>"
            for row, drawn, why in told
        )
        return f"<table><tr><th>row</th><th></th><th>why</th></tr>{rows}</table>"


def suggest(
    estimator: Any,
    X: Any,
    y: Any,
    n: int = 1,
    *,
    strategy: str | None = None,
    audit_every: int | None = 5,
    n_modes: int | None = None,
    classes: Any = None,
) -> Suggestions:
    """The rows whose labels would tell most, by the estimator's own geometry.

    Rows are chosen for the model that ``fit`` would make: equal labelled rows are one row,
    with the sum of their weights.

    A pipeline, or a classifier of another package, has no geometry to ask for, but may have
    ``predict_proba``: then "margin", "entropy" and "random" can be had. Before each row that is
    not drawn it is fitted to the labels, and to the rows before it as if they had been labelled as
    expected, which is so much slower. Until two classes have been seen rows are drawn at random.

    Parameters
    ----------
    estimator : classifier or regressor
        Fitted or not; its parameters are used.
    X : array-like, sparse graph or frame of n rows
        As for ``fit``: None where the estimator has a graph without features.
    y : array-like of n labels
        Missing where there is none; it may be missing everywhere.
    n : int, default=1
        How many rows. A batch is chosen row by row, each as if the ones before it had
        been labelled as expected, so it is spread.
    strategy : str, default=None
        "sigma-optimal", "v-optimal", "margin", "entropy", "maximin", "cover" or "random"; None:
        "sigma-optimal", and "margin" for a pipeline or a classifier of another package.
        "margin", "entropy" and "maximin" compare classes and choose as "cover" does until
        two have been seen.
    audit_every : int or None, default=5
        One label in so many is drawn at random whatever the strategy, so that an accuracy
        can be estimated. None: none is.
    n_modes : int, default=None
        Features of the method that are looked at, 64 for None; of isotherm's estimators only.
    classes : array-like, default=None
        Classes that may occur, where labels do not show them all yet; for isotherm's estimators
        only.

    Returns
    -------
    found : Suggestions

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm import STKRClassifier, suggest
    >>> X = np.concatenate([np.arange(10.0), 50 + np.arange(10.0)])[:, None]
    >>> y = np.full(20, -1)
    >>> y[0] = 3
    >>> next_row = suggest(STKRClassifier(n_neighbors=4), X, y).indices[0]
    >>> bool(next_row >= 10)
    True
    """
    if n < 1:
        raise ValueError(f"n must be at least 1, got {n!r}")
    if strategy not in (None, *STRATEGIES):
        raise ValueError(f"strategy must be one of {', '.join(STRATEGIES)}; got {strategy!r}")
    if is_foreign(estimator):
        for name, given in (("n_modes", n_modes), ("classes", classes)):
            if given is not None:
                raise ValueError(
                    f"{name} must be None for an estimator that is none of isotherm's, got "
                    f"{given!r}: its fits know of labels only"
                )
        rows, note = _uncertain.suggestions(estimator, X, y, int(n), strategy, audit_every)
        indices = np.asarray([r["row"] for r in rows], dtype=np.int64)
        return _suggestions(indices, rows, note)
    asked = problem(estimator, X, y, few=True, classes=classes)
    found = _core.suggest(
        asked.recipe,
        asked.data,
        asked.labels,
        count=int(n),
        strategy=strategy or STRATEGIES[0],
        audit_every=audit_every,
        modes=64 if n_modes is None else int(n_modes),
        classes=list(asked.classes or []),
        weights=asked.weights,
        threads=asked.threads,
    )
    rows = found["rows"]
    return _suggestions(asked.to_caller([r["row"] for r in rows]), rows, found["note"])


def _suggestions(indices: NDArray[np.int64], rows: Any, note: str) -> Suggestions:
    return Suggestions(
        indices=indices,
        reasons=[r["reason"] for r in rows],
        scores=np.asarray([r["score"] for r in rows], dtype=np.float64),
        audit=np.asarray([r["audit"] is not None for r in rows], dtype=bool),
        pool=np.asarray([r["pool"] for r in rows], dtype=np.int64),
        note=note,
    )
