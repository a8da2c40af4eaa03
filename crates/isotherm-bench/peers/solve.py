"""(I − ηS) F = Y by the peers, on the graph in a folder; prints JSON.

Usage: solve.py FOLDER TOLERANCE PATIENCE ETA...

The folder holds starts.npy, columns.npy and labels.npy: a class for each
labelled node, −1 elsewhere. PATIENCE is how many seconds one run of a peer may
take before it is left out or cut short. Times leave out what is done once for
a graph: reading it and normalising it; set-up that depends on η is in.
Residuals are ‖Y − (I − ηS)F‖/‖Y‖ of the worst class, in float64, for all.
"""

import json
import os
import sys
import time
import warnings

import numpy as np
import scipy.sparse
import scipy.sparse.linalg

warnings.filterwarnings("ignore")


def block_cg(s, eta, y, tolerance, limit=20_000):
    """All classes at once, each with its own step lengths, updates in place."""
    x = np.zeros_like(y)
    r, p = y.copy(), y.copy()
    rho = np.einsum("ij,ij->j", r, r)
    goal = tolerance**2 * rho
    temporary = np.empty_like(y)
    for iteration in range(1, limit):
        q = s @ p
        q *= -eta
        q += p
        alpha = rho / np.einsum("ij,ij->j", p, q)
        np.multiply(p, alpha, out=temporary)
        x += temporary
        q *= alpha
        r -= q
        new = np.einsum("ij,ij->j", r, r)
        if (new <= goal).all():
            break
        p *= new / rho
        p += r
        rho = new
    return x, iteration


def cg_per_class(s, eta, y, tolerance):
    n = s.shape[0]
    a = scipy.sparse.linalg.LinearOperator((n, n), matvec=lambda v: v - eta * (s @ v))
    f = np.empty_like(y)
    most = 0
    for c in range(y.shape[1]):
        count = [0]

        def step(_):
            count[0] += 1

        f[:, c], _ = scipy.sparse.linalg.cg(a, y[:, c], rtol=tolerance, callback=step)
        most = max(most, count[0])
    return f, most


def with_pyamg(s, eta, y, tolerance):
    import pyamg

    a = (scipy.sparse.eye_array(s.shape[0], format="csr") - eta * s).tocsr()
    a = scipy.sparse.csr_matrix(a)
    levels = pyamg.smoothed_aggregation_solver(a)
    m = levels.aspreconditioner()
    f = np.empty_like(y)
    most = 0
    for c in range(y.shape[1]):
        count = [0]

        def step(_):
            count[0] += 1

        f[:, c], _ = scipy.sparse.linalg.cg(a, y[:, c], rtol=tolerance, M=m, callback=step)
        most = max(most, count[0])
    return f, most


def with_graphlearning(w, eta, labels, tolerance):
    """Its `randomwalk` is the same system under the same unknowns, S without loops."""
    import graphlearning as gl

    count = [0]
    original = gl.utils.conjgrad

    def to_the_same_residual(a, b, **_):
        # Its source stops at an absolute 1e-6 over all classes; this is ours.
        counted = Counted(a)
        x = original(counted, b, tol=tolerance * np.linalg.norm(b))
        count[0] = counted.products - 1
        return x

    gl.utils.conjgrad = to_the_same_residual
    try:
        train = np.flatnonzero(labels >= 0)
        u = gl.ssl.randomwalk(w, alpha=eta).fit(train, labels[train])
    finally:
        gl.utils.conjgrad = original
    return u, count[0]


class Counted(scipy.sparse.csr_matrix):
    """A matrix that counts its products and keeps the last."""

    products = 0
    last = None

    def __matmul__(self, other):
        self.last = super().__matmul__(other)
        self.products += 1
        return self.last


def with_sklearn(s, eta, labels, y, iterations):
    """LabelSpreading on this graph instead of its own kernel; its unnormalised F."""
    from sklearn.semi_supervised import LabelSpreading

    class OnThisGraph(LabelSpreading):
        def _build_graph(self):
            return s

    model = OnThisGraph(kernel="knn", alpha=eta, max_iter=iterations)
    model.fit(np.zeros((s.shape[0], 1)), labels)
    return None, model.n_iter_


def main():
    folder, tolerance, patience = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
    etas = [float(e) for e in sys.argv[4:]]

    def load(name):
        return np.load(os.path.join(folder, name + ".npy"))

    starts, columns = load("starts").astype(np.int32), load("columns").astype(np.int32)
    labels = load("labels").astype(np.int64)
    n = len(starts) - 1
    w = scipy.sparse.csr_matrix((np.ones(len(columns)), columns, starts), shape=(n, n))
    degrees = np.asarray(w.sum(axis=1)).ravel()
    roots = np.divide(1, np.sqrt(degrees), out=np.zeros(n), where=degrees > 0)
    d = scipy.sparse.diags(roots)
    s = (d @ w @ d).tocsr()
    s.sort_indices()
    classes = labels.max() + 1
    y = np.zeros((n, classes))
    y[labels >= 0, labels[labels >= 0]] = 1.0

    def residual(f, eta):
        left = y - (f - eta * (s @ f))
        return float((np.linalg.norm(left, axis=0) / np.linalg.norm(y, axis=0)).max())

    answers = []

    def measure(name, eta, work, solution, repeat=3):
        times = []
        while len(times) < repeat and sum(times) < patience:
            begin = time.perf_counter()
            value, iterations = work()
            times.append(time.perf_counter() - begin)
        answers.append(
            {
                "name": name,
                "eta": eta,
                "seconds": min(times),
                "iterations": int(iterations),
                "residual": residual(solution(value), eta),
                "capped": False,
            }
        )
        return min(times)

    def same(f):
        return f

    counted = Counted(s)
    for eta in etas:
        measure("scipy block CG", eta, lambda: block_cg(s, eta, y, tolerance), same)
        measure("scipy CG per class", eta, lambda: cg_per_class(s, eta, y, tolerance), same)
        measure(
            "graphlearning randomwalk",
            eta,
            lambda: with_graphlearning(w, eta, labels, tolerance),
            same,
            repeat=2,
        )
        if n <= 50_000:
            measure("pyamg + CG", eta, lambda: with_pyamg(s, eta, y, tolerance), same, repeat=1)
        # It keeps only rows divided by their sums; F before that is αSF' + (1 − α)Y,
        # which is (1 − α) times the solution.
        unscaled = lambda _: (eta * counted.last + (1 - eta) * y) / (1 - eta)
        seconds = measure(
            "scikit-learn LabelSpreading, 30 iterations",
            eta,
            lambda: with_sklearn(counted, eta, labels, y, 30),
            unscaled,
        )
        most = max(31, int(30 * patience / seconds))
        measure(
            "scikit-learn LabelSpreading, to its own tolerance",
            eta,
            lambda: with_sklearn(counted, eta, labels, y, most),
            unscaled,
            repeat=1,
        )
        answers[-1]["capped"] = answers[-1]["iterations"] >= most
    print(json.dumps(answers))


if __name__ == "__main__":
    main()
