"""Graphs whose nodes may have features: what fits and predictions read of them."""

import warnings
from types import SimpleNamespace

import numpy as np
from scipy import sparse
from sklearn.base import is_classifier
from sklearn.utils.validation import validate_data

from . import _frame, _inputs, _recipe
from ._rows import count_rows
from .exceptions import DataWarning

#: Which way edges lead, and whether links that lead away and that come in are kept.
DIRECTIONS = {
    "ignored": (False, False),
    "out": (True, False),
    "in": (False, True),
    "both": (True, True),
}


class Relations:
    """Several kinds of edges between the same nodes, or one whose direction is kept."""

    def __init__(self, relations):
        #: Name, graph, links that lead away and links that come in, or ``None``.
        self.relations = relations

    @property
    def n_nodes(self):
        """How many nodes there are."""
        return self.relations[0][1].n_nodes


class Nodes:
    """What X is where there is a graph: the graph, and one row of features a node, or none."""

    def __init__(self, graph, features):
        self.graph, self.features = graph, features

    @property
    def shape(self):
        """As of rows, of which there is one a node."""
        return (self.graph.n_nodes,)

    def read(self, estimator, quiet=False):
        """For the core's fit, and the encoder of the features; the estimator takes their names."""
        from .encoding import Encoded

        if not estimator._learns_features:
            # A graph that was given as X is asked by links as X, one column for each node.
            own = self.graph.n_nodes if estimator.graph is None else 0
            if own == 0 and self.features is not None:
                validate_data(estimator, self.features, reset=True, skip_check_array=True)
            else:
                if hasattr(estimator, "feature_names_in_"):
                    del estimator.feature_names_in_
                estimator.n_features_in_ = own
            if self.features is not None and not quiet:
                _tell_left_out(estimator, self.features)
            return Encoded(self.graph, None)
        if self.features is None:
            asked = getattr(estimator, "encoder", None)
            _recipe.unused("encoder", asked, None, "there are no features to encode")
            if hasattr(estimator, "feature_names_in_"):
                del estimator.feature_names_in_
            estimator.n_features_in_ = 0
            return Encoded(self._with(None), None)
        found = _inputs.encoded(estimator, self.features)
        _inputs.check_rows(estimator, found.values)
        rows = _inputs.in_blocks(found.values, found.blocks)
        return Encoded(self._with(rows), found.encoder)

    def _with(self, rows):
        """The core's nodes, or its graph where there is no more."""
        from . import _core

        if isinstance(self.graph, Relations):
            return _core.Nodes.of_relations(self.graph.relations, rows)
        return self.graph if rows is None else _core.Nodes(self.graph, rows)


class NewNodes:
    """What X is in a prediction for new nodes: their links, and their features or none."""

    def __init__(self, features, links):
        self.features, self.links = features, links


def _tell_left_out(estimator, features):
    """Warns of columns that the method cannot use."""
    names = [repr(name) for name in getattr(estimator, "feature_names_in_", [])]
    count = np.shape(features)[1]
    listed = f": {', '.join(names[:5])}{', …' if len(names) > 5 else ''}" if names else ""
    what = "a column of X is" if count == 1 else f"{count} columns of X are"
    kind = "Classifier" if is_classifier(estimator) else "Regressor"
    text = (
        f"{what} left out{listed}; {type(estimator).__name__} learns from the edges of a graph "
        f"alone: Auto{kind}(graph=A) learns from both, and X=None silences this"
    )
    warnings.warn(DataWarning(text), stacklevel=7)


def linked(X, links):
    """X with the links of new nodes, where there are some."""
    return X if links is None else NewNodes(X, links)


def arranged(estimator, X, y):
    """X with the edges that it or the estimator has, and the labels."""
    if isinstance(X, Nodes):
        return X, y
    given = estimator.graph
    if hasattr(X, "edge_index"):
        if given is not None:
            raise ValueError(
                "graph must be None where X has edges of its own, its edge_index; give X.x as X to "
                "learn from the graph instead"
            )
        y = _labels_of(estimator, X) if y is None else y
        given, features = X, _array(getattr(X, "x", None))
    else:
        features = _frame.from_arrow(X)
    if features is not None and _inputs.kind_of(features) != "array":
        raise ValueError(
            f"X must be in memory where there is a graph, got a {_inputs.kind_of(features)}; give "
            f"one array, sparse matrix or frame with a row for each node"
        )
    return Nodes(_relations_of(estimator, given, features, y), features), y


