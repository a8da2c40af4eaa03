"""Spectrally transformed kernel regression.  [STKR]"""

from collections.abc import Callable
from typing import Any

from ._classifier import ClassifierBase
from ._docs import documented
from ._regressor import RegressorBase
from ._spectral import SpectralParameter
from ._stkr import CONSTRAINTS, STKR
from ._transforms import InverseLaplacian
from ._typing import ArrayLike, Labels, RandomState, Samples, Self


@documented(tol="1e-10")
class STKRClassifier(STKR, ClassifierBase):
    """Classes by spectrally transformed kernel regression.

    ``f = Kₛ(·, X_l) α̂`` with ``(G_{Kₛ,n} + nβI) α̂ = Y``, where ``Kₛ = Σᵢ s(λᵢ) ψᵢψᵢᵀ`` transforms
    the spectrum of a base kernel over all rows, labelled or not.  [STKR Eqns 4–5]

    <<weights>>

    Parameters
    ----------
    kernel : str, default="auto"
        What makes rows similar. ``"auto"`` and ``"knn"``: being among each other's nearest
        neighbours; ``"auto"`` also takes a symmetric sparse matrix or anything with an
        ``edge_index`` as a graph. ``"graph"``: X is an N × N adjacency matrix, PyTorch Geometric
        data, a 2 × E edge index, or E × 2 edges (E × 3 with weights). ``"precomputed"``: X holds
        similarities. Else a kernel between rows: ``"gaussian"``, ``"matern32"``, ``"matern52"``,
        ``"rational-quadratic"``, ``"exponential"``, ``"polynomial"``, ``"linear"``, ``"cosine"``.
    <<bandwidth>>
    <<kernel_params>>
    <<n_neighbors>>
    transform : transform or callable, default=InverseLaplacian(eta=0.99)
        ``s(λ)``: ``InverseLaplacian``, ``Polynomial``, ``Power``, ``Diffusion``, ``Reciprocal``,
        ``Truncation``, or a function of one eigenvalue. Not an attribute, since whatever has an
        attribute of this name is a transformer to scikit-learn: see ``get_params``.
    ridge : float or "auto", default=1e-3
        β ≥ 0; ``"auto"`` takes the one with the smallest leave-one-out error.
    center_labels : bool, default=True
        Whether the mean over the labels and the modes that are constant on a part of the graph
        are taken off first; scores are then deviations. False is the paper's own form.
    center_kernel : bool, default=False
        Whether the base kernel is centred, ``HKH``.
    repair : str or None, default="auto"
        What to do when the system is not positive definite, as on many graphs. ``"auto"``: the
        twin or clipping, as the report says; None: refuse; ``"allow"``: solve as posed;
        ``"lazy"`` or ``"self-loops"``: another base kernel, ``(I + S)/2`` or with loops;
        ``"psd-twin"``: the kernel ``N(I − ηS)⁻¹``; ``"clip"``: negative eigenvalues count as 0.
    solver : str, default="auto"
        ``"label-block"``, ``"cg"``, ``"minres"``, ``"richardson"`` or ``"direct"``.
    <<stopping>>
    steps : int, default=None
        Exactly so many Richardson steps from zero; with ``solver="richardson"`` only.
    step_size : float, default=None
        γ of Richardson's iteration; ``None``: the largest that is sure to converge.
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
    >>> from isotherm import STKRClassifier
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> y = [0, -1, -1, 1, -1, -1]
    >>> model = STKRClassifier(n_neighbors=2).fit(X, y)
    >>> model.transduction_.tolist()
    [0, 0, 0, 1, 1, 1]
    >>> model.predict([[0.15], [5.15]]).tolist()
    [0, 1]
    """

    _parameter_constraints = {**CONSTRAINTS, "unlabeled": "no_validation"}

    def __init__(
        self,
        kernel: str = "auto",
        *,
        bandwidth: float | str = "auto",
        kernel_params: dict[str, float] | None = None,
        n_neighbors: int | None = None,
        transform: SpectralParameter | Callable[[float], float] = InverseLaplacian(),
        ridge: float | str = 1e-3,
        center_labels: bool = True,
        center_kernel: bool = False,
        repair: str | None = "auto",
        solver: str = "auto",
        tol: float = 1e-10,
        max_iter: int = 10_000,
        steps: int | None = None,
        step_size: float | None = None,
        standardize: bool = False,
        unlabeled: Any = "auto",
        random_state: RandomState = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.kernel_params = kernel_params
        self.n_neighbors = n_neighbors
        self.transform = transform
        self.ridge = ridge
        self.center_labels = center_labels
        self.center_kernel = center_kernel
        self.repair = repair
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.steps = steps
        self.step_size = step_size
        self.standardize = standardize
        self.unlabeled = unlabeled
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Samples, y: Labels, sample_weight: ArrayLike | None = None) -> Self:
        """Fits labelled and unlabelled rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            All rows; see ``kernel`` for graphs and similarities.
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
class STKRRegressor(STKR, RegressorBase):
    """Values by spectrally transformed kernel regression.

    ``f = Kₛ(·, X_l) α̂`` with ``(G_{Kₛ,n} + nβI) α̂ = y``; with ``center_labels=False`` that is
    exactly what ``predict`` returns, else labels are fitted about their mean.  [STKR Eqns 4–5]

    <<weights>>

    Parameters
    ----------
    kernel : str, default="auto"
        As in :class:`STKRClassifier`.
    <<bandwidth>>
    <<kernel_params>>
    <<n_neighbors>>
    transform : transform or callable, default=InverseLaplacian(eta=0.99)
        ``s(λ)``, as in :class:`STKRClassifier`.
    ridge : float or "auto", default=1e-3
        β ≥ 0; ``"auto"`` takes the one with the smallest leave-one-out error.
    center_labels : bool, default=True
        Whether labels are fitted about their mean, without the modes that are constant on a part
        of the graph. False is the paper's own form.
    center_kernel : bool, default=False
        Whether the base kernel is centred, ``HKH``.
    repair : str or None, default="auto"
        As in :class:`STKRClassifier`.
    solver : str, default="auto"
        As in :class:`STKRClassifier`.
    <<stopping>>
    steps : int, default=None
        Exactly so many Richardson steps from zero; with ``solver="richardson"`` only.
    step_size : float, default=None
        γ of Richardson's iteration; ``None``: the largest that is sure to converge.
    <<standardize>>
    <<common>>

    Attributes
    ----------
    <<regressor_attributes>>
    <<attributes>>

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm import STKRRegressor
    >>> X = np.linspace(0, 1, 12)[:, None]
    >>> y = np.full(12, np.nan)
    >>> y[[0, 11]] = 0.0, 1.0
    >>> model = STKRRegressor("gaussian", bandwidth=0.3).fit(X, y)
    >>> bool(model.predict([[0.1]])[0] < model.predict([[0.9]])[0])
    True
    """

    _parameter_constraints = CONSTRAINTS

    def __init__(
        self,
        kernel: str = "auto",
        *,
        bandwidth: float | str = "auto",
        kernel_params: dict[str, float] | None = None,
        n_neighbors: int | None = None,
        transform: SpectralParameter | Callable[[float], float] = InverseLaplacian(),
        ridge: float | str = 1e-3,
        center_labels: bool = True,
        center_kernel: bool = False,
        repair: str | None = "auto",
        solver: str = "auto",
        tol: float = 1e-10,
        max_iter: int = 10_000,
        steps: int | None = None,
        step_size: float | None = None,
        standardize: bool = False,
        random_state: RandomState = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.kernel_params = kernel_params
        self.n_neighbors = n_neighbors
        self.transform = transform
        self.ridge = ridge
        self.center_labels = center_labels
        self.center_kernel = center_kernel
        self.repair = repair
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.steps = steps
        self.step_size = step_size
        self.standardize = standardize
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Samples, y: Labels, sample_weight: ArrayLike | None = None) -> Self:
        """Fits labelled and unlabelled rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            All rows; see ``kernel`` for graphs and similarities.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Values; a row of NaN is unlabelled.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each label counts.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight)
