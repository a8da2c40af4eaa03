"""Threads, forks, signals and the interpreter's lock."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import two_moons
from sklearn.model_selection import GridSearchCV

import isotherm

MODELS = [
    isotherm.STKRClassifier(),
    isotherm.STKRClassifier("gaussian"),
    isotherm.STKRClassifier("gaussian", solver="cg"),
    isotherm.LaplacianClassifier(),
    isotherm.LabelPropagation(),
    isotherm.HarmonicClassifier(),
    isotherm.KernelRidgeClassifier(),
]


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_results_do_not_depend_on_threads(model):
    X, y, _ = two_moons(700, labels=20)
    found = []
    for n_jobs in (1, 2, 3, 7, None, -1):
        model.set_params(n_jobs=n_jobs).fit(X, y)
        found.append((model.decision_, model.predict_proba(X)))
    for scores, p in found[1:]:
        assert scores.tobytes() == found[0][0].tobytes()
        assert p.tobytes() == found[0][1].tobytes()


def test_a_search_over_processes():
    X, y, _ = two_moons(200, labels=30)
    known = y != -1
    grid = {"transform__eta": [0.5, 0.9, 0.99]}
    scores = [
        GridSearchCV(isotherm.STKRClassifier(n_jobs=1), grid, cv=3, n_jobs=n_jobs)
        .fit(X[known], y[known])
        .cv_results_["mean_test_score"]
        for n_jobs in (1, 2)
    ]
    assert (scores[0] == scores[1]).all()


def test_threads_of_n_jobs():
    cores = os.cpu_count()
    threads = lambda n: isotherm.STKRClassifier(n_jobs=n)._threads()  # noqa: E731
    assert threads(None) is None
    assert threads(3) == 3
    assert threads(-1) == cores
    assert threads(-2) == max(1, cores - 1)


def test_fits_after_a_fork():
    """A child made by fork, as joblib's multiprocessing backend makes them, can fit too."""
    code = """
import os, sys
sys.path.insert(0, {here!r})
from conftest import two_moons
import isotherm
X, y, _ = two_moons(300)
first = isotherm.STKRClassifier().fit(X, y).decision_
child = os.fork()
if child == 0:
    ok = (isotherm.STKRClassifier().fit(X, y).decision_ == first).all()
    os._exit(0 if ok else 1)
_, status = os.waitpid(child, 0)
again = isotherm.STKRClassifier().fit(X, y).decision_
sys.exit(os.waitstatus_to_exitcode(status) or int(not (again == first).all()))
"""
    done = _python(code).wait(timeout=60)
    assert done == 0


def test_ctrl_c_returns_within_half_a_second():
    """At three moments of a long fit; the interpreter lives on and can fit again."""
    code = """
import signal, sys, time
sys.path.insert(0, {here!r})
import numpy as np
from conftest import two_moons
import isotherm
X = np.random.default_rng(0).normal(size=(60_000, 60))
y = np.where(np.arange(60_000) < 4000, np.arange(60_000) % 2, -1)
isotherm.STKRClassifier  # scikit-learn is imported before the first interrupt
print("ready", flush=True)
while True:
    try:
        isotherm.STKRClassifier("gaussian", bandwidth=3.0).fit(X, y)
        print("finished", flush=True)
        break
    except KeyboardInterrupt:
        print("stopped", time.time(), flush=True)
        if sys.stdin.readline().strip() == "end":
            break
small, labels, _ = two_moons(100)
print("alive", isotherm.STKRClassifier().fit(small, labels).score(small, labels), flush=True)
"""
    child = _python(code, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline().strip() == "ready"
        for k, wait in enumerate((1.5, 3.0, 5.0)):
            time.sleep(wait)
            sent = time.time()
            child.send_signal(signal.SIGINT)
            word, when = child.stdout.readline().split()
            assert word == "stopped", "the fit was over before it was stopped"
            assert float(when) - sent < 0.5
            child.stdin.write("end\n" if k == 2 else "on\n")
            child.stdin.flush()
        assert child.stdout.readline().startswith("alive")
        assert child.wait(timeout=30) == 0
    finally:
        child.kill()


def test_other_threads_run_while_rust_works():
    X = np.random.default_rng(0).normal(size=(30_000, 40))
    y = np.where(np.arange(30_000) < 200, np.arange(30_000) % 2, -1)
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.002)

    watcher = threading.Thread(target=tick)
    watcher.start()
    start = time.perf_counter()
    isotherm.STKRClassifier(n_jobs=1).fit(X, y)
    end = time.perf_counter()
    stop.set()
    watcher.join()
    assert end - start > 0.3, "the fit was too short to tell"
    during = [t for t in ticks if start < t < end]
    # Without the lock a tick comes every few milliseconds; with it there would be none.
    assert len(during) > 20 * (end - start)


def test_an_error_in_a_callback_stops_the_work():
    X, y, _ = two_moons(2000)

    class Stop(Exception):
        pass

    class Watched(isotherm.STKRClassifier):
        def _on_event(self):
            def stop(*event):
                raise Stop(event[1])

            return stop

    with pytest.raises(Stop):
        Watched("gaussian").fit(X, y)


def _python(code, **kwargs):
    here = os.path.dirname(__file__)
    ours = os.path.dirname(os.path.dirname(isotherm.__file__))
    path = os.pathsep.join([ours, os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.Popen(
        [sys.executable, "-c", code.format(here=here)], env=environment, **kwargs
    )
