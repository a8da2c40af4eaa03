"""What a semi-supervised estimator owes its user, as checks that run on any of them.

scikit-learn's ``check_estimator`` asks whether something is an estimator. These
ask whether it may be trusted with unlabelled rows. They run on table estimators with
scikit-learn's interface, ours or not.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier

from .datasets import make_gaussians, make_moons

__all__ = ["CHECKS", "check_semi_supervised"]

_SHARE_AGREEING = 0.999
"""Of labels, between single and double precision."""
_SHARE_INDUCTIVE = 0.95
"""Of rows at which ``predict`` says what ``transduction_`` does; of its variance, for numbers."""


def check_semi_supervised(estimator: Any, *, checks: Iterable[str] | None = None) -> list[str]:
    """Run the checks; the first that fails raises ``AssertionError``.

    Parameters
    ----------
    estimator : estimator
        A classifier or regressor for rows of numbers. Cloned, never fitted itself.
    checks : iterable of str, default=None
        Names from ``CHECKS``. None: all that apply; those about probabilities and
        classes apply to classifiers.

    Returns
    -------
    run : list of str
        The names of the checks that ran, all of which passed.

    Examples
    --------
    >>> from isotherm import STKRClassifier
    >>> from isotherm.testing import check_semi_supervised
    >>> check_semi_supervised(STKRClassifier(), checks=["probabilities_are_probabilities"])
    ['probabilities_are_probabilities']
    """
    names = list(CHECKS) if checks is None else list(checks)
    unknown = [name for name in names if name not in CHECKS]
    if unknown:
        raise ValueError(f"no check is called {unknown[0]!r}; there are {', '.join(CHECKS)}")
    run = []
    for name in names:
        check, classes_only = CHECKS[name]
        if classes_only and not is_classifier(estimator):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check(estimator)
        run.append(name)
    return run


def unlabelled_rows_are_optional_and_unordered(estimator: Any) -> None:
    """A fit without unlabelled rows works; their order changes nothing; copies agree."""
    X, y, full = _problem(estimator, 0)
    alone = clone(estimator).fit(X, full)
    _finite(alone.predict(X[:10]), "a fit without unlabelled rows")
    order = np.random.default_rng(0).permutation(len(X))
    first, second = (
        _all_landmarks(estimator, len(X)).fit(rows, labels)
        for rows, labels in ((X, y), (X[order], y[order]))
    )
    _same(first.transduction_[order], second.transduction_, 1e-6, "rows in another order")
    blank = int(np.flatnonzero(_blank(y))[0])
    twice = clone(estimator).fit(np.vstack([X, X[blank]]), np.append(y, y[blank]))
    said = twice.transduction_
    _same(said[[blank]], said[[-1]], 0.05, "an unlabelled row and its copy")


def labels_are_kept(estimator: Any) -> None:
    """On well separated classes labelled rows keep their labels."""
    X, y, _ = _problem(estimator, 1, separation=12.0)
    known = ~_blank(y)
    said = clone(estimator).fit(X, y).transduction_[known]
    _same(said, y[known], 0.05, "labelled rows and their labels")


def new_rows_are_predicted_as_seen_ones(estimator: Any) -> None:
    """``predict(X)`` is ``transduction_`` on 95 % of the rows, for numbers to an R² of 0.95."""
    X, y, _ = _problem(estimator, 2)
    fitted = clone(estimator).fit(X, y)
    share = _agreement(fitted.predict(X), fitted.transduction_)
    assert share >= _SHARE_INDUCTIVE, (
        f"predict and transduction_ agree on {share:.1%}, below {_SHARE_INDUCTIVE:.0%}"
    )


def probabilities_are_probabilities(estimator: Any) -> None:
    """Finite, not negative, summing to one, for any row however far.

    Rows whose squares overflow may be refused by a ``ValueError`` instead.
    """
    X, y, _ = _problem(estimator, 3)
    fitted = clone(estimator).fit(X, y)
    far = np.array([[1e6, -1e6], [1e12, 0.0], [1e100, 1e100], [0.0, 0.0]])
    for rows in (X, far):
        _probabilities(fitted.predict_proba(rows))
    _probabilities(fitted.label_distributions_)
    for size in (1e200, 1e300):
        try:
            found = fitted.predict_proba([[size, -size]])
        except ValueError:
            continue
        _probabilities(found)


def unreached_rows_are_uniform_and_marked(estimator: Any) -> None:
    """Where ``reached_`` is False every class is as probable; no row is NaN."""
    near, y, _ = make_gaussians(60, n_classes=2, separation=3.0, random_state=4)
    X = np.vstack([near, near + 1e5])
    y = np.append(y, np.full(len(near), -1))
    fitted = clone(estimator).fit(X, y)
    _probabilities(fitted.label_distributions_)
    assert hasattr(fitted, "reached_"), "there is no reached_ to tell which rows a label reaches"
    reached = np.asarray(fitted.reached_)
    assert reached.dtype == bool and reached.shape == (len(X),), "reached_ is not one bool a row"
    assert reached[: len(near)].all(), "rows among the labels are marked as unreached"
    lost = fitted.label_distributions_[~reached]
    assert np.allclose(lost, 1 / lost.shape[1]), "an unreached row is not uniform"


def label_types_do_not_matter(estimator: Any) -> None:
    """Integers, strings, objects and booleans give the same predictions; classes are sorted."""
    X, y, _ = make_gaussians(80, n_classes=2, random_state=5)
    base = clone(estimator).fit(X, y)
    codes = np.searchsorted(base.classes_, base.transduction_)
    assert np.array_equal(base.classes_, [0, 1]), f"classes_ are {base.classes_}, not [0, 1]"
    known = y >= 0
    kinds = {
        "strings": np.where(known, np.array(["cat", "dog", ""])[y], ""),
        "objects": np.array([["cat", "dog"][v] if v >= 0 else None for v in y], dtype=object),
        "booleans": np.array([bool(v) if v >= 0 else None for v in y], dtype=object),
        "floats": np.where(known, y, np.nan).astype(object),
        "large integers": np.where(known, y * 10**9 + 7, -1),
    }
    for kind, labels in kinds.items():
        fitted = clone(estimator).fit(X, labels)
        names = list(fitted.classes_)
        assert names == sorted(names) and len(names) == 2, f"classes_ of {kind} are {names}"
        got = np.array([names.index(v) for v in fitted.transduction_])
        assert np.array_equal(got, codes), f"{kind} as labels change {np.sum(got != codes)} rows"


def units_do_not_matter(estimator: Any) -> None:
    """Scaling X by 10^±6 changes no label where the bandwidth is automatic."""
    X, y, _ = _problem(estimator, 6)
    base = clone(estimator).fit(X, y).transduction_
    for name, rows in (("scaled by 1e6", X * 1e6), ("scaled by 1e-6", X * 1e-6)):
        _same(clone(estimator).fit(rows, y).transduction_, base, 1e-4, f"rows {name}")


def origin_does_not_matter(estimator: Any) -> None:
    """Adding a number to every column changes no label where no angle is looked at."""
    X, y, _ = _problem(estimator, 6)
    base = clone(estimator).fit(X, y).transduction_
    _same(clone(estimator).fit(X + 100.0, y).transduction_, base, 1e-4, "rows moved by 100")


def precision_does_not_matter(estimator: Any) -> None:
    """float32 and float64 rows agree on 99.9 % of the labels of ten data sets."""
    shares = []
    for seed in range(10):
        X, y, _ = _problem(estimator, 10 + seed)
        narrow = X.astype(np.float32)
        said = [
            clone(estimator).fit(rows, y).transduction_ for rows in (narrow, narrow.astype(float))
        ]
        shares.append(_agreement(*said))
    share = float(np.mean(shares))
    assert share >= _SHARE_AGREEING, f"float32 and float64 agree on {share:.2%} of the labels"


CHECKS: dict[str, tuple[Callable[[Any], None], bool]] = {
    check.__name__: (check, classes_only)
    for check, classes_only in (
        (unlabelled_rows_are_optional_and_unordered, False),
        (labels_are_kept, False),
        (new_rows_are_predicted_as_seen_ones, False),
        (probabilities_are_probabilities, True),
        (unreached_rows_are_uniform_and_marked, True),
        (label_types_do_not_matter, True),
        (units_do_not_matter, False),
        (origin_does_not_matter, False),
        (precision_does_not_matter, False),
    )
}
"""The checks by name, and whether they are about classes only."""


def _problem(
    estimator: Any, seed: int, separation: float | None = None
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Rows, labels with gaps and all labels; numbers for a regressor."""
    if separation is None and seed % 2 == 0:
        sample = make_moons(120, labels_per_class=8, random_state=seed)
    else:
        sample = make_gaussians(
            120, n_classes=3, separation=separation or 5.0, labels_per_class=6, random_state=seed
        )
    if is_classifier(estimator):
        return sample.X, sample.y, sample.y_full
    full = sample.X[:, 0] + 0.5 * sample.y_full
    return sample.X, np.where(sample.y >= 0, full, np.nan), full


