"""Graphs whose nodes may have features: what fits and predictions read of them."""

import numpy as np
from scipy import sparse
from sklearn.base import is_classifier

from . import _frame, _inputs
from ._rows import count_rows


class Nodes:
    """What X is where there is a graph: the graph, and one row of features a node, or none."""

    def __init__(self, graph, features):
        self.graph, self.features = graph, features

    @property
    def shape(self):
        """As of rows, of which there is one a node."""
        return (self.graph.n_nodes,)

    def read(self, estimator):
        """For the core's fit, and the encoder of the features; the estimator takes their names."""
        from . import _core
        from .encoding import Encoded

        if self.features is None:
            if hasattr(estimator, "feature_names_in_"):
                del estimator.feature_names_in_
            estimator.n_features_in_ = 0
            return Encoded(self.graph, None)
        found = _inputs.encoded(estimator, self.features)
        _inputs.check_rows(estimator, found.values)
        rows = _inputs.in_blocks(found.values, found.blocks)
        return Encoded(_core.Nodes(self.graph, rows), found.encoder)


class NewNodes:
    """What X is in a prediction for new nodes: their links, and their features or none."""

    def __init__(self, features, links):
        self.features, self.links = features, links


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
    links, count = _links(X.links, known)
    features = X.features
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
