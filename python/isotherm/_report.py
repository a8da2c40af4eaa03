"""How a fit went, to print, to show and to keep."""

import html
import json
from typing import Any


class FitReport:
    """How a fit went.

    Parameters
    ----------
    facts : dict
        Names and values, in the order in which they are shown.

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm import STKRClassifier
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> model = STKRClassifier(n_neighbors=2).fit(X, [0, -1, -1, 1, -1, -1])
    >>> model.report_.to_dict()["labelled"]
    2
    """

    def __init__(self, facts):
        self._facts = facts

    def to_dict(self) -> dict[str, Any]:
        """The facts as a dictionary."""
        return dict(self._facts)

    def to_json(self) -> str:
        """The facts as JSON."""
        return json.dumps(self._facts)

    def __getitem__(self, name):
        return self._facts[name]

    def __str__(self):
        width = max(len(name) for name in self._facts)
        lines = [f"{n.replace('_', ' '):<{width}}  {_said(v)}" for n, v in self._shown()]
        return "\n".join(lines)

    def __repr__(self):
        return f"FitReport({self._facts!r})"

    def _repr_html_(self):
        cell = "<tr><th style='text-align:left'>{}</th><td>{}</td></tr>"
        rows = (
            cell.format(html.escape(n.replace("_", " ")), html.escape(_said(v)))
            for n, v in self._shown()
        )
        return f"<table>{''.join(rows)}</table>"

    def _shown(self):
        return [(n, v) for n, v in self._facts.items() if v is not None and v != []]


def _said(value):
    if isinstance(value, dict):
        return ", ".join(f"{k.replace('_', ' ')} {_said(v)}" for k, v in value.items())
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list):
        return "; ".join(str(v) for v in value)
    return str(value)


def of(info, rows, reached):
    """The report of a fitted model: ``rows`` it saw, ``reached`` of them or ``None``."""
    solve = info.get("report") or {}
    recall = info.get("recall")
    return FitReport(
        {
            "method": info.get("method"),
            "task": info.get("task"),
            "rows": rows,
            "labelled": info.get("labelled"),
            "classes": info.get("classes"),
            "reached": reached,
            "kernel": info.get("kernel"),
            "solver": solve.get("solver"),
            "size": solve.get("size"),
            "iterations": solve.get("iterations"),
            "residual": solve.get("residual"),
            "error_estimate": solve.get("error_estimate"),
            "condition": solve.get("condition"),
            "smallest_eigenvalue": solve.get("smallest"),
            "outcome": solve.get("outcome"),
            "choice": solve.get("choice"),
            "calibrated_on": info.get("calibrated_on"),
            "settled": info.get("settled"),
            "class_shares": info.get("class_shares"),
            "neighbour_recall": recall,
            "seed": (info.get("recipe") or {}).get("seed"),
            "warnings": [w.get("text", w.get("kind")) for w in info.get("warnings") or []],
        }
    )
