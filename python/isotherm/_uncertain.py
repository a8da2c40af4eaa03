"""Which rows to label next for any classifier: those it is least sure of."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier

from . import _cross_fit
from ._labels import Encoded
from ._seam import few_labels

#: Strategies that need no more than probabilities.
STRATEGIES = ("margin", "entropy", "random")


def suggestions(
    estimator: Any, X: Any, y: Any, n: int, strategy: str | None, audit_every: int | None
) -> tuple[list[dict[str, Any]], str]:
    """The rows, one by one, and how the estimator was asked.

    A fit goes before each row that is not drawn: to the labels, and to the rows before it as if
    their most probable class were their label.
    """
    strategy = _chosen(estimator, strategy)
    encoded = few_labels(estimator, y, _cross_fit.marker_of(estimator))
    _cross_fit.check_lengths(X, encoded)
    if audit_every is not None and audit_every < 1:
        raise ValueError(f"audit_every must be at least 1, or None, got {audit_every!r}")
    known = encoded.labelled
    if n > (~known).sum():
        raise ValueError(
            f"{n} rows were asked for and {(~known).sum()} are without a label; ask for at most "
            f"that many"
        )
    codes = np.array(encoded.values)
    cold = strategy != "random" and len(np.unique(codes[known])) < 2
    seed, fits = _cross_fit.seed_of(estimator), 0
    is_open, found = ~known, []
    for place in range(int(known.sum()), int(known.sum()) + n):
        left = int(is_open.sum())
        audit = audit_every is not None and (place + 1) % audit_every == 0
        shares = None
        if not audit and not cold and strategy != "random":
            shares, fits = _shares(estimator, X, codes, encoded), fits + 1
        if shares is None:
            row = int(np.random.default_rng([seed, place]).choice(np.flatnonzero(is_open)))
            start = "no two classes seen yet: " if cold and not audit else ""
            reason = f"{'audit row, ' if audit else start}drawn at random among {left} rows"
            score, reason = 0.0, f"{reason} without a label"
        else:
            scores = _scores(shares, strategy)
            row = int(np.argmax(np.where(is_open, scores, -np.inf)))
            score, reason = float(scores[row]), _reason(shares[row], encoded.names)
        drawn = 1.0 / left if audit else None
        found.append({"row": row, "score": score, "reason": reason, "audit": drawn, "pool": left})
        is_open[row] = False
        if strategy != "random" and not cold and len(found) < n:
            if shares is None:
                shares, fits = _shares(estimator, X, codes, encoded), fits + 1
            codes[row] = int(np.argmax(shares[row]))
    return found, _note(estimator, strategy, fits)


def _chosen(estimator: Any, strategy: str | None) -> str:
    name = _cross_fit.name_of(estimator)
    if not is_classifier(estimator):
        if strategy == "random":
            return strategy
        raise ValueError(
            f"strategy must be 'random' for {name}, because how sure a regressor of another "
            f"package is cannot be asked, got {strategy or 'none'!r}; estimators of isotherm, such "
            f"as AutoRegressor, take 'sigma-optimal', 'v-optimal' and 'cover'"
        )
    if strategy not in (None, *STRATEGIES):
        raise ValueError(
            f"strategy must be one of {', '.join(STRATEGIES)} for {name}, got {strategy!r}: the "
            f"others look at the kernel of an estimator of isotherm, such as AutoClassifier"
        )
    strategy = strategy or "margin"
    if strategy != "random" and not hasattr(estimator, "predict_proba"):
        raise TypeError(
            f"strategy {strategy!r} needs probabilities, which {name} does not have; use "
            f"strategy='random', or a classifier with predict_proba, such as "
            f"CalibratedClassifierCV around it"
        )
    return strategy


def _shares(estimator: Any, X: Any, codes: NDArray[Any], encoded: Encoded) -> NDArray[np.float64]:
    return _cross_fit.shares_of(_cross_fit.fitted(estimator, X, codes, encoded), X, encoded)


def _scores(shares: NDArray[np.float64], strategy: str) -> NDArray[np.float64]:
    """The larger the less sure."""
    if strategy == "entropy":
        return -(shares * np.log(np.where(shares > 0, shares, 1.0))).sum(axis=1)
    second, first = np.sort(shares, axis=1)[:, -2:].T
    return 1.0 - (first - second)


def _reason(shares: NDArray[np.float64], names: list[str]) -> str:
    first, second = np.argsort(-shares, kind="stable")[:2]
    return (
        f"between {names[first]} ({100 * shares[first]:.0f} %) and {names[second]} "
        f"({100 * shares[second]:.0f} %)"
    )


def _note(estimator: Any, strategy: str, fits: int) -> str:
    if fits == 0:
        return "rows were drawn at random"
    return (
        f"{strategy} of predict_proba of {_cross_fit.name_of(estimator)}, which was fitted {fits} "
        f"time{'' if fits == 1 else 's'}: there is no closed form for it"
    )
