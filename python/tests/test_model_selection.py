"""Folds of labelled rows, scores over labelled rows, parameters by leave-one-label-out."""

import json
import warnings

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score
from sklearn.model_selection import (
    GridSearchCV,
    StratifiedKFold,
    cross_val_score,
    cross_validate,
    learning_curve,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelSpreading

from isotherm import (
    InverseLaplacian,
    SemiSupervisedSplit,
    STKRClassifier,
    STKRRegressor,
    estimate_accuracy,
    select_parameters,
)
from isotherm.datasets import make_gaussians, make_moons
from isotherm.model_selection import accuracy_labeled, label_curve, labeled_scorer


@pytest.fixture(scope="module")
def moons():
    return make_moons(300, labels_per_class=20, random_state=0)


def by_hand(estimator, X, y, split):
    """The slow obvious twin: hide a fold of labels, fit, score there."""
    scores = []
    for train, test in split.split(X, y):
        fitted = clone(estimator).fit(X[train], y[train])
        scores.append(accuracy_score(y[test], fitted.predict(X[test])))
    return np.array(scores)


def test_test_folds_partition_the_labelled_rows(moons):
    X, y, _ = moons
    folds = list(SemiSupervisedSplit(4, random_state=0).split(X, y))
    tested = np.concatenate([test for _, test in folds])
    assert np.array_equal(np.sort(tested), np.flatnonzero(y >= 0))
    for train, test in folds:
        assert len(np.intersect1d(train, test)) == 0
        assert np.isin(np.flatnonzero(y < 0), train).all()
        assert len(train) + len(test) == len(y)
        assert np.bincount(y[test]).tolist() == [5, 5]


def test_the_score_is_that_on_held_out_labels_and_scikit_learn_alone_gives_nonsense(moons):
    X, y, full = moons
    estimator = LabelSpreading(kernel="knn", n_neighbors=7)
    split = SemiSupervisedSplit(4, random_state=0)
    found = cross_val_score(estimator, X, y, cv=split)
    assert np.array_equal(found, by_hand(estimator, X, y, split))
    truth = np.mean(estimator.fit(X, y).transduction_[y < 0] == full[y < 0])
    assert abs(found.mean() - truth) < 0.1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        naive = cross_val_score(estimator, X, y, cv=StratifiedKFold(4))
    assert naive.mean() < 0.25 < truth


def test_our_estimators_are_scored_like_the_loop_by_hand(moons):
    X, y, _ = moons
    estimator, split = STKRClassifier(), SemiSupervisedSplit(4, random_state=1)
    found = cross_validate(estimator, X, y, cv=split, scoring=accuracy_labeled)["test_score"]
    assert np.array_equal(found, by_hand(estimator, X, y, split))


def test_grid_search_over_a_transform_parameter(moons):
    X, y, _ = moons
    grid = {"transform__eta": [0.5, 0.99]}
    search = GridSearchCV(STKRClassifier(), grid, cv=SemiSupervisedSplit(4, random_state=0)).fit(
        X, y
    )
    for eta, mean in zip([0.5, 0.99], search.cv_results_["mean_test_score"], strict=True):
        estimator = STKRClassifier(transform=InverseLaplacian(eta=eta))
        assert mean == pytest.approx(by_hand(estimator, X, y, search.cv).mean(), abs=1e-12)


def test_beginnings_of_a_training_part_hold_labels_of_every_class_in_proportion(moons):
    X, y, _ = moons
    for train, _ in SemiSupervisedSplit(4, random_state=0).split(X, y):
        share = np.mean(y[train] >= 0)
        for count in (40, 100, 200):
            labels = y[train[:count]]
            assert abs(np.sum(labels >= 0) - share * count) <= 1
            assert set(labels[labels >= 0]) == {0, 1}


def test_learning_curve_never_trains_without_labels(moons):
    X, y, _ = moons
    sizes, _, scores = learning_curve(
        LabelSpreading(kernel="knn"),
        X,
        y,
        cv=SemiSupervisedSplit(4, random_state=0),
        train_sizes=[0.2, 0.6, 1.0],
        error_score="raise",
    )
    assert scores.shape == (3, 4) and np.isfinite(scores).all()
    assert scores[-1].mean() > 0.8


def test_numbers_and_tables_are_dealt_plainly():
    y = np.where(np.arange(30) % 3 == 0, np.linspace(0, 1, 30), np.nan)
    folds = list(SemiSupervisedSplit(5, random_state=0).split(np.zeros((30, 1)), y))
    assert [len(test) for _, test in folds] == [2, 2, 2, 2, 2]
    both = np.stack([y, y], axis=1)
    assert all(
        np.array_equal(a[1], b[1])
        for a, b in zip(
            folds, SemiSupervisedSplit(5, random_state=0).split(None, both), strict=True
        )
    )


def test_groups_stay_together():
    rng = np.random.default_rng(0)
    y = rng.integers(-1, 2, 90)
    groups = np.arange(90) // 3
    for train, test in SemiSupervisedSplit(3, random_state=0).split(np.zeros((90, 1)), y, groups):
        trained = train[y[train] >= 0]
        assert not set(groups[trained]) & set(groups[test])
        assert np.isin(np.flatnonzero(y < 0), train).all()


def test_groups_are_routed(moons):
    X, y, _ = moons
    groups = np.arange(len(y)) // 5
    model, split = LabelSpreading(kernel="knn"), SemiSupervisedSplit(3, random_state=0)

    def which(model, X, y):
        return X.sum()  # tells one test fold from another

    plain = cross_val_score(model, X, y, groups=groups, cv=split, scoring=which)
    with config_context(enable_metadata_routing=True):
        routed = cross_val_score(model, X, y, params={"groups": groups}, cv=split, scoring=which)
    assert np.array_equal(plain, routed)
    assert not np.array_equal(plain, cross_val_score(model, X, y, cv=split, scoring=which))


@pytest.mark.parametrize("kind", ["strings", "None", "pandas"])
def test_other_markers_of_unlabelled_rows(kind):
    pandas = pytest.importorskip("pandas")
    y = np.array([0, 1, -1] * 8)
    names = np.array(["no", "yes", ""])[y]
    given = {
        "strings": names,
        "None": [n or None for n in names],
        "pandas": pandas.Series([n or pandas.NA for n in names], dtype="string"),
    }[kind]
    plain = SemiSupervisedSplit(4, random_state=0).split(None, y)
    for one, other in zip(
        plain, SemiSupervisedSplit(4, random_state=0).split(None, given), strict=True
    ):
        assert np.array_equal(one[1], other[1])


def test_minus_one_is_a_class_when_told_so():
    y = np.array([-1, 1] * 10)
    folds = SemiSupervisedSplit(5, unlabeled=None, random_state=0).split(None, y)
    assert sum(len(test) for _, test in folds) == 20


def test_the_seed_decides_the_folds(moons):
    X, y, _ = moons

    def tests(seed):
        return [t.tolist() for _, t in SemiSupervisedSplit(4, random_state=seed).split(X, y)]

    assert tests(3) == tests(3)
    assert tests(3) != tests(4)


@pytest.mark.parametrize(
    ("make", "y", "says"),
    [
        ({"n_splits": 1}, [0, 1], "n_splits must be a whole number of at least 2, got 1"),
        ({"n_splits": 5}, [0, 1, -1], "n_splits=5 needs as many labels, y has 2"),
        ({"n_splits": 3}, [0, 0, 1, 1, -1], "the largest has 2; use n_splits=2 or stratify=False"),
        ({"shuffle": False, "random_state": 0}, [0, 1], "random_state has no effect"),
        ({}, None, "y must be given"),
    ],
)
def test_refusals_say_what_and_the_way_out(make, y, says):
    with pytest.raises(ValueError, match=says):
        list(SemiSupervisedSplit(**make).split(np.zeros((0 if y is None else len(y), 1)), y))


def test_rows_and_labels_must_be_as_many():
    with pytest.raises(ValueError, match="got 3 for 2 rows"):
        list(SemiSupervisedSplit(2).split(np.zeros((2, 1)), [0, 1, 0]))


def test_a_scorer_of_labelled_rows_ignores_the_others(moons):
    X, y, _ = moons
    fitted = LabelSpreading(kernel="knn").fit(X, y)
    rows = y >= 0
    assert accuracy_labeled(fitted, X, y) == accuracy_score(y[rows], fitted.predict(X[rows]))
    weight = np.arange(len(y), dtype=float)
    weighted = labeled_scorer("accuracy")(fitted, X, y, sample_weight=weight)
    said = fitted.predict(X[rows])
    assert weighted == pytest.approx(accuracy_score(y[rows], said, sample_weight=weight[rows]))


def test_a_scorer_refuses_rows_without_a_label(moons):
    X, y, _ = moons
    fitted = LabelSpreading(kernel="knn").fit(X, y)
    with pytest.raises(ValueError, match="none of the 2 rows to score has a label"):
        accuracy_labeled(fitted, X[:2], [-1, -1])
    with pytest.raises(ValueError, match="nonsense"):
        labeled_scorer("nonsense")


def test_selected_parameters_have_the_best_leave_one_out_score(moons):
    X, y, _ = moons
    grid = {
        "transform": [InverseLaplacian(0.5), InverseLaplacian(0.99)],
        "ridge": [1e-4, 1e-2, 1.0],
    }
    found = select_parameters(STKRClassifier(), X, y, grid)
    assert len(found.cells) == 6
    assert 0 <= found.nested_score_ <= 1 and found.nested_error_ > 0
    assert found.best_params_["transform"] in grid["transform"]
    assert found.best_params_["ridge"] in grid["ridge"]
    assert sum(cell["best"] for cell in found.cells) == 1
    assert found.best_estimator_.get_params()["ridge"] == found.best_params_["ridge"]
    # Every score is the share of labels that leave-one-out gets right.
    for cell in found.cells:
        fitted = STKRClassifier(transform=cell["transform"], ridge=cell["ridge"]).fit(X, y)
        left = fitted.leave_one_out()
        said = fitted.classes_[np.asarray(left.scores).reshape(len(left.rows), -1).argmax(axis=1)]
        assert np.mean(said == y[left.rows]) == pytest.approx(cell["score"])


def test_the_default_grid_and_its_frame(moons):
    pytest.importorskip("pandas")
    X, y, _ = moons
    found = select_parameters(STKRClassifier(), X, y)
    frame = found.to_frame()
    assert len(frame) == len(found.cells) > 10
    assert frame["score"].iloc[0] == np.nanmax(found.scores) >= found.best_score_
    assert "optimistic" in str(found) and "nested accuracy" in found._repr_html_()
    again = json.loads(found.to_json())
    assert again["best_score"] == found.best_score_ and len(again["cells"]) == len(found.cells)


def test_a_grid_of_what_is_not_there_is_refused(moons):
    X, y, _ = moons
    with pytest.raises(ValueError, match="grid has 'colour'; of a STKRClassifier it can vary"):
        select_parameters(STKRClassifier(), X, y, {"colour": [1]})
    with pytest.raises(ValueError, match="must hold objects of"):
        select_parameters(STKRClassifier(), X, y, {"transform": [0.9], "ridge": [1.0]})
    with pytest.raises(ValueError, match="grid must name parameters of LabelSpreading"):
        select_parameters(LabelSpreading(), X, y)
    with pytest.raises(ValueError, match="Invalid parameter 'colour'"):
        select_parameters(LabelSpreading(), X, y, {"colour": [1]})
    with pytest.raises(ValueError, match="at least 3 labels"):
        select_parameters(STKRClassifier(), X[:4], np.array([0, 1, -1, -1]))


def test_a_label_curve_is_what_fits_to_fewer_labels_give():
    X, y, full = make_gaussians(150, labels_per_class=20, separation=3.0, random_state=0)
    estimator = STKRClassifier(random_state=0)
    curve = label_curve(estimator, X, y, n_points=4, n_draws=20)
    assert curve.counts.shape == curve.scores.shape == curve.baseline_scores.shape == (4,)
    assert (np.diff(curve.counts) > 0).all() and curve.counts[0] >= 3
    assert curve.n_held_out == 12 and curve.counts[-1] == 48  # a fifth of sixty, and the rest
    assert curve.metric == "accuracy" and "kernel ridge" in curve.baseline
    assert curve.scores[-1] >= 0.9
    assert (curve.bands[:, 0] <= curve.scores).all() and (curve.scores <= curve.bands[:, 1]).all()
    assert np.allclose(curve.gains, curve.scores - curve.baseline_scores)
    again = label_curve(estimator, X, y, n_points=4, n_draws=20)
    assert np.array_equal(curve.scores, again.scores)
    other = label_curve(STKRClassifier(random_state=1), X, y, n_points=4, n_draws=20)
    assert not np.array_equal(curve.scores, other.scores)


def test_a_label_curve_of_numbers_is_of_squared_errors():
    X, y, _ = make_moons(120, labels_per_class=15, random_state=0)
    curve = label_curve(STKRRegressor(), X, np.where(y >= 0, X[:, 0], np.nan))
    assert curve.metric == "mean squared error" and not curve.higher_is_better
    assert np.allclose(curve.gains, curve.baseline_scores - curve.scores)
    assert curve.scores[-1] < curve.scores[0]


def test_a_label_curve_keeps_the_estimators_marker():
    X, y, _ = make_moons(100, labels_per_class=15, random_state=0)
    plain = label_curve(STKRClassifier(), X, y)
    marked = label_curve(STKRClassifier(unlabeled=9), X, np.where(y < 0, 9, y))
    assert np.array_equal(plain.scores, marked.scores)


def test_a_label_curve_refuses_what_it_cannot_draw():
    X, y, _ = make_moons(100, labels_per_class=10, random_state=0)
    with pytest.raises(ValueError, match="too few for a learning curve"):
        few = np.where(np.cumsum(y >= 0) <= 4, y, -1)
        label_curve(STKRClassifier(), X, few)
    with pytest.raises(ValueError, match="repeats and points"):
        label_curve(STKRClassifier(), X, y, n_points=0)
    with pytest.raises(ValueError, match="level"):
        label_curve(STKRClassifier(), X, y, level=1.5)
    with pytest.raises(ValueError, match="too few for a learning curve"):
        label_curve(LogisticRegression(), X, few)
    with pytest.raises(ValueError, match="n_points and n_draws"):
        label_curve(LogisticRegression(), X, y, n_points=0)
    with pytest.raises(ValueError, match="level"):
        label_curve(LogisticRegression(), X, y, level=1.5)


FOREIGN = [
    (LogisticRegression(), "C"),
    (make_pipeline(StandardScaler(), LogisticRegression()), "logisticregression__C"),
    (make_pipeline(StandardScaler(), STKRClassifier()), "stkrclassifier__ridge"),
    (LabelSpreading(kernel="knn", n_neighbors=8), "alpha"),
]


@pytest.mark.parametrize(("estimator", "name"), FOREIGN)
def test_parameters_of_any_estimator_are_chosen_by_folds(moons, estimator, name):
    X, y, full = moons
    numbered = isinstance(estimator, LabelSpreading)
    names = np.array([0, 1, -1] if numbered else ["left", "right", ""])
    words = names[y]
    grid = {name: [0.01, 0.5, 0.9]}
    found = select_parameters(estimator, X, words, grid)
    assert found.folds == 10 and found.n_labels == 40 and found.metric == "accuracy"
    assert "10-fold accuracy" in str(found) and found.nested_score_ is None
    assert json.loads(found.to_json())["folds"] == 10
    best = max(found.cells, key=lambda cell: cell["score"])
    assert found.best_params_ == {name: best[name]} and best["best"]
    for cell in found.cells:
        candidate = clone(estimator).set_params(**{name: cell[name]})
        assert cell["score"] == estimate_accuracy(candidate, X, words).value
    assert found.best_estimator_.get_params()[name] == best[name]
    assert np.mean(found.best_estimator_.predict(X) == names[full]) > 0.8
    if numbered:
        with pytest.raises(TypeError, match="number the classes of y"):
            select_parameters(estimator, X, np.array(["left", "right", ""])[y], grid)


def test_parameters_of_regressors_of_others_are_chosen_by_squared_error():
    X, y, _ = make_moons(120, labels_per_class=15, random_state=0)
    values = np.where(y >= 0, X[:, 0], np.nan)
    found = select_parameters(Ridge(), X, values, {"alpha": [1e-6, 1e3]})
    assert found.metric == "minus squared error" and found.best_params_ == {"alpha": 1e-6}
    assert found.best_score_ == pytest.approx(
        -estimate_accuracy(Ridge(alpha=1e-6), X, values).value
    )


def curve_by_hand(X, y, counts, draws, held):
    """The slow obvious twin, from the labels on: the same draws and its own fits."""
    rows = np.flatnonzero(y >= 0)
    out = np.zeros((draws, len(counts)))
    for draw in range(draws):
        order = rows[np.random.default_rng([0, draw]).permutation(len(rows))]
        first = [next(r for r in order if y[r] == c) for c in (0, 1)]
        first = sorted(first, key=order.tolist().index)
        rest = [r for r in order if r not in first]
        test, order = rest[:held], first + rest[held:]
        for k, count in enumerate(counts):
            model = LogisticRegression().fit(X[order[:count]], y[order[:count]])
            out[draw, k] = model.score(X[test], y[test])
    return out.mean(axis=0)


def test_a_label_curve_of_any_estimator_is_that_of_fits_one_by_one():
    X, y, _ = make_gaussians(150, n_classes=2, labels_per_class=20, separation=2.0, random_state=0)
    curve = label_curve(LogisticRegression(), X, y, n_points=4, n_draws=6)
    assert curve.n_held_out == 8 and curve.counts[0] == 2 and curve.counts[-1] == 32
    assert np.allclose(curve.scores, curve_by_hand(X, y, curve.counts, 6, 8))
    assert curve.baseline == "always the most frequent class" and curve.n_draws == 6
    assert np.allclose(curve.gains, curve.scores - curve.baseline_scores)
    assert (curve.bands[:, 0] <= curve.scores).all() and (curve.scores <= curve.bands[:, 1]).all()
    for estimator, _ in FOREIGN[1:]:
        assert label_curve(estimator, X, y, n_points=2, n_draws=2).scores[-1] > 0.6
    values = np.where(y >= 0, X[:, 0], np.nan)
    numbers = label_curve(Ridge(), X, values, n_points=3)
    assert numbers.metric == "mean squared error" and numbers.n_draws == 10
    assert numbers.scores[-1] < numbers.scores[0] and numbers.baseline == "the mean of the labels"


def test_copies_of_a_row_count_once_in_a_curve_of_any_estimator():
    X, y, _ = make_moons(100, labels_per_class=15, random_state=0)
    twice = np.concatenate([X, X[y >= 0]]), np.concatenate([y, y[y >= 0]])
    once = label_curve(LogisticRegression(), X, y, n_points=3, n_draws=3)
    assert label_curve(LogisticRegression(), *twice, n_points=3, n_draws=3).counts.tolist() == (
        once.counts.tolist()
    )
