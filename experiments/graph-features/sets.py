"""The bank of graphs. `python sets.py` lists it: nodes, links, classes, columns, edge homophily."""

import hashlib
import zlib
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

import sources as src

LEAST = 6  # nodes of a class at least


@dataclass
class Set:
    name: str
    kind: str
    A: sparse.csr_matrix
    X: sparse.csr_matrix | None
    y: np.ndarray  # −1: nobody knows
    classes: int
    split: tuple | None = None  # rows for training, choosing and judging, where they are published
    old: np.ndarray | None = None  # nodes that were there when the model was fitted, where others came later


def half(name):
    """`decide` or `report`. Everything made of one graph (`cora.public`, `cora.links`) falls in the same half."""
    return "decide" if hashlib.sha256(name.split(".")[0].encode()).digest()[0] % 2 == 0 else "report"


def seed(*parts):
    return zlib.crc32("/".join(map(str, parts)).encode())


@cache
def load(name):
    kind, read, how = BANK[name]
    A, X, y = read()
    split = None
    if how == "public":
        split = src.public_split(name.split(".")[0])
    if how == "largest":
        part = connected_components(A, directed=False)[1]
        rows = np.flatnonzero(part == np.bincount(part).argmax())
        A, X, y = A[rows][:, rows].tocsr(), None if X is None else X[rows], y[rows]
    if how == "links":
        X = None
    if split is None:
        seen = np.bincount(y[y >= 0])
        y = np.where((y >= 0) & (seen[y] >= LEAST), y, -1)
        known = np.unique(y[y >= 0])
        y = np.where(y >= 0, np.searchsorted(known, y), -1)
    return Set(name, kind, A, X, y, int(y.max()) + 1, split)


BANK = {}


def add(name, kind, read, *how, take=None, **named):
    BANK[name] = (kind, partial(read, *how, **named), take)


CITATIONS = ("cora", "citeseer", "pubmed")
FEATURED = (*CITATIONS, "amazon_photo", "amazon_computers", "coauthor_cs", "coauthor_physics", "dblp")

for graph in CITATIONS:
    add(f"{graph}.public", "public", src.shared, graph, take="public")
for graph in (*FEATURED, "cora_full"):
    kind = "random" if graph in FEATURED else "random, no features"
    add(f"{graph}.largest", kind, src.shared, graph, take="largest")
for graph in (*FEATURED, "cora_full"):
    add(f"{graph}.links", "links", src.shared, graph, take="links")

# Real graphs inside packages; no features.
add("karate", "small", src.karate)
add("les_miserables", "small", src.les_miserables)
add("thrones", "small", src.thrones)
add("airports.traffic", "small", src.airports, "traffic")
add("airports.size", "small", src.airports, "size")
add("drosophila.left", "small", src.drosophila, "left")
add("drosophila.right", "small", src.drosophila, "right")
add("mouse", "small", src.mouse)
add("worm.white", "small", src.worm, "White_whole")
add("worm.cook", "small", src.worm, "Cook2019HermReader")
add("worm_male", "small", src.worm, "Cook2019MaleReader")
add("worm.witvliet", "small", src.worm, "WitvlietDataReader8")
add("cortex.schaefer", "small", src.cortex, "schaefer_400")
add("cortex.vosdewael", "small", src.cortex, "vosdewael_400")
add("countries", "small", src.countries)
for package in ("sympy", "sklearn", "scipy", "networkx", "torch_geometric"):
    add(f"code_{package}.part", "small", src.imports, package, "subpackage")
for package in ("sympy", "sklearn", "scipy"):
    add(f"code_{package}.role", "small", src.imports, package, "role")
add("movies.links", "small", src.movies, take="links")

# A real graph with features whose neighbours are never of the same kind.
add("movies", "movies", src.movies)


def made(name, kind, make, **named):
    add(name, kind, lambda: make(np.random.default_rng(seed(name)), **named))


# From neighbours that agree to neighbours that differ; 25 is chance.
for share in (80, 50, 25, 10, 0):
    for word, signal in (("weak", 1.0), ("strong", 2.5)):
        made(f"blocks_{share}_{word}", "blocks", src.blocks, homophily=share / 100, signal=signal)
for word, signal in (("weak", 1.0), ("strong", 2.5)):
    made(f"ring_10_{word}", "blocks", src.blocks, homophily=0.1, signal=signal, ring=True)

for make in (src.houses, src.motifs, src.degrees, src.cores, src.storeys):
    made(f"roles_{make.__name__}", "roles", make)


def homophily(s):
    i, j = s.A.nonzero()
    known = (s.y[i] >= 0) & (s.y[j] >= 0)
    return np.mean(s.y[i][known] == s.y[j][known]) if known.any() else np.nan


if __name__ == "__main__":
    for name in BANK:
        s = load(name)
        print(
            f"{name:22} {half(name):7} {s.kind:20} nodes {len(s.y):6} links {s.A.nnz // 2:7} classes {s.classes:3} "
            f"labels {np.sum(s.y >= 0):6} columns {0 if s.X is None else s.X.shape[1]:5} homophily {homophily(s):.2f}"
        )