def _relations_of(estimator, given, features, y):
    """The core's graph of what was given, or several with their names and directions."""
    kept = DIRECTIONS[getattr(estimator, "direction", "ignored")]
    if isinstance(given, dict):
        named = {str(name): graph for name, graph in given.items()}
    elif isinstance(given, (list, tuple)) and all(_is_graph(graph) for graph in given):
        named = {f"graph[{k}]": graph for k, graph in enumerate(given)}
    elif not any(kept):
        return _graph_of(_edges_of(given, features, y), features, y)
    else:
        named = {"graph": given}
    if not named:
        raise ValueError("graph must hold at least one graph, got none")
    if not estimator._tells_kinds:
        kind = "Classifier" if is_classifier(estimator) else "Regressor"
        raise ValueError(
            f"graph must be one graph for {type(estimator).__name__}, got {len(named)} in a "
            f"{type(given).__name__}; Auto{kind} tells kinds of edges apart"
        )
    relations = []
    for name, one in named.items():
        one = _edges_of(one, features, y)
        if not any(kept):
            relations.append((name, _graph_of(one, features, y), None, None))
            continue
        arrows = _arrows(one, features, y)
        graph = _graph_of(arrows.maximum(arrows.T), features, y)
        out, into = (
            _inputs.links(rows, graph.n_nodes) if keep else None
            for rows, keep in zip((arrows, arrows.T), kept, strict=True)
        )
        relations.append((name, graph, out, into))
    return Relations(relations)


def _is_graph(given):
    """Whether an element of a list is a graph of its own, and not one of the edges of one."""
    if sparse.issparse(given) or hasattr(given, "edge_index") or _is_networkx(given):
        return True
    return np.ndim(given) == 2


def _is_networkx(given):
    return hasattr(given, "adjacency") and hasattr(given, "is_directed")


def _edges_of(given, features, y):
    """A graph as it was given, one of networkx as an edge index."""
    return _from_networkx(given, features, y) if _is_networkx(given) else given


def _arrows(given, features, y):
    """Directed edges as a square matrix: row i has the nodes that edges lead to from node i."""
    weights = None
    if hasattr(given, "edge_index"):
        edges = np.asarray(given.edge_index)
        weights = _array(getattr(given, "edge_weight", None))
    elif sparse.issparse(given):
        _check_square(given, "graph")
        return _without_loops(sparse.csr_array(given))
    else:
        edges = np.asarray(given)
        if edges.ndim == 2 and edges.shape[0] == edges.shape[1] and edges.shape[0] > 3:
            return _without_loops(sparse.csr_array(edges.astype(np.float64)))
        if edges.ndim != 2 or (2 not in edges.shape and edges.shape[1] != 3):
            raise ValueError(
                f"graph must be an N × N matrix, a 2 × E edge index, or E × 2 edges (E × 3 with "
                f"weights), got an array of shape {edges.shape}"
            )
        if edges.shape[0] != 2 or edges.dtype.kind == "f":
            weights = edges[:, 2] if edges.shape[1] == 3 else None
            edges = edges[:, :2].T
    if features is not None:
        count = count_rows(features)
    else:
        count = int(edges.max(initial=0)) + 1 if y is None else _inputs.length(y)
    ones = np.ones(edges.shape[1]) if weights is None else np.asarray(weights, dtype=np.float64)
    places = edges.astype(np.int64)
    if places.size and not 0 <= places.min() <= places.max() < count:
        raise ValueError(
            f"graph must name nodes from 0 to {count - 1}, got {places.min()} to {places.max()}"
        )
    # The larger weight of a pair that is there twice, as without directions.
    order = np.lexsort((-ones, places[1], places[0]))
    places, ones = places[:, order], ones[order]
    first = np.ones(len(order), dtype=bool)
    first[1:] = (places[:, 1:] != places[:, :-1]).any(axis=0)
    found = sparse.coo_array((ones[first], tuple(places[:, first])), shape=(count, count))
    return _without_loops(found.tocsr())


def _without_loops(matrix):
    entries = matrix.tocoo()
    _check_weights(matrix, "graph", "nodes {0} and {1}")
    row, column = entries.coords
    other = row != column
    kept = (entries.data[other].astype(np.float64), (row[other], column[other]))
    return sparse.coo_array(kept, shape=matrix.shape).tocsr()


