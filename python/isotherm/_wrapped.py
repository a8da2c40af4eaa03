"""Estimators for other labels, which borrow their method from one for classes."""

import importlib

from ._base import Base
from ._persist import ESTIMATORS


class Wrapped(Base):
    """Shared by estimators whose ``estimator`` says the method; not public."""

    _weighs = False

    def _inner(self):
        """The estimator that says the method."""
        from .stkr import STKRClassifier

        if self.estimator is None:
            return STKRClassifier()
        if not isinstance(self.estimator, Base) or isinstance(self.estimator, Wrapped):
            raise TypeError(
                f"estimator must be None or one of this package's classifiers, "
                f"got {self.estimator!r}"
            )
        if getattr(self.estimator, "graph", None) is not None:
            raise ValueError(
                f"estimator must have graph=None in a {type(self).__name__}, which takes rows, or "
                f"a graph without features as X with estimator=STKRClassifier(kernel='graph')"
            )
        return self.estimator

    def _shape_of(self, X):
        return self._inner()._shape_of(X)

    def _recipe(self, task, shape, reduced=None):
        return self._inner()._recipe(task, shape)

    def _similarity(self):
        return self._inner()._similarity()

    def _function(self):
        return self._inner()._function()

    def _threads(self):
        return self._inner()._threads()

    def _jobs(self):
        return self._inner()._jobs()

    def _on_event(self):
        return self._inner()._on_event()

    def _on_steps(self, phase, steps):
        return self._inner()._on_steps(phase, steps)

    @classmethod
    def _read_params(cls, recipe, info):
        module, name = ESTIMATORS[recipe["method"]["kind"], "classify"]
        inner = getattr(importlib.import_module(f".{module}", __package__), name)
        return {"estimator": inner(**inner._read_params(recipe, info))}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        if isinstance(self.estimator, Base):
            tags.input_tags.pairwise = self.estimator.__sklearn_tags__().input_tags.pairwise
        return tags
