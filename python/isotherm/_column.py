"""Labels in parts: the distinct ones, and for each row the place of its own.

A column of labels is mostly one value, the missing one, so this is small to keep and to send,
and every rule about labels is applied to the distinct ones only.
"""

from dataclasses import dataclass, replace

import numpy as np
from sklearn.base import is_classifier

from . import _labels


@dataclass
class Column:
    """One label a row."""

    #: Labels, each once; ``None`` is missing.
    distinct: list
    #: For each row a place in ``distinct``.
    codes: np.ndarray

    def __len__(self):
        return len(self.codes)

    @classmethod
    def of(cls, values):
        """Labels from an array, a series or a pyarrow column."""
        if hasattr(values, "dictionary_encode"):
            return cls._of_arrow(values)
        values = _labels.flat(values)
        if values.dtype.kind in "biufUS":
            distinct, codes = np.unique(values, return_inverse=True)
            return cls._small([_plain(v) for v in distinct.tolist()], codes.ravel())
        place = {}
        codes = np.fromiter(
            (place.setdefault(_plain(v), len(place)) for v in values), np.int64, len(values)
        )
        return cls._small(list(place), codes)

    @classmethod
    def _of_arrow(cls, values):
        if hasattr(values, "combine_chunks"):
            values = values.combine_chunks()
        if hasattr(values.type, "value_type") and hasattr(values, "dictionary"):
            values = values.cast(values.type.value_type)
        coded = values.dictionary_encode()
        distinct = [_plain(v) for v in coded.dictionary.to_pylist()]
        codes = coded.indices
        if codes.null_count:
            codes = codes.fill_null(len(distinct))
            distinct.append(None)
        return cls._small(distinct, codes.to_numpy(zero_copy_only=False))

    @classmethod
    def _small(cls, distinct, codes):
        return cls(distinct, codes.astype(np.min_scalar_type(max(len(distinct) - 1, 0))))

    @classmethod
    def joined(cls, parts):
        """The labels of all parts, in their order."""
        # A part without nulls may hold integers where others hold floats and NaN.
        known = [v for part in parts for v in part.distinct if v is not None]
        read = float if any(isinstance(v, float) for v in known) and _numbers(known) else _plain
        place = {}

        def places(part):
            found = [None if v is None else read(v) for v in part.distinct]
            return np.array([place.setdefault(v, len(place)) for v in found], dtype=np.int64)

        moved = [places(part) for part in parts]
        kind = np.min_scalar_type(max(len(place) - 1, 0))
        codes = [to.astype(kind)[part.codes] for to, part in zip(moved, parts, strict=True)]
        return cls(list(place), np.concatenate(codes) if codes else np.empty(0, dtype=kind))

    def encoded(self, estimator):
        """Labels of all rows as an estimator reads them."""
        y = self._array()
        if len(y) == 0:
            raise ValueError("there are no rows; give at least two, one of them labelled")
        if y.dtype.kind != "f" or is_classifier(estimator):
            gone = _labels.missing(y, getattr(estimator, "unlabeled", _labels.AUTO))
        else:
            gone = np.isnan(y)
        if gone.all():
            raise ValueError(f"all {len(self)} rows are unlabelled; give some of them a label")
        told = estimator._encode(y)
        return replace(told, values=told.values[self.codes])

    def _array(self):
        """The distinct labels as one array of one kind."""
        known = [v for v in self.distinct if v is not None]
        if known and all(isinstance(v, float) for v in known):
            return np.array([np.nan if v is None else v for v in self.distinct], dtype=np.float64)
        if known and len(known) == len(self.distinct) and isinstance(known[0], str):
            return np.array(known)
        return _labels.as_array(self.distinct)


def _numbers(values):
    return all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values)


def _plain(value):
    """A label as a plain object; ``None`` for NaN and its like."""
    if _labels._is_missing(value) and not isinstance(value, str):
        return None
    return value.item() if isinstance(value, np.generic) else value
