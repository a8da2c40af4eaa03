"""Kernel ridge: what labels alone can do, for comparison."""

from typing import Any

from . import _recipe
from ._base import WeightedFit
from ._constraints import (
    COMMON,
    GAMMA,
    SCALING,
    SHARES,
    STOPPING,
    any_of,
    kernels,
    parameter,
    reals,
    words,
)
from ._linked import LinkedClassifier, LinkedRegressor
from ._transforms import Power
from ._typing import Kernel, RandomState, Samples

_CONSTRAINTS = {
    "kernel": any_of(kernels("precomputed"), callable),
    "graph": "no_validation",
    "smooth": any_of(*parameter("smooth")),
    "bandwidth": any_of(*parameter("bandwidth"), words("auto")),
    **GAMMA,
    "kernel_params": any_of(dict, None),
    # Narrower than the library's table, which speaks of stkr too.
    "ridge": any_of(reals(0, None, "neither")),
    **STOPPING,
    **SCALING,
    **SHARES,
    "unlabeled": "no_validation",
    **COMMON,
}


class Ridge(WeightedFit):
    """Parameters ↔ recipe of both estimators; not public."""

    _walks = False
    _parameter_constraints = _CONSTRAINTS

    def __init__(
        self,
        kernel: str | Kernel = "gaussian",
        *,
        graph: Samples = None,
        smooth: float | str = "auto",
        bandwidth: float | str = "auto",
        gamma: float | None = None,
        kernel_params: dict[str, float] | None = None,
        ridge: float = 1e-3,
        tol: float = 1e-8,
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
        kernel : str or callable, default="gaussian"
            How rows are compared: ``"gaussian"``, ``"laplace"`` or another kernel between rows. The
            guide to kernels lists them; so does the refusal of a name that is none. scikit-learn's
            names are ``"rbf"``, ``"laplacian"`` and ``"poly"``. ``"precomputed"``: X holds
            similarities. A function ``kernel(X, Z)`` gives the similarities of the rows of X to
            those of Z, which are not scaled. Both are fitted as STKR with ``Power(1)``, which is
            the same system.
        graph : sparse matrix of shape (n_samples, n_samples), default=None
            Which rows of X are joined, and how strongly: a symmetric matrix of weights of at least
            0, a networkx graph, or edges in another form that ``kernel="graph"`` takes elsewhere.
            The rows of X are then features of the nodes, averaged over the graph as ``smooth``
            says. Not kept in files of ``save``.
        smooth : float or "auto", default="auto"
            How far features are averaged over the graph, η of ``(1 − η)(I − ηŜ)⁻¹X``: from 0, the
            features as they are, to below 1. ``"auto"``: the features and four averages side by
            side. Only beside ``graph``.
        bandwidth : float or "auto", default="auto"
            Length scale of the kernel; ``"auto"`` takes it from the data. Kept as ``bandwidth_``.
        gamma : float, default=None
            γ > 0 in place of a bandwidth, as in scikit-learn: of ``"gaussian"`` 1/2σ², of
            ``"laplace"`` 1/ℓ, and of ``"polynomial"`` its ``scale``; in scaled units unless
            ``standardize`` is False.
        kernel_params : dict, default=None
            Further numbers of the kernel, such as ``{"shape": 2.0}`` of the rational quadratic; the
            guide to kernels lists them.
        ridge : float, default=1e-3
            β > 0.
        tol : float, default=1e-8
            Relative residual of iterative solves.
        max_iter : int, default=10000
            Iterations allowed; a ``ConvergenceWarning`` says when they did not suffice.
        standardize : bool or "auto", default="auto"
            Whether each column is scaled to mean 0 and variance 1 first, as the command line does;
            ``"auto"`` is True, and False beside ``graph``. A bandwidth is in scaled units unless this
            is False.
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
        self.smooth = smooth
        self.bandwidth = bandwidth
        self.gamma = gamma
        self.kernel_params = kernel_params
        self.ridge = ridge
        self.tol = tol
        self.max_iter = max_iter
        self.standardize = standardize
        self.class_shares = class_shares
        self.unlabeled = unlabeled
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _method(self, task, shape, reduced=None):
        if shape == "gram":
            return self._on_similarities(task)
        return {
            "kind": "kernel-ridge",
            "kernel": self._kernel(),
            "ridge": self.ridge,
            "tolerance": self.tol,
            "iterations": self.max_iter,
        }

    def _on_similarities(self, task):
        """The same system as the core poses it for given similarities: STKR with s(λ) = λ."""
        given = "the kernel is a function" if callable(self.kernel) else "the kernel is given"
        for name, usual in (("bandwidth", "auto"), ("gamma", None), ("kernel_params", None)):
            _recipe.unused(name, getattr(self, name), usual, given)
        return {
            "kind": "stkr",
            "transform": Power(1)._spec(),
            "ridge": self.ridge,
            # Kernel ridge fits values about their mean, too.
            "centre_labels": task in ("regress", "numbers"),
            "trivial_mode": "keep",
            "tolerance": self.tol,
            "iterations": self.max_iter,
        }

    @classmethod
    def _read_params(cls, recipe, info):
        method = recipe["method"]
        params = {
            "ridge": method["ridge"],
            "smooth": recipe.get("smooth", "auto"),
            "tol": method["tolerance"],
            "max_iter": method["iterations"],
            "random_state": recipe.get("seed", 0),
        }
        params["standardize"] = _recipe.read_scaling(recipe)
        return {**params, **_recipe.read_kernel(method["kernel"])}


class KernelRidgeClassifier(Ridge, LinkedClassifier):
    """Classes by kernel ridge regression on the labelled rows.  [STKR Eqn 2]

    ``f = K(·, X_l)(K_ll + nβI)⁻¹ Y``. Unlabelled rows are predicted and change nothing but the
    scales of the columns: this is the baseline that tells whether they help.

    Examples
    --------
    >>> from isotherm import KernelRidgeClassifier
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]
    >>> model = KernelRidgeClassifier(bandwidth=1.0).fit(X, [0, -1, -1, 1, -1, -1])
    >>> model.predict([[0.15], [5.15]]).tolist()
    [0, 1]
    """


class KernelRidge(Ridge, LinkedRegressor):
    """Values by kernel ridge regression on the labelled rows.  [STKR Eqn 2]

    ``f = ȳ + K(·, X_l)(K_ll + nβI)⁻¹ (y − ȳ)``. Unlabelled rows are predicted and change nothing
    but the scales of the columns: this is the baseline that tells whether they help.

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm import KernelRidge
    >>> X = np.linspace(0, 1, 12)[:, None]
    >>> model = KernelRidge(bandwidth=0.3).fit(X, 2 * X.ravel())
    >>> bool(abs(model.predict([[0.5]])[0] - 1.0) < 0.05)
    True
    """
