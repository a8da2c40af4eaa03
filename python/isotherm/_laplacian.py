"""Parameters ↔ recipe of kernel Laplacian regularisation."""

import numpy as np

from . import _recipe
from ._constraints import COMMON, any_of, integers, reals, words
from ._spectral import SpectralParameter

#: Random waves, when nobody says how many.
WAVES = 1000

CONSTRAINTS = {
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
    "standardize": any_of("boolean", words("auto")),
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

    def _scales(self):
        """A gradient has the units of its columns: numbers that the user gives are in them,
        numbers that are sought are sought after scaling."""
        if isinstance(self.standardize, str):
            return isinstance(self.bandwidth, str) and self.filter is None
        return bool(self.standardize)

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
            "standardize": "auto",
            "random_state": recipe.get("seed", 0),
        }
        scaled = recipe.get("scaling", "standardise") == "standardise"
        if scaled != (isinstance(params["bandwidth"], str) and params["filter"] is None):
            params["standardize"] = scaled
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
