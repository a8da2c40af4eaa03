"""What every estimator does: parameters → recipe, arrays → core, core → attributes."""

import re
import warnings
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, clone

from . import _constraints, _inputs, _recipe, _report
from ._answers import Answers
from ._persist import Persistent
from ._report import FitReport
from ._repr import FittedSummaryMixin
from ._spectral import SpectralParameter
from ._typing import ArrayLike, Floats, Labels, NDArray, Samples, Self
from ._weights import Reduced, check_weights, reduce
from ._working import Working
from .encoding import TableEncoder
from .exceptions import ConvergenceWarning, DataWarning, UnreachedRowsWarning, _coded

#: The category of each of the core's warnings; others are of the data.
CATEGORIES = {
    "not-converged": ConvergenceWarning,
    "stagnated": ConvergenceWarning,
    "ill-conditioned": ConvergenceWarning,
    "not-settled": ConvergenceWarning,
    "unreached": UnreachedRowsWarning,
}


class Base(Answers, Persistent, Working, FittedSummaryMixin, BaseEstimator):
    """Shared by all estimators; not public."""

    dual_coef_: Floats | None
    """α̂ over the labelled rows, in their order, where the method has such coefficients."""
    bandwidth_: float | None
    """The kernel's length scale, if it has one."""
    report_: FitReport
    """How the fit went: solver, residual, warnings."""
    n_iter_: int
    """Iterations of the solver, at least 1."""
    n_features_in_: int
    """Columns of X."""
    feature_names_in_: NDArray
    """Names of the columns of X, if all are strings."""
    encoder_: TableEncoder | None
    """How columns became numbers, and missing numbers were filled, where the fit saw a table in
    memory that is not sparse; else ``None``."""

    # ---- what a subclass says ----

    def _method(self, task, shape, reduced=None):
        """The recipe's method with its parameters."""
        raise NotImplementedError

    def _geometry(self, shape):
        """The recipe's kernel, neighbours and normalisation."""
        return {}

    def _encode(self, y):
        """y as the task's labels."""
        raise NotImplementedError

    def _function(self):
        """A spectral function of the caller's own, or ``None``."""
        return None

    def _similarity(self):
        """A kernel of the caller's own, or ``None``."""
        kernel = getattr(self, "kernel", None)
        return kernel if callable(kernel) else None

    def _finish(self, encoded):
        """Sets what depends on the labels' kind."""

    def _arranged(self, X, y):
        """X and y as the estimator reads them, where they come in another form."""
        return X, y

    def _kernel(self):
        """The recipe's kernel between rows."""
        return _recipe.kernel(self.kernel, self.bandwidth, self.kernel_params, self.gamma)

    # ---- the surface that other rooms use ----

    def _shape_of(self, X):
        """ "table", "graph" or "gram": what X is under this kernel."""
        if self._similarity() is not None:
            return "gram"
        kernel = getattr(self, "kernel", "auto")
        if isinstance(kernel, str) and kernel in _inputs.PAIRWISE:
            return "graph" if kernel == "graph" else "gram"
        if isinstance(kernel, str) and kernel == "auto" and self._walks and _inputs.is_graph(X):
            return "graph"
        return "table"

    #: Whether the method can walk along the edges of a graph.
    _walks = True
    #: Whether labels can be weighed.
    _weighs = True

    def _recipe(self, task, shape, reduced=None):
        smooth = getattr(self, "smooth", None) if shape == "graph" else None
        recipe = {
            "method": self._method(task, shape, reduced),
            "task": task,
            "seed": self._seed(),
            # Nodes whose features are smoothed are rows of a table.
            **self._geometry(shape if smooth is None else "table"),
            **_recipe.class_shares(getattr(self, "class_shares", "labels")),
        }
        if smooth is not None:
            recipe["smooth"] = smooth
            if not isinstance(self.standardize, str):
                recipe["scaling"] = "standardise" if self.standardize else "none"
            return recipe
        scaling = _recipe.scaling(self.standardize, shape)
        return recipe if scaling is None else {**recipe, "scaling": scaling}

    def _core_recipe(self, task, shape, reduced=None):
        """The recipe in types that the core reads."""
        return _recipe.checked(self._recipe(task, shape, reduced))

    def _core_data(self, X, n_nodes=None):
        """X as the core reads it for a fit, and the blocks of its columns; changes nothing."""
        shape = self._shape_of(X)
        if shape == "graph":
            return _inputs.graph(X, n_nodes), []
        own = self._similarity()
        if shape == "gram" and own is None:
            return _inputs.gram(X), []
        encoded = _inputs.encoded(clone(self), X)
        if own is not None:
            return _inputs.compared(own, encoded.values, encoded.values), []
        return encoded.values, encoded.blocks

    # ---- fitting ----

    def _fit(self, X, y, sample_weight=None):
        """Fits, or leaves everything as it was: also where it is stopped in the middle."""
        before = dict(self.__dict__)
        try:
            _constraints.validate(self)
            X, y = self._arranged(X, y)
            kind = _inputs.kind_of(X)
            if kind != "array":
                return self._fit_elsewhere(kind, X, y, sample_weight)
            return self._fit_in_memory(X, y, sample_weight)
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise

    def _fit_in_memory(self, X, y, sample_weight):
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None"
            )
        shape = self._shape_of(X)
        data, rows = self._read(X, shape, y)
        encoded = self._encode(y)
        if len(encoded) != rows:
            raise ValueError(
                f"Found input variables with inconsistent numbers of samples: X has {rows} rows "
                f"and y has {len(encoded)} labels"
            )
        weights = check_weights(sample_weight, rows)
        given = data
        data, encoded, reduced = self._reduced(data, encoded, weights, shape)
        labels = encoded.core()
        try:
            self._fit_core(data, labels, encoded, reduced, shape, rows)
        except ValueError:
            if shape == "table":
                _inputs.check_rows(self, given)
            raise
        return self

    def _fit_core(self, data, labels, encoded, reduced, shape, rows):
        from . import _core

        work = {
            "weights": reduced.weights,
            "function": self._function(),
            "threads": self._threads(),
            "on_event": self._on_event(),
        }
        recipe = self._core_recipe(encoded.task, shape, reduced)
        data = _inputs.in_blocks(data, self._blocks)
        model = _core.fit(recipe, data, labels, **work)
        # References, not copies: for transduction_ and leave_one_out; never pickled.
        self._fitted_to = (recipe, data, labels, reduced)
        self._adopt(model, encoded, shape, rows)

    def _fit_elsewhere(self, kind, X, y, sample_weight):
        if sample_weight is not None:
            raise ValueError(f"sample_weight must be None for a {kind}; weigh rows in memory")
        if getattr(self, "encoder", None) is not None:
            raise ValueError(f"encoder must be None for a {kind}; encode its parts before")
        self._fitted_to = None
        if kind == "dask":
            from ._dask import fit_dask

            return fit_dask(self, X, y)
        from ._stream import fit_stream

        return fit_stream(self, X, y)

    def _read(self, X, shape, y):
        """X for a fit, and its number of rows."""
        self.encoder_, self._blocks, self._compared_to = None, [], None
        own = self._similarity()
        if own is not None:
            encoded = _inputs.encoded(self, X)
            self.encoder_, self._compared_to = encoded.encoder, encoded.values
            _inputs.check_rows(self, encoded.values)
            return _inputs.compared(own, encoded.values, encoded.values), len(encoded.values)
        if shape == "table":
            encoded = _inputs.encoded(self, X)
            self.encoder_, self._blocks = encoded.encoder, encoded.blocks
            return encoded.values, encoded.values.shape[0]
        if hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        if shape == "graph":
            if getattr(self, "kernel", "graph") == "auto" and sparse.issparse(X):
                text = (
                    f"X is a symmetric sparse matrix of {X.shape[0]} × {X.shape[1]}, which is "
                    f"taken for a graph whose nodes are the rows; kernel='graph' says so, "
                    f"X.toarray() makes it a table"
                )
                warnings.warn(DataWarning(text), stacklevel=6)
            graph = _inputs.graph(X, _inputs.length(y))
            self.n_features_in_ = graph.n_nodes
            return graph, graph.n_nodes
        if len(np.shape(X)) != 2 or np.shape(X)[0] != np.shape(X)[1]:
            raise ValueError(
                f"the precomputed kernel must be a square matrix, got shape {np.shape(X)}"
            )
        self.n_features_in_ = int(np.shape(X)[1])
        return _inputs.gram(X), self.n_features_in_

    def _reduced(self, data, encoded, weights, shape):
        """What the fit sees of rows, labels and weights."""
        if not self._weighs:
            return data, encoded, Reduced(None, None, None)
        if shape != "table":
            if weights is None:
                return data, encoded, Reduced(None, None, None)
            return data, encoded.without(weights == 0), Reduced(None, None, weights)
        reduced = reduce(data, encoded, weights)
        if reduced.rows is not None:
            reduced.absent = data[reduced.places < 0]
            data, encoded = data[reduced.rows], encoded.only(reduced.rows)
        # Rows of weight 0 may take classes with them; equal rows do not.
        return data, encoded if weights is None else encoded.condensed(), reduced

    def _adopt(self, model, encoded, shape, rows, quiet=False):
        """Takes a fitted model: its attributes and its warnings."""
        info = model.info()
        names = getattr(self, "feature_names_in_", None)
        encoder = getattr(self, "encoder_", None)
        grown = encoder is not None and encoder._n_features_out != self.n_features_in_
        if info.get("dim") is None:
            pass  # no columns that could have names
        elif encoder is not None:
            model.set_encoder(encoder._core, named=names is not None or grown)
        elif names is not None:
            model.set_features([str(n) for n in names])
        info["features"] = model.info()["features"]
        self._model, self._shape, self._rows = model, shape, rows
        self._told = self._spectrum = None
        kernel = info.get("kernel") or {}
        self.bandwidth_ = kernel.get("bandwidth")
        self.n_iter_ = max(1, int((info.get("report") or {}).get("iterations") or 0))
        self.dual_coef_ = model.dual
        self._finish(encoded)
        visible = model.visible()
        if visible is not None:
            self._told = self._everywhere(visible)
        reached = None if self._told is None else int(np.count_nonzero(self._told.reached))
        self.report_ = _report.of(info, rows, reached)
        if not quiet:
            for found in info.get("warnings") or []:
                category = CATEGORIES.get(found.get("kind"), DataWarning)
                text = _worded(found, rows, reached, info.get("features"))
                told = _coded(category, text, found.get("code"))
                warnings.warn(told, stacklevel=6)

    # ---- scikit-learn ----

    def set_params(self, **params: Any) -> Self:
        """Sets parameters, those of a transform or a filter by a new object.

        Parameters
        ----------
        **params : dict
            Parameters by name; ``transform__eta`` is the η of the transform.

        Returns
        -------
        self
        """
        own = self.get_params(deep=False)
        changes: dict[str, dict[str, Any]] = {}
        rest: dict[str, Any] = {}
        for name, value in params.items():
            head, _, tail = name.partition("__")
            held = params.get(head, own.get(head))
            if tail and isinstance(held, SpectralParameter):
                changes.setdefault(head, {})[tail] = value
            else:
                rest[name] = value
        super().set_params(**rest)
        held = self.get_params(deep=False)
        replaced = {head: held[head].replaced(**new) for head, new in changes.items()}
        return super().set_params(**replaced)

    def __sklearn_is_fitted__(self):
        return getattr(self, "_model", None) is not None

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        kernel = getattr(self, "kernel", None)
        tags.input_tags.pairwise = isinstance(kernel, str) and kernel in _inputs.PAIRWISE
        tags.input_tags.allow_nan = not tags.input_tags.pairwise
        return tags


