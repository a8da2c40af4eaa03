"""Every refusal says what, where, the value and the way out."""

import logging

import numpy as np
import pandas as pd
import pytest
from conftest import two_moons
from estimators import CLASSIFIERS, EVERY, REGRESSORS
from scipy import sparse

import isotherm
from isotherm import LaplacianClassifier, STKRClassifier
from isotherm.exceptions import ConvergenceWarning, DataWarning


def refusal(error, call):
    """The message of the error that a call must raise, in our form."""
    with pytest.raises(error) as caught:
        call()
    text = str(caught.value)
    assert not text.endswith("."), text
    assert "panick" not in text and "src/" not in text and "unwrap" not in text, text
    return text


# labels


@pytest.mark.parametrize("cls", CLASSIFIERS)
def test_minus_one_and_one_class(cls):
    X, y, _ = two_moons(20)
    text = refusal(ValueError, lambda: cls().fit(X, np.where(y == 1, 1, -1)))
    assert text.startswith('y holds -1 and one class (1); -1 means "unlabelled"')
    assert "pass unlabeled=None" in text


@pytest.mark.parametrize(
    "spelled",
    [
        lambda y: y.astype(float),
        lambda y: np.where(y == -1, np.nan, y),
        lambda y: y.astype(float).tolist(),
        lambda y: pd.Series(y, dtype="Float64"),
        lambda y: y.astype(object),
    ],
)
def test_unlabelled_rows_as_numbers(spelled):
    X, y, _ = two_moons(40)
    expected = STKRClassifier().fit(X, y)
    found = STKRClassifier().fit(X, spelled(y))
    assert found.classes_.tolist() == [0, 1]
    assert np.array_equal(found.decision_, expected.decision_)


@pytest.mark.parametrize("word", ["-1", "nan", "NA", "None"])
def test_texts_that_look_like_missing_are_unlabelled_and_told(word):
    X, y, _ = two_moons(40)
    names = np.array(["a", "b", word])[y]
    with pytest.warns(DataWarning, match=f"y holds '{word}'.*unlabeled=None"):
        model = STKRClassifier().fit(X, names)
    assert model.classes_.tolist() == ["a", "b"]
    all_labelled = STKRClassifier(unlabeled=None).fit(X, names)
    assert all_labelled.classes_.tolist() == sorted(["a", "b", word])
    assert 0 < model.score(X, names) <= 1


def test_minus_one_among_other_classes_names_the_way_out():
    X, y, _ = two_moons(40)
    words = np.array(["a", "b", None], dtype=object)[y]
    words[y == -1] = -1
    assert "unlabeled=-1" in refusal(ValueError, lambda: STKRClassifier().fit(X, words))
    assert STKRClassifier(unlabeled=-1).fit(X, words).classes_.tolist() == ["a", "b"]
    truths = np.array([False, True, None], dtype=object)[y]
    truths[y == -1] = -1
    assert "unlabeled=-1" in refusal(ValueError, lambda: STKRClassifier().fit(X, truths))
    signs = np.where(y == -1, -1.0, np.where(y == 0, -2.0, 1.0))
    assert "unlabeled=-1" in refusal(ValueError, lambda: STKRClassifier().fit(X, signs))


def test_minus_one_is_a_value_to_a_regressor():
    X = two_moons(40)[0]
    y = np.tile([-1.0, 0.0, 1.0, 2.0], 10)
    model = isotherm.KernelRidge(ridge=1e-6).fit(X, y)
    assert model.report_["labelled"] == 40


@pytest.mark.parametrize("cls", CLASSIFIERS)
@pytest.mark.parametrize("y", [np.full(20, -1), np.full(20, np.nan), [""] * 20, [None] * 20])
def test_nothing_is_labelled(cls, y):
    text = refusal(ValueError, lambda: cls().fit(two_moons(20)[0], y))
    assert "all 20 rows are unlabelled" in text


@pytest.mark.parametrize("cls", REGRESSORS)
def test_no_values(cls):
    X = two_moons(20)[0]
    assert "all 20 rows" in refusal(ValueError, lambda: cls().fit(X, np.full(20, np.nan)))
    assert "row 3" in refusal(ValueError, lambda: cls().fit(X, np.r_[0, 1, 2, np.inf, X[:16, 0]]))
    y = np.zeros((20, 2))
    y[4, 1] = np.nan
    assert "targets of row 4" in refusal(ValueError, lambda: cls().fit(X, y))
    assert "not a number" in refusal(ValueError, lambda: cls().fit(X, ["a"] * 20))


