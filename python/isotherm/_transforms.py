"""Spectral transforms ``s(λ)`` of a base kernel.  [STKR §3–4]"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._spectral import SpectralParameter, numbers


class InverseLaplacian(SpectralParameter):
    """``s(λ) = λ / (1 − ηλ)``, the inverse Laplacian.  [STKR Example 1]

    Parameters
    ----------
    eta : float, default=0.99
        0 ≤ η < 1/λ₁, where λ₁ is the largest eigenvalue: 1 for a graph or nearest
        neighbours. The nearer to 1/λ₁, the farther labels travel.

    Examples
    --------
    >>> from isotherm import InverseLaplacian
    >>> InverseLaplacian(eta=0.5)(1.0)
    2.0
    """

    def __init__(self, eta: float = 0.99) -> None:
        self.eta = eta

    def __call__(self, eigenvalue: Any) -> Any:
        """``s(λ)``."""
        return eigenvalue / (1.0 - self.eta * eigenvalue)

    def _spec(self):
        return {"kind": "inverse-laplacian", "eta": self.eta}


class Polynomial(SpectralParameter):
    """``s(λ) = Σₚ πₚ λᵖ``, p ≥ 1.  [STKR Assumption 1]

    Parameters
    ----------
    weights : sequence of float, default=(1.0,)
        π₁, π₂, …

    Examples
    --------
    >>> from isotherm import Polynomial
    >>> Polynomial(weights=(0.5, 0, 1))(2.0)
    9.0
    """

    def __init__(self, weights: Sequence[float] = (1.0,)) -> None:
        self.weights = weights

    def __call__(self, eigenvalue: Any) -> Any:
        """``s(λ)``."""
        weights = numbers(self.weights, "weights")
        return sum(w * eigenvalue ** (p + 1) for p, w in enumerate(weights))

    def _spec(self):
        return {"kind": "polynomial", "weights": numbers(self.weights, "weights")}


class Power(SpectralParameter):
    """``s(λ) = λᵖ``: p hops.  [STKR App. D]

    Parameters
    ----------
    degree : int, default=2
        p ≥ 1.

    Examples
    --------
    >>> from isotherm import Power
    >>> Power(degree=3)(2.0)
    8.0
    """

    def __init__(self, degree: int = 2) -> None:
        self.degree = degree

    def __call__(self, eigenvalue: Any) -> Any:
        """``s(λ)``."""
        return eigenvalue**self.degree

    def _spec(self):
        return {"kind": "power", "degree": self.degree}


class Diffusion(SpectralParameter):
    """``s(λ) = e^{tλ} − 1``: diffusion for a time t, without the identity.

    Parameters
    ----------
    time : float, default=1.0
        0 < t ≤ 500.

    Examples
    --------
    >>> from isotherm import Diffusion
    >>> float(Diffusion(time=1.0)(0.0))
    0.0
    """

    def __init__(self, time: float = 1.0) -> None:
        self.time = time

    def __call__(self, eigenvalue: Any) -> Any:
        """``s(λ)``."""
        return np.expm1(self.time * np.asarray(eigenvalue))

    def _spec(self):
        return {"kind": "diffusion", "time": self.time}


class Reciprocal(SpectralParameter):
    """``1/s(λ) = Σₚ ξₚ λᵖ⁻ʳ``, p ≥ 0.  [STKR Eqn 20]

    Parameters
    ----------
    weights : sequence of float, default=(1.0, -0.99)
        ξ₀ > 0, ξ₁, …
    order : int, default=1
        r ≥ 1.

    Examples
    --------
    >>> from isotherm import InverseLaplacian, Reciprocal
    >>> Reciprocal(weights=(1, -0.5), order=1)(1.0) == InverseLaplacian(0.5)(1.0)
    True
    """

    def __init__(self, weights: Sequence[float] = (1.0, -0.99), order: int = 1) -> None:
        self.weights = weights
        self.order = order

    def __call__(self, eigenvalue: Any) -> Any:
        """``s(λ)``."""
        weights = numbers(self.weights, "weights")
        return eigenvalue**self.order / sum(w * eigenvalue**p for p, w in enumerate(weights))

    def _spec(self):
        weights = numbers(self.weights, "weights")
        return {"kind": "reciprocal", "weights": weights, "order": self.order}


class Truncation(SpectralParameter):
    """``s(λᵢ) = λᵢ`` for the ``rank`` largest eigenvalues, else 0: kernel PCA and a ridge.

    [STKR Eqns 8–9]

    Parameters
    ----------
    rank : int, default=10
        Modes kept, at least 1.
    encoder : {"all", "unlabelled"}, default="all"
        The rows that modes come from: all, as in the paper's experiments, or the unlabelled
        ones only, as Eqn 8 is printed and Theorem 4 needs it.

    Examples
    --------
    >>> from isotherm import Truncation
    >>> Truncation(rank=4)
    Truncation(rank=4, encoder='all')
    """

    def __init__(self, rank: int = 10, encoder: str = "all") -> None:
        self.rank = rank
        self.encoder = encoder

    def __call__(self, eigenvalue: Any) -> Any:
        """``s(λ)`` of a mode that is kept; which ones are, only the spectrum tells."""
        return eigenvalue

    def _spec(self):
        return {"kind": "truncation", "rank": self.rank, "encoder": self.encoder}


#: Transforms by the recipe's name of them.
TRANSFORMS = {
    "inverse-laplacian": InverseLaplacian,
    "polynomial": Polynomial,
    "power": Power,
    "diffusion": Diffusion,
    "reciprocal": Reciprocal,
    "truncation": Truncation,
}
