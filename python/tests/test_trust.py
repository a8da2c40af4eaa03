"""Accuracy with an interval, and prediction sets."""

import json

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelSpreading
from sklearn.svm import LinearSVC

import isotherm
from isotherm import (
    InverseLaplacian,
    LaplacianRegressor,
    STKRClassifier,
    STKRRegressor,
    conformal_sets,
    estimate_accuracy,
)
from isotherm._estimate import AccuracyEstimate, Measure
from isotherm.datasets import make_gaussians, make_moons


@pytest.fixture(scope="module")
def clouds():
    return make_gaussians(400, separation=2.2, labels_per_class=20, random_state=0)


def test_the_value_is_the_share_of_labels_that_leave_one_out_gets_right(clouds):
    X, y, _ = clouds
    found = estimate_accuracy(STKRClassifier(), X, y)
    fitted = STKRClassifier().fit(X, y)
    left = fitted.leave_one_out()
    said = fitted.classes_[np.asarray(left.scores).argmax(axis=1)]
    right = np.sum(said == y[left.rows])
    assert found.value == pytest.approx(right / 60)
    assert found.n_rows == found.n_labels == 60 and found.n_samples == 400
    # Never narrower than the exact interval of a share.
    plain = binomtest(int(right), 60).proportion_ci(0.95)
    low, high = found.interval
    assert low <= plain.low + 1e-9 and high >= plain.high - 1e-9


def test_both_questions_are_answered_and_the_truth_is_in_the_interval(clouds):
    X, y, full = clouds
    found = estimate_accuracy(STKRClassifier(), X, y)
    assert found.estimand == "on a new row like these"
    assert found.measures[1].estimand == "on the rows still unlabelled"
    hidden = y < 0
    truth = np.mean(STKRClassifier().fit(X, y).transduction_[hidden] == full[hidden])
    low, high = found.measures[1].interval
    assert low <= truth <= high


def test_confusion_counts_every_label_once(clouds):
    X, y, _ = clouds
    found = estimate_accuracy(STKRClassifier(), X, y)
    assert found.classes == [0, 1, 2]
    assert found.confusion.shape == (3, 4)
    assert found.confusion.sum(axis=1).tolist() == [20, 20, 20]
    assert np.trace(found.confusion[:, :3]) / 60 == pytest.approx(found.value)


def test_only_audit_rows_count_once_they_are_given(clouds):
    X, y, _ = clouds
    known = np.flatnonzero(y >= 0)
    audit = np.zeros(len(y), dtype=bool)
    audit[known[::2]] = True
    pool = np.zeros(len(y), dtype=int)
    pool[known] = len(y) - np.arange(len(known))
    found = estimate_accuracy(STKRClassifier(), X, y, audit=audit, pool=pool)
    assert found.audits_only and found.n_rows == 30
    assert found.confusion.sum() == 30
    assert "audit rows" in str(found)


def test_a_label_that_is_wrong_is_suspected_in_its_own_type(clouds):
    X, _, full = clouds
    far, _, truth = make_gaussians(300, separation=8.0, labels_per_class=15, random_state=1)
    given = np.full(300, -1)
    for label in range(3):
        given[np.flatnonzero(truth == label)[:15]] = label
    wrong = int(np.flatnonzero(given == 0)[0])
    given[wrong] = 2
    found = estimate_accuracy(STKRClassifier(), far, given)
    assert found.suspects[0]["row"] == wrong
    assert (found.suspects[0]["given"], found.suspects[0]["suggested"]) == (2, 0)


def test_numbers_are_judged_by_their_squared_error():
    X, y, full = make_moons(200, labels_per_class=20, random_state=0)
    values = np.where(y >= 0, X[:, 0], np.nan)
    found = estimate_accuracy(STKRRegressor(), X, values)
    assert found.measures[0].name == "mean squared error" and found.confusion is None
    fitted = STKRRegressor().fit(X, values)
    left = fitted.leave_one_out()
    error = np.mean((np.ravel(left.scores) - values[left.rows]) ** 2)
    assert found.value == pytest.approx(error)