def _graph_of(given, features, y):
    """The core's graph of what was given, as many nodes as there are rows and labels."""
    rows = None if features is None else count_rows(features)
    labels = None if y is None else _inputs.length(y)
    shape = np.shape(given) if not hasattr(given, "edge_index") else ()
    square = len(shape) == 2 and shape[0] == shape[1] and (rows or labels) in (None, shape[0])
    if sparse.issparse(given) or square:
        _check_square(given, "graph")
        given = sparse.csr_array(given)
        _check_weights(given, "graph", "nodes {0} and {1}")
    graph = _inputs.graph(given, labels if rows is None else rows)
    for name, count, way_out in (
        ("X", rows, "give zeros for a node of which nothing is known"),
        ("y", labels, "mark a node without a label as unlabelled"),
    ):
        if count not in (None, graph.n_nodes):
            raise ValueError(
                f"{name} must have one row for each of the {graph.n_nodes} nodes of the graph, got "
                f"{count}; {way_out}, and judge by isotherm.estimate_accuracy, since folds cannot "
                f"cut a graph"
            )
    return graph


def _from_networkx(graph, X, y):
    """The edges of a networkx graph, nodes numbered in the order of the rows.

    That order is the index of X or y, where it holds the nodes; nodes that are the numbers 0 … n −
    1 are in this order.
    """
    nodes = list(graph)
    for given in (X, y):
        index = getattr(given, "index", None)
        index = index.tolist() if hasattr(index, "tolist") else []
        if len(index) == len(nodes) and set(index) == set(nodes):
            nodes = index
            break
    else:
        if set(nodes) != set(range(len(nodes))):
            raise ValueError(
                "the nodes of graph must be the numbers 0, 1, … of the rows, or the index of the "
                "frame X or the series y, which says the order of the rows; "
                "networkx.convert_node_labels_to_integers numbers them"
            )
        nodes = sorted(nodes)
    place = {node: row for row, node in enumerate(nodes)}
    edges = list(graph.edges(data="weight", default=1.0))
    ends = [[place[edge[k]] for edge in edges] for k in (0, 1)]
    weights = np.array([edge[2] for edge in edges], dtype=np.float64)
    index = np.array(ends, dtype=np.int64).reshape(2, -1)
    return SimpleNamespace(edge_index=index, edge_weight=weights, num_nodes=len(nodes))


def _labels_of(estimator, data):
    """The labels of PyTorch Geometric data: those of its ``train_mask``, if it has one."""
    y = _array(getattr(data, "y", None))
    if y is None:
        raise ValueError("y must be given, because X.y is None")
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    mask = _array(getattr(data, "train_mask", None))
    if mask is None:
        return y
    if mask.shape != y.shape[:1]:
        raise ValueError(
            f"X.train_mask must have one entry for each of the {len(y)} nodes, got shape "
            f"{mask.shape}; of several splits keep one, as X.train_mask[:, 0]"
        )
    hidden = ~mask.astype(bool)
    marker = estimator.unlabeled
    if marker is None:
        raise ValueError(
            "unlabeled must not be None, because X.train_mask leaves nodes without a label; give "
            "y to learn from every node"
        )
    if not is_classifier(estimator):
        y, marker = y.astype(np.float64), np.nan
    elif not isinstance(marker, str) or marker != "auto":
        y = y.astype(object)
    elif y.dtype.kind in "iu":
        y, marker = y.astype(np.int64), -1
    else:
        y, marker = y.astype(object), None
    y = y.copy()
    y[hidden] = marker
    return y


def _array(tensor):
    """A tensor as an array; sparse matrices and ``None`` as they are."""
    return tensor if tensor is None or sparse.issparse(tensor) else np.asarray(tensor)


def _check_square(given, name):
    shape = given.shape if hasattr(given, "shape") else np.shape(given)
    if len(shape) != 2 or shape[0] != shape[1]:
        told = " × ".join(str(n) for n in shape)
        raise ValueError(
            f"{name} must be square, one row and one column for each node, got {told}; links of "
            f"new nodes are for predict(X, links=…)"
        )


def _check_weights(matrix, name, between):
    """Refuses a negative weight by the nodes it is between."""
    if matrix.dtype.kind not in "if" or matrix.nnz == 0 or not matrix.data.min() < 0:
        return
    entries = matrix.tocoo()
    at = int(np.flatnonzero(entries.data < 0)[0])
    pair = between.format(entries.row[at], entries.col[at])
    raise ValueError(
        f"{name} must have weights of at least 0, got {entries.data[at]} between {pair}; leave "
        f"such edges out, or give weights that grow with how alike nodes are"
    )


