"""Parameters ↔ recipe that methods on graphs share."""

from . import _recipe
from ._constraints import COMMON, SCALING, SHARES, STOPPING, any_of, parameter, words

CONSTRAINTS = {
    "kernel": any_of(words("auto", "knn", "graph")),
    "graph": "no_validation",
    "n_neighbors": any_of(*parameter("neighbours"), None),
    **STOPPING,
    **SCALING,
    **SHARES,
    "unlabeled": "no_validation",
    **COMMON,
}


class Walk:
    """Parameters ↔ recipe that methods on graphs share; not public."""

    def _geometry(self, shape):
        if shape == "table":
            return {} if self.n_neighbors is None else {"neighbours": self.n_neighbors}
        _recipe.unused("n_neighbors", self.n_neighbors, None, "X is a graph already")
        return {}

    @staticmethod
    def _read_walk(recipe, info):
        method = recipe["method"]
        params = {
            "tol": method["tolerance"],
            "max_iter": method["iterations"],
            "random_state": recipe.get("seed", 0),
        }
        if info.get("dim") is None:
            return {**params, "kernel": "graph"}
        return {
            **params,
            "kernel": "knn",
            "n_neighbors": recipe.get("neighbours"),
            "standardize": _recipe.read_scaling(recipe),
        }