def test_text_html_and_json_tell_the_same(clouds):
    X, y, _ = clouds
    found = estimate_accuracy(STKRClassifier(), X, y, level=0.9)
    told = str(found)
    for part in ("accuracy on a new row like these", "on the rows still unlabelled", "level 0.9"):
        assert part in told
    assert found.baseline["name"] in told and "by chance" in told
    again = json.loads(found.to_json())
    assert again["value"] == found.value and again["interval"] == list(found.interval)
    assert again["confusion"] == found.confusion.tolist()
    assert found._repr_html_().startswith("<table>")


def test_few_rows_give_a_range_and_no_number():
    measure = Measure("accuracy", 0.9, (0.683, 0.988), "on a new row like these", 19, True)
    assert str(measure) == "accuracy on a new row like these: between 0.683 and 0.988"
    more = Measure("accuracy", 0.9, (0.683, 0.988), "on a new row like these", 20, True)
    assert "0.9 (between" in str(more)


def test_html_is_escaped():
    measure = Measure("accuracy", 0.9, (0.6, 0.9), "<script>", 30, True)
    found = AccuracyEstimate([measure], 0.95, 30, 90, False, None, None, None, [], ["<img src=x>"])
    assert "<script>" not in found._repr_html_() and "<img" not in found._repr_html_()


def test_a_fitted_estimator_remembers_its_estimate_until_the_next_fit(clouds):
    X, y, _ = clouds
    fitted = STKRClassifier().fit(X, y)
    found = estimate_accuracy(fitted, X, y)
    assert fitted.accuracy_estimate_ is found
    assert "estimated accuracy" in fitted._html_repr()
    assert "estimated accuracy" not in fitted.fit(X, y)._html_repr()
    assert not hasattr(STKRClassifier(), "accuracy_estimate_")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"level": 1.0}, "level"),
        ({"audit": [True]}, "audit must have one entry for each of 400 rows"),
        ({"audit": np.ones(400, dtype=int)}, "audit must be booleans"),
        ({"pool": np.ones(400, dtype=int)}, "pass audit too"),
    ],
)
def test_refusals(clouds, options, says):
    X, y, _ = clouds
    with pytest.raises(ValueError, match=says):
        estimate_accuracy(STKRClassifier(), X, y, **options)


def test_estimators_without_a_recipe_are_refused(clouds):
    X, y, _ = clouds
    with pytest.raises(TypeError, match="got int"):
        isotherm.suggest(7, X, y)
    with pytest.raises(TypeError, match="got int"):
        estimate_accuracy(7, X, y)
    with pytest.raises(ValueError, match="transform is a function"):
        estimate_accuracy(STKRClassifier(transform=lambda x: x), X, y)


def test_sets_hold_the_truth_about_as_often_as_asked(clouds):
    X, y, full = clouds
    sets = conformal_sets(STKRClassifier(), X, y, level=0.9)
    assert sets.matrix.shape == (400, 3) and len(sets) == 400
    hidden = np.flatnonzero(y < 0)
    held = sets.matrix[hidden, full[hidden]].mean()
    # 340 rows of one draw of labels; the promise is at least 2·0.9 − 1.
    assert held >= 0.8
    assert sets.sets()[0] == [int(c) for c in np.flatnonzero(sets.matrix[0])]
    assert np.array_equal(sets.sizes(), sets.matrix.sum(axis=1))
    assert "400 sets of level 0.9" in str(sets) and str(sets) in sets._repr_html_()


def test_sets_have_the_classes_of_the_user(clouds):
    X, y, _ = clouds
    names = np.array(["ant", "bee", "cow", ""])[y]
    sets = conformal_sets(STKRClassifier(), X, names)
    assert sets.classes.tolist() == ["ant", "bee", "cow"]
    assert {c for one in sets.sets() for c in one} <= {"ant", "bee", "cow"}
    assert np.array_equal(sets.matrix, conformal_sets(STKRClassifier(), X, y).matrix)


@pytest.mark.parametrize("estimator", [STKRRegressor(), LaplacianRegressor()])
def test_numbers_get_intervals(estimator):
    X, y, _ = make_moons(150, labels_per_class=15, random_state=0)
    values = np.where(y >= 0, X[:, 0], np.nan)
    sets = conformal_sets(estimator, X, values, level=0.8)
    assert sets.intervals.shape == (150, 2) and sets.matrix is None
    low, high = sets.intervals.T
    assert (low <= high).all()
    assert np.mean((low <= X[:, 0]) & (X[:, 0] <= high)) >= 0.6
    assert json.loads(sets.to_json())["level"] == 0.8


