"""The notebook's view of a fitted estimator: scikit-learn's diagram and a small table."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils import estimator_html_repr
from sklearn.utils.validation import check_is_fitted

_STYLE = (
    "border-collapse:collapse;margin:.4em 0;font-size:90%",
    "text-align:left;font-weight:normal;opacity:.75;padding:.1em 1em .1em 0",
    "text-align:left;padding:.1em 0",
)


class FittedSummaryMixin:
    """Adds what a fit found to scikit-learn's diagram; put it before ``BaseEstimator``.

    Rows, labels, classes, the share of rows that a label reaches, the estimated accuracy with
    its interval if ``isotherm.estimate_accuracy`` was asked, solver and residual.
    """

    def _html_repr(self) -> str:
        return estimator_html_repr(self) + fitted_table(self)

    # scikit-learn 1.6 does not ask _html_repr yet.
    def _repr_html_inner(self) -> str:
        return self._html_repr()

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        bundle = super()._repr_mimebundle_(**options)  # type: ignore[misc]
        if "isotherm-fitted" not in bundle.get("text/html", "isotherm-fitted"):
            bundle["text/html"] = self._html_repr()
        return bundle


def fitted_table(estimator: Any) -> str:
    """The table as HTML, or "" for an estimator that is not fitted."""
    try:
        check_is_fitted(estimator)
    except NotFittedError:
        return ""
    rows = fitted_rows(estimator)
    if not rows:
        return ""
    table, head, cell = _STYLE
    body = "".join(
        f'<tr><th scope="row" style="{head}">{escape(name)}</th>'
        f'<td style="{cell}">{escape(value)}</td></tr>'
        for name, value in rows
    )
    return f'<table class="isotherm-fitted" style="{table}">{body}</table>'


def fitted_rows(estimator: Any) -> list[tuple[str, str]]:
    """What there is to say, in order; names and values as plain text."""
    report = _report(estimator)
    said: list[tuple[str, str | None]] = [
        ("rows", _count(estimator, report)),
        ("labelled", _number(report.get("labelled"))),
        ("classes", _classes(estimator)),
        ("reached", _reached(estimator)),
        ("estimated accuracy", _accuracy(estimator)),
        ("solver", _text(report.get("solver"))),
        ("relative residual", _small(report.get("residual"))),
        ("estimated relative error", _small(report.get("error_estimate"))),
    ]
    return [(name, value) for name, value in said if value is not None]


def _report(estimator: Any) -> dict[str, Any]:
    report: Any = getattr(estimator, "report_", None)
    found = report.to_dict() if hasattr(report, "to_dict") else report
    if not isinstance(found, dict):
        return {}
    inner = found.get("report")
    return {**found, **inner} if isinstance(inner, dict) else found


def _count(estimator: Any, report: dict[str, Any]) -> str | None:
    said = getattr(estimator, "transduction_", None)
    if said is not None:
        return f"{len(said):,}"
    return _number(report.get("anchors"))


def _classes(estimator: Any) -> str | None:
    classes = getattr(estimator, "classes_", None)
    if classes is None or isinstance(classes, list):
        return None
    names = [str(c) for c in np.asarray(classes).tolist()]
    shown = ", ".join(name if len(name) <= 24 else name[:23] + "…" for name in names[:6])
    return f"{len(names)} ({shown}{', …' if len(names) > 6 else ''})"


def _reached(estimator: Any) -> str | None:
    reached = getattr(estimator, "reached_", None)
    if reached is None or len(reached) == 0:
        return None
    share = float(np.mean(reached))
    if share == 1.0:
        return "100 %"
    # Never rounded up to all of them.
    return f"{min(100 * share, 99.9):.1f} % ({int(np.sum(~np.asarray(reached))):,} rows are not)"


def _accuracy(estimator: Any) -> str | None:
    found = getattr(estimator, "accuracy_estimate_", None)
    ours = getattr(estimator, "_accuracy_report", None) is getattr(estimator, "report_", None)
    if found is None or not ours:
        return None
    if found.interval is None:
        return None
    low, high = found.interval
    name = "" if found.measures[0].name == "accuracy" else f"{found.measures[0].name} "
    point = "" if found.n_rows < 20 else f"{found.value:.3g}, "
    return (
        f"{name}{point}between {low:.3g} and {high:.3g} ({100 * found.level:g} %, {found.estimand})"
    )


def _number(value: Any) -> str | None:
    return None if value is None else f"{int(value):,}"


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _small(value: Any) -> str | None:
    return None if value is None else f"{float(value):.1e}"
