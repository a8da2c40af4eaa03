"""Tables as people have them → numbers: the encoder of the command line as a transformer."""

import os
import warnings
from numbers import Integral
from os import PathLike
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _constraints, _frame
from ._constraints import any_of, integers
from ._typing import NDArray, Samples, Self
from ._working import Working
from .exceptions import _LEFT_OUT, _UNSEEN, DataWarning, _coded

#: What stands between a column's name and the rest of a feature's name.
_JOINTS = (" ", "=", "[")


class TableEncoder(TransformerMixin, Working, BaseEstimator):
    """Numbers from columns of numbers, categories, dates, texts, pictures and lists of numbers.

    The same encoder as the command line's. It is fitted on all rows and never sees a label.

    - Missing numbers become the column's median; where 5 % or more are missing, one more feature
      says which.
    - Categories become one feature a value; of columns with more than 20 values the most frequent
      ones, and one feature for the rest.
    - Dates become days, and places on circles for the hour, the day of the week and the day of the
      year, by what varies.
    - Running text becomes topics: singular vectors of its tf-idf matrix; with ``embed_with``,
      the embedding that a sentence model makes of it.
    - Paths to PNG and JPEG files that are there become numbers of the pictures: gradients, shades and
      colours at a small size. They are relative to the working directory; a missing one counts as
      even grey.
    - Columns that only name rows, and columns with one value, are left out: ``left_out_``.

    An array of numbers is taken as it is, with missing numbers filled.

    Examples
    --------
    >>> import pandas as pd
    >>> from isotherm import TableEncoder
    >>> X = pd.DataFrame({"age": [31, None, 44, 52], "job": ["cook", "clerk", "cook", None]})
    >>> encoder = TableEncoder().fit(X)
    >>> encoder.get_feature_names_out().tolist()
    ['age', 'job=clerk', 'job=cook', 'age is missing']
    >>> encoder.transform(X)[1].tolist()
    [44.0, 1.0, 0.0, 1.0]
    """

    n_features_in_: int
    """Columns of X."""
    feature_names_in_: NDArray
    """Names of the columns of X, if all are strings."""
    kinds_: dict[str, str]
    """What each column is read as: "number", "category", "date", "text", "picture" or "list"."""
    filled_: dict[str, int]
    """How many numbers or pictures are missing in each column that has some; they are filled."""
    left_out_: dict[str, str]
    """Columns that are no features, and why."""

    _core: Any
    #: Names of the columns of the fit; ``None`` for a model from a file.
    _given_names: list[str] | None = None
    _parameter_constraints = {
        "kinds": [dict, None],
        "embed_with": [str, PathLike, None],
        "n_jobs": any_of(None, Integral),
        "verbose": any_of("boolean", integers(0)),
    }

    def __init__(
        self,
        *,
        kinds: dict[str, str] | None = None,
        embed_with: str | PathLike[str] | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        """Stores the parameters; nothing is computed before ``fit``.

        Parameters
        ----------
        kinds : dict, default=None
            What a column is, whatever it looks like: ``"number"``, ``"category"``, ``"text"``,
            ``"date"``, ``"picture"`` or ``"nothing"``, by the column's name or a pattern such as ``"emb_*"``.
            Columns of a frame's own type for categories are categories.
        embed_with : str or path, default=None
            A folder with a sentence-embedding model: ``model.onnx`` or ``onnx/model.onnx``, and
            ``tokenizer.json``, laid out as sentence-transformers does. Texts then become vectors of
            unit length instead of topics. Nothing is downloaded. isotherm has to be built with the
            cargo feature ``embed``; without it the folder is refused.
        n_jobs : int, default=None
            Threads; ``None`` and −1 mean all, −2 all but one. Results do not depend on it.
        verbose : int, default=0
            1 prints a line for each phase on standard error, 2 also progress within them.
        """
        self.kinds = kinds
        self.embed_with = embed_with
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Samples, y: Any = None) -> Self:
        """Learns what each column is and how to encode it.

        Parameters
        ----------
        X : pandas or polars DataFrame, pyarrow Table or array of shape (n_samples, n_features)
            All rows, labelled or not.
        y : Ignored
            Not used, here for scikit-learn's pipelines.

        Returns
        -------
        self
        """
        self._learn(X)
        return self

    def fit_transform(self, X: Samples, y: Any = None) -> NDArray:
        """Learns from the rows and encodes them.

        Parameters
        ----------
        X : pandas or polars DataFrame, pyarrow Table or array of shape (n_samples, n_features)
            All rows, labelled or not.
        y : Ignored
            Not used, here for scikit-learn's pipelines.

        Returns
        -------
        ndarray of shape (n_samples, n_features_out)
            One column a feature.
        """
        return self._encode(self._learn(X)).values

    def transform(self, X: Samples) -> NDArray:
        """The same features of new rows.

        Parameters
        ----------
        X : pandas or polars DataFrame, pyarrow Table or array of shape (n_samples, n_features)
            Rows with the columns of the fit.

        Returns
        -------
        ndarray of shape (n_samples, n_features_out)
            One column a feature. A value that the fit did not see is none of the column's values,
            and a :class:`~isotherm.exceptions.DataWarning` says so.
        """
        check_is_fitted(self)
        return self._encode(self._by_place(self._checked(X, reset=False))).values

    def get_feature_names_out(self, input_features: Any = None) -> NDArray:
        """Names of the features.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Names of the columns of X where X has none; else they must be those of the fit.

        Returns
        -------
        ndarray of str
            ``age``, ``job=clerk``, ``age is missing``, ``day weekday sin``, ``review topic 1``,
            ``path picture 1``, …
        """
        check_is_fitted(self)
        names = list(self._core.names)
        if input_features is not None:
            given = np.asarray(input_features, dtype=object)
            known = getattr(self, "feature_names_in_", None)
            if known is not None and not np.array_equal(known, given):
                raise ValueError("input_features is not equal to feature_names_in_")
            if len(given) != self.n_features_in_:
                raise ValueError(
                    f"input_features should have length equal to number of features "
                    f"({self.n_features_in_}), got {len(given)}"
                )
            if known is None:
                names = [_renamed(name, given) for name in names]
        return np.array(names, dtype=object)

    # ---- for the estimators ----

    def _learn(self, X):
        """Learns, and gives the columns as the core reads them."""
        _constraints.validate(self)
        X = self._checked(X, reset=True)
        columns = _frame.columns(X)
        self._learn_columns(columns, X)
        return columns

    def _learn_columns(self, columns, X):
        """As :meth:`_learn`; X tells of the columns' own types."""
        from . import _core

        self._given_names = [name for name, _ in columns]
        kinds = _frame.said_kinds(X, self.kinds)
        if isinstance(X, np.ndarray) and X.dtype.kind == "f":
            said = {name for name, _ in kinds}
            there = [n for n, cells in columns if n not in said and not np.isnan(cells).all()]
            kinds += [(name, "number") for name in there]
        self._take(_core.Encoder.learn(columns, kinds, **self._work()))
        if not self._core.names:
            reasons = ", ".join(f"{name!r} ({why})" for name, why in self.left_out_.items())
            raise ValueError(
                f"no column of X can be learned from: {reasons}; kinds={{name: kind}} says what a "
                f"column is nevertheless"
            )
        odd = {name: why for name, why, usual in self._core.left_out if not usual}
        if odd:
            told = ", ".join(f"{name!r} ({why})" for name, why in odd.items())
            first = next(iter(odd))
            text = (
                f"{'a column is' if len(odd) == 1 else f'{len(odd)} columns are'} left out: "
                f"{told}; they say nothing about the rows; kinds={{{first!r}: 'category'}} uses "
                f"one nevertheless, kinds={{{first!r}: 'nothing'}} silences this"
            )
            warnings.warn(_coded(DataWarning, text, _LEFT_OUT), stacklevel=4)

    def _work(self):
        """What both ways through the core are given."""
        folder = None if self.embed_with is None else os.fspath(self.embed_with)
        return {
            "embed_with": folder,
            "threads": self._threads(),
            "on_event": self._on_event(),
        }

    def _take(self, core):
        self._core = core
        self.kinds_ = {name: kind for name, kind, _ in core.kinds}
        self.filled_ = dict(core.filled)
        self.left_out_ = {name: why for name, why, _ in core.left_out}
        self._n_features_out = len(core.names)

    def _keeps_columns(self):
        """Whether every feature is a column as it is; of a model from a file it is not known."""
        return self._given_names is None or self._given_names == self._core.names

    def _takes_numbers(self, X):
        """Whether rows of numbers are the features already, but for missing ones."""
        if self._given_names is not None:
            return self._keeps_columns()
        if _frame.is_frame(X):
            return _frame.names_of(X) == self._core.names
        shape = np.shape(X)
        return len(shape) != 2 or shape[1] == len(self._core.names)

    def _by_place(self, X):
        """The columns of new rows; where these or those of the fit have no names, by place."""
        columns = _frame.columns(X)
        known = self._given_names
        if known is None or len(known) != len(columns) or [n for n, _ in columns] == known:
            return columns
        if _frame.is_frame(X) and known != [f"x{k}" for k in range(len(known))]:
            return columns
        return [(name, cells) for name, (_, cells) in zip(known, columns)]

    def _encode(self, columns):
        """The core's answer: values and blocks of them."""
        found = self._core.transform(columns, **self._work())
        for name, rows, example in found.unseen:
            text = (
                f"{rows} row{' has' if rows == 1 else 's have'} in column {name!r} a value that "
                f"the encoder was not fitted on, {'' if rows == 1 else 'such as '}{example!r}: "
                f"counted as none of its values; check the spelling, or fit again with such rows"
            )
            warnings.warn(_coded(DataWarning, text, _UNSEEN), stacklevel=4)
        return found

    def _checked(self, X, reset):
        """X with its names looked at; arrays as arrays of floats or of texts."""
        X = _frame.from_arrow(X)
        if _frame.is_frame(X):
            validate_data(self, X, reset=reset, skip_check_array=True)
            if len(X) == 0:
                raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
            return X
        kind = getattr(getattr(X, "dtype", None), "kind", None)
        X = validate_data(
            self,
            X,
            reset=reset,
            dtype=None if kind in ("O", "U", "S") else np.float64,
            ensure_all_finite=False,
        )
        return X.astype(np.float64) if X.dtype.kind in "biuf" else X.astype(object)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    def __sklearn_is_fitted__(self):
        return getattr(self, "_core", None) is not None

    def __getstate__(self):
        state = dict(super().__getstate__())
        if state.get("_core") is not None:
            state["_core"] = state["_core"].to_bytes()
        return state

    def __setstate__(self, state):
        if isinstance(state.get("_core"), bytes):
            from . import _core

            state = {**state, "_core": _core.Encoder.from_bytes(state["_core"])}
        super().__setstate__(state)


