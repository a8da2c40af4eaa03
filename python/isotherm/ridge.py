"""Kernel ridge: what labels alone can do, for comparison."""

from typing import Any

from . import _recipe
from ._classifier import ClassifierBase
from ._constraints import COMMON, STOPPING, any_of, reals, words
from ._docs import documented
from ._regressor import RegressorBase
from ._typing import ArrayLike, Labels, RandomState, Samples, Self

_CONSTRAINTS = {
    "kernel": any_of(words(*_recipe.KERNELS)),
    "bandwidth": any_of(words("auto"), reals(0, None, "neither")),
    "kernel_params": any_of(dict, None),
    "ridge": any_of(reals(0, None, "neither")),
    **STOPPING,
    "standardize": any_of("boolean"),
    **COMMON,
}


class Ridge:
    """Parameters ↔ recipe of both estimators; not public."""

    _walks = False

    def _method(self, task, shape, reduced=None):
        return {
            "kind": "kernel-ridge",
            "kernel": _recipe.kernel(self.kernel, self.bandwidth, self.kernel_params),
            "ridge": self.ridge,
            "tolerance": self.tol,
            "iterations": self.max_iter,
        }

    @classmethod
    def _read_params(cls, recipe, info):
        method = recipe["method"]
        params = {
            "ridge": method["ridge"],
            "tol": method["tolerance"],
            "max_iter": method["iterations"],
            "random_state": recipe.get("seed", 0),
        }
        standardize = recipe.get("scaling", "standardise") == "standardise"
        return {**params, **_recipe.read_kernel(method["kernel"]), "standardize": standardize}


@documented(tol="1e-08", kernel="gaussian")
class KernelRidgeClassifier(Ridge, ClassifierBase):
    """Classes by kernel ridge regression on the labelled rows.  [STKR Eqn 2]

    ``f = K(·, X_l)(K_ll + nβI)⁻¹ Y``. Unlabelled rows are predicted and change nothing: this is
    the baseline that tells whether they help.

    <<weights>>

    Parameters
    ----------
    <<rows_kernel>>
    <<bandwidth>>
    <<kernel_params>>
    ridge : float, default=1e-3
        β > 0.
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
    >>> from isotherm import KernelRidgeClassifier
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]
    >>> model = KernelRidgeClassifier(bandwidth=1.0).fit(X, [0, -1, -1, 1, -1, -1])
    >>> model.predict([[0.15], [5.15]]).tolist()
    [0, 1]
    """

    _parameter_constraints = {**_CONSTRAINTS, "unlabeled": "no_validation"}

    def __init__(
        self,
        kernel: str = "gaussian",
        *,
        bandwidth: float | str = "auto",
        kernel_params: dict[str, float] | None = None,
        ridge: float = 1e-3,
        tol: float = 1e-8,
        max_iter: int = 10_000,
        standardize: bool = False,
        unlabeled: Any = "auto",
        random_state: RandomState = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.kernel_params = kernel_params
        self.ridge = ridge
        self.tol = tol
        self.max_iter = max_iter
        self.standardize = standardize
        self.unlabeled = unlabeled
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Samples, y: Labels, sample_weight: ArrayLike | None = None) -> Self:
        """Fits the labelled rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            All rows.
        y : array-like of shape (n_samples,)
            Classes; see ``unlabeled`` for rows without one.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each label counts.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight)


@documented(tol="1e-08", kernel="gaussian")
class KernelRidge(Ridge, RegressorBase):
    """Values by kernel ridge regression on the labelled rows.  [STKR Eqn 2]

    ``f = ȳ + K(·, X_l)(K_ll + nβI)⁻¹ (y − ȳ)``. Unlabelled rows are predicted and change nothing:
    this is the baseline that tells whether they help.

    <<weights>>

    Parameters
    ----------
    <<rows_kernel>>
    <<bandwidth>>
    <<kernel_params>>
    ridge : float, default=1e-3
        β > 0.
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
    >>> from isotherm import KernelRidge
    >>> X = np.linspace(0, 1, 12)[:, None]
    >>> model = KernelRidge(bandwidth=0.3).fit(X, 2 * X.ravel())
    >>> bool(abs(model.predict([[0.5]])[0] - 1.0) < 0.05)
    True
    """

    _parameter_constraints = _CONSTRAINTS

    def __init__(
        self,
        kernel: str = "gaussian",
        *,
        bandwidth: float | str = "auto",
        kernel_params: dict[str, float] | None = None,
        ridge: float = 1e-3,
        tol: float = 1e-8,
        max_iter: int = 10_000,
        standardize: bool = False,
        random_state: RandomState = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.kernel_params = kernel_params
        self.ridge = ridge
        self.tol = tol
        self.max_iter = max_iter
        self.standardize = standardize
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Samples, y: Labels, sample_weight: ArrayLike | None = None) -> Self:
        """Fits the labelled rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            All rows.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Values; a row of NaN is unlabelled.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each label counts.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight)
