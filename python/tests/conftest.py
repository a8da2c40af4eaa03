"""Data that several tests share."""

import os
import re

# Before scipy is loaded: else scikit-learn skips its array API check.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

import numpy as np
import pytest


def two_moons(n=200, labels=4, seed=0, unlabelled=-1):
    """Two half circles, a few labels a class; X, y with gaps, and the truth."""
    draw = np.random.default_rng(seed)
    angle = draw.uniform(0, np.pi, n)
    truth = np.arange(n) % 2
    x = np.where(truth == 0, np.cos(angle), 1 - np.cos(angle))
    y = np.where(truth == 0, np.sin(angle), 0.5 - np.sin(angle))
    X = np.column_stack([x, y]) + draw.normal(0, 0.05, (n, 2))
    known = np.full(n, unlabelled)
    for c in (0, 1):
        known[draw.permutation(np.flatnonzero(truth == c))[:labels]] = c
    return X, known, truth


@pytest.fixture
def moons():
    return two_moons()


#: What may be missing: engines too large to install for every run, and the real data, without
#: which ``.ci/run`` does not begin.
MAY_BE_MISSING = re.compile(r"\b(ray|pyspark|ISOTHERM_DATA)\b")
_left_out: list[str] = []


def _note(report):
    if report.skipped and not hasattr(report, "wasxfail"):
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if not MAY_BE_MISSING.search(why):
            _left_out.append(f"{report.nodeid}: {why}")


def pytest_runtest_logreport(report):
    _note(report)


def pytest_collectreport(report):
    _note(report)


def pytest_sessionfinish(session):
    """Under ``make test`` a test that did not run is a failure, not a success."""
    if os.environ.get("ISOTHERM_ALL") and _left_out and session.exitstatus == 0:
        session.exitstatus = 1


def pytest_terminal_summary(terminalreporter):
    if os.environ.get("ISOTHERM_ALL"):
        for line in _left_out:
            terminalreporter.write_line(f"NOT RUN: {line}", red=True)
