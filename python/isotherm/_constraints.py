"""What scikit-learn may check of a parameter before any data is touched.

The one place that looks at scikit-learn's validators, which are not public: where a
release moves them, parameters are left to the core, which refuses bad values anyway.
"""

from numbers import Integral, Real

from . import _core

try:
    from sklearn.utils._param_validation import Interval, StrOptions
except ImportError:  # pragma: no cover - another scikit-learn
    Interval = StrOptions = None


#: The values of each parameter of the library, by its name.
_VALUES = {row["name"]: row["values"] for row in _core.parameters()}


def words(*options):
    """One of these strings."""
    return "no_validation" if StrOptions is None else StrOptions(set(options))


def reals(low, high, closed):
    """A real number in an interval."""
    return "no_validation" if Interval is None else Interval(Real, low, high, closed=closed)


def integers(low, high=None):
    """An integer at least ``low`` and at most ``high``."""
    closed = "left" if high is None else "both"
    return "no_validation" if Interval is None else Interval(Integral, low, high, closed=closed)


def parameter(name):
    """What the library's table of parameters says of one, by the library's name."""
    values = _VALUES[name]
    kind = values["kind"]
    if kind == "name":
        return (words(*values["names"]),)
    if kind == "count":
        return (integers(values["least"]),)
    if kind == "number":
        span = values["range"]
        closed = {
            (True, True): "both",
            (True, False): "left",
            (False, True): "right",
            (False, False): "neither",
        }[span["closed"], span["closed_above"]]
        found = reals(span["low"], span["high"], closed)
        return (found, words(values["word"])) if values.get("word") else (found,)
    if kind in ("switch", "yes-no"):
        return ("boolean",)
    raise ValueError(f"the parameter {name} has no constraint here: it is of the kind {kind}")


def kernels(*more):
    """The name of a kernel, ours or scikit-learn's, or one of these words."""
    return words(*_VALUES["kernel"]["names"], "rbf", "laplacian", "poly", *more)


def any_of(*constraints):
    """Constraints of which one must hold; none, if one of them cannot be told."""
    return "no_validation" if "no_validation" in constraints else list(constraints)


def validate(estimator):
    """Lets scikit-learn look at the parameters, where it can."""
    check = getattr(estimator, "_validate_params", None)
    if check is not None and StrOptions is not None:
        check()


#: Parameters that every estimator has.
COMMON = {
    "random_state": ["random_state"],
    "n_jobs": any_of(None, Integral),
    "verbose": any_of("boolean", integers(0)),
}

#: γ of a kernel, as scikit-learn has it.
GAMMA = {"gamma": any_of(reals(0, None, "neither"), None)}

#: Whether a table's columns are scaled.
SCALING = {"standardize": any_of("boolean", words("auto"))}

#: Where class shares come from.
SHARES = {"class_shares": any_of(words("labels", "unlabelled"), dict)}

#: When iterative solves stop.
STOPPING = {
    "tol": any_of(*parameter("tolerance")),
    "max_iter": any_of(*parameter("iterations")),
}
