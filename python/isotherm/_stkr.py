"""Parameters ↔ recipe of spectrally transformed kernel regression."""

from collections.abc import Callable
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
    words,
)
from ._spectral import SpectralParameter
from ._transforms import InverseLaplacian
from ._typing import Kernel, RandomState, Samples

#: Repairs that are another base kernel.
WALKS = ("lazy", "self-loops")

CONSTRAINTS = {
    "kernel": any_of(kernels("auto", "knn", "graph", "precomputed"), callable),
    "bandwidth": any_of(*parameter("bandwidth"), words("auto")),
    "graph": "no_validation",
    "smooth": any_of(*parameter("smooth"), None),
    **GAMMA,
    "kernel_params": any_of(dict, None),
    "n_neighbors": any_of(*parameter("neighbours"), None),
    "transform": any_of(SpectralParameter, callable),
    "ridge": any_of(*parameter("ridge")),
    "center_labels": any_of(*parameter("centre_labels")),
    "center_kernel": any_of(*parameter("centre_kernel")),
    "repair": any_of(words(*(r for r in _recipe.REPAIRS if r)), None),
    "solver": any_of(words(*_recipe.SOLVERS)),
    **STOPPING,
    "steps": any_of(*parameter("steps"), None),
    "step_size": any_of(*parameter("step_size"), None),
    **SCALING,
    **SHARES,
    "unlabeled": "no_validation",
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


class STKR(WeightedFit):
    """Parameters ↔ recipe of both estimators; not public."""

    transform = Hidden()
    _get_param_names: Any
    _parameter_constraints = CONSTRAINTS

    def __init__(
        self,
        kernel: str | Kernel = "auto",
        *,
        graph: Samples = None,
        smooth: float | str | None = None,
        bandwidth: float | str = "auto",
        gamma: float | None = None,
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
        kernel : str or callable, default="auto"
            What makes rows similar. ``"auto"`` and ``"knn"``: being among each other's nearest
            neighbours; ``"auto"`` also takes a symmetric sparse matrix or anything with an
            ``edge_index`` as a graph. ``"graph"``: X is an N × N adjacency matrix, PyTorch
            Geometric data, a 2 × E edge index, or E × 2 edges (E × 3 with weights).
            ``"precomputed"``: X holds similarities. Else a kernel between rows: ``"gaussian"``,
            ``"laplace"`` or another one. The guide to kernels lists them; so does the refusal of a
            name that is none. scikit-learn's names are ``"rbf"``, ``"laplacian"`` and ``"poly"``.
            A function ``kernel(X, Z)`` gives the similarities of the rows of X to those of Z,
            which are not scaled.
        graph : sparse matrix of shape (n_samples, n_samples), default=None
            Which rows of X are joined, and how strongly, in place of neighbours: a symmetric matrix
            of weights of at least 0, a networkx graph, or edges in another form that
            ``kernel="graph"`` takes. X may then be ``None``; without ``smooth`` its columns are left
            out with a warning, since edges alone are learned from. Not kept in files of ``save``.
        smooth : float, "auto" or None, default=None
            Beside ``graph``: the features X are averaged over it, with η of ``(1 − η)(I − ηŜ)⁻¹X``
            from 0, the features as they are, to below 1, and then compared as rows. ``"auto"``: the
            features and four averages side by side. ``None``: edges alone are learned from.
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
        transform : transform or callable, default=InverseLaplacian(eta=0.99)
            ``s(λ)``: ``InverseLaplacian``, ``Polynomial``, ``Power``, ``Diffusion``,
            ``Reciprocal``, ``Truncation``, or a function of one eigenvalue. Not an attribute,
            since whatever has an attribute of this name is a transformer to scikit-learn: see
            ``get_params``.
        ridge : float or "auto", default=1e-3
            β ≥ 0; ``"auto"`` takes the one with the smallest leave-one-out loss: log loss for
            classes, squared error for numbers.
        center_labels : bool, default=True
            Whether the mean over the labels and the modes that are constant on a part of the graph
            are taken off first; scores are then deviations, and values are fitted about their
            mean. With ten labels of classes or more, leave-one-out chooses how much of the class
            shares is added to the scores. False is the paper's own form.
        center_kernel : bool, default=False
            Whether the base kernel is centred, ``HKH``.
        repair : str or None, default="auto"
            What to do when the kernel is not positive, as on graphs. ``"auto"``: fit its positive
            twin with this ridge, as the report says; None: refuse a system that is not positive
            definite; ``"allow"``: solve it as it is, the paper's form;
            ``"lazy"`` or ``"self-loops"``: another base kernel, ``(I + S)/2`` or with loops;
            ``"psd-twin"``: the kernel ``N(I − ηS)⁻¹``; ``"clip"``: negative eigenvalues count as
            0.
        solver : str, default="auto"
            ``"label-block"``, ``"cg"``, ``"minres"``, ``"richardson"`` or ``"direct"``.
        tol : float, default=1e-10
            Relative residual of iterative solves.
        max_iter : int, default=10000
            Iterations allowed; a ``ConvergenceWarning`` says when they did not suffice.
        steps : int, default=None
            Exactly so many Richardson steps from zero; with ``solver="richardson"`` only.
        step_size : float, default=None
            γ of Richardson's iteration; ``None``: the largest that is sure to converge.
        standardize : bool or "auto", default="auto"
            Whether each column is scaled to mean 0 and variance 1 first, as the command line does.
            ``"auto"`` scales the columns of a table; a graph or a precomputed kernel has none. A
            bandwidth is in scaled units unless this is False.
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
        self.class_shares = class_shares
        self.unlabeled = unlabeled
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def get_params(self, deep: bool = True) -> dict[str, Any]:
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
            given = "the kernel is a function" if callable(self.kernel) else "the kernel is given"
            why = given if shape == "gram" else "no kernel compares rows"
            _recipe.unused("bandwidth", self.bandwidth, "auto", why)
            _recipe.unused("gamma", self.gamma, None, why)
            _recipe.unused("kernel_params", self.kernel_params, None, why)
        out = {"normalisation": self.repair} if self.repair in WALKS else {}
        if shape == "table" and joined:
            return out if self.n_neighbors is None else {**out, "neighbours": self.n_neighbors}
        _recipe.unused("n_neighbors", self.n_neighbors, None, "no rows are joined to neighbours")
        if shape == "table":
            out["kernel"] = self._kernel()
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
        params["standardize"] = _recipe.read_scaling(recipe)
        params["smooth"] = recipe.get("smooth")
        if recipe.get("kernel") is not None:
            return {**params, **_recipe.read_kernel(recipe["kernel"])}
        return {**params, "kernel": "knn", "n_neighbors": recipe.get("neighbours")}
