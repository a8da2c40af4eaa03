"""Types of what users hand over and get back."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from typing_extensions import Self
else:
    # typing has it from Python 3.11 on.
    Self = Any

#: Rows, a graph or similarities: arrays, frames, sparse matrices, edges, streams.
Samples = Any
#: Rows of X and of Z → the similarities of each to each.
Kernel = Callable[[Any, Any], Any]
#: Labels with gaps: arrays, series, lists.
Labels = Any
#: A seed, a generator, or none.
RandomState = int | np.random.RandomState | None
#: A number for each sample.
Floats = NDArray[np.float64]
#: A yes or no for each sample.
Booleans = NDArray[np.bool_]

__all__ = [
    "ArrayLike",
    "Booleans",
    "Callable",
    "Floats",
    "Kernel",
    "Labels",
    "NDArray",
    "RandomState",
    "Samples",
    "Self",
]
