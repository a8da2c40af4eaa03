"""Spectral transforms and filters as parameters: values that do not change.

They have ``get_params``, so ``transform__eta`` and ``filter__strength`` work in a grid, and
they compare by value. Called with eigenvalues they give the function that is meant, for
plots; fits read the parameters only.
"""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from ._typing import Self


class SpectralParameter(BaseEstimator):
    """A function of eigenvalues, said by its parameters."""

    def __setattr__(self, name, value):
        if name in self.__dict__:
            raise AttributeError(
                f"{type(self).__name__} does not change; make another one, or call "
                f"set_params on the estimator that holds it"
            )
        super().__setattr__(name, value)

    def set_params(self, **params: Any) -> Self:
        """Refused unless empty: estimators replace the whole object instead.

        An object may be the default of many estimators, so it is never changed in place.
        """
        if params:
            raise AttributeError(
                f"{type(self).__name__} does not change; make another one, or call "
                f"set_params on the estimator that holds it"
            )
        return self

    def replaced(self, **params):
        """The same with some parameters replaced."""
        known = self.get_params(deep=False)
        unknown = sorted(set(params) - set(known))
        if unknown:
            raise ValueError(
                f"{type(self).__name__} has no parameter {unknown[0]!r}; "
                f"it has {', '.join(known) or 'none'}"
            )
        return type(self)(**{**known, **params})

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        return _plain(self.get_params(deep=False)) == _plain(other.get_params(deep=False))

    def __hash__(self):
        return hash((type(self).__name__, repr(_plain(self.get_params(deep=False)))))

    def __repr__(self, N_CHAR_MAX=700):
        given = ", ".join(f"{k}={v!r}" for k, v in self.__dict__.items())
        return f"{type(self).__name__}({given})"

    def _spec(self):
        """The recipe's form."""
        raise NotImplementedError


def _plain(params):
    """Parameters that can be compared: arrays and sequences as tuples."""
    listed = {k: np.asarray(v).tolist() for k, v in params.items()}
    return {k: tuple(v) if isinstance(v, list) else v for k, v in listed.items()}


def numbers(values, what):
    """A flat list of numbers."""
    try:
        found = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        found = None
    if found is None or found.ndim != 1 or found.size == 0:
        raise ValueError(f"{what} must be a sequence of numbers, got {values!r}")
    return found.tolist()


def from_spec(spec, kinds):
    """The object that a recipe names, or ``None`` for one that has no name here."""
    spec = dict(spec)
    kind = kinds.get(spec.pop("kind"))
    return None if kind is None else kind(**spec)
