"""The Python package beside scikit-learn, in one run; writes a page of Markdown.

Usage: python_bench.py PAGE [--wheels FOLDER] [--rows-of-memmap N]

Measures the installed package: what Python costs beside the core, neighbours and prediction
beside scikit-learn, the peak memory of a fit on a mapped file of 1 GB, the import, the wheel.
Every time is the least of its repetitions; memory is VmHWM of a process of its own.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import textwrap
import time
import warnings
from pathlib import Path

import numpy as np
import sklearn
from sklearn.kernel_ridge import KernelRidge
from sklearn.semi_supervised import LabelSpreading

import isotherm as iso
from isotherm import _core

warnings.filterwarnings("ignore")


def least(repetitions, work, *given):
    """The shortest time of some."""
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        work(*given)
        times.append(time.perf_counter() - start)
    return min(times)


def clusters(n, dim, classes=10, seed=0):
    """Rows around centres, and labels of which 5 a class are known."""
    draw = np.random.default_rng(seed)
    truth = draw.integers(classes, size=n)
    x = draw.normal(size=(n, dim)) + 2.0 * draw.normal(size=(classes, dim))[truth]
    y = np.full(n, -1)
    for c in range(classes):
        y[np.flatnonzero(truth == c)[:5]] = c
    return x, y, truth


class Inside:
    """Time spent in the core's ``fit`` while a fit runs."""

    def __init__(self):
        self.spent = 0.0

    def __enter__(self):
        self._fit = _core.fit

        def timed(*args, **kwargs):
            start = time.perf_counter()
            try:
                return self._fit(*args, **kwargs)
            finally:
                self.spent += time.perf_counter() - start

        _core.fit = timed
        return self

    def __exit__(self, *_):
        _core.fit = self._fit


def overhead():
    """What Python adds to fits of about a second."""
    rows = []
    # Here and below rows are as the peers see them: not scaled.
    laplacian = iso.LaplacianClassifier(
        landmarks=150, bandwidth=6.0, filter=iso.Tikhonov(1e-3), standardize=False
    )
    cases = (
        ("STKRClassifier(kernel='knn')", 10_000, iso.STKRClassifier(kernel="knn", standardize=False)),
        ("LaplacianClassifier(landmarks=150)", 120_000, laplacian),
    )
    for name, n, model in cases:
        x, y, _ = clusters(n, 20)
        name = f"{name}, {n:,} × 20"
        whole, inside = np.inf, 0.0
        for _ in range(3):
            with Inside() as watch:
                start = time.perf_counter()
                model.fit(x, y)
                spent = time.perf_counter() - start
            if spent < whole:
                whole, inside = spent, watch.spent
        share = (whole - inside) / whole
        rows.append(
            (
                f"Python's share of {name}",
                "< 5 %",
                f"{100 * share:.2f} %",
                share < 0.05,
                f"{whole:.2f} s in all",
            )
        )
    return rows


def neighbours():
    """Label propagation over nearest neighbours at 20,000 rows."""
    rows = []
    for dim in (10, 50):
        x, y, truth = clusters(20_000, dim)
        peer = LabelSpreading(kernel="knn", n_neighbors=10, alpha=0.8)
        theirs = least(4, peer.fit, x, y)
        right = np.mean(peer.transduction_ == truth)
        for model in (
            iso.LabelPropagation(eta=0.8, n_neighbors=10, standardize=False),
            iso.STKRClassifier(kernel="knn", n_neighbors=10, standardize=False),
        ):
            ours = least(4, model.fit, x, y)
            told = np.mean(model.transduction_ == truth)
            rows.append(
                (
                    f"{type(model).__name__} beside LabelSpreading(kernel='knn'), 20,000 × {dim}",
                    "≥ 5×",
                    f"{theirs / ours:.1f}×",
                    theirs / ours >= 5,
                    f"{ours:.3f} s and {theirs:.3f} s; right {told:.3f} and {right:.3f}",
                )
            )
    return rows


def prediction():
    """Prediction by a kernel expansion over 2,000 rows, d = 50."""
    x, y, truth = clusters(2_000, 50)
    new = clusters(50_000, 50, seed=1)[0]
    target, scale = truth.astype(float), 10.0
    peer = KernelRidge(kernel="rbf", gamma=1 / (2 * scale**2), alpha=1.0).fit(x, target)
    theirs = least(7, peer.predict, new)
    rows = []
    for model in (
        iso.KernelRidge(kernel="gaussian", bandwidth=scale, standardize=False),
        iso.STKRRegressor(kernel="gaussian", bandwidth=scale, standardize=False),
    ):
        model.fit(x, target)
        ours = least(7, model.predict, new)
        rows.append(
            (
                f"{type(model).__name__}.predict beside scikit-learn KernelRidge.predict, "
                f"50,000 × 50 by 2,000 rows",
                "≥ 3×",
                f"{theirs / ours:.1f}×",
                theirs / ours >= 3,
                f"{ours:.3f} s and {theirs:.3f} s",
            )
        )
    return rows


