"""Kernel Laplacian regularisation.  [KLAP]"""

import numpy as np

from . import _recipe
from ._classifier import ClassifierBase
from ._constraints import COMMON, any_of, integers, reals, words
from ._docs import documented
from ._regressor import RegressorBase
from ._spectral import SpectralParameter

#: Random waves, when nobody says how many.
WAVES = 1000

_CONSTRAINTS = {
    "kernel": any_of(words(*_recipe.SMOOTH)),
    "bandwidth": any_of(words("auto"), reals(0, None, "neither")),
    "kernel_params": any_of(dict, None),
    "landmarks": any_of(integers(1), "array-like", None),
    "landmark_rule": any_of(words(*_recipe.LANDMARK_RULES)),
    "derivatives": any_of("boolean"),
    "features": any_of(words("landmarks", "random", "exact")),
    "filter": any_of(SpectralParameter, None),
    "norm_share": any_of(words("auto"), reals(0, None, "left")),
    "covariance": any_of(words("labelled", "all")),
    "fit_intercept": any_of("boolean", words("auto")),
    "route": any_of(words("auto", "panel", "gram")),
    "precision": any_of(words("double", "single")),
    "standardize": any_of("boolean"),
    **COMMON,
}


class Laplacian:
    """Parameters ↔ recipe of both estimators; not public."""

    _walks = False

    def _method(self, task, shape, reduced=None):
        out = {
            "kind": "laplacian",
            "kernel": _recipe.kernel(self.kernel, self.bandwidth, self.kernel_params),
            "basis": self._basis(reduced),
            "norm_share": self.norm_share,
            "covariance": self.covariance,
            "free_constant": self._intercept(),
            "route": self.route,
            "precision": self.precision,
        }
        if self.filter is not None:
            out["filter"] = _recipe.filter(self.filter)
        return out

    def _intercept(self):
        """Numbers have a mean of their own; for classes a free one drowns rare labels."""
        auto = isinstance(self.fit_intercept, str)
        return self._counts_numbers if auto else bool(self.fit_intercept)

    def _takes_means_off(self):
        return self._intercept()

    def _basis(self, reduced):
        given = self.landmarks
        if self.features != "landmarks":
            if self.derivatives:
                raise ValueError(
                    f"derivatives must be False: features={self.features!r} has none to add"
                )
            if self.landmark_rule != "uniform":
                raise ValueError(
                    f"landmark_rule must be left out: features={self.features!r} has no landmarks"
                )
        if self.features == "exact":
            _recipe.unused("landmarks", given, None, "features='exact' uses every row")
            return {"kind": "exact"}
        if self.features == "random":
            if np.ndim(given):
                raise ValueError("landmarks must be a count for features='random', got an array")
            return {"kind": "fourier", "count": WAVES if given is None else int(given)}
        if np.ndim(given) == 0:
            rule = _recipe.LANDMARK_RULES[self.landmark_rule]
            out = {"kind": "landmarks", "selection": rule, "derivatives": bool(self.derivatives)}
            return out if given is None else {**out, "count": int(given)}
        rows = self._landmark_rows(np.asarray(given), reduced)
        return {"kind": "rows", "index": rows.tolist(), "derivatives": bool(self.derivatives)}

    def _landmark_rows(self, rows, reduced):
        if rows.ndim != 1 or rows.dtype.kind not in "iu":
            raise ValueError(
                f"landmarks must be a count or the numbers of rows of X, got an array of type "
                f"{rows.dtype} and shape {rows.shape}"
            )
        if self.landmark_rule != "uniform":
            raise ValueError("landmark_rule must be left out: the landmarks are given")
        if reduced is None or reduced.places is None:
            return rows
        places = reduced.places[rows]
        if (places < 0).any():
            row = int(rows[np.flatnonzero(places < 0)[0]])
            raise ValueError(f"row {row} cannot be a landmark: its sample weight is 0")
        # Rows that were merged are one landmark.
        return places[np.sort(np.unique(places, return_index=True)[1])]

    @classmethod
    def _read_params(cls, recipe, info):
        method = recipe["method"]
        rules = {v: k for k, v in _recipe.LANDMARK_RULES.items()}
        params = {
            **_recipe.read_kernel(method["kernel"]),
            "filter": _recipe.read_filter(method.get("filter")),
            "norm_share": method["norm_share"],
            "covariance": method["covariance"],
            "fit_intercept": method["free_constant"],
            "route": method["route"],
            "precision": method.get("precision", "double"),
            "standardize": recipe.get("scaling", "standardise") == "standardise",
            "random_state": recipe.get("seed", 0),
        }
        basis = method["basis"]
        if basis["kind"] == "exact":
            return {**params, "features": "exact"}
        if basis["kind"] == "fourier":
            return {**params, "features": "random", "landmarks": basis["count"]}
        params["derivatives"] = basis.get("derivatives", False)
        if basis["kind"] == "rows":
            return {**params, "landmarks": np.array(basis["index"])}
        params["landmark_rule"] = rules[basis.get("selection", "uniform")]
        return {**params, "landmarks": basis.get("count")}


