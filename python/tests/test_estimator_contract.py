"""scikit-learn's own checks, all of them but one, and that one in our own words."""

import numpy as np
import pytest
from estimators import CLASSIFIERS, ENCODERS, EVERY, REGRESSORS, TRANSFORMERS
from sklearn.datasets import make_blobs
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_checks as checks
from sklearn.utils import shuffle
from sklearn.utils.estimator_checks import parametrize_with_checks

import isotherm

#: The one check that cannot hold: it uses −1 as a class.
EXPECTED_FAILED_CHECKS = {"check_classifiers_classes": "-1 means unlabelled"}

#: scikit-learn does not ask this of classes with these names, so it passes there.
EXEMPT_NAMES = {"LabelPropagation"}


def expected(estimator):
    classifier = type(estimator) in CLASSIFIERS and type(estimator).__name__ not in EXEMPT_NAMES
    return EXPECTED_FAILED_CHECKS if classifier else {}


@parametrize_with_checks([cls() for cls in [*EVERY, *ENCODERS]], expected_failed_checks=expected)
def test_scikit_learn(estimator, check):
    check(estimator)


def test_one_expected_failure():
    assert len(EXPECTED_FAILED_CHECKS) == 1
    for cls in EVERY:
        failed = expected(cls())
        assert set(failed) <= {"check_classifiers_classes"}
        assert not failed or cls in CLASSIFIERS


@pytest.mark.parametrize("cls", CLASSIFIERS)
def test_the_expected_failure_fails_for_the_reason_given(cls):
    """With −1 as the only other class the refusal names the way out, which then works."""
    X, y = _binary()
    y = np.where(y == 0, -1, 1)
    with pytest.raises(ValueError, match="unlabeled=None"):
        cls().fit(X, y)
    model = cls(unlabeled=None).fit(X, y)
    assert model.classes_.tolist() == [-1, 1]
    assert (model.predict(X) == y).all()


def _binary():
    X, y = _blobs()
    return X[y != 2], y[y != 2]


def _blobs():
    X, y = make_blobs(n_samples=30, random_state=0, cluster_std=0.1)
    X, y = shuffle(X, y, random_state=7)
    return StandardScaler().fit_transform(X), y


@pytest.mark.parametrize("cls", CLASSIFIERS)
@pytest.mark.parametrize(
    "names",
    [
        np.array([0, 1]),
        np.array(["one", "two"]),
        np.array(["one", "two"], dtype=object),
        np.array([0, 1, 2]),
        np.array(["one", "two", "three"]),
        np.array(["one", "two", "three"], dtype=object),
    ],
    ids=lambda names: f"{len(names)}-{names.dtype.kind}",
)
def test_classes(cls, names):
    """check_classifiers_classes without −1."""
    X, y = _binary() if len(names) == 2 else _blobs()
    named = names[y]
    model = cls().fit(X, named)
    classes = np.unique(named)
    predicted = model.predict(X)
    assert (predicted == named).all()
    assert (model.classes_ == classes).all()
    decision = model.decision_function(X)
    if len(names) == 2:
        assert (classes[(decision > 0).astype(int)] == predicted).all()
    else:
        assert (classes[decision.argmax(axis=1)] == predicted).all()


PUBLIC = [
    checks.check_dataframe_column_names_consistency,
    checks.check_param_validation,
    checks.check_inplace_ensure_writeable,
]
PUBLIC_TRANSFORMER = [
    checks.check_set_output_transform,
    checks.check_set_output_transform_pandas,
    checks.check_set_output_transform_polars,
    checks.check_global_output_transform_pandas,
    checks.check_global_set_output_transform_polars,
    checks.check_transformer_get_feature_names_out,
    checks.check_transformer_get_feature_names_out_pandas,
    checks.check_get_feature_names_out_error,
]


@pytest.mark.parametrize("cls", [*EVERY, *ENCODERS])
@pytest.mark.parametrize("check", PUBLIC, ids=lambda check: check.__name__)
def test_public_checks(cls, check):
    check(cls.__name__, cls())


@pytest.mark.parametrize("cls", [*TRANSFORMERS, *ENCODERS])
@pytest.mark.parametrize("check", PUBLIC_TRANSFORMER, ids=lambda check: check.__name__)
def test_public_checks_of_transformers(cls, check):
    check(cls.__name__, cls())


def test_every_public_estimator_is_here():
    listed = {cls.__name__ for cls in [*EVERY, *ENCODERS]}
    found = {
        name
        for name in isotherm.__all__
        if isinstance(getattr(isotherm, name), type) and hasattr(getattr(isotherm, name), "fit")
    }
    assert found == listed
    assert len(REGRESSORS) + len(CLASSIFIERS) + len(TRANSFORMERS) < len(EVERY)
