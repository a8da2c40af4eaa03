"""Model files and pickles: both hold the same bytes, which are data and never code."""

import os
from typing import Any

import numpy as np

from . import _recipe
from ._typing import Self
from .encoding import TableEncoder

#: Estimators by the recipe's method and task: module and class.
ESTIMATORS = {
    ("blend", "classify"): ("auto", "AutoClassifier"),
    ("blend", "values"): ("auto", "AutoRegressor"),
    ("stkr", "classify"): ("stkr", "STKRClassifier"),
    ("stkr", "values"): ("stkr", "STKRRegressor"),
    ("laplacian", "classify"): ("laplacian", "LaplacianClassifier"),
    ("laplacian", "values"): ("laplacian", "LaplacianRegressor"),
    ("label-propagation", "classify"): ("propagation", "LabelPropagation"),
    ("harmonic", "classify"): ("harmonic", "HarmonicClassifier"),
    ("harmonic", "values"): ("harmonic", "HarmonicRegressor"),
    ("kernel-ridge", "classify"): ("ridge", "KernelRidgeClassifier"),
    ("kernel-ridge", "values"): ("ridge", "KernelRidge"),
}

#: What the recipe's tasks are here; tags and orders are a wrapper around a method.
TASKS = {"regress": "values", "numbers": "values", "classify": "classify"}
WRAPPERS = {
    "tags": ("multilabel", "MultiLabelClassifier"),
    "rank": ("ranking", "LabelRanker"),
}


def load(path: str | os.PathLike[str]) -> Any:
    """Reads a model file, whoever wrote it.

    Parameters
    ----------
    path : str or path-like
        A file of ``save`` or of the command line's ``fit``.

    Returns
    -------
    estimator
        Fitted, of the class that the recipe in the file belongs to. Classes are strings, or
        integers where every name is one. The file does not hold the data of the fit, so
        ``leave_one_out`` and ``eigenvalues_`` are not there; ``transduction_`` is where the method
        solves for it (STKR, label propagation, harmonic), for the rows that were fitted: those of
        weight 0 left out, equal labelled ones merged.

    Examples
    --------
    >>> import os, tempfile
    >>> import numpy as np
    >>> import isotherm
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> model = isotherm.STKRClassifier(n_neighbors=2).fit(X, [0, -1, -1, 1, -1, -1])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "model.iso")
    ...     model.save(path)
    ...     again = isotherm.load(path)
    >>> type(again).__name__, again.predict([[0.05], [5.05]]).tolist()
    ('STKRClassifier', [0, 1])
    """
    from . import _core

    return revived(_core.Model.load(os.fspath(path)), None)


def revived(model, cls):
    """An estimator around a model; of class ``cls``, or of the one the recipe names."""
    info = model.info()
    recipe = info["recipe"]
    cls = _class_of(recipe) if cls is None else cls
    estimator = cls(**cls._read_params(recipe, info))
    # A wrapper's own estimator has them.
    held = getattr(estimator, "estimator", estimator)
    held.set_params(**_recipe.read_class_shares(recipe))
    estimator._revive(model, info)
    return estimator


def _class_of(recipe):
    import importlib

    task, method = recipe["task"], recipe["method"]["kind"]
    found = WRAPPERS.get(task) or ESTIMATORS.get((method, TASKS.get(task)))
    if found is None:
        raise ValueError(
            f"the model predicts {task}, which has no estimator in Python; use the command line"
        )
    module, name = found
    return getattr(importlib.import_module(f".{module}", __package__), name)


class Persistent:
    """Saving, loading and pickling; not public."""

    _model: Any
    #: Whether the model is from a file, so that its columns are known as features only.
    _from_file = False

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the fitted model to a file, the same as the command line's.

        Parameters
        ----------
        path : str or path-like
            Where to; an existing file is replaced at once, when all is written.
        """
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        self._model.save(os.fspath(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Reads a model file as an estimator of this class.

        Parameters
        ----------
        path : str or path-like
            A file of ``save`` or of the command line's ``fit``.

        Returns
        -------
        estimator
            Fitted; see :func:`isotherm.load`, which finds the class itself.
        """
        from . import _core

        model = _core.Model.load(os.fspath(path))
        recipe = model.info()["recipe"]
        if not cls._can_read(recipe):
            raise ValueError(
                f"{os.fspath(path)} holds a model of method {recipe['method']['kind']} for "
                f"{recipe['task']}, which is no {cls.__name__}; use isotherm.load"
            )
        return revived(model, cls)

    @classmethod
    def _can_read(cls, recipe):
        return issubclass(cls, _class_of(recipe))

    @classmethod
    def _read_params(cls, recipe, info):
        """Constructor parameters of a recipe."""
        raise NotImplementedError

    def _revive(self, model, info):
        """Takes a model from a file."""
        shape = info["shape"]
        self._fitted_to, self._blocks, self._from_file = None, [], True
        self._compared_to = None
        smooths = info["recipe"].get("smooth") is not None
        nodes = shape == "graph" and (smooths or info["method"] == "blend")
        encoder = model.encoder() if shape == "table" or nodes else None
        self.encoder_ = None if encoder is None else TableEncoder()
        if encoder is not None:
            self.encoder_._take(encoder)
            if not info.get("features"):
                # Columns without names are features as they are.
                self.encoder_._given_names = list(encoder.names)
        self.n_features_in_ = info["dim"] if shape == "table" else info["anchors"]
        if nodes:
            self.n_features_in_ = info["dim"] or 0
        if info.get("features"):
            self.feature_names_in_ = np.array(info["features"], dtype=object)
        self._adopt(model, self._encoded_of(info), shape, None, quiet=True)

    def _encoded_of(self, info):
        """Labels of a model from a file: names without rows."""
        raise NotImplementedError

    def __getstate__(self):
        state = dict(super().__getstate__())
        model = state.get("_model")
        if model is None:
            return state
        if self._told is None and state.get("_fitted_to") is not None:
            # Afterwards the rows are gone, and with them what is said of them.
            state["_told"] = self._transduced()
        state["_fitted_to"] = None
        state["_model"] = model.to_bytes()
        return state

    def __setstate__(self, state):
        model = state.get("_model")
        if isinstance(model, bytes):
            from . import _core

            state = {**state, "_model": _core.Model.from_bytes(model)}
        super().__setstate__(state)
