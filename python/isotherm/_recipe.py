"""Parameters ↔ the core's recipe, part by part."""

import math

import numpy as np

from . import _core
from ._filters import FILTERS
from ._labels import names_of
from ._spectral import SpectralParameter, from_spec
from ._transforms import TRANSFORMS

#: How a recipe writes each kernel, with its usual numbers, by its name.
KERNELS = {row["name"]: row["recipe"] for row in _core.kernels()}

#: The names of those with a gradient, which kernel Laplacians need.
SMOOTH = tuple(row["name"] for row in _core.kernels() if row["smooth"])

#: Our names of kernels by scikit-learn's.
ALIASES = {"rbf": "gaussian", "laplacian": "laplace", "poly": "polynomial"}

#: The kernels that have a γ in scikit-learn, and the bandwidth that it is.
GAMMAS = {
    "gaussian": lambda gamma: math.sqrt(0.5 / gamma),
    "laplace": lambda gamma: 1.0 / gamma,
    "polynomial": None,
}

SOLVERS = {
    "auto": "auto",
    "label-block": "label-block",
    "cg": "conjugate-gradients",
    "minres": "minres",
    "richardson": "richardson",
    "direct": "direct",
}
REPAIRS = {
    "auto": "auto",
    None: "refuse",
    "allow": "allow",
    "psd-twin": "psd-twin",
    "clip": "clip",
    "lazy": "auto",
    "self-loops": "auto",
}
LANDMARK_RULES = {
    "uniform": "uniform",
    "leverage": "leverage",
    "pivoted": "pivoted",
    "kmeans++": "kmeans-plus-plus",
}


def _words(name):
    """What tells a kernel from the others in a recipe: the entries that are no numbers."""
    entries = KERNELS[name].items()
    return {key: word for key, word in entries if isinstance(word, str) and key != "bandwidth"}


def kernel(name, bandwidth, params, gamma=None):
    """The recipe's form of a kernel on rows, by our names or scikit-learn's."""
    name = ALIASES.get(name, name)
    if gamma is not None:
        bandwidth, params = _of_gamma(name, gamma, bandwidth, params)
    spec = _words(name)
    if "bandwidth" in KERNELS[name]:
        spec["bandwidth"] = bandwidth
    elif not _is_auto(bandwidth):
        raise ValueError(f"bandwidth must be left out: the {name} kernel has none, got {bandwidth}")
    known = sorted(set(KERNELS[name]) - set(spec))
    for key, value in (params or {}).items():
        if key not in known:
            has = ", ".join(known) or "none"
            raise ValueError(f"the {name} kernel has no parameter {key!r}; it has {has}")
        spec[key] = value
    return spec


def _of_gamma(name, gamma, bandwidth, params):
    """Bandwidth and numbers of a kernel by scikit-learn's γ."""
    if name not in GAMMAS:
        has = ", ".join(GAMMAS)
        raise ValueError(
            f"gamma must be None for the kernel {name!r}, got {gamma}; {has} have it, others a "
            f"bandwidth"
        )
    if name == "polynomial":
        if "scale" in (params or {}):
            raise ValueError(
                f"gamma and kernel_params['scale'] are one number, got {gamma} and "
                f"{params['scale']}; give one of them"
            )
        return bandwidth, {**(params or {}), "scale": gamma}
    if not _is_auto(bandwidth):
        raise ValueError(
            f"gamma and bandwidth say the same of a kernel, got {gamma} and {bandwidth}; give one "
            f"of them"
        )
    return GAMMAS[name](gamma), params


def unused(name, value, usual, why):
    """Refuses a parameter that nothing would read."""
    left = value is None if usual is None else (isinstance(value, str) and value == usual)
    if not left:
        raise ValueError(f"{name} must be left out, because {why}; got {value!r}")


def read_kernel(spec):
    """Name, bandwidth and parameters of a recipe's kernel."""
    name = next(name for name in KERNELS if _words(name).items() <= spec.items())
    numbers = {key: n for key, n in spec.items() if key not in {"bandwidth", *_words(name)}}
    return {
        "kernel": name,
        "bandwidth": spec.get("bandwidth", "auto"),
        "kernel_params": numbers or None,
    }


def pairwise(info):
    """The kernel's name of a model that was fitted to nodes, not rows."""
    return "precomputed" if info.get("shape") == "gram" else "graph"


def scaling(standardize, shape):
    """The recipe's scaling: of a table's columns, unless ``standardize`` is False."""
    auto = isinstance(standardize, str)
    if shape == "table":
        return "standardise" if auto or standardize else "none"
    if not auto and standardize:
        raise ValueError("standardize must be False: only the columns of a table are scaled")
    return None


def read_scaling(recipe):
    """``standardize`` of a recipe for rows."""
    if recipe.get("smooth") is not None:
        return {"standardise": True, "none": False}.get(recipe.get("scaling"), "auto")
    return "auto" if recipe.get("scaling", "standardise") == "standardise" else False


def class_shares(value):
    """The recipe's form of where class shares come from."""
    if isinstance(value, dict):
        return {"priors": dict(zip(names_of(value), map(float, value.values())))}
    if isinstance(value, str) and value in ("labels", "unlabelled"):
        return {} if value == "labels" else {"class_shares": value}
    raise ValueError(
        f"class_shares must be 'labels', 'unlabelled' or a dict with the share of each class, "
        f"got {value!r}"
    )


def read_class_shares(recipe):
    """``class_shares`` of a recipe, where it is not the default."""
    found = recipe.get("priors") or recipe.get("class_shares", "labels")
    return {} if found == "labels" else {"class_shares": found}


def transform(value):
    """The recipe's form of a transform, or of a function in its place."""
    if isinstance(value, SpectralParameter):
        if type(value) not in TRANSFORMS.values():
            raise ValueError(
                f"transform must be one of {', '.join(t.__name__ for t in TRANSFORMS.values())} "
                f"or a function, got {value!r}"
            )
        return value._spec()
    if callable(value):
        return {"kind": "custom"}
    raise TypeError(f"transform must be a transform or a function of λ, got {value!r}")


def filter(value):
    """The recipe's form of a filter."""
    if type(value) not in FILTERS.values():
        names = sorted({f.__name__ for f in FILTERS.values()})
        raise TypeError(f"filter must be None or one of {', '.join(names)}, got {value!r}")
    return value._spec()


def read_transform(spec):
    """The transform of a recipe; files do not hold functions, nor are sums objects here."""
    return from_spec(spec, TRANSFORMS) or not_in_the_file


def not_in_the_file(eigenvalue):
    """Stands for a transform that a model file names and does not hold."""
    raise ValueError(
        "the transform of this model is not in its file; give it as transform to fit again"
    )


def read_filter(spec):
    """The filter of a recipe."""
    return None if spec is None else from_spec(spec, FILTERS)


def _is_auto(value):
    return isinstance(value, str) and value == "auto"


def checked(value, path=()):
    """The same in plain Python types; a number that is not finite is named."""
    if isinstance(value, dict):
        return {k: checked(v, (*path, str(k))) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [checked(v, path) for v in value]
    if isinstance(value, np.ndarray):
        return [checked(v, path) for v in value.tolist()]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{path[-1]} must be a finite number, got {value}")
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"{path[-1]} must be a number or a word, got {value!r}")
