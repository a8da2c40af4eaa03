"""Graphs whose nodes may have features: what fits and predictions read of them."""

import warnings
from types import SimpleNamespace

import numpy as np
from scipy import sparse
from sklearn.base import is_classifier
from sklearn.utils.validation import validate_data

from . import _frame, _inputs
from ._rows import count_rows
from .exceptions import DataWarning


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
        from . import _core
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
            if hasattr(estimator, "feature_names_in_"):
                del estimator.feature_names_in_
            estimator.n_features_in_ = 0
            return Encoded(self.graph, None)
        if sparse.issparse(self.features):
            rows = _sparse_rows(estimator, self.features, reset=True)
            return Encoded(_core.Nodes(self.graph, rows), None)
        found = _inputs.encoded(estimator, self.features)
        _inputs.check_rows(estimator, found.values)
        rows = _inputs.in_blocks(found.values, found.blocks)
        return Encoded(_core.Nodes(self.graph, rows), found.encoder)


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
    if hasattr(given, "adjacency") and hasattr(given, "is_directed"):
        given = _from_networkx(given, X, y)
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
    return Nodes(_graph_of(given, features, y), features), y


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


def _sparse_rows(estimator, X, *, reset):
    """Sparse rows for the core, which stay sparse."""
    from . import _core

    X = validate_data(
        estimator, X, reset=reset, accept_sparse="csr", dtype=np.float64, ensure_all_finite=False
    )
    places = X.indptr.astype(np.int64), X.indices.astype(np.int64)
    return _core.SparseRows(*places, np.ascontiguousarray(X.data), X.shape[1])


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
        return links
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
    if sparse.issparse(features) and estimator.encoder_ is None:
        return _core.NewNodes(links, _sparse_rows(estimator, features, reset=False))
    rows, blocks = _inputs.new_rows(estimator, features)
    _inputs.check_rows(estimator, rows)
    return _core.NewNodes(links, _inputs.in_blocks(rows, blocks))


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
