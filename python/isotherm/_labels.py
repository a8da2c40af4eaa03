"""y → labels for the core: what is known, and what is missing.

Missing is ``-1`` among whole numbers and NaN, ``None``, ``pandas.NA`` or ``""`` among anything
else, and so are texts such as ``"NA"``, ``"nan"`` and ``"-1"``, with a warning; numbers to be
predicted are missing where they are NaN.
"""

import warnings
from dataclasses import dataclass, field

import numpy as np
from sklearn.exceptions import DataConversionWarning

from .exceptions import DataWarning

AUTO = "auto"

#: Texts that mean "no label", as on the command line, and the marker of integers as text.
WORDS = ("NA", "NaN", "nan", "null", "None", "N/A", "#N/A", "<NA>", "-1")


@dataclass
class Encoded:
    """Labels of all rows, ready for the core."""

    #: "classify", "regress", "numbers", "tags" or "rank".
    task: str
    #: Class codes (−1 missing), values (NaN missing), flags (−1), or lists with ``None``.
    values: object
    #: What a column of scores stands for: classes, tags, items; ``None`` for numbers.
    classes: np.ndarray | None
    #: The same as strings, for the core and its files.
    names: list = field(default_factory=list)
    #: Whether the values are sets of candidates.
    sets: bool = False
    #: Whether predictions are to be two-dimensional.
    wide: bool = False

    def __len__(self):
        return len(self.values)

    @property
    def labelled(self):
        """Which rows have a label."""
        if isinstance(self.values, list):
            return np.array([v is not None for v in self.values], dtype=bool)
        if self.task in ("regress", "numbers"):
            known = ~np.isnan(self.values)
            return known if known.ndim == 1 else known.all(axis=1)
        known = self.values != -1
        return known if known.ndim == 1 else known.any(axis=1)

    def key(self, rows):
        """Numbers that are equal for equal labels, one row for each of ``rows``."""
        return np.asarray(self.values, dtype=np.float64)[rows].reshape(len(rows), -1)

    def only(self, rows):
        """The labels of these rows."""
        if isinstance(self.values, list):
            values = [self.values[i] for i in rows]
        else:
            values = self.values[rows]
        return Encoded(self.task, values, self.classes, self.names, self.sets, self.wide)

    def without(self, rows):
        """The same with the labels of these rows taken away."""
        values = self.values.copy()
        values[rows] = np.nan if self.task in ("regress", "numbers") else -1
        left = Encoded(self.task, values, self.classes, self.names, self.sets, self.wide)
        if not left.labelled.any():
            raise ValueError(
                "every labelled row has a sample weight of zero; give one of them a weight"
            )
        return left.condensed()

    def condensed(self):
        """The same without classes that no row has."""
        if self.task != "classify" or self.sets:
            return self
        there, codes = np.unique(self.values[self.values >= 0], return_inverse=True)
        if len(there) == len(self.names):
            return self
        values = self.values.copy()
        values[values >= 0] = codes
        names = [self.names[k] for k in there]
        return Encoded(self.task, values, self.classes[there], names)

    def core(self):
        """The core's form of them."""
        from . import _core

        if self.sets:
            return _core.Labels.sets(self.values, self.names)
        make = {
            "classify": lambda: _core.Labels.classes(self.values, self.names),
            "regress": lambda: _core.Labels.values(self.values),
            "numbers": lambda: _core.Labels.numbers(self.values, self.names),
            "tags": lambda: _core.Labels.flags(self.values, self.names),
            "rank": lambda: _core.Labels.orders(self.values, self.names),
        }
        return make[self.task]()


def as_array(y):
    """y as an array, whatever holds it: lists, pandas, polars, pyarrow."""
    if hasattr(y, "to_pylist"):  # pyarrow
        return _objects(y.to_pylist())
    dtype = getattr(y, "dtype", None)
    if dtype is not None and not isinstance(dtype, np.dtype):
        # pandas' own and polars' types: nulls would turn integers into floats.
        values = y.to_list() if hasattr(y, "to_list") else list(y)
        return _objects(values)
    if isinstance(y, (list, tuple)) and any(_is_missing(v) for v in y if np.ndim(v) == 0):
        return _objects(list(y))
    try:
        return np.asarray(y)
    except ValueError:  # ragged
        return _objects(list(y))


def _objects(values):
    """A one-dimensional array of objects, or a plain one where nothing is missing."""
    if any(_is_missing(v) for v in values if np.ndim(v) == 0):
        out = np.empty(len(values), dtype=object)
        out[:] = values
        return out
    return np.asarray(values)


