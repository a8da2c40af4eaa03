"""Kernel Laplacian regularisation.  [KLAP]"""

from typing import Any

from ._classifier import ClassifierBase
from ._docs import documented
from ._laplacian import CONSTRAINTS, Laplacian
from ._regressor import RegressorBase
from ._spectral import SpectralParameter
from ._typing import ArrayLike, Labels, RandomState, Samples, Self


@documented(kernel="gaussian")
class LaplacianClassifier(Laplacian, ClassifierBase):
    """Classes by kernel Laplacian regularisation.

    ``ĝ = argmin ‖g − Y‖²_labels + λ(‖∇g‖²_all + μ‖g‖²)`` over functions of a kernel, for Tikhonov;
    other filters ψ act on the pencil ``(Σ̂, L̂ + μ)`` alike.  [KLAP Eqs 5 and 7]

    <<weights>>

    Parameters
    ----------
    <<laplacian>>
    <<standardize_auto>>
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
    _parameter_constraints = {**CONSTRAINTS, "unlabeled": "no_validation"}

    def __init__(
        self,
        kernel: str = "gaussian",
        *,
        bandwidth: float | str = "auto",
        kernel_params: dict[str, float] | None = None,
        landmarks: int | ArrayLike | None = None,
        landmark_rule: str = "uniform",
        derivatives: bool = False,
        features: str = "landmarks",
        filter: SpectralParameter | None = None,
        norm_share: float | str = "auto",
        covariance: str = "labelled",
        fit_intercept: bool | str = "auto",
        route: str = "auto",
        precision: str = "double",
        standardize: bool | str = "auto",
        unlabeled: Any = "auto",
        random_state: RandomState = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
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

    def fit(self, X: Samples, y: Labels = None, sample_weight: ArrayLike | None = None) -> Self:
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
    <<standardize_auto>>
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
    _parameter_constraints = CONSTRAINTS

    def __init__(
        self,
        kernel: str = "gaussian",
        *,
        bandwidth: float | str = "auto",
        kernel_params: dict[str, float] | None = None,
        landmarks: int | ArrayLike | None = None,
        landmark_rule: str = "uniform",
        derivatives: bool = False,
        features: str = "landmarks",
        filter: SpectralParameter | None = None,
        norm_share: float | str = "auto",
        covariance: str = "labelled",
        fit_intercept: bool | str = "auto",
        route: str = "auto",
        precision: str = "double",
        standardize: bool | str = "auto",
        random_state: RandomState = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
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

    def fit(self, X: Samples, y: Labels = None, sample_weight: ArrayLike | None = None) -> Self:
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
