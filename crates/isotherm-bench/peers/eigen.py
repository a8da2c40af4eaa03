"""The leading eigenpairs of a graph's S with scipy's eigsh; prints JSON.

Usage: eigen.py GRAPH.npz COUNT TOLERANCE

One run: it takes minutes.
"""

import json
import sys
import time

import numpy as np
import scipy
import scipy.sparse
import scipy.sparse.linalg


def main():
    file, count, tolerance = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    with np.load(file) as arrays:
        edges, n = arrays["edges"], len(arrays["labels"])
    edges = edges[edges[:, 0] != edges[:, 1]]
    both = np.concatenate([edges, edges[:, ::-1]])
    w = scipy.sparse.csr_array((np.ones(len(both)), (both[:, 0], both[:, 1])), shape=(n, n))
    w.sum_duplicates()
    w.data[:] = 1
    degrees = w.sum(axis=1)
    roots = np.divide(1, np.sqrt(degrees), out=np.zeros(n), where=degrees > 0)
    d = scipy.sparse.diags_array(roots)
    s = (d @ w @ d).tocsr()

    start = time.perf_counter()
    values, vectors = scipy.sparse.linalg.eigsh(s, k=count, which="LA", tol=tolerance)
    seconds = time.perf_counter() - start
    residual = float(np.linalg.norm(s @ vectors - vectors * values, axis=0).max())
    name = f"scipy {scipy.__version__} `eigsh(k={count}, which='LA', tol={tolerance:g})`"
    print(
        json.dumps(
            {
                "name": name,
                "seconds": seconds,
                "residual": residual,
                "values": sorted(values.tolist(), reverse=True),
            }
        )
    )


if __name__ == "__main__":
    main()
