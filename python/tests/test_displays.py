"""What each plot must show, read back from what was drawn."""

import sys

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.collections import PathCollection  # noqa: E402
from scipy.stats import binomtest  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.svm import LinearSVC  # noqa: E402

from isotherm import (  # noqa: E402
    CutOff,
    HarmonicClassifier,
    InverseLaplacian,
    LaplacianClassifier,
    SpectralEmbedding,
    STKRClassifier,
    STKRRegressor,
    Tikhonov,
    Truncation,
    displays,  # noqa: E402
    estimate_accuracy,
    knn_graph,
    load,
    select_parameters,
)
from isotherm.datasets import make_gaussians, make_moons  # noqa: E402


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def moons():
    return make_moons(150, labels_per_class=15, random_state=0)


@pytest.fixture(scope="module")
def fitted(moons):
    return STKRClassifier().fit(moons.X, moons.y)


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def drawn(display, tmp_path):
    """Draws to a file: layout, fonts and clipping are only done there."""
    display.figure_.savefig(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 3000
    assert display.ax_.figure is display.figure_
    return display


def test_embedding_rings_labels_and_marks_unreached_rows(tmp_path):
    near, y, _ = make_moons(100, labels_per_class=5, random_state=0)
    X = np.vstack([near, near + 1000.0])
    y = np.append(y, np.full(100, -1))
    with pytest.warns(UserWarning):
        model = STKRClassifier().fit(X, y)
        _ = model.reached_
    display = drawn(displays.EmbeddingDisplay.from_estimator(model, X, y), tmp_path)
    told = legend(display.ax_)
    assert told[:2] == ["0", "1"]
    assert "labelled (10)" in told
    assert f"no label reaches ({np.sum(~model.reached_)})" in told
    sizes = [len(c.get_offsets()) for c in display.ax_.collections if isinstance(c, PathCollection)]
    assert sizes[0] == model.reached_.sum() and 10 in sizes


def test_embedding_of_many_columns_and_of_graphs_uses_spectral_coordinates(tmp_path):
    X, y, _ = make_gaussians(120, n_features=6, random_state=0)
    display = displays.EmbeddingDisplay.from_estimator(STKRClassifier().fit(X, y), X, y)
    assert drawn(display, tmp_path).coordinates.shape == (120, 2)
    graph = knn_graph(X, 40)
    model = STKRClassifier(kernel="graph").fit(graph, y)
    display = displays.EmbeddingDisplay.from_estimator(model, graph, y)
    assert np.isfinite(display.coordinates).all()


def test_embedding_of_numbers_has_a_colour_bar(moons, tmp_path):
    values = np.where(moons.y >= 0, moons.X[:, 0], np.nan)
    model = STKRRegressor().fit(moons.X, values)
    display = drawn(displays.EmbeddingDisplay.from_estimator(model, moons.X, values), tmp_path)
    assert len(display.figure_.axes) == 2


def test_spectrum_has_a_log_axis_and_the_transform_of_each_eigenvalue(moons, fitted, tmp_path):
    display = displays.SpectrumDisplay.from_estimator(fitted, n_components=12)
    drawn(display, tmp_path)
    assert display.ax_.get_yscale() == "log" and len(display.eigenvalues) == 12
    assert (np.diff(display.eigenvalues) <= 0).all()
    assert np.allclose(display.weights, display.eigenvalues / (1 - 0.99 * display.eigenvalues))
    line = display.weight_ax_.lines[0].get_ydata()
    assert np.allclose(line, display.weights[display.weights > 0])


def test_spectrum_of_a_model_from_a_file_needs_its_rows(moons, fitted, tmp_path):
    fitted.save(tmp_path / "moons.iso")
    again = load(tmp_path / "moons.iso")
    with pytest.raises(ValueError, match="pass the X and y it was fitted to"):
        displays.SpectrumDisplay.from_estimator(again)
    with pytest.raises(ValueError, match="X and y are read together"):
        displays.SpectrumDisplay.from_estimator(again, moons.X)
    display = displays.SpectrumDisplay.from_estimator(again, moons.X, moons.y, n_components=12)
    assert np.allclose(display.eigenvalues, fitted.eigenvalues_[:12])
    with pytest.raises(ValueError, match="HarmonicClassifier does not know its eigenvalues"):
        harmonic = HarmonicClassifier().fit(moons.X, moons.y)
        displays.SpectrumDisplay.from_estimator(harmonic, moons.X, moons.y)


def test_spectrum_shows_the_cut_off(moons, tmp_path):
    model = STKRClassifier(transform=Truncation(rank=5)).fit(moons.X, moons.y)
    display = displays.SpectrumDisplay.from_estimator(model, moons.X, moons.y)
    assert np.allclose(display.eigenvalues[:5], model.eigenvalues_)
    assert len(display.eigenvalues) > 5 and (display.weights[5:] == 0).all()
    values = np.array([1.0, 0.5, 0.2, 0.01])
    cut = drawn(displays.SpectrumDisplay.from_eigenvalues(values, CutOff(threshold=0.1)), tmp_path)
    assert display.kept == 5 and cut.kept == 3
    assert cut.weights.tolist() == [1.0, 2.0, 5.0, 0.0]
    assert "cut-off: 3 modes kept" in legend(cut.ax_)


def test_spectrum_of_a_laplacian_has_its_filter(moons, tmp_path):
    model = LaplacianClassifier(landmarks=30, filter=Tikhonov(0.1), random_state=0)
    model.fit(moons.X, moons.y)
    display = drawn(displays.SpectrumDisplay.from_estimator(model), tmp_path)
    assert np.allclose(display.weights, 1 / (display.eigenvalues + 0.1))
    assert "ψ(λ) of Tikhonov" in legend(display.ax_)


def test_eigenfunctions_have_zero_in_the_middle(moons, fitted, tmp_path):
    display = displays.EigenfunctionDisplay.from_estimator(fitted, moons.X, n_components=5)
    drawn(display, tmp_path)
    assert len(display.axes_) == 5
    for ax in display.axes_:
        low, high = ax.collections[0].get_clim()
        assert low == -high < 0
    twin = SpectralEmbedding(n_components=4).fit(moons.X)
    assert len(displays.EigenfunctionDisplay.from_estimator(twin, moons.X).axes_) == 4


def test_decision_map_asks_the_estimator_everywhere(moons, fitted, tmp_path):
    display = displays.DecisionMapDisplay.from_estimator(fitted, moons.X, moons.y, resolution=30)
    drawn(display, tmp_path)
    grid = np.stack([display.xx.ravel(), display.yy.ravel()], axis=1)
    assert np.allclose(display.response.reshape(-1, 2), fitted.predict_proba(grid))
    assert legend(display.ax_) == ["0", "1", "boundary", "probability 0.9"]
    with pytest.raises(ValueError, match="rows of two numbers"):
        displays.DecisionMapDisplay.from_estimator(fitted, np.zeros((4, 3)))


def test_decision_map_of_numbers(moons, tmp_path):
    values = np.where(moons.y >= 0, moons.X[:, 0], np.nan)
    model = STKRRegressor(kernel="gaussian").fit(moons.X, values)
    display = displays.DecisionMapDisplay.from_estimator(model, moons.X, values, resolution=20)
    assert drawn(display, tmp_path).response.shape == (20, 20)


def test_reliability_counts_bins_and_has_exact_intervals(tmp_path):
    rng = np.random.default_rng(0)
    sure = rng.uniform(0.5, 1.0, 400)
    truth = (rng.uniform(size=400) >= sure).astype(int)
    proba = np.stack([sure, 1 - sure], axis=1)
    display = displays.ReliabilityDisplay.from_predictions(truth, proba)
    drawn(display, tmp_path)
    # Ten bins of equal counts.
    assert display.counts_.tolist() == [40] * 10
    parts = np.sort(sure).reshape(10, 40)
    assert np.allclose(display.mean_confidence_, parts.mean(axis=1))
    right = (truth == 0)[np.argsort(sure)].reshape(10, 40).sum(axis=1)
    exact = [binomtest(int(k), 40).proportion_ci(0.95) for k in right]
    assert np.allclose(display.intervals_, [[e.low, e.high] for e in exact], atol=1e-9)
    # Calibrated by construction: intervals of 95 % hold the mean confidence in most bins.
    inside = (display.intervals_[:, 0] <= display.mean_confidence_) & (
        display.mean_confidence_ <= display.intervals_[:, 1]
    )
    assert inside.sum() >= 8
    assert display.ece_by_chance_ > 0
    low, high = display.ece_interval_
    assert 0 <= low <= display.ece_ <= high
    gaps = np.abs(display.accuracy_ - display.mean_confidence_)
    assert display.ece_ == pytest.approx(np.average(gaps, weights=display.counts_))
    texts = [t.get_text() for t in display.ax_.texts]
    assert texts == [str(n) for n in display.counts_] and "n = 400" in display.ax_.get_title()


def test_reliability_leaves_unlabelled_rows_out(moons, fitted):
    labels = np.where(np.arange(150) < 60, moons.y_full, -1)
    display = displays.ReliabilityDisplay.from_estimator(fitted, moons.X, labels)
    assert display.counts_.sum() == 60
    with pytest.raises(ValueError, match="level"):
        displays.ReliabilityDisplay.from_estimator(fitted, moons.X, labels, level=1.0)
    with pytest.raises(ValueError, match="label at least 10 rows"):
        displays.ReliabilityDisplay.from_estimator(fitted, moons.X[:9], moons.y_full[:9])


def test_reliability_of_the_labels_there_are(moons):
    display = displays.ReliabilityDisplay.from_labels(STKRClassifier(), moons.X, moons.y)
    # Every label once, predicted by the others: the accuracy of an estimate.
    found = estimate_accuracy(STKRClassifier(), moons.X, moons.y)
    assert display.counts_.sum() == found.n_rows
    share = np.average(display.accuracy_, weights=display.counts_)
    assert share == pytest.approx(found.value)


def test_reliability_of_any_classifier_is_that_of_folds(moons):
    display = displays.ReliabilityDisplay.from_labels(LogisticRegression(), moons.X, moons.y)
    found = estimate_accuracy(LogisticRegression(), moons.X, moons.y)
    assert display.counts_.sum() == found.n_rows
    share = np.average(display.accuracy_, weights=display.counts_)
    assert share == pytest.approx(found.value)
    audit = (moons.y >= 0) & (np.cumsum(moons.y >= 0) % 2 == 0)
    marked = displays.ReliabilityDisplay.from_labels(
        LogisticRegression(), moons.X, moons.y, audit=audit
    )
    assert marked.counts_.sum() == audit.sum()
    with pytest.raises(TypeError, match="probabilities are needed, which LinearSVC"):
        displays.ReliabilityDisplay.from_labels(LinearSVC(), moons.X, moons.y)


def test_learning_curve_has_the_baseline(moons, tmp_path):
    display = displays.LearningCurveDisplay.from_estimator(
        STKRClassifier(), moons.X, moons.y, n_points=3
    )
    drawn(display, tmp_path)
    assert np.allclose(display.ax_.lines[0].get_ydata(), display.curve.scores)
    assert np.allclose(display.ax_.lines[1].get_ydata(), display.curve.baseline_scores)
    alone = "labels alone: kernel ridge on the labelled rows"
    assert legend(display.ax_) == ["with unlabelled rows", alone]


def test_confusion_is_of_audit_rows_with_counts_and_shares(moons, tmp_path):
    known = np.flatnonzero(moons.y >= 0)
    audit = np.zeros(150, dtype=bool)
    audit[known[:12]] = True
    display = displays.ConfusionDisplay.from_estimator(
        STKRClassifier(), moons.X, moons.y, audit=audit
    )
    drawn(display, tmp_path)
    assert display.counts.sum() == 12
    assert display.ax_.get_title() == "audit rows only, n = 12"
    told = [t.get_text() for t in display.ax_.texts]
    assert len(told) == np.count_nonzero(display.counts)
    assert all("\n" in t and t.endswith("%") for t in told)


def test_confusion_of_predictions_and_of_an_estimate(moons):
    truth, said = ["a", "a", "b", "b"], ["a", "b", "b", "c"]
    display = displays.ConfusionDisplay.from_predictions(
        truth, said, audit=[True, True, True, False]
    )
    assert display.counts.tolist() == [[1, 1], [0, 1]]
    found = estimate_accuracy(STKRClassifier(), moons.X, moons.y)
    assert displays.ConfusionDisplay.from_estimate(found).counts.sum() == 30
    values = np.where(moons.y >= 0, moons.X[:, 0], np.nan)
    with pytest.raises(ValueError, match="is for classes"):
        displays.ConfusionDisplay.from_estimate(estimate_accuracy(STKRRegressor(), moons.X, values))
    with pytest.raises(ValueError, match="no row to count"):
        displays.ConfusionDisplay.from_predictions(truth, said, audit=[False] * 4)


def test_tuning_outlines_what_is_within_one_standard_error(moons, tmp_path):
    grid = {
        "transform": [InverseLaplacian(e) for e in (0.1, 0.9, 0.99)],
        "ridge": [1e-4, 1e-2, 1.0, 1e3],
    }
    found = select_parameters(STKRClassifier(), moons.X, moons.y, grid)
    display = drawn(displays.TuningDisplay.from_result(found), tmp_path)
    assert display.scores.shape == (3, 4)
    assert display.row_name == "eta of InverseLaplacian"
    assert display.row_labels == ["0.1", "0.9", "0.99"]
    assert display.scores[display.best] == np.nanmax(display.scores)
    least = found.best_score_ - np.sqrt(found.best_score_ * (1 - found.best_score_) / 30)
    assert np.array_equal(display.within_, display.scores >= least)


def test_tuning_of_a_laplacian_holds_the_third_parameter_at_its_best(moons, tmp_path):
    grid = {
        "bandwidth": [0.5, 1.0, 2.0],
        "norm_share": [1.0, 0.01],
        "filter": [Tikhonov(s) for s in (1.0, 0.1, 0.01)],
    }
    model = LaplacianClassifier(landmarks=40, random_state=0)
    display = displays.TuningDisplay.from_estimator(model, moons.X, moons.y, grid)
    drawn(display, tmp_path)
    assert display.scores.shape == (3, 3) and "norm_share" in display.title
    # Squared errors have no standard error here, so nothing is outlined.
    assert display.standard_error is None and not display.within_.any()


def test_axes_that_are_given_are_drawn_on(moons, fitted):
    _, ax = plt.subplots()
    display = displays.EmbeddingDisplay.from_estimator(fitted, moons.X, moons.y, ax=ax)
    assert display.ax_ is ax
    _, other = plt.subplots()
    assert display.plot(ax=other) is display and display.ax_ is other


def test_without_matplotlib_the_error_says_what_to_install(moons, fitted, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        displays.EmbeddingDisplay.from_estimator(fitted, moons.X, moons.y)