def test_classes_that_cannot_be_told():
    X = two_moons(4)[0]
    mixed = np.array([1, "1", "b", None], dtype=object)
    assert "have no order" in refusal(TypeError, lambda: STKRClassifier().fit(X, mixed))
    sets = np.empty(4, dtype=object)
    sets[:] = [(0, 1), (1,), None, (0,)]
    text = refusal(ValueError, lambda: STKRClassifier().fit(X, sets))
    assert "PartialLabelClassifier" in text
    text = refusal(ValueError, lambda: STKRClassifier().fit(X, [0.5, 1.5, np.nan, 2.0]))
    assert "continuous" in text and "regressor" in text


@pytest.mark.parametrize("cls", CLASSIFIERS)
def test_one_class(cls):
    X, y, _ = two_moons(40)
    text = refusal(ValueError, lambda: cls().fit(X, np.where(y == 1, "a", "")))
    assert '"a"' in text and "second class" in text


def test_an_own_mark_for_unlabelled():
    X, y, _ = two_moons(40)
    first = STKRClassifier().fit(X, y).transduction_
    for mark, names in ((9, np.where(y == -1, 9, y)), ("?", np.array(["0", "1", "?"])[y])):
        found = STKRClassifier(unlabeled=mark).fit(X, names).transduction_
        assert (found.astype(int) == first).all()


# parameters


@pytest.mark.parametrize(
    "params, word",
    [
        ({"ridge": -1.0}, "ridge"),
        ({"kernel": "sigmoid"}, "kernel"),
        ({"transform": isotherm.InverseLaplacian(1.5)}, "eta"),
        ({"transform": isotherm.InverseLaplacian(float("nan"))}, "eta"),
        ({"transform": isotherm.Power(0)}, "degree"),
        ({"transform": isotherm.Polynomial([])}, "weights"),
        ({"transform": isotherm.Polynomial("abc")}, "weights"),
        ({"transform": isotherm.Tikhonov()}, "transform"),
        ({"transform": isotherm.Truncation(2), "solver": "cg"}, "solver"),
        ({"steps": 3}, "richardson"),
        ({"bandwidth": 0.5}, "bandwidth"),
        ({"kernel": "linear", "bandwidth": 0.5}, "bandwidth"),
        ({"kernel": "gaussian", "n_neighbors": 4}, "n_neighbors"),
        ({"kernel": "gaussian", "kernel_params": {"degree": 2}}, "degree"),
        ({"kernel": "gaussian", "repair": "lazy"}, "repair"),
        ({"kernel": "graph", "standardize": True}, "standardize"),
        ({"n_jobs": 0}, "n_jobs"),
        ({"tol": 2.0}, "tol"),
    ],
    ids=str,
)
def test_stkr_parameters(params, word):
    X, y, _ = two_moons(20)
    X = np.ones((20, 20)) - np.eye(20) if params.get("kernel") == "graph" else X
    with pytest.raises((ValueError, TypeError), match=word):
        STKRClassifier(**params).fit(X, y)


@pytest.mark.parametrize(
    "params, word",
    [
        ({"kernel": "cosine"}, "kernel"),
        ({"filter": isotherm.Tikhonov(-1.0)}, "strength"),
        ({"filter": isotherm.CutOff()}, "threshold or a rank"),
        ({"filter": isotherm.CutOff(threshold=0.1, rank=2)}, "threshold or a rank"),
        ({"filter": isotherm.Power()}, "filter"),
        ({"landmarks": [0.5, 1.5]}, "landmarks"),
        ({"landmarks": [0, 99]}, "99|landmark|row"),
        ({"landmarks": [1, 2], "landmark_rule": "pivoted"}, "landmark_rule"),
        ({"features": "exact", "landmarks": 5}, "landmarks"),
        ({"features": "random", "derivatives": True}, "derivatives"),
        ({"features": "random", "landmark_rule": "pivoted"}, "landmark_rule"),
        ({"norm_share": -1.0}, "norm_share"),
    ],
    ids=str,
)
def test_laplacian_parameters(params, word):
    X, y, _ = two_moons(20)
    with pytest.raises((ValueError, TypeError), match=word):
        LaplacianClassifier(**params).fit(X, y)


# data


@pytest.mark.parametrize("cls", EVERY)
def test_a_cell_that_is_no_number_is_named(cls):
    X, y, _ = two_moons(20)
    # Those that fill missing numbers still refuse infinite ones.
    X[7, 1] = np.inf if cls().__sklearn_tags__().input_tags.allow_nan else np.nan
    assert "row 7, column 1" in refusal(ValueError, lambda: cls().fit(X, y * 1))


def test_the_row_is_the_callers_where_rows_were_merged_or_left_out():
    X, y, _ = two_moons(40)
    known = np.flatnonzero(y >= 0)
    X[known[1]], y[known[1]] = X[known[0]], y[known[0]]
    bad = int(known.max()) + 1
    X[bad, 0] = np.inf
    said = f"row {bad}, column 0: inf"
    assert said in refusal(ValueError, lambda: STKRClassifier().fit(X, y))
    weights = np.ones(40)
    weights[:3] = 0
    y[4:6] = 0, 1
    assert said in refusal(ValueError, lambda: STKRClassifier().fit(X, y, weights))


