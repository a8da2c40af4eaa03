"""Rows to label next."""

import json

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelSpreading
from sklearn.svm import LinearSVC

from isotherm import HarmonicRegressor, STKRClassifier, estimate_accuracy, suggest
from isotherm.active import STRATEGIES
from isotherm.datasets import make_gaussians


@pytest.fixture(scope="module")
def clouds():
    return make_gaussians(200, separation=6.0, labels_per_class=2, random_state=0)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_suggests_unlabelled_rows(clouds, strategy):
    X, y, _ = clouds
    found = suggest(STKRClassifier(), X, y, 6, strategy=strategy)
    assert len(found) == 6 and len(set(found.indices.tolist())) == 6
    assert (y[found.indices] == -1).all()
    assert all(found.reasons)
    assert found.pool.tolist() == [194 - k for k in range(6)]


def test_one_label_in_five_is_an_audit_row(clouds):
    X, y, _ = clouds
    found = suggest(STKRClassifier(), X, y, 10)
    # Labels that are there count: the 10th and the 15th of them.
    assert np.flatnonzero(found.audit).tolist() == [3, 8]
    assert not suggest(STKRClassifier(), X, y, 10, audit_every=None).audit.any()


def test_no_label_is_needed_to_begin(clouds):
    X, _, full = clouds
    blank = np.full(len(X), -1)
    found = suggest(
        STKRClassifier(), X, blank, 3, strategy="cover", classes=[0, 1, 2], audit_every=None
    )
    assert set(full[found.indices]) == {0, 1, 2}
    one = blank.copy()
    one[0] = full[0]
    assert suggest(STKRClassifier(), X, one).indices[0] != 0
    values = np.full(len(X), np.nan)
    assert len(suggest(HarmonicRegressor(), X, values, 2)) == 2


def test_suggestions_can_be_labelled_and_judged(clouds):
    X, y, full = clouds
    y = y.copy()
    audit, pool = np.zeros(len(y), dtype=bool), np.zeros(len(y), dtype=int)
    for _ in range(3):
        found = suggest(STKRClassifier(), X, y, 10)
        y[found.indices] = full[found.indices]
        audit[found.indices], pool[found.indices] = found.audit, found.pool
    judged = estimate_accuracy(
        STKRClassifier(), X, y, audit=audit, pool=np.where(pool > 0, pool, len(y))
    )
    assert judged.audits_only and judged.n_rows == audit.sum()
    # Of labels 7 to 36 those that are multiples of five.
    assert audit.sum() == 6


def test_the_same_question_has_the_same_answer(clouds):
    X, y, _ = clouds
    one, two = (suggest(STKRClassifier(n_jobs=n), X, y, 8) for n in (1, 2))
    assert np.array_equal(one.indices, two.indices)
    assert str(one) == str(two) and str(one).startswith("row ")
    assert json.loads(one.to_json())["indices"] == one.indices.tolist()
    assert one._repr_html_().count("<tr>") == 9


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"n": 0}, "n must be at least 1, got 0"),
        ({"strategy": "best"}, "strategy must be one of sigma-optimal, .* got 'best'"),
        ({"n_modes": 0}, "modes"),
        ({"audit_every": 0}, "audit"),
        ({"n": 1000}, "194"),
    ],
)
def test_refusals(clouds, options, says):
    X, y, _ = clouds
    with pytest.raises(ValueError, match=says):
        suggest(STKRClassifier(), X, y, **options)


FOREIGN = [
    LogisticRegression(),
    make_pipeline(StandardScaler(), LogisticRegression()),
    make_pipeline(StandardScaler(), STKRClassifier()),
    LabelSpreading(kernel="knn", n_neighbors=8),
]


@pytest.mark.parametrize("estimator", FOREIGN)
@pytest.mark.parametrize("strategy", [None, "margin", "entropy", "random"])
def test_any_classifier_can_be_asked(clouds, estimator, strategy):
    X, y, _ = clouds
    words = np.array(["a", "b", "c", ""])[y]
    found = suggest(estimator, X, words, 6, strategy=strategy)
    assert len(set(found.indices.tolist())) == 6 and (y[found.indices] == -1).all()
    assert found.pool.tolist() == [194 - k for k in range(6)]
    # Labels that are there count: the 10th of them.
    assert np.flatnonzero(found.audit).tolist() == [3]
    assert "audit row" in found.reasons[3]
    again = suggest(estimator, X, words, 6, strategy=strategy)
    assert np.array_equal(found.indices, again.indices)
    if strategy == "random":
        assert found.note == "rows were drawn at random"
    else:
        assert "fitted 6 times" in found.note and "between" in found.reasons[0]


def least_margin(model, X, y):
    first = np.sort(model.predict_proba(X), axis=1)
    lead = first[:, -1] - first[:, -2]
    return int(np.argmin(np.where(y == -1, lead, np.inf)))


def test_a_batch_is_asking_one_row_after_another(clouds):
    X, y, _ = clouds
    found = suggest(LogisticRegression(), X, y, 4, audit_every=None)
    y = y.copy()
    for row in found.indices:
        model = LogisticRegression().fit(X[y >= 0], y[y >= 0].astype(int))
        assert row == least_margin(model, X, y)
        y[row] = model.predict(X[[row]])[0]


def test_what_cannot_be_asked_of_a_classifier_of_others_names_what_can(clouds):
    X, y, _ = clouds
    with pytest.raises(ValueError, match="one of margin, entropy, random for LogisticReg"):
        suggest(LogisticRegression(), X, y, strategy="cover")
    with pytest.raises(TypeError, match="LinearSVC does not have; use strategy='random'"):
        suggest(LinearSVC(), X, y)
    with pytest.raises(ValueError, match="must be 'random' for Ridge"):
        suggest(Ridge(), X, np.where(y < 0, np.nan, y))
    with pytest.raises(ValueError, match="n_modes must be None"):
        suggest(LogisticRegression(), X, y, n_modes=3)
    with pytest.raises(ValueError, match="195 rows were asked for and 194"):
        suggest(LogisticRegression(), X, y, 195)
    assert len(suggest(LinearSVC(), X, y, 3, strategy="random")) == 3
    assert len(suggest(Ridge(), X, np.where(y < 0, np.nan, y), 3, strategy="random")) == 3


def test_classifiers_of_others_draw_rows_until_two_classes_are_there(clouds):
    X, _, full = clouds
    for labels in (0, 1):
        y = np.where(np.arange(len(full)) < labels, full, -1)
        found = suggest(LogisticRegression(), X, y, 3)
        assert all("no two classes seen yet: drawn" in reason for reason in found.reasons)
        assert not found.audit.any() and (y[found.indices] == -1).all()