def _is_missing(value):
    if value is None or (isinstance(value, str) and value == ""):
        return True
    if isinstance(value, (float, np.floating)):
        return value != value
    return type(value).__name__ in ("NAType", "NaTType")


def flat(y, what="y"):
    """One label a row; a column is taken with scikit-learn's warning."""
    y = as_array(y)
    if y.ndim == 2 and y.shape[1] == 1:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change the "
            "shape of y to (n_samples,), for example using ravel().",
            DataConversionWarning,
            stacklevel=7,
        )
        y = y.ravel()
    if y.ndim != 1:
        raise ValueError(f"{what} should be a 1d array, got an array of shape {y.shape} instead.")
    return y


def missing(y, unlabeled=AUTO):
    """Which entries of a flat array of classes mean "no label"."""
    if unlabeled is None:
        return np.zeros(len(y), dtype=bool)
    if not (isinstance(unlabeled, str) and unlabeled == AUTO):
        return np.array([bool(v == unlabeled) or _same_nan(v, unlabeled) for v in y], dtype=bool)
    kind = y.dtype.kind
    if kind in "iu":
        return y == -1
    if kind == "f":
        gone = np.isnan(y)
        return gone | (y == -1.0) if _marks(y[~gone]) else gone
    if kind == "b":
        return np.zeros(len(y), dtype=bool)
    if kind == "U":
        return np.isin(np.char.strip(y), ("", *WORDS))
    gone = np.array([_is_missing(v) or _is_word(v) for v in y], dtype=bool)
    known = y[~gone]
    if kind == "O" and all(_is_number(v) for v in known):
        if all(_is_integer(v) for v in known) or _marks(known.astype(np.float64)):
            gone |= np.array([not g and v == -1 for v, g in zip(y, gone)], dtype=bool)
    return gone


def _marks(numbers):
    """Whether −1 among floats means "unlabelled": they are whole, and no other is negative."""
    whole = bool((numbers == np.floor(numbers)).all())
    return whole and not (numbers[numbers != -1.0] < 0).any()


def _is_word(value):
    return isinstance(value, str) and value.strip() in WORDS


def _is_number(value):
    return _is_integer(value) or isinstance(value, (float, np.floating))


def _is_integer(value):
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _same_nan(value, marker):
    return _is_missing(value) and _is_missing(marker) and not isinstance(marker, str)


def encode_classes(y, unlabeled=AUTO):
    """Classes of all rows, sorted; −1 where a row has none."""
    y = flat(y)
    if y.dtype.kind == "c":
        raise ValueError("Complex data not supported: y holds complex numbers")
    gone = missing(y, unlabeled)
    known = _numbers_of(y[~gone])
    if isinstance(unlabeled, str) and unlabeled == AUTO:
        _tell_markers(y, gone, known)
    if len(known) == 0:
        raise ValueError(f"all {len(y)} rows are unlabelled; label at least one row of each class")
    if known.dtype.kind == "f":
        if not np.isfinite(known).all():
            raise ValueError("y contains infinity or NaN, which is no class; remove the rows")
        if (known != np.floor(known)).any():
            value = known[known != np.floor(known)][0]
            raise ValueError(
                f"Unknown label type: continuous; y holds {value}, which is a value and no "
                f"class: use a regressor, or make the classes strings"
            )
    classes, codes = _unique(known)
    marked = unlabeled is not None and classes.dtype.kind in "iuf" and _has_minus_one(y[gone])
    if marked and len(classes) == 1:
        raise ValueError(
            f'y holds -1 and one class ({classes[0]}); -1 means "unlabelled": if it is a '
            f"class, pass unlabeled=None, else label a row of another class"
        )
    out = np.full(len(y), -1, dtype=np.int64)
    out[~gone] = codes
    return Encoded("classify", out, classes, names_of(classes))


def _has_minus_one(values):
    return any(_is_number(v) and v == -1 for v in values)


def _tell_markers(y, gone, known):
    """Warns of texts that are read as unlabelled; refuses −1 that may be either."""
    words = sorted({str(v).strip() for v in y[gone] if _is_word(v)})
    if words:
        listed = ", ".join(repr(w) for w in words)
        text = (
            f"y holds {listed}, which is read as unlabelled; unlabeled=None makes it a class, "
            f"and missing labels are best written as None or ''"
        )
        warnings.warn(DataWarning(text), stacklevel=8)
    if known.dtype.kind == "f" and (known == -1.0).any():
        raise ValueError(
            "y holds -1.0 and other negative classes; pass unlabeled=-1 if -1.0 marks rows without "
            "a label, unlabeled=None if it is a class"
        )
    if known.dtype.kind == "O" and _has_minus_one(known):
        other = next((type(v).__name__ for v in known if not _is_number(v)), None)
        if other is not None:
            raise ValueError(
                f"y holds -1 among classes of type {other}; pass unlabeled=-1 if -1 marks rows "
                f"without a label, or write these as None"
            )


