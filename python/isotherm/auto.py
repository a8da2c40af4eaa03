"""Several kernels and graphs at once, weighed by the labels: the first thing to try on a table, or
on a graph whose nodes may have features."""

from typing import Any

from sklearn.utils.validation import check_is_fitted

from . import _core, _nodes, _recipe
from ._base import WeightedFit
from ._constraints import COMMON, SCALING, SHARES, STOPPING, any_of, parameter, words
from ._linked import LinkedClassifier, LinkedRegressor
from ._typing import ArrayLike, Labels, RandomState, Samples, Self
from .encoding import TableEncoder
from .harmonic import HarmonicRegressor
from .laplacian import LaplacianClassifier, LaplacianRegressor
from .stkr import STKRClassifier

#: Labels up to which members are blended, as on the command line: more would take O(n³) time.
#: More labels are fitted by the kernel Laplacian on landmarks, those of a graph with features
#: after the features have been averaged over the graph.
MOST_LABELS = 2000

#: Nodes up to which members are blended, as on the command line.
MOST_NODES = 300_000

_CONSTRAINTS = {
    "graph": "no_validation",
    "direction": any_of(words(*_nodes.DIRECTIONS)),
    "n_neighbors": any_of(*parameter("neighbours"), None),
    **STOPPING,
    **SCALING,
    **SHARES,
    "encoder": [TableEncoder, None],
    "unlabeled": "no_validation",
    **COMMON,
}