def _worded(found, rows, reached, features):
    """The text of a warning of the core, with the caller's count of rows and names of columns."""
    text = found.get("text", "")
    if found.get("kind") == "constant-columns" and features:
        listed, semicolon, rest = text.partition(";")
        named = re.sub(r"\b\d+\b(?! more)", lambda m: repr(features[int(m[0])]), listed)
        return named + semicolon + rest
    if found.get("kind") != "unreached" or reached is None or found.get("of") == rows:
        return text
    words, _, rest = text.partition(" (")
    left = rows - reached
    samples = words.split(" ")[-1]
    return f"{left} of {rows} {samples} ({100.0 * left / rows:.1f}{rest[rest.index(' %') :]}"


class WeightedFit:
    """``fit`` of the estimators that can weigh labels; not public."""

    _fit: Any

    def fit(self, X: Samples, y: Labels = None, sample_weight: ArrayLike | None = None) -> Self:
        """Fits labelled and unlabelled rows.

        A weight of 2 is a row that stands twice, a weight of 0 a row that is absent. Both hold by
        construction: rows of weight 0 leave before the fit, and labelled rows that are equal,
        label and all, become one with the sum of their weights. Equal rows are merged without
        weights too, which needs a copy of X where there are some. On a graph or a precomputed
        kernel nothing is merged, and a weight of 0 takes the label away.

        Parameters
        ----------
        X : array-like, frame or sparse matrix of shape (n_samples, n_features)
            All rows. Columns of a DataFrame may be of any kind and have missing numbers: they are
            encoded as by :class:`TableEncoder`. See ``kernel`` for graphs and precomputed
            similarities. Kernel Laplacians also take a Parquet path, a dataset, an iterator of
            batches or a dask collection.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Classes or values; see ``unlabeled`` for rows without one.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each label counts. The weight of an unlabelled row matters only if it is 0.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight)