MAPPED = """
    import sys, time
    import numpy as np
    import isotherm as iso

    def status(key):
        lines = open("/proc/self/status")
        return next(int(l.split()[1]) for l in lines if l.startswith(key)) * 1024

    n, dim = int(sys.argv[2]), int(sys.argv[3])
    said = dict(landmarks=50, bandwidth=8.0, filter=iso.Tikhonov(1e-3), norm_share=1e-4,
                standardize=False)
    small = np.random.default_rng(0).normal(size=(500, dim)).astype("f4")
    iso.LaplacianClassifier(**said).fit(small, [0, 1] + [-1] * 498)
    X = np.memmap(sys.argv[1], dtype="f4", mode="r", shape=(n, dim))
    y = np.full(n, -1)
    y[:200] = X[:200, 0] > 0
    before, start = status("VmRSS"), time.perf_counter()
    iso.LaplacianClassifier(**said).fit(X, y)
    sys.stdout.write(f"{status('VmHWM') - before} {time.perf_counter() - start}")
"""


def mapped(n, dim=50):
    """Peak memory of a fit on a mapped file of 32-bit floats."""
    size = 4 * n * dim
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.f4")
        draw = np.random.default_rng(0)
        with open(path, "wb") as file:
            for first in range(0, n, 100_000):
                part = draw.standard_normal((min(100_000, n - first), dim), dtype=np.float32)
                file.write(part.tobytes())
        command = [sys.executable, "-c", textwrap.dedent(MAPPED), path, str(n), str(dim)]
        done = subprocess.run(command, capture_output=True, check=True, text=True)
    grown, spent = (float(v) for v in done.stdout.split())
    return [
        (
            f"peak memory of LaplacianClassifier.fit, mapped file of {size / 1e9:.2f} GB",
            "< 1.3×",
            f"{grown / size:.2f}×",
            grown < 1.3 * size,
            f"{grown / 1e6:.0f} MB in all; {spent:.0f} s",
        )
    ]


def footprint(wheels):
    """The import, the first use, and the wheel."""

    def started(code):
        return least(5, lambda: subprocess.run([sys.executable, "-c", code], check=True))

    bare = started("pass")
    rows = []
    for what, code in (
        ("import isotherm", "import isotherm"),
        (
            "the first estimator, with scikit-learn's import",
            "import isotherm as i; i.KernelRidge()",
        ),
    ):
        spent = max(0.0, started(code) - bare)
        goal = what.startswith("import")
        detail = f"beside {bare:.3f} s for Python itself"
        met = spent < 0.3 if goal else None
        rows.append((what, "< 0.3 s" if goal else "–", f"{spent:.3f} s", met, detail))
    found = sorted(Path(wheels).glob("isotherm-*.whl")) if wheels else []
    for wheel in found:
        size = wheel.stat().st_size / 1e6
        rows.append(("the wheel", "< 15 MB", f"{size:.1f} MB", size < 15, wheel.name))
    return rows


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        names = [line.split(": ", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{names[0] if names else platform.processor()}, {os.cpu_count()} cores"


def page(rows, command):
    lines = [
        "# Benchmarks of the Python package",
        "",
        f"{processor()}; Python {platform.python_version()}, numpy {np.__version__}, scikit-learn "
        f"{sklearn.__version__}; the least time of repetitions; load average at the end "
        f"{os.getloadavg()[0]:.2f}. Command: `{command}`",
        "",
        "| what | goal | measured | met | detail |",
        "|---|---|---|---|---|",
    ]
    met = {True: "yes", False: "**no**", None: "–"}
    lines += [
        f"| {w} | {g} | {m} | {met[bool(k) if k is not None else None]} | {d} |"
        for w, g, m, k, d in rows
    ]
    lines += [
        "",
        "- Python's share is what a whole `fit` takes beside its one call of the core.",
        "- LabelSpreading runs with its own tolerance of 1e-3 and at most 30 iterations; ours "
        "solve to 1e-10 or better and calibrate probabilities by leave-one-out.",
        "- Peak memory is the highest resident memory of a process less what it had before the "
        "fit: pages of the mapped file count, and so does the working set, for which nothing is "
        "taken off.",
        "",
    ]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--wheels")
    parser.add_argument("--rows-of-memmap", type=int, default=5_000_000)
    args = parser.parse_args()
    rows = [
        *overhead(),
        *neighbours(),
        *prediction(),
        *mapped(args.rows_of_memmap),
        *footprint(args.wheels),
    ]
    Path(args.page).write_text(
        page(rows, f"python_bench.py {Path(args.page).name}"), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