def _blank(y: NDArray[Any]) -> NDArray[np.bool_]:
    return np.isnan(y) if y.dtype.kind == "f" else np.asarray(y == -1)


def _finite(said: Any, what: str) -> None:
    values = np.asarray(said)
    assert values.dtype.kind not in "fc" or np.isfinite(values).all(), f"{what} predicts NaN"


def _probabilities(found: Any) -> None:
    values = np.asarray(found)
    assert np.isfinite(values).all(), "a probability is not finite"
    assert (values >= 0).all(), f"a probability is negative: {values.min()}"
    worst = float(np.abs(values.sum(axis=1) - 1).max())
    assert worst <= 1e-6, f"probabilities of a row miss one by {worst:.1e}"


def _same(one: Any, other: Any, tolerance: float, what: str) -> None:
    """Equal labels, or numbers within a tolerance relative to their spread."""
    one, other = np.asarray(one), np.asarray(other)
    if one.dtype.kind in "fc":
        gap = float(np.abs(one - other).max()) / max(float(np.ptp(other)), 1.0)
        assert gap <= tolerance, f"{what} differ by {gap:.1e}, more than {tolerance:.1e}"
        return
    count = int(np.sum(one != other))
    assert count == 0, f"{what} differ at {count} of {len(one)} rows"


def _agreement(one: Any, other: Any) -> float:
    """The share of equal labels, or of the variance that is common to numbers."""
    one, other = np.asarray(one), np.asarray(other)
    if one.dtype.kind in "fc":
        return float(1 - np.mean((one - other) ** 2) / np.var(other))
    return float(np.mean(one == other))


def _all_landmarks(estimator: Any, rows: int) -> Any:
    """A clone whose landmarks, if it has some, are not a draw that depends on the order."""
    own = clone(estimator)
    return own.set_params(landmarks=rows) if "landmarks" in own.get_params(deep=False) else own