def _numbers_of(known):
    """Floats that were objects for the sake of what is missing, as floats again."""
    if known.dtype.kind != "O" or not any(isinstance(v, (float, np.floating)) for v in known):
        return known
    numbers = all(_is_integer(v) or isinstance(v, (float, np.floating)) for v in known)
    return known.astype(np.float64) if numbers else known


def _unique(known):
    """Sorted classes and the place of each label among them."""
    if known.dtype.kind != "O":
        return np.unique(known, return_inverse=True)
    if any(np.ndim(v) for v in known):
        raise ValueError(
            "Unknown label type: y holds sequences; use PartialLabelClassifier for sets of "
            "candidates, MultiLabelClassifier for tags"
        )
    if all(_is_integer(v) for v in known):
        return np.unique(known.astype(np.int64), return_inverse=True)
    try:
        classes = sorted(set(known))
    except TypeError:
        kinds = sorted({type(v).__name__ for v in known})
        raise TypeError(
            f"y mixes classes of types {' and '.join(kinds)}, which have no order; "
            f"make them all strings"
        ) from None
    place = {c: k for k, c in enumerate(classes)}
    out = np.empty(len(classes), dtype=object)
    out[:] = classes
    return out, np.array([place[v] for v in known], dtype=np.int64)


def names_of(classes):
    """Classes as strings, each another one."""
    names = [str(c) for c in classes]
    if len(set(names)) < len(names):
        twice = next(n for n in names if names.count(n) > 1)
        raise ValueError(
            f"two classes are both written {twice!r}; make the classes strings that differ"
        )
    return names


def _marked(values, unlabeled):
    """The same numbers with NaN for the marker of a missing one, where that is another."""
    if isinstance(unlabeled, str) and unlabeled == AUTO:
        return values
    if unlabeled is None or unlabeled == unlabeled:
        if np.isnan(values).any():
            row = int(np.argwhere(np.isnan(values))[0][0])
            raise ValueError(
                f"y contains NaN in row {row}, but unlabeled={unlabeled!r} says what marks a row "
                f"without a value; remove the row, or use unlabeled='auto'"
            )
        return np.where(values == unlabeled, np.nan, values)
    return values


def encode_values(y, unlabeled=AUTO):
    """Numbers of all rows: one target, or several in columns; NaN where there is none."""
    y = as_array(y)
    if y.dtype.kind == "c":
        raise ValueError("Complex data not supported: y holds complex numbers")
    try:
        if y.dtype.kind == "O":
            y = np.array([np.nan if _is_missing(v) else v for v in y.ravel()]).reshape(y.shape)
        values = np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            f"y holds {np.ravel(y)[0]!r}, which is not a number; use a classifier for classes"
        ) from None
    values = _marked(values, unlabeled)
    if values.ndim not in (1, 2) or (values.ndim == 2 and values.shape[1] == 0):
        raise ValueError(f"y should be a 1d or 2d array, got an array of shape {values.shape}")
    if np.isinf(values).any():
        row = int(np.argwhere(np.isinf(values))[0][0])
        raise ValueError(f"y contains infinity in row {row}; remove the row or make it NaN")
    if np.isnan(values).all():
        raise ValueError(f"all {len(values)} rows are unlabelled (y is NaN); give some values")
    if values.ndim == 1:
        return Encoded("regress", np.require(values, requirements="CA"), None)
    some = np.isnan(values).any(axis=1) & ~np.isnan(values).all(axis=1)
    if some.any():
        row = int(np.flatnonzero(some)[0])
        raise ValueError(
            f"y holds some of the targets of row {row} but not all; give all of them or NaN"
        )
    names = [f"y{k}" for k in range(values.shape[1])]
    return Encoded("numbers", np.require(values, requirements="CA"), None, names, wide=True)


def read_classes(names):
    """Classes of a model file: integers where every name is one, else strings."""
    whole = all(n.lstrip("-").isdigit() and str(int(n)) == n for n in names)
    return np.array([int(n) for n in names]) if whole else np.array(names)
