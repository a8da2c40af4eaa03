"""Rows to label next."""

import json

import numpy as np
import pytest

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
