"""Coordinates: the smoothest functions on the rows, for plots and other methods."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from . import _constraints, _inputs, _recipe, _report
from ._constraints import COMMON, GAMMA, SCALING, any_of, integers, kernels, parameter, words
from ._typing import ArrayLike, NDArray, RandomState, Samples, Self
from ._working import Working
from .laplacian import LaplacianClassifier


class SpectralEmbedding(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Working, BaseEstimator):
    """Modes of the data as coordinates, for the rows of the fit and for new ones.

    ``method="laplacian"``: leading modes of the pencil ``(Σ, L + μ)`` over all rows, constants
    left out.  [KLAP §2.2] ``method="stkr"``: leading modes of STKR's base kernel, extended to new
    rows by the kernel itself.  [STKR Eqns 8–9] Signs are fixed by the data.

    Under nearest neighbours the coordinates of a row that is given again differ from
    those of the fit, because as a new row it is its own nearest neighbour.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        Coordinates of the rows of the fit.
    eigenvalues_ : ndarray of shape (n_components,)
        Eigenvalues of the modes, descending.
    bandwidth_ : float or None
        The kernel's length scale, if it has one.
    report_ : FitReport
        How the modes were found.
    n_features_in_ : int
        Columns of X.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if all are strings.
    encoder_ : TableEncoder or None
        How columns became numbers, and missing numbers were filled; ``None`` for a graph or
        sparse rows.

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm import SpectralEmbedding
    >>> X = np.concatenate([np.linspace(0, 2, 20), np.linspace(8, 10, 20)])[:, None]
    >>> side = SpectralEmbedding(n_components=1).fit_transform(X)[:, 0] > 0
    >>> len(set(side[:20])), len(set(side[20:])), bool(side[0] != side[-1])
    (1, 1, True)
    """

    #: Read by what encodes rows: models of files know their columns as features only.
    _from_file = False
    _parameter_constraints = {
        "n_components": any_of(integers(1)),
        "method": any_of(words("laplacian", "stkr")),
        "kernel": any_of(kernels("auto", "knn", "graph")),
        "bandwidth": any_of(*parameter("bandwidth"), words("auto")),
        **GAMMA,
        "kernel_params": any_of(dict, None),
        "n_neighbors": any_of(*parameter("neighbours"), None),
        "landmarks": any_of(*parameter("landmarks"), "array-like", None),
        "landmark_rule": any_of(words(*_recipe.LANDMARK_RULES)),
        "norm_share": any_of(*parameter("norm_share"), words("auto")),
        **SCALING,
        **COMMON,
    }

    def __init__(
        self,
        n_components: int = 2,
        *,
        method: str = "laplacian",
        kernel: str = "auto",
        bandwidth: float | str = "auto",
        gamma: float | None = None,
        kernel_params: dict[str, float] | None = None,
        n_neighbors: int | None = None,
        landmarks: int | ArrayLike | None = None,
        landmark_rule: str = "uniform",
        norm_share: float | str = "auto",
        standardize: bool | str = "auto",
        random_state: RandomState = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        """Stores the parameters; nothing is computed before ``fit``.

        Parameters
        ----------
        n_components : int, default=2
            Coordinates.
        method : {"laplacian", "stkr"}, default="laplacian"
            Whose modes.
        kernel : str, default="auto"
            For ``"laplacian"`` a kernel with a gradient, ``"auto"`` being the Gaussian. For
            ``"stkr"`` as in :class:`STKRClassifier`, but for ``"precomputed"``.
        bandwidth : float or "auto", default="auto"
            Length scale of the kernel; ``"auto"`` takes it from the data. Kept as ``bandwidth_``.
        gamma : float, default=None
            γ > 0 in place of a bandwidth, as in scikit-learn: of ``"gaussian"`` 1/2σ², of
            ``"laplace"`` 1/ℓ, and of ``"polynomial"`` its ``scale``; in scaled units unless
            ``standardize`` is False.
        kernel_params : dict, default=None
            Further numbers of the kernel, such as ``{"shape": 2.0}`` of the rational quadratic; the
            guide to kernels lists them.
        n_neighbors : int, default=None
            Neighbours that join rows into a graph; ``None`` means 10, or half of the other rows
            where these are fewer. For nearest neighbours only.
        landmarks : int or array of int, default=None
            As in :class:`LaplacianClassifier`; ``"laplacian"`` only.
        landmark_rule : {"uniform", "leverage", "pivoted", "kmeans++"}, default="uniform"
            How landmarks are chosen; ``"laplacian"`` only.
        norm_share : float or "auto", default="auto"
            μ; ``"laplacian"`` only.
        standardize : bool or "auto", default="auto"
            Whether each column is scaled to mean 0 and variance 1 first, as the command line does.
            ``"auto"`` scales the columns of a table; a graph has none. A bandwidth is in scaled
            units unless this is False.
        random_state : int, RandomState or None, default=None
            Seed of every random choice; ``None`` is the seed 0, so a fit can be repeated.
        n_jobs : int, default=None
            Threads; ``None`` and −1 mean all, −2 all but one. Results do not depend on it.
        verbose : int, default=0
            1 prints a line for each phase on standard error, or logs it under ``isotherm`` where
            that log is shown; 2 also progress within them.
        """
        self.n_components = n_components
        self.method = method
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.gamma = gamma
        self.kernel_params = kernel_params
        self.n_neighbors = n_neighbors
        self.landmarks = landmarks
        self.landmark_rule = landmark_rule
        self.norm_share = norm_share
        self.standardize = standardize
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _params(self, shape):
        """The core's form of the parameters."""
        if self.method == "laplacian":
            return self._laplacian_params()
        for name, usual in (("landmarks", None), ("norm_share", "auto")):
            _recipe.unused(name, getattr(self, name), usual, "method='stkr' has no such thing")
        if self.landmark_rule != "uniform":
            raise ValueError("landmark_rule must be left out, because method='stkr' has none")
        out = {"kind": "stkr"}
        if shape == "table" and self.kernel not in ("auto", "knn"):
            _recipe.unused("n_neighbors", self.n_neighbors, None, "a kernel compares rows")
            said = (self.kernel, self.bandwidth, self.kernel_params, self.gamma)
            return {**out, "kernel": _recipe.kernel(*said)}
        _recipe.unused("bandwidth", self.bandwidth, "auto", "no kernel compares rows")
        _recipe.unused("gamma", self.gamma, None, "no kernel compares rows")
        _recipe.unused("kernel_params", self.kernel_params, None, "no kernel compares rows")
        if shape == "graph":
            _recipe.unused("n_neighbors", self.n_neighbors, None, "X is a graph already")
            return out
        return out if self.n_neighbors is None else {**out, "neighbours": self.n_neighbors}

    def _laplacian_params(self):
        _recipe.unused("n_neighbors", self.n_neighbors, None, "method='laplacian' joins no rows")
        kernel = "gaussian" if self.kernel == "auto" else self.kernel
        if _recipe.ALIASES.get(kernel, kernel) not in _recipe.SMOOTH:
            raise ValueError(
                f"kernel must be one of {', '.join(_recipe.SMOOTH)} for method='laplacian', "
                f"got {self.kernel!r}; use method='stkr'"
            )
        said = LaplacianClassifier(
            kernel,
            bandwidth=self.bandwidth,
            gamma=self.gamma,
            kernel_params=self.kernel_params,
            landmarks=self.landmarks,
            landmark_rule=self.landmark_rule,
            norm_share=self.norm_share,
        )
        return said._method("classify", "table")

    def fit(self, X: Samples, y: Any = None) -> Self:
        """Finds the modes of the rows.

        Parameters
        ----------
        X : array-like, frame or sparse matrix of shape (n_samples, n_features)
            Rows, or a graph under ``method="stkr"``. Columns of a DataFrame may be of any kind and
            have missing numbers: they are encoded as by :class:`TableEncoder`.
        y : Ignored
            Not used, here for scikit-learn's pipelines.

        Returns
        -------
        self
        """
        from . import _core

        _constraints.validate(self)
        shape = "table"
        if self.method == "stkr" and (
            self.kernel == "graph" or (self.kernel == "auto" and _inputs.is_graph(X))
        ):
            shape = "graph"
        params = _recipe.checked(self._params(shape))
        scaling = _recipe.scaling(self.standardize, shape)
        if shape == "graph":
            data = _inputs.graph(X)
            self.encoder_, self.n_features_in_ = None, data.n_nodes
            self._dtype = np.dtype(np.float64)
        else:
            found = _inputs.encoded(self, X)
            if len(found.values) < 2:
                raise ValueError("there is only 1 sample, which has no coordinates; give two")
            self.encoder_, self._dtype = found.encoder, found.values.dtype
            data = _inputs.in_blocks(found.values, found.blocks)
        self._shape = shape
        self._model = _core.Embedding.fit(
            params,
            data,
            self.n_components,
            standardize=scaling == "standardise",
            seed=self._seed(),
            threads=self._threads(),
            on_event=self._on_event(),
        )
        info = self._model.info()
        self.eigenvalues_ = self._model.eigenvalues
        self.embedding_ = self._model.visible().astype(self._dtype, copy=False)
        self.bandwidth_ = (info.get("kernel") or {}).get("bandwidth")
        self._n_features_out = self.embedding_.shape[1]
        self.report_ = _report.of({"method": self.method, **info}, len(self.embedding_), None)
        return self

    def fit_transform(self, X: Samples, y: Any = None) -> NDArray:
        """Finds the modes and gives the coordinates of the same rows.

        Parameters
        ----------
        X : array-like, frame or sparse matrix of shape (n_samples, n_features)
            Rows, or a graph under ``method="stkr"``. Columns of a DataFrame may be of any kind and
            have missing numbers: they are encoded as by :class:`TableEncoder`.
        y : Ignored
            Not used, here for scikit-learn's pipelines.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            ``embedding_``.
        """
        return self.fit(X).embedding_

    def transform(self, X: Samples) -> NDArray:
        """Coordinates of new rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows as in ``fit``; links to the nodes of the fit under a graph.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            Coordinates, of X's own type if that is a float.
        """
        check_is_fitted(self)
        if self._shape == "graph":
            data, kind = _inputs.links(X, self.n_features_in_), np.dtype(np.float64)
        else:
            rows, blocks = _inputs.new_rows(self, X)
            data, kind = _inputs.in_blocks(rows, blocks), rows.dtype
        found = self._model.transform(data, threads=self._threads(), on_event=self._on_event())
        return found.astype(kind, copy=False)

    def __sklearn_is_fitted__(self):
        return getattr(self, "_model", None) is not None

    def __getstate__(self):
        state = dict(super().__getstate__())
        if state.get("_model") is not None:
            state["_model"] = state["_model"].to_bytes()
        return state

    def __setstate__(self, state):
        if isinstance(state.get("_model"), bytes):
            from . import _core

            state = {**state, "_model": _core.Embedding.from_bytes(state["_model"])}
        super().__setstate__(state)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.kernel == "graph"
        tags.input_tags.allow_nan = not tags.input_tags.pairwise
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
