"""Spectral filters ``ψ(x)`` of the pencil ``(Σ, L + μ)``.  [KLAP §2.2, Prop. 1, Eq 7]"""

from typing import Any

import numpy as np

from ._spectral import SpectralParameter


class Tikhonov(SpectralParameter):
    """``ψ(x) = 1 / (x + λ)``.  [KLAP §2.2]

    Parameters
    ----------
    strength : float, default=1.0
        λ > 0.

    Examples
    --------
    >>> from isotherm import Tikhonov
    >>> Tikhonov(strength=1.0)(1.0)
    0.5
    """

    def __init__(self, strength: float = 1.0) -> None:
        self.strength = strength

    def __call__(self, eigenvalue: Any) -> Any:
        """``ψ(x)``."""
        return 1.0 / (eigenvalue + self.strength)

    def _spec(self):
        return {"kind": "tikhonov", "strength": self.strength}


class CutOff(SpectralParameter):
    """``ψ(x) = 1/x`` where modes are smooth, else 0.  [KLAP Eq 7]

    Parameters
    ----------
    threshold : float, default=None
        Modes with eigenvalues above it stay.
    rank : int, default=None
        So many leading modes stay. Exactly one of the two must be given.

    Examples
    --------
    >>> from isotherm import CutOff
    >>> float(CutOff(threshold=0.1)(0.5))
    2.0
    """

    def __init__(self, threshold: float | None = None, rank: int | None = None) -> None:
        self.threshold = threshold
        self.rank = rank

    def __call__(self, eigenvalue: Any) -> Any:
        """``ψ(x)``; under a rank, that of a mode that is kept."""
        x = np.asarray(eigenvalue, dtype=float)
        kept = x > (0.0 if self.threshold is None else self.threshold)
        return np.where(kept, 1.0 / np.where(kept, x, 1.0), 0.0)

    def _spec(self):
        if (self.threshold is None) == (self.rank is None):
            raise ValueError(
                f"CutOff needs a threshold or a rank, one of them, "
                f"got threshold={self.threshold!r} and rank={self.rank!r}"
            )
        if self.rank is None:
            return {"kind": "cut-off", "threshold": self.threshold}
        return {"kind": "leading", "rank": self.rank}


class GradientFlow(SpectralParameter):
    """``ψ(x) = (1 − e^{−tx}) / x``, which is t at 0.  [KLAP Prop. 1]

    Parameters
    ----------
    time : float, default=1.0
        t > 0.

    Examples
    --------
    >>> from isotherm import GradientFlow
    >>> float(GradientFlow(time=2.0)(0.0))
    2.0
    """

    def __init__(self, time: float = 1.0) -> None:
        self.time = time

    def __call__(self, eigenvalue: Any) -> Any:
        """``ψ(x)``."""
        x = np.asarray(eigenvalue, dtype=float)
        safe = np.where(x == 0.0, 1.0, x)
        return np.where(x == 0.0, self.time, -np.expm1(-self.time * x) / safe)

    def _spec(self):
        return {"kind": "gradient-flow", "time": self.time}


class Landweber(SpectralParameter):
    """``ψ(x) = (1 − (1 − τx)^T) / x``: T steps of gradient descent.  [KLAP Prop. 1]

    Parameters
    ----------
    steps : int, default=100
        T ≥ 1.
    step : float, default=None
        τ > 0; ``None``: one over the largest eigenvalue.

    Examples
    --------
    >>> from isotherm import Landweber
    >>> float(Landweber(steps=1, step=0.5)(1.0))
    0.5
    """

    def __init__(self, steps: int = 100, step: float | None = None) -> None:
        self.steps = steps
        self.step = step

    def __call__(self, eigenvalue: Any) -> Any:
        """``ψ(x)``; without a step, x holds the whole spectrum."""
        x = np.asarray(eigenvalue, dtype=float)
        step = 1.0 / x.max() if self.step is None else self.step
        safe = np.where(x == 0.0, 1.0, x)
        flat = step * self.steps
        return np.where(x == 0.0, flat, (1.0 - (1.0 - step * x) ** self.steps) / safe)

    def _spec(self):
        spec = {"kind": "landweber", "steps": self.steps}
        return spec if self.step is None else {**spec, "step": self.step}


class Heat(SpectralParameter):
    """``ψ(x) = e^{−t/x} / x``, which is 0 at 0.  [KLAP §2.2]

    Parameters
    ----------
    time : float, default=1.0
        t > 0.

    Examples
    --------
    >>> from isotherm import Heat
    >>> float(Heat(time=1.0)(0.0))
    0.0
    """

    def __init__(self, time: float = 1.0) -> None:
        self.time = time

    def __call__(self, eigenvalue: Any) -> Any:
        """``ψ(x)``."""
        x = np.asarray(eigenvalue, dtype=float)
        safe = np.where(x == 0.0, 1.0, x)
        return np.where(x == 0.0, 0.0, np.exp(-self.time / safe) / safe)

    def _spec(self):
        return {"kind": "heat", "time": self.time}


#: Filters by the recipe's name of them.
FILTERS = {
    "tikhonov": Tikhonov,
    "cut-off": CutOff,
    "leading": CutOff,
    "gradient-flow": GradientFlow,
    "landweber": Landweber,
    "heat": Heat,
}
