"""The notebook's view of a fitted estimator, and versions."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import BaseEstimator

from isotherm import STKRClassifier, show_versions
from isotherm._repr import FittedSummaryMixin, fitted_rows
from isotherm._versions import versions
from isotherm.datasets import make_moons


@pytest.fixture(scope="module")
def fitted():
    X, y, _ = make_moons(150, random_state=0)
    return STKRClassifier().fit(X, y)


def test_a_fitted_estimator_has_the_diagram_and_the_table(fitted):
    page = fitted._repr_html_()
    assert "sk-top-container" in page and 'class="isotherm-fitted"' in page
    rows = dict(fitted_rows(fitted))
    assert rows["rows"] == "150" and rows["labelled"] == "20"
    assert rows["classes"] == "2 (0, 1)" and rows["reached"] == "100 %"
    assert float(rows["relative residual"]) < 1e-3
    assert 'class="isotherm-fitted"' in fitted._repr_mimebundle_()["text/html"]


def test_an_estimator_that_is_not_fitted_has_the_diagram_only():
    assert "isotherm-fitted" not in STKRClassifier()._html_repr()


def test_text_displays_have_no_html():
    with config_context(display="text"):
        assert not hasattr(STKRClassifier(), "_repr_html_")


class Fake(FittedSummaryMixin, BaseEstimator):
    def fit(self, classes, reached):
        self.classes_, self.reached_ = classes, reached
        self.transduction_ = reached
        self.report_ = {"solver": "<b>cg</b>", "labelled": 3, "report": {"residual": 1e-9}}
        return self


def test_everything_is_escaped_and_long_lists_are_cut():
    classes = np.array(["<script>alert(1)</script>", "x" * 60, *"abcdefg"])
    page = Fake().fit(classes, np.ones(4, dtype=bool))._html_repr()
    table = page[page.index("isotherm-fitted") :]
    assert "<script>" not in table and "<b>" not in table and "&lt;b&gt;cg" in table
    assert "9 (" in table and "x" * 30 not in table


def test_a_share_below_one_is_never_told_as_all():
    reached = np.ones(100_000, dtype=bool)
    reached[0] = False
    rows = dict(fitted_rows(Fake().fit(np.array([0, 1]), reached)))
    assert rows["reached"] == "99.9 % (1 rows are not)"


def test_versions_are_told(capsys):
    show_versions()
    told = capsys.readouterr().out
    assert told.startswith("isotherm: ")
    found = versions()
    assert found["numpy"] == np.__version__
    assert all(f"{name}: " in told for name in ("python", "scikit-learn", "numpy"))