def new_nodes(estimator, X, info):
    """New nodes for the core's prediction."""
    from . import _core

    known, columns = info["anchors"], info["dim"]
    if not isinstance(X, NewNodes):
        raise ValueError(
            f"links must be given, because the model learned from a graph of {known} nodes: "
            f"predict(X, links=L), with one row of L for each new node and one column for each "
            f"node of the fit; what is said of the nodes of the fit is in transduction_"
        )
    kinds = info["relations"]
    relations, count = _new_relations(X.links, known, kinds) if kinds else (None, None)
    if relations is None:
        links, count = _links(X.links, known)
    features = X.features
    if not estimator._learns_features:
        if features is not None and count_rows(features) != count:
            raise ValueError(
                f"X must have one row for each of the {count} rows of links, got "
                f"{count_rows(features)}"
            )
        return links
    if columns is None:
        if features is not None and not estimator.n_features_in_:
            raise ValueError(
                "X must be None, because the model learned from a graph without features: "
                "predict(None, links=L)"
            )
        return links if relations is None else _core.NewNodes.of_relations(relations, None)

    def made(rows):
        if relations is None:
            return _core.NewNodes(links, rows)
        return _core.NewNodes.of_relations(relations, rows)

    if features is None:
        raise ValueError(
            f"X must be given, because the model learned from {estimator.n_features_in_} features "
            f"of the nodes: give one row for each of the {count} new nodes, of zeros where nothing "
            f"is known"
        )
    features = _frame.from_arrow(features)
    if count_rows(features) != count:
        raise ValueError(
            f"X must have one row for each of the {count} rows of links, got {count_rows(features)}"
        )
    rows, blocks = _inputs.new_rows(estimator, features)
    _inputs.check_rows(estimator, rows)
    return made(_inputs.in_blocks(rows, blocks))


def _links(given, known):
    """The core's links, and how many new nodes there are."""
    if hasattr(given, "edge_index"):
        raise ValueError(
            f"links must be a matrix with one row for each new node and one column for each of the "
            f"{known} nodes of the fit, got {type(given).__name__}"
        )
    matrix = given if sparse.issparse(given) else np.asarray(given)
    if matrix.ndim != 2 or matrix.shape[1] != known:
        told = " × ".join(str(n) for n in matrix.shape)
        raise ValueError(
            f"links must have one column for each of the {known} nodes of the fit, got {told}"
        )
    matrix = sparse.csr_array(matrix)
    _check_weights(matrix, "links", "new node {0} and node {1}")
    return _inputs.links(matrix, known), matrix.shape[0]


def _new_relations(given, known, kinds):
    """The core's links of new nodes by kind and direction, and how many new nodes there are."""
    names = [name for name, _, _ in kinds]
    if isinstance(given, dict):
        named = {str(name): links for name, links in given.items()}
    elif isinstance(given, list) and len(names) > 1:
        if len(given) != len(names):
            raise ValueError(
                f"links must have one entry for each kind of edges, {', '.join(names)}, got "
                f"{len(given)}"
            )
        named = dict(zip(names, given, strict=True))
    elif len(names) == 1:
        named = {names[0]: given}
    else:
        raise ValueError(
            f"links must be a list or a dict, because the model tells kinds of edges apart: "
            f"{', '.join(names)}"
        )
    for name in named:
        if name not in names:
            raise ValueError(
                f"links must be of the kinds {', '.join(names)}, which the model knows, got "
                f"{name!r}"
            )
    relations, counts = [], set()
    for name, out, into in kinds:
        one = named.get(name)
        if one is None:
            continue
        if not (out or into):
            links, count = _links(one, known)
            relations.append((name, links, None, None))
            counts.add(count)
            continue
        if not isinstance(one, tuple) or len(one) != 2 or all(side is None for side in one):
            raise ValueError(
                "links must be a pair, because the model keeps the direction of edges: the links "
                "that lead from new nodes and those that lead to them, None where there are none"
            )
        shape = next(links.shape for links in map(_as_given, one) if links is not None)
        pair = [sparse.csr_array(shape) if side is None else _as_given(side) for side in one]
        (ahead, count), (back, other) = (_links(side, known) for side in pair)
        if count != other:
            raise ValueError(
                f"links must have one row for each new node in both directions, got {count} and "
                f"{other}"
            )
        both, _ = _links(sparse.csr_array(pair[0]).maximum(sparse.csr_array(pair[1])), known)
        relations.append((name, both, ahead, back))
        counts.add(count)
    if len(counts) != 1:
        raise ValueError(
            f"links must have one row for each new node in every kind, got {sorted(counts)}"
        )
    return relations, counts.pop()


def _as_given(links):
    return links if links is None or sparse.issparse(links) else np.asarray(links)
