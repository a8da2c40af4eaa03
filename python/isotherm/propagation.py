"""Label propagation on graphs and neighbours."""

from typing import Any

from . import _recipe
from ._base import WeightedFit
from ._constraints import any_of, parameter, words
from ._linked import LinkedClassifier
from ._typing import RandomState, Samples
from ._walk import CONSTRAINTS, Walk

#: Where labels travel well: between the rows of a table, and along a given graph.
ETAS = {"table": 0.99, "graph": 0.9}


class LabelPropagation(Walk, WeightedFit, LinkedClassifier):
    """Classes by label propagation, ``F = (I − ηS)⁻¹ Y``.  [Zhou et al. 2003; STKR Eqn 22]

    ``S = D^-½ W D^-½`` of a graph, or of the nearest neighbours of a table's rows.

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm import LabelPropagation
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> LabelPropagation(n_neighbors=2).fit(X, [0, -1, -1, 1, -1, -1]).transduction_.tolist()
    [0, 0, 0, 1, 1, 1]
    """

    _parameter_constraints = {
        **CONSTRAINTS,
        "eta": any_of(*parameter("eta"), words("auto")),
        "alpha": any_of(*parameter("eta"), None),
        "steps": any_of(*parameter("steps"), None),
        "center_labels": any_of(*parameter("centre_labels")),
    }

    def __init__(
        self,
        eta: float | str = "auto",
        *,
        alpha: float | None = None,
        kernel: str = "auto",
        graph: Samples = None,
        n_neighbors: int | None = None,
        steps: int | None = None,
        center_labels: bool = False,
        tol: float = 1e-12,
        max_iter: int = 10_000,
        standardize: bool | str = "auto",
        class_shares: str | dict[Any, float] = "labels",
        unlabeled: Any = "auto",
        random_state: RandomState = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        """Stores the parameters; nothing is computed before ``fit``.

        Parameters
        ----------
        eta : float or "auto", default="auto"
            How far labels travel, 0 ≤ η < 1; ``"auto"``: 0.99 between rows, 0.9 along a graph.
        alpha : float, default=None
            η by the name that ``sklearn.semi_supervised.LabelSpreading`` has for it; one of the two
            is given.
        kernel : {"auto", "knn", "graph"}, default="auto"
            As in :class:`STKRClassifier`.
        graph : sparse matrix of shape (n_samples, n_samples), default=None
            Which rows of X are joined, and how strongly, in place of neighbours: a symmetric matrix
            of weights of at least 0, a networkx graph, or edges in another form that
            ``kernel="graph"`` takes. X may then be ``None``; its columns are left out with a
            warning, since this method learns from edges alone. Not kept in files of ``save``.
        n_neighbors : int, default=None
            Neighbours that join rows into a graph; ``None`` means 10, or half of the other rows
            where these are fewer. For nearest neighbours only.
        steps : int, default=None
            Exactly so many steps ``F ← ηSF + Y`` from zero instead of the solution.
        center_labels : bool, default=False
            Whether the labels' mean and the modes that are constant on a part of the graph are
            taken off; scores then do not depend on η much.
        tol : float, default=1e-12
            Relative residual of iterative solves.
        max_iter : int, default=10000
            Iterations allowed; a ``ConvergenceWarning`` says when they did not suffice.
        standardize : bool or "auto", default="auto"
            Whether each column is scaled to mean 0 and variance 1 first, as the command line does.
            ``"auto"`` scales the columns of a table; a graph or a precomputed kernel has none. A
            bandwidth is in scaled units unless this is False.
        class_shares : {"labels", "unlabelled"} or dict, default="labels"
            Where the classes' shares among all rows come from. ``"labels"``: labels were drawn as
            they come, and nothing is changed. ``"unlabelled"``: from the unlabelled rows, by EM on
            calibrated probabilities; ``report_["class_shares"]`` has them. A dict gives the share
            of each class. Probabilities and decisions follow. Of classes only.
        unlabeled : "auto", None or a value, default="auto"
            What marks a row without a label. ``"auto"``: −1 among whole numbers; NaN, ``None``,
            ``pandas.NA`` or ``""`` among anything else. ``None``: every row is labelled.
        random_state : int, RandomState or None, default=None
            Seed of every random choice; ``None`` is the seed 0, so a fit can be repeated.
        n_jobs : int, default=None
            Threads; ``None`` and −1 mean all, −2 all but one. Results do not depend on it.
        verbose : int, default=0
            1 prints a line for each phase on standard error, or logs it under ``isotherm`` where
            that log is shown; 2 also progress within them.
        """
        self.eta = eta
        self.alpha = alpha
        self.kernel = kernel
        self.graph = graph
        self.n_neighbors = n_neighbors
        self.steps = steps
        self.center_labels = center_labels
        self.tol = tol
        self.max_iter = max_iter
        self.standardize = standardize
        self.class_shares = class_shares
        self.unlabeled = unlabeled
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _method(self, task, shape, reduced=None):
        centred = bool(self.center_labels)
        eta = self.eta
        if self.alpha is not None:
            _recipe.unused("eta", eta, "auto", f"alpha={self.alpha} is the same number")
            eta = self.alpha
        return {
            "kind": "label-propagation",
            "eta": ETAS[shape] if isinstance(eta, str) else eta,
            "steps": self.steps,
            "tolerance": self.tol,
            "iterations": self.max_iter,
            "centre_labels": centred,
            "trivial_mode": "remove" if centred else "keep",
        }

    @classmethod
    def _read_params(cls, recipe, info):
        method = recipe["method"]
        return {
            **cls._read_walk(recipe, info),
            "eta": method["eta"],
            "steps": method.get("steps"),
            "center_labels": method["centre_labels"],
        }
