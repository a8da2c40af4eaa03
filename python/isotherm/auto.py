"""Several kernels and graphs at once, weighed by the labels: the first thing to try on a table."""

from typing import Any

from sklearn.utils.validation import check_is_fitted

from . import _recipe
from ._base import WeightedFit
from ._classifier import ClassifierBase
from ._constraints import COMMON, SCALING, STOPPING, any_of, parameter
from ._regressor import RegressorBase
from ._typing import RandomState
from .laplacian import LaplacianClassifier, LaplacianRegressor

#: Labels up to which members are blended, as on the command line: more would take O(n³) time.
#: More labels are fitted by the kernel Laplacian on landmarks.
MOST_LABELS = 2000

_CONSTRAINTS = {
    "n_neighbors": any_of(*parameter("neighbours"), None),
    **STOPPING,
    **SCALING,
    "unlabeled": "no_validation",
    **COMMON,
}


class Auto(WeightedFit):
    """Parameters ↔ recipe of both estimators; not public."""

    _model: Any
    _walks = False
    _encodes = True
    _parameter_constraints = _CONSTRAINTS

    def __init__(
        self,
        *,
        n_neighbors: int | None = None,
        tol: float = 1e-8,
        max_iter: int = 10_000,
        standardize: bool | str = "auto",
        unlabeled: Any = "auto",
        random_state: RandomState = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        """Stores the parameters; nothing is computed before ``fit``.

        Parameters
        ----------
        n_neighbors : int, default=None
            Neighbours in the graphs; ``None`` means 5, or half of the other rows where these are
            fewer.
        tol : float, default=1e-8
            Relative residual of iterative solves.
        max_iter : int, default=10000
            Iterations allowed; a ``ConvergenceWarning`` says when they did not suffice.
        standardize : bool or "auto", default="auto"
            False leaves every column as it is. Otherwise each kernel scales the rows in its own
            way: to columns of mean 0 and variance 1, or to rows of length 1.
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
        self.n_neighbors = n_neighbors
        self.tol = tol
        self.max_iter = max_iter
        self.standardize = standardize
        self.unlabeled = unlabeled
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _reduced(self, data, encoded, weights, shape):
        data, encoded, reduced = super()._reduced(data, encoded, weights, shape)
        reduced.labels = int(encoded.labelled.sum())
        return data, encoded, reduced

    def _method(self, task, shape, reduced=None):
        if reduced is not None and (reduced.labels or 0) > MOST_LABELS:
            numbers = task in ("regress", "numbers")
            return (LaplacianRegressor() if numbers else LaplacianClassifier())._method(task, shape)
        return {"kind": "blend", "tolerance": self.tol, "iterations": self.max_iter}

    def _geometry(self, shape):
        return {} if self.n_neighbors is None else {"neighbours": self.n_neighbors}

    @property
    def blend_(self) -> dict[str, float]:
        """What each kernel and graph contributes, the largest share first; empty where more than
        2,000 labels were fitted by the kernel Laplacian instead."""
        check_is_fitted(self)
        return dict(self._model.blend)

    @classmethod
    def _read_params(cls, recipe, info):
        method = recipe["method"]
        return {
            "n_neighbors": recipe.get("neighbours"),
            "tol": method["tolerance"],
            "max_iter": method["iterations"],
            "random_state": recipe.get("seed", 0),
            "standardize": _recipe.read_scaling(recipe),
        }


class AutoClassifier(Auto, ClassifierBase):
    """Classes by several kernels and graphs of neighbours, weighed by the labels.

    Each member is ridge regression with a kernel of its own: exponentials of two distances, inner
    products, cosines, and two graphs that join every row to its nearest rows. How much each
    counts is decided by how well it predicts labels it has not seen.

    X may be a DataFrame with columns of any kind and missing numbers: they are encoded as by
    :class:`TableEncoder`, which is kept as ``encoder_``.

    Examples
    --------
    >>> from isotherm import AutoClassifier
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]
    >>> model = AutoClassifier().fit(X, [0, -1, -1, 1, -1, -1])
    >>> model.predict([[0.15], [5.15]]).tolist()
    [0, 1]
    """


class AutoRegressor(Auto, RegressorBase):
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
