"""The peers of neighbours.rs: prints the best time in seconds, leaves the rows found in a file.

Usage: neighbours.py brute FOLDER DIM | neighbours.py descent FOLDER DIM
"""

import sys
import time
from pathlib import Path

import numpy as np


def best(work, repeat):
    """The shortest of some runs, after one to warm up, and the last result."""
    work()
    shortest, result = float("inf"), None
    for _ in range(repeat):
        start = time.perf_counter()
        result = work()
        shortest = min(shortest, time.perf_counter() - start)
    return shortest, result


def brute(points):
    from sklearn.neighbors import NearestNeighbors

    model = NearestNeighbors(n_neighbors=10, algorithm="brute", n_jobs=-1).fit(points)
    return best(lambda: model.kneighbors(return_distance=False), 5)


def descent(points):
    from pynndescent import NNDescent

    # Its own precision; the first call, which compiles, is not timed. A row is
    # its own first neighbour here: one more is asked for.
    points = points.astype(np.float32)
    seconds, graph = best(
        lambda: NNDescent(points, n_neighbors=11, random_state=1).neighbor_graph[0], 1
    )
    rows = np.arange(len(graph))[:, None]
    # Others before the row itself, in order; the first ten of them.
    order = np.argsort(graph == rows, axis=1, kind="stable")
    return seconds, np.take_along_axis(graph, order, axis=1)[:, :10]


if __name__ == "__main__":
    what, folder, dim = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    points = np.fromfile(folder / "points").reshape(-1, dim)
    seconds, index = {"brute": brute, "descent": descent}[what](points)
    index.astype(np.float64).tofile(folder / "index")
    print(seconds)
