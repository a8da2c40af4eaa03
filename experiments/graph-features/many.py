"""Many labels: what the default does where a blend would take too long.

python many.py --half decide                  # prints a table
python many.py --half report --draws 3

Each fit runs in a process of its own, whose largest memory is what it held before the fit and during it. Labels are
drawn at random, all other nodes are judged. `auto` and `stkr` read the graph and the features and the graph alone;
`logistic` is scikit-learn's logistic regression (C = 1) on four averages of the features, with 512 directions
of more columns, as the command has them; their time is not counted.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
import warnings

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "2")

import numpy as np
from scipy import sparse

import sets

SETS = ("pubmed", "dblp", "coauthor_cs", "coauthor_physics", "amazon_photo", "amazon_computers")
LABELS = (3_000, 10_000)
ETAS = (0.8, 0.85, 0.9, 0.95)
DIRECTIONS = 512


def marked(s, rows):
    y = np.full(len(s.y), -1)
    y[rows] = s.y[rows]
    return y


def auto(s, rows):
    from isotherm import AutoClassifier

    return AutoClassifier(graph=s.A).fit(s.X, marked(s, rows)).transduction_


def stkr(s, rows):
    from isotherm import STKRClassifier

    return STKRClassifier(graph=s.A).fit(None, marked(s, rows)).transduction_


def averages(s):
    """Four averages side by side, each with rows of length 1."""
    A = s.A + sparse.identity(len(s.y))
    root = sparse.diags(np.asarray(A.sum(1)).ravel() ** -0.5)
    S = sparse.csr_matrix(root @ A @ root, dtype=np.float32)
    length = np.sqrt(np.asarray(s.X.multiply(s.X).sum(1)).ravel())
    X = sparse.csr_matrix(sparse.diags(1 / np.where(length > 0, length, 1)) @ s.X, dtype=np.float32)

    def smooth(Z, eta, steps):
        step, total = (1 - eta) * Z, (1 - eta) * Z
        for _ in range(steps):
            step = eta * (S @ step)
            total = total + step
        return total

    columns = X.shape[1]
    if columns > DIRECTIONS:
        V = np.random.default_rng(0).uniform(-1, 1, (columns, DIRECTIONS)).astype(np.float32)
        for _ in range(2):
            V = np.linalg.qr(X.T @ smooth(smooth(X @ V, 0.8, 20), 0.8, 20))[0]
        X = X @ V
    else:
        X = X.toarray()
    found = [smooth(X, eta, int(np.log(1e-3) / np.log(eta))) for eta in ETAS]
    return np.hstack([Z / np.maximum(np.linalg.norm(Z, axis=1, keepdims=True), 1e-12) for Z in found])


def logistic(s, rows):
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=300).fit(s.Z[rows], s.y[rows]).predict(s.Z)


METHODS = {"auto": auto, "stkr": stkr, "logistic": logistic}


def one(name, labels, draw, method):
    """One fit, here."""
    warnings.simplefilter("ignore")
    s = sets.load(f"{name}.largest")
    rng = np.random.default_rng(sets.seed(name, labels, draw))
    order = rng.permutation(np.flatnonzero(s.y >= 0))
    rows, judged = np.sort(order[:labels]), order[labels:]
    if method == "logistic":
        s.Z = averages(s)
    start = time.perf_counter()
    said = METHODS[method](s, rows)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return {"accuracy": float(np.mean(said[judged] == s.y[judged])), "seconds": seconds, "gb": peak}


def main():
    said = argparse.ArgumentParser()
    said.add_argument("--half", choices=("decide", "report"), required=True)
    said.add_argument("--draws", type=int, default=2)
    said.add_argument("--methods", default=",".join(METHODS))
    said.add_argument("--one", help="set/labels/draw/method, for the process of one fit")
    args = said.parse_args()
    if args.one:
        name, labels, draw, method = args.one.split("/")
        print(json.dumps(one(name, int(labels), int(draw), method)))
        return
    print("| set | nodes | labels | method | accuracy | seconds | peak GB |\n|---|---|---|---|---|---|---|")
    for name in (name for name in SETS if sets.half(name) == args.half):
        nodes = int(np.sum(sets.load(f"{name}.largest").y >= 0))
        for labels in (count for count in LABELS if count < 0.8 * nodes):
            for method in args.methods.split(","):
                found = []
                for draw in range(args.draws):
                    what = f"{name}/{labels}/{draw}/{method}"
                    call = [sys.executable, __file__, "--half", args.half, "--one", what]
                    done = subprocess.run(call, capture_output=True, text=True, check=True)
                    found.append(json.loads(done.stdout.splitlines()[-1]))
                mean = {key: np.mean([run[key] for run in found]) for key in found[0]}
                print(
                    f"| {name} | {nodes:,} | {labels:,} | {method} | {100 * mean['accuracy']:.1f} | "
                    f"{mean['seconds']:.1f} | {mean['gb']:.1f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
