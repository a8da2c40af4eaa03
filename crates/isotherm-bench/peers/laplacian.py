"""Kernel Laplacian regularisation as users would run it; prints JSON.

Usage: laplacian.py X.npy P SIGMA MU STRENGTH LABELS RUNS

X is n rows; the first P are landmarks and the first LABELS have labels +1, -1, ...
Each peer builds T*LT of all rows and solves Tikhonov over the labels:
  formula   the O(np^2 + npd) formula in numpy with its threaded BLAS
  explicit  Algorithm 1 with explicit derivative columns, coordinate by coordinate
  klap      the authors' package (which has no such fit: its `fit` is timed)
"""

import json
import sys
import time

import numpy as np
import scipy.linalg


def squared_distances(x, z):
    r = (x * x).sum(1)[:, None] + (z * z).sum(1)[None, :] - 2 * (x @ z.T)
    return np.maximum(r, 0, out=r)


def solve(k_ll, gram, energy, mu, strength, y):
    labels = len(y)
    b = energy + mu * gram
    system = k_ll.T @ k_ll / labels + strength * b
    return scipy.linalg.solve(system, k_ll.T @ y / labels, assume_a="sym")


def formula(x, z, sigma, mu, strength, y):
    mean = z.mean(0)
    x, z = x - mean, z - mean
    r = squared_distances(x, z)
    k = np.exp(-r / (2 * sigma**2))
    g = -k / sigma**2
    rzz = squared_distances(z, z)
    cross = (g * r).T @ g
    energy = 0.5 * (cross + cross.T - (g.T @ g) * rzz) / len(x)
    gram = np.exp(-rzz / (2 * sigma**2))
    return energy, solve(k[: len(y)], gram, energy, mu, strength, y)


def explicit(x, z, sigma, mu, strength, y):
    mean = z.mean(0)
    x, z = x - mean, z - mean
    k = np.exp(-squared_distances(x, z) / (2 * sigma**2))
    energy = np.zeros((len(z), len(z)))
    for a in range(x.shape[1]):
        column = -(x[:, a][:, None] - z[:, a][None, :]) / sigma**2 * k
        energy += column.T @ column
    energy /= len(x)
    gram = np.exp(-squared_distances(z, z) / (2 * sigma**2))
    return energy, solve(k[: len(y)], gram, energy, mu, strength, y)


def main():
    file, p, sigma, mu, strength, labels, runs = sys.argv[1:]
    x, p, labels, runs = np.load(file), int(p), int(labels), int(runs)
    sigma, mu, strength = float(sigma), float(mu), float(strength)
    z = x[:p]
    y = np.where(np.arange(labels) % 2 == 0, 1.0, -1.0)
    out = []

    def timed(name, work, repeat):
        best, result = np.inf, None
        for _ in range(repeat):
            start = time.perf_counter()
            result = work()
            best = min(best, time.perf_counter() - start)
        out.append({"name": name, "seconds": best})
        return result

    energy, c = timed("numpy, the same formula", lambda: formula(x, z, sigma, mu, strength, y), runs)
    long = x.shape[1] > 100
    again, d = timed(
        "numpy, explicit derivative columns",
        lambda: explicit(x, z, sigma, mu, strength, y),
        1 if long else runs,
    )
    assert np.abs(again - energy).max() <= 1e-9 * np.abs(energy).max()
    # Warm: numba compiles at the first call.
    from klap.kernels import GaussianKernel

    kernel = GaussianKernel(sigma=np.sqrt(2) * sigma)
    kernel.fit(x[:50], p=10, k=4, R_reg=1e-6)
    timed("klap 0.0.2, the authors' package", lambda: kernel.fit(x, p=p, k=4, R_reg=1e-6), 1)
    print(json.dumps({"peers": out, "energy": float(np.abs(energy).sum()), "c": c.tolist()}))


if __name__ == "__main__":
    main()
