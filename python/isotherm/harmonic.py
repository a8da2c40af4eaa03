"""Harmonic functions on graphs and neighbours."""

from typing import Any

from ._constraints import any_of, words
from ._linked import LinkedClassifier, LinkedRegressor
from ._typing import Labels, RandomState, Samples, Self
from ._walk import CONSTRAINTS, Walk


class Harmonic(Walk):
    """Parameters ↔ recipe of both estimators; not public."""

    _fit: Any
    _weighs = False
    _parameter_constraints = {**CONSTRAINTS, "class_mass": any_of(words("as-found", "labelled"))}

    def __init__(
        self,
        kernel: str = "auto",
        *,
        graph: Samples = None,
        n_neighbors: int | None = None,
        class_mass: str = "as-found",
        tol: float = 1e-10,
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
        class_mass : {"as-found", "labelled"}, default="as-found"
            Whether the classes' masses over the unlabelled rows are brought to the labels'
            proportions, which is right where labels were drawn from the classes' own. Values have
            no such masses: a regressor takes ``"as-found"`` only.
        tol : float, default=1e-10
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
        self.kernel = kernel
        self.graph = graph
        self.n_neighbors = n_neighbors
        self.class_mass = class_mass
        self.tol = tol
        self.max_iter = max_iter
        self.standardize = standardize
        self.class_shares = class_shares
        self.unlabeled = unlabeled
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _method(self, task, shape, reduced=None):
        return {
            "kind": "harmonic",
            "tolerance": self.tol,
            "iterations": self.max_iter,
            "class_mass": self.class_mass,
        }

    @classmethod
    def _read_params(cls, recipe, info):
        mass = recipe["method"].get("class_mass", "as-found")
        return {**cls._read_walk(recipe, info), "class_mass": mass}

    def fit(self, X: Samples, y: Labels = None) -> Self:
        """Fits labelled and unlabelled rows or nodes.

        Parameters
        ----------
        X : array-like, frame or sparse matrix of shape (n_samples, n_features)
            All rows, or a graph. Columns of a DataFrame may be of any kind and have missing
            numbers: they are encoded as by :class:`TableEncoder`.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Classes or values; see ``unlabeled`` for rows without one. ``None`` for PyTorch
            Geometric data: its ``y`` at the nodes of ``train_mask``.

        Returns
        -------
        self
        """
        return self._fit(X, y)


class HarmonicClassifier(Harmonic, LinkedClassifier):
    """Classes by harmonic functions: labels stay, every other row is its neighbours' mean.

    ``(D − W)_uu f_u = W_ul y_l``.  [Zhu, Ghahramani, Lafferty 2003]

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm import HarmonicClassifier
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> HarmonicClassifier(n_neighbors=2).fit(X, [0, -1, -1, 1, -1, -1]).transduction_.tolist()
    [0, 0, 0, 1, 1, 1]
    """


class HarmonicRegressor(Harmonic, LinkedRegressor):
    """Values by harmonic functions: labels stay, every other row is its neighbours' mean.

    ``(D − W)_uu f_u = W_ul y_l``.  [Zhu, Ghahramani, Lafferty 2003]

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm import HarmonicRegressor
    >>> from scipy.sparse import csr_array
    >>> chain = csr_array(np.diag(np.ones(4), 1) + np.diag(np.ones(4), -1))
    >>> y = [0.0, np.nan, np.nan, np.nan, 4.0]
    >>> HarmonicRegressor("graph").fit(chain, y).transduction_.round(6).tolist()
    [0.0, 1.0, 2.0, 3.0, 4.0]
    """

    _parameter_constraints = {**CONSTRAINTS, "class_mass": any_of(words("as-found"))}
