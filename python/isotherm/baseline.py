"""What users would try first on a graph: label propagation and harmonic functions."""

from . import _recipe
from ._classifier import ClassifierBase
from ._constraints import COMMON, STOPPING, any_of, integers, reals, words
from ._docs import documented
from ._regressor import RegressorBase

#: Where labels travel well: between the rows of a table, and along a given graph.
ETAS = {"table": 0.99, "graph": 0.9}

_CONSTRAINTS = {
    "kernel": any_of(words("auto", "knn", "graph")),
    "n_neighbors": any_of(integers(1), None),
    **STOPPING,
    "standardize": any_of("boolean"),
    **COMMON,
}


class Walk:
    """Parameters ↔ recipe that methods on graphs share; not public."""

    def _geometry(self, shape):
        if shape == "table":
            return {} if self.n_neighbors is None else {"neighbours": self.n_neighbors}
        _recipe.unused("n_neighbors", self.n_neighbors, None, "X is a graph already")
        return {}

    @staticmethod
    def _read_walk(recipe, info):
        method = recipe["method"]
        params = {
            "tol": method["tolerance"],
            "max_iter": method["iterations"],
            "random_state": recipe.get("seed", 0),
        }
        if info.get("dim") is None:
            return {**params, "kernel": "graph"}
        return {
            **params,
            "kernel": "knn",
            "n_neighbors": recipe.get("neighbours"),
            "standardize": recipe.get("scaling", "standardise") == "standardise",
        }


@documented(tol="1e-12")
class LabelPropagation(Walk, ClassifierBase):
    """Classes by label propagation, ``F = (I − ηS)⁻¹ Y``.  [Zhou et al. 2003; STKR Eqn 22]

    ``S = D^-½ W D^-½`` of a graph, or of the nearest neighbours of a table's rows.

    <<weights>>

    Parameters
    ----------
    eta : float or "auto", default="auto"
        How far labels travel, 0 ≤ η < 1; ``"auto"``: 0.99 between rows, 0.9 along a graph.
    kernel : {"auto", "knn", "graph"}, default="auto"
        As in :class:`STKRClassifier`.
    <<n_neighbors>>
    steps : int, default=None
        Exactly so many steps ``F ← ηSF + Y`` from zero instead of the solution.
    center_labels : bool, default=False
        Whether the labels' mean and the modes that are constant on a part of the graph are taken
        off; scores then do not depend on η much.
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
    >>> from isotherm import LabelPropagation
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> LabelPropagation(n_neighbors=2).fit(X, [0, -1, -1, 1, -1, -1]).transduction_.tolist()
    [0, 0, 0, 1, 1, 1]
    """

    _parameter_constraints = {
        **_CONSTRAINTS,
        "eta": any_of(words("auto"), reals(0, 1, "left")),
        "steps": any_of(integers(1), None),
        "center_labels": any_of("boolean"),
        "unlabeled": "no_validation",
    }

    def __init__(
        self,
        eta="auto",
        *,
        kernel="auto",
        n_neighbors=None,
        steps=None,
        center_labels=False,
        tol=1e-12,
        max_iter=10_000,
        standardize=False,
        unlabeled="auto",
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.eta = eta
        self.kernel = kernel
        self.n_neighbors = n_neighbors
        self.steps = steps
        self.center_labels = center_labels
        self.tol = tol
        self.max_iter = max_iter
        self.standardize = standardize
        self.unlabeled = unlabeled
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _method(self, task, shape, reduced=None):
        centred = bool(self.center_labels)
        return {
            "kind": "label-propagation",
            "eta": ETAS[shape] if isinstance(self.eta, str) else self.eta,
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

    def fit(self, X, y, sample_weight=None):
        """Fits labelled and unlabelled rows or nodes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            All rows, or a graph.
        y : array-like of shape (n_samples,)
            Classes; see ``unlabeled`` for rows without one.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each label counts.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight)


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
        **_CONSTRAINTS,
        "class_mass": any_of(words("as-found", "labelled")),
        "unlabeled": "no_validation",
    }

    def __init__(
        self,
        kernel="auto",
        *,
        n_neighbors=None,
        class_mass="as-found",
        tol=1e-10,
        max_iter=10_000,
        standardize=False,
        unlabeled="auto",
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
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

    def fit(self, X, y):
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
    _parameter_constraints = _CONSTRAINTS

    def __init__(
        self,
        kernel="auto",
        *,
        n_neighbors=None,
        tol=1e-10,
        max_iter=10_000,
        standardize=False,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
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

    def fit(self, X, y):
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
