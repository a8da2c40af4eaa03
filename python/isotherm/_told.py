"""What a model says of some rows, as arrays that can be put together."""

from dataclasses import dataclass

import numpy as np

FIELDS = ("scores", "reached", "labels", "probabilities", "values", "flags", "orders")


@dataclass
class Told:
    """The core's answer; a field is ``None`` where the task has no such thing."""

    scores: np.ndarray
    reached: np.ndarray
    labels: np.ndarray | None = None
    probabilities: np.ndarray | None = None
    values: np.ndarray | None = None
    flags: np.ndarray | None = None
    orders: np.ndarray | None = None

    @classmethod
    def of(cls, answer):
        """The arrays of an answer."""
        return cls(*(getattr(answer, name) for name in FIELDS))

    @property
    def unreached(self):
        """How many rows no label reaches."""
        return int(len(self.reached) - np.count_nonzero(self.reached))

    def spread(self, places, other=None):
        """One entry for each of ``places``; where a place is −1, the next one of ``other``."""
        absent = places < 0

        def field(name):
            own = getattr(self, name)
            if own is None:
                return None
            out = own[np.where(absent, 0, places)]
            if other is not None:
                out[absent] = getattr(other, name)
            return out

        return Told(*(field(name) for name in FIELDS))