def test_columns_of_a_frame_are_named():
    X, y, _ = two_moons(40)
    frame = pd.DataFrame({"left": X[:, 0], "up": X[:, 1], "same": 1.0})
    with pytest.warns(DataWarning, match="one value only: 'same'"):
        model = STKRClassifier().fit(frame, y)
    frame.loc[7, "up"] = np.inf
    assert 'row 7, column "up": inf' in refusal(ValueError, lambda: STKRClassifier().fit(frame, y))
    assert 'row 7, column "up": inf' in refusal(ValueError, lambda: model.predict(frame))


def test_unreached_rows_are_counted_among_the_callers_rows():
    near = np.array([[0.0], [0.0], [0.1], [0.2], [1.0], [1.1], [1.2]])
    far = np.array([[500.0], [500.1], [500.2]])
    X, y = np.vstack([near, far]), np.array([0, 0, -1, -1, 1, -1, -1, -1, -1, -1])
    with pytest.warns(isotherm.exceptions.UnreachedRowsWarning, match=r"^3 of 10 .*\(30.0 %\)"):
        model = STKRClassifier(n_neighbors=2).fit(X, y)
    assert np.count_nonzero(~model.reached_) == 3


@pytest.mark.parametrize("cls", CLASSIFIERS)
def test_all_rows_equal(cls):
    text = refusal(ValueError, lambda: cls().fit(np.ones((6, 2)), [0, 1, -1, -1, -1, -1]))
    assert "equal" in text


def test_graphs_that_are_none():
    y = np.array([0, 1, -1, -1])
    graph = STKRClassifier("graph")
    ragged = sparse.csr_array(np.ones((4, 3)))
    assert "square" in refusal(ValueError, lambda: graph.fit(ragged, y))
    negative = np.ones((4, 4)) - np.eye(4)
    negative[0, 1] = negative[1, 0] = -1
    assert "-1" in refusal(ValueError, lambda: graph.fit(negative, y))
    directed = np.zeros((4, 4))
    directed[0, 1], directed[1, 0], directed[2, 3] = 1, 2, 1
    refusal(ValueError, lambda: graph.fit(directed, y))
    assert "shape" in refusal(ValueError, lambda: graph.fit(np.ones((5, 7)), y))
    assert "1.5" in refusal(ValueError, lambda: graph.fit(np.array([[0, 1.5], [1, 2], [2, 3]]), y))
    refusal(ValueError, lambda: graph.fit(np.array([[0, 1], [1, 2], [2, 9]]), y))
    fitted = graph.fit(np.ones((4, 4)) - np.eye(4), y)
    assert "4 nodes" in refusal(ValueError, lambda: fitted.predict(np.ones((1, 3))))


def test_lengths_and_weights():
    X, y, _ = two_moons(20)
    text = refusal(ValueError, lambda: STKRClassifier().fit(X, y[:-1]))
    assert "20" in text and "19" in text
    for weights, word in (
        (np.zeros(20), "non-zero"),
        (-np.ones(20), "at least 0"),
        (np.where(y == -1, 1.0, 0.0), "every labelled row"),
        (np.full(20, np.nan), "nan"),
    ):
        text = refusal(ValueError, lambda w=weights: STKRClassifier().fit(X, y, sample_weight=w))
        assert word in text


def test_what_was_not_kept():
    X, y, _ = two_moons(20)
    import pickle

    again = pickle.loads(pickle.dumps(STKRClassifier().fit(X, y)))
    assert "fit again" in refusal(ValueError, again.leave_one_out)
    with pytest.raises(AttributeError, match="fit again"):
        again.eigenvalues_


def test_a_fit_that_fails_changes_nothing():
    X, y, _ = two_moons(40)
    model = STKRClassifier().fit(X, y)
    before, scores = dict(vars(model)), model.decision_function(X)
    wide = np.column_stack([X, X])
    wide[3, 3] = np.inf
    with pytest.raises(ValueError):
        model.fit(wide, y)
    assert vars(model) == before
    assert (model.decision_function(X) == scores).all()
    assert model.n_features_in_ == 2


# other labels