class Auto(WeightedFit):
    """Parameters ↔ recipe of both estimators; not public."""

    _model: Any
    _walks = False
    _learns_features = True
    _tells_kinds = True
    _parameter_constraints = _CONSTRAINTS

    def __init__(
        self,
        *,
        graph: Samples = None,
        direction: str = "ignored",
        n_neighbors: int | None = None,
        tol: float = 1e-8,
        max_iter: int = 10_000,
        standardize: bool | str = "auto",
        class_shares: str | dict[Any, float] = "labels",
        encoder: TableEncoder | None = None,
        unlabeled: Any = "auto",
        random_state: RandomState = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        """Stores the parameters; nothing is computed before ``fit``.

        Parameters
        ----------
        graph : sparse matrix of shape (n_samples, n_samples), default=None
            Which rows of X are joined, and how strongly: a symmetric matrix of weights of at
            least 0, as :func:`knn_graph` makes one, a networkx graph whose nodes are the numbers of
            the rows or their index, or edges in another form that ``kernel="graph"`` takes
            elsewhere. The rows of X are then features of the nodes, and X may be ``None``. A list
            of such graphs, or a dict with a name for each, is several kinds of edges between the
            same nodes, each weighed by the labels. Not kept in files of ``save``.
        direction : {"ignored", "out", "in", "both"}, default="ignored"
            Which links of a node count beside its edges without direction: those that lead from
            it, row i of the matrix being those of node i, those that lead to it, or both. With a
            direction the matrix need not be symmetric.
        n_neighbors : int, default=None
            Neighbours in the graphs that are made of rows; ``None`` means 5, or half of the other
            rows where these are fewer. Not beside ``graph``.
        tol : float, default=1e-8
            Relative residual of iterative solves.
        max_iter : int, default=10000
            Iterations allowed; a ``ConvergenceWarning`` says when they did not suffice.
        standardize : bool or "auto", default="auto"
            False leaves every column as it is. Otherwise each kernel scales the rows in its own
            way: to columns of mean 0 and variance 1, or to rows of length 1. Features of nodes
            are scaled unless most of them are zero, and True is refused beside ``graph``.
        class_shares : {"labels", "unlabelled"} or dict, default="labels"
            Where the classes' shares among all rows come from. ``"labels"``: labels were drawn as
            they come, and nothing is changed. ``"unlabelled"``: from the unlabelled rows, by EM on
            calibrated probabilities; ``report_["class_shares"]`` has them. A dict gives the share
            of each class. Probabilities and decisions follow. Of classes only.
        encoder : TableEncoder or None, default=None
            How columns become features: what a column is, or a model for texts. A copy of it is
            fitted and kept as ``encoder_``. ``None`` is ``TableEncoder()`` for tables with columns
            that are no numbers.
        unlabeled : "auto", None or a value, default="auto"
            What marks a row without a label. ``"auto"``: −1 among classes that are numbers; NaN,
            ``None``, ``pandas.NA`` or ``""`` among anything else; NaN among values, where −1 is a
            number. ``None``: every row is labelled.
        random_state : int, RandomState or None, default=None
            Seed of every random choice; ``None`` is the seed 0, so a fit can be repeated.
        n_jobs : int, default=None
            Threads; ``None`` and −1 mean all, −2 all but one. Results do not depend on it.
        verbose : int, default=0
            1 prints a line for each phase on standard error, or logs it under ``isotherm`` where
            that log is shown; 2 also progress within them.
        """
        self.graph = graph
        self.direction = direction
        self.n_neighbors = n_neighbors
        self.tol = tol
        self.max_iter = max_iter
        self.standardize = standardize
        self.class_shares = class_shares
        self.encoder = encoder
        self.unlabeled = unlabeled
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Samples, y: Labels = None, sample_weight: ArrayLike | None = None) -> Self:
        """Fits labelled and unlabelled rows, or nodes.

        A weight of 2 is a row that stands twice, a weight of 0 a row that is absent. Both hold by
        construction: rows of weight 0 leave before the fit, and labelled rows that are equal,
        label and all, become one with the sum of their weights. Equal rows are merged without
        weights too, which needs a copy of X where there are some. On a graph nothing is merged,
        and a weight of 0 takes the label away.

        Parameters
        ----------
        X : array-like, frame or sparse matrix of shape (n_samples, n_features)
            All rows. Beside ``graph`` the features of its nodes, or ``None``: sparse ones stay
            sparse. PyTorch Geometric data, or anything else with an ``edge_index``, is a graph
            with its features: its ``x`` (or none), ``edge_index`` and ``edge_weight`` are read,
            and, where y is ``None``, ``y`` at the nodes of ``train_mask``.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Classes or values; see ``unlabeled`` for rows without one.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each label counts. The weight of an unlabelled row matters only if it is 0.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight)

    def _arranged(self, X, y):
        if self.graph is None and not hasattr(X, "edge_index"):
            _recipe.unused("direction", self.direction, "ignored", "there is no graph")
        return super()._arranged(X, y)

    def _reduced(self, data, encoded, weights, shape):
        data, encoded, reduced = super()._reduced(data, encoded, weights, shape)
        reduced.labels = int(encoded.labelled.sum())
        if shape == "graph":
            reduced.nodes = data.n_nodes
            reduced.featured = isinstance(data, _core.Nodes) and data.has_features
        return data, encoded, reduced

    @staticmethod
    def _is_large(reduced):
        """Whether there is more than a blend takes."""
        return (reduced.labels or 0) > MOST_LABELS or (reduced.nodes or 0) > MOST_NODES

    def _recipe(self, task, shape, reduced=None):
        found = super()._recipe(task, shape, reduced)
        if shape == "graph" and found["method"]["kind"] == "laplacian":
            found["smooth"] = "auto"
        return found

    def _method(self, task, shape, reduced=None):
        if reduced is not None and self._is_large(reduced):
            numbers = task in ("regress", "numbers")
            if shape == "graph" and not reduced.featured:
                other = HarmonicRegressor() if numbers else STKRClassifier()
            else:
                make = LaplacianRegressor if numbers else LaplacianClassifier
                other = make("arc-cosine" if shape == "graph" else "gaussian")
            return other._method(task, shape)
        return {"kind": "blend", "tolerance": self.tol, "iterations": self.max_iter}

    def _geometry(self, shape):
        if shape == "graph":
            why = "the graph says which nodes are joined"
            _recipe.unused("n_neighbors", self.n_neighbors, None, why)
        return {} if self.n_neighbors is None else {"neighbours": self.n_neighbors}

    @property
    def blend_(self) -> dict[str, float]:
        """What each kernel and graph contributes, the largest share first; empty where more than
        2,000 labels were fitted by another method instead."""
        check_is_fitted(self)
        return dict(self._model.blend)

    @classmethod
    def _read_params(cls, recipe, info):
        method = recipe["method"]
        return {
            "n_neighbors": recipe.get("neighbours"),
            "tol": method.get("tolerance", 1e-8),
            "max_iter": method.get("iterations", 10_000),
            "random_state": recipe.get("seed", 0),
            "standardize": _recipe.read_scaling(recipe),
        }


class AutoClassifier(Auto, LinkedClassifier):
    """Classes by several kernels and graphs of neighbours, weighed by the labels.

    Each member is ridge regression with a kernel of its own: exponentials of two distances, inner
    products, cosines, and two graphs that join every row to its nearest rows. How much each
    counts is decided by how well it predicts labels it has not seen.

    X may be a DataFrame with columns of any kind and missing numbers: they are encoded as by
    :class:`TableEncoder`, which is kept as ``encoder_``.

    With a ``graph`` between the rows, these are its nodes: the members then compare features,
    features averaged along the edges, and places in the graph. ``fit(None, y)`` learns from the
    graph alone. New nodes are predicted by their features and their ``links`` to the nodes of the
    fit.

    Examples
    --------
    >>> from isotherm import AutoClassifier
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]
    >>> model = AutoClassifier().fit(X, [0, -1, -1, 1, -1, -1])
    >>> model.predict([[0.15], [5.15]]).tolist()
    [0, 1]

    The same rows as nodes of a graph, and a new node that is linked to the first two:

    >>> from scipy.sparse import csr_array
    >>> from isotherm import knn_graph
    >>> model = AutoClassifier(graph=knn_graph(X, 2)).fit(X, [0, -1, -1, 1, -1, -1])
    >>> model.transduction_.tolist()
    [0, 0, 0, 1, 1, 1]
    >>> model.predict([[0.05]], links=csr_array([[1, 1, 0, 0, 0, 0]])).tolist()
    [0]
    """


class AutoRegressor(Auto, LinkedRegressor):
    """Values by several kernels and graphs of neighbours, weighed by the labels.

    As :class:`AutoClassifier`, for numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm import AutoRegressor
    >>> X = np.linspace(0, 1, 12)[:, None]
    >>> model = AutoRegressor().fit(X, 2 * X.ravel())
    >>> bool(abs(model.predict([[0.5]])[0] - 1.0) < 0.1)
    True
    """
