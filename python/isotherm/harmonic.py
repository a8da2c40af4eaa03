"""Harmonic functions on graphs and neighbours."""

from typing import Any

from ._classifier import ClassifierBase
from ._constraints import any_of, words
from ._docs import documented
from ._regressor import RegressorBase
from ._typing import Labels, RandomState, Samples, Self
from ._walk import CONSTRAINTS, Walk


@documented(tol="1e-10")
class HarmonicClassifier(Walk, ClassifierBase):
    """Classes by harmonic functions: labels stay, every other row is its neighbours' mean.

    ``(D − W)_uu f_u = W_ul y_l``.  [Zhu, Ghahramani, Lafferty 2003]

    Parameters
    ----------
    kernel : {"auto", "knn", "graph"}, default="auto"
        As in :class:`STKRClassifier`.
    <<n_neighbors>>
    class_mass : {"as-found", "labelled"}, default="as-found"
        Whether the classes' masses over the unlabelled rows are brought to the labels'
        proportions, which is right where labels were drawn from the classes' own.
    <<stopping>>
    <<standardize>>
    <<unlabeled>>
    <<common>>

    Attributes
    ----------
    <<classifier_attributes>>
    <<attributes>>

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm import HarmonicClassifier
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> HarmonicClassifier(n_neighbors=2).fit(X, [0, -1, -1, 1, -1, -1]).transduction_.tolist()
    [0, 0, 0, 1, 1, 1]
    """

    _weighs = False
    _parameter_constraints = {
        **CONSTRAINTS,
        "class_mass": any_of(words("as-found", "labelled")),
        "unlabeled": "no_validation",
    }

    def __init__(
        self,
        kernel: str = "auto",
        *,
        n_neighbors: int | None = None,
        class_mass: str = "as-found",
        tol: float = 1e-10,
        max_iter: int = 10_000,
        standardize: bool = False,
        unlabeled: Any = "auto",
        random_state: RandomState = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.kernel = kernel
        self.n_neighbors = n_neighbors
        self.class_mass = class_mass
        self.tol = tol
        self.max_iter = max_iter
        self.standardize = standardize
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

    def fit(self, X: Samples, y: Labels) -> Self:
        """Fits labelled and unlabelled rows or nodes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            All rows, or a graph.
        y : array-like of shape (n_samples,)
            Classes; see ``unlabeled`` for rows without one.

        Returns
        -------
        self
        """
        return self._fit(X, y)


@documented(tol="1e-10")
class HarmonicRegressor(Walk, RegressorBase):
    """Values by harmonic functions: labels stay, every other row is its neighbours' mean.

    ``(D − W)_uu f_u = W_ul y_l``.  [Zhu, Ghahramani, Lafferty 2003]

    Parameters
    ----------
    kernel : {"auto", "knn", "graph"}, default="auto"
        As in :class:`STKRClassifier`.
    <<n_neighbors>>
    <<stopping>>
    <<standardize>>
    <<common>>

    Attributes
    ----------
    <<regressor_attributes>>
    <<attributes>>

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

    _weighs = False
    _parameter_constraints = CONSTRAINTS

    def __init__(
        self,
        kernel: str = "auto",
        *,
        n_neighbors: int | None = None,
        tol: float = 1e-10,
        max_iter: int = 10_000,
        standardize: bool = False,
        random_state: RandomState = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.kernel = kernel
        self.n_neighbors = n_neighbors
        self.tol = tol
        self.max_iter = max_iter
        self.standardize = standardize
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _method(self, task, shape, reduced=None):
        return {"kind": "harmonic", "tolerance": self.tol, "iterations": self.max_iter}

    @classmethod
    def _read_params(cls, recipe, info):
        return cls._read_walk(recipe, info)

    def fit(self, X: Samples, y: Labels) -> Self:
        """Fits labelled and unlabelled rows or nodes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            All rows, or a graph.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Values; a row of NaN is unlabelled.

        Returns
        -------
        self
        """
        return self._fit(X, y)
