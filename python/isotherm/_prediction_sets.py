"""Classes that cannot be excluded, or intervals, one for each row."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class PredictionSets:
    """What ``isotherm.conformal_sets`` found.

    Attributes
    ----------
    level : float
        The level that was asked for. The truth is in the set with a probability of at
        least ``2·level − 1``, in practice close to ``level``, if labels were drawn at
        random.
    matrix : ndarray of bool, shape (n, classes), or None
        Whether a class is in the set of a row; every class where no label reaches.
    intervals : ndarray of float, shape (n, 2), or None
        Low and high end for numbers; infinite where no label reaches.
    classes : ndarray or None
        The classes, in the order of the columns of ``matrix``.
    """

    level: float
    matrix: NDArray[np.bool_] | None
    intervals: NDArray[np.float64] | None
    classes: NDArray[Any] | None

    def __len__(self) -> int:
        found = self.matrix if self.matrix is not None else self.intervals
        return 0 if found is None else len(found)

    def sets(self) -> list[Any]:
        """One entry a row: the classes of its set, or its (low, high).

        Returns
        -------
        sets : list of lists, or of tuples
        """
        if self.matrix is not None and self.classes is not None:
            names = self.classes.tolist()
            return [[names[c] for c in np.flatnonzero(row)] for row in self.matrix]
        return [(low, high) for low, high in np.asarray(self.intervals).tolist()]

    def sizes(self) -> NDArray[np.float64]:
        """Classes in each set, or the length of each interval.

        Returns
        -------
        sizes : ndarray of shape (n,)
        """
        if self.matrix is not None:
            return self.matrix.sum(axis=1).astype(np.float64)
        ends = np.asarray(self.intervals)
        return np.asarray(ends[:, 1] - ends[:, 0])

    def __str__(self) -> str:
        sizes = self.sizes()
        if self.matrix is None:
            return (
                f"{len(self)} intervals of level {self.level:g}, "
                f"of median length {np.median(sizes):.3g}"
            )
        single, empty = int((sizes == 1).sum()), int((sizes == 0).sum())
        return (
            f"{len(self)} sets of level {self.level:g}: {single} with one class, "
            f"{empty} with none, {sizes.mean():.2f} classes on average"
        )

    def _repr_html_(self) -> str:
        return f"<p>{escape(str(self))}</p>"

    def to_dict(self) -> dict[str, Any]:
        """Level and sets, in types that JSON has.

        Returns
        -------
        found : dict
        """
        return {"level": self.level, "sets": self.sets()}

    def to_json(self, **options: Any) -> str:
        """The same as JSON text; infinite ends are null.

        Parameters
        ----------
        **options
            For ``json.dumps``.

        Returns
        -------
        text : str
        """
        found = self.to_dict()
        if self.matrix is None:
            found["sets"] = [
                [end if np.isfinite(end) else None for end in ends] for ends in found["sets"]
            ]
        return json.dumps(found, **options)
