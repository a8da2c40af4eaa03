"""Rows that pass by: Parquet files, datasets and batches, larger than memory."""

import os
from collections.abc import Iterator

from . import _batches

#: Bytes of a batch, about, when nobody says how many rows it has.
BATCH_BYTES = 1 << 24


class Rows:
    """Rows that are read batch by batch, as often as needed.

    Estimators make one of any stream they are given; make it yourself to choose columns or the
    size of a batch. Memory: one batch, and what the reader of the files holds for it.

    Parameters
    ----------
    source : str, path-like, list of them, dataset, list of batches, callable or iterator
        A Parquet file or a folder of such, several, a ``pyarrow.dataset.Dataset``; batches in a
        list, or from a function without arguments that returns a new iterator each time it is
        called. A batch is an array, a pandas or polars frame, a pyarrow record batch or table,
        or a dictionary of arrays. An iterator can be read once only: enough for ``predict``.
    columns : list of str, default=None
        The features, where batches have names; ``None``: the numeric columns other than the
        labels'. A column of vectors of one length is as many features.
    batch_rows : int, default=None
        Rows of a batch read from files; ``None``: about 16 MB of them.

    Examples
    --------
    >>> import numpy as np
    >>> from isotherm import LaplacianClassifier, Tikhonov
    >>> from isotherm.streams import Rows
    >>> def batches():
    ...     yield {"x": np.array([0.0, 0.1, 0.2]), "id": np.array([1, 2, 3])}
    ...     yield {"x": np.array([5.0, 5.1, 5.2]), "id": np.array([4, 5, 6])}
    >>> rows = Rows(batches, columns=["x"])
    >>> y = ["a", None, None, "b", None, None]
    >>> model = LaplacianClassifier(bandwidth=1.0, filter=Tikhonov(1e-2)).fit(rows, y)
    >>> [part.tolist() for part in model.predict(rows)]
    [['a', 'a', 'a'], ['b', 'b', 'b']]
    """

    #: How other modules know one without importing this one.
    _passes_by = True

    def __init__(self, source, *, columns=None, batch_rows=None):
        if isinstance(columns, str):
            raise TypeError(f"columns must be a list of names, got the string {columns!r}")
        if batch_rows is not None and (not isinstance(batch_rows, int) or batch_rows < 1):
            raise ValueError(f"batch_rows must be None or at least 1, got {batch_rows!r}")
        self.source = source
        self.columns = None if columns is None else list(columns)
        self.batch_rows = batch_rows
        self._dataset = _dataset(source)
        files = self._dataset is not None
        if not files and not callable(source) and not hasattr(source, "__iter__"):
            raise TypeError(
                f"rows can stream from paths, a dataset, batches or a function that returns "
                f"them, got {type(source).__name__}"
            )
        if batch_rows is not None and not files:
            raise ValueError("batch_rows must be left out: the source gives batches of its own")

    @classmethod
    def of(cls, source):
        """``source`` itself if it is one already."""
        return source if isinstance(source, cls) else cls(source)

    @property
    def rereadable(self):
        """Whether the rows can be read more than once."""
        if self._dataset is not None:
            return hasattr(self._dataset, "get_fragments")
        return not isinstance(self.source, Iterator)

    def features(self, without=()):
        """Names of the features, or ``None`` where batches have none; and their number."""
        if self._dataset is not None:
            batch = self._dataset.schema.empty_table()
        else:
            batch = next((b for b in self.batches() if _batches.length(b)), None)
            if batch is None:
                raise ValueError("the stream has no rows; give at least two, one of them labelled")
        if _batches.names_of(batch) is None:
            if self.columns is not None:
                raise ValueError("columns must be left out: the batches are arrays without names")
            return None, _batches.rows_of(batch).shape[1]
        names = _batches.features_of(batch, self.columns, without)
        return names, len(names)

    def batches(self, columns=None):
        """The batches from the beginning; of files only ``columns`` are read."""
        if self._dataset is None:
            return iter(self.source() if callable(self.source) else self.source)
        if not hasattr(self._dataset, "get_fragments"):
            return iter(self._dataset)
        return self._file_batches(columns)

    def _file_batches(self, columns):
        schema = self._dataset.schema
        columns = schema.names if columns is None else columns
        width = sum(max(1, _batches.arrow_width(schema.field(c).type) or 1) for c in columns)
        size = self.batch_rows or max(256, min(1 << 17, BATCH_BYTES // (8 * max(width, 1))))
        return _unhurried(self._dataset, columns, size)

    def column(self, name):
        """The labels in a column of that name."""
        from ._column import Column

        if self._dataset is not None:
            names = self._dataset.schema.names
            if name not in names:
                raise ValueError(
                    f"there is no column {name!r} for the labels; the columns are {names}"
                )
        parts = []
        for batch in self.batches([name]):
            has = _batches.names_of(batch)
            if has is None:
                raise ValueError(
                    f"y names a column, {name!r}, but the batches are arrays without names; give "
                    f"y as an array"
                )
            if name not in has:
                raise ValueError(
                    f"there is no column {name!r} for the labels; the columns are {has}"
                )
            arrow = _batches.is_arrow(batch)
            parts.append(Column.of(batch.column(name) if arrow else batch[name]))
        return Column.joined(parts)


def write_predictions(estimator, X, path, *, overwrite=False):
    """Writes a stream of rows to a Parquet file, a model's answers beside them.

    Parameters
    ----------
    estimator : fitted estimator
        One whose answer is one label a row.
    X : Rows or what they are made of
        Batches with names; every column is kept.
    path : str or path-like
        The file to write; it is there when all of it is.
    overwrite : bool, default=False
        Whether a file that is there may be replaced.

    Returns
    -------
    int
        Rows written.

    Examples
    --------
    >>> import os, tempfile
    >>> import pandas as pd
    >>> from isotherm import LaplacianClassifier, Tikhonov
    >>> from isotherm.streams import write_predictions
    >>> rows = pd.DataFrame({"x": [0.0, 0.1, 0.2, 5.0, 5.1, 5.2]})
    >>> y = ["a", None, None, "b", None, None]
    >>> model = LaplacianClassifier(bandwidth=1.0, filter=Tikhonov(1e-2)).fit(rows, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "labelled.parquet")
    ...     count = write_predictions(model, [rows[:3], rows[3:]], path)
    ...     told = pd.read_parquet(path)
    >>> count, told["iso_label"].tolist()
    (6, ['a', 'a', 'a', 'b', 'b', 'b'])
    """
    from ._columns_out import answered, check_one_label, with_columns

    path = os.fspath(path)
    if os.path.exists(path) and not overwrite:
        raise FileExistsError(f"{path} exists; choose another name or pass overwrite=True")
    check_one_label(estimator)
    told = (with_columns(b, answered(estimator, b)) for b in Rows.of(X).batches())
    return _write(map(_arrow, told), path)


def _arrow(batch):
    """Named columns as a pyarrow table."""
    import pyarrow as pa

    if _batches.is_arrow(batch):
        return batch if isinstance(batch, pa.Table) else pa.Table.from_batches([batch])
    if hasattr(batch, "to_arrow"):
        return batch.to_arrow()
    if isinstance(batch, dict):
        return pa.table(batch)
    return pa.Table.from_pandas(batch, preserve_index=False)


def _write(tables, path):
    """Tables to one file, under another name until it is whole."""
    import pyarrow.parquet as pq

    part, writer, count = f"{path}.{os.getpid()}.tmp", None, 0
    try:
        for table in tables:
            writer = writer or pq.ParquetWriter(part, table.schema)
            writer.write_table(table.cast(writer.schema))
            count += table.num_rows
        if writer is None:
            raise ValueError("the stream has no batches, so nothing is known of the file to write")
        writer.close()
        os.replace(part, path)
    finally:
        if writer is not None:
            writer.close()
        if os.path.exists(part):
            os.remove(part)
    return count


def _dataset(source):
    """A dataset of files, a reader of batches, or ``None`` for batches as they are."""
    if hasattr(source, "read_next_batch") or hasattr(source, "get_fragments"):
        return source
    several = isinstance(source, (list, tuple)) and len(source) > 0
    first = source[0] if several else source
    if not isinstance(first, (str, os.PathLike)):
        return None
    try:
        import pyarrow.dataset
    except ImportError:
        raise ImportError(
            "reading Parquet files needs pyarrow, which is not installed; "
            "pip install 'isotherm[parquet]', or pass batches"
        ) from None
    paths = [os.fspath(p) for p in source] if several else os.fspath(source)
    return pyarrow.dataset.dataset(paths, format="parquet")


def _unhurried(dataset, columns, size):
    """Batches of a dataset, one row group after the other: memory is what streams are for.

    A scan of the whole dataset reads ahead of need, as much as the file in small ones.
    """
    asked = {"columns": columns, "batch_size": size, "batch_readahead": 1}
    try:
        fragments = dataset.get_fragments()
    except ValueError:  # filtered: only a scan of the whole knows the filter
        yield from dataset.to_batches(fragment_readahead=1, use_threads=False, **asked)
        return
    for fragment in fragments:
        splits = hasattr(fragment, "split_by_row_group")
        for part in fragment.split_by_row_group() if splits else [fragment]:
            yield from part.to_batches(schema=dataset.schema, **asked)
