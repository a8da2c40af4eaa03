"""An accuracy with its interval, what it is an accuracy of, and what labels alone give."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ._core import Evaluation, MeasureDict
    from ._cross_fit import HeldOut
    from ._seam import Problem

_ABOUT = {
    "new-row": "on a new row like these",
    "unlabelled": "on the rows still unlabelled",
}
_RANGE_ONLY = 20
"""With fewer rows that count a point would say more than is known."""


@dataclass(frozen=True)
class Measure:
    """One number, its interval and what it is about.

    Attributes
    ----------
    name : str
        "accuracy", "macro-F1", "mean squared error", …
    value : float
    interval : tuple of float or None
        Low and high end; None where no interval can be told, which ``no_interval`` explains.
    estimand : str
        "on a new row like these" or "on the rows still unlabelled".
    n_rows : int
        Rows it was measured on.
    higher_is_better : bool
    no_interval : str or None
        Why there is no interval.
    """

    name: str
    value: float
    interval: tuple[float, float] | None
    estimand: str
    n_rows: int
    higher_is_better: bool
    no_interval: str | None = None

    def __str__(self) -> str:
        if self.interval is None:
            return (
                f"{self.name} {self.estimand}: {self.value:.3g} (no interval: {self.no_interval})"
            )
        low, high = (f"{end:.3g}" for end in self.interval)
        if self.n_rows < _RANGE_ONLY:
            return f"{self.name} {self.estimand}: between {low} and {high}"
        return f"{self.name} {self.estimand}: {self.value:.3g} (between {low} and {high})"


@dataclass(frozen=True, eq=False)
class AccuracyEstimate:
    """What ``isotherm.estimate_accuracy`` found; ``print`` it.

    Attributes
    ----------
    measures : list of Measure
        The first is the one to quote; ``value``, ``interval``, ``estimand`` and
        ``n_rows`` are its.
    level : float
        The level of the intervals.
    n_labels, n_samples : int
        Labels and rows that were given. Equal labelled rows are counted apart here, and once in
        every measure.
    audits_only : bool
        Whether only rows that were drawn at random count.
    baseline : dict or None
        What labels alone give on the same rows: ``name``, ``value``, rows where the
        method is ``better`` and ``worse``, the mean ``gain``, the ``chance`` of so large a
        gain, and the ``verdict``: helped, hurt, split (rows and mean disagree) or open.
    confusion : ndarray of int, shape (classes, classes + 1), or None
        Rows of each class predicted as each class, over the rows that count; the last
        column counts rows that no other label reaches.
    classes : list or None
        The classes, in the order of ``confusion``.
    suspects : list of dict
        Labels that the others contradict, most first: ``row`` (of equal rows the first),
        ``given``, ``suggested``, ``strength`` (1 is usual).
    class_shares : dict or None
        What ``class_shares="unlabelled"`` changes, or would change: the ``classes`` with their
        shares among the ``labels`` and estimated ones among the ``unlabelled`` rows, how many
        ``rows`` these are and how many of them have another class (``moved``), and the accuracy
        without them and with them (``accuracy_with``), each label weighed by its class's share.
        None where shares are given or cannot be estimated.
    notes : list of str
        Things to know before quoting a number.
    folds : int or None
        Folds of labels that were held back in turn, for a pipeline or an estimator of another
        package; None where each label was left out in closed form.
    """

    measures: list[Measure]
    level: float
    n_labels: int
    n_samples: int
    audits_only: bool
    baseline: dict[str, Any] | None
    confusion: NDArray[np.int64] | None
    classes: list[Any] | None
    suspects: list[dict[str, Any]] = field(default_factory=list)
    class_shares: dict[str, Any] | None = None
    notes: list[str] = field(default_factory=list)
    folds: int | None = None

    @staticmethod
    def of(found: Evaluation, judged: Problem) -> AccuracyEstimate:
        """From what the core found; classes and rows as the caller knows them."""
        names = judged.classes

        def own(name: str) -> Any:
            return names.get(name, name) if names else name

        confusion = found.get("confusion")
        return AccuracyEstimate(
            measures=[_measure(m) for m in found["measures"]],
            level=found["level"],
            n_labels=int(judged.known.sum()),
            n_samples=len(judged.known),
            audits_only=found["audits_only"],
            baseline=found.get("baseline"),
            confusion=np.asarray(confusion["counts"], dtype=np.int64) if confusion else None,
            classes=[own(c) for c in confusion["classes"]] if confusion else None,
            suspects=[
                {
                    "row": int(judged.to_caller(s["sample"])),
                    "given": own(s["given"]),
                    "suggested": own(s["suggested"]),
                    "strength": s["strength"],
                }
                for s in found["suspects"]
            ],
            class_shares=_named(found.get("class_shares"), own),
            notes=[*_repeated(judged.n_repeated), *found["notes"]],
        )

    @staticmethod
    def of_folds(
        found: Any, held: HeldOut, n_samples: int, level: float, audits: bool
    ) -> AccuracyEstimate:
        """From predictions of labelled rows by fits without them."""
        confusion, classes = found["confusion"], held.encoded.classes
        return AccuracyEstimate(
            measures=[_measure(m) for m in found["measures"]],
            level=level,
            n_labels=len(held.rows),
            n_samples=n_samples,
            audits_only=audits,
            baseline=None,
            confusion=None if confusion is None else np.asarray(confusion, dtype=np.int64),
            classes=None if classes is None else classes.tolist(),
            notes=[
                "the fits have fewer labels than a fit to all of them, which is likely to be a "
                "little better; intervals do not count how much the fits differ"
            ],
            folds=held.folds,
        )

    @property
    def value(self) -> float:
        """The number to quote, if ``n_rows`` allows one."""
        return self.measures[0].value

    @property
    def interval(self) -> tuple[float, float] | None:
        """Its interval, None where none can be told."""
        return self.measures[0].interval

    @property
    def estimand(self) -> str:
        """What it is about."""
        return self.measures[0].estimand

    @property
    def n_rows(self) -> int:
        """Rows it was measured on."""
        return self.measures[0].n_rows

    def _sentences(self) -> list[str]:
        rows = "audit rows" if self.audits_only else "labelled rows"
        out = [f"{m}" for m in self.measures if m.name == self.measures[0].name]
        out.append(
            f"intervals of level {self.level:g}, from {self.n_rows} {rows}, each predicted by "
            + (
                "the fit to the other labels"
                if self.folds is None
                else f"a fit without its fold, one of {self.folds}"
            )
        )
        if self.baseline:
            base = self.baseline
            out.append(
                f"{base['name']}: {base['value']:.3g} on the same rows; with unlabelled data "
                f"{base['better']} rows do better and {base['worse']} worse "
                f"(by chance with probability {base['chance']:.2g})"
            )
        return out + self.notes

    def __str__(self) -> str:
        return "; ".join(self._sentences())

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{escape(f'{m.name} {m.estimand}')}</th><td>{escape(_said(m))}</td></tr>"
            for m in self.measures
        )
        told = "".join(f"<li>{escape(s)}</li>" for s in self._sentences()[1:])
        return f"<table>{rows}</table><ul>{told}</ul>"

    def to_dict(self) -> dict[str, Any]:
        """Everything, in types that JSON has.

        Returns
        -------
        found : dict
        """
        return {
            "value": self.value,
            "interval": _ends(self.interval),
            "estimand": self.estimand,
            "level": self.level,
            "n_rows": self.n_rows,
            "n_labels": self.n_labels,
            "n_samples": self.n_samples,
            "audits_only": self.audits_only,
            "measures": [{**vars(m), "interval": _ends(m.interval)} for m in self.measures],
            "baseline": self.baseline,
            "confusion": None if self.confusion is None else self.confusion.tolist(),
            "classes": _plain(self.classes),
            "class_shares": _named(self.class_shares, _plain),
            "suspects": [{k: _plain(v) for k, v in s.items()} for s in self.suspects],
            "notes": list(self.notes),
            "folds": self.folds,
        }

    def to_json(self, **options: Any) -> str:
        """The same as JSON text.

        Parameters
        ----------
        **options
            For ``json.dumps``, such as ``indent``.

        Returns
        -------
        text : str
        """
        return json.dumps(self.to_dict(), **options)


def _repeated(rows: int) -> list[str]:
    if rows == 0:
        return []
    return [
        f"{rows} labelled rows equal another one, label and all; equal rows are one label of the "
        "fit and count once"
    ]


def _measure(found: MeasureDict) -> Measure:
    interval = found["interval"]
    return Measure(
        name=found["name"],
        value=found["value"],
        interval=(interval["low"], interval["high"]) if interval else None,
        estimand=_ABOUT.get(found["estimand"], found["estimand"]),
        n_rows=found["rows"],
        higher_is_better=found["higher_is_better"],
        no_interval=found.get("no_interval"),
    )


def _ends(interval: tuple[float, float] | None) -> list[float] | None:
    return None if interval is None else list(interval)


def _said(m: Measure) -> str:
    return str(m).split(": ", 1)[1]


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(v) for v in value]
    return value.item() if isinstance(value, np.generic) else value


def _named(shares: dict[str, Any] | None, own: Any) -> dict[str, Any] | None:
    """Class shares with the classes as ``own`` names them."""
    return shares and {**shares, "classes": [own(c) for c in shares["classes"]]}