class Encoded:
    """Rows of an estimator that encodes; not public."""

    def __init__(self, values, encoder, blocks=()):
        self.values, self.encoder, self.blocks = values, encoder, list(blocks)


def encode_frame(X, n_jobs):
    """The columns of a frame as numbers."""
    encoder = TableEncoder(n_jobs=n_jobs)
    found = encoder._encode(encoder._learn(X))
    return Encoded(found.values, encoder, found.blocks)


def fill_numbers(rows, names, n_jobs):
    """Rows of numbers, missing ones filled."""
    from . import _core

    encoder = TableEncoder(n_jobs=n_jobs)
    encoder.n_features_in_ = rows.shape[1]
    wide = (np.require(rows[:, k], np.float64, "CA") for k in range(rows.shape[1]))
    if _frame.has_missing(rows):
        columns = list(zip(names, wide))
        encoder._learn_columns(columns, np.empty((0, 0)))
        found = encoder._encode(columns)
        return Encoded(found.values, encoder, found.blocks)
    encoder._given_names = names
    encoder._take(_core.Encoder.numbers(names, [_core.median(column) for column in wide]))
    return Encoded(rows, encoder)


def _renamed(name, given):
    """A feature's name with the name of its column, ``x3``, replaced by the given one."""
    head = name
    for joint in _JOINTS:
        head = head.split(joint)[0]
    return f"{given[int(head[1:])]}{name[len(head) :]}"
