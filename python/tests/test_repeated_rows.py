"""Equal labelled rows are one row: in a fit, and in everything that judges it."""

import numpy as np
import pytest

from isotherm import (
    InverseLaplacian,
    KernelRidgeClassifier,
    LaplacianClassifier,
    STKRClassifier,
    STKRRegressor,
    Tikhonov,
    _core,
    conformal_sets,
    estimate_accuracy,
    select_parameters,
    suggest,
)
from isotherm.datasets import make_gaussians
from isotherm.displays import ReliabilityDisplay
from isotherm.model_selection import label_curve

ESTIMATORS = [
    STKRClassifier(),
    STKRClassifier("gaussian"),
    KernelRidgeClassifier(),
    LaplacianClassifier(bandwidth=1.0, filter=Tikhonov(1e-2)),
]


def repeated():
    """36 labels, a third of which stand three times; X, y and the rows that do."""
    X, y, _ = make_gaussians(150, separation=2.2, labels_per_class=12, random_state=0)
    again = np.flatnonzero(y >= 0)[::3]
    return np.vstack([X, X[again], X[again]]), np.concatenate([y, y[again], y[again]]), again


@pytest.mark.parametrize("model", ESTIMATORS, ids=str)
def test_an_estimate_judges_the_fit(model):
    X, y, again = repeated()
    fitted = model.fit(X, y)
    left = fitted.leave_one_out()
    assert len(left.rows) == 36
    said = fitted.classes_[np.asarray(left.scores).argmax(axis=1)]
    found = estimate_accuracy(model, X, y)
    assert found.value == pytest.approx(np.mean(said == y[left.rows]))
    # A row and its copies are predicted without each other, and count once ...
    assert found.n_rows == 36 and found.confusion.sum() == 36
    # ... while labels and rows are those that were given.
    assert found.n_labels == 36 + 2 * len(again) and found.n_samples == len(X)
    assert f"{2 * len(again)} labelled rows equal another one" in found.notes[0]


def test_values_are_judged_alike():
    X, y, again = repeated()
    values = np.where(y >= 0, X[:, 0] + y, np.nan)
    model = STKRRegressor().fit(X, values)
    left = model.leave_one_out()
    found = estimate_accuracy(model, X, values)
    assert found.n_rows == len(left.rows) == 36
    assert found.value == pytest.approx(np.mean((left.scores - values[left.rows]) ** 2))


def test_rows_without_copies_have_no_note():
    X, y, _ = make_gaussians(150, separation=2.2, labels_per_class=12, random_state=0)
    assert not any("equal another" in note for note in estimate_accuracy(ESTIMATORS[0], X, y).notes)


def test_a_suspect_is_a_row_of_the_caller():
    X, _, truth = make_gaussians(150, separation=8.0, labels_per_class=12, random_state=1)
    y = np.full(150, -1)
    for label in range(3):
        y[np.flatnonzero(truth == label)[:12]] = label
    first, wrong = np.flatnonzero(y >= 0)[:1], int(np.flatnonzero(y >= 0)[-1])
    y[wrong] = (y[wrong] + 1) % 3
    # Copies before the others, so that rows of the fit have other numbers.
    X, y = np.vstack([X[first], X[first], X]), np.concatenate([y[first], y[first], y])
    assert estimate_accuracy(STKRClassifier(), X, y).suspects[0]["row"] == wrong + 2


def test_a_copy_that_was_drawn_at_random_makes_an_audit_row():
    X, y, again = repeated()
    audit = np.zeros(len(y), dtype=bool)
    audit[150 : 150 + len(again)] = True  # the second of three equal rows
    pool = np.full(len(y), 3, dtype=int)
    pool[150 : 150 + len(again)] = len(y)
    found = estimate_accuracy(STKRClassifier(), X, y, audit=audit, pool=pool)
    assert found.audits_only and found.n_rows == len(again)


@pytest.mark.parametrize("model", ESTIMATORS, ids=str)
def test_sets_are_those_of_the_fit(model):
    X, y, _ = repeated()
    recipe, data, labels, reduced = model.fit(X, y)._fitted_to
    _, expected = _core.fit_with_sets(recipe, data, labels, 0.9, weights=reduced.weights)
    sets = conformal_sets(model, X, y, level=0.9)
    assert np.array_equal(sets.matrix, expected[reduced.places])


@pytest.mark.parametrize("model", ESTIMATORS, ids=str)
def test_suggestions_are_those_for_the_fit(model):
    X, y, _ = repeated()
    # Copies first: rows of the fit have other numbers than rows of X.
    X, y = X[::-1].copy(), y[::-1].copy()
    recipe, data, labels, reduced = model.fit(X, y)._fitted_to
    asked = {"count": 4, "strategy": "sigma-optimal", "modes": 64, "classes": ["0", "1", "2"]}
    expected = _core.suggest(recipe, data, labels, weights=reduced.weights, **asked)
    found = suggest(model, X, y, 4, audit_every=None)
    rows = reduced.rows[[row["row"] for row in expected["rows"]]]
    assert found.indices.tolist() == rows.tolist()
    assert (y[found.indices] == -1).all()
    assert found.pool[0] == (y == -1).sum()


def test_parameters_are_judged_on_the_fit():
    X, y, _ = repeated()
    grid = {"transform": [InverseLaplacian(0.5), InverseLaplacian(0.99)], "ridge": [1e-3, 1e-1]}
    found = select_parameters(STKRClassifier(), X, y, grid)
    assert found.n_labels == 36
    for cell in found.cells:
        fitted = STKRClassifier(transform=cell["transform"], ridge=cell["ridge"]).fit(X, y)
        left = fitted.leave_one_out()
        said = fitted.classes_[np.asarray(left.scores).argmax(axis=1)]
        assert np.mean(said == y[left.rows]) == pytest.approx(cell["score"])


def test_a_laplacian_is_tuned_on_the_fit():
    X, y, _ = repeated()
    filters = [Tikhonov(1e-1), Tikhonov(1e-3)]
    grid = {"bandwidth": [1.0], "norm_share": [1.0], "filter": filters}
    model = LaplacianClassifier(landmarks=30)
    found = select_parameters(model, X, y, grid)
    recipe, data, labels, reduced = model.fit(X, y)._fitted_to
    core_grid = {
        "bandwidths": [1.0],
        "norm_shares": [1.0],
        "filters": [f._spec() for f in filters],
    }
    expected = _core.tune(recipe, data, labels, core_grid, weights=reduced.weights)
    assert [cell["score"] for cell in found.cells] == [cell["score"] for cell in expected["cells"]]
    assert found.n_labels == 36


def test_curves_count_equal_rows_once():
    X, y, _ = repeated()
    curve = label_curve(STKRClassifier(), X, y)
    assert curve.counts[-1] + curve.n_held_out <= 36
    pytest.importorskip("matplotlib").use("Agg")
    assert ReliabilityDisplay.from_labels(STKRClassifier(), X, y).counts_.sum() == 36
