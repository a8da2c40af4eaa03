"""Parameters ↔ recipe of spectrally transformed kernel regression."""

from typing import Any

from . import _recipe
from ._constraints import COMMON, STOPPING, any_of, integers, reals, words
from ._spectral import SpectralParameter

#: Repairs that are another base kernel.
WALKS = ("lazy", "self-loops")

CONSTRAINTS = {
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
    _get_param_names: Any

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