def test_candidates_tags_and_orders():
    X, y, _ = two_moons(20)
    partial = isotherm.PartialLabelClassifier(classes=["a", "b"])
    text = refusal(ValueError, lambda: partial.fit(X, [{"a"}, {"b", "c"}] + [None] * 18))
    assert "'c'" in text
    tags = isotherm.MultiLabelClassifier()
    bad = np.zeros((20, 2))
    bad[3, 1] = 2
    assert "row 3, tag 1" in refusal(ValueError, lambda: tags.fit(X, bad))
    text = refusal(ValueError, lambda: isotherm.LabelRanker().fit(X, np.zeros((20, 1))))
    assert "two items" in text
    with pytest.raises(TypeError, match="estimator must be"):
        isotherm.PartialLabelClassifier(estimator=3).fit(X, y)
    with pytest.raises(ValueError, match="minimises nothing|stkr"):
        partial = isotherm.PartialLabelClassifier(isotherm.LabelPropagation(steps=3))
        partial.fit(X, [{"a"}, {"b"}, {"a", "b"}, {"c", "a"}] + [None] * 16)


def test_targets_with_gaps_of_any_kind():
    X = two_moons(20)[0]
    y = np.where(np.arange(20) % 3, np.nan, X[:, 0])
    first = isotherm.STKRRegressor().fit(X, y).transduction_
    listed = [None if np.isnan(v) else float(v) for v in y]
    for held in (
        listed,
        pd.Series(listed, dtype="Float64"),
        pd.Series(y),
        np.array(listed, dtype=object),
    ):
        assert (isotherm.STKRRegressor().fit(X, held).transduction_ == first).all()
    several = isotherm.STKRRegressor().fit(X, pd.DataFrame({"a": listed, "b": listed}))
    assert several.transduction_.shape == (20, 2)
    assert np.abs(several.transduction_ - first[:, None]).max() <= 1e-12


# warnings and logs


def test_warnings_have_their_category():
    X, y, _ = two_moons(60)
    with pytest.warns(DataWarning, match="one value only"):
        STKRClassifier().fit(np.column_stack([X, np.ones(60)]), y)
    with pytest.warns(DataWarning, match="equal rows"):
        twice = np.vstack([X, X[y != -1][:1]])
        STKRClassifier().fit(twice, np.append(y, 1 - y[y != -1][0]))
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        isotherm.LabelPropagation(eta=0.9999, max_iter=1).fit(X, y)


def test_errors_and_warnings_have_the_numbers_of_their_pages():
    X, y, _ = two_moons(60)
    with pytest.raises(ValueError) as outside:
        STKRClassifier(transform=isotherm.InverseLaplacian(eta=2.0)).fit(X, y)
    assert (outside.value.code, outside.value.name) == ("ISO401", "parameter")
    with pytest.raises(ValueError) as equal:
        STKRClassifier().fit(np.ones((60, 2)), y)
    assert (equal.value.code, equal.value.name) == ("ISO108", "all-equal")
    with pytest.raises(FileNotFoundError) as absent:
        STKRClassifier.load("no such directory/model.iso")
    assert (absent.value.code, absent.value.name) == ("ISO010", "not-found")
    with pytest.warns(DataWarning) as told:
        STKRClassifier().fit(np.column_stack([X, np.ones(60)]), y)
    assert [w.message.code for w in told] == ["ISO150"]


def test_verbose_logs_one_line_a_phase(caplog, capsys):
    X, y, _ = two_moons(200)
    caplog.set_level(logging.INFO, logger="isotherm")
    STKRClassifier().fit(X, y)
    assert caplog.records == []
    STKRClassifier(verbose=1).fit(X, y)
    phases = [record.message for record in caplog.records]
    assert phases and all(text.startswith("STKRClassifier: ") for text in phases)
    assert all(record.name == "isotherm" for record in caplog.records)
    said = capsys.readouterr()
    assert said.out == said.err == ""


def test_verbose_is_seen_where_no_log_is(capsys):
    X, y, _ = two_moons(200)
    logger = logging.getLogger("isotherm")
    level = logger.level
    logger.setLevel(logging.WARNING)
    try:
        STKRClassifier(verbose=1).fit(X, y)
    finally:
        logger.setLevel(level)
    said = capsys.readouterr()
    assert said.out == "" and said.err
    assert all(line.startswith("STKRClassifier: ") for line in said.err.splitlines())


def test_logarithms_of_probabilities():
    X, y, _ = two_moons(40)
    model = STKRClassifier().fit(X, y)
    assert np.array_equal(np.exp(model.predict_log_proba(X)) > 0.5, model.predict_proba(X) > 0.5)


def test_reports_can_be_read_and_kept():
    X, y, _ = two_moons(60)
    report = STKRClassifier().fit(X, np.array(["<a>", "b", ""])[y]).report_
    facts = report.to_dict()
    assert facts["rows"] == 60 and facts["labelled"] == 8 and facts["reached"] == 60
    assert "labelled" in str(report) and '"labelled": 8' in report.to_json()
    assert "<a>" not in report._repr_html_() and "&lt;a&gt;" in report._repr_html_()
