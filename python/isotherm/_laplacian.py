"""Parameters ↔ recipe of kernel Laplacian regularisation."""

from typing import Any

import numpy as np

from . import _recipe
from ._base import WeightedFit
from ._constraints import COMMON, GAMMA, SCALING, SHARES, any_of, parameter, words
from ._spectral import SpectralParameter
from ._typing import ArrayLike, RandomState, Samples

#: Random waves, when nobody says how many.
WAVES = 1000

CONSTRAINTS = {
    "kernel": any_of(words(*_recipe.SMOOTH, "rbf", "poly")),
    "graph": "no_validation",
    "smooth": any_of(*parameter("smooth")),
    "bandwidth": any_of(*parameter("bandwidth"), words("auto")),
    **GAMMA,
    "kernel_params": any_of(dict, None),
    "landmarks": any_of(*parameter("landmarks"), "array-like", None),
    "landmark_rule": any_of(words(*_recipe.LANDMARK_RULES)),
    "derivatives": any_of(*parameter("derivatives")),
    "features": any_of(words("landmarks", "random", "exact")),
    "filter": any_of(SpectralParameter, None),
    "norm_share": any_of(*parameter("norm_share"), words("auto")),
    "covariance": any_of(*parameter("covariance")),
    "fit_intercept": any_of(*parameter("free_constant"), words("auto")),
    "route": any_of(*parameter("route")),
    "precision": any_of(*parameter("precision")),
    **SCALING,
    **SHARES,
    "unlabeled": "no_validation",
    **COMMON,
}


class Laplacian(WeightedFit):
    """Parameters ↔ recipe of both estimators; not public."""

    _walks = False
    _parameter_constraints = CONSTRAINTS

    def __init__(
        self,
        kernel: str = "gaussian",
        *,
        graph: Samples = None,
        smooth: float | str = "auto",
        bandwidth: float | str = "auto",
        gamma: float | None = None,
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
        class_shares: str | dict[Any, float] = "labels",
        unlabeled: Any = "auto",
        random_state: RandomState = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        """Stores the parameters; nothing is computed before ``fit``.

        Parameters
        ----------
        kernel : str, default="gaussian"
            How rows are compared: ``"gaussian"``, ``"matern32"`` or another kernel with a gradient
            everywhere. The guide to kernels lists them; so does the refusal of a name that is none.
            scikit-learn's names are ``"rbf"`` and ``"poly"``. A function has no gradient here:
            STKR and kernel ridge take one.
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
            With labels enough it is chosen by leave-one-out.
        gamma : float, default=None
            γ > 0 in place of a bandwidth, as in scikit-learn: of ``"gaussian"`` 1/2σ², of
            ``"laplace"`` 1/ℓ, and of ``"polynomial"`` its ``scale``; in scaled units unless
            ``standardize`` is False.
        kernel_params : dict, default=None
            Further numbers of the kernel, such as ``{"shape": 2.0}`` of the rational quadratic; the
            guide to kernels lists them.
        landmarks : int or array of int, default=None
            How many rows carry functions ``k_z``, or which; ``None``: √n·log n, at least 50 and at
            most 1000. With ``features="random"`` the number of waves, 1000 for ``None``.
        landmark_rule : {"uniform", "leverage", "pivoted", "kmeans++"}, default="uniform"
            How landmarks are chosen.
        derivatives : bool, default=False
            Whether ``∂ₐk_z`` are functions too.
        features : {"landmarks", "random", "exact"}, default="landmarks"
            What the predictor is a sum of: ``k_z`` of landmarks, random Fourier features, or
            everything that the minimiser is made of, which is for small data.
        filter : filter or None, default=None
            ψ: ``Tikhonov``, ``CutOff``, ``GradientFlow``, ``Landweber`` or ``Heat``; ``None``:
            Tikhonov with its strength chosen by leave-one-out.
        norm_share : float or "auto", default="auto"
            μ of the penalty ``‖∇g‖² + μ‖g‖²``; ``"auto"``: 1/n.
        covariance : {"labelled", "all"}, default="labelled"
            The rows that Σ̂ is over.
        fit_intercept : bool or "auto", default="auto"
            Whether constants are free; ``"auto"``: for values, not for classes.
        route : {"auto", "panel", "gram"}, default="auto"
            How L̂ is brought into coordinates: accurately for any μ, or fast.
        precision : {"double", "single"}, default="double"
            In which numbers tiles are summed.
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
        self.class_shares = class_shares
        self.unlabeled = unlabeled
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _method(self, task, shape, reduced=None):
        out = {
            "kind": "laplacian",
            "kernel": self._kernel(),
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
            "smooth": recipe.get("smooth", "auto"),
            "filter": _recipe.read_filter(method.get("filter")),
            "norm_share": method["norm_share"],
            "covariance": method["covariance"],
            "fit_intercept": method["free_constant"],
            "route": method["route"],
            "precision": method.get("precision", "double"),
            "standardize": _recipe.read_scaling(recipe),
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
