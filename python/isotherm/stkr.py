"""Spectrally transformed kernel regression.  [STKR]"""

from . import _recipe
from ._classifier import ClassifierBase
from ._constraints import COMMON, STOPPING, any_of, integers, reals, words
from ._docs import documented
from ._regressor import RegressorBase
from ._spectral import SpectralParameter
from ._transforms import InverseLaplacian

#: Repairs that are another base kernel.
WALKS = ("lazy", "self-loops")

_CONSTRAINTS = {
    "kernel": any_of(words("auto", "knn", "graph", "precomputed", *_recipe.KERNELS)),
    "bandwidth": any_of(words("auto"), reals(0, None, "neither")),
    "kernel_params": any_of(dict, None),
    "n_neighbors": any_of(integers(1), None),
    "transform": any_of(SpectralParameter, callable),
    "ridge": any_of(words("auto"), reals(0, None, "left")),
    "center_labels": any_of("boolean"),
    "center_kernel": any_of("boolean"),
    "repair": any_of(words(*(r for r in _recipe.REPAIRS if r)), None),
    "solver": any_of(words(*_recipe.SOLVERS)),
    **STOPPING,
    "steps": any_of(integers(1), None),
    "step_size": any_of(reals(0, None, "neither"), None),
    "standardize": any_of("boolean"),
    **COMMON,
}


class Hidden:
    """A parameter that is not an attribute.

    scikit-learn takes whatever has an attribute ``transform`` for a transformer, so that a
    pipeline would call s(λ) with rows. The value is where other parameters are, and
    ``get_params`` and ``set_params`` find it there.
    """

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        raise AttributeError(
            f"{type(instance).__name__} is no transformer; its parameter {self.name!r} is "
            f"get_params()[{self.name!r}]"
        )

    def __set__(self, instance, value):
        instance.__dict__[self.name] = value


class STKR:
    """Parameters ↔ recipe of both estimators; not public."""

    transform = Hidden()

    def get_params(self, deep=True):
        """Parameters by name.

        Parameters
        ----------
        deep : bool, default=True
            Whether those of the transform are told too, as ``transform__eta``.

        Returns
        -------
        dict
            Names and values.
        """
        out = {name: self.__dict__[name] for name in self._get_param_names()}
        held = out["transform"]
        if deep and isinstance(held, SpectralParameter):
            own = held.get_params(deep=False)
            out.update({f"transform__{name}": value for name, value in own.items()})
        return out

    def _method(self, task, shape, reduced=None):
        centred = bool(self.center_labels)
        return {
            "kind": "stkr",
            "transform": _recipe.transform(self.__dict__["transform"]),
            "ridge": self.ridge,
            "centre_labels": centred,
            "trivial_mode": "remove" if centred else "keep",
            "centre_kernel": bool(self.center_kernel),
            "repair": _recipe.REPAIRS[self.repair],
            "solver": _recipe.SOLVERS[self.solver],
            "tolerance": self.tol,
            "iterations": self.max_iter,
            "steps": self.steps,
            "step_size": self.step_size,
        }

    def _geometry(self, shape):
        joined = shape == "graph" or (shape == "table" and self.kernel in ("auto", "knn"))
        if not joined and self.repair in WALKS:
            raise ValueError(
                f"repair must be another one, because {self.repair!r} changes how edges become "
                f"similarities and there are none; use 'clip', 'psd-twin' or 'allow'"
            )
        if joined or shape == "gram":
            why = "the kernel is precomputed" if shape == "gram" else "no kernel compares rows"
            _recipe.unused("bandwidth", self.bandwidth, "auto", why)
            _recipe.unused("kernel_params", self.kernel_params, None, why)
        out = {"normalisation": self.repair} if self.repair in WALKS else {}
        if shape == "table" and joined:
            return out if self.n_neighbors is None else {**out, "neighbours": self.n_neighbors}
        _recipe.unused("n_neighbors", self.n_neighbors, None, "no rows are joined to neighbours")
        if shape == "table":
            out["kernel"] = _recipe.kernel(self.kernel, self.bandwidth, self.kernel_params)
        return out

    def _function(self):
        held = self.__dict__["transform"]
        return None if isinstance(held, SpectralParameter) else held

    def _takes_means_off(self):
        return bool(self.center_labels)

    @classmethod
    def _read_params(cls, recipe, info):
        method = recipe["method"]
        solvers = {v: k for k, v in _recipe.SOLVERS.items()}
        repairs = {v: k for k, v in _recipe.REPAIRS.items() if k not in WALKS}
        walk = recipe.get("normalisation")
        params = {
            "transform": _recipe.read_transform(method["transform"]),
            "ridge": method["ridge"],
            "center_labels": method["centre_labels"],
            "center_kernel": method["centre_kernel"],
            "repair": walk if walk in WALKS else repairs[method["repair"]],
            "solver": solvers[method["solver"]],
            "tol": method["tolerance"],
            "max_iter": method["iterations"],
            "steps": method.get("steps"),
            "step_size": method.get("step_size"),
            "random_state": recipe.get("seed", 0),
        }
        if info.get("dim") is None:
            return {**params, "kernel": _recipe.pairwise(info)}
        params["standardize"] = recipe.get("scaling", "standardise") == "standardise"
        if recipe.get("kernel") is not None:
            return {**params, **_recipe.read_kernel(recipe["kernel"])}
        return {**params, "kernel": "knn", "n_neighbors": recipe.get("neighbours")}


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

    _parameter_constraints = {**_CONSTRAINTS, "unlabeled": "no_validation"}

    def __init__(
        self,
        kernel="auto",
        *,
        bandwidth="auto",
        kernel_params=None,
        n_neighbors=None,
        transform=InverseLaplacian(),
        ridge=1e-3,
        center_labels=True,
        center_kernel=False,
        repair="auto",
        solver="auto",
        tol=1e-10,
        max_iter=10_000,
        steps=None,
        step_size=None,
        standardize=False,
        unlabeled="auto",
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
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

    def fit(self, X, y, sample_weight=None):
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

    _parameter_constraints = _CONSTRAINTS

    def __init__(
        self,
        kernel="auto",
        *,
        bandwidth="auto",
        kernel_params=None,
        n_neighbors=None,
        transform=InverseLaplacian(),
        ridge=1e-3,
        center_labels=True,
        center_kernel=False,
        repair="auto",
        solver="auto",
        tol=1e-10,
        max_iter=10_000,
        steps=None,
        step_size=None,
        standardize=False,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
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

    def fit(self, X, y, sample_weight=None):
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