@documented(kernel="gaussian")
class LaplacianClassifier(Laplacian, ClassifierBase):
    """Classes by kernel Laplacian regularisation.

    ``ĝ = argmin ‖g − Y‖²_labels + λ(‖∇g‖²_all + μ‖g‖²)`` over functions of a kernel, for Tikhonov;
    other filters ψ act on the pencil ``(Σ̂, L̂ + μ)`` alike.  [KLAP Eqs 5 and 7]

    <<weights>>

    Parameters
    ----------
    <<laplacian>>
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
    >>> from isotherm import LaplacianClassifier, Tikhonov
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> y = ["a", "", "", "b", "", ""]
    >>> model = LaplacianClassifier(bandwidth=1.0, filter=Tikhonov(1e-2)).fit(X, y)
    >>> model.predict([[0.15], [5.15]]).tolist()
    ['a', 'b']
    """

    _counts_numbers = False
    _parameter_constraints = {**_CONSTRAINTS, "unlabeled": "no_validation"}

    def __init__(
        self,
        kernel="gaussian",
        *,
        bandwidth="auto",
        kernel_params=None,
        landmarks=None,
        landmark_rule="uniform",
        derivatives=False,
        features="landmarks",
        filter=None,
        norm_share="auto",
        covariance="labelled",
        fit_intercept="auto",
        route="auto",
        precision="double",
        standardize=False,
        unlabeled="auto",
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.kernel_params = kernel_params
        self.landmarks = landmarks
        self.landmark_rule = landmark_rule
        self.derivatives = derivatives
        self.features = features
        self.filter = filter
        self.norm_share = norm_share
        self.covariance = covariance
        self.fit_intercept = fit_intercept
        self.route = route
        self.precision = precision
        self.standardize = standardize
        self.unlabeled = unlabeled
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X, y=None, sample_weight=None):
        """Fits labelled and unlabelled rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            All rows; also a Parquet path, a dataset, an iterator of batches or a dask collection.
        y : array-like of shape (n_samples,)
            Classes; see ``unlabeled`` for rows without one.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each label counts.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight)


@documented(kernel="gaussian")
class LaplacianRegressor(Laplacian, RegressorBase):
    """Values by kernel Laplacian regularisation.

    ``ĝ = argmin ‖g − y‖²_labels + λ(‖∇g‖²_all + μ‖g‖²)`` over functions of a kernel, for Tikhonov;
    with ``fit_intercept=False`` that is exactly what ``predict`` returns.  [KLAP Eqs 5 and 7]

    <<weights>>

    Parameters
    ----------
    <<laplacian>>
    <<standardize>>
    <<common>>

    Attributes
    ----------
    <<regressor_attributes>>
    <<attributes>>

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm import LaplacianRegressor, Tikhonov
    >>> X = np.linspace(0, 1, 12)[:, None]
    >>> y = np.full(12, np.nan)
    >>> y[[0, 11]] = 0.0, 1.0
    >>> model = LaplacianRegressor(bandwidth=0.3, filter=Tikhonov(1e-3)).fit(X, y)
    >>> bool(model.predict([[0.1]])[0] < model.predict([[0.9]])[0])
    True
    """

    _counts_numbers = True
    _parameter_constraints = _CONSTRAINTS

    def __init__(
        self,
        kernel="gaussian",
        *,
        bandwidth="auto",
        kernel_params=None,
        landmarks=None,
        landmark_rule="uniform",
        derivatives=False,
        features="landmarks",
        filter=None,
        norm_share="auto",
        covariance="labelled",
        fit_intercept="auto",
        route="auto",
        precision="double",
        standardize=False,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.kernel_params = kernel_params
        self.landmarks = landmarks
        self.landmark_rule = landmark_rule
        self.derivatives = derivatives
        self.features = features
        self.filter = filter
        self.norm_share = norm_share
        self.covariance = covariance
        self.fit_intercept = fit_intercept
        self.route = route
        self.precision = precision
        self.standardize = standardize
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X, y=None, sample_weight=None):
        """Fits labelled and unlabelled rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            All rows; also a Parquet path, a dataset, an iterator of batches or a dask collection.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Values; a row of NaN is unlabelled.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each label counts.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight)