def test_too_few_labels_for_a_level_are_refused():
    X, y, _ = make_moons(100, labels_per_class=2, random_state=0)
    with pytest.raises(ValueError, match="label"):
        conformal_sets(STKRClassifier(transform=InverseLaplacian(0.9)), X, y, level=0.95)


def blobs(n=120, labels=40, seed=0):
    draw = np.random.default_rng(seed)
    truth = np.arange(n) % 2
    X = draw.normal(size=(n, 2)) + 1.5 * truth[:, None]
    y = np.full(n, -1)
    known = draw.permutation(n)[:labels]
    y[known] = truth[known]
    return X, y, truth


@pytest.mark.parametrize(
    "estimator",
    [
        LogisticRegression(),
        make_pipeline(StandardScaler(), LogisticRegression()),
        make_pipeline(StandardScaler(), isotherm.STKRClassifier()),
        LabelSpreading(kernel="knn", n_neighbors=8),
    ],
    ids=lambda e: type(e).__name__,
)
def test_any_estimator_is_judged_by_folds(estimator):
    X, y, truth = blobs()
    names = np.array(["left", "right", ""])[y]
    found = isotherm.estimate_accuracy(estimator, X, names)
    low, high = found.interval
    assert found.folds == 10 and found.n_rows == 40 and found.n_labels == 40
    assert 0.6 <= found.value <= 1 and low < found.value < high
    assert found.classes == ["left", "right"] and found.confusion.sum() == 40
    assert "one of 10" in str(found)
    sets = isotherm.conformal_sets(estimator, X, names, level=0.8)
    inside = sets.matrix[np.arange(len(X)), truth]
    assert sets.classes.tolist() == ["left", "right"] and 0.65 <= inside.mean() <= 1


def test_folds_are_those_of_a_loop_over_them():
    X, y, _ = blobs()
    found = isotherm.estimate_accuracy(LogisticRegression(), X, y)
    rows = np.flatnonzero(y >= 0)
    cv = isotherm.SemiSupervisedSplit(10, unlabeled=None, random_state=0)
    right = 0
    for train, test in cv.split(None, y[rows]):
        model = LogisticRegression().fit(X[rows[train]], y[rows[train]])
        right += (model.predict(X[rows[test]]) == y[rows[test]]).sum()
    assert found.value == right / len(rows)
    exact = binomtest(int(right), len(rows)).proportion_ci(0.95, method="exact")
    assert np.allclose(found.interval, (exact.low, exact.high), rtol=1e-6)


def test_regressors_of_others_are_judged_and_have_intervals():
    X, _, _ = blobs()
    draw = np.random.default_rng(1)
    values = X @ [1.0, 2.0] + draw.normal(size=len(X))
    y = np.where(np.arange(len(X)) % 2 == 0, values, np.nan)
    found = isotherm.estimate_accuracy(LinearRegression(), X, y)
    assert found.measures[0].name == "mean squared error" and 0.5 < found.value < 2
    sets = isotherm.conformal_sets(LinearRegression(), X, y, level=0.8)
    inside = (sets.intervals[:, 0] <= values) & (values <= sets.intervals[:, 1])
    assert 0.65 <= inside.mean() <= 1


def test_copies_of_a_row_are_held_back_together():
    draw = np.random.default_rng(0)
    X = np.repeat(draw.normal(size=(20, 5)), 3, axis=0)
    y = np.repeat(draw.integers(0, 2, 20), 3)
    found = isotherm.estimate_accuracy(KNeighborsClassifier(1), X, y)
    # From their own copies all of them would be right.
    assert found.value < 0.9


def test_audits_count_alone_for_others_too():
    X, y, _ = blobs()
    audit = (y >= 0) & (np.arange(len(y)) % 3 == 0)
    found = isotherm.estimate_accuracy(LogisticRegression(), X, y, audit=audit)
    assert found.audits_only and found.n_rows == audit.sum()


def test_prediction_sets_need_probabilities():
    X, y, _ = blobs()
    with pytest.raises(TypeError, match="LinearSVC does not have.*predict_proba"):
        isotherm.conformal_sets(LinearSVC(), X, y)
    with pytest.raises(ValueError, match="one entry for each row"):
        isotherm.estimate_accuracy(LogisticRegression(), X[:5], y)
