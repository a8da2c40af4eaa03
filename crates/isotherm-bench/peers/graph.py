"""S @ B with scipy.sparse on the graph in a folder; prints its times as JSON.

Usage: graph.py FOLDER WIDTH...

The folder holds starts.npy, columns.npy, weights.npy (if weighted), and for
each width block-W.npy and our result ours-W.npy.
"""

import json
import os
import sys
import time

import numpy as np
import scipy
import scipy.sparse


def best(work):
    """Minimum of at least five runs, more while they are short."""
    work()
    times = []
    begin = time.perf_counter()
    while len(times) < 5 or (time.perf_counter() - begin < 1.0 and len(times) < 50):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main():
    folder, widths = sys.argv[1], [int(w) for w in sys.argv[2:]]

    def load(name):
        return np.load(os.path.join(folder, name + ".npy"))

    # int32 indices are scipy's fastest.
    starts, columns = load("starts").astype(np.int32), load("columns").astype(np.int32)
    weighted = os.path.exists(os.path.join(folder, "weights.npy"))
    weights = load("weights") if weighted else np.ones(len(columns))
    n = len(starts) - 1
    w = scipy.sparse.csr_array((weights, columns, starts), shape=(n, n))
    degrees = w.sum(axis=1)
    roots = np.divide(1, np.sqrt(degrees), out=np.zeros(n), where=degrees > 0)
    d = scipy.sparse.diags_array(roots)
    s = (d @ w @ d).tocsr()
    s.sort_indices()

    seconds, difference = [], 0.0
    for width in widths:
        block, ours = load(f"block-{width}"), load(f"ours-{width}")
        theirs = s @ block
        scale = np.abs(theirs).max()
        difference = max(difference, float(np.abs(theirs - ours).max() / scale))
        seconds.append(best(lambda: s @ block))
    name = f"scipy {scipy.__version__} `S @ B`, 1 thread"
    print(json.dumps({"name": name, "seconds": seconds, "difference": difference}))


if __name__ == "__main__":
    main()
