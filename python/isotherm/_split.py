"""Folds over labelled rows; unlabelled rows always train."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import (
    BaseCrossValidator,
    GroupKFold,
    KFold,
    StratifiedGroupKFold,
    StratifiedKFold,
)
from sklearn.utils import check_random_state

from ._missing import as_array, labelled_mask
from ._rows import count_rows

Indices = NDArray[np.intp]


class SemiSupervisedSplit(BaseCrossValidator):
    """K folds over the labelled rows, every unlabelled row in each training part.

    The score of a fold is then the score on labelled rows that the fit did not see
    the labels of, whatever else ``y`` holds. For use as ``cv=`` in scikit-learn's
    ``cross_val_score``, ``cross_validate``, ``GridSearchCV`` and ``learning_curve``.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds, at least 2 and at most the number of labels.
    shuffle : bool, default=True
        Whether labelled rows are shuffled before they are dealt.
    random_state : int, RandomState instance or None, default=None
        Seeds the shuffling.
    unlabeled : "auto", None or a value, default="auto"
        What marks an unlabelled row. "auto": -1 in whole numbers; NaN, None, ``pd.NA`` and
        "" otherwise. None: every row is labelled.
    stratify : bool, default=True
        Whether every fold holds the classes in equal shares. Float and two-dimensional
        ``y`` are dealt plainly.

    Notes
    -----
    Rows of a training part are ordered so that each of its beginnings holds labelled and
    unlabelled rows in proportion, classes in turn. ``learning_curve`` trains on such
    beginnings: 20 % of its training size is 20 % of the labels beside 20 % of the
    unlabelled rows. To vary the labels alone use ``isotherm.model_selection.label_curve``.

    With ``groups`` no group has labels on both sides of a fold. Unlabelled rows of a test
    group still train: they have no label to leak.

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm import SemiSupervisedSplit
    >>> y = np.array([0, 1, -1, -1, 0, 1])
    >>> X = np.zeros((6, 1))
    >>> for train, test in SemiSupervisedSplit(n_splits=2, shuffle=False).split(X, y):
    ...     print(sorted(train.tolist()), test.tolist())
    [2, 3, 4, 5] [0, 1]
    [0, 1, 2, 3] [4, 5]
    """

    # Groups are taken wherever metadata is routed, as scikit-learn's group splitters do.
    __metadata_request__split = {"groups": True}

    def __init__(
        self,
        n_splits: int = 5,
        *,
        shuffle: bool = True,
        random_state: Any = None,
        unlabeled: Any = "auto",
        stratify: bool = True,
    ) -> None:
        self.n_splits = n_splits
        self.shuffle = shuffle
        self.random_state = random_state
        self.unlabeled = unlabeled
        self.stratify = stratify

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Number of folds.

        Parameters
        ----------
        X, y, groups : object, default=None
            Not needed: the number is a parameter.

        Returns
        -------
        n_splits : int
        """
        return self.n_splits

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Indices, Indices]]:
        """Row numbers to train on and to test on, fold by fold.

        Parameters
        ----------
        X : array-like of n rows
        y : array-like of n labels, some of them missing
        groups : array-like of shape (n,), default=None
            Rows of one group are tested together.

        Yields
        ------
        train, test : ndarray of int
            ``test`` has labelled rows only.
        """
        self._check()
        if y is None:
            raise ValueError("y must be given: folds are made of its labelled rows, got None")
        values = as_array(y)
        if X is not None and count_rows(X) != len(values):
            raise ValueError(
                f"y must have one entry for each row of X, got {len(values)} "
                f"for {count_rows(X)} rows"
            )
        known = labelled_mask(values, self.unlabeled)
        rows, blank = np.flatnonzero(known), np.flatnonzero(~known)
        codes = self._codes(values[rows])
        marks = None if groups is None else as_array(groups)[rows]
        splitter, strata = self._splitter(codes, marks, len(rows))
        seed = check_random_state(self.random_state)
        if self.shuffle:
            blank = seed.permutation(blank)
        for train, test in splitter.split(np.zeros(len(rows)), strata, marks):
            order = seed.permutation(len(train)) if self.shuffle else np.arange(len(train))
            train = train[order]
            if codes is not None:
                train = train[_in_turn(codes[train])]
            yield _mixed(rows[train], blank), rows[test]

    def _check(self) -> None:
        if not isinstance(self.n_splits, Integral) or self.n_splits < 2:
            raise ValueError(
                f"n_splits must be a whole number of at least 2, got {self.n_splits!r}"
            )
        if self.random_state is not None and not self.shuffle:
            raise ValueError(
                f"random_state has no effect without shuffling, got {self.random_state!r}; "
                "leave it out or use shuffle=True"
            )

    def _codes(self, labels: NDArray[Any]) -> NDArray[np.intp] | None:
        if not self.stratify or labels.ndim > 1 or labels.dtype.kind in "fc":
            return None
        names = labels.astype(str) if labels.dtype.kind == "O" else labels
        return np.asarray(np.unique(names, return_inverse=True)[1])

    def _splitter(
        self, codes: NDArray[np.intp] | None, marks: Any, labels: int
    ) -> tuple[Any, NDArray[np.intp] | None]:
        if labels < self.n_splits:
            raise ValueError(
                f"n_splits={self.n_splits} needs as many labels, y has {labels}; "
                "label more rows or take fewer folds"
            )
        # Drawn from, so that one splitter object with a RandomState moves on.
        state = check_random_state(self.random_state).randint(2**31) if self.shuffle else None
        drawn = {"n_splits": self.n_splits, "shuffle": self.shuffle, "random_state": state}
        if codes is None:
            return (KFold if marks is None else GroupKFold)(**drawn), None
        most = int(np.bincount(codes).max())
        if most < self.n_splits:
            raise ValueError(
                f"n_splits={self.n_splits} needs a class with as many labels, "
                f"the largest has {most}; "
                f"use n_splits={max(most, 2)} or stratify=False"
            )
        return (StratifiedKFold if marks is None else StratifiedGroupKFold)(**drawn), codes

    def __repr__(self) -> str:
        names = ("n_splits", "shuffle", "random_state", "unlabeled", "stratify")
        return f"SemiSupervisedSplit({', '.join(f'{n}={getattr(self, n)!r}' for n in names)})"


def _in_turn(codes: NDArray[np.intp]) -> NDArray[np.intp]:
    """An order that takes one of each class, then a second of each, and so on."""
    turn = np.empty(len(codes), dtype=np.intp)
    for code in np.unique(codes):
        places = np.flatnonzero(codes == code)
        turn[places] = np.arange(len(places))
    return np.argsort(turn, kind="stable")


def _mixed(labelled: Indices, blank: Indices) -> Indices:
    """Both in one row, spread evenly; a label first."""
    place = np.concatenate(
        [
            np.arange(len(labelled)) / max(len(labelled), 1),
            (np.arange(len(blank)) + 0.5) / max(len(blank), 1),
        ]
    )
    return np.concatenate([labelled, blank])[np.argsort(place, kind="stable")]
